//! Whose mistake a wrong result on the OpenCL target is: LLVM's module of the same program, through the same driver,
//! tells. PoCL 3.1 for one gets some barriers in conditionals wrong from SPIR-V whoever wrote it.

use crate::backend::{Build, Executable};
use clforge_runtime::harness::opencl::compile_with_clang;

/// Whether the driver gets one of LLVM's modules of a program, without and with optimisation, wrong too; `right` judges
/// results. Where LLVM's programs are missing nothing is known, and it does not.
pub fn driver_errs(build: &Build, right: impl Fn(&Executable) -> bool) -> bool {
    let options = build.options();
    ["-O0", "-O1", "-O2"].iter().any(|level| {
        let options: Vec<&str> = options.split_whitespace().chain(["-w", *level]).collect();
        let module = compile_with_clang(&build.path, &options).ok().flatten();
        module.is_some_and(|words| Executable::opencl(&words).is_ok_and(|program| !right(&program)))
    })
}
