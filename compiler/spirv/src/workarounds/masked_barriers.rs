//! `workarounds/masked_barriers`: keeps vectors from executing a barrier in a loop that none of their work-items
//! reaches ([`Workarounds::LAVAPIPE_MASKED_BARRIERS`](clforge_basic::workarounds::Workarounds)).
//!
//! llvmpipe of Mesa 25 jumps over the branch of a condition where no work-item of the vector takes it, unless the
//! branch is one short block, and never over what follows a `break` or `continue`. A barrier there is executed in
//! iterations in which no work-item of the vector reaches it, and then the vectors of a group execute different numbers
//! of barriers. So barriers in loops that work-items may leave after different numbers of iterations are put into a
//! branch of their own, which is never short and is always taken. Its conditions are those that the driver's optimiser
//! cannot decide.

use super::barrier_loops::is_barrier;
use crate::legalize::LAST;
use clforge_ir::analysis::{CallGraph, Divergence};
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::*;

/// The pass; after it nothing may simplify control flow.
pub struct MaskedBarriers;

impl<S> Pass<S> for MaskedBarriers {
    fn name(&self) -> &'static str {
        "workarounds/masked_barriers"
    }

    fn order(&self) -> Order {
        Order { before: &["workarounds/literal_zeros"], ..LAST }
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        if !module.functions.iter().any(|function| function.insts.iter().any(|inst| is_barrier(&inst.op))) {
            return Ok(Changed::No);
        }
        let divergence = Divergence::of(module);
        let mut barriers: Vec<(FunctionId, RegionId, InstId)> = Vec::new();
        let mut called = Vec::new();
        for (id, function) in module.functions.iter_enumerated() {
            let mut search =
                Search { function, id, divergence: &divergence, barriers: &mut barriers, called: &mut called };
            search.region(function.body, false);
        }
        // What is called in such a loop is in it.
        let in_loops = CallGraph::of(module).reached_from(called);
        for (id, function) in module.functions.iter_enumerated().filter(|(id, _)| in_loops[*id]) {
            let mut search =
                Search { function, id, divergence: &divergence, barriers: &mut barriers, called: &mut Vec::new() };
            search.region(function.body, true);
        }
        barriers.sort_unstable();
        barriers.dedup();
        for (id, region, barrier) in &barriers {
            enclose(&mut module.functions[*id], *region, *barrier);
        }
        Ok(if barriers.is_empty() { Changed::No } else { Changed::Maybe })
    }
}

struct Search<'m> {
    function: &'m Function,
    id: FunctionId,
    divergence: &'m Divergence,
    barriers: &'m mut Vec<(FunctionId, RegionId, InstId)>,
    called: &'m mut Vec<FunctionId>,
}

impl Search<'_> {
    fn region(&mut self, region: RegionId, in_loop: bool) {
        let function = self.function;
        for id in &function.region(region).insts {
            let op = &function.inst(*id).op;
            match op {
                Op::Barrier { execution: Scope::WorkGroup, .. } if in_loop => {
                    self.barriers.push((self.id, region, *id))
                }
                Op::Call { function, .. } if in_loop => self.called.push(*function),
                _ => {}
            }
            let is_loop = matches!(op, Op::Loop { .. });
            let in_loop = in_loop || is_loop && self.divergence.is_divergent_loop(self.id, *id);
            op.regions().into_iter().for_each(|nested| self.region(nested, in_loop));
        }
    }
}

/// Puts a barrier into two branches, the outer of which is more than a block.
fn enclose(function: &mut Function, region: RegionId, barrier: InstId) {
    let insts = &function.region(region).insts;
    let Some(at) = insts.iter().position(|id| *id == barrier) else { return };
    let Op::Barrier { semantics, .. } = function.inst(barrier).op else { return };
    let rest = function.region_mut(region).insts.split_off(at);
    let mut b = Builder::at(function, region);
    let groups = b.emit(Op::Input { input: Input::NumWorkgroups, dim: 0 }, Type::I32);
    let zero = b.int(Type::I32, 0);
    let there_are_groups = b.compare(CompareOp::Ne, groups, zero);
    let outer = b.nested(|b| {
        let rows = b.emit(Op::Input { input: Input::NumWorkgroups, dim: 1 }, Type::I32);
        let there_are_rows = b.compare(CompareOp::Ne, rows, zero);
        let inner = b.nested(|_| ());
        b.function.region_mut(inner).insts.push(barrier);
        b.enter(inner);
        b.effect(Op::Yield(Values::new()));
        b.leave();
        let otherwise = b.nested(|b| b.effect(Op::Yield(Values::new())));
        b.effect(Op::If { condition: there_are_rows, then: inner, otherwise });
        // Without more in it, NIR merges a condition with the one around it.
        b.effect(Op::Fence(semantics));
        b.effect(Op::Yield(Values::new()));
    });
    let otherwise = b.nested(|b| b.effect(Op::Yield(Values::new())));
    b.effect(Op::If { condition: there_are_groups, then: outer, otherwise });
    function.region_mut(region).insts.extend(rest.into_iter().skip(1));
}
