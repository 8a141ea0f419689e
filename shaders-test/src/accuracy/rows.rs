//! All functions: how they are called, what they must return, and the critical ranges of their arguments.

use super::exact::{self, Exact};
use super::real::{self, Real};
use crate::oracle::number::Scalar;

/// A function, or one of its results.
pub struct Row {
    /// What it is called in tables.
    pub name: &'static str,
    /// A statement that computes `r` from `x`, `y`, `z` and the integer `n`; `T` is the type.
    pub body: &'static str,
    /// What is passed.
    pub inputs: Inputs,
    /// Whether `r` is an `int`.
    pub int_result: bool,
    /// Whether it is built with `-cl-fp32-correctly-rounded-divide-sqrt`.
    pub correctly_rounded: bool,
    /// How results are judged.
    pub kind: Kind,
    /// The limits for `float`, `double` and `half` in the full profile.
    pub limits: [Limit; 3],
    /// Where random arguments lie that are not of all magnitudes.
    pub region: Region,
}

/// The inputs of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Inputs {
    X,
    XY,
    XYZ,
    XN,
}

/// How results are judged.
#[derive(Clone, Copy)]
pub enum Kind {
    /// By their distance from a reference.
    Real(Real),
    /// By their bits.
    Exact(Exact),
}

/// What the specification allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// The function does not exist for the type.
    Absent,
    /// Unspecified, or implementation-defined.
    Open,
    /// Ulp.
    Ulp(f64),
    /// Correctly rounded, or without rounding.
    Exact,
    /// An absolute error.
    Absolute(f64),
}

/// Regions of arguments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// `x` (and `y`, `z`) in a range.
    Range(f64, f64),
    /// `x` in a range and near multiples of a number there.
    Multiples(f64, f64, f64),
    /// `x` near one, from both sides.
    One,
    /// `y` of a magnitude like that of `x`.
    Close,
    /// `y` such that `x` to the `y` is in range.
    Power,
    /// `n` such that `x` to the `n` is in range.
    PowerInt,
    /// Small `n`.
    Root,
    /// `n` such that scaling stays near the type's range.
    Scale,
    /// `z` near `-x * y`.
    Cancel,
    /// `x` and `y` small and different, `z` from 0 to 1.
    Mix,
    /// Only `|x|` below a bound; others are unspecified.
    Within(f64),
}

use Inputs::*;
use Limit::{Absent, Absolute, Open, Ulp};
use Region::*;

const fn real(
    name: &'static str,
    body: &'static str,
    inputs: Inputs,
    real: Real,
    limits: [f64; 3],
    region: Region,
) -> Row {
    let limits = [Ulp(limits[0]), Ulp(limits[1]), Ulp(limits[2])];
    Row { name, body, inputs, int_result: false, correctly_rounded: false, kind: Kind::Real(real), limits, region }
}

const fn exact(name: &'static str, body: &'static str, inputs: Inputs, exact: Exact, region: Region) -> Row {
    let limits = [Limit::Exact; 3];
    Row { name, body, inputs, int_result: false, correctly_rounded: false, kind: Kind::Exact(exact), limits, region }
}

const fn int(name: &'static str, body: &'static str, inputs: Inputs, exact: Exact, region: Region) -> Row {
    let limits = [Limit::Exact; 3];
    Row { name, body, inputs, int_result: true, correctly_rounded: false, kind: Kind::Exact(exact), limits, region }
}

const fn open(row: Row) -> Row {
    Row { limits: [Open; 3], ..row }
}

/// `half_…` functions: of `float` only, at most 8192 ulp.
const fn half(name: &'static str, body: &'static str, inputs: Inputs, function: Real, region: Region) -> Row {
    Row { limits: [Ulp(8192.0), Absent, Absent], ..real(name, body, inputs, function, [0.0; 3], region) }
}

/// `native_…` functions: of `float` only, the implementation decides.
const fn native(name: &'static str, body: &'static str, inputs: Inputs, function: Real, region: Region) -> Row {
    Row { limits: [Open, Absent, Absent], ..real(name, body, inputs, function, [0.0; 3], region) }
}

/// The operations that `-cl-fp32-correctly-rounded-divide-sqrt` makes exact, of `float`.
const fn correctly_rounded(row: Row) -> Row {
    Row { correctly_rounded: true, limits: [Limit::Exact, Absent, Absent], ..row }
}

