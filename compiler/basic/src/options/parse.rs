//! The build options of `clBuildProgram` in one string.

use super::{AddressBits, ClStd, IgnoredOption, MacroOption, Options, Sanitizers};
use crate::warnings::WarningSetting;
use std::fmt;

/// Why build options are not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionError {
    /// No such option.
    Unknown {
        /// As written.
        option: String,
    },
    /// An option without the value that it needs.
    NoValue {
        /// The option.
        option: &'static str,
    },
    /// A value that the option cannot have.
    BadValue {
        /// The option.
        option: &'static str,
        /// The value.
        value: String,
    },
    /// A list of sanitizers that there is not.
    BadSanitizer {
        /// What is wrong with it.
        reason: String,
    },
    /// A quotation mark without its partner.
    OpenQuote,
    /// `-I` where no files are looked for: see [`Options::parse`].
    IncludeFolder {
        /// The folder.
        folder: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown { option } => write!(f, "unknown build option '{option}'"),
            OptionError::NoValue { option } => write!(f, "build option '{option}' needs a value"),
            OptionError::BadValue { option, value } => {
                write!(f, "build option '{option}' cannot have the value '{value}'")
            }
            OptionError::BadSanitizer { reason } => f.write_str(reason),
            OptionError::OpenQuote => f.write_str("a quotation mark in the build options has no partner"),
            OptionError::IncludeFolder { folder } => {
                write!(
                    f,
                    "build option '-I {folder}' needs files: read the options with 'build_options', or set 'includes'"
                )
            }
        }
    }
}

impl std::error::Error for OptionError {}

impl Options {
    /// Reads the options of `clBuildProgram` (OpenCL 3.0, 5.8.6), as `-DN=4 -cl-mad-enable`, and `-Wall`, `-g`,
    /// `--bounds-check` and `--sanitize=`. Words may stand in quotation marks. What is not mentioned has its default. Options of other compilers
    /// that are ignored are warned of in each compilation: see [`super::LanguageOptions::complaints`].
    ///
    /// # Errors
    /// [`OptionError`]; for `-I` [`OptionError::IncludeFolder`], as no files are read here: `build_options` of the compiler takes
    /// them from the file system, and [`Options::parse_with_folders`] is for other loaders.
    pub fn parse(text: &str) -> Result<Options, OptionError> {
        let (options, folders) = Options::parse_with_folders(text)?;
        match folders.into_iter().next() {
            Some(folder) => Err(OptionError::IncludeFolder { folder }),
            None => Ok(options),
        }
    }

