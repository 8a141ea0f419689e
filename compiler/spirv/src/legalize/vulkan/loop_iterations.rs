//! `vulkan/loop_iterations`: notes an upper bound of the iterations of all loops of each kernel in the interface, for
//! drivers that silently end loops after a number of iterations
//! ([`CodegenOptions::unroll_factor`](clforge_basic::options::CodegenOptions::unroll_factor)). Kernels that cannot
//! reach the limit need no test (`vulkan/loop_ends`). The pass does not change the code.

use crate::legalize::{Context, State};
use clforge_ir::analysis::{CallGraph, FunctionEffects};
use clforge_ir::pass::{Changed, FunctionContext, Order, Pass};
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

    fn order(&self) -> Order {
        Order { after: &["workarounds/loop_limit"], undone_by: &["unroll_loops"], ..Order::ANY }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface::KernelInterface;
    use clforge_basic::options::Options;
    use clforge_ir::read::read;

    /// A loop of three iterations around one of four, one that an argument limits, and none.
    const TEXT: &str = "variable @v0 \"push_constants\" push_constant i32 bytes 16
kernel @nested() exported args () {
  loop (i32 0) (%0: i32) {
    %1: bool = ne %0, i32 3
    if %1 {
      yield
    } else {
      break
    }
    loop (i32 0) (%2: i32) {
      %3: bool = ne %2, i32 4
      if %3 {
        yield
      } else {
        break
      }
      continue %2
    } continuing (%4: i32) {
      %5: i32 = add %4, i32 1
      next %5
    }
    continue %0
  } continuing (%6: i32) {
    %7: i32 = add %6, i32 1
    next %7
  }
  return
}
kernel @unknown() exported args () {
  %0: i32 = variable_load @v0[i32 3]
  loop (i32 0) (%1: i32) {
    %2: bool = ne %1, %0
    if %2 {
      yield
    } else {
      break
    }
    continue %1
  } continuing (%3: i32) {
    %4: i32 = add %3, i32 1
    next %4
  }
  return
}
kernel @straight() exported args () {
  return
}
";

    #[test]
    fn iterations_are_counted() {
        let mut module = read(TEXT).expect("it reads");
        let named = |name: &str| KernelInterface { name: name.into(), ..KernelInterface::default() };
        let mut state = State::default();
        state.interface.kernels = ["nested", "unknown", "straight"].map(named).into();
        let options = Options::default();
        let mut context = Context { options: &options, state };
        assert_eq!(LoopIterations.run(&mut module, &mut context).expect("no error"), Changed::No);
        let counts: Vec<_> = context.state.interface.kernels.iter().map(|kernel| kernel.most_iterations).collect();
        // The last tests count: four iterations of the outer loop, each with five of the inner one.
        assert_eq!(counts, [Some(24), None, None]);
    }
}
