//! `cargo xtask accuracy`: errors of floating functions on a device, beside the specification's limits.

use crate::Outcome;
use crate::process::{built, cargo, release_folder, root, step};
use crate::setup;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where distributions keep static libraries.
const FOLDERS: [&str; 4] = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];

/// Builds the program and runs it with these options.
pub fn accuracy(options: &[String]) -> Outcome {
    setup::for_accuracy(options.iter().any(|option| option == "--opencl"))?;
    let mut build = cargo();
    build.args(["rustc", "--release", "--quiet", "-p", "shaders-test", "--bin", "accuracy", "--features", "accuracy"]);
    // The linker looks here before it looks where the shared libraries are, so that the program runs on machines that
    // have neither MPFR nor cargo.
    if let Some(folder) = static_libraries()? {
        build.args(["--", "-L"]).arg(format!("native={}", folder.display()));
    }
    step("building the program", &mut build)?;
    step("measuring", Command::new(built("accuracy")).args(options).current_dir(root()))
}

/// A folder with nothing but links to the static libraries of GMP and MPFR, where they are installed.
fn static_libraries() -> Result<Option<PathBuf>, String> {
    let folder = release_folder().join("static-libraries");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for name in ["libgmp.a", "libmpfr.a"] {
        let found = FOLDERS.iter().map(|folder| Path::new(folder).join(name)).find(|path| path.exists());
        let Some(found) = found else { return Ok(None) };
        let link = folder.join(name);
        if !link.exists() {
            symlink(&found, &link).map_err(|error| format!("{}: {error}", link.display()))?;
        }
    }
    Ok(Some(folder))
}
