//! Coding expressions: member names, casts, statement expressions, blocks (C99 6.5).

use super::{Coder, MAX_BRACKETS, MAX_CHAIN, Problem, starts_declaration};

impl Coder<'_> {
    /// An expression; stops before a `;`, an unpaired closing bracket or `:`, and what cannot be part of it. With
    /// `comma_ends` also before a comma.
    pub(super) fn expression(&mut self, comma_ends: bool) {
        // `?` whose `:` has not come.
        let mut open_conditionals = 0_u32;
        // Right-associative operators since the last comma: the folded tree is that deep.
        let mut chain = 0_u32;
        loop {
            let code = self.peek();
            match code {
                super::END | b';' | b')' | b']' | b'}' | b'_' => return,
                // Statement keywords and declarations: most likely a `;` is missing before them.
                b'O'..=b'Z' | b'A'..=b'N' => return,
                b',' => {
                    if comma_ends && open_conditionals == 0 {
                        return;
                    }
                    chain = 0;
                    self.bump_code(code);
                }
                b':' => {
                    if open_conditionals == 0 {
                        return;
                    }
                    open_conditionals -= 1;
                    self.bump_code(code);
                }
                b'?' | b'=' | b'0' => {
                    chain += 1;
                    open_conditionals += u32::from(code == b'?');
                    if chain > MAX_CHAIN || open_conditionals > MAX_BRACKETS {
                        let message = "expression is nested too deeply".to_owned();
                        return self.stop(Problem::Depth(self.here(), message));
                    }
                    self.bump_code(code);
                }
                b'(' => self.parenthesised(),
                b'[' => self.bracketed(),
                // Behind an operand it begins a statement: most likely a bracket is missing.
                b'{' if self.previous() != b')' && self.after_operand() => return,
                b'{' => self.brace_list(),
                b'.' | b'>' => {
                    self.bump_code(code);
                    self.eat_name();
                }
                b'4' if !self.after_operand() => self.block_literal(),
                b'o' => self.offset_of(),
                b'g' => self.generic_selection(),
                b'k' => self.types_compatible(),
                _ => self.bump_code(code),
            }
        }
    }

    /// Whether the token coded last ends an operand, so that an operator comes next.
    fn after_operand(&self) -> bool {
        matches!(self.previous(), b'i' | b't' | b'n' | b'c' | b's' | b')' | b']' | b'}' | b'#')
    }

    /// `( … )`: arguments, a cast, an operand, or a statement expression.
    pub(super) fn parenthesised(&mut self) {
        self.open();
        if self.peek() == b'{' {
            self.compound_statement();
        } else if starts_declaration(self.peek()) {
            self.type_name();
        }
        self.expression(false);
        self.close(b')');
    }

    /// `[ … ]`, also of designators with `first ... last`.
    pub(super) fn bracketed(&mut self) {
        self.open();
        self.expression(false);
        if self.eat(b'_') {
            self.expression(false);
        }
        self.close(b']');
    }

    /// C99 6.7.8.
    pub(super) fn initializer(&mut self) {
        if self.peek() == b'{' {
            self.brace_list();
        } else {
            self.expression(true);
        }
    }

    /// `{ … }` of an initialiser or compound literal.
    pub(super) fn brace_list(&mut self) {
        self.open();
        loop {
            let before = self.pos;
            self.expression(false);
            match self.peek() {
                // A `;` for a `,`, or else the `}` is missing.
                b';' if !self.begins_item(1) => self.bump(),
                b'}' | b';' | super::END => break,
                // GNU C's `name: value`.
                b':' if self.previous() == b'i' => self.bump(),
                _ if self.pos == before => break,
                _ => {}
            }
        }
        self.close(b'}');
    }

    /// Whether a statement or declaration begins `ahead` tokens from here, as far as one token tells.
    fn begins_item(&self, ahead: usize) -> bool {
        let code = self.peek_at(ahead);
        starts_declaration(code) || matches!(code, b'O'..=b'Z' | super::END)
    }

    /// `^(parameters) { … }`, `^int(parameters) { … }`
    fn block_literal(&mut self) {
        self.bump();
        self.names.open();
        self.parameters.clear();
        if starts_declaration(self.peek()) {
            self.block_result();
        }
        if self.peek() == b'(' {
            self.parameters(true);
        }
        for parameter in std::mem::take(&mut self.parameters) {
            self.names.declare(parameter, false);
        }
        if self.peek() == b'{' {
            self.compound_statement();
        }
        self.names.close();
    }

    /// `_Generic(expression, type: expression, …)`
    fn generic_selection(&mut self) {
        self.bump();
        if self.peek() != b'(' {
            return;
        }
        self.open();
        self.expression(true);
        while self.eat(b',') {
            if self.peek() == b'V' {
                self.bump();
            } else {
                self.type_name();
            }
            self.eat(b':');
            self.expression(true);
        }
        self.close(b')');
    }

    /// `__builtin_types_compatible_p(type, type)`
    fn types_compatible(&mut self) {
        self.bump();
        if self.peek() != b'(' {
            return;
        }
        self.open();
        self.type_name();
        if self.eat(b',') {
            self.type_name();
        }
        self.close(b')');
    }

    /// `offsetof(type, member)`: the member is no type even if a type has its name.
    fn offset_of(&mut self) {
        self.bump();
        if self.peek() != b'(' {
            return;
        }
        self.open();
        self.type_name();
        if self.eat(b',') {
            self.eat_name();
        }
        self.expression(false);
        self.close(b')');
    }
}
