//! `cargo xtask drivers`: pipelines of all cases, programs and benchmarks on every Vulkan driver of the machine.

use crate::Outcome;
use crate::process::{cargo, program_of, status, step};
use std::path::Path;
use std::process::Command;

/// Mesa's driver for AMD's GPUs, which compiles without one.
const RADV: [&str; 2] = ["/usr/share/vulkan/icd.d/radeon_icd.x86_64.json", "/usr/share/vulkan/icd.d/radeon_icd.json"];
/// The GPUs that every test compiles for: one with arithmetic on halves, and one without.
const GPUS: &str = "navi21,polaris10";

/// The exit code of the program where no driver has a device.
const NO_DEVICE: i32 = 3;

/// Builds the program and runs it; `arguments` are those of `shaders-test/src/bin/drivers/`.
pub fn drivers(arguments: &[String]) -> Outcome {
    let build = ["run", "--quiet", "--release", "--package", "shaders-test", "--bin", "drivers", "--"];
    step("pipelines on all drivers", cargo().args(build).args(arguments))
}

/// Pipelines for GPUs of AMD, where Mesa's driver for them is installed. The program is built already.
pub fn check(profile: &str) -> Outcome {
    let Some(driver) = RADV.into_iter().find(|path| Path::new(path).is_file()) else {
        println!("==> no driver for AMD's GPUs: pipelines for them are left out");
        return Ok(());
    };
    let mut command = Command::new(program_of("drivers", profile));
    let title = "pipelines for AMD's GPUs";
    println!("==> {title}");
    match status(command.args(["--driver", driver, "--gpus", GPUS]))? {
        Some(0) => Ok(()),
        Some(NO_DEVICE) => {
            println!("==> the driver has no device here: {title} are left out");
            Ok(())
        }
        code => Err(format!("{title}: exit code {code:?}")),
    }
}
