//! `#include` from the file system, for applications without an include loader of their own.

use crate::files::read_file;
use clforge_basic::options::{IncludeLoader, IncludedFile, OptionError, Options};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads build options as [`Options::parse`] does, `-I` too: included files come from the file system.
///
/// # Errors
/// [`OptionError`].
pub fn build_options(text: &str) -> Result<Options, OptionError> {
    let (options, folders) = Options::parse_with_folders(text)?;
    let folders = folders.into_iter().map(PathBuf::from).collect();
    Ok(options.with_includes(Arc::new(FileIncludes::new(folders))))
}

/// Searches the folder of the including file (for `"…"`), the `-I` folders in order, then the working folder. Only regular
/// files are found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileIncludes {
    /// The `-I` folders, in the order of the search.
    pub folders: Vec<PathBuf>,
    /// Size in bytes of the largest file that may be included.
    pub max_file_size: u64,
}

impl FileIncludes {
    /// The default of [`FileIncludes::max_file_size`]: 64 MiB.
    pub const MAX_FILE_SIZE: u64 = 64 << 20;

    /// With these `-I` folders, for files up to [`FileIncludes::MAX_FILE_SIZE`].
    pub fn new(folders: Vec<PathBuf>) -> FileIncludes {
        FileIncludes { folders, max_file_size: FileIncludes::MAX_FILE_SIZE }
    }

    fn candidates(&self, path: &str, from: &str, angled: bool) -> impl Iterator<Item = PathBuf> {
        let beside = Path::new(from).parent().filter(|_| !angled).map(Path::to_path_buf);
        // OpenCL drivers search the working folder too, also for `<…>`: their programs have no file of their own.
        let folders = beside.into_iter().chain(self.folders.iter().cloned()).chain([PathBuf::new()]);
        folders.map(move |folder| folder.join(path))
    }
}

impl Default for FileIncludes {
    /// No folders, files up to [`FileIncludes::MAX_FILE_SIZE`].
    fn default() -> FileIncludes {
        FileIncludes::new(Vec::new())
    }
}

impl IncludeLoader for FileIncludes {
    fn load(&self, path: &str, from: &str, angled: bool) -> Option<IncludedFile> {
        self.candidates(path, from, angled).find_map(|file| {
            let text = read_file(&file, self.max_file_size).ok()?;
            Some(IncludedFile { name: file.to_string_lossy().into_owned(), text })
        })
    }

    fn problem(&self, path: &str, from: &str, angled: bool) -> Option<String> {
        self.candidates(path, from, angled).find_map(|file| match read_file(&file, self.max_file_size) {
            Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                Some(format!("cannot read '{}': {error}", file.display()))
            }
            _ => None,
        })
    }
}
