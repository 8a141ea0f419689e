//! The legalize action of each intrinsic for Vulkan, in LLVM's terms: it is legal (an instruction of `GLSL.std.450`
//! whose precision suffices), it is expanded to core IR, or it becomes a call of the library. No other code makes this
//! decision.

use super::expand::{self, Expansion};
use clforge_basic::options::{FloatWidths, Options};
use clforge_basic::tuning::Tuning;
use clforge_basic::workarounds::Workarounds;
use clforge_ir::{Builder, Intrinsic, ScalarType, Type, Value};
use rspirv::spirv::{GlslStd450Op as Glsl, Op as CoreOp};

/// What legalisation for Vulkan does with an intrinsic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegalizeAction {
    /// It stays: an instruction of GLSL.std.450, also of vectors, whose guaranteed precision suffices.
    Legal(Glsl),
    /// It stays: an instruction of SPIR-V's core, also of vectors.
    LegalCore(CoreOp),
    /// It becomes calls of a function of the library for scalars, for example `__clforge_sin_f32`.
    LibCall(&'static str),
    /// [`super::expand`] replaces it; intrinsics in the replacement are all legal.
    Expand,
}

/// A row of the table.
#[derive(Clone, Copy)]
enum Row {
    /// `__clforge_<name>_<f32|f64>` of the library, under the name given, or a variant of it for what is known of the device
    /// ([`variant`]).
    LibCall(&'static str),
    /// An instruction of GLSL.std.450.
    Legal(Glsl),
    /// An instruction of GLSL.std.450 for `float` under `-cl-unsafe-math-optimizations`, whose error limits (OpenCL C 7.4) it
    /// keeps ([`is_within_relaxed_limits`]), else the library.
    LegalIfUnsafe(Glsl, &'static str),
    /// `Exp2` of GLSL.std.450 where devices have it as precise as it must be, else as `LegalIfUnsafe`.
    Exp2,
    /// `Fma` of GLSL.std.450 where devices fuse it or need not, else the library.
    FusedMultiplyAdd,
    /// `FAbs` of GLSL.std.450 where devices clear the sign of zero too, else core IR.
    AbsoluteValue,
    /// An instruction of SPIR-V's core.
    LegalCore(CoreOp),
    /// An instruction of SPIR-V's core for integers of 32 bits, the only ones that it counts for Vulkan 1.2, else core IR.
    LegalCore32(CoreOp, Expansion),
    /// The upper half of what an instruction of SPIR-V's core gives for integers of 64 bits, else core IR.
    LegalCore64(CoreOp, Expansion),
    /// Core IR.
    Expand(Expansion),
    /// Vulkan modules do not have it.
    Unsupported,
}

fn row(intrinsic: Intrinsic) -> Row {
    use Row::{Expand, FusedMultiplyAdd, LegalCore32, LegalCore64, LegalIfUnsafe, LibCall, Unsupported};
    match intrinsic {
        Intrinsic::Acos => LibCall("acos"),
        Intrinsic::Acosh => LibCall("acosh"),
        Intrinsic::Acospi => LibCall("acospi"),
        Intrinsic::Asin => LibCall("asin"),
        Intrinsic::Asinh => LibCall("asinh"),
        Intrinsic::Asinpi => LibCall("asinpi"),
        Intrinsic::Atan => LibCall("atan"),
        Intrinsic::Atan2 => LibCall("atan2"),
        Intrinsic::Atanh => LibCall("atanh"),
        Intrinsic::Atanpi => LibCall("atanpi"),
        Intrinsic::Atan2pi => LibCall("atan2pi"),
        Intrinsic::Cbrt => LibCall("cbrt"),
        Intrinsic::Ceil => Row::Legal(Glsl::Ceil),
        Intrinsic::Copysign => Expand(expand::copysign),
        Intrinsic::Cos => LegalIfUnsafe(Glsl::Cos, "cos"),
        Intrinsic::Cosh => LibCall("cosh"),
        Intrinsic::Cospi => LibCall("cospi"),
        Intrinsic::Erfc => LibCall("erfc"),
        Intrinsic::Erf => LibCall("erf"),
        Intrinsic::Exp => LegalIfUnsafe(Glsl::Exp, "exp"),
        Intrinsic::Exp2 | Intrinsic::HalfExp2 => Row::Exp2,
        Intrinsic::Exp10 => LibCall("exp10"),
        Intrinsic::Expm1 => LibCall("expm1"),
        Intrinsic::Fabs => Row::AbsoluteValue,
        Intrinsic::Fdim => Expand(expand::fdim),
        Intrinsic::Floor => Row::Legal(Glsl::Floor),
        Intrinsic::Fma => FusedMultiplyAdd,
        Intrinsic::Fmax => Row::Legal(Glsl::NMax),
        Intrinsic::Fmin => Row::Legal(Glsl::NMin),
        Intrinsic::Fmod => LibCall("fmod"),
        Intrinsic::Hypot => LibCall("hypot"),
        Intrinsic::Ilogb => LibCall("ilogb"),
        Intrinsic::Ldexp => LibCall("ldexp"),
        Intrinsic::Lgamma => LibCall("lgamma"),
        Intrinsic::Log => LegalIfUnsafe(Glsl::Log, "log"),
        Intrinsic::Log2 => LegalIfUnsafe(Glsl::Log2, "log2"),
        Intrinsic::Log10 => LibCall("log10"),
        Intrinsic::Log1p => LibCall("log1p"),
        Intrinsic::Logb => LibCall("logb"),
        Intrinsic::Mad => Row::Legal(Glsl::Fma),
        Intrinsic::Maxmag => Expand(expand::maxmag),
        Intrinsic::Minmag => Expand(expand::minmag),
        Intrinsic::Nextafter => Expand(expand::nextafter),
        Intrinsic::Pow => LibCall("pow"),
        Intrinsic::Pown => LibCall("pown"),
        Intrinsic::Powr => LegalIfUnsafe(Glsl::Pow, "powr"),
        Intrinsic::Remainder => LibCall("remainder"),
        Intrinsic::Rint => Row::Legal(Glsl::RoundEven),
        Intrinsic::Rootn => LibCall("rootn"),
        Intrinsic::Round => Expand(expand::round),
        Intrinsic::Rsqrt => LegalIfUnsafe(Glsl::InverseSqrt, "rsqrt"),
        Intrinsic::Sin => LegalIfUnsafe(Glsl::Sin, "sin"),
        Intrinsic::Sinh => LibCall("sinh"),
        Intrinsic::Sinpi => LibCall("sinpi"),
        Intrinsic::Sqrt => Row::Legal(Glsl::Sqrt),
        Intrinsic::Tan => LegalIfUnsafe(Glsl::Tan, "tan"),
        Intrinsic::Tanh => LibCall("tanh"),
        Intrinsic::Tanpi => LibCall("tanpi"),
        Intrinsic::Tgamma => LibCall("tgamma"),
        Intrinsic::Trunc => Row::Legal(Glsl::Trunc),
        Intrinsic::HalfCos => LegalIfUnsafe(Glsl::Cos, "cos"),
        Intrinsic::HalfExp => LegalIfUnsafe(Glsl::Exp, "exp"),
        Intrinsic::HalfExp10 => LibCall("exp10"),
        Intrinsic::HalfLog => LegalIfUnsafe(Glsl::Log, "log"),
        Intrinsic::HalfLog2 => LegalIfUnsafe(Glsl::Log2, "log2"),
        Intrinsic::HalfLog10 => LibCall("log10"),
        Intrinsic::HalfPowr => LegalIfUnsafe(Glsl::Pow, "powr"),
        Intrinsic::HalfRsqrt => Row::Legal(Glsl::InverseSqrt),
        Intrinsic::HalfSin => LegalIfUnsafe(Glsl::Sin, "sin"),
        Intrinsic::HalfSqrt => Row::Legal(Glsl::Sqrt),
        Intrinsic::HalfTan => LegalIfUnsafe(Glsl::Tan, "tan"),
        Intrinsic::NativeCos => Row::Legal(Glsl::Cos),
        Intrinsic::NativeDivide => Expand(expand::divide),
        Intrinsic::NativeExp => Row::Legal(Glsl::Exp),
        Intrinsic::NativeExp2 => Row::Legal(Glsl::Exp2),
        Intrinsic::NativeExp10 => Expand(expand::native_exp10),
        Intrinsic::NativeLog => Row::Legal(Glsl::Log),
        Intrinsic::NativeLog2 => Row::Legal(Glsl::Log2),
        Intrinsic::NativeLog10 => Expand(expand::native_log10),
        Intrinsic::NativePowr => Row::Legal(Glsl::Pow),
        Intrinsic::NativeRecip => Expand(expand::recip),
        Intrinsic::NativeRsqrt => Row::Legal(Glsl::InverseSqrt),
        Intrinsic::NativeSin => Row::Legal(Glsl::Sin),
        Intrinsic::NativeSqrt => Row::Legal(Glsl::Sqrt),
        Intrinsic::NativeTan => Row::Legal(Glsl::Tan),
        Intrinsic::Remquo => LibCall("remquo"),
        Intrinsic::LgammaR => LibCall("lgamma_r"),
        Intrinsic::Sincos => LibCall("sincos"),
        Intrinsic::FmaxCommon => Row::Legal(Glsl::FMax),
        Intrinsic::FminCommon => Row::Legal(Glsl::FMin),
        Intrinsic::Clz => Expand(expand::clz),
        Intrinsic::Ctz => Expand(expand::ctz),
        Intrinsic::Popcount => LegalCore32(CoreOp::BitCount, expand::popcount),
        Intrinsic::SMulHi => LegalCore64(CoreOp::SMulExtended, expand::s_mul_hi),
        Intrinsic::UMulHi => LegalCore64(CoreOp::UMulExtended, expand::u_mul_hi),
        Intrinsic::FindMsb => Row::Legal(Glsl::FindUMsb),
        Intrinsic::FindLsb => Row::Legal(Glsl::FindILsb),
        Intrinsic::BitFieldSExtract => Row::LegalCore(CoreOp::BitFieldSExtract),
        Intrinsic::BitFieldUExtract => Row::LegalCore(CoreOp::BitFieldUExtract),
        Intrinsic::Dot => Expand(expand::dot),
        // Accesses to halves become loads, stores and conversions (`half_access.rs`), and `printf` records of a buffer.
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
        | Intrinsic::Printf => Unsupported,
    }
}

/// The upper half of the product of unsigned integers of 64 bits, in what is legal.
pub fn wide_product(b: &mut Builder<'_>, x: Value, y: Value, options: &Options) -> Value {
    match legalize_action(Intrinsic::UMulHi, ScalarType::I64, options) {
        Some(LegalizeAction::LegalCore(_)) => b.intrinsic(Intrinsic::UMulHi, &[x, y], Type::I64),
        _ => expand::mul_hi_64(b, x, y),
    }
}

/// The action for an intrinsic whose first operand is of this type. `None`: Vulkan modules do not have it.
pub fn legalize_action(intrinsic: Intrinsic, scalar: ScalarType, options: &Options) -> Option<LegalizeAction> {
    let is_unsafe = options.language.math.unsafe_optimizations;
    let function = |name: &str| {
        let suffix = match scalar {
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
            _ => return None,
        };
        let found = variant(name, suffix, scalar, options);
        let found = found.or_else(|| clforge_library::library_function(&format!("__clforge_{name}_{suffix}")));
        found.map(LegalizeAction::LibCall)
    };
    match row(intrinsic) {
        Row::Legal(instruction) => Some(LegalizeAction::Legal(instruction)),
        Row::LegalIfUnsafe(instruction, _)
            if is_unsafe && scalar == ScalarType::F32 && is_within_relaxed_limits(instruction, options) =>
        {
            Some(LegalizeAction::Legal(instruction))
        }
        Row::Exp2
            if scalar == ScalarType::F32
                && (has_exp2(options) || is_unsafe && is_within_relaxed_limits(Glsl::Exp2, options)) =>
        {
            Some(LegalizeAction::Legal(Glsl::Exp2))
        }
        Row::Exp2 => function("exp2"),
        Row::FusedMultiplyAdd => match scalar {
            ScalarType::F32 if is_unsafe => Some(LegalizeAction::Legal(Glsl::Fma)),
            _ if includes(options.device.fused_multiply_add, scalar) => Some(LegalizeAction::Legal(Glsl::Fma)),
            _ => function("fma"),
        },
        Row::AbsoluteValue if includes(options.device.arithmetic.absolute_value, scalar) => {
            Some(LegalizeAction::Legal(Glsl::FAbs))
        }
        Row::LegalIfUnsafe(_, name) | Row::LibCall(name) => function(name),
        Row::LegalCore(instruction) => Some(LegalizeAction::LegalCore(instruction)),
        Row::LegalCore32(instruction, _) if scalar == ScalarType::I32 => Some(LegalizeAction::LegalCore(instruction)),
        Row::LegalCore64(instruction, _)
            if scalar == ScalarType::I64 && !options.codegen.tuning.contains(Tuning::LAVAPIPE_WIDE_PRODUCT) =>
        {
            Some(LegalizeAction::LegalCore(instruction))
        }
        Row::LegalCore32(..) | Row::LegalCore64(..) | Row::Expand(_) | Row::AbsoluteValue => {
            Some(LegalizeAction::Expand)
        }
        Row::Unsupported => None,
    }
}

/// Whether an instruction of GLSL.std.450 keeps OpenCL's limits for relaxed arithmetic.
fn is_within_relaxed_limits(instruction: Glsl, options: &Options) -> bool {
    let is_of_the_workaround = matches!(instruction, Glsl::Exp | Glsl::Exp2 | Glsl::Log | Glsl::Log2);
    !(is_of_the_workaround && options.codegen.workarounds.contains(Workarounds::LAVAPIPE_EXP_LOG))
}

/// Whether the `Exp2` of GLSL.std.450 serves for OpenCL's functions.
fn has_exp2(options: &Options) -> bool {
    options.device.arithmetic.precise_exp2 && options.device.fused_multiply_add.float
}

/// Whether a scalar type is one of the widths.
fn includes(widths: FloatWidths, scalar: ScalarType) -> bool {
    match scalar {
        ScalarType::F32 => widths.float,
        ScalarType::F64 => widths.double,
        _ => false,
    }
}

/// The variant of a library function for what is known of the device, if there is one.
fn variant(name: &str, suffix: &str, scalar: ScalarType, options: &Options) -> Option<&'static str> {
    let find = |what: &str| clforge_library::library_function(&format!("__clforge_{name}_{what}_{suffix}"));
    let is_fused = includes(options.device.fused_multiply_add, scalar);
    let by_exp2 = if has_exp2(options) { find("by_exp2") } else { None };
    by_exp2.or_else(|| if is_fused { find("fused") } else { None })
}

/// The function that expands an intrinsic which is [`LegalizeAction::Expand`].
pub fn expansion(intrinsic: Intrinsic) -> Option<Expansion> {
    match row(intrinsic) {
        Row::LegalCore32(_, expand) | Row::LegalCore64(_, expand) | Row::Expand(expand) => Some(expand),
        Row::AbsoluteValue => Some(expand::fabs),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_functions_exist() {
        for intrinsic in Intrinsic::ALL {
            if let Row::LibCall(name) | Row::LegalIfUnsafe(_, name) = row(*intrinsic) {
                let provided = |scalar| legalize_action(*intrinsic, scalar, &Options::default()).is_some();
                // `half_` functions are of `float` alone, and have the library's functions of the full precision.
                assert!(provided(ScalarType::F32) && provided(ScalarType::F64), "the library lacks {name}");
            }
        }
    }

    #[test]
    fn variants_are_for_devices_that_are_as_good() {
        let action = |intrinsic, scalar, fused, precise_exp2| {
            let mut options = Options::default();
            options.device.fused_multiply_add.float = fused;
            options.device.arithmetic.precise_exp2 = precise_exp2;
            legalize_action(intrinsic, scalar, &options)
        };
        let library = |name| Some(LegalizeAction::LibCall(name));
        let (float, double) = (ScalarType::F32, ScalarType::F64);
        assert_eq!(action(Intrinsic::Sin, float, false, true), library("__clforge_sin_f32"));
        assert_eq!(action(Intrinsic::Sin, float, true, false), library("__clforge_sin_fused_f32"));
        assert_eq!(action(Intrinsic::Sin, double, true, true), library("__clforge_sin_f64"));
        assert_eq!(action(Intrinsic::Exp, float, true, false), library("__clforge_exp_f32"));
        assert_eq!(action(Intrinsic::Exp, float, true, true), library("__clforge_exp_by_exp2_f32"));
        assert_eq!(action(Intrinsic::Exp2, float, false, true), library("__clforge_exp2_f32"));
        assert_eq!(action(Intrinsic::Exp2, float, true, true), Some(LegalizeAction::Legal(Glsl::Exp2)));
        assert_eq!(action(Intrinsic::Exp2, double, true, true), library("__clforge_exp2_f64"));
    }

    #[test]
    fn absolute_values_are_instructions_of_devices_that_clear_the_sign_of_zero() {
        let mut options = Options::default();
        assert_eq!(legalize_action(Intrinsic::Fabs, ScalarType::F32, &options), Some(LegalizeAction::Expand));
        options.device.arithmetic.absolute_value.float = true;
        let instruction = Some(LegalizeAction::Legal(Glsl::FAbs));
        assert_eq!(legalize_action(Intrinsic::Fabs, ScalarType::F32, &options), instruction);
        assert_eq!(legalize_action(Intrinsic::Fabs, ScalarType::F64, &options), Some(LegalizeAction::Expand));
    }

    #[test]
    fn relaxed_functions_are_within_the_limits_of_opencl() {
        let action = |intrinsic, workarounds| {
            let mut options = Options::default().with_workarounds(workarounds);
            options.language.math.unsafe_optimizations = true;
            legalize_action(intrinsic, ScalarType::F32, &options)
        };
        let all = [
            (Intrinsic::Exp, Glsl::Exp, "__clforge_exp_f32"),
            (Intrinsic::Exp2, Glsl::Exp2, "__clforge_exp2_f32"),
            (Intrinsic::Log, Glsl::Log, "__clforge_log_f32"),
            (Intrinsic::Log2, Glsl::Log2, "__clforge_log2_f32"),
        ];
        for (intrinsic, instruction, function) in all {
            assert_eq!(action(intrinsic, Workarounds::PORTABLE), Some(LegalizeAction::LibCall(function)));
            assert_eq!(action(intrinsic, Workarounds::empty()), Some(LegalizeAction::Legal(instruction)));
        }
        assert_eq!(action(Intrinsic::Sin, Workarounds::PORTABLE), Some(LegalizeAction::Legal(Glsl::Sin)));
    }
}
