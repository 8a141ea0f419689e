//! Creates a pipeline of each kernel of all cases, programs and benchmarks on each Vulkan driver of the machine: see
//! `cargo xtask drivers`. Mesa's drivers compile for GPUs that the machine does not have (`gpus.rs`), so nothing is
//! executed.
//!
//! Modules are those that the runtime compiles for the device. Each driver is in a child process, which is started
//! again behind a source that crashes it. What the driver tells of its code is compared with the kept figures of the
//! same device and driver.
//!
//! Exit codes: 0 all right; 1 a pipeline is refused that was not, or its code is worse; 3 no driver has a device.
#![forbid(unsafe_code)]

mod child;
mod clock;
mod gpus;
mod kept;
mod parent;

use clap::Parser;
use kept::Kept;
use parent::{Driver, Outcome};
use shaders_test::device_results;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Parser)]
#[command(about = "Pipelines of all cases, programs and benchmarks on every Vulkan driver of the machine")]
struct Arguments {
    /// A driver's JSON file [default: those of the machine]. May be given several times
    #[arg(long, value_name = "FILE")]
    driver: Vec<PathBuf>,
    /// The GPUs that drivers compile for without having them, with commas between [default: some of each driver]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    gpus: Vec<String>,
    /// The folder of Mesa's DRM shims, with which more of its drivers compile without hardware
    #[arg(long, value_name = "FOLDER")]
    shims: Option<PathBuf>,
    /// Compare with modules without workarounds, too
    #[arg(long)]
    workarounds: bool,
    /// Where the figures of each device are kept
    #[arg(long, value_name = "FOLDER", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/results/drivers"))]
    results: PathBuf,
    /// Seconds of processor time that a driver may take for a source
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    limit: u64,
    /// Also compile what a driver is known not to end with
    #[arg(long)]
    all: bool,
    /// Keep the figures of this run
    #[arg(long)]
    keep: bool,
    /// Print a table for docs/drivers.md
    #[arg(long)]
    table: bool,
    /// Sources, or folders of them, instead of the cases, programs and benchmarks; figures are not kept
    #[arg(value_name = "PATH")]
    sources: Vec<PathBuf>,
    /// As a child of this program: the first source to compile
    #[arg(long, value_name = "NUMBER", hide = true)]
    child: Option<usize>,
    /// As a child: the driver only compiles
    #[arg(long, hide = true)]
    without_hardware: bool,
    /// As a child: modules have no workarounds
    #[arg(long, hide = true)]
    plain: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(first) = arguments.child {
        let subjects = match arguments.sources.is_empty() {
            true => child::own_subjects(),
            false => child::given_subjects(&arguments.sources),
        };
        let run = |subjects| child::run(subjects, first, !arguments.without_hardware, arguments.plain);
        return device_results::exit_code(subjects.and_then(run).map(|()| true));
    }
    match all(&arguments) {
        Ok(Some(is_right)) => device_results::exit_code(Ok(is_right)),
        Ok(None) => {
            eprintln!("error: no driver has a device");
            ExitCode::from(3)
        }
        Err(message) => device_results::exit_code(Err(message)),
    }
}

/// Whether all drivers are right; `None` where no driver has a device.
fn all(arguments: &Arguments) -> Result<Option<bool>, String> {
    let mut result = None;
    let mut rows = Vec::new();
    for driver in drivers(arguments)? {
        let is_late = |outcome: &Outcome, name: &str| !arguments.all && is_known_late(arguments, outcome, name);
        let Some(outcome) = driver.run(false, is_late)? else {
            println!("{driver}: no device");
            continue;
        };
        println!("{}", describe(&outcome));
        let found = Kept::new(&outcome);
        let path = arguments.results.join(found.file_name());
        let kept = if arguments.sources.is_empty() { Kept::load(&path)? } else { None };
        let worse = kept.map_or_else(Vec::new, |kept| found.worse_than(&kept));
        worse.iter().for_each(|line| println!("    worse: {line}"));
        if arguments.workarounds
            && let Some(plain) = driver.run(true, is_late)?
        {
            let worse = found.worse_than(&Kept::new(&plain));
            worse.iter().for_each(|line| println!("    with workarounds: {line} without"));
        }
        result = Some(result.unwrap_or(true) && worse.is_empty());
        rows.push(row(&outcome));
        if arguments.keep && arguments.sources.is_empty() {
            found.store(&path)?;
        }
    }
    if arguments.table {
        println!(
            "| device and driver | pipelines | made | refused | in all | slowest |\n|---|---:|---:|---:|---:|---|"
        );
        rows.iter().for_each(|row| println!("{row}"));
    }
    Ok(result)
}

/// Whether a driver is kept as one that does not end with a source.
fn is_known_late(arguments: &Arguments, outcome: &Outcome, name: &str) -> bool {
    let path = arguments.results.join(Kept::new(outcome).file_name());
    Kept::load(&path).ok().flatten().is_some_and(|kept| kept.is_late(name))
}

/// The drivers to try: one for each file, and each GPU that the file's driver compiles for.
fn drivers(arguments: &Arguments) -> Result<Vec<Driver>, String> {
    let mut files = arguments.driver.clone();
    if files.is_empty() {
        let folders = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
        let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
        files = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        files.sort();
    }
    let program = std::env::current_exe().map_err(|error| format!("this program's path: {error}"))?;
    let limit = Duration::from_secs(arguments.limit);
    let (mut drivers, sources) = (Vec::new(), arguments.sources.clone());
    for file in files {
        let driver =
            |gpu| Driver { program: program.clone(), sources: sources.clone(), file: file.clone(), gpu, limit };
        drivers.extend(gpus::of_driver(&file, &arguments.gpus, arguments.shims.as_deref()).into_iter().map(driver));
    }
    Ok(drivers)
}

/// What happened, for people: counts, then each refusal.
fn describe(outcome: &Outcome) -> String {
    let mut text = format!(
        "{}, {}: {} pipelines made in {:.1} s, {} refused, {} sources left out, compiled in {:.1} s",
        outcome.device,
        outcome.driver,
        outcome.made.len(),
        created(outcome).as_secs_f64(),
        outcome.refused.len(),
        outcome.left_out,
        outcome.compiled.as_secs_f64()
    );
    for (name, reason) in &outcome.refused {
        text += &format!("\n    refused: {name}: {reason}");
    }
    let mut slowest: Vec<_> = outcome.made.iter().map(|(name, made)| (made.time, name)).collect();
    slowest.sort_by(|a, b| b.cmp(a));
    for (time, name) in slowest.iter().take(3) {
        text += &format!("\n    slow: {name}: {:.0} ms", time.as_secs_f64() * 1e3);
    }
    text
}

fn created(outcome: &Outcome) -> Duration {
    outcome.made.values().map(|made| made.time).sum()
}

fn row(outcome: &Outcome) -> String {
    let (made, refused) = (outcome.made.len(), outcome.refused.len());
    let slowest = outcome.made.iter().max_by_key(|(_, made)| made.time);
    let slowest = slowest.map(|(name, made)| {
        let (source, kernel) = name.rsplit_once('/').unwrap_or((name, ""));
        format!("`{source}` (`{kernel}`), {:.2} s", made.time.as_secs_f64())
    });
    format!(
        "| {}, {} | {} | {made} | {refused} | {:.1} s | {} |",
        outcome.device,
        outcome.driver,
        made + refused,
        created(outcome).as_secs_f64(),
        slowest.unwrap_or_default()
    )
}

/// Numbers that a driver tells of its code, by its names for them.
type Statistics = BTreeMap<String, f64>;
