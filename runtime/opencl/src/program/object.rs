//! Program objects.

use super::build::{Build, BuildOptions};
use super::headers::Headers;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown};
use clforge_runtime as runtime;
use opencl_sys::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a program was made from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A source.
    Source(Arc<str>),
    /// Binaries, one for each device.
    Binaries,
    /// Compiled programs (`clLinkProgram`).
    Linked,
}

/// A `cl_program`.
pub struct Program {
    context: Ref<Context>,
    devices: Vec<Ref<Device>>,
    origin: Origin,
    /// One for each device.
    builds: Mutex<Vec<Build>>,
    /// Number of kernel objects.
    kernels: AtomicUsize,
}

impl Kind for Program {
    const INVALID: cl_int = CL_INVALID_PROGRAM;
}

impl Program {
    /// A program with a build for each device.
    fn with_builds(
        context: &Ref<Context>,
        devices: Vec<Ref<Device>>,
        origin: Origin,
        builds: Vec<Build>,
    ) -> Ref<Program> {
        let (context, builds, kernels) = (context.clone(), Mutex::new(builds), AtomicUsize::new(0));
        Object::new(Program { context, devices, origin, builds, kernels })
    }

    /// A program of a source (`clCreateProgramWithSource`).
    pub fn from_source(context: &Ref<Context>, source: &str) -> Ref<Program> {
        let devices = context.devices().to_vec();
        let builds = vec![Build::default(); devices.len()];
        Program::with_builds(context, devices, Origin::Source(source.into()), builds)
    }

