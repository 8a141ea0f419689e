//! A child process runs the trials: a driver that crashes or hangs fails one of them and no other.

use super::report::Outcome;
use super::trials;
use clforge_runtime::{Device, DeviceSelector, Instance, InstanceOptions};
use shaders_test::recorded::Expected;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// More than any trial takes on a slow machine.
const LIMIT: Duration = Duration::from_secs(120);

/// The child's side: a name a line in, an outcome a line out.
pub fn serve(selector: &DeviceSelector, expected: &Path) -> Result<(), String> {
    let instance = Instance::new(InstanceOptions::default()).map_err(|error| error.to_string())?;
    let open = || instance.open(selector).map_err(|error| error.to_string());
    let mut device: Device = open()?;
    let expected = Expected::load(expected)?;
    for line in std::io::stdin().lock().lines() {
        let name = line.map_err(|error| error.to_string())?;
        let outcome = trials::run(&name, &device, &expected);
        let text = serde_json::to_string(&outcome).map_err(|error| error.to_string())?;
        println!("{text}");
        if matches!(outcome, Outcome::Failed(_)) {
            // It may be lost.
            device = open()?;
        }
    }
    Ok(())
}

struct Running {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The parent's side: a child that is started again after a crash.
pub struct Worker {
    running: Option<Running>,
    device: Option<String>,
    expected: PathBuf,
}

impl Worker {
    pub fn new(device: Option<&str>, expected: &Path) -> Worker {
        Worker { running: None, device: device.map(Into::into), expected: expected.into() }
    }

    /// Runs a trial in the child.
    pub fn run(&mut self, name: &str) -> Result<Outcome, String> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        writeln!(running.input, "{name}")
            .and_then(|()| running.input.flush())
            .map_err(|error| format!("the child process does not listen: {error}"))?;
        match running.lines.recv_timeout(LIMIT) {
            Ok(line) => {
                self.running = Some(running);
                serde_json::from_str(&line).map_err(|error| format!("the child process says '{line}': {error}"))
            }
            Err(RecvTimeoutError::Timeout) => Err(format!("no end after {LIMIT:?}")),
            Err(RecvTimeoutError::Disconnected) => {
                let status = running.child.wait().map_err(|error| error.to_string())?;
                Err(format!("the process died: {status}"))
            }
        }
    }

    fn start(&self) -> Result<Running, String> {
        let fail = |error: std::io::Error| format!("no child process: {error}");
        let mut command = Command::new(std::env::current_exe().map_err(fail)?);
        command.arg("--worker").arg("--expected").arg(&self.expected);
        if let Some(device) = &self.device {
            command.arg("--device").arg(device);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(fail)?;
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
        Ok(Running { child, input, lines })
    }
}
