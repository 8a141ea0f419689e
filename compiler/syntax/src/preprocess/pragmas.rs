//! `#pragma` and `_Pragma`: pragmas for later stages are appended to [`clforge_basic::source::TokenTable::pragmas`].

use super::Preprocessor;
use clforge_basic::diag::WarningFlag;
use clforge_basic::narrow::to_u32;
use clforge_basic::source::lexer;
use clforge_basic::source::{Pragma, Symbol, Token, TokenFlags, TokenKind};

impl Preprocessor<'_> {
    /// `#pragma`; the cursor is past the word.
    pub(super) fn pragma_directive(&mut self, directive: Token) {
        let mut tokens = self.token_list();
        while let Some(token) = self.line_token() {
            tokens.push(token);
        }
        self.skip_line();
        self.pragma(directive, &tokens);
        self.give_back(tokens);
    }

    /// The text of a `_Pragma` operator.
    pub(super) fn pragma_text(&mut self, operator: Token, text: &str) {
        let mut tokens = self.token_list();
        let mut pos = 0;
        loop {
            pos = lexer::trivia(text.as_bytes(), pos, false).end;
            if pos >= text.len() {
                break;
            }
            let raw = lexer::token(text.as_bytes(), pos, TokenFlags::SPACE_BEFORE);
            pos = raw.end;
            let symbol = match raw.kind {
                TokenKind::Punct(punct) => self.known.puncts[punct as usize],
                _ => self.interner.intern(text.get(raw.start..raw.end).unwrap_or("")),
            };
            tokens.push(Token { kind: raw.kind, flags: raw.flags, text: symbol, loc: operator.loc });
        }
        self.pragma(operator, &tokens);
        self.give_back(tokens);
    }

    fn pragma(&mut self, directive: Token, tokens: &[Token]) {
        let word = |index: usize| tokens.get(index).map_or("", |token| self.interner.text(token.text));
        match (word(0), word(1)) {
            ("", _) => {}
            ("once", _) => {
                if let Some(file) = self.files.last() {
                    self.once.insert(self.sources.file(file.id).name.clone());
                }
            }
            ("OPENCL", "EXTENSION" | "FP_CONTRACT") | ("STDC", "FP_CONTRACT") => self.keep(directive, tokens),
            ("OPENCL", "SELECT_ROUNDING_MODE") if word(2) == "rte" => {}
            // A module whose results are rounded in another mode than the program requests would be silently wrong.
            ("OPENCL", "SELECT_ROUNDING_MODE") => {
                let message = match word(2) {
                    mode @ ("rtz" | "rtp" | "rtn") => {
                        format!("'#pragma OPENCL SELECT_ROUNDING_MODE {mode}' is not supported: only 'rte' is")
                    }
                    _ => "expected 'rte', 'rtz', 'rtp' or 'rtn'".to_owned(),
                };
                self.error(directive, message);
            }
            ("OPENCL" | "STDC", _) => self.unknown(tokens),
            // The operands of these are expressions, in which macros are expanded.
            ("unroll" | "nounroll" | "pack", _) | ("clang", "loop") => {
                let fixed = if word(0) == "clang" { 2 } else { 1 };
                let operands = self.expand_pragma_operands(tokens.get(fixed..).unwrap_or(&[]));
                let all: Vec<Token> = tokens.iter().take(fixed).copied().chain(operands).collect();
                self.keep(directive, &all);
            }
            ("push_macro" | "pop_macro", _) => {
                let pop = word(0) == "pop_macro";
                let name = tokens.iter().find(|token| token.kind == TokenKind::Str);
                if let Some(name) = name.map(|name| self.interner.text(name.text).trim_matches('"').to_string()) {
                    self.save_macro(&name, pop);
                }
            }
            ("message", _) => {
                let text = tokens.iter().find(|token| token.kind == TokenKind::Str);
                let text = text.map_or(String::new(), |text| self.text(*text).trim_matches('"').to_string());
                self.warning(WarningFlag::PoundPragmaMessages, directive, text);
            }
            ("clang" | "GCC", "diagnostic" | "system_header" | "assume_nonnull" | "attribute" | "optimize")
            | ("mark" | "region" | "endregion" | "comment", _) => {}
            _ => self.unknown(tokens),
        }
    }

    fn unknown(&mut self, tokens: &[Token]) {
        if let Some(first) = tokens.first() {
            self.warning(WarningFlag::UnknownPragmas, *first, "unknown pragma ignored");
        }
    }

    fn expand_pragma_operands(&mut self, tokens: &[Token]) -> Vec<Token> {
        let collecting = std::mem::replace(&mut self.collecting, 0);
        let expanded = self.expand_all(tokens);
        self.collecting = collecting;
        expanded
    }

    fn keep(&mut self, directive: Token, tokens: &[Token]) {
        let spellings: Vec<&str> = tokens.iter().map(|token| symbol_text(self, token.text)).collect();
        let text = spellings.join(" ");
        self.table.pragmas.push(Pragma { before: to_u32(self.table.tokens.len()), text, loc: directive.loc });
    }
}

fn symbol_text<'p>(preprocessor: &'p Preprocessor<'_>, symbol: Symbol) -> &'p str {
    preprocessor.interner.text(symbol)
}
