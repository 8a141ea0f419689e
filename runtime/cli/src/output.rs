//! Results: standard output and files. Writing never panics.

use crate::failure::Failure;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Writes to standard output.
pub fn stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::BrokenPipe,
        _ => Failure::Usage(format!("cannot write to standard output: {error}")),
    })
}

/// Where text goes that people read: standard output, unless data is written there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextOutput {
    Stdout,
    Stderr,
}

impl TextOutput {
    /// Writes text.
    pub fn write(self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            TextOutput::Stdout => stdout(bytes),
            TextOutput::Stderr => std::io::stderr()
                .write_all(bytes)
                .map_err(|error| Failure::Usage(format!("cannot write to standard error: {error}"))),
        }
    }
}

/// Writes a file, or standard output for `-`.
pub fn file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path == Path::new("-") {
        return stdout(bytes);
    }
    std::fs::write(path, bytes).map_err(|error| Failure::Usage(format!("cannot write '{}': {error}", path.display())))
}
