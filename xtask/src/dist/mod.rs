//! `cargo xtask dist`: what is given to others, the same to the byte in every build: an archive, packages for Debian and
//! for systems with RPM, a list of what they contain, a container file, and the sums of their SHA-256.

mod debian;
pub mod licences;
mod rpm;
mod sbom;

use crate::Outcome;
use crate::capi;
use crate::process::{root, step, target_folder};
use crate::release::{Release, check_glibc};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the archive's OpenCL driver is, for the file that loaders of OpenCL read: archives are unpacked in /usr/local.
const DRIVER: &str = "/usr/local/lib/libclforge_opencl.so";

/// Builds everything into `target/dist`. With `again` it is built a second time in another folder, and compared.
pub fn dist(again: bool) -> Outcome {
    let release = Release::new()?;
    let folder = target_folder().join("dist");
    let made = build(&release, &folder)?;
    if again {
        release.forget()?;
        compare(&made, &build(&release, &target_folder().join("dist-again"))?)?;
    }
    let sums =
        output(Command::new("sha256sum").args(made.iter().filter_map(|path| path.file_name())).current_dir(&folder))?;
    write(&folder.join("SHA256SUMS"), sums.as_bytes())?;
    print!("{sums}");
    println!("==> {}", folder.display());
    Ok(())
}

/// Builds, and returns the files that were made.
fn build(release: &Release, folder: &Path) -> Result<Vec<PathBuf>, String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let crates = ["clforge", "clforge-opencl", "clforge-capi"];
    release.build(&crates)?;
    let parts = Parts {
        command: release.built("clforge"),
        driver: release.built("libclforge_opencl.so"),
        library: release.built("libclforge.so"),
        manual: folder.join("manual"),
        licences: licences::text(&release.target, &crates)?,
    };
    for part in [&parts.command, &parts.driver, &parts.library] {
        check_glibc(part)?;
    }
    let writer = release.build_example("clforge", "manual")?;
    step("writing manual pages and completions", Command::new(writer).arg(&parts.manual))?;
    let mut made = vec![archive(release, folder, &parts)?];
    made.extend(debian::packages(release, folder, &parts)?);
    made.extend(rpm::packages(release, folder, &parts)?);
    let list = folder.join(format!("clforge-{}.cdx.json", env!("CARGO_PKG_VERSION")));
    write(&list, sbom::text(&release.target, &crates)?.as_bytes())?;
    let container = folder.join("Containerfile");
    write(&container, include_bytes!("Containerfile"))?;
    made.extend([list, container]);
    std::fs::remove_dir_all(&parts.manual).map_err(|error| format!("{}: {error}", parts.manual.display()))?;
    Ok(made)
}

/// What packages consist of.
struct Parts {
    command: PathBuf,
    driver: PathBuf,
    /// The compiler for C and C++.
    library: PathBuf,
    /// Manual pages and completions, in their places below a prefix.
    manual: PathBuf,
    /// The licences of what was built in.
    licences: String,
}

/// The archive: `clforge-VERSION-ARCH-linux.tar.gz`, with one folder to be unpacked in /usr/local.
fn archive(release: &Release, folder: &Path, parts: &Parts) -> Result<PathBuf, String> {
    let name = format!("clforge-{}-{}-linux", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH);
    let stage = folder.join(&name);
    copy_tree(&parts.manual, &stage)?;
    copy(&parts.command, &stage.join("bin/clforge"), 0o755)?;
    copy(&parts.driver, &stage.join("lib/libclforge_opencl.so"), 0o644)?;
    write(&stage.join("etc/OpenCL/vendors/clforge.icd"), format!("{DRIVER}\n").as_bytes())?;
    let unpacked = folder.join("library");
    capi::install(&parts.library, &unpacked, Path::new("/usr/local"), "lib")?;
    copy_tree(&unpacked.join("usr/local"), &stage)?;
    std::fs::remove_dir_all(&unpacked).map_err(|error| format!("{}: {error}", unpacked.display()))?;
    let documents = stage.join("share/doc/clforge");
    copy_documents(&documents)?;
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(file), &documents.join(file), 0o644)?;
    }
    write(&documents.join("THIRD-PARTY-LICENCES"), parts.licences.as_bytes())?;
    let packed = folder.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar", "--mode=u=rwX,go=rX"]);
    tar.arg(format!("--mtime=@{}", release.epoch)).args(["--use-compress-program", "gzip -9n", "-cf"]).arg(&packed);
    step(&format!("packing {name}.tar.gz"), tar.arg("-C").arg(folder).arg(&name))?;
    std::fs::remove_dir_all(&stage).map_err(|error| format!("{}: {error}", stage.display()))?;
    Ok(packed)
}

/// Copies the documents for users, in places where their links to each other lead somewhere.
fn copy_documents(folder: &Path) -> Outcome {
    for file in ["README.md", "FEATURES.md", "SECURITY.md"] {
        copy(&root().join(file), &folder.join(file), 0o644)?;
    }
    let docs = root().join("docs");
    let entries = std::fs::read_dir(&docs).map_err(|error| format!("{}: {error}", docs.display()))?;
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default();
        if path.extension().is_some_and(|extension| extension == "md" || extension == "svg") {
            copy(&path, &folder.join("docs").join(name), 0o644)?;
        }
    }
    Ok(())
}

/// Fails where the files of two builds differ.
fn compare(first: &[PathBuf], second: &[PathBuf]) -> Outcome {
    for (one, other) in first.iter().zip(second) {
        let read = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
        if read(one)? != read(other)? {
            return Err(format!("{} and {} differ", one.display(), other.display()));
        }
    }
    println!("==> {} files are the same in both builds", first.len());
    Ok(())
}

/// What a program prints.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let run = command.output().map_err(|error| format!("{name}: {error}"))?;
    if !run.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&run.stderr)));
    }
    Ok(String::from_utf8_lossy(&run.stdout).into_owned())
}

/// Writes a file with its folder, which others can read.
pub fn write(path: &Path, content: &[u8]) -> Outcome {
    let fail = |error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::create_dir_all(path.parent().unwrap_or(path)).map_err(fail)?;
    std::fs::write(path, content).map_err(fail)?;
    set_mode(path, 0o644)
}

pub fn copy(from: &Path, to: &Path, mode: u32) -> Outcome {
    let content = std::fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
    write(to, &content)?;
    set_mode(to, mode)
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> Outcome {
    use std::os::unix::fs::PermissionsExt;
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(path, permissions).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> Outcome {
    Ok(())
}

/// Copies all files below a folder, links as links.
fn copy_tree(from: &Path, to: &Path) -> Outcome {
    let fail = |error: std::io::Error| format!("{}: {error}", from.display());
    for entry in std::fs::read_dir(from).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        #[cfg(unix)]
        if let Ok(link) = std::fs::read_link(&path) {
            std::fs::create_dir_all(to).and_then(|()| std::os::unix::fs::symlink(link, &target)).map_err(fail)?;
            continue;
        }
        if path.is_dir() { copy_tree(&path, &target)? } else { copy(&path, &target, 0o644)? }
    }
    Ok(())
}
