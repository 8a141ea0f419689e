//! What executes kernels: this project's runtime, or an OpenCL driver.

use crate::case::Setup;
use clforge_harness::{HostArg, NdRange};
use clforge_runtime::options::Sanitizers;
use clforge_runtime::{Arg, Buffer, Cache, Device, Image, Kernel, Program, build_options};
use std::time::{Duration, Instant};

/// Time on the device, where it is recorded, and on the host.
pub type Times = (Option<Duration>, Duration);

/// A driver with a device.
pub trait Engine {
    /// Device and driver, for people.
    fn name(&self) -> String;

    /// Builds a source.
    fn build(&self, source: &str, options: &str) -> Result<Box<dyn Built>, String>;
}

/// A program.
pub trait Built {
    /// A kernel with its arguments.
    fn prepare(&self, kernel: &str, setup: &Setup) -> Result<Box<dyn Prepared>, String>;
}

/// A launch that can be repeated.
pub trait Prepared {
    /// Launches and waits.
    fn time(&self) -> Result<Times, String>;

    /// The contents of every buffer.
    fn results(&self) -> Result<Vec<Vec<u8>>, String>;
}

/// This project's compiler and runtime.
pub struct Ours {
    /// What the kernels are run on.
    pub device: Device,
    /// Optimisations of the compiler that are left out.
    pub disabled_passes: Vec<String>,
    /// What the kernels look for while they run.
    pub sanitizers: Sanitizers,
}

impl Engine for Ours {
    fn name(&self) -> String {
        format!("clforge on {}, {}", self.device.info().name, self.device.info().driver)
    }

    fn build(&self, source: &str, options: &str) -> Result<Box<dyn Built>, String> {
        self.device.set_cache(Cache::off());
        let mut options = build_options(options).map_err(|error| error.to_string())?;
        options.codegen.disabled_passes.clone_from(&self.disabled_passes);
        let options = options.with_sanitizers(self.sanitizers);
        let program = Program::from_source(&self.device, source, &options).map_err(|error| error.to_string())?;
        Ok(Box::new(OurProgram(program, self.device.clone())))
    }
}

struct OurProgram(Program, Device);

enum Memory {
    None,
    Buffer(Buffer),
    Image(Image),
}

struct OurLaunch {
    kernel: Kernel,
    range: NdRange,
    args: Vec<HostArg>,
    memory: Vec<Memory>,
}

impl Built for OurProgram {
    fn prepare(&self, kernel: &str, setup: &Setup) -> Result<Box<dyn Prepared>, String> {
        let text = |error: clforge_runtime::Error| error.to_string();
        let (mut args, mut memory) = (Vec::new(), Vec::new());
        for arg in &setup.args {
            memory.push(match arg {
                HostArg::Buffer(bytes) => Memory::Buffer(Buffer::from_bytes(&self.1, bytes).map_err(text)?),
                HostArg::Image(description, bytes) => {
                    Memory::Image(Image::from_bytes(&self.1, *description, bytes).map_err(text)?)
                }
                _ => Memory::None,
            });
            // The contents are on the device.
            args.push(match arg {
                HostArg::Buffer(_) | HostArg::Image(..) => HostArg::Null,
                other => other.clone(),
            });
        }
        let kernel = self.0.kernel(kernel).map_err(text)?;
        Ok(Box::new(OurLaunch { kernel, range: setup.range, args, memory }))
    }
}

/// One argument of a launch.
fn argument<'m>((arg, memory): (&'m HostArg, &'m Memory)) -> Arg<'m> {
    match (arg, memory) {
        (_, Memory::Buffer(buffer)) => Arg::Buffer(buffer),
        (_, Memory::Image(image)) => Arg::Image(image),
        (HostArg::Pod(bytes), _) => Arg::Pod(bytes),
        (HostArg::Local(bytes), _) => Arg::Local(*bytes as u64),
        (HostArg::Sampler(sampler), _) => Arg::Sampler(*sampler),
        _ => Arg::Null,
    }
}

impl Prepared for OurLaunch {
    fn time(&self) -> Result<Times, String> {
        let values: Vec<Arg<'_>> = self.args.iter().zip(&self.memory).map(argument).collect();
        let start = Instant::now();
        let timings = self.kernel.launch(&self.range, &values).map_err(|error| error.to_string())?;
        Ok((timings.device, start.elapsed()))
    }

    fn results(&self) -> Result<Vec<Vec<u8>>, String> {
        let contents = self.memory.iter().map(|memory| match memory {
            Memory::Buffer(buffer) => buffer.to_vec(),
            Memory::Image(image) => image.to_vec(),
            Memory::None => Ok(Vec::new()),
        });
        contents.collect::<Result<_, _>>().map_err(|error| error.to_string())
    }
}
