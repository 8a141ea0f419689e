//! Counts how often llvmpipe's code for a function uses the execution mask and the arrays of the function, from which follows
//! how long LLVM takes for its coroutine.

use clforge_basic::options::Options;
use clforge_ir::analysis::{CallGraph, FunctionEffects};
use clforge_ir::pass::FunctionContext;
use clforge_ir::passes::driver_unrolls;
use clforge_ir::*;
use rustc_hash::FxHashMap;
use typed_index_collections::{TiVec, ti_vec};

/// Uses of the execution mask by an operation, and of an array by an access at a variable index, of eight work-items each.
const MASK_USES: u64 = 2;
const ARRAY_USES: u64 = 16;

/// How often a function with all that it calls uses variables of the driver.
#[derive(Clone, Default)]
pub(super) struct Uses {
    /// The execution mask.
    pub(super) mask: u64,
    /// Private arrays that are accessed at variable indices.
    pub(super) arrays: FxHashMap<VariableId, u64>,
}

impl Uses {
    /// What each function uses, once the driver has copied its callees and unrolled its loops.
    pub(super) fn of_functions(module: &Module, options: &Options) -> TiVec<FunctionId, Self> {
        let Module { functions, variables, globals, .. } = module;
        let facts = FunctionContext { options, variables, globals, effects: FunctionEffects::default() };
        let mut uses: TiVec<FunctionId, Self> = ti_vec![Self::default(); functions.len()];
        for id in CallGraph::of(module).callees_first() {
            uses[id] = Counting { function: &functions[id], facts: &facts, callees: &uses }.region(functions[id].body);
        }
        uses
    }

    fn add(&mut self, other: &Self, times: u64) {
        self.mask = self.mask.saturating_add(other.mask.saturating_mul(times));
        for (array, uses) in &other.arrays {
            let sum = self.arrays.entry(*array).or_default();
            *sum = sum.saturating_add(uses.saturating_mul(times));
        }
    }
}

/// The uses of a function whose callees have been counted.
pub(super) struct Counting<'c> {
    pub(super) function: &'c Function,
    pub(super) facts: &'c FunctionContext<'c>,
    pub(super) callees: &'c TiVec<FunctionId, Uses>,
}

impl Counting<'_> {
    fn region(&self, region: RegionId) -> Uses {
        let mut uses = Uses::default();
        for id in &self.function.region(region).insts {
            self.inst(*id, self.times(*id), &mut uses);
        }
        uses
    }

    /// The iterations of a loop that the driver unrolls; 1 for other operations.
    pub(super) fn times(&self, id: InstId) -> u64 {
        match &self.function.inst(id).op {
            Op::Loop { hint, .. } if *hint != LoopHint::DontUnroll => {
                driver_unrolls(self.function, self.facts, id).unwrap_or(1).max(1)
            }
            _ => 1,
        }
    }

    /// Adds what an operation uses whose regions the driver copies this number of times.
    pub(super) fn inst(&self, id: InstId, times: u64, uses: &mut Uses) {
        let op = &self.function.inst(id).op;
        op.regions().iter().for_each(|nested| uses.add(&self.region(*nested), times));
        match op {
            Op::Call { function, .. } => uses.add(&self.callees[*function], 1),
            Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } | Op::Image { .. } | Op::VariableAtomic { .. } => {
                uses.mask += MASK_USES;
            }
            Op::VariableLoad { variable, index } | Op::VariableStore { variable, index, .. } => {
                self.access(*variable, *index, uses);
            }
            _ if op.is_structured() => uses.mask += MASK_USES,
            _ => {}
        }
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
