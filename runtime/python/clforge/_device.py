"""Devices."""

import os
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import _clforge, _image, _types
from ._array import Array, Shape, elements, host_data, shape_of
from ._compile import Options, join
from ._image import Image
from ._program import Program
from ._queue import Queue


class DeviceInfo:
    """What is known of a device: name, kind (`discrete_gpu`, `integrated_gpu`, `virtual_gpu`, `cpu` or `other`), driver, limits."""

    def __init__(self, data: Dict[str, Any]) -> None:
        self.index: int = data["index"]
        self.name: str = data["name"]
        self.kind: str = data["kind"]
        self.api_version: str = data["api_version"]
        self.driver: str = data["driver"]
        self.memory: int = data["memory"]
        self.max_allocation: int = data["max_allocation"]
        self.max_local_memory: int = data["max_local_memory"]
        self.max_work_group_size: Tuple[int, ...] = tuple(data["max_work_group_size"])
        self.max_work_group_invocations: int = data["max_work_group_invocations"]
        self.sub_group_size: int = data["sub_group_size"]
        self.features: Tuple[str, ...] = tuple(data["features"])
        self.warnings: Tuple[str, ...] = tuple(data["warnings"])
        self.unusable: Optional[str] = data["unusable"]
        self.is_default: bool = data.get("is_default", False)

    def __repr__(self) -> str:
        return "<DeviceInfo {}: {}>".format(self.index, self.name)


def devices() -> List[DeviceInfo]:
    """All devices of this machine. `Device` takes their indices and names."""
    return [DeviceInfo(data) for data in _clforge.devices()]


