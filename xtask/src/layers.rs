//! The dependency graph of the modules inside each crate, from their `use` declarations and paths. Cargo keeps the
//! crates in layers; this check keeps the modules of one crate in layers too.
//!
//! The unit is a top-level module of a crate: a file or a folder below `src/`. A path that begins with `crate::` or
//! leads there by `super::` is an edge to the module that it names, or whose item the crate's root re-exports under
//! that name. Tests are left out. The check reads text and does not parse Rust: it does not see paths that macros
//! generate.

use crate::Outcome;
use crate::process::files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Modules, and for each the modules that it uses with one file that does.
type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// Reports every edge that lies on a cycle, as `src/a.rs: module 'a' uses 'b', which uses 'a' again`.
pub fn cycles(source: &Path, complaints: &mut Vec<String>) -> Outcome {
    let graph = graph(source)?;
    for (module, uses) in &graph {
        for (used, file) in uses {
            if reaches(&graph, used, module) {
                complaints.push(format!("{}: module '{module}' uses '{used}', which uses '{module}' again", file));
            }
        }
    }
    Ok(())
}

fn reaches(graph: &Graph, from: &str, to: &str) -> bool {
    let (mut pending, mut seen) = (vec![from], BTreeSet::new());
    while let Some(module) = pending.pop() {
        if module == to {
            return true;
        }
        if seen.insert(module) {
            pending.extend(graph.get(module).into_iter().flat_map(|uses| uses.keys().map(String::as_str)));
        }
    }
    false
}

fn graph(source: &Path) -> Result<Graph, String> {
    let mut texts = Vec::new();
    let mut modules = BTreeSet::new();
    let mut exports = BTreeMap::new();
    for path in files(source, "rs")? {
        let name = path.strip_prefix(source).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        texts.push((module_path(&name), path, without_tests(&text)));
    }
    modules.extend(texts.iter().filter_map(|(module, ..)| module.first().cloned()));
    for (_, _, root) in texts.iter().filter(|(module, ..)| module.is_empty()) {
        for path in used_paths(root) {
            let parts: Vec<&str> =
                path.iter().map(String::as_str).filter(|part| *part != "crate" && *part != "self").collect();
            if let [module, .., item] = parts[..]
                && modules.contains(module)
            {
                exports.insert(item.to_owned(), module.to_owned());
            }
        }
    }
    let mut graph = Graph::new();
    for (module, path, text) in &texts {
        let Some(own) = module.first().filter(|_| !module.iter().any(|part| part.starts_with("tests"))) else {
            continue;
        };
        for target in used_paths(text).iter().filter_map(|path| absolute(path, module)) {
            let used = if modules.contains(&target) { Some(&target) } else { exports.get(&target) };
            if let Some(used) = used.filter(|used| *used != own) {
                let uses = graph.entry(own.clone()).or_default();
                uses.entry(used.clone()).or_insert_with(|| path.display().to_string());
            }
        }
    }
    Ok(graph)
}

/// The module that a file below `src/` is; empty for the crate's root.
fn module_path(file: &str) -> Vec<String> {
    let mut parts: Vec<String> = file.trim_end_matches(".rs").split('/').map(String::from).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

/// The first module of a path seen from the crate's root; `None` for paths into other crates.
fn absolute(path: &[String], module: &[String]) -> Option<String> {
    let supers = path.iter().take_while(|part| *part == "super").count();
    let rest = path.get(supers..)?;
    match path.first()?.as_str() {
        "crate" => path.get(1).cloned(),
        "super" if supers <= module.len() => module[..module.len() - supers].iter().chain(rest).next().cloned(),
        _ => None,
    }
}

/// A text without line comments and without the test module at its end.
fn without_tests(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// All paths of `use` declarations, their trees taken apart, and all paths that begin with `crate` or `super`.
fn used_paths(text: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for declaration in text.split("use ").skip(1) {
        take_apart(&[], declaration.split(';').next().unwrap_or_default(), &mut paths);
    }
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let path = &text[at..];
            let path = &path[..path.find(|c| !is_part(c)).unwrap_or(path.len())];
            let before = text[..at].chars().next_back();
            if before.is_none_or(|c| !is_part(c)) {
                paths.push(path.split("::").map(String::from).collect());
            }
        }
    }
    paths
}

/// Appends the paths of a `use` tree.
fn take_apart(prefix: &[String], tree: &str, paths: &mut Vec<Vec<String>>) {
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in tree.char_indices().chain([(tree.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                let part = tree[start..at].trim();
                start = at + 1;
                let (path, rest) = part.split_once('{').map_or((part, None), |(path, rest)| (path, Some(rest)));
                let path = path.split(" as ").next().unwrap_or_default().trim();
                let own = path.split("::").map(str::trim).filter(|part| !part.is_empty()).map(String::from);
                let full: Vec<String> = prefix.iter().cloned().chain(own).collect();
                match rest {
                    Some(rest) => take_apart(&full, rest.rsplit_once('}').map_or(rest, |(inside, _)| inside), paths),
                    None if full.is_empty() => {}
                    None => paths.push(full),
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Complaints about a crate of these files.
    fn check(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let mut complaints = Vec::new();
        cycles(folder.path(), &mut complaints).expect("readable files");
        complaints.iter().map(|text| text.rsplit('/').next().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn layers_pass() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\npub use b::Item;"),
            ("a/mod.rs", "use crate::{Item, b::{self, Other}};\nmod inner;"),
            ("a/inner.rs", "use super::Thing;\nuse std::fmt;"),
            ("b.rs", "// use crate::a;\n#[cfg(test)]\nmod tests {\n    use crate::a;\n}"),
        ];
        assert_eq!(check(&files), Vec::<String>::new());
    }

    #[test]
    fn cycles_are_found_through_re_exports_and_longer_ways() {
        let direct = [("a.rs", "use crate::b::X;"), ("b/mod.rs", "fn f() { crate::a::g() }")];
        assert_eq!(check(&direct).len(), 2);
        let exported = [("lib.rs", "pub use a::X;"), ("a.rs", "use super::b;"), ("b.rs", "use crate::X;")];
        assert_eq!(check(&exported).len(), 2);
        let long = [
            ("a.rs", "use super::b;"),
            ("b.rs", "use crate::c;"),
            ("c/d.rs", "use super::super::a;"),
            ("e.rs", "use crate::a;"),
        ];
        assert_eq!(
            check(&long),
            [
                "a.rs: module 'a' uses 'b', which uses 'a' again",
                "b.rs: module 'b' uses 'c', which uses 'b' again",
                "d.rs: module 'c' uses 'a', which uses 'c' again"
            ]
        );
    }
}
