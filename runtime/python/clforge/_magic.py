"""The magic `%%clforge` of notebooks: a cell of OpenCL C whose kernels become functions."""

from typing import Any, Optional

from . import _clforge
from ._device import Device

_device: Optional[Device] = None


def load(ipython: Any) -> None:
    """Registers the magic."""
    ipython.register_magic_function(lambda line, cell: run(ipython, line, cell), "cell", "clforge")


def run(ipython: Any, line: str, cell: str) -> None:
    """Compiles a cell, with the build options of its first line. Kernels get their names in the notebook, `cl_program` is the
    program. The variable `cl_device` is the device; it becomes the best one if it is not there."""
    import sys

    try:
        device = _chosen(ipython)
        program = device.program(cell, line, name="<cell>")
    except (_clforge.Error, TypeError, ValueError) as error:
        # IPython shows this instead of a traceback, whose lines would be those of this package.
        text = "{}: {}".format(type(error).__name__, error)
        setattr(error, "_render_traceback_", lambda: text.split("\n"))
        raise
    if program.build_log:
        print(program.build_log, file=sys.stderr)
    ipython.push({"cl_device": device, "cl_program": program, **{name: program[name] for name in program.kernels}})


def _chosen(ipython: Any) -> Device:
    global _device
    given = ipython.user_ns.get("cl_device")
    if isinstance(given, Device):
        return given
    if given is not None:
        text = "the variable cl_device is {0!r} ({1}), but has to be a device: cl_device = clforge.Device({2})"
        selector = repr(given) if isinstance(given, (int, str)) else ""
        raise TypeError(text.format(given, type(given).__name__, selector))
    if _device is None:
        _device = Device()
    return _device
