//! Intrinsics as instructions of `OpenCL.std`.

use super::{OpenCl, class};
use crate::emit::common::FunctionEmitter;
use clforge_ir::error::{Api, Unsupported};
use clforge_ir::{Error, Inst, Intrinsic, Values};
use rspirv::dr::Operand;
use rspirv::spirv::{self, FPRoundingMode, OpenclStd100Op as Op};

impl OpenCl<'_> {
    /// An intrinsic as an instruction of `OpenCL.std`.
    pub(super) fn intrinsic(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        intrinsic: Intrinsic,
        args: &Values,
        inst: &Inst,
    ) -> Result<(), Error> {
        let name = intrinsic.name();
        let unsupported = || Error::unsupported(Unsupported::Builtin { name, ty: None, api: Some(Api::OpenCl) });
        let number = instruction(intrinsic).ok_or_else(unsupported)?;
        let mut operands = vec![Operand::IdRef(self.extended), Operand::LiteralExtInstInteger(number as u32)];
        for arg in args {
            let mut id = f.id(self, *arg);
            if let (Some(space), Some(pointee)) = (f.function.ty(*arg).space(), intrinsic.pointee()) {
                let pointee = f.m.stored_scalar(pointee);
                let pointer = f.m.pointer(class(space), pointee);
                id = f.push(spirv::Op::Bitcast, pointer, vec![Operand::IdRef(id)])?;
            }
            operands.push(Operand::IdRef(id));
        }
        operands.extend(rounding(intrinsic).map(Operand::FPRoundingMode));
        let (id, ty) = match inst.results.first() {
            Some(result) => (f.id(self, *result), f.type_of(self, *result)),
            None => (f.m.id(), f.m.void()),
        };
        f.push_as(id, spirv::Op::ExtInst, ty, operands)
    }
}

