//! Unary and binary operations.

use super::evaluate::{self, Bits};
use super::*;
use crate::ConvertOp;

pub fn unary(function: &mut Function, op: UnaryOp, a: Value, ty: Type) -> Option<Folded> {
    if let Some(lanes) = lanes_of(function, a) {
        let folded = lanes.iter().map(|a| evaluate::unary(op, ty.scalar, *a)).collect();
        return bits(function, ty, folded);
    }
    if op == UnaryOp::Not
        && let Some(folded) = inverted_sum(function, a, ty)
    {
        return Some(folded);
    }
    match (op, function.op(a)?) {
        (UnaryOp::Neg, Op::Unary { op: UnaryOp::Neg, operand: x })
        | (UnaryOp::Not, Op::Unary { op: UnaryOp::Not, operand: x })
        | (UnaryOp::FNeg, Op::Unary { op: UnaryOp::FNeg, operand: x }) => value(*x),
        (UnaryOp::Neg, Op::Binary { op: BinaryOp::Sub, lhs: x, rhs: y }) => binary_op(BinaryOp::Sub, *y, *x),
        (UnaryOp::Not, Op::Compare { op: compare, lhs: x, rhs: y }) => {
            let inverse = compare.inverse()?;
            super::op(Op::Compare { op: inverse, lhs: *x, rhs: *y })
        }
        _ => None,
    }
}

/// `~(x + c)` and `~(c - x)`, since `~y` is `-1 - y`.
fn inverted_sum(function: &mut Function, sum: Value, ty: Type) -> Option<Folded> {
    let Op::Binary { op, lhs, rhs } = *function.op(sum)? else { return None };
    let inverse = |c| Some(evaluate::unary(UnaryOp::Not, ty.scalar, c));
    match op {
        BinaryOp::Add => {
            let inverse = each_lane(function, rhs, ty, inverse)?;
            binary_op(BinaryOp::Sub, inverse, lhs)
        }
        BinaryOp::Sub => {
            let inverse = each_lane(function, lhs, ty, inverse)?;
            binary_op(BinaryOp::Add, rhs, inverse)
        }
        _ => None,
    }
}

fn negative(x: Value) -> Option<Folded> {
    super::op(Op::Unary { op: UnaryOp::Neg, operand: x })
}

/// The operation on two constants.
fn evaluated(function: &Function, op: BinaryOp, a: Value, b: Value, ty: Type) -> Option<Bits> {
    let (a, b) = (lanes_of(function, a)?, lanes_of(function, b)?);
    let lane = |a, b| evaluate::binary(op, ty.scalar, a, b).or_else(|| any_quotient(op, a));
    a.iter().zip(b).map(|(a, b)| lane(*a, *b)).collect()
}

/// A quotient or remainder of constants that OpenCL C does not define (6.3): by zero, or of the least integer by -1. There is no
/// instruction for it, because drivers that compute constants may divide on the host: lavapipe (22.3, 25.0.7) crashes so.
fn any_quotient(op: BinaryOp, dividend: u64) -> Option<u64> {
    match op {
        BinaryOp::SDiv | BinaryOp::UDiv => Some(dividend),
        BinaryOp::SRem | BinaryOp::URem => Some(0),
        _ => None,
    }
}

fn commutes(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Add | Mul | And | Or | Xor | FAdd | FMul)
}

pub fn binary(function: &mut Function, op: BinaryOp, a: Value, b: Value, ty: Type) -> Option<Folded> {
    let (left, right) = (is_constant(function, a), is_constant(function, b));
    if left && right {
        let folded = evaluated(function, op, a, b, ty)?;
        return bits(function, ty, folded);
    }
    if left && commutes(op) {
        return binary_op(op, b, a);
    }
    if ty.scalar.is_float() {
        return float(function, op, a, b, ty);
    }
    if right {
        return right_constant(function, op, a, b, ty);
    }
    if left {
        return left_constant(function, op, a, b, ty);
    }
    variables(function, op, a, b, ty)
}

