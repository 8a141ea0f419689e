//! References of functions whose results are prescribed exactly: correctly rounded functions, and functions without
//! rounding. They are computed in `f64`, which holds all numbers of the types and is wide enough that rounding to a
//! narrower type afterwards rounds as if once.

use super::error::{from_f64, to_f64};
use super::real::Args;
use crate::oracle::number::{Finite, Number, Rounding, Scalar};

/// What a function must return.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Want {
    /// The specification says nothing.
    Anything,
    /// This number, rounded to the type; any NaN for a NaN.
    Real(f64),
    /// One of these.
    Either(f64, f64),
    /// One of these numbers; where denormals are lost the last one, too.
    Product { fused: f64, separate: f64, lost: f64 },
    /// This number, which may be beyond `f64`, rounded to the type.
    Scaled(Finite),
    /// These bits; on a device that loses denormals the second ones will do too (7.5.3).
    Bits(u64, u64),
    /// This integer.
    Int(i32),
    /// An integer with the sign and the low bits of this one, as far as the mask goes.
    LowBits(i32, u32),
}

/// Computes a reference. The type is that of arguments and result.
pub type Exact = fn(Scalar, &Args) -> Want;

impl Want {
    /// Whether a result, as bits, is right, on a device that loses denormals of the type or one that does not.
    pub fn accepts(self, ty: Scalar, result: u64, flushes: bool) -> bool {
        if flushes && self.may_be_denormal(ty) && result & !ty.sign() == 0 {
            return true;
        }
        let is = |value: f64| match value.is_nan() {
            true => ty.is_nan(result),
            false => from_f64(ty, value) == result,
        };
        match self {
            Want::Anything => true,
            Want::Real(value) => is(value),
            Want::Either(one, other) => is(one) || is(other),
            Want::Product { fused, separate, lost } => is(fused) || is(separate) || flushes && is(lost),
            Want::Scaled(finite) => finite.to_float(ty, Rounding::NearestEven) == result,
            Want::Bits(bits, other) => bits == result || flushes && other == result,
            Want::Int(value) => result as i32 == value,
            Want::LowBits(value, mask) => {
                let result = result as i32;
                let same_sign = value == 0 || result == 0 || (value < 0) == (result < 0);
                same_sign && (value.unsigned_abs() ^ result.unsigned_abs()) & mask == 0
            }
        }
    }

    /// Whether it is a denormal of the type before rounding, which a device that loses denormals may return as zero.
    fn may_be_denormal(self, ty: Scalar) -> bool {
        let denormal = |value: f64| value != 0.0 && value.abs() < least_normal(ty);
        match self {
            Want::Real(value) => denormal(value),
            Want::Either(one, other) | Want::Product { fused: one, separate: other, .. } => {
                denormal(one) || denormal(other)
            }
            Want::Scaled(finite) => {
                finite.significand != 0 && {
                    let bits = finite.to_float(ty, Rounding::Zero);
                    bits & !ty.sign() < 1 << (ty.precision() - 1)
                }
            }
            Want::Bits(bits, _) => ty.is_denormal(bits),
            _ => false,
        }
    }
}

/// The least normal number of a floating type.
pub fn least_normal(ty: Scalar) -> f64 {
    to_f64(ty, 1 << (ty.precision() - 1))
}

pub fn add(_: Scalar, a: &Args) -> Want {
    Want::Real(a.x + a.y)
}

pub fn subtract(_: Scalar, a: &Args) -> Want {
    Want::Real(a.x - a.y)
}

pub fn multiply(_: Scalar, a: &Args) -> Want {
    Want::Real(a.x * a.y)
}

pub fn divide(_: Scalar, a: &Args) -> Want {
    Want::Real(a.x / a.y)
}

pub fn sqrt(_: Scalar, a: &Args) -> Want {
    Want::Real(a.x.sqrt())
}

/// Products of narrower types are exact; the sum is rounded to odd, so that rounding it again rounds it once.
pub fn fma(ty: Scalar, a: &Args) -> Want {
    if ty == Scalar::Double {
        return Want::Real(a.x.mul_add(a.y, a.z));
    }
    let product = a.x * a.y;
    let sum = product + a.z;
    let back = sum - product;
    let rest = (product - (sum - back)) + (a.z - back);
    if !sum.is_finite() || rest == 0.0 || sum.to_bits() & 1 == 1 {
        return Want::Real(sum);
    }
    Want::Real(if (rest > 0.0) == (sum > 0.0) {
        f64::from_bits(sum.to_bits() + 1)
    } else {
        f64::from_bits(sum.to_bits() - 1)
    })
}

/// A fused multiplication and addition, or two operations, of which the first may lose a denormal.
pub fn mad(ty: Scalar, a: &Args) -> Want {
    let Want::Real(fused) = fma(ty, a) else { return Want::Anything };
    let product = to_f64(ty, from_f64(ty, a.x * a.y));
    let separate = product + a.z;
    let lost = if (a.x * a.y).abs() < least_normal(ty) { a.z } else { separate };
    Want::Product { fused, separate, lost }
}

