//! References of functions with an error limit.
//!
//! Each has an estimate, in `f64` from the host's library with a bound on its error, and the value from MPFR. Estimates
//! only save work: every result that could be the greatest error according to its estimate is computed again.

use rug::Float;
use rug::float::Constant;
use rug::ops::Pow;

/// Bits of MPFR values: twice those of `double`, and some.
pub const PRECISION: u32 = 128;

/// The arguments of a call, exact in `f64`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Args {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub n: i32,
}

/// A value, and how far it can be from the exact one, in units of its last place as an `f64`.
pub type Estimate = (f64, f64);

/// A function that is allowed an error.
#[derive(Clone, Copy)]
pub struct Real {
    /// The value, nearly. A bound that is infinite says nothing.
    pub estimate: fn(&Args) -> Estimate,
    /// The value to [`PRECISION`] bits, with the special cases of C99 F.9 and OpenCL C 7.5.1.
    pub exact: fn(&Args) -> Float,
}

/// Errors of the host's library: glibc states at most 0.56 ulp for these.
const SHARP: f64 = 0.6;
/// At most 1 ulp, for glibc and for the portable library.
const HOST: f64 = 1.0;
/// The same for functions that are compositions, or are documented with more.
const FAIR: f64 = 4.0;

fn float(x: f64) -> Float {
    Float::with_val(PRECISION, x)
}

fn nan() -> Float {
    float(f64::NAN)
}

macro_rules! unary {
    ($($name:ident: $estimate:expr, $bound:expr, $exact:ident;)*) => {
        $(
            #[allow(missing_docs)]
            pub const $name: Real = Real {
                estimate: |a| { let estimate: fn(f64) -> f64 = $estimate; (estimate(a.x), $bound) },
                exact: |a| float(a.x).$exact(),
            };
        )*
    };
}

unary! {
    ACOS: f64::acos, HOST, acos;
    ACOSH: libm::acosh, FAIR, acosh;
    ACOSPI: |x| x.acos() / PI, FAIR, acos_pi;
    ASIN: f64::asin, HOST, asin;
    ASINH: libm::asinh, FAIR, asinh;
    ASINPI: |x| x.asin() / PI, FAIR, asin_pi;
    ATAN: f64::atan, HOST, atan;
    ATANH: libm::atanh, FAIR, atanh;
    ATANPI: |x| x.atan() / PI, FAIR, atan_pi;
    CBRT: f64::cbrt, FAIR, cbrt;
    COS: f64::cos, SHARP, cos;
    COSH: f64::cosh, FAIR, cosh;
    COSPI: cospi, FAIR, cos_pi;
    ERF: libm::erf, HOST, erf;
    ERFC: libm::erfc, HOST, erfc;
    EXP: f64::exp, SHARP, exp;
    EXP2: f64::exp2, SHARP, exp2;
    EXP10: |x| 10f64.powf(x), SHARP, exp10;
    EXPM1: f64::exp_m1, HOST, exp_m1;
    LOG: f64::ln, SHARP, ln;
    LOG2: f64::log2, SHARP, log2;
    LOG10: f64::log10, FAIR, log10;
    LOG1P: f64::ln_1p, HOST, ln_1p;
    RECIP: f64::recip, 1.0, recip;
    SIN: f64::sin, SHARP, sin;
    SINH: f64::sinh, FAIR, sinh;
    SINPI: sinpi, FAIR, sin_pi;
    SQRT: f64::sqrt, 1.0, sqrt;
    TAN: f64::tan, HOST, tan;
    TANH: f64::tanh, FAIR, tanh;
    TANPI: |x| sinpi(x) / cospi(x), FAIR, tan_pi;
}

const PI: f64 = std::f64::consts::PI;

/// `x` less the nearest multiple of a half, and that multiple's number modulo 4.
fn halves(x: f64) -> (f64, u8) {
    let x = x % 2.0;
    let number = (x * 2.0).round_ties_even();
    (x - number / 2.0, (number as i32).rem_euclid(4) as u8)
}

fn sinpi(x: f64) -> f64 {
    match halves(x) {
        (rest, 0) => (rest * PI).sin(),
        (rest, 1) => (rest * PI).cos(),
        (rest, 2) => -(rest * PI).sin(),
        (rest, _) => -(rest * PI).cos(),
    }
}

fn cospi(x: f64) -> f64 {
    match halves(x) {
        (rest, 0) => (rest * PI).cos(),
        (rest, 1) => -(rest * PI).sin(),
        (rest, 2) => -(rest * PI).cos(),
        (rest, _) => (rest * PI).sin(),
    }
}

