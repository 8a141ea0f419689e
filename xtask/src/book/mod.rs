//! `cargo xtask book`: the book in `docs/book`. Its links and its structure are checked, its programs are run, its reference is
//! made from the code, and `mdbook` makes its pages where it is installed.
//!
//! A chapter that is a document of `docs/` is one line, `{{#include ../../NAME.md}}`. Links of chapters are those of the repository,
//! so that they work in a checkout; they are rewritten for the pages.

mod pages;
mod plots;
mod programs;
mod reference;
mod results;

use crate::process::{built, cargo, files, root, step};
use crate::{Outcome, documents};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The folder of the chapters.
const SOURCES: &str = "docs/book/src";
/// The list of chapters.
const SUMMARY: &str = "SUMMARY.md";

/// What is done.
#[derive(clap::Args)]
pub struct Arguments {
    /// Write the outputs of commands, and the reference, as they are now
    #[arg(long)]
    write: bool,
    /// The command that the book's programs run [default: the one of this checkout, built in release mode]
    #[arg(long, value_name = "FILE")]
    clforge: Option<PathBuf>,
    /// Run the programs of these chapters only (repeatable), such as start.md
    #[arg(long = "chapter", value_name = "NAME")]
    chapters: Vec<String>,
}

/// Checks the book and makes its pages.
pub fn book(arguments: &Arguments) -> Outcome {
    let clforge = match &arguments.clforge {
        Some(file) => std::path::absolute(file).map_err(|error| format!("{}: {error}", file.display()))?,
        None => {
            let build = ["build", "--release", "-p", "clforge", "-p", "clforge-capi", "-p", "clforge-opencl"];
            step("building the command and the libraries", cargo().args(build))?;
            built("clforge")
        }
    };
    check_chapters(&clforge, arguments.write, &arguments.chapters)?;
    pages::make(&root())
}

/// Checks the book with a built command.
pub fn check(clforge: &Path) -> Outcome {
    check_chapters(clforge, false, &[])
}

fn check_chapters(clforge: &Path, write: bool, only: &[String]) -> Outcome {
    let (start, root, mut complaints) = (Instant::now(), root(), Vec::new());
    reference::check(&root, clforge, write, &mut complaints)?;
    results::check(&root, write, &mut complaints)?;
    structure(&root, &mut complaints)?;
    let mut machine = programs::Machine::new(&root, clforge)?;
    for file in chapters(&root)? {
        let name = name_of(&root, &file);
        documents::links(&root, &name, &read(&file)?, &mut complaints)?;
        if only.is_empty() || only.iter().any(|chapter| file.ends_with(chapter)) {
            // The programs of a document that is a whole chapter are the chapter's.
            let file = pages::document(&file)?.map_or(file, |document| root.join(document));
            machine.chapter(&name_of(&root, &file), &file, write, &mut complaints)?;
        }
    }
    println!("==> {} in {:.1} s", machine.report(), start.elapsed().as_secs_f64());
    complaints.iter().for_each(|complaint| eprintln!("{complaint}"));
    match complaints.len() {
        0 => Ok(()),
        count => Err(format!("the book has {count} faults; cargo xtask book --write writes outputs and the reference")),
    }
}

/// Every chapter is in the list. (That those of the list exist is checked with the links.)
fn structure(root: &Path, complaints: &mut Vec<String>) -> Outcome {
    let summary = read(&root.join(SOURCES).join(SUMMARY))?;
    for file in chapters(root)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name != SUMMARY && !summary.contains(&format!("]({name})")) {
            complaints.push(format!("{SOURCES}/{SUMMARY}: the chapter '{name}' is missing"));
        }
    }
    Ok(())
}

fn chapters(root: &Path) -> Result<Vec<PathBuf>, String> {
    files(&root.join(SOURCES), "md")
}

/// Compares a file of the chapters with what it would be now, or writes that.
fn made(root: &Path, name: &str, text: &str, write: bool, complaints: &mut Vec<String>) -> Outcome {
    let file = root.join(SOURCES).join(name);
    if std::fs::read_to_string(&file).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if write {
        let folder = file.parent().unwrap_or(root);
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        return write_file(&file, text);
    }
    complaints.push(format!("{SOURCES}/{name}: it is out of date: run cargo xtask book --write"));
    Ok(())
}

/// A file's name from the root of the repository.
fn name_of(root: &Path, file: &Path) -> String {
    file.strip_prefix(root).unwrap_or(file).to_string_lossy().replace('\\', "/")
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write_file(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
