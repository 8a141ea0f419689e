//! Types, interned: two types are the same exactly when their [`Ty`]s are equal.

use clforge_basic::image::AccessQualifier;
use clforge_basic::image::ImageShape;
use clforge_basic::matrix::MatrixUse;
use clforge_basic::narrow::to_u32;
use clforge_basic::options::AddressBits;
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{AddressSpace, Qualifiers, RecordKind};
use rustc_hash::{FxHashMap, FxHashSet};
use typed_index_collections::TiVec;

/// A type of a [`TypeTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ty(u32);

clforge_basic::ids! {
    /// A struct or union of a [`TypeTable`].
    RecordId
    /// An enumeration of a [`TypeTable`].
    EnumId
    /// A function type of a [`TypeTable`].
    FunctionTyId
}

/// Integer types, in order of conversion rank (6.4.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntKind {
    /// `char`
    Char,
    /// `uchar`
    UChar,
    /// `short`
    Short,
    /// `ushort`
    UShort,
    /// `int`
    Int,
    /// `uint`
    UInt,
    /// `long`
    Long,
    /// `ulong`
    ULong,
}

impl IntKind {
    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            IntKind::Char | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => 64,
        }
    }

    /// Whether values may be negative.
    pub fn is_signed(self) -> bool {
        matches!(self, IntKind::Char | IntKind::Short | IntKind::Int | IntKind::Long)
    }

    /// The kind of this width and the given signedness.
    pub fn of(bits: u32, signed: bool) -> IntKind {
        match (bits, signed) {
            (8, true) => IntKind::Char,
            (8, false) => IntKind::UChar,
            (16, true) => IntKind::Short,
            (16, false) => IntKind::UShort,
            (32, true) => IntKind::Int,
            (32, false) => IntKind::UInt,
            (_, true) => IntKind::Long,
            (_, false) => IntKind::ULong,
        }
    }
}

/// Floating types, in order of rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// `half`
    Half,
    /// `float`
    Float,
    /// `double`
    Double,
}

impl FloatKind {
    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
        }
    }
}

/// What a vector is made of, and what arithmetic works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// An integer.
    Int(IntKind),
    /// A floating number.
    Float(FloatKind),
}

impl Scalar {
    /// Size in bytes in memory.
    pub fn size(self) -> u64 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int(kind) => u64::from(kind.bits() / 8),
            Scalar::Float(kind) => u64::from(kind.bits() / 8),
        }
    }

    /// Its spelling in OpenCL C.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int(IntKind::Char) => "char",
            Scalar::Int(IntKind::UChar) => "uchar",
            Scalar::Int(IntKind::Short) => "short",
            Scalar::Int(IntKind::UShort) => "ushort",
            Scalar::Int(IntKind::Int) => "int",
            Scalar::Int(IntKind::UInt) => "uint",
            Scalar::Int(IntKind::Long) => "long",
            Scalar::Int(IntKind::ULong) => "ulong",
            Scalar::Float(FloatKind::Half) => "half",
            Scalar::Float(FloatKind::Float) => "float",
            Scalar::Float(FloatKind::Double) => "double",
        }
    }
}

/// A type with the qualifiers of an object of that type, and the address space the object lives in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QualTy {
    /// The unqualified type.
    pub ty: Ty,
    /// `const`, `volatile`, `restrict`.
    pub quals: Qualifiers,
    /// Where an object of this type is. For values it means nothing and is [`AddressSpace::Private`].
    pub space: AddressSpace,
}

impl QualTy {
    /// No qualifiers, private.
    pub fn plain(ty: Ty) -> QualTy {
        QualTy { ty, quals: Qualifiers::empty(), space: AddressSpace::Private }
    }

    /// The same in another address space.
    pub fn in_space(self, space: AddressSpace) -> QualTy {
        QualTy { space, ..self }
    }
}

