//! The preprocessor: source text to the token table of a translation unit (C99 6.10, with the usual extensions).
//!
//! One pass over the bytes. [`Preprocessor::read`] returns raw tokens from a stack of macro expansions and, below it, a
//! stack of files, executing directives; [`Preprocessor::next_expanded`] expands macros. A macro is disabled while its
//! expansion is on the stack, and its name found there is never expanded later (6.10.3.4). Only the expansion of macro
//! arguments recurses along the input; it is bounded by [`MAX_NESTING`].

mod builtin;
mod characters;
mod conditions;
mod directives;
mod expression;
mod macros;
mod pragmas;
mod predefined;
mod print;
mod substitute;

use clforge_basic::narrow::to_u32;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use characters::{Decoded, decode};
use clforge_basic::diag::{Diagnostic, Sink, SourceRange, WarningFlag};
use clforge_basic::options::{MacroOption, Options};
use clforge_basic::source::lexer;
use clforge_basic::source::{
    FileId, Interner, Loc, Punct, SourceMap, Symbol, Token, TokenFlags, TokenKind, TokenTable,
};
use macros::{Context, Macro};

pub use predefined::extension;
pub use print::print;

/// Tokens that macros may make in one translation unit, those of intermediate steps included: a bound for macros
/// that double at each level.
const MAX_EXPANDED: u64 = if cfg!(test) { 1 << 20 } else { 1 << 24 };
/// Tokens in one translation unit, some tens of megabytes of source. Parsing takes about 130 bytes for each, so that it stays well
/// below 2 GB whatever macros make of a small source.
const MAX_TOKENS: usize = 1 << 23;
/// Depth of macro uses inside the arguments of macro uses.
const MAX_NESTING: u32 = 400;
/// Depth of `#include`, as in clang.
const MAX_INCLUDE_DEPTH: usize = 200;
/// Files that one translation unit may include in all.
const MAX_INCLUDES: usize = 100_000;

/// Preprocesses a source and appends its tokens, closed by one [`TokenKind::Eof`] token, to `table`; returns the range
/// of token indices appended.
pub fn preprocess(
    source: clforge_basic::Source<'_>,
    options: &Options,
    interner: &mut Interner,
    sources: &mut SourceMap,
    sink: &mut Sink,
    table: &mut TokenTable,
) -> Range<u32> {
    let mut preprocessor = Preprocessor::new(options, interner, sources, sink, table);
    preprocessor.open_main(source.name, decode(source.text));
    preprocessor.open_command_line();
    preprocessor.run()
}

/// The same for a built-in library text: no user macros.
pub fn preprocess_library(
    name: &'static str,
    text: String,
    options: &Options,
    interner: &mut Interner,
    sources: &mut SourceMap,
    sink: &mut Sink,
    table: &mut TokenTable,
) -> Range<u32> {
    let mut preprocessor = Preprocessor::new(options, interner, sources, sink, table);
    preprocessor.open_main(name, Decoded::made(text));
    preprocessor.run()
}

/// Symbols the preprocessor compares with.
struct Known {
    puncts: Vec<Symbol>,
    defined: Symbol,
    va_args: Symbol,
    pragma_operator: Symbol,
}

/// A conditional that is open.
struct Conditional {
    /// Its `#if`.
    token: Token,
    /// Whether one of its groups was taken already.
    taken: bool,
    /// Its `#else`, once met.
    else_token: Option<Token>,
}

/// A file that is being read.
struct OpenFile {
    id: FileId,
    base: u32,
    pos: usize,
    /// Nothing was read from it yet.
    fresh: bool,
    conditionals: Vec<Conditional>,
    open_comment: Option<usize>,
}

