//! The dependency graph of the modules inside each crate, from their `use` declarations and paths. Cargo keeps the
//! crates in layers; this check keeps the modules of one crate in layers too.
//!
//! It is made twice. First the unit is a top-level module of a crate: a file or a folder below `src/`. Then it is a file,
//! so that cycles inside a folder are seen. A path that begins with `crate::` or leads there by `super::` is an edge to the
//! module that it names, or whose item a root on the way re-exports under that name. Between a file and the root of a folder
//! that it is in (`mod.rs`, `lib.rs`) there is no edge: the parts of a module may use its root. Tests are left out. The
//! check reads text and does not parse Rust: it does not see paths that macros generate.

use crate::Outcome;
use crate::process::files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Files that use each other, and why that is so. Each is a list of modules, written as paths from `src/`.
const EXCEPTIONS: [(&str, &[&str], &str); 4] = [
    (
        "compiler/spirv/src",
        &["emit/common/function", "emit/common/wide_products"],
        "the emitter of a function keeps the products whose emission is a method of it",
    ),
    (
        "runtime/src",
        &[
            "program/kernel",
            "program/launch_rules",
            "program/layout",
            "program/loaded",
            "program/loop_watch",
            "program/object",
            "program/speculation",
            "program/variants",
        ],
        "a program makes its kernels, and a kernel keeps its program and the module that is loaded for it",
    ),
    (
        "runtime/opencl/src",
        &["program/build", "program/link", "program/object", "program/task"],
        "a program runs builds and links as tasks, and each of these works on programs",
    ),
    (
        "runtime/opencl/src",
        &["boundary/devices", "boundary/extension_functions", "boundary/table"],
        "objects that the entry points make begin with a pointer to the table, and a function finds the others by name",
    ),
];

/// Modules, and for each the modules that it uses with one file that does.
type Graph = BTreeMap<String, BTreeMap<String, String>>;

/// A file of a crate: its module, its path, and its text without tests.
struct File {
    module: Vec<String>,
    path: String,
    text: String,
}

/// The files of a crate.
struct Crate {
    files: Vec<File>,
    /// The modules that are files.
    modules: BTreeSet<Vec<String>>,
    /// What each module re-exports: names, and where they come from, as paths from the crate's root.
    exports: BTreeMap<(Vec<String>, String), Vec<String>>,
}

/// Reports every edge that lies on a cycle, as `src/a.rs: module 'a' uses 'b', which uses 'a' again`.
pub fn cycles(source: &Path, complaints: &mut Vec<String>) -> Outcome {
    let found = Crate::of(source)?;
    let name = source.display().to_string().replace('\\', "/");
    let top = found.graph(|module| module.first().cloned().unwrap_or_default());
    report(&top, &|_, _| false, complaints);
    let allowed: Vec<_> = EXCEPTIONS.iter().filter(|(of, ..)| name.ends_with(of)).collect();
    let is_exception = |one: &str, other: &str| {
        allowed.iter().any(|(_, modules, _)| modules.contains(&one) && modules.contains(&other))
    };
    let by_file = found.graph(|module| module.join("/"));
    report(&by_file, &is_exception, complaints);
    for (_, modules, _) in allowed {
        let on_cycle = |module: &&&str| {
            by_file.get(**module).is_some_and(|uses| uses.keys().any(|used| reaches(&by_file, used, module)))
        };
        for module in modules.iter().filter(|module| !on_cycle(module)) {
            complaints.push(format!("{name}: module '{module}' is on no cycle: remove it from the exceptions"));
        }
    }
    Ok(())
}

