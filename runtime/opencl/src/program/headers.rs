//! Headers that are passed to a compilation as programs (`clCompileProgram`).

use clforge_compiler::options::{IncludeLoader, IncludedFile};
use std::sync::Arc;

/// Headers by the names of their `#include` directives, searched before the file system.
pub struct Headers {
    texts: Vec<(String, Arc<str>)>,
}

impl Headers {
    /// Headers by name.
    pub fn new(texts: Vec<(String, Arc<str>)>) -> Headers {
        Headers { texts }
    }

    /// No headers.
    pub fn none() -> Headers {
        Headers { texts: Vec::new() }
    }

    /// These headers before what another loader finds.
    pub fn before(self, files: Arc<dyn IncludeLoader>) -> Arc<dyn IncludeLoader> {
        if self.texts.is_empty() { files } else { Arc::new(Search { headers: self, files }) }
    }
}

struct Search {
    headers: Headers,
    files: Arc<dyn IncludeLoader>,
}

impl IncludeLoader for Search {
    fn load(&self, path: &str, from: &str, angled: bool) -> Option<IncludedFile> {
        match self.headers.texts.iter().find(|(name, _)| name == path) {
            Some((name, text)) => Some(IncludedFile { name: name.clone(), text: text.as_bytes().into() }),
            None => self.files.load(path, from, angled),
        }
    }

    fn problem(&self, path: &str, from: &str, angled: bool) -> Option<String> {
        self.files.problem(path, from, angled)
    }
}
