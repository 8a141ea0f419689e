//! `cargo xtask bench device`: kernels and costs of the runtime beside every OpenCL driver, in a program that can be
//! copied to another machine.

use crate::Outcome;
use crate::process::{cargo, program_of, root, step, target_folder};
use std::process::Command;

/// Builds the program and runs it with `options`. `keep`: the results are kept in the source tree, and the document written.
pub fn device_bench(build_only: bool, keep: bool, profile: Option<&str>, options: &[String]) -> Outcome {
    let profile = profile.unwrap_or("release");
    let folder = target_folder().join("device-bench");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let program = folder.join(format!("device_bench{}", std::env::consts::EXE_SUFFIX));
    // With the feature `opencl`: libOpenCL is loaded when it is there.
    let build = ["build", "-p", "shaders-test", "--bin", "device_bench", "--profile"];
    step("building the program", cargo().args(build).arg(profile))?;
    let from = program_of("device_bench", profile);
    std::fs::copy(&from, &program).map_err(|error| format!("{}: {error}", from.display()))?;
    let size = std::fs::metadata(&program).map_or(0, |data| data.len());
    println!("==> {}: {} MB; carry it and run `./device_bench`", program.display(), size.div_ceil(1_000_000));
    if build_only {
        return Ok(());
    }
    let results = root().join("shaders-test/results/device-bench");
    let mut command = Command::new(&program);
    if keep {
        command.arg("--results").arg(&results);
    }
    step("measuring", command.args(options))?;
    if keep {
        let mut command = Command::new(&program);
        command.arg("--results").arg(&results).arg("--document").arg(root().join("docs/performance.md"));
        step("writing docs/performance.md", &mut command)?;
    }
    Ok(())
}
