//! Compiling a source for both targets and executing it: on Vulkan with our runtime, on OpenCL with an installed driver.

use crate::embedded::{self, EmbeddedIncludes};
use crate::job::{Arg, Job};
use clforge_compiler::options::{
    AddressBits, Addressing, ClStd, DeviceFacts, MacroOption, MathOptions, OpenClVersion, Sanitizers, VulkanVersion,
};
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::workarounds::Workarounds;
use clforge_compiler::{Options, Source, Target};
#[cfg(feature = "opencl")]
use clforge_harness::opencl::{ClProgram, Runner};
use clforge_runtime::cache::{self, Cache, Module};
use clforge_runtime::{Buffer, Device, FileIncludes, Launch};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The Vulkan version that tests and demo compile for.
pub const VULKAN: Target = Target::Vulkan(VulkanVersion::V1_2);
/// The OpenCL version that tests and demo compile for.
pub const OPENCL: Target = Target::OpenCl(OpenClVersion::V1_2);
/// The build option that turns a driver's optimiser off.
pub const UNOPTIMISED: &str = "-cl-opt-disable";

/// The build option that rounds divisions and square roots of floats correctly.
pub const CORRECTLY_ROUNDED: &str = "-cl-fp32-correctly-rounded-divide-sqrt";

/// A source file and how to build it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Build {
    /// The file.
    pub path: PathBuf,
    /// `-D` options: names and values.
    pub defines: Vec<(String, String)>,
    /// `-cl-std`, or the default.
    pub std: Option<ClStd>,
    /// Whether divisions and square roots of floats are rounded correctly.
    pub correctly_rounded: bool,
    /// `--address-bits`; of 32 modules for Vulkan have logical addressing.
    pub address_bits: AddressBits,
    /// `-I` folders.
    pub folders: Vec<PathBuf>,
    /// Whether the files are those in the executable: see [`crate::embedded`].
    pub embedded: bool,
    /// What modules for a Vulkan device look for.
    pub sanitizers: Sanitizers,
    /// The workarounds of modules for Vulkan: by default all that are portable.
    pub workarounds: Workarounds,
}

impl Build {
    /// Compiles and validates for Vulkan, as a device's driver wants it.
    ///
    /// # Errors
    /// As [`Build::compile`].
    pub fn compile_for(&self, device: &Device) -> Result<Module, String> {
        let module = self.compile_only_for(device)?;
        check(module.spirv(), VULKAN)?;
        Ok(module)
    }

    /// Compiles for Vulkan, as a device's driver wants it.
    ///
    /// # Errors
    /// The diagnostics as the user sees them.
    pub fn compile_only_for(&self, device: &Device) -> Result<Module, String> {
        self.compile_only_with_facts(device, |_| {})
    }

    /// As [`Build::compile_only_for`], with facts of the device that `change` knows.
    ///
    /// # Errors
    /// The diagnostics as the user sees them.
    pub fn compile_only_with_facts(
        &self,
        device: &Device,
        change: impl FnOnce(&mut DeviceFacts),
    ) -> Result<Module, String> {
        let options = self.compiler_options(VULKAN).with_sanitizers(self.sanitizers);
        let mut options = device.tuned(&options);
        change(&mut options.device);
        self.compile_with(&options)
    }

    /// Compiles to a module for OpenCL, and translates that for Vulkan, as a device's driver wants it.
    ///
    /// # Errors
    /// As [`Build::compile`].
    pub fn translate_for(&self, device: &Device) -> Result<Module, String> {
        translate(&self.compile_for_reader()?, device)
    }

    /// Compiles to a module for OpenCL as any reader of such modules gets it, without what single drivers need.
    ///
    /// # Errors
    /// As [`Build::compile`].
    pub fn compile_for_reader(&self) -> Result<Vec<u32>, String> {
        let target = Target::OpenCl(OpenClVersion::V3_0);
        let options = self.compiler_options(target).with_workarounds(Workarounds::empty());
        let words = self.compile_with(&options)?.spirv().to_vec();
        check(&words, target)?;
        Ok(words)
    }

    /// Compiles and validates.
    ///
    /// # Errors
    /// The diagnostics as the user sees them, or the validator's message.
    pub fn compile(&self, target: Target) -> Result<Vec<u32>, String> {
        let words = self.compile_only(target)?;
        check(&words, target)?;
        Ok(words)
    }

    /// Compiles.
    ///
    /// # Errors
    /// The diagnostics as the user sees them.
    pub fn compile_only(&self, target: Target) -> Result<Vec<u32>, String> {
        Ok(self.module(target)?.spirv().to_vec())
    }

