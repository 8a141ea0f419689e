//! `convert_…` with saturation and rounding modes (OpenCL C 6.4.3), exact on every device.
//!
//! Targets only round to nearest even (and toward zero to integers). Other modes are computed by exact steps: the
//! nearest result is replaced by its neighbour if it is on the wrong side.

use super::{Lower, Lowered, ir_scalar, smallest_normal_bits};
use clforge_ir::{BinaryOp, Builder, CompareOp, ConvertOp, Intrinsic, OrInternal, ScalarType, UnaryOp, Value};
use clforge_sema::builtins::{self, Conversion, Rounding};
use clforge_sema::hir::types::{FloatKind, Scalar};

/// A call of a conversion.
pub fn convert(l: &mut Lower<'_, '_>) -> Lowered {
    let conversion =
        builtins::conversion(l.id).or_internal("a built-in function that is neither a row nor a conversion")?;
    let (mut x, from, to) = (l.arg(0)?, l.scalar(0), ir_scalar(conversion.scalar));
    let mut signed = l.is_signed(0);
    if from == Scalar::Bool {
        let ty = l.b.ty(x).with_scalar(ScalarType::I32);
        x = l.b.convert(ConvertOp::ZExt, x, ty);
        signed = true;
    }
    let Conversion { saturate: saturating, rounding, .. } = conversion;
    let value = match (from, conversion.scalar) {
        (Scalar::Float(_), Scalar::Float(_)) => round_float(l.b, x, to, rounding),
        (Scalar::Float(_), Scalar::Int(kind)) => {
            // Half's functions are float's, and the bounds of most types are beyond its range.
            if from == Scalar::Float(FloatKind::Half) && (saturating || rounding_intrinsic(rounding).is_some()) {
                let wide = l.b.ty(x).with_scalar(ScalarType::F32);
                x = l.b.convert(ConvertOp::FExt, x, wide);
            }
            if let Some(function) = rounding_intrinsic(rounding) {
                let ty = l.b.ty(x);
                x = l.builtin(function, &[x], ty);
            }
            float_to_int(l.b, x, to, kind.is_signed(), saturating)
        }
        (_, Scalar::Float(_)) => int_to_float(l.b, x, signed, to, rounding),
        (_, Scalar::Int(kind)) if saturating => saturate(l.b, x, signed, to, kind.is_signed()),
        _ => l.b.resize(x, to, signed),
    };
    Ok(Some(value))
}

/// An integer brought into the range of another integer type.
pub fn saturate(b: &mut Builder<'_>, x: Value, signed: bool, to: ScalarType, to_signed: bool) -> Value {
    let from = b.ty(x).scalar.bits();
    let (value_bits, to_value_bits) = (from - u32::from(signed), to.bits() - u32::from(to_signed));
    let mut x = x;
    if signed && (!to_signed || to.bits() < from) {
        let least = if to_signed { i64::MIN >> (64 - to.bits()) } else { 0 };
        let below = b.compare_int(CompareOp::SLt, x, least);
        let ty = b.ty(x);
        let least = b.int(ty, least);
        x = b.select(below, least, x);
    }
    if value_bits > to_value_bits {
        let greatest = (u64::MAX >> (64 - to_value_bits)).cast_signed();
        let above = if signed { CompareOp::SGt } else { CompareOp::UGt };
        let above = b.compare_int(above, x, greatest);
        let ty = b.ty(x);
        let greatest = b.int(ty, greatest);
        x = b.select(above, greatest, x);
    }
    b.resize(x, to, signed)
}

/// The intrinsic that rounds to an integer value in a mode; none toward zero, which is how conversions to integers round.
fn rounding_intrinsic(rounding: Rounding) -> Option<Intrinsic> {
    match rounding {
        Rounding::Default | Rounding::Zero => None,
        Rounding::NearestEven => Some(Intrinsic::Rint),
        Rounding::Up => Some(Intrinsic::Ceil),
        Rounding::Down => Some(Intrinsic::Floor),
    }
}

