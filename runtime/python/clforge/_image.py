"""Images on a device."""

from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Tuple

from . import _clforge, _png, _types
from ._array import elements, host_data
from ._types import DType

if TYPE_CHECKING:
    import numpy as np

    from ._device import Device
    from ._interface import ArgumentInfo
    from ._queue import Event, Queue

# The kinds of images, with the number of axes that an array has for them, channels apart.
AXES = {"1d": 1, "1d_buffer": 1, "1d_array": 2, "2d": 2, "2d_array": 3, "3d": 3}
# The kinds that parameters of these types take.
PARAMETERS = {
    "image1d_t": "1d",
    "image1d_buffer_t": "1d_buffer",
    "image1d_array_t": "1d_array",
    "image2d_t": "2d",
    "image2d_depth_t": "2d",
    "image2d_array_t": "2d_array",
    "image2d_array_depth_t": "2d_array",
    "image3d_t": "3d",
}
# The number of channels of each order.
CHANNELS = {"r": 1, "rg": 2, "rgba": 4, "bgra": 4, "depth": 1}
# The bits and the suffix of formats, by plain types: as numbers, and normalised.
FORMATS = {
    "u1": ("8ui", "8"),
    "i1": ("8i", "8s"),
    "u2": ("16ui", "16"),
    "i2": ("16i", "16s"),
    "u4": ("32ui", None),
    "i4": ("32i", None),
    "f2": ("16f", None),
    "f4": ("32f", None),
}


class Format(NamedTuple):
    """What the texels of an image are."""

    channels: str
    dtype: DType
    normalized: bool

    @property
    def texel(self) -> str:
        """What kernels read them as: `float`, `int` or `uint`."""
        return "float" if self.normalized else {"f": "float", "i": "int", "u": "uint"}[self.dtype.plain[0]]

    @property
    def name(self) -> str:
        """The name of the runtime, such as `rgba8ui`."""
        number, normalized = FORMATS[self.dtype.plain]
        return self.channels.replace("depth", "d") + str(normalized if self.normalized else number)

    def __str__(self) -> str:
        return "{}{} {}".format("normalised " if self.normalized else "", self.dtype, self.channels)


