//! Signatures of loads and stores of halves (OpenCL C 6.15.7).

use super::memory::{L2, L3, L4, L8, L16};
use crate::builtins::pattern::*;
use crate::builtins::row::{Row, row};
use crate::hir::types::{FloatKind, Scalar};
use Pattern::Gen;

const HALF1: Scalar = Scalar::Float(FloatKind::Half);

const fn load_half(lanes: LaneSet) -> Sig {
    sig(FLOAT, lanes, Gen, &[SIZE, Pattern::Ptr(Pointee::One(HALF1), CONST, ANY_SPACE)])
}

const fn store_half(lanes: LaneSet) -> Sig {
    sig(FLOAT | DOUBLE, lanes, Pattern::Void, &[Gen, SIZE, Pattern::Ptr(Pointee::One(HALF1), 0, WRITABLE)])
}

/// The functions of 6.15.7 on halves.
pub const HALF_ACCESS: &[Row] = &[
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
];
