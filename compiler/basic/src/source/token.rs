//! Preprocessing tokens and the token table of a translation unit.

use super::{Loc, SourceMap, Symbol};

/// A range of tokens in the [`TokenTable`]: `lo` included, `hi` excluded. Never empty except for synthesised nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// Index of the first token.
    pub lo: u32,
    /// One past the last token.
    pub hi: u32,
}

impl Span {
    /// Tokens from here on are in no table, which are shorter: they number the places of the built-in library.
    pub const LIBRARY: u32 = 1 << 31;

    /// The span of one token.
    pub fn token(index: u32) -> Span {
        Span { lo: index, hi: index + 1 }
    }

    /// From the start of `self` to the end of `end`.
    pub fn to(self, end: Span) -> Span {
        Span { lo: self.lo, hi: end.hi.max(self.hi) }
    }
}

/// What a token is. Keywords are identifiers here; the parser's token classifier recognises them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// An identifier or keyword.
    Identifier,
    /// A preprocessing number: integer and floating constants, not yet checked.
    Number,
    /// A character constant, quotes included in the text.
    Char,
    /// A string literal, quotes included in the text.
    Str,
    /// An operator or punctuator.
    Punct(Punct),
    /// A stray character that is no token; an error unless skipped by `#if`.
    Other,
    /// The end of the translation unit; always the table's last token.
    Eof,
}

bitflags::bitflags! {
    /// Facts the preprocessor needs about a token.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct TokenFlags: u8 {
        /// First on its line.
        const LINE_START = 1;
        /// White space before it.
        const SPACE_BEFORE = 2;
        /// An identifier that may never be expanded again ("painted blue", C99 6.10.3.4).
        const NO_EXPAND = 4;
    }
}

/// A preprocessing token (16 bytes).
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Spacing and painting.
    pub flags: TokenFlags,
    /// Its spelling (for punctuators the canonical one).
    pub text: Symbol,
    /// Where it came from.
    pub loc: Loc,
}

/// A pragma that means something to a later stage.
#[derive(Clone, Debug)]
pub struct Pragma {
    /// Index of the token the pragma stands before.
    pub before: u32,
    /// Its tokens after `#pragma`, spelled with single spaces: `OPENCL EXTENSION cl_khr_fp64 : enable`, `unroll 4`.
    pub text: String,
    /// Where the `#pragma` is.
    pub loc: Loc,
}

/// The preprocessed translation unit: what spans index. Library sources are appended to the same table.
#[derive(Default)]
pub struct TokenTable {
    /// All tokens, each translation unit closed by an [`TokenKind::Eof`] token.
    pub tokens: Vec<Token>,
    /// Pragmas kept for later stages, in order of `before`.
    pub pragmas: Vec<Pragma>,
}

impl TokenTable {
    /// File, line and column (both from 1) where a span begins, as `#line` has them. What comes from a macro is placed where
    /// the macro is used.
    pub fn place<'s>(&self, span: Span, sources: &'s SourceMap) -> Option<(&'s str, u32, u32)> {
        let token = self.tokens.get(span.lo as usize).filter(|_| span.hi > 0)?;
        let (file, offset) = sources.locate(sources.file_loc(token.loc).pos)?;
        let file = sources.file(file);
        let (_, column) = file.line_column(offset);
        let (name, line) = file.presumed(offset);
        Some((name, line, column))
    }

    /// Whether a parenthesis opens behind a span, as in the declarator of a function.
    pub fn is_called_like(&self, span: Span) -> bool {
        self.tokens.get(span.hi as usize).is_some_and(|token| token.kind == TokenKind::Punct(Punct::LParen))
    }

    /// The identifier that a span is, if it is one.
    pub fn identifier(&self, span: Span) -> Option<Symbol> {
        let token = self.tokens.get(span.lo as usize)?;
        (token.kind == TokenKind::Identifier && span == Span::token(span.lo)).then_some(token.text)
    }
}

macro_rules! puncts {
    ($($name:ident $text:literal),* $(,)?) => {
        /// Operators and punctuators; digraphs are folded into these.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Punct { $($name),* }

        impl Punct {
            /// Every punctuator.
            pub const ALL: &'static [Punct] = &[$(Punct::$name),*];

            /// Its canonical spelling.
            pub fn text(self) -> &'static str {
                match self { $(Punct::$name => $text),* }
            }
        }
    };
}

puncts! {
    LBrace "{", RBrace "}", LParen "(", RParen ")", LBracket "[", RBracket "]",
    Semi ";", Comma ",", Colon ":", Question "?", Dot ".", Arrow "->", Ellipsis "...",
    Plus "+", Minus "-", Star "*", Slash "/", Percent "%", PlusPlus "++", MinusMinus "--",
    Amp "&", Pipe "|", Caret "^", Tilde "~", Bang "!", AmpAmp "&&", PipePipe "||",
    Shl "<<", Shr ">>", Lt "<", Gt ">", Le "<=", Ge ">=", EqEq "==", Ne "!=",
    Assign "=", PlusAssign "+=", MinusAssign "-=", StarAssign "*=", SlashAssign "/=", PercentAssign "%=",
    AmpAssign "&=", PipeAssign "|=", CaretAssign "^=", ShlAssign "<<=", ShrAssign ">>=",
    Hash "#", HashHash "##", At "@", Backslash "\\",
}
