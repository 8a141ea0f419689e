//! Identifiers that C, C++ and Rust accept.

use std::collections::HashSet;

/// Words that are keywords of one of the languages, and may be names of OpenCL C.
const KEYWORDS: &[&str] = &[
    "abstract",
    "alignas",
    "alignof",
    "and",
    "as",
    "asm",
    "async",
    "await",
    "become",
    "bool",
    "box",
    "catch",
    "class",
    "compl",
    "concept",
    "const_cast",
    "constexpr",
    "crate",
    "decltype",
    "delete",
    "dyn",
    "dynamic_cast",
    "explicit",
    "export",
    "false",
    "final",
    "fn",
    "friend",
    "gen",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "nullptr",
    "operator",
    "or",
    "override",
    "priv",
    "private",
    "protected",
    "pub",
    "public",
    "ref",
    "reinterpret_cast",
    "requires",
    "self",
    "Self",
    "static_assert",
    "static_cast",
    "super",
    "template",
    "this",
    "throw",
    "trait",
    "true",
    "try",
    "type",
    "typeid",
    "typename",
    "unsafe",
    "unsized",
    "use",
    "using",
    "virtual",
    "wchar_t",
    "where",
    "xor",
    "yield",
];

/// An identifier made of a name.
pub fn identifier(name: &str) -> String {
    let mut text: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert(0, 'k');
    }
    if KEYWORDS.contains(&text.as_str()) {
        text.push('_');
    }
    text
}

/// Names that are taken.
#[derive(Default)]
pub struct Names(HashSet<String>);

impl Names {
    /// The name, or one with underscores behind it if it is taken.
    pub fn unique(&mut self, name: &str) -> String {
        let mut name = name.to_owned();
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}
