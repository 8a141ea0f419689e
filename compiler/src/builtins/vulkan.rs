//! How targets provide an `Op::Builtin`: instruction numbers, library functions, and expansions to core IR.
//!
//! Expansions are exact and hold with and without denormals, since they work on bits wherever a comparison or an
//! addition of a denormal could be flushed.

use super::lower::{binary_int, builtin, compare_int, from_bits, to_bits};
use super::table::{self, How, Vulkan};
use super::{BuiltinId, library};
use crate::ir::{BinaryOp, Builder, CompareOp, ConvertOp, Op, ScalarType, Type, Value};
use crate::options::MathOptions;

/// How an `Op::Builtin` is provided on Vulkan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VulkanProvision {
    /// An instruction of GLSL.std.450 whose guaranteed precision suffices; works on vectors.
    Glsl(u32),
    /// A function of the library for scalars, for example `__clforge_sin_f32`; see [`super::library_text`].
    Library(&'static str),
    /// [`super::expand_vulkan`] replaces it; built-ins in the replacement are all [`VulkanProvision::Glsl`].
    Inline,
}

/// Appends what a built-in stands for; arguments have the lanes of the result type. `None`: wrong number of arguments.
pub type ExpandFn = for<'b, 'f, 'a> fn(&'b mut Builder<'f>, &'a [Value], Type) -> Option<Value>;

/// The number of an `Op::Builtin` in OpenCL.std.
pub fn opencl_instruction(id: BuiltinId) -> Option<u32> {
    if id == super::PRINTF {
        return Some(184);
    }
    match table::get(id)?.how {
        How::Target { opencl, .. } if opencl != u16::MAX => Some(u32::from(opencl)),
        _ => None,
    }
}

/// What the last argument of an `Op::Builtin`, a pointer that it reads or writes through, points to.
pub fn opencl_pointee(id: BuiltinId) -> Option<ScalarType> {
    if super::lower_half::is_half_access(id) {
        return Some(ScalarType::F16);
    }
    const REMQUO: BuiltinId = table::known("__remquo");
    const LGAMMA_R: BuiltinId = table::known("__lgamma_r");
    (id == REMQUO || id == LGAMMA_R).then_some(ScalarType::I32)
}

/// See [`super::vulkan_provision`].
pub fn provision(id: BuiltinId, scalar: ScalarType, math: &MathOptions) -> Option<VulkanProvision> {
    let How::Target { vulkan, .. } = table::get(id)?.how else { return None };
    let glsl = |number: u16| Some(VulkanProvision::Glsl(u32::from(number)));
    let function = |name: &str| {
        let suffix = match scalar {
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
            _ => return None,
        };
        library::library_function(&format!("__clforge_{name}_{suffix}")).map(VulkanProvision::Library)
    };
    match vulkan {
        Vulkan::Glsl(number) => glsl(number),
        Vulkan::FastGlsl(number, _) if math.fast_relaxed && scalar == ScalarType::F32 => glsl(number),
        Vulkan::FastGlsl(_, name) | Vulkan::Library(name) => function(name),
        Vulkan::Inline(_) => Some(VulkanProvision::Inline),
    }
}

/// The library's function instead of an operation on floats that must be rounded correctly: a division or a square root.
pub fn correctly_rounded(op: &Op) -> Option<&'static str> {
    const SQRT: BuiltinId = table::known("sqrt");
    let function = match op {
        Op::Binary { op: BinaryOp::FDiv, .. } => "__clforge_divide_f32",
        Op::Builtin { function: SQRT, .. } => "__clforge_sqrt_f32",
        _ => return None,
    };
    library::library_function(function)
}

/// See [`super::expand_vulkan`].
pub fn expand(b: &mut Builder<'_>, _math: &MathOptions, id: BuiltinId, args: &[Value], ty: Type) -> Option<Value> {
    match table::get(id)?.how {
        How::Target { vulkan: Vulkan::Inline(expand), .. } => expand(b, args, ty),
        _ => None,
    }
}

