//! Rows: work-group functions (OpenCL C 6.15.18), sub-group functions with their extensions, kernel clocks
//! (`cl_khr_kernel_clock`), integer dot products and bit fields.

use super::pattern::*;
use super::table::{How, Row, row, since};
use super::{lower_dot as dot, lower_group as group};
use crate::hir::types::{IntKind, Scalar};
use P::{Gen, SignedGen, UnsignedGen};

const LONG_UINT: P = P::One(Scalar::Int(IntKind::ULong));
const BALLOT4: P = P::Vector(Scalar::Int(IntKind::UInt), 4);
const CHAR4: P = P::Vector(Scalar::Int(IntKind::Char), 4);
const UCHAR4: P = P::Vector(Scalar::Int(IntKind::UChar), 4);
const SHORT2: P = P::Vector(Scalar::Int(IntKind::Short), 2);
const USHORT2: P = P::Vector(Scalar::Int(IntKind::UShort), 2);

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
const CLOCK_HILO: &[Sig] = &[fixed(P::Vector(Scalar::Int(IntKind::UInt), 2), &[])];

/// 6.15.18 and sub-groups.
pub const GROUP: &[Row] = &[
    since(200, "work_group_reduce_add", WORK_ARITHMETIC, How::Lower(group::work_add)),
    row("sub_group_reduce_add", ARITHMETIC, How::Lower(group::sub_add)),
    since(200, "work_group_scan_inclusive_add", WORK_ARITHMETIC, How::Lower(group::work_inclusive_add)),
    row("sub_group_scan_inclusive_add", ARITHMETIC, How::Lower(group::sub_inclusive_add)),
    since(200, "work_group_scan_exclusive_add", WORK_ARITHMETIC, How::Lower(group::work_exclusive_add)),
    row("sub_group_scan_exclusive_add", ARITHMETIC, How::Lower(group::sub_exclusive_add)),
    since(200, "work_group_reduce_min", WORK_ARITHMETIC, How::Lower(group::work_min)),
    row("sub_group_reduce_min", ARITHMETIC, How::Lower(group::sub_min)),
    since(200, "work_group_scan_inclusive_min", WORK_ARITHMETIC, How::Lower(group::work_inclusive_min)),
    row("sub_group_scan_inclusive_min", ARITHMETIC, How::Lower(group::sub_inclusive_min)),
    since(200, "work_group_scan_exclusive_min", WORK_ARITHMETIC, How::Lower(group::work_exclusive_min)),
    row("sub_group_scan_exclusive_min", ARITHMETIC, How::Lower(group::sub_exclusive_min)),
    since(200, "work_group_reduce_max", WORK_ARITHMETIC, How::Lower(group::work_max)),
    row("sub_group_reduce_max", ARITHMETIC, How::Lower(group::sub_max)),
    since(200, "work_group_scan_inclusive_max", WORK_ARITHMETIC, How::Lower(group::work_inclusive_max)),
    row("sub_group_scan_inclusive_max", ARITHMETIC, How::Lower(group::sub_inclusive_max)),
    since(200, "work_group_scan_exclusive_max", WORK_ARITHMETIC, How::Lower(group::work_exclusive_max)),
    row("sub_group_scan_exclusive_max", ARITHMETIC, How::Lower(group::sub_exclusive_max)),
    row("sub_group_non_uniform_reduce_add", ARITHMETIC, How::Lower(group::add)),
    row("sub_group_non_uniform_scan_inclusive_add", ARITHMETIC, How::Lower(group::inclusive_add)),
    row("sub_group_non_uniform_scan_exclusive_add", ARITHMETIC, How::Lower(group::exclusive_add)),
    row("sub_group_clustered_reduce_add", CLUSTERED_ARITHMETIC, How::Lower(group::clustered_add)),
    row("sub_group_non_uniform_reduce_mul", ARITHMETIC, How::Lower(group::mul)),
    row("sub_group_non_uniform_scan_inclusive_mul", ARITHMETIC, How::Lower(group::inclusive_mul)),
    row("sub_group_non_uniform_scan_exclusive_mul", ARITHMETIC, How::Lower(group::exclusive_mul)),
    row("sub_group_clustered_reduce_mul", CLUSTERED_ARITHMETIC, How::Lower(group::clustered_mul)),
    row("sub_group_non_uniform_reduce_min", ARITHMETIC, How::Lower(group::min)),
    row("sub_group_non_uniform_scan_inclusive_min", ARITHMETIC, How::Lower(group::inclusive_min)),
    row("sub_group_non_uniform_scan_exclusive_min", ARITHMETIC, How::Lower(group::exclusive_min)),
    row("sub_group_clustered_reduce_min", CLUSTERED_ARITHMETIC, How::Lower(group::clustered_min)),
    row("sub_group_non_uniform_reduce_max", ARITHMETIC, How::Lower(group::max)),
    row("sub_group_non_uniform_scan_inclusive_max", ARITHMETIC, How::Lower(group::inclusive_max)),
    row("sub_group_non_uniform_scan_exclusive_max", ARITHMETIC, How::Lower(group::exclusive_max)),
    row("sub_group_clustered_reduce_max", CLUSTERED_ARITHMETIC, How::Lower(group::clustered_max)),
    row("sub_group_non_uniform_reduce_and", BITS, How::Lower(group::and)),
    row("sub_group_non_uniform_scan_inclusive_and", BITS, How::Lower(group::inclusive_and)),
    row("sub_group_non_uniform_scan_exclusive_and", BITS, How::Lower(group::exclusive_and)),
    row("sub_group_clustered_reduce_and", CLUSTERED_BITS, How::Lower(group::clustered_and)),
    row("sub_group_non_uniform_reduce_or", BITS, How::Lower(group::or)),
    row("sub_group_non_uniform_scan_inclusive_or", BITS, How::Lower(group::inclusive_or)),
    row("sub_group_non_uniform_scan_exclusive_or", BITS, How::Lower(group::exclusive_or)),
    row("sub_group_clustered_reduce_or", CLUSTERED_BITS, How::Lower(group::clustered_or)),
    row("sub_group_non_uniform_reduce_xor", BITS, How::Lower(group::xor)),
    row("sub_group_non_uniform_scan_inclusive_xor", BITS, How::Lower(group::inclusive_xor)),
    row("sub_group_non_uniform_scan_exclusive_xor", BITS, How::Lower(group::exclusive_xor)),
    row("sub_group_clustered_reduce_xor", CLUSTERED_BITS, How::Lower(group::clustered_xor)),
    row("sub_group_non_uniform_reduce_logical_and", VOTE, How::Lower(group::logical_and)),
    row("sub_group_non_uniform_scan_inclusive_logical_and", VOTE, How::Lower(group::inclusive_logical_and)),
    row("sub_group_non_uniform_scan_exclusive_logical_and", VOTE, How::Lower(group::exclusive_logical_and)),
    row("sub_group_clustered_reduce_logical_and", CLUSTERED_VOTE, How::Lower(group::clustered_logical_and)),
    row("sub_group_non_uniform_reduce_logical_or", VOTE, How::Lower(group::logical_or)),
    row("sub_group_non_uniform_scan_inclusive_logical_or", VOTE, How::Lower(group::inclusive_logical_or)),
    row("sub_group_non_uniform_scan_exclusive_logical_or", VOTE, How::Lower(group::exclusive_logical_or)),
    row("sub_group_clustered_reduce_logical_or", CLUSTERED_VOTE, How::Lower(group::clustered_logical_or)),
    row("sub_group_non_uniform_reduce_logical_xor", VOTE, How::Lower(group::logical_xor)),
    row("sub_group_non_uniform_scan_inclusive_logical_xor", VOTE, How::Lower(group::inclusive_logical_xor)),
    row("sub_group_non_uniform_scan_exclusive_logical_xor", VOTE, How::Lower(group::exclusive_logical_xor)),
    row("sub_group_clustered_reduce_logical_xor", CLUSTERED_VOTE, How::Lower(group::clustered_logical_xor)),
    // cl_khr_work_group_uniform_arithmetic.
    since(200, "work_group_reduce_mul", WORK_ARITHMETIC, How::Lower(group::work_mul)),
    since(200, "work_group_scan_inclusive_mul", WORK_ARITHMETIC, How::Lower(group::work_inclusive_mul)),
    since(200, "work_group_scan_exclusive_mul", WORK_ARITHMETIC, How::Lower(group::work_exclusive_mul)),
    since(200, "work_group_reduce_and", WORK_BITS, How::Lower(group::work_and)),
    since(200, "work_group_scan_inclusive_and", WORK_BITS, How::Lower(group::work_inclusive_and)),
    since(200, "work_group_scan_exclusive_and", WORK_BITS, How::Lower(group::work_exclusive_and)),
    since(200, "work_group_reduce_or", WORK_BITS, How::Lower(group::work_or)),
    since(200, "work_group_scan_inclusive_or", WORK_BITS, How::Lower(group::work_inclusive_or)),
    since(200, "work_group_scan_exclusive_or", WORK_BITS, How::Lower(group::work_exclusive_or)),
    since(200, "work_group_reduce_xor", WORK_BITS, How::Lower(group::work_xor)),
    since(200, "work_group_scan_inclusive_xor", WORK_BITS, How::Lower(group::work_inclusive_xor)),
    since(200, "work_group_scan_exclusive_xor", WORK_BITS, How::Lower(group::work_exclusive_xor)),
    since(200, "work_group_reduce_logical_and", VOTE, How::Lower(group::work_logical_and)),
    since(200, "work_group_scan_inclusive_logical_and", VOTE, How::Lower(group::work_inclusive_logical_and)),
    since(200, "work_group_scan_exclusive_logical_and", VOTE, How::Lower(group::work_exclusive_logical_and)),
    since(200, "work_group_reduce_logical_or", VOTE, How::Lower(group::work_logical_or)),
    since(200, "work_group_scan_inclusive_logical_or", VOTE, How::Lower(group::work_inclusive_logical_or)),
    since(200, "work_group_scan_exclusive_logical_or", VOTE, How::Lower(group::work_exclusive_logical_or)),
    since(200, "work_group_reduce_logical_xor", VOTE, How::Lower(group::work_logical_xor)),
    since(200, "work_group_scan_inclusive_logical_xor", VOTE, How::Lower(group::work_inclusive_logical_xor)),
    since(200, "work_group_scan_exclusive_logical_xor", VOTE, How::Lower(group::work_exclusive_logical_xor)),
    since(200, "work_group_all", VOTE, How::Lower(group::work_all)),
    since(200, "work_group_any", VOTE, How::Lower(group::work_any)),
    since(200, "work_group_broadcast", WORK_BROADCAST, How::Lower(group::work_broadcast)),
    row("sub_group_all", VOTE, How::Lower(group::sub_all)),
    row("sub_group_non_uniform_all", VOTE, How::Lower(group::all)),
    row("sub_group_any", VOTE, How::Lower(group::sub_any)),
    row("sub_group_non_uniform_any", VOTE, How::Lower(group::any)),
    row("sub_group_non_uniform_all_equal", ALL_EQUAL, How::Lower(group::all_equal)),
    row("sub_group_elect", INT_OF_NONE, How::Lower(group::elect)),
    row("sub_group_broadcast", BROADCAST, How::Lower(group::sub_broadcast)),
    row("sub_group_non_uniform_broadcast", BROADCAST, How::Lower(group::broadcast)),
    row("sub_group_broadcast_first", ARITHMETIC, How::Lower(group::broadcast_first)),
    row("sub_group_shuffle", WITH_UINT, How::Lower(group::shuffle)),
    row("sub_group_shuffle_xor", WITH_UINT, How::Lower(group::shuffle_xor)),
    row("sub_group_shuffle_up", WITH_UINT, How::Lower(group::shuffle_up)),
    row("sub_group_shuffle_down", WITH_UINT, How::Lower(group::shuffle_down)),
    row("sub_group_rotate", WITH_INT, How::Lower(group::rotate)),
    row("sub_group_clustered_rotate", CLUSTERED_ROTATE, How::Lower(group::clustered_rotate)),
    row("sub_group_ballot", BALLOT, How::Lower(group::ballot)),
    row("sub_group_inverse_ballot", INT_OF_BALLOT, How::Lower(group::inverse_ballot)),
    row("sub_group_ballot_bit_extract", BALLOT_BIT, How::Lower(group::ballot_bit_extract)),
    row("sub_group_ballot_bit_count", UINT_OF_BALLOT, How::Lower(group::ballot_bit_count)),
    row("sub_group_ballot_inclusive_scan", UINT_OF_BALLOT, How::Lower(group::ballot_inclusive_scan)),
    row("sub_group_ballot_exclusive_scan", UINT_OF_BALLOT, How::Lower(group::ballot_exclusive_scan)),
    row("sub_group_ballot_find_lsb", UINT_OF_BALLOT, How::Lower(group::ballot_find_lsb)),
    row("sub_group_ballot_find_msb", UINT_OF_BALLOT, How::Lower(group::ballot_find_msb)),
    row("get_sub_group_eq_mask", MASK, How::Lower(group::eq_mask)),
    row("get_sub_group_ge_mask", MASK, How::Lower(group::ge_mask)),
    row("get_sub_group_gt_mask", MASK, How::Lower(group::gt_mask)),
    row("get_sub_group_le_mask", MASK, How::Lower(group::le_mask)),
    row("get_sub_group_lt_mask", MASK, How::Lower(group::lt_mask)),
    row("clock_read_device", CLOCK, How::Lower(dot::clock_device)),
    row("clock_read_hilo_device", CLOCK_HILO, How::Lower(dot::clock_hilo_device)),
    row("clock_read_work_group", CLOCK, How::Lower(dot::clock_work_group)),
    row("clock_read_hilo_work_group", CLOCK_HILO, How::Lower(dot::clock_hilo_work_group)),
    row("clock_read_sub_group", CLOCK, How::Lower(dot::clock_sub_group)),
    row("clock_read_hilo_sub_group", CLOCK_HILO, How::Lower(dot::clock_hilo_sub_group)),
];

