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

/// Writes a file, or standard output for `-`.
pub fn file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path == Path::new("-") {
        return stdout(bytes);
    }
    std::fs::write(path, bytes).map_err(|error| Failure::Usage(format!("cannot write '{}': {error}", path.display())))
}
