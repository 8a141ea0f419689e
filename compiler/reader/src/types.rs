//! The types of a module with their layout in memory. The layout is that of OpenCL C, on which the sizes of objects and
//! the offsets of access chains in SPIR-V for OpenCL environments are based.

use crate::decode::Instruction;
use crate::error::Result;
use clforge_basic::image::{AccessQualifier, ImageShape};
use clforge_basic::matrix::MatrixUse;
use clforge_ir::{ImageType, MatrixType, Opaque, ScalarType, Space, Type};
use rspirv::spirv::{self, Dim, Op, Scope, StorageClass};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most scalars, vectors and pointers that a value is made of.
pub const MAX_LEAVES: u64 = 4096;
/// Most structures and arrays inside each other.
const MAX_DEPTH: u32 = 256;
/// Most bytes of an object.
pub const MAX_SIZE: u64 = 1 << 40;

/// Most pairs of types that are compared by their layout.
const MAX_PAIRS: usize = 100_000;

/// Where pointers, and so the objects with pointers in them, are larger than the module means.
pub const WIDENED: &str = "in a module with addresses of 32 bits";
/// Bytes of an address, as a module with addresses of 32 bits means it.
const ADDRESS: u64 = 4;

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Void,
    /// A number, a vector, a pointer or a handle.
    Value(Type),
    /// A pointer, with what it points to where its type says that. `space` is `None` for built-in variables.
    Pointer {
        space: Option<Space>,
        pointee: Option<u32>,
    },
    Array {
        element: u32,
        count: u64,
    },
    Struct {
        members: Vec<u32>,
        offsets: Vec<u64>,
        /// How many leaves are before each member.
        before: Vec<u64>,
    },
    Function {
        result: u32,
        params: Vec<u32>,
    },
    /// The handles of an image and a sampler together.
    SampledImage,
    /// Values of this type cannot be made; pointers to it may be.
    Named(&'static str),
}

/// A type and its layout.
#[derive(Clone, Debug)]
pub struct TypeInfo {
    pub kind: Kind,
    /// In bytes; 0 where it has none.
    pub size: u64,
    /// In bytes.
    pub align: u64,
    /// How many scalars, vectors and pointers values of it are made of.
    pub leaves: u64,
    /// Whether no byte of it is between its members or behind them.
    pub dense: bool,
    /// Structures and arrays inside each other.
    depth: u32,
}

/// A part of a value that the IR has a type for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub offset: u64,
    pub ty: Type,
}

/// The types of a module by their ids.
#[derive(Debug, Default)]
pub struct Types {
    types: FxHashMap<u32, TypeInfo>,
    /// Bits of the integer types, and vectors of them, that are narrower than the IR's type of their values.
    widths: FxHashMap<u32, u32>,
    /// How many types are not the module's.
    added: u32,
    /// Pointer types that structures have members of before they are defined.
    forward: FxHashSet<u32>,
    /// Modules with addresses of 32 bits.
    pub narrow: bool,
    /// Of those modules, the types with pointers in them, with the layout that the module means.
    widened: FxHashMap<u32, Meant>,
}

/// Size and alignment that a module means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meant {
    pub size: u64,
    pub align: u64,
}

impl Types {
    /// A type.
    pub fn get(&self, at: &Instruction<'_>, id: u32) -> Result<&TypeInfo> {
        self.types.get(&id).ok_or_else(|| at.invalid(format!("%{id} is no type")))
    }

    /// Adds a type that the module does not have, under an id that it does not use.
    pub fn add(&mut self, info: TypeInfo) -> u32 {
        // Ids are below the bound of the module, which is far below these.
        let id = u32::MAX - self.added;
        self.added += 1;
        self.types.insert(id, info);
        id
    }

    /// Whether the module has images.
    pub fn has_images(&self) -> bool {
        let is_image =
            |kind: &Kind| matches!(kind, Kind::Value(Type { scalar: ScalarType::Opaque(Opaque::Image(_)), .. }));
        self.types.values().any(|info| is_image(&info.kind))
    }