/// The forms of `dot` on integers; for those on floats see 6.15.5.
pub const INT_DOT: [Sig; 4] = [
    fixed(UINT, &[UCHAR4, UCHAR4]),
    fixed(INT, &[CHAR4, CHAR4]),
    fixed(INT, &[UCHAR4, CHAR4]),
    fixed(INT, &[CHAR4, UCHAR4]),
];
const DOT_ACC_SAT: &[Sig] = &[
    fixed(UINT, &[UCHAR4, UCHAR4, UINT]),
    fixed(INT, &[CHAR4, CHAR4, INT]),
    fixed(INT, &[UCHAR4, CHAR4, INT]),
    fixed(INT, &[CHAR4, UCHAR4, INT]),
];
const ARM_DOT: &[Sig] = &[fixed(UINT, &[UCHAR4, UCHAR4]), fixed(INT, &[CHAR4, CHAR4])];
const ARM_DOT_ACC: &[Sig] = &[
    fixed(UINT, &[UCHAR4, UCHAR4, UINT]),
    fixed(INT, &[CHAR4, CHAR4, INT]),
    fixed(UINT, &[USHORT2, USHORT2, UINT]),
    fixed(INT, &[SHORT2, SHORT2, INT]),
];
const ARM_DOT_ACC_SAT: &[Sig] = &[fixed(UINT, &[UCHAR4, UCHAR4, UINT]), fixed(INT, &[CHAR4, CHAR4, INT])];
const PACKED_UINT: &[Sig] = &[fixed(UINT, &[UINT, UINT])];
const PACKED_INT: &[Sig] = &[fixed(INT, &[UINT, UINT])];
const PACKED_ACC_UINT: &[Sig] = &[fixed(UINT, &[UINT, UINT, UINT])];
const PACKED_ACC_INT: &[Sig] = &[fixed(INT, &[UINT, UINT, INT])];
const INSERT: &[Sig] = &[sig(INTS, ALL, Gen, &[Gen, Gen, UINT, UINT])];
const EXTRACT_SIGNED: &[Sig] = &[sig(INTS, ALL, SignedGen, &[Gen, UINT, UINT])];
const EXTRACT_UNSIGNED: &[Sig] = &[sig(INTS, ALL, UnsignedGen, &[Gen, UINT, UINT])];
const REVERSE: &[Sig] = &[sig(INTS, ALL, Gen, &[Gen])];