const FMAX: BuiltinId = table::known("fmax");
const FMIN: BuiltinId = table::known("fmin");
const TRUNC: BuiltinId = table::known("trunc");
const NATIVE_EXP2: BuiltinId = table::known("native_exp2");
const NATIVE_LOG2: BuiltinId = table::known("native_log2");
const FIND_MSB: BuiltinId = table::known("__find_msb");
const FIND_LSB: BuiltinId = table::known("__find_lsb");

/// A double rounded once to half: drivers go by way of float, and round twice, and some even where the program has the
/// float between. So that float is put together from the double's bits, rounded to odd, which does not matter to the half.
pub fn half_of_double(b: &mut Builder<'_>, x: Value) -> Value {
    /// Bits of a double's significand that a float lacks.
    const LOST: i64 = 52 - 23;
    /// The difference of the exponents' biases, where a float has its exponent.
    const REBIAS: i64 = (1023 - 127) << 23;
    /// From here on a double is beyond all floats.
    const BEYOND: i64 = (1023 + 128) << 52;
    const INFINITY: i64 = 0x7ff << 52;
    let ty = b.ty(x);
    let bits = to_bits(b, x);
    let long = b.ty(bits);
    let magnitude = binary_int(b, BinaryOp::And, bits, i64::MAX);
    let lost = binary_int(b, BinaryOp::And, bits, (1 << LOST) - 1);
    let exact = compare_int(b, CompareOp::Eq, lost, 0);
    let (zero, one) = (b.int(long, 0), b.int(long, 1));
    let odd = b.select(exact, zero, one);
    let kept = binary_int(b, BinaryOp::LShr, magnitude, LOST);
    let rounded = b.binary(BinaryOp::Or, kept, odd);
    let rebiased = binary_int(b, BinaryOp::Sub, rounded, REBIAS);
    // Below float's normal range it is too small for half anyway.
    let tiny = compare_int(b, CompareOp::SLt, rebiased, 1 << 23);
    let mut float = b.select(tiny, zero, rebiased);
    for (from, becomes) in [(BEYOND, 0x7f80_0000), (INFINITY + 1, 0x7fc0_0000)] {
        let reached = compare_int(b, CompareOp::UGe, magnitude, from);
        let becomes = b.int(long, becomes);
        float = b.select(reached, becomes, float);
    }
    let top = binary_int(b, BinaryOp::LShr, bits, 32);
    let sign = binary_int(b, BinaryOp::And, top, 0x8000_0000);
    let float = b.binary(BinaryOp::Or, float, sign);
    let float = b.resize(float, ScalarType::I32, false);
    let float = from_bits(b, float, ty.with_scalar(ScalarType::F32));
    b.convert(ConvertOp::FTrunc, float, ty.with_scalar(ScalarType::F16))
}

/// `x / y` of floats and halves. Vulkan promises OpenCL's 2.5 ulp only for divisors up to 2^126, and the reciprocals of
/// larger ones are lost where denormals are; so there both are divided by four first. Halves are divided as floats, which
/// have room for their denormals' reciprocals.
pub fn precise_quotient(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    const MAGNITUDE: i64 = 0x7FFF_FFFF;
    const TWO_TO_126: i64 = 0x7E80_0000;
    let ty = b.ty(x);
    if ty.scalar == ScalarType::F16 {
        let wide = ty.with_scalar(ScalarType::F32);
        let [x, y] = [x, y].map(|value| b.convert(ConvertOp::FExt, value, wide));
        let quotient = b.binary(BinaryOp::FDiv, x, y);
        return b.convert(ConvertOp::FTrunc, quotient, ty);
    }
    let bits = to_bits(b, y);
    let magnitude = binary_int(b, BinaryOp::And, bits, MAGNITUDE);
    let large = compare_int(b, CompareOp::UGt, magnitude, TWO_TO_126);
    let (quarter, one) = (b.float(ty, 0.25), b.float(ty, 1.0));
    let factor = b.select(large, quarter, one);
    let [x, y] = [x, y].map(|value| b.binary(BinaryOp::FMul, value, factor));
    b.binary(BinaryOp::FDiv, x, y)
}

