//! Rows: integer (OpenCL C 6.15.3) and relational (6.15.6) functions.

use super::pattern::*;
use super::table::{How, Row, row, since};
use super::{lower_integer as int, lower_relational as rel};
use P::{Gen, Relational, SignedGen, UnsignedGen, Wide};

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
    row("abs", TO_UNSIGNED, How::Lower(int::abs)),
    row("abs_diff", TO_UNSIGNED2, How::Lower(int::abs_diff)),
    row("add_sat", BINARY, How::Lower(int::add_sat)),
    row("hadd", BINARY, How::Lower(int::hadd)),
    row("rhadd", BINARY, How::Lower(int::rhadd)),
    row("clz", UNARY, How::Lower(int::clz)),
    since(200, "ctz", UNARY, How::Lower(int::ctz)),
    row("mad_hi", TERNARY, How::Lower(int::mad_hi)),
    row("mad_sat", TERNARY, How::Lower(int::mad_sat)),
    row("mul_hi", BINARY, How::Lower(int::mul_hi)),
    row("rotate", BINARY, How::Lower(int::rotate)),
    row("sub_sat", BINARY, How::Lower(int::sub_sat)),
    row("upsample", UPSAMPLE, How::Lower(int::upsample)),
    since(120, "popcount", UNARY, How::Lower(int::popcount)),
    row("mad24", TERNARY24, How::Lower(int::mad24)),
    row("mul24", BINARY24, How::Lower(int::mul24)),
];

const COMPARE: &[Sig] = &[sig(FLOATS, ALL, Relational, &[Gen, Gen])];
const CLASSIFY: &[Sig] = &[sig(FLOATS, ALL, Relational, &[Gen])];
const TO_INT: &[Sig] = &[sig(SIGNED, ALL, INT, &[Gen])];
const BITSELECT: &[Sig] = &[sig(NUMBERS, ALL, Gen, &[Gen, Gen, Gen])];
const SELECT: &[Sig] =
    &[sig(NUMBERS, ALL, Gen, &[Gen, Gen, SignedGen]), sig(NUMBERS, ALL, Gen, &[Gen, Gen, UnsignedGen])];

/// 6.15.6.
pub const RELATIONAL: &[Row] = &[
    row("isequal", COMPARE, How::Lower(rel::isequal)),
    row("isnotequal", COMPARE, How::Lower(rel::isnotequal)),
    row("isgreater", COMPARE, How::Lower(rel::isgreater)),
    row("isgreaterequal", COMPARE, How::Lower(rel::isgreaterequal)),
    row("isless", COMPARE, How::Lower(rel::isless)),
    row("islessequal", COMPARE, How::Lower(rel::islessequal)),
    row("islessgreater", COMPARE, How::Lower(rel::islessgreater)),
    row("isordered", COMPARE, How::Lower(rel::isordered)),
    row("isunordered", COMPARE, How::Lower(rel::isunordered)),
    row("isfinite", CLASSIFY, How::Lower(rel::isfinite)),
    row("isinf", CLASSIFY, How::Lower(rel::isinf)),
    row("isnan", CLASSIFY, How::Lower(rel::isnan)),
    row("isnormal", CLASSIFY, How::Lower(rel::isnormal)),
    row("signbit", CLASSIFY, How::Lower(rel::signbit)),
    row("any", TO_INT, How::Lower(rel::any)),
    row("all", TO_INT, How::Lower(rel::all)),
    row("bitselect", BITSELECT, How::Lower(rel::bitselect)),
    row("select", SELECT, How::Lower(rel::select)),
];
