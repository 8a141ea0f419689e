//! Signatures of work-group functions (OpenCL C 6.15.16), sub-group functions with their extensions, and kernel clocks
//! (`cl_khr_kernel_clock`).

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row, since};
use crate::hir::types::{IntKind, Scalar};
use Pattern::Gen;

const LONG_UINT: Pattern = Pattern::One(Scalar::Int(IntKind::ULong));
const BALLOT4: Pattern = Pattern::Vector(Scalar::Int(IntKind::UInt), 4);

const VOTE: &[Sig] = &[fixed(INT, &[INT])];
const CLUSTERED_VOTE: &[Sig] = &[fixed(INT, &[INT, UINT])];
const INT_OF_NONE: &[Sig] = &[fixed(INT, &[])];
const WORK_ARITHMETIC: &[Sig] = &[sig(INTS32 | INTS64 | FLOATS, ONE, Gen, &[Gen])];
const WORK_BITS: &[Sig] = &[sig(INTS32 | INTS64, ONE, Gen, &[Gen])];
const WORK_BROADCAST: &[Sig] = &[
    sig(INTS32 | INTS64 | FLOATS, ONE, Gen, &[Gen, SIZE]),
    sig(INTS32 | INTS64 | FLOATS, ONE, Gen, &[Gen, SIZE, SIZE]),
    sig(INTS32 | INTS64 | FLOATS, ONE, Gen, &[Gen, SIZE, SIZE, SIZE]),
];
const ARITHMETIC: &[Sig] = &[sig(NUMBERS, ONE, Gen, &[Gen])];
const BITS: &[Sig] = &[sig(INTS, ONE, Gen, &[Gen])];
const CLUSTERED_ARITHMETIC: &[Sig] = WITH_UINT;
const CLUSTERED_BITS: &[Sig] = &[sig(INTS, ONE, Gen, &[Gen, UINT])];
const ALL_EQUAL: &[Sig] = &[sig(NUMBERS, ONE, INT, &[Gen])];
const BROADCAST: &[Sig] = &[sig(NUMBERS, ALL, Gen, &[Gen, UINT])];
const WITH_UINT: &[Sig] = &[sig(NUMBERS, ONE, Gen, &[Gen, UINT])];
const WITH_INT: &[Sig] = &[sig(NUMBERS, ONE, Gen, &[Gen, INT])];
const CLUSTERED_ROTATE: &[Sig] = &[sig(NUMBERS, ONE, Gen, &[Gen, INT, UINT])];
const BALLOT: &[Sig] = &[fixed(BALLOT4, &[INT])];
const INT_OF_BALLOT: &[Sig] = &[fixed(INT, &[BALLOT4])];
const UINT_OF_BALLOT: &[Sig] = &[fixed(UINT, &[BALLOT4])];
const BALLOT_BIT: &[Sig] = &[fixed(INT, &[BALLOT4, UINT])];
const MASK: &[Sig] = &[fixed(BALLOT4, &[])];
const CLOCK: &[Sig] = &[fixed(LONG_UINT, &[])];
const CLOCK_HILO: &[Sig] = &[fixed(Pattern::Vector(Scalar::Int(IntKind::UInt), 2), &[])];

