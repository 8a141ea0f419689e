//! Signatures of integer dot products and bit fields (`cl_khr_integer_dot_product`, `cl_khr_extended_bit_ops`).

use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row};
use crate::hir::types::{IntKind, Scalar};
use Pattern::{Gen, SignedGen, UnsignedGen};

const CHAR4: Pattern = Pattern::Vector(Scalar::Int(IntKind::Char), 4);
const UCHAR4: Pattern = Pattern::Vector(Scalar::Int(IntKind::UChar), 4);
const SHORT2: Pattern = Pattern::Vector(Scalar::Int(IntKind::Short), 2);
const USHORT2: Pattern = Pattern::Vector(Scalar::Int(IntKind::UShort), 2);

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
    row("dot_acc_sat", DOT_ACC_SAT),
    row("arm_dot", ARM_DOT),
    row("arm_dot_acc", ARM_DOT_ACC),
    row("arm_dot_acc_sat", ARM_DOT_ACC_SAT),
    row("dot_4x8packed_uu_uint", PACKED_UINT),
    row("dot_acc_sat_4x8packed_uu_uint", PACKED_ACC_UINT),
    row("dot_4x8packed_ss_int", PACKED_INT),
    row("dot_acc_sat_4x8packed_ss_int", PACKED_ACC_INT),
    row("dot_4x8packed_us_int", PACKED_INT),
    row("dot_acc_sat_4x8packed_us_int", PACKED_ACC_INT),
    row("dot_4x8packed_su_int", PACKED_INT),
    row("dot_acc_sat_4x8packed_su_int", PACKED_ACC_INT),
    row("bitfield_insert", INSERT),
    row("bitfield_extract_signed", EXTRACT_SIGNED),
    row("bitfield_extract_unsigned", EXTRACT_UNSIGNED),
    row("bit_reverse", REVERSE),
];
