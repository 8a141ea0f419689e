//! Intrinsics: functions that core IR has no operations for; each target's legalisation decides what they become.
//!
//! What the OpenCL target makes of them is an instruction of `OpenCL.std`; the Vulkan target has an instruction of
//! `GLSL.std.450`, core operations, or a function of the library.

use super::{Rounding, ScalarType};

/// Declares [`Intrinsic`] with the names of the text form.
macro_rules! intrinsics {
    ($($variant:ident $name:literal,)*) => {
        /// A function that the target provides. The names are those of OpenCL C and `OpenCL.std`. Lane-wise on vectors, but
        /// for `dot`, whose result is one lane, and those of [`Intrinsic::half_access`], which move as many halves as the
        /// value has lanes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Intrinsic {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Intrinsic {
            /// All intrinsics, in the order of their declaration.
            pub const ALL: &[Intrinsic] = &[$(Intrinsic::$variant),*];

            /// The name in the text form.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Intrinsic::$variant => $name,)*
                }
            }
        }
    };
}

intrinsics! {
    Acos "acos",
    Acosh "acosh",
    Acospi "acospi",
    Asin "asin",
    Asinh "asinh",
    Asinpi "asinpi",
    Atan "atan",
    Atan2 "atan2",
    Atanh "atanh",
    Atanpi "atanpi",
    Atan2pi "atan2pi",
    Cbrt "cbrt",
    Ceil "ceil",
    Copysign "copysign",
    Cos "cos",
    Cosh "cosh",
    Cospi "cospi",
    Erfc "erfc",
    Erf "erf",
    Exp "exp",
    Exp2 "exp2",
    Exp10 "exp10",
    Expm1 "expm1",
    Fabs "fabs",
    Fdim "fdim",
    Floor "floor",
    Fma "fma",
    Fmax "fmax",
    Fmin "fmin",
    Fmod "fmod",
    Hypot "hypot",
    Ilogb "ilogb",
    Ldexp "ldexp",
    Lgamma "lgamma",
    Log "log",
    Log2 "log2",
    Log10 "log10",
    Log1p "log1p",
    Logb "logb",
    Mad "mad",
    Maxmag "maxmag",
    Minmag "minmag",
    Nextafter "nextafter",
    Pow "pow",
    Pown "pown",
    Powr "powr",
    Remainder "remainder",
    Rint "rint",
    Rootn "rootn",
    Round "round",
    Rsqrt "rsqrt",
    Sin "sin",
    Sinh "sinh",
    Sinpi "sinpi",
    Sqrt "sqrt",
    Tan "tan",
    Tanh "tanh",
    Tanpi "tanpi",
    Tgamma "tgamma",
    Trunc "trunc",
    HalfCos "half_cos",
    HalfExp "half_exp",
    HalfExp2 "half_exp2",
    HalfExp10 "half_exp10",
    HalfLog "half_log",
    HalfLog2 "half_log2",
    HalfLog10 "half_log10",
    HalfPowr "half_powr",
    HalfRsqrt "half_rsqrt",
    HalfSin "half_sin",
    HalfSqrt "half_sqrt",
    HalfTan "half_tan",
    NativeCos "native_cos",
    NativeDivide "native_divide",
    NativeExp "native_exp",
    NativeExp2 "native_exp2",
    NativeExp10 "native_exp10",
    NativeLog "native_log",
    NativeLog2 "native_log2",
    NativeLog10 "native_log10",
    NativePowr "native_powr",
    NativeRecip "native_recip",
    NativeRsqrt "native_rsqrt",
    NativeSin "native_sin",
    NativeSqrt "native_sqrt",
    NativeTan "native_tan",
    Remquo "remquo",
    LgammaR "lgamma_r",
    Sincos "sincos",
    FmaxCommon "fmax_common",
    FminCommon "fmin_common",
    Clz "clz",
    Ctz "ctz",
    Popcount "popcount",
    SMulHi "s_mul_hi",
    UMulHi "u_mul_hi",
    Dot "dot",
    FindMsb "find_msb",
    VloadHalf "vload_half",
    VloadaHalf "vloada_half",
    VstoreHalf "vstore_half",
    VstoreHalfRte "vstore_half_rte",
    VstoreHalfRtz "vstore_half_rtz",
    VstoreHalfRtp "vstore_half_rtp",
    VstoreHalfRtn "vstore_half_rtn",
    VstoreaHalf "vstorea_half",
    VstoreaHalfRte "vstorea_half_rte",
    VstoreaHalfRtz "vstorea_half_rtz",
    VstoreaHalfRtp "vstorea_half_rtp",
    VstoreaHalfRtn "vstorea_half_rtn",
    FindLsb "find_lsb",
    BitFieldSExtract "bit_field_s_extract",
    BitFieldUExtract "bit_field_u_extract",
    Printf "printf",
}

