//! Names of the `__builtin_…` functions of GNU C and clang that programs use. What they do is in `sema::gnu`.

/// How a function is made of OpenCL C's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefixed {
    /// Of `unsigned`, or with suffix `l` or `ll` of `unsigned long`, `s` of `unsigned short`; the result is `int`.
    Integer {
        #[allow(missing_docs)]
        function: &'static str,
        /// Width of the operand.
        bits: u32,
    },
    /// OpenCL C's function of that name, of `double`, or with suffix `f` of `float`, with `f16` of `half`. The suffix `l` is
    /// that of `long double`, which is taken for `double`.
    Math {
        #[allow(missing_docs)]
        function: &'static str,
        #[allow(missing_docs)]
        precision: Precision,
    },
    /// OpenCL C's function of that name, of any floating type.
    Class(&'static str),
    /// Arithmetic as of unlimited integers, with what is stored of it and whether that is all.
    Overflow {
        #[allow(missing_docs)]
        operation: Arithmetic,
        /// Of `sadd` and its like: whether the operands are signed, and whether they are `long` rather than `int`.
        operands: Option<(bool, bool)>,
    },
    /// Addition or subtraction with a carry in, that stores the carry out; operands are unsigned.
    Carry {
        /// Subtraction.
        borrow: bool,
        /// Width of the operands.
        bits: u32,
    },
    /// One of its own.
    Plain,
}

/// The type that a function of floating-point numbers has them in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Precision {
    Half,
    Single,
    Double,
}

/// What `__builtin_…_overflow` computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
}

const PLAIN: &[&str] = &[
    "abs",
    "abort",
    "addressof",
    "align_down",
    "align_up",
    "assume",
    "assume_aligned",
    "astype",
    "bcmp",
    "bitreverse8",
    "bitreverse16",
    "bitreverse32",
    "bitreverse64",
    "bswap16",
    "bswap32",
    "bswap64",
    "bzero",
    "choose_expr",
    "constant_p",
    "convertvector",
    "debugtrap",
    "elementwise_abs",
    "elementwise_add_sat",
    "elementwise_ceil",
    "elementwise_floor",
    "elementwise_max",
    "elementwise_min",
    "elementwise_roundeven",
    "elementwise_sub_sat",
    "elementwise_trunc",
    "expect",
    "expect_with_probability",
    "flt_rounds",
    "fpclassify",
    "huge_val",
    "huge_valf",
    "huge_valf16",
    "huge_vall",
    "inf",
    "inff",
    "inff16",
    "infl",
    "is_aligned",
    "isinf_sign",
    "labs",
    "launder",
    "llabs",
    "load_half",
    "load_halff",
    "memcmp",
    "memcpy",
    "memcpy_inline",
    "memmove",
    "mempcpy",
    "memset",
    "nan",
    "nanf",
    "nanl",
    "nans",
    "nansf",
    "nansl",
    "nontemporal_load",
    "nontemporal_store",
    "object_size",
    "dynamic_object_size",
    "offsetof",
    "prefetch",
    "printf",
    "reduce_add",
    "reduce_and",
    "reduce_max",
    "reduce_min",
    "reduce_mul",
    "reduce_or",
    "reduce_xor",
    "rotateleft8",
    "rotateleft16",
    "rotateleft32",
    "rotateleft64",
    "rotateright8",
    "rotateright16",
    "rotateright32",
    "rotateright64",
    "shufflevector",
    "signbitf",
    "signbitl",
    "store_half",
    "store_halff",
    "strlen",
    "trap",
    "types_compatible_p",
    "unpredictable",
    "unreachable",
];
const INTEGER: &[&str] = &["clrsb", "clz", "ctz", "ffs", "parity", "popcount"];
const MATH: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "canonicalize",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "hypot",
    "ilogb",
    "ldexp",
    "lgamma",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "modf",
    "nearbyint",
    "nextafter",
    "pow",
    "powi",
    "remainder",
    "remquo",
    "rint",
    "round",
    "roundeven",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
];
const CLASSES: &[&str] = &[
    "isfinite",
    "isgreater",
    "isgreaterequal",
    "isinf",
    "isless",
    "islessequal",
    "islessgreater",
    "isnan",
    "isnormal",
    "isunordered",
    "signbit",
];

