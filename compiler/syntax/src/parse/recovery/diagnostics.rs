//! Syntax errors as diagnostics: the position and the expected rules that pest reports become the messages of clang.

use pest::error::{Error, ErrorVariant, InputLocation};

use crate::parse::class::TokenClass;
use crate::parse::classifier::{MAX_BRACKETS, Problem};
use crate::parse::names::{Names, is_reserved_type};
use crate::parse::{Builder, Rule};
use clforge_basic::diag::{Diagnostic, SourceRange};
use clforge_basic::source::{Interner, Span, TokenFlags, TokenTable};

/// Bytes of source that a help repeats.
const LONGEST_HELP: usize = 40;

/// The token offset a syntax error is at.
pub(super) fn position(error: &Error<Rule>) -> usize {
    match error.location {
        InputLocation::Pos(position) | InputLocation::Span((position, _)) => position,
    }
}

/// Whether the declaration ended before its tokens did.
pub(super) fn is_at_end(error: &Error<Rule>) -> bool {
    matches!(&error.variant, ErrorVariant::ParsingError { positives, .. } if positives.contains(&Rule::EOI))
}

/// The diagnostic for what the classifier found.
pub(in crate::parse) fn problem(
    problem: &Problem,
    table: &TokenTable,
    interner: &Interner,
    names: &Names,
) -> Diagnostic {
    let text = |span: Span| {
        let token = table.tokens.get(span.lo as usize);
        token.map_or("", |token| interner.text(token.text))
    };
    match problem {
        Problem::UnknownType(span) => unknown_type(table.range(*span, interner), text(*span), names, interner),
        Problem::Brackets(span) => {
            let message = format!("bracket nesting level exceeded maximum of {MAX_BRACKETS}");
            Diagnostic::error(table.range(*span, interner), message)
        }
        Problem::Depth(span, message) => Diagnostic::error(table.range(*span, interner), message.as_str()),
        Problem::Unsupported(span) => {
            Diagnostic::error(table.range(*span, interner), format!("'{}' is not supported", text(*span)))
        }
        Problem::Stray(span) => {
            Diagnostic::error(table.range(*span, interner), format!("unexpected character '{}'", text(*span)))
        }
    }
}

fn unknown_type(range: SourceRange, name: &str, names: &Names, interner: &Interner) -> Diagnostic {
    if let Some(keyword) = interner.get(name).and_then(|symbol| names.tag(symbol)) {
        return Diagnostic::error(range, format!("must use '{keyword}' tag to refer to type '{name}'"));
    }
    if name == "generic" {
        return Diagnostic::error(range, "unknown type name 'generic'")
            .with_help("the generic address space needs -cl-std=CL2.0 or later");
    }
    if is_reserved_type(name) {
        return Diagnostic::error(range, format!("'{name}' is a reserved type name: OpenCL C has no such type"));
    }
    if name == "pipe" {
        return Diagnostic::error(range, "unknown type name 'pipe'").with_help("pipes need -cl-std=CL2.0 or later");
    }
    // A suggestion must be closer than a third of the name.
    let limit = (name.len() / 3).max(1);
    // Names that differ more in length need no look at their letters.
    let candidates = names.types(interner).filter(|known| known.len().abs_diff(name.len()) <= limit);
    let candidates = candidates.map(|known| (strsim::levenshtein(name, known), known));
    match candidates.filter(|(distance, _)| (1..=limit).contains(distance)).min() {
        Some((_, known)) => Diagnostic::error(range, format!("unknown type name '{name}'; did you mean '{known}'?")),
        None => Diagnostic::error(range, format!("unknown type name '{name}'")),
    }
}

/// A syntax error at token offset `pos` of `codes`, and what is around it.
pub(super) struct Context<'e, 'a, 's, 'm> {
    builder: &'e Builder<'a, 's, 'm>,
    codes: &'e [u8],
    pos: usize,
    expected: &'e [Rule],
}