    /// As [`Options::parse`], with the folders of `-I` in order, for who sets [`super::LanguageOptions::includes`].
    ///
    /// # Errors
    /// [`OptionError`].
    pub fn parse_with_folders(text: &str) -> Result<(Options, Vec<String>), OptionError> {
        let (mut options, mut folders) = (Options::default(), Vec::new());
        let mut words = split(text)?.into_iter().peekable();
        while let Some(word) = words.next() {
            let mut value = |option: &'static str| {
                let glued = word.strip_prefix(option).unwrap_or_default();
                let value = if glued.is_empty() { words.next() } else { Some(glued.to_owned()) };
                value.filter(|value| !value.is_empty()).ok_or(OptionError::NoValue { option })
            };
            if word.starts_with("-D") {
                options.language.macros.push(define(value("-D")?)?);
            } else if word.starts_with("-U") {
                options.language.macros.push(MacroOption::Undefine(value("-U")?));
            } else if word.starts_with("-I") {
                folders.push(value("-I")?);
            } else if let Some(version) = word.strip_prefix("-cl-std=") {
                let bad = || OptionError::BadValue { option: "-cl-std", value: version.into() };
                options.language.cl_std = Some(ClStd::parse(version).ok_or_else(bad)?);
            } else if word.starts_with(ADDRESS_BITS) {
                let bits = value(ADDRESS_BITS)?;
                let bits = bits.strip_prefix('=').unwrap_or(&bits);
                let bad = || OptionError::BadValue { option: ADDRESS_BITS, value: bits.into() };
                options.language.address_bits = AddressBits::parse(bits).ok_or_else(bad)?;
            } else if let Some(map) = word.strip_prefix(DEBUG_PREFIX_MAP) {
                let bad = || OptionError::BadValue { option: "-fdebug-prefix-map", value: map.into() };
                options.codegen.debug_prefixes.push(debug_prefix(map).ok_or_else(bad)?);
            } else if let Some(list) = word.strip_prefix(SANITIZE) {
                let list = Sanitizers::parse(list).map_err(|reason| OptionError::BadSanitizer { reason })?;
                options.codegen.set_sanitizers(options.codegen.sanitizers() | list);
            } else if !options.set_flag(&word) {
                let ignored = IgnoredOption::find(&word).ok_or(OptionError::Unknown { option: word })?;
                words.next_if(|next| ignored.takes(next));
                options.language.complaints.extend(ignored.complaint);
            }
        }
        Ok((options, folders))
    }

    /// The build options without a value, except those of single warnings.
    pub fn flags() -> impl Iterator<Item = &'static str> {
        FLAGS.iter().map(|(name, _)| *name)
    }

    /// Sets what an option without a value stands for, and what that implies according to the specification; whether there is
    /// such an option.
    pub fn set_flag(&mut self, flag: &str) -> bool {
        if let Some((_, set)) = FLAGS.iter().find(|(name, _)| *name == flag) {
            set(self);
            return true;
        }
        let setting = WarningSetting::parse(flag);
        let is_known = setting.is_some();
        self.language.warnings.extend(setting);
        is_known
    }

    fn set_unsafe_math(&mut self) {
        self.language.math.unsafe_optimizations = true;
        self.language.math.no_signed_zeros = true;
        self.language.math.mad_enable = true;
    }
}

/// The option for [`LanguageOptions::address_bits`](super::LanguageOptions::address_bits), with the value in the next word or
/// behind `=`.
pub const ADDRESS_BITS: &str = "--address-bits";

/// The option for [`CodegenOptions::debug_prefixes`](super::CodegenOptions::debug_prefixes).
pub const DEBUG_PREFIX_MAP: &str = "-fdebug-prefix-map=";

/// The option for [`CodegenOptions::sanitizers`](super::CodegenOptions::sanitizers).
pub const SANITIZE: &str = "--sanitize=";

/// The value of [`DEBUG_PREFIX_MAP`], `OLD=NEW`.
pub fn debug_prefix(map: &str) -> Option<(String, String)> {
    map.split_once('=').map(|(old, new)| (old.to_owned(), new.to_owned()))
}

