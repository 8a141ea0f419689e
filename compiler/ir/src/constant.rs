//! Constants: they are interned per function and in no region.

use super::{ScalarType, Type};
use clforge_basic::arithmetic::{Float, Integer};
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

/// The integers of a scalar's width, as the unsigned numbers that constants hold.
pub(crate) fn unsigned(scalar: ScalarType) -> Integer {
    Integer::unsigned(scalar.bits())
}

/// The format of a floating scalar.
pub(crate) fn float(scalar: ScalarType) -> Float {
    match scalar {
        ScalarType::F16 => Float::Half,
        ScalarType::F32 => Float::Single,
        _ => Float::Double,
    }
}

/// All ones in the width of a scalar.
pub fn mask(scalar: ScalarType) -> u64 {
    unsigned(scalar).mask()
}

/// The value of an integer's bits as a signed number.
pub fn sign_extend(scalar: ScalarType, bits: u64) -> i64 {
    Integer::signed(scalar.bits()).wrap(bits).cast_signed()
}

/// The bits of a floating value rounded once to the scalar type.
pub fn float_bits(scalar: ScalarType, value: f64) -> u64 {
    float(scalar).bits(value)
}

/// The floating value of bits (exact).
pub fn float_value(scalar: ScalarType, bits: u64) -> f64 {
    float(scalar).value(bits)
}
