//! `tuning/late_barrier`: ends large kernels with a barrier and a use of what they use most, so that LLVM compiles them for
//! llvmpipe in less time ([`Tuning::LAVAPIPE_LATE_BARRIER`](clforge_basic::tuning::Tuning)).
//!
//! The driver makes each kernel a coroutine that is suspended at its barriers. LLVM then asks for each variable, among them
//! the execution mask that most operations read, whether one of its uses can be followed by a suspension and another use.
//! It tries all pairs of uses until it finds one (`AllocaUseVisitor` of `CoroFrame.cpp`). Where there is none, the time is
//! the square of the number of uses. With the following at the end, each use has a partner:
//!
//! ```text
//! barrier; if ((array_1[0] ^ array_2[0] ^ …) == magic) { fence }
//! ```

use super::uses::Uses;
use crate::legalize::LAST;
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::*;
use smallvec::smallvec;
use typed_index_collections::TiVec;

/// A value that the elements of arrays seldom have; nothing depends on it.
const MAGIC: i64 = 0x5bd1_e995;

/// Uses of one variable whose pairs LLVM tries within four seconds. The mask is in memory with the barrier, which can make
/// launches slower by a quarter.
const MOST_USES: u64 = 8_000;

/// The pass.
pub struct LateBarrier;

impl<S> Pass<S> for LateBarrier {
    fn name(&self) -> &'static str {
        "tuning/late_barrier"
    }

    fn order(&self) -> Order {
        // That one would look at the barrier.
        Order { after: &["workarounds/masked_barriers"], ..LAST }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let uses = Uses::of_functions(module, context.options);
        let mut changed = Changed::No;
        for (function, uses) in module.functions.iter_mut().zip(uses) {
            let arrays: Vec<VariableId> =
                uses.arrays.iter().filter(|(_, uses)| **uses > MOST_USES).map(|(id, _)| *id).collect();
            let is_large = uses.mask > MOST_USES || !arrays.is_empty();
            if function.kernel.is_some() && is_large && function.has_single_exit() {
                add(function, &module.variables, arrays);
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// Adds the barrier and the uses behind it to the end of a kernel.
fn add(function: &mut Function, variables: &TiVec<VariableId, Variable>, mut arrays: Vec<VariableId>) {
    arrays.sort_unstable();
    let body = function.body;
    let end = function.region_mut(body).insts.pop();
    let mut b = Builder::new(function);
    let semantics = Semantics::of_local_memory(MemoryOrder::AcquireRelease);
    b.effect(Op::Barrier { execution: Scope::WorkGroup, semantics });
    let mut sum = b.int(Type::I32, 0);
    if arrays.is_empty() {
        sum = b.push(Op::Input { input: Input::LocalInvocationId, dim: 0 }, &[Type::I32])[0];
    }
    let first = b.int(Type::I32, 0);
    for variable in arrays {
        let ty = variables[variable].element;
        let loaded = b.push(Op::VariableLoad { variable, index: Some(first) }, &[ty])[0];
        let lane = b.extract(loaded, 0);
        let bits = b.to_bits(lane);
        let word = b.resize(bits, ScalarType::I32, false);
        sum = b.binary(BinaryOp::Xor, sum, word);
    }
    let is_magic = b.compare_int(CompareOp::Eq, sum, MAGIC);
    let then = b.nested(|b| {
        b.effect(Op::Fence(semantics));
        b.effect(Op::Yield(smallvec![]));
    });
    let otherwise = b.nested(|b| b.effect(Op::Yield(smallvec![])));
    b.effect(Op::If { condition: is_magic, then, otherwise });
    function.region_mut(body).insts.extend(end);
}
