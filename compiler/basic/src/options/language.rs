//! What a program means and what is said of it: the language's version, macros, included files, relaxations of
//! arithmetic, warnings.

use super::Complaint;
use crate::warnings::{WarningAction, WarningFlag, WarningLevel, WarningSetting};
use std::fmt;
use std::sync::Arc;

/// Version of the OpenCL C language (`-cl-std`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum ClStd {
    CL1_0,
    CL1_1,
    CL1_2,
    CL2_0,
    CL3_0,
    CL3_1,
}

impl ClStd {
    /// All versions, in order.
    pub const ALL: [ClStd; 6] = [ClStd::CL1_0, ClStd::CL1_1, ClStd::CL1_2, ClStd::CL2_0, ClStd::CL3_0, ClStd::CL3_1];

    /// The value of `__OPENCL_C_VERSION__`.
    pub fn version_number(self) -> u32 {
        match self {
            ClStd::CL1_0 => 100,
            ClStd::CL1_1 => 110,
            ClStd::CL1_2 => 120,
            ClStd::CL2_0 => 200,
            ClStd::CL3_0 => 300,
            ClStd::CL3_1 => 310,
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
            "CL3.1" | "cl3.1" => ClStd::CL3_1,
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

/// The width of pointers, `size_t`, `ptrdiff_t`, `intptr_t` and `uintptr_t` in the program (`--address-bits`): the data
/// models of clang's targets `spir` and `spir64`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AddressBits {
    /// 32 bits; on Vulkan with logical addressing only.
    Bits32,
    /// 64 bits.
    #[default]
    Bits64,
}

impl AddressBits {
    /// Reads `32` or `64`.
    pub fn parse(text: &str) -> Option<AddressBits> {
        match text {
            "32" => Some(AddressBits::Bits32),
            "64" => Some(AddressBits::Bits64),
            _ => None,
        }
    }

    /// The bytes of a pointer in memory.
    pub const fn bytes(self) -> u32 {
        match self {
            AddressBits::Bits32 => 4,
            AddressBits::Bits64 => 8,
        }
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

/// The options of the language: most of those of `clBuildProgram`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LanguageOptions {
    /// `-cl-std`; `None`: CL1.2 with every supported extension on, as drivers do.
    pub cl_std: Option<ClStd>,
    /// `--address-bits`: the width of pointers and of `size_t`.
    pub address_bits: AddressBits,
    /// `-D` and `-U`, in order.
    pub macros: Vec<MacroOption>,
    /// `-include`: files that are included before the source, in order, after the macros are defined.
    pub included: Vec<String>,
    /// Finds `#include`d files.
    pub includes: Arc<dyn IncludeLoader>,
    /// Floating-point relaxations.
    pub math: MathOptions,
    /// `-w`: no warnings.
    pub no_warnings: bool,
    /// `-Werror`: warnings are errors.
    pub warnings_are_errors: bool,
    /// `-WX`, `-Wno-X`, `-Werror=X` and `-Wno-error=X`, in order.
    pub warnings: Vec<WarningSetting>,
    /// What is to be said of options that have no effect, with the warnings of the source.
    pub complaints: Vec<Complaint>,
}

impl Default for LanguageOptions {
    fn default() -> Self {
        LanguageOptions {
            cl_std: None,
            address_bits: AddressBits::default(),
            macros: Vec::new(),
            included: Vec::new(),
            includes: Arc::new(NoIncludes),
            math: MathOptions::default(),
            no_warnings: false,
            warnings_are_errors: false,
            warnings: Vec::new(),
            complaints: Vec::new(),
        }
    }
}

impl LanguageOptions {
    /// The language version in force.
    pub fn version(&self) -> ClStd {
        self.cl_std.unwrap_or(ClStd::CL1_2)
    }

    /// The level of a warning under these options. As in clang, `-w` is stronger than everything else.
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
        let mut parsed = LanguageOptions::default();
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
