//! `clforge compile`.

use crate::build_options::BuildOptions;
use crate::cli::{CompileArguments, Emit, TraceArguments};
use crate::failure::{Failure, print_diagnostics};
use crate::input::{self, Limits, Program};
use crate::output;
use crate::terminal;
use crate::trace::Trace;
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::{Compiled, Options, Source, Stage, Target};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Compiles a file and writes the requested output.
pub fn compile(arguments: &CompileArguments, build: &BuildOptions) -> Result<(), Failure> {
    let limits = Limits::new(arguments.max_file_size);
    let Program::Source { name, text } = input::program(&arguments.file, limits)? else {
        return Err(Failure::Usage(format!("'{}' is SPIR-V already", arguments.file.display())));
    };
    let options = build.options(limits.program);
    let mut options = Options { target: arguments.target, workarounds: arguments.workarounds, ..options };
    set_printf_buffer(&mut options, arguments.printf_buffer)?;
    for name in &arguments.device_feature {
        if !options.float_atomics.enable(name) {
            return Err(Failure::Usage(format!(
                "--device-feature {name}: the features that change what is compiled are \
                 shader{{Buffer,Shared}}Float{{32,64}}AtomicAdd, shaderBufferFloat{{32,64}}AtomicMinMax and \
                 shaderSharedFloat{{32,64}}Atomics"
            )));
        }
    }
    let source = Source { name: &name, text: &text };
    let stage = match arguments.emit {
        Emit::Spirv => return spirv(arguments, source, &options),
        Emit::Asm => Stage::Asm,
        Emit::Ir => Stage::Ir,
        Emit::Hir => Stage::Hir,
        Emit::Ast => Stage::Ast,
        Emit::Preprocessed => Stage::Preprocessed,
    };
    let printed = clforge_compiler::print_stage(source, &options, stage).map_err(failed)?;
    output::file(arguments.output.as_deref().unwrap_or(Path::new("-")), printed.as_bytes())
}

/// `--printf-buffer`.
pub fn set_printf_buffer(options: &mut Options, size: Option<u32>) -> Result<(), Failure> {
    const ALLOWED: std::ops::RangeInclusive<u32> = 64..=1 << 30;
    match size {
        Some(size) if !ALLOWED.contains(&size) => {
            let (least, most) = (ALLOWED.start(), ALLOWED.end());
            return Err(Failure::Usage(format!("--printf-buffer {size}: give {least} to {most} bytes")));
        }
        Some(size) => options.printf_buffer_size = size,
        None => {}
    }
    Ok(())
}

fn spirv(arguments: &CompileArguments, source: Source<'_>, options: &Options) -> Result<(), Failure> {
    let path = output_path(arguments)?;
    let compiled = match arguments.trace.is_wanted() {
        true => traced(&arguments.trace, source, options)?,
        false => to_spirv(source, options)?,
    };
    if !arguments.no_validate {
        check(&compiled.spirv, options.target).map_err(|message| invalid(&message))?;
    }
    let bytes: Vec<u8> = compiled.spirv.iter().flat_map(|word| word.to_le_bytes()).collect();
    output::file(&path, &bytes)
}

/// The failure of a module of our own that is not valid: a defect of the compiler.
pub fn invalid(message: &str) -> Failure {
    Failure::Program(format!(
        "internal compiler error: the module is not valid: {message}\n\
         this is a bug in clforge, not in your program; please report it"
    ))
}

/// Validates a module, or warns that the validator cannot be run. The error is the validator's message.
pub fn check(words: &[u32], target: Target) -> Result<(), String> {
    match validate(words, target) {
        Ok(()) => {}
        Err(ValidateError::Invalid(message)) => return Err(message.trim().into()),
        Err(ValidateError::Unavailable(reason)) => {
            terminal::warning(&format!("the module was not validated: {}", reason.trim()));
        }
    }
    Ok(())
}

/// Compiles and prints the warnings.
pub fn to_spirv(source: Source<'_>, options: &Options) -> Result<Compiled, Failure> {
    let compiled = clforge_compiler::compile(source, options).map_err(failed)?;
    print_warnings(&compiled.warnings);
    Ok(compiled)
}

/// As [`to_spirv`], and prints what was asked about the compilation itself.
fn traced(arguments: &TraceArguments, source: Source<'_>, options: &Options) -> Result<Compiled, Failure> {
    let mut trace = Trace::new(arguments)?;
    let compiled = clforge_compiler::compile_observed(source, options, &mut trace);
    eprint!("{}", trace.report());
    let compiled = compiled.map_err(failed)?;
    print_warnings(&compiled.warnings);
    Ok(compiled)
}

/// Prints warnings, if there are any.
pub fn print_warnings(warnings: &clforge_compiler::Diagnostics) {
    if !warnings.list.is_empty() {
        print_diagnostics(warnings);
    }
}

/// The failure of a source that has errors.
pub fn failed(diagnostics: clforge_compiler::Diagnostics) -> Failure {
    Failure::Diagnostics(Box::new(diagnostics))
}

/// `-o`, or the source's name with `.spv` in the working folder.
fn output_path(arguments: &CompileArguments) -> Result<PathBuf, Failure> {
    if let Some(path) = &arguments.output {
        return Ok(path.clone());
    }
    if arguments.file == Path::new("-") {
        if std::io::stdout().is_terminal() {
            return Err(Failure::Usage("give an output file with '-o' (or '-o -' for the terminal)".into()));
        }
        return Ok("-".into());
    }
    // Not `with_extension`: the stem may contain dots itself.
    let mut name = arguments.file.file_stem().unwrap_or("a".as_ref()).to_owned();
    name.push(".spv");
    Ok(name.into())
}
