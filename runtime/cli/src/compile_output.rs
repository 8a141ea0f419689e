//! What `clforge compile` writes, and where.

use crate::build_options::OutputOptions;
use crate::cli::{CompileArguments, Emit, Environment};
use crate::depfile;
use crate::failure::Failure;
use crate::input;
use crate::output;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// What a source becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: it is checked.
    Checked,
    /// What `--emit` and its short forms say.
    Emitted(Emit),
}

/// What becomes of the sources. Among options of clang the one that stops earliest counts, as it does there.
pub fn kind(arguments: &CompileArguments, outputs: &OutputOptions) -> Kind {
    match arguments {
        CompileArguments { preprocess: true, .. } => Kind::Emitted(Emit::Preprocessed),
        _ if outputs.syntax_only => Kind::Checked,
        CompileArguments { assembly: true, .. } => Kind::Emitted(Emit::Asm),
        _ => Kind::Emitted(arguments.emit.unwrap_or(match arguments.made.target {
            Environment::Spirv(_) => Emit::Spirv,
            Environment::WebGpu => Emit::Wgsl,
        })),
    }
}

/// The paths of all outputs of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// The output; `-` for standard output.
    pub output: PathBuf,
    /// The dependency file.
    pub depfile: Option<PathBuf>,
    /// Its targets, quoted.
    targets: Vec<String>,
}

/// The source's name in the folder of outputs, without last extension, and with another one. Not `with_extension`: the stem may
/// contain dots itself.
fn beside(arguments: &CompileArguments, file: &Path, extension: &str) -> PathBuf {
    let mut name: OsString = file.file_stem().unwrap_or("a".as_ref()).to_owned();
    name.push(extension);
    arguments.out_dir.as_ref().map_or_else(|| PathBuf::from(&name), |folder| folder.join(&name))
}

/// The places for all sources; that they are the same, or are not given, is an error of the command line.
pub fn paths(arguments: &CompileArguments, outputs: &OutputOptions) -> Result<Vec<Paths>, Failure> {
    let kind = kind(arguments, outputs);
    if let (Some(_), [_, _, ..]) = (&arguments.output, arguments.files.as_slice()) {
        let problem = "'-o' cannot be given with several sources; '--out-dir' gives the folder of their outputs";
        return Err(Failure::Usage(problem.into()));
    }
    let mut all = Vec::new();
    let mut known: HashMap<PathBuf, (&Path, &str)> = HashMap::new();
    for file in &arguments.files {
        let paths = Paths {
            output: output_path(arguments, kind, file)?,
            depfile: depfile_path(arguments, outputs, file)?,
            targets: targets(arguments, outputs, file),
        };
        for (what, path) in written(arguments, kind, &paths) {
            // Whether a module that is given as a source can be compiled at all is said first.
            let is_module = arguments.output.is_none() && *path == *file && path.extension() == Some("spv".as_ref());
            if !is_module {
                keep(path, arguments.files.iter().map(PathBuf::as_path), "is a source")?;
            }
            // Text of several sources may go to standard output.
            if let Some((other, another)) = known.insert(path.clone(), (file, what))
                && (path != Path::new("-") || other == file)
            {
                let (path, shown) = (path.display(), file.display());
                return Err(Failure::Usage(match other == file {
                    true => format!("{another} and {what} of '{shown}' would both be '{path}'"),
                    false => format!("what is made of '{}' and '{shown}' would both be '{path}'", other.display()),
                }));
            }
        }
        all.push(paths);
    }
    Ok(all)
}

/// What is written for a source, and where.
fn written<'p>(arguments: &'p CompileArguments, kind: Kind, paths: &'p Paths) -> Vec<(&'static str, &'p PathBuf)> {
    let output = Some(&paths.output).filter(|_| kind != Kind::Checked);
    // Only modules have reflection.
    let has_reflection = matches!(kind, Kind::Emitted(Emit::Spirv | Emit::Wgsl | Emit::CArray | Emit::RustArray));
    let reflection = arguments.reflection.as_ref().filter(|_| has_reflection);
    let all = [("the output", output), ("the dependency file", paths.depfile.as_ref()), ("the reflection", reflection)];
    all.into_iter().filter_map(|(what, path)| Some((what, path?))).collect()
}

/// That no file which the source includes is overwritten. To be asked before anything is written.
pub fn keep_included(
    arguments: &CompileArguments,
    outputs: &OutputOptions,
    paths: &Paths,
    included: &[String],
) -> Result<(), Failure> {
    for (_, path) in written(arguments, kind(arguments, outputs), paths) {
        keep(path, included.iter().map(Path::new), "is included")?;
    }
    Ok(())
}

/// That an output is none of the files that were read.
pub fn keep<'f>(output: &Path, files: impl IntoIterator<Item = &'f Path>, role: &str) -> Result<(), Failure> {
    if output != Path::new("-") && files.into_iter().any(|file| input::is_same_file(file, output)) {
        return Err(Failure::Usage(format!("'{}' {role}: it would be overwritten", output.display())));
    }
    Ok(())
}

