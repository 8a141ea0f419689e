//! Diagnostics as text: place, source line, caret, notes, macro trail, include stack.
//!
//! Each snippet is cut to one line, and to a window around the caret where the line is long, before annotate-snippets
//! lays it out: its cost depends on neither the size of the file nor the length of its lines.

use crate::narrow::to_u32;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Diagnostics, Severity, SourceRange};
use crate::source::{Expansion, ExpansionId, Interner, Loc, SourceMap};

/// Levels of macro expansion or inclusion shown before the rest is only counted.
const MAX_LEVELS: usize = 6;
/// Bytes of a line shown before and after the start of the caret.
const WINDOW: (usize, usize) = (120, 240);

/// Where a diagnostic is, as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file's name, as `#line` has it.
    pub file: String,
    /// From 1, as `#line` has it.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

impl Diagnostic {
    /// The option that names the warning: `-Wunused-value`, or `-Werror,-Wunused-value` of one that became an error.
    pub fn option(&self) -> Option<String> {
        let error = if self.severity == Severity::Error { "-Werror," } else { "" };
        self.flag.map(|flag| format!("{error}-W{}", flag.name()))
    }
}

/// The message, with the option that names it.
fn titled(diagnostic: &Diagnostic) -> String {
    let option = diagnostic.option().map(|option| format!(" [{option}]"));
    diagnostic.message.clone() + &option.unwrap_or_default()
}

/// One line of source ready to be shown.
struct Shown<'s> {
    path: &'s str,
    line: u32,
    column: u32,
    text: String,
    /// The start of the line is left out, or has trigraphs: the column in `text` is another one.
    cut: bool,
    /// The marked bytes of `text`.
    marked: std::ops::Range<usize>,
}

/// A line of source that is kept without the source, such as in a module that reports run-time errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// Where the marked text is.
    pub place: Place,
    /// The line, or a window of a long one, with `…` where something is left out.
    pub text: String,
    /// The marked bytes of `text`, all on character boundaries.
    pub marked: std::ops::Range<usize>,
}

impl Excerpt {
    /// The line of a range; for what macros made, that of the outermost use.
    pub fn of(range: SourceRange, sources: &SourceMap, names: &Interner) -> Option<Excerpt> {
        let shown = View { sources, names }.in_file(range)?;
        let place = Place { file: shown.path.to_owned(), line: shown.line, column: shown.column };
        Some(Excerpt { place, text: shown.text, marked: shown.marked })
    }

    /// An error at this place as text, as [`Diagnostics::render_one`] writes those of the compiler.
    pub fn render_error(&self, message: &str, notes: &[String], color: bool) -> String {
        let Place { file, line, column } = &self.place;
        let start = floor_boundary(&self.text, self.marked.start);
        let marked = start..floor_boundary(&self.text, self.marked.end).max(start);
        let cut = self.text[..start].chars().count() + 1 != *column as usize;
        let shown = Shown { path: file, line: *line, column: *column, text: self.text.clone(), cut, marked };
        let group = with_snippet(Group::with_title(Level::ERROR.primary_title(message)), shown, "", true);
        let group = group.elements(notes.iter().map(|note| Level::NOTE.message(note)));
        renderer(color).render(&[group])
    }
}

fn renderer(color: bool) -> Renderer {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii)
}

impl Diagnostics {
    /// All diagnostics as text, each with its place and source line.
    pub fn render(&self, color: bool) -> String {
        let mut out = String::new();
        for diagnostic in &self.list {
            out.push_str(&self.render_one(diagnostic, color));
            out.push_str("\n\n");
        }
        if self.suppressed > 0 {
            let plural = if self.suppressed == 1 { "" } else { "s" };
            out.push_str(&format!("error: {} more error{plural} not shown\n", self.suppressed));
        } else {
            out.truncate(out.trim_end_matches('\n').len());
            if !out.is_empty() {
                out.push('\n');
            }
        }
        out
    }

