//! Geometric functions (OpenCL C 6.15.5). The square of a length may overflow or underflow although the length does
//! not: without `-cl-fast-relaxed-math`, vectors are scaled by a power of two first.

use super::{Entry, Lower, Lowered};
use clforge_ir::{BinaryOp, CompareOp, ConvertOp, Intrinsic, ScalarType, Type, Value};

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("cross", cross),
    ("dot", dot),
    ("distance", distance),
    ("length", length),
    ("normalize", normalize),
    ("fast_distance", fast_distance),
    ("fast_length", fast_length),
    ("fast_normalize", fast_normalize),
];

/// The sum of the products of the lanes.
fn dot_product(l: &mut Lower<'_, '_>, x: Value, y: Value) -> Value {
    let ty = l.b.ty(x);
    if ty.lanes == 1 { l.b.binary(BinaryOp::FMul, x, y) } else { l.builtin(Intrinsic::Dot, &[x, y], ty.lane()) }
}

pub fn dot(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    if l.b.ty(x).scalar.is_int() {
        return super::dot::dot(l);
    }
    Ok(Some(dot_product(l, x, y)))
}

/// The fourth lane is 0.
pub fn cross(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    let ty = l.b.ty(x);
    let turned = |l: &mut Lower<'_, '_>, v: Value, lanes: [u8; 3]| l.b.shuffle(v, v, &lanes);
    let (x1, y1) = (turned(l, x, [1, 2, 0]), turned(l, y, [2, 0, 1]));
    let (x2, y2) = (turned(l, x, [2, 0, 1]), turned(l, y, [1, 2, 0]));
    let first = l.b.binary(BinaryOp::FMul, x1, y1);
    let second = l.b.binary(BinaryOp::FMul, x2, y2);
    let three = l.b.binary(BinaryOp::FSub, first, second);
    if ty.lanes == 3 {
        return Ok(Some(three));
    }
    let zero = l.b.float(ty.with_scalar(ty.scalar).lane(), 0.0);
    let zeros = l.b.splat(zero, 3);
    Ok(Some(l.b.shuffle(three, zeros, &[0, 1, 2, 3])))
}

/// The greatest magnitude of the lanes, as the bits of a float.
fn greatest_bits(l: &mut Lower<'_, '_>, x: Value) -> Value {
    let ty = l.b.ty(x);
    let bits = l.b.to_bits(x);
    let bits = l.b.binary_int(BinaryOp::And, bits, !ty.scalar.sign_mask());
    let mut greatest = l.b.extract(bits, 0);
    for lane in 1..ty.lanes {
        let next = l.b.extract(bits, lane);
        let beyond = l.b.compare(CompareOp::UGt, next, greatest);
        greatest = l.b.select(beyond, next, greatest);
    }
    greatest
}

/// The scaling that brings a vector to a range where squares neither overflow nor underflow.
struct Scale {
    /// What it is multiplied by, a power of two.
    factor: Value,
    /// What multiplies a length back.
    inverse: Value,
    /// Whether it is large, so that the factor is less than one.
    large: Value,
}

/// Powers of two: above the first and below the second squares are in danger. The third and the fourth bring such
/// vectors to where they are safe, the last also denormals.
fn limits(scalar: ScalarType) -> (f64, f64, f64, f64) {
    if scalar == ScalarType::F64 {
        (2f64.powi(500), 2f64.powi(-450), 2f64.powi(-540), 2f64.powi(700))
    } else {
        (2f64.powi(60), 2f64.powi(-50), 2f64.powi(-70), 2f64.powi(100))
    }
}

/// The scale that keeps a vector's square in range.
fn scale(l: &mut Lower<'_, '_>, x: Value) -> Scale {
    let ty = l.b.ty(x).lane();
    let greatest = greatest_bits(l, x);
    let (high, low, down, up) = limits(ty.scalar);
    let bits = |value: f64| clforge_ir::constant::float_bits(ty.scalar, value).cast_signed();
    let large = l.b.compare_int(CompareOp::UGt, greatest, bits(high));
    let small = l.b.compare_int(CompareOp::ULt, greatest, bits(low));
    let mut choose = |large_value: f64, small_value: f64| {
        let (large_value, small_value) = (l.b.float(ty, large_value), l.b.float(ty, small_value));
        let one = l.b.float(ty, 1.0);
        let value = l.b.select(small, small_value, one);
        l.b.select(large, large_value, value)
    };
    Scale { factor: choose(down, up), inverse: choose(1.0 / down, 1.0 / up), large }
}

