//! `workarounds/calls_after_barriers`: functions are not marked as not to be inlined where a caller has several barriers
//! ([`Workarounds::NVIDIA_CALLS_AFTER_BARRIERS`](clforge_basic::workarounds::Workarounds)).

use clforge_ir::analysis::CallGraph;
use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::*;

/// Barriers of a function from which on the driver crashes.
const BARRIERS: usize = 2;

/// The pass. It changes functions that are called, directly or through others, by one with several barriers and with
/// an access to a private array in a loop; the driver inlines what is not marked.
pub struct CallsAfterBarriers;

impl<S> Pass<S> for CallsAfterBarriers {
    fn name(&self) -> &'static str {
        "workarounds/calls_after_barriers"
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        let is_caller = |(_, function): &(FunctionId, &Function)| {
            barriers(function) >= BARRIERS && accesses_arrays_in_loops(module, function, function.body, false)
        };
        let graph = CallGraph::of(module);
        let called = graph.reached_from(
            module.functions.iter_enumerated().filter(is_caller).flat_map(|(id, _)| graph.callees(id).iter().copied()),
        );
        let mut changed = Changed::No;
        for (function, _) in module.functions.iter_mut().zip(called).filter(|(_, called)| *called) {
            if function.inline == Some(false) {
                function.inline = None;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// Execution barriers of a function.
fn barriers(function: &Function) -> usize {
    let mut count = 0;
    function.walk_body(|_, inst| count += usize::from(matches!(inst.op, Op::Barrier { .. })));
    count
}

/// Whether an element of private memory is read or written in a loop of a region, or anywhere in it if it is in a loop.
fn accesses_arrays_in_loops(module: &Module, function: &Function, region: RegionId, in_loop: bool) -> bool {
    let is_private =
        |variable: VariableId| matches!(module.variables[variable].storage, Storage::Function | Storage::Private);
    function.region(region).insts.iter().any(|id| {
        let op = &function.inst(*id).op;
        let in_loop = in_loop || matches!(op, Op::Loop { .. });
        match op {
            Op::VariableLoad { variable, index: Some(_) } | Op::VariableStore { variable, index: Some(_), .. } => {
                in_loop && is_private(*variable)
            }
            _ => op.regions().into_iter().any(|nested| accesses_arrays_in_loops(module, function, nested, in_loop)),
        }
    })
}
