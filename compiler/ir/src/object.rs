//! A module that may be linked to others, with the data that linking and messages need besides its code.

use super::Module;
use clforge_basic::layout::{Element, ValueLayout};
use clforge_basic::source::Span;

/// Most bytes in front of a place on a line without text: so long, blanks stand for the text in messages.
pub const LAST_COLUMN: u32 = 255;

/// The module of a translation unit, or of several that were linked to a library, before all passes. What is exported can be
/// named by other modules; functions without a body and imported globals are defined in one of them.
#[derive(Clone, Debug, Default)]
pub struct Object {
    pub module: Module,
    /// What is exported, and what is declared and not defined.
    pub types: Vec<SymbolType>,
    /// Where the spans of the module are: a span is the number of a place, or none.
    pub places: Vec<Place>,
    pub lines: Vec<Line>,
    /// Names of the sources.
    pub files: Vec<String>,
}

/// The type of a function or variable as its source declares it, so that modules can be compared by more than what is left of
/// types in the IR.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolType {
    pub name: String,
    /// As messages show it: `int (const __global float *)`.
    pub ty: String,
    /// The complete structs and unions that it is made of, and those that they are made of.
    pub records: Vec<RecordType>,
}

/// A struct or union.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordType {
    /// `struct pair`
    pub name: String,
    /// `{ int a; float b; }`
    pub members: String,
    /// Size, alignment, and the offset of each member.
    pub layout: Vec<u64>,
}

/// A part of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Index of the line.
    pub line: u32,
    /// The bytes of its text. Of a line that is kept without its text, both are the bytes in front of the place.
    pub start: u32,
    pub end: u32,
}

/// A line of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Index of the file.
    pub file: u32,
    /// From 1, as `#line` has it.
    pub number: u32,
    /// Without the line break. Empty where messages need no more than its number.
    pub text: String,
}

impl Object {
    /// Whether all numbers name something, and all bytes are in their lines.
    pub(super) fn is_consistent(&mut self) -> bool {
        let Object { module, places, lines, files, .. } = self;
        let mut spans_are_places = true;
        for_each_span(module, |span| {
            let is_place = (span.lo as usize) < places.len() && span.hi.checked_sub(1) == Some(span.lo);
            spans_are_places &= span.hi == 0 || is_place;
        });
        let in_line = |place: &Place| {
            let text = lines.get(place.line as usize).map(|line| line.text.as_str());
            text.is_some_and(|text| match text.is_empty() {
                true => place.start == place.end && place.start <= LAST_COLUMN,
                false => text.get(place.start as usize..place.end as usize).is_some(),
            })
        };
        spans_are_places
            && places.iter().all(in_line)
            && lines.iter().all(|line| (line.file as usize) < files.len())
            && records_are_known(module)
    }
}

/// All spans of a module.
pub fn for_each_span(module: &mut Module, mut change: impl FnMut(&mut Span)) {
    for function in &mut module.functions {
        change(&mut function.span);
        let arguments = function.kernel.iter_mut().flat_map(|kernel| &mut kernel.arguments);
        arguments.for_each(|argument| change(&mut argument.span));
        function.insts.iter_mut().for_each(|inst| change(&mut inst.span));
    }
    module.globals.iter_mut().for_each(|global| change(&mut global.span));
}

/// Whether descriptions of arguments name records that exist, and records only those before them.
fn records_are_known(module: &Module) -> bool {
    let below = |value: &ValueLayout, limit: usize| match value.element {
        Element::Record(index) => (index as usize) < limit,
        Element::BuiltIn(_) => true,
    };
    let arguments = module.functions.iter().filter_map(|function| function.kernel.as_ref());
    let mut arguments = arguments.flat_map(|kernel| &kernel.arguments).filter_map(|argument| argument.layout.as_ref());
    arguments.all(|layout| below(layout, module.records.len()))
        && module.records.iter().enumerate().all(|(at, record)| record.members.iter().all(|m| below(&m.value, at)))
}