/// Halves compute in float, which holds their squares.
fn widened(l: &mut Lower<'_, '_>, x: Value) -> Value {
    let ty = l.b.ty(x);
    if ty.scalar == ScalarType::F16 { l.b.convert(ConvertOp::FExt, x, ty.with_scalar(ScalarType::F32)) } else { x }
}

fn narrowed(l: &mut Lower<'_, '_>, value: Value, scalar: ScalarType) -> Value {
    let ty = l.b.ty(value);
    if ty.scalar == scalar { value } else { l.b.convert(ConvertOp::FTrunc, value, ty.with_scalar(scalar)) }
}

fn needs_scale(l: &Lower<'_, '_>, original: ScalarType) -> bool {
    original != ScalarType::F16 && !l.options.language.math.fast_relaxed
}

fn length_of(l: &mut Lower<'_, '_>, x: Value) -> Value {
    let ty = l.b.ty(x);
    if ty.lanes == 1 {
        let bits = l.b.to_bits(x);
        let bits = l.b.binary_int(BinaryOp::And, bits, !ty.scalar.sign_mask());
        return l.b.bitcast(bits, ty);
    }
    let wide = widened(l, x);
    let lane = l.b.ty(wide).lane();
    let length = if needs_scale(l, ty.scalar) {
        let Scale { factor, inverse, .. } = scale(l, wide);
        let factors = l.b.splat(factor, ty.lanes);
        let scaled = l.b.binary(BinaryOp::FMul, wide, factors);
        scaled_length(l, scaled, inverse)
    } else {
        let square = dot_product(l, wide, wide);
        l.builtin(Intrinsic::Sqrt, &[square], lane)
    };
    narrowed(l, length, ty.scalar)
}

/// The length of a vector whose square is in range, scaled back.
fn scaled_length(l: &mut Lower<'_, '_>, scaled: Value, inverse: Value) -> Value {
    let square = dot_product(l, scaled, scaled);
    let lane = l.b.ty(square);
    let root = l.builtin(Intrinsic::Sqrt, &[square], lane);
    l.b.binary(BinaryOp::FMul, root, inverse)
}

pub fn length(l: &mut Lower<'_, '_>) -> Lowered {
    let x = l.arg(0)?;
    Ok(Some(length_of(l, x)))
}

pub fn distance(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    let ty = l.b.ty(x);
    let (x, y) = (widened(l, x), widened(l, y));
    let difference = l.b.binary(BinaryOp::FSub, x, y);
    // Doubles keep their denormals everywhere; of one lane the difference is the distance.
    if ty.scalar != ScalarType::F32 || ty.lanes == 1 || !needs_scale(l, ty.scalar) {
        let distance = length_of(l, difference);
        return Ok(Some(narrowed(l, distance, ty.scalar)));
    }
    let Scale { factor, inverse, .. } = scale(l, difference);
    let factors = l.b.splat(factor, ty.lanes);
    // A difference may be a denormal, and lost, where neither its operands nor the distance are; so operands are scaled.
    // Scaled up are distances below 2^-50: lanes from 1 on are equal there, and would overflow.
    let bits = l.b.to_bits(x);
    let bits = l.b.binary_int(BinaryOp::And, bits, !ty.scalar.sign_mask());
    let one = clforge_ir::constant::float_bits(ty.scalar, 1.0).cast_signed();
    let moderate = l.b.compare_int(CompareOp::ULt, bits, one);
    let [scaled_x, scaled_y] = [x, y].map(|value| l.b.binary(BinaryOp::FMul, value, factors));
    let exact = l.b.binary(BinaryOp::FSub, scaled_x, scaled_y);
    let plain = l.b.binary(BinaryOp::FMul, difference, factors);
    let scaled = l.b.select(moderate, exact, plain);
    Ok(Some(scaled_length(l, scaled, inverse)))
}

