//! Conversions to and from pairs of words.

use super::arithmetic::{self, Pair};
use super::{Pairs, is_wide, words_of};
use crate::legalize::vulkan::wide_integers::words_of_float;
use clforge_basic::narrow::to_u8;
use clforge_ir::rewrite::{Parts, Rewriter};
use clforge_ir::*;
use smallvec::smallvec;

const TWO_TO_32: f64 = 4_294_967_296.0;
/// Bits of the fraction of a float, and the bias of its exponent.
const FRACTION: i64 = 23;
const BIAS: i64 = 127;

impl Pairs<'_> {
    pub(super) fn convert(
        &self,
        r: &mut Rewriter<'_>,
        op: ConvertOp,
        operand: Value,
        to: Type,
    ) -> Result<Parts, Error> {
        let from = r.old.ty(operand);
        if op == ConvertOp::Bitcast {
            return self.bitcast(r, operand, to);
        }
        if is_wide(from) {
            let pair = self.pair(r, operand)?;
            let b = &mut r.b;
            return Ok(smallvec![match op {
                ConvertOp::Trunc => b.resize(pair.low, to.scalar, false),
                ConvertOp::SToF | ConvertOp::UToF => to_float(b, pair, to, op == ConvertOp::SToF),
                _ => return Err(Error::internal(format!("'{}' of 64 bits", op.text()))),
            }]);
        }
        let value = r.one(operand, self)?;
        let b = &mut r.b;
        let words = words_of(to);
        let pair = match op {
            ConvertOp::ZExt | ConvertOp::SExt if from.scalar == ScalarType::Bool => {
                let low = b.convert(op, value, words);
                let high = if op == ConvertOp::SExt { low } else { b.int(words, 0) };
                Pair { low, high }
            }
            ConvertOp::ZExt | ConvertOp::SExt => {
                let signed = op == ConvertOp::SExt;
                let low = b.resize(value, ScalarType::I32, signed);
                Pair::extended(b, low, signed)
            }
            ConvertOp::FToU => of_float(b, value),
            ConvertOp::FToS => of_signed_float(b, value),
            _ => return Err(Error::internal(format!("'{}' to 64 bits", op.text()))),
        };
        Ok(pair.parts())
    }

    /// The same bits, by way of words. A vector has at most four lanes.
    fn bitcast(&self, r: &mut Rewriter<'_>, operand: Value, to: Type) -> Result<Parts, Error> {
        let from = r.old.ty(operand);
        let mut words = Vec::new();
        if is_wide(from) {
            let pair = self.pair(r, operand)?;
            for lane in 0..from.lanes {
                let pair = pair.lane(&mut r.b, lane);
                words.extend([pair.low, pair.high]);
            }
        } else {
            let value = r.one(operand, self)?;
            words = split(&mut r.b, value);
        }
        if is_wide(to) {
            let pairs: Vec<Pair> = words
                .chunks(2)
                .filter_map(|words| match words {
                    [low, high] => Some(Pair { low: *low, high: *high }),
                    _ => None,
                })
                .collect();
            return Ok(Pair::of_lanes(&mut r.b, &pairs).parts());
        }
        Ok(smallvec![join(&mut r.b, &words, to)])
    }
}

/// The words of a value of other types, whose bits are some of them.
fn split(b: &mut Builder<'_>, value: Value) -> Vec<Value> {
    let ty = b.ty(value);
    let count = to_u8(ty.bits() / 32);
    if count <= 4 {
        let words = b.bitcast(value, Type::vector(ScalarType::I32, count));
        return (0..count).map(|word| b.extract(words, word)).collect();
    }
    let lanes = (0..ty.lanes).map(|lane| b.extract(value, lane)).collect::<Vec<_>>();
    lanes.into_iter().flat_map(|lane| split(b, lane)).collect()
}

/// The value of a type that has these words.
fn join(b: &mut Builder<'_>, words: &[Value], to: Type) -> Value {
    if words.len() <= 4 {
        let words = b.construct(words);
        return b.bitcast(words, to);
    }
    let per_lane = words.len() / usize::from(to.lanes);
    let lanes: Vec<Value> = words.chunks(per_lane).map(|words| join(b, words, to.lane())).collect();
    b.construct(&lanes)
}

