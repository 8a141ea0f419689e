//! The flow of values: which operands are passed to the parameters and results of structured operations, of `select`
//! and of `ptr_add`.

use crate::{Function, Inst, Op, RegionId, Value};

/// The values that the operands of terminators are passed to; the default is that of a function's body.
#[derive(Clone, Default)]
pub struct Targets {
    yields: Vec<Value>,
    breaks: Vec<Value>,
    continues: Vec<Value>,
    falls: Vec<Value>,
    next: Vec<Value>,
    next_results: Vec<Value>,
}

/// The regions nested in an operation, each with the values that the operands of its terminators are passed to.
pub fn nested(function: &Function, inst: &Inst, outer: &Targets) -> Vec<(RegionId, Targets)> {
    let results = inst.results.to_vec();
    let params = |region: RegionId| function.region(region).params.to_vec();
    match &inst.op {
        Op::If { then, otherwise, .. } => {
            let targets = Targets { yields: results, ..outer.clone() };
            vec![(*then, targets.clone()), (*otherwise, targets)]
        }
        Op::Switch { cases, .. } => {
            let next = cases.iter().skip(1).map(|case| params(case.region)).chain([Vec::new()]);
            let targets = |falls| Targets { breaks: results.clone(), falls, ..outer.clone() };
            cases.iter().zip(next).map(|(case, falls)| (case.region, targets(falls))).collect()
        }
        Op::Loop { body, continuing, .. } => {
            let inside = Targets { breaks: results.clone(), continues: params(*continuing), ..Targets::default() };
            let back = Targets { next: params(*body), next_results: results, ..Targets::default() };
            vec![(*body, inside), (*continuing, back)]
        }
        _ => Vec::new(),
    }
}

/// The parameters and results that the operands of a terminator, or of an operation with regions, are passed to, in
/// order; with the number of operands before those.
pub fn receivers(function: &Function, op: &Op, targets: &Targets) -> (usize, Vec<Value>) {
    let params = |region: RegionId| function.region(region).params.to_vec();
    match op {
        Op::Yield(_) => (0, targets.yields.clone()),
        Op::Break(_) => (0, targets.breaks.clone()),
        Op::Continue(_) => (0, targets.continues.clone()),
        Op::Fallthrough(_) => (0, targets.falls.clone()),
        Op::Next(_) => (0, targets.next.clone()),
        Op::NextIf { .. } => (1, [&targets.next[..], &targets.next_results[..]].concat()),
        Op::Loop { body, .. } => (0, params(*body)),
        Op::Switch { cases, .. } => (1, cases.first().map(|case| params(case.region)).unwrap_or_default()),
        _ => (0, Vec::new()),
    }
}

/// Calls `f` on every value that is passed to a parameter or result, and on that one.
pub fn edges(function: &Function, inst: &Inst, targets: &Targets, f: &mut dyn FnMut(Value, Value)) {
    let (before, to) = receivers(function, &inst.op, targets);
    if !to.is_empty() {
        let mut operands: Vec<Value> = Vec::new();
        inst.op.for_each_operand(|value| operands.push(value));
        operands.iter().skip(before).zip(&to).for_each(|(from, to)| f(*from, *to));
    }
    match &inst.op {
        Op::Switch { cases, .. } => {
            // Parameters of all cases have the inputs' types: what one may be all are.
            for case in cases {
                for (first, other) in to.iter().zip(&function.region(case.region).params) {
                    f(*first, *other);
                    f(*other, *first);
                }
            }
        }
        Op::Select { if_true, if_false, .. } => inst.results.iter().for_each(|result| {
            f(*if_true, *result);
            f(*if_false, *result);
        }),
        Op::PtrAdd { base, .. } => inst.results.iter().for_each(|result| f(*base, *result)),
        _ => {}
    }
}
