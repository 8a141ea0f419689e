//! Intel's extensions: exchanges and blocks of memory of sub-groups (`cl_intel_subgroups` and those for other types),
//! conversions to and from `bfloat16`. The reader of SPIR-V has the same operations.

use super::{Entry, Lower, Lowered};
use clforge_basic::narrow::{to_i64, to_u32};
use clforge_ir::{BinaryOp, Builder, CompareOp, GroupOp, Op, ScalarType, Scope, Type, Value, WorkItemQuery};

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("intel_sub_group_shuffle", shuffle),
    ("intel_sub_group_shuffle_xor", shuffle_xor),
    ("intel_sub_group_shuffle_down", shuffle_down),
    ("intel_sub_group_shuffle_up", shuffle_up),
    ("intel_convert_bfloat16_as_ushort", to_bfloat16),
    ("intel_convert_bfloat162_as_ushort2", to_bfloat16),
    ("intel_convert_bfloat163_as_ushort3", to_bfloat16),
    ("intel_convert_bfloat164_as_ushort4", to_bfloat16),
    ("intel_convert_bfloat168_as_ushort8", to_bfloat16),
    ("intel_convert_bfloat1616_as_ushort16", to_bfloat16),
    ("intel_convert_as_bfloat16_float", from_bfloat16),
    ("intel_convert_as_bfloat162_float2", from_bfloat16),
    ("intel_convert_as_bfloat163_float3", from_bfloat16),
    ("intel_convert_as_bfloat164_float4", from_bfloat16),
    ("intel_convert_as_bfloat168_float8", from_bfloat16),
    ("intel_convert_as_bfloat1616_float16", from_bfloat16),
];

macro_rules! blocks {
    (io: $($io:literal)* prefetch: $($end:literal)*) => {
        /// The functions on blocks of memory.
        pub const BLOCKS: &[Entry] = &[
            $((concat!("intel_sub_group_block_read", $io), block_read),
            (concat!("intel_sub_group_block_write", $io), block_write),)*
            $((concat!("intel_sub_group_block_prefetch", $end), block_prefetch),)*
        ];
    };
}

blocks! {
    io: "" "2" "4" "8" "_ui" "_ui2" "_ui4" "_ui8" "_uc" "_uc2" "_uc4" "_uc8" "_uc16"
        "_us" "_us2" "_us4" "_us8" "_us16" "_ul" "_ul2" "_ul4" "_ul8"
    prefetch: "_ui" "_ui2" "_ui4" "_ui8" "_uc" "_uc2" "_uc4" "_uc8" "_uc16"
        "_us" "_us2" "_us4" "_us8" "_us16" "_ul" "_ul2" "_ul4" "_ul8"
}

/// An exchange in a sub-group; vectors are exchanged component by component.
pub fn exchange(b: &mut Builder<'_>, value: Value, op: impl Fn(Value) -> GroupOp) -> Value {
    let ty = b.ty(value);
    let mut lanes = Vec::new();
    for lane in 0..ty.lanes {
        let scalar = b.extract(value, lane);
        let inst = Op::Group { op: op(scalar), scope: Scope::SubGroup, uniform: false };
        lanes.push(b.emit(inst, ty.lane()));
    }
    b.construct(&lanes)
}

/// A work-item's number in its sub-group, and how many a sub-group has.
fn place_and_size(b: &mut Builder<'_>) -> (Value, Value) {
    let id = b.emit(Op::WorkItem { query: WorkItemQuery::SubGroupLocalId, dim: 0 }, Type::I32);
    (id, b.emit(Op::WorkItem { query: WorkItemQuery::MaxSubGroupSize, dim: 0 }, Type::I32))
}

/// Work-item `id + delta` of `first` and behind it `second`; `upward`: `id - delta` of `second` and in front of it `first`.
pub fn shuffle_of_two(b: &mut Builder<'_>, upward: bool, [first, second]: [Value; 2], delta: Value) -> Value {
    let (id, size) = place_and_size(b);
    // The place in both values together, where the second begins at `size`.
    let place = if upward {
        let behind = b.binary(BinaryOp::Add, id, size);
        b.binary(BinaryOp::Sub, behind, delta)
    } else {
        b.binary(BinaryOp::Add, id, delta)
    };
    let is_first = b.compare(CompareOp::ULt, place, size);
    let over = b.binary(BinaryOp::Sub, place, size);
    // One of both places exists, and no other work-item may be asked.
    let (of_first, of_second) = (b.select(is_first, place, id), b.select(is_first, id, over));
    let x = exchange(b, first, |value| GroupOp::Shuffle { value, id: of_first });
    let y = exchange(b, second, |value| GroupOp::Shuffle { value, id: of_second });
    b.select(is_first, x, y)
}

