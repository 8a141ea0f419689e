//! Math and common functions that core IR can express, or that have a second result through a pointer.
//!
//! `pow`, `sin` and the other functions that are not here are intrinsics of the same name (`table.rs`): the target decides
//! what they become.

use super::{Entry, Lower, Lowered, smallest_normal_bits};
use clforge_ir::{BinaryOp, CompareOp, ConvertOp, Intrinsic, ScalarType, Space, Type, Value};
use clforge_sema::hir::types::Scalar;

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("fract", fract),
    ("frexp", frexp),
    ("lgamma_r", lgamma_r),
    ("modf", modf),
    ("nan", nan),
    ("remquo", remquo),
    ("sincos", sincos),
    ("half_divide", divide),
    ("half_recip", recip),
    ("clamp", clamp),
    ("degrees", degrees),
    ("max", max),
    ("min", min),
    ("mix", mix),
    ("radians", radians),
    ("step", step),
    ("smoothstep", smoothstep),
    ("sign", sign),
];

/// A quiet NaN with that payload.
pub fn nan(l: &mut Lower<'_, '_>) -> Lowered {
    let ty = l.number()?;
    let payload = l.arg(0)?;
    let infinity = ty.scalar.infinity_bits();
    let quiet = infinity | smallest_normal_bits(ty.scalar) >> 1;
    let payload = l.b.binary_int(BinaryOp::And, payload, !(ty.scalar.sign_mask() | infinity));
    let bits = l.b.binary_int(BinaryOp::Or, payload, quiet);
    Ok(Some(l.b.bitcast(bits, ty)))
}

/// The greatest value below 1.
fn below_one(scalar: ScalarType) -> f64 {
    match scalar {
        ScalarType::F16 => 1.0 - 1.0 / 2048.0,
        ScalarType::F32 => 1.0 - f64::from(f32::EPSILON) / 2.0,
        _ => 1.0 - f64::EPSILON / 2.0,
    }
}

/// Zero with the sign of `x` where `x` is an infinity, else `value`.
fn zero_for_infinity(l: &mut Lower<'_, '_>, x: Value, value: Value) -> Value {
    let ty = l.b.ty(x);
    let bits = l.b.to_bits(x);
    let magnitude = l.b.binary_int(BinaryOp::And, bits, !ty.scalar.sign_mask());
    let infinite = l.b.compare_int(CompareOp::Eq, magnitude, ty.scalar.infinity_bits());
    let zero = l.b.binary_int(BinaryOp::And, bits, ty.scalar.sign_mask());
    let zero = l.b.bitcast(zero, ty);
    l.b.select(infinite, zero, value)
}

/// `min(x - floor(x), below one)`, and `floor(x)` through the pointer.
pub fn fract(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, ty) = (l.arg(0)?, l.number()?);
    let floor = l.builtin(Intrinsic::Floor, &[x], ty);
    l.store_out(1, floor)?;
    let rest = l.b.binary(BinaryOp::FSub, x, floor);
    let top = l.b.float(ty, below_one(ty.scalar));
    let reached = l.b.compare(CompareOp::FGt, rest, top);
    let rest = l.b.select(reached, top, rest);
    // Both zeros stay as they are, and so does NaN, by way of `rest`. A negative denormal must not count as zero.
    let bits = l.b.to_bits(x);
    let magnitude = l.b.binary_int(BinaryOp::And, bits, !ty.scalar.sign_mask());
    let is_zero = l.b.compare_int(CompareOp::Eq, magnitude, 0);
    let rest = l.b.select(is_zero, x, rest);
    Ok(Some(zero_for_infinity(l, x, rest)))
}

/// The fraction with the sign of `x`, and the whole through the pointer.
pub fn modf(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, ty) = (l.arg(0)?, l.number()?);
    let whole = l.builtin(Intrinsic::Trunc, &[x], ty);
    l.store_out(1, whole)?;
    let rest = l.b.binary(BinaryOp::FSub, x, whole);
    let (rest_bits, x_bits) = (l.b.to_bits(rest), l.b.to_bits(x));
    let magnitude = l.b.binary_int(BinaryOp::And, rest_bits, !ty.scalar.sign_mask());
    let sign = l.b.binary_int(BinaryOp::And, x_bits, ty.scalar.sign_mask());
    let bits = l.b.binary(BinaryOp::Or, magnitude, sign);
    let rest = l.b.bitcast(bits, ty);
    Ok(Some(zero_for_infinity(l, x, rest)))
}

/// The sine, and the cosine through the pointer.
pub fn sincos(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, ty) = (l.arg(0)?, l.number()?);
    let cosine = l.builtin(Intrinsic::Cos, &[x], ty);
    l.store_out(1, cosine)?;
    Ok(Some(l.builtin(Intrinsic::Sin, &[x], ty)))
}

