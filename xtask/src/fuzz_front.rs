//! `cargo xtask fuzz-front`: libFuzzer on the compiler's stages, one after another, from our own cases and other sources.
//!
//! The binaries need neither Rust nor this repository: `TARGET CORPUS SEEDS -max_total_time=…` runs anywhere.

use crate::Outcome;
use crate::process::{cargo, files, root, status, step, works};
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGETS: [&str; 6] = ["preprocess", "parse", "sema", "compile_vulkan", "compile_opencl", "read_spirv"];
/// Longer sources teach a fuzzer nothing.
const MAX_SEED: u64 = 16 << 10;
/// All seeds together, so that they can be taken to another machine.
const MAX_SEEDS: u64 = 20 << 20;

/// Fuzzes each target for some minutes; an error names the inputs that were found.
pub fn fuzz_front(minutes: u64, targets: &[String], seeds: &[PathBuf]) -> Outcome {
    if let Some(unknown) = targets.iter().find(|target| !TARGETS.contains(&target.as_str())) {
        return Err(format!("there is no target '{unknown}'; there are: {}", TARGETS.join(", ")));
    }
    if !works("cargo-fuzz", &["--version"]) {
        return Err("cargo-fuzz is missing: cargo install cargo-fuzz".into());
    }
    let folder = root().join("compiler/fuzz");
    let mut build = cargo();
    build.args(["fuzz", "build", "--sanitizer", "none", "--fuzz-dir"]).arg(&folder);
    step("building the fuzz targets", &mut build)?;
    let own = ["shaders-test", "compiler/tests", "compiler/library/src/cl"].map(|path| root().join(path));
    let seed_folder = folder.join("target/corpus/seeds");
    let count = gather(own.iter().chain(seeds), &seed_folder)?;
    println!("{count} seeds in {}", seed_folder.display());
    let mut found = Vec::new();
    for target in TARGETS.iter().filter(|name| targets.is_empty() || targets.iter().any(|wanted| wanted == *name)) {
        if !run(&folder, target, &seed_folder, minutes * 60)? {
            found.push(format!("{}/target/artifacts/{target}", folder.display()));
        }
    }
    if found.is_empty() { Ok(()) } else { Err(format!("inputs that break the compiler are in {}", found.join(", "))) }
}

/// Copies small sources below folders into one; the number of them.
fn gather<'f>(folders: impl Iterator<Item = &'f PathBuf>, to: &Path) -> Result<usize, String> {
    let with_path = |error: std::io::Error| format!("{}: {error}", to.display());
    std::fs::create_dir_all(to).map_err(with_path)?;
    let (mut count, mut total) = (0, 0);
    for folder in folders {
        for path in files(folder, "cl")?.into_iter().chain(files(folder, "h")?) {
            let size = path.metadata().map_or(u64::MAX, |data| data.len());
            if size > MAX_SEED || size > MAX_SEEDS - total {
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            std::fs::copy(&path, to.join(format!("{count:05}-{name}"))).map_err(with_path)?;
            count += 1;
            total += size;
        }
    }
    Ok(count)
}

/// Whether a target holds out.
fn run(folder: &Path, target: &str, seeds: &Path, seconds: u64) -> Result<bool, String> {
    let (corpus, artifacts) = (folder.join("target/corpus").join(target), folder.join("target/artifacts").join(target));
    for path in [&corpus, &artifacts] {
        std::fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let mut command = Command::new("nice");
    command.args(["-n", "19"]).arg(binary(folder, target)?).arg(corpus).arg(seeds);
    command.args(["-timeout=10", "-rss_limit_mb=2048", "-max_len=16384", "-print_final_stats=1"]);
    command.arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-artifact_prefix={}/", artifacts.display()));
    command.arg(format!("-dict={}", folder.join("opencl.dict").display()));
    println!("fuzzing {target} for {seconds} s");
    Ok(status(&mut command)? == Some(0))
}

/// The binary of a target: cargo-fuzz builds below a folder named like the host.
fn binary(folder: &Path, target: &str) -> Result<PathBuf, String> {
    let hosts = std::fs::read_dir(folder.join("target")).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut candidates = hosts.flatten().map(|host| host.path().join("release").join(target));
    candidates.find(|path| path.is_file()).ok_or_else(|| format!("no binary of '{target}' below {}", folder.display()))
}
