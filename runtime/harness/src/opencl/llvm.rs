//! LLVM's programs, if they are installed: clang, the optimiser, and the translator between SPIR-V and LLVM IR.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// clang, the optimiser and the translator, under the names they may have, in order of preference.
const CLANG: [&str; 2] = ["clang-15", "clang"];
const OPTIMISERS: [&str; 2] = ["opt-15", "opt"];
const TRANSLATORS: [&str; 4] = ["llvm-spirv-15", "llvm-spirv", "llvm-spirv-14", "llvm-spirv-16"];

/// Translates a SPIR-V module to LLVM bitcode; `None` if no translator is installed.
///
/// # Errors
/// The message of the translator.
pub(super) fn bitcode(spirv: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let (input, output) = (folder.path().join("in.spv"), folder.path().join("out.bc"));
    std::fs::write(&input, spirv).map_err(|error| format!("{}: {error}", input.display()))?;
    let arguments = [OsStr::new("-r"), OsStr::new("-o"), output.as_os_str(), input.as_os_str()];
    if !run(&TRANSLATORS, &arguments)? {
        return Ok(None);
    }
    std::fs::read(&output).map(Some).map_err(|error| format!("{}: {error}", output.display()))
}

/// Compiles a file of OpenCL C to a SPIR-V module for OpenCL, with options for clang; `None` if clang or the translator is not
/// installed.
///
/// # Errors
/// The message of the one that failed.
pub fn compile_with_clang(source: &Path, options: &[&str]) -> Result<Option<Vec<u32>>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let (bitcode, spirv) = (folder.path().join("program.bc"), folder.path().join("program.spv"));
    let fixed = ["-x", "cl", "-target", "spir64", "-Xclang", "-finclude-default-header", "-emit-llvm", "-c"];
    let mut clang: Vec<&OsStr> = fixed.iter().chain(options).map(OsStr::new).collect();
    clang.extend([OsStr::new("-o"), bitcode.as_os_str(), source.as_os_str()]);
    if !run(&CLANG, &clang)? || !run(&TRANSLATORS, &[OsStr::new("-o"), spirv.as_os_str(), bitcode.as_os_str()])? {
        return Ok(None);
    }
    words(&spirv).map(Some)
}

/// Applies passes of LLVM's optimiser to a SPIR-V module for OpenCL; `None` if one of the programs is not installed.
///
/// # Errors
/// The message of the one that failed.
pub fn transform(module: &[u32], passes: &str) -> Result<Option<Vec<u32>>, String> {
    let bytes: Vec<u8> = module.iter().flat_map(|word| word.to_le_bytes()).collect();
    let Some(read) = bitcode(&bytes)? else { return Ok(None) };
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let path = |name: &str| folder.path().join(name);
    let (input, output, spirv) = (path("in.bc"), path("out.bc"), path("out.spv"));
    std::fs::write(&input, read).map_err(|error| format!("{}: {error}", input.display()))?;
    let passes = format!("-passes={passes}");
    let arguments = [OsStr::new(&passes), OsStr::new("-o"), output.as_os_str(), input.as_os_str()];
    if !run(&OPTIMISERS, &arguments)? || !run(&TRANSLATORS, &[OsStr::new("-o"), spirv.as_os_str(), output.as_os_str()])?
    {
        return Ok(None);
    }
    words(&spirv).map(Some)
}

/// The words of a file.
fn words(path: &Path) -> Result<Vec<u32>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    Ok(bytes.chunks_exact(4).map(word).collect())
}

/// Runs the first of the programs that is installed. Returns whether there is one.
fn run(programs: &[&str], arguments: &[&OsStr]) -> Result<bool, String> {
    for name in programs {
        let run = match Command::new(name).args(arguments).output() {
            Ok(run) => run,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("{name}: {error}")),
        };
        if !run.status.success() {
            return Err(format!("{name} failed: {}", String::from_utf8_lossy(&run.stderr).trim()));
        }
        return Ok(true);
    }
    Ok(false)
}
