//! Macros whose value depends on where they are used: `__LINE__`, `__FILE__`, `__has_attribute(…)` and similar.

use super::Preprocessor;
use super::macros::Dynamic;
use clforge_basic::narrow::to_u32;
use clforge_basic::source::{ExpansionId, Punct, Token, TokenKind};

/// Attributes `__has_attribute` answers 1 for.
const ATTRIBUTES: &[&str] = &[
    "aligned",
    "always_inline",
    "const",
    "endian",
    "noinline",
    "nosvm",
    "opencl_unroll_hint",
    "packed",
    "pure",
    "reqd_work_group_size",
    "unused",
    "vec_type_hint",
    "work_group_size_hint",
];

impl Preprocessor<'_> {
    /// Replaces a built-in macro's name by its value here.
    pub(super) fn expand_dynamic(&mut self, token: &mut Token, dynamic: Dynamic) {
        match dynamic {
            Dynamic::Line => {
                let line = self.line_of(*token);
                *token = self.number_token(*token, u64::from(line));
            }
            Dynamic::Counter => {
                let count = self.counter;
                self.counter = self.counter.wrapping_add(1);
                *token = self.number_token(*token, u64::from(count));
            }
            Dynamic::IncludeLevel => {
                let level = self.files.len().saturating_sub(1);
                *token = self.number_token(*token, level as u64);
            }
            Dynamic::File | Dynamic::BaseFile => self.file_name(token, dynamic),
            _ => self.query(token, dynamic),
        }
    }

    /// The presumed line of a token; of the end of the outermost macro use when it comes from one.
    fn line_of(&self, token: Token) -> u32 {
        let Some(file) = self.files.last() else { return 0 };
        let here = file.base + to_u32(file.pos).saturating_sub(1);
        let pos = if token.loc.expansion == ExpansionId::NONE { token.loc.pos } else { here };
        self.sources.locate(pos).map_or(0, |(id, offset)| self.sources.file(id).presumed(offset).1)
    }

    fn file_name(&mut self, token: &mut Token, dynamic: Dynamic) {
        let file = match dynamic {
            Dynamic::BaseFile => self.files.first(),
            _ => self.files.last(),
        };
        let name = file.map_or("", |file| self.sources.file(file.id).presumed(to_u32(file.pos)).0);
        let quoted = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
        *token = Token { kind: TokenKind::Str, text: self.interner.intern(&quoted), ..*token };
    }

    /// `__has_attribute(x)` and similar.
    fn query(&mut self, token: &mut Token, dynamic: Dynamic) {
        self.collecting += 1;
        let operand = self.query_operand(*token, dynamic);
        self.collecting -= 1;
        let Some((operand, angled)) = operand else {
            *token = self.number_token(*token, 0);
            return;
        };
        let bare = operand.strip_prefix("__").and_then(|name| name.strip_suffix("__")).unwrap_or(&operand);
        let holds = match dynamic {
            Dynamic::HasAttribute => ATTRIBUTES.contains(&bare),
            Dynamic::HasBuiltin => crate::gnu::is_known(&operand),
            Dynamic::HasInclude => {
                let from = self.files.last().map_or("", |file| self.sources.file(file.id).name.as_str());
                self.options.language.includes.load(&operand, from, angled).is_some()
            }
            // Extensions are asked for by name, as in `__has_extension(cl_khr_fp64)`.
            Dynamic::HasFeature if operand.starts_with("cl_") || operand.starts_with("__opencl_c_") => {
                let name = self.interner.intern(&operand);
                self.macro_of(name).is_some()
            }
            _ => false,
        };
        *token = self.number_token(*token, u64::from(holds));
    }

    /// `_Pragma("…")` in the output (6.10.9).
    pub(super) fn pragma_operator(&mut self, operator: Token) {
        let open = self.next_expanded();
        let literal = if open.kind == TokenKind::Punct(Punct::LParen) { Some(self.next_expanded()) } else { None };
        let Some(literal) = literal.filter(|literal| literal.kind == TokenKind::Str) else {
            return self.error(operator, "_Pragma takes a parenthesized string literal");
        };
        let close = self.next_expanded();
        if close.kind != TokenKind::Punct(Punct::RParen) {
            return self.error(operator, "_Pragma takes a parenthesized string literal");
        }
        let text = self.text(literal);
        let inner = text.get(1..text.len().saturating_sub(1)).unwrap_or("");
        let inner = inner.replace("\\\"", "\"").replace("\\\\", "\\");
        self.pragma_text(operator, &inner);
    }
}
