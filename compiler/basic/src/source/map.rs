//! Files, positions and macro expansions.

use super::Symbol;
use crate::narrow::to_u32;

/// Index of a file in the [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// Index of a macro expansion; [`ExpansionId::NONE`] for text written in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExpansionId(pub u32);

impl ExpansionId {
    /// Not from a macro.
    pub const NONE: ExpansionId = ExpansionId(0);
}

/// Where a token's spelling begins, and the macro expansion that put it where it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Loc {
    /// Global byte position: the file's base plus the offset in it.
    pub pos: u32,
    /// The innermost expansion.
    pub expansion: ExpansionId,
}

impl Loc {
    /// A position written in a file.
    pub fn at(pos: u32) -> Loc {
        Loc { pos, expansion: ExpansionId::NONE }
    }
}

/// One use of a macro.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// The macro's name.
    pub macro_name: Symbol,
    /// Where the macro was used (its own `expansion` is the enclosing use, if any).
    pub call_site: Loc,
    /// Where the macro was defined (position of its name).
    pub definition: u32,
}

/// One file, or one piece of text like the `-D` options.
pub struct SourceFile {
    /// As shown to the user.
    pub name: String,
    /// Text, lossily decoded where the input was not UTF-8 (so that byte offsets and shown text agree).
    pub text: String,
    /// Global position of the first byte.
    pub base: u32,
    /// Offsets of line starts in `text`, made on first use by diagnostics.
    lines: std::sync::OnceLock<Vec<u32>>,
    /// `#line` directives: (offset of the next line's start, presumed line number there, presumed file name).
    pub line_directives: Vec<(u32, u32, Option<String>)>,
    /// Offsets in `text` of the characters that trigraphs have become, in order.
    pub trigraphs: Vec<u32>,
    /// Where the file was included from.
    pub included_from: Option<Loc>,
}

/// All text of a compilation.
pub struct SourceMap {
    files: Vec<SourceFile>,
    expansions: Vec<Expansion>,
    next_base: u32,
}

impl SourceMap {
    /// Total bytes of text one compilation may read, so that a position fits 32 bits.
    pub const MAX_TEXT: usize = 1 << 31;

    /// An empty map. Expansion 0 is reserved for [`ExpansionId::NONE`].
    pub fn new() -> SourceMap {
        SourceMap { files: Vec::new(), expansions: Vec::new(), next_base: 1 }
    }

    /// Adds a text, or `None` when the total would pass [`SourceMap::MAX_TEXT`].
    pub fn add(&mut self, name: impl Into<String>, text: String, included_from: Option<Loc>) -> Option<FileId> {
        let end = self.next_base as usize + text.len() + 1;
        if end > Self::MAX_TEXT {
            return None;
        }
        let id = FileId(to_u32(self.files.len()));
        self.files.push(SourceFile {
            name: name.into(),
            text,
            base: self.next_base,
            lines: std::sync::OnceLock::new(),
            line_directives: Vec::new(),
            trigraphs: Vec::new(),
            included_from,
        });
        self.next_base = to_u32(end);
        Some(id)
    }

    /// The file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The file, to record `#line` directives.
    pub fn file_mut(&mut self, id: FileId) -> &mut SourceFile {
        &mut self.files[id.0 as usize]
    }

    /// All files in order of inclusion.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The names of the files that `#include` read, each once, in the order of their first inclusion.
    pub fn included_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut known = rustc_hash::FxHashSet::default();
        for file in self.files.iter().filter(|file| file.included_from.is_some()) {
            if known.insert(file.name.as_str()) {
                names.push(file.name.clone());
            }
        }
        names
    }

    /// Records a macro use.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpansionId {
        self.expansions.push(expansion);
        ExpansionId(to_u32(self.expansions.len()))
    }

    /// The macro use, or `None` for [`ExpansionId::NONE`].
    pub fn expansion(&self, id: ExpansionId) -> Option<&Expansion> {
        (id.0 as usize).checked_sub(1).and_then(|index| self.expansions.get(index))
    }

    /// The file that holds a global position, and the offset in it.
    pub fn locate(&self, pos: u32) -> Option<(FileId, u32)> {
        let index = self.files.partition_point(|file| file.base <= pos).checked_sub(1)?;
        let offset = pos - self.files[index].base;
        (offset as usize <= self.files[index].text.len()).then_some((FileId(to_u32(index)), offset))
    }

    /// File and line of each `#include` directive that leads to a place, innermost first.
    pub fn includes(&self, loc: Loc) -> Vec<(String, u32)> {
        let mut includes = Vec::new();
        let mut pos = self.file_loc(loc).pos;
        while let Some((included, _)) = self.locate(pos) {
            let Some(from) = self.file(included).included_from else { break };
            pos = self.file_loc(from).pos;
            // A file is included by an earlier one; so this ends.
            let Some((id, offset)) = self.locate(pos).filter(|(id, _)| *id < included) else { break };
            let (file, line) = self.file(id).presumed(offset);
            includes.push((file.to_owned(), line));
        }
        includes
    }

    /// Where the outermost macro use that leads to `loc` stands in a file (`loc` itself when not from a macro).
    pub fn file_loc(&self, loc: Loc) -> Loc {
        let mut loc = loc;
        while let Some(expansion) = self.expansion(loc.expansion) {
            loc = expansion.call_site;
        }
        loc
    }
}

impl Default for SourceMap {
    fn default() -> Self {
        SourceMap::new()
    }
}

impl SourceFile {
    /// The trigraphs in a range of `text`.
    pub fn trigraphs_in(&self, range: std::ops::Range<u32>) -> &[u32] {
        let first = self.trigraphs.partition_point(|at| *at < range.start);
        let end = self.trigraphs.partition_point(|at| *at < range.end).max(first);
        self.trigraphs.get(first..end).unwrap_or_default()
    }

    /// Line and column of an offset, both from 1; columns count characters of the file, where a trigraph has three.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let lines = self.line_starts();
        let line = lines.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = lines[line] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(end - start, |text| text.chars().count());
        let trigraphs = to_u32(self.trigraphs_in(lines[line]..offset).len());
        (to_u32(line) + 1, to_u32(column) + 2 * trigraphs + 1)
    }

    /// The name and line (from 1) that `#line` directives make of an offset.
    pub fn presumed(&self, offset: u32) -> (&str, u32) {
        let line = self.line(offset);
        let index = self.line_directives.partition_point(|directive| directive.0 <= offset);
        match index.checked_sub(1).and_then(|index| self.line_directives.get(index)) {
            None => (&self.name, line),
            Some((start, number, name)) => {
                let number = number.saturating_add(line.saturating_sub(self.line(*start)));
                (name.as_deref().unwrap_or(&self.name), number)
            }
        }
    }

    /// Line of an offset, from 1, as the text stands.
    pub fn line(&self, offset: u32) -> u32 {
        to_u32(self.line_starts().partition_point(|start| *start <= offset))
    }

    /// Text of a line (from 1), without its line break.
    pub fn line_text(&self, line: u32) -> &str {
        let lines = self.line_starts();
        let index = (line as usize).saturating_sub(1).min(lines.len() - 1);
        let start = lines[index] as usize;
        let end = lines.get(index + 1).map_or(self.text.len(), |next| *next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    /// Offsets at which lines begin.
    pub fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let breaks = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(index, _)| to_u32(index) + 1)).collect()
        })
    }
}