/// `a op b` of integers where neither is constant.
fn variables(function: &mut Function, op: BinaryOp, a: Value, b: Value, ty: Type) -> Option<Folded> {
    use BinaryOp::*;
    if a == b {
        match op {
            Sub | Xor => return int(function, ty, 0),
            And | Or => return value(a),
            _ => return None,
        }
    }
    match (op, function.op(a), function.op(b)) {
        (Add, Some(Op::Unary { op: UnaryOp::Neg, operand: x }), _) => binary_op(Sub, b, *x),
        (Add, _, Some(Op::Unary { op: UnaryOp::Neg, operand: y })) => binary_op(Sub, a, *y),
        (Sub, _, Some(Op::Unary { op: UnaryOp::Neg, operand: y })) => binary_op(Add, a, *y),
        (Add, Some(Op::Binary { op: Sub, lhs: x, rhs: y }), _) if *y == b => value(*x),
        (Add, _, Some(Op::Binary { op: Sub, lhs: x, rhs: y })) if *y == a => value(*x),
        (Sub, Some(Op::Binary { op: Add, lhs: x, rhs: y }), _) if *y == b => value(*x),
        (Sub, Some(Op::Binary { op: Add, lhs: x, rhs: y }), _) if *x == b => value(*y),
        (Sub, _, Some(Op::Binary { op: Sub, lhs: x, rhs: y })) if *x == a => value(*y),
        (Sub, Some(Op::Binary { op: Sub, lhs: x, rhs: y }), _) if *x == b => negative(*y),
        (Sub, _, Some(Op::Binary { op: Add, lhs: x, rhs: y })) if *x == a => negative(*y),
        (Sub, _, Some(Op::Binary { op: Add, lhs: x, rhs: y })) if *y == a => negative(*x),
        _ => None,
    }
}

/// The constant whose lanes are computed from those of another.
fn each_lane(function: &mut Function, c: Value, ty: Type, lane: impl Fn(u64) -> Option<u64>) -> Option<Value> {
    let lanes = lanes_of(function, c)?.iter().map(|c| lane(*c)).collect::<Option<Bits>>()?;
    Some(function.constant(Constant::Bits { ty, lanes }))
}

fn negative_constant(function: &mut Function, c: Value, ty: Type) -> Option<Value> {
    each_lane(function, c, ty, |c| Some(evaluate::unary(UnaryOp::Neg, ty.scalar, c)))
}

/// `a op b` of integers, `a` constant.
fn left_constant(function: &mut Function, op: BinaryOp, a: Value, b: Value, ty: Type) -> Option<Folded> {
    use BinaryOp::*;
    if let (Sub, Some(Op::Unary { op: UnaryOp::Not, operand: x })) = (op, function.op(b)) {
        let x = *x;
        let more = each_lane(function, a, ty, |a| evaluate::binary(Add, ty.scalar, a, 1))?;
        return binary_op(Add, x, more);
    }
    if function.as_int(a)? != 0 {
        return None;
    }
    match op {
        Sub => negative(b),
        Shl | LShr | AShr => value(a),
        _ => None,
    }
}

/// `a op c` of integers, `c` constant.
fn right_constant(function: &mut Function, op: BinaryOp, a: Value, c: Value, ty: Type) -> Option<Folded> {
    use BinaryOp::*;
    if op == Sub {
        let negative = negative_constant(function, c, ty)?;
        return binary_op(Add, a, negative);
    }
    if let Some(folded) = function.as_int(c).and_then(|splat| with_splat(function, op, a, c, splat, ty)) {
        return Some(folded);
    }
    if let Some(folded) = reassociate(function, op, a, c, ty) {
        return Some(folded);
    }
    let is_minus_one = function.as_int(c) == Some(ones(ty));
    match (op, function.op(a)) {
        (Mul, Some(Op::Unary { op: UnaryOp::Neg, operand: x })) => {
            let x = *x;
            let negative = negative_constant(function, c, ty)?;
            binary_op(Mul, x, negative)
        }
        (Add, Some(Op::Unary { op: UnaryOp::Neg, operand: x })) => binary_op(Sub, c, *x),
        (Mul | SDiv, _) if is_minus_one => negative(a),
        (Add, Some(Op::Unary { op: UnaryOp::Not, operand: x })) => {
            // `~x` is `-1 - x`.
            let x = *x;
            let less = each_lane(function, c, ty, |c| evaluate::binary(Add, ty.scalar, c, ones(ty)))?;
            binary_op(Sub, less, x)
        }
        _ => None,
    }
}

