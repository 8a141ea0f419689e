//! `funnel_shifts`: a choice between shifts of a pair of words by constants becomes one shift of the pair.
//!
//! Hash functions that append bytes to a block choose by the number of bytes, `c == 0 ? b : c == 1 ? a << 24 | b >> 8 :
//! c == 2 ? a << 16 | b >> 16 : a << 8 | b >> 24`, for each word of the block. That is the lower word of `(a:b) >> 8 * c`,
//! which is one instruction of GPUs (a funnel shift), where the choice is three branches. Only choices by equality with
//! constants are recognised, of which the shift is a linear function.
//!
//! ```ir
//! ; pass: funnel_shifts
//! func @align(%0: i32, %1: i32, %2: i32) -> i32 {
//!   %3: i32 = and %2, i32 3
//!   %4: bool = eq %3, i32 0
//!   %5: i32 = if %4 {
//!     yield %1
//!   } else {
//!     %6: bool = eq %3, i32 1
//!     %7: i32 = if %6 {
//!       %8: i32 = shl %0, i32 24
//!       %9: i32 = lshr %1, i32 8
//!       %10: i32 = or %8, %9
//!       yield %10
//!     } else {
//!       %11: bool = eq %3, i32 2
//!       %12: i32 = shl %0, i32 16
//!       %13: i32 = lshr %1, i32 16
//!       %14: i32 = or %12, %13
//!       %15: i32 = shl %0, i32 8
//!       %16: i32 = lshr %1, i32 24
//!       %17: i32 = or %15, %16
//!       %18: i32 = select %11, %14, %17
//!       yield %18
//!     }
//!     yield %7
//!   }
//!   return %5
//! }
//! ; ---
//! func @align(%0: i32, %1: i32, %2: i32) -> i32 {
//!   %3: i32 = and %2, i32 3
//!   %4: bool = eq %3, i32 0
//!   %5: i32 = shl %3, i32 3
//!   %6: i32x2 = construct %1, %0
//!   %7: i64 = bitcast %6
//!   %8: i64 = zext %5
//!   %9: i64 = lshr %7, %8
//!   %10: i32 = trunc %9
//!   %11: i32 = if %4 {
//!     yield %1
//!   } else {
//!     %12: bool = eq %3, i32 1
//!     %13: i32 = if %12 {
//!       %14: i32 = shl %0, i32 24
//!       %15: i32 = lshr %1, i32 8
//!       %16: i32 = or %14, %15
//!       yield %16
//!     } else {
//!       %17: bool = eq %3, i32 2
//!       %18: i32 = shl %0, i32 16
//!       %19: i32 = lshr %1, i32 16
//!       %20: i32 = or %18, %19
//!       %21: i32 = shl %0, i32 8
//!       %22: i32 = lshr %1, i32 24
//!       %23: i32 = or %21, %22
//!       %24: i32 = select %17, %20, %23
//!       yield %24
//!     }
//!     yield %13
//!   }
//!   return %10
//! }
//! ```

use crate::analysis::Substitution;
use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;
use clforge_basic::narrow::to_u32;
use clforge_basic::options::{Addressing, Options};
use clforge_basic::source::Span;
use rustc_hash::FxHashSet;

/// Bits of a word.
const WORD: i64 = 32;
/// Arms of a choice with as many different shifts as there can be.
const MAX_ARMS: usize = 33;
/// Fewer are left to `if_conversion`.
const MIN_ARMS: usize = 3;

/// The pass. `dead_code` removes the choices.
pub struct FunnelShifts;

impl FunctionPass for FunnelShifts {
    fn name(&self) -> &'static str {
        "funnel_shifts"
    }

    fn order(&self) -> Order {
        Order { before: &["if_conversion"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        if function.is_declaration() {
            return Changed::No;
        }
        let body = function.body;
        let mut search =
            Search { function, has_wide_shifts: has_wide_shifts(context.options), replaced: Substitution::default() };
        search.region(body);
        if search.replaced.is_empty() { Changed::No } else { Changed::Maybe }
    }
}

/// Whether a shift of 64 bits demands nothing of the device that the module does not demand before.
fn has_wide_shifts(options: &Options) -> bool {
    options.device.addressing == Addressing::Physical64 && !options.device.emulated.int64
}

struct Search<'f> {
    function: &'f mut Function,
    has_wide_shifts: bool,
    /// The results of choices that are replaced.
    replaced: Substitution,
}