/// `fma` of halves in float: the product is exact there, and the sum is rounded to odd, so that rounding it to half
/// afterwards rounds once.
pub fn half_fma(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x, y, z] = *args else { return None };
    let wide = ty.with_scalar(ScalarType::F32);
    let [x, y, z] = [x, y, z].map(|value| b.convert(ConvertOp::FExt, value, wide));
    let product = b.binary(BinaryOp::FMul, x, y);
    let sum = b.binary(BinaryOp::FAdd, product, z);
    // What the sum lost, exactly (D. E. Knuth, TAOCP 2, 4.2.2).
    let back = b.binary(BinaryOp::FSub, sum, product);
    let kept = b.binary(BinaryOp::FSub, sum, back);
    let of_product = b.binary(BinaryOp::FSub, product, kept);
    let of_z = b.binary(BinaryOp::FSub, z, back);
    let lost = b.binary(BinaryOp::FAdd, of_product, of_z);
    let zero = b.float(wide, 0.0);
    let (below, above) = (b.compare(CompareOp::FLt, lost, zero), b.compare(CompareOp::FGt, lost, zero));
    let inexact = b.binary(BinaryOp::Or, below, above);
    let bits = to_bits(b, sum);
    let even = binary_int(b, BinaryOp::And, bits, 1);
    let even = compare_int(b, CompareOp::Eq, even, 0);
    // An even sum moves to its odd neighbour on the side of what it lost.
    let negative = compare_int(b, CompareOp::SLt, bits, 0);
    let inward = b.compare(CompareOp::Ne, below, negative);
    let int = b.ty(bits);
    let (one, minus_one) = (b.int(int, 1), b.int(int, -1));
    let step = b.select(inward, minus_one, one);
    let odd = b.binary(BinaryOp::Add, bits, step);
    let moves = b.binary(BinaryOp::And, inexact, even);
    let bits = b.select(moves, odd, bits);
    let rounded = from_bits(b, bits, wide);
    Some(b.convert(ConvertOp::FTrunc, rounded, ty))
}

/// No way.
pub fn none(_: &mut Builder<'_>, _: &[Value], _: Type) -> Option<Value> {
    None
}

pub fn fabs(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let bits = to_bits(b, x);
    let bits = binary_int(b, BinaryOp::And, bits, !ty.scalar.sign_mask());
    Some(from_bits(b, bits, ty))
}

pub fn copysign(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x, y] = *args else { return None };
    let (x, y) = (to_bits(b, x), to_bits(b, y));
    let magnitude = binary_int(b, BinaryOp::And, x, !ty.scalar.sign_mask());
    let sign = binary_int(b, BinaryOp::And, y, ty.scalar.sign_mask());
    let bits = b.binary(BinaryOp::Or, magnitude, sign);
    Some(from_bits(b, bits, ty))
}

/// `x - y` where `x > y`, else 0; a NaN gives NaN.
pub fn fdim(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x, y] = *args else { return None };
    let difference = b.binary(BinaryOp::FSub, x, y);
    let not_above = b.compare(CompareOp::FLe, x, y);
    let zero = b.float(ty, 0.0);
    Some(b.select(not_above, zero, difference))
}

