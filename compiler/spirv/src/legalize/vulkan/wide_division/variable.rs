//! Division of unsigned integers of 64 bits by variables, by an estimate of the reciprocal.

use super::super::builtins::wide_product;
use super::super::wide_integers::{self, high, low};
use clforge_basic::options::Options;
use clforge_ir::*;
use smallvec::smallvec;

/// 2^64 less a part in 2^20, that is 8 units of 2^-23. All errors of the reciprocal's estimate are less: 2 units for the divisor
/// as a float (two conversions and a sum, whose direction of rounding Vulkan leaves open), 2.5 for the reciprocal, 1 for the
/// product. So the estimate is less than the reciprocal, by less than 8 + 5.5 units, which is less than a part in 2^19.
const SCALE: f64 = ((1_u64 << 20) - 1) as f64 * (1_u64 << 44) as f64;

/// The quotient of unsigned integers; of a division by zero nothing is required. Operands of at most 32 bits, the usual case of a
/// `size_t`, are divided as such.
pub fn quotient(b: &mut Builder<'_>, n: Value, d: Value, options: &Options) -> Value {
    let both = b.binary(BinaryOp::Or, n, d);
    let high = high(b, both);
    let condition = b.compare_int(CompareOp::Eq, high, 0);
    let then = b.nested(|b| {
        let quotient = of_words(b, n, d);
        b.effect(Op::Yield(smallvec![quotient]));
    });
    let otherwise = b.nested(|b| {
        let quotient = by_reciprocal(b, n, d, options);
        b.effect(Op::Yield(smallvec![quotient]));
    });
    b.push(Op::If { condition, then, otherwise }, &[Type::I64])[0]
}

/// Whether an integer of 64 bits is seen to be less than 2^32; its magnitude, if it is taken for signed.
pub fn fits_word(function: &Function, value: Value, signed: bool) -> bool {
    match function.op(value) {
        Some(Op::Convert { op: ConvertOp::ZExt, .. }) => true,
        Some(Op::Convert { op: ConvertOp::SExt, .. }) => signed,
        Some(Op::Binary { op: BinaryOp::And, lhs, rhs }) => [*lhs, *rhs].into_iter().any(|v| is_word(function, v)),
        Some(Op::Binary { op: BinaryOp::LShr, rhs, .. }) => {
            function.as_int(*rhs).is_some_and(|count| (32..64).contains(&count))
        }
        _ => is_word(function, value),
    }
}

/// Whether it is a constant of at most 32 bits.
fn is_word(function: &Function, value: Value) -> bool {
    function.as_int(value).is_some_and(|bits| bits <= u64::from(u32::MAX))
}

/// The quotient of integers of at most 32 bits.
pub fn of_words(b: &mut Builder<'_>, n: Value, d: Value) -> Value {
    let (n, d) = (low(b, n), low(b, d));
    let quotient = b.binary(BinaryOp::UDiv, n, d);
    b.resize(quotient, ScalarType::I64, false)
}

/// The quotient of any integers. With R = 2^64/d, Newton's iteration x(2 - x/R) takes an x that is less than R by a part δ to one
/// that is less by δ^2, and what is cut off is less than 1; it never makes x smaller. The estimate is less than R by less than
/// 2^-19 R + 1. If R < 2^18, that is less than 2 already; else δ is less than 2^-17, and after two steps x is less than R
/// by less than 1.1. So nx/2^64 is less than n/d by less than 2, and the quotient, of which a fraction is cut off, too small by at
/// most 2.
fn by_reciprocal(b: &mut Builder<'_>, n: Value, d: Value, options: &Options) -> Value {
    let mut reciprocal = estimate(b, d);
    let zero = b.int(Type::I64, 0);
    let negative = b.binary(BinaryOp::Sub, zero, d);
    for _ in 0..2 {
        // 2^64 - dx, in units of which x has 2^64
        let error = b.binary(BinaryOp::Mul, negative, reciprocal);
        let correction = wide_product(b, reciprocal, error, options);
        reciprocal = b.binary(BinaryOp::Add, reciprocal, correction);
    }
    let mut quotient = wide_product(b, n, reciprocal, options);
    let product = b.binary(BinaryOp::Mul, quotient, d);
    let mut rest = b.binary(BinaryOp::Sub, n, product);
    for _ in 0..2 {
        let is_less = b.compare(CompareOp::ULt, rest, d);
        let (next, less) = (b.binary_int(BinaryOp::Add, quotient, 1), b.binary(BinaryOp::Sub, rest, d));
        quotient = b.select(is_less, quotient, next);
        rest = b.select(is_less, rest, less);
    }
    quotient
}

/// An integer that is less than 2^64/d, by less than a part in 2^19 plus one.
fn estimate(b: &mut Builder<'_>, d: Value) -> Value {
    let d = wide_integers::to_float(b, d);
    let one = b.float(Type::F32, 1.0);
    let reciprocal = b.binary(BinaryOp::FDiv, one, d);
    let scale = b.float(Type::F32, SCALE);
    let scaled = b.binary(BinaryOp::FMul, reciprocal, scale);
    wide_integers::of_float(b, scaled)
}
