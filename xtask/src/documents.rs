//! Checks of the documents: sizes, paths, links, widths of lines, words.
//!
//! A code span is a path if it begins with a folder of the repository's root. It is also one if it names a `.rs`, `.pest` or `.md`
//! file: a name without a folder must exist somewhere, others are written from the root. `regress/NAME` and its like are cases of
//! `shaders-test/cases/`, `vulkan/NAME`, `opencl/NAME`, `workarounds/NAME` and `tuning/NAME` are passes. In a table, a column whose head names a
//! folder has paths below that folder. Names in capitals, `*` and `…` stand for anything, `{a,b}` for both.

use crate::Outcome;
use crate::process::files;
use std::collections::BTreeSet;
use std::path::Path;

/// Most columns of a line of text.
const MAX_COLUMNS: usize = 120;
/// Most bytes of documents that must stay short.
const MAX_BYTES: [(&str, usize); 1] = [("ARCHITECTURE.md", 25_600)];
/// A document that a program writes, and the text that it copies to its end.
const PERFORMANCE: &str = "docs/performance.md";
const EVIDENCE: &str = "shaders-test/src/bin/device_bench/evidence.md";
/// Documents whose wording and widths are not checked.
const GENERATED: [&str; 3] = ["docs/accuracy.md", PERFORMANCE, EVIDENCE];
/// The document that lists the words below.
const WORD_LIST: &str = "docs/development.md";
/// Phrases that documents do not use, and what to write instead.
const WORDS: [(&str, &str); 8] = [
    ("builtin function", "built-in function"),
    ("floating number", "floating-point number"),
    ("turns of a loop", "iterations"),
    ("becomes of", "a sentence with the verb 'become' or 'be lowered to'"),
    ("but for", "'except'"),
    ("worth to", "'worthwhile to', or a figure"),
    ("knows nothing of", "'does not know'"),
    ("chore", "'command' or 'task'"),
];
/// Folders of passes; a code span that begins with one is the name of a pass.
const PASS_FOLDERS: [&str; 4] = ["vulkan/", "opencl/", "workarounds/", "tuning/"];
const CASES: &str = "shaders-test/cases";

/// What the repository has, as far as documents refer to it.
struct Repository<'r> {
    root: &'r Path,
    /// Names of files, without folders.
    names: BTreeSet<String>,
    /// Folders of the root.
    folders: BTreeSet<String>,
    /// Folders of cases.
    cases: BTreeSet<String>,
    passes: BTreeSet<String>,
}

