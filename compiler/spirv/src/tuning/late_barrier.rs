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

use crate::legalize::LAST;
use clforge_ir::analysis::{CallGraph, FunctionEffects};
use clforge_ir::pass::{Changed, Context, FunctionContext, Order, Pass};
use clforge_ir::passes::driver_unrolls;
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::smallvec;
use typed_index_collections::{TiVec, ti_vec};

/// Uses of one variable whose pairs LLVM tries within four seconds. The mask is in memory with the barrier, which can make
/// launches slower by a quarter.
const MOST_USES: u64 = 8_000;
/// Uses of the execution mask by an operation, and of an array by an access at a variable index, of eight work-items each.
const MASK_USES: u64 = 2;
const ARRAY_USES: u64 = 16;
/// A value that the elements of arrays seldom have; nothing depends on it.
const MAGIC: i64 = 0x5bd1_e995;

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
        let Module { functions, variables, globals, .. } = &*module;
        let effects = FunctionEffects::default();
        let facts = FunctionContext { options: context.options, variables, globals, effects };
        let mut uses: TiVec<FunctionId, Uses> = ti_vec![Uses::default(); functions.len()];
        for id in CallGraph::of(module).callees_first() {
            uses[id] = Counting { function: &functions[id], facts: &facts, callees: &uses }.region(functions[id].body);
        }
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

/// How often a function with all that it calls uses variables of the driver.
#[derive(Clone, Default)]
struct Uses {
    /// The execution mask.
    mask: u64,
    /// Private arrays that are accessed at variable indices.
    arrays: FxHashMap<VariableId, u64>,
}

impl Uses {
    fn add(&mut self, other: &Uses, times: u64) {
        self.mask = self.mask.saturating_add(other.mask.saturating_mul(times));
        for (array, uses) in &other.arrays {
            let sum = self.arrays.entry(*array).or_default();
            *sum = sum.saturating_add(uses.saturating_mul(times));
        }
    }
}

struct Counting<'c> {
    function: &'c Function,
    facts: &'c FunctionContext<'c>,
    callees: &'c TiVec<FunctionId, Uses>,
}

impl Counting<'_> {
    fn region(&self, region: RegionId) -> Uses {
        let mut uses = Uses::default();
        for id in &self.function.region(region).insts {
            let op = &self.function.inst(*id).op;
            let times = match op {
                Op::Loop { hint, .. } if *hint != LoopHint::DontUnroll => {
                    driver_unrolls(self.function, self.facts, *id).unwrap_or(1).max(1)
                }
                _ => 1,
            };
            op.regions().iter().for_each(|nested| uses.add(&self.region(*nested), times));
            match op {
                Op::Call { function, .. } => uses.add(&self.callees[*function], 1),
                Op::Load { .. }
                | Op::Store { .. }
                | Op::Atomic { .. }
                | Op::Image { .. }
                | Op::VariableAtomic { .. } => {
                    uses.mask += MASK_USES;
                }
                Op::VariableLoad { variable, index } | Op::VariableStore { variable, index, .. } => {
                    self.access(*variable, *index, &mut uses);
                }
                _ if op.is_structured() => uses.mask += MASK_USES,
                _ => {}
            }
        }
        uses
    }

    fn access(&self, variable: VariableId, index: Option<Value>, uses: &mut Uses) {
        let is_dynamic = index.is_some_and(|index| self.function.as_int(index).is_none());
        let is_private = matches!(self.facts.variables[variable].storage, Storage::Function | Storage::Private);
        if is_private && is_dynamic {
            *uses.arrays.entry(variable).or_default() += ARRAY_USES;
        }
        // Elements of private arrays at constant indices mostly become values.
        if !is_private || is_dynamic {
            uses.mask += MASK_USES;
        }
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
