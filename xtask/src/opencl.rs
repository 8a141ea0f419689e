//! `cargo xtask opencl`: the OpenCL client driver, and a folder that makes loaders find it.

use crate::Outcome;
use crate::process::{cargo, program_of, step, target_folder};

/// Builds the library and writes `target/opencl/clforge.icd`, which holds its absolute path.
pub fn opencl(profile: &str) -> Outcome {
    step("building the OpenCL client driver", cargo().args(["build", "-p", "clforge-opencl", "--profile", profile]))?;
    let name = format!("{}clforge_opencl{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = program_of("clforge", profile).with_file_name(name);
    let fail = |error: std::io::Error| format!("{}: {error}", library.display());
    let library = library.canonicalize().map_err(fail)?;
    let folder = target_folder().join("opencl");
    std::fs::create_dir_all(&folder).map_err(fail)?;
    let folder = folder.canonicalize().map_err(fail)?;
    std::fs::write(folder.join("clforge.icd"), format!("{}\n", library.display())).map_err(fail)?;
    println!("==> {}", library.display());
    println!("    run a program with it:  OCL_ICD_VENDORS={} PROGRAM", folder.display());
    println!("    install it:             cp {}/clforge.icd /etc/OpenCL/vendors/", folder.display());
    Ok(())
}
