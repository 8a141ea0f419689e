//! Running other programs: visibly, or measured.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// The workspace's top folder: where cargo says that this program's package is, else the one that the program itself or the
/// working folder is in. It is not known when the program is built: a checkout may be copied or moved with what was built in it.
pub fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let places = [package, std::env::current_exe().ok(), std::env::current_dir().ok()];
    root_of(places.iter().flatten()).unwrap_or_default()
}

/// The first folder around these places that is the workspace's.
fn root_of<'p>(places: impl Iterator<Item = &'p PathBuf>) -> Option<PathBuf> {
    let mut around = places.flat_map(|place| place.ancestors());
    around.find(|folder| folder.join("xtask/Cargo.toml").is_file()).map(Path::to_path_buf)
}

/// The `cargo` that started us.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Where cargo puts what it builds.
pub fn target_folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    root().join(target)
}

/// Where cargo puts what it builds in release mode.
pub fn release_folder() -> PathBuf {
    target_folder().join("release")
}

/// A path of a program made by `cargo build --release`.
pub fn built(name: &str) -> PathBuf {
    release_folder().join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// A path of a program made by `cargo build --profile`.
pub fn program_of(name: &str, profile: &str) -> PathBuf {
    let folder = if profile == "dev" { "debug" } else { profile };
    target_folder().join(folder).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Runs with output visible, after a line that says what for.
pub fn step(title: &str, command: &mut Command) -> Result<(), String> {
    println!("==> {title}");
    match status(command)? {
        Some(0) => Ok(()),
        Some(code) => Err(format!("{title}: exit code {code}")),
        None => Err(format!("{title}: ended by a signal")),
    }
}

/// Runs with output visible; the exit code, or `None` for a signal.
pub fn status(command: &mut Command) -> Result<Option<i32>, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.status().map(|status| status.code()).map_err(|error| format!("{name}: {error}"))
}

/// Whether a program runs silently to success.
pub fn works(program: impl AsRef<OsStr>, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// How a measured or limited process ended.
pub struct Ended {
    /// Exit code; `None`: a signal.
    pub code: Option<i32>,
    /// From start to end.
    pub wall: Duration,
    /// Peak resident memory in bytes. A child starts with its parent's value, so a few MB are the floor.
    pub memory: u64,
    /// What it wrote to standard error.
    pub errors: String,
    /// Whether it was killed for its time.
    pub timed_out: bool,
}

/// Runs a process and waits for it; it is killed after `limit`, where one is given.
pub fn run(command: &mut Command, limit: Option<Duration>) -> Result<Ended, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let fail = |error: std::io::Error| format!("{name}: {error}");
    // To a file: a pipe that is not read while we wait would block the process.
    let errors = tempfile::NamedTempFile::new().map_err(fail)?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(errors.path()).map_err(fail)?);
    let start = Instant::now();
    let mut child = command.spawn().map_err(fail)?;
    let mut timed_out = false;
    if let Some(limit) = limit {
        while child.try_wait().map_err(fail)?.is_none() {
            if start.elapsed() > limit {
                timed_out = true;
                child.kill().map_err(fail)?;
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let status = child.wait().map_err(fail)?;
        let errors = read(errors.path());
        return Ok(Ended { code: status.code(), wall: start.elapsed(), memory: 0, errors, timed_out });
    }
    let ended = child.wait4().map_err(fail)?;
    let wall = start.elapsed();
    let errors = read(errors.path());
    Ok(Ended { code: ended.status.code(), wall, memory: ended.rusage.maxrss, errors, timed_out })
}

fn read(path: &Path) -> String {
    std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// All files below a folder whose name ends in `.extension`, sorted. Links and `target` folders are not followed.
pub fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries.filter_map(Result::ok) {
            let (path, kind) = (entry.path(), entry.file_type());
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            match kind {
                Ok(kind) if kind.is_dir() && !hidden && entry.file_name() != "target" => folders.push(path),
                Ok(kind) if kind.is_file() && path.extension().is_some_and(|e| e == extension) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checkout_is_the_one_that_the_program_is_run_in() {
        let folder = tempfile::tempdir().unwrap();
        let [first, copy] = ["a", "b"].map(|name| folder.path().join(name));
        for checkout in [&first, &copy] {
            std::fs::create_dir_all(checkout.join("xtask")).unwrap();
            std::fs::write(checkout.join("xtask/Cargo.toml"), "").unwrap();
        }
        let root = |places: &[PathBuf]| root_of(places.iter());
        assert_eq!(root(&[copy.join("xtask"), first.clone()]), Some(copy.clone()));
        assert_eq!(root(&["/proc".into(), copy.join("target/debug/xtask"), first]), Some(copy));
        assert_eq!(root(&["/proc".into()]), None);
    }
}