/// Identities of constants that are the same in every lane.
fn with_splat(function: &mut Function, op: BinaryOp, a: Value, c: Value, splat: u64, ty: Type) -> Option<Folded> {
    use BinaryOp::*;
    let all = ones(ty);
    match (op, splat) {
        (Add | Or | Xor | Shl | LShr | AShr, 0) => value(a),
        (Mul | And, 0) => value(c),
        (And, bits) if bits == all => value(a),
        (Or, bits) if bits == all => value(c),
        (Xor, bits) if bits == all => not(a),
        (Mul | UDiv | SDiv, 1) => value(a),
        (URem | SRem, 1) => int(function, ty, 0),
        (UDiv, bits) if bits.is_power_of_two() => {
            let shift = function.constant(Constant::int(ty, u64::from(bits.trailing_zeros())));
            binary_op(LShr, a, shift)
        }
        (URem, bits) if bits.is_power_of_two() => {
            let mask = function.constant(Constant::int(ty, bits - 1));
            binary_op(And, a, mask)
        }
        (And, mask) if known_bits(function, a, ty) & !mask == 0 => value(a),
        _ => None,
    }
}

/// The bits that may be set in a value, from the operation that makes it.
fn known_bits(function: &Function, a: Value, ty: Type) -> u64 {
    match function.op(a) {
        Some(Op::Convert { op: ConvertOp::ZExt, operand: x }) => constant::mask(function.ty(*x).scalar),
        Some(Op::Binary { op: BinaryOp::LShr, rhs: count, .. }) => match function.as_int(*count) {
            Some(count) if count < u64::from(ty.scalar.bits()) => ones(ty) >> count,
            _ => ones(ty),
        },
        _ => ones(ty),
    }
}

/// `(x op c1) op c2` as `x op (c1 op c2)`.
fn reassociate(function: &mut Function, op: BinaryOp, a: Value, c: Value, ty: Type) -> Option<Folded> {
    use BinaryOp::*;
    let Op::Binary { op: inner, lhs: x, rhs: c1 } = function.op(a)? else { return None };
    let (inner, x, c1) = (*inner, *x, *c1);
    if op == Add && inner == Sub && is_constant(function, x) {
        let sum = evaluated(function, Add, x, c, ty)?;
        let sum = function.constant(Constant::Bits { ty, lanes: sum });
        return binary_op(Sub, sum, c1);
    }
    // A driver that finds this zero would take it for a literal one.
    if op == Shl && inner == Mul && is_constant(function, c1) {
        let factor = evaluated(function, Shl, c1, c, ty)?;
        return if factor.iter().all(|lane| *lane == 0) { int(function, ty, 0) } else { None };
    }
    if inner != op || !is_constant(function, c1) {
        return None;
    }
    match op {
        Add | Mul | And | Or | Xor => {
            let both = evaluated(function, op, c1, c, ty)?;
            let both = function.constant(Constant::Bits { ty, lanes: both });
            binary_op(op, x, both)
        }
        Shl | LShr | AShr => {
            let width = u64::from(ty.scalar.bits());
            let (first, second) = (function.as_int(c1)?, function.as_int(c)?);
            if first >= width || second >= width {
                return None;
            }
            let total = first + second;
            if total >= width && op != AShr {
                return int(function, ty, 0);
            }
            let total = function.constant(Constant::int(ty, total.min(width - 1)));
            binary_op(op, x, total)
        }
        _ => None,
    }
}

