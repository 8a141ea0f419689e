//! Constants: interned per function, standing in no region.

use super::{ScalarType, Type};
use smallvec::{SmallVec, smallvec};

/// A constant value: the bits of each lane, zero-extended to 64, or undefined.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    Bits { ty: Type, lanes: SmallVec<[u64; 1]> },
    Undef(Type),
}

impl Constant {
    /// An integer, boolean or null pointer; the value is cut to the type's width.
    pub fn int(ty: Type, value: u64) -> Constant {
        let bits = value & mask(ty.scalar);
        Constant::Bits { ty, lanes: smallvec![bits; usize::from(ty.lanes)] }
    }

    /// A floating value rounded to the type; all lanes the same.
    pub fn float(ty: Type, value: f64) -> Constant {
        Constant::Bits { ty, lanes: smallvec![float_bits(ty.scalar, value); usize::from(ty.lanes)] }
    }

    pub fn ty(&self) -> Type {
        match self {
            Constant::Bits { ty, .. } | Constant::Undef(ty) => *ty,
        }
    }

    /// The lanes' bits, unless undefined.
    pub fn lanes(&self) -> Option<&[u64]> {
        match self {
            Constant::Bits { lanes, .. } => Some(lanes),
            Constant::Undef(_) => None,
        }
    }

    /// The bits of a scalar, or of a vector whose lanes are all equal.
    pub fn splat_bits(&self) -> Option<u64> {
        let lanes = self.lanes()?;
        let first = *lanes.first()?;
        lanes.iter().all(|lane| *lane == first).then_some(first)
    }

    /// Whether all bits of all lanes are zero.
    pub fn is_zero(&self) -> bool {
        self.splat_bits() == Some(0)
    }
}

/// All ones in the width of a scalar.
pub fn mask(scalar: ScalarType) -> u64 {
    match scalar.bits() {
        0 => 0,
        bits => u64::MAX >> (64 - bits),
    }
}

/// The value of an integer's bits as a signed number.
pub fn sign_extend(scalar: ScalarType, bits: u64) -> i64 {
    let shift = 64 - scalar.bits().clamp(1, 64);
    ((bits << shift) as i64) >> shift
}

/// The bits of a floating value rounded once to the scalar type.
pub fn float_bits(scalar: ScalarType, value: f64) -> u64 {
    match scalar {
        ScalarType::F16 => u64::from(half::f16::from_f32(to_odd(value)).to_bits()),
        ScalarType::F32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// The `f32` next to a value on the side of zero, but with an odd last bit where that is not exact: rounding it again to
/// fewer bits is then rounding the value once (Boldo and Melquiond, "When double rounding is odd", 2005).
fn to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let widened = f64::from(nearest);
    if widened == value || value.is_nan() {
        return nearest;
    }
    let toward_zero = nearest.to_bits() - u32::from(widened.abs() > value.abs());
    f32::from_bits(toward_zero | 1)
}

/// The floating value of bits (exact).
pub fn float_value(scalar: ScalarType, bits: u64) -> f64 {
    match scalar {
        ScalarType::F16 => half::f16::from_bits(bits as u16).to_f64(),
        ScalarType::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Between two neighbours a value goes to the nearer one, and from the middle to the even one, however little it is
    /// away from the middle.
    #[test]
    fn half_precision_rounds_once() {
        for bits in 0_u64..0x7BFF {
            let (low, high) = (float_value(ScalarType::F16, bits), float_value(ScalarType::F16, bits + 1));
            let middle = (low + high) / 2.0;
            let even = bits + (bits & 1);
            let (below, above) = (f64::from_bits(middle.to_bits() - 1), f64::from_bits(middle.to_bits() + 1));
            for (value, expected) in [(low, bits), (below, bits), (middle, even), (above, bits + 1)] {
                assert_eq!(float_bits(ScalarType::F16, value), expected, "{value:e}");
                assert_eq!(float_bits(ScalarType::F16, -value), expected | 0x8000, "-{value:e}");
            }
        }
        assert_eq!(float_bits(ScalarType::F16, 65519.999), 0x7BFF);
        assert_eq!(float_bits(ScalarType::F16, 65520.0), 0x7C00);
        assert_eq!(float_bits(ScalarType::F16, 1e300), 0x7C00);
        assert_eq!(float_bits(ScalarType::F16, 1e-300), 0);
    }
}
