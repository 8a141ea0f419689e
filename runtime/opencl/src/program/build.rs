//! The build of a program for one device.

use super::headers::Headers;
use super::il::Il;
use super::link::LinkOptions;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::handle::Object;
use crate::info::{Info, Value, unknown};
use crate::sanitizer_exit;
use crate::settings::{is_set, sanitizers};
use clforge_runtime::options::{ClStd, Sanitizers};
use clforge_runtime::{self as runtime, Unit, cache::Module};
use opencl_sys::*;
use std::sync::Arc;

/// Size in bytes of the buffer of `printf`, at least (`CL_DEVICE_PRINTF_BUFFER_SIZE`).
const PRINTF_BUFFER: u32 = 1 << 20;
/// The name of sources in messages.
const NAME: &str = "<source>";

/// What a build has made.
#[derive(Clone)]
enum Made {
    Nothing,
    Executable(runtime::Program),
    /// A compiled object, or a library.
    Unit(Arc<Unit>),
}

/// The state of a build.
#[derive(Clone)]
pub struct Build {
    status: cl_build_status,
    options: Arc<str>,
    log: Arc<str>,
    made: Made,
    /// Whether global sizes that are no multiple of the local size are errors.
    uniform: bool,
}

impl Default for Build {
    fn default() -> Build {
        Build { status: CL_BUILD_NONE, options: "".into(), log: "".into(), made: Made::Nothing, uniform: true }
    }
}

/// Build options, read.
#[derive(Clone)]
pub struct BuildOptions {
    /// As they were given.
    pub text: Arc<str>,
    pub(super) options: runtime::Options,
}

impl BuildOptions {
    /// Reads the options of `clBuildProgram` or `clCompileProgram`.
    ///
    /// # Errors
    /// `code` for an unknown one.
    pub fn parse(context: &Context, text: &str, headers: Headers, code: cl_int) -> Result<BuildOptions> {
        let mut options = runtime::build_options(text).map_err(|error| Error::new(code, error.to_string()))?;
        options.language.includes = headers.before(options.language.includes);
        options.codegen.printf_buffer_size = options.codegen.printf_buffer_size.max(PRINTF_BUFFER);
        set_zeroed(&mut options, context.zeroed_memory());
        options.codegen.bounds_check |= is_set("CLFORGE_BOUNDS_CHECK");
        if let Some(list) = sanitizers() {
            let list = Sanitizers::parse(&list)
                .map_err(|reason| Error::new(code, format!("CLFORGE_SANITIZE={list}: {reason}")))?;
            options.codegen.set_sanitizers(options.codegen.sanitizers() | list);
        }
        Ok(BuildOptions { text: text.into(), options })
    }

    /// Whether global sizes must be multiples of local sizes: before OpenCL C 2.0, and by an option.
    fn is_uniform(&self) -> bool {
        self.options.codegen.uniform_work_group_size || self.options.language.version().version_number() < 200
    }
}

/// Sets which memory begins as zeros.
fn set_zeroed(options: &mut runtime::Options, zeroed: cl_context_memory_initialize_khr) {
    options.codegen.zero_local_memory = zeroed & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR != 0;
    options.codegen.zero_private_memory = zeroed & CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR != 0;
}

/// The same of a unit.
fn is_uniform(unit: &Unit) -> bool {
    unit.is_uniform() || unit.language().version_number() < 200
}

/// Whether a device has the language of a program.
fn check_language(device: &Device, options: &BuildOptions) -> Result<()> {
    let has = device.is_3_1() || options.options.language.version() < ClStd::CL3_1;
    ensure(has, CL_BUILD_PROGRAM_FAILURE, "the device does not have OpenCL C 3.1: it lacks sub-groups")
}

impl Build {
    /// A build that is going on.
    pub fn begun(options: &Arc<str>) -> Build {
        Build { status: CL_BUILD_IN_PROGRESS, options: options.clone(), ..Build::default() }
    }

    /// A build that has succeeded, or has failed with the reason as its log.
    fn done(options: &Arc<str>, uniform: bool, result: Result<(Made, String)>) -> Build {
        let (status, made, log) = match result {
            Ok((made, log)) => (CL_BUILD_SUCCESS, made, log),
            Err(error) => (CL_BUILD_ERROR, Made::Nothing, error.reason.into_owned()),
        };
        Build { status, options: options.clone(), log: log.into(), made, uniform }
    }

