//! `tuning/rolled_loops`: keeps llvmpipe from unrolling loops where its code would become very large
//! ([`Tuning::LAVAPIPE_ROLLED_LOOPS`](clforge_basic::tuning::Tuning)): those of functions with barriers that would have very
//! many accesses of memory then, and the large ones of kernels that would use the execution mask very often.
//!
//! The driver makes a function with barriers a coroutine. Each access of eight work-items becomes several basic blocks, and
//! LLVM takes more than linear time in the number of basic blocks to find what lives across the barriers. An access in a
//! loop of few iterations, which the driver unrolls, counts as often as the loop iterates.
//!
//! Each access, condition and atomic uses the execution mask. The driver copies all functions that a kernel calls, and unrolls
//! a loop that indexes a private array whatever the loop's size.

use super::uses::{Counting, Uses};
use crate::legalize::LAST;
use clforge_basic::options::Options;
use clforge_ir::analysis::{CallGraph, FunctionEffects};
use clforge_ir::pass::{Changed, Context, FunctionContext, Order, Pass};
use clforge_ir::passes::loops_to_keep;
use clforge_ir::{Error, FunctionId, InstId, LoopHint, Module, Op};
use typed_index_collections::{TiVec, ti_vec};

/// The most uses of the mask in a kernel whose loops may all be unrolled, those of a thousand accesses.
const MOST_USES: u64 = 2_048;
/// The uses of the mask in one iteration from which on a loop is large: that it is kept costs its iterations little then.
const LARGE_BODY: u64 = 64;

/// The pass; after it nothing may make other loops.
pub struct RolledLoops;

impl<S> Pass<S> for RolledLoops {
    fn name(&self) -> &'static str {
        "tuning/rolled_loops"
    }

    fn order(&self) -> Order {
        Order { undone_by: &["workarounds/loop_hints"], ..LAST }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let loops = chosen(module, context.options);
        for (function, loops) in module.functions.iter_mut().zip(loops) {
            for id in loops {
                if let Op::Loop { hint, .. } = &mut function.inst_mut(id).op {
                    *hint = LoopHint::DontUnroll;
                }
            }
        }
        // Hints are no change.
        Ok(Changed::No)
    }
}

/// The loops of each function that are to be kept.
fn chosen(module: &Module, options: &Options) -> TiVec<FunctionId, Vec<InstId>> {
    let Module { functions, variables, globals, .. } = module;
    let facts = FunctionContext { options, variables, globals, effects: FunctionEffects::default() };
    let uses = Uses::of_functions(module, options);
    let is_large = |id: &FunctionId| functions[*id].kernel.is_some() && uses[*id].mask > MOST_USES;
    let in_large = CallGraph::of(module).reached_from(functions.keys().filter(is_large));
    let mut loops: TiVec<FunctionId, Vec<InstId>> = ti_vec![Vec::new(); functions.len()];
    for (id, function) in functions.iter_enumerated() {
        loops[id] = loops_to_keep(function, &facts);
        if in_large[id] {
            let counting = Counting { function, facts: &facts, callees: &uses };
            loops[id].extend(function.insts.keys().filter(|inst| {
                let mut body = Uses::default();
                counting.times(*inst) > 1 && {
                    counting.inst(*inst, 1, &mut body);
                    body.mask >= LARGE_BODY
                }
            }));
        }
    }
    loops
}
