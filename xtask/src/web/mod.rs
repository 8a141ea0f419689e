//! `cargo xtask web`: the example in `examples/web`. Its kernels are translated to WGSL and run in a browser without a window, on
//! SwiftShader, so that no GPU is needed; what the browser computed is compared with the model on the host.

mod model;
mod report;
mod server;

use crate::process::{cargo, program_of, root, step, target_folder};
use crate::{Outcome, setup};
use model::Setting;
use report::Report;
use server::Server;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long the browser may take, from its start to the report.
const LIMIT: Duration = Duration::from_secs(120);
/// What the test computes: sizes that no size of work-groups divides, and more rows than one group paints.
const SETTING: Setting = Setting { width: 150, height: 75, seed: 7, rarity: 40, steps: 200, feed: 0.0545, kill: 0.062 };
/// The largest errors that rounding explains: of cells, and of bytes of pixels.
const MAX_CELL_ERROR: f64 = 2e-5;
const MAX_PIXEL_ERROR: f64 = 1.0;

/// What is done.
#[derive(clap::Args)]
pub struct Arguments {
    /// Serve the page for any browser at http://localhost:PORT/ instead
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8000")]
    serve: Option<u16>,
    /// A command with a translator to WGSL [default: the one of this checkout, built in release mode]
    #[arg(long, value_name = "FILE")]
    clforge: Option<PathBuf>,
}

/// Tests the page, or serves it.
pub fn web(arguments: &Arguments) -> Outcome {
    let clforge = match &arguments.clforge {
        Some(file) => std::path::absolute(file).map_err(|error| format!("{}: {error}", file.display()))?,
        None => build("release")?,
    };
    let folder = site(&clforge)?;
    match arguments.serve {
        Some(port) => {
            let server = Server::start(folder, port)?;
            println!("the page is at http://localhost:{}/ until this command is ended", server.port);
            loop {
                std::thread::park();
            }
        }
        None => compare(folder, setup::chromium()?),
    }
}

/// Tests the page with the command in a profile of cargo, where there is a browser or one can be installed.
pub fn test(profile: &str) -> Outcome {
    match setup::chromium() {
        Ok(browser) => compare(site(&build(profile)?)?, browser),
        Err(message) => {
            println!("    the example for browsers is not tested: {message}");
            Ok(())
        }
    }
}

/// The command with a translator to WGSL.
fn build(profile: &str) -> Result<PathBuf, String> {
    let arguments = ["build", "-p", "clforge", "--features", "wgsl", "--profile", profile];
    step("building the command with its translator to WGSL", cargo().args(arguments))?;
    Ok(program_of("clforge", profile))
}

/// The folder with the page and what it loads.
fn site(clforge: &Path) -> Result<PathBuf, String> {
    let (example, folder) = (root().join("examples/web"), target_folder().join("web"));
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(fail)?;
    for file in ["index.html", "main.js", "clforge.js", "kernel.cl"] {
        std::fs::copy(example.join(file), folder.join(file)).map_err(fail)?;
    }
    let mut compile = Command::new(clforge);
    compile.current_dir(&folder).args(["compile", "kernel.cl", "--target", "webgpu", "-o", "kernel.wgsl"]);
    step("translating the kernels to WGSL", compile.args(["--reflection", "kernel.json"]))?;
    Ok(folder)
}

