//! `clforge compile`.

use crate::build_options::BuildOptions;
use crate::cli::{CompileArguments, Emit, Environment, ModuleArguments, TraceArguments};
use crate::compile_output::{self, Kind, Paths};
use crate::failure::Failure;
use crate::input::{self, Limits, Program};
use crate::output;
use crate::terminal;
use crate::trace::Trace;
use crate::wgsl;
use clforge_compiler::options::{Addressing, Translatable};
use clforge_compiler::validate::{SHORT, ValidateError, Validator};
use clforge_compiler::{Compiled, CompiledUnit, Options, Source, Stage, Target};
use std::path::Path;
use std::time::Instant;

/// Compiles files and writes the requested outputs. A source that has errors does not keep the others from being compiled.
pub fn compile(arguments: &CompileArguments, build: &BuildOptions) -> Result<(), Failure> {
    let options = options(&arguments.made, build)?;
    let all = compile_output::paths(arguments, &build.outputs)?;
    if build.outputs.depfile.is_some() && !build.outputs.dependencies {
        terminal::warning("option '-MF' has no effect without '-MD'");
    }
    if let Some(folder) = &arguments.out_dir {
        let created = std::fs::create_dir_all(folder);
        created.map_err(|error| Failure::Usage(format!("cannot create '{}': {error}", folder.display())))?;
    }
    let mut code = None;
    for (file, paths) in arguments.files.iter().zip(&all) {
        match compile_file(file, paths, arguments, build, &options) {
            Ok(()) => {}
            Err(failure) if arguments.files.len() == 1 => return Err(failure),
            Err(failure) => code = code.max(Some(failure.report())),
        }
    }
    code.map_or(Ok(()), |code| Err(Failure::Reported(code)))
}

