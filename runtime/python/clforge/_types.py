"""Types: those of OpenCL C, of numpy's dtypes and of Python's buffer protocol, compared with each other.

A plain type is a letter and a number of bytes, as in numpy's type strings: `f4` is `float`. numpy is imported by functions that
make its objects, not by those that take them.
"""

import struct
import sys
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

if TYPE_CHECKING:
    from ._interface import ArgumentInfo, Member, Record

# Built-in types: plain type, and letter of the module `struct`.
SCALARS = {
    "bool": ("u1", "B"),
    "char": ("i1", "b"),
    "uchar": ("u1", "B"),
    "short": ("i2", "h"),
    "ushort": ("u2", "H"),
    "int": ("i4", "i"),
    "uint": ("u4", "I"),
    "long": ("i8", "q"),
    "ulong": ("u8", "Q"),
    "half": ("f2", "e"),
    "float": ("f4", "f"),
    "double": ("f8", "d"),
    "atomic_int": ("i4", "i"),
    "atomic_uint": ("u4", "I"),
    "atomic_long": ("i8", "q"),
    "atomic_ulong": ("u8", "Q"),
    "atomic_float": ("f4", "f"),
    "atomic_double": ("f8", "d"),
    "atomic_flag": ("i4", "i"),
    "void*": ("u8", "Q"),
}
SIZES = {name: int(plain[1:]) for name, (plain, _) in SCALARS.items()}
# What people call plain types, numpy's names last.
NAMES = {
    "i1": ("char", "int8"),
    "u1": ("uchar", "uint8"),
    "i2": ("short", "int16"),
    "u2": ("ushort", "uint16"),
    "i4": ("int", "int32"),
    "u4": ("uint", "uint32"),
    "i8": ("long", "int64"),
    "u8": ("ulong", "uint64"),
    "f2": ("half", "float16"),
    "f4": ("float", "float32"),
    "f8": ("double", "float64"),
    "b1": ("bool", "bool"),
    "c8": ("float2", "complex64"),
    "c16": ("double2", "complex128"),
}
# Letters for memoryview.cast, by plain types.
LETTERS = {"b1": "?", **{plain: letter for plain, letter in SCALARS.values()}}
LANES = (16, 2, 3, 4, 8)


class DType:
    """The type of an array's elements: a plain type, or a structure as a dtype of numpy."""

    __slots__ = ("plain", "itemsize", "structure", "name")

    def __init__(self, plain: str, itemsize: int, structure: Any = None, name: Optional[str] = None) -> None:
        self.plain = plain
        self.itemsize = itemsize
        self.structure = structure
        self.name = name or (NAMES[plain][1] if plain in NAMES else str(structure) if structure is not None else plain)

    @property
    def typestr(self) -> str:
        """As the array interface has it."""
        if self.structure is not None:
            return "|V{}".format(self.itemsize)
        return ("|" if self.itemsize == 1 else "<") + self.plain

    def numpy(self) -> Any:
        """The dtype of numpy."""
        import numpy

        return self.structure if self.structure is not None else numpy.dtype(self.typestr)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DType):
            try:
                other = of_name(other)
            except TypeError:
                return NotImplemented
        return (self.plain, self.itemsize) == (other.plain, other.itemsize) and self.structure == other.structure

    def __hash__(self) -> int:
        return hash((self.plain, self.itemsize))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return "dtype({!r})".format(self.name)


def of_plain(plain: str) -> DType:
    """A plain type."""
    return DType(plain, int(plain[1:]))


def of_name(given: Any) -> DType:
    """A type by its name in OpenCL C or numpy, a dtype of numpy, or one of numpy's classes."""
    if isinstance(given, DType):
        return given
    if isinstance(given, str):
        if given in SCALARS:
            return of_plain(SCALARS[given][0])
        for plain, names in NAMES.items():
            if given in names or given == plain:
                return of_plain(plain)
    if hasattr(given, "itemsize") and hasattr(given, "str") and hasattr(given, "names"):
        return of_numpy(given)
    if isinstance(given, type) and hasattr(given, "dtype"):
        import numpy

        return of_numpy(numpy.dtype(given))
    if hasattr(given, "members") and hasattr(given, "dtype"):
        return of_numpy(given.dtype)
    raise TypeError("{!r} is not the type of an element, such as 'float' or 'int32'".format(given))


