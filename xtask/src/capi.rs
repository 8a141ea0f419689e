//! `cargo xtask capi PREFIX`: the compiler for C and C++, with what pkg-config and CMake need to find it.

use crate::Outcome;
use crate::process::{cargo, program_of, root, step};
use std::path::{Path, PathBuf};

/// Builds the library and the command, and installs them below a prefix.
pub fn capi(prefix: &Path, profile: &str) -> Outcome {
    let packages = ["build", "-p", "clforge", "-p", "clforge-capi", "--profile", profile];
    step("building the command and the library", cargo().args(packages))?;
    let command = program_of("clforge", profile);
    let prefix = std::path::absolute(prefix).map_err(|error| format!("{}: {error}", prefix.display()))?;
    copy(&command, &prefix.join("bin/clforge"))?;
    install(&command.with_file_name("libclforge.so"), Path::new("/"), &prefix, "lib")?;
    copy(&command.with_file_name("libclforge.a"), &prefix.join("lib/libclforge.a"))?;
    println!("==> {}", prefix.display());
    println!("    CMake finds it:       cmake -DCMAKE_PREFIX_PATH={}", prefix.display());
    println!("    pkg-config finds it:  PKG_CONFIG_PATH={}/lib/pkgconfig", prefix.display());
    Ok(())
}

/// Copies the shared library, the header and descriptions below a prefix, which is later a folder of the system below `stage`.
/// `libraries` is the folder of libraries in it.
pub fn install(shared: &Path, stage: &Path, prefix: &Path, libraries: &str) -> Outcome {
    let source = root().join("runtime/capi");
    let below = |path: &Path| stage.join(path.strip_prefix("/").unwrap_or(path));
    let folder = below(&prefix.join(libraries));
    copy(shared, &folder.join("libclforge.so.0"))?;
    copy(&source.join("include/clforge.h"), &below(prefix).join("include/clforge.h"))?;
    copy(&source.join("cmake/clforgeConfig.cmake"), &folder.join("cmake/clforge/clforgeConfig.cmake"))?;
    let version = folder.join("cmake/clforge/clforgeConfigVersion.cmake");
    write(&version, &filled(&source.join("cmake/clforgeConfigVersion.cmake.in"), prefix, libraries)?)?;
    write(&folder.join("pkgconfig/clforge.pc"), &filled(&source.join("clforge.pc.in"), prefix, libraries)?)?;
    link(&folder.join("libclforge.so"))
}

/// The name by which linkers find the shared library.
#[cfg(unix)]
fn link(name: &Path) -> Outcome {
    if name.is_symlink() {
        return Ok(());
    }
    std::os::unix::fs::symlink("libclforge.so.0", name).map_err(|error| format!("{}: {error}", name.display()))
}

#[cfg(not(unix))]
fn link(_: &Path) -> Outcome {
    Ok(())
}

/// A file with its variables replaced. `libraries` is relative to the prefix, for those who move it.
fn filled(file: &Path, prefix: &Path, libraries: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let text = text.replace("@PREFIX@", &prefix.to_string_lossy());
    Ok(text.replace("@LIBDIR@", libraries).replace("@VERSION@", env!("CARGO_PKG_VERSION")))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    folder_of(to)?;
    std::fs::copy(from, to).map(drop).map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

fn write(to: &Path, text: &str) -> Outcome {
    folder_of(to)?;
    std::fs::write(to, text).map_err(|error| format!("{}: {error}", to.display()))
}

fn folder_of(path: &Path) -> Outcome {
    let folder = path.parent().map(PathBuf::from).unwrap_or_default();
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}
