//! Builds that run on other machines: for an old glibc, the same to the byte wherever they are made.
//!
//! The linker is zig's, which has the symbols of every version of glibc. Paths of this machine are left out of what is built.

use crate::process::{root, target_folder};
use crate::tools::{BUILDERS, Environment};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The glibc that results run with, of 2012.
pub const GLIBC: (u32, u32) = (2, 17);

/// A way to build releases.
pub struct Release {
    tools: Environment,
    /// What cargo builds for: the machine's own architecture.
    pub target: String,
    /// The time of everything that has one, in seconds since 1970.
    pub epoch: u64,
}

impl Release {
    /// Installs the tools where they are missing.
    pub fn new() -> Result<Release, String> {
        if !cfg!(target_os = "linux") {
            return Err("releases are made on Linux".into());
        }
        let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        Ok(Release { tools: Environment::with("build", BUILDERS)?, target, epoch: epoch()? })
    }

    /// Puts what was built aside, so that the next build begins anew, in the same folder.
    pub fn forget(&self) -> Result<(), String> {
        let built = target_folder().join(&self.target);
        let aside = built.with_extension("earlier");
        let fail = |error: std::io::Error| format!("{}: {error}", built.display());
        if aside.exists() {
            std::fs::remove_dir_all(&aside).map_err(fail)?;
        }
        std::fs::rename(&built, &aside).map_err(fail)
    }

    /// A tool that calls cargo, and whose results name no folder of this machine.
    fn tool(&self, name: &str) -> Result<Command, String> {
        let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cargo")));
        let mut flags = vec![format!("--remap-path-prefix={}=/clforge", root().display())];
        flags.extend(home.map(|home| format!("--remap-path-prefix={}=/cargo", home.display())));
        let triple = self.target.replace('-', "_").to_uppercase();
        let mut command = self.tools.command(name);
        command.env(format!("CARGO_TARGET_{triple}_RUSTFLAGS"), flags.join(" "));
        command.env("SOURCE_DATE_EPOCH", self.epoch.to_string()).env("PATH", self.tools.search_path()?);
        command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS").current_dir(root());
        Ok(command)
    }

    /// Builds packages of the workspace.
    pub fn build(&self, packages: &[&str]) -> Result<(), String> {
        let mut command = self.cargo()?;
        for package in packages {
            command.args(["-p", package]);
        }
        let title = format!("building {} for glibc {}.{}", packages.join(" and "), GLIBC.0, GLIBC.1);
        crate::process::step(&title, &mut command)
    }

    /// Builds an example of a package, of the same parts, and returns where it is.
    pub fn build_example(&self, package: &str, example: &str) -> Result<PathBuf, String> {
        let mut command = self.cargo()?;
        command.args(["-p", package, "--example", example]);
        crate::process::step(&format!("building {example}"), &mut command)?;
        Ok(self.built("examples").join(example))
    }

    fn cargo(&self) -> Result<Command, String> {
        let mut command = self.tool("cargo-zigbuild")?;
        command.args(["zigbuild", "--release", "--locked", "--target"]);
        command.arg(format!("{}.{}.{}", self.target, GLIBC.0, GLIBC.1));
        Ok(command)
    }

    /// maturin, which builds wheels for the same glibc. It could call zig by itself, in a slightly different environment, so that
    /// cargo would build everything anew; so it gets a cargo that is the one of [`Release::build`].
    pub fn maturin(&self) -> Result<Command, String> {
        let cargo = self.tools.folder().join("cargo-for-maturin.sh");
        let (target, version) = (&self.target, format!("{}.{}", GLIBC.0, GLIBC.1));
        let script = format!(
            "#!/bin/sh\nunset CARGO\n[ \"$1\" = rustc ] || exec cargo \"$@\"\nfor word; do\n    shift\n    \
             [ \"$word\" = {target} ] && word={target}.{version}\n    set -- \"$@\" \"$word\"\ndone\n\
             exec cargo-zigbuild \"$@\"\n"
        );
        write_program(&cargo, &script)?;
        let mut command = self.tool("maturin")?;
        let tag = format!("manylinux_{}_{}", GLIBC.0, GLIBC.1);
        command.args(["build", "--release", "--locked", "--target", target, "--compatibility", &tag]);
        command.env("CARGO", cargo);
        Ok(command)
    }

    /// Where a file that was built is.
    pub fn built(&self, name: &str) -> PathBuf {
        target_folder().join(&self.target).join("release").join(name)
    }
}

/// The version of glibc whose symbols a program or library needs.
pub fn needed_glibc(file: &Path) -> Result<(u32, u32), String> {
    let output = Command::new("objdump").arg("-T").arg(file).output();
    let output = output.map_err(|error| format!("objdump: {error} (Debian: binutils)"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    newest_glibc(&text).ok_or_else(|| format!("{}: no symbols of glibc", file.display()))
}

fn newest_glibc(symbols: &str) -> Option<(u32, u32)> {
    let versions = symbols.split("GLIBC_").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let mut numbers = rest[..end].split('.');
        Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    });
    versions.max()
}

/// Fails for a file that needs a later glibc than releases may.
pub fn check_glibc(file: &Path) -> Result<(), String> {
    let needed = needed_glibc(file)?;
    println!("    {} needs glibc {}.{}", file.file_name().unwrap_or_default().to_string_lossy(), needed.0, needed.1);
    if needed > GLIBC {
        return Err(format!("{} needs glibc {}.{}", file.display(), needed.0, needed.1));
    }
    Ok(())
}

/// `SOURCE_DATE_EPOCH`, or the time of the last commit.
fn epoch() -> Result<u64, String> {
    if let Ok(given) = std::env::var("SOURCE_DATE_EPOCH") {
        return given.parse().map_err(|_| format!("SOURCE_DATE_EPOCH is '{given}', not a number of seconds"));
    }
    let commit = Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root()).output();
    let text = commit.map(|run| String::from_utf8_lossy(&run.stdout).trim().to_owned()).unwrap_or_default();
    text.parse().map_err(|_| "this is no git repository: set SOURCE_DATE_EPOCH, the release's time in seconds".into())
}

/// Writes a script that can be executed.
fn write_program(path: &Path, text: &str) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("{}: {error}", path.display());
    std::fs::write(path, text).map_err(fail)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).map_err(fail)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_symbol_counts() {
        let symbols = "0 DF *UND* 0 (GLIBC_2.2.5) free\n0 DF *UND* 0 (GLIBC_2.17) clock\n0 w D *UND* 0 (GLIBC_2.3) x";
        assert_eq!(newest_glibc(symbols), Some((2, 17)));
        assert_eq!(newest_glibc("0 D *UND* 0 Base __gmon_start__"), None);
    }
}
