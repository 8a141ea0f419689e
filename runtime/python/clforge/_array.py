"""Arrays on a device."""

from typing import TYPE_CHECKING, Any, Iterable, List, Optional, Sequence, Tuple, Union

from . import _clforge, _types
from ._types import DType

if TYPE_CHECKING:
    import numpy as np

    from ._device import Device
    from ._queue import Event, Queue

# Python's stable interface lets classes have the buffer protocol from 3.11 on; `__buffer__` is for 3.12 and later.
if TYPE_CHECKING:
    _Base = object
else:
    _Base = getattr(_clforge, "HostView", object)

Shape = Union[int, Sequence[int]]


class Array(_Base):
    """An array in the memory of a device, without gaps, rows one after another.

    Kernels take it as a pointer. What reads it for the host (`numpy()`, `numpy.asarray`, `memoryview`, `tolist()`, DLPack) waits
    for the device and gets a copy: the device's memory itself is never shared. `Device.array`, `zeros` and `empty` make arrays.
    """

    __slots__ = ("device", "dtype", "shape", "_buffer")

    def __init__(self, device: "Device", buffer: _clforge.Buffer, dtype: DType, shape: Tuple[int, ...]) -> None:
        self.device: "Device" = device
        self.dtype: DType = dtype
        self.shape: Tuple[int, ...] = shape
        self._buffer = buffer

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return elements(self.shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes."""
        return self.size * self.dtype.itemsize

    def numpy(self) -> "np.ndarray[Any, Any]":
        """A copy as an array of numpy."""
        import numpy

        return numpy.frombuffer(bytearray(self.tobytes()), self.dtype.numpy()).reshape(self.shape)

    def to_numpy(self) -> "np.ndarray[Any, Any]":
        """The same as `numpy()`, by the name that matplotlib looks for."""
        return self.numpy()

    def tobytes(self) -> bytes:
        """A copy as bytes."""
        return self._buffer.read(0, self.nbytes)

    def tolist(self) -> List[Any]:
        """The elements as Python's numbers, in lists as deep as the array has dimensions."""
        if self.dtype.structure is not None or self.dtype.plain[0] == "c":
            return list(self.numpy().tolist())
        if self.size == 0:
            return []
        return list(self._host_view().tolist())

    def item(self) -> Any:
        """The element of an array of one as a Python number."""
        if self.size != 1:
            raise ValueError("an array of {} elements is no number".format(self.size))
        return self.reshape(1).tolist()[0]

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def write(self, data: Any, queue: "Optional[Queue]" = None) -> None:
        """Overwrites all elements with those of an array, or of a list of numbers, of the same type and number.

        With a queue the data are written after the commands that it has; they are copied before the function returns.
        """
        dtype, shape, content = host_data(data, self.dtype)
        if dtype.plain != self.dtype.plain or elements(shape) != self.size:
            raise TypeError(
                "an array of {} elements of {} cannot be written to one of {} elements of {}".format(
                    elements(shape), dtype, self.size, self.dtype
                )
            )
        if queue is None:
            self._buffer.write(0, content)
        else:
            queue._native.write(self._buffer, 0, content)

    def fill(self, value: Any, queue: "Optional[Queue]" = None) -> "Event":
        """Sets all elements to a number."""
        scalar = _types.NAMES[self.dtype.plain][0] if self.dtype.plain in _types.NAMES else ""
        if scalar not in _types.SCALARS:
            raise TypeError("an array of {} cannot be filled with a number".format(self.dtype))
        pattern = _types.scalar_bytes(scalar, scalar, value)
        return (queue or self.device.queue)._event(lambda native: native.fill(self._buffer, pattern))

    def copy(self, queue: "Optional[Queue]" = None) -> "Array":
        """A copy on the same device."""
        made = self.device.empty(self.shape, self.dtype)
        (queue or self.device.queue)._event(lambda native: native.copy(self._buffer, made._buffer, self.nbytes))
        return made

    def reshape(self, *shape: int) -> "Array":
        """The same memory with another shape of as many elements; one length may be -1."""
        sizes: Tuple[int, ...] = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else shape
        if -1 in sizes:
            rest = elements([size for size in sizes if size != -1])
            sizes = tuple(self.size // rest if size == -1 and rest else size for size in sizes)
        if elements(sizes) != self.size:
            raise ValueError("an array of {} elements cannot have the shape {}".format(self.size, sizes))
        return Array(self.device, self._buffer, self.dtype, sizes)

    def __getitem__(self, index: Union[int, slice]) -> "Array":
        """A part along the first axis, which shares the memory."""
        if not self.shape:
            raise IndexError("an array without dimensions has no parts")
        row = elements(self.shape[1:]) * self.dtype.itemsize
        if isinstance(index, slice):
            start, stop, step = index.indices(self.shape[0])
            if step != 1:
                raise IndexError("parts of an array have a step of 1")
            count, shape = max(stop - start, 0), (max(stop - start, 0),) + self.shape[1:]
        else:
            start, count, shape = range(self.shape[0])[index], 1, self.shape[1:]
        return Array(self.device, self._buffer.slice(start * row, count * row), self.dtype, shape)

    def __setitem__(self, index: Union[int, slice], value: Any) -> None:
        """Overwrites a part with a number, or as `write` does."""
        part = self[index]
        if getattr(value, "shape", None) or (hasattr(value, "__iter__") and not hasattr(value, "shape")):
            part.write(value)
        elif part.size > 0:
            self.device.finish()
            part.fill(value).wait()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    @property
    def __array_interface__(self) -> Any:
        """A copy of the elements, for numpy and everything else that takes its arrays."""
        described = {"version": 3, "shape": self.shape, "typestr": self.dtype.typestr}
        if self.dtype.structure is not None:
            import numpy

            described["descr"] = list(self.dtype.structure.descr)
            if numpy.dtype(self.dtype.structure.descr) != self.dtype.structure:
                # It cannot say where there is padding; numpy then calls `__array__`.
                raise AttributeError("__array_interface__")
        described["data"] = bytearray(self.tobytes())
        return described

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> "np.ndarray[Any, Any]":
        if copy is False:
            raise ValueError("the memory of a device cannot be had without a copy")
        made = self.numpy()
        return made if dtype is None else made.astype(dtype, copy=False)

    def __dlpack__(self, **options: Any) -> Any:
        """A copy in the host's memory, through numpy."""
        device = options.pop("dl_device", None)
        if device is not None and tuple(device) != self.__dlpack_device__():
            raise BufferError("arrays are exported to the host's memory only")
        if options.pop("copy", None) is False:
            raise BufferError("the memory of a device cannot be had without a copy")
        return self.numpy().__dlpack__(**{name: value for name, value in options.items() if value is not None})

    def __dlpack_device__(self) -> Tuple[int, int]:
        """The host's memory, where exported copies are."""
        return (1, 0)

    def __buffer__(self, _flags: int) -> memoryview:
        return self._host_view()

    def _host_view(self) -> memoryview:
        """A read-only view of a copy."""
        letter: Any = _types.LETTERS.get(self.dtype.plain)
        if letter is None:
            # numpy then asks for the array interface.
            raise BufferError("views have no elements of {}; tobytes() has their bytes".format(self.dtype))
        flat: Any = memoryview(self.tobytes())
        made: memoryview = flat.cast(letter) if 0 in self.shape or not self.shape else flat.cast(letter, self.shape)
        return made

    def __repr__(self) -> str:
        words = ["x".join(map(str, self.shape))] if self.shape else []
        return "<Array of {} on {}>".format(" ".join([*words, str(self.dtype)]), self.device.name)


def elements(shape: Iterable[int]) -> int:
    """The number of elements of a shape."""
    count = 1
    for size in shape:
        count *= size
    return count


def shape_of(given: Shape) -> Tuple[int, ...]:
    """A shape, which may be given as a number."""
    sizes = (given,) if isinstance(given, int) else tuple(int(size) for size in given)
    if any(size < 0 for size in sizes):
        raise ValueError("no length of a shape is negative, as in {}".format(sizes))
    return sizes


def host_type(data: Any) -> Optional[DType]:
    """The element type of an object with an array's memory; `None` of what has none."""
    dtype = getattr(data, "dtype", None)
    if isinstance(dtype, DType):
        return dtype
    if dtype is not None and hasattr(dtype, "names"):
        return _types.of_numpy(dtype)
    try:
        view = memoryview(data)
    except TypeError:
        return None
    return _types.of_format(view.format, view.itemsize)


def of_dlpack(data: Any) -> "np.ndarray[Any, Any]":
    """What has DLPack only, as an array of numpy with the same memory; it can be written where that is possible."""
    import numpy

    try:
        view = numpy.from_dlpack(data)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError("its memory cannot be had by DLPack: {}".format(error)) from None
    if not view.flags.writeable and callable(getattr(data, "numpy", None)):
        # numpy takes the older form of DLPack, which does not say whether memory may be written, as read-only.
        own = data.numpy()
        if isinstance(own, numpy.ndarray) and numpy.shares_memory(own, view):
            return own
    return view


def host_data(data: Any, wanted: Optional[DType] = None) -> Tuple[DType, Tuple[int, ...], bytes]:
    """Type, shape and a copy of the elements of an object: an array, anything with the buffer protocol or DLPack, or a list of
    numbers if a type is wanted. Gaps between elements are left out."""
    dtype = host_type(data)
    if dtype is None and hasattr(data, "__dlpack__"):
        data = of_dlpack(data)
        dtype = _types.of_numpy(data.dtype)
    if dtype is not None:
        if hasattr(data, "tobytes") and hasattr(data, "shape"):
            return dtype, tuple(data.shape), bytes(data.tobytes())
        view = memoryview(data)
        return dtype, tuple(view.shape or ()), view.tobytes()
    if wanted is None:
        raise TypeError("{!r} has no array's memory; for a list of numbers, say their type".format(type(data).__name__))
    if wanted.structure is not None or wanted.plain[0] == "c":
        import numpy

        made = numpy.array(data, wanted.numpy())
        return wanted, made.shape, made.tobytes()
    scalar = _types.NAMES[wanted.plain][0]
    numbers: List[Any] = []
    shape = flatten(data, numbers)
    return wanted, shape, b"".join(_types.scalar_bytes(scalar, scalar, number) for number in numbers)


def flatten(data: Any, into: List[Any]) -> Tuple[int, ...]:
    """Appends the numbers of nested lists, and returns their shape."""
    if not hasattr(data, "__iter__"):
        into.append(data)
        return ()
    shapes = [flatten(item, into) for item in data]
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError("the rows of an array have one length")
    return (len(shapes),) + (shapes[0] if shapes else ())
