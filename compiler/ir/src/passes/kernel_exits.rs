//! `kernel_exits` gives large kernels one `return`, at the end of their body, for drivers that need operations of all work-items
//! there ([`Tuning::LAVAPIPE_LATE_BARRIER`](clforge_basic::tuning::Tuning), `tuning/barriers_between`). Most kernels begin
//! with a `return` for work-items that have nothing to do.
//!
//! A kernel stays as it is if it, or what it calls, has operations that work-items execute together: they would be inside of
//! conditions.

use super::merge_exits;
use crate::analysis::CallGraph;
use crate::pass::{Changed, Context, Order, Pass};
use crate::*;
use typed_index_collections::TiVec;

/// Instructions of a kernel, with all bodies of its calls, that keeps its exits.
const MOST_INSTS: usize = 4_000;

/// The pass.
pub struct KernelExits;

impl<S> Pass<S> for KernelExits {
    fn name(&self) -> &'static str {
        "kernel_exits"
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        let calls = CallGraph::of(module);
        let mut sizes: TiVec<FunctionId, usize> = module.functions.iter().map(|_| 0).collect();
        for (id, function) in module.functions.iter_enumerated() {
            function.walk_body(|_, _| sizes[id] += 1);
        }
        let sizes = calls.inlined_sizes(sizes);
        let has_convergent = |id: &FunctionId| module.functions[*id].ever_had(Op::is_convergent);
        let convergent = calls.reaching(module.functions.keys().filter(has_convergent));
        let mut changed = Changed::No;
        for (id, function) in module.functions.iter_mut_enumerated() {
            let is_large = function.kernel.is_some() && sizes[id] > MOST_INSTS && !convergent[id];
            if is_large && !function.has_single_exit() {
                merge_exits(function);
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }

    fn order(&self) -> Order {
        Order { before: &["mem2reg"], ..Order::ANY }
    }
}
