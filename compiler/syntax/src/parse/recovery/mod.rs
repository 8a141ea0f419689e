//! Error recovery: what is skipped after an error, so that the rest of the program is still checked.
//!
//! There are three kinds of errors. The classifier meets a declaration that it does not understand: it skips to
//! where the next one most likely begins ([`TokenClassifier::skip_declaration`]). The classifier stops, since something is nested
//! too deeply: it skips the whole external declaration ([`TokenClassifier::skip_external_declaration`]). The grammar rejects a
//! token: the error becomes a diagnostic ([`diagnostics`]), the statement around it is blanked, and the grammar is
//! tried again ([`Builder::recover`]); of a function with an error its declaration is kept.

pub(super) mod diagnostics;

use std::cell::Cell;

use pest::Parser as _;
use pest::error::Error;

use crate::ast::ExternalDeclaration;
use crate::parse::Builder;
use crate::parse::class::TokenClass;
use crate::parse::classifier::{Place, TokenClassifier};
use crate::parse::grammar::{OpenClC, Rule};
use clforge_basic::source::{Punct, TokenFlags, TokenKind};

/// Errors reported in one external declaration before the rest of it is skipped.
const MAX_ERRORS_PER_DECLARATION: usize = 10;

impl<'a> Builder<'a, '_, '_> {
    /// Reports the syntax errors of an external declaration, of which `error` is the first, and keeps what can be kept:
    /// a function's declaration. `body` is the offset of the function's body.
    pub(in crate::parse) fn recover(
        &self,
        codes: &str,
        body: Option<usize>,
        error: Error<Rule>,
    ) -> Option<ExternalDeclaration<'a>> {
        let mut codes = codes.to_owned();
        let mut error = error;
        let mut in_body = false;
        // Behind the last statement that was blanked: an error up to there is a consequence.
        let mut blanked_to = 0;
        for _ in 0..MAX_ERRORS_PER_DECLARATION {
            let position = diagnostics::position(&error).min(codes.len());
            self.sink.borrow_mut().push(diagnostics::syntax_error(self, &codes, position, &error));
            in_body |= body.is_some_and(|body| position > body);
            match body.and_then(|body| without_statement(&codes, body, position)) {
                Some((rest, end)) => (codes, blanked_to) = (rest, blanked_to.max(end)),
                None => break,
            }
            match OpenClC::parse(Rule::external_declaration, &codes) {
                Ok(_) => break,
                Err(next) if diagnostics::position(&next) <= blanked_to || diagnostics::is_at_end(&next) => break,
                Err(next) => error = next,
            }
        }
        self.parse_prototype(&codes, body.filter(|_| in_body))
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

/// `codes` with the statement around the error at `pos` blanked, and the offset behind that statement; `None` where no
/// statement can be found.
fn without_statement(codes: &str, body: usize, pos: usize) -> Option<(String, usize)> {
    let bytes = codes.as_bytes();
    if pos <= body || pos >= bytes.len() {
        return None;
    }
    let start = statement_start(bytes, body, pos)?;
    let end = statement_end(bytes, pos);
    if end <= start {
        return None;
    }
    let (before, after) = (codes.get(..start)?, codes.get(end..)?);
    let blanks = std::iter::repeat_n(TokenClass::Skipped.code(), end - start);
    Some((before.chars().chain(blanks).chain(after.chars()).collect(), end))
}

/// Offset of the first token of the statement that `pos` is in.
fn statement_start(codes: &[u8], body: usize, pos: usize) -> Option<usize> {
    // Open brackets with the start of the current statement, which only braces have.
    let mut open: Vec<(TokenClass, usize)> = Vec::new();
    for (offset, class) in TokenClass::all(codes).enumerate().take(pos).skip(body) {
        match class {
            TokenClass::LParen | TokenClass::LBracket | TokenClass::LBrace => open.push((class, offset + 1)),
            TokenClass::RParen | TokenClass::RBracket
                if open.last().is_some_and(|(class, _)| *class != TokenClass::LBrace) =>
            {
                open.pop();
            }
            TokenClass::RBrace => while open.pop().is_some_and(|(class, _)| class != TokenClass::LBrace) {},
            _ => {}
        }
        if matches!(class, TokenClass::Semicolon | TokenClass::RBrace)
            && let Some((TokenClass::LBrace, start)) = open.last_mut()
        {
            *start = offset + 1;
        }
    }
    open.iter().rev().find(|(class, _)| *class == TokenClass::LBrace).map(|(_, start)| *start)
}

/// Offset behind the statement that `pos` is in.
fn statement_end(codes: &[u8], pos: usize) -> usize {
    let mut depth = 0_u32;
    for (offset, class) in TokenClass::all(codes).enumerate().skip(pos) {
        let next = TokenClass::at(codes, offset + 1);
        match class {
            TokenClass::LParen | TokenClass::LBracket | TokenClass::LBrace => depth += 1,
            TokenClass::RBrace if depth == 0 => return offset,
            TokenClass::RParen | TokenClass::RBracket | TokenClass::RBrace => {
                depth = depth.saturating_sub(1);
                if class == TokenClass::RBrace && depth == 0 && !continues_statement(next) {
                    return offset + 1;
                }
            }
            TokenClass::Semicolon if depth == 0 && next != TokenClass::KwElse => return offset + 1,
            _ => {}
        }
    }
    codes.len()
}

/// Whether a token behind a `}` belongs to the same statement.
fn continues_statement(class: TokenClass) -> bool {
    matches!(
        class,
        TokenClass::KwElse
            | TokenClass::KwWhile
            | TokenClass::RParen
            | TokenClass::Comma
            | TokenClass::Semicolon
            | TokenClass::RBracket
    )
}
