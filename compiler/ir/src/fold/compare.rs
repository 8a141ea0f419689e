//! Comparisons and selections.

use super::*;
use crate::{CompareOp, ConvertOp};

pub fn compare(function: &mut Function, op: CompareOp, a: Value, b: Value, ty: Type) -> Option<Folded> {
    let scalar = function.ty(a).scalar;
    match (is_constant(function, a), is_constant(function, b)) {
        (true, true) => {
            let (a, b) = (lanes_of(function, a)?, lanes_of(function, b)?);
            let folded = a.iter().zip(b).map(|(a, b)| u64::from(evaluate::compare(op, scalar, *a, *b))).collect();
            return bits(function, ty, folded);
        }
        (true, false) => return super::op(Op::Compare { op: op.swapped(), lhs: b, rhs: a }),
        _ => {}
    }
    if a == b {
        use CompareOp::*;
        match op {
            Eq | SLe | SGe | ULe | UGe => return int(function, ty, 1),
            Ne | SLt | SGt | ULt | UGt | FLt | FGt => return int(function, ty, 0),
            _ => return None,
        }
    }
    if let Some(folded) = narrow::both(function, op, a, b) {
        return Some(folded);
    }
    if scalar == ScalarType::F64
        && let Some(folded) = of_floats(function, op, a, b)
    {
        return Some(folded);
    }
    let c = function.as_int(b)?;
    if scalar.is_float() {
        return of_select(function, op, a, c, ty);
    }
    limits(function, op, a, b, c, ty)
        .or_else(|| narrow::with_constant(function, op, a, c, ty))
        .or_else(|| of_definition(function, op, a, b, c, ty))
}

/// Comparisons of floats that are extended to `double`.
fn of_floats(function: &mut Function, op: CompareOp, a: Value, b: Value) -> Option<Folded> {
    let ty = function.ty(a).with_scalar(ScalarType::F32);
    // Of two constants, the comparison is folded.
    let lhs = match function.op(a)? {
        Op::Convert { op: ConvertOp::FExt, .. } => convert::as_float(function, a, ty)?,
        _ => return None,
    };
    if let Some(rhs) = convert::as_float(function, b, ty) {
        return super::op(Op::Compare { op, lhs, rhs });
    }
    // Between two floats, so that nothing is equal to it: one of its neighbours takes its place.
    let c = f64::from_bits(function.as_constant(b)?.splat_bits()?);
    let near = convert::nearest_float(c);
    let (below, above) = if f64::from(near) < c { (near, near.next_up()) } else { (near.next_down(), near) };
    let bound = match op {
        CompareOp::FLt | CompareOp::FGe => above,
        CompareOp::FGt | CompareOp::FLe => below,
        _ => return None,
    };
    // Denormals may be flushed.
    if !(bound.is_normal() && near.is_normal()) {
        return None;
    }
    let rhs = function.constant(Constant::int(ty, bound.to_bits().into()));
    super::op(Op::Compare { op, lhs, rhs })
}

/// Comparisons with the least and greatest value.
fn limits(function: &mut Function, op: CompareOp, a: Value, b: Value, c: u64, ty: Type) -> Option<Folded> {
    use CompareOp::*;
    let of = function.ty(a);
    let greatest = ones(of);
    let least_signed = evaluate::sign_bit(of.scalar);
    if is_bool(of) {
        return match (op, c) {
            (Eq, 1) | (Ne, 0) => value(a),
            (Eq, 0) | (Ne, 1) => not(a),
            _ => None,
        };
    }
    match (op, c) {
        (ULt, 0) => int(function, ty, 0),
        (UGe, 0) => int(function, ty, 1),
        (UGt, 0) => super::op(Op::Compare { op: Ne, lhs: a, rhs: b }),
        (ULe, 0) => super::op(Op::Compare { op: Eq, lhs: a, rhs: b }),
        (ULt | UGe, 1) if of.space().is_none() => {
            let zero = function.constant(Constant::int(of, 0));
            super::op(Op::Compare { op: if op == ULt { Eq } else { Ne }, lhs: a, rhs: zero })
        }
        (UGt, c) if c == greatest => int(function, ty, 0),
        (ULe, c) if c == greatest => int(function, ty, 1),
        (SLt, c) if c == least_signed => int(function, ty, 0),
        (SGe, c) if c == least_signed => int(function, ty, 1),
        (SGt, c) if c == greatest >> 1 => int(function, ty, 0),
        (SLe, c) if c == greatest >> 1 => int(function, ty, 1),
        _ => None,
    }
}

