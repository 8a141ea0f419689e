"""Programs, and kernels that are called as functions."""

from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _clforge, _image, _interface, _types
from ._array import Array, elements, host_data, host_type, of_dlpack
from ._image import Image
from ._interface import ArgumentInfo
from ._queue import Event

if TYPE_CHECKING:
    from ._device import Device
    from ._queue import Queue

Size = Union[int, Sequence[int], None]


class Program:
    """A module on a device. Its kernels are attributes: `program.twice`, or `program["twice"]`."""

    def __init__(self, device: "Device", native: _clforge.Program) -> None:
        self.device = device
        self._native = native
        kernels, records = _interface.read(native.interface())
        self.kernels: Dict[str, _interface.KernelInfo] = kernels
        self.records: Dict[str, _interface.Record] = records
        self._made: Dict[str, Kernel] = {}

    @property
    def build_log(self) -> str:
        """The compiler's warnings as text."""
        return self._native.build_log

    @property
    def spirv(self) -> bytes:
        """The module, which was made for this device."""
        return self._native.spirv()

    def __getitem__(self, name: str) -> "Kernel":
        made = self._made.get(name)
        if made is None:
            native = self._native.kernel(name)
            made = self._made[name] = Kernel(self, self.kernels[name], native)
        return made

    def __getattr__(self, name: str) -> "Kernel":
        if name.startswith("_") or name not in self.kernels:
            has = ", ".join(self.kernels)
            raise AttributeError("there is no kernel '{}'; the program has: {}".format(name, has))
        return self[name]

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self.kernels]

    def __repr__(self) -> str:
        return "<Program with {}>".format(", ".join(self.kernels) or "no kernel")


Written = List[Tuple[Any, Callable[[], bytes]]]


class Prepared(NamedTuple):
    """Arguments as the runtime takes them."""

    given: List[Any]
    # Arrays of the host, and what reads the contents that they get after the launch.
    written: "Written"
    # The shape that the global size follows, where none is given.
    shape: Optional[Tuple[int, ...]]


