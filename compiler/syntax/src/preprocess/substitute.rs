//! Argument substitution: `#`, `##` and parameters in a replacement list (C99 6.10.3.1 to 6.10.3.3).

use super::macros::{Arguments, Item, Part};
use super::{MAX_NESTING, Preprocessor};
use clforge_basic::diag::WarningFlag;
use clforge_basic::source::lexer;
use clforge_basic::source::{ExpansionId, Loc, Punct, Symbol, Token, TokenFlags, TokenKind};

impl Preprocessor<'_> {
    /// A replacement list with arguments put in.
    pub(super) fn substitute(
        &mut self,
        items: &[Item],
        arguments: &mut Arguments,
        expansion: ExpansionId,
        id: usize,
    ) -> Vec<Token> {
        let mut out = self.token_list();
        // Whether the left operand of a `##` that comes next is the last token of `out`; else it is a placemarker.
        let mut left = false;
        for (index, item) in items.iter().enumerate() {
            if self.aborted {
                break;
            }
            let loc = Loc { pos: item.token.loc.pos, expansion };
            let pasted_after = items.get(index + 1).is_some_and(|next| next.paste);
            match item.part {
                Part::Text => {
                    let token = Token { loc, ..item.token };
                    self.append(&mut out, token, item.paste && left, loc);
                    left = true;
                }
                Part::Stringify(parameter) => {
                    let text = self.stringify(arguments.get(parameter as usize), item.token);
                    let token = Token { kind: TokenKind::Str, text, loc, ..item.token };
                    self.append(&mut out, token, item.paste && left, loc);
                    left = true;
                }
                Part::Parameter(parameter) if item.paste || pasted_after => {
                    let argument = arguments.get(parameter as usize);
                    let comma = item.paste
                        && left
                        && self.is_variable_argument(parameter, id)
                        && out.last().is_some_and(|token| token.kind == TokenKind::Punct(Punct::Comma));
                    self.count_expanded(item.token, argument.len());
                    let Some((&first, rest)) = argument.split_first() else {
                        if comma {
                            // GNU's `, ## __VA_ARGS__`: no arguments, no comma.
                            out.pop();
                            left = false;
                        } else {
                            left &= item.paste;
                        }
                        continue;
                    };
                    let spaced =
                        (first.flags - TokenFlags::SPACE_BEFORE) | (item.token.flags & TokenFlags::SPACE_BEFORE);
                    self.append(&mut out, Token { flags: spaced, ..first }, item.paste && left && !comma, loc);
                    out.extend_from_slice(rest);
                    left = true;
                }
                Part::Parameter(parameter) => {
                    left = self.append_argument(&mut out, arguments, parameter as usize, item.token);
                }
            }
        }
        out
    }

    fn is_variable_argument(&self, parameter: u16, id: usize) -> bool {
        self.macros[id].variadic && parameter as usize + 1 == self.macros[id].parameters.len()
    }

    /// Appends an argument with its macros expanded; false when that is nothing.
    fn append_argument(&mut self, out: &mut Vec<Token>, arguments: &mut Arguments, index: usize, at: Token) -> bool {
        let start = out.len();
        let raw = arguments.get(index);
        if self.needs_expansion(raw) {
            if arguments.expanded.is_empty() {
                arguments.expanded.resize_with(arguments.ends.len(), || None);
            }
            if arguments.expanded.get(index).is_some_and(Option::is_none) {
                let expanded = self.expand_argument(arguments.get(index), at);
                arguments.expanded[index] = Some(expanded);
            }
            if let Some(Some(expanded)) = arguments.expanded.get(index) {
                out.extend_from_slice(expanded);
            }
        } else {
            out.extend_from_slice(raw);
        }
        self.count_expanded(at, out.len() - start);
        if let Some(first) = out.get_mut(start) {
            first.flags = (first.flags - TokenFlags::SPACE_BEFORE) | (at.flags & TokenFlags::SPACE_BEFORE);
            return true;
        }
        false
    }

    fn needs_expansion(&mut self, tokens: &[Token]) -> bool {
        tokens.iter().any(|token| token.kind == TokenKind::Identifier && self.macro_of(token.text).is_some())
    }

    fn expand_argument(&mut self, tokens: &[Token], at: Token) -> Vec<Token> {
        if self.nesting >= MAX_NESTING {
            let loc = tokens.first().map_or(at.loc, |token| token.loc);
            self.fatal(Token { loc, ..at }, "macro arguments are nested too deeply");
            return Vec::new();
        }
        self.nesting += 1;
        let expanded = self.expand_all(tokens);
        self.nesting -= 1;
        expanded
    }

    /// Appends a token, pasted to the last one if asked to.
    fn append(&mut self, out: &mut Vec<Token>, token: Token, paste: bool, loc: Loc) {
        if paste && let Some(left) = out.pop() {
            match self.paste(left, token, loc) {
                Some(pasted) => out.push(pasted),
                None => out.extend([left, token]),
            }
        } else {
            out.push(token);
        }
    }

    /// `left ## right`.
    fn paste(&mut self, left: Token, right: Token, loc: Loc) -> Option<Token> {
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        text.push_str(self.text(left));
        text.push_str(self.text(right));
        self.count_expanded(right, text.len() / 8);
        let pasted = lexer::single_token(&text);
        let symbol = match pasted {
            Some(TokenKind::Punct(punct)) => self.known.puncts[punct as usize],
            Some(_) => self.interner.intern(&text),
            None => self.interner.empty(),
        };
        if pasted.is_none_or(|kind| kind == TokenKind::Other) {
            let at = Token { loc, ..right };
            self.error(at, format!("pasting formed '{text}', an invalid preprocessing token"));
            self.scratch = text;
            return None;
        }
        self.scratch = text;
        let flags = left.flags - TokenFlags::NO_EXPAND;
        pasted.map(|kind| Token { kind, flags, text: symbol, loc })
    }

    /// `#` of an argument.
    fn stringify(&mut self, argument: &[Token], at: Token) -> Symbol {
        let mut text = String::from("\"");
        for (index, token) in argument.iter().enumerate() {
            if index > 0 && token.flags.contains(TokenFlags::SPACE_BEFORE) {
                text.push(' ');
            }
            let spelling = self.text(*token);
            if matches!(token.kind, TokenKind::Str | TokenKind::Char | TokenKind::Other) {
                for c in spelling.chars() {
                    if c == '"' || (c == '\\' && token.kind != TokenKind::Other) {
                        text.push('\\');
                    }
                    text.push(c);
                }
            } else {
                text.push_str(spelling);
            }
        }
        // A string that is quoted again and again doubles its backslashes.
        self.count_expanded(at, text.len() / 8);
        let backslashes = text.len() - text.trim_end_matches('\\').len();
        if backslashes % 2 == 1 {
            text.pop();
            self.warning(WarningFlag::InvalidPpToken, at, "invalid string literal, ignoring final '\\'");
        }
        text.push('"');
        self.interner.intern(&text)
    }
}