/// The instruction of an intrinsic; `None` for intrinsics that `OpenCL.std` lacks, or that `opencl/builtins` has expanded.
fn instruction(intrinsic: Intrinsic) -> Option<Op> {
    Some(match intrinsic {
        Intrinsic::Acos => Op::acos,
        Intrinsic::Acosh => Op::acosh,
        Intrinsic::Acospi => Op::acospi,
        Intrinsic::Asin => Op::asin,
        Intrinsic::Asinh => Op::asinh,
        Intrinsic::Asinpi => Op::asinpi,
        Intrinsic::Atan => Op::atan,
        Intrinsic::Atan2 => Op::atan2,
        Intrinsic::Atanh => Op::atanh,
        Intrinsic::Atanpi => Op::atanpi,
        Intrinsic::Atan2pi => Op::atan2pi,
        Intrinsic::Cbrt => Op::cbrt,
        Intrinsic::Ceil => Op::ceil,
        Intrinsic::Copysign => Op::copysign,
        Intrinsic::Cos => Op::cos,
        Intrinsic::Cosh => Op::cosh,
        Intrinsic::Cospi => Op::cospi,
        Intrinsic::Erfc => Op::erfc,
        Intrinsic::Erf => Op::erf,
        Intrinsic::Exp => Op::exp,
        Intrinsic::Exp2 => Op::exp2,
        Intrinsic::Exp10 => Op::exp10,
        Intrinsic::Expm1 => Op::expm1,
        Intrinsic::Fabs => Op::fabs,
        Intrinsic::Fdim => Op::fdim,
        Intrinsic::Floor => Op::floor,
        Intrinsic::Fma => Op::fma,
        Intrinsic::Fmax => Op::fmax,
        Intrinsic::Fmin => Op::fmin,
        Intrinsic::Fmod => Op::fmod,
        Intrinsic::Hypot => Op::hypot,
        Intrinsic::Ilogb => Op::ilogb,
        Intrinsic::Ldexp => Op::ldexp,
        Intrinsic::Lgamma => Op::lgamma,
        Intrinsic::Log => Op::log,
        Intrinsic::Log2 => Op::log2,
        Intrinsic::Log10 => Op::log10,
        Intrinsic::Log1p => Op::log1p,
        Intrinsic::Logb => Op::logb,
        Intrinsic::Mad => Op::mad,
        Intrinsic::Maxmag => Op::maxmag,
        Intrinsic::Minmag => Op::minmag,
        Intrinsic::Nextafter => Op::nextafter,
        Intrinsic::Pow => Op::pow,
        Intrinsic::Pown => Op::pown,
        Intrinsic::Powr => Op::powr,
        Intrinsic::Remainder => Op::remainder,
        Intrinsic::Rint => Op::rint,
        Intrinsic::Rootn => Op::rootn,
        Intrinsic::Round => Op::round,
        Intrinsic::Rsqrt => Op::rsqrt,
        Intrinsic::Sin => Op::sin,
        Intrinsic::Sinh => Op::sinh,
        Intrinsic::Sinpi => Op::sinpi,
        Intrinsic::Sqrt => Op::sqrt,
        Intrinsic::Tan => Op::tan,
        Intrinsic::Tanh => Op::tanh,
        Intrinsic::Tanpi => Op::tanpi,
        Intrinsic::Tgamma => Op::tgamma,
        Intrinsic::Trunc => Op::trunc,
        Intrinsic::HalfCos => Op::half_cos,
        Intrinsic::HalfExp => Op::half_exp,
        Intrinsic::HalfExp2 => Op::half_exp2,
        Intrinsic::HalfExp10 => Op::half_exp10,
        Intrinsic::HalfLog => Op::half_log,
        Intrinsic::HalfLog2 => Op::half_log2,
        Intrinsic::HalfLog10 => Op::half_log10,
        Intrinsic::HalfPowr => Op::half_powr,
        Intrinsic::HalfRsqrt => Op::half_rsqrt,
        Intrinsic::HalfSin => Op::half_sin,
        Intrinsic::HalfSqrt => Op::half_sqrt,
        Intrinsic::HalfTan => Op::half_tan,
        Intrinsic::NativeCos => Op::native_cos,
        Intrinsic::NativeDivide => Op::native_divide,
        Intrinsic::NativeExp => Op::native_exp,
        Intrinsic::NativeExp2 => Op::native_exp2,
        Intrinsic::NativeExp10 => Op::native_exp10,
        Intrinsic::NativeLog => Op::native_log,
        Intrinsic::NativeLog2 => Op::native_log2,
        Intrinsic::NativeLog10 => Op::native_log10,
        Intrinsic::NativePowr => Op::native_powr,
        Intrinsic::NativeRecip => Op::native_recip,
        Intrinsic::NativeRsqrt => Op::native_rsqrt,
        Intrinsic::NativeSin => Op::native_sin,
        Intrinsic::NativeSqrt => Op::native_sqrt,
        Intrinsic::NativeTan => Op::native_tan,
        Intrinsic::Remquo => Op::remquo,
        Intrinsic::LgammaR => Op::lgamma_r,
        Intrinsic::FmaxCommon => Op::fmax_common,
        Intrinsic::FminCommon => Op::fmin_common,
        Intrinsic::Clz => Op::clz,
        Intrinsic::Ctz => Op::ctz,
        Intrinsic::Popcount => Op::popcount,
        Intrinsic::SMulHi => Op::s_mul_hi,
        Intrinsic::UMulHi => Op::u_mul_hi,
        Intrinsic::VloadHalf => Op::vload_half,
        Intrinsic::VstoreHalf => Op::vstore_half,
        Intrinsic::VstoreHalfRte => Op::vstore_half_r,
        Intrinsic::VstoreHalfRtz => Op::vstore_half_r,
        Intrinsic::VstoreHalfRtp => Op::vstore_half_r,
        Intrinsic::VstoreHalfRtn => Op::vstore_half_r,
        Intrinsic::Printf => Op::printf,
        Intrinsic::Dot
        | Intrinsic::VloadaHalf
        | Intrinsic::VstoreaHalf
        | Intrinsic::VstoreaHalfRte
        | Intrinsic::VstoreaHalfRtz
        | Intrinsic::VstoreaHalfRtp
        | Intrinsic::VstoreaHalfRtn
        | Intrinsic::FindMsb
        | Intrinsic::Sincos
        | Intrinsic::FindLsb
        | Intrinsic::BitFieldSExtract
        | Intrinsic::BitFieldUExtract => return None,
    })
}

/// The rounding mode that is a literal operand of the instruction.
fn rounding(intrinsic: Intrinsic) -> Option<FPRoundingMode> {
    Some(match intrinsic {
        Intrinsic::VstoreHalfRte => FPRoundingMode::RTE,
        Intrinsic::VstoreHalfRtz => FPRoundingMode::RTZ,
        Intrinsic::VstoreHalfRtp => FPRoundingMode::RTP,
        Intrinsic::VstoreHalfRtn => FPRoundingMode::RTN,
        _ => return None,
    })
}
