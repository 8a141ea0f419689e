//! Records the results of the installed OpenCL driver for the cases that expect them: `record_oracle FILE`, for
//! `cargo xtask device-test`. Each case is run in a process of its own, since the driver may crash.
#![forbid(unsafe_code)]

use shaders_test::backend::Executable;
use shaders_test::case::{self, Case};
use shaders_test::embedded;
use shaders_test::recorded::Expected;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--case", name] => record_one(name),
        [path] => record_all(Path::new(path)),
        _ => Err("usage: record_oracle FILE".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the results of one case.
fn record_one(name: &str) -> Result<(), String> {
    let path = embedded::cases().into_iter().find(|path| case::name_of(path) == name).ok_or("no such case")?;
    // From disk: the OpenCL driver reads the headers itself.
    let case = Case::load(&path)?;
    let runs = case.record(&Executable::reference(&case.build)?)?;
    println!("{}", serde_json::to_string(&runs).map_err(|error| error.to_string())?);
    Ok(())
}

fn record_all(path: &Path) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut expected = Expected::default();
    let (mut recorded, mut failed) = (0, 0);
    for case in embedded::cases().iter().filter_map(|path| Case::load_embedded(path).ok()) {
        if case.skipped("vulkan").is_some() || !case.runs.iter().any(|run| run.oracle) {
            continue;
        }
        let run = Command::new(&own).args(["--case", &case.name]).stderr(Stdio::null()).output();
        let run = run.map_err(|error| error.to_string())?;
        // A driver may print too; the results are the last line.
        let text = String::from_utf8_lossy(&run.stdout);
        match text.lines().last().map(serde_json::from_str) {
            Some(Ok(runs)) if run.status.success() => {
                expected.insert(case.name.clone(), case.build.text()?, runs);
                recorded += 1;
            }
            _ => {
                println!("    no results for {}", case.name);
                failed += 1;
            }
        }
    }
    println!("    recorded {recorded} cases, {failed} without results");
    expected.save(path)
}