/// An integer as a float of any width, rounded to the nearest.
fn to_float(b: &mut Builder<'_>, x: Pair, to: Type, signed: bool) -> Value {
    if to.scalar == ScalarType::F64 {
        // Each word is exact, and so is the product: the sum is rounded once.
        let high = b.convert(if signed { ConvertOp::SToF } else { ConvertOp::UToF }, x.high, to);
        let scale = b.float(to, TWO_TO_32);
        let high = b.binary(BinaryOp::FMul, high, scale);
        let low = b.convert(ConvertOp::UToF, x.low, to);
        return b.binary(BinaryOp::FAdd, high, low);
    }
    let float = to.with_scalar(ScalarType::F32);
    let sign = b.binary_int(BinaryOp::AShr, x.high, 31);
    let magnitude = if signed { arithmetic::with_sign(b, x, sign) } else { x };
    let mut value = unsigned_to_float(b, magnitude, float);
    if signed {
        let bits = b.to_bits(value);
        let sign = b.binary_int(BinaryOp::Shl, sign, 31);
        let bits = b.binary(BinaryOp::Or, bits, sign);
        value = b.bitcast(bits, float);
    }
    // Halves are less than 2^24, and up to that a float is exact.
    if to.scalar == ScalarType::F16 { b.convert(ConvertOp::FTrunc, value, to) } else { value }
}

/// The upper 32 bits from the first one that is set on, the last of which is set if any is below them, are rounded as the
/// number is.
fn unsigned_to_float(b: &mut Builder<'_>, x: Pair, float: Type) -> Value {
    let words = b.ty(x.low);
    let highest = b.intrinsic(Intrinsic::FindMsb, &[x.high], words);
    let up = b.int(words, 31);
    let up = b.binary(BinaryOp::Sub, up, highest);
    let is_word = b.compare_int(CompareOp::Eq, x.high, 0);
    // By less than 32, since the upper word is not zero where the result is used.
    let up = b.binary_int(BinaryOp::And, up, 31);
    let rest = b.binary_int(BinaryOp::Xor, up, 31);
    let raised = b.binary(BinaryOp::Shl, x.high, up);
    let from_low = b.binary_int(BinaryOp::LShr, x.low, 1);
    let from_low = b.binary(BinaryOp::LShr, from_low, rest);
    let raised = b.binary(BinaryOp::Or, raised, from_low);
    let lost = b.binary(BinaryOp::Shl, x.low, up);
    let lost = b.compare_int(CompareOp::Ne, lost, 0);
    let sticky = b.convert(ConvertOp::ZExt, lost, words);
    let raised = b.binary(BinaryOp::Or, raised, sticky);
    let bits = b.select(is_word, x.low, raised);
    let value = b.convert(ConvertOp::UToF, bits, float);
    let exponent = b.int(words, BIAS + 32);
    let exponent = b.binary(BinaryOp::Sub, exponent, up);
    let scale = b.binary_int(BinaryOp::Shl, exponent, FRACTION);
    let scale = b.bitcast(scale, float);
    let scaled = b.binary(BinaryOp::FMul, value, scale);
    b.select(is_word, value, scaled)
}

/// A float of any width that is not negative, rounded toward zero.
fn of_float(b: &mut Builder<'_>, x: Value) -> Pair {
    let float = b.ty(x);
    let word = float.with_scalar(ScalarType::I32);
    if float.scalar == ScalarType::F16 {
        // Halves are less than 2^17.
        let low = b.convert(ConvertOp::FToU, x, word);
        return Pair::extended(b, low, false);
    }
    let (low, high) = words_of_float(b, x);
    Pair { low, high }
}

fn of_signed_float(b: &mut Builder<'_>, x: Value) -> Pair {
    let float = b.ty(x);
    let zero = b.float(float, 0.0);
    let is_negative = b.compare(CompareOp::FLt, x, zero);
    let negated = b.unary(UnaryOp::FNeg, x);
    let magnitude = b.select(is_negative, negated, x);
    let magnitude = of_float(b, magnitude);
    let sign = b.convert(ConvertOp::SExt, is_negative, float.with_scalar(ScalarType::I32));
    arithmetic::with_sign(b, magnitude, sign)
}
