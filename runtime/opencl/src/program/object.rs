//! Program objects.

use super::build::{Build, BuildOptions};
use super::headers::Headers;
use super::il::Il;
use super::link::LinkOptions;
use super::task::{Finished, run};
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown};
use crate::number;
use clforge_runtime as runtime;
use opencl_sys::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What a program was made from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A source.
    Source(Arc<str>),
    /// A module in an intermediate language.
    Il(Arc<Il>),
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
    /// Signalled when a build ends.
    built: Condvar,
    /// Number of kernel objects.
    kernels: AtomicUsize,
}

impl Kind for Program {
    const INVALID: cl_int = CL_INVALID_PROGRAM;
}

impl Program {
    /// A program with a build for each device.
    pub fn with_builds(
        context: &Ref<Context>,
        devices: Vec<Ref<Device>>,
        origin: Origin,
        builds: Vec<Build>,
    ) -> Ref<Program> {
        let (context, builds, kernels) = (context.clone(), Mutex::new(builds), AtomicUsize::new(0));
        Object::new(Program { context, devices, origin, builds, built: Condvar::new(), kernels })
    }

    /// A program of a source (`clCreateProgramWithSource`).
    pub fn from_source(context: &Ref<Context>, source: &str) -> Ref<Program> {
        let devices = context.devices().to_vec();
        let builds = vec![Build::default(); devices.len()];
        Program::with_builds(context, devices, Origin::Source(source.into()), builds)
    }

    /// A program of a SPIR-V module (`clCreateProgramWithIL`).
    ///
    /// # Errors
    /// As for [`Il::new`].
    pub fn from_il(context: &Ref<Context>, bytes: &[u8]) -> Result<Ref<Program>> {
        let origin = Origin::Il(Arc::new(Il::new(bytes)?));
        let devices = context.devices().to_vec();
        let builds = vec![Build::default(); devices.len()];
        Ok(Program::with_builds(context, devices, origin, builds))
    }

