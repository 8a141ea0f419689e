//! Asynchronous copies (OpenCL C 6.15.11): the work-group copies together, and waiting is a barrier.

use super::{Entry, Lower, Lowered};
use crate::checks;
use clforge_basic::narrow::to_u32;
use clforge_basic::options::Sanitizers;
use clforge_ir::{
    BinaryOp, CheckOp, CompareOp, ConvertOp, Error, LoopHint, MemoryOrder, Op, ScalarType, Scope, Semantics, Space,
    Type, Value, Values, WorkItemQuery,
};

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("async_work_group_copy", copy),
    ("async_work_group_strided_copy", strided_copy),
    ("async_work_group_copy_2D2D", copy_2d),
    ("async_work_group_copy_3D3D", copy_3d),
    ("wait_group_events", wait),
    ("prefetch", prefetch),
];

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
fn copy_elements(l: &mut Lower<'_, '_>, stride: Option<Value>) -> Result<(), Error> {
    let (dst, src, count) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let Some((element, _)) = l.pointee(0) else {
        return Err(l.unsupported_type());
    };
    let Some((scalar, lanes)) = l.types.lanes(element) else {
        return Err(l.unsupported_type());
    };
    let ty = Type::vector(super::ir_scalar(scalar), lanes);
    let size = l.types.size_of(element).and_then(|size| i64::try_from(size).ok()).unwrap_or(1);
    let align = u32::try_from(l.types.align_of(element)).unwrap_or(1);
    meet(l);
    let into_global = l.b.ty(dst).space() == Some(Space::Global);
    each_of(l, count, &mut |l, index| {
        let spread = stride.map_or(index, |stride| l.b.binary(BinaryOp::Mul, index, stride));
        let (to, from) = if into_global { (spread, index) } else { (index, spread) };
        let from = l.b.ptr_add(src, from, size);
        let value = l.b.load(ty, from, align);
        let to = l.b.ptr_add(dst, to, size);
        l.b.store(to, value, align);
    });
    Ok(())
}

/// All work-items of the group must come here with the same arguments (6.15.11); the last one is the event.
fn meet(l: &mut Lower<'_, '_>) {
    if !checks::looks_for(l.options, Sanitizers::SYNC) {
        return;
    }
    let arguments = l.call.arguments.to_vec();
    let given = arguments.len().saturating_sub(1);
    for (number, argument) in (1..).zip(&arguments[..given]) {
        checks::group_argument(l.b, *argument, number);
    }
    checks::meeting(l.b);
}

/// Numbers below `count`, shared out among the work-items of the group: each takes every n-th one, n being their number.
fn each_of(l: &mut Lower<'_, '_>, count: Value, work: &mut dyn FnMut(&mut Lower<'_, '_>, Value)) {
    let first = query(l, WorkItemQuery::LocalLinearId, 0);
    let (x, y, z) = (
        query(l, WorkItemQuery::LocalSize, 0),
        query(l, WorkItemQuery::LocalSize, 1),
        query(l, WorkItemQuery::LocalSize, 2),
    );
    let group = l.b.binary(BinaryOp::Mul, x, y);
    let group = l.b.binary(BinaryOp::Mul, group, z);

    let body = l.b.function.new_region();
    let index = l.b.function.add_region_param(body, Type::I64);
    l.b.enter(body);
    let more = l.b.compare(CompareOp::ULt, index, count);
    let then = l.b.nested(|b| b.effect(Op::Yield(Values::new())));
    let otherwise = l.b.nested(|b| b.effect(Op::Break(Values::new())));
    l.b.effect(Op::If { condition: more, then, otherwise });
    if checks::looks_for(l.options, Sanitizers::RACE) {
        let nothing = l.b.int(Type::I32, 0);
        checks::tell(l.b, CheckOp::AsyncCopy, nothing);
    }
    work(l, index);
    l.b.effect(Op::Continue(Values::from_slice(&[index])));
    l.b.leave();

    let continuing = l.b.function.new_region();
    let index = l.b.function.add_region_param(continuing, Type::I64);
    l.b.enter(continuing);
    let next = l.b.binary(BinaryOp::Add, index, group);
    l.b.effect(Op::Next(Values::from_slice(&[next])));
    l.b.leave();
    l.b.effect(Op::Loop { inits: Values::from_slice(&[first]), body, continuing, hint: LoopHint::None });
}

/// `async_work_group_copy_2D2D(dst, dst_offset, src, src_offset, num_bytes_per_element, num_elements_per_line, num_lines,
/// src_total_line_length, dst_total_line_length, event)`.
pub fn copy_2d(l: &mut Lower<'_, '_>) -> Lowered {
    let [zero, one] = [0, 1].map(|number| l.b.int(Type::I64, number));
    let (src_line, dst_line, event) = (l.arg(7)?, l.arg(8)?, l.arg(9)?);
    copy_block(l, one, [src_line, zero], [dst_line, zero])?;
    Ok(Some(event))
}

