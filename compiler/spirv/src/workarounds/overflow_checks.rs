//! `workarounds/overflow_checks`: tests the upper bits of a product or sum to decide whether it fits a narrower type
//! ([`Workarounds::NVIDIA_OVERFLOW_CHECKS`](clforge_basic::workarounds::Workarounds)).

use super::bits::{Insert, field};
use crate::legalize::LAST;
use clforge_basic::narrow::low_u32;
use clforge_ir::expand::append;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;

/// Bits of an integer that has fields.
const WORD: u64 = 32;
/// Bits of the unsigned types that a product may have to fit.
const WIDTHS: [u64; 3] = [8, 16, 32];
/// Bits, but for the sign, of the types that a sum of narrow integers may have to fit.
const SIGNED_LIMITS: [u64; 2] = [7, 15];
/// Choices one within the other that are looked through for what integers are chosen from.
const MAX_DEPTH: u32 = 4;

/// The pass. The driver makes one operation, a product or sum with overflow, of a comparison that asks whether a product of
/// zero-extended integers, or a sum of sign-extended ones, fits the type that they were extended from, and computes it wrongly.
/// LLVM does the same with `llvm.umul.with.overflow` and `llvm.sadd.with.overflow`. So products and sums are compared by fields of
/// their upper bits, and those of 64 bits by the upper word, of which the driver does not make that operation.
pub struct OverflowChecks;

impl FunctionPass for OverflowChecks {
    fn name(&self) -> &'static str {
        "workarounds/overflow_checks"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            let inst = function.inst(id);
            let Some(check) = Check::of(function, &inst.op) else { return };
            let (ty, span) = (function.ty(check.value), inst.span);
            let word = ty.with_scalar(ScalarType::I32);
            let mut insert = |function: &mut Function, op, ty| append(function, before, (op, ty, span));
            let Some(upper) = check.upper_bits(function, word, &mut insert) else { return };
            function.inst_mut(id).op = check.of_upper_bits(function, upper, &mut insert);
            changed = Changed::Maybe;
        });
        changed
    }
}

/// What is known of a value that fits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fits {
    /// It is less than two to the power of [`Check::bits`], as an unsigned integer.
    Unsigned,
    /// It is less than that, as a signed integer.
    Below,
    /// It is the sign extension of its lower bits, of one more than [`Check::bits`].
    Signed,
}

/// A comparison that says whether a product or sum fits.
struct Check {
    value: Value,
    fits: Fits,
    bits: u64,
    /// It is true of what does not fit.
    negated: bool,
}

impl Check {
    fn of(function: &Function, op: &Op) -> Option<Check> {
        let Op::Compare { op, lhs, rhs } = *op else { return None };
        if matches!(op, CompareOp::Eq | CompareOp::Ne) {
            let negated = op == CompareOp::Ne;
            return [(lhs, rhs), (rhs, lhs)].into_iter().find_map(|(value, low)| {
                let (fits, bits) = lower_part(function, value, low)?;
                may_overflow(function, value, fits, bits).then_some(Check { value, fits, bits, negated })
            });
        }
        let (fits, negated, limit) = threshold(op, function.as_int(rhs)?)?;
        let bits = u64::from(limit.trailing_zeros());
        let found = limit.is_power_of_two() && may_overflow(function, lhs, fits, bits);
        // Such a product is not negative.
        let fits = if is_product_of_shorts(function, lhs) { Fits::Unsigned } else { fits };
        found.then_some(Check { value: lhs, fits, bits, negated })
    }

    /// The bits from [`Check::bits`] on, as a word, where no others are above them.
    fn upper_bits(&self, function: &mut Function, word: Type, insert: Insert<'_>) -> Option<Value> {
        let extract = match self.fits {
            Fits::Unsigned => Intrinsic::BitFieldUExtract,
            Fits::Below | Fits::Signed => Intrinsic::BitFieldSExtract,
        };
        let mut whole = self.value;
        let wide = function.ty(whole);
        if wide.scalar == ScalarType::I64 {
            if self.fits != Fits::Unsigned {
                return None;
            }
            if self.bits == WORD {
                let by = function.constant(Constant::int(wide, WORD));
                whole = insert(function, Op::Binary { op: BinaryOp::LShr, lhs: whole, rhs: by }, wide);
                return Some(insert(function, Op::Convert { op: ConvertOp::Trunc, operand: whole }, word));
            }
            if !is_product_of_shorts(function, whole) {
                return None;
            }
            whole = insert(function, Op::Convert { op: ConvertOp::Trunc, operand: whole }, word);
        }
        if function.ty(whole) != word || self.bits >= WORD {
            return None;
        }
        let upper = field(function, extract, (whole, low_u32(self.bits), low_u32(WORD - self.bits)));
        Some(insert(function, upper, word))
    }