    /// A program of binaries (`clCreateProgramWithBinary`), and for each device whether its binary is one.
    pub fn from_binaries(
        context: &Ref<Context>,
        binaries: Vec<(Ref<Device>, &[u8])>,
    ) -> (Result<Ref<Program>>, Vec<Result<()>>) {
        let loaded: Vec<_> =
            binaries.iter().map(|(device, bytes)| Build::load(device, bytes, context.zeroed_memory())).collect();
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
            Origin::Il(_) | Origin::Binaries | Origin::Linked => None,
        }
    }

    /// The module, if it was made from one.
    pub fn il(&self) -> Option<&Arc<Il>> {
        match &self.origin {
            Origin::Il(il) => Some(il),
            Origin::Source(_) | Origin::Binaries | Origin::Linked => None,
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

    /// Given devices, each of them once, with the program's devices that are parts of them, or all of the program's.
    fn chosen(&self, devices: Vec<Ref<Device>>) -> Result<Vec<Ref<Device>>> {
        let known = |device: &Ref<Device>| self.devices.iter().any(|known| known.handle() == device.handle());
        ensure(devices.iter().all(known), CL_INVALID_DEVICE, "the program is not for this device")?;
        if devices.is_empty() {
            return Ok(self.devices.clone());
        }
        let is_part = |known: &&Ref<Device>| devices.iter().any(|device| known.is_part_of(device));
        let parts: Vec<_> = self.devices.iter().filter(is_part).cloned().collect();
        Ok(Device::once_each([devices, parts].concat()))
    }

    /// Stores what a build makes for a device.
    pub fn set(&self, device: &Object<Device>, options: &Arc<str>, build: impl FnOnce() -> Build) {
        let panicked = |_| Build::failed(options, "internal error; this is a bug in clforge, not in your program");
        let build = catch_unwind(AssertUnwindSafe(build)).unwrap_or_else(panicked);
        let at = self.devices.iter().position(|known| known.handle() == device.handle());
        if let (Some(at), mut builds) = (at, self.lock())
            && let Some(place) = builds.get_mut(at)
        {
            *place = build;
            self.built.notify_all();
        }
    }

    /// Marks builds as going on, and returns what was there before.
    fn begin(&self, devices: &[Ref<Device>], options: &Arc<str>) -> Result<Vec<(Ref<Device>, Build)>> {
        ensure(self.kernels.load(Ordering::Acquire) == 0, CL_INVALID_OPERATION, "the program has kernel objects")?;
        let chosen = |known: &Ref<Device>| devices.iter().any(|device| device.handle() == known.handle());
        let mut builds = self.lock();
        let mut chosen: Vec<(&Ref<Device>, &mut Build)> =
            self.devices.iter().zip(&mut *builds).filter(|(known, _)| chosen(known)).collect();
        let idle = chosen.iter().all(|(_, build)| !build.is_in_progress());
        ensure(idle, CL_INVALID_OPERATION, "the program is being built already")?;
        let begin = |(device, build): &mut (&Ref<Device>, &mut Build)| {
            (device.clone(), std::mem::replace(&mut **build, Build::begun(options)))
        };
        Ok(chosen.iter_mut().map(begin).collect())
    }

    /// Whether a build has failed.
    pub fn has_failed(&self) -> bool {
        self.lock().iter().any(Build::is_failure)
    }

    /// `Ok` if the builds for all these devices have succeeded.
    fn check(&self, devices: &[Ref<Device>], code: cl_int) -> Result<()> {
        let succeeded = |device: &Ref<Device>| self.build_for(device).is_ok_and(|build| build.is_success());
        ensure(devices.iter().all(succeeded), code, "the program does not compile: see its log")
    }

    /// The executables, each with its device, after the builds that go on in the background: other drivers have finished them
    /// when `clBuildProgram` returns, and programs make kernels then.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE` if there is none.
    pub fn executables(&self) -> Result<Vec<(Ref<Device>, runtime::Program)>> {
        let is_going_on = |builds: &mut Vec<Build>| builds.iter().any(Build::is_in_progress);
        let builds = self.built.wait_while(self.lock(), is_going_on).unwrap_or_else(PoisonError::into_inner);
        let made = self.devices.iter().zip(&*builds).filter(|(_, build)| build.is_success());
        let made = made.filter_map(|(device, build)| Some((device.clone(), build.program()?.clone())));
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
        self.lock().iter().map(|build| build.binary(self.context.zeroed_memory())).collect()
    }
}

impl Object<Program> {
    /// Compiles and links (`clBuildProgram`), and calls `finished` after it, with `in_background` later.
    ///
    /// # Errors
    /// `CL_INVALID_BUILD_OPTIONS`, `CL_INVALID_OPERATION`, `CL_INVALID_DEVICE`, `CL_INVALID_BINARY`, and unless it is done in
    /// the background `CL_BUILD_PROGRAM_FAILURE`, with the reason in the log.
    pub fn build(
        self: &Arc<Self>,
        devices: Vec<Ref<Device>>,
        options: &str,
        in_background: bool,
        finished: Finished,
    ) -> Result<()> {
        let devices = self.chosen(devices)?;
        let is_linked = matches!(self.origin, Origin::Linked);
        ensure(!is_linked, CL_INVALID_OPERATION, "a linked program is not built again")?;
        let parsed = BuildOptions::parse(&self.context, options, Headers::none(), CL_INVALID_BUILD_OPTIONS)?;
        let before = self.begin(&devices, &parsed.text)?;
        let origin = self.origin.clone();
        let task = move |program: &Ref<Program>| {
            for (device, before) in &before {
                program.set(device, &parsed.text, || match &origin {
                    Origin::Source(source) => Build::source(device, source, &parsed),
                    Origin::Il(il) => Build::il(device, il, &parsed),
                    _ => before.executable(device, LinkOptions::of_build(parsed.clone())),
                });
            }
        };
        run(self, in_background, Box::new(task), finished);
        if in_background { Ok(()) } else { self.check(&devices, CL_BUILD_PROGRAM_FAILURE) }
    }

    /// Compiles to an object that can be linked (`clCompileProgram`), as [`Program::build`] does.
    ///
    /// # Errors
    /// `CL_INVALID_COMPILER_OPTIONS`, `CL_INVALID_OPERATION`, `CL_INVALID_DEVICE`, and unless it is done in the background
    /// `CL_COMPILE_PROGRAM_FAILURE`.
    pub fn compile(
        self: &Arc<Self>,
        devices: Vec<Ref<Device>>,
        options: &str,
        headers: Headers,
        in_background: bool,
        finished: Finished,
    ) -> Result<()> {
        let devices = self.chosen(devices)?;
        let has_code = matches!(self.origin, Origin::Source(_) | Origin::Il(_));
        ensure(has_code, CL_INVALID_OPERATION, "the program has neither a source nor a module")?;
        let origin = self.origin.clone();
        let parsed = BuildOptions::parse(&self.context, options, headers, CL_INVALID_COMPILER_OPTIONS)?;
        self.begin(&devices, &parsed.text)?;
        let chosen = devices.clone();
        let task = move |program: &Ref<Program>| {
            for device in &chosen {
                program.set(device, &parsed.text, || match &origin {
                    Origin::Il(il) => Build::compile_il(device, il, &parsed),
                    _ => Build::compile(device, program.source().map_or("", |source| source), &parsed),
                });
            }
        };
        run(self, in_background, Box::new(task), finished);
        if in_background { Ok(()) } else { self.check(&devices, CL_COMPILE_PROGRAM_FAILURE) }
    }
}

impl Info for Object<Program> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        let source = self.source().map_or("", |source| source);
        Ok(match name {
            CL_PROGRAM_REFERENCE_COUNT => Value::of(self.references()),
            CL_PROGRAM_CONTEXT => Value::handle(Some(&*self.context)),
            CL_PROGRAM_NUM_DEVICES => Value::of(number::count(self.devices.len())),
            CL_PROGRAM_DEVICES => Value::handles(&self.devices),
            CL_PROGRAM_SOURCE => Value::text(source),
            CL_PROGRAM_IL => self.il().map_or_else(Value::default, |il| Value::list(&il.bytes)),
            CL_PROGRAM_BINARY_SIZES => Value::list(&self.binaries().iter().map(Vec::len).collect::<Vec<usize>>()),
            CL_PROGRAM_NUM_KERNELS => Value::of(self.kernel_names()?.len()),
            CL_PROGRAM_KERNEL_NAMES => Value::text(&self.kernel_names()?.join(";")),
            CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT | CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT => Value::flag(false),
            _ => return Err(unknown(name)),
        })
    }
}