/// What a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TyKind {
    /// The type of everything that has an error: converts to and from every type without a message, so that one mistake
    /// is reported once.
    Error,
    /// `void`
    Void,
    /// `bool`
    Bool,
    /// An integer type.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// 2, 3, 4, 8 or 16 components.
    Vector(Scalar, u8),
    /// The pointee's `space` is the pointer's address space.
    Pointer(QualTy),
    /// `None`: incomplete.
    Array(QualTy, Option<u64>),
    /// A struct or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// Index into the table's function types.
    Function(FunctionTyId),
    /// A block with that function type.
    Block(FunctionTyId),
    /// `atomic_int` and similar.
    Atomic(Scalar),
    /// An image type with its access qualifier.
    Image(ImageShape, AccessQualifier),
    /// `pipe T` with its access qualifier.
    Pipe(Ty, AccessQualifier),
    /// `sampler_t`
    Sampler,
    /// `event_t`
    Event,
    /// `queue_t`
    Queue,
    /// `ndrange_t`
    NdRange,
    /// `clk_event_t`
    ClkEvent,
    /// `reserve_id_t`
    ReserveId,
    /// A cooperative matrix: a scalar type with the attribute `coop_mat`.
    Matrix(MatrixTy),
    /// A cooperative matrix whose type its destination decides. No expression of a checked program has it.
    UntypedMatrix,
}

/// The type of a cooperative matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixTy {
    /// The type of the components.
    pub component: Scalar,
    /// Its number.
    pub rows: u32,
    /// Their number.
    pub columns: u32,
    /// What it is in a multiplication.
    pub usage: MatrixUse,
}

/// A function's type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionTy {
    /// The type of the result.
    pub result: QualTy,
    /// The parameters.
    pub parameters: Vec<QualTy>,
    /// Whether `...` ends the parameters.
    pub variadic: bool,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// `struct` or `union`.
    pub kind: RecordKind,
    /// The tag, if it has one.
    pub tag: Option<Symbol>,
    /// Name of the first typedef for an untagged record, for messages.
    pub typedef_name: Option<Symbol>,
    /// Where the tag is.
    pub span: Span,
    /// `None` while incomplete.
    pub fields: Option<Vec<Field>>,
    /// A struct whose last member is an array `[]`: it lies behind the record, and its type says no elements.
    pub flexible: bool,
    /// In bytes.
    pub size: u64,
    /// In bytes.
    pub align: u64,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// `None` for an anonymous struct or union member.
    pub name: Option<Symbol>,
    /// The type; its space is private.
    pub ty: QualTy,
    /// Byte offset in the record.
    pub offset: u64,
    /// Where it is declared.
    pub span: Span,
}

/// An enumeration; its constants are `int`s.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// The tag, if it has one.
    pub tag: Option<Symbol>,
    /// The compatible integer type: `uint`, or `int` when a constant is negative.
    pub underlying: IntKind,
    /// Whether the constants have been declared.
    pub complete: bool,
    /// Where the tag is.
    pub span: Span,
}

/// Owns all types of a compilation.
pub struct TypeTable {
    kinds: Vec<TyKind>,
    map: FxHashMap<TyKind, Ty>,
    /// Size and alignment of the arrays whose elements are complete, which may be arrays of arrays, and so on.
    array_layouts: FxHashMap<Ty, (u64, u64)>,
    functions: TiVec<FunctionTyId, FunctionTy>,
    function_map: FxHashMap<FunctionTy, FunctionTyId>,
    /// All records.
    pub records: TiVec<RecordId, Record>,
    /// All enumerations.
    pub enums: TiVec<EnumId, Enumeration>,
    /// The width of pointers: set before there is a type that contains one.
    pub address_bits: AddressBits,
}

