//! Mutants of modules for OpenCL through the reader and the rest of the compiler, for a given time. It needs no nightly
//! compiler: `cargo xtask fuzz-reader --seconds N [--seed S] [--validate N] [--out FOLDER] FOLDER…`.
//!
//! Folders have sources, which are compiled for OpenCL, and modules (`.spv`). Each mutant is a file of the output
//! folder while it is read, so that it stays there if the process ends by a panic, an abort, or the time limit.

use clforge_compiler::options::{ClStd, OpenClVersion, VulkanVersion};
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::{FileIncludes, Options, Source, Target, compile, spirv_unit, translate_spirv};
use clforge_reader::mutate::mutate;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A mutant may take so long.
const LIMIT: Duration = Duration::from_secs(10);
/// The process may use so many bytes.
const MEMORY: u64 = 2 << 30;
/// Longer modules teach nothing more.
const MAX_SEED: usize = 16 << 10;
const VULKAN: Target = Target::Vulkan(VulkanVersion::V1_2);

struct Arguments {
    seconds: u64,
    seed: u64,
    /// Each N-th module that is translated is validated; 0 for none.
    validate: u64,
    out: PathBuf,
    folders: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| fuzz(&arguments)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let out = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/fuzz-reader"));
    let mut parsed = Arguments { seconds: 60, seed: 1, validate: 50, out, folders: Vec::new() };
    let mut words = std::env::args_os().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{} needs a value", word.display()));
        let mut number = || value()?.to_string_lossy().parse::<u64>().map_err(|error| error.to_string());
        match word.to_str() {
            Some("--seconds") => parsed.seconds = number()?,
            Some("--seed") => parsed.seed = number()?,
            Some("--validate") => parsed.validate = number()?,
            Some("--out") => parsed.out = value()?.into(),
            _ => parsed.folders.push(word.into()),
        }
    }
    if parsed.folders.is_empty() {
        parsed.folders.push(concat!(env!("CARGO_MANIFEST_DIR"), "/../shaders-test").into());
    }
    Ok(parsed)
}

/// Modules below a folder, and of the sources there that can be compiled.
fn seeds(folder: &Path, modules: &mut Vec<Vec<u32>>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            seeds(&path, modules)?;
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        let read = || std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()));
        let module = match extension {
            Some("spv") => {
                let bytes = read()?;
                let words = bytes.chunks_exact(4).filter_map(|word| word.try_into().ok()).map(u32::from_le_bytes);
                Some(words.collect())
            }
            Some("cl") => {
                let folders = vec![path.parent().map(Path::to_path_buf).unwrap_or_default()];
                let options = Options::for_target(Target::OpenCl(OpenClVersion::V3_0))
                    .with_cl_std(ClStd::CL3_0)
                    .with_includes(Arc::new(FileIncludes::new(folders)));
                let (name, text) = (path.to_string_lossy().into_owned(), read()?);
                compile(Source { name: &name, text: &text }, &options).ok().map(|compiled| compiled.spirv)
            }
            _ => None,
        };
        modules.extend(module.filter(|words| words.len() <= MAX_SEED));
    }
    Ok(())
}

#[derive(Default)]
struct Counts {
    mutants: u64,
    translated: u64,
    validated: u64,
    failures: u64,
}

/// What is being read since when, for the watch.
#[derive(Default)]
struct Current {
    since: Mutex<Option<Instant>>,
    number: AtomicU64,
}

/// Ends the process when a mutant takes too long.
fn watch(current: &Arc<Current>, out: &Path) {
    let (current, out) = (Arc::clone(current), out.to_path_buf());
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let since = current.since.lock().map_or(None, |since| *since);
            if since.is_some_and(|since| since.elapsed() > LIMIT) {
                let number = current.number.load(Ordering::Relaxed);
                println!("mutant {number} takes more than {} s: {}", LIMIT.as_secs(), out.display());
                std::process::exit(3);
            }
        }
    });
}

