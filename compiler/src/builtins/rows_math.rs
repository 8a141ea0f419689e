//! Rows: math (OpenCL C 6.15.2), common (6.15.4) and geometric (6.15.5) functions.

use super::pattern::*;
use super::table::{How, Row, Vulkan, row};
use super::vulkan as vk;
use super::{lower_geometric as geo, lower_math as math};
use crate::hir::types::{FloatKind, IntKind, Scalar};
use P::{Elem, Gen};

const LANES_INT: P = P::Lanes(Scalar::Int(IntKind::Int));
const FLOAT1: P = P::One(Scalar::Float(FloatKind::Float));

/// `gen f(gen)`.
const UNARY: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen])];
/// `gen f(gen, gen)`.
const BINARY: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Gen])];
const TERNARY: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Gen, Gen])];
const FLOAT_UNARY: &[Sig] = &[sig(FLOAT, ALL, Gen, &[Gen])];
const FLOAT_BINARY: &[Sig] = &[sig(FLOAT, ALL, Gen, &[Gen, Gen])];
/// `gen f(gen, gen)` and `gen f(gen, scalar)`.
const FMINMAX: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Gen]), sig(FLOATS, VECTORS, Gen, &[Gen, Elem])];
const WITH_GEN_OUT: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, P::Ptr(To::Gen, 0, WRITABLE)])];
const INT_OUT: P = P::Ptr(To::Lanes(Scalar::Int(IntKind::Int)), 0, WRITABLE);
const WITH_INT_OUT: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, INT_OUT])];
const REMQUO: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Gen, INT_OUT])];
const ILOGB: &[Sig] = &[sig(FLOATS, ALL, LANES_INT, &[Gen])];
const WITH_INT: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, LANES_INT])];
const LDEXP: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, LANES_INT]), sig(FLOATS, VECTORS, Gen, &[Gen, INT])];
const NAN: &[Sig] = &[sig(FLOATS, ALL, Gen, &[P::UnsignedGen])];

const fn library(opencl: u16, name: &'static str) -> How {
    How::Target { opencl, vulkan: Vulkan::Library(name) }
}

const fn glsl(opencl: u16, number: u16) -> How {
    How::Target { opencl, vulkan: Vulkan::Glsl(number) }
}

const fn fast(opencl: u16, number: u16, name: &'static str) -> How {
    How::Target { opencl, vulkan: Vulkan::FastGlsl(number, name) }
}

const fn inline(opencl: u16, expand: vk::ExpandFn) -> How {
    How::Target { opencl, vulkan: Vulkan::Inline(expand) }
}

/// Made for OpenCL targets alone.
const fn opencl_only(opencl: u16) -> How {
    How::Target { opencl, vulkan: Vulkan::Inline(vk::none) }
}

