//! Scalars as exact numbers: `significand * 2^exponent`, and the exact rounding of such numbers to any scalar type.

use std::cmp::Ordering;

/// The arithmetic scalar types of OpenCL C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Scalar {
    Char,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    Half,
    Float,
    Double,
}

use Scalar::*;

/// All scalar types.
pub const SCALARS: [Scalar; 11] = [Char, UChar, Short, UShort, Int, UInt, Long, ULong, Half, Float, Double];

/// How a number that is between two of a type's is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, to the even one of two as near.
    NearestEven,
    /// Toward zero.
    Zero,
    /// Toward positive infinity.
    Up,
    /// Toward negative infinity.
    Down,
}

/// The value of some bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinite {
        /// Whether it is the negative one.
        negative: bool,
    },
    /// A number; zero has a sign too.
    Finite(Finite),
}

/// `±significand * 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Finite {
    pub negative: bool,
    pub significand: u64,
    pub exponent: i32,
}

impl Scalar {
    /// The type's name.
    pub fn name(self) -> &'static str {
        match self {
            Char => "char",
            UChar => "uchar",
            Short => "short",
            UShort => "ushort",
            Int => "int",
            UInt => "uint",
            Long => "long",
            ULong => "ulong",
            Half => "half",
            Float => "float",
            Double => "double",
        }
    }

    /// Size in bits.
    pub fn bits(self) -> u32 {
        match self {
            Char | UChar => 8,
            Short | UShort | Half => 16,
            Int | UInt | Float => 32,
            Long | ULong | Double => 64,
        }
    }

    /// Size in bytes.
    pub fn bytes(self) -> usize {
        self.bits() as usize / 8
    }

    /// Whether it is a floating type.
    pub fn is_float(self) -> bool {
        matches!(self, Half | Float | Double)
    }

    /// Whether it is a signed integer type.
    pub fn is_signed(self) -> bool {
        matches!(self, Char | Short | Int | Long)
    }

    /// Bits of a floating type's significand, the hidden one included; all bits of an integer type.
    pub fn precision(self) -> u32 {
        match self {
            Half => 11,
            Float => 24,
            Double => 53,
            _ => self.bits(),
        }
    }

    /// Exponent of a floating type's least denormal.
    pub fn least_exponent(self) -> i32 {
        match self {
            Half => -24,
            Float => -149,
            Double => -1074,
            _ => 0,
        }
    }

    /// The bits of a floating type's positive infinity.
    pub fn infinity(self) -> u64 {
        (self.sign() - 1) & !((1 << (self.precision() - 1)) - 1)
    }

    /// The sign bit.
    pub fn sign(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// All bits.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// The least and the greatest value of an integer type.
    pub fn range(self) -> (i128, i128) {
        match self.is_signed() {
            true => (-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1),
            false => (0, (1 << self.bits()) - 1),
        }
    }

    /// Whether the bits are a denormal of this floating type.
    pub fn is_denormal(self, bits: u64) -> bool {
        let magnitude = bits & !self.sign();
        self.is_float() && magnitude != 0 && magnitude >> (self.precision() - 1) == 0
    }

    /// Whether the bits are a NaN of this floating type.
    pub fn is_nan(self, bits: u64) -> bool {
        self.is_float() && bits & !self.sign() & self.mask() > self.infinity()
    }

    /// The number that the bits represent.
    pub fn decode(self, bits: u64) -> Number {
        let bits = bits & self.mask();
        let negative = (self.is_float() || self.is_signed()) && bits & self.sign() != 0;
        if !self.is_float() {
            let significand = if negative { (!bits).wrapping_add(1) & self.mask() } else { bits };
            return Number::Finite(Finite { negative, significand, exponent: 0 });
        }
        let magnitude = bits & !self.sign();
        match magnitude.cmp(&self.infinity()) {
            Ordering::Greater => return Number::Nan,
            Ordering::Equal => return Number::Infinite { negative },
            Ordering::Less => {}
        }
        let hidden = 1 << (self.precision() - 1);
        let (field, fraction) = ((magnitude / hidden) as i32, magnitude % hidden);
        let significand = if field == 0 { fraction } else { fraction | hidden };
        Number::Finite(Finite { negative, significand, exponent: self.least_exponent() + (field - 1).max(0) })
    }
}

