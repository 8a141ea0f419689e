//! Converts types of the language to IR types of values and of objects in memory.

use clforge_basic::image::AccessQualifier;
use clforge_basic::narrow::to_u32;
use clforge_ir::{ImageType, Opaque, ScalarType, Space, Type};
use clforge_sema::hir::types::{IntKind, RecordId};
use clforge_sema::hir::{FloatKind, Scalar, Ty, TyKind, TypeTable};
use clforge_syntax::ast::{AddressSpace, RecordKind};
use rustc_hash::FxHashMap;

/// A scalar or vector inside an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    pub offset: u64,
    /// As it is in memory.
    pub ty: Type,
}

pub(super) fn space(space: AddressSpace) -> Space {
    match space {
        AddressSpace::Private => Space::Private,
        AddressSpace::Global => Space::Global,
        AddressSpace::Constant => Space::Constant,
        AddressSpace::Local => Space::Local,
        AddressSpace::Generic => Space::Generic,
    }
}

pub(super) fn scalar_type(scalar: Scalar) -> ScalarType {
    match scalar {
        Scalar::Bool => ScalarType::Bool,
        Scalar::Int(kind) => ScalarType::int(kind.bits()),
        Scalar::Float(FloatKind::Half) => ScalarType::F16,
        Scalar::Float(FloatKind::Float) => ScalarType::F32,
        Scalar::Float(FloatKind::Double) => ScalarType::F64,
    }
}

/// The type of values of a language type; `None` for `void`, records, arrays and functions, which have none.
pub(super) fn value_type(types: &TypeTable, ty: Ty) -> Option<Type> {
    let opaque = |opaque| Some(Type::scalar(ScalarType::Opaque(opaque)));
    match types.kind(ty) {
        TyKind::Bool => Some(Type::BOOL),
        TyKind::Int(kind) => Some(Type::scalar(ScalarType::int(kind.bits()))),
        TyKind::Enum(id) => Some(Type::scalar(ScalarType::int(types.enumeration(id).underlying.bits()))),
        TyKind::Float(kind) => Some(Type::scalar(scalar_type(Scalar::Float(kind)))),
        TyKind::Vector(scalar, lanes) => Some(Type::vector(scalar_type(scalar), lanes)),
        TyKind::Atomic(scalar) => Some(Type::scalar(scalar_type(scalar))),
        TyKind::Pointer(pointee) => Some(Type::pointer(space(pointee.space), types.address_bits)),
        TyKind::Block(_) => Some(Type::pointer(Space::Generic, types.address_bits)),
        TyKind::Image(shape, access) => opaque(Opaque::Image(ImageType { shape, access })),
        TyKind::Pipe(packet, access) => opaque(Opaque::Pipe {
            size: types.size_of(packet).unwrap_or(1).try_into().unwrap_or(u32::MAX),
            align: types.align_of(packet).try_into().unwrap_or(1),
            write: access == AccessQualifier::WriteOnly,
        }),
        TyKind::Sampler => opaque(Opaque::Sampler),
        TyKind::Event => opaque(Opaque::Event),
        TyKind::Queue => opaque(Opaque::Queue),
        TyKind::ClkEvent => opaque(Opaque::ClkEvent),
        TyKind::ReserveId => opaque(Opaque::ReserveId),
        TyKind::Matrix(matrix) => crate::builtins::matrix::matrix_type(matrix),
        TyKind::UntypedMatrix => None,
        TyKind::Error | TyKind::Void | TyKind::Function(_) => None,
        TyKind::Array(..) | TyKind::Record(_) | TyKind::NdRange => None,
    }
}

/// What a value is in memory: `bool` is a byte there.
pub(super) fn in_memory(ty: Type) -> Type {
    if ty.scalar == ScalarType::Bool { ty.with_scalar(ScalarType::I8) } else { ty }
}

/// Records, arrays and ranges: objects without a value in registers.
pub(super) fn is_aggregate(types: &TypeTable, ty: Ty) -> bool {
    matches!(types.kind(ty), TyKind::Record(_) | TyKind::Array(..) | TyKind::NdRange)
}

/// Scalar and lanes of anything arithmetic works on, atomic types included.
pub(super) fn lanes(types: &TypeTable, ty: Ty) -> Option<(Scalar, u8)> {
    match types.kind(ty) {
        TyKind::Atomic(scalar) => Some((scalar, 1)),
        _ => types.lanes(ty),
    }
}

pub(super) fn is_signed(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Int(kind) if IntKind::is_signed(kind))
}

/// The size of what a pointer steps over: 1 for `void` and functions.
pub(super) fn element_size(types: &TypeTable, pointer: Ty) -> u64 {
    match types.kind(pointer) {
        TyKind::Pointer(pointee) => types.size_of(pointee.ty).unwrap_or(1),
        _ => 1,
    }
}