    /// Where a range begins; for what macros made, where the outermost macro is used.
    pub fn place(&self, range: SourceRange) -> Option<Place> {
        let pos = self.sources.file_loc(range.start).pos;
        let (id, offset) = self.sources.locate(pos)?;
        let file = self.sources.file(id);
        let (name, line) = file.presumed(offset);
        Some(Place { file: name.to_owned(), line, column: file.line_column(offset).1 })
    }

    /// File and line of each `#include` directive that leads to where a range begins, innermost first.
    pub fn includes(&self, range: SourceRange) -> Vec<(String, u32)> {
        self.sources.includes(range.start)
    }

    /// One line for each diagnostic: `file:line:column: error: …`.
    pub fn render_short(&self) -> String {
        let mut out = String::new();
        for diagnostic in &self.list {
            if let Some(Place { file, line, column }) = diagnostic.range.and_then(|range| self.place(range)) {
                out.push_str(&format!("{file}:{line}:{column}: "));
            }
            let severity = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let message = titled(diagnostic);
            out.push_str(&format!("{severity}: {}\n", message.lines().collect::<Vec<_>>().join(" ")));
        }
        out
    }

    /// One diagnostic as text, without a newline at the end.
    pub fn render_one(&self, diagnostic: &Diagnostic, color: bool) -> String {
        let view = View { sources: &self.sources, names: &self.names };
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(titled(diagnostic));
        let shown = diagnostic.range.and_then(|range| view.in_file(range));
        let mut report = vec![match shown {
            Some(shown) => with_snippet(Group::with_title(title), shown, &diagnostic.label, true),
            None if diagnostic.label.is_empty() => Group::with_title(title),
            None => Group::with_title(title).element(Level::NOTE.message(diagnostic.label.clone())),
        }];
        if let Some(range) = diagnostic.range {
            let messages = view.include_stack(range.start);
            if let Some(first) = report.pop() {
                report.push(first.elements(messages.into_iter().map(|message| Level::NOTE.message(message))));
            }
            view.expansion_trail(range, &mut report);
        }
        for note in &diagnostic.notes {
            let title = Level::NOTE.secondary_title(note.message.clone());
            let shown = note.range.and_then(|range| view.in_file(range));
            report.push(match shown {
                Some(shown) => with_snippet(Group::with_title(title), shown, "", false),
                None => Group::with_title(title),
            });
        }
        if let Some(help) = &diagnostic.help {
            report.push(Group::with_title(Level::HELP.secondary_title(help.clone())));
        }
        renderer(color).render(&report)
    }
}

/// Adds a line of source to a group.
fn with_snippet<'a>(group: Group<'a>, shown: Shown<'a>, label: &'a str, primary: bool) -> Group<'a> {
    let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
    let annotation = kind.span(shown.marked);
    let annotation = if label.is_empty() { annotation } else { annotation.label(label) };
    let snippet = Snippet::source(shown.text).line_start(shown.line as usize).annotation(annotation);
    if shown.cut {
        // The column in the text is not that in the file.
        let origin = Origin::path(shown.path).line(shown.line as usize).char_column(shown.column as usize);
        return group.element(origin).element(snippet);
    }
    group.element(snippet.path(shown.path))
}

/// What places mean.
struct View<'s> {
    sources: &'s SourceMap,
    names: &'s Interner,
}

