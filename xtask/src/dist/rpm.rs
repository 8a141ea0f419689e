//! Packages for systems with RPM, from the same files as those for Debian: `clforge`, `clforge-opencl-icd`,
//! `libclforge0` and `libclforge-devel`.

use super::{Parts, copy, copy_documents, copy_tree, debian, write};
use crate::capi;
use crate::process::{root, step, works};
use crate::release::Release;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where libraries are on these systems, below /usr.
const LIBRARIES: &str = "lib64";

/// Names of the packages.
const PACKAGES: [&str; 4] = ["clforge", "clforge-opencl-icd", "libclforge0", "libclforge-devel"];

/// Nothing in a package may come from the machine or the time of the build. Programs are packed unchanged.
const OPTIONS: [&str; 8] = [
    "debug_package %{nil}",
    "__os_install_post %{nil}",
    "_build_id_links none",
    "_buildhost clforge",
    "use_source_date_epoch_as_buildtime 1",
    "clamp_mtime_to_source_date_epoch 1",
    "_binary_payload w6.xzdio",
    "_rpmfilename %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm",
];

/// Makes the packages where rpmbuild is installed.
pub fn packages(release: &Release, folder: &Path, parts: &Parts) -> Result<Vec<PathBuf>, String> {
    if !works("rpmbuild", &["--version"]) {
        println!("    rpmbuild is not installed (Debian: rpm): no packages for systems with RPM are made");
        return Ok(Vec::new());
    }
    build(release.epoch, folder, parts)
}

fn build(epoch: u64, folder: &Path, parts: &Parts) -> Result<Vec<PathBuf>, String> {
    let work = folder.join("rpm");
    let (files, spec) = (work.join("files"), work.join("clforge.spec"));
    stage(parts, &files)?;
    write(&spec, specification().as_bytes())?;
    step("modes of folders", Command::new("chmod").args(["-R", "u=rwX,go=rX"]).arg(&files))?;
    let mut rpmbuild = Command::new("rpmbuild");
    rpmbuild.args(["-bb", "--quiet"]).env("SOURCE_DATE_EPOCH", epoch.to_string());
    let folders = [("_topdir", &work), ("_rpmdir", &folder.to_path_buf()), ("staged", &files)];
    let folders = folders.map(|(name, path)| format!("{name} {}", path.display()));
    for option in folders.iter().map(String::as_str).chain(OPTIONS) {
        rpmbuild.args(["--define", option]);
    }
    step("packing for systems with RPM", rpmbuild.arg(&spec))?;
    std::fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let name = |name| format!("{name}-{}-1.{}.rpm", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    Ok(PACKAGES.map(|package| folder.join(name(package))).to_vec())
}

/// All files, in their places.
fn stage(parts: &Parts, files: &Path) -> Result<(), String> {
    let libraries = files.join("usr").join(LIBRARIES);
    copy(&parts.command, &files.join("usr/bin/clforge"), 0o755)?;
    copy_tree(&parts.manual.join("share"), &files.join("usr/share"))?;
    copy_documents(&files.join("usr/share/doc/clforge"))?;
    debian::compress(&files.join("usr/share/man/man1"))?;
    // Dependencies on the symbols of other libraries are read from libraries that can be executed.
    copy(&parts.driver, &libraries.join("clforge/libclforge_opencl.so"), 0o755)?;
    let driver = format!("/usr/{LIBRARIES}/clforge/libclforge_opencl.so\n");
    write(&files.join("etc/OpenCL/vendors/clforge.icd"), driver.as_bytes())?;
    capi::install(&parts.library, files, Path::new("/usr"), LIBRARIES)?;
    copy(&parts.library, &libraries.join("libclforge.so.0"), 0o755)?;
    for package in PACKAGES {
        let licences = files.join("usr/share/licenses").join(package);
        for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
            copy(&root().join(file), &licences.join(file), 0o644)?;
        }
        write(&licences.join("THIRD-PARTY-LICENCES"), parts.licences.as_bytes())?;
    }
    Ok(())
}