/// Checks every document.
pub fn check(root: &Path, complaints: &mut Vec<String>) -> Outcome {
    let repository = Repository::of(root)?;
    for path in files(root, "md")? {
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let text = read(&path)?;
        size(&name, &text, complaints);
        if name == PERFORMANCE && !text.ends_with(&read(&root.join(EVIDENCE))?) {
            complaints.push(format!("{PERFORMANCE} does not end with {EVIDENCE}"));
        }
        if !GENERATED.contains(&name.as_str()) {
            widths(&name, &text, complaints);
            words(&name, &text, complaints);
        }
        repository.paths(&name, &text, complaints);
        links(root, &name, &text, complaints)?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn size(name: &str, text: &str, complaints: &mut Vec<String>) {
    if let Some((_, most)) = MAX_BYTES.iter().find(|(document, _)| *document == name)
        && text.len() > *most
    {
        let advice = "move what is about one module to the top of its file";
        complaints.push(format!("{name}: {} bytes are too many (at most {most}): {advice}", text.len()));
    }
}

/// The lines of a document that are text or tables, with their numbers: no code.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut fenced, mut blank) = (false, true);
    text.lines().enumerate().filter_map(move |(number, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        let indented = line.starts_with("    ") && blank;
        blank = line.trim().is_empty() || indented;
        (!fenced && !fence && !indented).then_some((number + 1, line))
    })
}

fn is_table(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

fn widths(name: &str, text: &str, complaints: &mut Vec<String>) {
    for (number, line) in prose(text) {
        let columns = line.chars().count();
        if columns > MAX_COLUMNS && !is_table(line) && !line.contains("](") && !line.contains("://") {
            complaints.push(format!("{name}:{number}: {columns} columns are too many (at most {MAX_COLUMNS})"));
        }
    }
}

fn words(name: &str, text: &str, complaints: &mut Vec<String>) {
    for (number, line) in prose(text) {
        if name == WORD_LIST && is_table(line) {
            continue;
        }
        let line = line.to_lowercase();
        for (phrase, advice) in WORDS {
            let is_word = |(at, _): (usize, &str)| {
                let around = [line[..at].chars().next_back(), line[at + phrase.len()..].chars().next()];
                around.into_iter().flatten().all(|c| !c.is_alphanumeric())
            };
            if line.match_indices(phrase).any(is_word) {
                complaints.push(format!("{name}:{number}: '{phrase}': write {advice}"));
            }
        }
    }
}

/// Every relative link leads to a file, and its fragment to a heading.
pub fn links(root: &Path, name: &str, text: &str, complaints: &mut Vec<String>) -> Outcome {
    let path = root.join(name);
    let folder = path.parent().unwrap_or(root);
    for (number, line) in prose(text) {
        for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, fragment) = target.split_once('#').map_or((target, None), |(file, part)| (file, Some(part)));
            let linked = if file.is_empty() { path.clone() } else { folder.join(file) };
            if !linked.exists() {
                complaints.push(format!("{name}:{number}: the link '{target}' leads nowhere"));
            } else if let Some(fragment) = fragment.filter(|_| linked.extension().is_some_and(|e| e == "md"))
                && !prose(&read(&linked)?).any(|(_, line)| anchor(line).is_some_and(|anchor| anchor == fragment))
            {
                complaints.push(format!("{name}:{number}: the link '{target}' names no heading"));
            }
        }
    }
    Ok(())
}

/// What links call a heading.
fn anchor(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let kept = heading.to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
    Some(kept.replace(' ', "-"))
}

/// The code spans of a piece of text.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The cells of a row of a table: a `|` inside of a code span separates nothing.
fn cells(row: &str) -> Vec<&str> {
    let (mut found, mut start, mut in_code) = (Vec::new(), 0, false);
    let row = row.trim().trim_matches('|');
    for (at, c) in row.char_indices() {
        in_code ^= c == '`';
        if c == '|' && !in_code {
            found.push(&row[start..at]);
            start = at + 1;
        }
    }
    found.push(&row[start..]);
    found
}

