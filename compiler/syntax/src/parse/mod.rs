//! Tokens → syntax tree, by a pest grammar over classes of tokens.
//!
//! For each external declaration: [`classifier`] writes one character per token, which says its [`class`] and resolves
//! which names are types;
//! pest matches the string against `opencl_c.pest`; the builder ([`decl`], [`stmt`], [`expr`]) makes the tree from the
//! pairs, whose offsets are token indices. [`recovery`] turns
//! syntax errors into diagnostics and continues behind them.

mod class;
mod classifier;
mod decl;
mod expr;
mod literal;
pub mod names;
mod primary;
mod recovery;
mod stmt;
mod types;

#[cfg(test)]
mod tests;

use clforge_basic::narrow::to_u32;
use std::cell::{Cell, RefCell};
use std::ops::Range;

use bumpalo::Bump;
use pest::Parser as _;
use pest::iterators::{Pair, Pairs};
use rustc_hash::FxHashSet;

use crate::ast::{ExternalDeclaration, TranslationUnit};
use class::TokenClass;
use classifier::{Problem, TokenClassifier};
use clforge_basic::diag::{Diagnostic, Sink, SourceRange};
use clforge_basic::options::ClStd;
use clforge_basic::source::{Interner, Loc, Span, Symbol, Token, TokenTable};
use grammar::{OpenClC, Rule};
use names::{Keyword, Names};

#[allow(missing_docs)] // of what the derive makes
mod grammar {
    /// Made from `opencl_c.pest` and its terminals.
    #[derive(pest_derive::Parser)]
    #[grammar = "parse/token_classes.pest"]
    #[grammar = "parse/opencl_c.pest"]
    pub(super) struct OpenClC;
}

/// Levels an expression's tree may have; later stages recurse on it.
const MAX_EXPRESSION_DEPTH: u32 = 20_000;

/// Parses the tokens `range` of `table` (up to an `Eof` token).
///
/// Errors go to `sink`. What parsed is still returned, so that sema can report more: of a function with a syntax error in
/// its body the other statements, or else its declaration.
pub fn parse<'a>(
    arena: &'a Bump,
    table: &TokenTable,
    range: Range<u32>,
    interner: &mut Interner,
    sink: &mut Sink,
    language: ClStd,
) -> TranslationUnit<'a> {
    let names = Names::new(interner, language);
    let mut classifier = TokenClassifier::new(&table.tokens, range.start as usize, range.end as usize, names);
    let mut declarations = Vec::new();
    let mut unknown_types = FxHashSet::default();
    let (interner, sink, string_bytes) = (RefCell::new(interner), RefCell::new(sink), Cell::new(0));
    while let Some(start) = classifier.next_external() {
        if sink.borrow().error_count() > MAX_ERRORS {
            break;
        }
        let builder = Builder {
            arena,
            table,
            names: &classifier.names,
            codes: classifier.codes().as_bytes(),
            base: to_u32(start),
            inserted: &[],
            interner: &interner,
            sink: &sink,
            depth: Cell::new(0),
            too_deep: Cell::new(false),
            string_bytes: &string_bytes,
        };
        builder.report_problems(&classifier.problems, &mut unknown_types);
        declarations.extend(builder.parse_classified(&classifier));
    }
    TranslationUnit { declarations: arena.alloc_slice_copy(&declarations) }
}

/// Errors after which a text is given up: it is no program, and might be of any size.
const MAX_ERRORS: usize = 10 * Sink::MAX_ERRORS;

/// Makes the tree of one external declaration.
struct Builder<'a, 's, 'm> {
    arena: &'a Bump,
    table: &'s TokenTable,
    names: &'s Names,
    /// The grammar's input.
    codes: &'s [u8],
    /// Index of the token that `codes[0]` stands for.
    base: u32,
    /// The offsets of characters that error recovery has inserted, in order: no token stands for them.
    inserted: &'s [usize],
    interner: &'s RefCell<&'m mut Interner>,
    sink: &'s RefCell<&'m mut Sink>,
    /// Depth of the deepest expression made since the innermost statement expression began.
    depth: Cell<u32>,
    /// Whether [`MAX_EXPRESSION_DEPTH`] was reported.
    too_deep: Cell<bool>,
    /// Bytes of the string literals of the translation unit so far.
    string_bytes: &'s Cell<usize>,
}

