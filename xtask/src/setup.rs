//! The programs and libraries that the machine must have. Those that are missing are installed from the distribution,
//! or named in a message.

use crate::Outcome;
use crate::process::{cargo, status, step, target_folder, works};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Vulkan device for every machine: the loader and Mesa's drivers, lavapipe among them.
pub const VULKAN: &[&str] = &["mesa-vulkan-drivers", "libvulkan1"];
/// `spirv-val`.
pub const VALIDATOR: &[&str] = &["spirv-tools"];
/// What the tests need beyond these: validation layers, an OpenCL driver that takes SPIR-V by way of LLVM IR, and OpenCL's
/// loader, headers and Python interface for programs that use our own driver; what programs in C are built and checked by;
/// EGL with an OpenGL that needs no window system, and an X server without a screen.
pub const TESTS: &[&str] = &[
    "vulkan-validationlayers",
    "pocl-opencl-icd",
    "ocl-icd-libopencl1",
    "opencl-c-headers",
    "python3-pyopencl",
    "python3-mako",
    "cmake",
    "meson",
    "ninja-build",
    "libvulkan-dev",
    "pkgconf",
    "valgrind",
    "libegl1",
    "libegl-mesa0",
    "libgl1",
    "libgl1-mesa-dri",
    "xvfb",
    TRANSLATOR,
];

/// A crate that has the header of the Vulkan Memory Allocator inside, and its version: older distributions have no
/// package of that header.
const ALLOCATOR: (&str, &str) = ("vk-mem", "0.5.0");
const ALLOCATOR_HEADER: &str = "vendor/VulkanMemoryAllocator/include/vk_mem_alloc.h";

/// What the tests and measurements compare with, where it is installed: clang's and the translator's names, which are
/// those of their packages too.
pub const CLANG: &str = "clang-15";
pub const TRANSLATOR: &str = "llvm-spirv-15";

/// The browser that the example for WebGPU is tested in; the first name is that of its package, too.
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

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

/// Makes sure that `examples/vulkan-cpp/` finds the header of the Vulkan Memory Allocator: the system's, or a copy in
/// `target/vma/`. Cargo fetches the crate that has it, of which nothing is built.
pub fn memory_allocator() -> Outcome {
    const HEADER: &str = "vk_mem_alloc.h";
    let folder = target_folder().join("vma");
    let installed =
        [Path::new("/usr/include"), Path::new("/usr/include/vma"), Path::new("/usr/local/include"), &folder];
    if installed.iter().any(|folder| folder.join(HEADER).is_file()) {
        return Ok(());
    }
    let failed = |what: &Path, error: std::io::Error| format!("{}: {error}", what.display());
    let sources = folder.join("src");
    std::fs::create_dir_all(&sources).map_err(|error| failed(&sources, error))?;
    let (name, version) = ALLOCATOR;
    let manifest = format!(
        "[package]\nname = \"vma\"\nedition = \"2024\"\n\n[dependencies]\n{name} = \"={version}\"\n\n[workspace]\n"
    );
    for (file, text) in [(folder.join("Cargo.toml"), manifest.as_str()), (sources.join("lib.rs"), "")] {
        std::fs::write(&file, text).map_err(|error| failed(&file, error))?;
    }
    let vendored = folder.join("vendored");
    let mut vendor = cargo();
    vendor.arg("vendor").arg("--quiet").arg("--manifest-path").arg(folder.join("Cargo.toml")).arg(&vendored);
    step("fetching the header of the Vulkan Memory Allocator", &mut vendor).map_err(|message| {
        format!("{message}; {HEADER} may also be installed (Debian 13: libvulkan-memory-allocator-dev)")
    })?;
    let header = vendored.join(name).join(ALLOCATOR_HEADER);
    std::fs::copy(&header, folder.join(HEADER)).map_err(|error| failed(&header, error))?;
    std::fs::remove_dir_all(&vendored).map_err(|error| failed(&vendored, error))
}

/// clang, under whatever name it has here.
pub fn clang() -> Result<&'static str, String> {
    let found = [CLANG, "clang"].into_iter().find(|name| works(name, &["--version"]));
    found.ok_or_else(|| format!("clang is needed: install {CLANG}"))
}

