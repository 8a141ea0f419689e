//! `clforge --version --verbose`: the facts that a report of a defect needs.

use crate::crash;
use clforge_compiler::Target;
use clforge_compiler::options::ClStd;
use clforge_runtime::{DeviceInfo, Instance, InstanceOptions};
use std::ffi::OsString;

/// Whether the command line asks for the version and for all that belongs to it, and for nothing else.
pub fn is_wanted(words: &[OsString]) -> bool {
    let words: Option<Vec<&str>> = words.iter().skip(1).map(|word| word.to_str()).collect();
    match words.as_deref() {
        Some([one]) => ["-vV", "-Vv"].contains(one),
        Some([a, b]) => {
            let is_one = |names: [&str; 2], word: &str| names.contains(&word);
            let (version, verbose) = (["--version", "-V"], ["--verbose", "-v"]);
            (is_one(version, a) && is_one(verbose, b)) || (is_one(verbose, a) && is_one(version, b))
        }
        _ => false,
    }
}

/// The versions of the command, of what it compiles, and of the drivers on this machine with the workarounds that sources
/// compiled for them get.
pub fn text() -> String {
    let languages: Vec<String> = ClStd::ALL.iter().map(ClStd::to_string).collect();
    let mut text = format!(
        "clforge {}\ncompiler: OpenCL C ({}) for {}\nhost: {} {}\n",
        env!("CARGO_PKG_VERSION"),
        languages.join(", "),
        Target::NAMES.join(", "),
        std::env::consts::ARCH,
        std::env::consts::OS,
    );
    crash::driver_in_use();
    match Instance::new(InstanceOptions::from_env()).and_then(|instance| instance.devices()) {
        Ok(devices) => text.extend(devices.iter().map(device)),
        Err(error) => text += &format!("devices: none: {error}\n"),
    }
    text
}

fn device(device: &DeviceInfo) -> String {
    let DeviceInfo { index, name, driver, api_version, workarounds, tuning, .. } = device;
    let mut text = format!("device {index}: {name}, Vulkan {api_version}, driver {driver}\n");
    text += &format!("    workarounds: {workarounds}\n    tuning: {tuning}\n");
    text.extend(device.warnings().map(|warning| format!("    defect: {warning}\n")));
    text
}
