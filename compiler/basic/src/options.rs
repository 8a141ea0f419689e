//! All options of the compiler. They are passed explicitly; nothing is read from the environment.

mod ignored;
mod parse;

pub use ignored::{Complaint, IgnoredOption};
pub use parse::{DEBUG_PREFIX_MAP, OptionError, debug_prefix};

use crate::tuning::Tuning;
use crate::warnings::{WarningAction, WarningFlag, WarningLevel, WarningSetting};
use crate::workarounds::Workarounds;
use std::fmt;
use std::sync::Arc;

/// The SPIR-V environment a module is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A Vulkan version: physical storage buffer addressing, Vulkan memory model.
    Vulkan(VulkanVersion),
    /// An OpenCL version: `Physical64` addressing, OpenCL memory model.
    OpenCl(OpenClVersion),
}

/// Vulkan core versions that can be targeted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum VulkanVersion {
    V1_1,
    V1_2,
    V1_3,
    V1_4,
}

/// OpenCL environments that can be targeted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum OpenClVersion {
    V1_2,
    V2_0,
    V2_1,
    V2_2,
    V3_0,
}

/// Version of the OpenCL C language (`-cl-std`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum ClStd {
    CL1_0,
    CL1_1,
    CL1_2,
    CL2_0,
    CL3_0,
}

impl ClStd {
    /// The value of `__OPENCL_C_VERSION__`.
    pub fn version_number(self) -> u32 {
        match self {
            ClStd::CL1_0 => 100,
            ClStd::CL1_1 => 110,
            ClStd::CL1_2 => 120,
            ClStd::CL2_0 => 200,
            ClStd::CL3_0 => 300,
        }
    }

    /// Reads the spelling of `-cl-std=`, for example `CL1.2`.
    pub fn parse(text: &str) -> Option<ClStd> {
        Some(match text {
            "CL1.0" | "CL" | "cl" | "cl1.0" => ClStd::CL1_0,
            "CL1.1" | "cl1.1" => ClStd::CL1_1,
            "CL1.2" | "cl1.2" => ClStd::CL1_2,
            "CL2.0" | "cl2.0" => ClStd::CL2_0,
            "CL3.0" | "cl3.0" => ClStd::CL3_0,
            _ => return None,
        })
    }
}

impl fmt::Display for ClStd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = self.version_number();
        write!(f, "CL{}.{}", v / 100, v / 10 % 10)
    }
}

impl Target {
    /// The names of all targets, in order.
    pub const NAMES: [&'static str; 9] = [
        "vulkan1.1",
        "vulkan1.2",
        "vulkan1.3",
        "vulkan1.4",
        "opencl1.2",
        "opencl2.0",
        "opencl2.1",
        "opencl2.2",
        "opencl3.0",
    ];

    /// Other names that [`Target::parse`] knows, with what they stand for: the latest versions.
    pub const ALIASES: [(&'static str, &'static str); 2] = [("vulkan", "vulkan1.4"), ("opencl", "opencl3.0")];

    /// Reads `vulkan1.2`, `opencl3.0`, …, `vulkan` and `opencl`.
    pub fn parse(text: &str) -> Option<Target> {
        use OpenClVersion as O;
        use VulkanVersion as V;
        Some(match text {
            "vulkan1.1" => Target::Vulkan(V::V1_1),
            "vulkan1.2" => Target::Vulkan(V::V1_2),
            "vulkan1.3" => Target::Vulkan(V::V1_3),
            "vulkan1.4" | "vulkan" => Target::Vulkan(V::V1_4),
            "opencl1.2" => Target::OpenCl(O::V1_2),
            "opencl2.0" => Target::OpenCl(O::V2_0),
            "opencl2.1" => Target::OpenCl(O::V2_1),
            "opencl2.2" => Target::OpenCl(O::V2_2),
            "opencl3.0" | "opencl" => Target::OpenCl(O::V3_0),
            _ => return None,
        })
    }

    /// Whether this is a Vulkan environment.
    pub fn is_vulkan(self) -> bool {
        matches!(self, Target::Vulkan(_))
    }

