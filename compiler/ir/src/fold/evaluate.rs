//! Evaluates operations on constants with the arithmetic of [`clforge_basic::arithmetic`]. An operation whose result is
//! undefined by the IR's contract is not folded.

use crate::constant::{float, mask, unsigned};
use crate::{BinaryOp, CompareOp, ConvertOp, ScalarType, Type, UnaryOp};
use clforge_basic::arithmetic::{Float, Integer, Relation, reinterpreted_lane};
use smallvec::SmallVec;

/// The lanes of a constant.
pub type Bits = SmallVec<[u64; 1]>;

fn signed(scalar: ScalarType) -> Integer {
    Integer::signed(scalar.bits())
}

/// A unary operation on one lane.
pub fn unary(op: UnaryOp, scalar: ScalarType, a: u64) -> u64 {
    match op {
        UnaryOp::Neg => unsigned(scalar).neg(a),
        UnaryOp::Not => unsigned(scalar).not(a),
        UnaryOp::FNeg => a ^ sign_bit(scalar),
    }
}

/// The top bit of a scalar.
pub fn sign_bit(scalar: ScalarType) -> u64 {
    unsigned(scalar).sign_bit()
}

/// A binary operation on one lane.
pub fn binary(op: BinaryOp, scalar: ScalarType, a: u64, b: u64) -> Option<u64> {
    let (signed, unsigned) = (signed(scalar), unsigned(scalar));
    let in_range = |count: u64| (count < u64::from(scalar.bits())).then_some(count);
    let bits = match op {
        BinaryOp::Add => unsigned.add(a, b),
        BinaryOp::Sub => unsigned.sub(a, b),
        BinaryOp::Mul => unsigned.mul(a, b),
        BinaryOp::SDiv | BinaryOp::SRem if signed.division_overflows(a, b) => return None,
        BinaryOp::SDiv => signed.div(a, b)?,
        BinaryOp::SRem => signed.rem(a, b)?,
        BinaryOp::UDiv => unsigned.div(a, b)?,
        BinaryOp::URem => unsigned.rem(a, b)?,
        BinaryOp::Shl => unsigned.shl(a, in_range(b)?),
        BinaryOp::LShr => unsigned.shr(a, in_range(b)?),
        BinaryOp::AShr => signed.shr(a, in_range(b)?),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::FAdd => floating(scalar, a, b, Float::add),
        BinaryOp::FSub => floating(scalar, a, b, Float::sub),
        BinaryOp::FMul => floating(scalar, a, b, Float::mul),
        BinaryOp::FDiv => floating(scalar, a, b, Float::div),
    };
    Some(bits & mask(scalar))
}

fn floating(scalar: ScalarType, a: u64, b: u64, operation: fn(Float, f64, f64) -> f64) -> u64 {
    let format = float(scalar);
    format.bits(operation(format, format.value(a), format.value(b)))
}

/// A comparison of one lane.
pub fn compare(op: CompareOp, scalar: ScalarType, a: u64, b: u64) -> bool {
    use Relation::*;
    let by_value = |relation: Relation| relation.holds(Some(signed(scalar).compare(a, b)));
    let by_bits = |relation: Relation| relation.holds(Some(unsigned(scalar).compare(a, b)));
    let order = || float(scalar).value(a).partial_cmp(&float(scalar).value(b));
    match op {
        CompareOp::Eq => by_bits(Equal),
        CompareOp::Ne => by_bits(NotEqual),
        CompareOp::SLt => by_value(Less),
        CompareOp::SLe => by_value(LessOrEqual),
        CompareOp::SGt => by_value(Greater),
        CompareOp::SGe => by_value(GreaterOrEqual),
        CompareOp::ULt => by_bits(Less),
        CompareOp::ULe => by_bits(LessOrEqual),
        CompareOp::UGt => by_bits(Greater),
        CompareOp::UGe => by_bits(GreaterOrEqual),
        CompareOp::FEq => Equal.holds(order()),
        CompareOp::FNe => NotEqual.holds(order()),
        CompareOp::FLt => Less.holds(order()),
        CompareOp::FLe => LessOrEqual.holds(order()),
        CompareOp::FGt => Greater.holds(order()),
        CompareOp::FGe => GreaterOrEqual.holds(order()),
        CompareOp::FOrd => order().is_some(),
        CompareOp::FUno => order().is_none(),
    }
}

/// A conversion of one lane; not `Bitcast` nor of pointers.
pub fn convert(op: ConvertOp, from: ScalarType, to: ScalarType, a: u64) -> Option<u64> {
    let bits = match op {
        ConvertOp::Trunc | ConvertOp::ZExt => a,
        ConvertOp::SExt => signed(from).wrap(a),
        ConvertOp::FTrunc | ConvertOp::FExt => float(to).bits(float(from).value(a)),
        ConvertOp::FToS => signed(to).from_float(float(from).value(a))?,
        ConvertOp::FToU => unsigned(to).from_float(float(from).value(a))?,
        ConvertOp::SToF => float(to).bits(float(to).from_integer(a, signed(from))),
        ConvertOp::UToF => float(to).bits(float(to).from_integer(a, unsigned(from))),
        ConvertOp::Bitcast | ConvertOp::PtrToInt | ConvertOp::IntToPtr => return None,
        // Null is null in every space.
        ConvertOp::PtrCast | ConvertOp::PtrCastChecked => (a == 0).then_some(0)?,
    };
    Some(bits & mask(to))
}

/// The same bits in other lanes; lane 0 is the low bits.
pub fn bitcast(from: Type, to: Type, lanes: &[u64]) -> Bits {
    let (from_bits, to_bits) = (from.scalar.bits(), to.scalar.bits());
    let lane = |index: u8| reinterpreted_lane(lanes, from_bits, to_bits, index.into()).unwrap_or(0);
    (0..to.lanes).map(lane).collect()
}