/// 6.15.2. The first number is the instruction of OpenCL.std, a second one that of GLSL.std.450.
pub const MATH: &[Row] = &[
    row("acos", UNARY, library(0, "acos")),
    row("acosh", UNARY, library(1, "acosh")),
    row("acospi", UNARY, library(2, "acospi")),
    row("asin", UNARY, library(3, "asin")),
    row("asinh", UNARY, library(4, "asinh")),
    row("asinpi", UNARY, library(5, "asinpi")),
    row("atan", UNARY, library(6, "atan")),
    row("atan2", BINARY, library(7, "atan2")),
    row("atanh", UNARY, library(8, "atanh")),
    row("atanpi", UNARY, library(9, "atanpi")),
    row("atan2pi", BINARY, library(10, "atan2pi")),
    row("cbrt", UNARY, library(11, "cbrt")),
    row("ceil", UNARY, glsl(12, 9)),
    row("copysign", BINARY, inline(13, vk::copysign)),
    row("cos", UNARY, fast(14, 14, "cos")),
    row("cosh", UNARY, library(15, "cosh")),
    row("cospi", UNARY, library(16, "cospi")),
    row("erfc", UNARY, library(17, "erfc")),
    row("erf", UNARY, library(18, "erf")),
    row("exp", UNARY, fast(19, 27, "exp")),
    row("exp2", UNARY, fast(20, 29, "exp2")),
    row("exp10", UNARY, library(21, "exp10")),
    row("expm1", UNARY, library(22, "expm1")),
    row("fabs", UNARY, inline(23, vk::fabs)),
    row("fdim", BINARY, inline(24, vk::fdim)),
    row("floor", UNARY, glsl(25, 8)),
    row("fma", TERNARY, fast(26, 50, "fma")),
    // NMax and NMin, which return the other argument for a NaN.
    row("fmax", FMINMAX, glsl(27, 80)),
    row("fmin", FMINMAX, glsl(28, 79)),
    row("fmod", BINARY, library(29, "fmod")),
    row("fract", WITH_GEN_OUT, How::Lower(math::fract)),
    row("frexp", WITH_INT_OUT, How::Lower(math::frexp)),
    row("hypot", BINARY, library(32, "hypot")),
    row("ilogb", ILOGB, library(33, "ilogb")),
    row("ldexp", LDEXP, library(34, "ldexp")),
    row("lgamma", UNARY, library(35, "lgamma")),
    row("lgamma_r", WITH_INT_OUT, How::Lower(math::lgamma_r)),
    row("log", UNARY, fast(37, 28, "log")),
    row("log2", UNARY, fast(38, 30, "log2")),
    row("log10", UNARY, library(39, "log10")),
    row("log1p", UNARY, library(40, "log1p")),
    row("logb", UNARY, library(41, "logb")),
    row("mad", TERNARY, glsl(42, 50)),
    row("maxmag", BINARY, inline(43, vk::maxmag)),
    row("minmag", BINARY, inline(44, vk::minmag)),
    row("modf", WITH_GEN_OUT, How::Lower(math::modf)),
    row("nan", NAN, How::Lower(math::nan)),
    row("nextafter", BINARY, inline(47, vk::nextafter)),
    row("pow", BINARY, library(48, "pow")),
    row("pown", WITH_INT, library(49, "pown")),
    row("powr", BINARY, fast(50, 26, "powr")),
    row("remainder", BINARY, library(51, "remainder")),
    row("remquo", REMQUO, How::Lower(math::remquo)),
    row("rint", UNARY, glsl(53, 2)),
    row("rootn", WITH_INT, library(54, "rootn")),
    row("round", UNARY, inline(55, vk::round)),
    row("rsqrt", UNARY, fast(56, 32, "rsqrt")),
    row("sin", UNARY, fast(57, 13, "sin")),
    row("sincos", WITH_GEN_OUT, How::Lower(math::sincos)),
    row("sinh", UNARY, library(59, "sinh")),
    row("sinpi", UNARY, library(60, "sinpi")),
    row("sqrt", UNARY, glsl(61, 31)),
    row("tan", UNARY, fast(62, 15, "tan")),
    row("tanh", UNARY, library(63, "tanh")),
    row("tanpi", UNARY, library(64, "tanpi")),
    row("tgamma", UNARY, library(65, "tgamma")),
    row("trunc", UNARY, glsl(66, 3)),
    // At most 8192 ulp, arguments of sin and cos up to 2^16: beyond what GLSL.std.450 promises. On OpenCL they are the
    // functions without the prefix: PoCL 3.1 does not find OpenCL.std's when it is given SPIR-V.
    row("half_cos", FLOAT_UNARY, fast(14, 14, "cos")),
    row("half_divide", FLOAT_BINARY, How::Lower(math::divide)),
    row("half_exp", FLOAT_UNARY, fast(19, 27, "exp")),
    row("half_exp2", FLOAT_UNARY, fast(20, 29, "exp2")),
    row("half_exp10", FLOAT_UNARY, library(21, "exp10")),
    row("half_log", FLOAT_UNARY, fast(37, 28, "log")),
    row("half_log2", FLOAT_UNARY, fast(38, 30, "log2")),
    row("half_log10", FLOAT_UNARY, library(39, "log10")),
    row("half_powr", FLOAT_BINARY, fast(50, 26, "powr")),
    row("half_recip", FLOAT_UNARY, How::Lower(math::recip)),
    row("half_rsqrt", FLOAT_UNARY, glsl(56, 32)),
    row("half_sin", FLOAT_UNARY, fast(57, 13, "sin")),
    row("half_sqrt", FLOAT_UNARY, glsl(61, 31)),
    row("half_tan", FLOAT_UNARY, fast(62, 15, "tan")),
    // Precision is the implementation's choice.
    row("native_cos", FLOAT_UNARY, glsl(81, 14)),
    row("native_divide", FLOAT_BINARY, inline(82, vk::divide)),
    row("native_exp", FLOAT_UNARY, glsl(83, 27)),
    row("native_exp2", FLOAT_UNARY, glsl(84, 29)),
    row("native_exp10", FLOAT_UNARY, inline(85, vk::native_exp10)),
    row("native_log", FLOAT_UNARY, glsl(86, 28)),
    row("native_log2", FLOAT_UNARY, glsl(87, 30)),
    row("native_log10", FLOAT_UNARY, inline(88, vk::native_log10)),
    row("native_powr", FLOAT_BINARY, glsl(89, 26)),
    row("native_recip", FLOAT_UNARY, inline(90, vk::recip)),
    row("native_rsqrt", FLOAT_UNARY, glsl(91, 32)),
    row("native_sin", FLOAT_UNARY, glsl(92, 13)),
    row("native_sqrt", FLOAT_UNARY, glsl(93, 31)),
    row("native_tan", FLOAT_UNARY, glsl(94, 15)),
];

