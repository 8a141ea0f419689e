//! `cargo xtask bench compile`: whole-process time and peak memory, as ratios to clang and llvm-spirv in the same run.

use crate::Outcome;
use crate::generate::{Reach, source};
use crate::process::{built, cargo, files, root, run, step, works};
use crate::setup::{CLANG, TRANSLATOR};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const MEGABYTE: f64 = 1e6;
/// Bytes of a module that counts as large.
const LARGE_MODULE: u64 = 3_000_000;

/// A median of several runs.
#[derive(Clone, Copy)]
struct Figure {
    time: Duration,
    /// Peak resident bytes.
    memory: u64,
}

/// Measures the programs, then sources that double.
pub fn compile(repeat: usize) -> Outcome {
    let repeat = repeat.max(1);
    step("building the compiler", cargo().args(["build", "--release", "--quiet", "-p", "clforge"]))?;
    let peers = works(CLANG, &["--version"]) && works(TRANSLATOR, &["--version"]);
    if !peers {
        println!("{CLANG} and {TRANSLATOR} are not both installed: no ratios (apt-get install {CLANG} {TRANSLATOR})");
    }
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    programs(repeat, peers, folder.path())?;
    mathematics(repeat, peers, folder.path())?;
    reading(repeat.min(5), folder.path())?;
    growth(repeat.min(5), peers, folder.path())
}

fn programs(repeat: usize, peers: bool, folder: &Path) -> Outcome {
    println!("\nWhole process, median of {repeat}; ratio: {CLANG} -O2 -emit-llvm + {TRANSLATOR} over ours");
    println!(
        "{:16} {:>10} {:>8} {:>10} {:>8} {:>10} {:>8} {:>7} {:>7}",
        "program", "vulkan ms", "MB", "opencl ms", "MB", "clang ms", "MB", "time x", "mem x"
    );
    let root = root().join("shaders-test/programs");
    for path in files(&root, "cl")? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let ours = ["vulkan1.2", "opencl1.2"].map(|target| median(repeat, || clforge(&path, target, &root, folder)));
        let [vulkan, opencl] = ours;
        let clang = if peers { Some(median(repeat, || peer(&path, &root, folder))) } else { None };
        print!("{name:16} {} {}", cell(&vulkan), cell(&opencl));
        match (&clang, &vulkan) {
            (Some(Ok(clang)), Ok(vulkan)) => {
                let time = clang.time.as_secs_f64() / vulkan.time.as_secs_f64();
                let memory = clang.memory as f64 / vulkan.memory.max(1) as f64;
                println!(" {} {time:>7.1} {memory:>7.1}", cell(&Ok(*clang)));
            }
            (Some(clang), _) => println!(" {}", cell(clang)),
            (None, _) => println!(),
        }
        for error in [Some(vulkan), Some(opencl), clang].iter().flatten().filter_map(|figure| figure.as_ref().err()) {
            println!("    {error}");
        }
    }
    Ok(())
}

/// A kernel that pays for library functions, against the budget that it was given: a tenth of what clspv takes for it,
/// 60 ms on a machine that takes 42 ms for clang and llvm-spirv on a vector addition.
fn mathematics(repeat: usize, peers: bool, folder: &Path) -> Outcome {
    let programs = root().join("shaders-test/programs");
    let (calls, plain) = (folder.join("mathematics.cl"), programs.join("vector_add/vector_add.cl"));
    let text = "kernel void k(global float *out, global const float *a, global const float *b) {
        size_t i = get_global_id(0);
        out[i] = sin(a[i]) + pow(a[i], b[i]) + exp(b[i]);
    }\n";
    std::fs::write(&calls, text).map_err(|error| format!("{}: {error}", calls.display()))?;
    let ours = median(repeat, || clforge(&calls, "vulkan1.2", &programs, folder))?;
    print!("\nsin + pow + exp for Vulkan: {:.2} ms", milliseconds(ours.time));
    if peers {
        let clang = milliseconds(median(repeat, || peer(&plain, &programs, folder))?.time);
        print!("; budget {:.2} ms (vector_add by clang and llvm-spirv: {clang:.1} ms)", 60.0 / 10.0 * clang / 42.0);
    }
    println!();
    Ok(())
}

