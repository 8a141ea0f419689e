//! Lowering of pipe functions, and of functions for events, queues and ranges of enqueued kernels.

use super::name;
use super::{Entry, Lower, Lowered};
use clforge_ir::{DeviceOp, Error, Op, Opaque, OrInternal, ScalarType, Space, Type, Value};
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
fn operation(name: &str, args: &[Value]) -> Option<DeviceOp> {
    use DeviceOp as D;
    Some(match (name, args) {
        ("read_pipe", &[pipe, packet]) => D::ReadPipe { pipe, packet },
        ("read_pipe", &[pipe, reservation, index, packet]) => D::ReservedReadPipe { pipe, reservation, index, packet },
        ("write_pipe", &[pipe, packet]) => D::WritePipe { pipe, packet },
        ("write_pipe", &[pipe, reservation, index, packet]) => {
            D::ReservedWritePipe { pipe, reservation, index, packet }
        }
        ("reserve_read_pipe", &[pipe, packets]) => D::ReserveRead { pipe, packets },
        ("reserve_write_pipe", &[pipe, packets]) => D::ReserveWrite { pipe, packets },
        ("commit_read_pipe", &[pipe, reservation]) => D::CommitRead { pipe, reservation },
        ("commit_write_pipe", &[pipe, reservation]) => D::CommitWrite { pipe, reservation },
        ("work_group_reserve_read_pipe", &[pipe, packets]) => D::WorkGroupReserveRead { pipe, packets },
        ("work_group_reserve_write_pipe", &[pipe, packets]) => D::WorkGroupReserveWrite { pipe, packets },
        ("work_group_commit_read_pipe", &[pipe, reservation]) => D::WorkGroupCommitRead { pipe, reservation },
        ("work_group_commit_write_pipe", &[pipe, reservation]) => D::WorkGroupCommitWrite { pipe, reservation },
        ("sub_group_reserve_read_pipe", &[pipe, packets]) => D::SubGroupReserveRead { pipe, packets },
        ("sub_group_reserve_write_pipe", &[pipe, packets]) => D::SubGroupReserveWrite { pipe, packets },
        ("sub_group_commit_read_pipe", &[pipe, reservation]) => D::SubGroupCommitRead { pipe, reservation },
        ("sub_group_commit_write_pipe", &[pipe, reservation]) => D::SubGroupCommitWrite { pipe, reservation },
        ("is_valid_reserve_id", &[reservation]) => D::IsValidReserveId { reservation },
        ("get_pipe_num_packets", &[pipe]) => D::PipePackets { pipe },
        ("get_pipe_max_packets", &[pipe]) => D::PipeMaxPackets { pipe },
        ("enqueue_marker", &[queue, event_count, wait_list, event]) => {
            D::EnqueueMarker { queue, event_count, wait_list, event }
        }
        ("retain_event", &[event]) => D::RetainEvent { event },
        ("release_event", &[event]) => D::ReleaseEvent { event },
        ("create_user_event", &[]) => D::CreateUserEvent,
        ("is_valid_event", &[event]) => D::IsValidEvent { event },
        ("set_user_event_status", &[event, status]) => D::SetUserEventStatus { event, status },
        ("capture_event_profiling_info", &[event, info, destination]) => {
            D::CaptureEventProfilingInfo { event, info, destination }
        }
        ("get_default_queue", &[]) => D::DefaultQueue,
        _ => return None,
    })
}

/// A call of any of these functions.
pub fn call(l: &mut Lower<'_, '_>) -> Lowered {
    let function = name(l.id);
    if matches!(function, "ndrange_1D" | "ndrange_2D" | "ndrange_3D") {
        let op = range(l, function)?;
        l.b.effect(Op::Device(op));
        return Ok(None);
    }
    let op = operation(function, l.call.arguments)
        .ok_or_else(|| Error::internal(format!("call of '{function}' without a block")))?;
    let opaque = |opaque| Some(Type::scalar(ScalarType::Opaque(opaque)));
    let result = match l.types.kind(l.call.result) {
        TyKind::Void => None,
        TyKind::ReserveId => opaque(Opaque::ReserveId),
        TyKind::ClkEvent => opaque(Opaque::ClkEvent),
        TyKind::Queue => opaque(Opaque::Queue),
        _ => Some(l.number()?),
    };
    match result {
        Some(ty) => Ok(Some(l.b.emit(Op::Device(op), ty))),
        None => {
            l.b.effect(Op::Device(op));
            Ok(None)
        }
    }
}

/// `ndrange_1D` and its kin. OpenCL C has (global), (global, local) or (offset, global, local); the operation has all.
fn range(l: &mut Lower<'_, '_>, function: &str) -> Result<DeviceOp, Error> {
    let first = l.arg(0)?;
    let range = l.call.into.or_internal("a range without an object to write it to")?;
    let none = match l.b.ty(first).space() {
        Some(_) => l.b.int(Type::ptr(Space::Private), 0),
        None => l.b.int(Type::I64, 0),
    };
    let (offset, global_size, local_size) = match *l.call.arguments {
        [offset, global_size, local_size] => (offset, global_size, local_size),
        [global_size, local_size] => (none, global_size, local_size),
        _ => (none, first, none),
    };
    Ok(match function {
        "ndrange_1D" => DeviceOp::NdRange1 { range, global_size, local_size, offset },
        "ndrange_2D" => DeviceOp::NdRange2 { range, global_size, local_size, offset },
        _ => DeviceOp::NdRange3 { range, global_size, local_size, offset },
    })
}
