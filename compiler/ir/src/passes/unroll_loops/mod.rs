//! `unroll_loops` combines several iterations of a loop with loads into one, so that the loads wait for memory at the
//! same time.
//!
//! Drivers unroll loops of constant trip counts; this pass leaves those unchanged that are too large for
//! `unroll_arrays` (bodies, 256 iterations with loads of local memory, on an NVIDIA H200: 0.90 ms in groups, 0.79 ms as
//! it is). If the trip count is only known at run time, drivers unroll little or not at all, and each iteration waits
//! for its loads (matrix · vector, an item a row of 8192, on an NVIDIA H100: 0.67 ms before). This pass inserts a loop
//! over groups of iterations before the loop, which then executes the remaining iterations:
//!
//! ```text
//! loop while all iterations of a group will be made { the loads of all iterations; the rest of each, in order }
//! loop as it was, for the others
//! ```
//!
//! Within a group there are no tests. Loads of memory that the loop does not write come first, and loads of places that
//! earlier iterations of the group do not write (`disjoint.rs`); floating-point
//! operations keep their order. Addresses that grow by a constant become sums of the first address and a constant, so
//! that the driver uses one address with displacements. The counter may also grow by a loop-invariant value, as in the
//! loops of reductions, `i += get_global_size(0)` (sums of 256 MiB by CLBlast's `Xdot` and `Xamax` on an NVIDIA H100:
//! 0.257 and 0.213 ms before, 0.178 and 0.102 ms in groups). Loops with barriers, atomics or calls, and loops that have
//! a hint, are left unchanged.
//!
//! Very short loops without such loads are unrolled by four if all work-items execute the same number of iterations:
//! their tests take a large part of the time, and drivers fold the constants of several iterations (on an NVIDIA H100
//! in relation to NVIDIA's OpenCL: `x = x * a + c` 0.35 of the speed before and 1.17 after, `s += t; t *= r` 0.86 and
//! 1.07, `s += i * i ^ s` 0.81 and 1.00).
//!
//! With [`Tuning::NVIDIA_LARGE_GROUPS`] groups of loads whose addresses depend on the work-item may be larger, and loops that write
//! private memory are unrolled by four (`docs/drivers.md`).
//!
//! Drivers unroll all levels of nested loops of constant trip counts, which can take longer than the rest of the
//! compilation. The outer loops of large nests are marked as not to be unrolled (CRC-32 of 64 bytes, bit by bit, before
//! `unroll_arrays` unrolled its inner loop: 391 ms for a process that makes the pipeline, 363 ms with the mark, and the
//! kernel as fast).

mod accesses;
mod copies;
mod counted;
mod disjoint;
mod trips;

pub(in crate::passes) use accesses::has_many_accesses;
pub use accesses::{driver_unrolls, loops_to_keep};
pub use trips::most_trips;

use crate::analysis::LoopShape;
use crate::continues::{continue_at_end, continues};
use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;
use clforge_basic::narrow::to_usize;
use clforge_basic::tuning::Tuning;
use counted::{Counter, Step, Strides, Writes};
use disjoint::Stores;
use rustc_hash::{FxHashMap, FxHashSet};

/// Iterations of a group.
const FACTORS: [usize; 4] = [16, 8, 4, 2];
/// The most iterations of a group where work-items may make different numbers of iterations: those that make fewer wait for the
/// others in both loops.
const MAX_DIVERGENT: usize = 4;
/// The most instructions of a group.
const MAX_SIZE: usize = 192;
/// The same where the addresses of loads depend on the work-item, with [`Tuning::NVIDIA_LARGE_GROUPS`]. What all work-items load
/// from one address is in a cache: `rays and spheres` of `bench device` has 0.91 of the speed on an NVIDIA H200 if its groups are so
/// large.
const MAX_STREAMED_SIZE: usize = 800;
/// Iterations of a group without loads, and the most instructions of one of them, with those of the loop: what two or three
/// operations leave. Loops of more are not faster for it, or slower (`native_sin`: 0.93 of the speed on an NVIDIA H100).
const SHORT: (usize, usize) = (4, 7);
/// The same of loops that write private memory, with [`Tuning::NVIDIA_LARGE_GROUPS`].
const WITH_PRIVATE_MEMORY: (usize, usize) = (4, 48);
/// The most words of 32 bits that the loads of a group hold at once.
const MAX_WORDS: usize = 32;
/// The most instructions that a driver may make of a loop of a constant trip count with others in it.
const MAX_NEST: usize = 4096;
/// The most `continue`s: each but the last nests what follows it one level deeper.
const MAX_CONTINUES: usize = 4;
/// Instructions that a function may grow by, and the share of its own in addition to that.
const GROWTH: (usize, usize) = (1024, 16);
/// Definitions that are followed to find out whether a value is the same for all work-items.
const MAX_DEFINITIONS: usize = 24;
/// The same for whether an address depends on the work-item.
const MAX_ADDRESS: usize = 96;

