"""Sources to modules, without a device."""

from typing import Dict, List, Optional, Sequence, Union

from . import _clforge, _interface
from ._program import Size, sizes

Options = Union[str, Sequence[str]]


class Module:
    """A compiled SPIR-V module: `bytes(module)` are its words in little-endian order."""

    def __init__(self, native: _clforge.Module) -> None:
        self._native = native
        kernels, records = _interface.read(native.interface)
        self.kernels: Dict[str, _interface.KernelInfo] = kernels
        self.records: Dict[str, _interface.Record] = records

    @property
    def spirv(self) -> bytes:
        """The module's words."""
        return self._native.spirv

    @property
    def target(self) -> str:
        """The environment that it is for."""
        return self._native.target

    @property
    def diagnostics(self) -> List[_clforge.Diagnostic]:
        """The compiler's warnings."""
        return self._native.diagnostics

    @property
    def dependencies(self) -> List[str]:
        """The files that the source included."""
        return self._native.dependencies

    def disassemble(self) -> str:
        """The module in SPIR-V's assembly language."""
        return self._native.disassemble()

    def __bytes__(self) -> bytes:
        return self._native.spirv

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return "<Module for {} with {}, {} bytes>".format(self.target, ", ".join(self.kernels) or "no kernel", len(self))


def compile(
    source: str,
    target: str = "vulkan1.2",
    options: Options = "",
    *,
    name: str = "<source>",
    addressing: Optional[str] = None,
    work_group_size: Size = None,
    local_bytes: Optional[int] = None,
) -> Module:
    """Compiles OpenCL C for a target of `TARGETS`, with the options of `clBuildProgram` as a string or a list of words.

    `name` is what diagnostics call the source; files that it includes are looked for beside it. `addressing` is `physical64`
    (device addresses, the default) or `logical` (descriptors and offsets, for Vulkan devices without buffer addresses).

    The module for the target `webgpu` is SPIR-V that naga and other translators take; `clforge compile` translates it to WGSL.
    What elsewhere a launch chooses is chosen here: `work_group_size`, of kernels that require none, 64 if it is not given, and
    `local_bytes` of each `local` argument, 4096 if they are not given. Raises `CompileError`.
    """
    group = sizes(work_group_size, "work_group_size")
    for what, given in (("work_group_size", group), ("local_bytes", local_bytes)):
        if given is not None and target != "webgpu":
            raise ValueError("{} is for the target webgpu: elsewhere a launch chooses it".format(what))
    if group is not None:
        if 0 in group:
            raise ValueError("no size of a work-group is 0, as in {}".format(work_group_size))
        group += [1] * (3 - len(group))
    environment = {"target": target, "addressing": addressing, "work_group_size": group, "local_bytes": local_bytes}
    return Module(_clforge.compile(source, join(options), name, environment))


def join(options: Options) -> str:
    """Options as one string. Words of a list are quoted where they have spaces."""
    if isinstance(options, str):
        return options
    quoted = []
    for word in options:
        if any(c.isspace() or c in "\"'\\" for c in word):
            word = '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
        quoted.append(word)
    return " ".join(quoted)
