//! `vulkan/loop_iterations`: notes an upper bound of the iterations of all loops of each kernel in the interface, for
//! drivers that silently end loops after a number of iterations
//! ([`CodegenOptions::unroll_factor`](clforge_basic::options::CodegenOptions::unroll_factor)). Kernels that cannot
//! reach the limit need no test (`vulkan/loop_ends`). The pass does not change the code.

use super::iteration_bounds;
use crate::interface::KernelInterface;
use crate::interface::iterations::LaunchFacts;
use crate::legalize::{Context, State};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::*;

/// The most iterations that no driver ends.
pub(super) const LIMIT: u32 = 65_535;

/// The pass. It notes the numbers in the interface.
pub struct LoopIterations;

impl Pass<State> for LoopIterations {
    fn name(&self) -> &'static str {
        "vulkan/loop_iterations"
    }

    fn order(&self) -> Order {
        Order { after: &["vulkan/loop_limit"], undone_by: &["unroll_loops"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let interface = &mut context.state.interface;
        for function in module.functions.iter().filter(|function| function.kernel.is_some()) {
            let named = |kernel: &KernelInterface| *kernel.name == *function.name;
            // `vulkan/loop_limit` has noted what it has left unchanged.
            let is_noted =
                |kernel: &KernelInterface| kernel.most_iterations.is_some() || kernel.iteration_bound.is_some();
            let Some(index) = interface.kernels.iter().position(|kernel| named(kernel) && !is_noted(kernel)) else {
                continue;
            };
            let most = iteration_bounds::of(module, interface, function).map(|bound| bound.most(&LaunchFacts::NONE));
            interface.kernels[index].most_iterations = most.and_then(|most| u32::try_from(most).ok());
        }
        // Of one without loops there is nothing to say.
        for kernel in &mut interface.kernels {
            kernel.most_iterations = kernel.most_iterations.filter(|most| *most > 0);
        }
        Ok(Changed::No)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
