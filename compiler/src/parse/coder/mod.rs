//! Turns tokens into the grammar's input: one character per token, one external declaration at a time.
//!
//! C's grammar depends on which names are types, and a name's meaning on the scopes around it. So the coder walks
//! declarations and statements with a scope stack, looks for the names they declare, and codes each identifier as type
//! name (`t`) or plain identifier (`i`). It is lenient: whatever it does not understand it codes token by token, and the
//! grammar finds the error. It also bounds nesting, since pest and the later stages recurse.

mod declarations;
mod expressions;
mod statements;

use super::names::{Keyword, Names};
use crate::source::{Punct, Span, Symbol, Token, TokenKind};

/// Brackets of all kinds that may be open at once (clang's default too).
pub(super) const MAX_BRACKETS: u32 = 256;
/// Statements without braces that may be nested in each other: `if (a) while (b) for (;;) …`.
pub(super) const MAX_STATEMENTS: u32 = 2000;
/// Consecutive labels of one statement, and assignments or conditionals chained in one expression.
pub(super) const MAX_CHAIN: u32 = 20_000;

/// Code of no token: the end of the input.
const END: u8 = 0;
/// Code of tokens that no rule of the grammar takes.
const INVALID: u8 = b'~';

/// What the coder found wrong.
pub(super) enum Problem {
    /// A name stands where only a type can; it was coded as one, so the grammar does not complain again.
    UnknownType(Span),
    /// More than [`MAX_BRACKETS`] open brackets.
    Brackets(Span),
    /// More than [`MAX_STATEMENTS`] or [`MAX_CHAIN`].
    Depth(Span, String),
    /// A keyword of C or GNU C that is not OpenCL C, or not supported.
    Unsupported(Span),
    /// A character that is no token.
    Stray(Span),
}

impl Problem {
    /// Index of the token it is about.
    pub(super) fn position(&self) -> u32 {
        match self {
            Problem::UnknownType(span)
            | Problem::Brackets(span)
            | Problem::Depth(span, _)
            | Problem::Unsupported(span)
            | Problem::Stray(span) => span.lo,
        }
    }
}

/// See the module.
pub(super) struct Coder<'t> {
    tokens: &'t [Token],
    /// The next token to code.
    pos: usize,
    /// One past the last token that may be coded: the `Eof` token, or the place where coding gave up.
    end: usize,
    /// The file's `Eof` token.
    eof: usize,
    /// One character per token since `start`.
    codes: String,
    /// First token of the external declaration being coded.
    start: usize,
    pub(super) names: Names,
    /// In order of discovery within this external declaration.
    pub(super) problems: Vec<Problem>,
    brackets: u32,
    statements: u32,
    /// Bindings of the parameters of the function declarator coded last, for its body.
    parameters: Vec<Symbol>,
    /// Where in `codes` the body of the function definition starts.
    body: Option<usize>,
}

impl<'t> Coder<'t> {
    /// A coder of `tokens[lo..hi]`, the last of which is `Eof` or stands past the end.
    pub(super) fn new(tokens: &'t [Token], lo: usize, hi: usize, names: Names) -> Coder<'t> {
        let hi = hi.min(tokens.len());
        let lo = lo.min(hi);
        let is_eof = |token: &Token| token.kind == TokenKind::Eof;
        let eof = tokens.get(lo..hi).and_then(|tokens| tokens.iter().position(is_eof)).map_or(hi, |offset| lo + offset);
        Coder {
            tokens,
            pos: lo,
            end: eof,
            eof,
            codes: String::new(),
            start: lo,
            names,
            problems: Vec::new(),
            brackets: 0,
            statements: 0,
            parameters: Vec::new(),
            body: None,
        }
    }

    /// Codes the next external declaration: the index of its first token, or `None` at the end.
    pub(super) fn next_external(&mut self) -> Option<usize> {
        if self.pos >= self.eof {
            return None;
        }
        self.codes.clear();
        self.problems.clear();
        self.start = self.pos;
        self.brackets = 0;
        self.statements = 0;
        self.body = None;
        self.external_declaration();
        if self.end < self.eof {
            self.give_up();
        }
        self.names.close_to(0);
        Some(self.start)
    }

    /// The codes of the external declaration.
    pub(super) fn codes(&self) -> &str {
        &self.codes
    }

    /// Where in the codes the body of a function definition starts.
    pub(super) fn body(&self) -> Option<usize> {
        self.body
    }

    /// Skips the rest of an external declaration whose coding was stopped, by counting brackets from its start.
    fn give_up(&mut self) {
        self.end = self.eof;
        let mut depth = 0_u32;
        for (index, token) in self.tokens.iter().enumerate().take(self.eof).skip(self.start) {
            let last = match token.kind {
                TokenKind::Punct(Punct::LBrace | Punct::LParen | Punct::LBracket) => {
                    depth = depth.saturating_add(1);
                    false
                }
                TokenKind::Punct(Punct::RBrace) => {
                    depth = depth.saturating_sub(1);
                    depth == 0 && index >= self.pos
                }
                TokenKind::Punct(Punct::RParen | Punct::RBracket) => {
                    depth = depth.saturating_sub(1);
                    false
                }
                TokenKind::Punct(Punct::Semi) => depth == 0 && index >= self.pos,
                _ => false,
            };
            if last {
                self.pos = index + 1;
                if self.peek() == b';' {
                    self.pos += 1;
                }
                return;
            }
        }
        self.pos = self.eof;
    }

    // ---- Tokens ----

    fn token(&self, ahead: usize) -> Option<&'t Token> {
        let index = self.pos + ahead;
        if index < self.end { self.tokens.get(index) } else { None }
    }

