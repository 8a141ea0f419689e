//! The build options of `clBuildProgram`, and those of clang that clap has no form for: `-cl-…`, `-DNAME`, `-Wname`, `-MD`.
//! They are removed from the command line before clap parses it.

use crate::depfile;
use crate::known_options::{KnownOptions, suggestion};
use clforge_compiler::Options;
use clforge_compiler::options::{
    ADDRESS_BITS, AddressBits, ClStd, Complaint, DEBUG_PREFIX_MAP, IgnoredOption, MacroOption, SANITIZE, Sanitizers,
    debug_prefix,
};
use clforge_compiler::warnings::{WarningFlag, WarningLevel, WarningSetting};
use clforge_runtime::FileIncludes;
use std::ffi::OsString;
use std::iter::Peekable;
use std::path::PathBuf;
use std::sync::Arc;

/// The build options of a command line.
#[derive(Debug, Default, PartialEq)]
pub struct BuildOptions {
    switches: Vec<Switch>,
    /// What only `clforge compile` takes.
    pub outputs: OutputOptions,
    /// What is to be said of options that are ignored.
    pub complaints: Vec<Complaint>,
}

/// What `-MD` and its kin, and `-fsyntax-only`, want written.
#[derive(Debug, Default, PartialEq)]
pub struct OutputOptions {
    /// The first of these options, as written.
    pub first: Option<String>,
    /// `-fsyntax-only`
    pub syntax_only: bool,
    /// `-MD`
    pub dependencies: bool,
    /// `-MF`
    pub depfile: Option<PathBuf>,
    /// `-MT` and, escaped, `-MQ`.
    pub depfile_targets: Vec<String>,
    /// `-MP`
    pub phony_targets: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Switch {
    Macro(MacroOption),
    Folder(PathBuf),
    Included(String),
    Std(ClStd),
    Warning(WarningSetting),
    Flag(&'static str),
    DebugPrefix(String, String),
    Sanitize(Sanitizers),
    AddressBits(AddressBits),
}

/// Options that are not in [`Options::flags`], for suggestions. Those of outputs belong to `clforge compile`.
const OTHERS: [&str; 16] = [
    "-D",
    "-U",
    "-I",
    "-include",
    "-cl-std=",
    "-MF",
    "-MT",
    "-MQ",
    "-Wall",
    "-fsyntax-only",
    "-MD",
    "-MMD",
    "-MP",
    DEBUG_PREFIX_MAP,
    SANITIZE,
    ADDRESS_BITS,
];

/// Separates the build options from the rest of a command line, which clap parses.
pub fn split(cli: &clap::Command, arguments: Vec<OsString>) -> Result<(Vec<OsString>, BuildOptions), String> {
    let known = KnownOptions::of(cli, &arguments).map(|(_, known)| known);
    let mut rest = Vec::new();
    let mut build = BuildOptions::default();
    let mut arguments = arguments.into_iter().peekable();
    rest.extend(arguments.next());
    while let Some(argument) = arguments.next() {
        let text = argument.to_str().map(str::to_owned);
        // Without a subcommand clap has to say what is wrong.
        let (Some(known), Some(text)) = (&known, text) else {
            rest.push(argument);
            continue;
        };
        if text == "--" {
            rest.push(argument);
            rest.extend(arguments);
            break;
        }
        if known.takes_next(&text) {
            rest.push(argument);
            rest.extend(arguments.next());
        } else if !build.take(&text, &mut arguments)? {
            if text.starts_with('-') && text != "-" && !is_help(&text) && !known.contains(&text) {
                return Err(unknown(&text, known));
            }
            rest.push(argument);
        }
    }
    build.check_complaints()?;
    Ok((rest, build))
}

/// A complaint about an unknown warning names the one that may be meant.
fn with_suggestion(text: &str, mut complaint: Complaint) -> Complaint {
    if complaint.flag == WarningFlag::UnknownWarningOption {
        let names: Vec<String> = WarningSetting::alternatives(text).collect();
        let names = names.iter().map(String::as_str).chain(["-Werror", "-Wno-error"]);
        complaint.message += &suggestion(text, names);
    }
    complaint
}

fn is_help(text: &str) -> bool {
    ["-h", "--help", "-V", "--version"].contains(&text)
}

/// The error for an unknown option.
fn unknown(text: &str, known: &KnownOptions) -> String {
    let kind = if text.starts_with("-cl-") { "build option" } else { "option" };
    let flags = Options::flags().map(|flag| -> &str { flag });
    let all = known.names().chain(flags).chain(OTHERS);
    format!("unknown {kind} '{text}'{}", suggestion(text, all))
}

type Words = Peekable<std::vec::IntoIter<OsString>>;

/// The value of an option, glued to it or the next word.
fn value(text: &str, option: &str, kind: &str, words: &mut Words) -> Result<OsString, String> {
    let glued = text.strip_prefix(option).unwrap_or_default();
    let value = if glued.is_empty() { words.next() } else { Some(glued.into()) };
    value.filter(|value| !value.is_empty()).ok_or_else(|| format!("option '{option}' needs {kind}"))
}

impl BuildOptions {
    /// Takes an option and its value; whether it is one of these.
    fn take(&mut self, text: &str, words: &mut Words) -> Result<bool, String> {
        let switch = if text.starts_with("-D") {
            Switch::Macro(define(&utf8(value(text, "-D", "a macro name", words)?)?)?)
        } else if text.starts_with("-U") {
            Switch::Macro(MacroOption::Undefine(utf8(value(text, "-U", "a macro name", words)?)?))
        } else if text.starts_with("-include") {
            Switch::Included(utf8(value(text, "-include", "a file", words)?)?)
        } else if text.starts_with("-I") {
            Switch::Folder(value(text, "-I", "a folder", words)?.into())
        } else if let Some(version) = text.strip_prefix("-cl-std=") {
            let known = "the versions are CL1.0, CL1.1, CL1.2, CL2.0, CL3.0 and CL3.1";
            Switch::Std(
                ClStd::parse(version).ok_or_else(|| format!("unknown version '{version}' in '-cl-std'; {known}"))?,
            )
        } else if let Some(map) = text.strip_prefix(DEBUG_PREFIX_MAP) {
            let (old, new) = debug_prefix(map).ok_or_else(|| format!("'{text}' is not of the form OLD=NEW"))?;
            Switch::DebugPrefix(old, new)
        } else if let Some(list) = text.strip_prefix(SANITIZE) {
            Switch::Sanitize(Sanitizers::parse(list)?)
        } else if text.starts_with(ADDRESS_BITS) {
            let bits = utf8(value(text, ADDRESS_BITS, "32 or 64", words)?)?;
            let bits = bits.strip_prefix('=').unwrap_or(&bits);
            let unknown = || format!("'{ADDRESS_BITS}' is 32 or 64, not '{bits}'");
            Switch::AddressBits(AddressBits::parse(bits).ok_or_else(unknown)?)
        } else if self.outputs.take(text, words)? {
            return Ok(true);
        } else if let Some(flag) = Options::flags().find(|flag| *flag == text) {
            Switch::Flag(flag)
        } else if let Some(setting) = WarningSetting::parse(text) {
            Switch::Warning(setting)
        } else if let Some(ignored) = IgnoredOption::find(text) {
            words.next_if(|next| next.to_str().is_some_and(|next| ignored.takes(next)));
            self.complaints.extend(ignored.complaint.map(|complaint| with_suggestion(text, complaint)));
            return Ok(true);
        } else {
            return Ok(false);
        };
        self.switches.push(switch);
        Ok(true)
    }

    /// As in clang, options that are ignored are errors with `-Werror`.
    fn check_complaints(&mut self) -> Result<(), String> {
        let options = self.options(0);
        self.complaints.retain(|complaint| options.language.warns(complaint.flag));
        let is_error = |complaint: &&Complaint| options.language.warning_level(complaint.flag) == WarningLevel::Error;
        self.complaints.iter().find(is_error).map_or(Ok(()), |first| Err(first.message.clone()))
    }
}

impl OutputOptions {
    /// Takes an option and its value; whether it is one of these.
    fn take(&mut self, text: &str, words: &mut Words) -> Result<bool, String> {
        match text {
            "-fsyntax-only" => self.syntax_only = true,
            "-MD" | "-MMD" => self.dependencies = true,
            "-MP" => self.phony_targets = true,
            _ if text.starts_with("-MF") => self.depfile = Some(value(text, "-MF", "a file", words)?.into()),
            _ if text.starts_with("-MT") => {
                self.depfile_targets.push(utf8(value(text, "-MT", "a target", words)?)?);
            }
            _ if text.starts_with("-MQ") => {
                self.depfile_targets.push(depfile::quoted(&utf8(value(text, "-MQ", "a target", words)?)?));
            }
            _ => return Ok(false),
        }
        self.first.get_or_insert_with(|| text.to_owned());
        Ok(true)
    }
}

fn utf8(text: OsString) -> Result<String, String> {
    text.into_string().map_err(|text| format!("'{}' is not UTF-8", text.to_string_lossy()))
}

fn define(text: &str) -> Result<MacroOption, String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    if !name.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic()) {
        return Err(format!("'-D {text}' does not begin with a macro name"));
    }
    Ok(MacroOption::Define(name.into(), value))
}

