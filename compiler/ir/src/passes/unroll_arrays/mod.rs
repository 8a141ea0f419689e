//! `unroll_arrays` unrolls the loops of constant trip counts that make the indices of a private array constants, so
//! that `mem2reg` can promote the array. It also unrolls small loops of constant trip counts.
//!
//! A private array with an index that is not a constant is kept in memory, where each access of an element is a memory
//! access (SHA-256's ring of 16 words on an NVIDIA H100: 9.7 ms, and 5.3 ms in registers). If the indices repeat with a
//! period, as `k & 15` does, the loop is unrolled by that period and keeps correspondingly fewer iterations. If a
//! condition changes between two periods, as `k >= 16` does, the loop is split there, so that the condition is a
//! constant in each part:
//!
//! ```text
//! for k in 0..64 { if k >= 16 { … } w[k & 15] … }
//! ```
//!
//! becomes iterations 0 to 15, one after the other, and a loop of three periods of 16.
//!
//! Small loops are unrolled, together with all their inner loops, because drivers either do not unroll them or take
//! longer for unrolling than for compiling the copies (lavapipe 22.3: CRC-32, 8 steps for each byte, in 0.47 of the
//! time, a mean of 3x3 pixels in 0.33; NVIDIA 580.159 makes the pipeline of the former in 9 ms instead of 54, and eight
//! steps of particles in memory take 0.231 ms instead of 0.650 on an H100). Loops with operations that later passes or
//! drivers expand to much code, such as calls, divisions and transcendental functions, are left unchanged: 32 copies of
//! `pow` took NVIDIA's driver 374 ms instead of 17.
//!
//! Loops whose counter does not change by a constant, such as `i *= 2` in a reduction, may be larger, because drivers
//! only recognise counters that are added to (the forward layer of Rodinia's backprop, which divides by the counter, on
//! an NVIDIA H100: 0.69 of the speed of NVIDIA's OpenCL).
//!
//! If the trip count of an inner loop depends on the counter of the outer loop, as in a sort, the outer loop is
//! unrolled first, and then the copies of the inner loop, whose trip counts are constants.
//!
//! Loops that are too large, have many iterations and early exits, or are continued in a `switch` get
//! [`LoopHint::Unroll`]. Other loops are left unchanged.

mod analysis;
mod copies;
mod counted;

use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::passes::unroll_loops::has_many_accesses;
use crate::passes::{Simplify, loops_to_keep};
use crate::*;
use analysis::{Analysis, Array};
use clforge_basic::tuning::Tuning;
use counted::{Globals, Plan};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Bytes of an array that becomes values.
const MAX_BYTES: u64 = 512;
/// The most that all copies in a function may be.
const MAX_UNROLLED: Cost = Cost { copied: 65536, expanded: usize::MAX, size: 12288, accesses: 256 };
/// Their accesses with `lavapipe-unrolled-arrays`.
const MAX_LAVAPIPE_ACCESSES: usize = 2048;
/// As how many of them an access of a private array counts that stays in memory, in each iteration of its loop: Mesa unrolls loops
/// that index such arrays, and LLVM compares all pairs of accesses of an array. 32 copies of a loop of 33 iterations with two
/// accesses took lavapipe 22.3.6 20 s, and the loop alone 0.5 s.
const LAVAPIPE_ARRAY_ACCESS: usize = 8;
/// The most that all copies may be which the driver makes. Drivers compile in more than linear time.
const MAX_HINTED: Cost = Cost { copied: 8192, expanded: usize::MAX, size: 8192, accesses: 256 };
/// The most that later passes and drivers may add to either. Calls that are copied take a driver longer than the accesses of the
/// array take the device: ten copies of two divisions of doubles, sine and cosine took NVIDIA's 0.6 s of 1.46 (RSBench).
const MAX_ADDED: usize = 4096;
/// The most that all copies of a small loop may be, and their number.
const MAX_SMALL: Cost = Cost { copied: 256, expanded: 256, size: 256, accesses: 40 };
const MAX_SMALL_COPIES: usize = 32;
/// The same where drivers do not count the iterations.
const MAX_IRREGULAR: Cost = Cost { copied: 512, expanded: usize::MAX, size: 512, accesses: 64 };
const MAX_IRREGULAR_COPIES: usize = 16;
/// The most instructions of all copies of a loop around loops that are counted only in the copies.
const MAX_AROUND: usize = 1024;
/// The most copies of such a loop.
const MAX_AROUND_COPIES: usize = 16;
/// How often the copies are looked at: each time a loop may end with what the next one begins with.
const MAX_ROUNDS: usize = 8;

