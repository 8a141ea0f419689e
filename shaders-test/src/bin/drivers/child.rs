//! The process that one driver is loaded into: it compiles all sources from a given one on, and reports each on a line
//! of standard output.

use crate::Statistics;
use clforge_compiler::options::FloatWidths;
use clforge_runtime::{Device, DeviceSelector, Instance, InstanceOptions, Program, measure};
use serde::{Deserialize, Serialize};
use shaders_test::backend::Build;
use shaders_test::case::{self, Case};
use shaders_test::programs;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::time::{Duration, Instant};

/// Work-items of a work-group of kernels that require no size.
const GROUP: u32 = 64;

/// A line of a child's output.
#[derive(Debug, Serialize, Deserialize)]
pub enum Line {
    /// The first line.
    Device { name: String, driver: String },
    /// There is none.
    NoDevice,
    /// The source of this number is next.
    Source { number: usize, name: String },
    /// Our compiler made its module.
    Compiled { time: Duration },
    /// It takes a feature that is not emulated, and that the device lacks.
    LeftOut,
    /// The driver made the pipeline of a kernel.
    Made { name: String, time: Duration, statistics: Statistics },
    /// A source or a kernel is refused.
    Refused { name: String, reason: String },
    /// The last line.
    End,
}

/// What is compiled.
struct Subject {
    name: String,
    build: Build,
    /// Features that the device must have.
    needs: Vec<String>,
}

/// Compiles all sources from `first` on. `has_hardware`: whether kernels could be executed.
///
/// # Errors
/// When the sources cannot be read, or nobody reads the output.
pub fn run(first: usize, has_hardware: bool) -> Result<(), String> {
    measure::capture_statistics();
    if !has_hardware {
        measure::only_compile();
    }
    let instance = Instance::new(InstanceOptions::from_env());
    let Ok(device) = instance.and_then(|instance| instance.open(&DeviceSelector::Best)) else {
        return say(&Line::NoDevice);
    };
    // Drivers without hardware crash where a device is dropped.
    let device = ManuallyDrop::new(device);
    let info = device.info();
    say(&Line::Device { name: plain_name(&info.name).into(), driver: info.driver.clone() })?;
    for (number, subject) in subjects()?.into_iter().enumerate().skip(first) {
        say(&Line::Source { number, name: subject.name.clone() })?;
        if subject.needs.iter().any(|feature| !info.has_feature(feature)) {
            say(&Line::LeftOut)?;
            continue;
        }
        if let Err(reason) = compile(&device, &subject, has_hardware)? {
            say(&Line::Refused { name: subject.name, reason })?;
        }
    }
    say(&Line::End)
}

/// The name of a GPU that RADV only compiles for, without the words around it.
fn plain_name(name: &str) -> &str {
    name.strip_prefix("Null hardware (").and_then(|rest| rest.strip_suffix(')')).unwrap_or(name)
}

/// The cases and programs for Vulkan, in the same order in each process.
fn subjects() -> Result<Vec<Subject>, String> {
    let mut all = Vec::new();
    for path in case::find()? {
        let case = Case::load(&path)?;
        if case.skipped("vulkan").is_none() {
            all.push(Subject { name: case.name, build: case.build, needs: case.needs });
        }
    }
    let of = |program: &programs::Program| Subject {
        name: format!("programs/{}", program.name),
        build: program.build(),
        needs: Vec::new(),
    };
    all.extend(programs::ALL.iter().map(of));
    Ok(all)
}

/// Makes the pipelines of a source; why there are none, if so.
fn compile(device: &Device, subject: &Subject, has_hardware: bool) -> Result<Result<(), String>, String> {
    let start = Instant::now();
    // What the runtime would find out about AMD's GPUs.
    let fused = FloatWidths { float: true, double: true };
    let fused = if has_hardware { FloatWidths::default() } else { fused };
    let module = match subject.build.compile_only_with_facts(device, |facts| {
        facts.fused_multiply_add = facts.fused_multiply_add | fused;
    }) {
        Ok(module) => module,
        Err(reason) => return Ok(Err(reason)),
    };
    say(&Line::Compiled { time: start.elapsed() })?;
    let program = match Program::from_module(device, &module) {
        Ok(program) => program,
        Err(error) => return Ok(Err(error.to_string())),
    };
    for kernel in program.kernel_names() {
        let name = format!("{}/{kernel}", subject.name);
        let start = Instant::now();
        let made = program.kernel(&kernel).and_then(|kernel| measure::compile_kernel(&kernel, GROUP));
        let time = start.elapsed();
        say(&match made {
            Ok(statistics) => Line::Made { name, time, statistics: statistics.into_iter().collect() },
            Err(error) => Line::Refused { name, reason: error.to_string() },
        })?;
    }
    Ok(Ok(()))
}

fn say(line: &Line) -> Result<(), String> {
    let text = serde_json::to_string(line).map_err(|error| error.to_string())?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| format!("standard output: {error}"))
}