/// The addresses of a work-item's numbers in a block of a sub-group: the first of all work-items, then the second, …
pub fn places_in_block(b: &mut Builder<'_>, base: Value, ty: Type) -> Vec<Value> {
    let (id, size) = place_and_size(b);
    let mut places = Vec::new();
    for lane in 0..ty.lanes {
        let rows = b.binary_int(BinaryOp::Mul, size, i64::from(lane));
        let place = b.binary(BinaryOp::Add, rows, id);
        let place = b.resize(place, ScalarType::I64, false);
        places.push(b.ptr_add(base, place, to_i64(ty.scalar.bytes())));
    }
    places
}

/// The bits of the nearest `bfloat16`, ties to even, as 16-bit integers; NaNs stay NaNs.
pub fn nearest_bfloat16(b: &mut Builder<'_>, value: Value) -> Value {
    let lanes = b.ty(value).lanes;
    let bits = b.bitcast(value, Type::vector(ScalarType::I32, lanes));
    let high = b.binary_int(BinaryOp::LShr, bits, 16);
    let odd = b.binary_int(BinaryOp::And, high, 1);
    let half = b.binary_int(BinaryOp::Add, odd, 0x7fff);
    let rounded = b.binary(BinaryOp::Add, bits, half);
    let rounded = b.binary_int(BinaryOp::LShr, rounded, 16);
    let quiet = b.binary_int(BinaryOp::Or, high, 0x40);
    let magnitude = b.binary_int(BinaryOp::And, bits, 0x7fff_ffff);
    let is_nan = b.compare_int(CompareOp::UGt, magnitude, 0x7f80_0000);
    let result = b.select(is_nan, quiet, rounded);
    b.resize(result, ScalarType::I16, false)
}

/// The `float` of the bits of a `bfloat16`.
pub fn bfloat16_to_float(b: &mut Builder<'_>, bits: Value) -> Value {
    let lanes = b.ty(bits).lanes;
    let wide = b.resize(bits, ScalarType::I32, false);
    let high = b.binary_int(BinaryOp::Shl, wide, 16);
    b.bitcast(high, Type::vector(ScalarType::F32, lanes))
}

fn shuffle(l: &mut Lower<'_, '_>) -> Lowered {
    let (value, id) = (l.arg(0)?, l.arg(1)?);
    Ok(Some(exchange(l.b, value, |value| GroupOp::Shuffle { value, id })))
}

fn shuffle_xor(l: &mut Lower<'_, '_>) -> Lowered {
    let (value, mask) = (l.arg(0)?, l.arg(1)?);
    Ok(Some(exchange(l.b, value, |value| GroupOp::ShuffleXor { value, mask })))
}

fn shuffle_down(l: &mut Lower<'_, '_>) -> Lowered {
    let (values, delta) = ([l.arg(0)?, l.arg(1)?], l.arg(2)?);
    Ok(Some(shuffle_of_two(l.b, false, values, delta)))
}

fn shuffle_up(l: &mut Lower<'_, '_>) -> Lowered {
    let (values, delta) = ([l.arg(0)?, l.arg(1)?], l.arg(2)?);
    Ok(Some(shuffle_of_two(l.b, true, values, delta)))
}

fn to_bfloat16(l: &mut Lower<'_, '_>) -> Lowered {
    let value = l.arg(0)?;
    Ok(Some(nearest_bfloat16(l.b, value)))
}

fn from_bfloat16(l: &mut Lower<'_, '_>) -> Lowered {
    let bits = l.arg(0)?;
    Ok(Some(bfloat16_to_float(l.b, bits)))
}

fn block_read(l: &mut Lower<'_, '_>) -> Lowered {
    let (ty, base) = (l.number()?, l.arg(0)?);
    let places = places_in_block(l.b, base, ty);
    let lanes: Vec<Value> =
        places.into_iter().map(|place| l.b.load(ty.lane(), place, to_u32(ty.scalar.bytes()))).collect();
    Ok(Some(l.b.construct(&lanes)))
}

fn block_write(l: &mut Lower<'_, '_>) -> Lowered {
    let (base, data) = (l.arg(0)?, l.arg(1)?);
    let ty = l.b.ty(data);
    let places = places_in_block(l.b, base, ty);
    for (lane, place) in (0..ty.lanes).zip(places) {
        let value = l.b.extract(data, lane);
        l.b.store(place, value, to_u32(ty.scalar.bytes()));
    }
    Ok(None)
}

/// A hint, which changes nothing.
fn block_prefetch(_: &mut Lower<'_, '_>) -> Lowered {
    Ok(None)
}
