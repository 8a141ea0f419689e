//! Intrinsics: functions that core IR has no operations for; each target's legalisation decides what they become. One
//! table declares them.
//!
//! What the OpenCL target makes of them is an instruction of `OpenCL.std`; the Vulkan target has an instruction of
//! `GLSL.std.450`, core operations, or a function of the library.

use super::field::Field;
use super::{Rounding, ScalarType, Signature};

/// Declares [`Intrinsic`], a row each: the variant, its name, the operands and the result, the scalars that Vulkan may
/// have an instruction for, and whether `OpenCL.std` has an instruction of the name which lowering uses.
macro_rules! intrinsics {
    ($(
        $variant:ident $name:literal: $signature:ident $(($count:literal))?,
            vulkan [$($scalar:ident),*] $(, $opencl:ident)?;
    )*) => {
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

            /// The operands and the result.
            pub fn signature(self) -> Signature {
                match self {
                    $(Intrinsic::$variant => Signature::$signature $(($count))?,)*
                }
            }

            /// The scalars of the first operand for which Vulkan may have an instruction that is precise enough; of the
            /// others it has a function of the library, or core operations. `printf`, for which it has neither, becomes
            /// stores later.
            pub fn vulkan_scalars(self) -> &'static [ScalarType] {
                match self {
                    $(Intrinsic::$variant => &[$(ScalarType::$scalar),*],)*
                }
            }

            /// Whether modules for OpenCL may have it: `OpenCL.std` has an instruction of that name, or of that name
            /// with a rounding mode, and lowering makes it.
            pub fn is_of_opencl(self) -> bool {
                match self {
                    $(Intrinsic::$variant => intrinsics!(@given $($opencl)?),)*
                }
            }
        }
    };
    (@given opencl) => { true };
    (@given) => { false };
}