    /// Whether it can have pipes and kernels enqueued on the device: OpenCL 2.0 and later.
    pub fn has_device_enqueue(self) -> bool {
        !matches!(self, Target::Vulkan(_) | Target::OpenCl(OpenClVersion::V1_2))
    }

    /// The SPIR-V version (major, minor) modules for this environment use.
    pub fn spirv_version(self) -> (u8, u8) {
        match self {
            Target::Vulkan(VulkanVersion::V1_1) => (1, 3),
            Target::Vulkan(VulkanVersion::V1_2) => (1, 5),
            Target::Vulkan(_) => (1, 6),
            Target::OpenCl(OpenClVersion::V1_2 | OpenClVersion::V2_0 | OpenClVersion::V2_1) => (1, 0),
            Target::OpenCl(OpenClVersion::V2_2 | OpenClVersion::V3_0) => (1, 2),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Target::NAMES.iter().find(|name| Target::parse(name) == Some(*self)).unwrap_or(&"unknown");
        f.write_str(name)
    }
}

/// Relaxations of floating-point semantics (the `-cl-…` optimisation options of `clBuildProgram`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MathOptions {
    /// `-cl-fast-relaxed-math`: implies finite-math-only and unsafe-math-optimizations.
    pub fast_relaxed: bool,
    /// `-cl-mad-enable`: `a * b + c` may be a `mad` of reduced accuracy.
    pub mad_enable: bool,
    /// `-cl-finite-math-only`.
    pub finite_only: bool,
    /// `-cl-unsafe-math-optimizations`: implies no-signed-zeros and mad-enable.
    pub unsafe_optimizations: bool,
    /// `-cl-no-signed-zeros`.
    pub no_signed_zeros: bool,
    /// `-cl-denorms-are-zero`.
    pub denorms_are_zero: bool,
    /// `-cl-single-precision-constant`: unsuffixed floating constants are `float`.
    pub single_precision_constant: bool,
    /// `-cl-fp32-correctly-rounded-divide-sqrt`.
    pub correctly_rounded_divide_sqrt: bool,
}

/// One `-D NAME[=VALUE]` or `-U NAME`, in command-line order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MacroOption {
    /// `-D NAME[=VALUE]`; without a value the macro is `1`. The name may have a parameter list: `F(x)=x+1`.
    Define(String, Option<String>),
    /// `-U NAME`.
    Undefine(String),
}

/// Finds the files of `#include`; the compiler itself never opens one.
pub trait IncludeLoader: Send + Sync {
    /// Looks `path` up as written between the quotes or angle brackets, seen from the file named `from`.
    ///
    /// Returns the name that diagnostics show for the file and its text, or `None` where there is none.
    fn load(&self, path: &str, from: &str, angled: bool) -> Option<IncludedFile>;

    /// Why [`IncludeLoader::load`] returns `None`, where the reason is not that no such file is there.
    fn problem(&self, path: &str, from: &str, angled: bool) -> Option<String> {
        let _ = (path, from, angled);
        None
    }
}

/// What an [`IncludeLoader`] found.
#[derive(Clone, Debug)]
pub struct IncludedFile {
    /// The name shown in diagnostics and seen by `__FILE__`.
    pub name: String,
    /// The whole text; need not be valid UTF-8 outside of comments and strings, so bytes.
    pub text: Vec<u8>,
}

/// A loader that finds nothing: for sources without `#include`.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoIncludes;

impl IncludeLoader for NoIncludes {
    fn load(&self, _: &str, _: &str, _: bool) -> Option<IncludedFile> {
        None
    }
}

/// Loaders are not distinguished.
impl std::fmt::Debug for dyn IncludeLoader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("IncludeLoader")
    }
}