    /// The ids of all types.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        self.types.keys().copied()
    }

    /// A type, if the id is one.
    pub fn find(&self, id: u32) -> Option<&TypeInfo> {
        self.types.get(&id)
    }

    /// What a module means by a type that has pointers in it and so is larger here.
    pub fn meant(&self, id: u32) -> Option<Meant> {
        self.widened.get(&id).copied()
    }

    /// That an object which untyped pointers reach is as large here as the module means.
    pub fn check_untyped(&self, at: &Instruction<'_>, id: u32) -> Result<()> {
        match self.meant(id) {
            Some(_) => Err(at.unsupported(format!("an untyped pointer to an object with pointers in it, {WIDENED}"))),
            None => Ok(()),
        }
    }

    /// As [`Types::meant`], of a type that is being defined.
    fn meant_by(&self, info: &TypeInfo, packed: bool) -> Option<Meant> {
        match &info.kind {
            Kind::Pointer { .. } => Some(Meant { size: ADDRESS, align: ADDRESS }),
            Kind::Array { element, count } => {
                let Meant { size, align } = self.meant(*element)?;
                Some(Meant { size: size.saturating_mul(*count), align })
            }
            Kind::Struct { members, .. } if members.iter().any(|member| self.meant(*member).is_some()) => {
                let mut whole = Meant { size: 0, align: 1 };
                for member in members {
                    let info = self.find(*member)?;
                    let Meant { size, align } =
                        self.meant(*member).unwrap_or(Meant { size: info.size, align: info.align });
                    let align = if packed { 1 } else { align };
                    whole.size = whole.size.next_multiple_of(align).saturating_add(size);
                    whole.align = whole.align.max(align);
                }
                whole.size = whole.size.next_multiple_of(whole.align);
                Some(whole)
            }
            _ => None,
        }
    }

    /// The IR's type of values that are one leaf.
    pub fn value(&self, at: &Instruction<'_>, id: u32) -> Result<Type> {
        match &self.get(at, id)?.kind {
            Kind::Value(ty) => Ok(*ty),
            Kind::Pointer { space: Some(space), .. } => Ok(Type::ptr(*space)),
            Kind::Named(what) => Err(at.unsupported(format!("a value that is {what} is not supported"))),
            _ => Err(at.invalid(format!("%{id} is no type of a number, a vector or a pointer"))),
        }
    }

    /// The leaves of a type in the order of its members.
    pub fn leaves(&self, at: &Instruction<'_>, id: u32) -> Result<Vec<Leaf>> {
        let info = self.get(at, id)?;
        if info.leaves > MAX_LEAVES {
            return Err(at.limit(format!("a value of {} parts; at most {MAX_LEAVES} are supported", info.leaves)));
        }
        let mut leaves = Vec::new();
        self.collect(at, id, 0, &mut leaves)?;
        Ok(leaves)
    }

    /// Recursion is bounded: a type is nested no deeper than [`Types::define`] allows.
    fn collect(&self, at: &Instruction<'_>, id: u32, offset: u64, leaves: &mut Vec<Leaf>) -> Result<()> {
        let info = self.get(at, id)?;
        if info.leaves == 0 {
            return Ok(());
        }
        match &info.kind {
            Kind::Array { element, count } => {
                let size = self.get(at, *element)?.size;
                for index in 0..*count {
                    self.collect(at, *element, offset + index * size, leaves)?;
                }
            }
            Kind::Struct { members, offsets, .. } => {
                for (member, inner) in members.iter().zip(offsets) {
                    self.collect(at, *member, offset + inner, leaves)?;
                }
            }
            _ => leaves.push(Leaf { offset, ty: self.value(at, id)? }),
        }
        Ok(())
    }

    /// Whether objects of two types are the same values at the same offsets: the types may differ in what pointers point to, and
    /// in the ids of their parts. `known` are pairs for which it holds; `None` when there are too many to compare.
    pub fn same_layout(&self, one: u32, other: u32, known: &mut FxHashSet<(u32, u32)>) -> Option<bool> {
        if one == other || known.contains(&(one, other)) {
            return Some(true);
        }
        if known.len() > MAX_PAIRS {
            return None;
        }
        let (Some(a), Some(b)) = (self.find(one), self.find(other)) else { return Some(false) };
        let same = match (&a.kind, &b.kind) {
            (Kind::Pointer { space: a, .. }, Kind::Pointer { space: b, .. }) => a == b,
            (Kind::Array { element: a, count }, Kind::Array { element: b, count: other }) => {
                count == other && self.same_layout(*a, *b, known)?
            }
            (Kind::Struct { members: a, offsets, .. }, Kind::Struct { members: b, offsets: other, .. }) => {
                let mut same = offsets == other;
                for (a, b) in a.iter().zip(b) {
                    same = same && self.same_layout(*a, *b, known)?;
                }
                same
            }
            (Kind::Value(a), Kind::Value(b)) => a == b,
            _ => false,
        } && a.size == b.size;
        if same {
            known.insert((one, other));
        }
        Some(same)
    }

    /// The type of a member, its offset in bytes, and the number of leaves before it.
    pub fn member(&self, at: &Instruction<'_>, id: u32, index: u64) -> Result<(u32, u64, u64)> {
        let info = self.get(at, id)?;
        let outside = || at.invalid(format!("the index {index} is outside of %{id}"));
        match &info.kind {
            Kind::Array { element, count } => {
                let inner = self.get(at, *element)?;
                if index >= *count {
                    return Err(outside());
                }
                Ok((*element, index.saturating_mul(inner.size), index.saturating_mul(inner.leaves)))
            }
            Kind::Struct { members, offsets, before } => {
                let place = usize::try_from(index).map_err(|_| outside())?;
                match (members.get(place), offsets.get(place), before.get(place)) {
                    (Some(member), Some(offset), Some(before)) => Ok((*member, *offset, *before)),
                    _ => Err(outside()),
                }
            }
            _ => Err(at.invalid(format!("%{id} has no members"))),
        }
    }

    /// Defines a type; `length` is the value of an array's length, `packed` whether structs have no gaps.
    pub fn define(&mut self, at: &Instruction<'_>, length: Option<u64>, packed: bool) -> Result<()> {
        let info = match at.op {
            Op::TypeVoid => TypeInfo { kind: Kind::Void, size: 0, align: 1, leaves: 0, dense: true, depth: 0 },
            Op::TypeBool => leaf(Type::BOOL),
            Op::TypeInt => leaf(Type::scalar(self.integer(at)?)),
            Op::TypeFloat => leaf(Type::scalar(floating(at)?)),
            Op::TypeVector => leaf(self.vector(at)?),
            Op::TypeArray => self.array(at, length)?,
            Op::TypeStruct => self.structure(at, packed)?,
            Op::TypePointer | Op::TypeUntypedPointerKHR => self.pointer(at)?,
            Op::TypeFunction => {
                let kind = Kind::Function { result: at.operand(0)?, params: at.rest(1).to_vec() };
                TypeInfo { kind, size: 0, align: 1, leaves: 1, dense: true, depth: 0 }
            }
            Op::TypeSampledImage => handle(Kind::SampledImage),
            Op::TypeEvent => handle(Kind::Value(Type::scalar(ScalarType::Opaque(Opaque::Event)))),
            Op::TypeSampler => handle(Kind::Value(Type::scalar(ScalarType::Opaque(Opaque::Sampler)))),
            Op::TypeImage => {
                let image = ScalarType::Opaque(Opaque::Image(image(at)?));
                handle(Kind::Value(Type::scalar(image)))
            }
            Op::TypeOpaque => handle(Kind::Named("an opaque type")),
            Op::TypeRuntimeArray => handle(Kind::Named("an array of unknown length")),
            Op::TypeQueue => handle(Kind::Value(Type::scalar(ScalarType::Opaque(Opaque::Queue)))),
            Op::TypeDeviceEvent => handle(Kind::Value(Type::scalar(ScalarType::Opaque(Opaque::ClkEvent)))),
            Op::TypePipe => {
                let write = match at.operand(0)? {
                    0 => false,
                    1 => true,
                    _ => return Err(at.invalid("a pipe that is neither read nor written")),
                };
                // Instructions say what its packets are: `tables/pipes.rs`.
                let pipe = ScalarType::Opaque(Opaque::Pipe { size: 1, align: 1, write });
                handle(Kind::Value(Type::scalar(pipe)))
            }
            Op::TypeReserveId => handle(Kind::Value(Type::scalar(ScalarType::Opaque(Opaque::ReserveId)))),
            Op::TypePipeStorage => handle(Kind::Named("the storage of a pipe")),
            op => return Err(at.unsupported(format!("the type {op:?} is not supported"))),
        };
        if info.depth > MAX_DEPTH {
            return Err(at.limit(format!("more than {MAX_DEPTH} structures and arrays inside each other")));
        }
        if info.size > MAX_SIZE {
            return Err(at.limit(format!("a type of {} bytes", info.size)));
        }
        if let Some(meant) = self.meant_by(&info, packed).filter(|_| self.narrow) {
            self.widened.insert(at.result, meant);
        }
        let is_forward = self.forward.remove(&at.result);
        match self.types.insert(at.result, info) {
            Some(before) if !is_forward || !same_space(&before.kind, &self.get(at, at.result)?.kind) => {
                Err(at.invalid("the id has two definitions"))
            }
            _ => Ok(()),
        }
    }

    /// Defines the type of a cooperative matrix; `numbers` are its scope, rows, columns and use.
    pub fn define_matrix(&mut self, at: &Instruction<'_>, numbers: [u64; 4]) -> Result<()> {
        /// Products of two sides are numbers of 32 bits.
        const MAX_SIDE: u64 = 1 << 12;
        let [scope, rows, columns, usage] = numbers;
        if scope != Scope::Subgroup as u64 {
            return Err(at.unsupported("a cooperative matrix of another scope than the sub-group"));
        }
        let usage = MatrixUse::of_number(usage).ok_or_else(|| at.invalid("a matrix of no use that exists"))?;
        let component = MatrixType::component_of(self.value(at, at.operand(0)?)?.scalar);
        let component = component.ok_or_else(|| at.invalid("a matrix of components that are no numbers"))?;
        let side = |side: u64| u32::try_from(side).ok().filter(|_| (1..=MAX_SIDE).contains(&side));
        let (Some(rows), Some(columns)) = (side(rows), side(columns)) else {
            return Err(at.limit(format!("a matrix of {rows} rows and {columns} columns")));
        };
        let info = handle(Kind::Value(Type::of_matrix(MatrixType { component, rows, columns, usage })));
        match self.types.insert(at.result, info) {
            Some(_) => Err(at.invalid("the id has two definitions")),
            None => Ok(()),
        }
    }

    /// The type of matrix that an id is.
    pub fn matrix(&self, id: u32) -> Option<MatrixType> {
        match self.find(id)?.kind {
            Kind::Value(ty) => ty.matrix(),
            _ => None,
        }
    }

    /// Declares a pointer type that is defined later (`OpTypeForwardPointer`).
    pub fn declare(&mut self, at: &Instruction<'_>) -> Result<()> {
        let (id, class) = (at.operand(0)?, at.operand(1)?);
        let space = StorageClass::from_u32(class).and_then(space);
        let space = space.ok_or_else(|| at.unsupported(format!("a pointer type of storage class {class}")))?;
        let kind = Kind::Pointer { space: Some(space), pointee: None };
        let info = TypeInfo { kind, size: 8, align: 8, leaves: 1, dense: true, depth: 0 };
        if let Some(meant) = self.meant_by(&info, false).filter(|_| self.narrow) {
            self.widened.insert(id, meant);
        }
        if self.types.insert(id, info).is_some() {
            return Err(at.invalid(format!("%{id} is declared after its definition")));
        }
        self.forward.insert(id);
        Ok(())
    }

    /// The bits of integers of a type, or of the components of a vector of them, where the IR's type has more.
    pub fn width(&self, id: u32) -> Option<u32> {
        self.widths.get(&id).copied()
    }

    /// Whether [`Types::width`] is `None` for all types, which is usual.
    pub fn has_common_widths(&self) -> bool {
        self.widths.is_empty()
    }

    /// The bits that values of a type have.
    pub fn mask(&self, id: u32, ty: Type) -> u64 {
        let all = clforge_ir::constant::mask(ty.scalar);
        self.width(id).map_or(all, |width| all >> (ty.scalar.bits() - width))
    }

    fn integer(&mut self, at: &Instruction<'_>) -> Result<ScalarType> {
        let width = at.operand(0)?;
        if width == 0 || width > 64 {
            return Err(at.unsupported(format!("integers of {width} bits are not supported")));
        }
        let scalar = ScalarType::int(width.next_power_of_two().max(8));
        if scalar.bits() != width {
            self.widths.insert(at.result, width);
        }
        Ok(scalar)
    }

    /// A vector. One of a single component, as LLVM makes them, is a scalar.
    fn vector(&mut self, at: &Instruction<'_>) -> Result<Type> {
        let (element, lanes) = (self.value(at, at.operand(0)?)?, at.operand(1)?);
        if let Some(width) = self.width(at.operand(0)?) {
            self.widths.insert(at.result, width);
        }
        let number = element.scalar == ScalarType::Bool || element.scalar.is_int() || element.scalar.is_float();
        let lanes = u8::try_from(lanes).ok().filter(|lanes| matches!(lanes, 1..=4 | 8 | 16));
        match lanes {
            Some(1) if number && !element.is_vector() => Ok(element),
            Some(lanes) if number && !element.is_vector() => Ok(Type::vector(element.scalar, lanes)),
            _ => Err(at.unsupported("a vector that OpenCL C does not have")),
        }
    }

    fn array(&self, at: &Instruction<'_>, length: Option<u64>) -> Result<TypeInfo> {
        let (element, count) = (at.operand(0)?, at.operand(1)?);
        let count = length.ok_or_else(|| at.invalid(format!("the length %{count} is no integer constant")))?;
        let inner = self.get(at, element)?;
        self.stored(at, inner)?;
        let (size, leaves) = (inner.size.checked_mul(count), inner.leaves.saturating_mul(count));
        let size = size.ok_or_else(|| at.limit("an array of more than 64 bits of bytes"))?;
        let (align, dense, depth) = (inner.align, inner.dense, inner.depth + 1);
        Ok(TypeInfo { kind: Kind::Array { element, count }, size, align, leaves, dense, depth })
    }

    fn structure(&self, at: &Instruction<'_>, packed: bool) -> Result<TypeInfo> {
        let (mut size, mut align, mut leaves, mut dense) = (0_u64, 1_u64, 0_u64, true);
        let mut depth = 0;
        let mut offsets = Vec::with_capacity(at.operands.len());
        let mut before = Vec::with_capacity(at.operands.len());
        for member in at.operands {
            let inner = self.get(at, *member)?;
            self.stored(at, inner)?;
            let wanted = if packed { 1 } else { inner.align };
            let offset = size.next_multiple_of(wanted);
            dense &= offset == size && inner.dense;
            align = align.max(wanted);
            depth = depth.max(inner.depth + 1);
            offsets.push(offset);
            size = offset.saturating_add(inner.size);
            before.push(leaves);
            leaves = leaves.saturating_add(inner.leaves);
            if size > MAX_SIZE {
                return Err(at.limit("a structure of too many bytes"));
            }
        }
        let whole = size.next_multiple_of(align);
        dense &= whole == size;
        let kind = Kind::Struct { members: at.operands.to_vec(), offsets, before };
        Ok(TypeInfo { kind, size: whole, align, leaves, dense, depth })
    }

    /// That objects of a type can be members of others.
    fn stored(&self, at: &Instruction<'_>, member: &TypeInfo) -> Result<()> {
        match member.kind {
            Kind::Named(what) => Err(at.unsupported(format!("{what} inside a structure or an array"))),
            Kind::Void | Kind::Function { .. } | Kind::SampledImage => {
                Err(at.invalid("a structure or an array of what has no size"))
            }
            _ => Ok(()),
        }
    }

    fn pointer(&self, at: &Instruction<'_>) -> Result<TypeInfo> {
        let class = at.operand(0)?;
        let space = match StorageClass::from_u32(class) {
            Some(StorageClass::Input) => None,
            // Of functions: such pointers are values and nothing more.
            Some(StorageClass::CodeSectionINTEL) => Some(Space::Private),
            Some(class) => Some(space(class).ok_or_else(|| at.unsupported(format!("storage class {class:?}")))?),
            None => return Err(at.invalid(format!("{class} is no storage class"))),
        };
        let pointee = (at.op == Op::TypePointer).then(|| at.operand(1)).transpose()?;
        Ok(TypeInfo { kind: Kind::Pointer { space, pointee }, size: 8, align: 8, leaves: 1, dense: true, depth: 0 })
    }
}