/// The argument whose magnitude is `beyond` the other's, else what the function `tie` says of both, as it does of NaNs.
/// Magnitudes are compared as integers, since comparisons of floats may take denormals for zeros.
fn by_magnitude(b: &mut Builder<'_>, args: &[Value], ty: Type, beyond: CompareOp, tie: BuiltinId) -> Option<Value> {
    let [x, y] = *args else { return None };
    let [mx, my] = [x, y].map(|value| {
        let bits = to_bits(b, value);
        binary_int(b, BinaryOp::And, bits, !ty.scalar.sign_mask())
    });
    let numbers = [mx, my].map(|bits| compare_int(b, CompareOp::ULe, bits, ty.scalar.infinity_bits()));
    let numbers = b.binary(BinaryOp::And, numbers[0], numbers[1]);
    let [first, second] = [(mx, my), (my, mx)].map(|(one, other)| {
        let is_beyond = b.compare(beyond, one, other);
        b.binary(BinaryOp::And, is_beyond, numbers)
    });
    let tie = builtin(b, tie, args, ty);
    let rest = b.select(second, y, tie);
    Some(b.select(first, x, rest))
}

pub fn maxmag(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    by_magnitude(b, args, ty, CompareOp::UGt, FMAX)
}

pub fn minmag(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    by_magnitude(b, args, ty, CompareOp::ULt, FMIN)
}

/// The next value of the type after `x` toward `y`: bits of floats are ordered as sign-magnitude integers.
pub fn nextafter_impl(b: &mut Builder<'_>, x: Value, y: Value, ty: Type) -> Value {
    let mask = ty.scalar.sign_mask();
    let (bx, by) = (to_bits(b, x), to_bits(b, y));
    let (ox, oy) = (ordered(b, bx, mask), ordered(b, by, mask));
    let up = b.compare(CompareOp::SGt, oy, ox);
    let int = b.ty(ox);
    let (one, minus_one) = (b.int(int, 1), b.int(int, -1));
    let step = b.select(up, one, minus_one);
    let moved = b.binary(BinaryOp::Add, ox, step);
    // Zero keeps the sign of `x`; any other place has the sign of its own.
    let bits = ordered(b, moved, mask);
    let sign = binary_int(b, BinaryOp::And, bx, mask);
    let is_zero = compare_int(b, CompareOp::Eq, moved, 0);
    let bits = b.select(is_zero, sign, bits);
    let equal = b.compare(CompareOp::Eq, ox, oy);
    let bits = b.select(equal, by, bits);
    let y_nan = is_nan_bits(b, by, ty.scalar);
    let bits = b.select(y_nan, by, bits);
    let x_nan = is_nan_bits(b, bx, ty.scalar);
    let bits = b.select(x_nan, bx, bits);
    from_bits(b, bits, ty)
}

/// Between the bits of floats and integers in the same order; its own inverse. Both zeros become 0.
fn ordered(b: &mut Builder<'_>, bits: Value, mask: i64) -> Value {
    let negative = compare_int(b, CompareOp::SLt, bits, 0);
    let ty = b.ty(bits);
    let mask = b.int(ty, mask);
    let mirrored = b.binary(BinaryOp::Sub, mask, bits);
    b.select(negative, mirrored, bits)
}

fn is_nan_bits(b: &mut Builder<'_>, bits: Value, scalar: ScalarType) -> Value {
    let magnitude = binary_int(b, BinaryOp::And, bits, !scalar.sign_mask());
    compare_int(b, CompareOp::UGt, magnitude, scalar.infinity_bits())
}

pub fn nextafter(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x, y] = *args else { return None };
    Some(nextafter_impl(b, x, y, ty))
}

/// To the nearest integer, halves away from zero; the sign is kept.
pub fn round(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let whole = builtin(b, TRUNC, &[x], ty);
    let rest = b.binary(BinaryOp::FSub, x, whole);
    let rest = fabs(b, &[rest], ty)?;
    let half = b.float(ty, 0.5);
    let away = b.compare(CompareOp::FGe, rest, half);
    let (one, zero) = (b.float(ty, 1.0), b.float(ty, 0.0));
    let step = b.select(away, one, zero);
    let step = copysign(b, &[step, x], ty)?;
    let rounded = b.binary(BinaryOp::FAdd, whole, step);
    copysign(b, &[rounded, x], ty)
}

