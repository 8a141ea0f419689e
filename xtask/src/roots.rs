//! `cargo xtask roots`: installs the packages, the archive and the wheel in bare roots of Debian, and runs programs
//! with them there (`xtask/src/dist/smoke.sh`).

use crate::Outcome;
use crate::dist::{copy, dist, write};
use crate::process::{files, root, status, step, target_folder, works};
use crate::tools::{BUILDERS, Environment};
use crate::{setup, wheel};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The releases of Debian, with their Python.
const RELEASES: [(&str, &str); 2] = [("bookworm", "3.11"), ("trixie", "3.13")];

/// The platforms of the wheels that pip downloads for the roots.
const PLATFORMS: [&str; 3] = ["manylinux_2_17", "manylinux2014", "manylinux_2_28"];

/// Enters a root in namespaces of its own, so that nothing stays mounted or running. `$1` is the root, `$2` the folder
/// of downloaded packages.
const ENTER: &str = "mount --bind \"$2\" \"$1/var/cache/apt/archives\"
mount -t proc proc \"$1/proc\"
mount -t sysfs -o ro sysfs \"$1/sys\" || mount --rbind /sys \"$1/sys\"
mount -t devpts -o newinstance devpts \"$1/dev/pts\"
mount -t tmpfs shm \"$1/dev/shm\"
exec chroot \"$1\" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    sh /smoke/smoke.sh";

/// Runs the smoke test for these releases, all where none is named. What it tests is in `target/dist` and
/// `target/wheels`, and is built where it is missing. Where no roots can be made, it says why, and does nothing.
pub fn roots(names: &[String]) -> Outcome {
    if let Some(reason) = impossible() {
        println!("==> bare roots of Debian are left out: {reason}");
        return Ok(());
    }
    let is_wanted = |(name, _): &(&str, &str)| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let releases: Vec<_> = RELEASES.into_iter().filter(is_wanted).collect();
    if releases.len() < names.len() {
        return Err(format!("the releases are {}", RELEASES.map(|(name, _)| name).join(" and ")));
    }
    let folder = target_folder().join("roots");
    let mut bare = Vec::new();
    for (name, python) in releases {
        let Some(base) = make(&folder, name)? else {
            println!("==> bare roots of Debian are left out: debootstrap has not made one; is the mirror there?");
            return Ok(());
        };
        bare.push((name, python, base));
    }
    if !target_folder().join("dist/SHA256SUMS").is_file() {
        dist(false)?;
    }
    if files(&wheel::wheels_folder(), "whl").unwrap_or_default().is_empty() {
        wheel::wheel()?;
    }
    bare.iter().try_for_each(|(name, python, base)| test(&folder, name, python, base))
}

/// Why roots cannot be made here.
fn impossible() -> Option<String> {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|run| run.stdout.trim_ascii() == b"0");
    if !is_root {
        return Some("only root can enter them".into());
    }
    if !works("unshare", &["--mount", "--pid", "--fork", "true"]) {
        return Some("unshare cannot make namespaces on this machine".into());
    }
    if works("debootstrap", &["--version"]) { None } else { setup::install(&["debootstrap"]).err() }
}

/// A bare root, which later runs find in the same folder; `None` where debootstrap fails.
fn make(folder: &Path, name: &str) -> Result<Option<PathBuf>, String> {
    let (base, unfinished) = (folder.join(name), folder.join(format!("{name}.unfinished")));
    if base.exists() {
        return Ok(Some(base));
    }
    println!("==> making a root of {name}");
    remove(&unfinished)?;
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut debootstrap = Command::new("debootstrap");
    if status(debootstrap.args(["--variant=minbase", name]).arg(&unfinished))? != Some(0) {
        return Ok(None);
    }
    std::fs::rename(&unfinished, &base).map_err(|error| format!("{}: {error}", base.display()))?;
    Ok(Some(base))
}

/// Copies the root with all that is tested, runs the script there, and removes the copy if it succeeds.
fn test(folder: &Path, name: &str, python: &str, base: &Path) -> Outcome {
    let (copied, downloaded) = (folder.join(format!("{name}.test")), folder.join(format!("{name}.packages")));
    remove(&copied)?;
    std::fs::create_dir_all(&downloaded).map_err(|error| format!("{}: {error}", downloaded.display()))?;
    step(
        &format!("copying the root of {name}"),
        Command::new("cp").args(["-a", "--reflink=auto"]).args([base, &copied]),
    )?;
    let smoke = copied.join("smoke");
    write(&smoke.join("smoke.sh"), include_bytes!("dist/smoke.sh"))?;
    for document in ["c.md", "python.md"] {
        copy(&root().join("docs").join(document), &smoke.join("docs").join(document), 0o644)?;
    }
    let wheels = download(folder, python)?;
    for (from, to, extension) in [
        (target_folder().join("dist"), "dist", "deb"),
        (target_folder().join("dist"), "dist", "gz"),
        (wheel::wheels_folder(), "wheels", "whl"),
        (wheels, "wheels", "whl"),
    ] {
        for file in files(&from, extension)? {
            copy(&file, &smoke.join(to).join(file.file_name().unwrap_or_default()), 0o644)?;
        }
    }
    let mut enter = Command::new("unshare");
    enter.args(["--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", ENTER, "sh"]).args([&copied, &downloaded]);
    step(&format!("packages in a bare root of {name}"), &mut enter)?;
    remove(&copied)
}

/// The wheels that ours is used with, for a version of Python; the roots themselves need no index of packages.
fn download(folder: &Path, python: &str) -> Result<PathBuf, String> {
    let wheels = folder.join(format!("wheels-{python}"));
    if wheels.exists() {
        return Ok(wheels);
    }
    let mut pip = Environment::with("build", BUILDERS)?.python();
    pip.args(["-m", "pip", "download", "--quiet", "--only-binary=:all:", "--python-version", python]);
    for platform in PLATFORMS {
        pip.args(["--platform", &format!("{platform}_{}", std::env::consts::ARCH)]);
    }
    step(&format!("downloading wheels for Python {python}"), pip.args(["numpy", "pyopencl", "-d"]).arg(&wheels))?;
    Ok(wheels)
}

fn remove(folder: &Path) -> Outcome {
    match std::fs::remove_dir_all(folder) {
        Err(error) if folder.exists() => Err(format!("{}: {error}", folder.display())),
        _ => Ok(()),
    }
}
