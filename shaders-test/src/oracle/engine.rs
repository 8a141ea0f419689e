//! A device and one of our targets: compiles source texts for it and runs their kernels.

use super::number::Scalar;
use crate::backend::VULKAN;
use clforge_compiler::options::MathOptions;
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::workarounds::Workarounds;
use clforge_compiler::{Options, Source, Target};
use clforge_harness::{HostArg, NdRange, run_vulkan};
use clforge_runtime::cache::{self, Cache};
use clforge_runtime::{Device, DeviceSelector};

/// Where kernels run.
pub enum Engine {
    /// The Vulkan target on a Vulkan device.
    Vulkan(Device),
    /// The OpenCL target on the installed OpenCL driver.
    #[cfg(feature = "opencl")]
    OpenCl(clforge_harness::opencl::Runner),
}

/// A program that is ready to run.
pub enum Built {
    /// On a Vulkan device.
    Vulkan(clforge_runtime::Program, Device),
    /// On an OpenCL device.
    #[cfg(feature = "opencl")]
    OpenCl(clforge_harness::opencl::ClProgram),
}

impl Engine {
    /// Opens a Vulkan device.
    ///
    /// # Errors
    /// What the runtime says.
    pub fn vulkan(selector: &DeviceSelector) -> Result<Engine, String> {
        Device::open(selector).map(Engine::Vulkan).map_err(|error| error.to_string())
    }

    /// Opens the installed OpenCL driver, once for the process: PoCL 3.1 cannot be opened by two threads at a time.
    ///
    /// # Errors
    /// When there is none.
    #[cfg(feature = "opencl")]
    pub fn opencl() -> Result<Engine, String> {
        use clforge_harness::opencl::Runner;
        static RUNNER: std::sync::OnceLock<Result<Runner, String>> = std::sync::OnceLock::new();
        RUNNER.get_or_init(Runner::new).clone().map(Engine::OpenCl)
    }

    /// The device and its driver, for people.
    pub fn description(&self) -> String {
        match self {
            Engine::Vulkan(device) => format!("{}, Vulkan, {}", device.info().name, device.info().driver),
            #[cfg(feature = "opencl")]
            Engine::OpenCl(runner) => runner.description(),
        }
    }

    /// Whether functions of this floating type can run; PoCL 3.1, for one, has none of half. For Vulkan devices without
    /// a type it is emulated.
    pub fn supports(&self, ty: Scalar) -> bool {
        match (self, ty) {
            #[cfg(feature = "opencl")]
            (Engine::OpenCl(runner), Scalar::Half) => runner.has_extension("cl_khr_fp16"),
            #[cfg(feature = "opencl")]
            (Engine::OpenCl(runner), Scalar::Double) => runner.has_extension("cl_khr_fp64"),
            _ => true,
        }
    }

    /// The target that sources are compiled for.
    pub fn target(&self) -> Target {
        match self {
            Engine::Vulkan(_) => VULKAN,
            #[cfg(feature = "opencl")]
            Engine::OpenCl(_) => crate::backend::OPENCL,
        }
    }

    /// Compiles a text, for Vulkan as this device's driver wants it, validates it where the validator is installed, and hands it
    /// to the driver.
    ///
    /// # Errors
    /// Diagnostics, or what the validator or the driver complains about.
    pub fn build(&self, text: &str) -> Result<Built, String> {
        self.build_with(text, MathOptions::default())
    }

    /// The same with options for floating-point arithmetic.
    ///
    /// # Errors
    /// As for [`Engine::build`].
    pub fn build_with(&self, text: &str, math: MathOptions) -> Result<Built, String> {
        let target = self.target();
        let workarounds = Workarounds::PORTABLE | Workarounds::POCL_THROUGH_LLVM;
        let options = Options::for_target(target).with_math(math).with_workarounds(workarounds);
        let options = match self {
            Engine::Vulkan(device) => device.tuned(&options),
            #[cfg(feature = "opencl")]
            Engine::OpenCl(_) => options,
        };
        let source = Source { name: "generated.cl", text: text.as_bytes() };
        let module = cache::compile(&Cache::off(), source, &options).map_err(|errors| errors.render(false))?;
        if let Err(ValidateError::Invalid(message)) = validate(module.spirv(), target) {
            return Err(format!("the module for {target} is not valid: {message}\n{text}"));
        }
        match self {
            Engine::Vulkan(device) => {
                let program = clforge_runtime::Program::from_module(device, &module);
                program.map(|program| Built::Vulkan(program, device.clone())).map_err(|error| error.to_string())
            }
            #[cfg(feature = "opencl")]
            Engine::OpenCl(runner) => runner.build_spirv(module.spirv()).map(Built::OpenCl),
        }
    }

    /// Whether operations of this device on a floating type lose denormals, as OpenCL C lets them (7.2) unless they are
    /// doubles: the device is tried. Of types that the device lacks nothing is lost.
    ///
    /// # Errors
    /// As for [`Engine::build`] and [`Built::run`].
    pub fn flushes_denormals(&self, ty: Scalar) -> Result<bool, String> {
        if !matches!(ty, Scalar::Float | Scalar::Half) || !self.supports(ty) {
            return Ok(false);
        }
        let built = self.build(&format!(
            "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
             kernel void probe(global {0} *a) {{ a[1] = a[0] * ({0})0.5f; a[3] = a[2] + a[2]; }}",
            ty.name()
        ))?;
        let least_normal = 1u64 << (ty.precision() - 1);
        let values = [least_normal, 0, 1, 0];
        let bytes = values.iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(ty.bytes())).collect();
        let results = built.run("probe", &NdRange::new(&[1]), &[HostArg::Buffer(bytes)])?;
        let results = results.first().map_or(&[][..], Vec::as_slice).chunks_exact(ty.bytes());
        let results: Vec<u64> = results.map(word).collect();
        Ok(results.get(1) != Some(&(least_normal / 2)) || results.get(3) != Some(&2))
    }
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

impl Built {
    /// Launches a kernel once; the contents of every buffer afterwards, in argument order.
    ///
    /// # Errors
    /// What the runtime or the driver complains about.
    pub fn run(&self, kernel: &str, range: &NdRange, args: &[HostArg]) -> Result<Vec<Vec<u8>>, String> {
        match self {
            Built::Vulkan(program, device) => {
                run_vulkan(device, program, kernel, range, args).map_err(|error| error.to_string())
            }
            #[cfg(feature = "opencl")]
            Built::OpenCl(program) => program.run(kernel, range, args),
        }
    }
}