impl Rounding {
    /// Whether the magnitude of a number that lies above `kept`, by `rest` compared with half a step, grows.
    fn grows(self, negative: bool, odd: bool, inexact: bool, rest: Ordering) -> bool {
        inexact
            && match self {
                Rounding::NearestEven => rest == Ordering::Greater || rest == Ordering::Equal && odd,
                Rounding::Zero => false,
                Rounding::Up => !negative,
                Rounding::Down => negative,
            }
    }
}

impl Finite {
    /// The number in units of `2^exponent`, rounded. The caller sees to it that the result fits.
    fn in_units(self, exponent: i32, rounding: Rounding) -> u128 {
        let significand = u128::from(self.significand);
        let Ok(right) = u32::try_from(exponent - self.exponent) else {
            return significand << (self.exponent - exponent).unsigned_abs().min(63);
        };
        // Beyond 100 places nothing is left but the sign of the rest.
        let right = right.min(100);
        let (kept, rest) = (significand >> right, significand & ((1 << right) - 1));
        let half = (1u128 << right) / 2;
        let grows = rounding.grows(self.negative, kept & 1 == 1, rest != 0, rest.cmp(&half));
        kept + u128::from(grows)
    }

    /// Rounded to a whole number; magnitudes beyond `2^63 * significand` come out too small, but beyond every type.
    pub fn to_whole(self, rounding: Rounding) -> i128 {
        let magnitude = i128::try_from(self.in_units(0, rounding)).unwrap_or(i128::MAX);
        if self.negative { -magnitude } else { magnitude }
    }

    /// The bits of the number rounded to a floating type (IEEE 754-2019, 4.3 and 7.4).
    pub fn to_float(self, ty: Scalar, rounding: Rounding) -> u64 {
        let sign = if self.negative { ty.sign() } else { 0 };
        if self.significand == 0 {
            return sign;
        }
        let length = 64 - self.significand.leading_zeros() as i32;
        let unit = (self.exponent + length - ty.precision() as i32).max(ty.least_exponent());
        // The hidden bit, or a carry, moves the exponent's field by itself.
        let field = u128::from((unit - ty.least_exponent()).unsigned_abs()) << (ty.precision() - 1);
        let bits = field + self.in_units(unit, rounding);
        let infinity = ty.infinity();
        if bits < u128::from(infinity) {
            return sign | bits as u64;
        }
        match rounding.grows(self.negative, true, true, Ordering::Greater) {
            true => sign | infinity,
            false => sign | (infinity - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finite(value: f64) -> Finite {
        match Double.decode(value.to_bits()) {
            Number::Finite(finite) => finite,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nearest_even_is_what_the_host_does() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..100_000 {
            let bits = random.u64(..) >> 1;
            // Exponents around those of float, so that denormals and overflow are met.
            let bits = bits % (0x2000 << 48) + (0x3000 << 48);
            let value = f64::from_bits(bits);
            if value.is_finite() {
                assert_eq!(finite(value).to_float(Float, Rounding::NearestEven), u64::from((value as f32).to_bits()));
                assert_eq!(finite(value).to_float(Double, Rounding::Up), bits);
            }
            let int = random.u64(..);
            let exact = Finite { negative: false, significand: int, exponent: 0 };
            assert_eq!(exact.to_float(Double, Rounding::NearestEven), (int as f64).to_bits());
            assert_eq!(exact.to_float(Float, Rounding::NearestEven), u64::from((int as f32).to_bits()));
        }
    }

    #[test]
    fn directed_roundings_enclose() {
        assert_eq!(finite(65519.0).to_float(Half, Rounding::NearestEven), 0x7bff);
        assert_eq!(finite(65520.0).to_float(Half, Rounding::NearestEven), 0x7c00);
        assert_eq!(finite(1e300).to_float(Half, Rounding::Zero), 0x7bff);
        assert_eq!(finite(-1e300).to_float(Half, Rounding::Up), 0xfbff);
        assert_eq!(finite(-1e300).to_float(Half, Rounding::Down), 0xfc00);
        assert_eq!(finite(1e-300).to_float(Half, Rounding::Up), 1);
        assert_eq!(finite(1e-300).to_float(Half, Rounding::NearestEven), 0);
        assert_eq!(finite(-2.5).to_whole(Rounding::NearestEven), -2);
        assert_eq!(finite(-2.5).to_whole(Rounding::Zero), -2);
        assert_eq!(finite(-2.5).to_whole(Rounding::Down), -3);
        assert_eq!(finite(1e300).to_whole(Rounding::Zero).min(i128::from(u64::MAX)), i128::from(u64::MAX));
    }
}