    /// Builds an executable of a source.
    pub fn source(device: &Object<Device>, source: &str, options: &BuildOptions) -> Build {
        let build = || {
            check_language(device, options)?;
            let opened = device.open()?;
            let program = runtime::Program::from_named_source(&opened, NAME, source, &options.options)?;
            executable(program)
        };
        Build::done(&options.text, options.is_uniform(), build())
    }

    /// Compiles a source to an object that can be linked.
    pub fn compile(device: &Object<Device>, source: &str, options: &BuildOptions) -> Build {
        let compile = || {
            check_language(device, options)?;
            let compiled = runtime::Program::compile_unit(&device.open()?, NAME, source, &options.options)?;
            Ok((Made::Unit(Arc::new(compiled.unit)), compiled.warnings.render(false)))
        };
        Build::done(&options.text, options.is_uniform(), compile())
    }

    /// Builds an executable of a SPIR-V module.
    pub fn il(device: &Object<Device>, il: &Il, options: &BuildOptions) -> Build {
        let build = || {
            let (opened, words) = (device.open()?, il.specialized()?);
            let unit = runtime::Program::spirv_unit(&opened, &words, &options.options)?;
            executable(runtime::Program::link(&opened, &[&unit], &options.options)?)
        };
        Build::done(&options.text, options.options.codegen.uniform_work_group_size, build())
    }

    /// Reads a SPIR-V module as an object that can be linked.
    pub fn compile_il(device: &Object<Device>, il: &Il, options: &BuildOptions) -> Build {
        let compile = || {
            let unit = runtime::Program::spirv_unit(&device.open()?, &il.specialized()?, &options.options)?;
            Ok((Made::Unit(Arc::new(unit)), String::new()))
        };
        Build::done(&options.text, options.options.codegen.uniform_work_group_size, compile())
    }

    /// Links objects and libraries.
    pub fn link(device: &Object<Device>, units: &[Arc<Unit>], options: &LinkOptions) -> Build {
        // Messages tell the sources apart.
        let named = |(at, unit): (usize, &Arc<Unit>)| unit.with_renamed_source(NAME, &format!("<source {}>", at + 1));
        let units: Vec<Unit> = units.iter().enumerate().map(named).collect();
        let inputs: Vec<&Unit> = units.iter().collect();
        let link = || {
            if let Some(takes_options) = options.library {
                let library = clforge_compiler::link_library(&inputs, &options.build.options, takes_options);
                let library = library.map_err(|log| Error::new(CL_LINK_PROGRAM_FAILURE, log.render(false)))?;
                return Ok((Made::Unit(Arc::new(library)), String::new()));
            }
            executable(runtime::Program::link(&device.open()?, &inputs, &options.build.options)?)
        };
        Build::done(&options.build.text, inputs.iter().all(|unit| is_uniform(unit)), link())
    }

    /// A build from a binary that [`Build::binary`] has made, for a context in which `zeroed` begins as zeros.
    ///
    /// # Errors
    /// `CL_INVALID_BINARY`.
    pub fn load(device: &Object<Device>, bytes: &[u8], zeroed: cl_context_memory_initialize_khr) -> Result<Build> {
        let invalid = |reason: &'static str| Error::new(CL_INVALID_BINARY, reason);
        if Unit::is_unit(bytes) {
            let unit = Unit::from_bytes(bytes).map_err(invalid)?;
            return Ok(Build { uniform: is_uniform(&unit), made: Made::Unit(Arc::new(unit)), ..Build::default() });
        }
        let [flags, module @ ..] = bytes else { return Err(invalid("an empty binary")) };
        let missing = zeroed & !u64::from(flags >> 1);
        ensure(missing == 0, CL_INVALID_BINARY, "a binary of a context in which memory does not begin as zeros")?;
        let module = Module::from_binary(module).map_err(invalid)?;
        let program = runtime::Program::from_module(&device.open()?, &module);
        let program = program.map_err(|error| Error::from(error).with_code(CL_INVALID_BINARY))?;
        let (made, _) = executable(program)?;
        Ok(Build { uniform: flags & 1 != 0, made, ..Build::default() })
    }

