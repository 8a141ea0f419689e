//! Runs a driver in child processes, and collects what they report.

use crate::Statistics;
use crate::child::Line;
use crate::clock;
use crate::gpus::Gpu;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Why there is no pipeline, where the time is over.
pub const LATE: &str = "the driver does not end";

/// Between two looks at the time that a child has used.
const PAUSE: Duration = Duration::from_secs(1);

/// How many times as long something may take on a machine that does other things, too.
const LOAD: u32 = 20;

/// A driver, and what it compiles for.
pub struct Driver {
    /// This program.
    pub program: PathBuf,
    /// What it compiles instead of its own sources.
    pub sources: Vec<PathBuf>,
    /// The driver's JSON file.
    pub file: PathBuf,
    /// A GPU that the machine does not have.
    pub gpu: Option<Gpu>,
    /// The processor time that it may take for a pipeline.
    pub limit: Duration,
}

impl fmt::Display for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        self.gpu.iter().try_for_each(|gpu| write!(f, " for {}", gpu.choice.1))
    }
}

/// A pipeline.
pub struct Made {
    pub time: Duration,
    pub statistics: Statistics,
}

/// What a driver did.
#[derive(Default)]
pub struct Outcome {
    pub device: String,
    pub driver: String,
    /// By source and kernel.
    pub made: BTreeMap<String, Made>,
    /// Why a source or a kernel has no pipeline, crashes and timeouts included.
    pub refused: BTreeMap<String, String>,
    /// Sources that take what the device lacks.
    pub left_out: usize,
    /// Time of our compiler.
    pub compiled: Duration,
}

impl Driver {
    /// Compiles everything, without workarounds if `plain`; `None` if the driver has no device. `is_late` says of which sources it is known that the
    /// driver does not end: they are not tried.
    ///
    /// # Errors
    /// When no child can be started, or one says something else.
    pub fn run(&self, plain: bool, is_late: impl Fn(&Outcome, &str) -> bool) -> Result<Option<Outcome>, String> {
        let (mut outcome, mut first) = (Outcome::default(), 0);
        loop {
            let (mut child, lines) = self.start(first, plain)?;
            let mut source = None;
            let end = loop {
                match self.next(&child, &lines) {
                    Ok(line) => {
                        match serde_json::from_str(&line).map_err(|error| format!("{self}: {error}: {line}"))? {
                            Line::NoDevice => return Ok(None),
                            Line::End => return Ok(Some(outcome)),
                            Line::Source { number, name } => {
                                let is_late = is_late(&outcome, &name);
                                source = Some((number, name));
                                if is_late {
                                    break LATE;
                                }
                            }
                            line => outcome.add(line),
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => break "the driver crashes",
                    Err(RecvTimeoutError::Timeout) => break LATE,
                }
            };
            // It has ended, or is to end; there is nothing to do about an error.
            let _ = child.kill();
            let _ = child.wait();
            let Some((number, name)) = source else {
                // A driver that crashes before it has told its device has none.
                let is_ours = !outcome.device.is_empty();
                return if is_ours { Err(format!("{self}: the child ends before the first source")) } else { Ok(None) };
            };
            outcome.refused.insert(name, end.into());
            first = number + 1;
        }
    }

    /// The next line of a child, which has the limit's processor time for it.
    fn next(&self, child: &Child, lines: &Receiver<String>) -> Result<String, RecvTimeoutError> {
        let start = Instant::now();
        let used = || clock::processor_time(child.id());
        let before = used().unwrap_or_default();
        loop {
            let line = lines.recv_timeout(PAUSE);
            let time = used().map_or_else(|| start.elapsed(), |now| now.saturating_sub(before));
            // A driver that waits uses no time.
            let is_over = time > self.limit || start.elapsed() > self.limit * LOAD;
            if line != Err(RecvTimeoutError::Timeout) || is_over {
                return line;
            }
        }
    }

    /// A child from the source of a number on, and the lines that it writes.
    fn start(&self, first: usize, plain: bool) -> Result<(Child, Receiver<String>), String> {
        let mut command = Command::new(&self.program);
        command.arg("--child").arg(first.to_string()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.env("VK_DRIVER_FILES", &self.file).env("VK_ICD_FILENAMES", &self.file);
        // Pipelines from a cache would take no time.
        command.env("MESA_SHADER_CACHE_DISABLE", "true");
        command.args(plain.then_some("--plain")).args(&self.sources);
        if let Some(Gpu { choice: (variable, gpu), shim }) = &self.gpu {
            command.arg("--without-hardware").env(variable, gpu);
            command.envs(shim.iter().map(|shim| ("LD_PRELOAD", shim)));
        }
        let mut child = command.spawn().map_err(|error| format!("{}: {error}", self.program.display()))?;
        let output = child.stdout.take().ok_or("a child without output")?;
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok((child, receiver))
    }
}

impl Outcome {
    fn add(&mut self, line: Line) {
        match line {
            Line::Device { name, driver } => (self.device, self.driver) = (name, driver),
            Line::LeftOut => self.left_out += 1,
            Line::Compiled { time } => self.compiled += time,
            Line::Made { name, time, statistics } => drop(self.made.insert(name, Made { time, statistics })),
            Line::Refused { name, reason } => {
                let first = reason.lines().next().unwrap_or_default();
                self.refused.insert(name, first.into());
            }
            Line::NoDevice | Line::End | Line::Source { .. } => {}
        }
    }
}