pub fn divide(b: &mut Builder<'_>, args: &[Value], _: Type) -> Option<Value> {
    let [x, y] = *args else { return None };
    Some(b.binary(BinaryOp::FDiv, x, y))
}

pub fn recip(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let one = b.float(ty, 1.0);
    Some(b.binary(BinaryOp::FDiv, one, x))
}

pub fn native_exp10(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let factor = b.float(ty, std::f64::consts::LOG2_10);
    let exponent = b.binary(BinaryOp::FMul, x, factor);
    Some(builtin(b, NATIVE_EXP2, &[exponent], ty))
}

pub fn native_log10(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let log = builtin(b, NATIVE_LOG2, &[x], ty);
    let factor = b.float(ty, std::f64::consts::LOG10_2);
    Some(b.binary(BinaryOp::FMul, log, factor))
}

/// The low and high 32 bits of 64-bit lanes.
fn halves(b: &mut Builder<'_>, x: Value) -> (Value, Value) {
    let low = b.resize(x, ScalarType::I32, false);
    let high = binary_int(b, BinaryOp::LShr, x, 32);
    (low, b.resize(high, ScalarType::I32, false))
}

/// GLSL.std.450's bit searches are for 32 bits alone, and give -1 for 0.
fn find(b: &mut Builder<'_>, function: BuiltinId, x: Value) -> Value {
    let ty = b.ty(x);
    builtin(b, function, &[x], ty)
}

/// `constant - x`.
fn minus(b: &mut Builder<'_>, constant: i64, x: Value) -> Value {
    let ty = b.ty(x);
    let constant = b.int(ty, constant);
    b.binary(BinaryOp::Sub, constant, x)
}

pub fn clz(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let count = if ty.scalar == ScalarType::I64 {
        let (low, high) = halves(b, x);
        let (in_low, in_high) = (find(b, FIND_MSB, low), find(b, FIND_MSB, high));
        let (below, above) = (minus(b, 63, in_low), minus(b, 31, in_high));
        let empty = compare_int(b, CompareOp::Eq, high, 0);
        b.select(empty, below, above)
    } else {
        let wide = b.resize(x, ScalarType::I32, false);
        let place = find(b, FIND_MSB, wide);
        minus(b, i64::from(ty.scalar.bits()) - 1, place)
    };
    Some(b.resize(count, ty.scalar, false))
}

pub fn ctz(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let count = match ty.scalar {
        ScalarType::I64 => {
            let (low, high) = halves(b, x);
            let in_low = find(b, FIND_LSB, low);
            let in_high = ctz32(b, high);
            let in_high = binary_int(b, BinaryOp::Add, in_high, 32);
            let empty = compare_int(b, CompareOp::Eq, low, 0);
            b.select(empty, in_high, in_low)
        }
        ScalarType::I32 => ctz32(b, x),
        _ => {
            // A bit just above the width stops the search there.
            let wide = b.resize(x, ScalarType::I32, false);
            let stopped = binary_int(b, BinaryOp::Or, wide, 1 << ty.scalar.bits());
            find(b, FIND_LSB, stopped)
        }
    };
    Some(b.resize(count, ty.scalar, false))
}

fn ctz32(b: &mut Builder<'_>, x: Value) -> Value {
    let place = find(b, FIND_LSB, x);
    let none = compare_int(b, CompareOp::Eq, x, 0);
    let ty = b.ty(x);
    let width = b.int(ty, 32);
    b.select(none, width, place)
}

pub fn popcount(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let count = if ty.scalar == ScalarType::I64 {
        let (low, high) = halves(b, x);
        let (low, high) = (popcount32(b, low), popcount32(b, high));
        b.binary(BinaryOp::Add, low, high)
    } else {
        let wide = b.resize(x, ScalarType::I32, false);
        popcount32(b, wide)
    };
    Some(b.resize(count, ty.scalar, false))
}

