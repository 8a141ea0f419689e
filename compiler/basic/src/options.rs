//! All options of the compiler. They are passed explicitly; nothing is read from the environment.

mod codegen;
mod device;
mod ignored;
mod language;
mod parse;
mod sanitize;

pub use crate::matrix::{MatrixComponent, MatrixUse, MatrixVariant, SignedComponent};
pub use codegen::{CodegenOptions, Translatable};
pub use device::{
    Addressing, CorrectRounding, DeviceArithmetic, DeviceFacts, EmulatedTypes, FloatAtomics, FloatWidths,
};
pub use ignored::{Complaint, IgnoredOption};
pub use language::{
    AddressBits, ClStd, IncludeLoader, IncludedFile, LanguageOptions, MacroOption, MathOptions, NoIncludes,
};
pub use parse::{ADDRESS_BITS, DEBUG_PREFIX_MAP, OptionError, SANITIZE, debug_prefix};
pub use sanitize::Sanitizers;

use crate::tuning::Tuning;
use crate::workarounds::Workarounds;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The SPIR-V environment a module is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A Vulkan version: physical storage buffer addressing, Vulkan memory model.
    Vulkan(VulkanVersion),
    /// An OpenCL version: `Physical64` addressing (`Physical32` where pointers have 32 bits), OpenCL memory model.
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
    V3_1,
}

impl OpenClVersion {
    /// The value of `__OPENCL_VERSION__`.
    pub fn version_number(self) -> u32 {
        match self {
            OpenClVersion::V1_2 => 120,
            OpenClVersion::V2_0 => 200,
            OpenClVersion::V2_1 => 210,
            OpenClVersion::V2_2 => 220,
            OpenClVersion::V3_0 => 300,
            OpenClVersion::V3_1 => 310,
        }
    }
}

impl Target {
    /// The names of all targets, in order.
    pub const NAMES: [&'static str; 10] = [
        "vulkan1.1",
        "vulkan1.2",
        "vulkan1.3",
        "vulkan1.4",
        "opencl1.2",
        "opencl2.0",
        "opencl2.1",
        "opencl2.2",
        "opencl3.0",
        "opencl3.1",
    ];

    /// Other names that [`Target::parse`] knows, with what they stand for: the latest versions.
    pub const ALIASES: [(&'static str, &'static str); 2] = [("vulkan", "vulkan1.4"), ("opencl", "opencl3.1")];

    /// Reads `vulkan1.2`, `opencl3.1`, …, `vulkan` and `opencl`.
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
            "opencl3.0" => Target::OpenCl(O::V3_0),
            "opencl3.1" | "opencl" => Target::OpenCl(O::V3_1),
            _ => return None,
        })
    }

    /// Whether this is a Vulkan environment.
    pub fn is_vulkan(self) -> bool {
        matches!(self, Target::Vulkan(_))
    }

    /// Whether it can have pipes: Vulkan, and OpenCL 2.0 and later.
    pub fn has_pipes(self) -> bool {
        self != Target::OpenCl(OpenClVersion::V1_2)
    }

    /// The SPIR-V version (major, minor) modules for this environment use.
    pub fn spirv_version(self) -> (u8, u8) {
        match self {
            Target::Vulkan(VulkanVersion::V1_1) => (1, 3),
            Target::Vulkan(VulkanVersion::V1_2) => (1, 5),
            Target::Vulkan(_) => (1, 6),
            Target::OpenCl(OpenClVersion::V1_2 | OpenClVersion::V2_0 | OpenClVersion::V2_1) => (1, 0),
            Target::OpenCl(OpenClVersion::V2_2 | OpenClVersion::V3_0 | OpenClVersion::V3_1) => (1, 2),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Target::NAMES.iter().find(|name| Target::parse(name) == Some(*self)).unwrap_or(&"unknown");
        f.write_str(name)
    }
}

/// All options of one compilation, in three groups. The default is that of `clforge compile`: Vulkan 1.2, no macros and
/// no option of `clBuildProgram` but `-cl-kernel-arg-info`; and no included files. Its debug form has all of them but
/// the included files.
///
/// ```
/// use clforge_basic::options::{ClStd, Options, Target};
///
/// let mut options = Options::for_target(Target::parse("vulkan1.3").unwrap()).with_cl_std(ClStd::CL3_0);
/// options.codegen.bounds_check = true;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The environment the module is for.
    pub target: Target,
    /// What the program means, and what is said of it.
    pub language: LanguageOptions,
    /// What is known of the devices that the module is for.
    pub device: DeviceFacts,
    /// How code is made.
    pub codegen: CodegenOptions,
}

impl Default for Options {
    fn default() -> Self {
        Options::for_target(Target::Vulkan(VulkanVersion::V1_2))
    }
}

impl Options {
    /// The default for a target.
    pub fn for_target(target: Target) -> Options {
        let language = LanguageOptions::default();
        Options { target, language, device: DeviceFacts::default(), codegen: CodegenOptions::default() }
    }

    /// Whether kernels can be enqueued on the device: on OpenCL 2.0 and later with pointers of 64 bits, and on Vulkan where pointers
    /// are addresses, which the records of what is enqueued have.
    pub fn has_device_enqueue(&self) -> bool {
        match self.target {
            Target::Vulkan(_) => {
                self.device.addressing == Addressing::Physical64 && self.codegen.translatable.is_none()
            }
            Target::OpenCl(version) => {
                version != OpenClVersion::V1_2 && self.language.address_bits == AddressBits::Bits64
            }
        }
    }

    /// These options for another target.
    #[must_use]
    pub fn with_target(self, target: Target) -> Options {
        Options { target, ..self }
    }

