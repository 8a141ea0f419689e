//! `cargo xtask demo`: from a bare machine to results on a Vulkan device.

use crate::process::{built, cargo, root, status, step};
use crate::{Outcome, setup};
use std::process::Command;

/// The demo's exit code when there is no device.
const NO_DEVICE: i32 = 3;

/// Sets up, builds, runs.
pub fn demo() -> Outcome {
    setup::for_demo()?;
    step(
        "building the compiler, the runtime, the command and the demo (two to three minutes the first time)",
        cargo()
            .args(["build", "--release", "-p", "shaders-test", "-p", "clforge", "--no-default-features"])
            .args(["--bin", "demo", "--bin", "clforge"]),
    )?;
    println!("==> running the demo");
    let mut code = run()?;
    if code == Some(NO_DEVICE) {
        // A loader without a device that works: a driver for hardware that is not there, for example.
        println!("==> no device yet: trying Mesa's drivers");
        setup::install(setup::VULKAN)?;
        code = run()?;
    }
    match code {
        Some(0) => {
            println!("the command: {0} devices, {0} run --help", built("clforge").display());
            Ok(())
        }
        Some(NO_DEVICE) => Err("there is no Vulkan device, although Mesa's drivers are installed".into()),
        _ => Err("the demo failed".into()),
    }
}

fn run() -> Result<Option<i32>, String> {
    status(Command::new(built("demo")).current_dir(root()))
}
