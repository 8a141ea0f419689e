//! `tuning/private_arrays`: enlarges private arrays of 8 to 16 words that loops access by index, so that NVIDIA's
//! driver does not keep them in registers
//! ([`Tuning::NVIDIA_PRIVATE_ARRAYS`](clforge_basic::tuning::Tuning)).
//!
//! The driver compiles each access by index to an array in registers to a chain of comparisons and conditional moves,
//! one pair for each element. In memory such an access is one instruction; but so is an access at a constant index,
//! which costs nothing in registers. The pass counts both kinds of accesses, and those in loops several times. Smaller
//! arrays are left alone, as they are faster in registers where elements are loaded and stored again.

use crate::legalize::LAST;
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::*;
use rustc_hash::FxHashMap;

/// The elements that an array in registers has at most, and those of arrays that are moved at least.
const MAX_IN_REGISTERS: u64 = 16;
const MIN_MOVED: u64 = 8;
/// How often what is in a loop is executed, as a guess, and the loops around an instruction that count.
const TRIPS: u64 = 8;
const MAX_LOOPS: u32 = 3;
/// What an access in memory costs in instructions.
const MEMORY_COST: u64 = 4;

/// The pass.
pub struct PrivateArrays;

impl<S> Pass<S> for PrivateArrays {
    fn name(&self) -> &'static str {
        "tuning/private_arrays"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        let mut costs: FxHashMap<VariableId, Cost> = FxHashMap::default();
        for function in module.functions.iter().filter(|function| !function.is_declaration()) {
            add(function, function.body, 0, &mut costs);
        }
        let mut changed = Changed::No;
        for (id, cost) in costs {
            let Some(variable) = module.variables.get_mut(id) else { continue };
            let elements = variable.size.fixed / variable.element.scalar.bytes().max(1);
            let is_private = matches!(variable.storage, Storage::Function | Storage::Private);
            let is_of_words = variable.element.lanes == 1 && variable.element.scalar.bits() == 32;
            let is_candidate = is_private && is_of_words && (MIN_MOVED..=MAX_IN_REGISTERS).contains(&elements);
            if is_candidate && cost.in_memory < cost.indexed * 2 * elements {
                variable.size.fixed = (MAX_IN_REGISTERS + 1) * 4;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// The accesses of an array.
#[derive(Clone, Copy, Default)]
struct Cost {
    /// Instructions if it is in memory.
    in_memory: u64,
    /// Accesses at indices that are not constants.
    indexed: u64,
}

fn add(function: &Function, region: RegionId, loops: u32, costs: &mut FxHashMap<VariableId, Cost>) {
    for id in &function.region(region).insts {
        let op = &function.inst(*id).op;
        if let Op::VariableLoad { variable, index } | Op::VariableStore { variable, index, .. } = op {
            let times = TRIPS.pow(loops.min(MAX_LOOPS));
            let is_constant = index.is_none_or(|index| function.as_int(index).is_some());
            let cost = costs.entry(*variable).or_default();
            cost.in_memory += MEMORY_COST * times;
            cost.indexed += if is_constant { 0 } else { times };
        }
        let loops = loops + u32::from(matches!(op, Op::Loop { .. }));
        op.regions().iter().for_each(|nested| add(function, *nested, loops, costs));
    }
}
