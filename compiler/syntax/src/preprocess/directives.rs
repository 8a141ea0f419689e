//! Directives: `#define`, `#include`, `#line`, `#error` and the rest (C99 6.10.2 to 6.10.7).

use clforge_basic::narrow::{to_u16, to_u32};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::macros::{Item, Macro, Part};
use super::{MAX_INCLUDE_DEPTH, MAX_INCLUDES, Preprocessor, decode};
use clforge_basic::diag::{Diagnostic, WarningFlag};
use clforge_basic::source::lexer;
use clforge_basic::source::{Loc, Punct, Symbol, Token, TokenFlags, TokenKind};

impl Preprocessor<'_> {
    /// Obeys the directive after a `#`.
    pub(super) fn directive(&mut self, hash: Token) {
        let Some(name) = self.line_token() else { return };
        if name.kind == TokenKind::Number {
            // A line marker of another preprocessor: `# 12 "file.h"`.
            self.line_directive(Some(name));
            return self.skip_line();
        }
        let text = self.interner.text(name.text);
        match text {
            "define" => self.define(),
            "undef" => self.undef(),
            "include" => return self.include(name),
            "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif" => {
                return self.conditional(name);
            }
            "pragma" => return self.pragma_directive(name),
            "line" => self.line_directive(None),
            "error" => {
                let message = self.rest_of_line();
                self.error(name, if message.is_empty() { "#error".to_string() } else { message });
            }
            "warning" => {
                let message = self.rest_of_line();
                self.warning(
                    WarningFlag::PoundWarnings,
                    name,
                    if message.is_empty() { "#warning".to_string() } else { message },
                );
            }
            "ident" | "sccs" => {}
            _ if name.kind == TokenKind::Identifier => {
                let message = format!("invalid preprocessing directive '#{text}'");
                self.error(name, message);
            }
            _ => self.error(Token { loc: hash.loc, ..name }, "invalid preprocessing directive"),
        }
        self.skip_line();
    }

    /// The text of the rest of the line, trimmed.
    fn rest_of_line(&mut self) -> String {
        let (text, pos) = self.cursor();
        let end = lexer::skip_line(text.as_bytes(), pos, &mut None);
        lexer::without_splices(text.get(pos..end).unwrap_or("")).trim().to_string()
    }

    /// Warns about tokens after a directive that is complete.
    pub(super) fn expect_line_end(&mut self, directive: &str) {
        if let Some(token) = self.line_token() {
            self.warning(WarningFlag::ExtraTokens, token, format!("extra tokens at end of #{directive} directive"));
        }
        self.skip_line();
    }

    fn undef(&mut self) {
        let Some(name) = self.macro_name() else { return };
        if let Some(id) = self.macro_of(name.text)
            && self.macros[id].dynamic.is_some()
        {
            self.warning(WarningFlag::BuiltinMacroRedefined, name, "undefining builtin macro");
        }
        self.undefine(name.text);
        self.expect_line_end("undef");
    }

    /// The name after `#define`, `#undef`, `#ifdef` and `#ifndef`.
    pub(super) fn macro_name(&mut self) -> Option<Token> {
        match self.line_token() {
            Some(token) if token.kind == TokenKind::Identifier && token.text != self.known.defined => Some(token),
            Some(token) if token.kind == TokenKind::Identifier => {
                self.error(token, "'defined' cannot be used as a macro name");
                None
            }
            Some(token) => {
                self.error(token, "macro name must be an identifier");
                None
            }
            None => {
                let here = self.eof();
                self.error(here, "macro name missing");
                None
            }
        }
    }

    fn define(&mut self) {
        let Some(definition) = self.definition(false) else { return };
        let name = definition.name;
        if let Some(old) = self.macro_of(name.text) {
            if self.macros[old].dynamic.is_some() {
                self.warning(WarningFlag::BuiltinMacroRedefined, name, "redefining builtin macro");
            } else if !(same_definition(&self.macros[old], &definition) || self.replaces_predefined(old)) {
                let message = format!("'{}' macro redefined", self.text(name));
                let diagnostic = Diagnostic::warning(WarningFlag::MacroRedefined, self.range(name), message)
                    .with_note(self.definition_range(old), "previous definition is here");
                self.sink.push(diagnostic);
            }
        }
        self.install(definition);
    }

    /// Whether a `-D` option takes the place of a predefined macro, which needs no warning.
    fn replaces_predefined(&self, old: usize) -> bool {
        self.macros[old].predefined
            && self.files.last().is_some_and(|file| self.sources.file(file.id).name == "<command line>")
    }

    /// Reads a definition from its name to the end of the line.
    pub(super) fn definition(&mut self, predefined: bool) -> Option<Macro> {
        let name = self.macro_name()?;
        let (text, pos) = self.cursor();
        let function_like = text.as_bytes().get(pos) == Some(&b'(');
        let (mut parameters, mut variadic) = (Vec::new(), false);
        if function_like {
            self.seek(pos + 1);
            (parameters, variadic) = self.parameters()?;
        }
        let mut body = self.token_list();
        while let Some(mut token) = self.line_token() {
            if body.is_empty() && !function_like && !token.flags.contains(TokenFlags::SPACE_BEFORE) {
                self.warning(WarningFlag::C99Extensions, token, "whitespace required after macro name");
            }
            if token.text == self.known.va_args && !variadic {
                self.warning(
                    WarningFlag::Pedantic,
                    token,
                    "__VA_ARGS__ can only appear in the expansion of a C99 variadic macro",
                );
            }
            token.flags -= TokenFlags::LINE_START;
            body.push(token);
        }
        let va_opt = if variadic { self.interner.get("__VA_OPT__") } else { None };
        let mut without_optional = None;
        if let Some(va_opt) = va_opt.filter(|name| body.iter().any(|token| token.text == *name)) {
            let without = self.optional_parts(&body, va_opt, false)?;
            without_optional = Some(self.prepare(&without, &parameters, true, true)?);
            body = self.optional_parts(&body, va_opt, true)?;
        }
        let items = self.prepare(&body, &parameters, function_like, without_optional.is_some());
        let shared = Rc::from(&body[..]);
        self.give_back(body);
        Some(Macro {
            name,
            function_like,
            variadic,
            parameters,
            body: shared,
            items: items?,
            without_optional,
            dynamic: None,
            predefined,
            enabled: true,
        })
    }

    /// A replacement list whose every `__VA_OPT__ ( tokens )` is replaced by its tokens, or with `kept` false by nothing.
    fn optional_parts(&mut self, body: &[Token], va_opt: Symbol, kept: bool) -> Option<Vec<Token>> {
        let mut out: Vec<Token> = Vec::with_capacity(body.len());
        let mut tokens = body.iter().copied().peekable();
        while let Some(token) = tokens.next() {
            if token.text != va_opt || token.kind != TokenKind::Identifier {
                out.push(token);
                continue;
            }
            if tokens.next().is_none_or(|open| open.kind != TokenKind::Punct(Punct::LParen)) {
                self.error(token, "missing '(' following __VA_OPT__");
                return None;
            }
            let mut depth = 1_u32;
            let start = out.len();
            loop {
                let Some(inner) = tokens.next() else {
                    self.error(token, "unterminated __VA_OPT__");
                    return None;
                };
                match inner.kind {
                    TokenKind::Punct(Punct::LParen) => depth += 1,
                    TokenKind::Punct(Punct::RParen) => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
                if kept {
                    out.push(inner);
                }
            }
            // Pasted to nothing, a token stays as it is.
            let pastes = |token: &Token| token.kind == TokenKind::Punct(Punct::HashHash);
            if out.len() == start {
                if out.last().is_some_and(pastes) {
                    out.pop();
                } else if tokens.peek().is_some_and(pastes) {
                    tokens.next();
                }
            }
        }
        Some(out)
    }

    /// Reads a parameter list past its `(`.
    fn parameters(&mut self) -> Option<(Vec<Symbol>, bool)> {
        let mut names: Vec<Symbol> = Vec::new();
        let mut seen: FxHashMap<Symbol, ()> = FxHashMap::default();
        loop {
            let Some(token) = self.line_token() else { return self.missing_parenthesis() };
            let variadic = match token.kind {
                TokenKind::Punct(Punct::RParen) if names.is_empty() => return Some((names, false)),
                TokenKind::Punct(Punct::Ellipsis) => {
                    names.push(self.known.va_args);
                    true
                }
                TokenKind::Identifier => {
                    if seen.insert(token.text, ()).is_some() {
                        let message = format!("duplicate macro parameter name '{}'", self.text(token));
                        self.error(token, message);
                        return None;
                    }
                    names.push(token.text);
                    false
                }
                TokenKind::Punct(Punct::RParen) => {
                    self.error(token, "expected identifier in macro parameter list");
                    return None;
                }
                _ => {
                    self.error(token, "invalid token in macro parameter list");
                    return None;
                }
            };
            if names.len() >= u16::MAX as usize {
                self.error(token, "too many macro parameters");
                return None;
            }
            let Some(mut token) = self.line_token() else { return self.missing_parenthesis() };
            let mut variadic = variadic;
            if token.kind == TokenKind::Punct(Punct::Ellipsis) && !variadic {
                // GNU's named variable arguments: `args...`.
                variadic = true;
                match self.line_token() {
                    Some(next) => token = next,
                    None => return self.missing_parenthesis(),
                }
            }
            match token.kind {
                TokenKind::Punct(Punct::RParen) => return Some((names, variadic)),
                TokenKind::Punct(Punct::Comma) if !variadic => {}
                _ if variadic => {
                    self.error(token, "missing ')' in macro parameter list");
                    return None;
                }
                _ => {
                    self.error(token, "expected comma in macro parameter list");
                    return None;
                }
            }
        }
    }

    fn missing_parenthesis<T>(&mut self) -> Option<T> {
        let here = self.eof();
        self.error(here, "missing ')' in macro parameter list");
        None
    }

    /// Prepares a replacement list for substitution; empty when it can be read as it is, `None` when it is wrong.
    ///
    /// With `always` the list is never empty where the body is not.
    fn prepare(
        &mut self,
        body: &[Token],
        parameters: &[Symbol],
        function_like: bool,
        always: bool,
    ) -> Option<Rc<[Item]>> {
        let mut numbers: FxHashMap<Symbol, u16> = FxHashMap::default();
        for (index, name) in parameters.iter().enumerate() {
            numbers.insert(*name, to_u16(index));
        }
        let mut items: Vec<Item> = Vec::with_capacity(body.len());
        let (mut paste, mut plain) = (false, true);
        let mut tokens = body.iter().copied().peekable();
        while let Some(mut token) = tokens.next() {
            let mut part = Part::Text;
            match token.kind {
                TokenKind::Punct(Punct::HashHash) => {
                    if items.is_empty() {
                        self.error(token, "'##' cannot appear at start of macro expansion");
                        return None;
                    }
                    if tokens.peek().is_none() {
                        self.error(token, "'##' cannot appear at end of macro expansion");
                        return None;
                    }
                    paste = true;
                    plain = false;
                    continue;
                }
                TokenKind::Punct(Punct::Hash) if function_like => {
                    let operand = tokens.next();
                    let Some(number) = operand.and_then(|operand| numbers.get(&operand.text)) else {
                        self.error(token, "'#' is not followed by a macro parameter");
                        return None;
                    };
                    part = Part::Stringify(*number);
                    plain = false;
                }
                TokenKind::Identifier => {
                    if let Some(number) = numbers.get(&token.text) {
                        part = Part::Parameter(*number);
                        plain = false;
                    }
                }
                _ => {}
            }
            token.flags -= TokenFlags::LINE_START;
            items.push(Item { token, part, paste: std::mem::take(&mut paste) });
        }
        Some(if plain && !always { Rc::from([]) } else { Rc::from(items) })
    }

    /// `#include`: with a header name, or with tokens that become one once expanded.
    fn include(&mut self, directive: Token) {
        let found = self.header_name(directive);
        self.skip_line();
        let Some((path, angled, at)) = found else { return };
        if self.collecting > 0 {
            return self.error(at, "embedding a #include directive within macro arguments is not supported");
        }
        if path.is_empty() {
            return self.error(at, "empty filename");
        }
        if self.files.len() > MAX_INCLUDE_DEPTH {
            return self.fatal(at, "#include nested too deeply");
        }
        self.included += 1;
        if self.included > MAX_INCLUDES {
            return self.fatal(at, "too many files are included");
        }
        let from = self.files.last().map_or("", |file| self.sources.file(file.id).name.as_str());
        let Some(file) = self.options.language.includes.load(&path, from, angled) else {
            let problem = self.options.language.includes.problem(&path, from, angled);
            let message = problem.unwrap_or_else(|| format!("'{path}' file not found"));
            return self.sink.push_fatal(Diagnostic::error(self.range(at), message));
        };
        if self.once.contains(&file.name) {
            return;
        }
        if !self.open(&file.name, decode(&file.text), Some(at.loc)) {
            self.fatal(at, "the program has too much text");
        }
    }

    /// Reads the operand of `#include`: the path, whether it is in angle brackets, and a token for its place.
    fn header_name(&mut self, directive: Token) -> Option<(String, bool, Token)> {
        if let Some(found) = self.literal_header_name() {
            self.expect_line_end("include");
            return Some(found);
        }
        let mut tokens = self.token_list();
        while let Some(token) = self.line_token() {
            tokens.push(token);
        }
        let tokens = self.expand_all(&tokens);
        let Some(&first) = tokens.first() else {
            self.error(directive, "expected \"FILENAME\" or <FILENAME>");
            return None;
        };
        if first.kind == TokenKind::Str {
            let text = self.text(first);
            let path = text.get(1..text.len().saturating_sub(1)).unwrap_or("").to_string();
            if let Some(extra) = tokens.get(1) {
                self.warning(WarningFlag::ExtraTokens, *extra, "extra tokens at end of #include directive");
            }
            return Some((path, false, first));
        }
        let close = tokens.iter().position(|token| token.kind == TokenKind::Punct(Punct::Gt));
        match (first.kind, close) {
            (TokenKind::Punct(Punct::Lt), Some(close)) => {
                let mut path = String::new();
                for (index, token) in tokens.iter().enumerate().take(close).skip(1) {
                    if index > 1 && token.flags.contains(TokenFlags::SPACE_BEFORE) {
                        path.push(' ');
                    }
                    path.push_str(self.text(*token));
                }
                Some((path, true, first))
            }
            (TokenKind::Punct(Punct::Lt), None) => {
                self.error(first, "expected '>'");
                None
            }
            _ => {
                self.error(first, "expected \"FILENAME\" or <FILENAME>");
                None
            }
        }
    }

    /// A header name written as such, where no escapes are known.
    pub(super) fn literal_header_name(&mut self) -> Option<(String, bool, Token)> {
        let (text, pos) = self.cursor();
        let start = lexer::trivia(text.as_bytes(), pos, true).end;
        let close = match text.as_bytes().get(start)? {
            b'"' => '"',
            b'<' => '>',
            _ => return None,
        };
        let rest = text.get(start + 1..)?;
        let len = rest.find([close, '\n']).filter(|len| rest.as_bytes().get(*len) != Some(&b'\n'))?;
        let path = rest.get(..len)?.to_string();
        let spelling = text.get(start..start + len + 2)?.to_string();
        let base = self.files.last()?.base;
        let symbol = self.interner.intern(&spelling);
        self.seek(start + len + 2);
        let token = Token {
            kind: TokenKind::Str,
            flags: TokenFlags::empty(),
            text: symbol,
            loc: Loc::at(base + to_u32(start)),
        };
        Some((path, close == '>', token))
    }

    /// `#line 12 "file"`; `number` when it was read already.
    fn line_directive(&mut self, number: Option<Token>) {
        let mut tokens: Vec<Token> = number.into_iter().collect();
        while let Some(token) = self.line_token() {
            tokens.push(token);
        }
        let tokens = self.expand_all(&tokens);
        let here = tokens.first().copied().unwrap_or_else(|| self.eof());
        let line = self.text(here).parse::<u32>().ok().filter(|_| here.kind == TokenKind::Number);
        let Some(line) = line.filter(|line| *line <= i32::MAX as u32) else {
            return self.error(here, "#line directive requires a positive integer argument");
        };
        let mut name = None;
        if let Some(&file) = tokens.get(1) {
            if file.kind != TokenKind::Str {
                return self.error(file, "invalid filename for #line directive");
            }
            let text = self.text(file);
            name = Some(text.get(1..text.len().saturating_sub(1)).unwrap_or("").replace("\\\\", "\\"));
        }
        self.skip_line();
        let Some(file) = self.files.last() else { return };
        let (id, next) = (file.id, to_u32(file.pos) + 1);
        let directives = &mut self.sources.file_mut(id).line_directives;
        let name = name.or_else(|| directives.last().and_then(|last| last.2.clone()));
        directives.push((next, line, name));
    }
}

/// Whether a redefinition changes nothing (6.10.3 p2).
fn same_definition(old: &Macro, new: &Macro) -> bool {
    let same_token = |(index, (a, b)): (usize, (&Token, &Token))| {
        a.kind == b.kind
            && a.text == b.text
            && (index == 0 || a.flags.contains(TokenFlags::SPACE_BEFORE) == b.flags.contains(TokenFlags::SPACE_BEFORE))
    };
    old.function_like == new.function_like
        && old.variadic == new.variadic
        && old.parameters == new.parameters
        && old.body.len() == new.body.len()
        && old.body.iter().zip(new.body.iter()).enumerate().all(same_token)
}