/// All switches of one compilation. The default is that of `clforge compile`: Vulkan 1.2, no macros and no option of
/// `clBuildProgram` but `-cl-kernel-arg-info`; and no included files. Its debug form has all of them but the included files.
#[derive(Clone, Debug)]
pub struct Options {
    /// The environment the module is for.
    pub target: Target,
    /// `-cl-std`; `None`: CL1.2 with every supported extension on, as drivers do.
    pub cl_std: Option<ClStd>,
    /// `-D` and `-U`, in order.
    pub macros: Vec<MacroOption>,
    /// `-include`: files that are included before the source, in order, after the macros are defined.
    pub included: Vec<String>,
    /// Finds `#include`d files.
    pub includes: Arc<dyn IncludeLoader>,
    /// Floating-point relaxations.
    pub math: MathOptions,
    /// `-cl-opt-disable`: only the passes that legality needs.
    pub opt_disable: bool,
    /// Names of passes that are left out, of those that legality does not need (`optimization_names` of the compiler).
    pub disabled_passes: Vec<String>,
    /// The IR is verified after each pass, as it always is in debug builds.
    pub verify_ir: bool,
    /// `-cl-kernel-arg-info`: keep argument names and types in the module.
    pub kernel_arg_info: bool,
    /// `-cl-uniform-work-group-size`: the local size divides the global size in every launch.
    pub uniform_work_group_size: bool,
    /// `-g`: emit line information and names.
    pub debug_info: bool,
    /// `-fdebug-prefix-map=OLD=NEW`, in order: what paths in line information begin with, and what they are to begin with.
    pub debug_prefixes: Vec<(String, String)>,
    /// `-w`: no warnings.
    pub no_warnings: bool,
    /// `-Werror`: warnings are errors.
    pub warnings_are_errors: bool,
    /// `-WX`, `-Wno-X`, `-Werror=X` and `-Wno-error=X`, in order.
    pub warnings: Vec<WarningSetting>,
    /// What is to be said of options that have no effect, with the warnings of the source.
    pub complaints: Vec<Complaint>,
    /// Bytes of push constants every device of interest has; arguments past it go to a uniform buffer.
    pub max_push_constants: u32,
    /// The factor by which loops are unrolled for Vulkan drivers that limit the iterations of a loop; 1 for all others. A number
    /// and not a workaround flag, since drivers differ in the limit.
    pub unroll_factor: u32,
    /// Defects of consumers that the module is written around.
    pub workarounds: Workarounds,
    /// Forms of code that a driver executes faster.
    pub tuning: Tuning,
    /// Atomic operations on floating objects that every Vulkan device of interest has; others exchange integers.
    pub float_atomics: FloatAtomics,
    /// Types of which the `Fma` of `GLSL.std.450` is rounded once on every Vulkan device of interest. Vulkan allows it to
    /// be a product and a sum, each rounded; for other types `fma` is computed by other means.
    pub fused_multiply_add: FloatWidths,
    /// What else is known of the arithmetic of every Vulkan device of interest.
    pub device_arithmetic: DeviceArithmetic,
    /// On every Vulkan device of interest, sub-groups are consecutive work-items of a work-group, by their local linear id, and
    /// have arithmetic of all types, and work-items of one execute an operation of it together wherever all of them reach it,
    /// although other sub-groups do not. Reductions and scans of work-groups then go through sub-groups. Vulkan promises the
    /// second only.
    pub linear_sub_groups: bool,
    /// Bytes of the buffer that `printf` writes to in Vulkan modules; what finds no room is lost and counted.
    pub printf_buffer_size: u32,
    /// Accesses outside of a launch's buffers, outside of objects of local and private memory, and to texels outside of images
    /// without a sampler read zeros and write nothing, and are recorded with their place in the source. For Vulkan targets only.
    pub bounds_check: bool,
    /// Global ids, sizes and offsets have 64 bits in Vulkan modules, for ND-ranges that reach beyond 2^32 work-items in a dimension.
    /// Without it they have 32, as the devices' inputs have: most ND-ranges need no more, and arithmetic is cheaper.
    pub wide_ids: bool,
    /// Most instructions of a program in every stage, since the memory and the time that passes need are proportional to them; a
    /// longer one is an error. By default as many as a SPIR-V module has ids (SPIR-V 2.17, Universal Limits).
    pub max_instructions: usize,
    /// Most bytes of the SPIR-V that a compilation may make, apart from its header; a larger module is an error. By default 64
    /// million, of which drivers take minutes or gigabytes.
    pub max_module_bytes: usize,
}

