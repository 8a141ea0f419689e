//! Lists the public interface of the libraries, and compares the lists with those in `docs/api/`.
//!
//! The lists are made from the sources, so that they need no nightly compiler: modules are loaded as rustc finds them, and
//! `use` declarations are followed through the crates of the workspace. What macros make is listed by its name only. A
//! type of the workspace that a public signature names and that the library does not export is a complaint.
//!
//! `cargo xtask tidy` runs the comparison, and `cargo xtask tidy --write` writes the lists.
#![forbid(unsafe_code)]

mod listing;
mod names;
mod sources;
mod text;

use sources::Workspace;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The libraries whose interfaces are listed.
const LIBRARIES: [&str; 2] = ["clforge_compiler", "clforge_runtime"];

/// The crates that they consist of, with their folders.
const CRATES: [(&str, &str); 10] = [
    ("clforge_compiler", "compiler"),
    ("clforge_basic", "compiler/basic"),
    ("clforge_syntax", "compiler/syntax"),
    ("clforge_sema", "compiler/sema"),
    ("clforge_ir", "compiler/ir"),
    ("clforge_lower", "compiler/lower"),
    ("clforge_library", "compiler/library"),
    ("clforge_reader", "compiler/reader"),
    ("clforge_spirv", "compiler/spirv"),
    ("clforge_runtime", "runtime"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let write = arguments.iter().any(|argument| argument == "--write");
    let root = arguments.iter().find(|argument| *argument != "--write").map_or_else(|| ".".into(), PathBuf::from);
    match compare(&root, write) {
        Ok(complaints) if complaints.is_empty() => ExitCode::SUCCESS,
        Ok(complaints) => {
            complaints.iter().for_each(|complaint| eprintln!("{complaint}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Compares the lists with the files, or writes the files; what is wrong.
fn compare(root: &Path, write: bool) -> Result<Vec<String>, String> {
    let mut workspace = Workspace::default();
    for (name, folder) in CRATES {
        workspace.load(name, &root.join(folder).join("src"))?;
    }
    let mut complaints = Vec::new();
    for library in LIBRARIES {
        let (list, hidden) = listing::list(&workspace, library)?;
        complaints.extend(hidden);
        let name = format!("docs/api/{}.txt", library.replace('_', "-"));
        let path = root.join(&name);
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        if kept == list {
            continue;
        }
        if write {
            std::fs::write(&path, &list).map_err(|error| format!("{name}: {error}"))?;
        } else {
            complaints.extend(differences(&kept, &list));
            complaints.push(format!("{name}: the interface has changed: see docs/development.md, Public interfaces"));
        }
    }
    Ok(complaints)
}

/// The lines that only one of two lists has.
fn differences(kept: &str, list: &str) -> Vec<String> {
    let only = |one: &str, other: &str, mark: char| {
        let other: std::collections::BTreeSet<String> = other.lines().map(String::from).collect();
        let lines = one.lines().filter(|line| !other.contains(*line));
        lines.map(|line| format!("{mark} {line}")).collect::<Vec<_>>()
    };
    let mut lines = only(kept, list, '-');
    lines.extend(only(list, kept, '+'));
    lines
}
