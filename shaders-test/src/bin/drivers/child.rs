//! The process that one driver is loaded into: it compiles all sources from a given one on, and reports each on a line
//! of standard output.

use crate::Statistics;
use crate::clock::Stopwatch;
use clforge_compiler::options::FloatWidths;
use clforge_compiler::workarounds::Workarounds;
use clforge_runtime::{Device, DeviceSelector, Instance, InstanceOptions, Program, measure};
use serde::{Deserialize, Serialize};
use shaders_test::backend::Build;
use shaders_test::case::{self, Case};
use shaders_test::programs;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
    /// Our compiler made its module, in this processor time.
    Compiled { time: Duration },
    /// It takes a feature that is not emulated, and that the device lacks.
    LeftOut,
    /// The driver made the pipeline of a kernel, in this processor time.
    Made { name: String, time: Duration, statistics: Statistics },
    /// A source or a kernel is refused.
    Refused { name: String, reason: String },
    /// The last line.
    End,
}

/// What is compiled.
pub struct Subject {
    name: String,
    build: Build,
    /// Features that the device must have.
    needs: Vec<String>,
}

/// Compiles the sources from number `first` on. `has_hardware`: whether kernels could be executed; `plain`: whether modules
/// have no workarounds.
///
/// # Errors
/// When nobody reads the output.
pub fn run(subjects: Vec<Subject>, first: usize, has_hardware: bool, plain: bool) -> Result<(), String> {
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
    let name = if has_hardware { info.name.clone() } else { plain_name(&info.name) };
    say(&Line::Device { name, driver: plain_version(&info.driver).into() })?;
    for (number, mut subject) in subjects.into_iter().enumerate().skip(first) {
        if plain {
            subject.build.workarounds = Workarounds::empty();
        }
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

/// The name of a GPU that the machine does not have, without marks and parentheses, in which some drivers have all that
/// tells one GPU from another.
fn plain_name(name: &str) -> String {
    let inner = name.strip_prefix("Null hardware (").and_then(|rest| rest.strip_suffix(')')).unwrap_or(name);
    let plain: String = ["(R)", "(TM)", "(tm)"].iter().fold(inner.into(), |name: String, mark| name.replace(mark, ""));
    let plain = plain.replace(['(', ')'], "");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A driver's name and version, without the suffix that a distribution gives it.
fn plain_version(driver: &str) -> &str {
    let version = driver.find("Mesa ").unwrap_or(driver.len());
    let end = driver[version..].find('-').map_or(driver.len(), |length| version + length);
    &driver[..end]
}

/// The cases, programs and benchmarks for Vulkan, in the same order in each process.
///
/// # Errors
/// When they cannot be read.
pub fn own_subjects() -> Result<Vec<Subject>, String> {
    let mut all = Vec::new();
    for path in case::find()? {
        let mut case = Case::load(&path)?;
        if case.skipped("logical").is_some() {
            case.needs.push("bufferDeviceAddress".into());
        }
        if case.skipped("vulkan").is_none() {
            all.push(Subject { name: case.name, build: case.build, needs: case.needs });
        }
    }
    let of = |program: &programs::Program| Subject {
        name: format!("programs/{}", program.name),
        build: program.build(),
        needs: program.enqueues.then(|| "bufferDeviceAddress".into()).into_iter().collect(),
    };
    all.extend(programs::ALL.iter().map(of));
    let of = |(name, build)| Subject { name, build, needs: Vec::new() };
    all.extend(programs::benchmarks()?.into_iter().map(of));
    Ok(all)
}

/// The sources of these paths: of folders, the files that end with `.cl`.
///
/// # Errors
/// When a folder cannot be read.
pub fn given_subjects(paths: &[PathBuf]) -> Result<Vec<Subject>, String> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
            found.retain(|path| path.extension().is_some_and(|extension| extension == "cl"));
            found.sort();
            files.extend(found);
        } else {
            files.push(path.clone());
        }
    }
    let of = |path: PathBuf| Subject {
        name: path.display().to_string(),
        build: Build { folders: path.parent().map(Path::to_path_buf).into_iter().collect(), path, ..Build::default() },
        needs: Vec::new(),
    };
    Ok(files.into_iter().map(of).collect())
}

/// Makes the pipelines of a source; why there are none, if so.
fn compile(device: &Device, subject: &Subject, has_hardware: bool) -> Result<Result<(), String>, String> {
    let start = Stopwatch::start();
    // What the runtime would find out about GPUs.
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
        let start = Stopwatch::start();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_gpus_apart() {
        assert_eq!(plain_name("Null hardware (RADV NAVI21)"), "RADV NAVI21");
        assert_eq!(plain_name("Intel(R) HD Graphics (HSW GT3)"), "Intel HD Graphics HSW GT3");
        assert_eq!(plain_name("Turnip Adreno (TM) 740"), "Turnip Adreno 740");
        assert_eq!(plain_version("radv Mesa 25.0.7-2+deb13u1"), "radv Mesa 25.0.7");
        assert_eq!(plain_version("NVIDIA 580.159-a"), "NVIDIA 580.159-a");
    }

    /// The programs that enqueue others cannot be compiled without addresses.
    #[test]
    fn sources_say_what_they_need() {
        let all = own_subjects().unwrap();
        let needs = |name: &str| all.iter().find(|subject| subject.name == name).unwrap().needs.clone();
        assert_eq!(needs("programs/quadtree"), ["bufferDeviceAddress"]);
        assert_eq!(needs("enqueue/children"), ["bufferDeviceAddress"]);
        assert!(needs("bench/matrix").is_empty());
        assert_eq!(given_subjects(&[Path::new(env!("CARGO_MANIFEST_DIR")).join("bench")]).unwrap().len(), 22);
    }
}