/// Sums of 2, 4 and 8 bits side by side, then of the four bytes by a multiplication.
fn popcount32(b: &mut Builder<'_>, x: Value) -> Value {
    let masked = |b: &mut Builder<'_>, x: Value, shift: i64, mask: i64| {
        let shifted = if shift == 0 { x } else { binary_int(b, BinaryOp::LShr, x, shift) };
        binary_int(b, BinaryOp::And, shifted, mask)
    };
    let odd = masked(b, x, 1, 0x5555_5555);
    let x = b.binary(BinaryOp::Sub, x, odd);
    let (low, high) = (masked(b, x, 0, 0x3333_3333), masked(b, x, 2, 0x3333_3333));
    let x = b.binary(BinaryOp::Add, low, high);
    let high = binary_int(b, BinaryOp::LShr, x, 4);
    let sum = b.binary(BinaryOp::Add, x, high);
    let bytes = binary_int(b, BinaryOp::And, sum, 0x0f0f_0f0f);
    let total = binary_int(b, BinaryOp::Mul, bytes, 0x0101_0101);
    binary_int(b, BinaryOp::LShr, total, 24)
}

pub fn s_mul_hi(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x, y] = *args else { return None };
    if ty.scalar != ScalarType::I64 {
        return Some(wide_mul_hi(b, x, y, ty, true));
    }
    // As unsigned, each negative factor counts 2^64 too much.
    let high = mul_hi_64(b, x, y);
    let (sx, sy) = (binary_int(b, BinaryOp::AShr, x, 63), binary_int(b, BinaryOp::AShr, y, 63));
    let (fx, fy) = (b.binary(BinaryOp::And, sx, y), b.binary(BinaryOp::And, sy, x));
    let high = b.binary(BinaryOp::Sub, high, fx);
    Some(b.binary(BinaryOp::Sub, high, fy))
}

pub fn u_mul_hi(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x, y] = *args else { return None };
    Some(if ty.scalar == ScalarType::I64 { mul_hi_64(b, x, y) } else { wide_mul_hi(b, x, y, ty, false) })
}

fn wide_mul_hi(b: &mut Builder<'_>, x: Value, y: Value, ty: Type, signed: bool) -> Value {
    let wide = ScalarType::int(ty.scalar.bits() * 2);
    let (x, y) = (b.resize(x, wide, signed), b.resize(y, wide, signed));
    let product = b.binary(BinaryOp::Mul, x, y);
    let high = binary_int(b, BinaryOp::LShr, product, i64::from(ty.scalar.bits()));
    b.resize(high, ty.scalar, false)
}

/// Schoolbook multiplication of 32-bit halves.
fn mul_hi_64(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let low = |b: &mut Builder<'_>, v: Value| binary_int(b, BinaryOp::And, v, 0xffff_ffff);
    let high = |b: &mut Builder<'_>, v: Value| binary_int(b, BinaryOp::LShr, v, 32);
    let (x0, x1, y0, y1) = (low(b, x), high(b, x), low(b, y), high(b, y));
    let low_product = b.binary(BinaryOp::Mul, x0, y0);
    let carry = high(b, low_product);
    let cross = b.binary(BinaryOp::Mul, x1, y0);
    let cross = b.binary(BinaryOp::Add, cross, carry);
    let (cross_low, cross_high) = (low(b, cross), high(b, cross));
    let other = b.binary(BinaryOp::Mul, x0, y1);
    let other = b.binary(BinaryOp::Add, other, cross_low);
    let other_high = high(b, other);
    let top = b.binary(BinaryOp::Mul, x1, y1);
    let top = b.binary(BinaryOp::Add, top, cross_high);
    b.binary(BinaryOp::Add, top, other_high)
}
