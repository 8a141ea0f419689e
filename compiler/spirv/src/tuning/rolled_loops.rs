//! `tuning/rolled_loops`: keeps llvmpipe from unrolling the loops of functions with barriers that would have very many
//! accesses of memory then ([`Tuning::LAVAPIPE_ROLLED_LOOPS`](clforge_basic::tuning::Tuning)).
//!
//! The driver makes a function with barriers a coroutine. Each access of eight work-items becomes several basic blocks, and
//! LLVM takes more than linear time in the number of basic blocks to find what lives across the barriers. An access in a
//! loop of few iterations, which the driver unrolls, counts as often as the loop iterates.

use crate::legalize::LAST;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::passes::loops_to_keep;
use clforge_ir::{Function, LoopHint, Op};

/// The pass; after it nothing may make other loops.
pub struct RolledLoops;

impl FunctionPass for RolledLoops {
    fn name(&self) -> &'static str {
        "tuning/rolled_loops"
    }

    fn order(&self) -> Order {
        Order { undone_by: &["workarounds/loop_hints"], ..LAST }
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        for id in loops_to_keep(function, context) {
            if let Op::Loop { hint, .. } = &mut function.inst_mut(id).op {
                *hint = LoopHint::DontUnroll;
            }
        }
        // Hints are no change.
        Changed::No
    }
}
