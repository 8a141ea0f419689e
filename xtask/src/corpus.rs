//! `cargo xtask corpus`: every `.cl` below a folder through the compiler, for both targets.
//!
//! Each compilation is a process of its own with a limit on its time, so that a crash or a hang counts as a failure of
//! that file alone.

use crate::process::{Ended, built, cargo, files, run, step};
use crate::{Outcome, setup};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);
const TARGETS: [&str; 2] = ["vulkan1.2", "opencl1.2"];

/// What became of one file for one target.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    Valid,
    /// Compiled, but the validator rejects the module.
    Invalid(String),
    Failed(String),
}

/// Counts of one sub-folder and target.
#[derive(Default)]
struct Row {
    files: usize,
    compiled: usize,
    valid: usize,
    first_error: Option<String>,
}

/// Compiles everything, prints the table; an error if any file failed.
pub fn corpus(folder: &Path, options: &[String]) -> Outcome {
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let sources = files(&folder, "cl")?;
    if sources.is_empty() {
        return Err(format!("no .cl file below {}", folder.display()));
    }
    setup::install(if crate::process::works("spirv-val", &["--version"]) { &[] } else { setup::VALIDATOR })?;
    step("building the compiler", cargo().args(["build", "--release", "--quiet", "-p", "clforge-runtime"]))?;
    let jobs: Vec<(&PathBuf, &str)> = sources.iter().flat_map(|path| TARGETS.map(|target| (path, target))).collect();
    let fates = in_parallel(&jobs, |(path, target)| compile(path, target, &folder, options));

    let mut rows: BTreeMap<(String, &str), Row> = BTreeMap::new();
    for ((path, target), fate) in jobs.iter().zip(&fates) {
        let parent = path.parent().and_then(|parent| parent.strip_prefix(&folder).ok()).unwrap_or(Path::new(""));
        let name = if parent.as_os_str().is_empty() { ".".into() } else { parent.to_string_lossy().into_owned() };
        let row = rows.entry((name, target)).or_default();
        row.files += 1;
        row.compiled += usize::from(!matches!(fate, Fate::Failed(_)));
        row.valid += usize::from(*fate == Fate::Valid);
        if let Fate::Invalid(message) | Fate::Failed(message) = fate {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            row.first_error.get_or_insert_with(|| format!("{file}: {message}"));
        }
    }
    report(&rows);
    match fates.iter().filter(|fate| **fate != Fate::Valid).count() {
        0 => Ok(()),
        failed => Err(format!("{failed} of {} compilations failed", fates.len())),
    }
}

fn report(rows: &BTreeMap<(String, &str), Row>) {
    let width = rows.keys().map(|(name, _)| name.len()).max().unwrap_or(0).max(6);
    println!("{:width$}  {:9}  {:>8}  {:>8}  {:>8}", "folder", "target", "compiled", "valid", "failed");
    let mut total: BTreeMap<&str, Row> = BTreeMap::new();
    for ((name, target), row) in rows {
        print_row(name, target, row, width);
        if let Some(error) = &row.first_error {
            println!("    {error}");
        }
        let sum = total.entry(target).or_default();
        sum.files += row.files;
        sum.compiled += row.compiled;
        sum.valid += row.valid;
    }
    for (target, row) in &total {
        print_row("total", target, row, width);
    }
}

fn print_row(name: &str, target: &str, row: &Row, width: usize) {
    let failed = row.files - row.valid;
    println!("{name:width$}  {target:9}  {:>8}  {:>8}  {failed:>8}", row.compiled, row.valid);
}

fn compile(path: &Path, target: &str, folder: &Path, options: &[String]) -> Fate {
    let own = path.parent().unwrap_or(folder);
    let mut command = Command::new(built("clforge"));
    command.arg("compile").arg(path).args(["-o", "/dev/null", "--target", target]);
    command.arg("-I").arg(own).arg("-I").arg(folder).args(options).current_dir(own);
    match run(&mut command, Some(LIMIT)) {
        Ok(ended) => judge(&ended),
        Err(message) => Fate::Failed(message),
    }
}

fn judge(ended: &Ended) -> Fate {
    if ended.timed_out {
        return Fate::Failed(format!("no end after {} s", LIMIT.as_secs()));
    }
    let error = first_error(&ended.errors);
    match ended.code {
        Some(0) if ended.errors.contains("was not validated") => Fate::Invalid("the validator did not run".into()),
        Some(0) => Fate::Valid,
        Some(_) if error.contains("the module is not valid") => Fate::Invalid(error),
        Some(_) => Fate::Failed(error),
        None => Fate::Failed(format!("the compiler crashed: {error}")),
    }
}

/// The first error and the place that is printed below it, on one line.
fn first_error(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.contains("error")).unwrap_or(0);
    let place = lines.iter().skip(at + 1).take(3).find(|line| line.trim_start().starts_with("-->"));
    let error = lines.get(at).map_or("no message", |line| line.trim());
    match place {
        Some(place) => format!("{error} ({})", place.trim().trim_start_matches("-->").trim()),
        None => error.into(),
    }
}

/// Results in the order of the jobs, made by as many threads as the machine has cores.
fn in_parallel<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(2, |n| n.get());
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(jobs.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    let result = work(job);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: Option<i32>, errors: &str) -> Ended {
        Ended { code, wall: Duration::ZERO, memory: 0, errors: errors.into(), timed_out: false }
    }

    #[test]
    fn ends_are_told_apart() {
        assert_eq!(judge(&ended(Some(0), "")), Fate::Valid);
        assert_eq!(judge(&ended(Some(0), "warning: unused")), Fate::Valid);
        let invalid = "error: internal compiler error: the module is not valid: x";
        assert_eq!(judge(&ended(Some(1), invalid)), Fate::Invalid(invalid.into()));
        let text = "error: use of undeclared identifier 'x'\n  --> a.cl:3:1\n";
        assert_eq!(
            judge(&ended(Some(1), text)),
            Fate::Failed("error: use of undeclared identifier 'x' (a.cl:3:1)".into())
        );
        assert_eq!(judge(&ended(None, "")), Fate::Failed("the compiler crashed: no message".into()));
    }

    #[test]
    fn parallel_results_keep_their_order() {
        let jobs: Vec<usize> = (0..100).collect();
        assert_eq!(in_parallel(&jobs, |n| n * 2), (0..200).step_by(2).collect::<Vec<_>>());
    }
}