fn report(graph: &Graph, is_exception: &dyn Fn(&str, &str) -> bool, complaints: &mut Vec<String>) {
    for (module, uses) in graph {
        for (used, file) in uses {
            if !is_exception(module, used) && reaches(graph, used, module) {
                complaints.push(format!("{file}: module '{module}' uses '{used}', which uses '{module}' again"));
            }
        }
    }
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

impl Crate {
    fn of(source: &Path) -> Result<Crate, String> {
        let mut all = Vec::new();
        for path in files(source, "rs")? {
            let name = path.strip_prefix(source).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let (module, path) = (module_path(&name), path.display().to_string());
            all.push(File { module, path, text: without_tests(&text) });
        }
        // A folder is a module even if its root is another file.
        let prefixes = |file: &File| (0..=file.module.len()).map(|len| file.module[..len].to_vec()).collect::<Vec<_>>();
        let modules: BTreeSet<Vec<String>> = all.iter().flat_map(prefixes).collect();
        let mut exports = BTreeMap::new();
        for File { module, text, .. } in &all {
            for path in used_paths(text) {
                let Some(target) = from_root(&path, module, &modules) else { continue };
                if let Some(item) = target.last().filter(|item| *item != "*") {
                    exports.entry((module.clone(), item.clone())).or_insert(target);
                }
            }
        }
        Ok(Crate { files: all, modules, exports })
    }

    /// The graph whose units `unit` names; modules of one unit are one node.
    fn graph(&self, unit: impl Fn(&[String]) -> String) -> Graph {
        let mut graph = Graph::new();
        for File { module, path, text } in &self.files {
            if module.is_empty() || module.iter().any(|part| part.starts_with("tests")) {
                continue;
            }
            let own = unit(module);
            let written = used_paths(text).into_iter().filter_map(|path| from_root(&path, module, &self.modules));
            for used in written.map(|path| self.file_of(&path)) {
                let is_root = used.starts_with(module) || module.starts_with(&used);
                let used = unit(&used);
                if !is_root && used != own && !used.is_empty() {
                    graph.entry(own.clone()).or_default().entry(used).or_insert_with(|| path.clone());
                }
            }
        }
        graph
    }

    /// The module of the file that has what a path from the root names: re-exports are followed.
    fn file_of(&self, path: &[String]) -> Vec<String> {
        let mut rest = path.to_vec();
        // A name may be re-exported several times, and by mistake in a circle.
        for _ in 0..8 {
            let len = (0..=rest.len()).rev().find(|len| self.modules.contains(&rest[..*len])).unwrap_or(0);
            let module = rest[..len].to_vec();
            let target = rest.get(len).and_then(|item| self.exports.get(&(module.clone(), item.clone())));
            match target.filter(|target| !rest.starts_with(target)) {
                Some(target) => rest = [&target[..], &rest[len + 1..]].concat(),
                None => return module,
            }
        }
        Vec::new()
    }
}

/// The module that a file below `src/` is; empty for the crate's root.
fn module_path(file: &str) -> Vec<String> {
    let mut parts: Vec<String> = file.trim_end_matches(".rs").split('/').map(String::from).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

/// A path as seen from the crate's root; `None` for paths into other crates. A path may begin with a child of the module.
fn from_root(path: &[String], module: &[String], modules: &BTreeSet<Vec<String>>) -> Option<Vec<String>> {
    let supers = path.iter().take_while(|part| *part == "super").count();
    let rest = path.get(supers..)?;
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([module, &path[1..]].concat()),
        "super" if supers <= module.len() => Some([&module[..module.len() - supers], rest].concat()),
        child => {
            let child = [module, &[child.to_owned()]].concat();
            modules.contains(&child).then(|| [module, path].concat())
        }
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
        complaints.sort();
        let short = |text: &String| {
            let (file, rest) = text.split_once(": ").unwrap_or_default();
            format!("{}: {rest}", file.rsplit('/').next().unwrap_or_default())
        };
        let mut short: Vec<String> = complaints.iter().map(short).collect();
        short.sort();
        short.dedup();
        short
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

    #[test]
    fn cycles_inside_of_a_folder_are_found() {
        let files = [
            ("a/mod.rs", "mod b;\nmod c;\npub use c::Item;\nfn root() { b::x() }"),
            ("a/b.rs", "use super::Item;\nuse super::root;"),
            ("a/c.rs", "use super::b::Other;"),
        ];
        assert_eq!(
            check(&files),
            [
                "b.rs: module 'a/b' uses 'a/c', which uses 'a/b' again",
                "c.rs: module 'a/c' uses 'a/b', which uses 'a/c' again"
            ]
        );
        let layered = [files[0], files[1], ("a/c.rs", "use super::root;")];
        assert_eq!(check(&layered), Vec::<String>::new());
    }
}