/// `x = m * 2^e` with `m` in [1/2, 1), by bits: exact for denormals too, whatever the device does to them.
pub fn frexp(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, ty) = (l.arg(0)?, l.number()?);
    let int = ty.with_scalar(ScalarType::int(ty.scalar.bits()));
    let least = smallest_normal_bits(ty.scalar);
    let (infinity, fraction_bits) = (ty.scalar.infinity_bits(), i64::from(least.trailing_zeros()));
    // Biased exponent of [1/2, 1).
    let bias = (infinity >> (fraction_bits + 1)) - 1;
    let bits = l.b.to_bits(x);
    let magnitude = l.b.binary_int(BinaryOp::And, bits, !ty.scalar.sign_mask());
    // A denormal is the fraction of a number from 1 to 2; less 1, that is the denormal times 2^bias. Of zero the result is not used.
    let one = (bias + 1) << fraction_bits;
    let above_one = l.b.binary_int(BinaryOp::Or, magnitude, one);
    let (above_one, one) = (l.b.bitcast(above_one, ty), l.b.int(int, one));
    let one = l.b.bitcast(one, ty);
    let normalised = l.b.binary(BinaryOp::FSub, above_one, one);
    let normalised = l.b.to_bits(normalised);
    let denormal = l.b.compare_int(CompareOp::ULt, magnitude, least);
    let significand = l.b.select(denormal, normalised, magnitude);
    let (scaling, none) = (l.b.int(int, bias + bias), l.b.int(int, bias));
    let scaling = l.b.select(denormal, scaling, none);
    let exponent = l.b.binary_int(BinaryOp::LShr, significand, fraction_bits);
    let exponent = l.b.binary(BinaryOp::Sub, exponent, scaling);
    let fraction = l.b.binary_int(BinaryOp::And, significand, least - 1);
    let sign = l.b.binary_int(BinaryOp::And, bits, ty.scalar.sign_mask());
    let scaled = l.b.binary_int(BinaryOp::Or, fraction, bias << fraction_bits);
    let scaled = l.b.binary(BinaryOp::Or, scaled, sign);
    // Zero, infinity and NaN are their own significand, with exponent 0.
    let before = l.b.binary_int(BinaryOp::Sub, magnitude, 1);
    let ordinary = l.b.compare_int(CompareOp::ULt, before, infinity - 1);
    let zero = l.b.int(int, 0);
    let exponent = l.b.select(ordinary, exponent, zero);
    let scaled = l.b.select(ordinary, scaled, bits);
    let exponent = l.b.resize(exponent, ScalarType::I32, true);
    l.store_out(1, exponent)?;
    Ok(Some(l.b.bitcast(scaled, ty)))
}

/// A function that writes an `int` through its last argument, lane by lane.
fn with_int_out(l: &mut Lower<'_, '_>, function: Intrinsic, inputs: usize) -> Lowered {
    let ty = l.number()?;
    let wide = if ty.scalar == ScalarType::F16 { ScalarType::F32 } else { ty.scalar };
    let out = l.b.alloca_as(Type::pointer(Space::Private, l.types.address_bits), 4, 4);
    let (mut values, mut integers) = (Vec::new(), Vec::new());
    for lane in 0..ty.lanes {
        let mut args = Vec::new();
        for input in 0..inputs {
            let value = l.arg(input)?;
            let value = l.b.extract(value, lane);
            args.push(if wide == ty.scalar { value } else { l.b.convert(ConvertOp::FExt, value, Type::F32) });
        }
        args.push(out);
        let value = l.builtin(function, &args, Type::scalar(wide));
        values.push(if wide == ty.scalar { value } else { l.b.convert(ConvertOp::FTrunc, value, ty.lane()) });
        integers.push(l.b.load(Type::I32, out, 4));
    }
    let integers = l.b.construct(&integers);
    l.store_out(inputs, integers)?;
    Ok(Some(l.b.construct(&values)))
}

pub fn remquo(l: &mut Lower<'_, '_>) -> Lowered {
    with_int_out(l, Intrinsic::Remquo, 2)
}

pub fn lgamma_r(l: &mut Lower<'_, '_>) -> Lowered {
    with_int_out(l, Intrinsic::LgammaR, 1)
}

/// The greater or lesser of two; of floats the result with a NaN is undefined.
fn extremum(l: &mut Lower<'_, '_>, first: Value, second: Value, greatest: bool) -> Value {
    let op = match (l.scalar(0), greatest) {
        (Scalar::Float(_), _) => {
            let ty = l.b.ty(first);
            return l.builtin(
                if greatest { Intrinsic::FmaxCommon } else { Intrinsic::FminCommon },
                &[first, second],
                ty,
            );
        }
        (Scalar::Int(kind), true) if kind.is_signed() => CompareOp::SLt,
        (Scalar::Int(kind), false) if kind.is_signed() => CompareOp::SGt,
        (_, true) => CompareOp::ULt,
        (_, false) => CompareOp::UGt,
    };
    let beyond = l.b.compare(op, first, second);
    l.b.select(beyond, second, first)
}