/// `async_work_group_copy_3D3D(dst, dst_offset, src, src_offset, num_bytes_per_element, num_elements_per_line, num_lines,
/// num_planes, src_total_line_length, src_total_plane_area, dst_total_line_length, dst_total_plane_area, event)`.
pub fn copy_3d(l: &mut Lower<'_, '_>) -> Lowered {
    let (planes, event) = (l.arg(7)?, l.arg(12)?);
    let (src, dst) = ([l.arg(8)?, l.arg(9)?], [l.arg(10)?, l.arg(11)?]);
    copy_block(l, planes, src, dst)?;
    Ok(Some(event))
}

/// One side of a copy of a block.
#[derive(Clone, Copy)]
struct Side {
    /// Where the block begins.
    start: Value,
    /// Bytes from one line and from one plane to the next.
    line: Value,
    plane: Value,
}

/// The side whose pointer is argument `at` and whose offset follows it; `strides` of lines and planes are in elements.
fn side(l: &mut Lower<'_, '_>, at: usize, strides: [Value; 2], element: Value) -> Result<Side, Error> {
    let (pointer, offset) = (l.arg(at)?, l.arg(at + 1)?);
    let [offset, line, plane] = [offset, strides[0], strides[1]].map(|count| l.b.binary(BinaryOp::Mul, count, element));
    Ok(Side { start: l.b.ptr_add(pointer, offset, 1), line, plane })
}

/// Elements may have any size and lie anywhere: words are copied where all is aligned to words, bytes elsewhere.
fn copy_block(l: &mut Lower<'_, '_>, planes: Value, src: [Value; 2], dst: [Value; 2]) -> Result<(), Error> {
    const WORD: i64 = 4;
    let (element, per_line, lines) = (l.arg(4)?, l.arg(5)?, l.arg(6)?);
    meet(l);
    let (dst, src) = (side(l, 0, dst, element)?, side(l, 2, src, element)?);
    let bytes = l.b.binary(BinaryOp::Mul, per_line, element);
    let mut all = bytes;
    for Side { start, line, plane } in [dst, src] {
        let address = l.b.convert(ConvertOp::PtrToInt, start, Type::I64);
        for part in [address, line, plane] {
            all = l.b.binary(BinaryOp::Or, all, part);
        }
    }
    let low = l.b.binary_int(BinaryOp::And, all, WORD - 1);
    let aligned = l.b.compare_int(CompareOp::Eq, low, 0);
    let (then, otherwise) = (l.b.function.new_region(), l.b.function.new_region());
    for (region, unit) in [(then, WORD), (otherwise, 1)] {
        l.b.enter(region);
        copy_units(l, unit, [bytes, lines, planes], src, dst);
        l.b.effect(Op::Yield(Values::new()));
        l.b.leave();
    }
    l.b.effect(Op::If { condition: aligned, then, otherwise });
    Ok(())
}

/// Copies a block of so many bytes a line, lines a plane, and planes in units of 1 or 4 bytes.
fn copy_units(l: &mut Lower<'_, '_>, unit: i64, [bytes, lines, planes]: [Value; 3], src: Side, dst: Side) {
    let ty = Type::scalar(ScalarType::int(to_u32(unit) * 8));
    let per_line = l.b.binary_int(BinaryOp::LShr, bytes, i64::from(unit.trailing_zeros()));
    let per_plane = l.b.binary(BinaryOp::Mul, per_line, lines);
    let count = l.b.binary(BinaryOp::Mul, per_plane, planes);
    each_of(l, count, &mut |l, index| {
        let line = l.b.binary(BinaryOp::UDiv, index, per_line);
        let x = l.b.binary(BinaryOp::URem, index, per_line);
        let plane = l.b.binary(BinaryOp::UDiv, line, lines);
        let line = l.b.binary(BinaryOp::URem, line, lines);
        let place = |l: &mut Lower<'_, '_>, side: Side| {
            let line = l.b.binary(BinaryOp::Mul, line, side.line);
            let plane = l.b.binary(BinaryOp::Mul, plane, side.plane);
            let offset = l.b.binary(BinaryOp::Add, line, plane);
            let start = l.b.ptr_add(side.start, offset, 1);
            l.b.ptr_add(start, x, unit)
        };
        let from = place(l, src);
        let value = l.b.load(ty, from, to_u32(unit));
        let to = place(l, dst);
        l.b.store(to, value, to_u32(unit));
    });
}

/// `wait_group_events`: all work-items are here, and see what was copied.
pub fn wait(l: &mut Lower<'_, '_>) -> Lowered {
    let order = MemoryOrder::AcquireRelease;
    let semantics = Semantics { order, scope: Scope::WorkGroup, local: true, global: true, image: false };
    if checks::looks_for(l.options, Sanitizers::RACE) {
        let nothing = l.b.int(Type::I32, 0);
        checks::tell(l.b, CheckOp::AsyncWait, nothing);
    }
    l.b.effect(Op::Barrier { execution: Scope::WorkGroup, semantics });
    Ok(None)
}

/// A hint that no target takes.
pub fn prefetch(_: &mut Lower<'_, '_>) -> Lowered {
    Ok(None)
}
