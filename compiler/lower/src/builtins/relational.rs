//! Relational functions (OpenCL C 6.15.6).

use super::{Entry, Lower, Lowered, smallest_normal_bits};
use clforge_ir::{BinaryOp, CompareOp, Error, Value};

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("isequal", isequal),
    ("isnotequal", isnotequal),
    ("isgreater", isgreater),
    ("isgreaterequal", isgreaterequal),
    ("isless", isless),
    ("islessequal", islessequal),
    ("islessgreater", islessgreater),
    ("isordered", isordered),
    ("isunordered", isunordered),
    ("isfinite", isfinite),
    ("isinf", isinf),
    ("isnan", isnan),
    ("isnormal", isnormal),
    ("signbit", signbit),
    ("any", any),
    ("all", all),
    ("bitselect", bitselect),
    ("select", select),
];

fn compare(l: &mut Lower<'_, '_>, op: CompareOp) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    let truth = l.b.compare(op, x, y);
    l.truth(truth)
}

macro_rules! comparisons {
    ($($name:ident = $op:ident;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            compare(l, CompareOp::$op)
        })*
    };
}

comparisons! {
    isequal = FEq;
    isnotequal = FNe;
    isgreater = FGt;
    isgreaterequal = FGe;
    isless = FLt;
    islessequal = FLe;
    isordered = FOrd;
    isunordered = FUno;
}

pub fn islessgreater(l: &mut Lower<'_, '_>) -> Lowered {
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    let (less, greater) = (l.b.compare(CompareOp::FLt, x, y), l.b.compare(CompareOp::FGt, x, y));
    let truth = l.b.binary(BinaryOp::Or, less, greater);
    l.truth(truth)
}

/// The bits of the first argument without the sign. Classes are tested by bits: comparisons may flush denormals, and
/// assume no NaN under fast math.
fn magnitude(l: &mut Lower<'_, '_>) -> Result<Value, Error> {
    let x = l.arg(0)?;
    let mask = !l.b.ty(x).scalar.sign_mask();
    let bits = l.b.to_bits(x);
    Ok(l.b.binary_int(BinaryOp::And, bits, mask))
}

fn against_infinity(l: &mut Lower<'_, '_>, op: CompareOp) -> Lowered {
    let x = l.arg(0)?;
    let infinity = l.b.ty(x).scalar.infinity_bits();
    let magnitude = magnitude(l)?;
    let truth = l.b.compare_int(op, magnitude, infinity);
    l.truth(truth)
}

pub fn isfinite(l: &mut Lower<'_, '_>) -> Lowered {
    against_infinity(l, CompareOp::ULt)
}

pub fn isinf(l: &mut Lower<'_, '_>) -> Lowered {
    against_infinity(l, CompareOp::Eq)
}

pub fn isnan(l: &mut Lower<'_, '_>) -> Lowered {
    against_infinity(l, CompareOp::UGt)
}

pub fn isnormal(l: &mut Lower<'_, '_>) -> Lowered {
    let x = l.arg(0)?;
    let scalar = l.b.ty(x).scalar;
    let magnitude = magnitude(l)?;
    let least = smallest_normal_bits(scalar);
    let above = l.b.binary_int(BinaryOp::Sub, magnitude, least);
    let truth = l.b.compare_int(CompareOp::ULt, above, scalar.infinity_bits() - least);
    l.truth(truth)
}

pub fn signbit(l: &mut Lower<'_, '_>) -> Lowered {
    let x = l.arg(0)?;
    let bits = l.b.to_bits(x);
    let truth = l.b.compare_int(CompareOp::SLt, bits, 0);
    l.truth(truth)
}

/// The sign bits of all lanes combined.
fn reduce(l: &mut Lower<'_, '_>, op: BinaryOp) -> Lowered {
    let x = l.arg(0)?;
    let mut combined = l.b.extract(x, 0);
    for lane in 1..l.b.ty(x).lanes {
        let next = l.b.extract(x, lane);
        combined = l.b.binary(op, combined, next);
    }
    let truth = l.b.compare_int(CompareOp::SLt, combined, 0);
    l.truth(truth)
}

pub fn any(l: &mut Lower<'_, '_>) -> Lowered {
    reduce(l, BinaryOp::Or)
}

pub fn all(l: &mut Lower<'_, '_>) -> Lowered {
    reduce(l, BinaryOp::And)
}

/// Bits of `b` where those of `c` are set, else of `a`.
pub fn bitselect(l: &mut Lower<'_, '_>) -> Lowered {
    let ty = l.number()?;
    let (a, b, c) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let (a, b, c) = (l.b.to_bits(a), l.b.to_bits(b), l.b.to_bits(c));
    let differing = l.b.binary(BinaryOp::Xor, a, b);
    let chosen = l.b.binary(BinaryOp::And, differing, c);
    let bits = l.b.binary(BinaryOp::Xor, a, chosen);
    Ok(Some(l.b.bitcast(bits, ty)))
}

/// Scalars: `c ? b : a`; vectors by the sign bits of `c`.
pub fn select(l: &mut Lower<'_, '_>) -> Lowered {
    let (a, b, c) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let op = if l.b.ty(c).is_vector() { CompareOp::SLt } else { CompareOp::Ne };
    let condition = l.b.compare_int(op, c, 0);
    Ok(Some(l.b.select(condition, b, a)))
}
