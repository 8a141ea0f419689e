//! Comparisons of widened integers. They are done in the original width if that takes fewer words, and folded if the
//! result does not depend on the value.

use super::evaluate;
use super::*;
use crate::{CompareOp, ConvertOp};

/// A value of more bits made from one of fewer: how, and from what.
fn widened(function: &Function, a: Value) -> Option<(ConvertOp, Value)> {
    match function.op(a)? {
        Op::Convert { op: how @ (ConvertOp::ZExt | ConvertOp::SExt), operand: x } if !is_bool(function.ty(*x)) => {
            Some((*how, *x))
        }
        _ => None,
    }
}

/// Two values that were widened the same way from the same type keep their order.
pub fn both(function: &Function, op: CompareOp, a: Value, b: Value) -> Option<Folded> {
    let ((how, x), (other, y)) = (widened(function, a)?, widened(function, b)?);
    if how != other || function.ty(x) != function.ty(y) || is_word(function, a, x) {
        return None;
    }
    super::op(Op::Compare { op: if how == ConvertOp::ZExt { op.unsigned().unwrap_or(op) } else { op }, lhs: x, rhs: y })
}

/// A widened value against a constant that has the bits `c` in every lane.
pub fn with_constant(function: &mut Function, op: CompareOp, a: Value, c: u64, ty: Type) -> Option<Folded> {
    let (how, x) = widened(function, a)?;
    let (from, wide) = (function.ty(x), function.ty(a).scalar);
    let narrow = c & constant::mask(from.scalar);
    // What the narrow constant would be if it were widened: the same if the constant is in range.
    if evaluate::convert(how, from.scalar, wide, narrow)? == c {
        if is_word(function, a, x) {
            return None;
        }
        let narrow = function.constant(Constant::int(from, narrow));
        return super::op(Op::Compare {
            op: if how == ConvertOp::ZExt { op.unsigned().unwrap_or(op) } else { op },
            lhs: x,
            rhs: narrow,
        });
    }
    // Out of range: all values of each sign are on one side of it.
    let of = |bits: u64| Some(evaluate::compare(op, wide, evaluate::convert(how, from.scalar, wide, bits)?, c));
    let (if_positive, if_negative) = (of(0)?, of(evaluate::sign_bit(from.scalar))?);
    if if_positive == if_negative {
        return int(function, ty, if_positive.into());
    }
    let zero = function.constant(Constant::int(from, 0));
    super::op(Op::Compare { op: if if_negative { CompareOp::SLt } else { CompareOp::SGe }, lhs: x, rhs: zero })
}

/// Whether `wide` is a word or less and `narrow`, which it was widened from, a part of one: words are compared as fast, and what
/// was promoted would have to be cut again.
fn is_word(function: &Function, wide: Value, narrow: Value) -> bool {
    matches!(function.ty(narrow).scalar, ScalarType::I8 | ScalarType::I16) && function.ty(wide).scalar.bits() <= 32
}
