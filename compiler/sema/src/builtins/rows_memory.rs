//! Rows: vector data load and store (OpenCL C 6.15.7), asynchronous copies and prefetch (6.15.11), miscellaneous vector
//! functions (6.15.13) and `printf` (6.15.14).

use super::pattern::*;
use super::table::{Row, row};
use crate::hir::types::{FloatKind, IntKind, Scalar};
use Pattern::Gen;

const HALF1: Scalar = Scalar::Float(FloatKind::Half);

const fn load(lanes: LaneSet) -> Sig {
    sig(NUMBERS, lanes, Gen, &[SIZE, Pattern::Ptr(Pointee::Elem, CONST, ANY_SPACE)])
}

const fn store(lanes: LaneSet) -> Sig {
    sig(NUMBERS, lanes, Pattern::Void, &[Gen, SIZE, Pattern::Ptr(Pointee::Elem, 0, WRITABLE)])
}

const fn load_half(lanes: LaneSet) -> Sig {
    sig(FLOAT, lanes, Gen, &[SIZE, Pattern::Ptr(Pointee::One(HALF1), CONST, ANY_SPACE)])
}

const fn store_half(lanes: LaneSet) -> Sig {
    sig(FLOAT | DOUBLE, lanes, Pattern::Void, &[Gen, SIZE, Pattern::Ptr(Pointee::One(HALF1), 0, WRITABLE)])
}

const L2: LaneSet = 0x02;
const L3: LaneSet = 0x04;
const L4: LaneSet = 0x08;
const L8: LaneSet = 0x10;
const L16: LaneSet = 0x20;

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
const WAIT: &[Sig] = &[fixed(Pattern::Void, &[INT, Pattern::Ptr(Pointee::Event, CONST, PRIVATE | GENERIC)])];
const PREFETCH: &[Sig] = &[fixed(Pattern::Void, &[Pattern::Ptr(Pointee::Anything, CONST, GLOBAL), SIZE])];
const SHUFFLE: &[Sig] =
    &[Sig { lanes2: EVEN & VECTORS, ..sig(NUMBERS, EVEN & VECTORS, Pattern::Elem2, &[Gen, Pattern::Mask2]) }];
const SHUFFLE2: &[Sig] =
    &[Sig { lanes2: EVEN & VECTORS, ..sig(NUMBERS, EVEN & VECTORS, Pattern::Elem2, &[Gen, Gen, Pattern::Mask2]) }];
const PRINTF: &[Sig] =
    &[Sig { variadic: true, ..fixed(INT, &[Pattern::Ptr(Pointee::One(Scalar::Int(IntKind::Char)), CONST, CONSTANT)]) }];

