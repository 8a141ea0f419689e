//! Private environments of Python below `target/`, with tools of fixed versions from the Python Package Index.

use crate::process::{step, target_folder};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What builds releases: the wheel's builder, and a linker that links for an old version of glibc.
pub const BUILDERS: &[&str] = &["maturin==1.16.0", "cargo-zigbuild==0.24.1", "ziglang==0.17.1"];

/// An environment of Python.
pub struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The environment of a name with packages, which are installed where they are not there yet.
    pub fn with(name: &str, packages: &[&str]) -> Result<Environment, String> {
        let environment = Environment { folder: target_folder().join("python").join(name) };
        let stamp = environment.folder.join("packages.txt");
        let wanted = packages.join("\n");
        if std::fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
            return Ok(environment);
        }
        environment.create()?;
        environment.install(packages)?;
        std::fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
        Ok(environment)
    }

    /// A new environment of a name with nothing in it, in place of an earlier one.
    pub fn fresh(name: &str, python: &str) -> Result<Environment, String> {
        let environment = Environment { folder: target_folder().join("python").join(name) };
        if environment.folder.exists() {
            let fail = |error: std::io::Error| format!("{}: {error}", environment.folder.display());
            std::fs::remove_dir_all(&environment.folder).map_err(fail)?;
        }
        environment.create_with(python)?;
        Ok(environment)
    }

    fn create(&self) -> Result<(), String> {
        self.create_with("python3")
    }

    fn create_with(&self, python: &str) -> Result<(), String> {
        let made = step("making an environment of Python", Command::new(python).args(["-m", "venv"]).arg(&self.folder));
        made.map_err(|message| format!("{message}; {python} with its module venv is needed (Debian: python3-venv)"))
    }

    /// Installs packages with pip.
    pub fn install(&self, packages: &[&str]) -> Result<(), String> {
        let arguments = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        step(&format!("pip install {}", packages.join(" ")), self.python().args(arguments).args(packages))
    }

    /// Its interpreter.
    pub fn python(&self) -> Command {
        self.command("python")
    }

    /// One of its commands.
    pub fn command(&self, name: &str) -> Command {
        Command::new(self.folder.join("bin").join(name))
    }

    /// Where programs are looked for, with its commands first.
    pub fn search_path(&self) -> Result<OsString, String> {
        let others = std::env::var_os("PATH").unwrap_or_default();
        let folders = [self.folder.join("bin")].into_iter().chain(std::env::split_paths(&others));
        std::env::join_paths(folders).map_err(|error| error.to_string())
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}