/// Comparisons with a constant of what another operation computed.
fn of_definition(function: &mut Function, op: CompareOp, a: Value, b: Value, c: u64, ty: Type) -> Option<Folded> {
    let scalar = function.ty(a).scalar;
    match function.op(a)? {
        Op::Convert { op: convert @ (ConvertOp::ZExt | ConvertOp::SExt), operand: x } if is_bool(function.ty(*x)) => {
            let x = *x;
            let truth = if *convert == ConvertOp::ZExt { 1 } else { constant::mask(scalar) };
            by_truth(function, x, evaluate::compare(op, scalar, truth, c), evaluate::compare(op, scalar, 0, c), ty)
        }
        Op::Select { .. } => of_select(function, op, a, c, ty),
        Op::Binary { op: BinaryOp::Sub, lhs: x, rhs: y } if matches!(op, CompareOp::Eq | CompareOp::Ne) && c == 0 => {
            super::op(Op::Compare { op, lhs: *x, rhs: *y })
        }
        Op::Binary { op: BinaryOp::Sub, lhs: c1, rhs: x } if matches!(op, CompareOp::Eq | CompareOp::Ne) => {
            let (x, c1) = (*x, function.as_int(*c1)?);
            let of = function.ty(b);
            let rest = function.constant(Constant::int(of, c1.wrapping_sub(c)));
            super::op(Op::Compare { op, lhs: x, rhs: rest })
        }
        Op::Binary { op: BinaryOp::Add, lhs: x, rhs: c1 } if matches!(op, CompareOp::Eq | CompareOp::Ne) => {
            let (x, c1) = (*x, function.as_int(*c1)?);
            let of = function.ty(b);
            let rest = function.constant(Constant::int(of, c.wrapping_sub(c1)));
            super::op(Op::Compare { op, lhs: x, rhs: rest })
        }
        _ => None,
    }
}

/// A comparison of a choice between constants.
fn of_select(function: &mut Function, op: CompareOp, a: Value, c: u64, ty: Type) -> Option<Folded> {
    let scalar = function.ty(a).scalar;
    let Op::Select { condition, if_true: x, if_false: y } = function.op(a)? else { return None };
    let (condition, x, y) = (*condition, function.as_int(*x)?, function.as_int(*y)?);
    by_truth(function, condition, evaluate::compare(op, scalar, x, c), evaluate::compare(op, scalar, y, c), ty)
}

/// A `bool` that is `if_true` where the condition holds and `if_false` where not.
fn by_truth(function: &mut Function, condition: Value, if_true: bool, if_false: bool, ty: Type) -> Option<Folded> {
    if if_true == if_false {
        return int(function, ty, if_true.into());
    }
    if function.ty(condition) != ty {
        return None;
    }
    if if_true { value(condition) } else { not(condition) }
}

pub fn select(function: &mut Function, condition: Value, a: Value, b: Value, ty: Type) -> Option<Folded> {
    // An undefined value may be the other one.
    if a == b || function.is_undef(b) {
        return value(a);
    }
    if function.is_undef(a) {
        return value(b);
    }
    if let Some(chosen) = lanes_of(function, condition) {
        if let Some(chosen) = function.as_int(condition) {
            return value(if chosen != 0 { a } else { b });
        }
        let (a, b) = (lanes_of(function, a)?, lanes_of(function, b)?);
        let folded = chosen.iter().zip(a.iter().zip(b)).map(|(c, (a, b))| if *c != 0 { *a } else { *b }).collect();
        return bits(function, ty, folded);
    }
    let same_lanes = function.ty(condition).lanes == ty.lanes;
    let (truth, otherwise) = (function.as_int(a), function.as_int(b));
    if is_bool(ty) && same_lanes {
        match (truth, otherwise) {
            (Some(1), Some(0)) => return value(condition),
            (Some(0), Some(1)) => return not(condition),
            (Some(1), _) => return binary_op(BinaryOp::Or, condition, b),
            (_, Some(0)) => return binary_op(BinaryOp::And, condition, a),
            _ => {}
        }
    }
    if ty.scalar.is_int() && same_lanes && otherwise == Some(0) {
        match truth {
            Some(1) => return super::op(Op::Convert { op: ConvertOp::ZExt, operand: condition }),
            Some(bits) if bits == ones(ty) => {
                return super::op(Op::Convert { op: ConvertOp::SExt, operand: condition });
            }
            _ => {}
        }
    }
    match (function.op(condition), function.op(a), function.op(b)) {
        (Some(Op::Unary { op: UnaryOp::Not, operand: inverse }), ..) => {
            super::op(Op::Select { condition: *inverse, if_true: b, if_false: a })
        }
        (_, Some(Op::Select { condition: same, if_true: x, .. }), _) if *same == condition => {
            super::op(Op::Select { condition, if_true: *x, if_false: b })
        }
        (_, _, Some(Op::Select { condition: same, if_false: y, .. })) if *same == condition => {
            super::op(Op::Select { condition, if_true: a, if_false: *y })
        }
        _ => None,
    }
}
