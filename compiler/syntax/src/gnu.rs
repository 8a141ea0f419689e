//! Names of the `__builtin_…` functions of GNU C and clang that programs use. What they do is in `sema::gnu`.

/// How a function is made of OpenCL C's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefixed {
    /// Of `unsigned`, or with suffix `l` or `ll` of `unsigned long`; the result is `int`.
    Integer {
        #[allow(missing_docs)]
        function: &'static str,
        #[allow(missing_docs)]
        long: bool,
    },
    /// OpenCL C's function of that name, of `double` or with suffix `f` of `float`.
    Math {
        #[allow(missing_docs)]
        function: &'static str,
        #[allow(missing_docs)]
        double: bool,
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
    /// One of its own.
    Plain,
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
    "assume",
    "assume_aligned",
    "astype",
    "bswap16",
    "bswap32",
    "bswap64",
    "choose_expr",
    "constant_p",
    "convertvector",
    "elementwise_abs",
    "elementwise_ceil",
    "elementwise_floor",
    "elementwise_max",
    "elementwise_min",
    "elementwise_trunc",
    "expect",
    "expect_with_probability",
    "huge_val",
    "huge_valf",
    "inf",
    "inff",
    "labs",
    "llabs",
    "memcpy",
    "memmove",
    "memset",
    "nan",
    "nanf",
    "nontemporal_load",
    "offsetof",
    "rotateleft8",
    "rotateleft16",
    "rotateleft32",
    "rotateleft64",
    "rotateright8",
    "rotateright16",
    "rotateright32",
    "rotateright64",
    "shufflevector",
    "trap",
    "types_compatible_p",
    "unreachable",
];
const INTEGER: &[&str] = &["clz", "ctz", "ffs", "parity", "popcount"];
const MATH: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
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
    "hypot",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
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
    for (suffix, long) in [("", false), ("l", true), ("ll", true)] {
        if let Some(function) = name.strip_suffix(suffix).and_then(|bare| find(INTEGER, bare)) {
            return Some(Prefixed::Integer { function, long });
        }
    }
    for (suffix, double) in [("", true), ("f", false)] {
        if let Some(function) = name.strip_suffix(suffix).and_then(|bare| find(MATH, bare)) {
            return Some(Prefixed::Math { function, double });
        }
    }
    None
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
        let integer = |function, long| Some(Prefixed::Integer { function, long });
        assert_eq!(family("popcount"), integer("popcount", false));
        assert_eq!(family("clzll"), integer("clz", true));
        assert_eq!(family("erff"), Some(Prefixed::Math { function: "erf", double: false }));
        assert_eq!(family("erf"), Some(Prefixed::Math { function: "erf", double: true }));
        assert_eq!(family("clzlll"), None);
        let overflow = |operation, operands| Some(Prefixed::Overflow { operation, operands });
        assert_eq!(family("sub_overflow"), overflow(Arithmetic::Sub, None));
        assert_eq!(family("ssub_overflow"), overflow(Arithmetic::Sub, Some((true, false))));
        assert_eq!(family("umulll_overflow"), overflow(Arithmetic::Mul, Some((false, true))));
        assert_eq!((family("uaddlll_overflow"), family("_overflow"), family("éé_overflow")), (None, None, None));
        assert!(is_known("__builtin_expect") && !is_known("expect"));
    }
}
