//! Random programs through the compiler, against an OpenCL driver: `cargo xtask fuzz --count N --seed S`.
#![forbid(unsafe_code)]

use clap::Parser;
use shaders_test::fuzz::check::{Kind, Verdict};
use shaders_test::fuzz::tree::Program;
use shaders_test::fuzz::worker::{self, Worker};
use shaders_test::fuzz::{generate, reduce};
use shaders_test::hidden;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(about = "Random OpenCL C programs: both targets, and modules for OpenCL as input, against an OpenCL driver")]
struct Arguments {
    /// Number of programs to compare; one that the reference fails on is reported and replaced
    #[arg(long, default_value_t = 200)]
    count: u64,
    /// Seed of the first program; the next has the next number. By default the clock chooses
    #[arg(long)]
    seed: Option<u64>,
    /// Programs at a time
    #[arg(long, default_value_t = 2)]
    jobs: u64,
    /// Targets, with commas between: vulkan, sanitized (for Vulkan, with all sanitizers), opencl, translated (our module for
    /// OpenCL, for Vulkan), foreign (LLVM's)
    #[arg(long, default_value = "vulkan,opencl,translated,foreign")]
    targets: String,
    /// Leave failing programs as they are
    #[arg(long)]
    no_reduce: bool,
    /// Most seconds for reducing one program
    #[arg(long, default_value_t = 240)]
    reduce_seconds: u64,
    /// Most seconds for one stage of one program: the default is more than any driver takes on a busy machine. A program that
    /// does not end is reduced where twenty such stages fit the seconds for reducing
    #[arg(long, default_value_t = 300)]
    limit: u64,
    /// The reference: the first OpenCL device whose name or version contains this [default: the first]
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    opencl: String,
    /// How modules for Vulkan address buffers; physical32x2 are device addresses without integers of 64 bits
    #[arg(long, value_parser = hidden::ADDRESSINGS, default_value = hidden::ADDRESSINGS[0])]
    addressing: String,
    /// What modules for Vulkan emulate though the device has it, with commas between
    #[arg(long, value_parser = emulations(), value_delimiter = ',', value_name = "TYPE,…")]
    emulate: Vec<String>,
    /// Programs of many kernels that compute one expression each
    #[arg(long)]
    expressions: bool,
    /// Programs with barriers in loops, which some OpenCL drivers get wrong
    #[arg(long, conflicts_with = "expressions")]
    barrier_loops: bool,
    /// Print the program of the seed and do nothing else
    #[arg(long)]
    print: bool,
    /// Check these files instead of generated programs
    files: Vec<PathBuf>,
    /// Serve a parent process
    #[arg(long, hide = true)]
    worker: bool,
}

impl Arguments {
    /// What checks programs, one after the other.
    fn worker(&self) -> Worker {
        let hidden = hidden::features(&self.addressing, self.emulate.iter().map(String::as_str));
        Worker::new(Duration::from_secs(self.limit), &self.opencl, &hidden.join(","))
    }

    /// The program of a seed.
    fn program(&self, seed: u64) -> Program {
        match () {
            () if self.expressions => generate::expressions(seed),
            () if self.barrier_loops => generate::barrier_loops(seed),
            () => generate::program(seed),
        }
    }
}

