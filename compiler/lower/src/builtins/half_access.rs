//! `vload_half`, `vstore_half` and their vector and aligned forms (OpenCL C 6.15.7): they become intrinsics, since not
//! every target computes with halves.

use super::{Entry, Lower, Lowered};
use crate::checks::{self, Bound};
use clforge_basic::options::Sanitizers;
use clforge_ir::{Intrinsic, Op, Rounding, Values};

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("vload_half", vload_half),
    ("vload_half2", vload_half),
    ("vload_half3", vload_half),
    ("vload_half4", vload_half),
    ("vload_half8", vload_half),
    ("vload_half16", vload_half),
    ("vloada_half2", vloada_half),
    ("vloada_half3", vloada_half),
    ("vloada_half4", vloada_half),
    ("vloada_half8", vloada_half),
    ("vloada_half16", vloada_half),
    ("vstore_half", vstore_half),
    ("vstore_half_rte", vstore_half_rte),
    ("vstore_half_rtz", vstore_half_rtz),
    ("vstore_half_rtp", vstore_half_rtp),
    ("vstore_half_rtn", vstore_half_rtn),
    ("vstore_half2", vstore_half),
    ("vstore_half2_rte", vstore_half_rte),
    ("vstore_half2_rtz", vstore_half_rtz),
    ("vstore_half2_rtp", vstore_half_rtp),
    ("vstore_half2_rtn", vstore_half_rtn),
    ("vstore_half3", vstore_half),
    ("vstore_half3_rte", vstore_half_rte),
    ("vstore_half3_rtz", vstore_half_rtz),
    ("vstore_half3_rtp", vstore_half_rtp),
    ("vstore_half3_rtn", vstore_half_rtn),
    ("vstore_half4", vstore_half),
    ("vstore_half4_rte", vstore_half_rte),
    ("vstore_half4_rtz", vstore_half_rtz),
    ("vstore_half4_rtp", vstore_half_rtp),
    ("vstore_half4_rtn", vstore_half_rtn),
    ("vstore_half8", vstore_half),
    ("vstore_half8_rte", vstore_half_rte),
    ("vstore_half8_rtz", vstore_half_rtz),
    ("vstore_half8_rtp", vstore_half_rtp),
    ("vstore_half8_rtn", vstore_half_rtn),
    ("vstore_half16", vstore_half),
    ("vstore_half16_rte", vstore_half_rte),
    ("vstore_half16_rtz", vstore_half_rtz),
    ("vstore_half16_rtp", vstore_half_rtp),
    ("vstore_half16_rtn", vstore_half_rtn),
    ("vstorea_half2", vstorea_half),
    ("vstorea_half2_rte", vstorea_half_rte),
    ("vstorea_half2_rtz", vstorea_half_rtz),
    ("vstorea_half2_rtp", vstorea_half_rtp),
    ("vstorea_half2_rtn", vstorea_half_rtn),
    ("vstorea_half3", vstorea_half),
    ("vstorea_half3_rte", vstorea_half_rte),
    ("vstorea_half3_rtz", vstorea_half_rtz),
    ("vstorea_half3_rtp", vstorea_half_rtp),
    ("vstorea_half3_rtn", vstorea_half_rtn),
    ("vstorea_half4", vstorea_half),
    ("vstorea_half4_rte", vstorea_half_rte),
    ("vstorea_half4_rtz", vstorea_half_rtz),
    ("vstorea_half4_rtp", vstorea_half_rtp),
    ("vstorea_half4_rtn", vstorea_half_rtn),
    ("vstorea_half8", vstorea_half),
    ("vstorea_half8_rte", vstorea_half_rte),
    ("vstorea_half8_rtz", vstorea_half_rtz),
    ("vstorea_half8_rtp", vstorea_half_rtp),
    ("vstorea_half8_rtn", vstorea_half_rtn),
    ("vstorea_half16", vstorea_half),
    ("vstorea_half16_rte", vstorea_half_rte),
    ("vstorea_half16_rtz", vstorea_half_rtz),
    ("vstorea_half16_rtp", vstorea_half_rtp),
    ("vstorea_half16_rtn", vstorea_half_rtn),
];

fn load(l: &mut Lower<'_, '_>, function: Intrinsic) -> Lowered {
    let ty = l.number()?;
    let args = Values::from_slice(&[l.arg(0)?, l.arg(1)?]);
    Ok(l.b.push(Op::Intrinsic { function, args }, &[ty]).first().copied())
}

/// The magnitudes from which on negative and positive numbers become infinities.
fn overflow(function: Intrinsic) -> [Option<Bound>; 2] {
    // Half the distance from the greatest half, 65504, to the power of two behind it.
    let nearest = Some(Bound { number: 65520.0, is_included: true });
    let away = Some(Bound { number: 65504.0, is_included: false });
    match function.half_access().and_then(|access| access.rounding) {
        Some(Rounding::NearestEven) => [nearest, nearest],
        Some(Rounding::Up) => [None, away],
        Some(Rounding::Down) => [away, None],
        Some(Rounding::Zero) | None => [None, None],
    }
}

fn store(l: &mut Lower<'_, '_>, function: Intrinsic) -> Lowered {
    let args = Values::from_slice(&[l.arg(0)?, l.arg(1)?, l.arg(2)?]);
    if checks::looks_for(l.options, Sanitizers::FLOAT) {
        checks::finite_half(l.b, args[0], overflow(function));
    }
    l.b.effect(Op::Intrinsic { function, args });
    Ok(None)
}

pub fn vload_half(l: &mut Lower<'_, '_>) -> Lowered {
    load(l, Intrinsic::VloadHalf)
}

pub fn vloada_half(l: &mut Lower<'_, '_>) -> Lowered {
    load(l, Intrinsic::VloadaHalf)
}

macro_rules! stores {
    ($($name:ident = $function:ident;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            store(l, Intrinsic::$function)
        })*
    };
}

stores! {
    vstore_half = VstoreHalf;
    vstore_half_rte = VstoreHalfRte;
    vstore_half_rtz = VstoreHalfRtz;
    vstore_half_rtp = VstoreHalfRtp;
    vstore_half_rtn = VstoreHalfRtn;
    vstorea_half = VstoreaHalf;
    vstorea_half_rte = VstoreaHalfRte;
    vstorea_half_rtz = VstoreaHalfRtz;
    vstorea_half_rtp = VstoreaHalfRtp;
    vstorea_half_rtn = VstoreaHalfRtn;
}
