//! The sources of cases and programs inside the executable, for machines that do not have them.
//!
//! They are found by their paths in the source tree, so that other code does not depend on where they are.

use clforge_compiler::options::{IncludeLoader, IncludedFile};
use include_dir::{Dir, include_dir};
use std::path::{Component, Path, PathBuf};

static CASES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/cases");
static PROGRAMS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/programs");
static RESULTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/results");

/// The contents of a file.
pub fn file(path: &Path) -> Option<&'static [u8]> {
    let path = normal(path.strip_prefix(env!("CARGO_MANIFEST_DIR")).ok()?);
    let folders = [("cases", &CASES), ("programs", &PROGRAMS), ("results", &RESULTS)];
    folders.into_iter().find_map(|(name, folder)| Some(folder.get_file(path.strip_prefix(name).ok()?)?.contents()))
}

/// Without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

/// The paths of all cases, sorted.
pub fn cases() -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
    let files = CASES.dirs().flat_map(|feature| feature.files().map(|file| root.join(file.path())));
    let mut found: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "cl")).collect();
    found.sort();
    found
}

/// `#include` among these files.
pub struct EmbeddedIncludes {
    /// The `-I` folders.
    pub folders: Vec<PathBuf>,
}

impl IncludeLoader for EmbeddedIncludes {
    fn load(&self, path: &str, from: &str, angled: bool) -> Option<IncludedFile> {
        let beside = Path::new(from).parent().filter(|_| !angled).map(Path::to_path_buf);
        let folders = beside.into_iter().chain(self.folders.iter().cloned());
        folders.map(|folder| folder.join(path)).find_map(|path| {
            let text = file(&path)?.to_vec();
            Some(IncludedFile { name: path.to_string_lossy().into_owned(), text })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every case compiles from the executable as it does from disk.
    #[test]
    fn all_cases_and_their_headers_are_inside() {
        let on_disk = crate::case::find().unwrap();
        assert_eq!(cases(), on_disk, "a build is older than a case");
        for path in on_disk {
            assert_eq!(file(&path), std::fs::read(&path).ok().as_deref(), "{}", path.display());
        }
        for program in crate::programs::ALL {
            let build = program.build();
            let inside = crate::backend::Build { embedded: true, ..build.clone() };
            assert_eq!(inside.compile_only(crate::backend::VULKAN), build.compile_only(crate::backend::VULKAN));
        }
    }
}
