//! Running one suite: its process is ended when a test takes too long. After that, or after a crash, it is started
//! again for the tests that are left.

use super::results::{Result as Verdict, Results, Run, json_string_pairs};
use super::suites::Suite;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// A suite that is run.
pub struct Runner<'a> {
    pub suite: &'a Suite,
    pub program: PathBuf,
    /// The folder by which loaders find the driver.
    pub vendors: &'a Path,
    /// Longest time of a test.
    pub limit: Duration,
    /// Where the output goes.
    pub log: PathBuf,
}

/// What a suite says that does not fit the device.
const SKIPPED: &str = "Test skipped while initialization";

/// A test whose process has written its name.
struct Started {
    test: String,
    at: Instant,
    /// What its output says of its end, once it says so.
    said: Option<Verdict>,
}

impl Runner<'_> {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        // Some suites write files where they are, or read some beside their program.
        command
            .current_dir(self.program.parent().unwrap_or(&self.program))
            .env("OCL_ICD_VENDORS", self.vendors)
            .env("CL_WIMPY_MODE", "1")
            // What is tested is what this compiler makes now.
            .env("CLFORGE_CACHE", "off")
            .stdin(Stdio::null());
        command
    }

    /// The names of its tests.
    fn tests(&self) -> Result<Vec<String>, String> {
        let output = self.command().arg("--list").output().map_err(|error| self.failure(error))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text.lines().filter_map(|line| line.strip_prefix('\t')).map(|name| name.trim().to_string()).collect())
    }

    fn failure(&self, error: impl std::fmt::Display) -> String {
        format!("{}: {error}", self.program.display())
    }

    /// Runs the tests whose names contain `only`.
    pub fn run(&self, only: Option<&str>, results: &mut Results) -> Result<(), String> {
        let mut left = self.tests()?;
        if left.is_empty() {
            return Err(self.failure("it does not name its tests"));
        }
        left.retain(|test| only.is_none_or(|only| test.contains(only)));
        let mut log = File::create(&self.log).map_err(|error| self.failure(error))?;
        while !left.is_empty() {
            let done = self.run_once(&left, results, &mut log)?;
            let before = left.len();
            left.retain(|test| !done.contains(test));
            if left.len() == before {
                // It ends before the first test.
                for test in left.drain(..) {
                    self.report(results, test, Verdict::Fail, Duration::ZERO, "not started");
                }
            }
        }
        Ok(())
    }

    /// One process. Returns the tests that have a result now.
    fn run_once(&self, tests: &[String], results: &mut Results, log: &mut File) -> Result<Vec<String>, String> {
        let file = tempfile::NamedTempFile::new().map_err(|error| self.failure(error))?;
        let mut command = self.command();
        command.args(self.suite.arguments).args(tests).env("CL_CONFORMANCE_RESULTS_FILENAME", file.path());
        command.stdout(Stdio::piped()).stderr(log.try_clone().map_err(|error| self.failure(error))?);
        let mut child = command.spawn().map_err(|error| self.failure(error))?;
        let lines = lines(&mut child);
        let mut started: Vec<Started> = Vec::new();
        let mut is_late = false;
        let mut ends = Vec::new();
        let mut is_skipped = false;
        loop {
            let since = started.last().map_or(Duration::ZERO, |test| test.at.elapsed());
            match lines.recv_timeout(self.limit.saturating_sub(since)) {
                Ok(line) => {
                    let _ = writeln!(log, "{line}");
                    results.learn_device(&line);
                    is_skipped |= line == SKIPPED;
                    self.read_line(&line, tests, &mut started, &mut ends);
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    is_late = true;
                    let _ = child.kill();
                    break;
                }
            }
        }
        let status = child.wait().map_err(|error| self.failure(error))?;
        if is_skipped {
            tests.iter().for_each(|test| self.report(results, test.clone(), Verdict::Skip, Duration::ZERO, ""));
            return Ok(tests.to_vec());
        }
        ends.push(Instant::now());
        let said = std::fs::read_to_string(file.path()).unwrap_or_default();
        let said: Vec<(String, String)> = json_string_pairs(&said).collect();
        let count = started.len();
        for (at, test) in started.iter().enumerate() {
            let saved = said.iter().find(|(name, _)| *name == test.test).map(|(_, result)| Verdict::from_word(result));
            let is_cut = at + 1 == count && said.is_empty();
            let (verdict, note) = match (saved, test.said) {
                (Some(verdict), _) => (verdict, String::new()),
                (None, _) if is_cut && is_late => (Verdict::Fail, "time limit".to_string()),
                (None, _) if is_cut => (Verdict::Fail, status.to_string()),
                (None, Some(verdict)) => (verdict, String::new()),
                (None, None) => (Verdict::Skip, String::new()),
            };
            let end = ends.get(at).copied().unwrap_or_else(Instant::now);
            self.report(results, test.test.clone(), verdict, end.saturating_duration_since(test.at), &note);
        }
        Ok(started.into_iter().map(|test| test.test).collect())
    }

    /// Looks for the begin or the end of a test.
    fn read_line(&self, line: &str, tests: &[String], started: &mut Vec<Started>, ends: &mut Vec<Instant>) {
        if let Some(name) = line.strip_suffix("...")
            && tests.iter().any(|test| test == name)
            && !started.iter().any(|test| test.test == name)
        {
            if let Some(last) = started.last() {
                ends.push(Instant::now());
                println!("    {:7.1} s {} {}", last.at.elapsed().as_secs_f64(), self.suite.name, last.test);
            }
            return started.push(Started { test: name.to_string(), at: Instant::now(), said: None });
        }
        if let Some(last) = started.last_mut()
            && let Some(end) = line.strip_prefix(last.test.as_str())
        {
            match end.trim_start() {
                "passed" => last.said = Some(Verdict::Pass),
                "FAILED" => last.said = Some(Verdict::Fail),
                _ => {}
            }
        }
    }

    fn report(&self, results: &mut Results, test: String, result: Verdict, time: Duration, note: &str) {
        if result == Verdict::Fail {
            println!("    {} {test}: {result} {note}", self.suite.name);
        }
        let suite = self.suite.name.to_string();
        results.runs.push(Run { suite, test, result, seconds: time.as_secs_f64() });
    }
}

/// What a process writes, line by line.
fn lines(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                if sender.send(String::from_utf8_lossy(&line).trim_end().to_string()).is_err() {
                    return;
                }
                line.clear();
            }
        });
    }
    receiver
}
