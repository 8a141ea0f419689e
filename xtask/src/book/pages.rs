//! The pages of the book: the chapters with their included documents, and links that hold between pages, given to `mdbook`.

use super::{SOURCES, SUMMARY, chapters, name_of, plots, read, write_file};
use crate::Outcome;
use crate::process::{files, step, target_folder, works};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

const INCLUDE: &str = "{{#include ";
/// The root of the repository as the pages see it, which are in `target/book/html`.
const ROOT: &str = "../../..";
/// Words that readers search for, of different chapters.
const SEARCHED: [&str; 5] = ["reflect", "sanitize", "No device", "DLPack", "matplotlib"];

/// Makes the pages, where `mdbook` is installed.
pub fn make(root: &Path) -> Outcome {
    if !works("mdbook", &["--version"]) {
        println!("==> mdbook is not installed: no pages were made (cargo install mdbook)");
        return Ok(());
    }
    let folder = target_folder().join("book");
    let sources = folder.join("src");
    std::fs::create_dir_all(&sources).map_err(|error| format!("{}: {error}", sources.display()))?;
    let pages = pages_of(root)?;
    for file in chapters(root)? {
        let text = assembled(root, &file, &pages)?;
        write_file(&sources.join(file.file_name().unwrap_or_default()), &text)?;
    }
    for name in ["book.toml", "book.css"] {
        write_file(&folder.join(name), &read(&root.join("docs/book").join(name))?)?;
    }
    for picture in files(&root.join("docs"), "svg")? {
        write_file(&sources.join(picture.file_name().unwrap_or_default()), &read(&picture)?)?;
    }
    let html = folder.join("html");
    step("mdbook", Command::new("mdbook").arg("build").arg(&folder).arg("--dest-dir").arg(&html))?;
    files(&html, "html")?.iter().try_for_each(|page| documents_of_the_repository(page))?;
    search_index(&html)
}

/// The index of the search has the text of the chapters, those that are included among them.
fn search_index(html: &Path) -> Outcome {
    let scripts = files(html, "js")?;
    let is_index =
        |file: &&PathBuf| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("searchindex"));
    let index = scripts.iter().find(is_index).ok_or("mdbook has made no index for the search")?;
    let text = read(index)?;
    match SEARCHED.iter().find(|word| !text.contains(*word)) {
        Some(word) => Err(format!("{}: the search does not find '{word}'", index.display())),
        None => Ok(()),
    }
}

/// Names documents outside of the book by their own extension: `mdbook` gives every link to a document that of a page.
fn documents_of_the_repository(page: &Path) -> Outcome {
    let text = read(page)?;
    let outside = format!("href=\"{ROOT}/");
    let mut parts = text.split(&outside);
    let mut new = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (target, rest) = part.split_once('"').unwrap_or((part, ""));
        new.push_str(&format!("{outside}{}\"{rest}", target.replacen(".html", ".md", 1)));
    }
    write_file(page, &new)
}

/// The page of each chapter, and of each document that is a whole chapter, by its path from the root.
fn pages_of(root: &Path) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut pages = BTreeMap::new();
    for file in chapters(root)? {
        let page = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(document) = document(&file)? {
            pages.insert(document, page.clone());
        }
        pages.insert(PathBuf::from(name_of(root, &file)), page);
    }
    Ok(pages)
}

/// The document that is the whole of a chapter, by its path from the root.
pub fn document(chapter: &Path) -> Result<Option<PathBuf>, String> {
    Ok(read(chapter)?.lines().next().and_then(included).map(|name| normal(&Path::new(SOURCES).join(name))))
}

/// The file that a line includes.
fn included(line: &str) -> Option<&str> {
    line.trim().strip_prefix(INCLUDE)?.strip_suffix("}}")
}

/// The plot that a line shows. It becomes a part of the page, so that it has the colours of the reader's theme.
fn plot(line: &str) -> Option<&str> {
    let (_, target) = line.strip_prefix("![")?.split_once("](")?;
    target.strip_suffix(')').filter(|target| target.starts_with("plots/"))
}

/// The text of a chapter's page.
fn assembled(root: &Path, file: &Path, pages: &BTreeMap<PathBuf, String>) -> Result<String, String> {
    let (mut text, mut fenced) = (String::new(), false);
    for line in read(file)?.lines() {
        fenced ^= line.trim_start().starts_with("```");
        if let Some(picture) = plot(line) {
            text.push_str(&plots::inline(&read(&root.join(SOURCES).join(picture))?));
            continue;
        }
        let Some(name) = included(line) else {
            let is_summary = file.ends_with(SUMMARY);
            let rewritten = if fenced || is_summary { line.to_owned() } else { links(line, Path::new(SOURCES), pages) };
            text.push_str(&(rewritten + "\n"));
            continue;
        };
        let path = normal(&Path::new(SOURCES).join(name));
        let document = read(&root.join(&path))?;
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut inner = fenced;
        for line in document.lines() {
            inner ^= line.trim_start().starts_with("```");
            text.push_str(&(if inner { line.to_owned() } else { links(line, &folder, pages) } + "\n"));
        }
    }
    Ok(text)
}

/// A line with its links as the pages need them. `folder` is the one that they are relative to.
fn links(line: &str, folder: &Path, pages: &BTreeMap<PathBuf, String>) -> String {
    let mut parts = line.split("](");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (target, rest) = part.split_once(')').unwrap_or((part, ""));
        let (path, fragment) = target.split_once('#').map_or((target, String::new()), |(p, f)| (p, format!("#{f}")));
        let is_local = !path.is_empty() && !path.contains("://") && !path.starts_with("mailto:");
        let linked = normal(&folder.join(path));
        let new = match pages.get(&linked) {
            _ if !is_local => target.to_owned(),
            Some(page) => format!("{page}{fragment}"),
            None if path.ends_with(".svg") => path.rsplit('/').next().unwrap_or_default().to_owned(),
            None => format!("{ROOT}/{}{fragment}", linked.to_string_lossy().replace('\\', "/")),
        };
        text.push_str(&format!("]({new}){rest}"));
    }
    text
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                found.pop();
            }
            Component::CurDir => {}
            other => found.push(other),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_those_of_the_pages() {
        let pages = BTreeMap::from([(PathBuf::from("docs/c.md"), "c.md".to_owned())]);
        let rewritten = |line: &str, folder: &str| links(line, Path::new(folder), &pages);
        assert_eq!(rewritten("a [c](c.md#x) (b)", "docs"), "a [c](c.md#x) (b)");
        assert_eq!(
            rewritten("[c](../../c.md), [r](../../../README.md)", SOURCES),
            format!("[c](c.md), [r]({ROOT}/README.md)")
        );
        assert_eq!(rewritten("[a](https://a.org/b) [h](#h)", SOURCES), "[a](https://a.org/b) [h](#h)");
    }
}
