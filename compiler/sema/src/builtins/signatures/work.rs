//! Signatures of work-item functions (OpenCL C 6.15.1).

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row, since};

const SIZE_OF_DIM: &[Sig] = &[fixed(SIZE, &[UINT])];
const SIZE_OF_NONE: &[Sig] = &[fixed(SIZE, &[])];
const UINT_OF_NONE: &[Sig] = &[fixed(UINT, &[])];

/// 6.15.1.
pub const WORK: &[Row] = &[
    row("get_work_dim", UINT_OF_NONE),
    row("get_global_size", SIZE_OF_DIM),
    row("get_global_id", SIZE_OF_DIM),
    row("get_local_size", SIZE_OF_DIM),
    since(200, "get_enqueued_local_size", SIZE_OF_DIM),
    row("get_local_id", SIZE_OF_DIM),
    row("get_num_groups", SIZE_OF_DIM),
    row("get_group_id", SIZE_OF_DIM),
    since(110, "get_global_offset", SIZE_OF_DIM),
    since(200, "get_global_linear_id", SIZE_OF_NONE),
    since(200, "get_local_linear_id", SIZE_OF_NONE),
    row("get_sub_group_size", UINT_OF_NONE),
    row("get_max_sub_group_size", UINT_OF_NONE),
    row("get_num_sub_groups", UINT_OF_NONE),
    since(200, "get_enqueued_num_sub_groups", UINT_OF_NONE),
    row("get_sub_group_id", UINT_OF_NONE),
    row("get_sub_group_local_id", UINT_OF_NONE),
];
