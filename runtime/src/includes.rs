//! `#include` from the file system.

use clforge_compiler::options::{IncludeLoader, IncludedFile};
use std::path::{Path, PathBuf};

/// Looks in the including file's folder (for `"…"`), then in the `-I` folders in order.
#[derive(Clone, Debug, Default)]
pub struct FileIncludes {
    /// The `-I` folders.
    pub folders: Vec<PathBuf>,
}

impl IncludeLoader for FileIncludes {
    fn load(&self, path: &str, from: &str, angled: bool) -> Option<IncludedFile> {
        let beside = Path::new(from).parent().filter(|_| !angled).map(Path::to_path_buf);
        // The working folder last, and for <…> too: drivers give programs without a name this folder.
        let folders = beside.into_iter().chain(self.folders.iter().cloned()).chain([PathBuf::new()]);
        folders.map(|folder| folder.join(path)).find_map(|file| {
            let text = std::fs::read(&file).ok()?;
            Some(IncludedFile { name: file.to_string_lossy().into_owned(), text })
        })
    }
}
