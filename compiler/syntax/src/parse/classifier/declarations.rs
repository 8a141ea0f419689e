//! Classification of declarations: the names that they declare (C99 6.7).

use super::{Keyword, Problem, TokenClass, TokenClassifier};
use clforge_basic::source::Symbol;

/// The content of a list of specifiers.
#[derive(Clone, Copy, Default)]
struct Specifiers {
    is_typedef: bool,
}

/// Where a declaration stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::parse) enum Place {
    File,
    Block,
    Member,
}

impl TokenClassifier<'_> {
    /// C99 6.9.
    pub(super) fn external_declaration(&mut self) {
        match self.peek() {
            TokenClass::Semicolon | TokenClass::RBrace => self.bump(),
            TokenClass::KwAsm => self.asm_statement(),
            _ => self.declaration(Place::File),
        }
    }

    /// `specifiers declarators ;`, or at file scope a function with its body.
    pub(super) fn declaration(&mut self, place: Place) {
        let begin = self.pos;
        if self.peek() == TokenClass::KwStaticAssert {
            return self.static_assert();
        }
        self.parameters.clear();
        let specifiers = self.specifiers(place != Place::Block);
        loop {
            let name = if self.peek() == TokenClass::Colon { None } else { self.declarator(false) };
            if place == Place::File && self.peek() == TokenClass::LBrace && self.previous() != TokenClass::Equals {
                return self.function_body(name);
            }
            if place == Place::File
                && name.is_some()
                && self.previous() == TokenClass::RParen
                && self.peek().starts_declaration()
            {
                return self.old_style_function(name);
            }
            if let Some(name) = name.filter(|_| place != Place::Member) {
                self.names.declare(name, specifiers.is_typedef);
            }
            match self.peek() {
                TokenClass::Equals => {
                    self.bump();
                    self.initializer();
                }
                TokenClass::Colon if place == Place::Member => {
                    self.bump();
                    self.expression(true);
                    self.attributes();
                }
                _ => {}
            }
            match self.peek() {
                TokenClass::Comma => self.bump(),
                TokenClass::Semicolon => return self.bump(),
                _ => return self.skip_declaration(place, begin),
            }
        }
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

    /// `int f(a) int a; { … }`: classified to the end of the body.
    fn old_style_function(&mut self, name: Option<Symbol>) {
        // The parameters' names are no types.
        self.problems.retain(|problem| !matches!(problem, Problem::UnknownType(_)));
        self.names.open();
        while self.peek().starts_declaration() {
            let before = self.pos;
            self.declaration(Place::Block);
            if self.pos == before {
                break;
            }
        }
        self.parameters.clear();
        if self.peek() == TokenClass::LBrace {
            self.function_body(None);
        }
        self.names.close();
        if let Some(name) = name {
            self.names.declare(name, false);
        }
    }

    pub(super) fn static_assert(&mut self) {
        self.bump();
        if self.peek() == TokenClass::LParen {
            self.parenthesised();
        }
        self.eat(TokenClass::Semicolon);
    }

    /// C99 6.7 declaration-specifiers. With `type_needed` a plain identifier in the type's place is an unknown type.
    fn specifiers(&mut self, type_needed: bool) -> Specifiers {
        let begin = self.pos;
        let mut specifiers = Specifiers::default();
        let mut has_type = false;
        loop {
            match self.peek() {
                TokenClass::StorageClass => {
                    specifiers.is_typedef |= self.keyword() == Some(Keyword::Typedef);
                    self.bump();
                }
                TokenClass::TypeQualifier
                | TokenClass::FunctionSpecifier
                | TokenClass::AddressSpace
                | TokenClass::AccessQualifier
                | TokenClass::KwPipe => self.bump(),
                TokenClass::TypeKeyword => {
                    has_type = true;
                    self.bump();
                }
                TokenClass::TypedefName if !has_type => {
                    has_type = true;
                    self.bump();
                }
                TokenClass::StructOrUnion => {
                    has_type = true;
                    self.record();
                }
                TokenClass::KwEnum => {
                    has_type = true;
                    self.enumeration();
                }
                TokenClass::KwTypeof | TokenClass::KwAtomic => {
                    has_type = true;
                    self.bump();
                    if self.peek() == TokenClass::LParen {
                        self.parenthesised();
                    }
                }
                TokenClass::KwAttribute => self.attribute(TokenClass::KwAttribute),
                TokenClass::KwAlignas => {
                    self.bump();
                    self.open();
                    self.attribute_arguments();
                    self.close(TokenClass::RParen);
                }
                TokenClass::KwExtension => self.bump_as(TokenClass::ExtensionSpecifier),
                TokenClass::Identifier
                    if !has_type && self.is_unknown_type(type_needed && self.pos == begin, self.pos > begin) =>
                {
                    has_type = true;
                    self.problems.push(Problem::UnknownType(self.here()));
                    self.bump_as(TokenClass::TypedefName);
                }
                _ => return specifiers,
            }
        }
    }

    /// Whether the identifier that is next, before which no type was written, can only be meant as a type: another
    /// name follows, or a `*` where no multiplication can be.
    fn is_unknown_type(&self, type_needed: bool, after_specifiers: bool) -> bool {
        match self.peek_at(1) {
            TokenClass::Identifier | TokenClass::TypedefName => true,
            TokenClass::Star => type_needed || after_specifiers,
            // A block-scope or file-scope declarator cannot be followed by a specifier.
            TokenClass::TypeQualifier
            | TokenClass::AddressSpace
            | TokenClass::TypeKeyword
            | TokenClass::StructOrUnion => after_specifiers || type_needed,
            _ => false,
        }
    }

    /// Declarator (C99 6.7.5), or with `abstract_too` one whose name may be missing: the name declared.
    fn declarator(&mut self, abstract_too: bool) -> Option<Symbol> {
        while matches!(self.peek(), TokenClass::Star | TokenClass::Caret) {
            self.bump();
            loop {
                match self.peek() {
                    TokenClass::TypeQualifier | TokenClass::AddressSpace => self.bump(),
                    TokenClass::KwAttribute => self.attribute(TokenClass::KwAttribute),
                    _ => break,
                }
            }
        }
        let mut name = self.eat_name();
        let mut direct = name.is_some();
        if name.is_none() && self.peek() == TokenClass::LParen {
            let ahead = self.peek_at(1);
            if !(abstract_too && (ahead == TokenClass::RParen || ahead.starts_declaration())) {
                self.open();
                name = self.declarator(abstract_too);
                self.close(TokenClass::RParen);
                direct = self.ends_with([TokenClass::LParen, TokenClass::Identifier, TokenClass::RParen]);
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
                TokenClass::LBracket => {
                    self.open();
                    while matches!(self.peek(), TokenClass::TypeQualifier | TokenClass::StorageClass) {
                        self.bump();
                    }
                    if self.peek() == TokenClass::Star && self.peek_at(1) == TokenClass::RBracket {
                        self.bump();
                    }
                    self.expression(false);
                    self.close(TokenClass::RBracket);
                }
                TokenClass::LParen => self.parameters(direct && first),
                _ => break,
            }
            first = false;
        }
        loop {
            match self.peek() {
                TokenClass::KwAttribute => self.attribute(TokenClass::KwAttribute),
                TokenClass::KwAsm => {
                    self.bump();
                    if self.peek() == TokenClass::LParen {
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
                TokenClass::RParen
                | TokenClass::End
                | TokenClass::Semicolon
                | TokenClass::LBrace
                | TokenClass::RBrace => break,
                TokenClass::Ellipsis => self.bump(),
                TokenClass::Identifier
                    if matches!(
                        self.peek_at(1),
                        TokenClass::Comma
                            | TokenClass::RParen
                            | TokenClass::Star
                            | TokenClass::Identifier
                            | TokenClass::TypedefName
                            | TokenClass::LBracket
                    ) =>
                {
                    self.problems.push(Problem::UnknownType(self.here()));
                    self.bump_as(TokenClass::TypedefName);
                    self.parameter_declarator(&mut declared);
                }
                _ => {
                    self.specifiers(true);
                    self.parameter_declarator(&mut declared);
                }
            }
            if !self.eat(TokenClass::Comma) && self.peek() != TokenClass::RParen {
                self.expression(true);
                self.eat(TokenClass::Comma);
            }
            if self.pos == before {
                break;
            }
        }
        self.names.close();
        self.close(TokenClass::RParen);
        if keep {
            self.parameters = declared;
        }
    }

    fn parameter_declarator(&mut self, declared: &mut Vec<Symbol>) {
        if let Some(name) = self.declarator(true) {
            // Only a name that hides a type matters to the classifier.
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
        while matches!(self.peek(), TokenClass::Star | TokenClass::TypeQualifier | TokenClass::AddressSpace) {
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
        if self.peek() != TokenClass::LBrace {
            return;
        }
        self.open();
        loop {
            let before = self.pos;
            match self.peek() {
                TokenClass::RBrace | TokenClass::End => break,
                TokenClass::Semicolon => self.bump(),
                _ => self.declaration(Place::Member),
            }
            if self.pos == before {
                self.bump();
            }
        }
        self.close(TokenClass::RBrace);
    }

    /// `enum` with its constants, which are declared in the scope around.
    fn enumeration(&mut self) {
        self.bump();
        self.attributes();
        if let Some(tag) = self.eat_name() {
            self.names.declare_tag(tag, "enum");
        }
        if self.peek() != TokenClass::LBrace {
            return;
        }
        self.open();
        loop {
            let before = self.pos;
            let name = self.eat_name();
            self.attributes();
            if self.eat(TokenClass::Equals) {
                self.expression(true);
            }
            if let Some(name) = name {
                self.names.declare(name, false);
            }
            if matches!(self.peek(), TokenClass::RBrace | TokenClass::End | TokenClass::Semicolon) {
                break;
            }
            if !self.eat(TokenClass::Comma) && self.pos == before {
                self.bump();
            }
        }
        self.close(TokenClass::RBrace);
    }

    pub(super) fn attributes(&mut self) {
        while self.peek() == TokenClass::KwAttribute {
            self.attribute(TokenClass::KwAttribute);
        }
    }

    /// `__attribute__((…))`; its keyword gets `class`. Any word is a name inside, keywords too.
    pub(super) fn attribute(&mut self, class: TokenClass) {
        self.bump_as(class);
        if self.peek() != TokenClass::LParen {
            return;
        }
        self.open();
        if self.peek() == TokenClass::LParen {
            self.open();
            while !matches!(
                self.peek(),
                TokenClass::RParen | TokenClass::Semicolon | TokenClass::LBrace | TokenClass::RBrace | TokenClass::End
            ) {
                let before = self.pos;
                if self.token(0).is_some_and(|token| token.kind == clforge_basic::source::TokenKind::Identifier) {
                    self.bump_as(TokenClass::Identifier);
                }
                if self.peek() == TokenClass::LParen {
                    self.open();
                    self.attribute_arguments();
                    self.close(TokenClass::RParen);
                }
                if !self.eat(TokenClass::Comma) && self.pos == before {
                    self.bump();
                }
            }
            self.close(TokenClass::RParen);
        }
        self.close(TokenClass::RParen);
    }

    fn attribute_arguments(&mut self) {
        loop {
            if self.peek().starts_declaration() {
                self.type_name();
            }
            self.expression(true);
            if !self.eat(TokenClass::Comma) {
                return;
            }
        }
    }

    /// The tokens behind `asm`, all of one class: qualifiers and the parenthesised text.
    pub(super) fn asm_text(&mut self) {
        let mut depth = 0_u32;
        loop {
            match self.peek() {
                TokenClass::End => return,
                TokenClass::LParen => depth += 1,
                TokenClass::RParen => depth = depth.saturating_sub(1),
                TokenClass::Semicolon | TokenClass::LBrace | TokenClass::RBrace if depth == 0 => return,
                _ => {}
            }
            let done = depth == 0 && self.peek() == TokenClass::RParen;
            self.bump_as(TokenClass::AsmText);
            if done {
                return;
            }
        }
    }

    /// An `asm` statement.
    pub(super) fn asm_statement(&mut self) {
        self.bump();
        let mut ahead = 0;
        while !matches!(self.peek_at(ahead), TokenClass::LParen | TokenClass::KwGoto | TokenClass::End) && ahead < 4 {
            ahead += 1;
        }
        if self.peek_at(ahead) == TokenClass::LParen && self.peek_at(ahead + 1) == TokenClass::String {
            for _ in 0..ahead {
                self.bump_as(TokenClass::AsmText);
            }
            self.extended_asm();
        } else {
            self.asm_text();
        }
        self.eat(TokenClass::Semicolon);
    }

    /// `("template" : outputs : inputs : clobbers)`
    fn extended_asm(&mut self) {
        self.open();
        while self.eat(TokenClass::String) {}
        while self.eat(TokenClass::Colon) {
            loop {
                if self.eat(TokenClass::LBracket) {
                    self.eat_name();
                    self.eat(TokenClass::RBracket);
                }
                while self.eat(TokenClass::String) {}
                if self.peek() == TokenClass::LParen {
                    self.open();
                    self.expression(false);
                    self.close(TokenClass::RParen);
                }
                if !self.eat(TokenClass::Comma) {
                    break;
                }
            }
        }
        self.close(TokenClass::RParen);
    }
}
