//! Counters of loops, for the sanitizers: carried values that begin with a value, grow by a step, and stay below a limit
//! wherever the loop's test has been passed.

use clforge_ir::analysis::LoopShape;
use clforge_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most loops that are looked at.
const MOST_LOOPS: usize = 64;

/// A carried value of a loop: in the iteration `n`, `first + n * step`.
pub(super) struct Counter {
    pub first: Value,
    pub step: Value,
    /// Whether the step is subtracted.
    pub is_down: bool,
    /// The test: the value is less than this one; greater where the counter goes down.
    pub limit: Value,
    /// Whether the test compares signed numbers.
    pub is_signed: bool,
    /// Whether the value may be the limit, too.
    pub is_inclusive: bool,
    /// The instructions that are executed only after the test of their iteration.
    tested: FxHashSet<InstId>,
}

/// The counters of a function, by the parameters of the loops' bodies.
#[derive(Default)]
pub(super) struct Counters(FxHashMap<Value, Counter>);

impl Counters {
    /// Finds them.
    pub fn of(function: &Function) -> Counters {
        let mut loops = Vec::new();
        function.walk_body(|id, inst| {
            if matches!(inst.op, Op::Loop { .. }) {
                loops.push(id);
            }
        });
        let shapes = loops.into_iter().take(MOST_LOOPS).filter_map(|id| LoopShape::of(function, id));
        Counters(shapes.filter_map(|shape| counter(function, &shape)).collect())
    }

    /// A value as a counter whose test has been passed where an instruction is executed.
    pub fn at(&self, value: Value, access: InstId) -> Option<&Counter> {
        self.0.get(&value).filter(|counter| counter.is_tested(access))
    }
}

impl Counter {
    /// Whether an instruction is executed only after the test of its iteration.
    pub fn is_tested(&self, id: InstId) -> bool {
        self.tested.contains(&id)
    }
}

/// The counter that a loop's test compares, by its parameter.
pub(super) fn counter(function: &Function, shape: &LoopShape) -> Option<(Value, Counter)> {
    // Another `continue` may pass on other values.
    if shape.early_exits.continues {
        return None;
    }
    let Some(Op::Compare { op, lhs, rhs }) = function.op(shape.condition) else { return None };
    let op = if shape.stays_if_true { *op } else { op.inverse()? };
    let index =
        |value: Value| function.region(shape.body).params.iter().position(|param| *param == extended(function, value));
    let (index, op, limit) = match (index(*lhs), index(*rhs)) {
        (Some(index), None) => (index, op, *rhs),
        (None, Some(index)) => (index, op.swapped(), *lhs),
        _ => return None,
    };
    let (is_down, is_inclusive) = match op {
        CompareOp::SLt | CompareOp::ULt => (false, false),
        CompareOp::SLe | CompareOp::ULe => (false, true),
        CompareOp::SGt | CompareOp::UGt => (true, false),
        CompareOp::SGe | CompareOp::UGe => (true, true),
        _ => return None,
    };
    let is_signed = matches!(op, CompareOp::SLt | CompareOp::SLe | CompareOp::SGt | CompareOp::SGe);
    let param = function.region(shape.body).params[index];
    let step = step(function, shape, (index, param), is_down)?;
    let mut tested: FxHashSet<InstId> = FxHashSet::default();
    for id in &shape.insts[shape.before_test..] {
        tested.insert(*id);
        for region in function.inst(*id).op.regions() {
            function.walk(region, |id, _| {
                tested.insert(id);
            });
        }
    }
    Some((param, Counter { first: shape.inits[index], step, is_down, limit, is_signed, is_inclusive, tested }))
}

/// What the carried value of an index grows by, or falls by.
fn step(function: &Function, shape: &LoopShape, (index, param): (usize, Value), is_down: bool) -> Option<Value> {
    let continuing = &function.region(shape.continuing).params;
    // What the end of the body passes on.
    let passed = |value: Value| match continuing.iter().position(|param| *param == value) {
        Some(place) => shape.continued.get(place).copied(),
        None => Some(value),
    };
    let Some(Op::Binary { op, lhs, rhs }) = function.op(passed(*shape.next.get(index)?)?) else { return None };
    let falls = match op {
        BinaryOp::Add => false,
        BinaryOp::Sub => true,
        _ => return None,
    };
    let (step, other) = if passed(*lhs)? == param { (*rhs, *lhs) } else { (*lhs, *rhs) };
    if passed(other)? != param || falls && other != *lhs {
        return None;
    }
    match function.as_int(step) {
        // `k--` is an addition of -1.
        Some(bits) if constant::sign_extend(function.ty(step).scalar, bits) < 0 => (is_down && !falls).then_some(step),
        _ => (falls == is_down).then_some(step),
    }
}

/// A value before it was extended.
fn extended(function: &Function, value: Value) -> Value {
    match function.op(value) {
        Some(Op::Convert { op: ConvertOp::SExt | ConvertOp::ZExt, operand }) => *operand,
        _ => value,
    }
}
