//! The token classifier: converts tokens to the grammar's input, one character per token, one external declaration at a
//! time.
//!
//! C's grammar is ambiguous without knowing which identifiers are typedef names, and a name's meaning depends on the
//! scopes around it. Other compilers let the lexer ask the symbol table, which is known as the "lexer hack"; here a
//! pass before the grammar does it. It walks declarations and statements with a stack of scopes ([`super::names`]),
//! notes the names that they declare, and classifies each identifier as [`TokenClass::TypedefName`] or
//! [`TokenClass::Identifier`]. It is lenient: it classifies what it does not recognise token by token, and the grammar
//! reports the error. It also bounds nesting, since pest and the later stages recurse.

mod declarations;
mod expressions;
mod statements;

pub(super) use declarations::Place;

use super::class::TokenClass;
use super::names::{Keyword, Names};
use clforge_basic::narrow::to_u32;
use clforge_basic::source::{Punct, Span, Symbol, Token, TokenKind};

/// Brackets of all kinds that may be open at once (clang's default too).
pub(super) const MAX_BRACKETS: u32 = 256;
/// Statements without braces that may be nested in each other: `if (a) while (b) for (;;) …`.
pub(super) const MAX_STATEMENTS: u32 = 2000;
/// Consecutive labels of one statement, and assignments or conditionals chained in one expression.
pub(super) const MAX_CHAIN: u32 = 20_000;

/// What the classifier found wrong.
pub(super) enum Problem {
    /// A name stands where only a type can; it is classified as one, so that the grammar does not report it again.
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

/// The token classifier: see the module.
pub(super) struct TokenClassifier<'t> {
    pub(super) tokens: &'t [Token],
    /// The next token to classify.
    pub(super) pos: usize,
    /// One past the last token that may be classified: the `Eof` token, or the place where classification stopped.
    pub(super) end: usize,
    /// The file's `Eof` token.
    pub(super) eof: usize,
    /// One character per token since `start`.
    codes: String,
    /// First token of the external declaration being classified.
    pub(super) start: usize,
    pub(super) names: Names,
    /// In order of discovery within this external declaration.
    pub(super) problems: Vec<Problem>,
    brackets: u32,
    statements: u32,
    /// Bindings of the parameters of the function declarator classified last, for its body.
    parameters: Vec<Symbol>,
    /// Where in `codes` the body of the function definition starts.
    body: Option<usize>,
}

impl<'t> TokenClassifier<'t> {
    /// A classifier of `tokens[lo..hi]`, the last of which is `Eof` or stands past the end.
    pub(super) fn new(tokens: &'t [Token], lo: usize, hi: usize, names: Names) -> TokenClassifier<'t> {
        let hi = hi.min(tokens.len());
        let lo = lo.min(hi);
        let is_eof = |token: &Token| token.kind == TokenKind::Eof;
        let eof = tokens.get(lo..hi).and_then(|tokens| tokens.iter().position(is_eof)).map_or(hi, |offset| lo + offset);
        TokenClassifier {
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

    /// Classifies the next external declaration: the index of its first token, or `None` at the end.
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
            self.skip_external_declaration();
        }
        self.names.close_to(0);
        Some(self.start)
    }

    /// The classes of the external declaration, each by its character.
    pub(super) fn codes(&self) -> &str {
        &self.codes
    }

    /// Where in the codes the body of a function definition starts.
    pub(super) fn body(&self) -> Option<usize> {
        self.body
    }

    // ---- Tokens ----

    pub(super) fn token(&self, ahead: usize) -> Option<&'t Token> {
        let index = self.pos + ahead;
        if index < self.end { self.tokens.get(index) } else { None }
    }

    /// The class of the next token by itself.
    pub(super) fn peek(&self) -> TokenClass {
        self.peek_at(0)
    }

