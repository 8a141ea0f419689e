//! Signatures of math (OpenCL C 6.15.2), common (6.15.4) and geometric (6.15.5) functions.

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row};
use crate::hir::types::{FloatKind, IntKind, Scalar};
use Pattern::{Elem, Gen};

const LANES_INT: Pattern = Pattern::Lanes(Scalar::Int(IntKind::Int));
const FLOAT1: Pattern = Pattern::One(Scalar::Float(FloatKind::Float));

/// `gen f(gen)`.
const UNARY: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen])];
/// `gen f(gen, gen)`.
const BINARY: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Gen])];
const TERNARY: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Gen, Gen])];
const FLOAT_UNARY: &[Sig] = &[sig(FLOAT, ALL, Gen, &[Gen])];
const FLOAT_BINARY: &[Sig] = &[sig(FLOAT, ALL, Gen, &[Gen, Gen])];
/// `gen f(gen, gen)` and `gen f(gen, scalar)`.
const FMINMAX: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Gen]), sig(FLOATS, VECTORS, Gen, &[Gen, Elem])];
const WITH_GEN_OUT: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Pattern::Ptr(Pointee::Gen, 0, WRITABLE)])];
const INT_OUT: Pattern = Pattern::Ptr(Pointee::Lanes(Scalar::Int(IntKind::Int)), 0, WRITABLE);
const WITH_INT_OUT: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, INT_OUT])];
const REMQUO: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, Gen, INT_OUT])];
const ILOGB: &[Sig] = &[sig(FLOATS, ALL, LANES_INT, &[Gen])];
const WITH_INT: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, LANES_INT])];
const LDEXP: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Gen, LANES_INT]), sig(FLOATS, VECTORS, Gen, &[Gen, INT])];
const NAN: &[Sig] = &[sig(FLOATS, ALL, Gen, &[Pattern::UnsignedGen])];

/// 6.15.2.
pub const MATH: &[Row] = &[
    row("acos", UNARY),
    row("acosh", UNARY),
    row("acospi", UNARY),
    row("asin", UNARY),
    row("asinh", UNARY),
    row("asinpi", UNARY),
    row("atan", UNARY),
    row("atan2", BINARY),
    row("atanh", UNARY),
    row("atanpi", UNARY),
    row("atan2pi", BINARY),
    row("cbrt", UNARY),
    row("ceil", UNARY),
    row("copysign", BINARY),
    row("cos", UNARY),
    row("cosh", UNARY),
    row("cospi", UNARY),
    row("erfc", UNARY),
    row("erf", UNARY),
    row("exp", UNARY),
    row("exp2", UNARY),
    row("exp10", UNARY),
    row("expm1", UNARY),
    row("fabs", UNARY),
    row("fdim", BINARY),
    row("floor", UNARY),
    row("fma", TERNARY),
    // NMax and NMin, which return the other argument for a NaN.
    row("fmax", FMINMAX),
    row("fmin", FMINMAX),
    row("fmod", BINARY),
    row("fract", WITH_GEN_OUT),
    row("frexp", WITH_INT_OUT),
    row("hypot", BINARY),
    row("ilogb", ILOGB),
    row("ldexp", LDEXP),
    row("lgamma", UNARY),
    row("lgamma_r", WITH_INT_OUT),
    row("log", UNARY),
    row("log2", UNARY),
    row("log10", UNARY),
    row("log1p", UNARY),
    row("logb", UNARY),
    row("mad", TERNARY),
    row("maxmag", BINARY),
    row("minmag", BINARY),
    row("modf", WITH_GEN_OUT),
    row("nan", NAN),
    row("nextafter", BINARY),
    row("pow", BINARY),
    row("pown", WITH_INT),
    row("powr", BINARY),
    row("remainder", BINARY),
    row("remquo", REMQUO),
    row("rint", UNARY),
    row("rootn", WITH_INT),
    row("round", UNARY),
    row("rsqrt", UNARY),
    row("sin", UNARY),
    row("sincos", WITH_GEN_OUT),
    row("sinh", UNARY),
    row("sinpi", UNARY),
    row("sqrt", UNARY),
    row("tan", UNARY),
    row("tanh", UNARY),
    row("tanpi", UNARY),
    row("tgamma", UNARY),
    row("trunc", UNARY),
    // At most 8192 ulp, arguments of sin and cos up to 2^16: beyond what GLSL.std.450 guarantees. On OpenCL they are the
    // functions without the prefix: PoCL 3.1 does not find OpenCL.std's when it is given SPIR-V.
    row("half_cos", FLOAT_UNARY),
    row("half_divide", FLOAT_BINARY),
    row("half_exp", FLOAT_UNARY),
    row("half_exp2", FLOAT_UNARY),
    row("half_exp10", FLOAT_UNARY),
    row("half_log", FLOAT_UNARY),
    row("half_log2", FLOAT_UNARY),
    row("half_log10", FLOAT_UNARY),
    row("half_powr", FLOAT_BINARY),
    row("half_recip", FLOAT_UNARY),
    row("half_rsqrt", FLOAT_UNARY),
    row("half_sin", FLOAT_UNARY),
    row("half_sqrt", FLOAT_UNARY),
    row("half_tan", FLOAT_UNARY),
    // Precision is the implementation's choice.
    row("native_cos", FLOAT_UNARY),
    row("native_divide", FLOAT_BINARY),
    row("native_exp", FLOAT_UNARY),
    row("native_exp2", FLOAT_UNARY),
    row("native_exp10", FLOAT_UNARY),
    row("native_log", FLOAT_UNARY),
    row("native_log2", FLOAT_UNARY),
    row("native_log10", FLOAT_UNARY),
    row("native_powr", FLOAT_BINARY),
    row("native_recip", FLOAT_UNARY),
    row("native_rsqrt", FLOAT_UNARY),
    row("native_sin", FLOAT_UNARY),
    row("native_sqrt", FLOAT_UNARY),
    row("native_tan", FLOAT_UNARY),
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
    let [a, b, c, d] = super::dot::INT_DOT;
    &[sig(FLOATS, UP_TO_4, Elem, &[Gen, Gen]), a, b, c, d]
};
const NORMALIZE: &[Sig] = &[sig(FLOATS, UP_TO_4, Gen, &[Gen])];
const FAST_NORMALIZE: &[Sig] = &[sig(FLOAT, UP_TO_4, Gen, &[Gen])];
const FAST_LENGTH: &[Sig] = &[sig(FLOAT, UP_TO_4, FLOAT1, &[Gen])];
const FAST_DISTANCE: &[Sig] = &[sig(FLOAT, UP_TO_4, FLOAT1, &[Gen, Gen])];

/// 6.15.3 `max`, `min`, `clamp`; 6.15.4 and 6.15.5.
pub const COMMON: &[Row] = &[
    row("clamp", CLAMP),
    row("degrees", UNARY),
    row("max", MINMAX),
    row("min", MINMAX),
    row("mix", MIX),
    row("radians", UNARY),
    row("step", STEP),
    row("smoothstep", SMOOTHSTEP),
    row("sign", UNARY),
    row("cross", CROSS),
    row("dot", DOT),
    row("distance", TO_SCALAR2),
    row("length", TO_SCALAR),
    row("normalize", NORMALIZE),
    row("fast_distance", FAST_DISTANCE),
    row("fast_length", FAST_LENGTH),
    row("fast_normalize", FAST_NORMALIZE),
];
