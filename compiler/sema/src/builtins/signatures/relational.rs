//! Signatures of relational functions and `select` (OpenCL C 6.15.6).

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row};
use Pattern::{Gen, Relational, SignedGen, UnsignedGen};

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
