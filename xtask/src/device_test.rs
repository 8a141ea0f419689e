//! `cargo xtask device-test`: all end-to-end tests in a folder that can be copied to another machine.

use crate::Outcome;
use crate::process::{cargo, program_of, root, step, target_folder};
use std::process::Command;

/// How the tests are built and run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only make the folder.
    pub build_only: bool,
    /// Keep the results in the source tree, so that later runs are compared with them.
    pub keep: bool,
    /// The device, as for `clforge run`.
    pub device: Option<String>,
    /// In place of `release`.
    pub profile: Option<String>,
}

/// Builds, records the expectations, runs.
pub fn device_test(options: &Options) -> Outcome {
    let profile = options.profile.as_deref().unwrap_or("release");
    let folder = target_folder().join("device-test");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let program = folder.join(format!("device_test{}", std::env::consts::EXE_SUFFIX));

    let recorder = ["run", "--quiet", "-p", "shaders-test", "--bin", "record_oracle", "--"];
    let expected = folder.join("expected.json");
    let recorded = step("recording an OpenCL driver's results", cargo().args(recorder).arg(&expected));
    if let Err(message) = recorded {
        println!("    {message}: cases that are compared with them will be left out");
    }

    // Without the feature `opencl`: the other machine need not have its loader.
    let build = ["build", "-p", "shaders-test", "--no-default-features", "--bin", "device_test", "--profile"];
    step("building the tests", cargo().args(build).arg(profile))?;
    let from = program_of("device_test", profile);
    std::fs::copy(&from, &program).map_err(|error| format!("{}: {error}", from.display()))?;
    let size = std::fs::metadata(&program).map_or(0, |data| data.len());
    println!("==> {}: {} MB; carry the folder and run `./device_test`", folder.display(), size.div_ceil(1_000_000));
    if options.build_only {
        return Ok(());
    }

    let mut command = Command::new(&program);
    if options.keep {
        command.arg("--results").arg(root().join("shaders-test/results"));
    }
    if let Some(device) = &options.device {
        command.arg("--device").arg(device);
    }
    step("running the tests", &mut command)
}