    /// The class of the token `ahead` tokens after the next.
    fn peek_at(&self, ahead: usize) -> TokenClass {
        match self.token(ahead) {
            None => TokenClass::End,
            Some(token) => match token.kind {
                TokenKind::Identifier => self.names.class(token.text),
                TokenKind::Number => TokenClass::Number,
                TokenKind::Char => TokenClass::Character,
                TokenKind::Str => TokenClass::String,
                TokenKind::Punct(punct) => punct_class(punct),
                TokenKind::Other => TokenClass::Invalid,
                TokenKind::Eof => TokenClass::End,
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
            TokenClass::Identifier | TokenClass::TypedefName => self.token(0).map(|token| token.text),
            _ => None,
        }
    }

    /// The class of the last token.
    pub(super) fn previous(&self) -> TokenClass {
        self.codes.as_bytes().last().map_or(TokenClass::End, |code| TokenClass::of_code(*code))
    }

    /// Whether the last tokens have these classes.
    fn ends_with(&self, classes: [TokenClass; 3]) -> bool {
        self.codes.ends_with(classes.map(TokenClass::code))
    }

    /// Classifies the next token as `class`.
    fn bump_as(&mut self, class: TokenClass) {
        if self.pos < self.end {
            self.codes.push(class.code());
            self.pos += 1;
        }
    }

    /// Classifies the next token as what it is by itself.
    pub(super) fn bump(&mut self) {
        let class = self.peek();
        self.bump_class(class);
    }

    /// Classifies the next token as `class`, which the caller knows to be its own.
    fn bump_class(&mut self, class: TokenClass) {
        if class == TokenClass::Invalid {
            let is_keyword = self.token(0).is_some_and(|token| token.kind == TokenKind::Identifier);
            let problem = if is_keyword { Problem::Unsupported } else { Problem::Stray };
            self.problems.push(problem(self.here()));
        }
        self.bump_as(class);
    }

    /// Classifies the next token if it is of that class by itself.
    fn eat(&mut self, class: TokenClass) -> bool {
        let found = self.peek() == class;
        if found {
            self.bump_as(class);
        }
        found
    }

    /// Classifies the next token as an identifier if it may name something.
    fn eat_name(&mut self) -> Option<Symbol> {
        let symbol = self.nameable();
        if symbol.is_some() {
            self.bump_as(TokenClass::Identifier);
        }
        symbol
    }

    fn here(&self) -> Span {
        Span::token(to_u32(self.pos))
    }

    // ---- Nesting ----

    /// Classifies an opening bracket.
    fn open(&mut self) {
        self.bump();
        self.brackets += 1;
        if self.brackets > MAX_BRACKETS {
            let here = Span::token(to_u32(self.pos.saturating_sub(1)));
            self.stop(Problem::Brackets(here));
        }
    }

    /// Classifies the closing bracket if it is there.
    fn close(&mut self, class: TokenClass) {
        self.eat(class);
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

/// The class of a punctuator.
fn punct_class(punct: Punct) -> TokenClass {
    use Punct::*;
    match punct {
        LBrace => TokenClass::LBrace,
        RBrace => TokenClass::RBrace,
        LParen => TokenClass::LParen,
        RParen => TokenClass::RParen,
        LBracket => TokenClass::LBracket,
        RBracket => TokenClass::RBracket,
        Semi => TokenClass::Semicolon,
        Comma => TokenClass::Comma,
        Colon => TokenClass::Colon,
        Question => TokenClass::Question,
        Dot => TokenClass::Dot,
        Arrow => TokenClass::Arrow,
        Ellipsis => TokenClass::Ellipsis,
        Plus | Minus => TokenClass::Sign,
        Star => TokenClass::Star,
        Slash | Percent => TokenClass::SlashOrPercent,
        PlusPlus | MinusMinus => TokenClass::Increment,
        Amp => TokenClass::Ampersand,
        Pipe => TokenClass::Pipe,
        Caret => TokenClass::Caret,
        Tilde | Bang => TokenClass::Not,
        AmpAmp => TokenClass::AmpAmp,
        PipePipe => TokenClass::PipePipe,
        Shl | Shr => TokenClass::ShiftOperator,
        Lt | Gt | Le | Ge => TokenClass::RelationalOperator,
        EqEq | Ne => TokenClass::EqualityOperator,
        Assign => TokenClass::Equals,
        PlusAssign | MinusAssign | StarAssign | SlashAssign | PercentAssign | AmpAssign | PipeAssign | CaretAssign
        | ShlAssign | ShrAssign => TokenClass::CompoundAssign,
        Hash | HashHash | At | Backslash => TokenClass::Invalid,
    }
}
