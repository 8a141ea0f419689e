//! `vload_half`, `vstore_half` and their vector and aligned forms (OpenCL C 6.15.7).

use super::BuiltinId;
use super::convert::Rounding;
use super::lower::{Lower, Lowered, binary_int};
use super::lower_convert::round_float;
use super::lower_memory::packed;
use super::table::known;
use crate::ir::{BinaryOp, ConvertOp, Op, ScalarType, Type, Value, Values};

const VLOAD_HALF: BuiltinId = known("__vload_half");
const VSTORE_HALF: BuiltinId = known("__vstore_half");
const VSTORE_HALF_RTE: BuiltinId = known("__vstore_half_rte");
const VSTORE_HALF_RTZ: BuiltinId = known("__vstore_half_rtz");
const VSTORE_HALF_RTP: BuiltinId = known("__vstore_half_rtp");
const VSTORE_HALF_RTN: BuiltinId = known("__vstore_half_rtn");

/// The rounding mode that is a literal operand of the function's instruction.
pub fn opencl_rounding(id: BuiltinId) -> Option<u32> {
    [VSTORE_HALF_RTE, VSTORE_HALF_RTZ, VSTORE_HALF_RTP, VSTORE_HALF_RTN]
        .iter()
        .position(|known| *known == id)
        .and_then(|mode| u32::try_from(mode).ok())
}

/// Whether the function reads or writes a half through its last argument.
pub fn is_half_access(id: BuiltinId) -> bool {
    id == VLOAD_HALF || id == VSTORE_HALF || opencl_rounding(id).is_some()
}

/// Bytes from one vector of halves to the next, and their alignment: three lanes are packed unless the form is aligned.
fn layout(lanes: u8, aligned: bool) -> (u64, u32) {
    let lanes = if aligned { lanes.next_power_of_two() } else { lanes };
    (u64::from(lanes) * 2, if aligned { u32::from(lanes) * 2 } else { 2 })
}

/// The number of the half that a lane is, counted from the pointer.
fn place(l: &mut Lower<'_, '_>, offset: Value, lanes: u8, lane: u8, aligned: bool) -> Value {
    let (stride, _) = layout(lanes, aligned);
    let first = binary_int(l.b, BinaryOp::Mul, offset, (stride / 2) as i64);
    binary_int(l.b, BinaryOp::Add, first, i64::from(lane))
}

/// On OpenCL by the functions of OpenCL.std, which need no arithmetic on halves.
fn load_opencl(l: &mut Lower<'_, '_>, ty: Type, aligned: bool) -> Lowered {
    let (offset, ptr) = (l.arg(0)?, l.arg(1)?);
    let mut lanes = Vec::new();
    for lane in 0..ty.lanes {
        let index = place(l, offset, ty.lanes, lane, aligned);
        let args = Values::from_slice(&[index, ptr]);
        lanes.extend(l.b.push(Op::Builtin { function: VLOAD_HALF, args }, &[ty.lane()]));
    }
    Ok(Some(l.b.construct(&lanes)))
}

fn store_opencl(l: &mut Lower<'_, '_>, aligned: bool, rounding: Rounding) -> Lowered {
    let (value, offset, ptr) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let function = match rounding {
        Rounding::Default => VSTORE_HALF,
        Rounding::NearestEven => VSTORE_HALF_RTE,
        Rounding::Zero => VSTORE_HALF_RTZ,
        Rounding::Up => VSTORE_HALF_RTP,
        Rounding::Down => VSTORE_HALF_RTN,
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
