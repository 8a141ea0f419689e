//! Signatures of asynchronous copies and prefetch (OpenCL C 6.15.11).

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row};

const COPY: &[Sig] = &[
    sig(
        NUMBERS,
        ALL,
        Pattern::Event,
        &[Pattern::Ptr(Pointee::Gen, 0, LOCAL), Pattern::Ptr(Pointee::Gen, CONST, GLOBAL), SIZE, Pattern::Event],
    ),
    sig(
        NUMBERS,
        ALL,
        Pattern::Event,
        &[Pattern::Ptr(Pointee::Gen, 0, GLOBAL), Pattern::Ptr(Pointee::Gen, CONST, LOCAL), SIZE, Pattern::Event],
    ),
];
const STRIDED_COPY: &[Sig] = &[
    sig(
        NUMBERS,
        ALL,
        Pattern::Event,
        &[Pattern::Ptr(Pointee::Gen, 0, LOCAL), Pattern::Ptr(Pointee::Gen, CONST, GLOBAL), SIZE, SIZE, Pattern::Event],
    ),
    sig(
        NUMBERS,
        ALL,
        Pattern::Event,
        &[Pattern::Ptr(Pointee::Gen, 0, GLOBAL), Pattern::Ptr(Pointee::Gen, CONST, LOCAL), SIZE, SIZE, Pattern::Event],
    ),
];
const LOCAL_OUT: Pattern = Pattern::Ptr(Pointee::Anything, VOLATILE, LOCAL);
const GLOBAL_OUT: Pattern = Pattern::Ptr(Pointee::Anything, VOLATILE, GLOBAL);
const LOCAL_IN: Pattern = Pattern::Ptr(Pointee::Anything, VOLATILE | CONST, LOCAL);
const GLOBAL_IN: Pattern = Pattern::Ptr(Pointee::Anything, VOLATILE | CONST, GLOBAL);
const COPY_2D: &[Sig] = &[
    fixed(Pattern::Event, &[LOCAL_OUT, SIZE, GLOBAL_IN, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, Pattern::Event]),
    fixed(Pattern::Event, &[GLOBAL_OUT, SIZE, LOCAL_IN, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, Pattern::Event]),
];
const COPY_3D: &[Sig] = &[
    fixed(
        Pattern::Event,
        &[LOCAL_OUT, SIZE, GLOBAL_IN, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, Pattern::Event],
    ),
    fixed(
        Pattern::Event,
        &[GLOBAL_OUT, SIZE, LOCAL_IN, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, Pattern::Event],
    ),
];
const COPY_FENCE: &[Sig] = &[fixed(Pattern::Void, &[UINT])];
const WAIT: &[Sig] = &[fixed(Pattern::Void, &[INT, Pattern::Ptr(Pointee::Event, 0, PRIVATE | GENERIC)])];
const PREFETCH: &[Sig] = &[fixed(Pattern::Void, &[Pattern::Ptr(Pointee::Anything, CONST, GLOBAL), SIZE])];

/// 6.15.11.
pub const ASYNC_COPY: &[Row] = &[
    row("async_work_group_copy", COPY),
    row("async_work_group_strided_copy", STRIDED_COPY),
    // cl_khr_extended_async_copies, cl_khr_async_work_group_copy_fence.
    row("async_work_group_copy_2D2D", COPY_2D),
    row("async_work_group_copy_3D3D", COPY_3D),
    // Copies are made by the work-items themselves.
    row("async_work_group_copy_fence", COPY_FENCE),
    row("wait_group_events", WAIT),
    row("prefetch", PREFETCH),
];
