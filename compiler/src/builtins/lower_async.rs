//! Asynchronous copies (OpenCL C 6.15.11): the work-group copies together, and waiting is a barrier.

use super::lower::{Lower, Lowered};
use crate::ir::{
    BinaryOp, CompareOp, LoopHint, MemoryOrder, Op, Scope, Semantics, Space, Type, Value, Values, WorkItemQuery,
};

fn query(l: &mut Lower<'_, '_>, query: WorkItemQuery, dim: u8) -> Value {
    l.b.emit(Op::WorkItem { query, dim }, Type::I64)
}

/// `async_work_group_copy(dst, src, count, event)`.
pub fn copy(l: &mut Lower<'_, '_>) -> Lowered {
    let event = l.arg(3)?;
    copy_elements(l, None)?;
    Ok(Some(event))
}

/// `async_work_group_strided_copy(dst, src, count, stride, event)`: the stride is that of the global side.
pub fn strided_copy(l: &mut Lower<'_, '_>) -> Lowered {
    let (stride, event) = (l.arg(3)?, l.arg(4)?);
    copy_elements(l, Some(stride))?;
    Ok(Some(event))
}

/// Each work-item copies every n-th element, n being the size of the group.
fn copy_elements(l: &mut Lower<'_, '_>, stride: Option<Value>) -> Result<(), String> {
    let (dst, src, count) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let Some((element, _)) = l.pointee(0) else {
        return Err(format!("'{}' of this type is not supported yet", super::name(l.id)));
    };
    let Some((scalar, lanes)) = l.types.lanes(element) else {
        return Err(format!("'{}' of this type is not supported yet", super::name(l.id)));
    };
    let ty = Type::vector(super::lower::ir_scalar(scalar), lanes);
    let size = l.types.size_of(element).and_then(|size| i64::try_from(size).ok()).unwrap_or(1);
    let align = u32::try_from(l.types.align_of(element)).unwrap_or(1);
    let first = query(l, WorkItemQuery::LocalLinearId, 0);
    let (x, y, z) = (
        query(l, WorkItemQuery::LocalSize, 0),
        query(l, WorkItemQuery::LocalSize, 1),
        query(l, WorkItemQuery::LocalSize, 2),
    );
    let group = l.b.binary(BinaryOp::Mul, x, y);
    let group = l.b.binary(BinaryOp::Mul, group, z);
    let into_global = l.b.ty(dst).space() == Some(Space::Global);

    let body = l.b.function.new_region();
    let index = l.b.function.add_region_param(body, Type::I64);
    l.b.enter(body);
    let more = l.b.compare(CompareOp::ULt, index, count);
    let then = l.b.nested(|b| b.effect(Op::Yield(Values::new())));
    let otherwise = l.b.nested(|b| b.effect(Op::Break(Values::new())));
    l.b.effect(Op::If { condition: more, then, otherwise });
    let spread = stride.map_or(index, |stride| l.b.binary(BinaryOp::Mul, index, stride));
    let (to, from) = if into_global { (spread, index) } else { (index, spread) };
    let from = l.b.ptr_add(src, from, size);
    let value = l.b.load(ty, from, align);
    let to = l.b.ptr_add(dst, to, size);
    l.b.store(to, value, align);
    l.b.effect(Op::Continue(Values::from_slice(&[index])));
    l.b.leave();

    let continuing = l.b.function.new_region();
    let index = l.b.function.add_region_param(continuing, Type::I64);
    l.b.enter(continuing);
    let next = l.b.binary(BinaryOp::Add, index, group);
    l.b.effect(Op::Next(Values::from_slice(&[next])));
    l.b.leave();
    l.b.effect(Op::Loop { inits: Values::from_slice(&[first]), body, continuing, hint: LoopHint::None });
    Ok(())
}

/// `wait_group_events`: all work-items are here, and see what was copied.
pub fn wait(l: &mut Lower<'_, '_>) -> Lowered {
    let order = MemoryOrder::AcquireRelease;
    let semantics = Semantics { order, scope: Scope::WorkGroup, local: true, global: true, image: false };
    l.b.effect(Op::Barrier { execution: Scope::WorkGroup, semantics });
    Ok(None)
}

/// A hint that no target takes.
pub fn prefetch(_: &mut Lower<'_, '_>) -> Lowered {
    Ok(None)
}
