//! Signatures of pipes (OpenCL C 6.15.18) and enqueueing on the device (6.15.19). Those without signatures take blocks or pipes;
//! sema checks their arguments (`sema/device.rs`).

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, since};
use crate::hir::types::TyKind;
use Pattern::Void;

const EVENT: Pattern = Pattern::Handle(TyKind::ClkEvent);
const RANGE: Pattern = Pattern::Handle(TyKind::NdRange);
const RESERVATION: Pattern = Pattern::Handle(TyKind::ReserveId);
const VALUE: Pattern = Pattern::Ptr(Pointee::Anything, 0, GLOBAL);
const OF_EVENT: &[Sig] = &[fixed(Void, &[EVENT])];
/// Offset, global size, local size.
const RANGE_1D: &[Sig] = &[fixed(RANGE, &[SIZE]), fixed(RANGE, &[SIZE, SIZE]), fixed(RANGE, &[SIZE, SIZE, SIZE])];
const SIZES: Pattern = Pattern::Ptr(
    Pointee::One(crate::hir::Scalar::Int(crate::hir::IntKind::ULong)),
    CONST,
    GENERIC | PRIVATE | GLOBAL | LOCAL,
);
const RANGE_ND: &[Sig] = &[fixed(RANGE, &[SIZES]), fixed(RANGE, &[SIZES, SIZES]), fixed(RANGE, &[SIZES, SIZES, SIZES])];

/// 6.15.18 and 6.15.19.
pub const DEVICE: &[Row] = &[
    since(200, "read_pipe", &[]),
    since(200, "write_pipe", &[]),
    since(200, "reserve_read_pipe", &[]),
    since(200, "reserve_write_pipe", &[]),
    since(200, "commit_read_pipe", &[]),
    since(200, "commit_write_pipe", &[]),
    since(200, "work_group_reserve_read_pipe", &[]),
    since(200, "work_group_reserve_write_pipe", &[]),
    since(200, "work_group_commit_read_pipe", &[]),
    since(200, "work_group_commit_write_pipe", &[]),
    since(200, "sub_group_reserve_read_pipe", &[]),
    since(200, "sub_group_reserve_write_pipe", &[]),
    since(200, "sub_group_commit_read_pipe", &[]),
    since(200, "sub_group_commit_write_pipe", &[]),
    since(200, "is_valid_reserve_id", &[fixed(Pattern::Bool, &[RESERVATION])]),
    since(200, "get_pipe_num_packets", &[]),
    since(200, "get_pipe_max_packets", &[]),
    since(200, "enqueue_kernel", &[]),
    since(200, "get_kernel_work_group_size", &[]),
    since(200, "get_kernel_preferred_work_group_size_multiple", &[]),
    since(200, "get_kernel_sub_group_count_for_ndrange", &[]),
    since(200, "get_kernel_max_sub_group_size_for_ndrange", &[]),
    since(200, "enqueue_marker", &[]),
    since(200, "retain_event", OF_EVENT),
    since(200, "release_event", OF_EVENT),
    since(200, "create_user_event", &[fixed(EVENT, &[])]),
    since(200, "is_valid_event", &[fixed(Pattern::Bool, &[EVENT])]),
    since(200, "set_user_event_status", &[fixed(Void, &[EVENT, INT])]),
    since(200, "capture_event_profiling_info", &[fixed(Void, &[EVENT, INT, VALUE])]),
    since(200, "get_default_queue", &[fixed(Pattern::Handle(TyKind::Queue), &[])]),
    since(200, "ndrange_1D", RANGE_1D),
    since(200, "ndrange_2D", RANGE_ND),
    since(200, "ndrange_3D", RANGE_ND),
];
