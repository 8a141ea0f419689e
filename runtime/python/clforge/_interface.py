"""What a module consists of: kernels, their arguments, and the layouts of structures."""

from typing import Any, Dict, List, Optional, Tuple

from . import _types


class Member:
    """A value in memory: a member of a structure, or what an argument is or points to.

    `type_name` is a built-in type such as `float4`, or a structure's name; `record` is that structure, if it is one. `lengths`
    are those of an array, the outermost first.
    """

    __slots__ = ("name", "offset", "type_name", "record", "size", "lengths")

    def __init__(self, data: Dict[str, Any], records: "List[Record]") -> None:
        self.name: str = data.get("name", "")
        self.offset: int = data.get("offset", 0)
        self.record: Optional[Record] = records[data["record"]] if "record" in data else None
        self.type_name: str = self.record.name if self.record else data["type_name"]
        self.size: int = data["size"]
        self.lengths: Tuple[int, ...] = tuple(data["lengths"])

    @property
    def count(self) -> int:
        """The number of elements of an array; 1 of what is none."""
        count = 1
        for length in self.lengths:
            count *= length
        return count

    def __repr__(self) -> str:
        array = "".join("[{}]".format(length) for length in self.lengths)
        return "<Member {} {}{} at {}>".format(self.type_name, self.name, array, self.offset)


class Record:
    """The layout of a structure or union."""

    __slots__ = ("name", "is_union", "size", "members")

    def __init__(self, data: Dict[str, Any], records: "List[Record]") -> None:
        self.name: str = data["name"]
        self.is_union: bool = data["is_union"]
        self.size: int = data["size"]
        self.members: Tuple[Member, ...] = tuple(Member(member, records) for member in data["members"])

    @property
    def dtype(self) -> Any:
        """The structure as a dtype of numpy, with the device's offsets and size."""
        return _types.numpy_dtype(self)

    def __repr__(self) -> str:
        return "<Record {}, {} bytes>".format(self.name, self.size)


class ArgumentInfo:
    """An argument of a kernel.

    `kind` is `pointer`, `value`, `local`, `image` or `sampler`. `type_name` is the type as the source has it, `layout` what a
    value is or a pointer points to, where the module says so. `texels` are the types of an image's texels that the kernel reads
    or writes: `float`, `int` or `uint`, none where it does neither or that is not known.
    """

    __slots__ = ("index", "kind", "name", "type_name", "address_space", "access", "qualifiers", "size", "layout", "texels")

    def __init__(self, data: Dict[str, Any], records: List[Record]) -> None:
        self.index: int = data["index"]
        self.kind: str = data["kind"]
        self.name: str = data.get("name", "")
        self.type_name: str = data.get("type_name", "")
        self.address_space: str = data.get("address_space", "")
        self.access: str = data.get("access", "none")
        self.qualifiers: Tuple[str, ...] = tuple(data.get("qualifiers", ()))
        self.size: Optional[int] = data["size"]
        self.texels: Tuple[str, ...] = tuple(data.get("texels", ()))
        layout = data.get("layout") or _types.built_in(self.type_name, self.kind)
        self.layout: Optional[Member] = Member(layout, records) if layout else None

    @property
    def is_written(self) -> bool:
        """Whether the kernel may write what the argument points to, or its texels."""
        if self.kind == "image":
            return self.access in ("write_only", "read_write")
        return self.kind == "pointer" and self.address_space != "constant" and "const" not in self.qualifiers

    @property
    def declaration(self) -> str:
        """The argument as a source declares it, for messages: `global const float* a`."""
        if self.kind == "image":
            space = self.access if self.access != "none" else ""
        else:
            space = self.address_space if self.address_space not in ("", "private") else ""
        qualifiers = [of for of in self.qualifiers if (space, of) != ("constant", "const")]
        words = [space, *qualifiers, self.type_name, self.name]
        return " ".join(word for word in words if word)

    def __repr__(self) -> str:
        return "<ArgumentInfo {}: {}>".format(self.index, self.declaration)


class KernelInfo:
    """A kernel of a module. Arguments that it does not use may be missing in modules of other compilers."""

    __slots__ = ("name", "arguments", "argument_count", "attributes", "required_work_group_size", "uses_printf")

    def __init__(self, data: Dict[str, Any], records: List[Record]) -> None:
        self.name: str = data["name"]
        self.arguments: Tuple[ArgumentInfo, ...] = tuple(ArgumentInfo(of, records) for of in data["arguments"])
        self.argument_count: int = data["argument_count"]
        self.attributes: str = data["attributes"]
        required = data["required_work_group_size"]
        self.required_work_group_size: Optional[Tuple[int, ...]] = tuple(required) if required else None
        self.uses_printf: bool = data["uses_printf"]

    def __repr__(self) -> str:
        return "<KernelInfo {}({})>".format(self.name, ", ".join(of.declaration for of in self.arguments))


def read(data: Dict[str, Any]) -> Tuple[Dict[str, KernelInfo], Dict[str, Record]]:
    """Kernels and records by their names. A record is behind those that it contains."""
    records: List[Record] = []
    for record in data["records"]:
        records.append(Record(record, records))
    kernels = [KernelInfo(kernel, records) for kernel in data["kernels"]]
    return {kernel.name: kernel for kernel in kernels}, {record.name: record for record in records}
