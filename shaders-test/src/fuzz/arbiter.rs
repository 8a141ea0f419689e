//! Decides whether a wrong result on the OpenCL target is a defect of the driver or ours, when the Vulkan module of the
//! same IR gives the right result. It is the driver's if the driver executes LLVM's module of the program wrongly too,
//! or if it executes ours correctly without its optimiser, or after one of LLVM's passes that only change the form.
//! From SPIR-V, PoCL 3.1 miscompiles some barriers in conditionals, vectors of conditions that live across barriers,
//! and loops in cases of a `switch` before a barrier.

use crate::backend::{Build, Executable, UNOPTIMISED};
use clforge_compiler::options::ClStd;
use clforge_harness::opencl::{Runner, compile_with_clang, transform};

/// LLVM's passes that give a module another form: no `switch`, joined blocks, variables in place of phis.
pub const FORMS: [&str; 3] = ["lowerswitch", "simplifycfg", "reg2mem"];

/// What shows the driver to be to blame for the results of our module, `ours`, if anything does; `right` judges results.
/// Where LLVM's programs are missing and its optimiser makes no difference nothing is known.
pub fn driver_errs(
    driver: &Runner,
    build: &Build,
    ours: &[u32],
    right: impl Fn(&Executable) -> bool,
) -> Option<String> {
    let execute = |words: &[u32]| Executable::opencl_with(driver, words, "");
    if Executable::opencl_with(driver, ours, UNOPTIMISED).is_ok_and(|program| right(&program)) {
        return Some("right without its optimiser".into());
    }
    let again = |pass: &&str| form(ours, pass).is_some_and(|words| execute(&words).is_ok_and(|it| right(&it)));
    if let Some(pass) = FORMS.into_iter().find(|pass| again(pass)) {
        return Some(format!("right after {pass}"));
    }
    let wrong = |words: Vec<u32>| execute(&words).is_ok_and(|program| !right(&program));
    llvm_modules(build, Reader::Reference).into_iter().any(wrong).then(|| "LLVM's module is wrong too".into())
}

/// No generic pointers, which PoCL 3.1 lacks, and nothing that needs them.
const NO_GENERIC: &str = "-cl-ext=-__opencl_c_generic_address_space,-__opencl_c_pipes,-__opencl_c_device_enqueue";

/// Who reads a module of LLVM's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// The OpenCL driver. Programs then put local pointers into global ones through integers, which processors alone allow.
    Reference,
    /// We do.
    Ours,
}

/// LLVM's modules of a program, without and with optimisation; none where its programs are missing.
pub fn llvm_modules(build: &Build, reader: Reader) -> Vec<Vec<u32>> {
    let options = build.options();
    let lacks_generic = build.std == Some(ClStd::CL3_0) && reader == Reader::Reference;
    let features: &[&str] = if lacks_generic { &["-Xclang", NO_GENERIC] } else { &[] };
    let module = |level| {
        let options = options.split_whitespace().chain(features.iter().copied()).chain(["-w", level]);
        let options: Vec<&str> = options.collect();
        compile_with_clang(&build.path, &options).ok().flatten()
    };
    ["-O0", "-O1", "-O2"].into_iter().filter_map(module).collect()
}

/// Our module in the form that one of LLVM's passes gives it; `None` where LLVM's programs are missing or fail.
pub fn form(ours: &[u32], pass: &str) -> Option<Vec<u32>> {
    transform(ours, pass).ok().flatten()
}