    /// The binary; empty for a build that has made none (`CL_PROGRAM_BINARIES`). `zeroed`: what begins as zeros in its context.
    pub fn binary(&self, zeroed: cl_context_memory_initialize_khr) -> Vec<u8> {
        let flags = u8::from(self.uniform) | u8::try_from(zeroed << 1).unwrap_or(0);
        match &self.made {
            Made::Nothing => Vec::new(),
            Made::Executable(program) => match program.to_binary() {
                Ok(binary) => [&[flags], &binary[..]].concat(),
                Err(error) => {
                    tracing::error!("a program has no binary: {error}");
                    Vec::new()
                }
            },
            Made::Unit(unit) => unit.to_bytes(),
        }
    }

    /// An executable of a binary that was loaded (`clBuildProgram`).
    #[must_use]
    pub fn executable(&self, device: &Object<Device>, options: LinkOptions) -> Build {
        match &self.made {
            Made::Unit(unit) => Build::link(device, std::slice::from_ref(unit), &options),
            _ => Build { status: CL_BUILD_SUCCESS, options: options.build.text, ..self.clone() },
        }
    }

    /// A build that has failed.
    pub fn failed(options: &Arc<str>, log: &str) -> Build {
        Build { status: CL_BUILD_ERROR, options: options.clone(), log: log.into(), ..Build::default() }
    }

    /// Whether it has succeeded.
    pub fn is_success(&self) -> bool {
        self.status == CL_BUILD_SUCCESS
    }

    /// Whether it has failed.
    pub fn is_failure(&self) -> bool {
        self.status == CL_BUILD_ERROR
    }

    /// Whether it is going on.
    pub fn is_in_progress(&self) -> bool {
        self.status == CL_BUILD_IN_PROGRESS
    }

    /// The program that can be run.
    pub fn program(&self) -> Option<&runtime::Program> {
        match &self.made {
            Made::Executable(program) => Some(program),
            _ => None,
        }
    }

    /// The object or library that can be linked.
    pub fn unit(&self) -> Option<&Arc<Unit>> {
        match &self.made {
            Made::Unit(unit) => Some(unit),
            _ => None,
        }
    }

    /// Whether global sizes must be multiples of local sizes.
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }

    fn binary_type(&self) -> cl_program_binary_type {
        match &self.made {
            Made::Nothing => CL_PROGRAM_BINARY_TYPE_NONE,
            Made::Executable(_) => CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
            Made::Unit(unit) if unit.is_library() => CL_PROGRAM_BINARY_TYPE_LIBRARY,
            Made::Unit(_) => CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
        }
    }
}

/// A program whose output is received: what kernels print goes to standard output at once, and what sanitizers find to
/// standard error. With its log.
fn executable(program: runtime::Program) -> Result<(Made, String)> {
    use std::io::Write;
    program.on_print(|printed| match printed {
        runtime::Printed::Message(text) => {
            let mut output = std::io::stdout().lock();
            // Nobody could be told that standard output is closed.
            let _ = output.write_all(text).and_then(|()| output.flush());
        }
        lost => tracing::warn!("{lost}"),
    })?;
    let exits = sanitizer_exit::is_wanted();
    program.on_out_of_range(move |report| {
        eprintln!("{report}");
        if exits {
            sanitizer_exit::mistake_found();
        }
    })?;
    let log = program.build_log().to_owned();
    Ok((Made::Executable(program), log))
}

/// The queries of a build (`clGetProgramBuildInfo`).
pub struct BuildInfo(pub Build);

impl Info for BuildInfo {
    fn info(&self, name: cl_uint) -> Result<Value> {
        let build = &self.0;
        Ok(match name {
            CL_PROGRAM_BUILD_STATUS => Value::of(build.status),
            CL_PROGRAM_BUILD_OPTIONS => Value::text(&build.options),
            CL_PROGRAM_BUILD_LOG => Value::text(&build.log),
            CL_PROGRAM_BINARY_TYPE => Value::of(build.binary_type()),
            CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE => {
                let data = build.program().into_iter().flat_map(|program| &program.interface().program_data);
                Value::of(data.filter(|data| data.writable).map(|data| data.data.len()).sum::<usize>())
            }
            _ => return Err(unknown(name)),
        })
    }
}
