//! Expansions of intrinsics, and of operations that are not precise enough, to core IR.
//!
//! Expansions are exact with and without support of denormals: they compute with the bits wherever a comparison or an
//! addition could flush a denormal.

use clforge_basic::options::{CorrectRounding, Options};
use clforge_ir::Intrinsic;
use clforge_ir::{BinaryOp, Builder, CompareOp, ConvertOp, Op, ScalarType, Type, Value};

/// Appends the expansion of an intrinsic; arguments have the lanes of the result type, except those of `dot`. `None`: wrong
/// number of arguments.
pub type Expansion = for<'b, 'f, 'a> fn(&'b mut Builder<'f>, &'a [Value], Type) -> Option<Value>;

/// The library's function that rounds correctly, instead of a division or a square root of `float` or `double`. `None` where the
/// device's operation serves, and for other operations.
pub fn correctly_rounded(op: &Op, scalar: ScalarType, options: &Options) -> Option<&'static str> {
    let arithmetic = &options.device.arithmetic;
    let (name, of_floats) = match op {
        Op::Binary { op: BinaryOp::FDiv, .. } => ("divide", arithmetic.divide),
        Op::Intrinsic { function: Intrinsic::Sqrt, .. } => ("sqrt", arithmetic.sqrt),
        _ => return None,
    };
    let (width, rounding, is_fused) = match scalar {
        ScalarType::F32 => ("f32", of_floats, options.device.fused_multiply_add.float),
        ScalarType::F64 => ("f64", CorrectRounding::Corrected, options.device.fused_multiply_add.double),
        _ => return None,
    };
    let how = match rounding {
        CorrectRounding::Native => return None,
        CorrectRounding::Corrected if is_fused => "corrected_",
        CorrectRounding::Corrected | CorrectRounding::Integers => "",
    };
    clforge_library::library_function(&format!("__clforge_{name}_{how}{width}"))
}

/// The largest exponent of [`product`].
pub const LARGEST_PRODUCT: u32 = 4;

/// `x` to the power of 0 to [`LARGEST_PRODUCT`]. Where the square underflows or overflows, so does the power, so that nothing is
/// lost.
pub fn product(b: &mut Builder<'_>, x: Value, exponent: u32) -> Value {
    let ty = b.ty(x);
    match exponent {
        0 => b.float(ty, 1.0),
        1 => x,
        _ => {
            let square = b.binary(BinaryOp::FMul, x, x);
            match exponent {
                2 => square,
                3 => b.binary(BinaryOp::FMul, square, x),
                _ => b.binary(BinaryOp::FMul, square, square),
            }
        }
    }
}

/// A double rounded once to half: drivers convert to float first, and round twice, and some even where the program has the
/// float between. So the float is built from the double's bits, rounded to odd, which makes the second rounding exact.
pub fn half_of_double(b: &mut Builder<'_>, x: Value) -> Value {
    /// Bits of a double's significand that a float lacks.
    const LOST: i64 = 52 - 23;
    /// The difference of the exponents' biases, where a float has its exponent.
    const REBIAS: i64 = (1023 - 127) << 23;
    /// From here on a double is beyond all floats.
    const BEYOND: i64 = (1023 + 128) << 52;
    const INFINITY: i64 = 0x7ff << 52;
    let ty = b.ty(x);
    let bits = b.to_bits(x);
    let long = b.ty(bits);
    let magnitude = b.binary_int(BinaryOp::And, bits, i64::MAX);
    let lost = b.binary_int(BinaryOp::And, bits, (1 << LOST) - 1);
    let exact = b.compare_int(CompareOp::Eq, lost, 0);
    let (zero, one) = (b.int(long, 0), b.int(long, 1));
    let odd = b.select(exact, zero, one);
    let kept = b.binary_int(BinaryOp::LShr, magnitude, LOST);
    let rounded = b.binary(BinaryOp::Or, kept, odd);
    let rebiased = b.binary_int(BinaryOp::Sub, rounded, REBIAS);
    // Below float's normal range it is too small for half anyway.
    let tiny = b.compare_int(CompareOp::SLt, rebiased, 1 << 23);
    let mut float = b.select(tiny, zero, rebiased);
    for (from, becomes) in [(BEYOND, 0x7f80_0000), (INFINITY + 1, 0x7fc0_0000)] {
        let reached = b.compare_int(CompareOp::UGe, magnitude, from);
        let becomes = b.int(long, becomes);
        float = b.select(reached, becomes, float);
    }
    let top = b.binary_int(BinaryOp::LShr, bits, 32);
    let sign = b.binary_int(BinaryOp::And, top, 0x8000_0000);
    let float = b.binary(BinaryOp::Or, float, sign);
    let float = b.resize(float, ScalarType::I32, false);
    let float = b.bitcast(float, ty.with_scalar(ScalarType::F32));
    b.convert(ConvertOp::FTrunc, float, ty.with_scalar(ScalarType::F16))
}