/// Runs the page in the browser and compares what it reports.
fn compare(folder: PathBuf, browser: &str) -> Outcome {
    println!("==> the page in {browser}");
    let start = Instant::now();
    let server = Server::start(folder, 0)?;
    let Setting { width, height, seed, rarity, steps, feed, kill } = SETTING;
    let query = format!("width={width}&height={height}&seed={seed}&rarity={rarity}&feed={feed}&kill={kill}");
    let mut browser = Browser::start(browser, &format!("http://127.0.0.1:{}/?report={steps}&{query}", server.port))?;
    let report = Report::read(&browser.wait_for(&server, start + LIMIT)?)?;
    drop(browser);
    let wall = start.elapsed();
    let expected = model::compute(&SETTING);
    let cells = largest_difference("cells", &report.cells, &expected.cells)?;
    let pixels = largest_difference("bytes of pixels", &report.pixels, &expected.pixels)?;
    let mean = largest_difference("means", &[report.mean], &[expected.mean])?;
    let per_step = report.milliseconds / f64::from(steps);
    println!("    {width} x {height} cells, {steps} steps on '{}': {per_step:.2} ms a step", report.device);
    println!(
        "    {:.1} s with the browser's start; largest errors: cells {cells:.1e}, mean {mean:.1e}, pixels {pixels}",
        wall.as_secs_f64()
    );
    if cells > MAX_CELL_ERROR || mean > MAX_CELL_ERROR || pixels > MAX_PIXEL_ERROR {
        return Err(format!(
            "the browser computed something else: at most {MAX_CELL_ERROR:e} and {MAX_PIXEL_ERROR} are allowed"
        ));
    }
    Ok(())
}

/// The largest difference of two lists of the same length; NaN is infinitely far from everything.
fn largest_difference(what: &str, found: &[f64], expected: &[f64]) -> Result<f64, String> {
    if found.len() != expected.len() {
        return Err(format!("the browser reports {} {what}, not {}", found.len(), expected.len()));
    }
    let difference = |(found, expected): (&f64, &f64)| (found - expected).abs();
    let differences = found.iter().zip(expected).map(difference);
    Ok(differences.map(|difference| if difference.is_nan() { f64::INFINITY } else { difference }).fold(0.0, f64::max))
}

/// A browser that shows a page, without a window. It ends with this.
struct Browser {
    process: Child,
    /// Its profile and what it wrote.
    folder: tempfile::TempDir,
}

impl Browser {
    fn start(program: &str, address: &str) -> Result<Browser, String> {
        let fail = |error: std::io::Error| format!("{program}: {error}");
        let folder = tempfile::tempdir().map_err(fail)?;
        let output = File::create(folder.path().join("output.txt")).map_err(fail)?;
        let mut command = Command::new(program);
        // The sandbox needs rights that containers and the user root do not have; the page is our own.
        command.args(["--headless=new", "--no-sandbox", "--no-first-run", "--disable-dev-shm-usage"]);
        command.args(["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--use-angle=swiftshader"]);
        command.arg(format!("--user-data-dir={}", folder.path().join("profile").display())).arg(address);
        command.stdin(Stdio::null()).stdout(output.try_clone().map_err(fail)?).stderr(output);
        Ok(Browser { process: command.spawn().map_err(fail)?, folder })
    }

    /// The page's report, unless the browser ends or the time is over before.
    fn wait_for(&mut self, server: &Server, deadline: Instant) -> Result<String, String> {
        loop {
            if let Some(report) = server.report_within(Duration::from_millis(50)) {
                return Ok(report);
            }
            if let Some(status) = self.process.try_wait().map_err(|error| format!("the browser: {error}"))? {
                return Err(format!("the browser ended ({status}) before the page reported\n{}", self.output()));
            }
            if Instant::now() > deadline {
                return Err(format!("the page reported nothing within {} s\n{}", LIMIT.as_secs(), self.output()));
            }
        }
    }

    /// The last lines that the browser wrote.
    fn output(&self) -> String {
        let bytes = std::fs::read(self.folder.path().join("output.txt")).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(10)..].join("\n")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences() {
        assert_eq!(largest_difference("a", &[1.0, 2.0], &[1.5, 2.0]), Ok(0.5));
        assert_eq!(largest_difference("a", &[f64::NAN, 2.0], &[1.5, 2.0]), Ok(f64::INFINITY));
        assert!(largest_difference("a", &[1.0], &[]).is_err());
    }
}
