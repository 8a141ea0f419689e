//! Vector loads and stores (OpenCL C 6.15.7), shuffles (6.15.13) and `printf` (6.15.14).

use super::{Entry, Lower, Lowered};
use clforge_basic::narrow::{low_u8, to_u32};
use clforge_ir::{BinaryOp, CompareOp, ConvertOp, Error, Intrinsic, Op, ScalarType, Space, Type, Value, Values};

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("vload2", vload),
    ("vload3", vload),
    ("vload4", vload),
    ("vload8", vload),
    ("vload16", vload),
    ("vstore2", vstore),
    ("vstore3", vstore),
    ("vstore4", vstore),
    ("vstore8", vstore),
    ("vstore16", vstore),
    ("shuffle", shuffle),
    ("shuffle2", shuffle2),
    ("printf", printf),
    ("to_global", to_global),
    ("to_local", to_local),
    ("to_private", to_private),
    ("get_fence", get_fence),
];

/// The address of vector number `offset` of densely packed ones.
fn packed(l: &mut Lower<'_, '_>, ptr: Value, offset: Value, stride: u64) -> Value {
    l.b.ptr_add(ptr, offset, i64::try_from(stride).unwrap_or(0))
}

/// `printf(format, …)`: stays a built-in until the target decides. Sema has made the format, and what `%s` prints,
/// addresses of string literals where it knows them.
pub fn printf(l: &mut Lower<'_, '_>) -> Lowered {
    let args = Values::from_slice(l.call.arguments);
    Ok(l.b.push(Op::Intrinsic { function: Intrinsic::Printf, args }, &[Type::I32]).first().copied())
}

/// `vload<n>(offset, p)`: aligned as the scalar only.
pub fn vload(l: &mut Lower<'_, '_>) -> Lowered {
    let ty = l.number()?;
    let (offset, ptr) = (l.arg(0)?, l.arg(1)?);
    let at = packed(l, ptr, offset, ty.access_size());
    let volatile = l.pointee(1).is_some_and(|(_, volatile)| volatile);
    let op = Op::Load { ptr: at, align: to_u32(ty.scalar.bytes()), volatile, invariant: false };
    Ok(l.b.push(op, &[ty]).first().copied())
}

/// `vstore<n>(data, offset, p)`.
pub fn vstore(l: &mut Lower<'_, '_>) -> Lowered {
    let (value, offset, ptr) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let ty = l.b.ty(value);
    let at = packed(l, ptr, offset, ty.access_size());
    let volatile = l.pointee(2).is_some_and(|(_, volatile)| volatile);
    l.b.effect(Op::Store { ptr: at, value, align: to_u32(ty.scalar.bytes()), volatile });
    Ok(None)
}

/// `shuffle(x, mask)`: only the low bits of the mask's lanes count.
pub fn shuffle(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, mask) = (l.arg(0)?, l.arg(1)?);
    pick(l, x, x, mask, false)
}

/// `shuffle2(x, y, mask)`.
pub fn shuffle2(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y, mask) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    pick(l, x, y, mask, true)
}

fn pick(l: &mut Lower<'_, '_>, x: Value, y: Value, mask: Value, both: bool) -> Lowered {
    let lanes = l.b.ty(x).lanes;
    let limit = if both { lanes.saturating_mul(2) } else { lanes };
    let used = u64::from(limit.saturating_sub(1));
    let constant = l.b.function.as_constant(mask).and_then(|constant| constant.lanes());
    if let Some(bits) = constant {
        let chosen: Vec<u8> = bits.iter().map(|bits| low_u8(bits & used)).collect();
        return Ok(Some(l.b.shuffle(x, y, &chosen)));
    }
    let mut parts = Vec::new();
    for lane in 0..l.b.ty(mask).lanes {
        let index = l.b.extract(mask, lane);
        let index = l.b.resize(index, ScalarType::I32, false);
        let in_one = l.b.binary_int(BinaryOp::And, index, i64::from(lanes.saturating_sub(1)));
        let mut value = l.b.pure(Op::ExtractDynamic { vector: x, index: in_one });
        if both {
            let second = l.b.pure(Op::ExtractDynamic { vector: y, index: in_one });
            let beyond = l.b.binary_int(BinaryOp::And, index, i64::from(lanes));
            let from_first = l.b.compare_int(CompareOp::Eq, beyond, 0);
            value = l.b.select(from_first, value, second);
        }
        parts.push(value);
    }
    debug_assert_eq!(Some(Type::vector(l.b.ty(x).scalar, l.b.ty(mask).lanes)), l.result());
    Ok(Some(l.b.construct(&parts)))
}

/// The first argument in another space; null where it points elsewhere.
fn checked(l: &mut Lower<'_, '_>, space: Space) -> Result<Value, Error> {
    let ptr = l.arg(0)?;
    let ty = l.b.ty(ptr).in_space(space);
    Ok(match l.b.ty(ptr).space() {
        Some(from) if from == space => ptr,
        Some(Space::Generic) => l.b.convert(ConvertOp::PtrCastChecked, ptr, ty),
        _ => l.b.int(ty, 0),
    })
}

/// `to_global(p)` (6.15.10).
pub fn to_global(l: &mut Lower<'_, '_>) -> Lowered {
    checked(l, Space::Global).map(Some)
}

pub fn to_local(l: &mut Lower<'_, '_>) -> Lowered {
    checked(l, Space::Local).map(Some)
}

pub fn to_private(l: &mut Lower<'_, '_>) -> Lowered {
    checked(l, Space::Private).map(Some)
}

/// `get_fence(p)`: the flag of local memory (1) or of global memory (2), which does for private memory too.
pub fn get_fence(l: &mut Lower<'_, '_>) -> Lowered {
    let local = checked(l, Space::Local)?;
    let ty = l.b.ty(local);
    let null = l.b.int(ty, 0);
    let is_local = l.b.compare(CompareOp::Ne, local, null);
    let (local, global) = (l.b.int(Type::I32, 1), l.b.int(Type::I32, 2));
    Ok(Some(l.b.select(is_local, local, global)))
}
