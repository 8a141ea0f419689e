//! `workarounds/dont_inline`: removes the mark `DontInline` from all but a few functions
//! ([`Workarounds::NVIDIA_DONT_INLINE`](clforge_basic::workarounds::Workarounds)).
//!
//! ```ir
//! ; pass: workarounds/dont_inline
//! ; Small functions lose their mark. Large ones are in the unit tests of the pass.
//! func @leaf(%0: i32) -> i32 noinline {
//!   return %0
//! }
//! func @middle(%0: i32) -> i32 noinline {
//!   %1: i32 = call @leaf(%0)
//!   return %1
//! }
//! kernel @k() exported args () {
//!   %0: i32 = call @middle(i32 1)
//!   return
//! }
//! ; ---
//! func @leaf(%0: i32) -> i32 {
//!   return %0
//! }
//! func @middle(%0: i32) -> i32 {
//!   %1: i32 = call @leaf(%0)
//!   return %1
//! }
//! kernel @k() exported args () {
//!   %0: i32 = call @middle(i32 1)
//!   return
//! }
//! ```

use crate::legalize::LAST;
use clforge_ir::analysis::CallGraph;
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::*;

/// Instructions of a function from which on the driver must not copy it. Fewer than `inline` takes for large (3,000), since
/// functions are simplified in between: those of the filetest `large_functions.cl` have about 1,550 left.
const LARGE: usize = 1_000;
/// Instructions of all copies of a function from which on the driver must not make them: see `inline`, whose functions get smaller.
const COPIES: usize = 12_000;
/// Instructions of a function up to which a copy is hardly more than a call, however often it is called. With a mark on a function
/// of 10 that is called 1,000 times the driver did not end in 120 s with a kernel that it compiles without (`control/long_chains`).
const TINY: usize = 24;
/// Instructions of a kernel with all that it calls from which on the driver must not copy everything. With everything copied, it
/// took 82 s instead of 166 for 29 kernels of a password cracker of up to 35,000 instructions, and 71 s instead of 35 for 18 of 40,000
/// to 63,000 (H200, 580.159.04).
const KERNEL: usize = 35_000;
/// Barriers of a function from which on the driver crashes.
const BARRIERS: usize = 2;

/// The pass. It changes functions that are neither large nor called very often, those that no large kernel calls, directly or
/// through others, and those that a function with several barriers and with an access to a private array in a loop calls so. The
/// driver inlines what is not marked.
pub struct DontInline;

impl<S> Pass<S> for DontInline {
    fn name(&self) -> &'static str {
        "workarounds/dont_inline"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        let is_caller = |(_, function): &(FunctionId, &Function)| {
            barriers(function) >= BARRIERS && accesses_arrays_in_loops(module, function, function.body, false)
        };
        let graph = CallGraph::of(module);
        let called = graph.reached_from(
            module.functions.iter_enumerated().filter(is_caller).flat_map(|(id, _)| graph.callees(id).iter().copied()),
        );
        let in_large_kernels = graph.reached_from(large_kernels(module, &graph));
        let mut changed = Changed::No;
        for ((id, function), called) in module.functions.iter_mut_enumerated().zip(called) {
            let length = length(function);
            let is_often_copied = length > TINY && length.saturating_mul(graph.calls_of(id)) >= COPIES;
            let is_large = function.insts.len() >= LARGE || is_often_copied;
            if function.inline == Some(false) && (called || !is_large || !in_large_kernels[id]) {
                function.inline = None;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// The kernels that are large with the bodies of all that they call.
fn large_kernels(module: &Module, graph: &CallGraph) -> Vec<FunctionId> {
    let sizes = graph.inlined_sizes(module.functions.iter().map(length).collect());
    let is_large = |id: &FunctionId| sizes[*id] >= KERNEL && module.functions[*id].kernel.is_some();
    sizes.keys().filter(is_large).collect()
}

/// Instructions of a function, without those that passes have removed.
fn length(function: &Function) -> usize {
    let mut count = 0;
    function.walk_body(|_, _| count += 1);
    count
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

#[cfg(test)]
mod tests {
    use super::*;
    use clforge_basic::options::Options;
    use clforge_ir::read::read;

    /// Whether a large function keeps its mark that a kernel with this body calls often at its end.
    fn keeps_mark(body: &str) -> bool {
        keeps_mark_of(LARGE, KERNEL / LARGE, body)
    }

    /// The same for a function of so many instructions that is called so often.
    fn keeps_mark_of(size: usize, calls: usize, body: &str) -> bool {
        let sums: String = (1..=size).map(|n| format!("  %{n}: i32 = add %{}, %0\n", n - 1)).collect();
        let calls: String = (0..calls).map(|call| format!("  %{call}: i32 = call @large(i32 1)\n")).collect();
        let text = format!(
            "variable @v0 \"array\" function i32 bytes 8\nvariable @v1 \"shared\" workgroup i32 bytes 8\n\
             func @large(%0: i32) -> i32 noinline {{\n{sums}  return %{size}\n}}\n\
             kernel @k() exported args () {{\n{body}{calls}  return\n}}\n"
        );
        let mut module = read(&text).expect("it reads");
        let options = Options::default();
        DontInline.run(&mut module, &mut Context { options: &options, state: () }).expect("marks are removed");
        module.functions[FunctionId::from(0)].inline == Some(false)
    }

    #[test]
    fn functions_that_are_called_very_often_keep_their_marks() {
        assert!(keeps_mark_of(59, KERNEL / 59, ""));
        assert!(!keeps_mark_of(59, 100, ""));
        assert!(!keeps_mark_of(TINY - 1, KERNEL / TINY * 2, ""), "a copy is hardly more than a call");
    }

    #[test]
    fn functions_that_only_small_kernels_call_lose_their_marks() {
        assert!(keeps_mark_of(LARGE, KERNEL / LARGE, ""));
        assert!(!keeps_mark_of(LARGE, KERNEL / LARGE - 1, ""));
    }

    #[test]
    fn large_functions_keep_their_marks_but_after_barriers() {
        const BARRIER: &str = "  barrier work_group acquire_release work_group local\n";
        let stored = |variable: &str| format!("  variable_store @{variable}[i32 1], i32 1\n");
        let in_loop =
            |inside: &str| format!("  loop () {{\n{inside}    continue\n  }} continuing {{\n    next\n  }}\n");
        let two = BARRIER.repeat(2);
        assert!(!keeps_mark(&format!("{}{two}", in_loop(&stored("v0")))));
        assert!(keeps_mark(""));
        assert!(keeps_mark(&format!("{}{BARRIER}", in_loop(&stored("v0")))), "one barrier");
        assert!(keeps_mark(&format!("{}{two}", in_loop(&stored("v1")))), "shared memory only");
        assert!(keeps_mark(&format!("{}{two}", stored("v0"))), "not in a loop");
    }
}
