//! Classification of expressions: member names, casts, statement expressions, blocks (C99 6.5).

use super::{MAX_BRACKETS, MAX_CHAIN, Problem, TokenClass, TokenClassifier};

impl TokenClassifier<'_> {
    /// An expression; stops before a `;`, an unpaired closing bracket or `:`, and what cannot be part of it. With
    /// `comma_ends` also before a comma.
    pub(super) fn expression(&mut self, comma_ends: bool) {
        // `?` whose `:` has not come.
        let mut open_conditionals = 0_u32;
        // Right-associative operators since the last comma: the folded tree is that deep.
        let mut chain = 0_u32;
        loop {
            let class = self.peek();
            match class {
                TokenClass::End
                | TokenClass::Semicolon
                | TokenClass::RParen
                | TokenClass::RBracket
                | TokenClass::RBrace
                | TokenClass::Ellipsis => return,
                // Statement keywords and declarations: most likely a `;` is missing before them.
                class if class.is_statement_keyword() || class.is_declaration_keyword() => return,
                TokenClass::Comma => {
                    if comma_ends && open_conditionals == 0 {
                        return;
                    }
                    chain = 0;
                    self.bump_class(class);
                }
                TokenClass::Colon => {
                    if open_conditionals == 0 {
                        return;
                    }
                    open_conditionals -= 1;
                    self.bump_class(class);
                }
                TokenClass::Question | TokenClass::Equals | TokenClass::CompoundAssign => {
                    chain += 1;
                    open_conditionals += u32::from(class == TokenClass::Question);
                    if chain > MAX_CHAIN || open_conditionals > MAX_BRACKETS {
                        let message = "expression is nested too deeply".to_owned();
                        return self.stop(Problem::Depth(self.here(), message));
                    }
                    self.bump_class(class);
                }
                TokenClass::LParen => self.parenthesised(),
                TokenClass::LBracket => self.bracketed(),
                // Behind an operand it begins a statement: most likely a bracket is missing.
                TokenClass::LBrace if self.previous() != TokenClass::RParen && self.after_operand() => return,
                TokenClass::LBrace => self.brace_list(),
                TokenClass::Dot | TokenClass::Arrow => {
                    self.bump_class(class);
                    self.eat_name();
                }
                TokenClass::Caret if !self.after_operand() => self.block_literal(),
                TokenClass::KwOffsetof => self.offset_of(),
                TokenClass::KwGeneric => self.generic_selection(),
                TokenClass::KwTypesCompatible => self.types_compatible(),
                _ => self.bump_class(class),
            }
        }
    }

    /// Whether the last token ends an operand, so that an operator comes next.
    fn after_operand(&self) -> bool {
        matches!(
            self.previous(),
            TokenClass::Identifier
                | TokenClass::TypedefName
                | TokenClass::Number
                | TokenClass::Character
                | TokenClass::String
                | TokenClass::RParen
                | TokenClass::RBracket
                | TokenClass::RBrace
                | TokenClass::Increment
        )
    }

    /// `( … )`: arguments, a cast, an operand, or a statement expression.
    pub(in crate::parse) fn parenthesised(&mut self) {
        self.open();
        if self.peek() == TokenClass::LBrace {
            self.compound_statement();
        } else if self.peek().starts_declaration() {
            self.type_name();
        }
        self.expression(false);
        self.close(TokenClass::RParen);
    }

    /// `[ … ]`, also of designators with `first ... last`.
    pub(in crate::parse) fn bracketed(&mut self) {
        self.open();
        self.expression(false);
        if self.eat(TokenClass::Ellipsis) {
            self.expression(false);
        }
        self.close(TokenClass::RBracket);
    }

    /// C99 6.7.8.
    pub(super) fn initializer(&mut self) {
        if self.peek() == TokenClass::LBrace {
            self.brace_list();
        } else {
            self.expression(true);
        }
    }

    /// `{ … }` of an initialiser or compound literal.
    pub(in crate::parse) fn brace_list(&mut self) {
        self.open();
        loop {
            let before = self.pos;
            self.expression(false);
            match self.peek() {
                // A `;` for a `,`, or else the `}` is missing.
                TokenClass::Semicolon if !self.begins_item(1) => self.bump(),
                TokenClass::RBrace | TokenClass::Semicolon | TokenClass::End => break,
                // GNU C's `name: value`.
                TokenClass::Colon if self.previous() == TokenClass::Identifier => self.bump(),
                _ if self.pos == before => break,
                _ => {}
            }
        }
        self.close(TokenClass::RBrace);
    }

    /// Whether a statement or declaration begins `ahead` tokens from here, as far as one token shows.
    fn begins_item(&self, ahead: usize) -> bool {
        let class = self.peek_at(ahead);
        class.starts_declaration() || class.is_statement_keyword() || class == TokenClass::End
    }

    /// `^(parameters) { … }`, `^int(parameters) { … }`
    fn block_literal(&mut self) {
        self.bump();
        self.names.open();
        self.parameters.clear();
        if self.peek().starts_declaration() {
            self.block_result();
        }
        if self.peek() == TokenClass::LParen {
            self.parameters(true);
        }
        for parameter in std::mem::take(&mut self.parameters) {
            self.names.declare(parameter, false);
        }
        if self.peek() == TokenClass::LBrace {
            self.compound_statement();
        }
        self.names.close();
    }

    /// `_Generic(expression, type: expression, …)`
    fn generic_selection(&mut self) {
        self.bump();
        if self.peek() != TokenClass::LParen {
            return;
        }
        self.open();
        self.expression(true);
        while self.eat(TokenClass::Comma) {
            if self.peek() == TokenClass::KwDefault {
                self.bump();
            } else {
                self.type_name();
            }
            self.eat(TokenClass::Colon);
            self.expression(true);
        }
        self.close(TokenClass::RParen);
    }

    /// `__builtin_types_compatible_p(type, type)`
    fn types_compatible(&mut self) {
        self.keyword_with_type(|this| {
            if this.eat(TokenClass::Comma) {
                this.type_name();
            }
        });
    }

    /// `offsetof(type, member)`: the member is no type even if a type has its name.
    fn offset_of(&mut self) {
        self.keyword_with_type(|this| {
            if this.eat(TokenClass::Comma) {
                this.eat_name();
            }
            this.expression(false);
        });
    }

    /// A keyword, and in parentheses a type name and what `rest` classifies.
    fn keyword_with_type(&mut self, rest: impl FnOnce(&mut Self)) {
        self.bump();
        if self.peek() != TokenClass::LParen {
            return;
        }
        self.open();
        self.type_name();
        rest(self);
        self.close(TokenClass::RParen);
    }
}