/// 6.15.7, 6.15.11, 6.15.13, 6.15.14.
pub const MEMORY: &[Row] = &[
    row("vload2", &[load(L2)]),
    row("vload3", &[load(L3)]),
    row("vload4", &[load(L4)]),
    row("vload8", &[load(L8)]),
    row("vload16", &[load(L16)]),
    row("vstore2", &[store(L2)]),
    row("vstore3", &[store(L3)]),
    row("vstore4", &[store(L4)]),
    row("vstore8", &[store(L8)]),
    row("vstore16", &[store(L16)]),
    row("vload_half", &[load_half(ONE)]),
    row("vload_half2", &[load_half(L2)]),
    row("vload_half3", &[load_half(L3)]),
    row("vload_half4", &[load_half(L4)]),
    row("vload_half8", &[load_half(L8)]),
    row("vload_half16", &[load_half(L16)]),
    row("vloada_half2", &[load_half(L2)]),
    row("vloada_half3", &[load_half(L3)]),
    row("vloada_half4", &[load_half(L4)]),
    row("vloada_half8", &[load_half(L8)]),
    row("vloada_half16", &[load_half(L16)]),
    row("vstore_half", &[store_half(ONE)]),
    row("vstore_half_rte", &[store_half(ONE)]),
    row("vstore_half_rtz", &[store_half(ONE)]),
    row("vstore_half_rtp", &[store_half(ONE)]),
    row("vstore_half_rtn", &[store_half(ONE)]),
    row("vstore_half2", &[store_half(L2)]),
    row("vstore_half2_rte", &[store_half(L2)]),
    row("vstore_half2_rtz", &[store_half(L2)]),
    row("vstore_half2_rtp", &[store_half(L2)]),
    row("vstore_half2_rtn", &[store_half(L2)]),
    row("vstore_half3", &[store_half(L3)]),
    row("vstore_half3_rte", &[store_half(L3)]),
    row("vstore_half3_rtz", &[store_half(L3)]),
    row("vstore_half3_rtp", &[store_half(L3)]),
    row("vstore_half3_rtn", &[store_half(L3)]),
    row("vstore_half4", &[store_half(L4)]),
    row("vstore_half4_rte", &[store_half(L4)]),
    row("vstore_half4_rtz", &[store_half(L4)]),
    row("vstore_half4_rtp", &[store_half(L4)]),
    row("vstore_half4_rtn", &[store_half(L4)]),
    row("vstore_half8", &[store_half(L8)]),
    row("vstore_half8_rte", &[store_half(L8)]),
    row("vstore_half8_rtz", &[store_half(L8)]),
    row("vstore_half8_rtp", &[store_half(L8)]),
    row("vstore_half8_rtn", &[store_half(L8)]),
    row("vstore_half16", &[store_half(L16)]),
    row("vstore_half16_rte", &[store_half(L16)]),
    row("vstore_half16_rtz", &[store_half(L16)]),
    row("vstore_half16_rtp", &[store_half(L16)]),
    row("vstore_half16_rtn", &[store_half(L16)]),
    row("vstorea_half2", &[store_half(L2)]),
    row("vstorea_half2_rte", &[store_half(L2)]),
    row("vstorea_half2_rtz", &[store_half(L2)]),
    row("vstorea_half2_rtp", &[store_half(L2)]),
    row("vstorea_half2_rtn", &[store_half(L2)]),
    row("vstorea_half3", &[store_half(L3)]),
    row("vstorea_half3_rte", &[store_half(L3)]),
    row("vstorea_half3_rtz", &[store_half(L3)]),
    row("vstorea_half3_rtp", &[store_half(L3)]),
    row("vstorea_half3_rtn", &[store_half(L3)]),
    row("vstorea_half4", &[store_half(L4)]),
    row("vstorea_half4_rte", &[store_half(L4)]),
    row("vstorea_half4_rtz", &[store_half(L4)]),
    row("vstorea_half4_rtp", &[store_half(L4)]),
    row("vstorea_half4_rtn", &[store_half(L4)]),
    row("vstorea_half8", &[store_half(L8)]),
    row("vstorea_half8_rte", &[store_half(L8)]),
    row("vstorea_half8_rtz", &[store_half(L8)]),
    row("vstorea_half8_rtp", &[store_half(L8)]),
    row("vstorea_half8_rtn", &[store_half(L8)]),
    row("vstorea_half16", &[store_half(L16)]),
    row("vstorea_half16_rte", &[store_half(L16)]),
    row("vstorea_half16_rtz", &[store_half(L16)]),
    row("vstorea_half16_rtp", &[store_half(L16)]),
    row("vstorea_half16_rtn", &[store_half(L16)]),
    row("async_work_group_copy", COPY),
    row("async_work_group_strided_copy", STRIDED_COPY),
    // cl_khr_extended_async_copies, cl_khr_async_work_group_copy_fence.
    row("async_work_group_copy_2D2D", COPY_2D),
    row("async_work_group_copy_3D3D", COPY_3D),
    // Copies are made by the work-items themselves.
    row("async_work_group_copy_fence", COPY_FENCE),
    row("wait_group_events", WAIT),
    row("prefetch", PREFETCH),
    row("shuffle", SHUFFLE),
    row("shuffle2", SHUFFLE2),
    row("printf", PRINTF),
];
