//! Why the words of a module cannot be used, for callers that do not compile it.

use clforge_reader::ReadError;
use std::fmt;

/// Why a module is not read. Its text names the place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleError {
    /// The word of the module at which the instruction begins that the error is about.
    pub word: usize,
    message: String,
}

impl ModuleError {
    pub(crate) fn new(error: &ReadError) -> ModuleError {
        ModuleError { word: error.offset, message: error.to_string() }
    }
}

impl fmt::Display for ModuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ModuleError {}
