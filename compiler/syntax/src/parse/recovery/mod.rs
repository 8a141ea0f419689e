//! Error recovery: skips tokens after an error, so that the rest of the program is still checked.
//!
//! There are three kinds of errors. The first kind is a declaration that the classifier does not understand: it skips
//! to where the next one most likely begins ([`TokenClassifier::skip_declaration`]). The second kind is nesting that is
//! too deep: the classifier skips the whole external declaration ([`TokenClassifier::skip_external_declaration`]). The
//! third kind is a token that the grammar rejects: the error becomes a diagnostic ([`diagnostics`]), and the grammar is
//! tried again ([`Builder::recover`]) after a missing token was inserted, or the expression or the statement around the
//! error was skipped ([`repair`]).

pub(super) mod diagnostics;
mod repair;

use std::cell::Cell;

use pest::Parser as _;
use pest::error::Error;

use crate::ast::ExternalDeclaration;
use crate::parse::Builder;
use crate::parse::class::TokenClass;
use crate::parse::classifier::{Place, TokenClassifier};
use crate::parse::grammar::{OpenClC, Rule};
use crate::parse::recovery::diagnostics::Context;
use crate::parse::recovery::repair::{Change, Repair};
use clforge_basic::source::{Punct, TokenFlags, TokenKind};

/// Errors reported in one external declaration before the rest of it is skipped.
const MAX_ERRORS_PER_DECLARATION: usize = 10;
/// How often the grammar is tried on one external declaration, and on how many tokens in all; but on a large one some times too.
const MAX_TRIES: usize = 40;
const MAX_TOKENS: usize = 2_000_000;
const MIN_TRIES: usize = 4;

impl<'a, 's, 'm> Builder<'a, 's, 'm> {
    /// Reports the syntax errors of an external declaration, of which `error` is the first, and keeps what can be kept: of a
    /// function the statements without an error, or else its declaration. `body` is the offset of the function's body.
    pub(in crate::parse) fn recover(
        &self,
        codes: &str,
        body: Option<usize>,
        error: Error<Rule>,
    ) -> Option<ExternalDeclaration<'a>> {
        let mut repair = Repair::new(codes);
        let mut error = error;
        let mut in_body = None;
        let mut tries = (MAX_TOKENS / codes.len().max(1)).clamp(MIN_TRIES, MAX_TRIES);
        'errors: for _ in 0..MAX_ERRORS_PER_DECLARATION {
            let position = diagnostics::position(&error).min(repair.codes.len());
            let builder = self.repaired(&repair);
            let context = Context::new(&builder, repair.codes.as_bytes(), position, &error);
            self.sink.borrow_mut().push(context.diagnose());
            let changes = changes(&context);
            let Some(body) = body.filter(|body| position > *body) else { break };
            in_body = Some(body);
            for change in changes {
                if tries == 0 {
                    break 'errors;
                }
                let Some(tried) = repair.with(change, body, position) else { continue };
                tries -= 1;
                match OpenClC::parse(Rule::external_declaration, &tried.codes) {
                    Ok(mut pairs) => return self.repaired(&tried).parse_external_declaration(pairs.next()?),
                    Err(next) if diagnostics::position(&next) > tried.end && !diagnostics::is_at_end(&next) => {
                        (repair, error) = (tried, next);
                        continue 'errors;
                    }
                    // A consequence of the first one, or of the change.
                    Err(_) => {}
                }
            }
            break;
        }
        self.parse_prototype(codes, in_body)
    }

    /// This builder for the repaired input.
    fn repaired<'r>(&'r self, repair: &'r Repair) -> Builder<'a, 'r, 'm> {
        Builder {
            codes: repair.codes.as_bytes(),
            inserted: &repair.inserted,
            depth: Cell::new(0),
            too_deep: Cell::new(false),
            ..*self
        }
    }

    /// The declaration of a function whose body, from offset `body` on, is wrong.
    pub(in crate::parse) fn parse_prototype(
        &self,
        codes: &str,
        body: Option<usize>,
    ) -> Option<ExternalDeclaration<'a>> {
        let mut header = codes.get(..body?)?.to_owned();
        header.push(TokenClass::Semicolon.code());
        let mut pairs = OpenClC::parse(Rule::external_declaration, &header).ok()?;
        let builder = Builder { codes: header.as_bytes(), depth: Cell::new(0), too_deep: Cell::new(false), ..*self };
        builder.parse_external_declaration(pairs.next()?)
    }
}

/// The changes that may repair an error, the one that keeps most first.
fn changes(context: &Context<'_, '_, '_, '_>) -> Vec<Change> {
    let insertion = context.missing().filter(|class| context.may_insert(*class)).map(Change::Insert);
    let others = [Change::Expression, Change::Statement(0), Change::Statement(1), Change::Statement(2)];
    insertion.into_iter().chain(others).collect()
}

impl TokenClassifier<'_> {
    /// Classifies what follows something unexpected in a declaration that began at token `begin`: to its `;`, or to the
    /// end of what looks like a body.
    pub(in crate::parse) fn skip_declaration(&mut self, place: Place, begin: usize) {
        loop {
            match self.peek() {
                TokenClass::End => return,
                TokenClass::Semicolon => return self.bump(),
                TokenClass::RBrace if place != Place::File => return,
                // Most likely the `;` is missing: the statement or declaration on the next line is another one.
                class
                    if place != Place::File
                        && self.pos > begin
                        && (class.starts_declaration() && class != TokenClass::TypedefName
                            || class.is_statement_keyword())
                        && self.starts_line() =>
                {
                    return;
                }
                TokenClass::LBrace => {
                    let is_body = self.previous() != TokenClass::Equals;
                    if is_body {
                        self.compound_statement();
                    } else {
                        self.brace_list();
                    }
                    if is_body && self.peek() != TokenClass::Semicolon {
                        return;
                    }
                }
                TokenClass::LParen => self.parenthesised(),
                TokenClass::LBracket => self.bracketed(),
                _ => self.bump(),
            }
        }
    }

    /// Whether the next token is the first of its line.
    fn starts_line(&self) -> bool {
        self.token(0).is_some_and(|token| token.flags.contains(TokenFlags::LINE_START))
    }

    /// Moves behind an external declaration whose classification was stopped, by counting brackets from its start:
    /// behind the `;` or `}` outside all brackets that is next.
    pub(in crate::parse) fn skip_external_declaration(&mut self) {
        self.end = self.eof;
        let mut depth = 0_u32;
        for (index, token) in self.tokens.iter().enumerate().take(self.eof).skip(self.start) {
            let TokenKind::Punct(punct) = token.kind else { continue };
            match punct {
                Punct::LBrace | Punct::LParen | Punct::LBracket => depth = depth.saturating_add(1),
                Punct::RBrace | Punct::RParen | Punct::RBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            if matches!(punct, Punct::RBrace | Punct::Semi) && depth == 0 && index >= self.pos {
                self.pos = index + 1;
                if self.peek() == TokenClass::Semicolon {
                    self.pos += 1;
                }
                return;
            }
        }
        self.pos = self.eof;
    }
}