pub fn fabs(_: Scalar, a: &Args) -> Want {
    Want::Real(a.x.abs())
}

pub fn ceil(_: Scalar, a: &Args) -> Want {
    Want::Real(a.x.ceil())
}

pub fn floor(_: Scalar, a: &Args) -> Want {
    Want::Real(a.x.floor())
}

pub fn trunc(_: Scalar, a: &Args) -> Want {
    Want::Real(a.x.trunc())
}

pub fn rint(_: Scalar, a: &Args) -> Want {
    Want::Real(a.x.round_ties_even())
}

pub fn round(_: Scalar, a: &Args) -> Want {
    Want::Real(a.x.round())
}

pub fn copysign(_: Scalar, a: &Args) -> Want {
    if a.x.is_nan() || a.y.is_nan() { Want::Anything } else { Want::Real(a.x.copysign(a.y)) }
}

pub fn fdim(_: Scalar, a: &Args) -> Want {
    Want::Real(if a.x.is_nan() || a.y.is_nan() {
        f64::NAN
    } else if a.x > a.y {
        a.x - a.y
    } else {
        0.0
    })
}

/// Zeros of both signs are equal: either may be returned.
fn zeros(a: &Args) -> Option<Want> {
    (a.x == 0.0 && a.y == 0.0).then_some(Want::Either(a.x, a.y))
}

pub fn fmax(_: Scalar, a: &Args) -> Want {
    zeros(a).unwrap_or(Want::Real(a.x.max(a.y)))
}

pub fn fmin(_: Scalar, a: &Args) -> Want {
    zeros(a).unwrap_or(Want::Real(a.x.min(a.y)))
}

/// `max` and `min` leave NaN open.
pub fn max(ty: Scalar, a: &Args) -> Want {
    if a.x.is_nan() || a.y.is_nan() { Want::Anything } else { fmax(ty, a) }
}

pub fn min(ty: Scalar, a: &Args) -> Want {
    if a.x.is_nan() || a.y.is_nan() { Want::Anything } else { fmin(ty, a) }
}

pub fn maxmag(ty: Scalar, a: &Args) -> Want {
    match a.x.abs().partial_cmp(&a.y.abs()) {
        Some(std::cmp::Ordering::Greater) => Want::Real(a.x),
        Some(std::cmp::Ordering::Less) => Want::Real(a.y),
        _ => fmax(ty, a),
    }
}

pub fn minmag(ty: Scalar, a: &Args) -> Want {
    match a.x.abs().partial_cmp(&a.y.abs()) {
        Some(std::cmp::Ordering::Less) => Want::Real(a.x),
        Some(std::cmp::Ordering::Greater) => Want::Real(a.y),
        _ => fmin(ty, a),
    }
}

/// `clamp(x, y, z)`.
pub fn clamp(_: Scalar, a: &Args) -> Want {
    if a.x.is_nan() || !matches!(a.y.partial_cmp(&a.z), Some(order) if order.is_le()) {
        return Want::Anything;
    }
    let value = if a.x < a.y {
        a.y
    } else if a.x > a.z {
        a.z
    } else {
        a.x
    };
    // Zeros of both signs are equal.
    if value == 0.0 { Want::Either(0.0, -0.0) } else { Want::Real(value) }
}

/// `step(edge, x)`.
pub fn step(_: Scalar, a: &Args) -> Want {
    if a.x.is_nan() || a.y.is_nan() { Want::Anything } else { Want::Real(if a.y < a.x { 0.0 } else { 1.0 }) }
}

pub fn sign(_: Scalar, a: &Args) -> Want {
    Want::Real(if a.x.is_nan() {
        0.0
    } else if a.x == 0.0 {
        a.x
    } else {
        a.x.signum()
    })
}

pub fn fmod(_: Scalar, a: &Args) -> Want {
    Want::Real(if a.y == 0.0 { f64::NAN } else { a.x % a.y })
}

pub fn remainder(_: Scalar, a: &Args) -> Want {
    Want::Real(libm::remquo(a.x, a.y).0)
}

/// The quotient of `remquo`: at least its low seven bits.
pub fn remquo(_: Scalar, a: &Args) -> Want {
    if a.x.is_nan() || a.y.is_nan() || a.x.is_infinite() || a.y == 0.0 {
        return Want::Int(0);
    }
    Want::LowBits(libm::remquo(a.x, a.y).1, 0x7f)
}

/// The fraction, below one in any case.
pub fn fract(ty: Scalar, a: &Args) -> Want {
    let below_one = to_f64(ty, from_f64(ty, 1.0) - 1);
    Want::Real(match a.x {
        x if x.is_nan() => x,
        x if x.is_infinite() || x == 0.0 => 0f64.copysign(x),
        // Rounded here, lest it become one by rounding later.
        x => to_f64(ty, from_f64(ty, x - x.floor())).min(below_one),
    })
}