impl Repository<'_> {
    fn of(root: &Path) -> Result<Repository<'_>, String> {
        let folders_of = |folder: &Path| -> BTreeSet<String> {
            let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
            let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
        };
        let mut repository = Repository {
            root,
            names: BTreeSet::new(),
            folders: folders_of(root),
            cases: folders_of(&root.join(CASES)),
            passes: BTreeSet::new(),
        };
        for made in ["target", ".git"] {
            repository.folders.remove(made);
        }
        for extension in ["rs", "pest", "md"] {
            let names = files(root, extension)?;
            repository.names.extend(names.iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())));
        }
        let spirv = root.join("compiler/spirv/src");
        if spirv.exists() {
            for path in files(&spirv, "rs")? {
                let text = read(&path)?;
                let quoted = text.split('"').filter(|quoted| PASS_FOLDERS.iter().any(|f| quoted.starts_with(f)));
                repository.passes.extend(quoted.map(str::to_owned));
            }
        }
        Ok(repository)
    }

    /// Every code span that is a path exists.
    fn paths(&self, name: &str, text: &str, complaints: &mut Vec<String>) {
        // The folders that the heads of the table's columns name.
        let mut columns: Option<Vec<Option<String>>> = None;
        let mut paragraph = (1, String::new());
        let mut seen = BTreeSet::new();
        let mut complain = |number: usize, span: &str, why: Option<String>| {
            if let Some(why) = why.filter(|_| seen.insert(span.to_owned())) {
                complaints.push(format!("{name}:{number}: {why}"));
            }
        };
        for (number, line) in prose(text).chain([(0, "")]) {
            if is_table(line) {
                let row = cells(line);
                let Some(bases) = &columns else {
                    columns = Some(row.iter().map(|cell| self.folder_of(cell)).collect());
                    continue;
                };
                for (cell, base) in row.iter().zip(bases.iter().chain(std::iter::repeat(&None))) {
                    spans(cell).for_each(|span| complain(number, span, self.wrong(span, base.as_deref())));
                }
                continue;
            }
            columns = None;
            if line.trim().is_empty() {
                spans(&paragraph.1).for_each(|span| complain(paragraph.0, span, self.wrong(span, None)));
                paragraph.1.clear();
            } else {
                if paragraph.1.is_empty() {
                    paragraph.0 = number;
                }
                paragraph.1.push_str(line.trim_start());
                paragraph.1.push(' ');
            }
        }
    }

    /// The folder that the head of a column names.
    fn folder_of(&self, head: &str) -> Option<String> {
        spans(head).find(|span| span.ends_with('/') && self.root.join(span).is_dir()).map(str::to_owned)
    }

    /// What is wrong with a code span, if it is a path.
    fn wrong(&self, span: &str, base: Option<&str>) -> Option<String> {
        let is_path = |c: char| c.is_alphanumeric() || "/._-*…{,}+".contains(c);
        if span.is_empty() || span.starts_with('/') || span.starts_with("..") || !span.chars().all(is_path) {
            return None;
        }
        let is_file = [".rs", ".pest", ".md"].iter().any(|extension| span.ends_with(extension));
        let exists = |path: &str| {
            expanded(path).iter().all(|path| self.root.join(path).exists() || self.root.join(certain(path)).is_dir())
        };
        let missing = |path: String| (!exists(&path)).then(|| format!("'{path}' does not exist"));
        if let Some(base) = base {
            return if span.contains('/') || is_file { missing(format!("{base}{span}")) } else { None };
        }
        let Some((first, rest)) = span.split_once('/') else {
            let known = self.names.contains(span) || certain(span) != span;
            return (is_file && !known).then(|| format!("there is no file '{span}'"));
        };
        if self.folders.contains(first) {
            return missing(span.to_owned());
        }
        if PASS_FOLDERS.iter().any(|folder| folder.trim_end_matches('/') == first) && !is_file {
            let known = rest.is_empty() || certain(span) != span || self.passes.contains(span);
            return (!known).then(|| format!("there is no pass '{span}'"));
        }
        if self.cases.contains(first) && !is_file {
            let exists = rest.is_empty() || certain(span) != span || exists(&format!("{CASES}/{span}.cl"));
            return (!exists).then(|| format!("there is no case '{span}'"));
        }
        is_file.then(|| format!("write the path '{span}' from the root of the repository"))
    }
}

/// A path without `{a,b}`: one for each alternative.
fn expanded(path: &str) -> Vec<String> {
    let parts = path.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (alternatives, after))) = parts else { return vec![path.to_owned()] };
    alternatives.split(',').flat_map(|one| expanded(&format!("{before}{one}{after}"))).collect()
}

