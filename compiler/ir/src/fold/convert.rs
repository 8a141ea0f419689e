//! Conversions.

use super::*;
use crate::ConvertOp;
use clforge_basic::narrow::low_u32;

pub fn convert(function: &mut Function, op: ConvertOp, a: Value, ty: Type) -> Option<Folded> {
    let from = function.ty(a);
    if from == ty && matches!(op, ConvertOp::Bitcast | ConvertOp::PtrCast) {
        return value(a);
    }
    if let Some(constant) = function.as_constant(a) {
        // The integer that a pointer was made of.
        if op == ConvertOp::PtrToInt && (ty.bits() == from.bits() || constant.splat_bits() == Some(0)) {
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
        Op::Binary { op: inner, lhs, rhs } if op == ConvertOp::Trunc => truncated(function, *inner, [*lhs, *rhs], ty),
        Op::Binary { op: inner, lhs, rhs } if op == ConvertOp::FTrunc => in_float(function, *inner, [*lhs, *rhs], ty),
        _ => None,
    }
}

/// The lower bits of the result of an operation: without a mask that keeps them, or computed in 32 bits where the operands have no
/// more.
fn truncated(function: &mut Function, op: BinaryOp, [lhs, rhs]: [Value; 2], ty: Type) -> Option<Folded> {
    use BinaryOp::*;
    let all = ones(ty);
    if op == And && function.as_int(rhs).is_some_and(|mask| mask & all == all) {
        return super::op(Op::Convert { op: ConvertOp::Trunc, operand: lhs });
    }
    if ty.scalar != ScalarType::I32 || !matches!(op, Add | Sub | Mul | And | Or | Xor) {
        return None;
    }
    let [lhs, rhs] = [lhs, rhs].map(|operand| extended_from(function, operand, ty));
    binary_op(op, lhs?, rhs?)
}

/// What an integer is extended from, if that has the type, or the lower bits of a constant.
fn extended_from(function: &mut Function, value: Value, ty: Type) -> Option<Value> {
    if let Some(lanes) = lanes_of(function, value) {
        let lanes = lanes.iter().map(|bits| bits & ones(ty)).collect();
        return Some(function.constant(Constant::Bits { ty, lanes }));
    }
    match *function.op(value)? {
        Op::Convert { op: ConvertOp::ZExt | ConvertOp::SExt, operand } => {
            (function.ty(operand) == ty).then_some(operand)
        }
        _ => None,
    }
}

/// A sum, difference or product of floats that is computed in `double` and rounded to `float`: the same as that of `float`, since
/// `double` has more than twice the digits (S. Figueroa, "When is double rounding innocuous?", 1995).
fn in_float(function: &mut Function, op: BinaryOp, operands: [Value; 2], ty: Type) -> Option<Folded> {
    if !matches!(op, BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul) {
        return None;
    }
    let [lhs, rhs] = operands.map(|operand| as_float(function, operand, ty));
    binary_op(op, lhs?, rhs?)
}

/// The float nearest to a double.
pub fn nearest_float(value: f64) -> f32 {
    f32::from_bits(low_u32(constant::float_bits(ScalarType::F32, value)))
}

/// The float of type `ty` that a double was extended from, or that a constant is.
pub fn as_float(function: &mut Function, value: Value, ty: Type) -> Option<Value> {
    if ty.scalar != ScalarType::F32 || function.ty(value).scalar != ScalarType::F64 {
        return None;
    }
    if let Some(Op::Convert { op: ConvertOp::FExt, operand }) = function.op(value) {
        return (function.ty(*operand) == ty).then_some(*operand);
    }
    let exact = |bits: &u64| {
        let float = nearest_float(f64::from_bits(*bits));
        // A denormal may be flushed.
        let is_usual = float.is_normal() || float == 0.0;
        (is_usual && f64::from(float).to_bits() == *bits).then_some(u64::from(float.to_bits()))
    };
    let lanes = function.as_constant(value)?.lanes()?.iter().map(exact).collect::<Option<evaluate::Bits>>()?;
    Some(function.constant(Constant::Bits { ty, lanes }))
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
        (PtrCast, PtrCast) if !from.is_generic() && !ty.is_generic() && from != ty => {
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
        (PtrToInt, IntToPtr) if from == ty => value(x),
        (IntToPtr, PtrToInt) if from == ty && middle.bits() == ty.bits() => value(x),
        _ => None,
    }
}
