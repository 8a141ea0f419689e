//! Shared by the tests of the command: folders with files, and processes that must end.
#![allow(dead_code, reason = "no test uses all of it")]

use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Far above what any test takes; only there so that a hang fails instead of hanging the tests.
const LIMIT: Duration = Duration::from_secs(120);

/// Waits for a process to end. One that does not end in time is killed, and the test that ran `command` fails.
#[track_caller]
pub fn wait(mut child: Child, command: &str) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the process can be waited for") {
            return status;
        }
        if start.elapsed() > LIMIT {
            child.kill().expect("the process can be ended");
            panic!("{command}: no end after {LIMIT:?}");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A temporary folder with files, given by path and text.
pub fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        std::fs::write(path, text).expect("the file is written");
    }
    folder
}

/// Runs with a cache folder inside the folder, expects an exit code, and returns standard output and standard error.
#[track_caller]
pub fn expect(code: i32, folder: &TempDir, arguments: &[&str]) -> (String, String) {
    let (found, out, err) = run(folder, arguments);
    assert_eq!(found, Some(code), "{arguments:?}\n{out}\n{err}");
    (out, err)
}

/// Runs with a cache folder inside the folder, and returns the exit code, standard output and standard error.
pub fn run(folder: &TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clforge"));
    let run = command.current_dir(folder.path()).args(arguments).env("CLFORGE_CACHE", folder.path().join("cache"));
    let run = run.output().expect("clforge starts");
    let out = String::from_utf8_lossy(&run.stdout).into_owned();
    let err = String::from_utf8_lossy(&run.stderr).into_owned();
    (run.status.code(), out, err)
}