/// Atomic operations on floating objects that Vulkan devices have instructions of (`VK_EXT_shader_atomic_float` and
/// `VK_EXT_shader_atomic_float2`). Minima and maxima in `local` memory are not among them: with NaNs devices differ, and
/// what repairs that has no instructions there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatAtomics {
    /// Additions in `global` memory.
    pub buffer_add: FloatWidths,
    /// Minima and maxima in `global` memory.
    pub buffer_min_max: FloatWidths,
    /// Loads, stores and exchanges in `local` memory, without which there are no other operations there.
    pub shared_access: FloatWidths,
    /// Additions in `local` memory.
    pub shared_add: FloatWidths,
}

/// Precision of a device's operations on `float` that Vulkan does not promise (Vulkan 1.3, "Precision and Operation of SPIR-V
/// Instructions"). The default is what Vulkan promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceArithmetic {
    /// How a quotient is rounded correctly.
    pub divide: CorrectRounding,
    /// How a square root is rounded correctly.
    pub sqrt: CorrectRounding,
    /// `Exp2` of `GLSL.std.450` is as precise as `exp2` of OpenCL C has to be (7.4), 3 ulp. It is only made use of where
    /// [`Options::fused_multiply_add`] has `float`.
    pub precise_exp2: bool,
    /// Types of which `FAbs` of `GLSL.std.450` clears the sign also of zero, which it need not: "x if x >= 0; otherwise -x". It
    /// may flush denormals, as any operation may.
    pub absolute_value: FloatWidths,
}

/// How a result is rounded correctly, as `-cl-fp32-correctly-rounded-divide-sqrt` requires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CorrectRounding {
    /// In integer arithmetic.
    #[default]
    Integers,
    /// By one correction of the device's estimate. [`Options::fused_multiply_add`] must have `float`.
    Corrected,
    /// By the device's instruction.
    Native,
}

/// Widths of floating types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatWidths {
    /// `float`.
    pub float: bool,
    /// `double`.
    pub double: bool,
}

/// The widths of either.
impl std::ops::BitOr for FloatWidths {
    type Output = FloatWidths;

    fn bitor(self, other: FloatWidths) -> FloatWidths {
        FloatWidths { float: self.float || other.float, double: self.double || other.double }
    }
}

impl FloatAtomics {
    /// Adds what a feature of Vulkan stands for, such as `shaderBufferFloat32AtomicAdd`; whether it is one of these.
    pub fn enable(&mut self, feature: &str) -> bool {
        let (widths, is_wide) = match feature {
            "shaderBufferFloat32AtomicAdd" => (&mut self.buffer_add, false),
            "shaderBufferFloat64AtomicAdd" => (&mut self.buffer_add, true),
            "shaderBufferFloat32AtomicMinMax" => (&mut self.buffer_min_max, false),
            "shaderBufferFloat64AtomicMinMax" => (&mut self.buffer_min_max, true),
            "shaderSharedFloat32Atomics" => (&mut self.shared_access, false),
            "shaderSharedFloat64Atomics" => (&mut self.shared_access, true),
            "shaderSharedFloat32AtomicAdd" => (&mut self.shared_add, false),
            "shaderSharedFloat64AtomicAdd" => (&mut self.shared_add, true),
            _ => return false,
        };
        *(if is_wide { &mut widths.double } else { &mut widths.float }) = true;
        true
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            target: Target::Vulkan(VulkanVersion::V1_2),
            cl_std: None,
            macros: Vec::new(),
            included: Vec::new(),
            includes: Arc::new(NoIncludes),
            math: MathOptions::default(),
            opt_disable: false,
            disabled_passes: Vec::new(),
            verify_ir: false,
            kernel_arg_info: true,
            uniform_work_group_size: false,
            debug_info: false,
            debug_prefixes: Vec::new(),
            no_warnings: false,
            warnings_are_errors: false,
            warnings: Vec::new(),
            complaints: Vec::new(),
            max_push_constants: 128,
            unroll_factor: 1,
            max_instructions: 4_194_303,
            max_module_bytes: 64_000_000,
            workarounds: Workarounds::default(),
            tuning: Tuning::default(),
            float_atomics: FloatAtomics::default(),
            fused_multiply_add: FloatWidths::default(),
            device_arithmetic: DeviceArithmetic::default(),
            linear_sub_groups: false,
            printf_buffer_size: 1 << 20,
            bounds_check: false,
            wide_ids: false,
        }
    }
}