fn fuzz(arguments: &Arguments) -> Result<u64, String> {
    let mut modules = Vec::new();
    for folder in &arguments.folders {
        seeds(folder, &mut modules)?;
    }
    if modules.is_empty() {
        return Err("there is no module to begin from".into());
    }
    std::fs::create_dir_all(&arguments.out).map_err(|error| format!("{}: {error}", arguments.out.display()))?;
    let file = arguments.out.join(format!("current-{}.spv", arguments.seed));
    let current = Arc::new(Current::default());
    watch(&current, &file);
    println!("{} modules; seed {}; {} s", modules.len(), arguments.seed, arguments.seconds);
    let (start, mut counts, mut reported) = (Instant::now(), Counts::default(), Instant::now());
    let mut random = fastrand::Rng::with_seed(arguments.seed);
    let mut slowest = Duration::ZERO;
    while start.elapsed().as_secs() < arguments.seconds {
        let words = mutate(&modules[random.usize(..modules.len())], &mut |limit| random.usize(..limit));
        save(&file, &words)?;
        current.number.store(counts.mutants, Ordering::Relaxed);
        let begin = Instant::now();
        set(&current, Some(begin));
        let outcome = check(&words, arguments.validate, &mut counts, &current);
        set(&current, None);
        slowest = slowest.max(begin.elapsed());
        counts.mutants += 1;
        let memory = peak_memory();
        let outcome = outcome.and(if memory > MEMORY { Err(format!("{memory} bytes of memory")) } else { Ok(()) });
        if let Err(message) = outcome {
            counts.failures += 1;
            let kept = arguments.out.join(format!("failure-{}-{}.spv", arguments.seed, counts.mutants));
            save(&kept, &words)?;
            println!("{}: {message}", kept.display());
        }
        if reported.elapsed().as_secs() >= 60 {
            report(&counts, slowest, start);
            reported = Instant::now();
        }
    }
    report(&counts, slowest, start);
    Ok(counts.failures)
}

fn set(current: &Current, since: Option<Instant>) {
    if let Ok(mut place) = current.since.lock() {
        *place = since;
    }
}

fn report(counts: &Counts, slowest: Duration, start: Instant) {
    let Counts { mutants, translated, validated, failures } = counts;
    println!(
        "{} s: {mutants} mutants, {translated} translated, {validated} validated, {failures} failures; \
         the slowest took {} ms, peak memory {} MB",
        start.elapsed().as_secs(),
        slowest.as_millis(),
        peak_memory() / 1_000_000
    );
}

fn save(path: &Path, words: &[u32]) -> Result<(), String> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The most resident bytes that the process had; 0 where the system does not say it.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// What a mutant shows to be wrong with the compiler: it must be an error, or a module that is valid.
fn check(words: &[u32], every: u64, counts: &mut Counts, current: &Current) -> Result<(), String> {
    let target = if counts.mutants % 4 == 3 { Target::OpenCl(OpenClVersion::V3_0) } else { VULKAN };
    let options = Options::for_target(target);
    if counts.mutants % 8 == 5 {
        let unit = spirv_unit(words, &options);
        return unit.map_or_else(|error| no_defect(&error.render(false)), |_| Ok(()));
    }
    let compiled = match translate_spirv(words, &options) {
        Ok(compiled) => compiled,
        Err(diagnostics) => return no_defect(&diagnostics.render(false)),
    };
    counts.translated += 1;
    if every == 0 || !counts.translated.is_multiple_of(every) {
        return Ok(());
    }
    // The validator has a limit of its own.
    set(current, None);
    counts.validated += 1;
    match validate(&compiled.spirv, target) {
        Ok(()) | Err(ValidateError::Unavailable(_) | ValidateError::TooOld(_)) => Ok(()),
        Err(ValidateError::Invalid(message)) => Err(message),
    }
}

fn no_defect(message: &str) -> Result<(), String> {
    match message.contains("internal compiler error") {
        true => Err(message.to_owned()),
        false => Ok(()),
    }
}