    fn of_upper_bits(&self, function: &mut Function, upper: Value, insert: Insert<'_>) -> Op {
        let word = function.ty(upper);
        let [zero, one] = [0, 1].map(|bits| function.constant(Constant::int(word, bits)));
        let (lhs, if_fits, rhs) = match self.fits {
            Fits::Unsigned => (upper, CompareOp::Eq, zero),
            Fits::Below => (upper, CompareOp::SLe, zero),
            // All zeros or all ones.
            Fits::Signed => {
                let sum = insert(function, Op::Binary { op: BinaryOp::Add, lhs: upper, rhs: one }, word);
                (sum, CompareOp::ULe, one)
            }
        };
        let op = match (if_fits, self.negated) {
            (CompareOp::Eq, true) => CompareOp::Ne,
            (CompareOp::SLe, true) => CompareOp::SGt,
            (CompareOp::ULe, true) => CompareOp::UGt,
            (op, _) => op,
        };
        Op::Compare { op, lhs, rhs }
    }
}

/// What a comparison with a constant says of the other operand: whether it fits, or that it does not, below which number.
fn threshold(op: CompareOp, constant: u64) -> Option<(Fits, bool, u64)> {
    use CompareOp::*;
    let after = constant.checked_add(1);
    Some(match op {
        UGt => (Fits::Unsigned, true, after?),
        UGe => (Fits::Unsigned, true, constant),
        ULt => (Fits::Unsigned, false, constant),
        ULe => (Fits::Unsigned, false, after?),
        SGt => (Fits::Below, true, after?),
        SGe => (Fits::Below, true, constant),
        SLt => (Fits::Below, false, constant),
        SLe => (Fits::Below, false, after?),
        _ => return None,
    })
}

/// How `low` is made of the lower bits of `value`, and what is true of these where the two are the same.
fn lower_part(function: &Function, value: Value, low: Value) -> Option<(Fits, u64)> {
    match *function.op(low)? {
        Op::Binary { op: BinaryOp::And, lhs, rhs } if lhs == value => {
            let bits = WIDTHS.into_iter().find(|bits| function.as_int(rhs) == Some(u64::MAX >> (64 - bits)))?;
            Some((Fits::Unsigned, bits))
        }
        Op::Convert { op: op @ (ConvertOp::ZExt | ConvertOp::SExt), operand } => {
            let Op::Convert { op: ConvertOp::Trunc, operand: whole } = *function.op(operand)? else { return None };
            let bits = u64::from(function.ty(operand).scalar.bits());
            let part = if op == ConvertOp::ZExt { (Fits::Unsigned, bits) } else { (Fits::Signed, bits - 1) };
            (whole == value).then_some(part)
        }
        ref op => {
            let (whole, bits) = super::bits::extended_by_shifts(function, op)?;
            (whole == value).then_some((Fits::Signed, u64::from(bits) - 1))
        }
    }
}

/// Whether a value is a product that is compared as one that may have to fit an unsigned type, or a sum of narrow integers that may
/// have to fit a signed one.
fn may_overflow(function: &Function, value: Value, fits: Fits, bits: u64) -> bool {
    match function.op(in_lanes(function, value)) {
        Some(Op::Binary { op: BinaryOp::Mul, lhs, rhs }) => {
            let is_constant = |value: &Value| function.as_constant(*value).is_some();
            fits != Fits::Signed && WIDTHS.contains(&bits) && !is_constant(lhs) && !is_constant(rhs)
        }
        Some(Op::Binary { op: BinaryOp::Add, lhs, rhs }) => {
            let is_narrow = |value: &Value| is_narrow(function, *value, MAX_DEPTH);
            fits != Fits::Unsigned && SIGNED_LIMITS.contains(&bits) && is_narrow(lhs) && is_narrow(rhs)
        }
        _ => false,
    }
}

/// The vector that a value is a lane of, if it is one.
fn in_lanes(function: &Function, value: Value) -> Value {
    match function.op(value) {
        Some(Op::Extract { vector, .. }) => *vector,
        _ => value,
    }
}

/// Whether an integer is known to have at most 16 bits, and is no constant.
fn is_narrow(function: &Function, value: Value, depth: u32) -> bool {
    let (Some(op), Some(depth)) = (function.op(in_lanes(function, value)), depth.checked_sub(1)) else { return false };
    let is_at_least = |count: Value| function.as_int(count).is_some_and(|count| count >= WORD / 2);
    match *op {
        Op::Convert { op: ConvertOp::SExt | ConvertOp::ZExt, operand } => {
            matches!(function.ty(operand).scalar, ScalarType::I8 | ScalarType::I16)
        }
        Op::Binary { op: BinaryOp::AShr | BinaryOp::LShr, rhs, .. } => is_at_least(rhs),
        Op::Binary { op: BinaryOp::And, rhs, .. } => function.as_int(rhs).is_some_and(|mask| mask < 1 << (WORD / 2)),
        Op::Select { if_true, if_false, .. } => {
            [if_true, if_false].iter().all(|value| is_narrow(function, *value, depth))
        }
        _ => false,
    }
}

/// Whether a value is a product of 64 bits of integers that are zero-extended from 8 or 16 bits.
fn is_product_of_shorts(function: &Function, value: Value) -> bool {
    let is_short = |value: Value| match function.op(value) {
        Some(Op::Convert { op: ConvertOp::ZExt, operand }) => {
            matches!(function.ty(*operand).scalar, ScalarType::I8 | ScalarType::I16)
        }
        _ => false,
    };
    match function.op(value) {
        Some(Op::Binary { op: BinaryOp::Mul, lhs, rhs }) => {
            function.ty(value).scalar == ScalarType::I64 && is_short(*lhs) && is_short(*rhs)
        }
        _ => false,
    }
}