/// Modules for OpenCL as input: the largest program's, and one of about 3 MB, beside compiling the sources that they are from.
/// Reading is to cost less.
fn reading(repeat: usize, folder: &Path) -> Outcome {
    println!("\nModules for OpenCL translated for Vulkan, best of {repeat}; ratio: compiling the source over that");
    println!(
        "{:16} {:>9} {:>9} {:>10} {:>8} {:>10} {:>8} {:>7} {:>7}",
        "source", "source kB", "module kB", "compile ms", "MB", "transl. ms", "MB", "time x", "mem x"
    );
    let root = root().join("shaders-test/programs");
    let module = folder.join("reading.spv");
    let mut largest = (0, PathBuf::new());
    for path in files(&root, "cl")? {
        if clforge(&path, "opencl3.0", &root, folder).is_ok() {
            let size = size_of(&folder.join("ours.spv"))?;
            largest = if size > largest.0 { (size, path) } else { largest };
        }
    }
    reading_row(repeat, &largest.1, &root, folder, &module)?;
    let generated = folder.join("reading.cl");
    // Functions that a kernel reaches: what is not reached would be compiled for OpenCL, and not for Vulkan.
    for lines in (0..10).map(|doubling| 1000 << doubling) {
        std::fs::write(&generated, source(lines, Reach::All)).map_err(|error| error.to_string())?;
        clforge(&generated, "opencl3.0", folder, folder)?;
        if size_of(&folder.join("ours.spv"))? >= LARGE_MODULE {
            break;
        }
    }
    reading_row(repeat, &generated, folder, folder, &module)
}

/// A source, and the module for OpenCL that is made of it.
fn reading_row(repeat: usize, path: &Path, include: &Path, folder: &Path, module: &Path) -> Outcome {
    clforge(path, "opencl3.0", include, folder)?;
    std::fs::rename(folder.join("ours.spv"), module).map_err(|error| format!("{}: {error}", module.display()))?;
    let compiled = best(repeat, || clforge(path, "vulkan1.2", include, folder))?;
    let translated = best(repeat, || clforge(module, "vulkan1.2", include, folder))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let [source, module] = [size_of(path)?, size_of(module)?].map(|bytes| bytes as f64 / 1e3);
    println!(
        "{name:16} {source:>9.1} {module:>9.1} {} {} {:>7.2} {:>7.2}",
        cell(&Ok(compiled)),
        cell(&Ok(translated)),
        compiled.time.as_secs_f64() / translated.time.as_secs_f64(),
        compiled.memory as f64 / translated.memory.max(1) as f64
    );
    Ok(())
}

fn size_of(path: &Path) -> Result<u64, String> {
    path.metadata().map(|data| data.len()).map_err(|error| format!("{}: {error}", path.display()))
}

