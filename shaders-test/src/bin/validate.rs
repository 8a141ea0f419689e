//! Modules under every workaround, through a validator: `cargo xtask validate --validator PATH --count N`.
//!
//! The cases, the programs, the benchmarks and random programs are compiled for each target without workarounds, with each
//! of them alone, with all, and with all under the options that change the most. Equal modules are validated once.
#![forbid(unsafe_code)]

use clap::Parser;
use clforge_compiler::tuning::Tuning;
use clforge_compiler::validate::{ValidateError, Validator};
use clforge_compiler::workarounds::Workarounds;
use clforge_compiler::{Options, Source, Target, compile};
use shaders_test::backend::Build;
use shaders_test::case::{self, Case};
use shaders_test::fuzz::generate;
use shaders_test::programs;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[derive(Parser)]
#[command(about = "Compile everything with every workaround for every Vulkan version, and validate it")]
struct Arguments {
    /// The validator: a program with the command line of spirv-val
    #[arg(long, default_value = "spirv-val")]
    validator: OsString,
    /// Number of random programs
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// Seed of the first random program; the next has the next number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only random programs
    #[arg(long)]
    random: bool,
    /// Targets, with commas between
    #[arg(long, value_delimiter = ',', default_value = "vulkan1.1,vulkan1.2,vulkan1.3,vulkan1.4")]
    targets: Vec<String>,
    /// Only these variants, with commas between: names of workarounds or tuning, or one of those that the summary lists
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Programs at a time
    #[arg(long, default_value_t = 2)]
    jobs: usize,
}

/// A source, and how it is built.
struct Subject {
    name: String,
    build: Build,
    /// The text, where it is in no file.
    text: Option<String>,
}

/// What a module is compiled with.
struct Variant {
    name: String,
    change: Box<dyn Fn(&mut Options) + Sync>,
}

impl Variant {
    fn new(name: &str, change: impl Fn(&mut Options) + Sync + 'static) -> Variant {
        Variant { name: name.into(), change: Box::new(change) }
    }
}

/// The most copies of a loop's iterations that a driver needs (`CodegenOptions::unroll_factor`).
const UNROLL_FACTOR: u32 = 16;

