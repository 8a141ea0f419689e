"""PNG files of pixels in memory."""

import struct
import zlib
from typing import Sequence

# The types of colour that PNG has, by the number of channels.
COLORS = {1: 0, 3: 2, 4: 6}


def channels(pixels: bytes, width: int, count: int, order: Sequence[int]) -> bytes:
    """The channels of `order` from pixels of `count` channels of `width` bytes, the last byte first as PNG has it. A
    channel of -1 is zeros."""
    made = bytearray(len(pixels) // count * len(order))
    for to, of in enumerate(order):
        for byte in range(width):
            if of >= 0:
                source = pixels[of * width + byte :: count * width]
                made[to * width + width - 1 - byte :: len(order) * width] = source
    return bytes(made)


def encode(width: int, height: int, bits: int, color: int, pixels: bytes) -> bytes:
    """A file of rows of pixels, whose channels have so many bits."""
    row = len(pixels) // height
    lines = b"".join(b"\0" + pixels[at : at + row] for at in range(0, len(pixels), row))
    header = struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in parts)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