def of_numpy(dtype: Any) -> DType:
    """A dtype of numpy."""
    if dtype.names:
        return DType("V{}".format(dtype.itemsize), dtype.itemsize, dtype)
    text = dtype.str
    big = text[0] == ">" or (text[0] == "=" and sys.byteorder == "big")
    plain = text[1:]
    return DType((">" if big else "") + plain, dtype.itemsize, None, "{}".format(dtype))


def of_format(text: str, itemsize: int) -> DType:
    """The type of a memoryview's items."""
    letter = text.lstrip("@=<|")
    if len(letter) == 1:
        if letter in "bhilqn":
            return of_plain("i{}".format(itemsize))
        if letter in "BHILQN":
            return of_plain("u{}".format(itemsize))
        if letter in "efd":
            return of_plain("f{}".format(itemsize))
        if letter == "?":
            return of_plain("b1")
    return DType("?" + text, itemsize, None, "items of format {!r}".format(text))


def split(name: str) -> Tuple[str, int]:
    """A built-in type as its scalar type and number of components: `float4` is `float` and 4."""
    for lanes in LANES:
        scalar = name[: -len(str(lanes))]
        if name.endswith(str(lanes)) and scalar in SCALARS:
            return scalar, lanes
    return name, 1


def built_in(name: str, kind: str) -> Optional[Dict[str, Any]]:
    """The layout of an argument of a built-in type, or of what it points to, by the type's name; `None` for other types."""
    base = name[:-1].strip() if kind in ("pointer", "local") and name.endswith("*") else name
    base = "void*" if base.endswith("*") else base
    scalar, lanes = split(base)
    if scalar not in SCALARS:
        return None
    return {"type_name": base, "size": SIZES[scalar] * stored(lanes), "lengths": ()}


def stored(lanes: int) -> int:
    """Components in memory: vectors of three have the size of four."""
    return 4 if lanes == 3 else lanes


def numpy_dtype(record: "Record") -> Any:
    """The dtype of numpy with a structure's offsets and size."""
    import numpy

    formats = []
    for member in record.members:
        element, shape = _element(member)
        formats.append((element, shape) if shape else element)
    named = [i for i, member in enumerate(record.members) if member.name]
    return numpy.dtype(
        {
            "names": [record.members[i].name for i in named],
            "formats": [formats[i] for i in named],
            "offsets": [record.members[i].offset for i in named],
            "itemsize": record.size,
        }
    )


def _element(member: "Member") -> Tuple[Any, Tuple[int, ...]]:
    if member.record is not None:
        return numpy_dtype(member.record), member.lengths
    scalar, lanes = split(member.type_name)
    shape = member.lengths + ((stored(lanes),) if lanes > 1 else ())
    return "<" + SCALARS[scalar][0], shape


def mismatch(layout: "Member", given: DType) -> Optional[str]:
    """Why elements of a type are not what a pointer points to; `None` where they are."""
    if layout.record is not None:
        if given.structure is None:
            return "'{}', a structure of {} bytes".format(layout.record.name, layout.record.size)
        return record_mismatch(layout.record, given.structure)
    scalar, _ = split(layout.type_name)
    if scalar not in SCALARS:
        return None
    plain = SCALARS[scalar][0]
    accepted = (plain, "b1") if scalar == "bool" else (plain,)
    if given.plain in accepted or complex_as(given.plain) == layout.type_name:
        return None
    return "'{}' ({})".format(layout.type_name, NAMES[plain][1])


def complex_as(plain: str) -> Optional[str]:
    """The vector that a complex number is."""
    return NAMES[plain][0] if plain in ("c8", "c16") else None