/// An option without a value, and what it sets.
type Flag = (&'static str, fn(&mut Options));

/// Options without a value, and what each sets.
const FLAGS: &[Flag] = &[
    ("--bounds-check", |options| options.codegen.bounds_check = true),
    ("--robust-buffer-access", |options| options.codegen.robust_buffer_access = true),
    ("--wide-ids", |options| options.codegen.wide_ids = true),
    ("--distinct-arguments", |options| options.codegen.distinct_arguments = true),
    ("-w", |options| options.language.no_warnings = true),
    ("-Werror", |options| options.language.warnings_are_errors = true),
    ("-Wno-error", |options| options.language.warnings_are_errors = false),
    ("-g", |options| options.codegen.debug_info = true),
    ("-O", |options| options.codegen.opt_disable = false),
    ("-O0", |options| options.codegen.opt_disable = true),
    ("-O1", |options| options.codegen.opt_disable = false),
    ("-O2", |options| options.codegen.opt_disable = false),
    ("-O3", |options| options.codegen.opt_disable = false),
    ("-Os", |options| options.codegen.opt_disable = false),
    ("-Oz", |options| options.codegen.opt_disable = false),
    ("-cl-fast-relaxed-math", |options| {
        options.set_unsafe_math();
        options.language.math.fast_relaxed = true;
        options.language.math.finite_only = true;
    }),
    ("-cl-mad-enable", |options| options.language.math.mad_enable = true),
    ("-cl-finite-math-only", |options| options.language.math.finite_only = true),
    ("-cl-unsafe-math-optimizations", Options::set_unsafe_math),
    ("-cl-no-signed-zeros", |options| options.language.math.no_signed_zeros = true),
    ("-cl-denorms-are-zero", |options| options.language.math.denorms_are_zero = true),
    ("-cl-single-precision-constant", |options| options.language.math.single_precision_constant = true),
    ("-cl-fp32-correctly-rounded-divide-sqrt", |options| options.language.math.correctly_rounded_divide_sqrt = true),
    ("-cl-opt-disable", |options| options.codegen.opt_disable = true),
    ("-cl-kernel-arg-info", |options| options.codegen.kernel_arg_info = true),
    ("-cl-uniform-work-group-size", |options| options.codegen.uniform_work_group_size = true),
    // Sub-groups make independent forward progress on no target, so programs that need none lose nothing.
    ("-cl-no-subgroup-ifp", |_| {}),
    // Deprecated since OpenCL 1.1 and without effect; old programs still pass it.
    ("-cl-strict-aliasing", |_| {}),
];

fn define(text: String) -> Result<MacroOption, OptionError> {
    if !text.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic()) {
        return Err(OptionError::BadValue { option: "-D", value: text });
    }
    Ok(match text.split_once('=') {
        Some((name, value)) => MacroOption::Define(name.into(), Some(value.into())),
        None => MacroOption::Define(text, None),
    })
}

