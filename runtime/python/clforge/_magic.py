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
    program. The variable `cl_device` is the device, if there is one."""
    import sys

    try:
        program = _chosen(ipython).program(cell, line, name="<cell>")
    except _clforge.CompileError as error:
        print(error, file=sys.stderr)
        return
    if program.build_log:
        print(program.build_log, file=sys.stderr)
    ipython.push({"cl_program": program, **{name: program[name] for name in program.kernels}})


def _chosen(ipython: Any) -> Device:
    global _device
    given = ipython.user_ns.get("cl_device")
    if isinstance(given, Device):
        return given
    if _device is None:
        _device = Device()
    return _device