/// `1 / sqrt(x)`; MPFR's has +infinity at -0, C's quotient has -infinity.
pub const RSQRT: Real = Real {
    estimate: |a| (1.0 / a.x.sqrt(), FAIR),
    exact: |a| if a.x == 0.0 { float(1.0 / a.x) } else { float(a.x).recip_sqrt() },
};

/// `|gamma(x)|`'s logarithm; near its zeros only the absolute error is small.
pub const LGAMMA: Real = Real {
    estimate: |a| {
        let value = libm::lgamma(a.x);
        (value, FAIR + 64.0 / value.abs())
    },
    exact: |a| if a.x == f64::NEG_INFINITY { float(f64::INFINITY) } else { float(a.x).ln_abs_gamma().0 },
};

/// `gamma(x)`.
pub const TGAMMA: Real = Real {
    estimate: |a| (libm::tgamma(a.x), 32.0),
    // Far below zero MPFR takes long to find that nothing is left.
    exact: |a| match a.x {
        x if x.is_finite() && x < -300.0 && x.fract() != 0.0 => {
            float(if x.floor() % 2.0 == 0.0 { 1e-320 } else { -1e-320 }) >> 999
        }
        x => float(x).gamma(),
    },
};

/// `x * (180 / pi)`.
pub const DEGREES: Real = Real {
    estimate: |a| (a.x * (180.0 / PI), FAIR),
    exact: |a| float(a.x) * 180 / Float::with_val(PRECISION, Constant::Pi),
};

/// `x * (pi / 180)`.
pub const RADIANS: Real = Real {
    estimate: |a| (a.x * (PI / 180.0), FAIR),
    exact: |a| float(a.x) * Float::with_val(PRECISION, Constant::Pi) / 180,
};

/// `atan2(x, y)`: the arguments are in the order of the call.
pub const ATAN2: Real = Real { estimate: |a| (a.x.atan2(a.y), HOST), exact: |a| float(a.x).atan2(&float(a.y)) };

/// `atan2(x, y) / pi`.
pub const ATAN2PI: Real =
    Real { estimate: |a| (a.x.atan2(a.y) / PI, FAIR), exact: |a| float(a.x).atan2_pi(&float(a.y)) };

/// `x / y`.
pub const DIVIDE: Real = Real { estimate: |a| (a.x / a.y, 1.0), exact: |a| float(a.x) / float(a.y) };

/// The length of `(x, y)`.
pub const HYPOT: Real = Real { estimate: |a| (a.x.hypot(a.y), HOST), exact: |a| float(a.x).hypot(&float(a.y)) };

/// `x` to the `y`.
pub const POW: Real = Real { estimate: |a| (a.x.powf(a.y), SHARP), exact: |a| float(a.x).pow(float(a.y)) };

/// `x` to the `n`.
pub const POWN: Real =
    Real { estimate: |a| (a.x.powf(f64::from(a.n)), SHARP), exact: |a| float(a.x).pow(float(f64::from(a.n))) };

/// `x` to the `y` as `exp(y * log(x))`, which has other special cases.
pub const POWR: Real = Real {
    estimate: |a| if powr_is_nan(a) { (f64::NAN, 0.0) } else { (a.x.abs().powf(a.y), SHARP) },
    exact: |a| if powr_is_nan(a) { nan() } else { float(a.x.abs()).pow(float(a.y)) },
};

fn powr_is_nan(a: &Args) -> bool {
    a.x.is_nan()
        || a.y.is_nan()
        || a.x < 0.0
        || (a.y == 0.0 && (a.x == 0.0 || a.x.is_infinite()))
        || (a.x == 1.0 && a.y.is_infinite())
}

/// The `n`th root of `x`. The rounding of the exponent counts as often as the logarithm's size.
pub const ROOTN: Real = Real {
    estimate: |a| {
        let root = a.x.abs().powf(1.0 / f64::from(a.n)).copysign(a.x);
        let plain = a.n != 0 && a.x.is_normal() && (a.x > 0.0 || a.n % 2 != 0);
        (root, if plain { FAIR + a.x.abs().ln().abs() / f64::from(a.n).abs() } else { f64::INFINITY })
    },
    exact: |a| float(a.x).root_i(a.n),
};

/// `x + (y - x) * z`.
pub const MIX: Real = Real {
    estimate: |a| (0.0, if a.x.is_nan() { 0.0 } else { f64::INFINITY }),
    exact: |a| (float(a.y) - float(a.x)) * float(a.z) + float(a.x),
};

/// Hermite interpolation of `z` between `x` and `y`.
pub const SMOOTHSTEP: Real = Real {
    estimate: |_| (0.0, f64::INFINITY),
    exact: |a| {
        let t = (float(a.z) - float(a.x)) / (float(a.y) - float(a.x));
        let t = t.clamp(&0, &1);
        Float::with_val(PRECISION, &t * &t) * (3 - 2 * t)
    },
};