def record_mismatch(record: "Record", dtype: Any) -> Optional[str]:
    """How a structured dtype differs from a structure."""
    if dtype.itemsize != record.size:
        return "'{}' of {} bytes".format(record.name, record.size)
    for member in record.members:
        if not member.name:
            continue
        if member.name not in dtype.fields:
            return "'{}' with a member '{}'".format(record.name, member.name)
        field, offset = dtype.fields[member.name][:2]
        if offset != member.offset:
            return "'{}' with '{}' at byte {}, not {}".format(record.name, member.name, member.offset, offset)
        base, count = field.base, 1
        for length in field.shape:
            count *= length
        if member.record is not None:
            inner = record_mismatch(member.record, base) if base.names else "'{}'".format(member.record.name)
            if inner is not None or count != member.count:
                return "'{}' with {} as '{}'".format(record.name, inner or "another length", member.name)
            continue
        scalar, lanes = split(member.type_name)
        counts = (member.count * lanes, member.count * stored(lanes))
        same = of_numpy(base).plain == SCALARS[scalar][0] or (scalar == "bool" and base.kind == "b")
        if not same or count not in counts:
            lengths = "".join("[{}]".format(length) for length in member.lengths)
            return "'{}' with '{} {}{}'".format(record.name, member.type_name, member.name, lengths)
    return None


def pack(argument: "ArgumentInfo", value: Any) -> bytes:
    """A value as the bytes of an argument."""
    layout = argument.layout
    if isinstance(value, (bytes, bytearray)):
        if argument.size is not None and len(value) != argument.size:
            raise TypeError("it has {} bytes, but {} were given".format(argument.size, len(value)))
        return bytes(value)
    if layout is None:
        raise TypeError("the module does not say what it is made of: give its bytes")
    if layout.record is not None:
        dtype = getattr(value, "dtype", None)
        if dtype is None:
            import numpy

            dtype = numpy_dtype(layout.record)
            value = numpy.array(tuple(value[m.name] for m in layout.record.members) if isinstance(value, dict) else value, dtype)
        problem = record_mismatch(layout.record, dtype) if dtype.names else "'{}'".format(layout.record.name)
        if problem is not None:
            raise TypeError("it is {}, but a value of dtype {} was given".format(problem, dtype))
        return bytes(value.tobytes())
    scalar, lanes = split(layout.type_name)
    if lanes == 1:
        return scalar_bytes(scalar, layout.type_name, value)
    items = list(value) if hasattr(value, "__len__") else [value] * lanes
    if len(items) != lanes:
        raise TypeError("it is '{}', but {} components were given".format(layout.type_name, len(items)))
    packed = b"".join(scalar_bytes(scalar, layout.type_name, item) for item in items)
    return packed.ljust(SIZES[scalar] * stored(lanes), b"\0")


def scalar_bytes(scalar: str, whole: str, value: Any) -> bytes:
    """A number as the bytes of a scalar type. Numbers of numpy have that type already; Python's numbers have none."""
    plain, letter = SCALARS[scalar]
    dtype = getattr(value, "dtype", None)
    if dtype is not None and hasattr(value, "item"):
        given = dtype if isinstance(dtype, DType) else of_numpy(dtype)
        if given.plain != plain and not (scalar == "bool" and given.plain == "b1"):
            python, numpy = "float" if plain[0] == "f" else "int", NAMES[plain][1]
            text = "it is '{}' ({}), but a value of dtype {} was given; use {}(x) or numpy.{}(x)"
            raise TypeError(text.format(whole, numpy, dtype, python, numpy))
        value = value.item()
    wrong = TypeError("it is '{}', but {!r} ({}) was given".format(whole, value, type(value).__name__))
    if plain[0] == "f":
        if not isinstance(value, (int, float)) and not hasattr(value, "__float__"):
            raise wrong
        try:
            return struct.pack("<" + letter, float(value))
        except OverflowError:
            # struct refuses what becomes infinite.
            return struct.pack("<" + letter, float("inf") if value > 0 else float("-inf"))
    if isinstance(value, float) or not hasattr(value, "__index__"):
        raise wrong
    try:
        return struct.pack("<" + letter, value.__index__())
    except struct.error:
        raise OverflowError("it is '{}', which cannot be {}".format(whole, value)) from None