fn main() -> ExitCode {
    match validate(&Arguments::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn variants(only: &[String]) -> Vec<Variant> {
    let mut all: Vec<Variant> = Workarounds::names()
        .filter_map(|name| Some((name, Workarounds::parse(name).ok()?)))
        .map(|(name, flags)| Variant::new(name, move |options| set(options, flags, Tuning::empty())))
        .collect();
    all.extend(
        Tuning::ROWS
            .iter()
            .zip(Tuning::all().iter())
            .map(|(row, flag)| Variant::new(row.name, move |options| set(options, Workarounds::empty(), flag))),
    );
    let mut with_all = |name: &str, change: fn(&mut Options)| {
        all.push(Variant::new(name, move |options| {
            set(options, Workarounds::all(), Tuning::all());
            change(options);
        }));
    };
    with_all("all", |_| {});
    with_all("all, not optimised", |options| options.codegen.opt_disable = true);
    with_all("all, checked", |options| options.codegen.bounds_check = true);
    with_all("all, copied loops", |options| options.codegen.unroll_factor = UNROLL_FACTOR);
    with_all("all, relaxed", |options| {
        (options.language.math.fast_relaxed, options.language.math.unsafe_optimizations) = (true, true);
    });
    all.retain(|variant| only.is_empty() || only.contains(&variant.name));
    all
}

fn set(options: &mut Options, workarounds: Workarounds, tuning: Tuning) {
    (options.codegen.workarounds, options.codegen.tuning) = (workarounds, tuning);
}

fn subjects(arguments: &Arguments) -> Result<Vec<Subject>, String> {
    let mut all = Vec::new();
    if !arguments.random {
        for path in case::find()? {
            let case = Case::load(&path)?;
            if case.skipped("vulkan").is_none() {
                all.push(Subject { name: case.name, build: case.build, text: None });
            }
        }
        let of =
            |program: &programs::Program| Subject { name: program.name.into(), build: program.build(), text: None };
        all.extend(programs::ALL.iter().map(of));
        let of = |(name, build)| Subject { name, build, text: None };
        all.extend(programs::benchmarks()?.into_iter().map(of));
    }
    all.extend((arguments.seed..arguments.seed + arguments.count).map(|seed| Subject {
        name: format!("seed {seed}"),
        build: Build::default(),
        text: Some(generate::program(seed).print()),
    }));
    Ok(all)
}

/// What is wrong with the modules, by the message without what differs.
type Findings = BTreeMap<String, Finding>;

struct Finding {
    modules: usize,
    /// Where it was found first.
    first: String,
    variants: BTreeSet<String>,
}

/// Compiles and validates; the number of modules that are not valid.
fn validate(arguments: &Arguments) -> Result<usize, String> {
    let target = |text: &String| Target::parse(text).ok_or_else(|| format!("unknown target '{text}'"));
    let targets: Vec<Target> = arguments.targets.iter().map(target).collect::<Result<_, _>>()?;
    let (subjects, variants) = (subjects(arguments)?, variants(&arguments.only));
    let limit = Duration::from_secs(120);
    let validator = Validator { program: arguments.validator.clone(), limit, longest: limit };
    let findings: Mutex<Findings> = Mutex::default();
    let (next, compiled, validated) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                while let Some(subject) = subjects.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for target in &targets {
                        let counts = one(subject, *target, &variants, &validator, &findings);
                        compiled.fetch_add(counts.0, Ordering::Relaxed);
                        validated.fetch_add(counts.1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let findings = findings.into_inner().map_err(|_| "a thread has panicked")?;
    for (message, Finding { modules, first, variants }) in &findings {
        let variants: Vec<&str> = variants.iter().map(String::as_str).collect();
        println!("{modules} modules, first {first}: {message}\n    with {}", variants.join("; "));
    }
    let all: usize = findings.values().map(|finding| finding.modules).sum();
    println!(
        "{} sources, {} variants: {} modules, of which {} differ and were validated: {all} are wrong",
        subjects.len(),
        variants.len(),
        compiled.into_inner(),
        validated.into_inner()
    );
    Ok(all)
}

/// Compiles one source for one target in all variants: how many modules that makes, and how many of them differ.
fn one(
    subject: &Subject,
    target: Target,
    variants: &[Variant],
    validator: &Validator,
    findings: &Mutex<Findings>,
) -> (usize, usize) {
    let report = |variant: &str, message: String| {
        let new = || Finding {
            modules: 0,
            first: format!("{} for {target} with {variant}", subject.name),
            variants: BTreeSet::new(),
        };
        if let Ok(mut findings) = findings.lock() {
            let finding = findings.entry(shape(&message)).or_insert_with(new);
            finding.modules += 1;
            finding.variants.insert(variant.into());
        }
    };
    let text = match subject.text.clone().map_or_else(|| subject.build.text(), Ok) {
        Ok(text) => text,
        Err(message) => {
            report("any", message);
            return (0, 0);
        }
    };
    let (mut seen, mut compiled) = (HashSet::new(), 0);
    for variant in variants {
        let mut options = subject.build.compiler_options(target);
        (variant.change)(&mut options);
        let name = subject.build.path.to_string_lossy();
        let module = match compile(Source { name: &name, text: text.as_bytes() }, &options) {
            Ok(module) => module,
            Err(diagnostics) => {
                report(&variant.name, diagnostics.render(false));
                continue;
            }
        };
        compiled += 1;
        let mut hasher = DefaultHasher::new();
        module.spirv.hash(&mut hasher);
        if !seen.insert(hasher.finish()) {
            continue;
        }
        match validator.validate(&module.spirv, target) {
            Ok(()) => {}
            Err(ValidateError::Invalid(message)) => report(&variant.name, message),
            Err(ValidateError::Unavailable(reason) | ValidateError::TooOld(reason)) => report(&variant.name, reason),
        }
    }
    (compiled, seen.len())
}

/// A message without its numbers, and the ids and names in it, so that equal mistakes are counted together.
fn shape(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let mut shape = String::new();
    for part in line.split('\'') {
        // What is quoted is an id with its name.
        let text = if part.contains("[%") { "…" } else { part };
        shape.push_str(text);
    }
    shape.chars().filter(|character| !character.is_ascii_digit()).collect()
}