impl Search<'_> {
    fn region(&mut self, region: RegionId) {
        let insts = std::mem::take(&mut self.function.region_mut(region).insts);
        let mut out = Vec::with_capacity(insts.len());
        for id in insts {
            self.replaced.apply(&mut self.function.inst_mut(id).op);
            if matches!(self.function.inst(id).op, Op::If { .. } | Op::Select { .. }) {
                for result in self.function.inst(id).results.clone() {
                    if let Some(shift) = choice(self.function, result).and_then(|choice| choice.shift(self.function))
                        && (self.has_wide_shifts || !shift.is_wide())
                    {
                        let span = self.function.inst(id).span;
                        let value = Emit { function: self.function, out: &mut out, span }.shift(&shift);
                        self.replaced.insert(result, value);
                    }
                }
            }
            for nested in self.function.inst(id).op.regions() {
                self.region(nested);
            }
            out.push(id);
        }
        self.function.region_mut(region).insts = out;
    }
}

/// A value that is chosen by comparisons of one value with constants.
struct Choice {
    by: Value,
    /// Constants, and the value for each.
    arms: Vec<(i64, Value)>,
    /// The value for all others.
    default: Value,
    /// The conditions that it is chosen by.
    conditions: Vec<InstId>,
}

/// The choice that a value is, if it is one of words.
fn choice(function: &Function, value: Value) -> Option<Choice> {
    let by = step(function, value)?.by;
    if function.ty(value) != Type::I32 || function.ty(by) != Type::I32 {
        return None;
    }
    let mut choice = Choice { by, arms: Vec::new(), default: value, conditions: Vec::new() };
    while let Some(step) = step(function, choice.default).filter(|step| step.by == by) {
        if choice.arms.len() == MAX_ARMS {
            return None;
        }
        // The first comparison with a constant decides.
        if choice.arms.iter().all(|(case, _)| *case != step.case) {
            choice.arms.push((step.case, step.equal));
        }
        choice.conditions.push(step.inst);
        choice.default = step.other;
    }
    Some(choice)
}

/// One comparison of a choice.
struct Step {
    inst: InstId,
    by: Value,
    case: i64,
    equal: Value,
    other: Value,
}

fn step(function: &Function, value: Value) -> Option<Step> {
    let ValueDef::Inst(inst, index) = *function.def(value) else { return None };
    let (condition, if_true, if_false) = match function.inst(inst).op {
        Op::Select { condition, if_true, if_false } => (condition, if_true, if_false),
        Op::If { condition, then, otherwise } => {
            let yielded = |region| match function.terminator(region)? {
                Op::Yield(values) => values.get(index as usize).copied(),
                _ => None,
            };
            (condition, yielded(then)?, yielded(otherwise)?)
        }
        _ => return None,
    };
    let Op::Compare { op, lhs, rhs } = *function.op(condition)? else { return None };
    let (equal, other) = match op {
        CompareOp::Eq => (if_true, if_false),
        CompareOp::Ne => (if_false, if_true),
        _ => return None,
    };
    Some(Step { inst, by: lhs, case: i64::try_from(function.as_int(rhs)?).ok()?, equal, other })
}

/// A pair of words; `None` is zero.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pair {
    high: Option<Value>,
    low: Option<Value>,
}

/// The lower word of `pair >> (factor * by + offset)`.
struct Shift {
    pair: Pair,
    by: Value,
    factor: i64,
    offset: i64,
    /// The greatest shift, and the least.
    greatest: i64,
    least: i64,
    /// What the value is for `by` from a number on.
    default: Option<(i64, Value)>,
}

impl Shift {
    /// Whether it takes more than a shift of one word.
    fn is_wide(&self) -> bool {
        !(self.pair.high.is_none() && self.greatest < WORD || self.pair.low.is_none() && self.least > 0)
    }
}

impl Choice {
    /// The shift that computes it.
    fn shift(mut self, function: &Function) -> Option<Shift> {
        let covered = self.cover(function);
        let shifts: Vec<_> =
            self.arms.iter().filter_map(|(case, value)| Some((*case, shifted(function, *value)?))).collect();
        let [(first, (pair, shift)), (second, (_, other)), ..] = shifts[..] else { return None };
        if self.arms.len() < MIN_ARMS || (other - shift) % (second - first) != 0 {
            return None;
        }
        let factor = (other - shift) / (second - first);
        let offset = shift - factor * first;
        let amount = |case: i64| factor * case + offset;
        let is_arm = |(case, value): &(i64, Value)| match amount(*case) {
            0 => pair.low == word(function, *value),
            WORD => pair.high == word(function, *value),
            shift => shifted(function, *value) == Some((pair, shift)),
        };
        let operands = [pair.high, pair.low, Some(self.by), (!covered).then_some(self.default)];
        if factor == 0 || !self.arms.iter().all(is_arm) || self.defines_any(function, &operands) {
            return None;
        }
        let amounts = || self.arms.iter().map(|(case, _)| amount(*case));
        let default = (!covered).then_some((self.count(), self.default));
        let (greatest, least) = (amounts().max()?, amounts().min()?);
        Some(Shift { pair, by: self.by, factor, offset, greatest, least, default })
    }

