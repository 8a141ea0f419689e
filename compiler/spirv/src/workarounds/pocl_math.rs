//! `workarounds/pocl_math`: replaces instructions of `OpenCL.std` that PoCL lacks by those of full precision
//! ([`Workarounds::POCL_MATH`](clforge_basic::workarounds::Workarounds)).
//!
//! ```ir
//! ; pass: workarounds/pocl_math
//! func @f(%0: f32) -> f32 {
//!   %1: f32 = intrinsic "half_cos" %0
//!   %2: f32 = intrinsic "fmax_common" %1, %0
//!   %3: f32 = intrinsic "native_cos" %2
//!   return %3
//! }
//! ; ---
//! func @f(%0: f32) -> f32 {
//!   %1: f32 = intrinsic "cos" %0
//!   %2: f32 = intrinsic "fmax" %1, %0
//!   %3: f32 = intrinsic "native_cos" %2
//!   return %3
//! }
//! ```

use crate::legalize::SIMPLIFICATION;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;

/// The pass.
pub struct PoclMath;

impl FunctionPass for PoclMath {
    fn name(&self) -> &'static str {
        "workarounds/pocl_math"
    }

    fn order(&self) -> Order {
        Order { undone_by: SIMPLIFICATION, ..Order::ANY }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        for inst in &mut function.insts {
            if let Op::Intrinsic { function, .. } = &mut inst.op {
                *function = of_full_precision(*function).unwrap_or(*function);
            }
        }
        Changed::Maybe
    }
}

fn of_full_precision(intrinsic: Intrinsic) -> Option<Intrinsic> {
    Some(match intrinsic {
        Intrinsic::HalfCos => Intrinsic::Cos,
        Intrinsic::HalfExp => Intrinsic::Exp,
        Intrinsic::HalfExp2 => Intrinsic::Exp2,
        Intrinsic::HalfExp10 => Intrinsic::Exp10,
        Intrinsic::HalfLog => Intrinsic::Log,
        Intrinsic::HalfLog2 => Intrinsic::Log2,
        Intrinsic::HalfLog10 => Intrinsic::Log10,
        Intrinsic::HalfPowr => Intrinsic::Powr,
        Intrinsic::HalfRsqrt => Intrinsic::Rsqrt,
        Intrinsic::HalfSin => Intrinsic::Sin,
        Intrinsic::HalfSqrt => Intrinsic::Sqrt,
        Intrinsic::HalfTan => Intrinsic::Tan,
        Intrinsic::FmaxCommon => Intrinsic::Fmax,
        Intrinsic::FminCommon => Intrinsic::Fmin,
        _ => return None,
    })
}