    /// Compiles to a module that the runtime trusts.
    ///
    /// # Errors
    /// The diagnostics as the user sees them.
    pub fn module(&self, target: Target) -> Result<Module, String> {
        self.compile_with(&self.compiler_options(target))
    }

    /// What the compiler is given for a target, with what consumers of both kinds of modules need in the tests.
    pub fn compiler_options(&self, target: Target) -> Options {
        let define = |(name, value): &(String, String)| MacroOption::Define(name.clone(), Some(value.clone()));
        Options::for_target(target)
            .with_cl_std(self.std)
            .with_math(MathOptions { correctly_rounded_divide_sqrt: self.correctly_rounded, ..MathOptions::default() })
            .with_includes(match self.folders.clone() {
                folders if self.embedded => Arc::new(EmbeddedIncludes { folders }),
                folders => Arc::new(FileIncludes::new(folders)),
            })
            // Modules for OpenCL go through llvm-spirv to PoCL here; Vulkan targets have no use for these flags.
            .with_workarounds(self.workarounds | Workarounds::POCL_THROUGH_LLVM)
            .with(|o| {
                o.language.macros = self.defines.iter().map(define).collect();
                o.language.address_bits = self.address_bits;
                if self.address_bits == AddressBits::Bits32 {
                    o.device.addressing = Addressing::Logical;
                }
            })
    }

    fn compile_with(&self, options: &Options) -> Result<Module, String> {
        let text = self.text()?;
        let name = self.path.to_string_lossy();
        let source = Source { name: &name, text: text.as_bytes() };
        cache::compile(&Cache::off(), source, options).map_err(|diagnostics| diagnostics.render(false))
    }

    /// The source text.
    ///
    /// # Errors
    /// When the file cannot be read as UTF-8.
    pub fn text(&self) -> Result<String, String> {
        if self.embedded {
            return read_embedded(&self.path);
        }
        read(&self.path)
    }

    /// The build options in `clBuildProgram`'s spelling.
    pub fn options(&self) -> String {
        let mut words: Vec<String> = self.defines.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
        words.extend(self.folders.iter().map(|folder| format!("-I{}", folder.display())));
        words.push(format!("-cl-std={}", self.std.unwrap_or(ClStd::CL1_2)));
        words.extend(self.correctly_rounded.then(|| CORRECTLY_ROUNDED.to_string()));
        words.join(" ")
    }
}

/// Translates a module for OpenCL for Vulkan, as a device's driver wants it, and validates the result.
///
/// # Errors
/// What cannot be translated, or the validator's message.
pub fn translate(words: &[u32], device: &Device) -> Result<Module, String> {
    let options = device.tuned(&Options::for_target(VULKAN));
    let module = cache::translate(&Cache::off(), words, &options).map_err(|diagnostics| diagnostics.render(false))?;
    check(module.spirv(), VULKAN)?;
    Ok(module)
}

/// Validates a module.
fn check(words: &[u32], target: Target) -> Result<(), String> {
    match validate(words, target) {
        // What a validator does not know yet is checked by a newer one, by hand.
        Ok(()) | Err(ValidateError::TooOld(_)) => Ok(()),
        Err(ValidateError::Invalid(message)) => Err(format!("the module for {target} is not valid: {message}")),
        Err(ValidateError::Unavailable(reason)) => Err(format!("the validator cannot be run: {reason}")),
    }
}

/// Reads a text file; the message names it.
///
/// # Errors
/// When it cannot be read as UTF-8.
pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// As [`read`], for a file in the executable.
///
/// # Errors
/// When it is not there, or not UTF-8.
pub fn read_embedded(path: &Path) -> Result<String, String> {
    let bytes = embedded::file(path).ok_or_else(|| format!("{}: not in the executable", path.display()))?;
    String::from_utf8(bytes.to_vec()).map_err(|error| format!("{}: {error}", path.display()))
}

/// Something that executes kernels.
pub enum Executable {
    /// A Vulkan module on a device.
    Vulkan(clforge_runtime::Program, Device),
    /// A program built by an OpenCL driver.
    #[cfg(feature = "opencl")]
    OpenCl(ClProgram),
}

impl Executable {
    /// Takes a Vulkan module.
    ///
    /// # Errors
    /// What the runtime or the driver complains about.
    pub fn vulkan(device: &Device, module: &Module) -> Result<Executable, String> {
        let program = clforge_runtime::Program::from_module(device, module).map_err(|error| error.to_string())?;
        Ok(Executable::Vulkan(program, device.clone()))
    }