/// `cl_khr_integer_dot_product`, `cl_arm_integer_dot_product_…`, `cl_khr_extended_bit_ops`.
pub const DOT: &[Row] = &[
    row("dot_acc_sat", DOT_ACC_SAT, How::Lower(dot::dot_acc_sat)),
    row("arm_dot", ARM_DOT, How::Lower(dot::dot)),
    row("arm_dot_acc", ARM_DOT_ACC, How::Lower(dot::dot_acc)),
    row("arm_dot_acc_sat", ARM_DOT_ACC_SAT, How::Lower(dot::dot_acc_sat)),
    row("dot_4x8packed_uu_uint", PACKED_UINT, How::Lower(dot::packed_uu)),
    row("dot_acc_sat_4x8packed_uu_uint", PACKED_ACC_UINT, How::Lower(dot::packed_acc_sat_uu)),
    row("dot_4x8packed_ss_int", PACKED_INT, How::Lower(dot::packed_ss)),
    row("dot_acc_sat_4x8packed_ss_int", PACKED_ACC_INT, How::Lower(dot::packed_acc_sat_ss)),
    row("dot_4x8packed_us_int", PACKED_INT, How::Lower(dot::packed_us)),
    row("dot_acc_sat_4x8packed_us_int", PACKED_ACC_INT, How::Lower(dot::packed_acc_sat_us)),
    row("dot_4x8packed_su_int", PACKED_INT, How::Lower(dot::packed_su)),
    row("dot_acc_sat_4x8packed_su_int", PACKED_ACC_INT, How::Lower(dot::packed_acc_sat_su)),
    row("bitfield_insert", INSERT, How::Lower(dot::bitfield_insert)),
    row("bitfield_extract_signed", EXTRACT_SIGNED, How::Lower(dot::bitfield_extract_signed)),
    row("bitfield_extract_unsigned", EXTRACT_UNSIGNED, How::Lower(dot::bitfield_extract_unsigned)),
    row("bit_reverse", REVERSE, How::Lower(dot::bit_reverse)),
];
