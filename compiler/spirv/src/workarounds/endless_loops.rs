//! `workarounds/endless_loops`: gives every loop an exit from which the end of the function can be reached
//! ([`Workarounds::NVIDIA_ENDLESS_LOOPS`](clforge_basic::workarounds::Workarounds)).
//!
//! NVIDIA 580.159 never ends compiling some pipelines with a loop that nothing leaves. The driver removes an exit whose
//! condition is constant or that leads to an `OpUnreachable`, so such an exit does not help. This one is taken if there
//! are no work-groups, and leads to a `return`. In the continuing region of a loop, where SPIR-V allows no `return`, it
//! leads to the next iteration.

use crate::legalize::LAST;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;

/// The pass; after it nothing may simplify control flow.
pub struct EndlessLoops;

impl FunctionPass for EndlessLoops {
    fn name(&self) -> &'static str {
        "workarounds/endless_loops"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let mut found = Vec::new();
        endless_loops(function, (function.body, End::Return), &mut found);
        for (region, end, id) in &found {
            add_exit(function, *id);
            reach_end(function, *region, *end);
        }
        if found.is_empty() { Changed::No } else { Changed::Maybe }
    }
}

/// The terminator by which the end of the function can be reached from a region.
#[derive(Clone, Copy)]
enum End {
    Return,
    /// In the step of a loop, which nothing may leave but by the next iteration: the terminator of a region of that operation.
    Of(InstId),
    /// The same of the step itself.
    Next(InstId),
}

/// Finds the loops that nothing leaves, with the region of each and how that ends. The result says how control leaves `region`.
fn endless_loops(
    function: &Function,
    (region, end): (RegionId, End),
    found: &mut Vec<(RegionId, End, InstId)>,
) -> Leaves {
    let mut leaves = Leaves::default();
    for id in &function.region(region).insts {
        let op = &function.inst(*id).op;
        let mut nested = Leaves::default();
        for inner in op.regions() {
            let inner_end = match (op, end) {
                (Op::Loop { continuing, .. }, _) if *continuing == inner => End::Next(*id),
                (_, End::Return) => End::Return,
                _ => End::Of(*id),
            };
            nested = nested.or(endless_loops(function, (inner, inner_end), found));
        }
        match op {
            Op::Loop { .. } if !nested.breaks && !nested.returns => found.push((region, end, *id)),
            Op::Loop { .. } | Op::Switch { .. } => nested.breaks = false,
            Op::Break(_) | Op::NextIf { .. } => nested.breaks = true,
            Op::Return(_) => nested.returns = true,
            _ => {}
        }
        leaves = leaves.or(nested);
    }
    leaves
}

/// How control leaves a region, apart from its end.
#[derive(Clone, Copy, Default)]
struct Leaves {
    /// It leaves the innermost loop or switch around the region.
    breaks: bool,
    returns: bool,
}

impl Leaves {
    fn or(self, other: Leaves) -> Leaves {
        Leaves { breaks: self.breaks || other.breaks, returns: self.returns || other.returns }
    }
}

/// Adds an exit at the start of a loop's body, taken when there are no work-groups.
fn add_exit(function: &mut Function, id: InstId) {
    let inst = function.inst(id);
    let Op::Loop { body, .. } = inst.op else { return };
    let types: Vec<Type> = inst.results.iter().map(|result| function.ty(*result)).collect();
    let undefined = types.iter().map(|ty| function.undef(*ty)).collect();
    let mut rest = std::mem::take(&mut function.region_mut(body).insts);
    let mut b = Builder::at(function, body);
    let groups = b.emit(Op::Input { input: Input::NumWorkgroups, dim: 0 }, Type::I32);
    let none = b.int(Type::I32, 0);
    let condition = b.compare(CompareOp::Eq, groups, none);
    let then = b.nested(|b| b.effect(Op::Break(undefined)));
    let otherwise = b.nested(|b| b.effect(Op::Yield(Values::new())));
    b.effect(Op::If { condition, then, otherwise });
    function.region_mut(body).insts.append(&mut rest);
}

/// Replaces the `unreachable` at the end of a region.
fn reach_end(function: &mut Function, region: RegionId, end: End) {
    if !matches!(function.terminator(region), Some(Op::Unreachable)) {
        return;
    }
    let undefined = |function: &mut Function, values: &[Value]| -> Values {
        values.iter().map(|value| function.undef(function.ty(*value))).collect()
    };
    let inst = |function: &Function, id: InstId| function.inst(id).clone();
    let terminator = match end {
        End::Return => Op::Return(function.result.map(|ty| function.undef(ty))),
        End::Of(id) => match inst(function, id) {
            Inst { op: Op::Loop { continuing, .. }, .. } => {
                let params = function.region(continuing).params.clone();
                Op::Continue(undefined(function, &params))
            }
            Inst { op: Op::Switch { .. }, results, .. } => Op::Break(undefined(function, &results)),
            Inst { results, .. } => Op::Yield(undefined(function, &results)),
        },
        End::Next(id) => match inst(function, id).op {
            Op::Loop { body, .. } => {
                let params = function.region(body).params.clone();
                Op::Next(undefined(function, &params))
            }
            _ => return,
        },
    };
    function.region_mut(region).insts.pop();
    Builder::at(function, region).effect(terminator);
}