impl<'e, 'a, 's, 'm> Context<'e, 'a, 's, 'm> {
    pub(super) fn new(
        builder: &'e Builder<'a, 's, 'm>,
        codes: &'e [u8],
        pos: usize,
        error: &'e Error<Rule>,
    ) -> Context<'e, 'a, 's, 'm> {
        let expected = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
            // pest makes it where a limit of its own is reached; none is set.
            ErrorVariant::CustomError { .. } => &[],
        };
        Context { builder, codes, pos, expected }
    }
}

impl Context<'_, '_, '_, '_> {
    fn has(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    fn class(&self, offset: usize) -> TokenClass {
        TokenClass::at(self.codes, offset)
    }

    fn previous(&self) -> TokenClass {
        self.pos.checked_sub(1).map_or(TokenClass::End, |offset| self.class(offset))
    }

    fn text(&self, offset: usize) -> String {
        let builder = self.builder;
        builder.interner.borrow().text(builder.symbol(offset)).to_owned()
    }

    /// An error at the unexpected token.
    fn here(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.builder.range(self.builder.span(self.pos, self.pos + 1)), message)
    }

    /// An error behind the token before, where something is missing.
    fn behind(&self, message: impl Into<String>) -> Diagnostic {
        let place = self.pos.checked_sub(1).and_then(|offset| self.builder.after(offset));
        match place {
            Some(range) => Diagnostic::error(range, message),
            None => self.here(message),
        }
    }

    fn expects_expression(&self) -> bool {
        let rules = [
            Rule::expected_expression,
            Rule::unary_expression,
            Rule::expression,
            Rule::assignment_expression,
            Rule::initializer_list,
            Rule::designated_initializer,
        ];
        rules.iter().any(|rule| self.has(*rule))
    }

    /// The token that is missing, where the error is about one; an operand is a skipped token.
    pub(super) fn missing(&self) -> Option<TokenClass> {
        let semicolon = [
            Rule::expected_semicolon_after_expression,
            Rule::expected_semicolon_after_declaration,
            Rule::expected_semicolon_after_statement,
            Rule::expected_semicolon_in_for,
            Rule::expected_semicolon_in_struct,
        ];
        Some(if self.expects_expression() {
            TokenClass::Skipped
        } else if semicolon.iter().any(|rule| self.has(*rule)) {
            TokenClass::Semicolon
        } else if self.has(Rule::expected_declarator) {
            return None;
        } else if self.has(Rule::expected_rparen) && !self.has(Rule::specifiers) {
            TokenClass::RParen
        } else if self.has(Rule::expected_rbracket) {
            TokenClass::RBracket
        } else if self.has(Rule::expected_colon) {
            TokenClass::Colon
        } else {
            return None;
        })
    }

    /// Whether the program most likely goes on with the unexpected token behind a missing one, as clang takes it.
    pub(super) fn may_insert(&self, missing: TokenClass) -> bool {
        use TokenClass::*;
        let next = self.class(self.pos);
        match missing {
            Semicolon
                if self.has(Rule::expected_semicolon_after_declaration)
                    || self.has(Rule::expected_semicolon_in_struct) =>
            {
                let starts_line =
                    self.builder.token(self.pos).is_some_and(|token| token.flags.contains(TokenFlags::LINE_START));
                let is_statement = next.is_declaration_keyword() || next.is_statement_keyword() || next == RBrace;
                is_statement || starts_line && next != LBrace
            }
            Semicolon => !matches!(next, RParen | RBracket | Colon | Comma),
            RParen => matches!(next, Semicolon | LBrace | RBrace),
            RBracket => matches!(next, Semicolon),
            _ => true,
        }
    }

    pub(super) fn diagnose(&self) -> Diagnostic {
        if self.pos >= self.codes.len() && self.has(Rule::expected_rbrace) {
            return self.unclosed('{', '}');
        }
        // The second '^' may have been taken for the start of a block.
        let is_caret =
            |back: usize| self.pos.checked_sub(back).is_some_and(|offset| self.class(offset) == TokenClass::Caret);
        if is_caret(1) && (is_caret(0) || is_caret(2)) {
            return self
                .here("'^^' is a reserved operator in OpenCL C")
                .with_help("of truth values, '!=' is the exclusive or");
        }
        if let Some(what) = self.unsupported() {
            return self.here(format!("{what} not supported"));
        }
        if self.pos == 0 {
            return self.at_start();
        }
        if self.expects_expression() {
            return self.type_name().unwrap_or_else(|| self.here("expected expression"));
        }
        self.missing_semicolon().or_else(|| self.missing_token()).unwrap_or_else(|| self.other())
    }