const UNIT: Region = Range(-1.0, 1.0);
const WIDE: Region = Range(-100.0, 100.0);
const CIRCLE: Region = Multiples(std::f64::consts::FRAC_PI_2, -1000.0, 1000.0);
const HALF_TURNS: Region = Multiples(0.5, -100.0, 100.0);
const EXPONENTS: Region = Range(-150.0, 130.0);

/// The number of a floating type in [`Row::limits`].
pub fn column(ty: Scalar) -> usize {
    match ty {
        Scalar::Float => 0,
        Scalar::Double => 1,
        _ => 2,
    }
}

/// Operators and functions of numbers.
pub const ROWS: &[Row] = &[
    exact("x + y", "r = x + y;", XY, exact::add, Close),
    exact("x - y", "r = x - y;", XY, exact::subtract, Close),
    exact("x * y", "r = x * y;", XY, exact::multiply, Close),
    real("1 / x", "r = (T)1 / x;", X, real::RECIP, [2.5, 0.5, 1.0], WIDE),
    real("x / y", "r = x / y;", XY, real::DIVIDE, [2.5, 0.5, 1.0], Close),
    correctly_rounded(exact("x / y, with the option", "r = x / y;", XY, exact::divide, Close)),
    real("acos", "r = acos(x);", X, real::ACOS, [4.0, 4.0, 2.0], UNIT),
    real("acosh", "r = acosh(x);", X, real::ACOSH, [4.0, 4.0, 2.0], Range(1.0, 4.0)),
    real("acospi", "r = acospi(x);", X, real::ACOSPI, [5.0, 5.0, 2.0], UNIT),
    real("asin", "r = asin(x);", X, real::ASIN, [4.0, 4.0, 2.0], UNIT),
    real("asinh", "r = asinh(x);", X, real::ASINH, [4.0, 4.0, 2.0], Range(-4.0, 4.0)),
    real("asinpi", "r = asinpi(x);", X, real::ASINPI, [5.0, 5.0, 2.0], UNIT),
    real("atan", "r = atan(x);", X, real::ATAN, [5.0, 5.0, 2.0], Range(-4.0, 4.0)),
    real("atan2", "r = atan2(x, y);", XY, real::ATAN2, [6.0, 6.0, 2.0], Close),
    real("atan2pi", "r = atan2pi(x, y);", XY, real::ATAN2PI, [6.0, 6.0, 2.0], Close),
    real("atanh", "r = atanh(x);", X, real::ATANH, [5.0, 5.0, 2.0], UNIT),
    real("atanpi", "r = atanpi(x);", X, real::ATANPI, [5.0, 5.0, 2.0], Range(-4.0, 4.0)),
    real("cbrt", "r = cbrt(x);", X, real::CBRT, [2.0, 2.0, 2.0], WIDE),
    exact("ceil", "r = ceil(x);", X, exact::ceil, WIDE),
    exact("clamp", "r = clamp(x, y, z);", XYZ, exact::clamp, Range(-2.0, 2.0)),
    exact("copysign", "r = copysign(x, y);", XY, exact::copysign, WIDE),
    real("cos", "r = cos(x);", X, real::COS, [4.0, 4.0, 2.0], CIRCLE),
    real("cosh", "r = cosh(x);", X, real::COSH, [4.0, 4.0, 2.0], WIDE),
    real("cospi", "r = cospi(x);", X, real::COSPI, [4.0, 4.0, 2.0], HALF_TURNS),
    real("degrees", "r = degrees(x);", X, real::DEGREES, [2.0, 2.0, 2.0], WIDE),
    real("erf", "r = erf(x);", X, real::ERF, [16.0, 16.0, 4.0], Range(-6.0, 6.0)),
    real("erfc", "r = erfc(x);", X, real::ERFC, [16.0, 16.0, 4.0], Range(-7.0, 28.0)),
    real("exp", "r = exp(x);", X, real::EXP, [3.0, 3.0, 2.0], EXPONENTS),
    real("exp10", "r = exp10(x);", X, real::EXP10, [3.0, 3.0, 2.0], Range(-46.0, 39.0)),
    real("exp2", "r = exp2(x);", X, real::EXP2, [3.0, 3.0, 2.0], EXPONENTS),
    real("expm1", "r = expm1(x);", X, real::EXPM1, [3.0, 3.0, 2.0], Range(-40.0, 90.0)),
    exact("fabs", "r = fabs(x);", X, exact::fabs, WIDE),
    exact("fdim", "r = fdim(x, y);", XY, exact::fdim, Close),
    exact("floor", "r = floor(x);", X, exact::floor, WIDE),
    exact("fma", "r = fma(x, y, z);", XYZ, exact::fma, Cancel),
    exact("fmax", "r = fmax(x, y);", XY, exact::fmax, Close),
    exact("fmin", "r = fmin(x, y);", XY, exact::fmin, Close),
    exact("fmod", "r = fmod(x, y);", XY, exact::fmod, Close),
    exact("fract", "T t; r = fract(x, &t);", X, exact::fract, WIDE),
    exact("fract, *iptr", "T t; fract(x, &t); r = t;", X, exact::floor, WIDE),
    exact("frexp", "int t; r = frexp(x, &t);", X, exact::frexp_mantissa, WIDE),
    int("frexp, *exp", "int t; frexp(x, &t); r = t;", X, exact::frexp_exponent, WIDE),
    real("hypot", "r = hypot(x, y);", XY, real::HYPOT, [4.0, 4.0, 2.0], Close),
    int("ilogb", "r = ilogb(x);", X, exact::ilogb, WIDE),
    exact("ldexp", "r = ldexp(x, n);", XN, exact::ldexp, Scale),
    open(real("lgamma", "r = lgamma(x);", X, real::LGAMMA, [0.0; 3], Multiples(1.0, -30.0, 60.0))),
    open(real("lgamma_r", "int t; r = lgamma_r(x, &t);", X, real::LGAMMA, [0.0; 3], Multiples(1.0, -30.0, 60.0))),
    int("lgamma_r, *signp", "int t; lgamma_r(x, &t); r = t;", X, exact::gamma_sign, Multiples(1.0, -60.0, 60.0)),
    real("log", "r = log(x);", X, real::LOG, [3.0, 3.0, 2.0], One),
    real("log10", "r = log10(x);", X, real::LOG10, [3.0, 3.0, 2.0], One),
    real("log1p", "r = log1p(x);", X, real::LOG1P, [2.0, 2.0, 2.0], UNIT),
    real("log2", "r = log2(x);", X, real::LOG2, [3.0, 3.0, 2.0], One),
    exact("logb", "r = logb(x);", X, exact::logb, WIDE),
    Row { limits: [Limit::Exact, Open, Open], ..exact("mad", "r = mad(x, y, z);", XYZ, exact::mad, Cancel) },
    exact("max", "r = max(x, y);", XY, exact::max, Close),
    exact("maxmag", "r = maxmag(x, y);", XY, exact::maxmag, Close),
    exact("min", "r = min(x, y);", XY, exact::min, Close),
    exact("minmag", "r = minmag(x, y);", XY, exact::minmag, Close),
    Row { limits: [Absolute(1e-3), Open, Open], ..real("mix", "r = mix(x, y, z);", XYZ, real::MIX, [0.0; 3], Mix) },
    exact("modf", "T t; r = modf(x, &t);", X, exact::modf, WIDE),
    exact("modf, *iptr", "T t; modf(x, &t); r = t;", X, exact::trunc, WIDE),
    exact("nextafter", "r = nextafter(x, y);", XY, exact::nextafter, Close),
    real("pow", "r = pow(x, y);", XY, real::POW, [16.0, 16.0, 4.0], Power),
    real("pown", "r = pown(x, n);", XN, real::POWN, [16.0, 16.0, 4.0], PowerInt),
    real("powr", "r = powr(x, y);", XY, real::POWR, [16.0, 16.0, 4.0], Power),
    real("radians", "r = radians(x);", X, real::RADIANS, [2.0, 2.0, 2.0], WIDE),
    exact("remainder", "r = remainder(x, y);", XY, exact::remainder, Close),
    exact("remquo", "int t; r = remquo(x, y, &t);", XY, exact::remainder, Close),
    int("remquo, *quo", "int t; remquo(x, y, &t); r = t;", XY, exact::remquo, Close),
    exact("rint", "r = rint(x);", X, exact::rint, HALF_TURNS),
    real("rootn", "r = rootn(x, n);", XN, real::ROOTN, [16.0, 16.0, 4.0], Root),
    exact("round", "r = round(x);", X, exact::round, HALF_TURNS),
    real("rsqrt", "r = rsqrt(x);", X, real::RSQRT, [2.0, 2.0, 1.0], WIDE),
    exact("sign", "r = sign(x);", X, exact::sign, WIDE),
    real("sin", "r = sin(x);", X, real::SIN, [4.0, 4.0, 2.0], CIRCLE),
    real("sincos", "T t; r = sincos(x, &t);", X, real::SIN, [4.0, 4.0, 2.0], CIRCLE),
    real("sincos, *cosval", "T t; sincos(x, &t); r = t;", X, real::COS, [4.0, 4.0, 2.0], CIRCLE),
    real("sinh", "r = sinh(x);", X, real::SINH, [4.0, 4.0, 2.0], WIDE),
    real("sinpi", "r = sinpi(x);", X, real::SINPI, [4.0, 4.0, 2.0], HALF_TURNS),
    Row {
        limits: [Absolute(1e-5), Open, Open],
        ..real("smoothstep", "r = smoothstep(x, y, z);", XYZ, real::SMOOTHSTEP, [0.0; 3], Mix)
    },
    real("sqrt", "r = sqrt(x);", X, real::SQRT, [3.0, 0.5, 1.5], WIDE),
    correctly_rounded(exact("sqrt, with the option", "r = sqrt(x);", X, exact::sqrt, WIDE)),
    exact("step", "r = step(x, y);", XY, exact::step, Close),
    real("tan", "r = tan(x);", X, real::TAN, [5.0, 5.0, 2.5], CIRCLE),
    real("tanh", "r = tanh(x);", X, real::TANH, [5.0, 5.0, 2.0], Range(-20.0, 20.0)),
    real("tanpi", "r = tanpi(x);", X, real::TANPI, [6.0, 6.0, 2.0], HALF_TURNS),
    real("tgamma", "r = tgamma(x);", X, real::TGAMMA, [16.0, 16.0, 4.0], Multiples(1.0, -45.0, 36.0)),
    exact("trunc", "r = trunc(x);", X, exact::trunc, WIDE),
    half("half_cos", "r = half_cos(x);", X, real::COS, Within(65536.0)),
    half("half_divide", "r = half_divide(x, y);", XY, real::DIVIDE, Close),
    half("half_exp", "r = half_exp(x);", X, real::EXP, EXPONENTS),
    half("half_exp10", "r = half_exp10(x);", X, real::EXP10, Range(-46.0, 39.0)),
    half("half_exp2", "r = half_exp2(x);", X, real::EXP2, EXPONENTS),
    half("half_log", "r = half_log(x);", X, real::LOG, One),
    half("half_log10", "r = half_log10(x);", X, real::LOG10, One),
    half("half_log2", "r = half_log2(x);", X, real::LOG2, One),
    half("half_powr", "r = half_powr(x, y);", XY, real::POWR, Power),
    half("half_recip", "r = half_recip(x);", X, real::RECIP, WIDE),
    half("half_rsqrt", "r = half_rsqrt(x);", X, real::RSQRT, WIDE),
    half("half_sin", "r = half_sin(x);", X, real::SIN, Within(65536.0)),
    half("half_sqrt", "r = half_sqrt(x);", X, real::SQRT, WIDE),
    half("half_tan", "r = half_tan(x);", X, real::TAN, Within(65536.0)),
    native("native_cos", "r = native_cos(x);", X, real::COS, Within(100.0)),
    native("native_divide", "r = native_divide(x, y);", XY, real::DIVIDE, Close),
    native("native_exp", "r = native_exp(x);", X, real::EXP, Within(87.0)),
    native("native_exp10", "r = native_exp10(x);", X, real::EXP10, Within(37.0)),
    native("native_exp2", "r = native_exp2(x);", X, real::EXP2, Within(126.0)),
    native("native_log", "r = native_log(x);", X, real::LOG, Range(0.1, 100.0)),
    native("native_log10", "r = native_log10(x);", X, real::LOG10, Range(0.1, 100.0)),
    native("native_log2", "r = native_log2(x);", X, real::LOG2, Range(0.1, 100.0)),
    native("native_powr", "r = native_powr(x, y);", XY, real::POWR, Power),
    native("native_recip", "r = native_recip(x);", X, real::RECIP, WIDE),
    native("native_rsqrt", "r = native_rsqrt(x);", X, real::RSQRT, WIDE),
    native("native_sin", "r = native_sin(x);", X, real::SIN, Within(100.0)),
    native("native_sqrt", "r = native_sqrt(x);", X, real::SQRT, WIDE),
    native("native_tan", "r = native_tan(x);", X, real::TAN, Within(100.0)),
];