/// The pass.
pub struct UnrollLoops;

impl FunctionPass for UnrollLoops {
    fn name(&self) -> &'static str {
        "unroll_loops"
    }

    fn order(&self) -> Order {
        Order { after: &["vulkan/memory"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        if function.is_declaration() {
            return Changed::No;
        }
        let (mut size, mut loops) = (0, 0);
        function.walk_body(|_, inst| {
            size += 1;
            loops += usize::from(matches!(inst.op, Op::Loop { .. }));
        });
        if loops == 0 {
            return Changed::No;
        }
        let growth = GROWTH.0 + size / GROWTH.1;
        let body = function.body;
        let mut unroller = Unroller { function, context, growth, trips: FxHashMap::default(), changed: Changed::No };
        unroller.region(body);
        unroller.changed
    }
}

struct Unroller<'f, 'c> {
    function: &'f mut Function,
    context: &'c FunctionContext<'c>,
    /// Instructions that may still be added.
    growth: usize,
    /// What was found of loops by [`Unroller::constant_trips`].
    trips: FxHashMap<InstId, Option<usize>>,
    changed: Changed,
}

/// A loop that is worth unrolling.
struct Plan {
    shape: LoopShape,
    counter: Counter,
    strides: Strides,
    /// Instructions of the body that do not depend on earlier iterations but by the counter.
    early: FxHashSet<InstId>,
    /// Instructions that compute the bound, to be moved before the loop.
    hoisted: Vec<InstId>,
    factor: usize,
}

impl Unroller<'_, '_> {
    fn region(&mut self, region: RegionId) {
        let mut out = Vec::new();
        for id in self.function.region(region).insts.clone() {
            let is_loop = matches!(self.function.inst(id).op, Op::Loop { hint: LoopHint::None, .. });
            if is_loop && self.is_too_large_a_nest(id) {
                self.set_rolled(id);
            }
            match is_loop.then(|| self.plan(id)).flatten() {
                Some(plan) => {
                    self.changed = Changed::Maybe;
                    copies::unroll(self.function, id, &plan, &mut out);
                }
                None => {
                    for nested in self.function.inst(id).op.regions() {
                        self.region(nested);
                    }
                }
            }
            out.push(id);
        }
        self.function.region_mut(region).insts = out;
    }

    /// Whether a driver that unrolls all loops of constant trip counts would make too much of this one and those in it.
    fn is_too_large_a_nest(&mut self, id: InstId) -> bool {
        let Op::Loop { body, .. } = self.function.inst(id).op else { return false };
        let Some(trips) = self.constant_trips(id) else { return false };
        let mut loops = Vec::new();
        self.function.walk(body, |inner, inst| {
            if matches!(inst.op, Op::Loop { .. }) {
                loops.push(inner);
            }
        });
        let is_nest = loops.into_iter().any(|inner| self.constant_trips(inner).is_some());
        is_nest && trips.saturating_mul(self.unrolled_size(body)) > MAX_NEST
    }

    /// About how many iterations a loop makes whose counter begins and ends with constants: bounds that are included are not
    /// counted.
    fn constant_trips(&mut self, id: InstId) -> Option<usize> {
        if let Some(known) = self.trips.get(&id) {
            return *known;
        }
        let trips = self.count_constant_trips(id);
        self.trips.insert(id, trips);
        trips
    }

    fn count_constant_trips(&self, id: InstId) -> Option<usize> {
        let shape = LoopShape::of(self.function, id)?;
        let counter = Counter::of(self.function, self.context, &shape)?;
        let scalar = self.function.ty(counter.bound).scalar;
        let [from, to] = [*shape.inits.get(counter.index)?, counter.bound].map(|value| self.function.as_int(value));
        let distance = constant::sign_extend(scalar, to?).abs_diff(constant::sign_extend(scalar, from?));
        Some(to_usize(distance / counter.step.constant()?.unsigned_abs().max(1)))
    }

    /// Instructions of a region once all loops of constant trip counts in it are unrolled.
    fn unrolled_size(&mut self, region: RegionId) -> usize {
        let mut size = 0usize;
        for id in self.function.region(region).insts.clone() {
            let op = &self.function.inst(id).op;
            let (regions, is_loop) = (op.regions(), matches!(op, Op::Loop { .. }));
            let trips = if is_loop { self.constant_trips(id).unwrap_or(1) } else { 1 };
            let nested: usize = regions.iter().map(|nested| self.unrolled_size(*nested)).sum();
            size = size.saturating_add(nested.saturating_mul(trips)).saturating_add(1);
        }
        size
    }

    fn set_rolled(&mut self, id: InstId) {
        if let Op::Loop { hint, .. } = &mut self.function.inst_mut(id).op {
            *hint = LoopHint::DontUnroll;
        }
    }

    fn plan(&mut self, id: InstId) -> Option<Plan> {
        let Op::Loop { body, .. } = self.function.inst(id).op else { return None };
        let writes = Writes::of(self.function, self.context, id)?;
        let places = continues(self.function, body);
        if !(1..=MAX_CONTINUES).contains(&places) {
            return None;
        }
        if places > 1 {
            // Also worth it where the loop turns out not to be counted: it is the same loop.
            continue_at_end(self.function, body);
            self.changed = Changed::Maybe;
        }
        let mut shape = LoopShape::of(self.function, id).filter(|shape| !shape.early_exits.any())?;
        let counter = Counter::of(self.function, self.context, &shape)?;
        let hoisted = self.hoisted(&shape, &writes, counter.bound)?;
        for id in &hoisted {
            self.function.inst(*id).results.iter().for_each(|result| {
                shape.inside.remove(result);
            });
        }
        let init = *shape.inits.get(counter.index)?;
        // Work-items that share a constant number of iterations make few each.
        let has_constant_bound = self.function.as_int(counter.bound).is_some();
        let few = self.function.as_int(init).is_some() || matches!(counter.step, Step::Invariant(..));
        if has_constant_bound && few {
            return None;
        }
        let strides = Strides::of(self.function, &shape, &counter);
        let (early, words) = self.early(&shape, &writes, &strides, &counter);
        let size = self.size(&shape, &strides, &early);
        let (mut left, bound) = (MAX_DEFINITIONS, counter.bound);
        let step = match &counter.step {
            Step::Constant(_) => None,
            Step::Invariant(step, _) => Some(*step),
        };
        let uniform =
            [Some(init), Some(bound), step].into_iter().flatten().all(|value| self.is_uniform(value, &mut left));
        let takes_large = self.context.options.codegen.tuning.contains(Tuning::NVIDIA_LARGE_GROUPS);
        let factor = if words == 0 {
            let (factor, most) = if takes_large && writes.private { WITH_PRIVATE_MEMORY } else { SHORT };
            (uniform && size <= most && factor * size <= self.growth).then_some(factor)?
        } else {
            let most = if uniform { usize::MAX } else { MAX_DIVERGENT };
            let max_size = if takes_large && self.streams(&shape, &early) { MAX_STREAMED_SIZE } else { MAX_SIZE };
            FACTORS.into_iter().find(|factor| {
                *factor <= most && factor * size <= max_size.min(self.growth) && factor * words <= MAX_WORDS
            })?
        };
        self.growth -= factor * size;
        Some(Plan { shape, counter, strides, early, hoisted, factor })
    }

    /// The instructions of the loop before its test that compute a value that every iteration finds the same; `None` if it is
    /// not one.
    fn hoisted(&self, shape: &LoopShape, writes: &Writes, bound: Value) -> Option<Vec<InstId>> {
        let mut needed = FxHashSet::from_iter([bound]);
        let mut hoisted = Vec::new();
        for id in shape.insts[..shape.before_test].iter().rev() {
            let inst = self.function.inst(*id);
            if !inst.results.iter().any(|result| needed.contains(result)) {
                continue;
            }
            if !inst.op.is_pure() && !writes.keep(self.function, self.context, &inst.op) {
                return None;
            }
            inst.op.for_each_operand(|operand| {
                needed.insert(operand);
            });
            inst.results.iter().for_each(|result| {
                needed.remove(result);
            });
            hoisted.push(*id);
        }
        hoisted.reverse();
        needed.iter().all(|value| !shape.inside.contains(value)).then_some(hoisted)
    }

    /// The instructions that depend on earlier iterations by nothing but the counter, and the words of 32 bits that those of
    /// them hold that load from different addresses.
    fn early(
        &self,
        shape: &LoopShape,
        writes: &Writes,
        strides: &Strides,
        counter: &Counter,
    ) -> (FxHashSet<InstId>, usize) {
        let (mut early, mut values, mut words) = (FxHashSet::default(), FxHashSet::from_iter([counter.param]), 0);
        // What stores of the loop do not write of the memory that they write.
        let stores = writes.global.then(|| Stores::of(self.function, shape, strides, counter)).flatten();
        for (place, id) in shape.insts.iter().enumerate() {
            let inst = self.function.inst(*id);
            let passes = |stores: &Stores| stores.let_pass(self.function, shape, strides, counter, place);
            let loads = writes.keep(self.function, self.context, &inst.op)
                || !writes.unknown && stores.as_ref().is_some_and(passes);
            if !loads && !inst.op.is_pure() {
                continue;
            }
            let (mut is_early, mut invariant) = (true, true);
            inst.op.for_each_operand(|operand| {
                let inside = shape.inside.contains(&operand);
                is_early &= !inside || values.contains(&operand);
                invariant &= !inside || strides.get(operand) == Some(0);
            });
            if !is_early {
                continue;
            }
            early.insert(*id);
            values.extend(inst.results.iter().copied());
            if loads && !invariant {
                let bits = |value: &Value| {
                    let ty = self.function.ty(*value);
                    usize::from(ty.lanes) * to_usize(ty.scalar.bytes().div_ceil(4))
                };
                words += inst.results.iter().map(bits).sum::<usize>();
            }
        }
        (early, words)
    }

    /// Whether an early load has an address that depends on the work-item, as far as the definitions that are looked at tell.
    fn streams(&self, shape: &LoopShape, early: &FxHashSet<InstId>) -> bool {
        let loads = shape.insts.iter().filter(|id| early.contains(id)).map(|id| &self.function.inst(*id).op);
        let (mut left, mut seen) = (Vec::new(), FxHashSet::default());
        loads.filter(|op| !op.is_pure()).for_each(|op| op.for_each_operand(|operand| left.push(operand)));
        while let Some(value) = left.pop() {
            if seen.len() >= MAX_ADDRESS || !seen.insert(value) {
                continue;
            }
            let ValueDef::Inst(id, _) = self.function.def(value) else { continue };
            match &self.function.inst(*id).op {
                Op::WorkItem { .. } => return true,
                Op::Input { input, .. } if !is_same_for_group(*input) => return true,
                op => op.for_each_operand(|operand| left.push(operand)),
            }
        }
        false
    }

    /// Instructions of one of the iterations of a group. What has a stride costs nothing, but where it is an address.
    fn size(&self, shape: &LoopShape, strides: &Strides, early: &FxHashSet<InstId>) -> usize {
        let mut size = 1;
        for id in &shape.insts {
            let inst = self.function.inst(*id);
            if inst.results.iter().any(|result| strides.get(*result).is_some()) {
                continue;
            }
            size += 1 + usize::from(early.contains(id) && !inst.op.is_pure());
            for nested in inst.op.regions() {
                self.function.walk(nested, |_, _| size += 1);
            }
        }
        self.function.walk(shape.continuing, |_, _| size += 1);
        size
    }

    /// Whether a value is certainly the same for all work-items of a work-group.
    fn is_uniform(&self, value: Value, left: &mut usize) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        match self.function.def(value) {
            ValueDef::Constant(_) => true,
            ValueDef::Inst(id, _) => {
                let op = &self.function.inst(*id).op;
                let same = match op {
                    Op::VariableLoad { variable, .. } => counted::is_argument(self.context, *variable),
                    Op::Input { input, .. } => is_same_for_group(*input),
                    Op::WorkItem { .. } => false,
                    op => op.is_pure(),
                };
                let mut uniform = same;
                op.for_each_operand(|operand| uniform = uniform && self.is_uniform(operand, left));
                uniform
            }
            _ => false,
        }
    }
}

/// Whether an input has one value in a work-group.
fn is_same_for_group(input: Input) -> bool {
    matches!(input, Input::WorkgroupId | Input::NumWorkgroups | Input::WorkgroupSize)
}

#[cfg(test)]
mod tests;
