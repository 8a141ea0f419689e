//! `#include` from the file system.

use clforge_compiler::options::{IncludeLoader, IncludedFile};
use std::path::{Path, PathBuf};

/// Searches the folder of the including file (for `"…"`), the `-I` folders in order, then the working folder.
#[derive(Clone, Debug, Default)]
pub struct FileIncludes {
    /// The `-I` folders, in the order of the search.
    pub folders: Vec<PathBuf>,
}

impl IncludeLoader for FileIncludes {
    fn load(&self, path: &str, from: &str, angled: bool) -> Option<IncludedFile> {
        let beside = Path::new(from).parent().filter(|_| !angled).map(Path::to_path_buf);
        // OpenCL drivers search the working folder too, also for `<…>`: their programs have no file of their own.
        let folders = beside.into_iter().chain(self.folders.iter().cloned()).chain([PathBuf::new()]);
        folders.map(|folder| folder.join(path)).find_map(|file| {
            let text = std::fs::read(&file).ok()?;
            Some(IncludedFile { name: file.to_string_lossy().into_owned(), text })
        })
    }
}