class Kernel:
    """A kernel: calling it launches it.

    There is one argument for each parameter, by position or by name:

    * for `global` and `constant` pointers an `Array`; an array of the host (numpy's, or anything with the buffer protocol),
      which is copied to the device, and back if the kernel may write it; or `None` for a null pointer;
    * for images an `Image`, or an array of the host, which is copied as for pointers; for samplers a `Sampler`;
    * for `local` pointers `Local(bytes)`;
    * for values a number, a sequence of numbers for a vector, a structured value of numpy (or a dictionary) for a structure.

    The types of elements are compared with those of the parameters, and `TypeError` says what differs.

    `global_size` is a number or up to three of them, the first for `get_global_id(0)`. Without one it is the shape of the first
    array or image, the last axis first, so that `get_global_id(0)` counts what is side by side in memory; the channels of an
    image are no axis. `local_size` is the size of a
    work-group, `offset` that of the first global id, `timeout` the longest time in seconds that is waited for it, `queue` the queue of the launch.

    The call returns an `Event` at once; where arrays of the host are written, it waits until they are.
    """

    def __init__(self, program: Program, info: _interface.KernelInfo, native: _clforge.Kernel) -> None:
        self.program = program
        self.info = info
        self._native = native
        self._arguments: List[Optional[ArgumentInfo]] = [None] * info.argument_count
        for argument in info.arguments:
            self._arguments[argument.index] = argument

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.info.name

    def __call__(
        self,
        *arguments: Any,
        global_size: Size = None,
        local_size: Size = None,
        offset: Size = None,
        timeout: Optional[float] = None,
        queue: "Optional[Queue]" = None,
        **named: Any,
    ) -> Event:
        used = queue or self.program.device.queue
        prepared = self._prepare(self._in_order(arguments, named))
        size = sizes(global_size, "global_size")
        if size is None:
            if prepared.shape is None:
                raise TypeError("kernel '{}' has no array or image whose shape it could have: give global_size".format(self.name))
            size = follow(prepared.shape)
        local, first = sizes(local_size, "local_size"), sizes(offset, "offset")
        for what, other in (("local_size", local), ("offset", first)):
            if other is not None and len(other) != len(size):
                raise ValueError("{} has {} dimensions, but global_size has {}".format(what, len(other), len(size)))
        native = self._native.launch(used._native, size, local, first, timeout, prepared.given)
        event = Event(native, used)
        for target, read in prepared.written:
            event.wait()
            copy_back(target, read())
        return event

    def _in_order(self, arguments: Sequence[Any], named: Dict[str, Any]) -> List[Any]:
        names = [argument.name if argument else "" for argument in self._arguments]
        for name in named:
            if name not in names:
                has = ", ".join(name or "without a name" for name in names) or "none"
                raise TypeError("kernel '{}' has no parameter '{}' (it has: {})".format(self.name, name, has))
            if name in names[: len(arguments)]:
                raise TypeError("argument '{}' of kernel '{}' is given twice".format(name, self.name))
        count = len(arguments) + len(named)
        if count != len(names):
            text = "kernel '{}' takes {}, but {} given".format(
                self.name,
                "1 argument" if len(names) == 1 else "{} arguments".format(len(names)),
                "1 was" if count == 1 else "{} were".format(count),
            )
            rest = zip(names[len(arguments) :], self._arguments[len(arguments) :])
            missing = [of.declaration if of else "one without a name" for name, of in rest if name not in named]
            raise TypeError(text + ("; missing: '{}'".format("', '".join(missing)) if missing else ""))
        return [*arguments, *[named[name] for name in names[len(arguments) :]]]

    def _prepare(self, given: List[Any]) -> Prepared:
        prepared: List[Any] = []
        written: Written = []
        shape: Optional[Tuple[int, ...]] = None
        for argument, value in zip(self._arguments, given):
            try:
                if argument is None:
                    prepared.append(native(value))
                elif argument.kind == "pointer" and value is not None:
                    buffer, own = self._pointer(argument, value, written)
                    prepared.append(buffer)
                    shape = own if shape is None else shape
                elif argument.kind == "value":
                    prepared.append(_types.pack(argument, value))
                elif argument.kind == "image":
                    image = self._image(argument, value, written)
                    prepared.append(image._native)
                    shape = image.texels if shape is None else shape
                elif argument.kind == "local" and not isinstance(value, _clforge.Local):
                    raise TypeError("it takes clforge.Local(bytes), but {} was given".format(described(value)))
                elif argument.kind == "sampler" and not isinstance(value, _clforge.Sampler):
                    raise TypeError("it takes a clforge.Sampler, but {} was given".format(described(value)))
                else:
                    prepared.append(value)
            except (TypeError, OverflowError, ValueError) as error:
                what = "argument '{}' of kernel '{}'".format(argument.declaration if argument else "", self.name)
                raise type(error)("{}: {}".format(what, error)) from None
        return Prepared(prepared, written, shape)

    def _pointer(
        self, argument: ArgumentInfo, value: Any, written: Written
    ) -> Tuple[_clforge.Buffer, Tuple[int, ...]]:
        """The buffer for a pointer, and the shape in elements of the pointer's type."""
        if isinstance(value, Array):
            self._check_device(value)
            check(argument, value.dtype, value.size)
            return value._buffer, in_elements(argument, value.dtype, value.shape)
        memory = host_memory(value)
        dtype = host_type(memory)
        if dtype is None:
            raise TypeError("it takes an array, but {} was given".format(described(value)))
        check(argument, dtype, None)
        dtype, shape, content = host_data(memory)
        check(argument, dtype, elements(shape))
        if argument.is_written:
            check_writable(value, memory, "; declare the parameter const")
        buffer = _clforge.Buffer.from_bytes(self.program.device._native, content)
        if argument.is_written:
            written.append((memory, lambda: buffer.read(0, buffer.size)))
        return buffer, in_elements(argument, dtype, shape)

    def _image(self, argument: ArgumentInfo, value: Any, written: Written) -> Image:
        """The image for a parameter."""
        if isinstance(value, Image):
            self._check_device(value)
            _image.check(argument, value.kind, value.format)
            return value
        memory = None if isinstance(value, Array) else host_memory(value)
        if memory is None or host_type(memory) is None:
            raise TypeError("it takes an image, or an array of the host, but {} was given".format(described(value)))
        if argument.is_written:
            check_writable(value, memory, "")
        made = _image.for_argument(self.program.device, argument, memory)
        if argument.is_written:
            written.append((memory, made.tobytes))
        return made

    def _check_device(self, value: Union[Array, Image]) -> None:
        if value.device is not self.program.device:
            raise ValueError("it belongs to another device than the program: each clforge.Device() has its own arrays")

    def __repr__(self) -> str:
        return "<Kernel {}({})>".format(self.name, ", ".join(of.declaration for of in self.info.arguments))


