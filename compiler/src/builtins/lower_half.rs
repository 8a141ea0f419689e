//! `vload_half`, `vstore_half` and their vector and aligned forms (OpenCL C 6.15.7).

use super::convert::Rounding;
use super::lower::{Lower, Lowered};
use super::lower_convert::round_float;
use super::lower_memory::packed;
use crate::ir::{ConvertOp, ScalarType};

/// Bytes from one vector of halves to the next, and their alignment: three lanes are packed unless the form is aligned.
fn layout(lanes: u8, aligned: bool) -> (u64, u32) {
    let lanes = if aligned { lanes.next_power_of_two() } else { lanes };
    (u64::from(lanes) * 2, if aligned { u32::from(lanes) * 2 } else { 2 })
}

fn load(l: &mut Lower<'_, '_>, aligned: bool) -> Lowered {
    let ty = l.number()?;
    let (offset, ptr) = (l.arg(0)?, l.arg(1)?);
    let (stride, align) = layout(ty.lanes, aligned);
    let at = packed(l, ptr, offset, stride);
    let halves = l.b.load(ty.with_scalar(ScalarType::F16), at, align);
    Ok(Some(l.b.convert(ConvertOp::FExt, halves, ty)))
}

fn store(l: &mut Lower<'_, '_>, aligned: bool, rounding: Rounding) -> Lowered {
    let (value, offset, ptr) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let (stride, align) = layout(l.b.ty(value).lanes, aligned);
    let halves = round_float(l.b, value, ScalarType::F16, rounding);
    let at = packed(l, ptr, offset, stride);
    l.b.store(at, halves, align);
    Ok(None)
}

pub fn vload_half(l: &mut Lower<'_, '_>) -> Lowered {
    load(l, false)
}

pub fn vloada_half(l: &mut Lower<'_, '_>) -> Lowered {
    load(l, true)
}

macro_rules! stores {
    ($($name:ident = $aligned:expr, $rounding:ident;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            store(l, $aligned, Rounding::$rounding)
        })*
    };
}

stores! {
    vstore_half = false, Default;
    vstore_half_rte = false, NearestEven;
    vstore_half_rtz = false, Zero;
    vstore_half_rtp = false, Up;
    vstore_half_rtn = false, Down;
    vstorea_half = true, Default;
    vstorea_half_rte = true, NearestEven;
    vstorea_half_rtz = true, Zero;
    vstorea_half_rtp = true, Up;
    vstorea_half_rtn = true, Down;
}
