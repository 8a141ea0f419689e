//! Integers of two's complement.

use std::cmp::Ordering;

/// A type of integers. A value is held in 64 bits: those of the type, extended by its signedness. Operands may have
/// anything above the width; results are values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Integer {
    bits: u32,
    signed: bool,
}

impl Integer {
    /// The type of that width, of at most 64 bits; of none, it has the value 0 alone.
    pub const fn new(bits: u32, signed: bool) -> Integer {
        Integer { bits: if bits > 64 { 64 } else { bits }, signed }
    }

    /// The signed type of that width.
    pub const fn signed(bits: u32) -> Integer {
        Integer::new(bits, true)
    }

    /// The unsigned type of that width.
    pub const fn unsigned(bits: u32) -> Integer {
        Integer::new(bits, false)
    }

    /// Whether values may be negative.
    pub const fn is_signed(self) -> bool {
        self.signed
    }

    /// The bits of the type, all set.
    pub const fn mask(self) -> u64 {
        match self.bits {
            0 => 0,
            bits => u64::MAX >> (64 - bits),
        }
    }

    /// The top bit of the type.
    pub const fn sign_bit(self) -> u64 {
        self.mask() ^ (self.mask() >> 1)
    }

    /// The value that has these low bits.
    pub const fn wrap(self, bits: u64) -> u64 {
        let low = bits & self.mask();
        if self.signed && low & self.sign_bit() != 0 { low | !self.mask() } else { low }
    }

    /// The sum.
    pub const fn add(self, a: u64, b: u64) -> u64 {
        self.wrap(a.wrapping_add(b))
    }

    /// The difference.
    pub const fn sub(self, a: u64, b: u64) -> u64 {
        self.wrap(a.wrapping_sub(b))
    }

    /// The product.
    pub const fn mul(self, a: u64, b: u64) -> u64 {
        self.wrap(a.wrapping_mul(b))
    }

    /// The negative.
    pub const fn neg(self, a: u64) -> u64 {
        self.wrap(a.wrapping_neg())
    }

    /// The complement.
    pub const fn not(self, a: u64) -> u64 {
        self.wrap(!a)
    }

    /// The quotient, rounded toward zero; `None` for a division by zero. The least value divided by -1 wraps.
    pub fn div(self, a: u64, b: u64) -> Option<u64> {
        let (a, b) = (self.wrap(a), self.wrap(b));
        let quotient = match () {
            () if b == 0 => return None,
            () if self.signed => a.cast_signed().wrapping_div(b.cast_signed()).cast_unsigned(),
            () => a / b,
        };
        Some(self.wrap(quotient))
    }

    /// The remainder, which has the sign of `a`; `None` for a division by zero. Of the least value and -1 it is 0.
    pub fn rem(self, a: u64, b: u64) -> Option<u64> {
        let (a, b) = (self.wrap(a), self.wrap(b));
        let remainder = match () {
            () if b == 0 => return None,
            () if self.signed => a.cast_signed().wrapping_rem(b.cast_signed()).cast_unsigned(),
            () => a % b,
        };
        Some(self.wrap(remainder))
    }

    /// Whether the quotient is out of range: that of the least value and -1.
    pub const fn division_overflows(self, a: u64, b: u64) -> bool {
        self.signed && a & self.mask() == self.sign_bit() && b & self.mask() == self.mask()
    }

    /// Shifted left; the count is taken modulo the width (OpenCL C 6.3.j).
    pub const fn shl(self, a: u64, count: u64) -> u64 {
        self.wrap(a << self.shift_count(count))
    }

    /// Shifted right, with copies of the sign if signed; the count is taken modulo the width.
    pub const fn shr(self, a: u64, count: u64) -> u64 {
        let (a, count) = (self.wrap(a), self.shift_count(count));
        self.wrap(if self.signed { (a.cast_signed() >> count).cast_unsigned() } else { a >> count })
    }

    const fn shift_count(self, count: u64) -> u64 {
        if self.bits == 0 { 0 } else { count % self.bits as u64 }
    }

    /// The order of two values.
    pub fn compare(self, a: u64, b: u64) -> Ordering {
        let (a, b) = (self.wrap(a), self.wrap(b));
        if self.signed { a.cast_signed().cmp(&b.cast_signed()) } else { a.cmp(&b) }
    }

    /// A floating number rounded toward zero; `None` where that is out of range, and of a NaN.
    pub fn from_float(self, value: f64) -> Option<u64> {
        let whole = value.trunc();
        // Powers of two, so exact; the bound above is the first value that is out of range.
        let (least, bound) = match self.signed {
            true => (-power_of_two(self.bits) / 2.0, power_of_two(self.bits) / 2.0),
            false => (0.0, power_of_two(self.bits)),
        };
        (whole >= least && whole < bound).then(|| self.saturating_from_float(whole))
    }

    /// A floating number rounded toward zero, or the nearest value in range; 0 of a NaN.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "Rust's casts from floats saturate")]
    pub fn saturating_from_float(self, value: f64) -> u64 {
        // Rust's conversions saturate. Those to 64 bits are in range for every type that has fewer, whose limits
        // are 64-bit integers.
        match self.signed {
            true => {
                let greatest = (self.mask() >> 1).cast_signed();
                (value as i64).clamp(-greatest - 1, greatest).cast_unsigned()
            }
            false => (value as u64).min(self.mask()),
        }
    }
}

fn power_of_two(exponent: u32) -> f64 {
    f64::powi(2.0, exponent.cast_signed())
}
