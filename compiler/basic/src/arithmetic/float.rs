//! The binary formats of IEEE 754 that OpenCL has. A value of any of them is held exactly in an `f64`.

use super::Integer;
use crate::narrow::{low_u16, low_u32, nearest_f32};

/// A floating format. Operations round to nearest even.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Float {
    /// binary16, `half`
    Half,
    /// binary32, `float`
    Single,
    /// binary64, `double`
    Double,
}

impl Float {
    /// The value of the format that is nearest.
    pub fn round(self, value: f64) -> f64 {
        self.value(self.bits(value))
    }

    /// The bits of the value of the format that is nearest.
    pub fn bits(self, value: f64) -> u64 {
        match self {
            Float::Half => u64::from(half::f16::from_f32(to_odd(value)).to_bits()),
            Float::Single => u64::from(nearest_f32(value).to_bits()),
            Float::Double => value.to_bits(),
        }
    }

    /// The value of bits, of which those above the format's width are ignored.
    pub fn value(self, bits: u64) -> f64 {
        match self {
            Float::Half => half::f16::from_bits(low_u16(bits)).to_f64(),
            Float::Single => f64::from(f32::from_bits(low_u32(bits))),
            Float::Double => f64::from_bits(bits),
        }
    }

    /// The sum of two values of the format.
    pub fn add(self, a: f64, b: f64) -> f64 {
        // Here and below: `f64` has more than twice the bits of `f32` and two, so that rounding to it first changes
        // nothing (Figueroa, "When is double rounding innocuous?", 1995).
        self.round(a + b)
    }

    /// The difference of two values of the format.
    pub fn sub(self, a: f64, b: f64) -> f64 {
        self.round(a - b)
    }

    /// The product of two values of the format.
    pub fn mul(self, a: f64, b: f64) -> f64 {
        self.round(a * b)
    }

    /// The quotient of two values of the format.
    pub fn div(self, a: f64, b: f64) -> f64 {
        self.round(a / b)
    }

    /// An integer of that type as a value of the format, rounded once.
    pub fn from_integer(self, value: u64, ty: Integer) -> f64 {
        let value = ty.wrap(value);
        match (self, ty.is_signed()) {
            (Float::Single, true) => f64::from(value.cast_signed() as f32),
            (Float::Single, false) => f64::from(value as f32),
            // What `f64` cannot hold is beyond binary16.
            (Float::Half | Float::Double, true) => self.round(value.cast_signed() as f64),
            (Float::Half | Float::Double, false) => self.round(value as f64),
        }
    }
}

/// The `f32` next to a value on the side of zero, but with an odd last bit where that is not exact: rounding it again to
/// fewer bits is then rounding the value once (Boldo and Melquiond, "When double rounding is odd", 2005).
fn to_odd(value: f64) -> f32 {
    let nearest = nearest_f32(value);
    let widened = f64::from(nearest);
    if widened == value || value.is_nan() {
        return nearest;
    }
    let toward_zero = nearest.to_bits() - u32::from(widened.abs() > value.abs());
    f32::from_bits(toward_zero | 1)
}
