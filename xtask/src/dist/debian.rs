//! Packages for Debian: `clforge`, the command; `clforge-opencl-icd`, the OpenCL driver; `libclforge0` and `libclforge-dev`, the
//! compiler for C and C++.

use super::{Parts, copy, copy_documents, copy_tree, licences, output, write};
use crate::capi;
use crate::process::{root, step, works};
use crate::release::{GLIBC, Release};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who maintains the packages.
const MAINTAINER: &str = "The clforge developers <maintainers@clforge.invalid>";
/// lintian's complaints that do not apply: packages are not uploaded to Debian, so that no bug of Debian is closed, and what is
/// built in is Rust's.
const SUPPRESSED: &str = "initial-upload-closes-no-bugs,embedded-library,hardening-no-pie,custom-library-search-path";

/// A package.
struct Package {
    name: &'static str,
    section: &'static str,
    depends: String,
    recommends: &'static str,
    provides: &'static str,
    /// Whether several architectures may have it installed at the same time.
    is_library: bool,
    synopsis: &'static str,
    description: &'static str,
}

/// Makes the packages, and has lintian check them where it is installed.
pub fn packages(release: &Release, folder: &Path, parts: &Parts) -> Result<Vec<PathBuf>, String> {
    let stage = folder.join("debian");
    let staged = [command, driver, library, development].map(|describe| describe(parts, &stage));
    let staged = staged.into_iter().collect::<Result<Vec<_>, String>>()?;
    let made = staged.iter().map(|(package, stage)| build(release, folder, parts, package, stage));
    let made = made.collect::<Result<Vec<_>, _>>()?;
    std::fs::remove_dir_all(&stage).map_err(|error| format!("{}: {error}", stage.display()))?;
    check(&made)?;
    Ok(made)
}

/// A package, and the folder with its files.
type Staged = Result<(Package, PathBuf), String>;

/// What all packages need.
fn depends() -> String {
    format!("libc6 (>= {}.{})", GLIBC.0, GLIBC.1)
}

/// The folder of libraries, as Debian has one for each architecture.
fn libraries() -> String {
    format!("lib/{}-linux-gnu", std::env::consts::ARCH)
}

fn command(parts: &Parts, stage: &Path) -> Staged {
    let package = Package {
        name: "clforge",
        section: "devel",
        depends: depends(),
        recommends: "libvulkan1, mesa-vulkan-drivers | vulkan-icd, spirv-tools",
        provides: "",
        is_library: false,
        synopsis: "compiler for OpenCL C to SPIR-V that runs kernels on Vulkan",
        description: " clforge compiles OpenCL C to SPIR-V, for Vulkan or for OpenCL, and runs\n kernels on any Vulkan device.\n",
    };
    let stage = stage.join(package.name);
    copy(&parts.command, &stage.join("usr/bin/clforge"), 0o755)?;
    copy_tree(&parts.manual.join("share"), &stage.join("usr/share"))?;
    move_completions(&stage)?;
    copy_documents(&stage.join("usr/share/doc/clforge"))?;
    compress(&stage.join("usr/share/man/man1"))?;
    Ok((package, stage))
}

fn driver(parts: &Parts, stage: &Path) -> Staged {
    let package = Package {
        name: "clforge-opencl-icd",
        section: "libs",
        depends: format!("{}, libvulkan1, ocl-icd-libopencl1 | libopencl1", depends()),
        recommends: "mesa-vulkan-drivers | vulkan-icd",
        provides: "opencl-icd",
        is_library: false,
        synopsis: "OpenCL driver on any Vulkan device",
        description: " With this driver, programs that use OpenCL run on every device that has a\n driver for Vulkan.\n",
    };
    let stage = stage.join(package.name);
    let library = format!("/usr/{}/clforge/libclforge_opencl.so", libraries());
    copy(&parts.driver, &stage.join(library.trim_start_matches('/')), 0o644)?;
    write(&stage.join("etc/OpenCL/vendors/clforge.icd"), format!("{library}\n").as_bytes())?;
    write(&stage.join("DEBIAN/conffiles"), b"/etc/OpenCL/vendors/clforge.icd\n")?;
    Ok((package, stage))
}

fn library(parts: &Parts, stage: &Path) -> Staged {
    let package = Package {
        name: "libclforge0",
        section: "libs",
        depends: depends(),
        recommends: "",
        provides: "",
        is_library: true,
        synopsis: "compiler for OpenCL C to SPIR-V, as a library",
        description: " Programs compile, link and inspect kernels in OpenCL C with this library,\n \
                      which needs no other program.\n",
    };
    let stage = stage.join(package.name);
    copy(&parts.library, &stage.join("usr").join(libraries()).join("libclforge.so.0"), 0o644)?;
    let version = format!("libclforge 0 libclforge0 (>= {})\n", env!("CARGO_PKG_VERSION"));
    write(&stage.join("DEBIAN/shlibs"), version.as_bytes())?;
    write(&stage.join("DEBIAN/triggers"), b"activate-noawait ldconfig\n")?;
    Ok((package, stage))
}

