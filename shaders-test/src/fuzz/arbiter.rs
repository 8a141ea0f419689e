//! Whose mistake a wrong result on the OpenCL target is: LLVM's module of the same program, through the same driver,
//! tells. PoCL 3.1 for one gets some barriers in conditionals wrong from SPIR-V whoever wrote it.

use crate::backend::{Build, Executable};
use std::path::Path;
use std::process::Command;

/// The compilers and the translators from LLVM IR to look for.
const CLANG: [&str; 2] = ["clang-15", "clang"];
const TRANSLATORS: [&str; 2] = ["llvm-spirv-15", "llvm-spirv"];

/// LLVM's module of a program, without and with optimisation; none where the tools are missing.
pub fn modules(build: &Build) -> Vec<Vec<u32>> {
    ["-O0", "-O1", "-O2"].iter().filter_map(|level| module(build, level)).collect()
}

fn module(build: &Build, level: &str) -> Option<Vec<u32>> {
    let folder = tempfile::tempdir().ok()?;
    let (bitcode, spirv) = (folder.path().join("program.bc"), folder.path().join("program.spv"));
    let mut clang = vec!["-x", "cl", "-target", "spir64", "-Xclang", "-finclude-default-header", "-w", level];
    let options = build.options();
    clang.extend(options.split_whitespace());
    clang.extend(["-emit-llvm", "-c", "-o"]);
    run(&CLANG, &clang, &[&bitcode, &build.path])?;
    run(&TRANSLATORS, &["-o"], &[&spirv, &bitcode])?;
    let bytes = std::fs::read(&spirv).ok()?;
    Some(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
}

/// Runs the first of the programs that is installed.
fn run(programs: &[&str], arguments: &[&str], files: &[&Path]) -> Option<()> {
    let mut runs = programs.iter().map(|name| Command::new(name).args(arguments).args(files).output());
    runs.find_map(Result::ok).filter(|output| output.status.success()).map(|_| ())
}

/// Whether the driver gets one of LLVM's modules wrong too; `right` judges results.
pub fn driver_errs(build: &Build, right: impl Fn(&Executable) -> bool) -> bool {
    modules(build).iter().any(|words| Executable::opencl(words).is_ok_and(|program| !right(&program)))
}
