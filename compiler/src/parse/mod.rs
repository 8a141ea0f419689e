//! Tokens → syntax tree, by a pest grammar over token codes.
//!
//! For each external declaration: [`coder`] writes one character per token, deciding on the way which names are types;
//! pest matches the string against `opencl_c.pest`; the builder ([`decl`], [`stmt`], [`expr`]) makes the tree from the
//! pairs, whose offsets are token indices. [`errors`] turns pest's complaint into a diagnostic.

mod coder;
mod decl;
mod errors;
mod expr;
mod literal;
pub(crate) mod names;
mod stmt;
mod types;

#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::ops::Range;

use bumpalo::Bump;
use pest::Parser as _;
use pest::iterators::{Pair, Pairs};

use crate::ast::{ExternalDeclaration, TranslationUnit};
use crate::diag::{Diagnostic, Sink, SourceRange};
use crate::options::ClStd;
use crate::source::{Interner, Loc, Span, Symbol, Token, TokenTable};
use coder::{Coder, Problem};
use grammar::{OpenClC, Rule};
use names::{Keyword, Names};

#[allow(missing_docs)] // of what the derive makes
mod grammar {
    /// Made from `opencl_c.pest`.
    #[derive(pest_derive::Parser)]
    #[grammar = "parse/opencl_c.pest"]
    pub(super) struct OpenClC;
}

/// Errors reported in one external declaration before the rest of it is skipped.
const MAX_ERRORS_PER_DECLARATION: usize = 10;

/// Levels an expression's tree may have; later stages recurse on it.
const MAX_EXPRESSION_DEPTH: u32 = 20_000;

/// Parses the tokens `range` of `table` (up to an `Eof` token).
///
/// Errors go to `sink`. The declarations that parsed are returned all the same, so that sema can report more; of a
/// function with a syntax error in its body its declaration remains.
pub fn parse<'a>(
    arena: &'a Bump,
    table: &TokenTable,
    range: Range<u32>,
    interner: &mut Interner,
    sink: &mut Sink,
    language: ClStd,
) -> TranslationUnit<'a> {
    let names = Names::new(interner, language);
    let mut coder = Coder::new(&table.tokens, range.start as usize, range.end as usize, names);
    let mut declarations = Vec::new();
    // One mistake is told once: a type that is missing may be used a hundred times.
    let mut unknown_types = rustc_hash::FxHashSet::default();
    let (interner, sink) = (RefCell::new(interner), RefCell::new(sink));
    while let Some(start) = coder.next_external() {
        if sink.borrow().error_count() > MAX_ERRORS {
            break;
        }
        let builder = Builder {
            arena,
            table,
            names: &coder.names,
            codes: coder.codes().as_bytes(),
            base: start as u32,
            interner: &interner,
            sink: &sink,
            depth: Cell::new(0),
            too_deep: Cell::new(false),
        };
        let body = coder.body();
        if coder.problems.is_empty() {
            declarations.extend(match OpenClC::parse(Rule::external_declaration, coder.codes()) {
                Ok(mut pairs) => pairs.next().and_then(|pair| builder.parse_external_declaration(pair)),
                Err(error) => recover(&builder, coder.codes(), body, error),
            });
            continue;
        }
        for problem in &coder.problems {
            if let Problem::UnknownType(span) = problem
                && let Some(token) = table.tokens.get(span.lo as usize)
                && !unknown_types.insert(token.text)
            {
                continue;
            }
            let diagnostic = errors::problem(problem, table, &interner.borrow(), &coder.names);
            sink.borrow_mut().push(diagnostic);
        }
        // An unknown type was coded as a type: the rest may still be wrong in other places, or right for all the parser
        // knows. Sema is silent about what such types are of.
        if coder.problems.iter().all(|problem| matches!(problem, Problem::UnknownType(_))) {
            match OpenClC::parse(Rule::external_declaration, coder.codes()) {
                Ok(mut pairs) => {
                    declarations.extend(pairs.next().and_then(|pair| builder.parse_external_declaration(pair)));
                    continue;
                }
                Err(error) => {
                    recover(&builder, coder.codes(), body, error);
                }
            }
        }
        let in_body = |body: &usize| coder.problems.iter().all(|problem| problem.position() as usize > start + body);
        declarations.extend(prototype(&builder, coder.codes(), body.filter(in_body)));
    }
    TranslationUnit { declarations: arena.alloc_slice_copy(&declarations) }
}

/// Errors after which a text is given up: it is no program, and might be of any size.
const MAX_ERRORS: usize = 10 * Sink::MAX_ERRORS;

/// Reports the syntax errors of an external declaration, going on after each wrong statement, and keeps what can be
/// kept: a function's declaration.
fn recover<'a>(
    builder: &Builder<'a, '_, '_>,
    codes: &str,
    body: Option<usize>,
    error: pest::error::Error<Rule>,
) -> Option<ExternalDeclaration<'a>> {
    let mut codes = codes.to_owned();
    let mut error = error;
    let mut in_body = false;
    // Behind the last statement that was blanked: an error up to there is a consequence.
    let mut behind = 0;
    for _ in 0..MAX_ERRORS_PER_DECLARATION {
        let position = errors::position(&error).min(codes.len());
        builder.sink.borrow_mut().push(errors::syntax_error(builder, &codes, position, &error));
        in_body |= body.is_some_and(|body| position > body);
        match body.and_then(|body| errors::without_statement(&codes, body, position)) {
            Some((rest, end)) => (codes, behind) = (rest, behind.max(end)),
            None => break,
        }
        match OpenClC::parse(Rule::external_declaration, &codes) {
            Ok(_) => break,
            Err(next) if errors::position(&next) <= behind || errors::is_at_end(&next) => break,
            Err(next) => error = next,
        }
    }
    prototype(builder, &codes, body.filter(|_| in_body))
}

/// The declaration of a function whose body, from offset `body` on, is wrong.
fn prototype<'a>(builder: &Builder<'a, '_, '_>, codes: &str, body: Option<usize>) -> Option<ExternalDeclaration<'a>> {
    let header = codes.get(..body?)?.to_owned() + ";";
    let mut pairs = OpenClC::parse(Rule::external_declaration, &header).ok()?;
    let builder = Builder { codes: header.as_bytes(), depth: Cell::new(0), too_deep: Cell::new(false), ..*builder };
    builder.parse_external_declaration(pairs.next()?)
}

/// Makes the tree of one external declaration.
struct Builder<'a, 's, 'm> {
    arena: &'a Bump,
    table: &'s TokenTable,
    names: &'s Names,
    /// The grammar's input.
    codes: &'s [u8],
    /// Index of the token that `codes[0]` stands for.
    base: u32,
    interner: &'s RefCell<&'m mut Interner>,
    sink: &'s RefCell<&'m mut Sink>,
    /// Depth of the deepest expression made since the innermost statement expression began.
    depth: Cell<u32>,
    /// Whether [`MAX_EXPRESSION_DEPTH`] was reported.
    too_deep: Cell<bool>,
}

impl<'a> Builder<'a, '_, '_> {
    /// The code at an offset; 0 past the end.
    fn code(&self, offset: usize) -> u8 {
        self.codes.get(offset).copied().unwrap_or(0)
    }

    fn token(&self, offset: usize) -> Option<&Token> {
        self.table.tokens.get(self.base as usize + offset)
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
        Span { lo: self.base + lo as u32, hi: self.base + hi as u32 }
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
        let length = self.interner.borrow().text(token.text).len() as u32;
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
