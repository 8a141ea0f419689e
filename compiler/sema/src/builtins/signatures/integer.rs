//! Signatures of integer functions (OpenCL C 6.15.3).

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row, since};
use Pattern::{Gen, UnsignedGen, Wide};

const UNARY: &[Sig] = &[sig(INTS, ALL, Gen, &[Gen])];
const BINARY: &[Sig] = &[sig(INTS, ALL, Gen, &[Gen, Gen])];
const TERNARY: &[Sig] = &[sig(INTS, ALL, Gen, &[Gen, Gen, Gen])];
const TO_UNSIGNED: &[Sig] = &[sig(INTS, ALL, UnsignedGen, &[Gen])];
const TO_UNSIGNED2: &[Sig] = &[sig(INTS, ALL, UnsignedGen, &[Gen, Gen])];
const BINARY24: &[Sig] = &[sig(INTS32, ALL, Gen, &[Gen, Gen])];
const TERNARY24: &[Sig] = &[sig(INTS32, ALL, Gen, &[Gen, Gen, Gen])];
const UPSAMPLE: &[Sig] = &[sig(NARROW_INTS, ALL, Wide, &[Gen, UnsignedGen])];

/// 6.15.3; `max`, `min` and `clamp` are with the functions of floating types.
pub const INTEGER: &[Row] = &[
    row("abs", TO_UNSIGNED),
    row("abs_diff", TO_UNSIGNED2),
    row("add_sat", BINARY),
    row("hadd", BINARY),
    row("rhadd", BINARY),
    row("clz", UNARY),
    since(200, "ctz", UNARY),
    row("mad_hi", TERNARY),
    row("mad_sat", TERNARY),
    row("mul_hi", BINARY),
    row("rotate", BINARY),
    row("sub_sat", BINARY),
    row("upsample", UPSAMPLE),
    since(120, "popcount", UNARY),
    row("mad24", TERNARY24),
    row("mul24", BINARY24),
];