intrinsics! {
    Acos "acos": Floats(1), vulkan [], opencl;
    Acosh "acosh": Floats(1), vulkan [], opencl;
    Acospi "acospi": Floats(1), vulkan [], opencl;
    Asin "asin": Floats(1), vulkan [], opencl;
    Asinh "asinh": Floats(1), vulkan [], opencl;
    Asinpi "asinpi": Floats(1), vulkan [], opencl;
    Atan "atan": Floats(1), vulkan [], opencl;
    Atan2 "atan2": Floats(2), vulkan [], opencl;
    Atanh "atanh": Floats(1), vulkan [], opencl;
    Atanpi "atanpi": Floats(1), vulkan [], opencl;
    Atan2pi "atan2pi": Floats(2), vulkan [], opencl;
    Cbrt "cbrt": Floats(1), vulkan [], opencl;
    Ceil "ceil": Floats(1), vulkan [F32, F64], opencl;
    Copysign "copysign": Floats(2), vulkan [], opencl;
    Cos "cos": Floats(1), vulkan [F32], opencl;
    Cosh "cosh": Floats(1), vulkan [], opencl;
    Cospi "cospi": Floats(1), vulkan [], opencl;
    Erfc "erfc": Floats(1), vulkan [], opencl;
    Erf "erf": Floats(1), vulkan [], opencl;
    Exp "exp": Floats(1), vulkan [F32], opencl;
    Exp2 "exp2": Floats(1), vulkan [F32], opencl;
    Exp10 "exp10": Floats(1), vulkan [], opencl;
    Expm1 "expm1": Floats(1), vulkan [], opencl;
    Fabs "fabs": Floats(1), vulkan [F32, F64], opencl;
    Fdim "fdim": Floats(2), vulkan [], opencl;
    Floor "floor": Floats(1), vulkan [F32, F64], opencl;
    Fma "fma": Floats(3), vulkan [F32, F64], opencl;
    Fmax "fmax": Floats(2), vulkan [F32, F64], opencl;
    Fmin "fmin": Floats(2), vulkan [F32, F64], opencl;
    Fmod "fmod": Floats(2), vulkan [], opencl;
    Hypot "hypot": Floats(2), vulkan [], opencl;
    Ilogb "ilogb": FloatToInt, vulkan [], opencl;
    Ldexp "ldexp": FloatAndInt, vulkan [], opencl;
    Lgamma "lgamma": Floats(1), vulkan [], opencl;
    Log "log": Floats(1), vulkan [F32], opencl;
    Log2 "log2": Floats(1), vulkan [F32], opencl;
    Log10 "log10": Floats(1), vulkan [], opencl;
    Log1p "log1p": Floats(1), vulkan [], opencl;
    Logb "logb": Floats(1), vulkan [], opencl;
    Mad "mad": Floats(3), vulkan [F16, F32, F64], opencl;
    Maxmag "maxmag": Floats(2), vulkan [], opencl;
    Minmag "minmag": Floats(2), vulkan [], opencl;
    Nextafter "nextafter": Floats(2), vulkan [], opencl;
    Pow "pow": Floats(2), vulkan [], opencl;
    Pown "pown": FloatAndInt, vulkan [], opencl;
    Powr "powr": Floats(2), vulkan [F32], opencl;
    Remainder "remainder": Floats(2), vulkan [], opencl;
    Rint "rint": Floats(1), vulkan [F32, F64], opencl;
    Rootn "rootn": FloatAndInt, vulkan [], opencl;
    Round "round": Floats(1), vulkan [], opencl;
    Rsqrt "rsqrt": Floats(1), vulkan [F32], opencl;
    Sin "sin": Floats(1), vulkan [F32], opencl;
    Sinh "sinh": Floats(1), vulkan [], opencl;
    Sinpi "sinpi": Floats(1), vulkan [], opencl;
    Sqrt "sqrt": Floats(1), vulkan [F32, F64], opencl;
    Tan "tan": Floats(1), vulkan [F32], opencl;
    Tanh "tanh": Floats(1), vulkan [], opencl;
    Tanpi "tanpi": Floats(1), vulkan [], opencl;
    Tgamma "tgamma": Floats(1), vulkan [], opencl;
    Trunc "trunc": Floats(1), vulkan [F32, F64], opencl;
    HalfCos "half_cos": Floats(1), vulkan [F32], opencl;
    HalfExp "half_exp": Floats(1), vulkan [F32], opencl;
    HalfExp2 "half_exp2": Floats(1), vulkan [F32], opencl;
    HalfExp10 "half_exp10": Floats(1), vulkan [], opencl;
    HalfLog "half_log": Floats(1), vulkan [F32], opencl;
    HalfLog2 "half_log2": Floats(1), vulkan [F32], opencl;
    HalfLog10 "half_log10": Floats(1), vulkan [], opencl;
    HalfPowr "half_powr": Floats(2), vulkan [F32], opencl;
    HalfRsqrt "half_rsqrt": Floats(1), vulkan [F32], opencl;
    HalfSin "half_sin": Floats(1), vulkan [F32], opencl;
    HalfSqrt "half_sqrt": Floats(1), vulkan [F32], opencl;
    HalfTan "half_tan": Floats(1), vulkan [F32], opencl;
    NativeCos "native_cos": Floats(1), vulkan [F32], opencl;
    NativeDivide "native_divide": Floats(2), vulkan [], opencl;
    NativeExp "native_exp": Floats(1), vulkan [F32], opencl;
    NativeExp2 "native_exp2": Floats(1), vulkan [F32], opencl;
    NativeExp10 "native_exp10": Floats(1), vulkan [], opencl;
    NativeLog "native_log": Floats(1), vulkan [F32], opencl;
    NativeLog2 "native_log2": Floats(1), vulkan [F32], opencl;
    NativeLog10 "native_log10": Floats(1), vulkan [], opencl;
    NativePowr "native_powr": Floats(2), vulkan [F32], opencl;
    NativeRecip "native_recip": Floats(1), vulkan [], opencl;
    NativeRsqrt "native_rsqrt": Floats(1), vulkan [F32], opencl;
    NativeSin "native_sin": Floats(1), vulkan [F32], opencl;
    NativeSqrt "native_sqrt": Floats(1), vulkan [F32], opencl;
    NativeTan "native_tan": Floats(1), vulkan [F32], opencl;
    Remquo "remquo": FloatsAndPointer(2), vulkan [], opencl;
    LgammaR "lgamma_r": FloatsAndPointer(1), vulkan [], opencl;
    Sincos "sincos": FloatsAndPointer(1), vulkan [];
    FmaxCommon "fmax_common": Floats(2), vulkan [F16, F32, F64], opencl;
    FminCommon "fmin_common": Floats(2), vulkan [F16, F32, F64], opencl;
    Clz "clz": Integers(1), vulkan [], opencl;
    Ctz "ctz": Integers(1), vulkan [], opencl;
    Popcount "popcount": Integers(1), vulkan [I32], opencl;
    SMulHi "s_mul_hi": Integers(2), vulkan [I32, I64], opencl;
    UMulHi "u_mul_hi": Integers(2), vulkan [I32, I64], opencl;
    Dot "dot": Dot, vulkan [];
    FindMsb "find_msb": Words, vulkan [I32];
    VloadHalf "vload_half": LoadHalf, vulkan [], opencl;
    VloadaHalf "vloada_half": LoadHalf, vulkan [];
    VstoreHalf "vstore_half": StoreHalf, vulkan [], opencl;
    VstoreHalfRte "vstore_half_rte": StoreHalf, vulkan [], opencl;
    VstoreHalfRtz "vstore_half_rtz": StoreHalf, vulkan [], opencl;
    VstoreHalfRtp "vstore_half_rtp": StoreHalf, vulkan [], opencl;
    VstoreHalfRtn "vstore_half_rtn": StoreHalf, vulkan [], opencl;
    VstoreaHalf "vstorea_half": StoreHalf, vulkan [];
    VstoreaHalfRte "vstorea_half_rte": StoreHalf, vulkan [];
    VstoreaHalfRtz "vstorea_half_rtz": StoreHalf, vulkan [];
    VstoreaHalfRtp "vstorea_half_rtp": StoreHalf, vulkan [];
    VstoreaHalfRtn "vstorea_half_rtn": StoreHalf, vulkan [];
    FindLsb "find_lsb": Words, vulkan [I32];
    BitFieldSExtract "bit_field_s_extract": BitField, vulkan [I32];
    BitFieldUExtract "bit_field_u_extract": BitField, vulkan [I32];
    Printf "printf": Printf, vulkan [], opencl;
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

impl Field for Intrinsic {}

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