    /// With a version of OpenCL C; `None`: see [`LanguageOptions::cl_std`].
    #[must_use]
    pub fn with_cl_std(self, version: impl Into<Option<ClStd>>) -> Options {
        self.with(|options| options.language.cl_std = version.into())
    }

    /// With one more macro: `-D NAME=VALUE`, or `-D NAME` without a value.
    #[must_use]
    pub fn with_macro<'v>(self, name: &str, value: impl Into<Option<&'v str>>) -> Options {
        let value = value.into().map(str::to_owned);
        self.with(|options| options.language.macros.push(MacroOption::Define(name.to_owned(), value)))
    }

    /// With a loader of included files.
    #[must_use]
    pub fn with_includes(self, includes: Arc<dyn IncludeLoader>) -> Options {
        self.with(|options| options.language.includes = includes)
    }

    /// With relaxations of floating-point arithmetic.
    #[must_use]
    pub fn with_math(self, math: MathOptions) -> Options {
        self.with(|options| options.language.math = math)
    }

    /// With these workarounds, and no others.
    #[must_use]
    pub fn with_workarounds(self, workarounds: Workarounds) -> Options {
        self.with(|options| options.codegen.workarounds = workarounds)
    }

    /// With checks of accesses, or without: see [`CodegenOptions::bounds_check`].
    #[must_use]
    pub fn with_bounds_check(self, bounds_check: bool) -> Options {
        self.with(|options| options.codegen.bounds_check = bounds_check)
    }

    /// With these sanitizers, and no others: see [`CodegenOptions::set_sanitizers`].
    #[must_use]
    pub fn with_sanitizers(self, sanitizers: Sanitizers) -> Options {
        self.with(|options| options.codegen.set_sanitizers(sanitizers))
    }

    /// With ids of 64 bits, or without: see [`CodegenOptions::wide_ids`].
    #[must_use]
    pub fn with_wide_ids(self, wide_ids: bool) -> Options {
        self.with(|options| options.codegen.wide_ids = wide_ids)
    }

    /// For launches whose arguments do not overlap, or for all: see [`CodegenOptions::distinct_arguments`].
    #[must_use]
    pub fn with_distinct_arguments(self, distinct_arguments: bool) -> Options {
        self.with(|options| options.codegen.distinct_arguments = distinct_arguments)
    }

    /// For launches whose loops make few iterations, or for all: see [`CodegenOptions::few_iterations`].
    #[must_use]
    pub fn with_few_iterations(self, few_iterations: bool) -> Options {
        self.with(|options| options.codegen.few_iterations = few_iterations)
    }

    /// With line information and names, or without.
    #[must_use]
    pub fn with_debug_info(self, debug_info: bool) -> Options {
        self.with(|options| options.codegen.debug_info = debug_info)
    }

    /// With a limit: see [`CodegenOptions::max_instructions`].
    #[must_use]
    pub fn with_max_instructions(self, max_instructions: usize) -> Options {
        self.with(|options| options.codegen.max_instructions = max_instructions)
    }

    /// For translation to WGSL, the language of WebGPU: logical addressing, types of 32 bits alone, and no workarounds or
    /// tuning for Vulkan drivers. See [`Translatable`].
    #[must_use]
    pub fn for_web_gpu(mut self, translatable: Translatable) -> Options {
        self.target = Target::Vulkan(VulkanVersion::V1_1);
        self.device.addressing = Addressing::Logical;
        self.device.max_push_constants = 0;
        let with_sub_groups =
            [EmulatedTypes::SUB_GROUPS, EmulatedTypes::SUB_GROUP_ARITHMETIC, EmulatedTypes::SUB_GROUP_TYPES];
        for name in EmulatedTypes::NAMES.into_iter().filter(|name| !with_sub_groups.contains(name)) {
            self.device.emulated.add(name);
        }
        self.codegen.workarounds = Workarounds::empty();
        self.codegen.tuning = Tuning::empty();
        self.codegen.translatable = Some(translatable);
        self
    }

    /// With any change, for an option without a function of its own.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Options)) -> Options {
        change(&mut self);
        self
    }

    /// These options as passes take them: where doubles are emulated, `fma` is exact, and no driver computes with doubles;
    /// where halves are, they are not rounded by instructions.
    #[must_use]
    pub fn with_emulation(&self) -> Cow<'_, Options> {
        let emulated = self.device.emulated;
        if emulated == EmulatedTypes::default() {
            return Cow::Borrowed(self);
        }
        let mut options = self.clone();
        // Arithmetic of sub-groups is a loop for emulated types.
        options.device.linear_sub_groups = false;
        if !emulated.float64 {
            if emulated.float16 {
                options.codegen.workarounds |= Workarounds::LAVAPIPE_DOUBLE_TO_HALF;
            }
            return Cow::Owned(options);
        }
        options.device.fused_multiply_add.double = true;
        options.codegen.workarounds -= Workarounds::LAVAPIPE_DOUBLE_TO_HALF
            | Workarounds::LAVAPIPE_DOUBLE_RINT
            | Workarounds::LAVAPIPE_DOUBLE_TRUNC
            | Workarounds::NVIDIA_DOUBLE_DIVIDE_SQRT
            | Workarounds::NVIDIA_WIDE_CONVERSIONS;
        Cow::Owned(options)
    }

    /// Whether a product of halves and its sum are one operation where the program allows that. The device may round it
    /// once or twice: what fuses floats is taken to fuse halves.
    pub fn contracts_halves(&self) -> bool {
        self.target.is_vulkan() && self.device.fused_multiply_add.float
    }
}
