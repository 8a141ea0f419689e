//! The build options of `clBuildProgram`. They are removed from the command line before clap parses it, since clap has no options
//! of the form `-cl-…` and `-DNAME`.

use clforge_compiler::Options;
use clforge_compiler::options::{ClStd, MacroOption};
use clforge_compiler::warnings::WarningSetting;
use clforge_runtime::FileIncludes;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Options of the command whose value may look like a build option.
const WITH_VALUE: [&str; 15] = [
    "-o",
    "--target",
    "--emit",
    "--kernel",
    "--global",
    "--local",
    "--offset",
    "--arg",
    "--out",
    "--print",
    "--device",
    "--repeat",
    "--printf-buffer",
    "--device-feature",
    "--workarounds",
];

/// The build options of a command line.
#[derive(Debug, Default, PartialEq)]
pub struct BuildOptions {
    switches: Vec<Switch>,
}

#[derive(Clone, Debug, PartialEq)]
enum Switch {
    Macro(MacroOption),
    Include(PathBuf),
    Std(ClStd),
    Flag(&'static str),
}

/// Build options without a value, including those that are ignored.
const FLAGS: [&str; 17] = [
    "--bounds-check",
    "-w",
    "-Wall",
    "-Werror",
    "-g",
    "-cl-fast-relaxed-math",
    "-cl-mad-enable",
    "-cl-finite-math-only",
    "-cl-unsafe-math-optimizations",
    "-cl-no-signed-zeros",
    "-cl-denorms-are-zero",
    "-cl-single-precision-constant",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-opt-disable",
    "-cl-kernel-arg-info",
    "-cl-uniform-work-group-size",
    // Deprecated since OpenCL 1.1 and without effect; old programs still pass it.
    "-cl-strict-aliasing",
];

/// Separates the build options from the rest of a command line, which clap parses.
pub fn split(arguments: impl Iterator<Item = OsString>) -> Result<(Vec<OsString>, BuildOptions), String> {
    let mut rest = Vec::new();
    let mut build = BuildOptions::default();
    let mut arguments = arguments;
    rest.extend(arguments.next());
    while let Some(argument) = arguments.next() {
        let Some(text) = argument.to_str().map(str::to_owned) else {
            rest.push(argument);
            continue;
        };
        if text == "--" {
            rest.push(argument);
            rest.extend(arguments);
            break;
        }
        if WITH_VALUE.contains(&text.as_str()) {
            rest.push(argument);
            rest.extend(arguments.next());
            continue;
        }
        let mut value = |option: &str, kind: &str| {
            let glued = text.strip_prefix(option).unwrap_or_default();
            let value = if glued.is_empty() { arguments.next() } else { Some(glued.into()) };
            value.filter(|value| !value.is_empty()).ok_or_else(|| format!("option '{option}' needs {kind}"))
        };
        let switch = if text.starts_with("-D") {
            Switch::Macro(define(&utf8(value("-D", "a macro name")?)?)?)
        } else if text.starts_with("-U") {
            Switch::Macro(MacroOption::Undefine(utf8(value("-U", "a macro name")?)?))
        } else if text.starts_with("-I") {
            Switch::Include(value("-I", "a folder")?.into())
        } else if let Some(version) = text.strip_prefix("-cl-std=") {
            let known = "the versions are CL1.0, CL1.1, CL1.2, CL2.0 and CL3.0";
            Switch::Std(
                ClStd::parse(version).ok_or_else(|| format!("unknown version '{version}' in '-cl-std'; {known}"))?,
            )
        } else if let Some(flag) = FLAGS.iter().find(|flag| **flag == text) {
            Switch::Flag(flag)
        } else if text.starts_with("-cl-") || text.starts_with("-W") {
            let close = FLAGS.iter().map(|flag| (strsim::damerau_levenshtein(flag, &text), flag)).min();
            let hint = close.filter(|(distance, _)| *distance <= 4);
            let hint = hint.map(|(_, flag)| format!("; did you mean '{flag}'?")).unwrap_or_default();
            return Err(format!("unknown build option '{text}'{hint}"));
        } else {
            rest.push(argument);
            continue;
        };
        build.switches.push(switch);
    }
    Ok((rest, build))
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
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.switches.is_empty()
    }