fn output_path(arguments: &CompileArguments, kind: Kind, file: &Path) -> Result<PathBuf, Failure> {
    if let Some(path) = &arguments.output {
        return Ok(path.clone());
    }
    let extension = match kind {
        Kind::Emitted(Emit::Spirv) => ".spv",
        Kind::Emitted(Emit::Wgsl) => ".wgsl",
        Kind::Emitted(Emit::Unit) => ".unit",
        Kind::Emitted(Emit::Asm) if arguments.assembly => ".s",
        _ => return Ok("-".into()),
    };
    if file != Path::new("-") {
        return Ok(beside(arguments, file, extension));
    }
    if extension != ".s" && std::io::stdout().is_terminal() {
        return Err(Failure::Usage("give an output file with '-o' (or '-o -' for the terminal)".into()));
    }
    Ok("-".into())
}

fn depfile_path(
    arguments: &CompileArguments,
    outputs: &OutputOptions,
    file: &Path,
) -> Result<Option<PathBuf>, Failure> {
    // As in clang, `-MF` says where, not that.
    let given = arguments.depfile.as_ref().or(outputs.depfile.as_ref().filter(|_| outputs.dependencies));
    if let Some(path) = given {
        return Ok(Some(path.clone()));
    }
    if !outputs.dependencies {
        return Ok(None);
    }
    match &arguments.output {
        Some(path) if path != Path::new("-") => Ok(Some(path.with_extension("d"))),
        _ if file == Path::new("-") => Err(Failure::Usage("give a dependency file with '-MF' or '--depfile'".into())),
        _ => Ok(Some(beside(arguments, file, ".d"))),
    }
}

/// What the dependency file's rule is for: the output, or the module that would be made of the source.
fn targets(arguments: &CompileArguments, outputs: &OutputOptions, file: &Path) -> Vec<String> {
    if !outputs.depfile_targets.is_empty() {
        return outputs.depfile_targets.clone();
    }
    let output = arguments.output.clone().filter(|path| path != Path::new("-"));
    let output = output.unwrap_or_else(|| beside(arguments, file, ".spv"));
    vec![depfile::quoted(&output.to_string_lossy())]
}

/// Writes the dependency file, if one is requested. `included` are the included files.
pub fn write_depfile(paths: &Paths, file: &Path, included: &[String], phony: bool) -> Result<(), Failure> {
    let Some(path) = &paths.depfile else { return Ok(()) };
    let source = Some(file.to_string_lossy()).filter(|name| name != "-");
    let files = source.iter().map(|name| &**name).chain(included.iter().map(String::as_str));
    output::file(path, depfile::rule(&paths.targets, files, phony).as_bytes())
}

/// An identifier of C and Rust made of a source's name.
fn identifier(file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy()).filter(|stem| stem != "-");
    let stem = stem.unwrap_or("kernel".into());
    let mut name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, 'k');
    }
    name
}

/// Lines of eight words.
fn array_lines(words: &[u32], indent: &str) -> String {
    let mut text = String::new();
    for line in words.chunks(8) {
        let line: Vec<String> = line.iter().map(|word| format!("0x{word:08x}")).collect();
        let _ = writeln!(text, "{indent}{},", line.join(", "));
    }
    text
}

/// A C header with a module: `NAME_spv`, an array of `uint32_t`, and `NAME_spv_size`, its size in bytes.
pub fn c_array(file: &Path, words: &[u32]) -> String {
    let name = format!("{}_spv", identifier(file));
    let guard = format!("{}_H", name.to_uppercase());
    let (count, lines) = (words.len(), array_lines(words, "    "));
    format!(
        "#ifndef {guard}\n#define {guard}\n\n#include <stddef.h>\n#include <stdint.h>\n\n\
         static const uint32_t {name}[{count}] = {{\n{lines}}};\nstatic const size_t {name}_size = sizeof({name});\n\n\
         #endif\n"
    )
}

/// A Rust constant with a module: `NAME`, an array of `u32`.
pub fn rust_array(file: &Path, words: &[u32]) -> String {
    let name = identifier(file).to_uppercase();
    let (count, lines) = (words.len(), array_lines(words, "    "));
    format!("#[rustfmt::skip]\npub const {name}: [u32; {count}] = [\n{lines}];\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers() {
        for (file, name) in [("a/b.c.cl", "b_c"), ("3d-noise.cl", "k3d_noise"), ("-", "kernel"), ("ä.cl", "k_")] {
            assert_eq!(identifier(Path::new(file)), name);
        }
    }

    #[test]
    fn arrays() {
        let words = [0x0723_0203, 7];
        let rust = "#[rustfmt::skip]\npub const SCALE: [u32; 2] = [\n    0x07230203, 0x00000007,\n];\n";
        assert_eq!(rust_array(Path::new("scale.cl"), &words), rust);
        let c = c_array(Path::new("scale.cl"), &words);
        assert!(c.contains("uint32_t scale_spv[2] = {\n    0x07230203, 0x00000007,\n};\n"), "{c}");
        assert!(c.contains("scale_spv_size = sizeof(scale_spv);"), "{c}");
    }
}
