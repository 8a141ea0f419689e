//! Pointer arithmetic: constants are moved into the displacement and the stride of the operation.

use super::*;
use crate::ConvertOp;

pub fn ptr_add(
    function: &mut Function,
    base: Value,
    index: Option<Value>,
    stride: i64,
    displacement: i64,
) -> Option<Folded> {
    let Some(index) = index else {
        if displacement == 0 {
            return value(base);
        }
        let Op::PtrAdd { base, index, stride, displacement: inner } = *function.op(base)? else { return None };
        return op(Op::PtrAdd { base, index, stride, displacement: inner.wrapping_add(displacement) });
    };
    if stride == 0 {
        return op(Op::PtrAdd { base, index: None, stride: 0, displacement });
    }
    if let Some(bits) = function.as_int(index) {
        let index = constant::sign_extend(function.ty(index).scalar, bits);
        let displacement = displacement.wrapping_add(index.wrapping_mul(stride));
        return op(Op::PtrAdd { base, index: None, stride: 0, displacement });
    }
    if let Some(folded) = of_index(function, base, index, stride, displacement) {
        return Some(folded);
    }
    match *function.op(base)? {
        Op::PtrAdd { base, index: None, displacement: inner, .. } => {
            op(Op::PtrAdd { base, index: Some(index), stride, displacement: inner.wrapping_add(displacement) })
        }
        _ => None,
    }
}

/// Takes constants out of a 64-bit index, where arithmetic and addresses wrap alike. A 32-bit one is extended after it
/// has wrapped, so nothing may be taken out of it.
fn of_index(function: &Function, base: Value, index: Value, stride: i64, displacement: i64) -> Option<Folded> {
    if function.ty(index) != Type::I64 {
        return None;
    }
    let constant = |value: Value| function.as_int(value).map(|bits| bits.cast_signed());
    match *function.op(index)? {
        Op::Convert { op: ConvertOp::SExt, operand: x } if function.ty(x) == Type::I32 => {
            op(Op::PtrAdd { base, index: Some(x), stride, displacement })
        }
        Op::Binary { op: BinaryOp::Add, lhs: x, rhs: c } => {
            let displacement = displacement.wrapping_add(constant(c)?.wrapping_mul(stride));
            op(Op::PtrAdd { base, index: Some(x), stride, displacement })
        }
        Op::Binary { op: BinaryOp::Sub, lhs: c, rhs: x } => {
            let displacement = displacement.wrapping_add(constant(c)?.wrapping_mul(stride));
            op(Op::PtrAdd { base, index: Some(x), stride: stride.checked_neg()?, displacement })
        }
        Op::Unary { op: UnaryOp::Neg, operand: x } => {
            op(Op::PtrAdd { base, index: Some(x), stride: stride.checked_neg()?, displacement })
        }
        Op::Binary { op: BinaryOp::Mul, lhs: x, rhs: c } => {
            op(Op::PtrAdd { base, index: Some(x), stride: stride.checked_mul(constant(c)?)?, displacement })
        }
        Op::Binary { op: BinaryOp::Shl, lhs: x, rhs: c } => {
            let factor = 1_i64.checked_shl(u32::try_from(constant(c)?).ok()?).filter(|factor| *factor > 0)?;
            op(Op::PtrAdd { base, index: Some(x), stride: stride.checked_mul(factor)?, displacement })
        }
        _ => None,
    }
}