/// The options of the compiler.
pub fn options(arguments: &ModuleArguments, build: &BuildOptions) -> Result<Options, Failure> {
    let options = build.options(Limits::new(arguments.max_file_size).program).with_workarounds(arguments.workarounds);
    let options = options.with(|options| options.codegen.tuning = arguments.tuning);
    let mut options = match arguments.target {
        Environment::Spirv(target) => options.with_target(target),
        Environment::WebGpu => options.for_web_gpu(translatable(arguments)),
    };
    if arguments.target != Environment::WebGpu {
        let given = [("--work-group-size", arguments.work_group_size.is_some())];
        let given = given.into_iter().chain([("--local-bytes", arguments.local_bytes.is_some())]);
        if let Some((name, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
            return Err(Failure::Usage(format!("{name} is for --target webgpu: elsewhere a launch chooses it")));
        }
    }
    options.codegen.verify_ir = arguments.verify_ir;
    options.codegen.disabled_passes = arguments.disable_pass.clone();
    set_printf_buffer(&mut options, arguments.printf_buffer)?;
    for name in &arguments.device_feature {
        if !options.device.enable_feature(name) {
            return Err(Failure::Usage(format!(
                "--device-feature {name}: the features that change what is compiled are \
                 shader{{Buffer,Shared}}Float{{32,64}}AtomicAdd, shaderBufferFloat{{32,64}}AtomicMinMax, \
                 shaderSharedFloat{{32,64}}Atomics and shaderFmaFloat{{32,64}}"
            )));
        }
    }
    for name in &arguments.emulate {
        options.device.emulated.add(name);
    }
    options.device.vulkan_memory_model = arguments.memory_model.as_deref() != Some("glsl");
    options.device.float_controls = !arguments.no_float_controls;
    if let Some(addressing) = arguments.addressing.as_deref().and_then(Addressing::parse) {
        options.device.addressing = addressing;
    }
    Ok(options)
}

/// What WebGPU knows when a kernel is compiled, and Vulkan when it is launched.
fn translatable(arguments: &ModuleArguments) -> Translatable {
    let mut translatable = Translatable::new(arguments.work_group_size.unwrap_or([64, 1, 1]));
    if let Some(bytes) = arguments.local_bytes {
        translatable.local_bytes = bytes;
    }
    translatable
}

fn compile_file(
    file: &Path,
    paths: &Paths,
    arguments: &CompileArguments,
    build: &BuildOptions,
    options: &Options,
) -> Result<(), Failure> {
    let start = Instant::now();
    let program = input::program(file, Limits::new(arguments.made.max_file_size))?;
    let (name, text) = match input::specialized(program, &arguments.spec_consts, file)? {
        Program::Source { name, text } => (name, text),
        Program::Spirv(words) => return translate_file(file, &words, paths, arguments, build, options),
        Program::Unit(_) => return Err(Failure::Usage(format!("'{}' is compiled already", file.display()))),
    };
    let source = Source { name: &name, text: &text };
    let stage = match compile_output::kind(arguments, &build.outputs) {
        Kind::Checked => None,
        Kind::Emitted(Emit::Asm) => Some(Stage::Asm),
        Kind::Emitted(Emit::Ir) => Some(Stage::Ir),
        Kind::Emitted(Emit::Hir) => Some(Stage::Hir),
        Kind::Emitted(Emit::Ast) => Some(Stage::Ast),
        Kind::Emitted(Emit::Preprocessed) => Some(Stage::Preprocessed),
        Kind::Emitted(emit @ (Emit::Spirv | Emit::Wgsl | Emit::CArray | Emit::RustArray)) => {
            let compiled = match arguments.trace.is_wanted() {
                true => traced(&arguments.trace, source, options)?,
                false => to_spirv(source, options)?,
            };
            compile_output::keep_included(arguments, &build.outputs, paths, &compiled.dependencies)?;
            write_module(&compiled, emit, file, paths, arguments, options)?;
            return finish(file, paths, &compiled.dependencies, build, start, options);
        }
        Kind::Emitted(Emit::Unit) => {
            let compiled = to_unit(source, options)?;
            compile_output::keep_included(arguments, &build.outputs, paths, &compiled.dependencies)?;
            output::file(&paths.output, &compiled.unit.to_bytes())?;
            return finish(file, paths, &compiled.dependencies, build, start, options);
        }
    };
    let dependencies = match stage {
        None => {
            let checked = clforge_compiler::check(source, options).map_err(failed)?;
            print_warnings(&checked.warnings);
            compile_output::keep_included(arguments, &build.outputs, paths, &checked.dependencies)?;
            checked.dependencies
        }
        Some(stage) => {
            let printed = clforge_compiler::print(source, options, stage).map_err(failed)?;
            print_warnings(&printed.warnings);
            compile_output::keep_included(arguments, &build.outputs, paths, &printed.dependencies)?;
            output::file(&paths.output, printed.text.as_bytes())?;
            printed.dependencies
        }
    };
    finish(file, paths, &dependencies, build, start, options)
}

/// A module for OpenCL instead of a source.
fn translate_file(
    file: &Path,
    words: &[u32],
    paths: &Paths,
    arguments: &CompileArguments,
    build: &BuildOptions,
    options: &Options,
) -> Result<(), Failure> {
    let start = Instant::now();
    if !clforge_compiler::is_for_opencl(words) {
        return Err(Failure::Usage(format!("'{}' is SPIR-V already, and not for OpenCL", file.display())));
    }
    compile_output::keep(&paths.output, [file], "is a source")?;
    match compile_output::kind(arguments, &build.outputs) {
        Kind::Emitted(emit @ (Emit::Spirv | Emit::Wgsl | Emit::CArray | Emit::RustArray)) => {
            let compiled = clforge_compiler::translate_spirv(words, options).map_err(failed)?;
            write_module(&compiled, emit, file, paths, arguments, options)?;
        }
        Kind::Emitted(emit @ (Emit::Asm | Emit::Ir)) => {
            let stage = if emit == Emit::Asm { Stage::Asm } else { Stage::Ir };
            let printed = clforge_compiler::print_translation(words, options, stage).map_err(failed)?;
            output::file(&paths.output, printed.text.as_bytes())?;
        }
        Kind::Checked => {
            clforge_compiler::translate_spirv(words, options).map_err(failed)?;
        }
        Kind::Emitted(Emit::Hir | Emit::Ast | Emit::Preprocessed | Emit::Unit) => {
            return Err(Failure::Usage(format!("'{}' is SPIR-V, of which there is no such output", file.display())));
        }
    }
    finish(file, paths, &[], build, start, options)
}

fn write_module(
    compiled: &Compiled,
    emit: Emit,
    file: &Path,
    paths: &Paths,
    arguments: &CompileArguments,
    options: &Options,
) -> Result<(), Failure> {
    let stripped = arguments.strip_reflection.then(|| clforge_reflect::strip_reflection(&compiled.spirv)).transpose();
    let stripped = stripped.map_err(|error| invalid(&error.to_string()))?;
    let words = stripped.as_ref().unwrap_or(&compiled.spirv);
    if !arguments.made.no_validate {
        check(words, options.target).map_err(|message| invalid(&message))?;
    }
    if let Some(path) = &arguments.reflection {
        let json = clforge_reflect::json(&compiled.spirv).map_err(|error| invalid(&error.to_string()))?;
        output::file(path, format!("{json}\n").as_bytes())?;
    }
    let bytes = match emit {
        Emit::Wgsl if options.codegen.translatable.is_none() => {
            return Err(Failure::Usage("--emit wgsl is for --target webgpu".into()));
        }
        Emit::Wgsl => wgsl::translate(words)?.into_bytes(),
        Emit::CArray => compile_output::c_array(file, words).into_bytes(),
        Emit::RustArray => compile_output::rust_array(file, words).into_bytes(),
        _ => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
    };
    output::file(&paths.output, &bytes)
}

/// Writes the dependency file, and says what was done.
fn finish(
    file: &Path,
    paths: &Paths,
    included: &[String],
    build: &BuildOptions,
    start: Instant,
    options: &Options,
) -> Result<(), Failure> {
    compile_output::write_depfile(paths, file, included, build.outputs.phony_targets)?;
    terminal::verbose(|| {
        let (file, output, count, time) = (file.display(), paths.output.display(), included.len(), start.elapsed());
        let (target, language) = (options.target, options.language.version());
        let s = if count == 1 { "" } else { "s" };
        format!("'{file}' ({language}, {count} included file{s}) compiled for {target} to '{output}' in {time:.2?}")
    });
    Ok(())
}

/// `--printf-buffer`.
pub fn set_printf_buffer(options: &mut Options, size: Option<u32>) -> Result<(), Failure> {
    const ALLOWED: std::ops::RangeInclusive<u32> = 64..=1 << 30;
    match size {
        Some(size) if !ALLOWED.contains(&size) => {
            let (least, most) = (ALLOWED.start(), ALLOWED.end());
            return Err(Failure::Usage(format!("--printf-buffer {size}: give {least} to {most} bytes")));
        }
        Some(size) => options.codegen.printf_buffer_size = size,
        None => {}
    }
    Ok(())
}

/// The failure of a module of our own that is not valid: a defect of the compiler.
pub fn invalid(message: &str) -> Failure {
    Failure::Program(format!(
        "internal compiler error: the module is not valid: {message}\n\
         this is a bug in clforge, not in your program; please report it"
    ))
}

/// Validates a module, or warns that the validator cannot be run, or would take longer than a user waits. The error is the
/// validator's message.
pub fn check(words: &[u32], target: Target) -> Result<(), String> {
    let validator = Validator { longest: SHORT, ..Validator::default() };
    match validator.validate(words, target) {
        Ok(()) => {}
        Err(ValidateError::Invalid(message)) => return Err(message.trim().into()),
        Err(ValidateError::Unavailable(reason)) => {
            terminal::warning(&format!("the module was not validated: {}", reason.trim()));
        }
        Err(ValidateError::TooOld(capability)) => {
            terminal::warning(&format!("the module was not validated: spirv-val does not know {capability} yet"));
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

/// The same for a unit that is linked to others.
pub fn to_unit(source: Source<'_>, options: &Options) -> Result<CompiledUnit, Failure> {
    let compiled = clforge_compiler::compile_unit(source, options).map_err(failed)?;
    print_warnings(&compiled.warnings);
    Ok(compiled)
}

/// As [`to_spirv`], and prints what was requested about the compilation itself.
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
        terminal::diagnostics(warnings);
    }
}

/// The failure of a source that has errors.
pub fn failed(diagnostics: clforge_compiler::Diagnostics) -> Failure {
    Failure::Diagnostics(Box::new(diagnostics))
}