/// Words between blanks. What stands in quotation marks belongs to one word, and a mark behind a backslash is itself.
fn split(text: &str) -> Result<Vec<String>, OptionError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', _) if characters.peek().is_some_and(|next| matches!(next, '"' | '\'')) => {
                word.get_or_insert_default().extend(characters.next());
            }
            ('"' | '\'', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (mark, Some(open)) if mark == open => quote = None,
            (blank, None) if blank.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    if quote.is_some() { Err(OptionError::OpenQuote) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn macros(text: &str) -> Vec<MacroOption> {
        Options::parse(text).expect("good options").language.macros
    }

    #[test]
    fn sanitizers() {
        let options = Options::parse("--bounds-check --sanitize=race --sanitize=undefined,sync").unwrap();
        assert_eq!(options.codegen.sanitizers().to_string(), "address,undefined,race,sync");
        let error = Options::parse("--sanitize=leak").unwrap_err().to_string();
        assert!(error.contains("no sanitizer 'leak'"), "{error}");
    }

    #[test]
    fn the_forms_of_macros() {
        let define = |name: &str, value: Option<&str>| MacroOption::Define(name.into(), value.map(Into::into));
        assert_eq!(
            macros("-DN=4 -D M\t-D  F(x)=x==1 -UA -U B"),
            [
                define("N", Some("4")),
                define("M", None),
                define("F(x)", Some("x==1")),
                MacroOption::Undefine("A".into()),
                MacroOption::Undefine("B".into()),
            ]
        );
        assert_eq!(
            macros(r#"-D "T=unsigned int" -DS=\"a\" '-DE=' -D"Q=1 2""#),
            [
                define("T", Some("unsigned int")),
                define("S", Some("\"a\"")),
                define("E", Some("")),
                define("Q", Some("1 2")),
            ]
        );
        assert!(macros("  ").is_empty());
    }

    #[test]
    fn flags_and_versions() {
        let options = Options::parse("-cl-mad-enable -cl-std=CL2.0 -Werror --bounds-check").unwrap();
        assert!(
            options.language.math.mad_enable && options.language.warnings_are_errors && options.codegen.bounds_check
        );
        assert!(!options.language.math.unsafe_optimizations && options.language.warnings.is_empty());
        assert_eq!(options.language.cl_std, Some(ClStd::CL2_0));
        // OpenCL 3.0, 5.8.6.2: what the options imply.
        let math = Options::parse("-cl-fast-relaxed-math").unwrap().language.math;
        assert!(math.fast_relaxed && math.finite_only && math.unsafe_optimizations);
        assert!(math.no_signed_zeros && math.mad_enable && !math.denorms_are_zero);
        let math = Options::parse("-cl-unsafe-math-optimizations").unwrap().language.math;
        assert!(math.no_signed_zeros && math.mad_enable && !math.finite_only && !math.fast_relaxed);
    }

    /// What clang 15 says of these, but for the options of implementations.
    #[test]
    fn options_that_have_no_effect() {
        let complaints = |text: &str| {
            let options = Options::parse(text).unwrap();
            options.language.complaints.into_iter().map(|complaint| complaint.message).collect::<Vec<_>>()
        };
        let none =
            "-Wno-unused-function -Wno-unused-parameter -Wno-sign-compare -Wextra -W -Werror=shadow -Wdocumentation";
        assert!(complaints(none).is_empty());
        assert_eq!(
            complaints("-Wfoo -Wno-bar"),
            ["unknown warning option '-Wfoo'", "unknown warning option '-Wno-bar'"]
        );
        let said = complaints("-cl-nv-verbose -cl-nv-maxrregcount 32 -cl-nv-maxrregcount=32 -cl-intel-x");
        assert!(said.len() == 4 && said[0].contains("'-cl-nv-verbose' is one of another implementation"), "{said:?}");
        let unknown = OptionError::Unknown { option: "32".into() };
        assert_eq!(Options::parse("-cl-nv-verbose 32").err(), Some(unknown));
    }

    /// As clang maps them; names of files do not depend on how they were written.
    #[test]
    fn paths_of_line_information() {
        let options = Options::parse("-fdebug-prefix-map=/home/me=. -fdebug-prefix-map=/home/me/src/=").unwrap();
        let mapped = [
            ("./a.cl", "a.cl"),
            ("././b//a.cl", "b/a.cl"),
            ("../a.cl", "../a.cl"),
            ("/home/me/a.cl", "./a.cl"),
            ("/home/./me/src/a.cl", "a.cl"),
            ("/home/you/a.cl", "/home/you/a.cl"),
        ];
        for (path, expected) in mapped {
            assert_eq!(options.codegen.debug_path(path), expected);
        }
        let error = Options::parse("-fdebug-prefix-map=a").err().map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("build option '-fdebug-prefix-map' cannot have the value 'a'"));
    }

    #[test]
    fn address_bits() {
        let bits = |text: &str| Options::parse(text).map(|options| options.language.address_bits);
        assert_eq!(bits(""), Ok(AddressBits::Bits64));
        assert_eq!(bits("--address-bits 32 -g"), Ok(AddressBits::Bits32));
        assert_eq!(bits("--address-bits=32"), Ok(AddressBits::Bits32));
        assert_eq!(bits("--address-bits 32 --address-bits=64"), Ok(AddressBits::Bits64));
        let error = |text: &str| bits(text).unwrap_err().to_string();
        assert_eq!(error("--address-bits=16"), "build option '--address-bits' cannot have the value '16'");
        assert_eq!(error("--address-bits"), "build option '--address-bits' needs a value");
    }

    #[test]
    fn mistakes_and_folders() {
        let error = |text: &str| Options::parse(text).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(error("-cl-mad-enabled"), "unknown build option '-cl-mad-enabled'");
        assert_eq!(error("a.cl"), "unknown build option 'a.cl'");
        assert_eq!(error("-D"), "build option '-D' needs a value");
        assert_eq!(error("-D 1=2"), "build option '-D' cannot have the value '1=2'");
        assert_eq!(error("-cl-std=CL9"), "build option '-cl-std' cannot have the value 'CL9'");
        assert_eq!(error("-DA=\"1"), "a quotation mark in the build options has no partner");
        assert!(error("-I include").contains("'-I include' needs files"));
        let (options, folders) = Options::parse_with_folders("-Ia -w -I 'b c'").unwrap();
        assert!(options.language.no_warnings);
        assert_eq!(folders, ["a", "b c"]);
    }
}
