//! Conditional inclusion: which groups are read (C99 6.10.1). The expressions are in [`super::expression`].

use super::macros::{Dynamic, UNKNOWN};
use super::{Conditional, Preprocessor};
use clforge_basic::diag::Diagnostic;
use clforge_basic::source::lexer;
use clforge_basic::source::{Punct, Token, TokenFlags, TokenKind};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    If,
    Ifdef,
    Ifndef,
    Elif,
    Elifdef,
    Elifndef,
    Else,
    Endif,
}

fn word(text: &str) -> Option<Word> {
    Some(match text {
        "if" => Word::If,
        "ifdef" => Word::Ifdef,
        "ifndef" => Word::Ifndef,
        "elif" => Word::Elif,
        "elifdef" => Word::Elifdef,
        "elifndef" => Word::Elifndef,
        "else" => Word::Else,
        "endif" => Word::Endif,
        _ => return None,
    })
}

impl Preprocessor<'_> {
    /// Obeys a conditional directive met in a group that is read; the cursor is past its name.
    pub(super) fn conditional(&mut self, name: Token) {
        let Some(word) = word(self.text(name)) else { return };
        match word {
            Word::If | Word::Ifdef | Word::Ifndef => {
                let holds = self.holds(word, name);
                let conditional = Conditional { token: name, taken: holds, else_token: None };
                if let Some(file) = self.files.last_mut() {
                    file.conditionals.push(conditional);
                }
                if !holds {
                    self.skip_group();
                }
            }
            Word::Elif | Word::Elifdef | Word::Elifndef | Word::Else => {
                let spelling = self.text(name).to_string();
                if word == Word::Else {
                    self.expect_line_end("else");
                }
                if self.files.last().is_none_or(|file| file.conditionals.is_empty()) {
                    self.error(name, format!("#{spelling} without #if"));
                    return self.skip_line();
                }
                // The group before was read, so what follows is not.
                self.note_else(word, name);
                self.skip_line();
                self.skip_group();
            }
            Word::Endif => {
                self.expect_line_end("endif");
                if self.files.last_mut().is_none_or(|file| file.conditionals.pop().is_none()) {
                    self.error(name, "#endif without #if");
                }
            }
        }
    }

    /// Remembers an `#else`; complains when `#else` or `#elif` comes after one.
    fn note_else(&mut self, word: Word, name: Token) {
        let Some(conditional) = self.files.last_mut().and_then(|file| file.conditionals.last_mut()) else { return };
        let (start, previous) = (conditional.token, conditional.else_token);
        if word == Word::Else {
            conditional.else_token = Some(name);
        }
        if let Some(previous) = previous {
            let message = format!("#{} after #else", self.text(name));
            let diagnostic = Diagnostic::error(self.range(name), message)
                .with_note(self.range(previous), "previous #else is here")
                .with_note(self.range(start), format!("to match this '#{}'", self.text(start)));
            self.sink.push(diagnostic);
        }
    }

    /// Passes over groups up to one that is taken or the `#endif`.
    fn skip_group(&mut self) {
        let mut nested = 0usize;
        loop {
            let (text, pos) = self.cursor();
            let mut open_comment = None;
            let next = lexer::next_directive(text.as_bytes(), pos, &mut open_comment);
            let end = text.len();
            self.seek(next.unwrap_or(end));
            if let Some(file) = self.files.last_mut() {
                file.open_comment = file.open_comment.or(open_comment);
            }
            if next.is_none() {
                return;
            }
            let Some(name) = self.line_token() else { continue };
            let Some(word) = word(self.text(name)) else {
                self.skip_line();
                continue;
            };
            match word {
                Word::If | Word::Ifdef | Word::Ifndef => nested += 1,
                Word::Endif if nested > 0 => nested -= 1,
                _ if nested > 0 => {}
                Word::Endif => {
                    self.expect_line_end("endif");
                    if let Some(file) = self.files.last_mut() {
                        file.conditionals.pop();
                    }
                    return;
                }
                Word::Else => {
                    self.expect_line_end("else");
                    self.note_else(word, name);
                    if self.take_group(|_| true) {
                        return;
                    }
                }
                Word::Elif | Word::Elifdef | Word::Elifndef => {
                    self.note_else(word, name);
                    if self.take_group(|this| this.holds(word, name)) {
                        return;
                    }
                }
            }
            self.skip_line();
        }
    }

    /// Whether the next group is read: none of the conditional was, and its condition holds.
    fn take_group(&mut self, condition: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.files.last().and_then(|file| file.conditionals.last()).is_none_or(|conditional| conditional.taken) {
            return false;
        }
        let holds = condition(self);
        if let Some(conditional) = self.files.last_mut().and_then(|file| file.conditionals.last_mut()) {
            conditional.taken = holds;
        }
        holds
    }

    /// Evaluates the condition that follows a directive's name, to the end of the line.
    fn holds(&mut self, word: Word, name: Token) -> bool {
        let collecting = std::mem::replace(&mut self.collecting, 0);
        let pending = std::mem::replace(&mut self.pending, TokenFlags::empty());
        let holds = match word {
            Word::Ifdef | Word::Ifndef | Word::Elifdef | Word::Elifndef => {
                let negated = matches!(word, Word::Ifndef | Word::Elifndef);
                match self.macro_name() {
                    Some(operand) => {
                        let defined = self.macro_of(operand.text).is_some();
                        let spelling = self.text(name).to_string();
                        self.expect_line_end(&spelling);
                        defined != negated
                    }
                    None => false,
                }
            }
            _ => self.expression_holds(name),
        };
        self.skip_line();
        self.collecting = collecting;
        self.pending = pending;
        holds
    }

    /// The tokens of a condition, expanded, `defined` replaced by 0 or 1.
    pub(super) fn condition_tokens(&mut self) -> Option<Vec<Token>> {
        let mut tokens = self.token_list();
        while let Some(token) = self.line_token() {
            tokens.push(token);
        }
        let height = self.contexts.len();
        self.push_barrier(tokens);
        let mut output = Some(self.token_list());
        loop {
            let token = self.next_expanded();
            if token.kind == TokenKind::Eof {
                break;
            }
            let token = if token.text == self.known.defined && token.kind == TokenKind::Identifier {
                match self.defined_operand(token) {
                    Some(value) => self.number_token(token, u64::from(value)),
                    None => {
                        output = None;
                        break;
                    }
                }
            } else {
                token
            };
            if let Some(output) = &mut output {
                output.push(token);
            }
        }
        while self.contexts.len() > height {
            self.leave_context();
        }
        if self.aborted { None } else { output }
    }

    /// `X` or `(X)` after `defined`.
    fn defined_operand(&mut self, defined: Token) -> Option<bool> {
        let mut token = self.read();
        let parenthesis = token.kind == TokenKind::Punct(Punct::LParen);
        if parenthesis {
            token = self.read();
        }
        if token.kind != TokenKind::Identifier {
            let at = if token.kind == TokenKind::Eof { defined } else { token };
            self.error(at, "macro name missing after 'defined'");
            return None;
        }
        let value = self.macro_of(token.text).is_some();
        if parenthesis {
            let close = self.read();
            if close.kind != TokenKind::Punct(Punct::RParen) {
                let at = if close.kind == TokenKind::Eof { token } else { close };
                self.error(at, "missing ')' after 'defined'");
                return None;
            }
        }
        Some(value)
    }

    /// A number in place of another token.
    pub(super) fn number_token(&mut self, at: Token, value: u64) -> Token {
        let text = self.interner.intern(&value.to_string());
        Token { kind: TokenKind::Number, text, ..at }
    }

    /// `#pragma push_macro("X")` and `pop_macro`.
    pub(super) fn save_macro(&mut self, name: &str, pop: bool) {
        let name = self.interner.intern(name);
        // Looks a predefined macro up, so that the slot says what the name means.
        let _ = self.macro_of(name);
        let slot = self.slots.get(name.index()).copied().unwrap_or(UNKNOWN);
        let saved = self.pushed_macros.entry(name).or_default();
        if !pop {
            saved.push(slot);
        } else if let Some(slot) = saved.pop() {
            *self.slot_mut(name) = slot;
        }
    }

    /// `__has_attribute(x)` and similar: the operand's spelling, or the header name of `__has_include`.
    pub(super) fn query_operand(&mut self, name: Token, dynamic: Dynamic) -> Option<(String, bool)> {
        let open = self.read();
        if open.kind != TokenKind::Punct(Punct::LParen) {
            let message = format!("missing '(' after '{}'", self.text(name));
            self.error(name, message);
            return None;
        }
        let (mut operand, mut angled, mut depth) = (String::new(), false, 1usize);
        loop {
            let token = if dynamic == Dynamic::HasInclude && operand.is_empty() && !angled {
                self.next_expanded()
            } else {
                self.read()
            };
            match token.kind {
                TokenKind::Eof => {
                    let message = format!("missing ')' after '{}'", self.text(name));
                    self.error(name, message);
                    return None;
                }
                TokenKind::Punct(Punct::LParen) => depth += 1,
                TokenKind::Punct(Punct::RParen) => {
                    depth -= 1;
                    if depth == 0 {
                        return Some((operand, angled));
                    }
                }
                TokenKind::Punct(Punct::Lt) if operand.is_empty() => {
                    angled = true;
                    continue;
                }
                TokenKind::Punct(Punct::Gt) if angled => continue,
                _ => {}
            }
            if angled && !operand.is_empty() && token.flags.contains(TokenFlags::SPACE_BEFORE) {
                operand.push(' ');
            }
            operand.push_str(self.text(token).trim_matches('"'));
        }
    }
}