impl Options {
    /// Adds what a feature of Vulkan stands for that changes what is compiled: those of [`FloatAtomics::enable`], and
    /// `shaderFmaFloat32` and `shaderFmaFloat64` (`VK_KHR_shader_fma`). Whether it is one of these.
    pub fn enable_device_feature(&mut self, feature: &str) -> bool {
        match feature {
            "shaderFmaFloat32" => self.fused_multiply_add.float = true,
            "shaderFmaFloat64" => self.fused_multiply_add.double = true,
            _ => return self.float_atomics.enable(feature),
        }
        true
    }

    /// Whether a product of halves and its sum are one operation where the program allows that. The device may round it once or
    /// twice: what fuses floats is taken to fuse halves.
    pub fn contracts_halves(&self) -> bool {
        self.target.is_vulkan() && self.fused_multiply_add.float
    }

    /// Whether a flag is set for which a pass runs.
    pub fn has_flag_of(&self, pass: &str) -> bool {
        let workarounds = Workarounds::of_pass(pass).is_some_and(|flags| self.workarounds.intersects(flags));
        workarounds || Tuning::of_pass(pass).is_some_and(|flags| self.tuning.intersects(flags))
    }

    /// The language version in force.
    pub fn language(&self) -> ClStd {
        self.cl_std.unwrap_or(ClStd::CL1_2)
    }

    /// What becomes of a warning under these options. As in clang, `-w` is stronger than everything else.
    pub fn warning_level(&self, flag: WarningFlag) -> WarningLevel {
        let (mut is_on, mut is_error) = (flag.is_on_by_default(), self.warnings_are_errors);
        let mut is_kept = false;
        for setting in self.warnings.iter().filter(|setting| setting.flags.contains(&flag)) {
            match setting.action {
                WarningAction::Enable => is_on = true,
                WarningAction::Disable => is_on = false,
                WarningAction::MakeError => (is_on, is_error, is_kept) = (true, true, false),
                WarningAction::KeepWarning => is_kept = true,
            }
        }
        match is_on && !self.no_warnings {
            false => WarningLevel::Ignored,
            true if is_error && !is_kept => WarningLevel::Error,
            true => WarningLevel::Warning,
        }
    }

    /// Whether a warning is given at all.
    pub fn warns(&self, flag: WarningFlag) -> bool {
        self.warning_level(flag) != WarningLevel::Ignored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(options: &str, flag: WarningFlag) -> WarningLevel {
        let mut parsed = Options::default();
        for option in options.split_whitespace() {
            match option {
                "-w" => parsed.no_warnings = true,
                "-Werror" => parsed.warnings_are_errors = true,
                _ => parsed.warnings.push(WarningSetting::parse(option).unwrap()),
            }
        }
        parsed.warning_level(flag)
    }

    /// Each line was tried with clang 15.
    #[test]
    fn levels_are_those_of_clang() {
        use WarningLevel::{Error, Ignored, Warning};
        for (options, expected) in [
            ("", Ignored),
            ("-Wall", Warning),
            ("-Wunused", Warning),
            ("-Wall -Wno-unused-variable", Ignored),
            ("-Wno-unused-variable -Wall", Warning),
            ("-Weverything -Wno-unused", Ignored),
            ("-Werror", Ignored),
            ("-Wall -Werror", Error),
            ("-Werror=unused-variable", Error),
            ("-Werror=unused-variable -Wno-unused-variable", Ignored),
            ("-Werror=unused-variable -Wunused-variable", Error),
            ("-Wall -Werror -Wno-error=unused", Warning),
            ("-Wno-error=unused -Wall -Werror", Warning),
            ("-Wno-error=unused -Werror=unused", Error),
            ("-Werror=unused-variable -w", Ignored),
        ] {
            assert_eq!(level(options, WarningFlag::UnusedVariable), expected, "{options}");
        }
        assert_eq!(level("", WarningFlag::MacroRedefined), Warning);
        assert_eq!(level("-Wno-all", WarningFlag::UnusedValue), Ignored);
    }
}
