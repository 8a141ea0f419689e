//! Conversions.

use super::*;
use crate::{ConvertOp, Space};

pub fn convert(function: &mut Function, op: ConvertOp, a: Value, ty: Type) -> Option<Folded> {
    let from = function.ty(a);
    if from == ty && matches!(op, ConvertOp::Bitcast | ConvertOp::PtrCast) {
        return value(a);
    }
    if let Some(constant) = function.as_constant(a) {
        // The integer that a pointer was made of.
        if op == ConvertOp::PtrToInt && ty.scalar == ScalarType::I64 {
            let lanes = constant.lanes()?.iter().copied().collect();
            return bits(function, ty, lanes);
        }
        let has_bits = |ty: Type| ty.scalar.bits() > 0 && ty.space().is_none();
        if !has_bits(from) || !has_bits(ty) {
            return None;
        }
        let lanes = constant.lanes()?;
        let folded = match op {
            ConvertOp::Bitcast => evaluate::bitcast(from, ty, lanes),
            _ => lanes
                .iter()
                .map(|a| evaluate::convert(op, from.scalar, ty.scalar, *a))
                .collect::<Option<evaluate::Bits>>()?,
        };
        return bits(function, ty, folded);
    }
    match function.op(a)? {
        Op::Convert { op: inner, operand: x } => of_conversion(function, op, from, *inner, *x, ty),
        Op::Binary { op: BinaryOp::And, lhs: x, rhs: mask } if op == ConvertOp::Trunc => {
            let all = ones(ty);
            (function.as_int(*mask)? & all == all).then_some(Folded::Op(Op::Convert { op, operand: *x }))
        }
        _ => None,
    }
}

/// `op(inner(x))`, where `inner` has the type `middle`.
fn of_conversion(
    function: &mut Function,
    op: ConvertOp,
    middle: Type,
    inner: ConvertOp,
    x: Value,
    ty: Type,
) -> Option<Folded> {
    use ConvertOp::*;
    let from = function.ty(x);
    let again = |op: ConvertOp| if from == ty { value(x) } else { super::op(Op::Convert { op, operand: x }) };
    match (op, inner) {
        // By way of the generic space to one that the pointer is not in: undefined, and there is no cast between known spaces.
        (PtrCast, PtrCast) if ![from, ty].contains(&Type::ptr(Space::Generic)) && from != ty => {
            let null = function.int(ty, 0);
            value(null)
        }
        (Bitcast, Bitcast) | (PtrCast, PtrCast) => again(op),
        (Trunc, Trunc) | (ZExt, ZExt) | (SExt, SExt) | (FExt, FExt) => again(op),
        // A zero-extended value is not negative.
        (SExt, ZExt) => again(ZExt),
        (Trunc, ZExt | SExt) => {
            let wider = from.scalar.bits() > ty.scalar.bits();
            again(if wider { Trunc } else { inner })
        }
        (ZExt, Trunc) if from == ty => {
            let mask = function.constant(Constant::int(ty, ones(middle)));
            binary_op(BinaryOp::And, x, mask)
        }
        // Extension is exact, so only the rounding to the last type is left, if any.
        (FTrunc, FExt) => again(if from.scalar.bits() > ty.scalar.bits() { FTrunc } else { FExt }),
        (PtrToInt, IntToPtr) => again(op),
        (IntToPtr, PtrToInt) if from == ty => value(x),
        _ => None,
    }
}