/// `rint` of doubles, without the instruction ([`Workarounds::LAVAPIPE_DOUBLE_RINT`](
/// clforge_basic::workarounds::Workarounds)). Every operation is exact, so that contraction does not matter; infinities and
/// NaNs have neither a greater nor an equal fraction and are their own floor.
pub fn rint_of_double(b: &mut Builder<'_>, x: Value) -> Value {
    let ty = b.ty(x);
    let sign_mask = ty.scalar.sign_mask();
    let bits = b.to_bits(x);
    let magnitude = b.binary_int(BinaryOp::And, bits, !sign_mask);
    let magnitude = b.bitcast(magnitude, ty);
    let (half, one) = (b.float(ty, 0.5), b.float(ty, 1.0));
    let floor = b.intrinsic(Intrinsic::Floor, &[magnitude], ty);
    let fraction = b.binary(BinaryOp::FSub, magnitude, floor);
    let above = b.compare(CompareOp::FGt, fraction, half);
    let tie = b.compare(CompareOp::FEq, fraction, half);
    let halved = b.binary(BinaryOp::FMul, floor, half);
    let even = b.intrinsic(Intrinsic::Floor, &[halved], ty);
    let odd = b.compare(CompareOp::FNe, halved, even);
    let tie_up = b.binary(BinaryOp::And, tie, odd);
    let up = b.binary(BinaryOp::Or, above, tie_up);
    let next = b.binary(BinaryOp::FAdd, floor, one);
    let rounded = b.select(up, next, floor);
    let rounded = b.to_bits(rounded);
    let sign = b.binary_int(BinaryOp::And, bits, sign_mask);
    let result = b.binary(BinaryOp::Or, rounded, sign);
    b.bitcast(result, ty)
}

/// `x / y` of floats and halves. Vulkan guarantees OpenCL's 2.5 ulp only for divisors up to 2^126, and the reciprocals of
/// larger ones are flushed where denormals are; so there both are divided by four first. Halves are divided as floats, which
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
    let bits = b.to_bits(y);
    let magnitude = b.binary_int(BinaryOp::And, bits, MAGNITUDE);
    let large = b.compare_int(CompareOp::UGt, magnitude, TWO_TO_126);
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
    let bits = b.to_bits(sum);
    let even = b.binary_int(BinaryOp::And, bits, 1);
    let even = b.compare_int(CompareOp::Eq, even, 0);
    // An even sum moves to its odd neighbour on the side of what it lost.
    let negative = b.compare_int(CompareOp::SLt, bits, 0);
    let inward = b.compare(CompareOp::Ne, below, negative);
    let int = b.ty(bits);
    let (one, minus_one) = (b.int(int, 1), b.int(int, -1));
    let step = b.select(inward, minus_one, one);
    let odd = b.binary(BinaryOp::Add, bits, step);
    let moves = b.binary(BinaryOp::And, inexact, even);
    let bits = b.select(moves, odd, bits);
    let rounded = b.bitcast(bits, wide);
    Some(b.convert(ConvertOp::FTrunc, rounded, ty))
}

