//! Whose mistake a wrong result on the OpenCL target is, when the Vulkan module of the same IR gives the right one: the
//! driver's, if it gets LLVM's module of the program wrong too, or if it gets ours right without its optimiser. PoCL 3.1
//! for one gets some barriers in conditionals, and vectors of conditions that live across barriers, wrong from SPIR-V.

use super::check::UNOPTIMISED;
use crate::backend::{Build, Executable};
use clforge_runtime::harness::opencl::compile_with_clang;

/// Whether the driver is to blame for the results of our module, `ours`; `right` judges results. Where LLVM's programs are
/// missing and its optimiser makes no difference nothing is known, and it is not.
pub fn driver_errs(build: &Build, ours: &[u32], right: impl Fn(&Executable) -> bool) -> bool {
    if Executable::opencl_with(ours, UNOPTIMISED).is_ok_and(|program| right(&program)) {
        return true;
    }
    llvm_modules(build).iter().any(|words| Executable::opencl(words).is_ok_and(|program| !right(&program)))
}

/// LLVM's modules of a program, without and with optimisation; none where its programs are missing.
pub fn llvm_modules(build: &Build) -> Vec<Vec<u32>> {
    let options = build.options();
    let module = |level| {
        let options: Vec<&str> = options.split_whitespace().chain(["-w", level]).collect();
        compile_with_clang(&build.path, &options).ok().flatten()
    };
    ["-O0", "-O1", "-O2"].into_iter().filter_map(module).collect()
}
