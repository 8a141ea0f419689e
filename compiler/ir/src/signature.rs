//! The operands and results of intrinsics, and the intrinsics for which each target has instructions.

use crate::{Intrinsic, ScalarType};

/// The operands and the result of an intrinsic. `T` is one type throughout, a scalar or a vector; `int` has its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// `T f(T, …)` with that many operands, floating.
    Floats(usize),
    /// `T f(T, int)`, `T` floating.
    FloatAndInt,
    /// `int f(T)`, `T` floating.
    FloatToInt,
    /// `T f(T, …, int *)` with that many operands before the pointer, `T` a floating scalar.
    FloatsAndPointer(usize),
    /// `T f(T, …)` with that many operands, integers of 8 to 64 bits.
    Integers(usize),
    /// `scalar f(T, T)`, `T` floating, `scalar` its lane.
    Dot,
    /// `int f(int)`.
    Words,
    /// `int f(int, i32, i32)`: the base, the first bit and the number of bits.
    BitField,
    /// `T f(i32 or i64, half *)`, `T` of `float`s.
    LoadHalf,
    /// `void f(T, i32 or i64, half *)`, `T` of `float`s or `double`s.
    StoreHalf,
    /// `i32 f(format, …)` with any values. The format is a pointer, or on Vulkan a number.
    Printf,
}

impl Intrinsic {
    /// The operands and the result.
    pub fn signature(self) -> Signature {
        use Intrinsic::*;
        match self {
            Acos | Acosh | Acospi | Asin | Asinh | Asinpi | Atan | Atanh | Atanpi | Cbrt | Ceil | Cos | Cosh
            | Cospi | Erfc | Erf | Exp | Exp2 | Exp10 | Expm1 | Fabs | Floor | Lgamma | Log | Log2 | Log10 | Log1p
            | Logb | Rint | Round | Rsqrt | Sin | Sinh | Sinpi | Sqrt | Tan | Tanh | Tanpi | Tgamma | Trunc => {
                Signature::Floats(1)
            }
            HalfCos | HalfExp | HalfExp2 | HalfExp10 | HalfLog | HalfLog2 | HalfLog10 | HalfRsqrt | HalfSin
            | HalfSqrt | HalfTan | NativeCos | NativeExp | NativeExp2 | NativeExp10 | NativeLog | NativeLog2
            | NativeLog10 | NativeRecip | NativeRsqrt | NativeSin | NativeSqrt | NativeTan => Signature::Floats(1),
            Atan2 | Atan2pi | Copysign | Fdim | Fmax | Fmin | Fmod | Hypot | Maxmag | Minmag | Nextafter | Pow
            | Powr | Remainder | HalfPowr | NativeDivide | NativePowr | FmaxCommon | FminCommon => Signature::Floats(2),
            Fma | Mad => Signature::Floats(3),
            Ldexp | Pown | Rootn => Signature::FloatAndInt,
            Ilogb => Signature::FloatToInt,
            LgammaR | Sincos => Signature::FloatsAndPointer(1),
            Remquo => Signature::FloatsAndPointer(2),
            Clz | Ctz | Popcount => Signature::Integers(1),
            SMulHi | UMulHi => Signature::Integers(2),
            FindMsb | FindLsb => Signature::Words,
            BitFieldSExtract | BitFieldUExtract => Signature::BitField,
            Dot => Signature::Dot,
            VloadHalf | VloadaHalf => Signature::LoadHalf,
            VstoreHalf | VstoreHalfRte | VstoreHalfRtz | VstoreHalfRtp | VstoreHalfRtn => Signature::StoreHalf,
            VstoreaHalf | VstoreaHalfRte | VstoreaHalfRtz | VstoreaHalfRtp | VstoreaHalfRtn => Signature::StoreHalf,
            Printf => Signature::Printf,
        }
    }

    /// The scalars of the first operand for which Vulkan may have an instruction that is precise enough; of the others it
    /// has a function of the library, or core operations. `printf`, for which it has neither, becomes stores later.
    pub fn vulkan_scalars(self) -> &'static [ScalarType] {
        use Intrinsic::*;
        use ScalarType::{F16, F32, F64, I32, I64};
        match self {
            Ceil | Fabs | Floor | Fma | Fmax | Fmin | Rint | Sqrt | Trunc => &[F32, F64],
            FmaxCommon | FminCommon | Mad => &[F16, F32, F64],
            // Under `-cl-fast-relaxed-math`.
            Cos | Exp | Exp2 | Log | Log2 | Powr | Rsqrt | Sin | Tan => &[F32],
            HalfCos | HalfExp | HalfExp2 | HalfLog | HalfLog2 | HalfPowr | HalfSin | HalfTan => &[F32],
            HalfRsqrt | HalfSqrt => &[F32],
            NativeCos | NativeExp | NativeExp2 | NativeLog | NativeLog2 | NativePowr | NativeRsqrt | NativeSin
            | NativeSqrt | NativeTan => &[F32],
            FindMsb | FindLsb | BitFieldSExtract | BitFieldUExtract | Popcount => &[I32],
            SMulHi | UMulHi => &[I64],
            Acos | Acosh | Acospi | Asin | Asinh | Asinpi | Atan | Atan2 | Atanh | Atanpi | Atan2pi | Cbrt
            | Copysign | Cosh | Cospi | Erfc | Erf | Exp10 | Expm1 | Fdim | Fmod | Hypot | Ilogb | Ldexp | Lgamma
            | Log10 | Log1p | Logb | Maxmag | Minmag | Nextafter | Pow | Pown | Remainder | Rootn | Round | Sinh
            | Sinpi | Tanh | Tanpi | Tgamma => &[],
            HalfExp10 | HalfLog10 | NativeDivide | NativeExp10 | NativeLog10 | NativeRecip => &[],
            Remquo | LgammaR | Sincos | Clz | Ctz => &[],
            VloadHalf | VstoreHalf | VstoreHalfRte | VstoreHalfRtz | VstoreHalfRtp | VstoreHalfRtn => &[],
            VloadaHalf | VstoreaHalf | VstoreaHalfRte | VstoreaHalfRtz | VstoreaHalfRtp | VstoreaHalfRtn => &[],
            Dot | Printf => &[],
        }
    }

    /// Whether it is only for Vulkan: `OpenCL.std` has no instruction, or lowering does not make it.
    pub fn is_of_vulkan(self) -> bool {
        use Intrinsic::*;
        matches!(self, FindMsb | FindLsb | BitFieldSExtract | BitFieldUExtract | Sincos)
    }
}