    /// How many arms there are.
    fn count(&self) -> i64 {
        i64::from(to_u32(self.arms.len()))
    }

    /// Whether the arms are all that there are. The default becomes an arm if one number is left for it. Otherwise the arms
    /// must be for the numbers up to one, or there are none afterwards.
    fn cover(&mut self, function: &Function) -> bool {
        let bound = match function.op(self.by) {
            Some(Op::Binary { op: BinaryOp::And, rhs, .. }) => {
                function.as_int(*rhs).and_then(|mask| i64::try_from(mask).ok())
            }
            _ => None,
        };
        let has_arm = |number: &i64| self.arms.iter().any(|(case, _)| case == number);
        if let Some(bound) = bound.filter(|bound| *bound <= WORD) {
            self.arms.retain(|(case, _)| *case <= bound);
            let has_arm = |number: &i64| self.arms.iter().any(|(case, _)| case == number);
            let missing: Vec<i64> = (0..=bound).filter(|number| !has_arm(number)).collect();
            match missing[..] {
                [] => return true,
                [last] if shifted(function, self.default).is_some() => {
                    self.arms.push((last, self.default));
                    return true;
                }
                _ => {}
            }
        } else if (0..self.count()).all(|number| has_arm(&number)) {
            return false;
        }
        let has_arm = |number: &i64| self.arms.iter().any(|(case, _)| case == number);
        if !(0..self.count()).all(|number| has_arm(&number)) {
            self.arms.clear();
        }
        false
    }

    /// Whether one of the values is computed in a side of the conditions.
    fn defines_any(&self, function: &Function, values: &[Option<Value>]) -> bool {
        let (mut insts, mut regions) = (FxHashSet::default(), FxHashSet::default());
        for region in self.conditions.iter().flat_map(|id| function.inst(*id).op.regions()) {
            regions.insert(region);
            function.walk(region, |id, inst| {
                insts.insert(id);
                regions.extend(inst.op.regions());
            });
        }
        values.iter().flatten().any(|value| match function.def(*value) {
            ValueDef::Inst(id, _) => insts.contains(id),
            ValueDef::RegionParam(region) => regions.contains(region),
            ValueDef::Constant(_) | ValueDef::FunctionParam(_) => false,
        })
    }
}

/// A word as one of a pair.
fn word(function: &Function, value: Value) -> Option<Value> {
    Some(value).filter(|value| function.as_int(*value) != Some(0))
}

/// The pair and the count of a shift by a constant that is greater than 0 and less than a word's width.
fn shifted(function: &Function, value: Value) -> Option<(Pair, i64)> {
    let part = |value: Value| match *function.op(value)? {
        Op::Binary { op: BinaryOp::Shl, lhs, rhs } => {
            Some((Pair { high: word(function, lhs), low: None }, WORD - count(function, rhs)?))
        }
        Op::Binary { op: BinaryOp::LShr, lhs, rhs } => {
            Some((Pair { high: None, low: word(function, lhs) }, count(function, rhs)?))
        }
        _ => None,
    };
    if let Some(Op::Binary { op: BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add, lhs, rhs }) = function.op(value) {
        let ((first, shift), (second, other)) = (part(*lhs)?, part(*rhs)?);
        let pair = Pair { high: first.high.or(second.high), low: first.low.or(second.low) };
        let is_pair = first.high.is_some() != second.high.is_some() && first.low.is_some() != second.low.is_some();
        return (is_pair && shift == other).then_some((pair, shift));
    }
    part(value)
}

fn count(function: &Function, value: Value) -> Option<i64> {
    i64::try_from(function.as_int(value)?).ok().filter(|count| (1..WORD).contains(count))
}

/// Instructions in front of a choice.
struct Emit<'f> {
    function: &'f mut Function,
    out: &'f mut Vec<InstId>,
    span: Span,
}

