//! What operations compute on constants: IEEE 754 to nearest even, integers modulo their width. Where the IR's contract
//! says the result is undefined, there is no constant.

use crate::constant::{float_bits, float_value, mask, sign_extend};
use crate::{BinaryOp, CompareOp, ConvertOp, ScalarType, Type, UnaryOp};
use smallvec::SmallVec;

/// The lanes of a constant.
pub type Bits = SmallVec<[u64; 1]>;

/// A unary operation on one lane.
pub fn unary(op: UnaryOp, scalar: ScalarType, a: u64) -> u64 {
    match op {
        UnaryOp::Neg => a.wrapping_neg() & mask(scalar),
        UnaryOp::Not => !a & mask(scalar),
        UnaryOp::FNeg => a ^ sign_bit(scalar),
    }
}

/// The top bit of a scalar.
pub fn sign_bit(scalar: ScalarType) -> u64 {
    mask(scalar) ^ (mask(scalar) >> 1)
}

/// A binary operation on one lane.
pub fn binary(op: BinaryOp, scalar: ScalarType, a: u64, b: u64) -> Option<u64> {
    let (sa, sb) = (sign_extend(scalar, a), sign_extend(scalar, b));
    let shift = || (b < u64::from(scalar.bits())).then_some(b as u32);
    let bits = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::SDiv | BinaryOp::SRem if a == sign_bit(scalar) && b == mask(scalar) => return None,
        BinaryOp::SDiv => sa.checked_div(sb)? as u64,
        BinaryOp::SRem => sa.checked_rem(sb)? as u64,
        BinaryOp::UDiv => a.checked_div(b)?,
        BinaryOp::URem => a.checked_rem(b)?,
        BinaryOp::Shl => a << shift()?,
        BinaryOp::LShr => a >> shift()?,
        BinaryOp::AShr => (sa >> shift()?) as u64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::FAdd => float(scalar, a, b, |a, b| a + b, |a, b| a + b),
        BinaryOp::FSub => float(scalar, a, b, |a, b| a - b, |a, b| a - b),
        BinaryOp::FMul => float(scalar, a, b, |a, b| a * b, |a, b| a * b),
        BinaryOp::FDiv => float(scalar, a, b, |a, b| a / b, |a, b| a / b),
    };
    Some(bits & mask(scalar))
}

/// `f16` is computed in `f64`: it has more than twice the bits and two, so rounding twice is rounding once.
fn float(scalar: ScalarType, a: u64, b: u64, single: fn(f32, f32) -> f32, double: fn(f64, f64) -> f64) -> u64 {
    match scalar {
        ScalarType::F32 => u64::from(single(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits()),
        _ => float_bits(scalar, double(float_value(scalar, a), float_value(scalar, b))),
    }
}

/// A comparison of one lane.
pub fn compare(op: CompareOp, scalar: ScalarType, a: u64, b: u64) -> bool {
    let (sa, sb) = (sign_extend(scalar, a), sign_extend(scalar, b));
    let (fa, fb) = (float_value(scalar, a), float_value(scalar, b));
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::SLt => sa < sb,
        CompareOp::SLe => sa <= sb,
        CompareOp::SGt => sa > sb,
        CompareOp::SGe => sa >= sb,
        CompareOp::ULt => a < b,
        CompareOp::ULe => a <= b,
        CompareOp::UGt => a > b,
        CompareOp::UGe => a >= b,
        CompareOp::FEq => fa == fb,
        CompareOp::FNe => fa != fb,
        CompareOp::FLt => fa < fb,
        CompareOp::FLe => fa <= fb,
        CompareOp::FGt => fa > fb,
        CompareOp::FGe => fa >= fb,
        CompareOp::FOrd => !fa.is_nan() && !fb.is_nan(),
        CompareOp::FUno => fa.is_nan() || fb.is_nan(),
    }
}

/// A conversion of one lane; not `Bitcast` nor of pointers.
pub fn convert(op: ConvertOp, from: ScalarType, to: ScalarType, a: u64) -> Option<u64> {
    let limit = 2f64.powi(to.bits() as i32);
    let whole = || float_value(from, a).trunc();
    let bits = match op {
        ConvertOp::Trunc | ConvertOp::ZExt => a,
        ConvertOp::SExt => sign_extend(from, a) as u64,
        ConvertOp::FTrunc | ConvertOp::FExt => float_bits(to, float_value(from, a)),
        ConvertOp::FToS => {
            let value = whole();
            (value >= -limit / 2.0 && value < limit / 2.0).then_some(value as i64 as u64)?
        }
        ConvertOp::FToU => {
            let value = whole();
            (value >= 0.0 && value < limit).then_some(value as u64)?
        }
        // To `f32` directly: through `f64` it would be rounded twice.
        ConvertOp::SToF if to == ScalarType::F32 => u64::from((sign_extend(from, a) as f32).to_bits()),
        ConvertOp::UToF if to == ScalarType::F32 => u64::from((a as f32).to_bits()),
        // What `f64` cannot hold is beyond `f16`.
        ConvertOp::SToF => float_bits(to, sign_extend(from, a) as f64),
        ConvertOp::UToF => float_bits(to, a as f64),
        ConvertOp::Bitcast | ConvertOp::PtrToInt | ConvertOp::IntToPtr => return None,
        // Null is null in every space.
        ConvertOp::PtrCast | ConvertOp::PtrCastChecked => (a == 0).then_some(0)?,
    };
    Some(bits & mask(to))
}

/// The same bits in other lanes; lane 0 is the low bits.
pub fn bitcast(from: Type, to: Type, lanes: &[u64]) -> Bits {
    let (from_bits, to_bits) = (from.scalar.bits(), to.scalar.bits());
    let mut result = Bits::new();
    if from_bits == 0 || to_bits == 0 {
        return result;
    }
    for lane in 0..u32::from(to.lanes) {
        let mut bits = 0;
        if from_bits >= to_bits {
            let at = lane * to_bits;
            let source = lanes.get((at / from_bits) as usize).copied().unwrap_or(0);
            bits = source >> (at % from_bits);
        } else {
            for part in 0..to_bits / from_bits {
                let index = lane * (to_bits / from_bits) + part;
                bits |= lanes.get(index as usize).copied().unwrap_or(0) << (part * from_bits);
            }
        }
        result.push(bits & mask(to.scalar));
    }
    result
}
