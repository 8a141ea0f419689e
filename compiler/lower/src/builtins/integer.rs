//! Integer functions (OpenCL C 6.15.3).

use super::convert::saturate;
use super::{Entry, Lower, Lowered};
use clforge_ir::{BinaryOp, Builder, CompareOp, Intrinsic, ScalarType, UnaryOp, Value};

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("abs", abs),
    ("abs_diff", abs_diff),
    ("add_sat", add_sat),
    ("hadd", hadd),
    ("rhadd", rhadd),
    ("clz", clz),
    ("ctz", ctz),
    ("mad_hi", mad_hi),
    ("mad_sat", mad_sat),
    ("mul_hi", mul_hi),
    ("rotate", rotate),
    ("sub_sat", sub_sat),
    ("upsample", upsample),
    ("popcount", popcount),
    ("mad24", mad24),
    ("mul24", mul24),
];

pub fn abs(l: &mut Lower<'_, '_>) -> Lowered {
    let x = l.arg(0)?;
    if !l.is_signed(0) {
        return Ok(Some(x));
    }
    let negative = l.b.compare_int(CompareOp::SLt, x, 0);
    let negated = l.b.unary(UnaryOp::Neg, x);
    Ok(Some(l.b.select(negative, negated, x)))
}

/// `|x - y|`, which fits the unsigned type.
pub fn abs_diff(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    let above = if l.is_signed(0) { CompareOp::SGt } else { CompareOp::UGt };
    let above = l.b.compare(above, x, y);
    let (down, up) = (l.b.binary(BinaryOp::Sub, x, y), l.b.binary(BinaryOp::Sub, y, x));
    Ok(Some(l.b.select(above, down, up)))
}

fn sign_shift(b: &Builder<'_>, x: Value) -> i64 {
    i64::from(b.ty(x).scalar.bits()) - 1
}

/// The bound on `x`'s side: the greatest value for `x >= 0`, the least for `x < 0`.
fn bound_of(b: &mut Builder<'_>, x: Value) -> Value {
    let shift = sign_shift(b, x);
    let sign = b.binary_int(BinaryOp::AShr, x, shift);
    let greatest = i64::MAX >> (63 - shift);
    b.binary_int(BinaryOp::Xor, sign, greatest)
}

/// Whether the sum and the difference of two integers like `x` fit 32 bits.
fn is_narrow(b: &Builder<'_>, x: Value) -> bool {
    b.ty(x).scalar.bits() < 32
}

/// `x op y` of narrow integers in 32 bits, saturated: two minima cost less than finding out about an overflow.
fn saturated_in_words(b: &mut Builder<'_>, op: BinaryOp, x: Value, y: Value, signed: bool) -> Value {
    let scalar = b.ty(x).scalar;
    let (x, y) = (b.resize(x, ScalarType::I32, signed), b.resize(y, ScalarType::I32, signed));
    let wide = b.binary(op, x, y);
    saturate(b, wide, signed || op == BinaryOp::Sub, scalar, signed)
}

fn add_saturated(b: &mut Builder<'_>, x: Value, y: Value, signed: bool) -> Value {
    if is_narrow(b, x) {
        return saturated_in_words(b, BinaryOp::Add, x, y, signed);
    }
    let sum = b.binary(BinaryOp::Add, x, y);
    if !signed {
        let wrapped = b.compare(CompareOp::ULt, sum, x);
        let ty = b.ty(x);
        let ones = b.int(ty, -1);
        return b.select(wrapped, ones, sum);
    }
    // Overflow: both operands have the sign that the sum has not.
    let (dx, dy) = (b.binary(BinaryOp::Xor, x, sum), b.binary(BinaryOp::Xor, y, sum));
    let both = b.binary(BinaryOp::And, dx, dy);
    let overflow = b.compare_int(CompareOp::SLt, both, 0);
    let bound = bound_of(b, x);
    b.select(overflow, bound, sum)
}

pub fn add_sat(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y, signed) = (l.arg(0)?, l.arg(1)?, l.is_signed(0));
    Ok(Some(add_saturated(l.b, x, y, signed)))
}

pub fn sub_sat(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    if is_narrow(l.b, x) {
        let signed = l.is_signed(0);
        return Ok(Some(saturated_in_words(l.b, BinaryOp::Sub, x, y, signed)));
    }
    let difference = l.b.binary(BinaryOp::Sub, x, y);
    if !l.is_signed(0) {
        let below = l.b.compare(CompareOp::ULt, x, y);
        let ty = l.b.ty(x);
        let zero = l.b.int(ty, 0);
        return Ok(Some(l.b.select(below, zero, difference)));
    }
    // Overflow: the operands' signs differ, and the difference has not that of the first.
    let (dy, dd) = (l.b.binary(BinaryOp::Xor, x, y), l.b.binary(BinaryOp::Xor, x, difference));
    let both = l.b.binary(BinaryOp::And, dy, dd);
    let overflow = l.b.compare_int(CompareOp::SLt, both, 0);
    let bound = bound_of(l.b, x);
    Ok(Some(l.b.select(overflow, bound, difference)))
}

/// Half of `x ^ y`, with the sign of the type.
fn half_difference(l: &mut Lower<'_, '_>, x: Value, y: Value) -> Value {
    let shift = if l.is_signed(0) { BinaryOp::AShr } else { BinaryOp::LShr };
    let differing = l.b.binary(BinaryOp::Xor, x, y);
    l.b.binary_int(shift, differing, 1)
}

