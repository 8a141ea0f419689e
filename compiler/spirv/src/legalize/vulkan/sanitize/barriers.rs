//! Checks for barriers that not all work-items of a work-group reach, or that some reach while others are at another
//! one.
//!
//! Before a barrier each work-item atomically adds one, and a number of the barrier's site and of the iterations of the
//! loops around it ([`super::iterations`]), to a counter in local memory. After it the count must be the size of the
//! work-group, and the sum that size times the work-item's number. Three
//! counters are used in turn: after a barrier a work-item clears the counter of the barrier before, which all have read
//! by then, and which is used again two barriers later.
//!
//! Behind a barrier that not all have reached, work-items disagree about the counter that is next, or meet one barrier late. So a
//! work-item compares nothing more when it has found a barrier wrong.

use super::iterations::{Iterations, is_program_barrier};
use super::{Here, Plan};
use crate::interface::bounds::{AccessSite, Check};
use crate::legalize::vulkan::findings_buffer::if_true;
use clforge_basic::options::Sanitizers;
use clforge_ir::*;

/// Bytes of a counter: how many work-items, and the sum of their barriers' sites.
const COUNTER: i64 = 8;
/// Bytes of all counters.
const COUNTERS: i64 = 3 * COUNTER;

/// The counters of a kernel.
pub(super) struct Barriers {
    counters: GlobalId,
    /// Where a work-item has the offset of its next counter.
    next: Value,
    /// Where a work-item has 1 when it has found a barrier wrong, else 0.
    astray: Value,
    pub iterations: Iterations,
    /// The counter of the barrier that is being made, its site, and what the work-item adds to the sum.
    current: Option<(Value, u32, Value)>,
}

impl Barriers {
    /// Makes the counters of a kernel that has barriers.
    pub fn new(plan: &Plan, function: &mut Function, module: &mut Module) -> Option<Barriers> {
        let has_barriers = function.insts.iter().any(is_program_barrier);
        if !plan.kinds.contains(Sanitizers::SYNC) || function.kernel.is_none() || !has_barriers {
            return None;
        }
        let mut global = Global::constant(format!("arrivals_{}", function.name), Vec::new(), 8, function.span);
        (global.space, global.size, global.init) = (Space::Local, COUNTERS.unsigned_abs(), None);
        let counters = module.globals.push_and_get_key(global);
        // The objects are made when the function is.
        let undefined = function.undef(Type::ptr(Space::Private));
        let iterations = Iterations::new(function);
        Some(Barriers { counters, next: undefined, astray: undefined, iterations, current: None })
    }

    fn start(&self, b: &mut Builder<'_>) -> Value {
        b.emit(Op::GlobalAddress(self.counters), Type::ptr(Space::Local))
    }

    /// Whether the work-item has found a barrier wrong.
    pub fn is_astray(&self, b: &mut Builder<'_>) -> Value {
        let astray = b.load(Type::I32, self.astray, 4);
        b.compare_int(CompareOp::Ne, astray, 0)
    }

    /// One work-item sets all counters to zero, and all wait.
    pub fn begin(&mut self, b: &mut Builder<'_>) {
        let zero = b.int(Type::I32, 0);
        (self.next, self.astray) = (b.alloca(4, 4), b.alloca(4, 4));
        self.iterations.begin(b);
        b.store(self.next, zero, 4);
        b.store(self.astray, zero, 4);
        let index = b.emit(Op::Input { input: Input::LocalInvocationIndex, dim: 0 }, Type::I32);
        let is_first = b.compare(CompareOp::Eq, index, zero);
        if_true(b, is_first, |b| {
            let start = self.start(b);
            for offset in (0..COUNTERS).step_by(4) {
                let place = b.offset(start, offset);
                b.store(place, zero, 4);
            }
        });
        let semantics = Semantics::of_local_memory(MemoryOrder::AcquireRelease);
        b.effect(Op::Barrier { execution: Scope::WorkGroup, semantics });
    }

    /// An atomic operation on a word of a counter.
    fn atomic(b: &mut Builder<'_>, op: AtomicOp, counter: Value, offset: i64, operand: Option<Value>) -> Value {
        let ptr = b.offset(counter, offset);
        let semantics = Semantics::of_local_memory(MemoryOrder::Relaxed);
        let operands = operand.into_iter().collect();
        b.push(Op::Atomic { op, ptr, operands, semantics, unequal: MemoryOrder::Relaxed }, &[Type::I32])[0]
    }
}

