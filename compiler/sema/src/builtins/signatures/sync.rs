//! Signatures of barriers and fences (OpenCL C 6.15.8, 6.15.9).

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row, since};
use Pattern::Void;

const FLAGS: &[Sig] = &[fixed(Void, &[UINT])];
const FLAGS_AND_SCOPE: &[Sig] = &[fixed(Void, &[UINT]), fixed(Void, &[UINT, INT])];
const ATOMIC_FENCE: &[Sig] = &[fixed(Void, &[UINT, INT, INT])];

/// 6.15.8, 6.15.9.
pub const SYNC: &[Row] = &[
    row("barrier", FLAGS),
    since(200, "work_group_barrier", FLAGS_AND_SCOPE),
    row("sub_group_barrier", FLAGS_AND_SCOPE),
    row("mem_fence", FLAGS),
    row("read_mem_fence", FLAGS),
    row("write_mem_fence", FLAGS),
    since(200, "atomic_work_item_fence", ATOMIC_FENCE),
];
