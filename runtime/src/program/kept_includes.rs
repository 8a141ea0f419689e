//! The files that a program includes, kept for when it is compiled again: they may change, or be gone then.

use clforge_compiler::options::{IncludeLoader, IncludedFile};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A directive: the path, the file that includes it, and whether it is in angle brackets.
type Directive = (Box<str>, Box<str>, bool);

/// Asks another loader once for each directive.
pub(super) struct KeptIncludes {
    inner: Arc<dyn IncludeLoader>,
    files: Mutex<HashMap<Directive, Option<IncludedFile>>>,
}

impl KeptIncludes {
    /// Nothing is kept yet.
    pub fn new(inner: Arc<dyn IncludeLoader>) -> KeptIncludes {
        KeptIncludes { inner, files: Mutex::default() }
    }
}

impl IncludeLoader for KeptIncludes {
    fn load(&self, path: &str, from: &str, angled: bool) -> Option<IncludedFile> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let load = || self.inner.load(path, from, angled);
        files.entry((path.into(), from.into(), angled)).or_insert_with(load).clone()
    }

    fn problem(&self, path: &str, from: &str, angled: bool) -> Option<String> {
        self.inner.problem(path, from, angled)
    }
}