impl Intrinsic {
    /// The intrinsic of that name.
    pub fn by_name(name: &str) -> Option<Intrinsic> {
        Intrinsic::ALL.iter().copied().find(|intrinsic| intrinsic.name() == name)
    }

    /// What the last operand points to, of those that read or write memory through it and that OpenCL has.
    pub fn pointee(self) -> Option<ScalarType> {
        match self {
            Intrinsic::Remquo | Intrinsic::LgammaR => Some(ScalarType::I32),
            _ if self.half_access().is_some() => Some(ScalarType::F16),
            _ => None,
        }
    }

    /// How it loads or stores `half`s through its last operand, as `float`s or `double`s, if that is what it does. Before
    /// the pointer comes the index, which counts vectors of the value's lanes, and before that the value of a store.
    pub fn half_access(self) -> Option<HalfAccess> {
        use Intrinsic::*;
        let (single, aligned, rounding) = match self {
            VloadHalf => (VloadHalf, false, None),
            VloadaHalf => (VloadHalf, true, None),
            VstoreHalf => (VstoreHalf, false, Some(Rounding::NearestEven)),
            VstoreHalfRte => (VstoreHalfRte, false, Some(Rounding::NearestEven)),
            VstoreHalfRtz => (VstoreHalfRtz, false, Some(Rounding::Zero)),
            VstoreHalfRtp => (VstoreHalfRtp, false, Some(Rounding::Up)),
            VstoreHalfRtn => (VstoreHalfRtn, false, Some(Rounding::Down)),
            VstoreaHalf => (VstoreHalf, true, Some(Rounding::NearestEven)),
            VstoreaHalfRte => (VstoreHalfRte, true, Some(Rounding::NearestEven)),
            VstoreaHalfRtz => (VstoreHalfRtz, true, Some(Rounding::Zero)),
            VstoreaHalfRtp => (VstoreHalfRtp, true, Some(Rounding::Up)),
            VstoreaHalfRtn => (VstoreHalfRtn, true, Some(Rounding::Down)),
            _ => return None,
        };
        Some(HalfAccess { single, aligned, rounding })
    }

    /// Whether the result depends only on the operands, and there are no side effects.
    pub fn is_pure(self) -> bool {
        !matches!(self, Intrinsic::Printf | Intrinsic::Sincos) && self.pointee().is_none()
    }
}

/// How an intrinsic accesses halves in memory (OpenCL C 6.15.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfAccess {
    /// The intrinsic that does the same with a single half.
    pub single: Intrinsic,
    /// Whether vectors are aligned to their size, and three lanes have the place of four; else they are packed.
    pub aligned: bool,
    /// How a store rounds; `None` for a load.
    pub rounding: Option<Rounding>,
}

impl HalfAccess {
    /// Halves from one vector to the next.
    pub fn stride(self, lanes: u8) -> u8 {
        if self.aligned { lanes.next_power_of_two() } else { lanes }
    }

    /// The alignment of a vector in bytes.
    pub fn align(self, lanes: u8) -> u32 {
        if self.aligned { u32::from(self.stride(lanes)) * 2 } else { 2 }
    }
}