    /// A construct of C or GNU C that begins before or at the unexpected token, and is none of OpenCL C's.
    fn unsupported(&self) -> Option<&'static str> {
        let next = self.class(self.pos);
        match (self.previous(), next) {
            (TokenClass::KwGoto, TokenClass::Star) => Some("'goto' to a computed label is"),
            (_, TokenClass::AmpAmp) if self.expects_expression() => Some("labels as values ('&&label') are"),
            (TokenClass::Identifier, TokenClass::String)
                if matches!(self.text(self.pos.saturating_sub(1)).as_str(), "L" | "u" | "U") =>
            {
                Some("strings of wide characters are")
            }
            _ => None,
        }
    }

    /// A type's name where an expression should be: other languages call it to make a vector or to convert.
    fn type_name(&self) -> Option<Diagnostic> {
        let class = self.class(self.pos);
        if !matches!(class, TokenClass::TypedefName | TokenClass::TypeKeyword) {
            return None;
        }
        let name = self.text(self.pos);
        let diagnostic = match class {
            TokenClass::TypedefName => self.here(format!("unexpected type name '{name}': expected expression")),
            _ => self.here("expected expression"),
        };
        if self.class(self.pos + 1) != TokenClass::LParen {
            return Some(diagnostic);
        }
        let arguments = self.parenthesised_text(self.pos + 1);
        Some(diagnostic.with_help(format!("write '({name}){arguments}'")))
    }

    /// What is in the parentheses that open at `open`, as it is written if that is short.
    fn parenthesised_text(&self, open: usize) -> String {
        let mut text = String::new();
        let mut depth = 0_u32;
        for (offset, class) in TokenClass::all(self.codes).enumerate().skip(open).take(LONGEST_HELP) {
            let spaced = TokenFlags::SPACE_BEFORE | TokenFlags::LINE_START;
            if !text.is_empty() && self.builder.token(offset).is_some_and(|token| token.flags.intersects(spaced)) {
                text.push(' ');
            }
            text.push_str(&self.text(offset));
            match class {
                TokenClass::LParen => depth += 1,
                TokenClass::RParen => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 || text.len() > LONGEST_HELP {
                break;
            }
        }
        if depth == 0 && text.len() <= LONGEST_HELP { text } else { "(...)".into() }
    }

    /// Whether the unexpected token is the end, or most likely begins a declaration or a statement.
    fn at_declaration_or_statement(&self) -> bool {
        let class = self.class(self.pos);
        class == TokenClass::End || class.is_declaration_keyword() || class.is_statement_keyword()
    }

    /// The first token of an external declaration begins nothing.
    fn at_start(&self) -> Diagnostic {
        match (self.class(0), self.class(1)) {
            (TokenClass::RBrace, _) => self.here("extraneous closing brace ('}')"),
            (
                TokenClass::Identifier,
                TokenClass::LParen
                | TokenClass::Equals
                | TokenClass::Semicolon
                | TokenClass::LBracket
                | TokenClass::Comma,
            ) => self
                .here(format!("type specifier missing before '{}'", self.text(0)))
                .with_help("OpenCL C has no implicit 'int'"),
            _ => self.here("expected identifier or '('"),
        }
    }

    fn missing_semicolon(&self) -> Option<Diagnostic> {
        let message = if self.has(Rule::expected_semicolon_after_expression) {
            "expected ';' after expression"
        } else if self.has(Rule::expected_semicolon_after_declaration) {
            if self.class(self.pos) == TokenClass::LBrace && self.previous() == TokenClass::RParen {
                return Some(self.here("function definition is not allowed here"));
            }
            "expected ';' at end of declaration"
        } else if self.has(Rule::expected_semicolon_after_declarator) {
            "expected ';' after top level declarator"
        } else if self.has(Rule::expected_semicolon_in_for) {
            "expected ';' in 'for' statement specifier"
        } else if self.has(Rule::expected_semicolon_in_struct) {
            "expected ';' at end of declaration list"
        } else if self.has(Rule::expected_semicolon_after_statement) {
            return Some(self.behind(format!("expected ';' after {} statement", self.statement_name())));
        } else {
            return None;
        };
        Some(self.behind(message))
    }

    /// The kind of the statement that ends at the error.
    fn statement_name(&self) -> &'static str {
        let before = self.codes.get(..self.pos).unwrap_or_default();
        for class in TokenClass::all(before).rev() {
            match class {
                TokenClass::KwGoto => return "goto",
                TokenClass::KwLocalLabel => return "__label__",
                TokenClass::KwReturn => return "return",
                TokenClass::KwWhile => return "do/while",
                TokenClass::KwAsm => return "asm",
                TokenClass::KwBreakOrContinue => {
                    return match self.text(self.pos.saturating_sub(1)).as_str() {
                        "break" => "break",
                        _ => "continue",
                    };
                }
                TokenClass::Semicolon => break,
                _ => {}
            }
        }
        "this"
    }

    fn missing_token(&self) -> Option<Diagnostic> {
        let previous = self.pos.saturating_sub(1);
        Some(if self.has(Rule::expected_declarator) {
            // `struct S { … }` at the end of a file, or before the next declaration: the `;` is missing.
            if self.previous() == TokenClass::RBrace && self.at_declaration_or_statement() {
                return Some(self.behind("expected ';' after struct"));
            }
            self.here("expected identifier or '('")
        } else if self.has(Rule::expected_rparen) && !self.has(Rule::specifiers) {
            self.unclosed('(', ')')
        } else if self.has(Rule::expected_rbracket) {
            self.unclosed('[', ']')
        } else if self.has(Rule::expected_identifier) {
            if matches!(self.previous(), TokenClass::StructOrUnion | TokenClass::KwEnum) {
                return Some(self.here("expected identifier or '{'"));
            }
            self.here("expected identifier")
        } else if self.has(Rule::expected_lparen) {
            self.here(format!("expected '(' after '{}'", self.text(previous)))
        } else if self.has(Rule::expected_while) {
            self.here("expected 'while' in do/while loop")
        } else if self.has(Rule::expected_colon) {
            self.behind("expected ':'")
        } else if self.has(Rule::expected_equals) {
            self.here("expected '=' or another designator")
        } else if self.has(Rule::expected_comma) {
            self.here("expected ','")
        } else if self.has(Rule::expected_lbrace) {
            self.here("expected '{'")
        } else {
            return None;
        })
    }

    fn other(&self) -> Diagnostic {
        if self.has(Rule::specifiers) || self.has(Rule::parameter) {
            return match self.previous() {
                TokenClass::LParen | TokenClass::Comma => self.here("expected parameter declarator"),
                _ => self.here("expected type"),
            };
        }
        if self.has(Rule::member_declaration) {
            return self.here("expected member declaration");
        }
        if self.has(Rule::expected_rbrace) {
            return self.unclosed('{', '}');
        }
        if self.pos >= self.codes.len() {
            return self.behind("unexpected end of declaration");
        }
        if self.class(self.pos) == TokenClass::RBrace {
            return self.here("extraneous closing brace ('}')");
        }
        self.here(format!("unexpected '{}'", self.text(self.pos)))
    }

    /// A missing closing bracket, with a note at its partner.
    fn unclosed(&self, open: char, close: char) -> Diagnostic {
        let diagnostic = self.here(format!("expected '{close}'"));
        let mut stack = Vec::new();
        for (offset, class) in TokenClass::all(self.codes).enumerate().take(self.pos) {
            match class {
                TokenClass::LParen | TokenClass::LBracket | TokenClass::LBrace => stack.push((class, offset)),
                TokenClass::RParen | TokenClass::RBracket | TokenClass::RBrace => {
                    stack.pop();
                }
                _ => {}
            }
        }
        let partner = stack.iter().rev().find(|(class, _)| class.code() == open);
        match partner {
            Some((_, offset)) => {
                let range = self.builder.range(self.builder.span(*offset, offset + 1));
                diagnostic.with_note(range, format!("to match this '{open}'"))
            }
            None => diagnostic,
        }
    }
}
