//! Division of unsigned integers of 64 bits by those that are not known: by an estimate of the reciprocal.

use super::super::builtins::wide_product;
use clforge_basic::options::Options;
use clforge_ir::*;
use smallvec::smallvec;

/// 2^64 less a part in 2^20, in which all errors of the reciprocal's estimate are: of the divisor as a float (2^-23), of the
/// reciprocal (2.5 ulp) and of the product. So it is less than the reciprocal, by a part in 2^19 at most.
const SCALE: f64 = ((1_u64 << 20) - 1) as f64 * (1_u64 << 44) as f64;
const TWO_TO_32: f64 = 4_294_967_296.0;

/// The quotient of unsigned integers; of a division by zero nothing is required. What fits in 32 bits is divided so, which is
/// the usual case of a `size_t`; where that is seen of both, nothing else is made.
pub fn quotient(b: &mut Builder<'_>, n: Value, d: Value, fit: bool, options: &Options) -> Value {
    if fit {
        return of_words(b, n, d);
    }
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

fn low(b: &mut Builder<'_>, value: Value) -> Value {
    b.resize(value, ScalarType::I32, false)
}

fn high(b: &mut Builder<'_>, value: Value) -> Value {
    let shifted = b.binary_int(BinaryOp::LShr, value, 32);
    low(b, shifted)
}

/// The quotient of integers of at most 32 bits.
fn of_words(b: &mut Builder<'_>, n: Value, d: Value) -> Value {
    let (n, d) = (low(b, n), low(b, d));
    let quotient = b.binary(BinaryOp::UDiv, n, d);
    b.resize(quotient, ScalarType::I64, false)
}

/// The quotient of any integers. Newton's iteration x(2 - dx) squares the relative error of a reciprocal x from below, and what
/// is cut off each time is less than one: after two steps x is less than 2^64/d by less than 2.4, and the quotient is too
/// small by at most 2.
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

/// An integer that is less than 2^64/d by a part in 2^19 at most, or by less than one.
fn estimate(b: &mut Builder<'_>, d: Value) -> Value {
    let words = [low(b, d), high(b, d)];
    let [low, high] = words.map(|word| b.convert(ConvertOp::UToF, word, Type::F32));
    let (scale, up, down) =
        (b.float(Type::F32, SCALE), b.float(Type::F32, TWO_TO_32), b.float(Type::F32, 1.0 / TWO_TO_32));
    let high = b.binary(BinaryOp::FMul, high, up);
    let d = b.binary(BinaryOp::FAdd, high, low);
    let one = b.float(Type::F32, 1.0);
    let reciprocal = b.binary(BinaryOp::FDiv, one, d);
    let scaled = b.binary(BinaryOp::FMul, reciprocal, scale);
    // A float has the bits of the upper word or of the lower, and at the border some of both: all of this is exact.
    let high = b.binary(BinaryOp::FMul, scaled, down);
    let high = b.convert(ConvertOp::FToU, high, Type::I32);
    let whole = b.convert(ConvertOp::UToF, high, Type::F32);
    let whole = b.binary(BinaryOp::FMul, whole, up);
    let rest = b.binary(BinaryOp::FSub, scaled, whole);
    let low = b.convert(ConvertOp::FToU, rest, Type::I32);
    let words = [low, high].map(|word| b.resize(word, ScalarType::I64, false));
    let high = b.binary_int(BinaryOp::Shl, words[1], 32);
    b.binary(BinaryOp::Or, high, words[0])
}
