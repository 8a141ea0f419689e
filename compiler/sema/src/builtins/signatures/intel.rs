//! Signatures of Intel's extensions: exchanges and blocks of memory of sub-groups (`cl_intel_subgroups` and those for other
//! types), work-group barriers in two halves, conversions to and from `bfloat16`.

use super::memory::{L2, L3, L4, L8, L16};
use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row};
use crate::hir::types::{FloatKind, IntKind, Scalar};
use Pattern::{Gen, Void};

const UC: Scalar = Scalar::Int(IntKind::UChar);
const US: Scalar = Scalar::Int(IntKind::UShort);
const UI: Scalar = Scalar::Int(IntKind::UInt);
const UL: Scalar = Scalar::Int(IntKind::ULong);
const F: Scalar = Scalar::Float(FloatKind::Float);

const EXCHANGE: &[Sig] = &[sig(NUMBERS, ALL, Gen, &[Gen, UINT])];
const EXCHANGE_OF_TWO: &[Sig] = &[sig(NUMBERS, ALL, Gen, &[Gen, Gen, UINT])];
const HALF_BARRIER: &[Sig] = &[fixed(Void, &[UINT]), fixed(Void, &[UINT, INT])];

const fn to_bfloat16(lanes: LaneSet) -> Sig {
    sig(FLOAT, lanes, Pattern::Lanes(US), &[Gen])
}

const fn from_bfloat16(lanes: LaneSet) -> Sig {
    sig(0x08, lanes, Pattern::Lanes(F), &[Gen])
}

/// A scalar, or a vector of it.
const fn numbers(scalar: Scalar, lanes: u8) -> Pattern {
    if lanes == 1 { Pattern::One(scalar) } else { Pattern::Vector(scalar, lanes) }
}

/// The functions on blocks of memory, and the hints to fetch them, by the ends of their names.
macro_rules! blocks {
    (io: $($io:literal $of:ident $count:literal,)* prefetch: $($end:literal $scalar:ident,)*) => {
        /// Sub-groups read and write blocks of memory together.
        pub const BLOCKS: &[Row] = &[
            $(row(
                concat!("intel_sub_group_block_read", $io),
                &[fixed(numbers($of, $count), &[Pattern::Ptr(Pointee::One($of), CONST, GLOBAL | LOCAL)])],
            ),
            row(
                concat!("intel_sub_group_block_write", $io),
                &[fixed(Void, &[Pattern::Ptr(Pointee::One($of), 0, GLOBAL | LOCAL), numbers($of, $count)])],
            ),)*
            $(row(
                concat!("intel_sub_group_block_prefetch", $end),
                &[fixed(Void, &[Pattern::Ptr(Pointee::One($scalar), CONST, GLOBAL)])],
            ),)*
        ];
    };
}

blocks! {
    io:
    "" UI 1, "2" UI 2, "4" UI 4, "8" UI 8,
    "_ui" UI 1, "_ui2" UI 2, "_ui4" UI 4, "_ui8" UI 8,
    "_uc" UC 1, "_uc2" UC 2, "_uc4" UC 4, "_uc8" UC 8, "_uc16" UC 16,
    "_us" US 1, "_us2" US 2, "_us4" US 4, "_us8" US 8, "_us16" US 16,
    "_ul" UL 1, "_ul2" UL 2, "_ul4" UL 4, "_ul8" UL 8,
    prefetch:
    "_ui" UI, "_ui2" UI, "_ui4" UI, "_ui8" UI,
    "_uc" UC, "_uc2" UC, "_uc4" UC, "_uc8" UC, "_uc16" UC,
    "_us" US, "_us2" US, "_us4" US, "_us8" US, "_us16" US,
    "_ul" UL, "_ul2" UL, "_ul4" UL, "_ul8" UL,
}

/// Exchanges, barriers, conversions.
pub const INTEL: &[Row] = &[
    row("intel_sub_group_shuffle", EXCHANGE),
    row("intel_sub_group_shuffle_xor", EXCHANGE),
    row("intel_sub_group_shuffle_down", EXCHANGE_OF_TWO),
    row("intel_sub_group_shuffle_up", EXCHANGE_OF_TWO),
    row("intel_work_group_barrier_arrive", HALF_BARRIER),
    row("intel_work_group_barrier_wait", HALF_BARRIER),
    row("intel_convert_bfloat16_as_ushort", &[to_bfloat16(ONE)]),
    row("intel_convert_bfloat162_as_ushort2", &[to_bfloat16(L2)]),
    row("intel_convert_bfloat163_as_ushort3", &[to_bfloat16(L3)]),
    row("intel_convert_bfloat164_as_ushort4", &[to_bfloat16(L4)]),
    row("intel_convert_bfloat168_as_ushort8", &[to_bfloat16(L8)]),
    row("intel_convert_bfloat1616_as_ushort16", &[to_bfloat16(L16)]),
    row("intel_convert_as_bfloat16_float", &[from_bfloat16(ONE)]),
    row("intel_convert_as_bfloat162_float2", &[from_bfloat16(L2)]),
    row("intel_convert_as_bfloat163_float3", &[from_bfloat16(L3)]),
    row("intel_convert_as_bfloat164_float4", &[from_bfloat16(L4)]),
    row("intel_convert_as_bfloat168_float8", &[from_bfloat16(L8)]),
    row("intel_convert_as_bfloat1616_float16", &[from_bfloat16(L16)]),
];
