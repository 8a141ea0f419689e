"""Sources to modules, without a device."""

from typing import Dict, List, Sequence, Union

from . import _clforge, _interface

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


def compile(source: str, target: str = "vulkan1.2", options: Options = "", *, name: str = "<source>") -> Module:
    """Compiles OpenCL C for a target of `TARGETS`, with the options of `clBuildProgram` as a string or a list of words.

    `name` is what diagnostics call the source; files that it includes are looked for beside it. Raises `CompileError`.
    """
    return Module(_clforge.compile(source, target, join(options), name))


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