fn float_to_int(b: &mut Builder<'_>, x: Value, to: ScalarType, signed: bool, saturating: bool) -> Value {
    let op = if signed { ConvertOp::FToS } else { ConvertOp::FToU };
    let result = b.ty(x).with_scalar(to);
    if !saturating {
        return b.convert(op, x, result);
    }
    // The bounds are powers of two.
    let ty = b.ty(x);
    let bits = i32::try_from(to.bits()).unwrap_or(64);
    let (low, high) = if signed { (-2f64.powi(bits - 1), 2f64.powi(bits - 1)) } else { (0.0, 2f64.powi(bits)) };
    let (least, greatest) = if signed {
        (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits))
    } else {
        (0, (u64::MAX >> (64 - bits)).cast_signed())
    };
    let (low, high) = (b.float(ty, low), b.float(ty, high));
    let above_low = b.compare(CompareOp::FGt, x, low);
    let below_high = b.compare(CompareOp::FLt, x, high);
    let inside = b.binary(BinaryOp::And, above_low, below_high);
    let zero = b.float(ty, 0.0);
    let safe = b.select(inside, x, zero);
    let converted = b.convert(op, safe, result);
    // Outside: the bound on that side, and 0 for NaN.
    let too_high = b.compare(CompareOp::FGe, x, high);
    let too_low = b.compare(CompareOp::FLe, x, low);
    let (least, greatest, none) = (b.int(result, least), b.int(result, greatest), b.int(result, 0));
    let bound = b.select(too_low, least, none);
    let bound = b.select(too_high, greatest, bound);
    b.select(inside, converted, bound)
}

fn int_to_float(b: &mut Builder<'_>, x: Value, signed: bool, to: ScalarType, rounding: Rounding) -> Value {
    let op = if signed { ConvertOp::SToF } else { ConvertOp::UToF };
    let int = b.ty(x);
    let result = int.with_scalar(to);
    let precision = i64::from(smallest_normal_bits(to).trailing_zeros()) + 1;
    let width = i64::from(int.scalar.bits());
    let exact = width - i64::from(signed) <= precision;
    if exact || matches!(rounding, Rounding::Default | Rounding::NearestEven) {
        return b.convert(op, x, result);
    }
    // The leading bits of the magnitude convert exactly, which is the result toward zero.
    let zero = b.int(int, 0);
    let negative = if signed { b.compare(CompareOp::SLt, x, zero) } else { b.compare(CompareOp::ULt, x, zero) };
    let negated = b.unary(UnaryOp::Neg, x);
    let magnitude = b.select(negative, negated, x);
    let leading_zeros = b.intrinsic(Intrinsic::Clz, &[magnitude], int);
    let dropped = {
        let length = b.int(int, width - precision);
        let dropped = b.binary(BinaryOp::Sub, length, leading_zeros);
        let none = b.compare_int(CompareOp::SLt, dropped, 0);
        let dropped = b.select(none, zero, dropped);
        b.binary_int(BinaryOp::And, dropped, width - 1)
    };
    let kept = b.binary(BinaryOp::LShr, magnitude, dropped);
    let kept = b.binary(BinaryOp::Shl, kept, dropped);
    let toward_zero = b.convert(ConvertOp::UToF, kept, result);
    let bits = b.to_bits(toward_zero);
    let bits_ty = b.ty(bits);
    let clamp = |b: &mut Builder<'_>, bits: Value, most: i64| {
        let beyond = b.compare_int(CompareOp::UGt, bits, most);
        let most = b.int(bits_ty, most);
        b.select(beyond, most, bits)
    };
    // Only half can overflow: to its greatest number, and from there to infinity.
    let mut rounded = clamp(b, bits, to.infinity_bits() - 1);
    if let Some(away) = b.away_from_zero(negative, to_float(rounding)) {
        let next = b.binary_int(BinaryOp::Add, rounded, 1);
        let inexact = b.compare(CompareOp::Ne, kept, magnitude);
        // What was clamped is inexact even where its leading bits are all.
        let clamped = b.compare(CompareOp::Ne, rounded, bits);
        let inexact = b.binary(BinaryOp::Or, inexact, clamped);
        let move_it = b.binary(BinaryOp::And, inexact, away);
        rounded = b.select(move_it, next, rounded);
    }
    let none = b.int(bits_ty, 0);
    let sign_bit = b.int(bits_ty, to.sign_mask());
    let sign = b.select(negative, sign_bit, none);
    let bits = b.binary(BinaryOp::Or, rounded, sign);
    b.bitcast(bits, result)
}

/// A float in another floating type.
fn round_float(b: &mut Builder<'_>, x: Value, to: ScalarType, rounding: Rounding) -> Value {
    let from = b.ty(x);
    let result = from.with_scalar(to);
    if from.scalar == to {
        return x;
    }
    if from.scalar.bits() < to.bits() {
        return b.convert(ConvertOp::FExt, x, result);
    }
    let nearest = b.convert(ConvertOp::FTrunc, x, result);
    b.rounded(x, nearest, to_float(rounding))
}

/// The rounding of a conversion to a floating type.
fn to_float(rounding: Rounding) -> clforge_ir::Rounding {
    match rounding {
        Rounding::Default | Rounding::NearestEven => clforge_ir::Rounding::NearestEven,
        Rounding::Zero => clforge_ir::Rounding::Zero,
        Rounding::Up => clforge_ir::Rounding::Up,
        Rounding::Down => clforge_ir::Rounding::Down,
    }
}
