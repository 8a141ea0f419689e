//! How Vulkan provides each intrinsic: an instruction of `GLSL.std.450` where its precision suffices, core IR, or a
//! function of the library. This table is the only place where that is decided.

use super::expand::{self, Expand};
use clforge_basic::options::Options;
use clforge_ir::{Intrinsic, ScalarType};
use rspirv::spirv::GlslStd450Op as Glsl;

/// How an intrinsic is provided on Vulkan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provision {
    /// An instruction of GLSL.std.450 whose guaranteed precision suffices; works on vectors.
    Glsl(Glsl),
    /// A function of the library for scalars, for example `__clforge_sin_f32`.
    Library(&'static str),
    /// [`super::expand`] replaces it; intrinsics in the replacement are all [`Provision::Glsl`].
    Inline,
}

/// A row of the table.
#[derive(Clone, Copy)]
enum Row {
    /// `__clforge_<name>_<f32|f64>` of the library, under the name given.
    Library(&'static str),
    /// An instruction of GLSL.std.450.
    Glsl(Glsl),
    /// An instruction of GLSL.std.450 for `float` under `-cl-unsafe-math-optimizations`, whose
    /// error limits (OpenCL C 7.4) it keeps, else the library.
    FastGlsl(Glsl, &'static str),
    /// `Fma` of GLSL.std.450 where devices fuse it or need not, else the library.
    FusedMultiplyAdd,
    /// Core IR.
    Inline(Expand),
    /// Vulkan modules do not have it.
    Absent,
}

fn row(intrinsic: Intrinsic) -> Row {
    use Row::{Absent, FastGlsl, FusedMultiplyAdd, Inline, Library};
    match intrinsic {
        Intrinsic::Acos => Library("acos"),
        Intrinsic::Acosh => Library("acosh"),
        Intrinsic::Acospi => Library("acospi"),
        Intrinsic::Asin => Library("asin"),
        Intrinsic::Asinh => Library("asinh"),
        Intrinsic::Asinpi => Library("asinpi"),
        Intrinsic::Atan => Library("atan"),
        Intrinsic::Atan2 => Library("atan2"),
        Intrinsic::Atanh => Library("atanh"),
        Intrinsic::Atanpi => Library("atanpi"),
        Intrinsic::Atan2pi => Library("atan2pi"),
        Intrinsic::Cbrt => Library("cbrt"),
        Intrinsic::Ceil => Row::Glsl(Glsl::Ceil),
        Intrinsic::Copysign => Inline(expand::copysign),
        Intrinsic::Cos => FastGlsl(Glsl::Cos, "cos"),
        Intrinsic::Cosh => Library("cosh"),
        Intrinsic::Cospi => Library("cospi"),
        Intrinsic::Erfc => Library("erfc"),
        Intrinsic::Erf => Library("erf"),
        Intrinsic::Exp => FastGlsl(Glsl::Exp, "exp"),
        Intrinsic::Exp2 => FastGlsl(Glsl::Exp2, "exp2"),
        Intrinsic::Exp10 => Library("exp10"),
        Intrinsic::Expm1 => Library("expm1"),
        Intrinsic::Fabs => Inline(expand::fabs),
        Intrinsic::Fdim => Inline(expand::fdim),
        Intrinsic::Floor => Row::Glsl(Glsl::Floor),
        Intrinsic::Fma => FusedMultiplyAdd,
        Intrinsic::Fmax => Row::Glsl(Glsl::NMax),
        Intrinsic::Fmin => Row::Glsl(Glsl::NMin),
        Intrinsic::Fmod => Library("fmod"),
        Intrinsic::Hypot => Library("hypot"),
        Intrinsic::Ilogb => Library("ilogb"),
        Intrinsic::Ldexp => Library("ldexp"),
        Intrinsic::Lgamma => Library("lgamma"),
        Intrinsic::Log => FastGlsl(Glsl::Log, "log"),
        Intrinsic::Log2 => FastGlsl(Glsl::Log2, "log2"),
        Intrinsic::Log10 => Library("log10"),
        Intrinsic::Log1p => Library("log1p"),
        Intrinsic::Logb => Library("logb"),
        Intrinsic::Mad => Row::Glsl(Glsl::Fma),
        Intrinsic::Maxmag => Inline(expand::maxmag),
        Intrinsic::Minmag => Inline(expand::minmag),
        Intrinsic::Nextafter => Inline(expand::nextafter),
        Intrinsic::Pow => Library("pow"),
        Intrinsic::Pown => Library("pown"),
        Intrinsic::Powr => FastGlsl(Glsl::Pow, "powr"),
        Intrinsic::Remainder => Library("remainder"),
        Intrinsic::Rint => Row::Glsl(Glsl::RoundEven),
        Intrinsic::Rootn => Library("rootn"),
        Intrinsic::Round => Inline(expand::round),
        Intrinsic::Rsqrt => FastGlsl(Glsl::InverseSqrt, "rsqrt"),
        Intrinsic::Sin => FastGlsl(Glsl::Sin, "sin"),
        Intrinsic::Sinh => Library("sinh"),
        Intrinsic::Sinpi => Library("sinpi"),
        Intrinsic::Sqrt => Row::Glsl(Glsl::Sqrt),
        Intrinsic::Tan => FastGlsl(Glsl::Tan, "tan"),
        Intrinsic::Tanh => Library("tanh"),
        Intrinsic::Tanpi => Library("tanpi"),
        Intrinsic::Tgamma => Library("tgamma"),
        Intrinsic::Trunc => Row::Glsl(Glsl::Trunc),
        Intrinsic::HalfCos => FastGlsl(Glsl::Cos, "cos"),
        Intrinsic::HalfExp => FastGlsl(Glsl::Exp, "exp"),
        Intrinsic::HalfExp2 => FastGlsl(Glsl::Exp2, "exp2"),
        Intrinsic::HalfExp10 => Library("exp10"),
        Intrinsic::HalfLog => FastGlsl(Glsl::Log, "log"),
        Intrinsic::HalfLog2 => FastGlsl(Glsl::Log2, "log2"),
        Intrinsic::HalfLog10 => Library("log10"),
        Intrinsic::HalfPowr => FastGlsl(Glsl::Pow, "powr"),
        Intrinsic::HalfRsqrt => Row::Glsl(Glsl::InverseSqrt),
        Intrinsic::HalfSin => FastGlsl(Glsl::Sin, "sin"),
        Intrinsic::HalfSqrt => Row::Glsl(Glsl::Sqrt),
        Intrinsic::HalfTan => FastGlsl(Glsl::Tan, "tan"),
        Intrinsic::NativeCos => Row::Glsl(Glsl::Cos),
        Intrinsic::NativeDivide => Inline(expand::divide),
        Intrinsic::NativeExp => Row::Glsl(Glsl::Exp),
        Intrinsic::NativeExp2 => Row::Glsl(Glsl::Exp2),
        Intrinsic::NativeExp10 => Inline(expand::native_exp10),
        Intrinsic::NativeLog => Row::Glsl(Glsl::Log),
        Intrinsic::NativeLog2 => Row::Glsl(Glsl::Log2),
        Intrinsic::NativeLog10 => Inline(expand::native_log10),
        Intrinsic::NativePowr => Row::Glsl(Glsl::Pow),
        Intrinsic::NativeRecip => Inline(expand::recip),
        Intrinsic::NativeRsqrt => Row::Glsl(Glsl::InverseSqrt),
        Intrinsic::NativeSin => Row::Glsl(Glsl::Sin),
        Intrinsic::NativeSqrt => Row::Glsl(Glsl::Sqrt),
        Intrinsic::NativeTan => Row::Glsl(Glsl::Tan),
        Intrinsic::Remquo => Library("remquo"),
        Intrinsic::LgammaR => Library("lgamma_r"),
        Intrinsic::FmaxCommon => Row::Glsl(Glsl::FMax),
        Intrinsic::FminCommon => Row::Glsl(Glsl::FMin),
        Intrinsic::Clz => Inline(expand::clz),
        Intrinsic::Ctz => Inline(expand::ctz),
        Intrinsic::Popcount => Inline(expand::popcount),
        Intrinsic::SMulHi => Inline(expand::s_mul_hi),
        Intrinsic::UMulHi => Inline(expand::u_mul_hi),
        Intrinsic::FindMsb => Row::Glsl(Glsl::FindUMsb),
        Intrinsic::FindLsb => Row::Glsl(Glsl::FindILsb),
        Intrinsic::Dot => Inline(expand::dot),
        // Accesses to halves become loads, stores and conversions (`halves.rs`), and `printf` records of a buffer.
        Intrinsic::VloadHalf
        | Intrinsic::VloadaHalf
        | Intrinsic::VstoreHalf
        | Intrinsic::VstoreHalfRte
        | Intrinsic::VstoreHalfRtz
        | Intrinsic::VstoreHalfRtp
        | Intrinsic::VstoreHalfRtn
        | Intrinsic::VstoreaHalf
        | Intrinsic::VstoreaHalfRte
        | Intrinsic::VstoreaHalfRtz
        | Intrinsic::VstoreaHalfRtp
        | Intrinsic::VstoreaHalfRtn
        | Intrinsic::Printf => Absent,
    }
}

/// How Vulkan provides an intrinsic on this type, which is that of its first operand. `None`: it does not.
pub fn provision(intrinsic: Intrinsic, scalar: ScalarType, options: &Options) -> Option<Provision> {
    let is_unsafe = options.math.unsafe_optimizations;
    let function = |name: &str| {
        let suffix = match scalar {
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
            _ => return None,
        };
        clforge_library::library_function(&format!("__clforge_{name}_{suffix}")).map(Provision::Library)
    };
    match row(intrinsic) {
        Row::Glsl(instruction) => Some(Provision::Glsl(instruction)),
        Row::FastGlsl(instruction, _) if is_unsafe && scalar == ScalarType::F32 => Some(Provision::Glsl(instruction)),
        Row::FusedMultiplyAdd => match scalar {
            ScalarType::F32 if is_unsafe || options.fused_multiply_add.float => Some(Provision::Glsl(Glsl::Fma)),
            ScalarType::F64 if options.fused_multiply_add.double => Some(Provision::Glsl(Glsl::Fma)),
            _ => function("fma"),
        },
        Row::FastGlsl(_, name) | Row::Library(name) => function(name),
        Row::Inline(_) => Some(Provision::Inline),
        Row::Absent => None,
    }
}

/// The function that expands an intrinsic which is [`Provision::Inline`].
pub fn expansion(intrinsic: Intrinsic) -> Option<Expand> {
    match row(intrinsic) {
        Row::Inline(expand) => Some(expand),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_functions_exist() {
        for intrinsic in Intrinsic::ALL {
            if let Row::Library(name) | Row::FastGlsl(_, name) = row(*intrinsic) {
                let provided = |scalar| provision(*intrinsic, scalar, &Options::default()).is_some();
                // `half_` functions are of `float` alone, and have the library's functions of the full precision.
                assert!(provided(ScalarType::F32) && provided(ScalarType::F64), "the library lacks {name}");
            }
        }
    }
}
