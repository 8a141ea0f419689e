"""OpenCL C compiled to SPIR-V, and run on any Vulkan device.

>>> import clforge
>>> device = clforge.Device()
>>> program = device.program("kernel void twice(global float *a, float by) { a[get_global_id(0)] *= by; }")
>>> a = device.array([1.0, 2.0, 3.0], "float")
>>> program.twice(a, 1.5).wait()
>>> a.tolist()
[1.5, 3.0, 4.5]

`compile` needs no device; it makes modules as `clforge compile` does. The package also brings the command `clforge` and an
OpenCL driver, which PyOpenCL's wheels find by themselves.
"""

from ._array import Array
from ._clforge import (
    BUILD,
    TARGETS,
    CompileError,
    DeviceError,
    Diagnostic,
    Error,
    Local,
    Note,
    OutOfRangeError,
    Sampler,
    SanitizerError,
)
from ._compile import Module, compile
from ._device import Device, DeviceInfo, devices
from ._image import Format, Image
from ._interface import ArgumentInfo, KernelInfo, Member, Record
from ._program import Kernel, Program
from ._queue import Event, Queue

__version__ = BUILD.split("+")[0]

__all__ = [
    "ArgumentInfo",
    "Array",
    "CompileError",
    "Device",
    "DeviceError",
    "DeviceInfo",
    "Diagnostic",
    "Error",
    "Event",
    "Format",
    "Image",
    "Kernel",
    "KernelInfo",
    "Local",
    "Member",
    "Module",
    "Note",
    "OutOfRangeError",
    "Program",
    "Queue",
    "Record",
    "Sampler",
    "SanitizerError",
    "TARGETS",
    "compile",
    "devices",
]


def load_ipython_extension(ipython: object) -> None:
    """Adds the magic `%%clforge` to a notebook, for `%load_ext clforge`."""
    from ._magic import load

    load(ipython)