/// The part of a path before the first component that stands for any name: one with `*` or `…`, or one in capitals.
fn certain(path: &str) -> &str {
    let stands_for_any = |part: &str| {
        let stem = part.split('.').next().unwrap_or_default();
        let capitals = stem.len() > 1 && stem.chars().all(|c| c.is_ascii_uppercase() || c == '_');
        part.contains(['*', '…']) || capitals
    };
    let mut end = 0;
    for part in path.split_inclusive('/') {
        if stands_for_any(part.trim_end_matches('/')) {
            return &path[..end];
        }
        end += part.len();
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository of these files.
    fn repository(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        folder
    }

    /// Complaints about a document in a repository with a few files.
    fn complaints(document: &str) -> Vec<String> {
        let folder = repository(&[
            ("compiler/src/lib.rs", ""),
            ("compiler/src/passes.rs", ""),
            ("compiler/spirv/src/memory.rs", "const NAME: &str = \"vulkan/memory\";"),
            ("shaders-test/cases/regress/loads.cl", ""),
            ("docs/other.md", "# The other one, at last\n"),
            ("README.md", document),
        ]);
        let mut complaints = Vec::new();
        check(folder.path(), &mut complaints).expect("readable files");
        complaints
    }

    #[test]
    fn paths_that_exist_pass() {
        let good = "`compiler/src/lib.rs`, `compiler/src/`, `lib.rs`,\n`compiler/src/{lib,passes}.rs`, `compiler/src/NAME.rs`, \
                    `compiler/src/*.rs`,\n`regress/loads`, `vulkan/memory`, `vulkan/…`,\n`image/png`, `a / b`, `other.md`, `-I src`";
        assert_eq!(complaints(good), Vec::<String>::new());
        assert_eq!(complaints("```sh\nrm `compiler/none.rs`\n```\n\n    `compiler/none.rs`\n"), Vec::<String>::new());
    }

    #[test]
    fn paths_that_do_not_exist_are_found() {
        let bad = [
            ("`compiler/src/none.rs`", "README.md:1: 'compiler/src/none.rs' does not exist"),
            ("`compiler/src/{lib,none}.rs`", "README.md:1: 'compiler/src/{lib,none}.rs' does not exist"),
            ("`compiler/none/*.rs`", "README.md:1: 'compiler/none/*.rs' does not exist"),
            ("a\n\n* b\n  `none.rs`", "README.md:3: there is no file 'none.rs'"),
            ("`src/lib.rs`", "README.md:1: write the path 'src/lib.rs' from the root of the repository"),
            ("`regress/none`", "README.md:1: there is no case 'regress/none'"),
            ("`vulkan/none`", "README.md:1: there is no pass 'vulkan/none'"),
        ];
        for (document, complaint) in bad {
            assert_eq!(complaints(document), [complaint]);
        }
    }

    #[test]
    fn columns_of_tables_may_have_a_folder() {
        let head = "| what | in `compiler/src/` |\n|---|---|\n";
        assert_eq!(complaints(&format!("{head}| `lib.rs` | `lib.rs`, `word` |\n")), Vec::<String>::new());
        let wrong = complaints(&format!("{head}| `a\\|b` | `none.rs` |\n"));
        assert_eq!(wrong, ["README.md:3: 'compiler/src/none.rs' does not exist"]);
        assert_eq!(complaints(&format!("{head}\n`lib.rs`\n")), Vec::<String>::new());
    }

    #[test]
    fn links_lead_somewhere() {
        let good =
            "[a](docs/other.md) [b](docs/other.md#the-other-one-at-last) [c](https://example.org/x) [d](compiler/src)";
        assert_eq!(complaints(good), Vec::<String>::new());
        assert_eq!(complaints("# A b\n\n[a](#a-b)"), Vec::<String>::new());
        assert_eq!(complaints("[a](other.md)"), ["README.md:1: the link 'other.md' leads nowhere"]);
        assert_eq!(complaints("\n[a](#x)"), ["README.md:2: the link '#x' names no heading"]);
        assert_eq!(complaints("[a](docs/other.md#x)"), ["README.md:1: the link 'docs/other.md#x' names no heading"]);
    }

    #[test]
    fn long_lines_and_words_are_found() {
        let long = "x".repeat(MAX_COLUMNS + 1);
        assert_eq!(complaints(&long), ["README.md:1: 121 columns are too many (at most 120)"]);
        assert_eq!(complaints(&format!("| {long} |")), Vec::<String>::new());
        assert_eq!(complaints(&format!("```\n{long}\n```")), Vec::<String>::new());
        assert_eq!(complaints(&"é".repeat(MAX_COLUMNS)), Vec::<String>::new());
        assert_eq!(complaints("A Builtin Function."), ["README.md:1: 'builtin function': write built-in function"]);
        assert_eq!(complaints("Builtin functions, a choreography."), Vec::<String>::new());
    }

    #[test]
    fn sizes_are_limited() {
        let mut complaints = Vec::new();
        size("ARCHITECTURE.md", &"x".repeat(25_600), &mut complaints);
        size("README.md", &"x".repeat(99_999), &mut complaints);
        assert_eq!(complaints, Vec::<String>::new());
        size("ARCHITECTURE.md", &"x".repeat(25_601), &mut complaints);
        assert_eq!(complaints.len(), 1);
    }
}
