//! The positions of a module's spans, kept without the sources, which no longer exist when a unit is linked.

use clforge_basic::narrow::to_u32;
use clforge_basic::source::{ExpansionId, Interner, Loc, SourceMap, Span, Token, TokenFlags, TokenKind, TokenTable};
use clforge_ir::object::{LAST_COLUMN, Line, Object, Place, for_each_span};
use std::collections::{HashMap, HashSet};

/// Numbers the places of a module and makes its spans those numbers. Lines keep their text where `all`, else those of what is
/// linked by name, which messages of the linker show.
pub fn number(object: &mut Object, table: &TokenTable, sources: &SourceMap, interner: &Interner, all: bool) {
    let symbols: HashSet<Span> = symbols(object).collect();
    let mut numbers: HashMap<Span, u32> = HashMap::new();
    let mut keeper =
        Keeper { sources, interner, files: HashMap::new(), lines: HashMap::new(), kept: Object::default() };
    for_each_span(&mut object.module, |span| {
        if span.hi == 0 {
            return;
        }
        let number = *numbers.entry(*span).or_insert_with(|| {
            let place = keeper.place(*span, table, all || symbols.contains(span));
            keeper.kept.places.push(place);
            to_u32(keeper.kept.places.len()) - 1
        });
        *span = Span::token(number);
    });
    let Object { places, lines, files, .. } = keeper.kept;
    (object.places, object.lines, object.files) = (places, lines, files);
}

/// Where the names are that other units know.
fn symbols(object: &Object) -> impl Iterator<Item = Span> {
    let functions = object.module.functions.iter();
    let functions = functions.filter(|function| function.exported || function.is_declaration());
    let globals = object.module.globals.iter().filter(|global| global.exported || global.imported);
    functions.map(|function| function.span).chain(globals.map(|global| global.span))
}

struct Keeper<'s> {
    sources: &'s SourceMap,
    interner: &'s Interner,
    files: HashMap<String, u32>,
    /// By file and number.
    lines: HashMap<(u32, u32), u32>,
    kept: Object,
}

impl Keeper<'_> {
    /// The part of the first line that a span is on; of what a macro made, the use of the macro.
    fn place(&mut self, span: Span, table: &TokenTable, with_text: bool) -> Place {
        let range = table.range(span, self.interner);
        let (start, end) = (self.sources.file_loc(range.start), self.sources.file_loc(range.end));
        let Some((id, offset)) = self.sources.locate(start.pos) else {
            let line = self.line("", 0, "");
            return Place { line, start: 0, end: 0 };
        };
        let file = self.sources.file(id);
        let (name, number) = file.presumed(offset);
        if !with_text {
            return Place { line: self.line(name, number, ""), start: 0, end: 0 };
        }
        let physical = file.line(offset);
        let text = file.line_text(physical);
        let line_start = file.line_starts().get((physical as usize).saturating_sub(1)).copied().unwrap_or(0);
        let end_length = match self.outermost_macro(range.end) {
            Some(name) => to_u32(name.len()),
            None => range.end_len,
        };
        let from = offset.saturating_sub(line_start);
        let to = from.saturating_add(end.pos.saturating_add(end_length).saturating_sub(start.pos));
        let (from, to) = (boundary(text, from), boundary(text, to));
        Place { line: self.line(name, number, text), start: from, end: to.max(from) }
    }

    fn outermost_macro(&self, loc: Loc) -> Option<&str> {
        let mut found = self.sources.expansion(loc.expansion)?;
        while let Some(outer) = self.sources.expansion(found.call_site.expansion) {
            found = outer;
        }
        Some(self.interner.text(found.macro_name))
    }

    /// The number of a line, which gets this text if it has none.
    fn line(&mut self, file: &str, number: u32, text: &str) -> u32 {
        let known = self.files.get(file).copied();
        let file = known.unwrap_or_else(|| {
            self.kept.files.push(file.to_owned());
            let index = to_u32(self.kept.files.len()) - 1;
            self.files.insert(file.to_owned(), index);
            index
        });
        let lines = &mut self.kept.lines;
        let index = *self.lines.entry((file, number)).or_insert_with(|| {
            lines.push(Line { file, number, text: String::new() });
            to_u32(lines.len()) - 1
        });
        if let Some(line) = lines.get_mut(index as usize).filter(|line| line.text.is_empty()) {
            line.text = text.to_owned();
        }
        index
    }
}

/// The last boundary of characters that is not behind a byte.
fn boundary(text: &str, at: u32) -> u32 {
    let at = (at as usize).min(text.len());
    to_u32((0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0))
}

/// A table of tokens that are the places of an object, whose spans so become those of a source: each line is a file of its own.
pub fn table(object: &Object, sources: &mut SourceMap, interner: &mut Interner) -> TokenTable {
    let mut table = TokenTable::default();
    let mut widths = vec![0; object.lines.len()];
    for place in &object.places {
        if let Some(width) = widths.get_mut(place.line as usize) {
            *width = place.start.min(LAST_COLUMN).max(*width);
        }
    }
    let lines = object.lines.iter().zip(&widths);
    let bases: Vec<u32> = lines.map(|(line, width)| add_line(object, line, *width, sources)).collect();
    for place in &object.places {
        let line = object.lines.get(place.line as usize);
        let text = line.and_then(|line| line.text.get(place.start as usize..place.end as usize)).unwrap_or_default();
        let pos = bases.get(place.line as usize).copied().unwrap_or(0).saturating_add(place.start);
        let loc = Loc { pos, expansion: ExpansionId::NONE };
        let text = interner.intern(text);
        table.tokens.push(Token { kind: TokenKind::Other, flags: TokenFlags::empty(), text, loc });
    }
    table
}

/// Adds a line to the sources; the position of its first byte, or 0 where there is no room for it. Without its text it is as many
/// blanks as its places need to have columns.
fn add_line(object: &Object, line: &Line, width: u32, sources: &mut SourceMap) -> u32 {
    let name = object.files.get(line.file as usize).cloned().unwrap_or_default();
    let text = if line.text.is_empty() { " ".repeat(width as usize) } else { line.text.clone() };
    let Some(id) = sources.add(name, text, None) else { return 0 };
    let file = sources.file_mut(id);
    file.line_directives.push((0, line.number, None));
    file.base
}