macro_rules! common_types {
    ($($(#[$doc:meta])* $name:ident = $kind:expr;)*) => {
        #[allow(non_upper_case_globals, clippy::upper_case_acronyms)]
        #[repr(u32)]
        enum Common { $($name),* }

        impl Ty {
            $($(#[$doc])* pub const $name: Ty = Ty(Common::$name as u32);)*
        }

        const COMMON: &[TyKind] = &[$($kind),*];
    };
}

common_types! {
    /// The type of what has an error.
    ERROR = TyKind::Error;
    /// `void`
    VOID = TyKind::Void;
    /// `bool`
    BOOL = TyKind::Bool;
    /// `char`
    CHAR = TyKind::Int(IntKind::Char);
    /// `uchar`
    UCHAR = TyKind::Int(IntKind::UChar);
    /// `short`
    SHORT = TyKind::Int(IntKind::Short);
    /// `ushort`
    USHORT = TyKind::Int(IntKind::UShort);
    /// `int`
    INT = TyKind::Int(IntKind::Int);
    /// `uint`
    UINT = TyKind::Int(IntKind::UInt);
    /// `long`
    LONG = TyKind::Int(IntKind::Long);
    /// `ulong`
    ULONG = TyKind::Int(IntKind::ULong);
    /// `half`
    HALF = TyKind::Float(FloatKind::Half);
    /// `float`
    FLOAT = TyKind::Float(FloatKind::Float);
    /// `double`
    DOUBLE = TyKind::Float(FloatKind::Double);
    /// `sampler_t`
    SAMPLER = TyKind::Sampler;
    /// `event_t`
    EVENT = TyKind::Event;
}

impl TypeTable {
    /// A table that holds the `Ty::…` constants.
    pub fn new() -> TypeTable {
        let mut table = TypeTable {
            kinds: Vec::new(),
            map: FxHashMap::default(),
            array_layouts: FxHashMap::default(),
            functions: TiVec::new(),
            function_map: FxHashMap::default(),
            records: TiVec::new(),
            enums: TiVec::new(),
            address_bits: AddressBits::Bits64,
        };
        for kind in COMMON {
            table.intern(*kind);
        }
        table
    }

    /// The type of that kind.
    pub fn intern(&mut self, kind: TyKind) -> Ty {
        if let Some(known) = self.map.get(&kind) {
            return *known;
        }
        let ty = Ty(to_u32(self.kinds.len()));
        self.kinds.push(kind);
        self.map.insert(kind, ty);
        if let TyKind::Array(element, Some(_)) = kind
            && let Some(size) = self.size_of(ty)
        {
            self.array_layouts.insert(ty, (size, self.align_of(element.ty)));
        }
        ty
    }

    /// What the type is.
    pub fn kind(&self, ty: Ty) -> TyKind {
        self.kinds[ty.0 as usize]
    }

    /// A pointer to an object (whose `space` says where it points).
    pub fn pointer_to(&mut self, pointee: QualTy) -> Ty {
        self.intern(TyKind::Pointer(pointee))
    }

    /// `size_t` and `uintptr_t`: as wide as a pointer.
    pub fn size_t(&self) -> Ty {
        match self.address_bits {
            AddressBits::Bits32 => Ty::UINT,
            AddressBits::Bits64 => Ty::ULONG,
        }
    }

    /// `ptrdiff_t` and `intptr_t`: as wide as a pointer.
    pub fn ptrdiff_t(&self) -> Ty {
        match self.address_bits {
            AddressBits::Bits32 => Ty::INT,
            AddressBits::Bits64 => Ty::LONG,
        }
    }

    /// A scalar type, or for `lanes > 1` a vector.
    pub fn vector(&mut self, scalar: Scalar, lanes: u8) -> Ty {
        if lanes > 1 {
            return self.intern(TyKind::Vector(scalar, lanes));
        }
        match scalar {
            Scalar::Bool => Ty::BOOL,
            Scalar::Int(kind) => self.intern(TyKind::Int(kind)),
            Scalar::Float(kind) => self.intern(TyKind::Float(kind)),
        }
    }

    /// The function type.
    pub fn function(&mut self, function: FunctionTy) -> FunctionTyId {
        if let Some(id) = self.function_map.get(&function) {
            return *id;
        }
        let id = self.functions.push_and_get_key(function.clone());
        self.function_map.insert(function, id);
        id
    }

    /// A function type's parts.
    pub fn function_ty(&self, id: FunctionTyId) -> &FunctionTy {
        &self.functions[id]
    }

    /// A record.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id]
    }

    /// An enumeration.
    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id]
    }

    /// Scalar and number of lanes of an arithmetic type (1 for scalars); enumerations count as integers.
    pub fn lanes(&self, ty: Ty) -> Option<(Scalar, u8)> {
        Some(match self.kind(ty) {
            TyKind::Bool => (Scalar::Bool, 1),
            TyKind::Int(kind) => (Scalar::Int(kind), 1),
            TyKind::Enum(id) => (Scalar::Int(self.enumeration(id).underlying), 1),
            TyKind::Float(kind) => (Scalar::Float(kind), 1),
            TyKind::Vector(scalar, lanes) => (scalar, lanes),
            _ => return None,
        })
    }

    /// Size in bytes (6.3.5; arrays and records as C lays them out), or `None` for incomplete and opaque types.
    pub fn size_of(&self, ty: Ty) -> Option<u64> {
        Some(match self.kind(ty) {
            TyKind::Bool => 1,
            TyKind::Int(kind) => u64::from(kind.bits() / 8),
            TyKind::Enum(id) => u64::from(self.enumeration(id).underlying.bits() / 8),
            TyKind::Float(kind) => u64::from(kind.bits() / 8),
            TyKind::Vector(scalar, lanes) => scalar.size() * u64::from(lanes.next_power_of_two()),
            TyKind::Pointer(_) | TyKind::Block(_) => u64::from(self.address_bits.bytes()),
            TyKind::Atomic(scalar) => scalar.size(),
            TyKind::Array(element, Some(count)) => match self.array_layouts.get(&ty) {
                Some((size, _)) => *size,
                None => self.size_of(element.ty)?.checked_mul(count)?,
            },
            TyKind::Record(id) => {
                let record = self.record(id);
                record.fields.as_ref()?;
                record.size
            }
            TyKind::Image(..) | TyKind::Sampler | TyKind::Event | TyKind::Queue => 8,
            TyKind::ClkEvent | TyKind::ReserveId | TyKind::Pipe(..) => 8,
            // As a handle, in the private memory of the IR; no program can ask.
            TyKind::Matrix(_) | TyKind::UntypedMatrix => 8,
            TyKind::NdRange => 80,
            TyKind::Error => 1,
            TyKind::Void | TyKind::Function(_) | TyKind::Array(_, None) => return None,
        })
    }

    /// Natural alignment in bytes.
    pub fn align_of(&self, ty: Ty) -> u64 {
        match self.kind(ty) {
            TyKind::Array(element, _) => match self.array_layouts.get(&ty) {
                Some((_, align)) => *align,
                None => self.align_of(element.ty),
            },
            TyKind::Record(id) => self.record(id).align.max(1),
            TyKind::NdRange => 8,
            _ => self.size_of(ty).unwrap_or(1).max(1),
        }
    }

    /// The first answer that the members of a record give, in order, and those of the records and arrays of records in it;
    /// `ask` gets a member and what it is, or is an array of. A record that is there many times is asked once.
    pub fn find_member<T>(&self, record: RecordId, ask: &mut dyn FnMut(&Field, QualTy) -> Option<T>) -> Option<T> {
        self.find_new_member(record, ask, &mut FxHashSet::default())
    }

    fn find_new_member<T>(
        &self,
        record: RecordId,
        ask: &mut dyn FnMut(&Field, QualTy) -> Option<T>,
        seen: &mut FxHashSet<RecordId>,
    ) -> Option<T> {
        self.record(record).fields.iter().flatten().find_map(|field| {
            let mut inner = field.ty;
            while let TyKind::Array(element, _) = self.kind(inner.ty) {
                inner = element;
            }
            ask(field, inner).or_else(|| match self.kind(inner.ty) {
                TyKind::Record(id) if seen.insert(id) => self.find_new_member(id, ask, seen),
                _ => None,
            })
        })
    }

    /// Whether the type or an element of it is [`TyKind::Error`].
    pub fn is_error(&self, ty: Ty) -> bool {
        ty == Ty::ERROR
    }
}

impl Default for TypeTable {
    fn default() -> Self {
        TypeTable::new()
    }
}