impl<'a> Builder<'a, '_, '_> {
    /// The tree of the external declaration that the classifier has just classified, or what can be kept of it.
    fn parse_classified(&self, classifier: &TokenClassifier<'_>) -> Option<ExternalDeclaration<'a>> {
        let (codes, body) = (classifier.codes(), classifier.body());
        // An unknown type was classified as a type: the rest may still be wrong in other places, or right as far as the
        // parser knows. Sema reports nothing about objects of such types.
        let unknown_types_only = classifier.problems.iter().all(|problem| matches!(problem, Problem::UnknownType(_)));
        if unknown_types_only {
            match OpenClC::parse(Rule::external_declaration, codes) {
                Ok(mut pairs) => return self.parse_external_declaration(pairs.next()?),
                Err(error) => return self.recover(codes, body, error),
            }
        }
        let in_body =
            |body: &usize| classifier.problems.iter().all(|problem| problem.position() > self.base + to_u32(*body));
        self.parse_prototype(codes, body.filter(in_body))
    }

    /// Reports what the classifier found. Each unknown type is reported once: it may be used a hundred times.
    fn report_problems(&self, problems: &[Problem], unknown_types: &mut FxHashSet<Symbol>) {
        for problem in problems {
            if let Problem::UnknownType(span) = problem
                && let Some(token) = self.table.tokens.get(span.lo as usize)
                && !unknown_types.insert(token.text)
            {
                continue;
            }
            let diagnostic = recovery::diagnostics::problem(problem, self.table, &self.interner.borrow(), self.names);
            self.sink.borrow_mut().push(diagnostic);
        }
    }

    /// The class of the token at an offset.
    fn class(&self, offset: usize) -> TokenClass {
        TokenClass::at(self.codes, offset)
    }

    /// Index of the token at an offset; of the next one where none stands there.
    fn index(&self, offset: usize) -> u32 {
        self.base + to_u32(offset - self.inserted.partition_point(|inserted| *inserted < offset))
    }

    fn token(&self, offset: usize) -> Option<&Token> {
        self.table.tokens.get(self.index(offset) as usize)
    }

    /// The spelling of the token at an offset.
    fn symbol(&self, offset: usize) -> Symbol {
        self.token(offset).map_or_else(|| self.interner.borrow().empty(), |token| token.text)
    }

    /// The keyword at an offset.
    fn keyword(&self, offset: usize) -> Option<Keyword> {
        self.names.keyword(self.symbol(offset))
    }

    /// The name at an offset with its place.
    fn name(&self, offset: usize) -> (Symbol, Span) {
        (self.symbol(offset), self.span(offset, offset + 1))
    }

    fn span(&self, lo: usize, hi: usize) -> Span {
        Span { lo: self.index(lo), hi: self.index(hi) }
    }

    fn range(&self, span: Span) -> SourceRange {
        self.table.range(span, &self.interner.borrow())
    }

    fn error(&self, span: Span, message: impl Into<String>) {
        let diagnostic = Diagnostic::error(self.range(span), message);
        self.sink.borrow_mut().push(diagnostic);
    }

    /// A pair the grammar cannot give: our bug, reported as one.
    fn unexpected(&self, place: &str) {
        let message = format!("unexpected pair in {place}");
        self.sink.borrow_mut().push(Diagnostic::internal(message));
    }

    /// The place just behind a token: where something is missing.
    fn after(&self, offset: usize) -> Option<SourceRange> {
        let token = self.token(offset)?;
        let length = to_u32(self.interner.borrow().text(token.text).len());
        let loc = Loc { pos: token.loc.pos.saturating_add(length), expansion: token.loc.expansion };
        Some(SourceRange::at(loc, 0))
    }
}

/// Offsets of a pair's tokens: first, and one past the last.
fn offsets(pair: &Pair<'_, Rule>) -> (usize, usize) {
    let span = pair.as_span();
    (span.start(), span.end())
}

/// The next pair's rule.
fn next_rule(pairs: &Pairs<'_, Rule>) -> Option<Rule> {
    pairs.peek().map(|pair| pair.as_rule())
}
