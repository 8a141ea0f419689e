//! Reductions and scans of work-groups through sub-groups: each sub-group combines its own values, the results are
//! exchanged through local memory, and each work-item combines those of the sub-groups before it, or of all. This takes
//! two barriers, while a scan through local memory alone takes one for each power of two below the size of the
//! work-group.
//!
//! It needs sub-groups that are consecutive work-items: see [`DeviceFacts::linear_sub_groups`].
//!
//! [`DeviceFacts::linear_sub_groups`]: clforge_basic::options::DeviceFacts::linear_sub_groups

use super::sub_group_collectives::{combine, identity};
use clforge_basic::narrow::to_u32;
use clforge_ir::*;

/// What the operation is in terms of reductions and scans; `None` for others.
pub fn arithmetic(op: GroupOp) -> Option<(GroupArithmetic, GroupExtent)> {
    match op {
        GroupOp::All { .. } => Some((GroupArithmetic::And, GroupExtent::Reduce)),
        GroupOp::Any { .. } => Some((GroupArithmetic::Or, GroupExtent::Reduce)),
        GroupOp::Arithmetic { op, extent, .. } => Some((op, extent)),
        _ => None,
    }
}

/// Expands a reduction or a scan of `value`, which is no truth value. `scratch` has room for one for each work-item.
pub fn expand(
    b: &mut Builder<'_>,
    (op, extent): (GroupArithmetic, GroupExtent),
    value: Value,
    scratch: GlobalId,
) -> Value {
    let ty = b.ty(value);
    let group = |b: &mut Builder<'_>, extent| {
        let op = GroupOp::Arithmetic { op, extent, value };
        b.push(Op::Group { op, scope: Scope::SubGroup, uniform: true }, &[ty])[0]
    };
    let scratch = b.emit(Op::GlobalAddress(scratch), Type::ptr(Space::Local));
    let sub_group = query(b, WorkItemQuery::SubGroupId);
    // An earlier use of the memory is complete after this.
    barrier(b);
    let whole = group(b, GroupExtent::Reduce);
    let lane = query(b, WorkItemQuery::SubGroupLocalId);
    let is_first = b.compare_int(CompareOp::Eq, lane, 0);
    let then = b.nested(|b| {
        let place = b.ptr_add(scratch, sub_group, ty.scalar.bytes().cast_signed());
        b.store(place, whole, to_u32(ty.scalar.bytes()));
        b.effect(Op::Yield(Values::new()));
    });
    let otherwise = b.nested(|b| b.effect(Op::Yield(Values::new())));
    b.effect(Op::If { condition: is_first, then, otherwise });
    let before = match extent {
        GroupExtent::Reduce => None,
        extent => Some(group(b, extent)),
    };
    barrier(b);
    match before {
        None => {
            let count = query(b, WorkItemQuery::NumSubGroups);
            combined(b, op, (scratch, count), ty)
        }
        Some(inside) => {
            let is_first = b.compare_int(CompareOp::Eq, sub_group, 0);
            let then = b.nested(|b| b.effect(Op::Yield(Values::from_slice(&[inside]))));
            let otherwise = b.nested(|b| {
                let outside = combined(b, op, (scratch, sub_group), ty);
                let both = combine(b, op, outside, inside);
                b.effect(Op::Yield(Values::from_slice(&[both])));
            });
            b.push(Op::If { condition: is_first, then, otherwise }, &[ty])[0]
        }
    }
}

fn query(b: &mut Builder<'_>, query: WorkItemQuery) -> Value {
    b.emit(Op::WorkItem { query, dim: 0 }, Type::I32)
}

fn barrier(b: &mut Builder<'_>) {
    let semantics = Semantics::of_local_memory(MemoryOrder::AcquireRelease);
    b.effect(Op::Barrier { execution: Scope::WorkGroup, semantics });
}

/// The first `count` values in memory, at least one, combined. Floats are combined in order by each work-item, so that all get
/// the same; others by the work-items of the sub-group together, as many at a time as it has.
fn combined(b: &mut Builder<'_>, op: GroupArithmetic, (memory, count): (Value, Value), ty: Type) -> Value {
    let start = identity(b, op, ty);
    let is_float = ty.scalar.is_float();
    let width = if is_float { b.int(Type::I32, 1) } else { query(b, WorkItemQuery::SubGroupSize) };
    let body = b.function.new_region();
    let index = b.function.add_region_param(body, Type::I32);
    let sum = b.function.add_region_param(body, ty);
    b.enter(body);
    let other = if is_float { load(b, memory, index, ty) } else { together(b, op, (memory, index, count), start) };
    // In this order NaNs only have a NaN for a minimum, and not the infinity of the start.
    let sum = combine(b, op, other, sum);
    b.effect(Op::Continue(Values::from_slice(&[index, sum])));
    b.leave();

    let continuing = b.function.new_region();
    let index = b.function.add_region_param(continuing, Type::I32);
    let sum = b.function.add_region_param(continuing, ty);
    b.enter(continuing);
    let next = b.binary(BinaryOp::Add, index, width);
    let condition = b.compare(CompareOp::ULt, next, count);
    b.effect(Op::NextIf { condition, next: Values::from_slice(&[next, sum]), results: Values::from_slice(&[sum]) });
    b.leave();

    let zero = b.int(Type::I32, 0);
    let inits = Values::from_slice(&[zero, start]);
    b.push(Op::Loop { inits, body, continuing, hint: LoopHint::None }, &[ty])[0]
}

/// A reduction of values from `first` on, one for each work-item of the sub-group, without those from `count` on.
fn together(
    b: &mut Builder<'_>,
    op: GroupArithmetic,
    (memory, first, count): (Value, Value, Value),
    identity: Value,
) -> Value {
    let ty = b.ty(identity);
    let lane = query(b, WorkItemQuery::SubGroupLocalId);
    let index = b.binary(BinaryOp::Add, first, lane);
    // The memory has room for twice as many values as there are work-items.
    let loaded = load(b, memory, index, ty);
    let counts = b.compare(CompareOp::ULt, index, count);
    let value = b.select(counts, loaded, identity);
    let op = GroupOp::Arithmetic { op, extent: GroupExtent::Reduce, value };
    b.push(Op::Group { op, scope: Scope::SubGroup, uniform: true }, &[ty])[0]
}

fn load(b: &mut Builder<'_>, memory: Value, index: Value, ty: Type) -> Value {
    let place = b.ptr_add(memory, index, ty.scalar.bytes().cast_signed());
    b.load(ty, place, to_u32(ty.scalar.bytes()))
}