/// What each package is, needs and has. rpmbuild adds the libraries that programs are linked to, and glibc's version.
fn specification() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "Name: clforge
Version: {version}
Release: 1
Summary: Compiler for OpenCL C to SPIR-V that runs kernels on Vulkan
License: MIT OR Apache-2.0
Recommends: libvulkan.so.1()(64bit), mesa-vulkan-drivers, spirv-tools

%description
clforge compiles OpenCL C to SPIR-V, for Vulkan or for OpenCL, and runs
kernels on any Vulkan device.

%package -n clforge-opencl-icd
Summary: OpenCL driver on any Vulkan device
Requires: libvulkan.so.1()(64bit), libOpenCL.so.1()(64bit)
Recommends: mesa-vulkan-drivers

%description -n clforge-opencl-icd
With this driver, programs that use OpenCL run on every device that has a
driver for Vulkan.

%package -n libclforge0
Summary: Compiler for OpenCL C to SPIR-V, as a library

%description -n libclforge0
Programs compile, link and inspect kernels in OpenCL C with this library,
which needs no other program.

%package -n libclforge-devel
Summary: Compiler for OpenCL C to SPIR-V, files for development
Requires: libclforge0 = %{{version}}-%{{release}}, clforge = %{{version}}-%{{release}}

%description -n libclforge-devel
The header clforge.h, and what pkg-config and CMake need to find the library
and to compile kernels when a program is built.

%install
cp -a %{{staged}}/. %{{buildroot}}/

%files
%license /usr/share/licenses/clforge
%doc /usr/share/doc/clforge
/usr/bin/clforge
/usr/share/bash-completion/completions/clforge
/usr/share/fish/vendor_completions.d/clforge.fish
/usr/share/man/man1/*
/usr/share/zsh/site-functions/_clforge

%files -n clforge-opencl-icd
%license /usr/share/licenses/clforge-opencl-icd
%config(noreplace) /etc/OpenCL/vendors/clforge.icd
/usr/{LIBRARIES}/clforge

%files -n libclforge0
%license /usr/share/licenses/libclforge0
/usr/{LIBRARIES}/libclforge.so.0

%files -n libclforge-devel
%license /usr/share/licenses/libclforge-devel
/usr/include/clforge.h
/usr/{LIBRARIES}/cmake/clforge
/usr/{LIBRARIES}/libclforge.so
/usr/{LIBRARIES}/pkgconfig/clforge.pc

%post -n libclforge0 -p /sbin/ldconfig
%postun -n libclforge0 -p /sbin/ldconfig
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Packages of files that are no programs; twice, so that the results can be compared.
    #[test]
    fn packages_are_the_same_in_every_build() {
        if !works("rpmbuild", &["--version"]) {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join("parts").join(name);
            write(&path, name.as_bytes()).unwrap();
            path
        };
        for path in ["man/man1/clforge.1", "bash-completion/completions/clforge"] {
            file(&format!("manual/share/{path}"));
        }
        file("manual/share/fish/vendor_completions.d/clforge.fish");
        file("manual/share/zsh/site-functions/_clforge");
        let parts = Parts {
            command: file("clforge"),
            driver: file("libclforge_opencl.so"),
            library: file("libclforge.so"),
            manual: folder.path().join("parts/manual"),
            licences: "MIT".into(),
        };
        let made = ["a", "b"].map(|name| build(1_700_000_000, &folder.path().join(name), &parts).unwrap());
        for (one, other) in made[0].iter().zip(&made[1]) {
            assert!(std::fs::read(one).unwrap() == std::fs::read(other).unwrap(), "{} differs", one.display());
        }
        let listed =
            |package: usize| super::super::output(Command::new("rpm").arg("-qlp").arg(&made[0][package])).unwrap();
        assert!(listed(0).contains("/usr/bin/clforge\n") && listed(0).contains("/doc/clforge/docs/command.md\n"));
        assert!(listed(0).contains("/man1/clforge.1.gz\n"));
        assert!(listed(1).contains("/etc/OpenCL/vendors/clforge.icd\n"));
        assert!(listed(3).contains("/usr/lib64/libclforge.so\n"));
    }
}