fn cell(figure: &Result<Figure, String>) -> String {
    match figure {
        Ok(figure) => format!("{:>10.2} {:>8.1}", milliseconds(figure.time), figure.memory as f64 / MEGABYTE),
        Err(_) => format!("{:>10} {:>8}", "failed", "-"),
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Doubling a source should double its time; the best of several runs, as the median of few is at the mercy of the rest
/// of the machine. `little`: one kernel reaches eight functions of the file.
fn growth(repeat: usize, peers: bool, folder: &Path) -> Outcome {
    for (reach, title) in [(Reach::All, "all functions reached"), (Reach::Little, "few functions reached")] {
        println!("\nGenerated source, {title}; growth: time over the line above");
        println!(
            "{:>8} {:>9} {:>10} {:>8} {:>7} {:>10} {:>8} {:>7} {:>14}",
            "lines", "kB", "vulkan ms", "MB", "growth", "opencl ms", "MB", "growth", "clang check ms"
        );
        let mut before: [Option<f64>; 2] = [None; 2];
        for lines in (0..7).map(|doubling| 1000 << doubling) {
            let text = source(lines, reach);
            let path = folder.join("generated.cl");
            std::fs::write(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
            print!("{:>8} {:>9.1}", text.lines().count(), text.len() as f64 / 1e3);
            let mut errors = Vec::new();
            for (target, before) in ["vulkan1.2", "opencl1.2"].iter().zip(&mut before) {
                let figure = best(repeat, || clforge(&path, target, folder, folder));
                let time = figure.as_ref().map(|figure| milliseconds(figure.time)).ok();
                let growth = time.zip(*before).map_or("-".into(), |(now, before)| format!("{:.2}", now / before));
                print!(" {} {growth:>7}", cell(&figure));
                *before = time;
                errors.extend(figure.err());
            }
            match best(repeat.min(3), || clang_check(&path)) {
                Ok(figure) if peers => println!(" {:>14.1}", milliseconds(figure.time)),
                _ => println!(),
            }
            errors.iter().for_each(|error| println!("    {error}"));
        }
    }
    Ok(())
}

/// The median time and the largest memory of several runs.
fn median(repeat: usize, once: impl Fn() -> Result<Figure, String>) -> Result<Figure, String> {
    let mut figures = (0..repeat).map(|_| once()).collect::<Result<Vec<Figure>, String>>()?;
    figures.sort_by_key(|figure| figure.time);
    let memory = figures.iter().map(|figure| figure.memory).max().unwrap_or(0);
    let middle = figures.get(figures.len() / 2).ok_or("nothing was measured")?;
    Ok(Figure { time: middle.time, memory })
}

/// The shortest time and its memory.
fn best(repeat: usize, once: impl Fn() -> Result<Figure, String>) -> Result<Figure, String> {
    let figures = (0..repeat).map(|_| once()).collect::<Result<Vec<Figure>, String>>()?;
    figures.into_iter().min_by_key(|figure| figure.time).ok_or_else(|| "nothing was measured".into())
}

/// Without validation: clang and llvm-spirv do none either.
fn clforge(path: &Path, target: &str, include: &Path, folder: &Path) -> Result<Figure, String> {
    let mut command = Command::new(built("clforge"));
    command.arg("compile").arg(path).args(["--no-validate", "--target", target]);
    command.arg("-I").arg(include).arg("-o").arg(folder.join("ours.spv"));
    measured(&mut command)
}

fn peer(path: &Path, include: &Path, folder: &Path) -> Result<Figure, String> {
    let (bitcode, module): (PathBuf, PathBuf) = (folder.join("peer.bc"), folder.join("peer.spv"));
    let mut clang = clang();
    clang.args(["-O2", "-emit-llvm", "-c"]).arg("-I").arg(include).arg(path).arg("-o").arg(&bitcode);
    let front = measured(&mut clang)?;
    let back = measured(Command::new(TRANSLATOR).arg(&bitcode).arg("-o").arg(&module))?;
    Ok(Figure { time: front.time + back.time, memory: front.memory.max(back.memory) })
}

fn clang_check(path: &Path) -> Result<Figure, String> {
    measured(clang().arg("-fsyntax-only").arg(path))
}

fn clang() -> Command {
    let mut command = Command::new(CLANG);
    command.args(["-target", "spir64", "-Xclang", "-finclude-default-header", "-cl-std=CL1.2"]);
    command
}

fn measured(command: &mut Command) -> Result<Figure, String> {
    let ended = run(command, None)?;
    if ended.code == Some(0) {
        return Ok(Figure { time: ended.wall, memory: ended.memory });
    }
    let program = command.get_program().to_string_lossy();
    let lines = || ended.errors.lines().filter(|line| !line.trim().is_empty());
    let line = lines().find(|line| line.contains("error")).or_else(|| lines().next()).unwrap_or("no message");
    Err(format!("{program}: {}", line.trim()))
}
