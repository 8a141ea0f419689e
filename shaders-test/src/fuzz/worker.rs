//! Child processes that check programs. The first line of a child, but for what drivers print, is `reference DESCRIPTION`, or
//! `cannot start: MESSAGE`. A request is a line on standard input, `TARGETS PATH`; the answer is lines `stage S`, then `verdict
//! KIND STAGE` and the detail on one line with its newlines escaped.

use super::arbiter::FORMS;
use super::check::{ALONE, Checker, Kind, LLVM, OTHER, PLAIN, STAND_INS, Verdict};
use crate::hidden;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The argument that makes the program a worker.
pub const ARGUMENT: &str = "--worker";
/// Begins the first line of a child that can check programs.
const REFERENCE: &str = "reference ";
/// Begins the first line of one that cannot.
const FAILURE: &str = "cannot start: ";

/// The child's side: answers until its input ends. `reference`: see [`Checker::new`].
///
/// # Errors
/// When there is no device or the pipe breaks.
pub fn serve(reference: &str) -> Result<(), String> {
    let fail = |error: std::io::Error| error.to_string();
    let tell = |text: String| {
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{text}");
        let _ = out.flush();
    };
    let checker = Checker::new(reference).inspect_err(|message| tell(format!("{FAILURE}{message}")))?;
    tell(format!("{REFERENCE}{}", checker.reference()));
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(fail)?;
        let Some((targets, path)) = line.split_once(' ') else { continue };
        let targets: Vec<&str> = targets.split(',').collect();
        let verdict = checker.check(Path::new(path), &targets, |stage| tell(format!("stage {stage}")));
        let detail = verdict.detail.replace('\\', "\\\\").replace('\n', "\\n");
        tell(format!("verdict {:?} {} {detail}", verdict.kind, verdict.stage));
    }
    Ok(())
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// The description of the reference.
    reference: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The parent's side: a child, restarted whenever it dies.
pub struct Worker {
    running: Option<Running>,
    served: u32,
    limit: Duration,
    reference: String,
    hidden: String,
}

impl Worker {
    /// A child that is ended when a stage takes longer than the limit. `reference`: see [`Checker::new`]; `hidden`: the
    /// features that the runtime is told the device lacks, with commas between.
    pub fn new(limit: Duration, reference: &str, hidden: &str) -> Worker {
        Worker { running: None, served: 0, limit, reference: reference.into(), hidden: hidden.into() }
    }

    /// Checks a program in the child. Where a driver crashes on our OpenCL module, the error is the driver's if the module is
    /// executed correctly without its optimiser or in another form, or if LLVM's module crashes it too.
    ///
    /// # Errors
    /// When no child can be started.
    pub fn check(&mut self, path: &Path, targets: &str) -> Result<Verdict, String> {
        let mut verdict = self.ask_all(path, targets)?;
        // A reference that fails has stand-ins.
        let mut against = "";
        for other in STAND_INS {
            if verdict.kind != Kind::NoReference || verdict.doubts() {
                break;
            }
            against = other;
            verdict = self.ask_all(path, &format!("{targets},{against}"))?;
        }
        if verdict.kind == Kind::Crash && verdict.stage == "opencl" {
            let others = std::iter::once((PLAIN, Kind::Fine));
            let others = others.chain(FORMS.map(|form| (form, Kind::Fine))).chain([(LLVM, Kind::Crash)]);
            for (stage, evidence) in others {
                if self.ask(path, &format!("{stage},{against}"))?.kind == evidence {
                    verdict.kind = Kind::ReferenceErrs;
                    verdict.detail = format!("{} ({stage}: {evidence:?})", verdict.detail);
                    break;
                }
            }
        }
        Ok(verdict)
    }

    /// Asks the child; without another OpenCL driver where that one ends it.
    fn ask_all(&mut self, path: &Path, targets: &str) -> Result<Verdict, String> {
        let verdict = self.ask(path, targets)?;
        match verdict.stage == OTHER {
            true => self.ask(path, &format!("{targets},{ALONE}")),
            false => Ok(verdict),
        }
    }

