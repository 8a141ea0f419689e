//! Barriers and fences (OpenCL C 6.15.8 to 6.15.10), and the reading of their flags, orders and scopes.

use super::{Entry, Lower, Lowered};
use crate::checks;
use clforge_basic::options::Sanitizers;
use clforge_ir::{
    CheckOp, CompareOp, GroupArithmetic, GroupExtent, GroupOp, MemoryOrder, Op, Scope, Semantics, Type, WorkItemQuery,
};

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("async_work_group_copy_fence", barrier),
    ("barrier", barrier),
    ("work_group_barrier", barrier),
    ("sub_group_barrier", sub_group_barrier),
    ("intel_work_group_barrier_arrive", arrive),
    ("intel_work_group_barrier_wait", barrier),
    ("mem_fence", mem_fence),
    ("read_mem_fence", read_mem_fence),
    ("write_mem_fence", write_mem_fence),
    ("atomic_work_item_fence", atomic_work_item_fence),
];

/// Bits of `cl_mem_fence_flags`.
const LOCAL: u64 = 1;
const GLOBAL: u64 = 2;
const IMAGE: u64 = 4;

/// A memory order argument; the strongest where it is missing or not constant.
pub fn order(l: &Lower<'_, '_>, index: usize) -> MemoryOrder {
    let value = l.call.arguments.get(index).and_then(|value| l.b.function.as_int(*value));
    // The values are those of `memory_order_…`, which clang numbers as C11's `__ATOMIC_…`.
    match value {
        Some(0) => MemoryOrder::Relaxed,
        Some(1 | 2) => MemoryOrder::Acquire,
        Some(3) => MemoryOrder::Release,
        Some(4) => MemoryOrder::AcquireRelease,
        _ => MemoryOrder::SequentiallyConsistent,
    }
}

/// A memory scope argument, `default` where there is none, the widest where it is not constant.
pub fn scope(l: &Lower<'_, '_>, index: usize, default: Scope) -> Scope {
    let Some(value) = l.call.arguments.get(index) else { return default };
    match l.b.function.as_int(*value) {
        Some(0) => Scope::WorkItem,
        Some(1) => Scope::WorkGroup,
        Some(2) => Scope::Device,
        Some(4) => Scope::SubGroup,
        _ => Scope::AllDevices,
    }
}

/// The fences that the flags in the first argument select; all of them where the flags are not constant.
fn semantics(l: &Lower<'_, '_>, order: MemoryOrder, scope: Scope) -> Semantics {
    let flags = l.call.arguments.first().and_then(|value| l.b.function.as_int(*value));
    let flags = flags.unwrap_or(LOCAL | GLOBAL | IMAGE);
    // No target has a barrier without memory: the cheapest one is used.
    let local = flags & LOCAL != 0 || flags & (GLOBAL | IMAGE) == 0;
    Semantics { order, scope, local, global: flags & GLOBAL != 0, image: flags & IMAGE != 0 }
}

/// `barrier(flags)`, `work_group_barrier(flags[, scope])`.
pub fn barrier(l: &mut Lower<'_, '_>) -> Lowered {
    barrier_of(l, Scope::WorkGroup)
}

/// `sub_group_barrier(flags[, scope])`.
pub fn sub_group_barrier(l: &mut Lower<'_, '_>) -> Lowered {
    barrier_of(l, Scope::SubGroup)
}

/// Has the sanitizer compare how many work-items of the sub-group are here with how many it has.
pub(super) fn count_sub_group(l: &mut Lower<'_, '_>) {
    let value = l.b.int(Type::I32, 1);
    let sum = GroupOp::Arithmetic { op: GroupArithmetic::Add, extent: GroupExtent::Reduce, value };
    let here = l.b.emit(Op::Group { op: sum, scope: Scope::SubGroup, uniform: false }, Type::I32);
    let all = l.b.emit(Op::WorkItem { query: WorkItemQuery::SubGroupSize, dim: 0 }, Type::I32);
    let good = l.b.compare(CompareOp::Eq, here, all);
    checks::check(l.b, CheckOp::SubGroupBarrier, good, [here, all]);
}

fn barrier_of(l: &mut Lower<'_, '_>, execution: Scope) -> Lowered {
    let scope = scope(l, 1, execution);
    // The work-items that meet could not see each other's writes with less.
    let semantics = semantics(l, MemoryOrder::AcquireRelease, scope.max(execution));
    match execution {
        Scope::SubGroup if checks::looks_for(l.options, Sanitizers::SYNC) => count_sub_group(l),
        Scope::WorkGroup if checks::looks_for(l.options, Sanitizers::RACE) => {
            let flags = l.arg(0)?;
            if l.b.function.as_int(flags).is_none_or(|flags| flags == 0) {
                checks::tell(l.b, CheckOp::BarrierFlags, flags);
            }
        }
        _ => {}
    }
    l.b.effect(Op::Barrier { execution, semantics });
    Ok(None)
}

/// `intel_work_group_barrier_arrive(flags[, scope])`: what came before is seen by who waits, where all work-items meet.
pub fn arrive(l: &mut Lower<'_, '_>) -> Lowered {
    let scope = scope(l, 1, Scope::WorkGroup);
    let semantics = semantics(l, MemoryOrder::Release, scope.max(Scope::WorkGroup));
    l.b.effect(Op::Fence(semantics));
    Ok(None)
}

/// The fences of OpenCL C 1.x say no scope: programs use them on global memory between work-groups.
fn fence(l: &mut Lower<'_, '_>, order: MemoryOrder) -> Lowered {
    let mut semantics = semantics(l, order, Scope::WorkGroup);
    if semantics.global || semantics.image {
        semantics.scope = Scope::Device;
    }
    l.b.effect(Op::Fence(semantics));
    Ok(None)
}

pub fn mem_fence(l: &mut Lower<'_, '_>) -> Lowered {
    fence(l, MemoryOrder::AcquireRelease)
}

pub fn read_mem_fence(l: &mut Lower<'_, '_>) -> Lowered {
    fence(l, MemoryOrder::Acquire)
}

pub fn write_mem_fence(l: &mut Lower<'_, '_>) -> Lowered {
    fence(l, MemoryOrder::Release)
}

/// `atomic_work_item_fence(flags, order, scope)`; a relaxed one does nothing (6.15.12.4).
pub fn atomic_work_item_fence(l: &mut Lower<'_, '_>) -> Lowered {
    let order = order(l, 1);
    let scope = scope(l, 2, Scope::Device);
    if order != MemoryOrder::Relaxed {
        let semantics = semantics(l, order, scope);
        l.b.effect(Op::Fence(semantics));
    }
    Ok(None)
}