/// State of the preprocessing of one translation unit.
struct Preprocessor<'a> {
    options: &'a Options,
    interner: &'a mut Interner,
    sources: &'a mut SourceMap,
    sink: &'a mut Sink,
    table: &'a mut TokenTable,
    known: Known,
    /// By symbol: [`macros::UNKNOWN`], [`macros::NOT_A_MACRO`], or the macro's index plus [`macros::FIRST_MACRO`].
    slots: Vec<u32>,
    macros: Vec<Macro>,
    contexts: Vec<Context>,
    files: Vec<OpenFile>,
    /// Spacing of macros that expanded to nothing, for the next token.
    pending: TokenFlags,
    /// The number of macro invocations whose arguments are being read.
    collecting: u32,
    nesting: u32,
    expanded: u64,
    included: usize,
    aborted: bool,
    counter: u32,
    once: FxHashSet<String>,
    pushed_macros: FxHashMap<Symbol, Vec<u32>>,
    spare: Vec<Vec<Token>>,
    scratch: String,
}

impl<'a> Preprocessor<'a> {
    fn new(
        options: &'a Options,
        interner: &'a mut Interner,
        sources: &'a mut SourceMap,
        sink: &'a mut Sink,
        table: &'a mut TokenTable,
    ) -> Preprocessor<'a> {
        let known = Known {
            puncts: Punct::ALL.iter().map(|punct| interner.intern(punct.text())).collect(),
            defined: interner.intern("defined"),
            va_args: interner.intern("__VA_ARGS__"),
            pragma_operator: interner.intern("_Pragma"),
        };
        Preprocessor {
            options,
            interner,
            sources,
            sink,
            table,
            known,
            slots: Vec::new(),
            macros: Vec::new(),
            contexts: Vec::new(),
            files: Vec::new(),
            pending: TokenFlags::empty(),
            collecting: 0,
            nesting: 0,
            expanded: 0,
            included: 0,
            aborted: false,
            counter: 0,
            once: FxHashSet::default(),
            pushed_macros: FxHashMap::default(),
            spare: Vec::new(),
            scratch: String::new(),
        }
    }

    fn open_main(&mut self, name: &str, text: Decoded) {
        if !self.open(name, text, None) {
            self.sink.push(Diagnostic::global(format!("'{name}' is too large: a program may have 2 GiB of text")));
        }
    }

    /// Starts reading a text; false when there is too much text in all.
    fn open(&mut self, name: &str, source: Decoded, included_from: Option<Loc>) -> bool {
        let Some(id) = self.sources.add(name, source.text, included_from) else { return false };
        self.sources.file_mut(id).trigraphs = source.trigraphs;
        let base = self.sources.file(id).base;
        self.files.push(OpenFile { id, base, pos: 0, fresh: true, conditionals: Vec::new(), open_comment: None });
        true
    }

    /// Puts `-D`, `-U` and `-include`, as the directives they stand for, before the main file.
    fn open_command_line(&mut self) {
        let mut text = String::new();
        // What comes after a newline would be a line of its own.
        let first_line = |text: &'a str| text.split(['\n', '\r']).next().unwrap_or("");
        for option in &self.options.language.macros {
            match option {
                MacroOption::Define(name, value) => {
                    let value = value.as_deref().map_or("1", first_line);
                    text.push_str(&format!("#define {} {}\n", first_line(name), value));
                }
                MacroOption::Undefine(name) => text.push_str(&format!("#undef {}\n", first_line(name))),
            }
        }
        for file in &self.options.language.included {
            text.push_str(&format!("#include \"{}\"\n", first_line(file)));
        }
        if !text.is_empty() {
            self.open("<command line>", Decoded::made(text), None);
        }
    }

    /// Reads everything into the table.
    fn run(&mut self) -> Range<u32> {
        let start = to_u32(self.table.tokens.len());
        // A token takes about three bytes of source; one allocation is better than many.
        let bytes = self.files.first().map_or(0, |file| self.sources.file(file.id).text.len());
        self.table.tokens.reserve((bytes / 3).min(1 << 22));
        let end = loop {
            let token = self.next_expanded();
            match token.kind {
                TokenKind::Eof => break token,
                TokenKind::Identifier if token.text == self.known.pragma_operator => self.pragma_operator(token),
                TokenKind::Other => self.stray(token),
                _ => self.table.tokens.push(token),
            }
            if self.table.tokens.len() - start as usize >= MAX_TOKENS {
                self.fatal(token, "the program has too many tokens");
            }
        };
        self.table.tokens.push(end);
        start..to_u32(self.table.tokens.len())
    }

    /// The next token with macros expanded.
    fn next_expanded(&mut self) -> Token {
        loop {
            let mut token = self.read();
            if token.kind == TokenKind::Identifier
                && !token.flags.contains(TokenFlags::NO_EXPAND)
                && let Some(id) = self.macro_of(token.text)
            {
                match self.expand(&mut token, id) {
                    macros::Outcome::Entered => continue,
                    macros::Outcome::Token => {}
                }
            }
            if !self.pending.is_empty() {
                token.flags |= std::mem::replace(&mut self.pending, TokenFlags::empty());
            }
            return token;
        }
    }

    /// The next token, macros not expanded: from the innermost expansion, or from the file.
    fn read(&mut self) -> Token {
        loop {
            if self.aborted {
                return self.eof();
            }
            if let Some(context) = self.contexts.last_mut() {
                if let Some(token) = context.next() {
                    return token;
                }
                if context.barrier {
                    return self.eof();
                }
                self.leave_context();
                continue;
            }
            let token = self.lex();
            match token.kind {
                TokenKind::Punct(Punct::Hash) if token.flags.contains(TokenFlags::LINE_START) => {
                    self.directive(token);
                }
                TokenKind::Eof if self.collecting == 0 && self.leave_file() => {}
                _ => return token,
            }
        }
    }

    /// A token for the end of input, at the place reached.
    fn eof(&self) -> Token {
        let pos = self.files.last().map_or(0, |file| file.base + to_u32(file.pos));
        Token { kind: TokenKind::Eof, flags: TokenFlags::LINE_START, text: self.interner.empty(), loc: Loc::at(pos) }
    }

    /// The next token of the file, on any line.
    fn lex(&mut self) -> Token {
        self.lex_token(false).unwrap_or_else(|| self.eof())
    }

    /// The next token of the line that a directive is on.
    fn line_token(&mut self) -> Option<Token> {
        self.lex_token(true)
    }

    fn lex_token(&mut self, in_line: bool) -> Option<Token> {
        let file = self.files.last_mut()?;
        let text = self.sources.file(file.id).text.as_str();
        let bytes = text.as_bytes();
        let trivia = lexer::trivia(bytes, file.pos, in_line);
        let mut flags = trivia.flags;
        if std::mem::take(&mut file.fresh) {
            flags |= TokenFlags::LINE_START;
        }
        if trivia.open_comment.is_some() {
            file.open_comment = trivia.open_comment;
        }
        file.pos = trivia.end;
        if trivia.end >= bytes.len() || (in_line && bytes[trivia.end] == b'\n') {
            return None;
        }
        let raw = lexer::token(bytes, trivia.end, flags);
        file.pos = raw.end;
        let (id, base) = (file.id, file.base);
        if !self.sources.file(id).trigraphs.is_empty() {
            self.warn_of_trigraphs(id, raw.start..raw.end);
        }
        let text = self.sources.file(id).text.as_str();
        let symbol = match raw.kind {
            TokenKind::Punct(punct) => self.known.puncts[punct as usize],
            _ => {
                let spelling = text.get(raw.start..raw.end).unwrap_or("");
                if raw.spliced {
                    self.interner.intern(&lexer::without_splices(spelling))
                } else {
                    self.interner.intern(spelling)
                }
            }
        };
        Some(Token { kind: raw.kind, flags: raw.flags, text: symbol, loc: Loc::at(base + to_u32(raw.start)) })
    }

    /// Of those in a token: nobody means others, in comments for example, to be trigraphs or not to be.
    fn warn_of_trigraphs(&mut self, id: FileId, token: Range<usize>) {
        let file = self.sources.file(id);
        for at in file.trigraphs_in(to_u32(token.start)..to_u32(token.end)) {
            let character = file.text.get(*at as usize..).and_then(|rest| rest.chars().next()).unwrap_or('#');
            let message = format!("trigraph converted to '{character}' character");
            let range = SourceRange::at(Loc::at(file.base + at), 1);
            self.sink.push(Diagnostic::warning(WarningFlag::Trigraphs, range, message));
        }
    }

    /// Text of the file being read and the offset reached in it.
    fn cursor(&self) -> (&str, usize) {
        self.files.last().map_or(("", 0), |file| (self.sources.file(file.id).text.as_str(), file.pos))
    }

    /// Resumes reading the file at an offset.
    fn seek(&mut self, pos: usize) {
        if let Some(file) = self.files.last_mut() {
            file.pos = pos;
        }
    }

    /// Passes over the rest of a directive's line.
    fn skip_line(&mut self) {
        let (text, pos) = self.cursor();
        let mut open_comment = None;
        let end = lexer::skip_line(text.as_bytes(), pos, &mut open_comment);
        if let Some(file) = self.files.last_mut() {
            file.pos = end;
            file.open_comment = file.open_comment.or(open_comment);
        }
    }

    /// At the end of a file: reports open conditionals and resumes the including file, if there is one.
    fn leave_file(&mut self) -> bool {
        let Some(file) = self.files.last_mut() else { return false };
        let open = std::mem::take(&mut file.conditionals);
        let comment = file.open_comment.take().map(|offset| Loc::at(file.base + to_u32(offset)));
        if let Some(loc) = comment {
            self.sink.push(Diagnostic::error(SourceRange::at(loc, 2), "unterminated /* comment"));
        }
        for conditional in open.iter().rev() {
            let mut diagnostic = Diagnostic::error(self.range(conditional.token), "unterminated conditional directive");
            if let Some(token) = conditional.else_token {
                diagnostic = diagnostic.with_note(self.range(token), "its #else is here");
            }
            self.sink.push(diagnostic.with_help("add the missing '#endif'"));
        }
        if self.files.len() > 1 {
            self.files.pop();
            return true;
        }
        false
    }

    /// A character that is no token and that no condition left out.
    fn stray(&mut self, token: Token) {
        let text = self.interner.text(token.text);
        match text.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let message =
                    if quote == '"' { "missing terminating '\"' character" } else { "missing terminating ' character" };
                self.error(token, message);
                // Go on as if it were closed, so that the parser has nothing to add.
                let (kind, text) = if quote == '"' { (TokenKind::Str, "\"\"") } else { (TokenKind::Char, "'0'") };
                let text = self.interner.intern(text);
                self.table.tokens.push(Token { kind, text, ..token });
            }
            Some(c) if c.is_ascii_graphic() => self.error(token, format!("stray '{c}' in program")),
            Some(c) => self.error(token, format!("unexpected character <U+{:04X}>", c as u32)),
            None => {}
        }
    }

    fn text(&self, token: Token) -> &str {
        self.interner.text(token.text)
    }

    fn range(&self, token: Token) -> SourceRange {
        SourceRange::at(token.loc, to_u32(self.interner.text(token.text).len()))
    }

    fn error(&mut self, token: Token, message: impl Into<String>) {
        let diagnostic = Diagnostic::error(self.range(token), message);
        self.sink.push(diagnostic);
    }

    fn warning(&mut self, flag: WarningFlag, token: Token, message: impl Into<String>) {
        let diagnostic = Diagnostic::warning(flag, self.range(token), message);
        self.sink.push(diagnostic);
    }

    /// An error after which there is no point in reading on.
    fn fatal(&mut self, token: Token, message: impl Into<String>) {
        if !self.aborted {
            self.sink.push_fatal(Diagnostic::error(self.range(token), message));
            self.aborted = true;
        }
    }
}

#[cfg(test)]
mod tests;