/// Chromium, under whatever name it has here. Debian's package is installed where there is none.
pub fn chromium() -> Result<&'static str, String> {
    let found = || CHROMIUM.into_iter().find(|name| works(name, &["--version"]));
    if let Some(name) = found() {
        return Ok(name);
    }
    install(&CHROMIUM[..1])?;
    found().ok_or_else(|| format!("{} does not start", CHROMIUM[0]))
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
        let present = cargo().args([subcommand, "--version"]).output();
        if present.is_ok_and(|run| run.status.success()) {
            continue;
        }
        step(&format!("installing {component}"), Command::new("rustup").args(["component", "add", component]))?;
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
    println!("==> missing on this machine: {}", missing.join(" "));
    let apt = |arguments: &[&str]| {
        let words = prefix.iter().chain(&["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]).chain(arguments);
        let words: Vec<&&str> = words.collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    };
    // A failing update is not the end: the lists may be good enough.
    status(&mut apt(&["-q", "update"]))?;
    let arguments = [&["-q", "-y", "--no-install-recommends", "install"], &missing[..]].concat();
    let simulated = apt(&[&["-s"], &arguments[..]].concat()).output();
    let simulated = simulated.map_or_else(|_| String::new(), |run| String::from_utf8_lossy(&run.stdout).into_owned());
    let changes = Changes::of(&simulated);
    if !changes.are_wanted() {
        return Err(format!("nothing was installed; {by_hand}"));
    }
    match status(&mut apt(&arguments))? {
        Some(0) => Ok(()),
        _ => Err(format!("apt-get did not install {}; {by_hand}", missing.join(" "))),
    }
}

/// What apt-get would do to the machine.
#[derive(Debug, Default, PartialEq, Eq)]
struct Changes {
    /// Names and versions.
    installed: Vec<String>,
    /// Names, and versions before and after.
    upgraded: Vec<String>,
    removed: Vec<String>,
}

impl Changes {
    /// Reads what `apt-get -s install` prints: `Inst NAME [OLD] (NEW …)`, `Remv NAME …`.
    fn of(simulated: &str) -> Changes {
        let mut changes = Changes::default();
        for line in simulated.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let version = |word: &str| word.trim_matches(['[', ']', '(', ')']).to_owned();
            match words[..] {
                ["Inst", name, old, new, ..] if old.starts_with('[') => {
                    changes.upgraded.push(format!("{name} from {} to {}", version(old), version(new)));
                }
                ["Inst", name, new, ..] => changes.installed.push(format!("{name} {}", version(new))),
                ["Remv", name, ..] => changes.removed.push(name.into()),
                _ => {}
            }
        }
        changes
    }

    /// Says what will be done. Where somebody can answer, what changes packages that are there is done with their consent only.
    fn are_wanted(&self) -> bool {
        for (what, packages) in
            [("installing", &self.installed), ("upgrading", &self.upgraded), ("removing", &self.removed)]
        {
            if !packages.is_empty() {
                println!("==> {what} {}", packages.join(", "));
            }
        }
        if (self.upgraded.is_empty() && self.removed.is_empty()) || !std::io::stdin().is_terminal() {
            return true;
        }
        print!("this changes packages that are installed; go on? [y/N] ");
        let mut answer = String::new();
        let read = std::io::stdout().flush().and_then(|()| std::io::stdin().read_line(&mut answer));
        read.is_ok() && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_apt_would_do() {
        let simulated = "Reading package lists...\nRemv mesa-old [22.3]\n\
            Inst libllvm15 [1:15.0.6-3] (1:15.0.6-4+b1 Debian:12.1/stable [amd64])\n\
            Inst spirv-tools (2023.1-2 Debian:12.1/stable [amd64]) []\nConf spirv-tools (2023.1-2 Debian:12.1/stable)\n";
        let wanted = Changes {
            installed: vec!["spirv-tools 2023.1-2".into()],
            upgraded: vec!["libllvm15 from 1:15.0.6-3 to 1:15.0.6-4+b1".into()],
            removed: vec!["mesa-old".into()],
        };
        assert_eq!(Changes::of(simulated), wanted);
        assert_eq!(Changes::of(""), Changes::default());
    }
}
