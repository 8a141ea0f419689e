//! Reading programs: OpenCL C, SPIR-V or compiled units, from a file or standard input.

use crate::failure::Failure;
use clforge_compiler::{SpecValue, Unit};
use clforge_runtime::{FileIncludes, read_file, read_stream};
use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The contents of a file. Its first word decides, not its name; but a `.spv` is not taken for a source.
pub enum Program {
    /// OpenCL C.
    Source { name: String, text: Vec<u8> },
    /// The words of a module, in this machine's byte order.
    Spirv(Vec<u32>),
    /// The bytes of a compiled unit.
    Unit(Vec<u8>),
}

/// Whether somebody has read standard input, of which nothing is left for others.
static STDIN_IS_READ: AtomicBool = AtomicBool::new(false);

/// Most bytes of a file with data, unless `--max-file-size` says otherwise.
const MAX_DATA: u64 = 1 << 30;

/// `--max-file-size`: limits of what is read, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Of a source, an included file or a module.
    pub program: u64,
    /// Of a file with data, and of the texels of a picture.
    pub data: u64,
}

impl Limits {
    /// The limits that the option sets, or the usual ones.
    pub fn new(option: Option<u64>) -> Limits {
        Limits { program: option.unwrap_or(FileIncludes::MAX_FILE_SIZE), data: option.unwrap_or(MAX_DATA) }
    }
}

/// Reads a regular file, or standard input for `-`, of at most `limit` bytes.
pub fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    if path == Path::new("-") {
        if STDIN_IS_READ.swap(true, Ordering::Relaxed) {
            return Err(Failure::Usage("standard input cannot be read twice".into()));
        }
        let read = read_stream(std::io::stdin().lock(), limit);
        return read.map_err(|error| Failure::Usage(format!("cannot read standard input: {error}")));
    }
    // What the shell has opened already is as good as standard input: `<(…)` is such a path.
    let is_open = ["/dev/stdin", "/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder));
    let read =
        if is_open { File::open(path).and_then(|file| read_stream(file, limit)) } else { read_file(path, limit) };
    read.map_err(|error| Failure::Usage(format!("cannot read '{}': {error}", path.display())))
}

/// Whether two paths name the same file, also by a link or another spelling.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// A program whose specialisation constants have other values.
pub fn specialized(program: Program, values: &[(u32, SpecValue)], path: &Path) -> Result<Program, Failure> {
    match program {
        program if values.is_empty() => Ok(program),
        Program::Spirv(words) => match clforge_compiler::specialize(&words, values) {
            Ok(words) => Ok(Program::Spirv(words)),
            Err(error) => Err(Failure::Program(format!("'{}': --spec-const: {error}", path.display()))),
        },
        Program::Source { .. } | Program::Unit(_) => {
            Err(Failure::Usage(format!("'{}' is no SPIR-V module: --spec-const does not apply to it", path.display())))
        }
    }
}

/// Reads a program.
pub fn program(path: &Path, limits: Limits) -> Result<Program, Failure> {
    let bytes = bytes(path, limits.program)?;
    if Unit::is_unit(&bytes) {
        return Ok(Program::Unit(bytes));
    }
    let magic = bytes.first_chunk::<4>().map(|first| u32::from_le_bytes(*first));
    let swapped = match magic {
        Some(spirv::MAGIC_NUMBER) => false,
        Some(magic) if magic.swap_bytes() == spirv::MAGIC_NUMBER => true,
        _ if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("spv")) => {
            return Err(Failure::Program(format!("'{}' is not a SPIR-V module", path.display())));
        }
        _ => {
            let name = if path == Path::new("-") { "<stdin>".into() } else { path.to_string_lossy().into_owned() };
            return Ok(Program::Source { name, text: bytes });
        }
    };
    if !bytes.len().is_multiple_of(4) {
        let message = format!("'{}' is cut off: its size is not a multiple of 4 bytes", path.display());
        return Err(Failure::Program(message));
    }
    let words = bytes.chunks_exact(4).map(|word| {
        let word = u32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        if swapped { word.swap_bytes() } else { word }
    });
    Ok(Program::Spirv(words.collect()))
}
