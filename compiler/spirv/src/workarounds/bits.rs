//! What several workarounds for narrow integers need: bit fields, constant lanes, extensions that are written as shifts.

use clforge_ir::{BinaryOp, Constant, Function, Intrinsic, Op, ScalarType, Type, Value, Values};

/// Appends an operation with a result of that type.
pub type Insert<'i> = &'i mut dyn FnMut(&mut Function, Op, Type) -> Value;

/// Bits of an integer, from `first` on, extended as `extract` says.
pub fn field(function: &mut Function, extract: Intrinsic, (whole, first, count): (Value, u32, u32)) -> Op {
    let [first, count] = [first, count].map(|bits| function.int(Type::I32, i64::from(bits)));
    Op::Intrinsic { function: extract, args: Values::from_slice(&[whole, first, count]) }
}

/// Whether some lane of a constant is such; `None` of what is not constant.
pub fn any_lane(function: &Function, value: Value, is_such: impl Fn(u64) -> bool) -> Option<bool> {
    Some(function.as_constant(value)?.lanes()?.iter().any(|bits| is_such(*bits)))
}

/// The integer of 32 bits of which a shift to the right sign-extends the lower bits, and their number, if 8 or 16.
pub fn extended_by_shifts(function: &Function, op: &Op) -> Option<(Value, u32)> {
    let Op::Binary { op: BinaryOp::AShr, lhs, rhs } = *op else { return None };
    let Some(Op::Binary { op: BinaryOp::Shl, lhs: whole, rhs: left }) = function.op(lhs) else { return None };
    if function.ty(lhs).scalar != ScalarType::I32 {
        return None;
    }
    let count = |value| function.as_constant(value).and_then(Constant::splat_bits);
    match (count(*left)?, count(rhs)?) {
        (16, 16) => Some((*whole, 16)),
        (24, 24) => Some((*whole, 8)),
        _ => None,
    }
}
