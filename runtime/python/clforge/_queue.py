"""Queues and events."""

from typing import TYPE_CHECKING, Any, Callable, Generator, Optional, Union

from . import _clforge
from ._image import Image

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    from ._array import Array
    from ._device import Device


class Event:
    """The state of a command: `wait()` for it, `await` it, or have it as a `concurrent.futures.Future`.

    A command is complete when the commands before it in its queue are, too. Its results are then in the arrays.
    """

    __slots__ = ("_native", "_queue")

    def __init__(self, native: _clforge.Event, queue: "Optional[Queue]" = None) -> None:
        self._native = native
        self._queue = queue

    def wait(self, timeout: Optional[float] = None) -> None:
        """Waits until the command is complete. Raises `TimeoutError` after so many seconds."""
        self._native.wait(timeout)

    def done(self) -> bool:
        """Whether the command is complete, without waiting."""
        return self._native.done()

    @property
    def device_time(self) -> Optional[float]:
        """Seconds that the device executed the command, once it is complete, in a queue with profiling."""
        return self._native.device_time

    def future(self) -> "Future[None]":
        """A future that is done when the command is complete. A thread waits for it."""
        waiting: Future[None] = _executor().submit(self._native.wait)
        return waiting

    def __await__(self) -> Generator[Any, None, None]:
        import asyncio

        # What is not submitted would not begin.
        if self._queue is not None:
            self._queue.flush()
        waiting = asyncio.get_running_loop().run_in_executor(_executor(), self._native.wait)
        return waiting.__await__()

    def __repr__(self) -> str:
        return "<Event, {}>".format("complete" if self.done() else "not complete")


class Queue:
    """Commands that a device executes one after another, while the program continues. Queues of one device run side by side.

    With `profiling`, events know how long the device took.
    """

    def __init__(self, device: "Device", profiling: bool = False) -> None:
        self.device = device
        self._native = _clforge.Queue(device._native, profiling)

    def wait_for(self, event: Event) -> None:
        """Lets all later commands wait for an event of any queue of the device."""
        self._native.wait_for(event._native)

    def marker(self) -> Event:
        """An event that is complete when all commands so far are."""
        return self._event(lambda native: native.marker())

    def flush(self) -> None:
        """Lets the device begin with all commands so far, which are otherwise collected until something waits for them."""
        self._native.flush()

    def finish(self) -> None:
        """Waits for all commands so far."""
        self._native.finish()

    def read(self, array: "Union[Array, Image]") -> "Download":
        """Starts to read an array or an image, with the values that it has after all commands so far."""
        if isinstance(array, Image):
            return Download(self, array, self._native.read_image(array._native))
        return Download(self, array, self._native.read(array._buffer, 0, array.nbytes))

    def _event(self, command: Callable[[_clforge.Queue], _clforge.Event]) -> Event:
        return Event(command(self._native), self)


class Download:
    """Elements that are being copied to the host."""

    def __init__(self, queue: Queue, array: "Union[Array, Image]", native: _clforge.Download) -> None:
        self._dtype = array.dtype
        self._shape = array.shape
        self._native = native
        self.event = Event(native.event, queue)

    def tobytes(self) -> bytes:
        """Waits for the elements and returns their bytes; they can be taken once, by this method or `numpy()`."""
        return self._native.take()

    def numpy(self) -> Any:
        """Waits for the elements and returns them as an array of numpy."""
        import numpy

        return numpy.frombuffer(bytearray(self.tobytes()), self._dtype.numpy()).reshape(self._shape)


_threads: "Optional[ThreadPoolExecutor]" = None


def _executor() -> "ThreadPoolExecutor":
    """The threads that wait for events."""
    global _threads
    if _threads is None:
        import concurrent.futures

        _threads = concurrent.futures.ThreadPoolExecutor(max_workers=8, thread_name_prefix="clforge-wait")
    return _threads