    /// Takes an OpenCL module, which goes to the driver through `llvm-spirv`.
    ///
    /// # Errors
    /// What the translator or the driver complains about.
    #[cfg(feature = "opencl")]
    pub fn opencl(words: &[u32]) -> Result<Executable, String> {
        Executable::opencl_with(&Runner::new()?, words, "")
    }

    /// As [`Executable::opencl`], on a certain driver and with build options for it.
    ///
    /// # Errors
    /// As there.
    #[cfg(feature = "opencl")]
    pub fn opencl_with(driver: &Runner, words: &[u32], options: &str) -> Result<Executable, String> {
        driver.build_spirv_with(words, options).map(Executable::OpenCl)
    }

    /// Gives the source to the OpenCL driver's own compiler: an oracle that is not ours.
    ///
    /// # Errors
    /// The driver's build log.
    #[cfg(feature = "opencl")]
    pub fn reference(build: &Build) -> Result<Executable, String> {
        Executable::reference_with(&Runner::new()?, build, "")
    }

    /// As [`Executable::reference`], on a certain driver and with more build options.
    ///
    /// # Errors
    /// The driver's build log.
    #[cfg(feature = "opencl")]
    pub fn reference_with(driver: &Runner, build: &Build, options: &str) -> Result<Executable, String> {
        let options = format!("{} {options}", build.options());
        driver.build_source(&build.text()?, options.trim_end()).map(Executable::OpenCl)
    }

    /// Runs all launches of a job; returns the final contents of its buffers and the time of the launches.
    ///
    /// # Errors
    /// What the runtime or the driver complains about.
    pub fn run(&self, job: &Job) -> Result<(Vec<Vec<u8>>, Duration), String> {
        match self {
            Executable::Vulkan(program, device) => run_vulkan(program, device, job).map_err(|error| error.to_string()),
            #[cfg(feature = "opencl")]
            Executable::OpenCl(program) => run_opencl(program, job),
        }
    }
}

fn run_vulkan(
    program: &clforge_runtime::Program,
    device: &Device,
    job: &Job,
) -> Result<(Vec<Vec<u8>>, Duration), clforge_runtime::Error> {
    let buffers = job.buffers.iter().map(|bytes| Buffer::from_bytes(device, bytes)).collect::<Result<Vec<_>, _>>()?;
    let mut time = Duration::ZERO;
    for launch in &job.launches {
        let args: Vec<clforge_runtime::Arg<'_>> = launch
            .args
            .iter()
            .map(|arg| match arg {
                Arg::Buffer(index) => clforge_runtime::Arg::Buffer(&buffers[*index]),
                Arg::Pod(bytes) => clforge_runtime::Arg::Pod(bytes),
                Arg::Local(bytes) => clforge_runtime::Arg::Local(*bytes as u64),
                Arg::Null => clforge_runtime::Arg::Null,
            })
            .collect();
        let timings = program.kernel(&launch.kernel)?.launch(&launch.range, &args)?;
        time += timings.device.unwrap_or(timings.host);
    }
    let contents = buffers.iter().map(Buffer::to_vec).collect::<Result<_, _>>()?;
    Ok((contents, time))
}

/// As [`run_vulkan`]; where the group size does not divide, the driver chooses one, as OpenCL 1.2 demands.
#[cfg(feature = "opencl")]
fn run_opencl(program: &ClProgram, job: &Job) -> Result<(Vec<Vec<u8>>, Duration), String> {
    use clforge_harness::HostArg;
    let mut buffers = job.buffers.clone();
    let start = std::time::Instant::now();
    for launch in &job.launches {
        let host = |arg: &Arg| match arg {
            Arg::Buffer(index) => HostArg::Buffer(buffers[*index].clone()),
            Arg::Pod(bytes) => HostArg::Pod(bytes.clone()),
            Arg::Local(bytes) => HostArg::Local(*bytes),
            Arg::Null => HostArg::Null,
        };
        let args: Vec<HostArg> = launch.args.iter().map(host).collect();
        let local = launch.range.local.filter(|_| divides(&launch.range));
        let range = Launch { local, ..launch.range };
        let results = program.run(&launch.kernel, &range, &args)?;
        for (arg, bytes) in launch.args.iter().zip(results) {
            if let Arg::Buffer(index) = arg {
                buffers[*index] = bytes;
            }
        }
    }
    Ok((buffers, start.elapsed()))
}

/// Whether the group size divides the global size in every dimension; OpenCL 1.2 devices take nothing else.
pub fn divides(range: &Launch) -> bool {
    range.local.is_none_or(|local| range.global.iter().zip(local).all(|(g, l)| l != 0 && g % l == 0))
}