class Device:
    """An open Vulkan device: the one with an index or a part of a name, else that of the environment variable
    `CLFORGE_DEVICE`, else the best."""

    def __init__(self, selector: Union[int, str, None] = None) -> None:
        if selector is None:
            selector = os.environ.get("CLFORGE_DEVICE") or None
        self._native = _clforge.Device(selector)
        self.info = DeviceInfo(self._native.info)
        self._queue: Optional[Queue] = None

    @property
    def name(self) -> str:
        """The device's name."""
        return self.info.name

    @property
    def memory_in_use(self) -> int:
        """Bytes of device memory in use."""
        return self._native.memory_in_use

    @property
    def queue(self) -> Queue:
        """The queue that kernels and arrays use where no other one is given."""
        if self._queue is None:
            self._queue = Queue(self)
        return self._queue

    def program(
        self,
        source: str,
        options: Options = "",
        *,
        name: str = "<source>",
        bounds_check: bool = False,
        sanitize: Union[str, Sequence[str]] = (),
    ) -> Program:
        """Compiles OpenCL C for this device, with the options of `clBuildProgram`.

        `name` is what diagnostics call the source; files that it includes are looked for beside it. With `bounds_check`,
        accesses outside of the arrays have no effect, and launches that had any fail with `OutOfRangeError`. `sanitize` looks
        for more mistakes: `address` (as `bounds_check`), `undefined`, `race`, `memory`, `sync` or `all`, or several of them;
        launches that made one fail with `SanitizerError`.
        """
        kinds = ["address"] if bounds_check else []
        kinds += sanitize.split(",") if isinstance(sanitize, str) and sanitize else sanitize
        sanitizers = ",".join(kinds)
        return Program(self, _clforge.Program.from_source(self._native, source, join(options), name, sanitizers))

    def load(self, spirv: Any) -> Program:
        """Loads SPIR-V for Vulkan (a `Module`, or bytes). The tool `spirv-val` validates it."""
        return Program(self, _clforge.Program.from_spirv(self._native, bytes(spirv)))

    def array(self, data: Any, dtype: Any = None) -> Array:
        """Copies an array to the device: of numpy, anything with the buffer protocol or DLPack, or a list of numbers with a
        `dtype`, which is a name of OpenCL C or numpy (`float`, `float32`), a dtype, or a structure of a program."""
        wanted = None if dtype is None else _types.of_name(dtype)
        found, shape, content = host_data(data, wanted)
        if wanted is not None and wanted.plain != found.plain:
            raise TypeError("the elements are {}, not {}: convert them first".format(found, wanted))
        if found.structure is None and found.plain not in _types.NAMES:
            raise TypeError("kernels have no elements of {}".format(found))
        return Array(self, _clforge.Buffer.from_bytes(self._native, content), found, shape)

    def zeros(self, shape: Shape, dtype: Any = "float") -> Array:
        """An array of zeros."""
        return self._make(_clforge.Buffer.zeros, shape, dtype)

    def empty(self, shape: Shape, dtype: Any = "float") -> Array:
        """An array with whatever its memory holds."""
        return self._make(_clforge.Buffer.empty, shape, dtype)

    def _make(self, make: Any, shape: Shape, dtype: Any) -> Array:
        of, sizes = _types.of_name(dtype), shape_of(shape)
        return Array(self, make(self._native, elements(sizes) * of.itemsize), of, sizes)

    def image(
        self,
        data: Any,
        channels: Optional[str] = None,
        *,
        dtype: Any = None,
        kind: Optional[str] = None,
        normalized: Optional[bool] = None,
    ) -> Image:
        """Copies an array to an image on the device; for what arrays are see `array`.

        One axis makes a 1D image, two make a 2D image, three a 2D image whose last axis are 1, 2 or 4 channels, four a 3D
        image with channels. Other kinds are named: `1d`, `1d_array`, `1d_buffer`, `2d`, `2d_array` or `3d`. Their arrays have
        the axes of the kind, layers first, and one more if there are several channels.

        Texels are `int8`, `uint8`, `int16`, `uint16`, `int32`, `uint32`, `float16` or `float32`. Kernels read integers of 8
        and 16 bits as numbers from 0 or -1 to 1 (`read_imagef`), with `normalized=False` as integers (`read_imagei`,
        `read_imageui`). `channels` are `r`, `rg` or `rgba`, by their number, or `bgra`, or `depth` for `image2d_depth_t`.
        """
        found, shape, content = host_data(data, None if dtype is None else _types.of_name(dtype))
        if dtype is not None and _types.of_name(dtype).plain != found.plain:
            raise TypeError("the elements are {}, not {}: convert them first".format(found, _types.of_name(dtype)))
        made, sizes, order = _image.divided(shape, kind, channels)
        texels = _image.checked(order, found, normalized)
        return Image(self, _image.make(self, made, sizes, texels, content), made, texels, shape)

    def empty_image(
        self,
        shape: Shape,
        channels: str = "rgba",
        dtype: Any = "uchar",
        *,
        kind: Optional[str] = None,
        normalized: Optional[bool] = None,
    ) -> Image:
        """An image of a shape, without its channels, for kernels to write; until then its texels are zeros. `channels` are `r`,
        `rg`, `rgba`, `bgra` or `depth`; for the others see `image`."""
        sizes = shape_of(shape)
        made = _image.kind_of(kind, len(sizes))
        if len(sizes) != _image.AXES[made]:
            raise ValueError("a {} image has {} axes, not the shape {}".format(made, _image.AXES[made], sizes))
        texels = _image.checked(channels, _types.of_name(dtype), normalized)
        count = _image.CHANNELS[channels]
        whole = sizes + ((count,) if count > 1 else ())
        return Image(self, _image.make(self, made, sizes, texels, None), made, texels, whole)

    def keep_clock(self) -> bool:
        """Keeps the clock of an NVIDIA device from falling until the process ends.

        Without it the clock falls ten seconds after the last work. Returns whether it does. It takes energy.
        """
        return self._native.keep_clock()

    def finish(self) -> None:
        """Waits for all work of the device."""
        self._native.finish()

    def __repr__(self) -> str:
        return "<Device {}: {}>".format(self.info.index, self.name)