pub fn fabs(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let bits = b.to_bits(x);
    let bits = b.binary_int(BinaryOp::And, bits, !ty.scalar.sign_mask());
    Some(b.bitcast(bits, ty))
}

pub fn copysign(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x, y] = *args else { return None };
    let (x, y) = (b.to_bits(x), b.to_bits(y));
    let magnitude = b.binary_int(BinaryOp::And, x, !ty.scalar.sign_mask());
    let sign = b.binary_int(BinaryOp::And, y, ty.scalar.sign_mask());
    let bits = b.binary(BinaryOp::Or, magnitude, sign);
    Some(b.bitcast(bits, ty))
}

/// `x - y` where `x > y`, else 0; a NaN gives NaN.
pub fn fdim(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x, y] = *args else { return None };
    let difference = b.binary(BinaryOp::FSub, x, y);
    let not_above = b.compare(CompareOp::FLe, x, y);
    let zero = b.float(ty, 0.0);
    Some(b.select(not_above, zero, difference))
}

/// The argument whose magnitude is `beyond` the other's, else the result of the function `tie` for both, also for NaNs.
/// Magnitudes are compared as integers, since comparisons of floats may flush denormals.
fn by_magnitude(b: &mut Builder<'_>, args: &[Value], ty: Type, beyond: CompareOp, tie: Intrinsic) -> Option<Value> {
    let [x, y] = *args else { return None };
    let [mx, my] = [x, y].map(|value| {
        let bits = b.to_bits(value);
        b.binary_int(BinaryOp::And, bits, !ty.scalar.sign_mask())
    });
    let numbers = [mx, my].map(|bits| b.compare_int(CompareOp::ULe, bits, ty.scalar.infinity_bits()));
    let numbers = b.binary(BinaryOp::And, numbers[0], numbers[1]);
    let [first, second] = [(mx, my), (my, mx)].map(|(one, other)| {
        let is_beyond = b.compare(beyond, one, other);
        b.binary(BinaryOp::And, is_beyond, numbers)
    });
    let tie = b.intrinsic(tie, args, ty);
    let rest = b.select(second, y, tie);
    Some(b.select(first, x, rest))
}

pub fn maxmag(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    by_magnitude(b, args, ty, CompareOp::UGt, Intrinsic::Fmax)
}

pub fn minmag(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    by_magnitude(b, args, ty, CompareOp::ULt, Intrinsic::Fmin)
}

/// The next value of the type after `x` toward `y`: bits of floats are ordered as sign-magnitude integers.
pub fn nextafter_impl(b: &mut Builder<'_>, x: Value, y: Value, ty: Type) -> Value {
    let mask = ty.scalar.sign_mask();
    let (bx, by) = (b.to_bits(x), b.to_bits(y));
    let (ox, oy) = (ordered(b, bx, mask), ordered(b, by, mask));
    let up = b.compare(CompareOp::SGt, oy, ox);
    let int = b.ty(ox);
    let (one, minus_one) = (b.int(int, 1), b.int(int, -1));
    let step = b.select(up, one, minus_one);
    let moved = b.binary(BinaryOp::Add, ox, step);
    // Zero keeps the sign of `x`; any other place has the sign of its own.
    let bits = ordered(b, moved, mask);
    let sign = b.binary_int(BinaryOp::And, bx, mask);
    let is_zero = b.compare_int(CompareOp::Eq, moved, 0);
    let bits = b.select(is_zero, sign, bits);
    let equal = b.compare(CompareOp::Eq, ox, oy);
    let bits = b.select(equal, by, bits);
    let y_nan = is_nan_bits(b, by, ty.scalar);
    let bits = b.select(y_nan, by, bits);
    let x_nan = is_nan_bits(b, bx, ty.scalar);
    let bits = b.select(x_nan, bx, bits);
    b.bitcast(bits, ty)
}

