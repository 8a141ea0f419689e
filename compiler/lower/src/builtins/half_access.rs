//! `vload_half`, `vstore_half` and their vector and aligned forms (OpenCL C 6.15.7).

use super::convert::round_float;
use super::memory::packed;
use super::{Entry, Lower, Lowered};
use clforge_ir::{BinaryOp, ConvertOp, Intrinsic, Op, ScalarType, Type, Value, Values};
use clforge_sema::builtins::Rounding;

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

/// Bytes from one vector of halves to the next, and their alignment: three lanes are packed unless the form is aligned.
fn layout(lanes: u8, aligned: bool) -> (u64, u32) {
    let lanes = if aligned { lanes.next_power_of_two() } else { lanes };
    (u64::from(lanes) * 2, if aligned { u32::from(lanes) * 2 } else { 2 })
}

/// The number of the half that a lane is, counted from the pointer.
fn place(l: &mut Lower<'_, '_>, offset: Value, lanes: u8, lane: u8, aligned: bool) -> Value {
    let (stride, _) = layout(lanes, aligned);
    let first = l.b.binary_int(BinaryOp::Mul, offset, (stride / 2) as i64);
    l.b.binary_int(BinaryOp::Add, first, i64::from(lane))
}

/// On OpenCL by the functions of OpenCL.std, which need no arithmetic on halves.
fn load_opencl(l: &mut Lower<'_, '_>, ty: Type, aligned: bool) -> Lowered {
    let (offset, ptr) = (l.arg(0)?, l.arg(1)?);
    let mut lanes = Vec::new();
    for lane in 0..ty.lanes {
        let index = place(l, offset, ty.lanes, lane, aligned);
        let args = Values::from_slice(&[index, ptr]);
        lanes.extend(l.b.push(Op::Builtin { function: Intrinsic::VloadHalf, args }, &[ty.lane()]));
    }
    Ok(Some(l.b.construct(&lanes)))
}

fn store_opencl(l: &mut Lower<'_, '_>, aligned: bool, rounding: Rounding) -> Lowered {
    let (value, offset, ptr) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let function = match rounding {
        Rounding::Default => Intrinsic::VstoreHalf,
        Rounding::NearestEven => Intrinsic::VstoreHalfRte,
        Rounding::Zero => Intrinsic::VstoreHalfRtz,
        Rounding::Up => Intrinsic::VstoreHalfRtp,
        Rounding::Down => Intrinsic::VstoreHalfRtn,
    };
    let lanes = l.b.ty(value).lanes;
    for lane in 0..lanes {
        let data = l.b.extract(value, lane);
        let index = place(l, offset, lanes, lane, aligned);
        l.b.effect(Op::Builtin { function, args: Values::from_slice(&[data, index, ptr]) });
    }
    Ok(None)
}

fn load(l: &mut Lower<'_, '_>, aligned: bool) -> Lowered {
    let ty = l.number()?;
    if !l.options.target.is_vulkan() {
        return load_opencl(l, ty, aligned);
    }
    let (offset, ptr) = (l.arg(0)?, l.arg(1)?);
    let (stride, align) = layout(ty.lanes, aligned);
    let at = packed(l, ptr, offset, stride);
    let halves = l.b.load(ty.with_scalar(ScalarType::F16), at, align);
    Ok(Some(l.b.convert(ConvertOp::FExt, halves, ty)))
}

fn store(l: &mut Lower<'_, '_>, aligned: bool, rounding: Rounding) -> Lowered {
    if !l.options.target.is_vulkan() {
        return store_opencl(l, aligned, rounding);
    }
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