/// The address space of a storage class of objects.
pub fn space(class: StorageClass) -> Option<Space> {
    Some(match class {
        StorageClass::Function => Space::Private,
        StorageClass::Workgroup => Space::Local,
        StorageClass::CrossWorkgroup => Space::Global,
        StorageClass::UniformConstant => Space::Constant,
        StorageClass::Generic => Space::Generic,
        _ => return None,
    })
}

/// Bytes of a value in memory: three lanes have the place of four.
fn stored_size(ty: Type) -> u64 {
    ty.scalar.bytes() * u64::from(ty.lanes.next_power_of_two())
}

/// The natural alignment of a value in bytes.
pub fn natural_align(ty: Type) -> u64 {
    match ty.scalar {
        ScalarType::Opaque(_) => 8,
        _ => stored_size(ty),
    }
}

fn leaf(ty: Type) -> TypeInfo {
    let size = stored_size(ty);
    TypeInfo { kind: Kind::Value(ty), size, align: size, leaves: 1, dense: ty.lanes != 3, depth: 0 }
}

pub fn handle(kind: Kind) -> TypeInfo {
    TypeInfo { kind, size: 8, align: 8, leaves: 1, dense: true, depth: 0 }
}

/// Whether two types are pointers into one address space.
fn same_space(one: &Kind, other: &Kind) -> bool {
    match (one, other) {
        (Kind::Pointer { space: one, .. }, Kind::Pointer { space: other, .. }) => one == other,
        _ => false,
    }
}