class Image:
    """An image in the memory of a device: `Device.image` and `empty_image` make images.

    Kernels take it as `image2d_t`, `image3d_t` and so on. Its shape is that of an array of numpy: rows before columns,
    slices or layers before them, channels last. What reads it for the host (`numpy()`, `numpy.asarray`) waits for the
    device and gets a copy. Notebooks show images that are flat.
    """

    __slots__ = ("device", "kind", "channels", "dtype", "normalized", "shape", "_native")

    def __init__(
        self, device: "Device", native: _clforge.Image, kind: str, texels: Format, shape: Tuple[int, ...]
    ) -> None:
        self.device: "Device" = device
        # `1d`, `1d_array`, `1d_buffer`, `2d`, `2d_array` or `3d`.
        self.kind: str = kind
        # `r`, `rg`, `rgba`, `bgra` or `depth`.
        self.channels: str = texels.channels
        self.dtype: DType = texels.dtype
        # Whether kernels read integers as numbers from 0 (or -1) to 1.
        self.normalized: bool = texels.normalized
        self.shape: Tuple[int, ...] = shape
        self._native = native

    @property
    def ndim(self) -> int:
        """The number of dimensions, with that of the channels if there are several."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements: texels times channels."""
        return elements(self.shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes."""
        return self.size * self.dtype.itemsize

    @property
    def format(self) -> Format:
        """What the texels are: `channels`, `dtype` and `normalized`."""
        return Format(self.channels, self.dtype, self.normalized)

    @property
    def texels(self) -> Tuple[int, ...]:
        """The shape without channels."""
        return self.shape[: AXES[self.kind]]

    def numpy(self) -> "np.ndarray[Any, Any]":
        """A copy as an array of numpy."""
        import numpy

        return numpy.frombuffer(bytearray(self.tobytes()), self.dtype.numpy()).reshape(self.shape)

    def to_numpy(self) -> "np.ndarray[Any, Any]":
        """The same as `numpy()`, by the name that matplotlib looks for."""
        return self.numpy()

    def tobytes(self) -> bytes:
        """A copy as bytes, rows and slices without gaps."""
        return self._native.read()

    def write(self, data: Any, queue: "Optional[Queue]" = None) -> None:
        """Overwrites all texels with the elements of an array, or of a list of numbers, of the same type and shape.

        With a queue the data are written after the commands that it has; they are copied before the function returns.
        """
        dtype, shape, content = host_data(data, self.dtype)
        if dtype.plain != self.dtype.plain or strip(shape) != strip(self.shape):
            raise TypeError(
                "an array of shape {} of {} cannot be written to an image of shape {} of {}".format(
                    shape, dtype, self.shape, self.dtype
                )
            )
        if queue is None:
            self._native.write(content)
        else:
            queue._native.write_image(self._native, content)

    def copy(self, queue: "Optional[Queue]" = None) -> "Image":
        """A copy on the same device."""
        native = make(self.device, self.kind, self.texels, self.format, None)
        (queue or self.device.queue)._event(lambda of: of.copy_image(self._native, native))
        return Image(self.device, native, self.kind, self.format, self.shape)

    def png(self) -> bytes:
        """The image as a PNG file: unsigned integers of 8 or 16 bits as they are, floating point as 8 bits of 0 to 1. Two
        channels are red and green."""
        if AXES[self.kind] == 3:
            raise TypeError("a PNG file is flat, but the image has the shape {}".format(self.shape))
        width, count = self.dtype.itemsize, CHANNELS[self.channels]
        pixels = self.tobytes()
        if self.dtype.plain[0] == "f":
            pixels, width = _bytes_of_floats(self), 1
        elif self.dtype.plain not in ("u1", "u2"):
            raise TypeError("a PNG file has no pixels of {}".format(self.dtype))
        order = {"rg": (0, 1, -1), "bgra": (2, 1, 0, 3)}.get(self.channels, tuple(range(count)))
        if width != 1 or order != tuple(range(count)):
            pixels = _png.channels(pixels, width, count, order)
        height, across = ((1,) + self.texels)[-2:]
        return _png.encode(across, height, 8 * width, _png.COLORS[len(order)], pixels)

    def _repr_png_(self) -> Optional[bytes]:
        """What notebooks show; where it is `None`, they show `repr`."""
        try:
            return self.png()
        except (TypeError, ImportError):
            return None

    @property
    def __array_interface__(self) -> Any:
        """A copy of the texels, for everything that takes arrays of numpy."""
        described = {"version": 3, "shape": self.shape, "typestr": self.dtype.typestr, "data": bytearray(self.tobytes())}
        # Pillow takes the bytes of what has strides, and demands the buffer protocol of others.
        described["strides"] = tuple(elements(self.shape[axis + 1 :]) * self.dtype.itemsize for axis in range(self.ndim))
        return described

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> "np.ndarray[Any, Any]":
        if copy is False:
            raise ValueError("the memory of a device cannot be had without a copy")
        made = self.numpy()
        return made if dtype is None else made.astype(dtype, copy=False)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return "<Image {} of {}, {}, on {}>".format(self.kind, shape, self.format, self.device.name)


def _bytes_of_floats(image: Image) -> bytes:
    """Floating texels from 0 to 1 as bytes."""
    import numpy

    values = numpy.clip(numpy.nan_to_num(image.numpy().astype(numpy.float32), nan=0.0), 0, 1)
    return bytes((values * 255 + 0.5).astype(numpy.uint8).tobytes())


def make(
    device: "Device", kind: str, sizes: Tuple[int, ...], texels: Format, content: Optional[bytes]
) -> _clforge.Image:
    """An image of a shape without channels, with texels or of zeros."""
    size: List[int] = list(reversed(sizes)) + [1] * (3 - len(sizes))
    if content is None:
        return _clforge.Image.zeros(device._native, kind, size, texels.name)
    return _clforge.Image.from_bytes(device._native, kind, size, texels.name, content)


def checked(channels: str, dtype: DType, normalized: Optional[bool]) -> Format:
    """A format that there is. Without a choice, integers of 8 and 16 bits are normalised."""
    if channels not in CHANNELS:
        raise ValueError("there are no channels '{}'; there are: {}".format(channels, ", ".join(CHANNELS)))
    if dtype.plain not in FORMATS:
        names = ", ".join(_types.NAMES[plain][1] for plain in FORMATS)
        close = {"f8": "float32", "i8": "int32", "u8": "uint32"}.get(dtype.plain)
        hint = "; use .astype(numpy.{})".format(close) if close else ""
        raise TypeError("images have no texels of {}, but of: {}{}".format(dtype, names, hint))
    has_normalized = FORMATS[dtype.plain][1] is not None
    if normalized and not has_normalized:
        raise ValueError("texels of {} are never normalised".format(dtype))
    made = Format(channels, dtype, has_normalized if normalized is None else normalized)
    allowed: Dict[str, Tuple[str, ...]] = {"bgra": ("bgra8",), "depth": ("d16", "d32f")}
    if made.name not in allowed.get(channels, (made.name,)):
        has = "normalised uint16 or float32" if channels == "depth" else "normalised uint8"
        raise ValueError("channels '{}' have texels of {}, not {}".format(channels, has, str(made).rsplit(" ", 1)[0]))
    return made


def kind_of(kind: Optional[str], axes: int) -> str:
    """A kind that there is, by default the one with as many axes that has no layers."""
    if kind is None:
        kind = {1: "1d", 2: "2d", 3: "3d"}.get(axes, "")
        if not kind:
            raise ValueError("an image has one to three dimensions, not {}".format(axes))
    if kind not in AXES:
        raise ValueError("there is no kind of image '{}'; there are: {}".format(kind, ", ".join(AXES)))
    return kind


def divided(shape: Tuple[int, ...], kind: Optional[str], channels: Optional[str]) -> Tuple[str, Tuple[int, ...], str]:
    """Kind, sizes and channels of the image for an array of a shape, whose last axis may be that of the channels."""
    if kind is None:
        # Rows and columns, with channels where there is a third axis; four are those of a 3D image.
        has_channels = len(shape) >= 3
        kind = kind_of(None, len(shape) - has_channels)
    else:
        kind = kind_of(kind, 0)
        has_channels = len(shape) > AXES[kind]
    sizes = shape[:-1] if has_channels else shape
    if len(sizes) != AXES[kind]:
        raise ValueError("a {} image has {} axes and one of channels, not the shape {}".format(kind, AXES[kind], shape))
    count = shape[-1] if has_channels else 1
    if channels is None:
        channels = {1: "r", 2: "rg", 4: "rgba"}.get(count)
        if channels is None:
            text = "images have 1, 2 or 4 channels, not {} as the last axis of the shape {}".format(count, shape)
            if count == 3:
                text += ": add a fourth"
            elif len(shape) == 3:
                text += "; for slices or layers of one channel, give kind '3d' or '2d_array'"
            raise ValueError(text)
    if CHANNELS.get(channels, count) != count:
        text = "channels '{}' are {}, but an array of shape {} has {}"
        raise ValueError(text.format(channels, CHANNELS[channels], shape, count))
    return kind, sizes, channels


def strip(shape: Tuple[int, ...]) -> Tuple[int, ...]:
    """A shape without the axis of a single channel."""
    return shape[:-1] if shape[-1:] == (1,) else shape


def for_argument(device: "Device", argument: "ArgumentInfo", data: Any) -> Image:
    """The image for a parameter from an array of the host."""
    dtype, shape, content = host_data(data)
    kind, sizes, channels = divided(shape, PARAMETERS.get(argument.type_name), None)
    if "depth" in argument.type_name and channels == "r":
        channels = "depth"
    texels = checked(channels, dtype, None)
    if argument.texels and texels.normalized and "float" not in argument.texels:
        texels = checked(channels, dtype, False)
    check(argument, kind, texels)
    return Image(device, make(device, kind, sizes, texels, content), kind, texels, shape)


def check(argument: "ArgumentInfo", kind: str, texels: Format) -> None:
    """Compares an image with a parameter."""
    wanted = PARAMETERS.get(argument.type_name, kind)
    if kind != wanted:
        raise TypeError("it takes an image of kind '{}', but one of kind '{}' was given".format(wanted, kind))
    is_depth = "depth" in argument.type_name
    if argument.type_name in PARAMETERS and is_depth != (texels.channels == "depth"):
        raise TypeError("it takes {}depths, but an image of {} was given".format("" if is_depth else "no ", texels))
    if argument.texels and texels.texel not in argument.texels:
        used = " or ".join(argument.texels)
        hint = ""
        if texels.dtype.plain in ("u1", "i1", "u2", "i2"):
            other = texels._replace(normalized=not texels.normalized)
            if other.texel in argument.texels:
                hint = "; make it with normalized={}".format(other.normalized)
        raise TypeError(
            "the kernel accesses texels as {}, but an image of {} was given, whose texels are {}{}".format(
                used, texels, texels.texel, hint
            )
        )
