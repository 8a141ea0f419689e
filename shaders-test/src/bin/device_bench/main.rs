//! Runs kernels through this project and through every OpenCL driver of the machine, with the same arguments, and
//! compares results and times; then measures what the runtime costs. The program contains everything that it needs, so
//! it can be copied to a machine that only has drivers: see `cargo xtask bench device`.
//!
//! Exit codes: 0 all right; 1 results differ, or a ratio is more than a tenth below the kept one of the same device and
//! driver; 3 no device.
#![forbid(unsafe_code)]

mod case;
#[cfg(feature = "opencl")]
mod client;
mod costs;
mod document;
mod engine;
mod measure;
#[cfg(feature = "opencl")]
mod opencl;
mod report;
mod sanitizers;
mod sources;
mod table;

use case::Scale;
use clap::Parser;
use clforge_runtime::options::Sanitizers;
use clforge_runtime::{Device, DeviceKind, DeviceSelector, Instance, InstanceOptions};
use engine::{Engine, Ours};
use measure::Programs;
use report::{Report, Row};
use shaders_test::device_results::exit_code;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "Kernels and costs of the runtime, beside every OpenCL driver")]
struct Arguments {
    /// The device, by number or by (part of its) name [default: discrete before integrated before CPU]
    #[arg(long, value_name = "N|NAME")]
    device: Option<String>,
    /// Only OpenCL drivers whose description contains this
    #[arg(long, value_name = "NAME")]
    opencl: Option<String>,
    /// Only rows whose names contain this; `costs` measures the costs of the runtime alone. May be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Not the rows whose names contain this, even so (an OpenCL driver may crash). May be given several times
    #[arg(long, value_name = "NAME")]
    skip: Vec<String>,
    /// Small problems [default for devices that execute on the processor]
    #[arg(long)]
    quick: bool,
    /// Large problems on every device
    #[arg(long, conflicts_with = "quick")]
    full: bool,
    /// Compare times of the host, from enqueueing to completion (some OpenCL drivers record wrong times)
    #[arg(long)]
    host_times: bool,
    /// Leave out an optimisation of the compiler
    #[arg(long, value_name = "PASS")]
    disable_pass: Vec<String>,
    /// Measure what the sanitizers cost instead
    #[arg(long)]
    sanitizers: bool,
    /// Only this kind of sanitizer, or these (`race,memory`). May be given several times, also with the same kind to measure by turns
    #[arg(long, value_name = "KINDS", requires = "sanitizers")]
    kind: Vec<String>,
    /// Measure what commands cost a client of each OpenCL driver instead; clforge's own is one, where it is installed
    #[arg(long, conflicts_with = "sanitizers")]
    client: bool,
    /// Print the names of the rows
    #[arg(long)]
    list: bool,
    /// Where DEVICE.json is written [default: the folder `results` beside this program]
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
    /// Write the document from all results of the folder, without measuring anything
    #[arg(long, value_name = "FILE")]
    document: Option<PathBuf>,
}

impl Arguments {
    fn selector(&self) -> DeviceSelector {
        self.device.as_ref().map(|text| text.parse().unwrap_or_default()).unwrap_or_default()
    }

    fn folder(&self) -> PathBuf {
        let beside = || {
            let own = std::env::current_exe().unwrap_or_default();
            own.parent().map(|folder| folder.join("results")).unwrap_or_else(|| "results".into())
        };
        self.results.clone().unwrap_or_else(beside)
    }

