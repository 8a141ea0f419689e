//! `cargo xtask cts`: Khronos' conformance tests for OpenCL on our client driver, from a build of them that the user has.

mod process;
pub mod results;
mod suites;

use crate::process::{root, target_folder};
use crate::{Outcome, opencl};
use process::Runner;
use results::{Outcomes, Results, Run};
use std::path::{Path, PathBuf};
use std::time::Duration;
use suites::{SUITES, Suite};

/// What is run, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// The folder where the conformance tests were built
    folder: PathBuf,
    /// Only these suites: basic, api, …
    #[arg(long = "suite")]
    suites: Vec<String>,
    /// Only tests whose names contain this
    #[arg(long)]
    only: Option<String>,
    /// Most seconds for one test
    #[arg(long, default_value_t = 900)]
    limit: u64,
    /// Keep the results in shaders-test/results/cts
    #[arg(long)]
    keep: bool,
    /// Build the driver with this profile rather than `release`
    #[arg(long, default_value = "release")]
    profile: String,
    /// Build no driver: use that of the .icd file in this folder
    #[arg(long)]
    vendors: Option<PathBuf>,
}

/// Runs the suites that are there, each in a process of its own, and compares with the results that were kept for the device.
pub fn cts(arguments: &Arguments) -> Outcome {
    let vendors = match &arguments.vendors {
        Some(folder) => folder.canonicalize(),
        None => {
            opencl::opencl(&arguments.profile)?;
            target_folder().join("opencl").canonicalize()
        }
    };
    let vendors = vendors.map_err(|error| format!("the folder of the .icd file: {error}"))?;
    let named = |suite: &&Suite| arguments.suites.is_empty() || arguments.suites.iter().any(|name| name == suite.name);
    if let Some(name) = arguments.suites.iter().find(|name| !SUITES.iter().any(|suite| suite.name == **name)) {
        let names: Vec<&str> = SUITES.iter().map(|suite| suite.name).collect();
        return Err(format!("there is no suite '{name}'; there are: {}", names.join(", ")));
    }
    let logs = target_folder().join("cts");
    std::fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
    let mut results = Results::default();
    for suite in SUITES.iter().filter(named) {
        let Some(program) = suite.program(&arguments.folder) else {
            println!("==> {}: not built", suite.name);
            continue;
        };
        println!("==> {}", suite.name);
        let runner = Runner {
            suite,
            program,
            vendors: &vendors,
            limit: Duration::from_secs(arguments.limit),
            log: logs.join(format!("{}.log", suite.name)),
        };
        runner.run(arguments.only.as_deref(), &mut results)?;
        println!("    {}", Outcomes::of(results.runs.iter().filter(|run| run.suite == suite.name)));
    }
    let all = Outcomes::of(&results.runs);
    println!("==> {}: {all}", results.device);
    compare(arguments.keep, results, &root().join("shaders-test/results/cts"))
}

/// Says what differs from the kept results, and keeps the new ones if that is wanted.
fn compare(keep: bool, new: Results, folder: &Path) -> Outcome {
    if new.runs.is_empty() {
        return Err("no test was run: is the folder that of a build, and are the suites built?".into());
    }
    let path = folder.join(new.file_name());
    let kept = std::fs::read_to_string(&path).ok().map(|text| Results::read(&text));
    let mut worse = 0;
    for (now, before) in kept.iter().flat_map(|kept| new.changes(kept)) {
        worse += usize::from(now.result > before.result);
        let Run { suite, test, result, .. } = now;
        println!("    {suite} {test}: {result}, was {}", before.result);
    }
    if keep {
        let all = kept.unwrap_or_default().updated(new);
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        std::fs::write(&path, all.text()).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("==> kept in {}: {}", path.display(), Outcomes::of(&all.runs));
        return Ok(());
    }
    if worse > 0 { Err(format!("{worse} results are worse than those in {}", path.display())) } else { Ok(()) }
}