/// What is exactly right whatever the values, signed zeros and infinities included.
fn float(function: &mut Function, op: BinaryOp, a: Value, b: Value, ty: Type) -> Option<Folded> {
    use BinaryOp::*;
    // NVIDIA's driver (580.159.04) takes a product with such a constant for a number.
    if matches!(op, FAdd | FSub | FMul | FDiv) && [a, b].iter().any(|operand| is_nan(function, *operand, ty.scalar)) {
        return int(function, ty, constant::float_bits(ty.scalar, f64::NAN));
    }
    if let Some(bits) = function.as_int(b) {
        let one = constant::float_bits(ty.scalar, 1.0);
        let negative = evaluate::sign_bit(ty.scalar);
        match (op, bits) {
            (FMul | FDiv, bits) if bits == one => return value(a),
            (FMul | FDiv, bits) if bits == one | negative => {
                return super::op(Op::Unary { op: UnaryOp::FNeg, operand: a });
            }
            (FSub, 0) => return value(a),
            (FAdd, bits) if bits == negative => return value(a),
            (FDiv, bits) => {
                let reciprocal = exact_reciprocal(ty.scalar, bits)?;
                let reciprocal = function.constant(Constant::int(ty, reciprocal));
                return binary_op(FMul, a, reciprocal);
            }
            _ => {}
        }
    }
    if op == FSub && function.as_int(a) == Some(evaluate::sign_bit(ty.scalar)) {
        return super::op(Op::Unary { op: UnaryOp::FNeg, operand: b });
    }
    match (op, function.op(a), function.op(b)) {
        (FAdd, _, Some(Op::Unary { op: UnaryOp::FNeg, operand: y })) => binary_op(FSub, a, *y),
        (FSub, _, Some(Op::Unary { op: UnaryOp::FNeg, operand: y })) => binary_op(FAdd, a, *y),
        (
            FMul | FDiv,
            Some(Op::Unary { op: UnaryOp::FNeg, operand: x }),
            Some(Op::Unary { op: UnaryOp::FNeg, operand: y }),
        ) => binary_op(op, *x, *y),
        _ => None,
    }
}

/// Whether a value is a constant that is not a number, in each lane the same one.
fn is_nan(function: &Function, value: Value, scalar: ScalarType) -> bool {
    let infinity = constant::float_bits(scalar, f64::INFINITY);
    function.as_int(value).is_some_and(|bits| bits & !evaluate::sign_bit(scalar) > infinity)
}

/// `a * b + c` that may be fused or not, of a product that is known, or has a factor of one.
pub fn multiply_add(function: &mut Function, args: &[Value], ty: Type) -> Option<Folded> {
    let &[a, b, c] = args else { return None };
    let one = constant::float_bits(ty.scalar, 1.0);
    let product = match (function.as_int(a), function.as_int(b)) {
        (_, Some(bits)) if bits == one => a,
        (Some(bits), _) if bits == one => b,
        (Some(_), Some(_)) => match binary(function, BinaryOp::FMul, a, b, ty)? {
            Folded::Value(product) => product,
            Folded::Op(_) => return None,
        },
        _ => return None,
    };
    binary_op(BinaryOp::FAdd, product, c)
}

/// `1 / x` where that is exact and both are normal: powers of two.
pub fn exact_reciprocal(scalar: ScalarType, bits: u64) -> Option<u64> {
    let (mantissa, bias): (u32, u64) = match scalar {
        ScalarType::F16 => (10, 15),
        ScalarType::F32 => (23, 127),
        _ => (52, 1023),
    };
    let magnitude = bits & !evaluate::sign_bit(scalar);
    let exponent = magnitude >> mantissa;
    let reciprocal = (2 * bias).checked_sub(exponent)?;
    let normal = 1..=2 * bias;
    let exact = magnitude & ((1 << mantissa) - 1) == 0 && normal.contains(&exponent) && normal.contains(&reciprocal);
    exact.then_some(bits & evaluate::sign_bit(scalar) | reciprocal << mantissa)
}
