//! Creates a pipeline of each kernel of all cases and programs on each Vulkan driver of the machine: see `cargo xtask
//! drivers`. Mesa's driver for AMD's GPUs compiles without one (`RADV_FORCE_FAMILY`), so nothing is executed.
//!
//! Modules are those that the runtime compiles for the device. Each driver is in a child process, which is started
//! again behind a source that crashes it. What the driver tells of its code is compared with the kept figures of the
//! same device and driver.
//!
//! Exit codes: 0 all right; 1 a pipeline is refused that was not, or its code is worse; 3 no driver has a device.
#![forbid(unsafe_code)]

mod child;
mod kept;
mod parent;

use clap::Parser;
use kept::Kept;
use parent::{Driver, Outcome};
use shaders_test::device_results;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

#[derive(Parser)]
#[command(about = "Pipelines of all cases and programs on every Vulkan driver of the machine")]
struct Arguments {
    /// A driver's JSON file [default: those of the machine]. May be given several times
    #[arg(long, value_name = "FILE")]
    driver: Vec<PathBuf>,
    /// Families of AMD's GPUs that radeon_icd compiles for, with commas between
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "polaris10,vega10,navi21,gfx1100")]
    families: Vec<String>,
    /// Where the figures of each device are kept
    #[arg(long, value_name = "FOLDER", default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/results/drivers"))]
    results: PathBuf,
    /// Seconds that a driver may take for a pipeline
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
    /// As a child of this program: the first source to compile
    #[arg(long, value_name = "NUMBER", hide = true)]
    child: Option<usize>,
    /// As a child: the driver only compiles
    #[arg(long, hide = true)]
    without_hardware: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Some(first) = arguments.child {
        return device_results::exit_code(child::run(first, !arguments.without_hardware).map(|()| true));
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
        let Some(outcome) = driver.run(is_late)? else {
            println!("{driver}: no device");
            continue;
        };
        println!("{}", describe(&outcome));
        let found = Kept::new(&outcome);
        let path = arguments.results.join(found.file_name());
        let worse = match Kept::load(&path)? {
            Some(kept) => found.worse_than(&kept),
            None => Vec::new(),
        };
        worse.iter().for_each(|line| println!("    worse: {line}"));
        result = Some(result.unwrap_or(true) && worse.is_empty());
        rows.push(row(&outcome));
        if arguments.keep {
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

/// The drivers to try: one for each file, and each family of the file that has some.
fn drivers(arguments: &Arguments) -> Result<Vec<Driver>, String> {
    let mut files = arguments.driver.clone();
    if files.is_empty() {
        let folders = ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
        let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
        files = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        files.sort();
    }
    let own = std::env::current_exe().map_err(|error| format!("this program's path: {error}"))?;
    let is_radv = |file: &Path| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("radeon_icd"));
    let limit = Duration::from_secs(arguments.limit);
    let mut drivers = Vec::new();
    for file in files {
        let families = match is_radv(&file) {
            true => arguments.families.iter().cloned().map(Some).collect(),
            false => vec![None],
        };
        let driver = |family| Driver { program: own.clone(), file: file.clone(), family, limit };
        drivers.extend(families.into_iter().map(driver));
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
    let slowest = slowest.map(|(name, made)| format!("`{name}`, {:.2} s", made.time.as_secs_f64()));
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
