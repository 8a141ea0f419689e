//! Lowering of pipe functions and of those about events, queues and ranges of enqueued kernels.

use super::name;
use super::{Entry, Lower, Lowered};
use clforge_ir::{DeviceOp, Error, Op, Opaque, OrInternal, ScalarType, Space, Type, Value, Values};
use clforge_sema::hir::types::TyKind;

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("is_valid_reserve_id", call),
    ("create_user_event", call),
    ("is_valid_event", call),
    ("set_user_event_status", call),
    ("capture_event_profiling_info", call),
    ("get_default_queue", call),
    ("read_pipe", call),
    ("write_pipe", call),
    ("reserve_read_pipe", call),
    ("reserve_write_pipe", call),
    ("commit_read_pipe", call),
    ("commit_write_pipe", call),
    ("work_group_reserve_read_pipe", call),
    ("work_group_reserve_write_pipe", call),
    ("work_group_commit_read_pipe", call),
    ("work_group_commit_write_pipe", call),
    ("sub_group_reserve_read_pipe", call),
    ("sub_group_reserve_write_pipe", call),
    ("sub_group_commit_read_pipe", call),
    ("sub_group_commit_write_pipe", call),
    ("get_pipe_num_packets", call),
    ("get_pipe_max_packets", call),
    ("enqueue_kernel", call),
    ("get_kernel_work_group_size", call),
    ("get_kernel_preferred_work_group_size_multiple", call),
    ("get_kernel_sub_group_count_for_ndrange", call),
    ("get_kernel_max_sub_group_size_for_ndrange", call),
    ("enqueue_marker", call),
    ("retain_event", call),
    ("release_event", call),
    ("ndrange_1D", call),
    ("ndrange_2D", call),
    ("ndrange_3D", call),
];

/// The operation that a function is; `None` for those that take blocks, which are no calls when they get here.
fn operation(name: &str, arguments: usize) -> Option<DeviceOp> {
    use DeviceOp as D;
    Some(match name {
        "read_pipe" if arguments == 2 => D::ReadPipe,
        "read_pipe" => D::ReservedReadPipe,
        "write_pipe" if arguments == 2 => D::WritePipe,
        "write_pipe" => D::ReservedWritePipe,
        "reserve_read_pipe" => D::ReserveRead,
        "reserve_write_pipe" => D::ReserveWrite,
        "commit_read_pipe" => D::CommitRead,
        "commit_write_pipe" => D::CommitWrite,
        "work_group_reserve_read_pipe" => D::WorkGroupReserveRead,
        "work_group_reserve_write_pipe" => D::WorkGroupReserveWrite,
        "work_group_commit_read_pipe" => D::WorkGroupCommitRead,
        "work_group_commit_write_pipe" => D::WorkGroupCommitWrite,
        "sub_group_reserve_read_pipe" => D::SubGroupReserveRead,
        "sub_group_reserve_write_pipe" => D::SubGroupReserveWrite,
        "sub_group_commit_read_pipe" => D::SubGroupCommitRead,
        "sub_group_commit_write_pipe" => D::SubGroupCommitWrite,
        "is_valid_reserve_id" => D::IsValidReserveId,
        "get_pipe_num_packets" => D::PipePackets,
        "get_pipe_max_packets" => D::PipeMaxPackets,
        "enqueue_marker" => D::EnqueueMarker,
        "retain_event" => D::RetainEvent,
        "release_event" => D::ReleaseEvent,
        "create_user_event" => D::CreateUserEvent,
        "is_valid_event" => D::IsValidEvent,
        "set_user_event_status" => D::SetUserEventStatus,
        "capture_event_profiling_info" => D::CaptureEventProfilingInfo,
        "get_default_queue" => D::DefaultQueue,
        "ndrange_1D" => D::NdRange1,
        "ndrange_2D" => D::NdRange2,
        "ndrange_3D" => D::NdRange3,
        _ => return None,
    })
}

/// A call of any of these functions.
pub fn call(l: &mut Lower<'_, '_>) -> Lowered {
    let function = name(l.id);
    let op = operation(function, l.call.arguments.len())
        .ok_or_else(|| Error::internal(format!("call of '{function}' without a block")))?;
    let args = Values::from_slice(l.call.arguments);
    if matches!(op, DeviceOp::NdRange1 | DeviceOp::NdRange2 | DeviceOp::NdRange3) {
        let args = range(l, &args)?;
        l.b.effect(Op::Device { op, args });
        return Ok(None);
    }
    let opaque = |opaque| Some(Type::scalar(ScalarType::Opaque(opaque)));
    let result = match l.types.kind(l.call.result) {
        TyKind::Void => None,
        TyKind::ReserveId => opaque(Opaque::ReserveId),
        TyKind::ClkEvent => opaque(Opaque::ClkEvent),
        TyKind::Queue => opaque(Opaque::Queue),
        _ => Some(l.number()?),
    };
    let op = Op::Device { op, args };
    match result {
        Some(ty) => Ok(Some(l.b.emit(op, ty))),
        None => {
            l.b.effect(op);
            Ok(None)
        }
    }
}

/// OpenCL C has (global), (global, local) or (offset, global, local); the operation has all: global, local, offset,
/// behind the place of the range.
fn range(l: &mut Lower<'_, '_>, args: &[Value]) -> Result<Values, Error> {
    let first = l.arg(0)?;
    let into = l.call.into.or_internal("a range without an object to write it to")?;
    let none = match l.b.ty(first).space() {
        Some(_) => l.b.int(Type::ptr(Space::Private), 0),
        None => l.b.int(Type::I64, 0),
    };
    Ok(match *args {
        [offset, global, local] => Values::from_slice(&[into, global, local, offset]),
        [global, local] => Values::from_slice(&[into, global, local, none]),
        _ => Values::from_slice(&[into, first, none, none]),
    })
}