impl<'s> View<'s> {
    /// The line of a file that leads to a range: for what macros made, the outermost use.
    fn in_file(&self, range: SourceRange) -> Option<Shown<'s>> {
        let start = self.sources.file_loc(range.start);
        let end = self.sources.file_loc(range.end);
        let end_len = match self.outermost(range.end) {
            Some(expansion) => to_u32(self.names.text(expansion.macro_name).len()),
            None => range.end_len,
        };
        self.shown(start.pos, end.pos.saturating_add(end_len))
    }

    /// The outermost macro use that a place comes from.
    fn outermost(&self, loc: Loc) -> Option<&'s Expansion> {
        let mut found = self.sources.expansion(loc.expansion)?;
        while let Some(outer) = self.sources.expansion(found.call_site.expansion) {
            found = outer;
        }
        Some(found)
    }

    /// The line at a global position, marked from there to `end` or the end of the line.
    fn shown(&self, start: u32, end: u32) -> Option<Shown<'s>> {
        let (id, offset) = self.sources.locate(start)?;
        let file = self.sources.file(id);
        let (path, line) = file.presumed(offset);
        let column = file.line_column(offset).1;
        let physical = file.line(offset);
        let text = file.line_text(physical);
        let line_start = file.line_starts().get((physical as usize).saturating_sub(1)).copied().unwrap_or(0);
        let at = floor_boundary(text, offset.saturating_sub(line_start) as usize);
        let len = end.saturating_sub(start) as usize;
        let to = floor_boundary(text, at.saturating_add(len)).max(at);
        // One character at least, where there is one.
        let to = if to == at { at + text[at..].chars().next().map_or(0, char::len_utf8) } else { to };
        let from = if at > WINDOW.0 { floor_boundary(text, at - WINDOW.0) } else { 0 };
        let until = floor_boundary(text, at.saturating_add(WINDOW.1));
        let to = to.min(until).max(at);
        let mut cut = String::new();
        if from > 0 {
            cut.push('…');
        }
        let shift = cut.len();
        cut.push_str(&text[from..until]);
        if until < text.len() {
            cut.push('…');
        }
        let marked = shift + at - from..shift + to - from;
        let is_as_in_file = from == 0 && file.trigraphs_in(line_start..offset).is_empty();
        Some(Shown { path, line, column, text: cut, cut: !is_as_in_file, marked })
    }

    /// `in file included from a.cl:3`, innermost first.
    fn include_stack(&self, loc: Loc) -> Vec<String> {
        let includes = self.sources.includes(loc);
        let mut messages: Vec<String> = includes
            .iter()
            .take(MAX_LEVELS)
            .map(|(file, line)| format!("in file included from {file}:{line}"))
            .collect();
        if includes.len() > MAX_LEVELS {
            messages.push(format!("… {} more", includes.len() - MAX_LEVELS));
        }
        messages
    }

    /// For a place that macros made: what stands in the replacement list of each, outermost first.
    fn expansion_trail(&self, range: SourceRange, report: &mut Vec<Group<'s>>) {
        // The innermost and the outermost levels say most; what is between may be long.
        let mut levels: Vec<(&'s Expansion, u32, u32)> = Vec::new();
        let mut total = 0usize;
        let mut loc = range.start;
        while let Some(expansion) = self.sources.expansion(loc.expansion) {
            let len = if total == 0 { self.spelled_len(range) } else { 0 };
            let len = if len == 0 { self.token_len(loc.pos) } else { len };
            total += 1;
            if levels.len() >= MAX_LEVELS {
                levels.remove(MAX_LEVELS / 2);
            }
            levels.push((expansion, loc.pos, len));
            loc = expansion.call_site;
        }
        for (index, (expansion, pos, len)) in levels.iter().rev().enumerate() {
            let name = self.names.text(expansion.macro_name);
            let title = Level::NOTE.secondary_title(format!("in expansion of macro '{name}'"));
            let group = Group::with_title(title);
            report.push(match self.shown(*pos, pos.saturating_add(*len)) {
                Some(shown) => with_snippet(group, shown, "", false),
                None => group,
            });
            if index + 1 + MAX_LEVELS / 2 == levels.len() && total > levels.len() {
                let more = format!("… {} more", total - levels.len());
                report.push(Group::with_title(Level::NOTE.secondary_title(more)));
            }
        }
    }

    /// Length of a range inside one replacement list; 0 when its ends are in different places.
    fn spelled_len(&self, range: SourceRange) -> u32 {
        if range.start.expansion == ExpansionId::NONE
            || range.start.expansion != range.end.expansion
            || range.end.pos < range.start.pos
        {
            return 0;
        }
        // What `##` made is longer than what stands there.
        let last = range.end_len.min(self.token_len(range.end.pos));
        range.end.pos - range.start.pos + last
    }

    /// Length of the token spelled at a global position.
    fn token_len(&self, pos: u32) -> u32 {
        self.sources.locate(pos).map_or(1, |(id, offset)| {
            to_u32(crate::source::lexer::token_len(self.sources.file(id).text.as_bytes(), offset as usize))
        })
    }
}

/// The last character boundary at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