/// 6.15.16 and sub-groups.
pub const GROUP: &[Row] = &[
    since(200, "work_group_reduce_add", WORK_ARITHMETIC),
    row("sub_group_reduce_add", ARITHMETIC),
    since(200, "work_group_scan_inclusive_add", WORK_ARITHMETIC),
    row("sub_group_scan_inclusive_add", ARITHMETIC),
    since(200, "work_group_scan_exclusive_add", WORK_ARITHMETIC),
    row("sub_group_scan_exclusive_add", ARITHMETIC),
    since(200, "work_group_reduce_min", WORK_ARITHMETIC),
    row("sub_group_reduce_min", ARITHMETIC),
    since(200, "work_group_scan_inclusive_min", WORK_ARITHMETIC),
    row("sub_group_scan_inclusive_min", ARITHMETIC),
    since(200, "work_group_scan_exclusive_min", WORK_ARITHMETIC),
    row("sub_group_scan_exclusive_min", ARITHMETIC),
    since(200, "work_group_reduce_max", WORK_ARITHMETIC),
    row("sub_group_reduce_max", ARITHMETIC),
    since(200, "work_group_scan_inclusive_max", WORK_ARITHMETIC),
    row("sub_group_scan_inclusive_max", ARITHMETIC),
    since(200, "work_group_scan_exclusive_max", WORK_ARITHMETIC),
    row("sub_group_scan_exclusive_max", ARITHMETIC),
    row("sub_group_non_uniform_reduce_add", ARITHMETIC),
    row("sub_group_non_uniform_scan_inclusive_add", ARITHMETIC),
    row("sub_group_non_uniform_scan_exclusive_add", ARITHMETIC),
    row("sub_group_clustered_reduce_add", CLUSTERED_ARITHMETIC),
    row("sub_group_non_uniform_reduce_mul", ARITHMETIC),
    row("sub_group_non_uniform_scan_inclusive_mul", ARITHMETIC),
    row("sub_group_non_uniform_scan_exclusive_mul", ARITHMETIC),
    row("sub_group_clustered_reduce_mul", CLUSTERED_ARITHMETIC),
    row("sub_group_non_uniform_reduce_min", ARITHMETIC),
    row("sub_group_non_uniform_scan_inclusive_min", ARITHMETIC),
    row("sub_group_non_uniform_scan_exclusive_min", ARITHMETIC),
    row("sub_group_clustered_reduce_min", CLUSTERED_ARITHMETIC),
    row("sub_group_non_uniform_reduce_max", ARITHMETIC),
    row("sub_group_non_uniform_scan_inclusive_max", ARITHMETIC),
    row("sub_group_non_uniform_scan_exclusive_max", ARITHMETIC),
    row("sub_group_clustered_reduce_max", CLUSTERED_ARITHMETIC),
    row("sub_group_non_uniform_reduce_and", BITS),
    row("sub_group_non_uniform_scan_inclusive_and", BITS),
    row("sub_group_non_uniform_scan_exclusive_and", BITS),
    row("sub_group_clustered_reduce_and", CLUSTERED_BITS),
    row("sub_group_non_uniform_reduce_or", BITS),
    row("sub_group_non_uniform_scan_inclusive_or", BITS),
    row("sub_group_non_uniform_scan_exclusive_or", BITS),
    row("sub_group_clustered_reduce_or", CLUSTERED_BITS),
    row("sub_group_non_uniform_reduce_xor", BITS),
    row("sub_group_non_uniform_scan_inclusive_xor", BITS),
    row("sub_group_non_uniform_scan_exclusive_xor", BITS),
    row("sub_group_clustered_reduce_xor", CLUSTERED_BITS),
    row("sub_group_non_uniform_reduce_logical_and", VOTE),
    row("sub_group_non_uniform_scan_inclusive_logical_and", VOTE),
    row("sub_group_non_uniform_scan_exclusive_logical_and", VOTE),
    row("sub_group_clustered_reduce_logical_and", CLUSTERED_VOTE),
    row("sub_group_non_uniform_reduce_logical_or", VOTE),
    row("sub_group_non_uniform_scan_inclusive_logical_or", VOTE),
    row("sub_group_non_uniform_scan_exclusive_logical_or", VOTE),
    row("sub_group_clustered_reduce_logical_or", CLUSTERED_VOTE),
    row("sub_group_non_uniform_reduce_logical_xor", VOTE),
    row("sub_group_non_uniform_scan_inclusive_logical_xor", VOTE),
    row("sub_group_non_uniform_scan_exclusive_logical_xor", VOTE),
    row("sub_group_clustered_reduce_logical_xor", CLUSTERED_VOTE),
    // cl_khr_work_group_uniform_arithmetic.
    since(200, "work_group_reduce_mul", WORK_ARITHMETIC),
    since(200, "work_group_scan_inclusive_mul", WORK_ARITHMETIC),
    since(200, "work_group_scan_exclusive_mul", WORK_ARITHMETIC),
    since(200, "work_group_reduce_and", WORK_BITS),
    since(200, "work_group_scan_inclusive_and", WORK_BITS),
    since(200, "work_group_scan_exclusive_and", WORK_BITS),
    since(200, "work_group_reduce_or", WORK_BITS),
    since(200, "work_group_scan_inclusive_or", WORK_BITS),
    since(200, "work_group_scan_exclusive_or", WORK_BITS),
    since(200, "work_group_reduce_xor", WORK_BITS),
    since(200, "work_group_scan_inclusive_xor", WORK_BITS),
    since(200, "work_group_scan_exclusive_xor", WORK_BITS),
    since(200, "work_group_reduce_logical_and", VOTE),
    since(200, "work_group_scan_inclusive_logical_and", VOTE),
    since(200, "work_group_scan_exclusive_logical_and", VOTE),
    since(200, "work_group_reduce_logical_or", VOTE),
    since(200, "work_group_scan_inclusive_logical_or", VOTE),
    since(200, "work_group_scan_exclusive_logical_or", VOTE),
    since(200, "work_group_reduce_logical_xor", VOTE),
    since(200, "work_group_scan_inclusive_logical_xor", VOTE),
    since(200, "work_group_scan_exclusive_logical_xor", VOTE),
    since(200, "work_group_all", VOTE),
    since(200, "work_group_any", VOTE),
    since(200, "work_group_broadcast", WORK_BROADCAST),
    row("sub_group_all", VOTE),
    row("sub_group_non_uniform_all", VOTE),
    row("sub_group_any", VOTE),
    row("sub_group_non_uniform_any", VOTE),
    row("sub_group_non_uniform_all_equal", ALL_EQUAL),
    row("sub_group_elect", INT_OF_NONE),
    row("sub_group_broadcast", BROADCAST),
    row("sub_group_non_uniform_broadcast", BROADCAST),
    row("sub_group_broadcast_first", ARITHMETIC),
    row("sub_group_shuffle", WITH_UINT),
    row("sub_group_shuffle_xor", WITH_UINT),
    row("sub_group_shuffle_up", WITH_UINT),
    row("sub_group_shuffle_down", WITH_UINT),
    row("sub_group_rotate", WITH_INT),
    row("sub_group_clustered_rotate", CLUSTERED_ROTATE),
    row("sub_group_ballot", BALLOT),
    row("sub_group_inverse_ballot", INT_OF_BALLOT),
    row("sub_group_ballot_bit_extract", BALLOT_BIT),
    row("sub_group_ballot_bit_count", UINT_OF_BALLOT),
    row("sub_group_ballot_inclusive_scan", UINT_OF_BALLOT),
    row("sub_group_ballot_exclusive_scan", UINT_OF_BALLOT),
    row("sub_group_ballot_find_lsb", UINT_OF_BALLOT),
    row("sub_group_ballot_find_msb", UINT_OF_BALLOT),
    row("get_sub_group_eq_mask", MASK),
    row("get_sub_group_ge_mask", MASK),
    row("get_sub_group_gt_mask", MASK),
    row("get_sub_group_le_mask", MASK),
    row("get_sub_group_lt_mask", MASK),
    row("clock_read_device", CLOCK),
    row("clock_read_hilo_device", CLOCK_HILO),
    row("clock_read_work_group", CLOCK),
    row("clock_read_hilo_work_group", CLOCK_HILO),
    row("clock_read_sub_group", CLOCK),
    row("clock_read_hilo_sub_group", CLOCK_HILO),
];