/// Where a lane is infinite: 1 in its place and 0 in the others', all with their signs (7.5.1).
fn without_infinities(l: &mut Lower<'_, '_>, x: Value) -> Value {
    let ty = l.b.ty(x);
    let infinity = ty.scalar.infinity_bits();
    let greatest = greatest_bits(l, x);
    let any = l.b.compare_int(CompareOp::Eq, greatest, infinity);
    let any = l.widen(any, ty.lanes);
    let bits = l.b.to_bits(x);
    let sign = l.b.binary_int(BinaryOp::And, bits, ty.scalar.sign_mask());
    let magnitude = l.b.binary_int(BinaryOp::And, bits, !ty.scalar.sign_mask());
    let infinite = l.b.compare_int(CompareOp::Eq, magnitude, infinity);
    let one = l.b.float(ty, 1.0);
    let (one, zero) = (l.b.to_bits(one), l.b.int(l.b.ty(bits), 0));
    let unit = l.b.select(infinite, one, zero);
    let unit = l.b.binary(BinaryOp::Or, unit, sign);
    let replaced = l.b.select(any, unit, bits);
    l.b.bitcast(replaced, ty)
}

/// The vector where its square is 0, else `value`.
fn keep_zero(l: &mut Lower<'_, '_>, square: Value, x: Value, value: Value) -> Value {
    let zero = l.b.float(l.b.ty(square), 0.0);
    let is_zero = l.b.compare(CompareOp::FEq, square, zero);
    let is_zero = l.widen(is_zero, l.b.ty(x).lanes);
    l.b.select(is_zero, x, value)
}

/// The lanes over the root of a number.
fn over_root(l: &mut Lower<'_, '_>, x: Value, square: Value) -> Value {
    let lane = l.b.ty(square);
    let root = l.builtin(Intrinsic::Sqrt, &[square], lane);
    let roots = l.widen(root, l.b.ty(x).lanes);
    l.b.binary(BinaryOp::FDiv, x, roots)
}

pub fn normalize(l: &mut Lower<'_, '_>) -> Lowered {
    let x = l.arg(0)?;
    let ty = l.b.ty(x);
    let mut wide = widened(l, x);
    let lane: Type = l.b.ty(wide).lane();
    if !l.options.language.math.finite_only && !l.options.language.math.fast_relaxed {
        wide = without_infinities(l, wide);
    }
    let unit = if needs_scale(l, ty.scalar) {
        let Scale { factor, large, .. } = scale(l, wide);
        let factors = l.widen(factor, ty.lanes);
        let scaled = l.b.binary(BinaryOp::FMul, wide, factors);
        let square = dot_product(l, scaled, scaled);
        // Lanes much smaller than the greatest would vanish if they were scaled down: their quotients are instead.
        let large_lanes = l.widen(large, ty.lanes);
        let numerator = l.b.select(large_lanes, wide, scaled);
        let one = l.b.float(lane, 1.0);
        let after = l.b.select(large, factor, one);
        let unit = over_root(l, numerator, square);
        let after = l.widen(after, ty.lanes);
        let unit = l.b.binary(BinaryOp::FMul, unit, after);
        // The scaled vector: denormals that were lost in it have become zeros.
        keep_zero(l, square, scaled, unit)
    } else {
        let square = dot_product(l, wide, wide);
        let unit = over_root(l, wide, square);
        keep_zero(l, square, wide, unit)
    };
    Ok(Some(narrowed(l, unit, ty.scalar)))
}

fn fast_length_of(l: &mut Lower<'_, '_>, x: Value) -> Value {
    let square = dot_product(l, x, x);
    let ty = l.b.ty(square);
    l.builtin(Intrinsic::HalfSqrt, &[square], ty)
}

pub fn fast_length(l: &mut Lower<'_, '_>) -> Lowered {
    let x = l.arg(0)?;
    Ok(Some(fast_length_of(l, x)))
}

pub fn fast_distance(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    let difference = l.b.binary(BinaryOp::FSub, x, y);
    Ok(Some(fast_length_of(l, difference)))
}

pub fn fast_normalize(l: &mut Lower<'_, '_>) -> Lowered {
    let x = l.arg(0)?;
    let ty = l.b.ty(x);
    let square = dot_product(l, x, x);
    let inverse = l.builtin(Intrinsic::HalfRsqrt, &[square], ty.lane());
    let inverses = l.widen(inverse, ty.lanes);
    let unit = l.b.binary(BinaryOp::FMul, x, inverses);
    Ok(Some(keep_zero(l, square, x, unit)))
}