    /// The description of the reference. A process that has opened NVIDIA's OpenCL driver cannot start children that open it
    /// too (580.159.04: they find no such device), so that a child is asked.
    ///
    /// # Errors
    /// When no child can be started.
    pub fn reference(&mut self) -> Result<&str, String> {
        Ok(&self.child()?.reference)
    }

    /// The child, started if there is none.
    fn child(&mut self) -> Result<&mut Running, String> {
        match &mut self.running {
            Some(running) => Ok(running),
            none => {
                self.served = 0;
                Ok(none.insert(start(&self.reference, &self.hidden, self.limit)?))
            }
        }
    }

    fn ask(&mut self, path: &Path, targets: &str) -> Result<Verdict, String> {
        // Drivers leak.
        if self.served >= 200 {
            self.running = None;
        }
        let limit = self.limit;
        self.served += 1;
        let running = self.child()?;
        let path = std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let sent = writeln!(running.input, "{targets} {}", path.display()).and_then(|()| running.input.flush());
        sent.map_err(|error| format!("the child process does not listen: {error}"))?;
        let mut stage = "start".to_string();
        let kind = loop {
            match running.lines.recv_timeout(limit) {
                Ok(line) => {
                    if let Some(name) = line.strip_prefix("stage ") {
                        stage = name.into();
                    } else if let Some(verdict) = line.strip_prefix("verdict ").and_then(parse) {
                        return Ok(verdict);
                    }
                }
                Err(RecvTimeoutError::Timeout) => break Kind::Hangs,
                Err(RecvTimeoutError::Disconnected) => break Kind::Crash,
            }
        };
        self.running = None;
        let kind = if stage == "reference" { Kind::NoReference } else { kind };
        Ok(Verdict { kind, stage, detail: "the process died or did not end".into() })
    }
}

fn parse(text: &str) -> Option<Verdict> {
    let (kind, rest) = text.split_once(' ')?;
    let (stage, detail) = rest.split_once(' ').unwrap_or((rest, ""));
    let kind = match kind {
        "Fine" => Kind::Fine,
        "NoReference" => Kind::NoReference,
        "ReferenceErrs" => Kind::ReferenceErrs,
        "Rejected" => Kind::Rejected,
        "Invalid" => Kind::Invalid,
        "Fails" => Kind::Fails,
        _ => Kind::Differs,
    };
    Some(Verdict { kind, stage: stage.into(), detail: detail.replace("\\n", "\n").replace("\\\\", "\\") })
}

/// This program: where the system has one a link to what runs, which a build does not replace.
fn own_file() -> std::io::Result<PathBuf> {
    let link = Path::new("/proc/self/exe");
    if link.exists() { Ok(link.into()) } else { std::env::current_exe() }
}

fn start(reference: &str, hidden: &str, limit: Duration) -> Result<Running, String> {
    let fail = |error: std::io::Error| format!("no child process: {error}");
    let mut command = Command::new(own_file().map_err(fail)?);
    if !hidden.is_empty() {
        command.env(hidden::VARIABLE, hidden);
    }
    let mut child = command
        .args([ARGUMENT, "--opencl", reference])
        // Drivers that fail leave files where they run.
        .current_dir(std::env::temp_dir())
        // The driver's cache of kernels would only grow; one thread is enough for a small program.
        .env("POCL_KERNEL_CACHE", "0")
        .env("POCL_MAX_PTHREAD_COUNT", "1")
        // PoCL 3.1's default asks LLVM to vectorise over work-items, which gets some programs wrong.
        .env("POCL_WORK_GROUP_METHOD", "loops")
        .env("LP_NUM_THREADS", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(fail)?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("no pipes to the child process".into());
    };
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    let mut running = Running { child, input, lines, reference: String::new() };
    // Drivers may print lines of their own.
    loop {
        let line = running.lines.recv_timeout(limit).map_err(|error| format!("no child process: {error}"))?;
        if line.starts_with(FAILURE) {
            return Err(line);
        }
        if let Some(reference) = line.strip_prefix(REFERENCE) {
            running.reference = reference.into();
            return Ok(running);
        }
    }
}