fn floating(at: &Instruction<'_>) -> Result<ScalarType> {
    if at.optional(1).is_some() {
        return Err(at.unsupported("floating numbers of another encoding than IEEE 754's are not supported"));
    }
    match at.operand(0)? {
        16 => Ok(ScalarType::F16),
        32 => Ok(ScalarType::F32),
        64 => Ok(ScalarType::F64),
        width => Err(at.unsupported(format!("floating numbers of {width} bits are not supported"))),
    }
}

fn image(at: &Instruction<'_>) -> Result<ImageType> {
    let (dim, depth, arrayed, samples) = (at.operand(1)?, at.operand(2)?, at.operand(3)?, at.operand(4)?);
    let facts = (depth == 1, arrayed == 1, samples == 1);
    let shape = match (Dim::from_u32(dim), facts) {
        (Some(Dim::Dim1D), (false, false, false)) => ImageShape::D1,
        (Some(Dim::Dim1D), (false, true, false)) => ImageShape::D1Array,
        (Some(Dim::DimBuffer), (false, false, false)) => ImageShape::D1Buffer,
        (Some(Dim::Dim2D), (false, false, false)) => ImageShape::D2,
        (Some(Dim::Dim2D), (false, true, false)) => ImageShape::D2Array,
        (Some(Dim::Dim2D), (true, false, false)) => ImageShape::D2Depth,
        (Some(Dim::Dim2D), (true, true, false)) => ImageShape::D2ArrayDepth,
        (Some(Dim::Dim2D), (false, false, true)) => ImageShape::D2Msaa,
        (Some(Dim::Dim2D), (false, true, true)) => ImageShape::D2ArrayMsaa,
        (Some(Dim::Dim2D), (true, false, true)) => ImageShape::D2MsaaDepth,
        (Some(Dim::Dim2D), (true, true, true)) => ImageShape::D2ArrayMsaaDepth,
        (Some(Dim::Dim3D), (false, false, false)) => ImageShape::D3,
        _ => return Err(at.unsupported("an image that OpenCL C does not have")),
    };
    let access = match at.optional(7).and_then(spirv::AccessQualifier::from_u32) {
        None | Some(spirv::AccessQualifier::ReadOnly) => AccessQualifier::ReadOnly,
        Some(spirv::AccessQualifier::WriteOnly) => AccessQualifier::WriteOnly,
        Some(spirv::AccessQualifier::ReadWrite) => AccessQualifier::ReadWrite,
    };
    Ok(ImageType { shape, access })
}