def check(argument: ArgumentInfo, given: _types.DType, count: Optional[int]) -> None:
    """Compares the elements of an array with what a pointer points to."""
    layout = argument.layout
    if layout is None:
        return
    wanted = _types.mismatch(layout, given)
    if wanted is not None:
        raise TypeError("it points to {}, but the array's elements are {}".format(wanted, given))
    _, lanes = _types.split(layout.type_name)
    lanes = _types.stored(lanes)
    if count is not None and layout.record is None and given.plain[0] != "c" and count % lanes:
        raise TypeError(
            "it points to '{}', of which each has {} numbers in memory, but the array has {}".format(
                layout.type_name, lanes, count
            )
        )


def in_elements(argument: ArgumentInfo, given: _types.DType, shape: Tuple[int, ...]) -> Tuple[int, ...]:
    """The shape of an array of numbers as one of vectors."""
    if argument.layout is None or argument.layout.record is not None or given.plain[0] == "c":
        return shape
    lanes = _types.stored(_types.split(argument.layout.type_name)[1])
    if lanes == 1 or not shape or shape[-1] % lanes:
        return shape
    rest = shape[-1] // lanes
    return shape[:-1] + (rest,) if rest > 1 or len(shape) == 1 else shape[:-1]


def sizes(given: Size, what: str) -> Optional[List[int]]:
    """A size of one to three dimensions."""
    if given is None:
        return None
    is_number = hasattr(given, "__index__") and not getattr(given, "shape", ())
    axes: Any = [given] if is_number or not hasattr(given, "__iter__") else list(given)
    if not all(hasattr(size, "__index__") for size in axes):
        text = "{} is a whole number, or one to three of them, but {!r} ({}) was given"
        raise TypeError(text.format(what, given, type(given).__name__))
    found = [int(size) for size in axes]
    if not 1 <= len(found) <= 3 or any(size < 0 for size in found):
        raise ValueError("{} has one to three dimensions, none negative, but {} was given".format(what, given))
    return found


def follow(shape: Tuple[int, ...]) -> List[int]:
    """The global size for the shape of an array: the last axis first, the first ones together where there are more than three."""
    if not shape:
        return [1]
    axes = list(reversed(shape))
    return axes[:2] + [elements(axes[2:])] if len(axes) > 3 else axes


def host_memory(value: Any) -> Any:
    """An array of the host, or numpy's view of what has DLPack only."""
    return of_dlpack(value) if host_type(value) is None and hasattr(value, "__dlpack__") else value


def check_writable(value: Any, memory: Any, hint: str) -> None:
    """Refuses an array of the host that cannot be written."""
    if not memoryview_of(memory).readonly:
        return
    if memory is not value:
        raise TypeError(
            "the kernel may write it, but {} has DLPack only, which is read here, not written: give an array of numpy "
            "or a clforge.Array (device.array(...))".format(type(value).__name__)
        )
    raise TypeError("the kernel may write it, but the array is read-only{}".format(hint))


def memoryview_of(value: Any) -> memoryview:
    """The memory of an array of the host."""
    try:
        return memoryview(value)
    except (TypeError, ValueError, BufferError) as error:
        raise TypeError("the kernel may write it, but its memory cannot be written: {}".format(error)) from None


def native(value: Any) -> Any:
    """What an argument is for the runtime, where the module does not say what the kernel takes."""
    if isinstance(value, Array):
        return value._buffer
    return value._native if isinstance(value, Image) else value


def described(value: Any) -> str:
    """An argument in a message."""
    if hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, (Array, Image)):
        return "an array of shape {} of {}".format(value.shape, value.dtype)
    return "{!r} ({})".format(value, type(value).__name__)


def copy_back(target: Any, content: bytes) -> None:
    """Overwrites an array of the host."""
    view = memoryview_of(target)
    if view.c_contiguous:
        view.cast("B")[:] = content
    else:
        import numpy

        array = numpy.asarray(target)
        array[...] = numpy.frombuffer(content, array.dtype).reshape(array.shape)