    /// A program of binaries (`clCreateProgramWithBinary`), and for each device whether its binary is one.
    pub fn from_binaries(
        context: &Ref<Context>,
        binaries: Vec<(Ref<Device>, &[u8])>,
    ) -> (Result<Ref<Program>>, Vec<Result<()>>) {
        let loaded: Vec<_> = binaries.iter().map(|(device, bytes)| Build::load(device, bytes)).collect();
        let states = loaded.iter().map(|build| build.as_ref().map(|_| ()).map_err(Clone::clone)).collect();
        let builds: Result<Vec<_>> = loaded.into_iter().collect();
        let devices = binaries.into_iter().map(|(device, _)| device).collect();
        (builds.map(|builds| Program::with_builds(context, devices, Origin::Binaries, builds)), states)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Build>> {
        self.builds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its context.
    pub fn context(&self) -> &Ref<Context> {
        &self.context
    }

    /// The source, if it was made from one.
    pub fn source(&self) -> Option<&Arc<str>> {
        match &self.origin {
            Origin::Source(source) => Some(source),
            Origin::Binaries | Origin::Linked => None,
        }
    }

    /// The build for a device.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE`.
    pub fn build_for(&self, device: &Object<Device>) -> Result<Build> {
        let at = self.devices.iter().position(|known| known.handle() == device.handle());
        let build = at.and_then(|at| self.lock().get(at).cloned());
        build.ok_or_else(|| Error::new(CL_INVALID_DEVICE, "the program is not for this device"))
    }

    /// Given devices, or all of the program's.
    fn chosen(&self, devices: Vec<Ref<Device>>) -> Result<Vec<Ref<Device>>> {
        let known = |device: &Ref<Device>| self.devices.iter().any(|known| known.handle() == device.handle());
        ensure(devices.iter().all(known), CL_INVALID_DEVICE, "the program is not for this device")?;
        Ok(if devices.is_empty() { self.devices.clone() } else { devices })
    }

    fn set(&self, device: &Object<Device>, build: Build) {
        let at = self.devices.iter().position(|known| known.handle() == device.handle());
        if let (Some(at), mut builds) = (at, self.lock())
            && let Some(place) = builds.get_mut(at)
        {
            *place = build;
        }
    }

    fn check_unused(&self) -> Result<()> {
        ensure(self.kernels.load(Ordering::Acquire) == 0, CL_INVALID_OPERATION, "the program has kernel objects")
    }

    /// Compiles and links (`clBuildProgram`).
    ///
    /// # Errors
    /// `CL_INVALID_BUILD_OPTIONS`, `CL_INVALID_OPERATION`, `CL_INVALID_DEVICE`, `CL_INVALID_BINARY`,
    /// `CL_BUILD_PROGRAM_FAILURE`, with the reason in the log.
    pub fn build(&self, devices: Vec<Ref<Device>>, options: &str) -> Result<()> {
        let devices = self.chosen(devices)?;
        self.check_unused()?;
        let parsed = BuildOptions::parse(options, Headers::new(Vec::new()), CL_INVALID_BUILD_OPTIONS)?;
        let mut is_success = true;
        for device in &devices {
            let build = match &self.origin {
                Origin::Source(source) => Build::compile(device, source, &parsed, CL_PROGRAM_BINARY_TYPE_EXECUTABLE),
                Origin::Binaries => self.build_for(device)?.executable(options),
                Origin::Linked => return Err(Error::new(CL_INVALID_OPERATION, "a linked program is not built again")),
            };
            is_success &= build.is_success();
            self.set(device, build);
        }
        ensure(is_success, CL_BUILD_PROGRAM_FAILURE, "the program does not compile: see its log")
    }

    /// Compiles to an object that can be linked (`clCompileProgram`).
    ///
    /// # Errors
    /// `CL_INVALID_COMPILER_OPTIONS`, `CL_INVALID_OPERATION`, `CL_INVALID_DEVICE`, `CL_COMPILE_PROGRAM_FAILURE`.
    pub fn compile(&self, devices: Vec<Ref<Device>>, options: &str, headers: Headers) -> Result<()> {
        let devices = self.chosen(devices)?;
        self.check_unused()?;
        let source = self.source().ok_or_else(|| Error::new(CL_INVALID_OPERATION, "the program has no source"))?;
        let parsed = BuildOptions::parse(options, headers, CL_INVALID_COMPILER_OPTIONS)?;
        let mut is_success = true;
        for device in &devices {
            let build = Build::compile(device, source, &parsed, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
            is_success &= build.is_success();
            self.set(device, build);
        }
        ensure(is_success, CL_COMPILE_PROGRAM_FAILURE, "the program does not compile: see its log")
    }

    /// The executables, each with its device.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE` if there is none.
    pub fn executables(&self) -> Result<Vec<(Ref<Device>, runtime::Program)>> {
        let builds = self.lock();
        let made = self.devices.iter().zip(&*builds).filter(|(_, build)| build.is_success());
        let made = made.filter_map(|(device, build)| {
            build.made(CL_PROGRAM_BINARY_TYPE_EXECUTABLE).map(|program| (device.clone(), program.clone()))
        });
        let made: Vec<_> = made.collect();
        ensure(!made.is_empty(), CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built successfully")?;
        Ok(made)
    }

    /// Names of the kernels.
    ///
    /// # Errors
    /// As for [`Program::executables`].
    pub fn kernel_names(&self) -> Result<Vec<String>> {
        let executables = self.executables()?;
        Ok(executables.first().map(|(_, program)| program.kernel_names()).unwrap_or_default())
    }

    /// A kernel object was made (`true`) or destroyed.
    pub fn count_kernel(&self, is_made: bool) {
        if is_made {
            self.kernels.fetch_add(1, Ordering::AcqRel);
        } else {
            self.kernels.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// The binary for each device (`CL_PROGRAM_BINARIES`).
    pub fn binaries(&self) -> Vec<Vec<u8>> {
        self.lock().iter().map(Build::binary).collect()
    }
}

/// Links compiled programs (`clLinkProgram`): one, since the compiler does not link several translation units yet. A failure
/// gives a program as well, which has the log.
///
/// # Errors
/// `CL_INVALID_LINKER_OPTIONS`, `CL_INVALID_VALUE`, `CL_INVALID_OPERATION`.
pub fn link(
    context: &Ref<Context>,
    devices: Vec<Ref<Device>>,
    options: &str,
    inputs: &[Ref<Program>],
) -> Result<(Ref<Program>, bool)> {
    const KNOWN: [&str; 7] = [
        "-cl-denorms-are-zero",
        "-cl-no-signed-zeros",
        "-cl-unsafe-math-optimizations",
        "-cl-finite-math-only",
        "-cl-fast-relaxed-math",
        "-cl-mad-enable",
        "-enable-link-options",
    ];
    if let Some(word) = options.split_whitespace().find(|word| !KNOWN.contains(word)) {
        return Err(Error::new(CL_INVALID_LINKER_OPTIONS, format!("linker option '{word}'")));
    }
    let first = inputs.first().ok_or_else(|| Error::value("no programs to link"))?;
    let devices = context.devices_or_all(devices)?;
    let mut builds = Vec::new();
    for device in &devices {
        let build = first.build_for(device)?;
        let is_object = build.made(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT).is_some();
        ensure(is_object, CL_INVALID_OPERATION, "a program to link was not compiled for this device")?;
        builds.push(match inputs {
            [_] => build.executable(options),
            _ => Build::failed(options, "error: linking several programs is not supported yet"),
        });
    }
    let is_success = builds.iter().all(Build::is_success);
    Ok((Program::with_builds(context, devices, Origin::Linked, builds), is_success))
}

impl Info for Object<Program> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        let source = self.source().map_or("", |source| source);
        Ok(match name {
            CL_PROGRAM_REFERENCE_COUNT => Value::of(self.references()),
            CL_PROGRAM_CONTEXT => Value::handle(Some(&*self.context)),
            CL_PROGRAM_NUM_DEVICES => Value::of(self.devices.len() as u32),
            CL_PROGRAM_DEVICES => Value::handles(&self.devices),
            CL_PROGRAM_SOURCE => Value::text(source),
            CL_PROGRAM_IL => Value::default(),
            CL_PROGRAM_BINARY_SIZES => Value::list(&self.binaries().iter().map(Vec::len).collect::<Vec<usize>>()),
            CL_PROGRAM_NUM_KERNELS => Value::of(self.kernel_names()?.len()),
            CL_PROGRAM_KERNEL_NAMES => Value::text(&self.kernel_names()?.join(";")),
            CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT | CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT => Value::flag(false),
            _ => return Err(unknown(name)),
        })
    }
}
