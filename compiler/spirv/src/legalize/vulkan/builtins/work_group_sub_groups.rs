//! Reductions and scans of work-groups through sub-groups: each sub-group combines its own values, the results are exchanged
//! through local memory, and each work-item combines those of the sub-groups before it, or of all. That takes two barriers,
//! where scans through local memory alone take one for each power of two below the size of the work-group.
//!
//! Needs sub-groups that are consecutive work-items: see [`Options::linear_sub_groups`].
//!
//! [`Options::linear_sub_groups`]: clforge_basic::options::Options::linear_sub_groups

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
            let outside = combined(b, op, (scratch, sub_group), ty);
            combine(b, op, outside, inside)
        }
    }
}

fn query(b: &mut Builder<'_>, query: WorkItemQuery) -> Value {
    b.emit(Op::WorkItem { query, dim: 0 }, Type::I32)
}

fn barrier(b: &mut Builder<'_>) {
    let (order, scope) = (MemoryOrder::AcquireRelease, Scope::WorkGroup);
    let semantics = Semantics { order, scope, local: true, global: false, image: false };
    b.effect(Op::Barrier { execution: Scope::WorkGroup, semantics });
}

/// The first `count` values in memory, combined in order, so that all work-items get the same.
fn combined(b: &mut Builder<'_>, op: GroupArithmetic, (memory, count): (Value, Value), ty: Type) -> Value {
    let start = identity(b, op, ty);
    let zero = b.int(Type::I32, 0);
    let any = b.compare(CompareOp::ULt, zero, count);
    let then = b.nested(|b| {
        let body = b.function.new_region();
        let index = b.function.add_region_param(body, Type::I32);
        let sum = b.function.add_region_param(body, ty);
        b.enter(body);
        let place = b.ptr_add(memory, index, ty.scalar.bytes().cast_signed());
        let other = b.load(ty, place, to_u32(ty.scalar.bytes()));
        let sum = combine(b, op, sum, other);
        b.effect(Op::Continue(Values::from_slice(&[index, sum])));
        b.leave();

        let continuing = b.function.new_region();
        let index = b.function.add_region_param(continuing, Type::I32);
        let sum = b.function.add_region_param(continuing, ty);
        b.enter(continuing);
        let next = b.binary_int(BinaryOp::Add, index, 1);
        let condition = b.compare(CompareOp::ULt, next, count);
        b.effect(Op::NextIf { condition, next: Values::from_slice(&[next, sum]), results: Values::from_slice(&[sum]) });
        b.leave();

        let inits = Values::from_slice(&[zero, start]);
        let sum = b.push(Op::Loop { inits, body, continuing, hint: LoopHint::None }, &[ty])[0];
        b.effect(Op::Yield(Values::from_slice(&[sum])));
    });
    let otherwise = b.nested(|b| b.effect(Op::Yield(Values::from_slice(&[start]))));
    b.push(Op::If { condition: any, then, otherwise }, &[ty])[0]
}
