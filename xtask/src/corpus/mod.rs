//! `cargo xtask corpus`: every `.cl` below a folder through the compiler, with the options of its own program.
//!
//! Each compilation is a process of its own with a limit on its time, so that a crash or a hang counts as a failure of
//! that file alone. With `--clang` only what clang accepts is counted.

mod builds;
mod exceptions;
mod report;
mod stringified;

use crate::process::{Ended, built, cargo, files, run, step};
use crate::{Outcome, setup};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);

/// What to measure.
#[derive(clap::Args)]
pub struct Arguments {
    /// Count only what this clang accepts with the same options
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = setup::CLANG, value_name = "PROGRAM")]
    clang: Option<String>,
    /// Environments to compile for
    #[arg(long = "target", default_values = ["vulkan1.2", "opencl2.0"])]
    targets: Vec<String>,
    /// The compiler to measure, instead of a release build
    #[arg(long, value_name = "PROGRAM")]
    clforge: Option<PathBuf>,
    /// The folder; it is an include folder too, as is each file's own
    folder: PathBuf,
    /// Build options for every file, besides its program's own: -D, -I, -cl-…
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

impl Arguments {
    /// All files of a folder, for both targets, as they are.
    pub fn of_folder(folder: PathBuf) -> Arguments {
        let targets = ["vulkan1.2", "opencl2.0"].map(String::from).into();
        Arguments { clang: None, targets, clforge: None, folder, options: Vec::new() }
    }
}

/// What became of one file for one target.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    Valid,
    /// Compiled, but the validator rejects the module.
    Invalid(String),
    Failed(String),
}

impl Fate {
    /// Of several builds of one file the worst counts.
    fn and(self, next: Fate) -> Fate {
        match (&self, &next) {
            (_, Fate::Valid) | (Fate::Failed(_), _) | (Fate::Invalid(_), Fate::Invalid(_)) => self,
            _ => next,
        }
    }
}

/// Why a file is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NotCounted {
    OtherLanguage,
    RejectedByClang,
}

/// What became of one file.
struct Verdict {
    file: PathBuf,
    /// Of each target, unless the file is not counted.
    fates: Result<Vec<Fate>, NotCounted>,
}

/// Compiles everything, prints the table; an error if any file failed that is not a known exception.
pub fn corpus(arguments: &Arguments) -> Outcome {
    let folder = &arguments.folder;
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let sources = files(&folder, "cl")?;
    if sources.is_empty() {
        return Err(format!("no .cl file below {}", folder.display()));
    }
    setup::install(if crate::process::works("spirv-val", &["--version"]) { &[] } else { setup::VALIDATOR })?;
    let compiler = match &arguments.clforge {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
        None => {
            step("building the compiler", cargo().args(["build", "--release", "--quiet", "-p", "clforge"]))?;
            built("clforge")
        }
    };
    let verdicts = in_parallel(&sources, |path| judge_file(path, &folder, &compiler, arguments));
    let verdicts = verdicts.into_iter().collect::<Result<Vec<Verdict>, String>>()?;
    report::report(&folder, &verdicts, &arguments.targets, arguments.clang.is_some())
}

fn judge_file(path: &Path, folder: &Path, compiler: &Path, arguments: &Arguments) -> Result<Verdict, String> {
    let fail = |error: std::io::Error| format!("{}: {error}", path.display());
    let text = String::from_utf8_lossy(&std::fs::read(path).map_err(fail)?).into_owned();
    let unwrapped = tempfile::Builder::new().suffix(".cl").tempfile().map_err(fail)?;
    let source = match stringified::unwrap(&text) {
        Some(text) => {
            std::fs::write(unwrapped.path(), text).map_err(fail)?;
            unwrapped.path()
        }
        None => path,
    };
    let own = path.parent().unwrap_or(folder);
    let builds = builds::of(path, &text);
    let mut fates: Result<Vec<Fate>, NotCounted> =
        Err(if builds.is_empty() { NotCounted::OtherLanguage } else { NotCounted::RejectedByClang });
    for mut build in builds {
        build.extend([format!("-I{}", own.display()), format!("-I{}", folder.display())]);
        build.extend_from_slice(&arguments.options);
        if arguments.clang.as_ref().is_some_and(|clang| !accepts(clang, source, own, &build)) {
            continue;
        }
        let compile = |target: &String| compile(compiler, source, target, own, &build);
        let now = arguments.targets.iter().map(compile);
        fates = Ok(match fates {
            Err(_) => now.collect(),
            Ok(before) => before.into_iter().zip(now).map(|(before, now)| before.and(now)).collect(),
        });
    }
    Ok(Verdict { file: path.into(), fates })
}

/// Whether clang takes the file for OpenCL C, with every extension it knows.
fn accepts(clang: &str, source: &Path, own: &Path, build: &[String]) -> bool {
    let mut command = Command::new(clang);
    command.args(["-fsyntax-only", "-w", "-x", "cl", "-target", "spir64"]);
    command.args(["-Xclang", "-finclude-default-header", "-Xclang", "-cl-ext=+all"]);
    command.args(build.iter().filter(|option| *option != "-cl-kernel-arg-info"));
    command.arg(source).current_dir(own);
    run(&mut command, Some(LIMIT)).is_ok_and(|ended| ended.code == Some(0))
}

fn compile(compiler: &Path, source: &Path, target: &str, own: &Path, build: &[String]) -> Fate {
    let mut command = Command::new(compiler);
    command.arg("compile").arg(source).args(["-o", "/dev/null", "--target", target]).args(build).current_dir(own);
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
    fn the_worst_build_counts() {
        let (failed, invalid) = (Fate::Failed("f".into()), Fate::Invalid("i".into()));
        assert_eq!(Fate::Valid.and(invalid.clone()), invalid);
        assert_eq!(invalid.clone().and(Fate::Valid), invalid);
        assert_eq!(invalid.clone().and(failed.clone()), failed);
        assert_eq!(failed.clone().and(invalid), failed);
    }

    #[test]
    fn parallel_results_keep_their_order() {
        let jobs: Vec<usize> = (0..100).collect();
        assert_eq!(in_parallel(&jobs, |n| n * 2), (0..200).step_by(2).collect::<Vec<_>>());
    }
}
