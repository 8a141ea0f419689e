//! The build of a program for one device.

use super::headers::Headers;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::handle::Object;
use crate::info::{Info, Value, unknown};
use clforge_runtime::{self as runtime, cache::Module};
use opencl_sys::*;

/// Size in bytes of the buffer of `printf`, at least (`CL_DEVICE_PRINTF_BUFFER_SIZE`).
const PRINTF_BUFFER: u32 = 1 << 20;

/// What a build has made.
#[derive(Clone)]
pub struct Build {
    status: cl_build_status,
    options: String,
    log: String,
    /// `CL_PROGRAM_BINARY_TYPE_NONE` and so on.
    binary_type: cl_program_binary_type,
    /// What can be run, or linked.
    program: Option<runtime::Program>,
    /// Whether global sizes that are no multiple of the local size are errors.
    uniform: bool,
}

impl Default for Build {
    fn default() -> Build {
        Build {
            status: CL_BUILD_NONE,
            options: String::new(),
            log: String::new(),
            binary_type: CL_PROGRAM_BINARY_TYPE_NONE,
            program: None,
            uniform: true,
        }
    }
}

/// Build options, read.
pub struct BuildOptions {
    /// As they were given.
    pub text: String,
    options: runtime::Options,
}

impl BuildOptions {
    /// Reads the options of `clBuildProgram` or `clCompileProgram`.
    ///
    /// # Errors
    /// `code` for an unknown one.
    pub fn parse(text: &str, headers: Headers, code: cl_int) -> Result<BuildOptions> {
        let mut options = runtime::build_options(text).map_err(|error| Error::new(code, error.to_string()))?;
        options.includes = headers.before(options.includes);
        options.printf_buffer_size = options.printf_buffer_size.max(PRINTF_BUFFER);
        options.bounds_check |= std::env::var_os("CLFORGE_BOUNDS_CHECK").is_some_and(|value| value == "1");
        Ok(BuildOptions { text: text.into(), options })
    }

    /// Whether global sizes must be multiples of local sizes: before OpenCL C 2.0, and by an option.
    fn is_uniform(&self) -> bool {
        self.options.uniform_work_group_size || self.options.language().version_number() < 200
    }
}

impl Build {
    /// Compiles a source for a device.
    pub fn compile(
        device: &Object<Device>,
        source: &str,
        options: &BuildOptions,
        kind: cl_program_binary_type,
    ) -> Build {
        let uniform = options.is_uniform();
        let failed =
            |log| Build { status: CL_BUILD_ERROR, options: options.text.clone(), log, uniform, ..Build::default() };
        let compile = || -> Result<runtime::Program> {
            let opened = device.open()?;
            Ok(runtime::Program::from_named_source(&opened, "<source>", source, &options.options)?)
        };
        match compile().and_then(|program| receive_output(&program).map(|()| program)) {
            Err(error) => failed(error.reason.into_owned()),
            Ok(program) => Build {
                status: CL_BUILD_SUCCESS,
                options: options.text.clone(),
                log: program.build_log().into(),
                binary_type: kind,
                program: Some(program),
                uniform,
            },
        }
    }

    /// A build from a binary that [`Build::binary`] has made.
    ///
    /// # Errors
    /// `CL_INVALID_BINARY`.
    pub fn load(device: &Object<Device>, bytes: &[u8]) -> Result<Build> {
        let invalid = |reason: &'static str| Error::new(CL_INVALID_BINARY, reason);
        let [kind, uniform, module @ ..] = bytes else { return Err(invalid("an empty binary")) };
        let binary_type = u32::from(*kind);
        if ![CL_PROGRAM_BINARY_TYPE_EXECUTABLE, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT].contains(&binary_type) {
            return Err(invalid("a binary of an unknown type"));
        }
        let module = Module::from_binary(module).map_err(invalid)?;
        let program = runtime::Program::from_module(&device.open()?, &module);
        let program = program.map_err(|error| Error::from(error).with_code(CL_INVALID_BINARY))?;
        receive_output(&program)?;
        Ok(Build { binary_type, uniform: *uniform != 0, program: Some(program), ..Build::default() })
    }

    /// The binary; empty for a build that has made none (`CL_PROGRAM_BINARIES`).
    pub fn binary(&self) -> Vec<u8> {
        let Some(program) = &self.program else { return Vec::new() };
        [&[self.binary_type as u8, u8::from(self.uniform)], &program.to_binary()[..]].concat()
    }

    /// An executable of what a build has made: a binary that was loaded, or a compiled object that is linked alone.
    #[must_use]
    pub fn executable(&self, options: &str) -> Build {
        let linked = Build { status: CL_BUILD_SUCCESS, options: options.into(), ..self.clone() };
        Build { binary_type: CL_PROGRAM_BINARY_TYPE_EXECUTABLE, ..linked }
    }

    /// A build that has failed.
    pub fn failed(options: &str, log: &str) -> Build {
        Build { status: CL_BUILD_ERROR, options: options.into(), log: log.into(), ..Build::default() }
    }

    /// Whether it has succeeded.
    pub fn is_success(&self) -> bool {
        self.status == CL_BUILD_SUCCESS
    }

    /// What it has made, if that is of this type.
    pub fn made(&self, binary_type: cl_program_binary_type) -> Option<&runtime::Program> {
        self.program.as_ref().filter(|_| self.binary_type == binary_type)
    }

    /// Whether global sizes must be multiples of local sizes.
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }
}

/// What kernels print goes to standard output at once, and what bounds checks find to standard error.
fn receive_output(program: &runtime::Program) -> Result<()> {
    use std::io::Write;
    program.on_print(|printed| match printed {
        runtime::Printed::Message(text) => {
            let mut output = std::io::stdout().lock();
            // Nobody could be told that standard output is closed.
            let _ = output.write_all(text).and_then(|()| output.flush());
        }
        lost => tracing::warn!("{lost}"),
    })?;
    program.on_out_of_range(|report| eprintln!("{report}"))?;
    Ok(())
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
            CL_PROGRAM_BINARY_TYPE => Value::of(build.binary_type),
            CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE => {
                let data = build.program.iter().flat_map(|program| &program.interface().program_data);
                Value::of(data.filter(|data| data.writable).map(|data| data.data.len()).sum::<usize>())
            }
            _ => return Err(unknown(name)),
        })
    }
}
