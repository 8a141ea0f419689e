//! Coding declarations: finding the names they declare (C99 6.7).

use super::{Coder, Keyword, Problem, starts_declaration};
use crate::source::Symbol;

/// What a list of specifiers said.
#[derive(Clone, Copy, Default)]
struct Specifiers {
    is_typedef: bool,
}

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    File,
    Block,
    Member,
}

impl Coder<'_> {
    /// C99 6.9.
    pub(super) fn external_declaration(&mut self) {
        match self.peek() {
            b';' | b'}' => self.bump(),
            b'Z' => self.asm_statement(),
            _ => self.declaration(Place::File),
        }
    }

    /// `specifiers declarators ;`, or at file scope a function with its body.
    pub(super) fn declaration(&mut self, place: Place) {
        let begin = self.pos;
        if self.peek() == b'L' {
            return self.static_assert();
        }
        self.parameters.clear();
        let specifiers = self.specifiers(place != Place::Block);
        loop {
            let name = if self.peek() == b':' { None } else { self.declarator(false) };
            if place == Place::File && self.peek() == b'{' && self.previous() != b'=' {
                return self.function_body(name);
            }
            if place == Place::File && name.is_some() && self.previous() == b')' && starts_declaration(self.peek()) {
                return self.old_style_function(name);
            }
            if let Some(name) = name.filter(|_| place != Place::Member) {
                self.names.declare(name, specifiers.is_typedef);
            }
            match self.peek() {
                b'=' => {
                    self.bump();
                    self.initializer();
                }
                b':' if place == Place::Member => {
                    self.bump();
                    self.expression(true);
                    self.attributes();
                }
                _ => {}
            }
            match self.peek() {
                b',' => self.bump(),
                b';' => return self.bump(),
                _ => return self.recover(place, begin),
            }
        }
    }

    /// Codes on after something unexpected in a declaration: to its `;`, or to the end of what looks like a body.
    fn recover(&mut self, place: Place, begin: usize) {
        loop {
            match self.peek() {
                super::END => return,
                b';' => return self.bump(),
                b'}' if place != Place::File => return,
                // Most likely the `;` was forgotten: the statement or declaration on the next line is another one.
                code if place != Place::File
                    && self.pos > begin
                    && (starts_declaration(code) && code != b't' || matches!(code, b'O'..=b'Z'))
                    && self.starts_line() =>
                {
                    return;
                }
                b'{' => {
                    let is_body = self.previous() != b'=';
                    if is_body {
                        self.compound_statement();
                    } else {
                        self.brace_list();
                    }
                    if is_body && self.peek() != b';' {
                        return;
                    }
                }
                b'(' => self.parenthesised(),
                b'[' => self.bracketed(),
                _ => self.bump(),
            }
        }
    }

    /// Whether the next token is the first of its line.
    fn starts_line(&self) -> bool {
        self.token(0).is_some_and(|token| token.flags.contains(crate::source::TokenFlags::LINE_START))
    }

    /// The compound statement of a function called `name`, in whose scope the parameters are.
    fn function_body(&mut self, name: Option<Symbol>) {
        if let Some(name) = name {
            self.names.declare(name, false);
        }
        self.body = Some(self.codes.len());
        self.names.open();
        for parameter in std::mem::take(&mut self.parameters) {
            self.names.declare(parameter, false);
        }
        self.compound_statement();
        self.names.close();
    }

    /// `int f(a) int a; { … }`: coded to the end of the body.
    fn old_style_function(&mut self, name: Option<Symbol>) {
        // The parameters' names are no types.
        self.problems.retain(|problem| !matches!(problem, Problem::UnknownType(_)));
        self.names.open();
        while starts_declaration(self.peek()) {
            let before = self.pos;
            self.declaration(Place::Block);
            if self.pos == before {
                break;
            }
        }
        self.parameters.clear();
        if self.peek() == b'{' {
            self.function_body(None);
        }
        self.names.close();
        if let Some(name) = name {
            self.names.declare(name, false);
        }
    }

    pub(super) fn static_assert(&mut self) {
        self.bump();
        if self.peek() == b'(' {
            self.parenthesised();
        }
        self.eat(b';');
    }

    /// C99 6.7 declaration-specifiers. With `type_needed` a plain identifier in the type's place is an unknown type.
    fn specifiers(&mut self, type_needed: bool) -> Specifiers {
        let begin = self.pos;
        let mut specifiers = Specifiers::default();
        let mut has_type = false;
        loop {
            match self.peek() {
                b'A' => {
                    specifiers.is_typedef |= self.keyword() == Some(Keyword::Typedef);
                    self.bump();
                }
                b'B'..=b'E' | b'K' => self.bump(),
                b'F' => {
                    has_type = true;
                    self.bump();
                }
                b't' if !has_type => {
                    has_type = true;
                    self.bump();
                }
                b'G' => {
                    has_type = true;
                    self.record();
                }
                b'H' => {
                    has_type = true;
                    self.enumeration();
                }
                b'I' | b'J' => {
                    has_type = true;
                    self.bump();
                    if self.peek() == b'(' {
                        self.parenthesised();
                    }
                }
                b'M' => self.attribute(b'M'),
                b'y' => {
                    self.bump();
                    self.open();
                    self.attribute_arguments();
                    self.close(b')');
                }
                b'e' => self.bump_as(b'N'),
                b'i' if !has_type && self.is_unknown_type(type_needed && self.pos == begin, self.pos > begin) => {
                    has_type = true;
                    self.problems.push(Problem::UnknownType(self.here()));
                    self.bump_as(b't');
                }
                _ => return specifiers,
            }
        }
    }

    /// Whether the identifier that is next, before which no type was written, can only be meant as a type: another
    /// name follows, or a `*` where no multiplication can be.
    fn is_unknown_type(&self, type_needed: bool, after_specifiers: bool) -> bool {
        match self.peek_at(1) {
            b'i' | b't' => true,
            b'*' => type_needed || after_specifiers,
            // A block-scope or file-scope declarator cannot be followed by a specifier.
            b'B' | b'D' | b'F' | b'G' => after_specifiers || type_needed,
            _ => false,
        }
    }

    /// Declarator (C99 6.7.5), or with `abstract_too` one whose name may be missing: the name declared.
    fn declarator(&mut self, abstract_too: bool) -> Option<Symbol> {
        while matches!(self.peek(), b'*' | b'4') {
            self.bump();
            loop {
                match self.peek() {
                    b'B' | b'D' => self.bump(),
                    b'M' => self.attribute(b'M'),
                    _ => break,
                }
            }
        }
        let mut name = self.eat_name();
        let mut direct = name.is_some();
        if name.is_none() && self.peek() == b'(' {
            let ahead = self.peek_at(1);
            if !(abstract_too && (ahead == b')' || starts_declaration(ahead))) {
                self.open();
                name = self.declarator(abstract_too);
                self.close(b')');
                direct = self.codes.ends_with("(i)");
            }
        }
        self.declarator_suffixes(direct);
        name
    }

    /// Array bounds, parameter lists, attributes. `direct`: a parameter list here is the named function's own.
    fn declarator_suffixes(&mut self, direct: bool) {
        let mut first = true;
        loop {
            match self.peek() {
                b'[' => {
                    self.open();
                    while matches!(self.peek(), b'B' | b'A') {
                        self.bump();
                    }
                    if self.peek() == b'*' && self.peek_at(1) == b']' {
                        self.bump();
                    }
                    self.expression(false);
                    self.close(b']');
                }
                b'(' => self.parameters(direct && first),
                _ => break,
            }
            first = false;
        }
        loop {
            match self.peek() {
                b'M' => self.attribute(b'M'),
                b'Z' => {
                    self.bump();
                    if self.peek() == b'(' {
                        self.asm_text();
                    }
                }
                _ => return,
            }
        }
    }

    /// A parameter list; its names have a scope of their own. `keep`: they are those of a possible function body.
    pub(super) fn parameters(&mut self, keep: bool) {
        self.open();
        self.names.open();
        let mut declared = Vec::new();
        loop {
            let before = self.pos;
            match self.peek() {
                b')' | super::END | b';' | b'{' | b'}' => break,
                b'_' => self.bump(),
                b'i' if matches!(self.peek_at(1), b',' | b')' | b'*' | b'i' | b't' | b'[') => {
                    self.problems.push(Problem::UnknownType(self.here()));
                    self.bump_as(b't');
                    self.parameter_declarator(&mut declared);
                }
                _ => {
                    self.specifiers(true);
                    self.parameter_declarator(&mut declared);
                }
            }
            if !self.eat(b',') && self.peek() != b')' {
                self.expression(true);
                self.eat(b',');
            }
            if self.pos == before {
                break;
            }
        }
        self.names.close();
        self.close(b')');
        if keep {
            self.parameters = declared;
        }
    }

    fn parameter_declarator(&mut self, declared: &mut Vec<Symbol>) {
        if let Some(name) = self.declarator(true) {
            // Only a name that hides a type matters to the coder.
            if !self.names.is_plain(name) {
                declared.push(name);
                self.names.declare(name, false);
            }
        }
    }

    /// C99 6.7.6.
    pub(super) fn type_name(&mut self) {
        self.specifiers(false);
        self.declarator(true);
    }

    /// The result type of a block literal, before its parameters.
    pub(super) fn block_result(&mut self) {
        self.specifiers(false);
        while matches!(self.peek(), b'*' | b'B' | b'D') {
            self.bump();
        }
    }

    /// `struct` or `union` with its members, which share no name space with anything else.
    fn record(&mut self) {
        let is_union = self.keyword() == Some(Keyword::Union);
        self.bump();
        self.attributes();
        if let Some(tag) = self.eat_name() {
            self.names.declare_tag(tag, if is_union { "union" } else { "struct" });
        }
        if self.peek() != b'{' {
            return;
        }
        self.open();
        loop {
            let before = self.pos;
            match self.peek() {
                b'}' | super::END => break,
                b';' => self.bump(),
                _ => self.declaration(Place::Member),
            }
            if self.pos == before {
                self.bump();
            }
        }
        self.close(b'}');
    }

    /// `enum` with its constants, which are declared in the scope around.
    fn enumeration(&mut self) {
        self.bump();
        self.attributes();
        if let Some(tag) = self.eat_name() {
            self.names.declare_tag(tag, "enum");
        }
        if self.peek() != b'{' {
            return;
        }
        self.open();
        loop {
            let before = self.pos;
            let name = self.eat_name();
            self.attributes();
            if self.eat(b'=') {
                self.expression(true);
            }
            if let Some(name) = name {
                self.names.declare(name, false);
            }
            if matches!(self.peek(), b'}' | super::END | b';') {
                break;
            }
            if !self.eat(b',') && self.pos == before {
                self.bump();
            }
        }
        self.close(b'}');
    }

    pub(super) fn attributes(&mut self) {
        while self.peek() == b'M' {
            self.attribute(b'M');
        }
    }

    /// `__attribute__((…))`; its keyword gets `code`. Any word is a name inside, keywords too.
    pub(super) fn attribute(&mut self, code: u8) {
        self.bump_as(code);
        if self.peek() != b'(' {
            return;
        }
        self.open();
        if self.peek() == b'(' {
            self.open();
            while !matches!(self.peek(), b')' | b';' | b'{' | b'}' | super::END) {
                let before = self.pos;
                if self.token(0).is_some_and(|token| token.kind == crate::source::TokenKind::Identifier) {
                    self.bump_as(b'i');
                }
                if self.peek() == b'(' {
                    self.open();
                    self.attribute_arguments();
                    self.close(b')');
                }
                if !self.eat(b',') && self.pos == before {
                    self.bump();
                }
            }
            self.close(b')');
        }
        self.close(b')');
    }

    fn attribute_arguments(&mut self) {
        loop {
            if starts_declaration(self.peek()) {
                self.type_name();
            }
            self.expression(true);
            if !self.eat(b',') {
                return;
            }
        }
    }

    /// The tokens behind `asm`, coded as one kind: qualifiers and the parenthesised text.
    pub(super) fn asm_text(&mut self) {
        let mut depth = 0_u32;
        loop {
            match self.peek() {
                super::END => return,
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b';' | b'{' | b'}' if depth == 0 => return,
                _ => {}
            }
            let done = depth == 0 && self.peek() == b')';
            self.bump_as(b'm');
            if done {
                return;
            }
        }
    }

    /// An `asm` statement.
    pub(super) fn asm_statement(&mut self) {
        self.bump();
        self.asm_text();
        self.eat(b';');
    }
}