impl Here<'_> {
    /// Counts the work-item before a barrier.
    pub(super) fn arrive(&mut self, b: &mut Builder<'_>, id: InstId) {
        let site = AccessSite::default();
        if self.barriers.is_none() {
            return;
        }
        let site = self.new_site(b, Check::Barrier, site, None);
        let Some(barriers) = &mut self.barriers else { return };
        let offset = b.load(Type::I32, barriers.next, 4);
        let start = barriers.start(b);
        let counter = b.ptr_add(start, offset, 1);
        let region = b.region();
        let (one, number) = (b.int(Type::I32, 1), barriers.iterations.number(b, region));
        let number = b.binary_int(BinaryOp::Add, number, site.into());
        Barriers::atomic(b, AtomicOp::Add, counter, 0, Some(one));
        Barriers::atomic(b, AtomicOp::Add, counter, 4, Some(number));
        if let Op::Barrier { semantics, .. } = &mut b.function.inst_mut(id).op {
            // The counters are behind the barrier what they were before.
            semantics.local = true;
            if semantics.order == MemoryOrder::Relaxed {
                *semantics = Semantics::of_local_memory(MemoryOrder::AcquireRelease);
            }
        }
        barriers.current = Some((counter, site, number));
    }

    /// Compares the counts behind a barrier, and prepares the counters for the next ones.
    pub(super) fn leave(&mut self, b: &mut Builder<'_>) {
        let Some(barriers) = &mut self.barriers else { return };
        let Some((counter, site, number)) = barriers.current.take() else { return };
        let count = Barriers::atomic(b, AtomicOp::Load, counter, 0, None);
        let sum = Barriers::atomic(b, AtomicOp::Load, counter, 4, None);
        let [x, y, z] = [0, 1, 2].map(|dim| b.emit(Op::Input { input: Input::WorkgroupSize, dim }, Type::I32));
        let plane = b.binary(BinaryOp::Mul, x, y);
        let items = b.binary(BinaryOp::Mul, plane, z);
        let wanted = b.binary(BinaryOp::Mul, items, number);
        let (all, same) = (b.compare(CompareOp::Eq, count, items), b.compare(CompareOp::Eq, sum, wanted));
        let good = b.binary(BinaryOp::And, all, same);
        let astray = b.load(Type::I32, barriers.astray, 4);
        let is_astray = b.compare_int(CompareOp::Ne, astray, 0);
        let good = b.binary(BinaryOp::Or, good, is_astray);
        let both = b.construct(&[count, items]);
        let what = b.bitcast(both, Type::I64);
        let end = b.resize(sum, ScalarType::I64, false);
        let site = b.int(Type::I32, site.into());
        // The work-items may wait at the next barrier forever.
        self.plan.recorder.record_now_unless(b, good, [what, end, site]);
        let one = b.int(Type::I32, 1);
        let astray = b.select(good, astray, one);
        b.store(barriers.astray, astray, 4);

        // The counter of the barrier before: 16, 0 and 8 for 0, 8 and 16.
        let offset = b.load(Type::I32, barriers.next, 4);
        let (zero, step, last) = (b.int(Type::I32, 0), b.int(Type::I32, COUNTER), b.int(Type::I32, COUNTERS - COUNTER));
        let is_first = b.compare(CompareOp::Eq, offset, zero);
        let less = b.binary(BinaryOp::Sub, offset, step);
        let before = b.select(is_first, last, less);
        let start = barriers.start(b);
        let unused = b.ptr_add(start, before, 1);
        let is_in_step = b.compare(CompareOp::Eq, astray, zero);
        if_true(b, is_in_step, |b| {
            let second = b.offset(unused, 4);
            b.store(unused, zero, 4);
            b.store(second, zero, 4);
        });
        let is_last = b.compare(CompareOp::Eq, offset, last);
        let more = b.binary(BinaryOp::Add, offset, step);
        let next = b.select(is_last, zero, more);
        b.store(barriers.next, next, 4);
    }
}
