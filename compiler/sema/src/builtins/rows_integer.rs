//! Rows: integer (OpenCL C 6.15.3) and relational (6.15.6) functions.

use super::pattern::*;
use super::table::{Row, row, since};
use Pattern::{Gen, Relational, SignedGen, UnsignedGen, Wide};

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

const COMPARE: &[Sig] = &[sig(FLOATS, ALL, Relational, &[Gen, Gen])];
const CLASSIFY: &[Sig] = &[sig(FLOATS, ALL, Relational, &[Gen])];
const TO_INT: &[Sig] = &[sig(SIGNED, ALL, INT, &[Gen])];
const BITSELECT: &[Sig] = &[sig(NUMBERS, ALL, Gen, &[Gen, Gen, Gen])];
const SELECT: &[Sig] =
    &[sig(NUMBERS, ALL, Gen, &[Gen, Gen, SignedGen]), sig(NUMBERS, ALL, Gen, &[Gen, Gen, UnsignedGen])];

/// 6.15.6.
pub const RELATIONAL: &[Row] = &[
    row("isequal", COMPARE),
    row("isnotequal", COMPARE),
    row("isgreater", COMPARE),
    row("isgreaterequal", COMPARE),
    row("isless", COMPARE),
    row("islessequal", COMPARE),
    row("islessgreater", COMPARE),
    row("isordered", COMPARE),
    row("isunordered", COMPARE),
    row("isfinite", CLASSIFY),
    row("isinf", CLASSIFY),
    row("isnan", CLASSIFY),
    row("isnormal", CLASSIFY),
    row("signbit", CLASSIFY),
    row("any", TO_INT),
    row("all", TO_INT),
    row("bitselect", BITSELECT),
    row("select", SELECT),
];
