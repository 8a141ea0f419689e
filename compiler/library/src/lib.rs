//! The library of functions for Vulkan, written in OpenCL C: its files, and the part of them that a program needs.
//!
//! A compilation pays only for what it reaches: files are cut at their definitions, which begin in the first column, and
//! the compiler is given the ones that the functions asked for lead to, found by their names alone. All names of the
//! library begin with [`PREFIX`].

use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;
use std::sync::OnceLock;

/// What the names of the library's functions and constants begin with.
pub const PREFIX: &str = "__clforge_";

macro_rules! files {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("cl/", $name)))),*] };
}

/// Names and texts. What is found of a name is its last definition.
const FILES: &[(&str, &str)] = files![
    "atrig_f32.cl",
    "atrig_f64.cl",
    "erf_f32.cl",
    "erf_f64.cl",
    "exact_f32.cl",
    "exp_f32.cl",
    "exp_f64.cl",
    "fma_f32.cl",
    "fma_f64.cl",
    "gamma_f32.cl",
    "gamma_f64.cl",
    "hyper_f32.cl",
    "hyper_f64.cl",
    "log_f32.cl",
    "log_f64.cl",
    "manip_f32.cl",
    "manip_f64.cl",
    "pow_f32.cl",
    "pow_f64.cl",
    "rem_f32.cl",
    "rem_f64.cl",
    "root_f32.cl",
    "root_f64.cl",
    "trig_f32.cl",
    "trig_f64.cl",
    "work_group.cl",
];

/// A definition, or the directives of a file.
#[derive(Clone, Copy)]
struct Section {
    /// Index into [`FILES`].
    file: usize,
    /// Line of the file, from 1, on which it begins.
    line: u32,
    text: &'static str,
}

/// All sections of the library.
#[derive(Default)]
struct Index {
    definitions: FxHashMap<&'static str, Section>,
    /// In order of their places; a definition needs those of its file.
    directives: Vec<Section>,
}

impl Index {
    /// Made at first use: a program that needs no library does not read it.
    fn get() -> &'static Index {
        static INDEX: OnceLock<Index> = OnceLock::new();
        INDEX.get_or_init(|| {
            let mut index = Index::default();
            for (file, (_, text)) in FILES.iter().enumerate() {
                index.add_file(file, text);
            }
            index
        })
    }

    fn add_file(&mut self, file: usize, text: &'static str) {
        let mut open: Option<(usize, u32)> = None;
        let (mut start, mut line) = (0, 1);
        for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
            // A definition or a directive; not a comment, the inside of a function, or its closing brace.
            let starts = |first: &u8| first.is_ascii_alphabetic() || *first == b'#';
            if text.as_bytes().get(start).is_some_and(starts)
                && let Some((start_of_open, line)) = open.replace((start, line))
            {
                self.add_section(Section { file, line, text: &text[start_of_open..start] });
            }
            (start, line) = (end + 1, line + 1);
        }
        if let Some((start, line)) = open {
            self.add_section(Section { file, line, text: &text[start..] });
        }
    }

    fn add_section(&mut self, section: Section) {
        if section.text.starts_with('#') {
            self.directives.push(section);
        } else if let Some(name) = names(section.text).next() {
            self.definitions.insert(name, section);
        }
    }
}

/// The names of the library in a text.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    memchr::memmem::find_iter(text.as_bytes(), PREFIX).filter_map(move |start| {
        let rest = text.get(start..)?;
        rest.get(..rest.bytes().position(|byte| !is_part(&byte)).unwrap_or(rest.len()))
    })
}

/// The library's own copy of a function's name, if it has the function.
pub fn library_function(name: &str) -> Option<&'static str> {
    Index::get().definitions.get_key_value(name).map(|(name, _)| *name)
}

/// A text that defines some functions and all that they need, each after what it needs. `#line` directives say where
/// the parts are from. Names that the library lacks are passed over.
pub fn library_text<'n>(functions: impl IntoIterator<Item = &'n str>) -> String {
    let mut closure = Closure { index: Index::get(), seen: FxHashSet::default(), files: 0, text: String::new() };
    for function in functions {
        closure.add(function);
    }
    closure.text
}

/// A text in the making.
struct Closure {
    index: &'static Index,
    seen: FxHashSet<&'static str>,
    /// A bit for each file whose directives are in.
    files: u64,
    text: String,
}

impl Closure {
    /// Appends a definition and, before it, what it refers to. This recurses as deep as calls in the library nest.
    fn add(&mut self, name: &str) {
        let Some((name, section)) = self.index.definitions.get_key_value(name) else { return };
        if !self.seen.insert(name) {
            return;
        }
        for used in names(section.text) {
            self.add(used);
        }
        if self.files & (1 << section.file) == 0 {
            self.files |= 1 << section.file;
            for directive in self.index.directives.iter().filter(|directive| directive.file == section.file) {
                self.append(directive);
            }
        }
        self.append(section);
    }

    fn append(&mut self, section: &Section) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "#line {} \"{}\"\n{}\n", section.line, FILES[section.file].0, section.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_that_is_used_is_defined_once() {
        assert!(FILES.len() <= 64, "too many files for a bit each");
        let sections = FILES.iter().enumerate().flat_map(|(file, (_, text))| {
            let mut index = Index::default();
            index.add_file(file, text);
            index.definitions
        });
        let mut defined = FxHashSet::default();
        for (name, section) in sections {
            assert!(defined.insert(name), "{name} is defined in {} and elsewhere", FILES[section.file].0);
        }
        for (file, text) in FILES {
            for name in names(text) {
                assert!(defined.contains(name), "{file} uses {name}, which no file defines");
            }
        }
    }

    #[test]
    fn a_text_holds_what_is_needed_in_order_and_nothing_else() {
        let text = library_text(["__clforge_erf_f32"]);
        let place = |name: &str| text.find(&format!(" {name}("));
        let (exp, erf) = (place("__clforge_exp_f32"), place("__clforge_erf_f32"));
        assert!(erf.is_some(), "{text}");
        assert!(exp < erf, "{text}");
        assert_eq!(place("__clforge_exp10_f32"), None, "{text}");
        assert_eq!(place("__clforge_erfc_f64"), None, "{text}");
    }

    #[test]
    fn directives_come_with_their_file_only() {
        assert!(library_text(["__clforge_work_group_broadcast_i32"]).contains("#define SYNC"));
        assert!(!library_text(["__clforge_sin_f32"]).contains("#define"));
    }

    #[test]
    fn lines_are_those_of_the_files() {
        let text = library_text(["__clforge_fma_f32", "__clforge_log_f64"]);
        for part in text.split("#line ").skip(1) {
            let (place, part) = part.split_once('\n').expect("a line");
            let (line, file) = place.split_once(' ').expect("a place");
            let (_, whole) = FILES.iter().find(|(name, _)| file == format!("{name:?}")).expect("a file");
            let line: usize = line.parse().expect("a number");
            assert_eq!(whole.lines().nth(line - 1), part.lines().next());
        }
    }
}