fn development(parts: &Parts, stage: &Path) -> Staged {
    let package = Package {
        name: "libclforge-dev",
        section: "libdevel",
        depends: format!("libclforge0 (= {}), clforge", version()),
        recommends: "",
        provides: "",
        is_library: true,
        synopsis: "compiler for OpenCL C to SPIR-V, files for development",
        description: " The header clforge.h, and what pkg-config and CMake need to find the library\n \
                      and to compile kernels when a program is built.\n",
    };
    let stage = stage.join(package.name);
    capi::install(&parts.library, &stage, Path::new("/usr"), &libraries())?;
    let shared = stage.join("usr").join(libraries()).join("libclforge.so.0");
    std::fs::remove_file(&shared).map_err(|error| format!("{}: {error}", shared.display()))?;
    Ok((package, stage))
}

/// The version of the packages.
fn version() -> String {
    format!("{}-1", env!("CARGO_PKG_VERSION"))
}

fn build(release: &Release, folder: &Path, parts: &Parts, package: &Package, stage: &Path) -> Result<PathBuf, String> {
    let version = version();
    let documents = stage.join("usr/share/doc").join(package.name);
    write(&documents.join("copyright"), copyright(&parts.licences).as_bytes())?;
    let date = output(Command::new("date").args(["-u", "-R", "-d"]).arg(format!("@{}", release.epoch)))?;
    let log = format!(
        "{} ({version}) unstable; urgency=medium\n\n  * New release.\n\n -- {MAINTAINER}  {date}",
        package.name
    );
    write(&documents.join("changelog.Debian"), log.as_bytes())?;
    compress(&documents)?;
    let sizes =
        output(Command::new("du").args(["-ks", "--apparent-size", "--exclude=DEBIAN", "."]).current_dir(stage))?;
    let size = sizes.split_whitespace().next().unwrap_or("0").to_owned();
    let arch = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };
    write(&stage.join("DEBIAN/control"), control(package, &version, arch, &size).as_bytes())?;
    let mut sums = Command::new("sh");
    sums.args(["-c", "find usr -type f | LC_ALL=C sort | xargs -d '\\n' md5sum"]).current_dir(stage);
    write(&stage.join("DEBIAN/md5sums"), output(&mut sums)?.as_bytes())?;
    let made = folder.join(format!("{}_{version}_{arch}.deb", package.name));
    let mut dpkg = Command::new("dpkg-deb");
    // Folders must be those that others can enter, whatever the mask of this process.
    step("modes of folders", Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(stage))?;
    dpkg.args(["--root-owner-group", "-Zxz", "--build"]).arg(stage).arg(&made);
    step(&format!("packing {}", package.name), dpkg.env("SOURCE_DATE_EPOCH", release.epoch.to_string()))?;
    Ok(made)
}

fn control(package: &Package, version: &str, arch: &str, size: &str) -> String {
    let optional =
        |name: &str, value: &str| if value.is_empty() { String::new() } else { format!("{name}: {value}\n") };
    let recommends = optional("Recommends", package.recommends);
    let provides = optional("Provides", package.provides);
    let multi = optional("Multi-Arch", if package.is_library { "same" } else { "" });
    format!(
        "Package: {}\nVersion: {version}\nArchitecture: {arch}\nMaintainer: {MAINTAINER}\nInstalled-Size: {size}\n\
         Section: {}\nPriority: optional\n{multi}Depends: {}\n{recommends}{provides}Description: {}\n{}",
        package.name, package.section, package.depends, package.synopsis, package.description
    )
}

/// Debian's form of a copyright file, with the licences of what is built in behind it.
fn copyright(licences: &str) -> String {
    let own = std::fs::read_to_string(root().join("LICENSE-MIT")).unwrap_or_default();
    format!(
        "clforge may be used under the MIT licence or the Apache License 2.0, at your option. On Debian systems\n\
         /usr/share/common-licenses/Apache-2.0 has the text of the latter.\n\nCopyright: the clforge developers\n\n{own}\n\
         {}",
        licences::for_debian(licences)
    )
}

/// zsh has a folder for the completions of packages.
fn move_completions(stage: &Path) -> Result<(), String> {
    let zsh = stage.join("usr/share/zsh");
    let fail = |error: std::io::Error| format!("{}: {error}", zsh.display());
    std::fs::rename(zsh.join("site-functions"), zsh.join("vendor-completions")).map_err(fail)
}

/// Compresses manual pages and logs of changes of a folder, without a time.
pub fn compress(folder: &Path) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        if path.extension().is_some_and(|extension| extension == "1" || extension == "Debian") {
            output(Command::new("gzip").arg("-9n").arg(&path))?;
        }
    }
    Ok(())
}

fn check(packages: &[PathBuf]) -> Result<(), String> {
    if !works("lintian", &["--version"]) {
        println!("    lintian is not installed: the packages are not checked");
        return Ok(());
    }
    let mut lintian = Command::new("lintian");
    lintian.args(["--fail-on", "error,warning", "--suppress-tags", SUPPRESSED, "--allow-root"]).args(packages);
    step("lintian", &mut lintian)
}
