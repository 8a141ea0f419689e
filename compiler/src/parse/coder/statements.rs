//! Coding statements: block scopes and labels (C99 6.8).

use super::declarations::Place;
use super::{Coder, MAX_CHAIN, MAX_STATEMENTS, Problem, starts_declaration};
use crate::source::Span;

impl Coder<'_> {
    /// `{ … }` with its scope.
    pub(super) fn compound_statement(&mut self) {
        self.open();
        self.names.open();
        while !matches!(self.peek(), b'}' | super::END) {
            let before = self.pos;
            self.statement();
            if self.pos == before {
                self.bump();
            }
        }
        self.names.close();
        self.close(b'}');
    }

    /// A statement inside another that has no braces around it.
    fn substatement(&mut self) {
        self.statements += 1;
        if self.statements > MAX_STATEMENTS {
            let message = format!("statements are nested too deeply: more than {MAX_STATEMENTS} levels");
            self.stop(Problem::Depth(self.here(), message));
        } else {
            self.statement();
        }
        self.statements -= 1;
    }

    /// A statement or block item.
    pub(super) fn statement(&mut self) {
        self.labels();
        let code = self.peek();
        match code {
            b'{' => self.compound_statement(),
            b';' => self.bump(),
            b'O' => self.if_statement(),
            b'Q' | b'T' => {
                self.bump();
                self.condition();
                self.substatement();
            }
            b'R' => self.do_statement(),
            b'S' => self.for_statement(),
            b'W' => {
                self.bump();
                self.eat_name();
                self.eat(b';');
            }
            b'h' => {
                self.bump();
                while self.eat_name().is_some() && self.eat(b',') {}
                self.eat(b';');
            }
            b'X' => {
                self.bump();
                self.eat(b';');
            }
            b'Y' => {
                self.bump();
                self.expression(false);
                self.eat(b';');
            }
            b'Z' => self.asm_statement(),
            b'e' if self.declares_after_extension() => self.declaration(Place::Block),
            b'i' if matches!(self.peek_at(1), b'i' | b't') => self.declaration(Place::Block),
            _ if starts_declaration(code) => self.declaration(Place::Block),
            _ => {
                self.expression(false);
                self.eat(b';');
            }
        }
    }

    /// Labels and attributes before a statement.
    fn labels(&mut self) {
        let mut count = 0_u32;
        loop {
            match self.peek() {
                b'i' | b't' if self.peek_at(1) == b':' => {
                    self.bump_as(b'l');
                    self.bump();
                }
                b'U' => {
                    self.bump();
                    self.expression(false);
                    if self.eat(b'_') {
                        self.expression(false);
                    }
                    self.eat(b':');
                }
                b'V' => {
                    self.bump();
                    self.eat(b':');
                }
                b'M' if !self.declares_after_attributes() => self.attribute(b'x'),
                _ => return,
            }
            count += 1;
            if count > MAX_CHAIN {
                let message = format!("more than {MAX_CHAIN} labels on one statement");
                self.stop(Problem::Depth(Span::token(self.pos as u32), message));
            }
        }
    }

    /// Whether the attributes that are next belong to a declaration rather than a statement.
    fn declares_after_attributes(&self) -> bool {
        let mut ahead = 0;
        while self.peek_at(ahead) == b'M' {
            ahead += 1;
            let mut depth = 0_u32;
            loop {
                match self.peek_at(ahead) {
                    b'(' => depth += 1,
                    b')' => depth = depth.saturating_sub(1),
                    super::END | b'{' | b'}' | b';' => return false,
                    _ => {}
                }
                ahead += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        starts_declaration(self.peek_at(ahead)) && self.peek_at(ahead + 1) != b':'
    }

    fn declares_after_extension(&self) -> bool {
        let mut ahead = 0;
        while self.peek_at(ahead) == b'e' {
            ahead += 1;
        }
        starts_declaration(self.peek_at(ahead))
    }

    /// `( expression )`
    fn condition(&mut self) {
        if self.peek() == b'(' {
            self.parenthesised();
        }
    }

    fn if_statement(&mut self) {
        self.bump();
        self.condition();
        self.substatement();
        // A chain of `else if` is flat, here as in the grammar.
        while self.eat(b'P') {
            let chained = self.eat(b'O');
            if chained {
                self.condition();
            }
            self.substatement();
            if !chained {
                return;
            }
        }
    }

    fn do_statement(&mut self) {
        self.bump();
        self.substatement();
        if self.eat(b'Q') {
            self.condition();
        }
        self.eat(b';');
    }

    /// `for`: what its first clause declares lives to the end of the loop.
    fn for_statement(&mut self) {
        self.bump();
        self.names.open();
        if self.peek() == b'(' {
            self.open();
            let code = self.peek();
            if starts_declaration(code) || code == b'i' && matches!(self.peek_at(1), b'i' | b't') {
                self.declaration(Place::Block);
            } else {
                self.expression(false);
                self.eat(b';');
            }
            self.expression(false);
            self.eat(b';');
            self.expression(false);
            self.close(b')');
        }
        self.substatement();
        self.names.close();
    }
}