    /// The code of the next token by itself.
    fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    /// The code of the token `ahead` tokens after the next.
    fn peek_at(&self, ahead: usize) -> u8 {
        match self.token(ahead) {
            None => END,
            Some(token) => match token.kind {
                TokenKind::Identifier => self.names.code(token.text),
                TokenKind::Number => b'n',
                TokenKind::Char => b'c',
                TokenKind::Str => b's',
                TokenKind::Punct(punct) => punct_code(punct),
                TokenKind::Other => INVALID,
                TokenKind::Eof => END,
            },
        }
    }

    /// The keyword the next token is.
    fn keyword(&self) -> Option<Keyword> {
        self.token(0).filter(|token| token.kind == TokenKind::Identifier).and_then(|t| self.names.keyword(t.text))
    }

    /// The spelling of the next token if it may name something: an identifier or type name, no keyword.
    fn nameable(&self) -> Option<Symbol> {
        match self.peek() {
            b'i' | b't' => self.token(0).map(|token| token.text),
            _ => None,
        }
    }

    /// Whether the last token coded has this code.
    fn previous(&self) -> u8 {
        self.codes.as_bytes().last().copied().unwrap_or(END)
    }

    /// Codes the next token as `code`.
    fn bump_as(&mut self, code: u8) {
        if self.pos < self.end {
            self.codes.push(char::from(code));
            self.pos += 1;
        }
    }

    /// Codes the next token as what it is by itself.
    fn bump(&mut self) {
        let code = self.peek();
        self.bump_code(code);
    }

    /// Codes the next token, whose own code the caller knows already.
    fn bump_code(&mut self, code: u8) {
        match code {
            INVALID => self.problems.push(Problem::Stray(self.here())),
            b'!' if self.token(0).is_some_and(|token| token.kind == TokenKind::Identifier) => {
                self.problems.push(Problem::Unsupported(self.here()));
            }
            _ => {}
        }
        self.bump_as(code);
    }

    /// Codes the next token if its code is `code`.
    fn eat(&mut self, code: u8) -> bool {
        let found = self.peek() == code;
        if found {
            self.bump_as(code);
        }
        found
    }

    /// Codes the next token as identifier if it may name something.
    fn eat_name(&mut self) -> Option<Symbol> {
        let symbol = self.nameable();
        if symbol.is_some() {
            self.bump_as(b'i');
        }
        symbol
    }

    fn here(&self) -> Span {
        Span::token(self.pos as u32)
    }

    // ---- Nesting ----

    /// Codes an opening bracket.
    fn open(&mut self) {
        self.bump();
        self.brackets += 1;
        if self.brackets > MAX_BRACKETS {
            let here = Span::token(self.pos.saturating_sub(1) as u32);
            self.stop(Problem::Brackets(here));
        }
    }

    /// Codes the closing bracket if it is there.
    fn close(&mut self, code: u8) {
        self.eat(code);
        self.brackets = self.brackets.saturating_sub(1);
    }

    /// Gives this external declaration up: every loop sees the end of the input and returns.
    fn stop(&mut self, problem: Problem) {
        if self.end == self.eof && self.pos < self.eof {
            self.problems.push(problem);
            self.end = self.pos;
        }
    }
}

/// Whether a token of this code begins a declaration or type name.
fn starts_declaration(code: u8) -> bool {
    matches!(code, b'A'..=b'N' | b't' | b'y')
}

/// The grammar's code of a punctuator.
fn punct_code(punct: Punct) -> u8 {
    use Punct::*;
    match punct {
        LBrace => b'{',
        RBrace => b'}',
        LParen => b'(',
        RParen => b')',
        LBracket => b'[',
        RBracket => b']',
        Semi => b';',
        Comma => b',',
        Colon => b':',
        Question => b'?',
        Dot => b'.',
        Arrow => b'>',
        Ellipsis => b'_',
        Plus | Minus => b'+',
        Star => b'*',
        Slash | Percent => b'/',
        PlusPlus | MinusMinus => b'#',
        Amp => b'5',
        Pipe => b'3',
        Caret => b'4',
        Tilde | Bang => b'!',
        AmpAmp => b'2',
        PipePipe => b'1',
        Shl | Shr => b'8',
        Lt | Gt | Le | Ge => b'7',
        EqEq | Ne => b'6',
        Assign => b'=',
        PlusAssign | MinusAssign | StarAssign | SlashAssign | PercentAssign | AmpAssign | PipeAssign | CaretAssign
        | ShlAssign | ShrAssign => b'0',
        Hash | HashHash | At | Backslash => INVALID,
    }
}
