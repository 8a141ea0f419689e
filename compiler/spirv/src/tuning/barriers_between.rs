//! `tuning/barriers_between`: puts barriers between the parts of large kernels, so that LLVM compiles them for llvmpipe in less
//! time ([`Tuning::LAVAPIPE_BARRIERS_BETWEEN`](clforge_basic::tuning::Tuning)).
//!
//! The driver makes each kernel one function of LLVM, with a variable for each value that control flow merges and for each
//! store, and LLVM visits for each variable all basic blocks that its definition dominates (`IDFCalculator`, in `SROA`). In
//! straight code these are all that follow. A kernel is a coroutine that is suspended at its barriers, and what follows a
//! suspension is reached by a jump from the start: between two barriers nothing dominates the rest of the kernel.
//!
//! Barriers are only put where all work-items of a group execute them: in the body of a kernel that has a single exit.

use super::uses::{Counting, Uses};
use crate::legalize::LAST;
use clforge_ir::analysis::FunctionEffects;
use clforge_ir::pass::{Changed, Context, FunctionContext, Order, Pass};
use clforge_ir::*;

/// Uses of the execution mask in a kernel that stays whole.
const MOST_USES: u64 = 4_096;
/// Uses of the mask between two barriers from which on a part ends.
const PART: u64 = 512;

/// The pass.
pub struct BarriersBetween;

impl<S> Pass<S> for BarriersBetween {
    fn name(&self) -> &'static str {
        "tuning/barriers_between"
    }

    fn order(&self) -> Order {
        // That one would look at the barriers.
        Order { after: &["workarounds/masked_barriers"], ..LAST }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let uses = Uses::of_functions(module, context.options);
        let Module { functions, variables, globals, .. } = module;
        let facts =
            FunctionContext { options: context.options, variables, globals, effects: FunctionEffects::default() };
        let mut changed = Changed::No;
        for (id, of_function) in uses.iter_enumerated() {
            let function = &functions[id];
            if function.kernel.is_none() || of_function.mask <= MOST_USES || !function.has_single_exit() {
                continue;
            }
            let ends = ends_of_parts(&Counting { function, facts: &facts, callees: &uses });
            if !ends.is_empty() {
                divide(&mut functions[id], &ends);
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// The operations of the body behind which a part ends.
fn ends_of_parts(counting: &Counting<'_>) -> Vec<InstId> {
    let insts = &counting.function.region(counting.function.body).insts;
    let mut ends = Vec::new();
    let mut part = Uses::default();
    // A barrier before the terminator would divide nothing.
    for pair in insts.windows(2).take(insts.len().saturating_sub(2)) {
        let (id, next) = (pair[0], pair[1]);
        counting.inst(id, counting.times(id), &mut part);
        let is_divided = [id, next].iter().any(|id| is_barrier(&counting.function.inst(*id).op));
        if is_divided {
            part = Uses::default();
        } else if part.mask >= PART {
            ends.push(id);
            part = Uses::default();
        }
    }
    ends
}

fn is_barrier(op: &Op) -> bool {
    matches!(op, Op::Barrier { execution: Scope::WorkGroup, .. })
}

/// Puts a barrier behind each of these operations of a kernel's body.
fn divide(function: &mut Function, ends: &[InstId]) {
    let body = function.body;
    let insts = std::mem::take(&mut function.region_mut(body).insts);
    let mut divided = Vec::with_capacity(insts.len() + ends.len());
    let mut ends = ends.iter().copied().peekable();
    for id in insts {
        divided.push(id);
        if ends.next_if_eq(&id).is_some() {
            let semantics = Semantics::of_local_memory(MemoryOrder::AcquireRelease);
            let barrier = Op::Barrier { execution: Scope::WorkGroup, semantics };
            divided.push(function.new_inst(barrier, &[], Default::default()));
        }
    }
    function.region_mut(body).insts = divided;
}
