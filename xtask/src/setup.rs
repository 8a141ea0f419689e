//! What the machine must have: found where it is, installed from the distribution where it can be, else explained.

use crate::Outcome;
use crate::process::{status, works};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Vulkan device for every machine: the loader and Mesa's drivers, lavapipe among them.
pub const VULKAN: &[&str] = &["mesa-vulkan-drivers", "libvulkan1"];
/// `spirv-val`.
pub const VALIDATOR: &[&str] = &["spirv-tools"];
/// What the tests need beyond these: validation layers, an OpenCL driver that takes SPIR-V by way of LLVM IR, and OpenCL's
/// loader, headers and Python interface for programs that use our own driver.
pub const TESTS: &[&str] = &[
    "vulkan-validationlayers",
    "pocl-opencl-icd",
    "ocl-icd-libopencl1",
    "opencl-c-headers",
    "python3-pyopencl",
    "python3-mako",
    TRANSLATOR,
];

/// What the tests and measurements compare with, where it is installed: clang's and the translator's names, which are
/// those of their packages too.
pub const CLANG: &str = "clang-15";
pub const TRANSLATOR: &str = "llvm-spirv-15";

/// The library that the accuracy of functions is measured against.
pub const MPFR: &[&str] = &["libgmp-dev", "libmpfr-dev"];

/// Makes sure that the demo can validate and find a Vulkan device of some kind.
pub fn for_demo() -> Outcome {
    let mut packages = Vec::new();
    if !has_vulkan() {
        packages.extend(VULKAN);
    }
    if !works("spirv-val", &["--version"]) {
        packages.extend(VALIDATOR);
    }
    install(&packages)
}

/// Makes sure that the tests find everything.
pub fn for_tests() -> Outcome {
    let packages: Vec<&str> = [VULKAN, VALIDATOR, TESTS].concat();
    if !works("dpkg-query", &["--version"]) {
        println!("    this is not a Debian system: the tests expect the equivalents of {}", packages.join(" "));
        return Ok(());
    }
    install(&packages)
}

/// clang, under whatever name it has here.
pub fn clang() -> Result<&'static str, String> {
    let found = [CLANG, "clang"].into_iter().find(|name| works(name, &["--version"]));
    found.ok_or_else(|| format!("clang is needed: install {CLANG}"))
}

/// Makes sure that the accuracy of functions can be measured.
pub fn for_accuracy(opencl: bool) -> Outcome {
    let packages = [MPFR, if has_vulkan() { &[] } else { VULKAN }, if opencl { TESTS } else { &[] }].concat();
    if !works("dpkg-query", &["--version"]) {
        println!("    this is not a Debian system: the equivalents of {} are expected", packages.join(" "));
        return Ok(());
    }
    install(&packages)
}

/// rustfmt and clippy, which a minimal toolchain lacks.
pub fn rust_components() -> Outcome {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let present = crate::process::cargo().args([subcommand, "--version"]).output();
        if present.is_ok_and(|run| run.status.success()) {
            continue;
        }
        crate::process::step(
            &format!("installing {component}"),
            Command::new("rustup").args(["component", "add", component]),
        )?;
    }
    Ok(())
}

/// Installs those of `packages` that are not there.
pub fn install(packages: &[&str]) -> Outcome {
    let missing: Vec<&str> = packages.iter().copied().filter(|package| !installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("please run: sudo apt-get install {}", missing.join(" "));
    if !works("apt-get", &["--version"]) {
        return Err(format!(
            "missing on this machine: {}. There is no apt-get to install it; \
             please install your distribution's equivalents of these Debian packages",
            missing.join(" ")
        ));
    }
    let Some(prefix) = as_root() else {
        return Err(format!("missing on this machine: {}; {by_hand}", missing.join(" ")));
    };
    println!("==> installing {}", missing.join(" "));
    let apt = |arguments: &[&str]| {
        let words = prefix.iter().chain(&["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]).chain(arguments);
        let words: Vec<&&str> = words.collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        status(&mut command)
    };
    // A failing update is not the end: the lists may be good enough.
    apt(&["-q", "update"])?;
    let arguments = [&["-q", "-y", "--no-install-recommends", "install"], &missing[..]].concat();
    match apt(&arguments)? {
        Some(0) => Ok(()),
        _ => Err(format!("apt-get did not install {}; {by_hand}", missing.join(" "))),
    }
}

/// What to put before a command to run it as root; nothing for root itself.
fn as_root() -> Option<&'static [&'static str]> {
    let id = Command::new("id").arg("-u").output().ok()?;
    if id.stdout.trim_ascii() == b"0" {
        return Some(&[]);
    }
    works("sudo", &["-n", "true"]).then_some(&["sudo", "-n"])
}

fn installed(package: &str) -> bool {
    let query = Command::new("dpkg-query").args(["-W", "-f", "${db:Status-Status}", package]).output();
    query.is_ok_and(|run| run.stdout.starts_with(b"installed"))
}

/// A loader and at least one driver's description; whether a device answers is seen later.
fn has_vulkan() -> bool {
    let cache = ["/sbin/ldconfig", "ldconfig"].iter().find_map(|name| Command::new(name).arg("-p").output().ok());
    let listed = cache.is_some_and(|run| String::from_utf8_lossy(&run.stdout).contains("libvulkan.so.1"));
    let folders =
        ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"];
    let loader = listed || folders.iter().any(|folder| Path::new(folder).join("libvulkan.so.1").exists());
    loader && (named_drivers() || driver_folders().iter().any(|folder| has_json(folder)))
}

fn named_drivers() -> bool {
    ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "VK_ADD_DRIVER_FILES"].iter().any(|name| std::env::var_os(name).is_some())
}

/// Where the Vulkan loader looks for drivers on Linux.
fn driver_folders() -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> =
        ["/usr/local/etc", "/usr/local/share", "/etc", "/usr/share"].map(PathBuf::from).into();
    if let Some(home) = std::env::var_os("HOME") {
        roots.push(Path::new(&home).join(".local/share"));
        roots.push(Path::new(&home).join(".config"));
    }
    roots.iter().map(|root| root.join("vulkan/icd.d")).collect()
}

fn has_json(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.filter_map(Result::ok).any(|entry| entry.path().extension().is_some_and(|e| e == "json"))
}
