//! Which integers are seen to have at most 16 bits, and which sign extensions are made of shifts.

use clforge_ir::*;

/// Operations that are looked through, one behind the other.
const MAX_DEPTH: u32 = 8;

/// Whether the upper 16 bits of an integer of 32 bits, or of each of a vector's lanes, are seen to be zero.
pub fn is_narrow(function: &Function, value: Value) -> bool {
    is_narrow_within(function, value, MAX_DEPTH)
}

/// [`is_narrow`], with so many operations at most to be looked through.
fn is_narrow_within(function: &Function, value: Value, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let narrow = |value: &Value| is_narrow_within(function, *value, depth);
    if let Some(lanes) = function.as_constant(value).and_then(Constant::lanes) {
        return lanes.iter().all(|lane| *lane <= 0xFFFF);
    }
    match function.op(value) {
        Some(Op::Convert { op: ConvertOp::ZExt, operand }) => function.ty(*operand).scalar.bits() < 32,
        Some(Op::Binary { op: BinaryOp::And | BinaryOp::URem, lhs, rhs }) => narrow(lhs) || narrow(rhs),
        Some(Op::Binary { op: BinaryOp::Or | BinaryOp::Xor, lhs, rhs }) => narrow(lhs) && narrow(rhs),
        Some(Op::Binary { op: BinaryOp::LShr, lhs, rhs }) => {
            let counts = function.as_constant(*rhs).and_then(Constant::lanes);
            narrow(lhs) || counts.is_some_and(|counts| counts.iter().all(|count| (16..32).contains(count)))
        }
        Some(Op::Binary { op: BinaryOp::UDiv, lhs, .. }) => narrow(lhs),
        Some(Op::Select { if_true, if_false, .. }) => narrow(if_true) && narrow(if_false),
        Some(Op::Extract { vector, .. }) => narrow(vector),
        Some(Op::Construct { elements }) => elements.iter().all(narrow),
        _ => false,
    }
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
