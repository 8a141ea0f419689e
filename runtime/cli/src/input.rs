//! Reading programs: OpenCL C or SPIR-V, from a file or standard input.

use crate::failure::Failure;
use std::io::Read;
use std::path::Path;

/// The contents of a file. Its first word decides, not its name.
pub enum Program {
    /// OpenCL C.
    Source { name: String, text: Vec<u8> },
    /// The words of a module, in this machine's byte order.
    Spirv(Vec<u32>),
}

/// Reads a file, or standard input for `-`.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        return match read {
            Ok(_) => Ok(bytes),
            Err(error) => Err(Failure::Usage(format!("cannot read standard input: {error}"))),
        };
    }
    std::fs::read(path).map_err(|error| Failure::Usage(format!("cannot read '{}': {error}", path.display())))
}

/// Reads a program.
pub fn program(path: &Path) -> Result<Program, Failure> {
    let bytes = bytes(path)?;
    let magic = bytes.first_chunk::<4>().map(|first| u32::from_le_bytes(*first));
    let swapped = match magic {
        Some(spirv::MAGIC_NUMBER) => false,
        Some(magic) if magic.swap_bytes() == spirv::MAGIC_NUMBER => true,
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