pub fn max(l: &mut Lower<'_, '_>) -> Lowered {
    let lanes = l.number()?.lanes;
    let (x, y) = (l.arg(0)?, l.arg_lanes(1, lanes)?);
    Ok(Some(extremum(l, x, y, true)))
}

pub fn min(l: &mut Lower<'_, '_>) -> Lowered {
    let lanes = l.number()?.lanes;
    let (x, y) = (l.arg(0)?, l.arg_lanes(1, lanes)?);
    Ok(Some(extremum(l, x, y, false)))
}

/// `min(max(x, low), high)`.
pub fn clamp(l: &mut Lower<'_, '_>) -> Lowered {
    let lanes = l.number()?.lanes;
    let (x, low, high) = (l.arg(0)?, l.arg_lanes(1, lanes)?, l.arg_lanes(2, lanes)?);
    let above = extremum(l, x, low, true);
    Ok(Some(extremum(l, above, high, false)))
}

fn scaled(l: &mut Lower<'_, '_>, factor: f64) -> Lowered {
    let x = l.arg(0)?;
    let ty = l.b.ty(x);
    let factor = l.b.float(ty, factor);
    Ok(Some(l.b.binary(BinaryOp::FMul, x, factor)))
}

pub fn degrees(l: &mut Lower<'_, '_>) -> Lowered {
    scaled(l, 180.0 / std::f64::consts::PI)
}

pub fn radians(l: &mut Lower<'_, '_>) -> Lowered {
    scaled(l, std::f64::consts::PI / 180.0)
}

/// `x + (y - x) * a`.
pub fn mix(l: &mut Lower<'_, '_>) -> Lowered {
    let lanes = l.number()?.lanes;
    let (x, y, a) = (l.arg(0)?, l.arg(1)?, l.arg_lanes(2, lanes)?);
    let span = l.b.binary(BinaryOp::FSub, y, x);
    let part = l.b.binary(BinaryOp::FMul, span, a);
    Ok(Some(l.b.binary(BinaryOp::FAdd, x, part)))
}

/// `x < edge ? 0 : 1`.
pub fn step(l: &mut Lower<'_, '_>) -> Lowered {
    let ty = l.number()?;
    let (edge, x) = (l.arg_lanes(0, ty.lanes)?, l.arg_lanes(1, ty.lanes)?);
    let before = l.b.compare(CompareOp::FLt, x, edge);
    let (zero, one) = (l.b.float(ty, 0.0), l.b.float(ty, 1.0));
    Ok(Some(l.b.select(before, zero, one)))
}

/// `t * t * (3 - 2 t)` with `t` the clamped position of `x` between the edges.
pub fn smoothstep(l: &mut Lower<'_, '_>) -> Lowered {
    let ty = l.number()?;
    let (low, high, x) = (l.arg_lanes(0, ty.lanes)?, l.arg_lanes(1, ty.lanes)?, l.arg_lanes(2, ty.lanes)?);
    let distance = l.b.binary(BinaryOp::FSub, x, low);
    let span = l.b.binary(BinaryOp::FSub, high, low);
    let position = l.b.binary(BinaryOp::FDiv, distance, span);
    let (zero, one) = (l.b.float(ty, 0.0), l.b.float(ty, 1.0));
    let (two, three) = (l.b.float(ty, 2.0), l.b.float(ty, 3.0));
    let t = extremum(l, position, zero, true);
    let t = extremum(l, t, one, false);
    let square = l.b.binary(BinaryOp::FMul, t, t);
    let twice = l.b.binary(BinaryOp::FMul, two, t);
    let rest = l.b.binary(BinaryOp::FSub, three, twice);
    Ok(Some(l.b.binary(BinaryOp::FMul, square, rest)))
}

/// `half_divide`.
pub fn divide(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    Ok(Some(l.b.binary(BinaryOp::FDiv, x, y)))
}

/// `half_recip`.
pub fn recip(l: &mut Lower<'_, '_>) -> Lowered {
    let x = l.arg(0)?;
    let one = l.b.float(l.b.ty(x), 1.0);
    Ok(Some(l.b.binary(BinaryOp::FDiv, one, x)))
}

/// 1, -1, a zero as it is, and 0 for NaN.
pub fn sign(l: &mut Lower<'_, '_>) -> Lowered {
    let x = l.arg(0)?;
    let ty = l.b.ty(x);
    let (zero, one, minus_one) = (l.b.float(ty, 0.0), l.b.float(ty, 1.0), l.b.float(ty, -1.0));
    let bits = l.b.to_bits(x);
    let magnitude = l.b.binary_int(BinaryOp::And, bits, !ty.scalar.sign_mask());
    let negative = l.b.compare_int(CompareOp::SLt, bits, 0);
    let signed = l.b.select(negative, minus_one, one);
    let is_zero = l.b.compare_int(CompareOp::Eq, magnitude, 0);
    let value = l.b.select(is_zero, x, signed);
    let nan = l.b.compare_int(CompareOp::UGt, magnitude, ty.scalar.infinity_bits());
    Ok(Some(l.b.select(nan, zero, value)))
}
