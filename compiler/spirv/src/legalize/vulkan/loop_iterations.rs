//! `vulkan/loop_iterations`: notes an upper bound of the iterations of all loops of each kernel in the interface, for
//! drivers that silently end loops after a number of iterations
//! ([`Options::unroll_factor`](clforge_basic::options::Options::unroll_factor)). Kernels that cannot reach the limit
//! need no test (`vulkan/loop_ends`). The pass does not change the code.

use crate::legalize::{Context, State};
use clforge_ir::analysis::{CallGraph, FunctionEffects};
use clforge_ir::pass::{Changed, FunctionContext, Pass};
use clforge_ir::passes::most_trips;
use clforge_ir::*;
use typed_index_collections::{TiVec, ti_vec};

/// The most iterations that no driver ends.
pub(super) const LIMIT: u32 = 65_535;

/// The pass. It notes the numbers in the interface.
pub struct LoopIterations;

impl Pass<State> for LoopIterations {
    fn name(&self) -> &'static str {
        "vulkan/loop_iterations"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let effects = FunctionEffects::of(module);
        let Module { functions, variables, globals, .. } = &*module;
        let known = FunctionContext { options: context.options, variables, globals, effects };
        // A function that is not defined, or calls itself, makes any number.
        let mut counts: TiVec<FunctionId, Option<u64>> = ti_vec![None; functions.len()];
        for id in CallGraph::of(module).callees_first() {
            if let Some(function) = functions.get(id).filter(|function| !function.is_declaration()) {
                counts[id] = Counts { function, context: &known, callees: &counts }.region(function.body);
            }
        }
        for kernel in &mut context.state.interface.kernels {
            let found = functions.iter_enumerated().find(|(_, function)| function.name.as_str() == kernel.name);
            let count = found.and_then(|(id, _)| counts[id]);
            // Without loops there is nothing to say.
            kernel.most_iterations = count.filter(|count| *count > 0).and_then(|count| u32::try_from(count).ok());
        }
        Ok(Changed::No)
    }
}

struct Counts<'f> {
    function: &'f Function,
    context: &'f FunctionContext<'f>,
    callees: &'f TiVec<FunctionId, Option<u64>>,
}

impl Counts<'_> {
    /// The most iterations of all loops of a region. Work-items that are executed together may take both sides of a condition.
    fn region(&self, region: RegionId) -> Option<u64> {
        let mut sum = 0u64;
        for id in &self.function.region(region).insts {
            let op = &self.function.inst(*id).op;
            let mut nested = 0u64;
            for region in op.regions() {
                nested = nested.checked_add(self.region(region)?)?;
            }
            sum = sum.checked_add(match op {
                Op::Loop { .. } => {
                    let trips = most_trips(self.function, self.context, *id)?;
                    trips.checked_mul(nested.checked_add(1)?)?
                }
                Op::Call { function, .. } => (*self.callees.get(*function)?)?,
                _ => nested,
            })?;
        }
        Some(sum)
    }
}