fn emulations() -> clap::builder::PossibleValuesParser {
    hidden::emulations().collect::<Vec<_>>().into()
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let outcome = if arguments.worker { worker::serve(&arguments.opencl).map(|()| 0) } else { fuzz(&arguments) };
    match outcome {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs everything; the number of failures.
fn fuzz(arguments: &Arguments) -> Result<usize, String> {
    if !arguments.files.is_empty() {
        return check_files(arguments);
    }
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |time| time.as_secs());
    let first = arguments.seed.unwrap_or(clock);
    if arguments.print {
        print!("{}", arguments.program(first).print());
        return Ok(0);
    }
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/fuzz")).to_path_buf();
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    println!("reference: {}", arguments.worker().reference()?);
    println!("seeds {first} to {}, failures go to {}", first + arguments.count.saturating_sub(1), folder.display());
    let next = AtomicU64::new(first);
    let end = AtomicU64::new(first + arguments.count);
    let failures = Mutex::new(Vec::new());
    let unknown = AtomicU64::new(0);
    let driver = AtomicU64::new(0);
    let foreign = AtomicU64::new(0);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                let mut worker = arguments.worker();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end.load(Ordering::Relaxed) {
                        return;
                    }
                    let message = match one(seed, arguments, &folder, &mut worker) {
                        Ok(Verdict { kind: Kind::Fine, detail, .. }) => {
                            foreign.fetch_add(detail.parse().unwrap_or(0), Ordering::Relaxed);
                            continue;
                        }
                        Ok(Verdict { kind: Kind::ReferenceErrs, detail, .. }) => {
                            driver.fetch_add(1, Ordering::Relaxed);
                            println!("seed {seed}: the driver's mistake: {}", detail.replace('\n', " "));
                            continue;
                        }
                        Ok(verdict) if verdict.kind == Kind::NoReference => {
                            if unknown.fetch_add(1, Ordering::Relaxed) < arguments.count {
                                end.fetch_add(1, Ordering::Relaxed);
                            }
                            println!("seed {seed}: no reference: {}", verdict.detail.replace('\n', " "));
                            continue;
                        }
                        Ok(verdict) => verdict.to_string(),
                        Err(message) => message,
                    };
                    let shown: Vec<&str> = message.lines().take(2).collect();
                    println!("seed {seed}: {}", shown.join(" "));
                    if let Ok(mut failures) = failures.lock() {
                        failures.push(message);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().map_or(1, |failures| failures.len());
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} programs in {seconds:.0} s ({:.1} a second): {failures} failures; {} more that the reference fails on, \
         and {} show mistakes of its driver; {} modules of LLVM's were translated",
        arguments.count,
        arguments.count as f64 / seconds,
        unknown.load(Ordering::Relaxed),
        driver.load(Ordering::Relaxed),
        foreign.load(Ordering::Relaxed)
    );
    if unknown.load(Ordering::Relaxed) > (arguments.count / 10).max(1) {
        return Err("the reference fails on many programs: is an OpenCL driver installed?".into());
    }
    Ok(failures)
}

fn check_files(arguments: &Arguments) -> Result<usize, String> {
    let mut worker = arguments.worker();
    let mut failures = 0;
    for file in &arguments.files {
        let verdict = worker.check(file, &arguments.targets)?;
        println!("{}: {verdict}", file.display());
        failures += usize::from(verdict.kind != Kind::Fine);
    }
    Ok(failures)
}

fn save(path: &Path, program: &Program) -> Result<(), String> {
    std::fs::write(path, program.print()).map_err(|error| format!("{}: {error}", path.display()))
}

/// Generates, checks, and reduces what fails.
fn one(seed: u64, arguments: &Arguments, folder: &Path, worker: &mut Worker) -> Result<Verdict, String> {
    let name = if arguments.expressions { format!("expressions-{seed}") } else { seed.to_string() };
    let path = folder.join(format!("{name}.cl"));
    let program = arguments.program(seed);
    save(&path, &program)?;
    let verdict = worker.check(&path, &arguments.targets)?;
    if verdict.kind == Kind::Fine {
        let _ = std::fs::remove_file(&path);
    }
    let endless = verdict.kind == Kind::Hangs && arguments.limit.saturating_mul(20) > arguments.reduce_seconds;
    if arguments.no_reduce || endless || matches!(verdict.kind, Kind::Fine | Kind::ReferenceErrs) {
        return Ok(verdict);
    }
    let doubtful = verdict.kind == Kind::NoReference;
    let targets = if doubtful { arguments.targets.clone() } else { verdict.stage.clone() };
    let candidate_path = folder.join(format!("{name}.candidate.cl"));
    let deadline = Instant::now() + Duration::from_secs(arguments.reduce_seconds);
    let small = reduce::reduce(program, |candidate| {
        if Instant::now() > deadline || save(&candidate_path, candidate).is_err() {
            return false;
        }
        worker.check(&candidate_path, &targets).is_ok_and(|found| found.like(&verdict))
    });
    let _ = std::fs::remove_file(&candidate_path);
    save(&folder.join(format!("{name}.small.cl")), &small)?;
    Ok(verdict)
}
