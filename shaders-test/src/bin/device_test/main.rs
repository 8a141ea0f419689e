//! Runs all end-to-end programs and cases on this machine's Vulkan device. The program contains everything that it
//! needs, except `expected.json` beside it, so it can be copied to a machine that only has a driver: see
//! `cargo xtask device-test`.
//!
//! Exit codes: 0 all trials pass that passed in the kept results of the same device and driver; 1 some do not; 3 no
//! device.
#![forbid(unsafe_code)]

mod many_kernels;
mod report;
mod trials;
mod worker;

use clap::Parser;
use clforge_runtime::{DeviceSelector, Instance, InstanceOptions};
use report::{Outcome, Report};
use shaders_test::device_results::exit_code;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use worker::Worker;

#[derive(Parser)]
#[command(about = "All end-to-end tests on a Vulkan device")]
struct Arguments {
    /// The device, by number or by (part of its) name [default: discrete before integrated before CPU]
    #[arg(long, value_name = "N|NAME")]
    device: Option<String>,
    /// Results of an OpenCL driver, which some cases are compared with [default: expected.json beside this program]
    #[arg(long, value_name = "FILE")]
    expected: Option<PathBuf>,
    /// Where DEVICE.json is written [default: the folder `results` beside this program]
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
    /// Only trials whose names contain this
    filter: Option<String>,
    /// Print the names of the trials
    #[arg(long)]
    list: bool,
    /// Read names from standard input, run them, print outcomes
    #[arg(long, hide = true)]
    worker: bool,
}

impl Arguments {
    fn selector(&self) -> DeviceSelector {
        self.device.as_ref().map(|text| text.parse().unwrap_or_default()).unwrap_or_default()
    }

    /// A path beside the program.
    fn beside(name: &str) -> PathBuf {
        let own = std::env::current_exe().unwrap_or_default();
        own.parent().map(|folder| folder.join(name)).unwrap_or_else(|| name.into())
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let names: Vec<String> = trials::names();
    let wanted = |name: &&String| arguments.filter.as_ref().is_none_or(|filter| name.contains(filter.as_str()));
    let names: Vec<&String> = names.iter().filter(wanted).collect();
    if arguments.list {
        names.iter().for_each(|name| println!("{name}"));
        return ExitCode::SUCCESS;
    }
    let expected = arguments.expected.clone().unwrap_or_else(|| Arguments::beside("expected.json"));
    if arguments.worker {
        return exit_code(worker::serve(&arguments.selector(), &expected).map(|()| true));
    }
    let opened = Instance::new(InstanceOptions::default()).and_then(|instance| instance.open(&arguments.selector()));
    let mut report = match opened {
        Ok(device) => Report::new(device.info()),
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(3);
        }
    };
    println!("device: {} ({}, Vulkan {})", report.device, report.driver, report.vulkan);
    if !expected.exists() {
        println!("no {}: cases that are compared with an OpenCL driver's results are left out", expected.display());
    }
    let mut worker = Worker::new(arguments.device.as_deref(), &expected);
    let mut outcomes = BTreeMap::new();
    for name in names {
        let outcome = worker.run(name).unwrap_or_else(Outcome::Failed);
        if let Outcome::Failed(reason) = &outcome {
            println!("FAILED {name}: {}", reason.trim_end());
        }
        outcomes.insert(name.clone(), outcome);
    }
    drop(worker);
    report.trials = outcomes;
    exit_code(conclude(&arguments, &report))
}

/// Prints the table, writes the results, compares them with those kept.
fn conclude(arguments: &Arguments, report: &Report) -> Result<bool, String> {
    println!("\n{}", report.table());
    if arguments.filter.is_none() {
        let folder = arguments.results.clone().unwrap_or_else(|| Arguments::beside("results"));
        println!("results: {}", report.write(&folder)?.display());
    }
    let failed = report.count("failed");
    match Report::kept(&report.file_name())? {
        Some(kept) => {
            let regressions = report.regressions(&kept);
            regressions.iter().for_each(|name| println!("passed before: {name}"));
            println!("{failed} failed, {} of them passed in the kept results", regressions.len());
            Ok(regressions.is_empty())
        }
        None => {
            println!("{failed} failed; there are no kept results of this device and driver");
            Ok(failed == 0)
        }
    }
}
