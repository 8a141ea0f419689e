//! The process of the validator: it is started, gets the module, and is waited for up to a limit. The crate spirv-tools
//! is only used for the names of environments, because it would wait without a limit and treat every failure of the
//! program as a verdict.

use super::{ValidateError, Validator};
use spirv_tools::TargetEnv;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

/// Most bytes of the validator's messages that are kept.
const MESSAGES: u64 = 16 << 10;
/// How the line begins in which the validator says what is wrong with a module. Its other failures have none.
const VERDICT: &str = "error: line ";
/// The exit code that goes with it.
const REJECTED: i32 = 1;
/// Longest pause between two looks at the process.
const PAUSE: Duration = Duration::from_millis(4);

/// Runs the validator on a module.
pub(super) fn run(validator: &Validator, words: &[u32], environment: TargetEnv) -> Result<(), ValidateError> {
    let unavailable = |reason: String| Err(ValidateError::Unavailable(reason));
    let name = validator.program.to_string_lossy();
    let start = || -> io::Result<(io::Result<Child>, File)> {
        // Files, not pipes, which would have to be read and written while the process runs, and block if it hangs.
        let (input, output) = (module_file(words)?, tempfile::tempfile()?);
        let mut command = Command::new(&validator.program);
        command.args(["--target-env", &environment.to_string(), "--scalar-block-layout", "-"]);
        command.stdin(input).stdout(output.try_clone()?).stderr(output.try_clone()?);
        Ok((command.spawn(), output))
    };
    let (child, mut output) = match start() {
        Ok(started) => started,
        Err(error) => return unavailable(format!("no temporary file for {name}: {error}")),
    };
    let mut child = match child {
        Ok(child) => child,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return unavailable(format!("{name} is not installed (Debian: spirv-tools)"));
        }
        Err(error) => return unavailable(format!("{name} could not be started: {error}")),
    };
    let status = match wait(&mut child, validator.limit) {
        Ok(Some(status)) => status,
        Ok(None) => return unavailable(format!("{name} did not end within {:?} and was ended", validator.limit)),
        Err(error) => return unavailable(format!("{name} could not be waited for: {error}")),
    };
    if status.success() {
        return Ok(());
    }
    let mut bytes = Vec::new();
    if let Err(error) = output.rewind().and_then(|()| output.take(MESSAGES).read_to_end(&mut bytes)) {
        return unavailable(format!("the messages of {name} could not be read: {error}"));
    }
    Err(judge(&name, status, &String::from_utf8_lossy(&bytes)))
}

/// A file with the bytes of a module, at its beginning.
fn module_file(words: &[u32]) -> io::Result<File> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut file = tempfile::tempfile()?;
    file.write_all(&bytes)?;
    file.rewind()?;
    Ok(file)
}

/// Waits for a process, but not longer than `limit`: then it is ended, and the result is `None`.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(250);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(PAUSE);
    }
}

/// Whether an unsuccessful end is a verdict about the module.
fn judge(name: &str, status: ExitStatus, messages: &str) -> ValidateError {
    if status.code() == Some(REJECTED)
        && let Some(at) = messages.find(VERDICT)
    {
        let message = messages.get(at..).unwrap_or_default();
        return ValidateError::Invalid(message.trim_start_matches("error: ").trim().into());
    }
    let first = messages.lines().map(str::trim).find(|line| !line.is_empty());
    let said = first.map_or_else(|| "without a message".into(), |line| format!("with the message '{line}'"));
    ValidateError::Unavailable(format!("{name} failed ({status}) {said}"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// What comes of a validator that is this script of the shell.
    fn verdict(script: &str, limit: Duration) -> Result<(), ValidateError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("validator");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let validator = Validator { program: path.into(), limit, longest: limit };
        // Another test that starts a process at this moment holds the script open for writing: "text file busy".
        loop {
            match run(&validator, &[0x0723_0203], TargetEnv::Vulkan_1_2) {
                Err(ValidateError::Unavailable(reason)) if reason.contains("os error 26") => {}
                result => return result,
            }
        }
    }

    #[track_caller]
    fn unavailable(script: &str, limit: Duration, part: &str) {
        match verdict(script, limit) {
            Err(ValidateError::Unavailable(reason)) => assert!(reason.contains(part), "{reason}"),
            other => panic!("{script}: {other:?}"),
        }
    }

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn only_a_verdict_is_one() {
        assert_eq!(verdict("exit 0", LONG), Ok(()));
        let rejected = verdict("echo 'warning: line 1: x'; echo 'error: line 3: bad' >&2; exit 1", LONG);
        assert_eq!(rejected, Err(ValidateError::Invalid("line 3: bad".into())));
        unavailable("exit 1", LONG, "without a message");
        unavailable("echo 'error: Unrecognized target env: x' >&2; exit 1", LONG, "Unrecognized target env: x");
        unavailable("echo 'error: line 3: bad' >&2; exit 2", LONG, "exit status: 2");
        unavailable("kill -SEGV $$", LONG, "signal: 11");
        unavailable("yes | head -c 1000000 >&2; exit 127", LONG, "'y'");
    }

    #[test]
    fn the_validator_gets_the_module_and_the_environment() {
        let read = "test \"$(od -An -tx1)\" = ' 03 02 23 07' && test \"$1 $2\" = '--target-env vulkan1.2'";
        assert_eq!(verdict(read, LONG), Ok(()));
    }

    #[test]
    fn a_validator_that_hangs_or_is_missing() {
        let limit = Duration::from_millis(200);
        unavailable("exec sleep 1000", limit, "did not end within 200ms");
        // What it leaves behind is not waited for.
        unavailable("sleep 20 & exec sleep 1000", limit, "did not end");
        let missing = Validator { program: "/nonexistent/validator".into(), limit, longest: limit };
        let reason = "/nonexistent/validator is not installed (Debian: spirv-tools)".into();
        assert_eq!(run(&missing, &[], TargetEnv::Vulkan_1_2), Err(ValidateError::Unavailable(reason)));
        unavailable_program("/", "could not be started");
    }

    #[track_caller]
    fn unavailable_program(program: &str, part: &str) {
        let validator = Validator { program: program.into(), limit: LONG, longest: LONG };
        match run(&validator, &[], TargetEnv::Vulkan_1_2) {
            Err(ValidateError::Unavailable(reason)) => assert!(reason.contains(part), "{reason}"),
            other => panic!("{program}: {other:?}"),
        }
    }
}