pub fn modf(_: Scalar, a: &Args) -> Want {
    Want::Real(if a.x.is_infinite() { 0f64.copysign(a.x) } else { (a.x - a.x.trunc()).copysign(a.x) })
}

/// A magnitude in `[0.5, 1)` and the exponent of two.
fn frexp(ty: Scalar, a: &Args) -> Option<(f64, i32)> {
    let Number::Finite(finite) = ty.decode(from_f64(ty, a.x)) else { return None };
    let length = (64 - finite.significand.leading_zeros()) as i32;
    let mantissa = Finite { exponent: -length, ..finite };
    let bits = mantissa.to_float(Scalar::Double, Rounding::Zero);
    (finite.significand != 0).then_some((f64::from_bits(bits), finite.exponent + length))
}

pub fn frexp_mantissa(ty: Scalar, a: &Args) -> Want {
    Want::Real(frexp(ty, a).map_or(a.x, |(mantissa, _)| mantissa))
}

pub fn frexp_exponent(ty: Scalar, a: &Args) -> Want {
    Want::Int(frexp(ty, a).map_or(0, |(_, exponent)| exponent))
}

/// `FP_ILOGB0` is the least `int` here, `FP_ILOGBNAN` the greatest.
pub fn ilogb(ty: Scalar, a: &Args) -> Want {
    match frexp(ty, a) {
        Some((_, exponent)) => Want::Int(exponent - 1),
        None => Want::Int(if a.x == 0.0 { i32::MIN } else { i32::MAX }),
    }
}

pub fn logb(ty: Scalar, a: &Args) -> Want {
    Want::Real(match frexp(ty, a) {
        Some((_, exponent)) => f64::from(exponent - 1),
        None if a.x == 0.0 => f64::NEG_INFINITY,
        None => a.x.abs(),
    })
}

pub fn ldexp(ty: Scalar, a: &Args) -> Want {
    match ty.decode(from_f64(ty, a.x)) {
        Number::Finite(finite) if finite.significand != 0 => {
            Want::Scaled(Finite { exponent: finite.exponent.saturating_add(a.n.clamp(-20_000, 20_000)), ..finite })
        }
        _ => Want::Real(a.x),
    }
}

pub fn nextafter(ty: Scalar, a: &Args) -> Want {
    if a.x.is_nan() || a.y.is_nan() || a.x == a.y {
        return Want::Real(if a.x.is_nan() { a.x } else { a.y });
    }
    let bits = from_f64(ty, a.x);
    match (a.x == 0.0, (a.x < a.y) == (a.x > 0.0)) {
        (true, _) => {
            let sign = if a.y < 0.0 { ty.sign() } else { 0 };
            // Without denormals the least normal number is next to zero.
            Want::Bits(sign | 1, sign | 1 << (ty.precision() - 1))
        }
        (_, true) => Want::Bits(bits + 1, bits + 1),
        _ => Want::Bits(bits - 1, bits - 1),
    }
}

/// The sign that `lgamma_r` stores.
pub fn gamma_sign(_: Scalar, a: &Args) -> Want {
    match a.x {
        x if x.is_nan() || x.is_infinite() => Want::Anything,
        x if x == 0.0 || (x < 0.0 && x.fract() == 0.0) => Want::Int(0),
        x => Want::Int(if x > 0.0 || x.floor() % 2.0 == 0.0 { 1 } else { -1 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(want: Want, flushes: bool) -> Vec<u64> {
        let near_zero = [0, 1, 2, 0x0080_0000, 0x0080_0001, 0x8000_0000, 0x8000_0001, 0x8080_0000];
        near_zero.into_iter().filter(|bits| want.accepts(Scalar::Float, *bits, flushes)).collect()
    }

    #[test]
    fn lost_denormals_are_zeros_of_either_sign() {
        let tiny = f64::from(f32::from_bits(1));
        let args = Args { x: tiny, y: 1.0, ..Args::default() };
        assert_eq!(accepted(multiply(Scalar::Float, &args), false), [1]);
        assert_eq!(accepted(multiply(Scalar::Float, &args), true), [0, 1, 0x8000_0000]);
        // The number before the least normal one, and what is next to zero.
        let after = |x: f64, y: f64| nextafter(Scalar::Float, &Args { x, y, ..Args::default() });
        assert_eq!(accepted(after(0.0, -1.0), false), [0x8000_0001]);
        assert_eq!(accepted(after(0.0, -1.0), true), [0, 0x8000_0000, 0x8000_0001, 0x8080_0000]);
        assert_eq!(accepted(after(least_normal(Scalar::Float), 1.0), true), [0x0080_0001]);
    }

    #[test]
    fn products_of_mad_may_be_lost() {
        let least = least_normal(Scalar::Float);
        let sum = mad(Scalar::Float, &Args { x: least, y: 2f64.powi(-23), z: least, n: 0 });
        assert_eq!(accepted(sum, false), [0x0080_0001]);
        assert_eq!(accepted(sum, true), [0x0080_0000, 0x0080_0001]);
    }
}