/// The pass.
pub struct UnrollArrays;

impl FunctionPass for UnrollArrays {
    fn name(&self) -> &'static str {
        "unroll_arrays"
    }

    fn order(&self) -> Order {
        Order { after: &["mem2reg", "simplify"], before: &["vulkan/memory"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        if !analysis::has_indexed_array(function) && !analysis::has_counter(function) {
            return Changed::No;
        }
        let mut is_around = false;
        let most = function.insts.len() + MAX_UNROLLED.copied;
        let mut tuning = context.options.codegen.tuning;
        let is_large = || has_many_accesses(function, context) || !loops_to_keep(function, context).is_empty();
        if tuning.contains(Tuning::LAVAPIPE_ROLLED_LOOPS) && is_large() {
            tuning.remove(Tuning::LAVAPIPE_UNROLLED_ARRAYS);
        }
        for _ in 0..MAX_ROUNDS {
            let choice = Choice::of(function, context.globals, tuning);
            is_around |= choice.is_around;
            for id in &choice.hinted {
                if let Op::Loop { hint, .. } = &mut function.inst_mut(*id).op {
                    *hint = LoopHint::Unroll;
                }
            }
            let is_last = choice.unrolled.is_empty() || !is_around;
            copies::unroll(function, context.globals, choice.unrolled);
            if is_last || function.insts.len() > most {
                break;
            }
            // What the loops in the copies begin with becomes constants.
            FunctionPass::run(&Simplify, function, context);
        }
        Changed::Maybe
    }
}

/// The most that all copies in a function may be.
fn most_unrolled(tuning: Tuning) -> Cost {
    let for_lavapipe = tuning.contains(Tuning::LAVAPIPE_UNROLLED_ARRAYS);
    Cost { accesses: if for_lavapipe { MAX_LAVAPIPE_ACCESSES } else { MAX_UNROLLED.accesses }, ..MAX_UNROLLED }
}

/// As how many accesses of other memory one of a private array counts that stays in memory.
fn weight_in_memory(tuning: Tuning) -> usize {
    if tuning.contains(Tuning::LAVAPIPE_UNROLLED_ARRAYS) { LAVAPIPE_ARRAY_ACCESS } else { 0 }
}

/// What unrolling repeats.
#[derive(Clone, Copy, Default)]
struct Cost {
    /// Instructions.
    copied: usize,
    /// About as many as later passes and drivers make of them.
    expanded: usize,
    /// Those that are left of them once the arrays are values.
    size: usize,
    /// Memory accesses, but for those of private arrays that become values.
    accesses: usize,
}

impl Cost {
    fn is_at_most(self, most: Cost) -> bool {
        self.copied <= most.copied
            && self.expanded <= most.expanded
            && self.size <= most.size
            && self.accesses <= most.accesses
    }

    /// What later passes and drivers add to the instructions.
    fn added(self) -> usize {
        self.expanded.saturating_sub(self.copied)
    }

    fn times(self, copies: usize) -> Cost {
        let times = |count: usize| count.saturating_mul(copies);
        Cost {
            copied: times(self.copied),
            expanded: times(self.expanded),
            size: times(self.size),
            accesses: times(self.accesses),
        }
    }

    fn without(self, part: Cost) -> Cost {
        Cost {
            copied: self.copied.saturating_sub(part.copied),
            expanded: self.expanded.saturating_sub(part.expanded),
            size: self.size.saturating_sub(part.size),
            accesses: self.accesses.saturating_sub(part.accesses),
        }
    }

    fn plus(self, other: Cost) -> Cost {
        Cost {
            copied: self.copied.saturating_add(other.copied),
            expanded: self.expanded.saturating_add(other.expanded),
            size: self.size.saturating_add(other.size),
            accesses: self.accesses.saturating_add(other.accesses),
        }
    }
}

/// The loops to unroll.
struct Choice {
    /// The most that all copies may be.
    most: Cost,
    unrolled: FxHashMap<InstId, Plan>,
    /// By the driver.
    hinted: BTreeSet<InstId>,
    /// Whether loops are unrolled around loops that are counted only in the copies.
    is_around: bool,
}

impl Choice {
    /// The loops of all arrays whose loops together are small enough, of earlier arrays first.
    fn of(function: &mut Function, globals: &Globals, tuning: Tuning) -> Choice {
        let (most, weight) = (most_unrolled(tuning), weight_in_memory(tuning));
        let analysis = Analysis::of(function, globals, weight);
        let mut choice = Choice { most, unrolled: FxHashMap::default(), hinted: BTreeSet::new(), is_around: false };
        let mut chosen: Vec<&Array> = Vec::new();
        for array in analysis.indexed() {
            chosen.push(array);
            if !choice.unroll(function, &analysis, &chosen) {
                chosen.pop();
                choice.ask_driver(&analysis, array);
            }
        }
        choice.unroll_around(function, &analysis);
        choice.unroll_small(function, &analysis);
        choice.hinted.retain(|id| !choice.unrolled.contains_key(id));
        choice
    }

    /// Adds the loops of the last array, if they can be unrolled.
    fn unroll(&mut self, function: &Function, analysis: &Analysis<'_>, chosen: &[&Array]) -> bool {
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
        let cost = analysis.cost(|id| plans.get(&id).map_or(1, Plan::copies));
        let most = if cost.is_at_most(MAX_UNROLLED) || array.has_barriers(function) { MAX_UNROLLED } else { self.most };
        let fits = cost.is_at_most(most) && cost.added() <= MAX_ADDED;
        if fits {
            self.unrolled = plans;
        }
        fits
    }

    /// Adds small loops around others whose iterations depend on their counters, as of a sort: `for j in i + 1..n`.
    fn unroll_around(&mut self, function: &Function, analysis: &Analysis<'_>) {
        for id in analysis.around_dependent().filter(|id| !self.unrolled.contains_key(id)).collect::<Vec<_>>() {
            let mut size = 0;
            function.inst(id).op.regions().iter().for_each(|region| function.walk(*region, |_, _| size += 1));
            let plan = analysis.complete_plan(id).filter(|plan| plan.copies() <= MAX_AROUND_COPIES);
            let Some(plan) = plan.filter(|plan| plan.copies() * size <= MAX_AROUND) else { continue };
            self.unrolled.insert(id, plan);
            // With what is unrolled already, in this loop too.
            let cost = analysis.cost(|id| self.copies(id));
            if cost.is_at_most(self.most) && cost.added() <= MAX_ADDED {
                self.is_around = true;
            } else {
                self.unrolled.remove(&id);
            }
        }
    }

    /// Adds small loops, as long as the copies are not too many.
    fn unroll_small(&mut self, function: &Function, analysis: &Analysis<'_>) {
        let nests = analysis.nests();
        let mut total = analysis.cost(|id| self.copies(id));
        for (id, is_regular) in analysis.counted(function) {
            let (most, most_copies) = match is_regular {
                true => (MAX_SMALL, MAX_SMALL_COPIES),
                false => (MAX_IRREGULAR, MAX_IRREGULAR_COPIES),
            };
            let Some(plan) = analysis.complete_plan(id).filter(|plan| plan.copies() <= most_copies) else { continue };
            let Some(nest) = nests.get(&id).filter(|_| !self.unrolled.contains_key(&id) && !self.hinted.contains(&id))
            else {
                continue;
            };
            let before = analysis.cost_of(nest, |id| self.copies(id));
            let after = analysis.cost_of(nest, |other| if other == id { plan.copies() } else { self.copies(other) });
            let all = total.without(before).plus(after);
            let is_small = after.is_at_most(most) && (!is_regular || self.leaves_no_loop(function, id));
            if is_small && all.is_at_most(self.most) {
                total = all;
                self.unrolled.insert(id, plan);
            }
        }
    }

    /// Copies that are made of the body of a loop.
    fn copies(&self, id: InstId) -> usize {
        self.unrolled.get(&id).map_or(1, Plan::copies)
    }

    /// Whether all loops in this one are unrolled completely.
    fn leaves_no_loop(&self, function: &Function, id: InstId) -> bool {
        let Op::Loop { body, .. } = function.inst(id).op else { return false };
        let mut all = true;
        function.walk(body, |inner, inst| {
            let is_unrolled = || self.unrolled.get(&inner).is_some_and(Plan::is_complete);
            all &= !matches!(inst.op, Op::Loop { .. }) || is_unrolled();
        });
        all
    }

    fn ask_driver(&mut self, analysis: &Analysis<'_>, array: &Array) {
        let together: BTreeSet<InstId> = self.hinted.iter().chain(array.loops.iter().flatten()).copied().collect();
        let copies = |id| match self.unrolled.get(&id) {
            Some(plan) => plan.copies(),
            None if together.contains(&id) => analysis.trips(id),
            None => 1,
        };
        let cost = analysis.cost(copies);
        if cost.is_at_most(MAX_HINTED) && cost.added() <= MAX_ADDED {
            self.hinted = together;
        }
    }
}

#[cfg(test)]
mod tests;