/// `(x + y) >> 1` without overflow: the common bits and half of the others.
pub fn hadd(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    let half = half_difference(l, x, y);
    let common = l.b.binary(BinaryOp::And, x, y);
    Ok(Some(l.b.binary(BinaryOp::Add, common, half)))
}

/// `(x + y + 1) >> 1` without overflow.
pub fn rhadd(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    let half = half_difference(l, x, y);
    let any = l.b.binary(BinaryOp::Or, x, y);
    Ok(Some(l.b.binary(BinaryOp::Sub, any, half)))
}

fn count(l: &mut Lower<'_, '_>, function: Intrinsic) -> Lowered {
    let x = l.arg(0)?;
    let ty = l.b.ty(x);
    Ok(Some(l.builtin(function, &[x], ty)))
}

pub fn clz(l: &mut Lower<'_, '_>) -> Lowered {
    count(l, Intrinsic::Clz)
}

pub fn ctz(l: &mut Lower<'_, '_>) -> Lowered {
    count(l, Intrinsic::Ctz)
}

pub fn popcount(l: &mut Lower<'_, '_>) -> Lowered {
    count(l, Intrinsic::Popcount)
}

fn high(l: &mut Lower<'_, '_>, x: Value, y: Value) -> Value {
    let function = if l.is_signed(0) { Intrinsic::SMulHi } else { Intrinsic::UMulHi };
    let ty = l.b.ty(x);
    l.builtin(function, &[x, y], ty)
}

pub fn mul_hi(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    Ok(Some(high(l, x, y)))
}

pub fn mad_hi(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y, z) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let high = high(l, x, y);
    Ok(Some(l.b.binary(BinaryOp::Add, high, z)))
}

/// `x * y + z`, saturated: in twice the width, which holds it, or in two words.
pub fn mad_sat(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y, z, signed) = (l.arg(0)?, l.arg(1)?, l.arg(2)?, l.is_signed(0));
    let scalar = l.b.ty(x).scalar;
    if scalar != ScalarType::I64 {
        let wide = ScalarType::int(scalar.bits() * 2);
        let mut extend = |value: Value| l.b.resize(value, wide, signed);
        let (x, y, z) = (extend(x), extend(y), extend(z));
        let product = l.b.binary(BinaryOp::Mul, x, y);
        let sum = l.b.binary(BinaryOp::Add, product, z);
        return Ok(Some(saturate(l.b, sum, signed, scalar, signed)));
    }
    let high = high(l, x, y);
    let low = l.b.binary(BinaryOp::Mul, x, y);
    if !signed {
        let sum = add_saturated(l.b, low, z, false);
        let fits = l.b.compare_int(CompareOp::Eq, high, 0);
        let ty = l.b.ty(x);
        let ones = l.b.int(ty, -1);
        return Ok(Some(l.b.select(fits, sum, ones)));
    }
    let sum = l.b.binary(BinaryOp::Add, low, z);
    let carry = l.b.compare(CompareOp::ULt, sum, low);
    let ty = l.b.ty(x);
    let (one, zero) = (l.b.int(ty, 1), l.b.int(ty, 0));
    let carry = l.b.select(carry, one, zero);
    let z_high = l.b.binary_int(BinaryOp::AShr, z, 63);
    let high = l.b.binary(BinaryOp::Add, high, z_high);
    let high = l.b.binary(BinaryOp::Add, high, carry);
    let extension = l.b.binary_int(BinaryOp::AShr, sum, 63);
    let fits = l.b.compare(CompareOp::Eq, high, extension);
    let bound = bound_of(l.b, high);
    Ok(Some(l.b.select(fits, sum, bound)))
}

/// A funnel shift by counts below the width: two shifts and an or, which back ends recognise as a rotation.
pub fn rotate(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, count) = (l.arg(0)?, l.arg(1)?);
    let ty = l.b.ty(x);
    let mask = i64::from(ty.scalar.bits()) - 1;
    let (left, right) = match l.b.function.as_int(count) {
        Some(bits) => {
            let left = bits as i64 & mask;
            if left == 0 {
                return Ok(Some(x));
            }
            (l.b.int(ty, left), l.b.int(ty, mask + 1 - left))
        }
        None => {
            let back = l.b.unary(UnaryOp::Neg, count);
            (l.b.binary_int(BinaryOp::And, count, mask), l.b.binary_int(BinaryOp::And, back, mask))
        }
    };
    let up = l.b.binary(BinaryOp::Shl, x, left);
    let down = l.b.binary(BinaryOp::LShr, x, right);
    Ok(Some(l.b.binary(BinaryOp::Or, up, down)))
}

pub fn upsample(l: &mut Lower<'_, '_>) -> Lowered {
    let (high, low) = (l.arg(0)?, l.arg(1)?);
    let ty = l.number()?;
    let high = l.b.resize(high, ty.scalar, false);
    let low = l.b.resize(low, ty.scalar, false);
    let high = l.b.binary_int(BinaryOp::Shl, high, i64::from(ty.scalar.bits() / 2));
    Ok(Some(l.b.binary(BinaryOp::Or, high, low)))
}

/// Operands beyond 24 bits give an implementation-defined result: the plain product is one.
pub fn mul24(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    Ok(Some(l.b.binary(BinaryOp::Mul, x, y)))
}

pub fn mad24(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y, z) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let product = l.b.binary(BinaryOp::Mul, x, y);
    Ok(Some(l.b.binary(BinaryOp::Add, product, z)))
}