/// Maps the bits of floats to integers in the same order; it is its own inverse. Both zeros become 0.
fn ordered(b: &mut Builder<'_>, bits: Value, mask: i64) -> Value {
    let negative = b.compare_int(CompareOp::SLt, bits, 0);
    let ty = b.ty(bits);
    let mask = b.int(ty, mask);
    let mirrored = b.binary(BinaryOp::Sub, mask, bits);
    b.select(negative, mirrored, bits)
}

fn is_nan_bits(b: &mut Builder<'_>, bits: Value, scalar: ScalarType) -> Value {
    let magnitude = b.binary_int(BinaryOp::And, bits, !scalar.sign_mask());
    b.compare_int(CompareOp::UGt, magnitude, scalar.infinity_bits())
}

pub fn nextafter(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x, y] = *args else { return None };
    Some(nextafter_impl(b, x, y, ty))
}

/// `trunc` of doubles, without the instruction ([`Workarounds::LAVAPIPE_DOUBLE_TRUNC`](
/// clforge_basic::workarounds::Workarounds)): the floor of the magnitude, with the sign.
pub fn trunc_of_double(b: &mut Builder<'_>, x: Value) -> Value {
    let ty = b.ty(x);
    let sign_mask = ty.scalar.sign_mask();
    let bits = b.to_bits(x);
    let magnitude = b.binary_int(BinaryOp::And, bits, !sign_mask);
    let magnitude = b.bitcast(magnitude, ty);
    let floor = b.intrinsic(Intrinsic::Floor, &[magnitude], ty);
    let floor = b.to_bits(floor);
    let sign = b.binary_int(BinaryOp::And, bits, sign_mask);
    let result = b.binary(BinaryOp::Or, floor, sign);
    b.bitcast(result, ty)
}

/// `round` of doubles, by `trunc_of_double`.
pub fn round_of_double(b: &mut Builder<'_>, x: Value) -> Option<Value> {
    let whole = trunc_of_double(b, x);
    round_from(b, x, whole)
}

/// To the nearest integer, halves away from zero; the sign is kept.
///
/// The integral part of the sum of `x` and the greatest number below 1/2, which has the sign of `x`: only from 1/2 on does the
/// rounded sum reach the next integer.
pub fn round(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let nearly_half =
        b.float(ty, if ty.scalar == ScalarType::F64 { 0.5_f64.next_down() } else { 0.5_f32.next_down().into() });
    let step = copysign(b, &[nearly_half, x], ty)?;
    let sum = b.binary(BinaryOp::FAdd, x, step);
    Some(b.intrinsic(Intrinsic::Trunc, &[sum], ty))
}

/// `round` of `x`, whose integral part is `whole`.
fn round_from(b: &mut Builder<'_>, x: Value, whole: Value) -> Option<Value> {
    let ty = b.ty(x);
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
    Some(b.intrinsic(Intrinsic::NativeExp2, &[exponent], ty))
}

pub fn native_log10(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let log = b.intrinsic(Intrinsic::NativeLog2, &[x], ty);
    let factor = b.float(ty, std::f64::consts::LOG10_2);
    Some(b.binary(BinaryOp::FMul, log, factor))
}

/// The sum of the products of the lanes, one `mad` a lane. Vulkan's `mad` of halves is one of floats with conversions around
/// it, so halves are multiplied and added.
pub fn dot(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x, y] = *args else { return None };
    let lanes = b.ty(x).lanes;
    if ty.scalar == ScalarType::F16 {
        let products = b.binary(BinaryOp::FMul, x, y);
        let mut sum = b.extract(products, 0);
        for lane in 1..lanes {
            let product = b.extract(products, lane);
            sum = b.binary(BinaryOp::FAdd, sum, product);
        }
        return Some(sum);
    }
    let (first, second) = (b.extract(x, 0), b.extract(y, 0));
    let mut sum = b.binary(BinaryOp::FMul, first, second);
    for lane in 1..lanes {
        let (x, y) = (b.extract(x, lane), b.extract(y, lane));
        sum = b.intrinsic(Intrinsic::Mad, &[x, y, sum], ty);
    }
    Some(sum)
}

