//! `unroll_arrays` unrolls the loops of constant trip counts that make the indices of a private array constants, so that
//! `mem2reg` makes values of the array.
//!
//! A private array with an index that is not a constant is kept in memory, at the cost of a memory access each (SHA-256's ring
//! of 16 words on an NVIDIA H100: 9.7 ms, and 5.3 ms in registers). Where indices repeat, as `k & 15` does, groups of so
//! many iterations are put into one, and the loop of the groups is left. Where a condition changes between two groups, as
//! `k >= 16` does, the loop is divided there, so that it is a constant in each part:
//!
//! ```text
//! for k in 0..64 { if k >= 16 { … } w[k & 15] … }
//! ```
//!
//! becomes iterations 0 to 15, one after the other, and a loop of three groups of 16.
//!
//! Loops that are too large, or are continued in a `switch`, ask the driver to unroll them. Loops whose unrolling does not make
//! values of an array are left alone.

mod analysis;
mod copies;
mod counted;

use crate::pass::{Changed, FunctionContext, FunctionPass};
use crate::*;
use analysis::{Analysis, Array};
use counted::{Globals, Plan};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Bytes of an array that becomes values.
const MAX_BYTES: u64 = 512;
/// What may be added to a function by unrolling here.
const MOST: Cost = Cost { size: 4096, accesses: 256 };
/// What the driver may add to a function. Drivers compile in more than linear time.
const MOST_OF_DRIVER: Cost = Cost { size: 8192, accesses: 256 };

/// The pass.
pub struct UnrollArrays;

impl FunctionPass for UnrollArrays {
    fn name(&self) -> &'static str {
        "unroll_arrays"
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        if !analysis::has_indexed_array(function) {
            return Changed::No;
        }
        let choice = Choice::of(function, context.globals);
        for id in &choice.hinted {
            if let Op::Loop { hint, .. } = &mut function.inst_mut(*id).op {
                *hint = LoopHint::Unroll;
            }
        }
        copies::unroll(function, context.globals, choice.unrolled);
        Changed::Maybe
    }
}

/// What unrolling repeats.
#[derive(Clone, Copy, Default)]
struct Cost {
    /// Instructions.
    size: usize,
    /// Memory accesses, but for those of private memory.
    accesses: usize,
}

impl Cost {
    fn is_at_most(self, most: Cost) -> bool {
        self.size <= most.size && self.accesses <= most.accesses
    }
}

/// The loops to unroll.
#[derive(Default)]
struct Choice {
    unrolled: FxHashMap<InstId, Plan>,
    /// By the driver.
    hinted: BTreeSet<InstId>,
}

impl Choice {
    /// The loops of all arrays whose loops together are small enough, of earlier arrays first.
    fn of(function: &mut Function, globals: &Globals) -> Choice {
        let analysis = Analysis::of(function, globals);
        let mut choice = Choice::default();
        let mut chosen: Vec<&Array> = Vec::new();
        for array in analysis.indexed() {
            chosen.push(array);
            if !choice.unroll(&analysis, &chosen) {
                chosen.pop();
                choice.ask_driver(&analysis, array);
            }
        }
        choice.hinted.retain(|id| !choice.unrolled.contains_key(id));
        choice
    }

    /// Adds the loops of the last array, if they can be unrolled.
    fn unroll(&mut self, analysis: &Analysis<'_>, chosen: &[&Array]) -> bool {
        let Some(array) = chosen.last() else { return false };
        if array.size > MAX_BYTES {
            return false;
        }
        let mut plans = self.unrolled.clone();
        for id in array.loops.iter().flatten() {
            match analysis.plan(*id, chosen) {
                Some(plan) => plans.insert(*id, plan),
                None => return false,
            };
        }
        let fits = analysis.cost(|id| plans.get(&id).map_or(1, Plan::copies)).is_at_most(MOST);
        if fits {
            self.unrolled = plans;
        }
        fits
    }

    fn ask_driver(&mut self, analysis: &Analysis<'_>, array: &Array) {
        let together: BTreeSet<InstId> = self.hinted.iter().chain(array.loops.iter().flatten()).copied().collect();
        let copies = |id| match self.unrolled.get(&id) {
            Some(plan) => plan.copies(),
            None if together.contains(&id) => analysis.trips(id),
            None => 1,
        };
        if analysis.cost(copies).is_at_most(MOST_OF_DRIVER) {
            self.hinted = together;
        }
    }
}

#[cfg(test)]
mod tests;
