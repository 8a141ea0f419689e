//! Rounds to narrower floating-point types in modes other than to nearest, with ordinary instructions. Targets only
//! round to nearest even, so the nearest result is replaced by its neighbour if it is on the wrong side.

use super::{BinaryOp, Builder, CompareOp, ConvertOp, Rounding, ScalarType, Type, UnaryOp, Value};
use clforge_basic::narrow::to_i32;

impl Builder<'_> {
    /// A float rounded to a narrower type; `nearest` is what it is rounded to nearest even.
    pub fn rounded(&mut self, x: Value, nearest: Value, rounding: Rounding) -> Value {
        if rounding == Rounding::NearestEven {
            return nearest;
        }
        let (from, result) = (self.ty(x), self.ty(nearest));
        let to = result.scalar;
        // Magnitudes are compared as integers, since comparisons of floats may flush denormals.
        let back = self.widened_magnitude(nearest, from);
        let exact = self.to_bits(x);
        let negative = self.compare_int(CompareOp::SLt, exact, 0);
        let exact = self.binary_int(BinaryOp::And, exact, !from.scalar.sign_mask());
        let number = self.compare_int(CompareOp::ULe, exact, from.scalar.infinity_bits());
        let mut too_far = self.compare(CompareOp::UGt, back, exact);
        let bits = self.to_bits(nearest);
        let ty = self.ty(bits);
        let (zero, one, minus_one) = (self.int(ty, 0), self.int(ty, 1), self.int(ty, -1));
        let mut step = zero;
        let away = self.away_from_zero(negative, rounding);
        if let Some(away) = away {
            let too_near = self.compare(CompareOp::ULt, back, exact);
            let grow = self.binary(BinaryOp::And, too_near, away);
            step = self.select(grow, one, zero);
            let inward = self.unary(UnaryOp::Not, away);
            too_far = self.binary(BinaryOp::And, too_far, inward);
        }
        let step = self.select(too_far, minus_one, step);
        let step = self.select(number, step, zero);
        let bits = self.binary(BinaryOp::Add, bits, step);
        // Below the normal numbers the nearest result may be lost.
        let ((_, bias), (wide, wide_bias)) = (format(to), format(from.scalar));
        let tiny = self.compare_int(CompareOp::ULt, exact, (wide_bias - bias + 1) << wide);
        let exact_ty = self.ty(exact);
        let nothing = self.int(exact_ty, 0);
        let magnitude = self.select(tiny, exact, nothing);
        let magnitude = self.bitcast(magnitude, from);
        let denormal = self.denormal_bits(magnitude, away, result);
        let sign = self.int(ty, to.sign_mask());
        let sign = self.select(negative, sign, zero);
        let denormal = self.binary(BinaryOp::Or, denormal, sign);
        let bits = self.select(tiny, denormal, bits);
        self.bitcast(bits, result)
    }

    /// Whether a mode moves values of that sign away from zero where they are not exact; `None`: those of neither sign.
    pub fn away_from_zero(&mut self, negative: Value, rounding: Rounding) -> Option<Value> {
        match rounding {
            Rounding::Up => Some(self.unary(UnaryOp::Not, negative)),
            Rounding::Down => Some(negative),
            Rounding::NearestEven | Rounding::Zero => None,
        }
    }

    /// The bits that the magnitude of `x`, which is normal, zero or infinite, has in the wider type `to`; zero may become
    /// something below the normal numbers of the type of `x`. Not by a conversion: NVIDIA's driver (580.159) takes one
    /// after its opposite for nothing at all.
    fn widened_magnitude(&mut self, x: Value, to: Type) -> Value {
        let from = self.ty(x).scalar;
        let ((narrow, narrow_bias), (wide, wide_bias)) = (format(from), format(to.scalar));
        let bits = self.to_bits(x);
        let bits = self.binary_int(BinaryOp::And, bits, !from.sign_mask());
        let wide_bits = to.with_scalar(if to.scalar == ScalarType::F64 { ScalarType::I64 } else { ScalarType::I32 });
        let bits = self.convert(ConvertOp::ZExt, bits, wide_bits);
        let shifted = self.binary_int(BinaryOp::Shl, bits, wide - narrow);
        let finite = self.binary_int(BinaryOp::Add, shifted, (wide_bias - narrow_bias) << wide);
        let is_finite = self.compare_int(CompareOp::ULt, bits, from.infinity_bits());
        let infinity = self.int(wide_bits, to.scalar.infinity_bits());
        self.select(is_finite, finite, infinity)
    }

    /// The bits of the denormal that a magnitude becomes in a mode that is not to nearest: a number of units, and one more
    /// where it is inexact and moved away from zero. As an integer it cannot be lost.
    fn denormal_bits(&mut self, magnitude: Value, away: Option<Value>, to: Type) -> Value {
        let (fraction, bias) = format(to.scalar);
        let ty = self.ty(magnitude);
        let unit = self.float(ty, 2.0_f64.powi(to_i32(fraction + bias - 1)));
        let units = self.binary(BinaryOp::FMul, magnitude, unit);
        let bits = self.convert(ConvertOp::FToU, units, ty.with_scalar(ScalarType::I32));
        let whole = self.convert(ConvertOp::UToF, bits, ty);
        let narrow = if to.scalar == ScalarType::F16 { ScalarType::I16 } else { ScalarType::I32 };
        let bits = self.resize(bits, narrow, false);
        let Some(away) = away else { return bits };
        let inexact = self.compare(CompareOp::FLt, whole, units);
        let grow = self.binary(BinaryOp::And, inexact, away);
        let next = self.binary_int(BinaryOp::Add, bits, 1);
        self.select(grow, next, bits)
    }
}

/// Bits of a floating type's fraction, and the bias of its exponent.
fn format(scalar: ScalarType) -> (i64, i64) {
    match scalar {
        ScalarType::F16 => (10, 15),
        ScalarType::F32 => (23, 127),
        _ => (52, 1023),
    }
}