/// The low and high 32 bits of 64-bit lanes.
fn halves(b: &mut Builder<'_>, x: Value) -> (Value, Value) {
    let low = b.resize(x, ScalarType::I32, false);
    let high = b.binary_int(BinaryOp::LShr, x, 32);
    (low, b.resize(high, ScalarType::I32, false))
}

/// The bit searches of GLSL.std.450 are defined for 32 bits only, and return -1 for 0.
fn find(b: &mut Builder<'_>, function: Intrinsic, x: Value) -> Value {
    let ty = b.ty(x);
    b.intrinsic(function, &[x], ty)
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
        let (in_low, in_high) = (find(b, Intrinsic::FindMsb, low), find(b, Intrinsic::FindMsb, high));
        let (below, above) = (minus(b, 63, in_low), minus(b, 31, in_high));
        let empty = b.compare_int(CompareOp::Eq, high, 0);
        b.select(empty, below, above)
    } else {
        let wide = b.resize(x, ScalarType::I32, false);
        let place = find(b, Intrinsic::FindMsb, wide);
        minus(b, i64::from(ty.scalar.bits()) - 1, place)
    };
    Some(b.resize(count, ty.scalar, false))
}

pub fn ctz(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x] = *args else { return None };
    let count = match ty.scalar {
        ScalarType::I64 => {
            let (low, high) = halves(b, x);
            let in_low = find(b, Intrinsic::FindLsb, low);
            let in_high = ctz32(b, high);
            let in_high = b.binary_int(BinaryOp::Add, in_high, 32);
            let empty = b.compare_int(CompareOp::Eq, low, 0);
            b.select(empty, in_high, in_low)
        }
        ScalarType::I32 => ctz32(b, x),
        _ => {
            // A bit just above the width stops the search there.
            let wide = b.resize(x, ScalarType::I32, false);
            let stopped = b.binary_int(BinaryOp::Or, wide, 1 << ty.scalar.bits());
            find(b, Intrinsic::FindLsb, stopped)
        }
    };
    Some(b.resize(count, ty.scalar, false))
}

fn ctz32(b: &mut Builder<'_>, x: Value) -> Value {
    let place = find(b, Intrinsic::FindLsb, x);
    let none = b.compare_int(CompareOp::Eq, x, 0);
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

fn popcount32(b: &mut Builder<'_>, x: Value) -> Value {
    b.intrinsic(Intrinsic::Popcount, &[x], b.ty(x))
}

pub fn s_mul_hi(b: &mut Builder<'_>, args: &[Value], ty: Type) -> Option<Value> {
    let [x, y] = *args else { return None };
    if ty.scalar != ScalarType::I64 {
        return Some(wide_mul_hi(b, x, y, ty, true));
    }
    // As unsigned, each negative factor counts 2^64 too much.
    let high = mul_hi_64(b, x, y);
    let (sx, sy) = (b.binary_int(BinaryOp::AShr, x, 63), b.binary_int(BinaryOp::AShr, y, 63));
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
    let high = b.binary_int(BinaryOp::LShr, product, i64::from(ty.scalar.bits()));
    b.resize(high, ty.scalar, false)
}

/// The upper half of the product of unsigned integers of 64 bits: schoolbook multiplication of 32-bit halves.
pub fn mul_hi_64(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let low = |b: &mut Builder<'_>, v: Value| b.binary_int(BinaryOp::And, v, 0xffff_ffff);
    let high = |b: &mut Builder<'_>, v: Value| b.binary_int(BinaryOp::LShr, v, 32);
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
