//! Messages on standard error. Writing never panics and never fails.

use std::io::Write;

/// Prints a line to standard error. A failure to write has no place to be reported.
pub fn stderr(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints `clforge: error: …` to standard error.
pub fn error(message: &str) {
    stderr(&format!("clforge: error: {message}"));
}

/// Prints `clforge: warning: …` to standard error.
pub fn warning(message: &str) {
    stderr(&format!("clforge: warning: {message}"));
}