/// Alignment in bytes of a whole access of that type, as OpenCL C aligns objects.
pub(super) fn natural_align(ty: Type) -> u64 {
    if let ScalarType::Opaque(_) = ty.scalar {
        return 8;
    }
    (ty.scalar.bytes() * u64::from(ty.lanes.next_power_of_two())).max(1)
}

/// The largest power of two that divides both an alignment and an offset.
pub(super) fn align_at(align: u64, offset: u64) -> u64 {
    if offset == 0 { align } else { align.min(1 << offset.trailing_zeros().min(62)) }
}

/// The integer type of a word of `bytes` bytes (1, 2, 4 or 8).
pub(super) fn word(bytes: u64) -> Type {
    Type::scalar(ScalarType::int(to_u32(bytes.min(8) * 8)))
}

/// The scalars and vectors an object is made of, in order of offset; unions as words. `None` if more than `limit`.
pub(super) fn leaves(types: &TypeTable, ty: Ty, limit: usize) -> Option<Vec<Leaf>> {
    let mut out = Vec::new();
    add_leaves(types, ty, 0, limit, &mut out)?;
    Some(out)
}

fn add_leaves(types: &TypeTable, ty: Ty, offset: u64, limit: usize, out: &mut Vec<Leaf>) -> Option<()> {
    match types.kind(ty) {
        TyKind::Array(element, count) => {
            let stride = types.size_of(element.ty).unwrap_or(0);
            for index in 0..count.unwrap_or(0) {
                let before = out.len();
                add_leaves(types, element.ty, offset + index * stride, limit, out)?;
                if out.len() == before {
                    break; // elements without content
                }
            }
        }
        TyKind::Record(id) => {
            let record = types.record(id);
            if record.kind == RecordKind::Union {
                return add_words(offset, record.size, record.align, limit, out);
            }
            let fields = record.fields.as_deref().unwrap_or_default().iter();
            // Those without content add nothing, however many are in them.
            for field in fields.filter(|field| types.size_of(field.ty.ty) != Some(0)) {
                add_leaves(types, field.ty.ty, offset + field.offset, limit, out)?;
            }
        }
        TyKind::NdRange => return add_words(offset, types.size_of(ty).unwrap_or(0), types.align_of(ty), limit, out),
        _ => {
            if let Some(ty) = value_type(types, ty) {
                out.push(Leaf { offset, ty: in_memory(ty) });
            }
        }
    }
    (out.len() <= limit).then_some(())
}

fn add_words(offset: u64, size: u64, align: u64, limit: usize, out: &mut Vec<Leaf>) -> Option<()> {
    let mut at = 0;
    while at < size {
        let bytes = align_at(align.clamp(1, 8), at).min(1 << (size - at).ilog2().min(3));
        out.push(Leaf { offset: offset + at, ty: word(bytes) });
        at += bytes;
        if out.len() > limit {
            return None;
        }
    }
    Some(())
}

/// The one type all of an object is tiled with, and the distance of two tiles, if there is such a type.
pub(super) fn tile(types: &TypeTable, ty: Ty) -> Option<(Type, u64)> {
    tile_of(types, ty, &mut FxHashMap::default())
}

/// `known`: the answers for records, of which a small program can make large trees.
fn tile_of(types: &TypeTable, ty: Ty, known: &mut FxHashMap<RecordId, Option<(Type, u64)>>) -> Option<(Type, u64)> {
    match types.kind(ty) {
        TyKind::Array(element, _) => tile_of(types, element.ty, known),
        TyKind::Record(id) if let Some(known) = known.get(&id) => *known,
        TyKind::Record(id) => {
            let tile = tile_of_record(types, id, known);
            known.insert(id, tile);
            tile
        }
        TyKind::NdRange => Some((Type::I64, 8)),
        _ => {
            let value = in_memory(value_type(types, ty)?);
            Some((value, types.size_of(ty)?.max(1)))
        }
    }
}

fn tile_of_record(
    types: &TypeTable,
    id: RecordId,
    known: &mut FxHashMap<RecordId, Option<(Type, u64)>>,
) -> Option<(Type, u64)> {
    let record = types.record(id);
    if record.kind == RecordKind::Union {
        return None;
    }
    let fields = record.fields.as_deref()?;
    let (first, others) = fields.split_first()?;
    let tile = tile_of(types, first.ty.ty, known)?;
    if others.iter().any(|field| tile_of(types, field.ty.ty, known) != Some(tile)) {
        return None;
    }
    let sum: u64 = fields.iter().filter_map(|field| types.size_of(field.ty.ty)).sum();
    (sum == record.size).then_some(tile)
}