/// The function `__builtin_name`.
pub fn family(name: &str) -> Option<Prefixed> {
    let find = |names: &[&'static str], name: &str| names.iter().find(|known| **known == name).copied();
    if PLAIN.contains(&name) {
        return Some(Prefixed::Plain);
    }
    if let Some(function) = find(CLASSES, name) {
        return Some(Prefixed::Class(function));
    }
    if let Some(name) = name.strip_suffix("_overflow") {
        return overflow(name);
    }
    for (suffix, bits) in [("", 32), ("l", 64), ("ll", 64)] {
        if let Some(function) = name.strip_suffix(suffix).and_then(|bare| find(INTEGER, bare)) {
            return Some(Prefixed::Integer { function, bits });
        }
    }
    if let Some(function) = name.strip_suffix('s').and_then(|bare| find(&["clz", "ctz"], bare)) {
        return Some(Prefixed::Integer { function, bits: 16 });
    }
    for (suffix, precision) in
        [("", Precision::Double), ("f", Precision::Single), ("f16", Precision::Half), ("l", Precision::Double)]
    {
        if let Some(function) = name.strip_suffix(suffix).and_then(|bare| find(MATH, bare)) {
            return Some(Prefixed::Math { function, precision });
        }
    }
    for (bare, borrow) in [("addc", false), ("subc", true)] {
        if let Some(suffix) = name.strip_prefix(bare) {
            return carry(suffix, borrow);
        }
    }
    None
}

/// `addcb`, `subcs`, `addc`, `addcl`, `subcll`
fn carry(suffix: &str, borrow: bool) -> Option<Prefixed> {
    let bits = match suffix {
        "b" => 8,
        "s" => 16,
        "" => 32,
        "l" | "ll" => 64,
        _ => return None,
    };
    Some(Prefixed::Carry { borrow, bits })
}

/// `add`, or `sadd`, `uaddl`, `saddll`…
fn overflow(name: &str) -> Option<Prefixed> {
    let arithmetic = |name: &str| {
        Some(match name {
            "add" => Arithmetic::Add,
            "sub" => Arithmetic::Sub,
            "mul" => Arithmetic::Mul,
            _ => return None,
        })
    };
    if let Some(operation) = arithmetic(name) {
        return Some(Prefixed::Overflow { operation, operands: None });
    }
    let (bare, signed) = match name.strip_prefix('s') {
        Some(bare) => (bare, true),
        None => (name.strip_prefix('u')?, false),
    };
    let (operation, suffix) = bare.split_at_checked(3)?;
    let long = match suffix {
        "" => false,
        "l" | "ll" => true,
        _ => return None,
    };
    Some(Prefixed::Overflow { operation: arithmetic(operation)?, operands: Some((signed, long)) })
}

/// Whether `__has_builtin(name)` holds.
pub fn is_known(name: &str) -> bool {
    name.strip_prefix("__builtin_").is_some_and(|name| family(name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes() {
        let integer = |function, bits| Some(Prefixed::Integer { function, bits });
        assert_eq!(family("popcount"), integer("popcount", 32));
        assert_eq!(family("clzll"), integer("clz", 64));
        assert_eq!((family("ctzs"), family("popcounts")), (integer("ctz", 16), None));
        let math = |function, precision| Some(Prefixed::Math { function, precision });
        assert_eq!(family("erff"), math("erf", Precision::Single));
        assert_eq!(family("erf"), math("erf", Precision::Double));
        assert_eq!(
            (family("fabsf16"), family("fabsl")),
            (math("fabs", Precision::Half), math("fabs", Precision::Double))
        );
        assert_eq!(
            (family("llrintf"), family("ceil")),
            (math("llrint", Precision::Single), math("ceil", Precision::Double))
        );
        assert_eq!(family("subcs"), Some(Prefixed::Carry { borrow: true, bits: 16 }));
        assert_eq!(family("addcx"), None);
        assert_eq!(family("clzlll"), None);
        let overflow = |operation, operands| Some(Prefixed::Overflow { operation, operands });
        assert_eq!(family("sub_overflow"), overflow(Arithmetic::Sub, None));
        assert_eq!(family("ssub_overflow"), overflow(Arithmetic::Sub, Some((true, false))));
        assert_eq!(family("umulll_overflow"), overflow(Arithmetic::Mul, Some((false, true))));
        assert_eq!((family("uaddlll_overflow"), family("_overflow"), family("éé_overflow")), (None, None, None));
        assert!(is_known("__builtin_expect") && !is_known("expect"));
    }
}