const CLAMP: &[Sig] = &[sig(NUMBERS, ALL, Gen, &[Gen, Gen, Gen]), sig(NUMBERS, VECTORS, Gen, &[Gen, Elem, Elem])];
const MINMAX: &[Sig] = &[sig(NUMBERS, ALL, Gen, &[Gen, Gen]), sig(NUMBERS, VECTORS, Gen, &[Gen, Elem])];
const MIX: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Gen, Gen]), sig(FLOATS, VECTORS, Gen, &[Gen, Gen, Elem])];
const STEP: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Gen]), sig(FLOATS, VECTORS, Gen, &[Elem, Gen])];
const SMOOTHSTEP: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Gen, Gen]), sig(FLOATS, VECTORS, Gen, &[Elem, Elem, Gen])];
const CROSS: &[Sig] = &[sig(FLOATS, THREE_OR_FOUR, Gen, &[Gen, Gen])];
const TO_SCALAR: &[Sig] = &[sig(FLOATS, UP_TO_4, Elem, &[Gen])];
const TO_SCALAR2: &[Sig] = &[sig(FLOATS, UP_TO_4, Elem, &[Gen, Gen])];
const DOT: &[Sig] = {
    let [a, b, c, d] = super::rows_group::INT_DOT;
    &[sig(FLOATS, UP_TO_4, Elem, &[Gen, Gen]), a, b, c, d]
};
const NORMALIZE: &[Sig] = &[sig(FLOATS, UP_TO_4, Gen, &[Gen])];
const FAST_NORMALIZE: &[Sig] = &[sig(FLOAT, UP_TO_4, Gen, &[Gen])];
const FAST_LENGTH: &[Sig] = &[sig(FLOAT, UP_TO_4, FLOAT1, &[Gen])];
const FAST_DISTANCE: &[Sig] = &[sig(FLOAT, UP_TO_4, FLOAT1, &[Gen, Gen])];

/// 6.15.3 `max`, `min`, `clamp`; 6.15.4 and 6.15.5.
pub const COMMON: &[Row] = &[
    row("clamp", CLAMP, How::Lower(math::clamp)),
    row("degrees", UNARY, How::Lower(math::degrees)),
    row("max", MINMAX, How::Lower(math::max)),
    row("min", MINMAX, How::Lower(math::min)),
    row("mix", MIX, How::Lower(math::mix)),
    row("radians", UNARY, How::Lower(math::radians)),
    row("step", STEP, How::Lower(math::step)),
    row("smoothstep", SMOOTHSTEP, How::Lower(math::smoothstep)),
    row("sign", UNARY, How::Lower(math::sign)),
    row("cross", CROSS, How::Lower(geo::cross)),
    row("dot", DOT, How::Lower(geo::dot)),
    row("distance", TO_SCALAR2, How::Lower(geo::distance)),
    row("length", TO_SCALAR, How::Lower(geo::length)),
    row("normalize", NORMALIZE, How::Lower(geo::normalize)),
    row("fast_distance", FAST_DISTANCE, How::Lower(geo::fast_distance)),
    row("fast_length", FAST_LENGTH, How::Lower(geo::fast_length)),
    row("fast_normalize", FAST_NORMALIZE, How::Lower(geo::fast_normalize)),
];

/// Pieces of other functions: made by lowering, never called by name.
pub const HIDDEN: &[Row] = &[
    // With an `int` in private memory as last argument.
    row("__remquo", &[], library(52, "remquo")),
    row("__lgamma_r", &[], library(36, "lgamma_r")),
    // Of two numbers, neither a NaN: one instruction, where a comparison and a selection must not become one.
    row("__fmax", &[], glsl(27, 40)),
    row("__fmin", &[], glsl(28, 37)),
    row("__clz", &[], inline(151, vk::clz)),
    row("__ctz", &[], inline(152, vk::ctz)),
    row("__popcount", &[], inline(166, vk::popcount)),
    row("__s_mul_hi", &[], inline(160, vk::s_mul_hi)),
    row("__u_mul_hi", &[], inline(203, vk::u_mul_hi)),
    row("__find_msb", &[], How::Target { opencl: u16::MAX, vulkan: Vulkan::Glsl(75) }),
    // Of the number of a half and a pointer, and before them a number to store; the numbers of OpenCL.std alone.
    row("__vload_half", &[], opencl_only(173)),
    row("__vstore_half", &[], opencl_only(175)),
    row("__vstore_half_rte", &[], opencl_only(176)),
    row("__vstore_half_rtz", &[], opencl_only(176)),
    row("__vstore_half_rtp", &[], opencl_only(176)),
    row("__vstore_half_rtn", &[], opencl_only(176)),
    row("__find_lsb", &[], How::Target { opencl: u16::MAX, vulkan: Vulkan::Glsl(73) }),
];