    /// The compiler's options, with includes from the file system.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        let mut includes = FileIncludes::default();
        for switch in &self.switches {
            match switch {
                Switch::Macro(option) => options.macros.push(option.clone()),
                Switch::Include(folder) => includes.folders.push(folder.clone()),
                Switch::Std(version) => options.cl_std = Some(*version),
                Switch::Flag(flag) => set(&mut options, flag),
            }
        }
        options.includes = Arc::new(includes);
        options
    }
}

/// Sets a flag, and the flags that it implies according to the OpenCL specification.
fn set(options: &mut Options, flag: &str) {
    let math = &mut options.math;
    match flag {
        "--bounds-check" => options.bounds_check = true,
        "-w" => options.no_warnings = true,
        "-Wall" => options.warnings.extend(WarningSetting::parse(flag)),
        "-Werror" => options.warnings_are_errors = true,
        "-g" => options.debug_info = true,
        "-cl-fast-relaxed-math" => {
            math.fast_relaxed = true;
            math.finite_only = true;
            math.unsafe_optimizations = true;
            math.no_signed_zeros = true;
            math.mad_enable = true;
        }
        "-cl-unsafe-math-optimizations" => {
            math.unsafe_optimizations = true;
            math.no_signed_zeros = true;
            math.mad_enable = true;
        }
        "-cl-mad-enable" => math.mad_enable = true,
        "-cl-finite-math-only" => math.finite_only = true,
        "-cl-no-signed-zeros" => math.no_signed_zeros = true,
        "-cl-denorms-are-zero" => math.denorms_are_zero = true,
        "-cl-single-precision-constant" => math.single_precision_constant = true,
        "-cl-fp32-correctly-rounded-divide-sqrt" => math.correctly_rounded_divide_sqrt = true,
        "-cl-opt-disable" => options.opt_disable = true,
        "-cl-kernel-arg-info" => options.kernel_arg_info = true,
        "-cl-uniform-work-group-size" => options.uniform_work_group_size = true,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<(Vec<String>, Options), String> {
        let (rest, build) = split(line.split(' ').map(OsString::from))?;
        Ok((rest.into_iter().map(|word| word.into_string().unwrap()).collect(), build.options()))
    }

    #[test]
    fn build_options_may_stand_anywhere() {
        let (rest, options) =
            parse("clforge compile -DA -D B=1 a.cl -cl-std=CL2.0 -Idir -I other -o x.spv -UC").unwrap();
        assert_eq!(rest, ["clforge", "compile", "a.cl", "-o", "x.spv"]);
        assert_eq!(options.cl_std, Some(ClStd::CL2_0));
        let names = [
            MacroOption::Define("A".into(), None),
            MacroOption::Define("B".into(), Some("1".into())),
            MacroOption::Undefine("C".into()),
        ];
        assert_eq!(options.macros, names);
    }

    #[test]
    fn values_and_what_follows_two_hyphens_are_left_alone() {
        let (rest, options) = parse("clforge run --arg -Dx -o -w -- -Dfile").unwrap();
        assert_eq!(rest, ["clforge", "run", "--arg", "-Dx", "-o", "-w", "--", "-Dfile"]);
        assert!(options.macros.is_empty() && !options.no_warnings);
    }

    #[test]
    fn implications_of_fast_math() {
        let (_, options) = parse("clforge compile -cl-fast-relaxed-math a.cl").unwrap();
        let math = options.math;
        assert!(math.fast_relaxed && math.finite_only && math.unsafe_optimizations);
        assert!(math.no_signed_zeros && math.mad_enable && !math.denorms_are_zero);
    }

    #[test]
    fn macros_with_parameters_and_equal_signs() {
        let (_, options) = parse("clforge compile -DF(x)=x==1 a.cl").unwrap();
        assert_eq!(options.macros, [MacroOption::Define("F(x)".into(), Some("x==1".into()))]);
    }

    #[test]
    fn mistakes() {
        let fails = |line| parse(line).err().unwrap_or_default();
        assert!(fails("clforge compile a.cl -cl-fast-relaxed-maths").contains("did you mean '-cl-fast-relaxed-math'?"));
        assert!(fails("clforge compile a.cl -cl-std=CL9").contains("unknown version 'CL9'"));
        assert!(fails("clforge compile a.cl -D").contains("needs a macro name"));
        assert!(fails("clforge compile a.cl -D1").contains("does not begin with a macro name"));
        assert!(fails("clforge compile a.cl -Wthing").contains("unknown build option '-Wthing'"));
    }
}