impl Emit<'_> {
    fn op(&mut self, op: Op, ty: Type) -> Value {
        let inst = self.function.new_inst(op, &[ty], self.span);
        self.out.push(inst);
        self.function.inst(inst).results[0]
    }

    fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        self.op(Op::Binary { op, lhs, rhs }, self.function.ty(lhs))
    }

    fn convert(&mut self, op: ConvertOp, operand: Value, ty: Type) -> Value {
        self.op(Op::Convert { op, operand }, ty)
    }

    fn int(&mut self, value: i64) -> Value {
        self.function.int(Type::I32, value)
    }

    fn shift(&mut self, shift: &Shift) -> Value {
        let zero = self.int(0);
        let (high, low) = (shift.pair.high.unwrap_or(zero), shift.pair.low.unwrap_or(zero));
        let value = if shift.is_wide() {
            let count = self.linear(shift.by, shift.factor, shift.offset);
            let elements = [low, high].into_iter().collect();
            let pair = self.op(Op::Construct { elements }, Type::I32X2);
            let pair = self.convert(ConvertOp::Bitcast, pair, Type::I64);
            let count = self.convert(ConvertOp::ZExt, count, Type::I64);
            let wide = self.binary(BinaryOp::LShr, pair, count);
            self.convert(ConvertOp::Trunc, wide, Type::I32)
        } else if shift.pair.high.is_none() {
            let count = self.linear(shift.by, shift.factor, shift.offset);
            self.binary(BinaryOp::LShr, low, count)
        } else {
            let count = self.linear(shift.by, -shift.factor, WORD - shift.offset);
            self.binary(BinaryOp::Shl, high, count)
        };
        let Some((count, default)) = shift.default else { return value };
        let rhs = self.int(count);
        let is_arm = self.op(Op::Compare { op: CompareOp::ULt, lhs: shift.by, rhs }, Type::BOOL);
        self.op(Op::Select { condition: is_arm, if_true: value, if_false: default }, Type::I32)
    }

    /// `factor * by + offset`.
    fn linear(&mut self, by: Value, factor: i64, offset: i64) -> Value {
        let size = factor.unsigned_abs();
        let multiple = if size == 1 {
            by
        } else if size.is_power_of_two() {
            let count = self.int(size.trailing_zeros().into());
            self.binary(BinaryOp::Shl, by, count)
        } else {
            let factor = self.int(factor.abs());
            self.binary(BinaryOp::Mul, by, factor)
        };
        let sum = self.int(offset);
        match (factor > 0, offset) {
            (true, 0) => multiple,
            (true, _) => self.binary(BinaryOp::Add, multiple, sum),
            (false, _) => self.binary(BinaryOp::Sub, sum, multiple),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::Machine;
    use crate::read::read;

    const HIGH: u64 = 0x89AB_CDEF;
    const LOW: u64 = 0x0123_4567;

    /// A function that shifts the pair of `%0` and `%1` by the count of the arm `%2 & mask`; the last arm is for all
    /// other numbers.
    fn choice_among(mask: u64, counts: &[u64]) -> String {
        let mut text = format!("func @f(%0: i32, %1: i32, %2: i32) -> i32 {{\n  %3: i32 = and %2, i32 {mask}\n");
        let mut values = 4..;
        let mut emit = |text: &mut String, ty: &str, op: String| {
            let value = format!("%{}", values.next().expect("a number"));
            *text += &format!("  {value}: {ty} = {op}\n");
            value
        };
        let mut chosen = String::new();
        for (number, count) in counts.iter().enumerate().rev() {
            let arm = if *count == 0 {
                "%1".into()
            } else {
                let high = emit(&mut text, "i32", format!("shl %0, i32 {}", 32 - count));
                let low = emit(&mut text, "i32", format!("lshr %1, i32 {count}"));
                emit(&mut text, "i32", format!("or {high}, {low}"))
            };
            chosen = if chosen.is_empty() {
                arm
            } else {
                let condition = emit(&mut text, "bool", format!("eq %3, i32 {number}"));
                emit(&mut text, "i32", format!("select {condition}, {arm}, {chosen}"))
            };
        }
        text + &format!("  return {chosen}\n}}\n")
    }

    /// Whether the pass changes the function, whose results remain what they were.
    fn changes(text: &str) -> bool {
        let mut module = read(text).expect("it reads");
        let results = |module: &Module| {
            let run = |by| Machine::new(module).run("f", &[HIGH, LOW, by]).expect("a result");
            (0..8).map(run).collect::<Vec<_>>()
        };
        let before = results(&module);
        let Module { functions, variables, globals, .. } = &mut module;
        let options = Options::default();
        let context = FunctionContext { options: &options, variables, globals, effects: Default::default() };
        let changed = FunnelShifts.run(&mut functions[FunctionId::from(0)], &context);
        assert_eq!(results(&module), before, "{text}");
        changed == Changed::Maybe
    }

    #[test]
    fn results_are_those_of_the_choice() {
        assert!(changes(&choice_among(3, &[0, 8, 16, 24])), "the last arm is for the only number that is left");
        assert!(changes(&choice_among(7, &[0, 8, 16, 24, 5])), "the last arm is for four numbers");
        assert!(changes(&choice_among(3, &[30, 21, 12, 3])), "the shift falls");
        assert!(!changes(&choice_among(3, &[0, 8, 16, 25])), "the shift is not linear");
        assert!(!changes(&choice_among(1, &[8, 16])), "there are two arms");
    }
}
