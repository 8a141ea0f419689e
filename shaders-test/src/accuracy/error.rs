//! Distances between results and references in ulp, as OpenCL C 7.4 defines them.

use super::real::PRECISION;
use crate::oracle::number::{Number, Rounding, Scalar};
use rug::Float;
use std::cmp::Ordering;

/// The value of a floating type's bits, exactly.
pub fn to_f64(ty: Scalar, bits: u64) -> f64 {
    match ty {
        Scalar::Double => f64::from_bits(bits),
        Scalar::Float => f64::from(f32::from_bits(bits as u32)),
        _ => match ty.decode(bits) {
            Number::Nan => f64::NAN,
            Number::Infinite { negative } => {
                if negative {
                    f64::NEG_INFINITY
                } else {
                    f64::INFINITY
                }
            }
            Number::Finite(finite) => f64::from_bits(finite.to_float(Scalar::Double, Rounding::NearestEven)),
        },
    }
}

/// The bits of a floating type nearest to a value.
pub fn from_f64(ty: Scalar, value: f64) -> u64 {
    match Scalar::Double.decode(value.to_bits()) {
        _ if ty == Scalar::Double => value.to_bits(),
        _ if ty == Scalar::Float => u64::from((value as f32).to_bits()),
        Number::Nan => ty.infinity() + 1,
        Number::Infinite { negative } => ty.infinity() | if negative { ty.sign() } else { 0 },
        Number::Finite(finite) => finite.to_float(ty, Rounding::NearestEven),
    }
}

/// Greatest exponent of a type's numbers.
fn greatest_exponent(ty: Scalar) -> i32 {
    ty.least_exponent() + ty.precision() as i32 - 1 + (ty.infinity() >> (ty.precision() - 1)) as i32 - 2
}

/// The exponent of the unit in the last place of a reference in `[2^exponent, 2^(exponent+1))`. A power of two counts
/// with the smaller numbers, beyond the range the greatest binade counts.
fn unit(ty: Scalar, exponent: i32, power_of_two: bool) -> i32 {
    let exponent = (exponent - i32::from(power_of_two)).min(greatest_exponent(ty));
    (exponent - ty.precision() as i32 + 1).max(ty.least_exponent())
}

/// A result that overflowed counts as the number after the greatest.
fn overflowed(ty: Scalar, value: f64) -> Float {
    match value.is_infinite() {
        true => Float::with_val(PRECISION, value.signum()) << (greatest_exponent(ty) + 1),
        false => Float::with_val(PRECISION, value),
    }
}

/// The exact distance of a result from a reference; infinite where a special value was not met.
pub fn distance(ty: Scalar, result: f64, reference: &Float) -> f64 {
    if reference.is_nan() || result.is_nan() {
        return if reference.is_nan() && result.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if reference.is_infinite() || reference.is_zero() {
        return if *reference == result && reference.is_sign_negative() == result.is_sign_negative() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let exponent = reference.get_exp().unwrap_or(0) - 1;
    let beyond = exponent > greatest_exponent(ty);
    if beyond && result.is_infinite() {
        return if reference.is_sign_negative() == result.is_sign_negative() { 0.0 } else { f64::INFINITY };
    }
    let power_of_two = (Float::with_val(2, 1) << exponent).cmp_abs(reference) == Some(Ordering::Equal);
    let unit = unit(ty, exponent, power_of_two);
    ((overflowed(ty, result) - reference).abs() >> unit).to_f64()
}

/// An upper bound on the distance from a reference that is known to `bound` units of `f64`; infinite where `f64` is not
/// enough to tell.
pub fn upper_bound(ty: Scalar, result: f64, estimate: f64, bound: f64) -> f64 {
    if result.to_bits() == estimate.to_bits() && (estimate.is_infinite() || estimate == 0.0) && bound.is_finite() {
        // An estimate that is zero or infinite can be of a value that is not quite.
        return if ty == Scalar::Double { 1.0 + bound } else { 0.5 };
    }
    if result.is_nan() && estimate.is_nan() && bound.is_finite() {
        return 0.0;
    }
    if !result.is_finite() || !estimate.is_finite() || estimate.abs() < f64::MIN_POSITIVE {
        return f64::INFINITY;
    }
    let bits = estimate.abs().to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    if exponent >= greatest_exponent(ty) {
        return f64::INFINITY;
    }
    // The value itself may be below the power of two that the estimate is just above.
    let fraction = bits & ((1 << 52) - 1);
    let unit = unit(ty, exponent, fraction as f64 <= bound);
    let uncertainty = bound * scale(1.0, exponent - 52 - unit);
    scale((result - estimate).abs(), -unit) * (1.0 + 1e-9) + uncertainty
}

/// `x * 2^exponent`, whatever the exponent.
fn scale(x: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    x * 2f64.powi(half) * 2f64.powi(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_of_the_binade_of_the_reference() {
        let one = Float::with_val(PRECISION, 1.0);
        let third = Float::with_val(PRECISION, 1.0) / 3;
        // Below a power of two numbers are twice as close.
        assert_eq!(distance(Scalar::Float, 1.0 + f64::from(f32::EPSILON), &one), 2.0);
        assert_eq!(distance(Scalar::Float, 1.0 - f64::from(f32::EPSILON) / 2.0, &one), 1.0);
        let error = distance(Scalar::Float, f64::from(1.0f32 / 3.0), &third);
        assert!(error > 0.3 && error < 0.34, "{error}");
        assert!(upper_bound(Scalar::Float, f64::from(1.0f32 / 3.0), 1.0 / 3.0, 1.0) >= error);
        let tiny = Float::with_val(PRECISION, 1e-60);
        assert!(distance(Scalar::Float, 0.0, &tiny) < 1e-10);
        let huge = Float::with_val(PRECISION, 3.4028236e38);
        assert!(distance(Scalar::Float, f64::INFINITY, &huge) < 1.0);
        assert!(distance(Scalar::Float, f64::INFINITY, &one).is_finite());
        assert_eq!(distance(Scalar::Float, -0.0, &Float::new(PRECISION)), f64::INFINITY);
    }

    #[test]
    fn halves_come_and_go() {
        for bits in (0..0x10000).filter(|bits| !Scalar::Half.is_nan(*bits)) {
            assert_eq!(from_f64(Scalar::Half, to_f64(Scalar::Half, bits)), bits);
        }
        assert_eq!(greatest_exponent(Scalar::Half), 15);
        assert_eq!(greatest_exponent(Scalar::Double), 1023);
    }
}
