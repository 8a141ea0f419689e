//! Classification of statements: block scopes and labels (C99 6.8).

use super::declarations::Place;
use super::{MAX_CHAIN, MAX_STATEMENTS, Problem, TokenClass, TokenClassifier};
use clforge_basic::narrow::to_u32;
use clforge_basic::source::Span;

impl TokenClassifier<'_> {
    /// `{ … }` with its scope.
    pub(in crate::parse) fn compound_statement(&mut self) {
        self.open();
        self.names.open();
        while !matches!(self.peek(), TokenClass::RBrace | TokenClass::End) {
            let before = self.pos;
            self.statement();
            if self.pos == before {
                self.bump();
            }
        }
        self.names.close();
        self.close(TokenClass::RBrace);
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
        let class = self.peek();
        match class {
            TokenClass::LBrace => self.compound_statement(),
            TokenClass::Semicolon => self.bump(),
            TokenClass::KwIf => self.if_statement(),
            TokenClass::KwWhile | TokenClass::KwSwitch => {
                self.bump();
                self.condition();
                self.substatement();
            }
            TokenClass::KwDo => self.do_statement(),
            TokenClass::KwFor => self.for_statement(),
            TokenClass::KwGoto => {
                self.bump();
                self.eat_name();
                self.eat(TokenClass::Semicolon);
            }
            TokenClass::KwLocalLabel => {
                self.bump();
                while self.eat_name().is_some() && self.eat(TokenClass::Comma) {}
                self.eat(TokenClass::Semicolon);
            }
            TokenClass::KwBreakOrContinue => {
                self.bump();
                self.eat(TokenClass::Semicolon);
            }
            TokenClass::KwReturn => {
                self.bump();
                self.expression(false);
                self.eat(TokenClass::Semicolon);
            }
            TokenClass::KwAsm => self.asm_statement(),
            TokenClass::KwExtension if self.declares_after_extension() => self.declaration(Place::Block),
            TokenClass::Identifier if matches!(self.peek_at(1), TokenClass::Identifier | TokenClass::TypedefName) => {
                self.declaration(Place::Block)
            }
            _ if class.starts_declaration() => self.declaration(Place::Block),
            _ => {
                self.expression(false);
                self.eat(TokenClass::Semicolon);
            }
        }
    }

    /// Labels and attributes before a statement.
    fn labels(&mut self) {
        let mut count = 0_u32;
        loop {
            match self.peek() {
                TokenClass::Identifier | TokenClass::TypedefName if self.peek_at(1) == TokenClass::Colon => {
                    self.bump_as(TokenClass::LabelName);
                    self.bump();
                }
                TokenClass::KwCase => {
                    self.bump();
                    self.expression(false);
                    if self.eat(TokenClass::Ellipsis) {
                        self.expression(false);
                    }
                    self.eat(TokenClass::Colon);
                }
                TokenClass::KwDefault => {
                    self.bump();
                    self.eat(TokenClass::Colon);
                }
                TokenClass::KwAttribute if !self.declares_after_attributes() => {
                    self.attribute(TokenClass::StatementAttribute)
                }
                _ => return,
            }
            count += 1;
            if count > MAX_CHAIN {
                let message = format!("more than {MAX_CHAIN} labels on one statement");
                self.stop(Problem::Depth(Span::token(to_u32(self.pos)), message));
            }
        }
    }

    /// Whether the attributes that are next belong to a declaration rather than a statement.
    fn declares_after_attributes(&self) -> bool {
        let mut ahead = 0;
        while self.peek_at(ahead) == TokenClass::KwAttribute {
            ahead += 1;
            let mut depth = 0_u32;
            loop {
                match self.peek_at(ahead) {
                    TokenClass::LParen => depth += 1,
                    TokenClass::RParen => depth = depth.saturating_sub(1),
                    TokenClass::End | TokenClass::LBrace | TokenClass::RBrace | TokenClass::Semicolon => return false,
                    _ => {}
                }
                ahead += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        self.peek_at(ahead).starts_declaration() && self.peek_at(ahead + 1) != TokenClass::Colon
    }

    fn declares_after_extension(&self) -> bool {
        let mut ahead = 0;
        while self.peek_at(ahead) == TokenClass::KwExtension {
            ahead += 1;
        }
        self.peek_at(ahead).starts_declaration()
    }

    /// `( expression )`
    fn condition(&mut self) {
        if self.peek() == TokenClass::LParen {
            self.parenthesised();
        }
    }

    fn if_statement(&mut self) {
        self.bump();
        self.condition();
        self.substatement();
        // A chain of `else if` is flat, here as in the grammar.
        while self.eat(TokenClass::KwElse) {
            let chained = self.eat(TokenClass::KwIf);
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
        if self.eat(TokenClass::KwWhile) {
            self.condition();
        }
        self.eat(TokenClass::Semicolon);
    }

    /// `for`: what its first clause declares lives to the end of the loop.
    fn for_statement(&mut self) {
        self.bump();
        self.names.open();
        if self.peek() == TokenClass::LParen {
            self.open();
            let class = self.peek();
            if class.starts_declaration()
                || class == TokenClass::Identifier
                    && matches!(self.peek_at(1), TokenClass::Identifier | TokenClass::TypedefName)
            {
                self.declaration(Place::Block);
            } else {
                self.expression(false);
                self.eat(TokenClass::Semicolon);
            }
            self.expression(false);
            self.eat(TokenClass::Semicolon);
            self.expression(false);
            self.close(TokenClass::RParen);
        }
        self.substatement();
        self.names.close();
    }
}