    fn wants(&self, name: &str) -> bool {
        let names = |names: &[String]| names.iter().any(|part| name.contains(part.as_str()));
        !names(&self.skip) && (self.only.is_empty() || names(&self.only))
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.list {
        table::all().iter().for_each(|case| println!("{}", case.name));
        return ExitCode::SUCCESS;
    }
    if let Some(path) = &arguments.document {
        let reports = Report::read_all(&arguments.folder());
        let written = reports.and_then(|reports| {
            let text = document::document(&reports);
            std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
        });
        return exit_code(written.map(|()| true));
    }
    let opened = Instance::new(InstanceOptions::from_env()).and_then(|instance| instance.open(&arguments.selector()));
    match opened {
        Ok(device) => exit_code(run(&arguments, &device)),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

/// Measures, prints, writes; whether all is right.
fn run(arguments: &Arguments, device: &Device) -> Result<bool, String> {
    let info = device.info();
    let scale = Scale { quick: arguments.quick || !arguments.full && info.kind == DeviceKind::Cpu };
    if arguments.sanitizers {
        let wants = |name: &str| arguments.wants(name);
        println!("\n{}", sanitizers::table(device, scale, (&arguments.kind, arguments.host_times), &wants)?);
        return Ok(true);
    }
    #[cfg(feature = "opencl")]
    if arguments.client {
        println!("\n{}", client::table(device, runners(arguments, false), &|name| arguments.wants(name))?);
        return Ok(true);
    }
    let mut report = Report {
        device: info.name.clone(),
        driver: info.driver.clone(),
        vulkan: info.api_version.clone(),
        quick: scale.quick,
        host_times: arguments.host_times,
        ..Report::default()
    };
    // NVIDIA's OpenCL keeps the clock up where it is measured too. Without it, rows varied by a factor of 2.8.
    device.keep_clock();
    kernels(arguments, device, scale, &mut report);
    if arguments.wants("costs") {
        costs(arguments, device, scale, &mut report)?;
    }
    println!("\n{}", document::section(&report));
    if arguments.only.is_empty() {
        println!("results: {}", report.write(&arguments.folder())?.display());
    }
    let differences = report.differences();
    differences.iter().for_each(|difference| println!("results differ: {difference}"));
    let regressions = report.kept()?.map(|kept| report.regressions(&kept)).unwrap_or_default();
    regressions.iter().for_each(|regression| println!("slower than before: {regression}"));
    Ok(differences.is_empty() && regressions.is_empty())
}

fn kernels(arguments: &Arguments, device: &Device, scale: Scale, report: &mut Report) {
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Ours {
        device: device.clone(),
        disabled_passes: arguments.disable_pass.clone(),
        sanitizers: Sanitizers::default(),
    })];
    #[cfg(feature = "opencl")]
    engines.extend(runners(arguments, true).into_iter().map(|runner| Box::new(runner) as Box<dyn Engine>));
    engines.iter().for_each(|engine| println!("{}", engine.name()));
    let mut programs = Programs::default();
    for case in table::all().iter().filter(|case| arguments.wants(case.name)) {
        let mut row = measure::row(case, scale, &engines, &mut programs);
        if arguments.host_times {
            row.forget_device_times();
        }
        println!("{}", line(case.name, &row));
        report.order.push(case.name.to_owned());
        report.kernels.insert(case.name.to_owned(), row);
    }
}

/// A row as it is measured.
fn line(name: &str, row: &Row) -> String {
    let cell = |figure: &report::Figure| match (&figure.error, figure.time()) {
        (Some(error), _) => error.clone(),
        (None, time) => format!("{:.4} ms", time.unwrap_or(f64::NAN) / 1e3),
    };
    let mut text = format!("{name:32} {:>14}", cell(&row.ours));
    for (driver, figure) in &row.theirs {
        let ratio = row.ratio(driver).map_or("-".into(), |ratio| format!("{ratio:.2}"));
        let note = figure.difference.as_ref().map(|text| format!(" DIFFERS: {text}")).unwrap_or_default();
        text += &format!(" | {:>14} {ratio:>6}{note}", cell(figure));
    }
    text
}

#[cfg(feature = "opencl")]
fn runners(arguments: &Arguments, profiling: bool) -> Vec<clforge_harness::opencl::Runner> {
    let mut runners = clforge_harness::opencl::Runner::all(profiling).unwrap_or_else(|error| {
        println!("no OpenCL driver: {error}");
        Vec::new()
    });
    runners.retain(|runner| arguments.opencl.as_ref().is_none_or(|name| runner.description().contains(name)));
    runners
}

fn costs(arguments: &Arguments, device: &Device, scale: Scale, report: &mut Report) -> Result<(), String> {
    let large = scale.of(256 << 20, 4 << 20);
    report.costs = costs::ours(&arguments.selector())?;
    let mut subjects: Vec<(String, Box<dyn costs::Subject>)> =
        vec![("clforge".into(), Box::new(costs::Ours::new(device, large)?))];
    #[cfg(feature = "opencl")]
    for runner in runners(arguments, false) {
        match costs::opencl::Theirs::new(&runner, large) {
            Ok(theirs) => subjects.push((runner.description(), Box::new(theirs))),
            Err(error) => eprintln!("{}: {error}", runner.description()),
        }
    }
    report.costs.extend(costs::measure(&mut subjects, large));
    Ok(())
}