impl BuildOptions {
    /// Whether there are none. Options of warnings do not count: they concern messages, which every command has.
    pub fn is_empty(&self) -> bool {
        self.switches.iter().all(|switch| matches!(switch, Switch::Warning(_) | Switch::Flag("-w")))
    }

    /// The compiler's options, with includes from the file system, files of at most `max_file_size` bytes.
    pub fn options(&self, max_file_size: u64) -> Options {
        let mut options = Options::default();
        let mut includes = FileIncludes::default();
        includes.max_file_size = max_file_size;
        for switch in &self.switches {
            match switch {
                Switch::Macro(option) => options.language.macros.push(option.clone()),
                Switch::Folder(folder) => includes.folders.push(folder.clone()),
                Switch::Included(file) => options.language.included.push(file.clone()),
                Switch::Std(version) => options.language.cl_std = Some(*version),
                Switch::Warning(setting) => options.language.warnings.push(setting.clone()),
                Switch::DebugPrefix(old, new) => options.codegen.debug_prefixes.push((old.clone(), new.clone())),
                Switch::Sanitize(list) => {
                    options.codegen.set_sanitizers(options.codegen.sanitizers() | *list);
                }
                Switch::AddressBits(bits) => options.language.address_bits = *bits,
                Switch::Flag(flag) => {
                    options.set_flag(flag);
                }
            }
        }
        options.language.includes = Arc::new(includes);
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    fn parse(line: &str) -> Result<(Vec<String>, Options), String> {
        let (rest, build) = split(&command(&[]), line.split(' ').map(OsString::from).collect())?;
        Ok((
            rest.into_iter().map(|word| word.into_string().unwrap()).collect(),
            build.options(FileIncludes::MAX_FILE_SIZE),
        ))
    }

    #[test]
    fn build_options_may_stand_anywhere() {
        let (rest, options) =
            parse("clforge compile -DA -D B=1 a.cl -cl-std=CL2.0 -Idir -I other -o x.spv -UC").unwrap();
        assert_eq!(rest, ["clforge", "compile", "a.cl", "-o", "x.spv"]);
        assert_eq!(options.language.cl_std, Some(ClStd::CL2_0));
        let names = [
            MacroOption::Define("A".into(), None),
            MacroOption::Define("B".into(), Some("1".into())),
            MacroOption::Undefine("C".into()),
        ];
        assert_eq!(options.language.macros, names);
    }

    #[test]
    fn values_and_what_follows_two_hyphens_are_left_alone() {
        let (rest, options) = parse("clforge compile --emit -Dx -o -w -- -Dfile").unwrap();
        assert_eq!(rest, ["clforge", "compile", "--emit", "-Dx", "-o", "-w", "--", "-Dfile"]);
        assert!(options.language.macros.is_empty() && !options.language.no_warnings);
    }

    #[test]
    fn implications_of_fast_math() {
        let (_, options) = parse("clforge compile -cl-fast-relaxed-math a.cl").unwrap();
        let math = options.language.math;
        assert!(math.fast_relaxed && math.finite_only && math.unsafe_optimizations);
        assert!(math.no_signed_zeros && math.mad_enable && !math.denorms_are_zero);
    }

    #[test]
    fn macros_with_parameters_and_equal_signs() {
        let (_, options) = parse("clforge compile -DF(x)=x==1 -fdebug-prefix-map=/src=. a.cl").unwrap();
        assert_eq!(options.codegen.debug_prefixes, [("/src".to_owned(), ".".to_owned())]);
        assert_eq!(options.language.macros, [MacroOption::Define("F(x)".into(), Some("x==1".into()))]);
    }

    #[test]
    fn mistakes() {
        let fails = |line| parse(line).err().unwrap_or_default();
        assert!(fails("clforge compile a.cl -cl-fast-relaxed-maths").contains("did you mean '-cl-fast-relaxed-math'?"));
        assert!(fails("clforge compile a.cl -cl-std=CL9").contains("unknown version 'CL9'"));
        assert!(fails("clforge compile a.cl -D").contains("needs a macro name"));
        assert!(fails("clforge compile a.cl -D1").contains("does not begin with a macro name"));
        assert!(fails("clforge compile a.cl -cl-thing").contains("unknown build option '-cl-thing'"));
        assert!(fails("clforge compile a.cl --emti asm").contains("unknown option '--emti'; did you mean '--emit'?"));
        assert!(fails("clforge compile a.cl -inclde x.h").contains("did you mean '-include'?"));
        assert!(fails("clforge compile a.cl -Werror -Wthing").contains("unknown warning option '-Wthing'"));
    }

    /// Clang warns of them too.
    #[test]
    fn unknown_warnings_and_options_of_others_are_ignored() {
        let line = "clforge compile -cl-nv-maxrregcount 32 -Wunused-varible -cl-intel-x=3 a.cl -Wno-foo";
        let (rest, build) = split(&command(&[]), line.split(' ').map(OsString::from).collect()).unwrap();
        assert_eq!(rest, ["clforge", "compile", "a.cl"]);
        let said: Vec<&str> = build.complaints.iter().map(|complaint| &*complaint.message).collect();
        let [number, misspelt, intel, none] = said[..] else { panic!("{said:?}") };
        assert!(number.contains("'-cl-nv-maxrregcount'") && intel.contains("'-cl-intel-x=3'"));
        assert_eq!(misspelt, "unknown warning option '-Wunused-varible'; did you mean '-Wunused-variable'?");
        assert_eq!(none, "unknown warning option '-Wno-foo'");
        let line = "clforge compile a.cl -Wfoo -cl-nv-verbose -Wno-unknown-warning-option -Wno-sign-compare";
        let (_, build) = split(&command(&[]), line.split(' ').map(OsString::from).collect()).unwrap();
        let said: Vec<&str> = build.complaints.iter().map(|complaint| &*complaint.message).collect();
        assert_eq!(said, ["option '-cl-nv-verbose' is one of another implementation and is ignored"]);
    }

    #[test]
    fn optimisation_levels() {
        for (line, disabled) in [("-O0", true), ("-O2", false), ("-O0 -Os", false), ("-O3 -cl-opt-disable", true)] {
            assert_eq!(
                parse(&format!("clforge compile a.cl {line}")).unwrap().1.codegen.opt_disable,
                disabled,
                "{line}"
            );
        }
    }

    /// The options of the OpenCL 3.1 API, section "Compiler Options".
    #[test]
    fn every_option_of_the_specification() {
        let line = "clforge compile a.cl -D A -D B=1 -I dir -cl-single-precision-constant -cl-denorms-are-zero \
                    -cl-fp32-correctly-rounded-divide-sqrt -cl-opt-disable -cl-strict-aliasing \
                    -cl-uniform-work-group-size -cl-no-subgroup-ifp -cl-mad-enable -cl-no-signed-zeros \
                    -cl-unsafe-math-optimizations -cl-finite-math-only -cl-fast-relaxed-math -w -Werror -cl-std=CL3.1 \
                    -cl-kernel-arg-info -g";
        let (rest, build) = split(&command(&[]), line.split_whitespace().map(OsString::from).collect()).unwrap();
        assert_eq!(rest, ["clforge", "compile", "a.cl"]);
        assert!(build.complaints.is_empty());
    }

    #[test]
    fn dependency_files() {
        let line = "clforge compile a.cl -MD -MF a.d -MTb -MQ c$ -MP";
        let (rest, build) = split(&command(&[]), line.split(' ').map(OsString::from).collect()).unwrap();
        assert_eq!(rest, ["clforge", "compile", "a.cl"]);
        let outputs = build.outputs;
        assert!(outputs.dependencies && outputs.phony_targets && !outputs.syntax_only);
        assert_eq!((outputs.depfile, outputs.first), (Some("a.d".into()), Some("-MD".into())));
        assert_eq!(outputs.depfile_targets, ["b", "c$$"]);
    }
}
