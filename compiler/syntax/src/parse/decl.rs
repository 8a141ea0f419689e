//! Pairs → tree: external declarations, declarators, initialisers (C99 6.7, 6.9).

use pest::iterators::Pair;
use smallvec::SmallVec;

use super::class::TokenClass;
use super::types::Attributes;
use super::{Builder, Keyword, Rule, offsets};
use crate::ast::{
    AddressSpace, Declaration, DeclarationSpecifiers, Declarator, Derived, Designator, ExprKind, ExternalDeclaration,
    FunctionDefinition, InitDeclarator, Initializer, InitializerItem, InitializerList, ParameterDeclaration,
    Qualifiers, StaticAssert, TypeKeyword, TypeSpecifierKind,
};
use clforge_basic::diag::Diagnostic;
use clforge_basic::source::{Span, Symbol};

/// Steps one declarator may have; sema nests a type for each.
const MAX_DERIVED: usize = 256;

type Steps<'a> = SmallVec<[Derived<'a>; 4]>;

impl<'a> Builder<'a, '_, '_> {
    /// C99 6.9. `None` for what leaves no trace: an empty declaration.
    pub(super) fn parse_external_declaration(&self, pair: Pair<'_, Rule>) -> Option<ExternalDeclaration<'a>> {
        let (lo, hi) = offsets(&pair);
        let mut inner = pair.into_inner();
        let first = inner.next()?;
        if first.as_rule() == Rule::asm_statement {
            let template = self.parse_asm(first).template;
            if template.is_none_or(|text| !text.trim_ascii().is_empty()) {
                self.error(self.span(lo, lo + 1), "inline assembly is not supported in OpenCL C");
            }
            return None;
        }
        if !matches!(first.as_rule(), Rule::specifiers | Rule::no_specifiers | Rule::static_assert) {
            return None;
        }
        let specifiers = self.parse_declared(first);
        let mut old_style = SmallVec::<[&Declaration<'a>; 4]>::new();
        let mut declarators = SmallVec::<[InitDeclarator<'a>; 2]>::new();
        for pair in inner {
            match pair.as_rule() {
                Rule::init_declarator => declarators.push(self.parse_init_declarator(pair)),
                Rule::declaration => old_style.extend(self.parse_declaration(pair)),
                Rule::compound_statement => {
                    let (body_lo, _) = offsets(&pair);
                    let body = self.arena.alloc(self.parse_statement(pair));
                    let declarator = declarators.pop()?;
                    let is_function = matches!(declarator.declarator.derived, [Derived::Function { .. }, ..]);
                    if declarator.initializer.is_some() || !is_function {
                        let range = self.after(body_lo.saturating_sub(1))?;
                        let message = "expected ';' after top level declarator";
                        self.sink.borrow_mut().push(Diagnostic::error(range, message));
                        return None;
                    }
                    let (mut declarator, span) = (declarator.declarator, self.span(lo, hi));
                    if !old_style.is_empty() {
                        self.declare_old_style(&mut declarator, &old_style);
                    }
                    let function = FunctionDefinition { specifiers, declarator, body, span };
                    return Some(ExternalDeclaration::Function(self.arena.alloc(function)));
                }
                _ => {}
            }
        }
        let declarators = self.arena.alloc_slice_copy(&declarators);
        let declaration = Declaration { specifiers, declarators, span: self.span(lo, hi) };
        Some(ExternalDeclaration::Declaration(self.arena.alloc(declaration)))
    }

    /// What a declaration begins with: specifiers, or nothing (`f();`), or it is a static assertion.
    pub(super) fn parse_declared(&self, pair: Pair<'_, Rule>) -> DeclarationSpecifiers<'a> {
        let (lo, hi) = offsets(&pair);
        match pair.as_rule() {
            Rule::specifiers => return self.parse_specifiers(pair),
            Rule::static_assert => {}
            _ => return self.no_specifiers(lo),
        }
        let mut specifiers = self.no_specifiers(lo);
        let Some(condition) = pair.into_inner().next() else { return specifiers };
        let mut end = offsets(&condition).1 + 1;
        let first = end;
        while self.class(end) == TokenClass::String {
            end += 1;
        }
        let message = match self.parse_string(first, end).expr.kind {
            ExprKind::String(bytes) => bytes,
            _ => &[],
        };
        let assertion = StaticAssert { condition: self.parse_expression(condition).expr, message };
        specifiers.ty.kind = TypeSpecifierKind::StaticAssert(self.arena.alloc(assertion));
        specifiers.span = self.span(lo, hi);
        specifiers
    }

    /// `f(a, b) int a; float b; { … }` becomes `f(int a, float b) { … }`; what is not declared is an `int`.
    fn declare_old_style(&self, declarator: &mut Declarator<'a>, declarations: &[&Declaration<'a>]) {
        let Some((Derived::Function { parameters, variadic, span, .. }, rest)) = declarator.derived.split_first()
        else {
            return;
        };
        let find = |name: Symbol| {
            declarations.iter().find_map(|declaration| {
                let found = declaration.declarators.iter().find(|d| d.declarator.name.is_some_and(|n| n.0 == name))?;
                let (specifiers, declarator) = (declaration.specifiers, found.declarator);
                Some(ParameterDeclaration { specifiers, declarator, span: found.span })
            })
        };
        let mut known = SmallVec::<[ParameterDeclaration<'a>; 8]>::new();
        for parameter in *parameters {
            // Its name was taken for a type.
            let TypeSpecifierKind::Name(name) = parameter.specifiers.ty.kind else {
                self.error(parameter.span, "expected the name of a parameter that is declared before the body");
                return;
            };
            known.push(find(name).unwrap_or_else(|| {
                let span = parameter.span;
                let specifiers = DeclarationSpecifiers { span, ..self.no_specifiers(0) };
                let name = Some((name, span));
                let declarator = Declarator { name, derived: &[], attributes: &[], span };
                ParameterDeclaration { specifiers, declarator, span }
            }));
        }
        for declared in declarations.iter().flat_map(|declaration| declaration.declarators) {
            let name = declared.declarator.name.map(|(name, _)| name);
            if !known.iter().any(|parameter| parameter.declarator.name.map(|(name, _)| name) == name) {
                self.error(declared.span, "a declaration before the body is of no parameter of the function");
            }
        }
        let parameters = self.arena.alloc_slice_copy(&known);
        let mut derived = Steps::new();
        derived.push(Derived::Function { parameters, variadic: *variadic, prototype: false, span: *span });
        derived.extend_from_slice(rest);
        declarator.derived = self.arena.alloc_slice_copy(&derived);
    }

    /// C99 6.7.
    pub(super) fn parse_declaration(&self, pair: Pair<'_, Rule>) -> Option<&'a Declaration<'a>> {
        let (lo, hi) = offsets(&pair);
        let mut inner = pair.into_inner();
        let specifiers = self.parse_declared(inner.next()?);
        let declarators: SmallVec<[InitDeclarator<'a>; 4]> =
            inner.map(|pair| self.parse_init_declarator(pair)).collect();
        let declarators = self.arena.alloc_slice_copy(&declarators);
        Some(self.arena.alloc(Declaration { specifiers, declarators, span: self.span(lo, hi) }))
    }

    fn parse_init_declarator(&self, pair: Pair<'_, Rule>) -> InitDeclarator<'a> {
        let (lo, hi) = offsets(&pair);
        let mut declarator = self.no_declarator(lo);
        let mut initializer = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::declarator => declarator = self.parse_declarator(part),
                _ => initializer = Some(self.parse_initializer(part)),
            }
        }
        InitDeclarator { declarator, initializer, span: self.span(lo, hi) }
    }

    /// The declarator that is not written: of an unnamed parameter, a type name, an unnamed bit-field.
    pub(super) fn no_declarator(&self, offset: usize) -> Declarator<'a> {
        Declarator { name: None, derived: &[], attributes: &[], span: self.span(offset, offset) }
    }

    /// C99 6.7.5, concrete or abstract.
    pub(super) fn parse_declarator(&self, pair: Pair<'_, Rule>) -> Declarator<'a> {
        let (lo, hi) = offsets(&pair);
        let mut steps = Steps::new();
        let mut attributes = Attributes::new();
        let name = self.declarator_steps(pair, &mut steps, &mut attributes);
        if steps.len() > MAX_DERIVED {
            let message = format!("declarator is too complex: more than {MAX_DERIVED} pointers, arrays and functions");
            self.error(self.span(lo, hi), message);
            steps.truncate(MAX_DERIVED);
        }
        Declarator {
            name,
            derived: self.arena.alloc_slice_copy(&steps),
            attributes: self.arena.alloc_slice_copy(&attributes),
            span: self.span(lo, hi),
        }
    }

    /// Appends the steps of a declarator, from the name outward: those of a declarator in parentheses, then arrays and
    /// functions left to right, then pointers right to left.
    fn declarator_steps(
        &self,
        pair: Pair<'_, Rule>,
        steps: &mut Steps<'a>,
        attributes: &mut Attributes<'a>,
    ) -> Option<(Symbol, Span)> {
        let (mut pos, hi) = offsets(&pair);
        let mut inner = pair.into_inner();
        let mut pointers = Steps::new();
        while matches!(self.class(pos), TokenClass::Star | TokenClass::Caret) && pos < hi {
            let lo = pos;
            let is_block = self.class(pos) == TokenClass::Caret;
            let mut qualifiers = Qualifiers::empty();
            let mut address_spaces = SmallVec::<[(AddressSpace, Span); 1]>::new();
            let mut pointer_attributes = Attributes::new();
            pos += 1;
            while pos < hi {
                match self.class(pos) {
                    TokenClass::TypeQualifier => qualifiers |= self.qualifier(pos),
                    TokenClass::AddressSpace => address_spaces.push((self.address_space(pos), self.span(pos, pos + 1))),
                    TokenClass::KwAttribute => {
                        self.parse_attributes(&mut inner, &mut pointer_attributes, &mut pos);
                        continue;
                    }
                    _ => break,
                }
                pos += 1;
            }
            let span = self.span(lo, pos);
            let address_spaces = &*self.arena.alloc_slice_copy(&address_spaces);
            pointers.push(if is_block {
                Derived::Block { qualifiers, address_spaces, span }
            } else {
                Derived::Pointer {
                    qualifiers,
                    address_spaces,
                    attributes: self.arena.alloc_slice_copy(&pointer_attributes),
                    span,
                }
            });
        }
        let mut name = (self.class(pos) == TokenClass::Identifier && pos < hi).then(|| self.name(pos));
        for part in inner {
            match part.as_rule() {
                Rule::declarator | Rule::abstract_declarator => {
                    name = self.declarator_steps(part, steps, attributes);
                }
                Rule::array => steps.push(self.parse_array(part)),
                Rule::parameters => steps.push(self.parse_parameters(part)),
                Rule::attribute => self.parse_attribute(part, attributes),
                // The name of the symbol, which nothing outside can see.
                Rule::asm_label => {}
                _ => self.unexpected("declarator"),
            }
        }
        steps.extend(pointers.into_iter().rev());
        name
    }

    /// `[ … ]` of a declarator.
    fn parse_array(&self, pair: Pair<'_, Rule>) -> Derived<'a> {
        let (lo, hi) = offsets(&pair);
        let mut qualifiers = Qualifiers::empty();
        let mut is_static = false;
        let mut pos = lo + 1;
        loop {
            match self.class(pos) {
                TokenClass::TypeQualifier => qualifiers |= self.qualifier(pos),
                TokenClass::StorageClass if self.keyword(pos) == Some(Keyword::Static) => is_static = true,
                TokenClass::StorageClass => self.error(self.span(pos, pos + 1), "expected expression"),
                _ => break,
            }
            pos += 1;
        }
        let size = pair.into_inner().next().map(|pair| self.parse_expression(pair).expr);
        let star = size.is_none() && self.class(pos) == TokenClass::Star;
        Derived::Array { qualifiers, is_static, star, size, span: self.span(lo, hi) }
    }

    /// `( … )` of a declarator.
    pub(super) fn parse_parameters(&self, pair: Pair<'_, Rule>) -> Derived<'a> {
        let (lo, hi) = offsets(&pair);
        let variadic = hi >= lo + 2 && self.class(hi - 2) == TokenClass::Ellipsis;
        let parameters: SmallVec<[ParameterDeclaration<'a>; 8]> = pair
            .into_inner()
            .map(|pair| {
                let (lo, hi) = offsets(&pair);
                let (specifiers, declarator) = self.parse_specified(pair);
                ParameterDeclaration { specifiers, declarator, span: self.span(lo, hi) }
            })
            .collect();
        let prototype = !parameters.is_empty();
        let parameters: &[_] = match parameters.as_slice() {
            [only] if !variadic && is_plain_void(only) => &[],
            parameters => self.arena.alloc_slice_copy(parameters),
        };
        Derived::Function { parameters, variadic, prototype, span: self.span(lo, hi) }
    }

    /// Specifiers and an abstract declarator: a parameter or type name.
    pub(super) fn parse_specified(&self, pair: Pair<'_, Rule>) -> (DeclarationSpecifiers<'a>, Declarator<'a>) {
        let (lo, hi) = offsets(&pair);
        let mut inner = pair.into_inner();
        let specifiers = match inner.next() {
            Some(pair) => self.parse_specifiers(pair),
            None => {
                self.unexpected("type name");
                self.no_specifiers(lo)
            }
        };
        let declarator = inner.next().map_or_else(|| self.no_declarator(hi), |pair| self.parse_declarator(pair));
        (specifiers, declarator)
    }

    fn no_specifiers(&self, offset: usize) -> DeclarationSpecifiers<'a> {
        let span = self.span(offset, offset);
        DeclarationSpecifiers {
            storage: &[],
            function: Default::default(),
            qualifiers: Qualifiers::empty(),
            address_spaces: &[],
            access: &[],
            ty: crate::ast::TypeSpecifier { kind: TypeSpecifierKind::Missing, span },
            attributes: &[],
            span,
        }
    }

    /// C99 6.7.8.
    fn parse_initializer(&self, pair: Pair<'_, Rule>) -> Initializer<'a> {
        match pair.as_rule() {
            Rule::initializer_list => Initializer::List(self.arena.alloc(self.parse_initializer_list(pair))),
            _ => Initializer::Expr(self.parse_expression(pair).expr),
        }
    }

    /// `{ … }`
    pub(super) fn parse_initializer_list(&self, pair: Pair<'_, Rule>) -> InitializerList<'a> {
        let (lo, hi) = offsets(&pair);
        let items: SmallVec<[InitializerItem<'a>; 16]> =
            pair.into_inner().map(|pair| self.parse_initializer_item(pair)).collect();
        InitializerList { items: self.arena.alloc_slice_copy(&items), span: self.span(lo, hi) }
    }

    fn parse_initializer_item(&self, pair: Pair<'_, Rule>) -> InitializerItem<'a> {
        let (lo, hi) = offsets(&pair);
        let span = self.span(lo, hi);
        if pair.as_rule() != Rule::designated_initializer {
            return InitializerItem { designators: &[], value: self.parse_initializer(pair), span };
        }
        let mut inner = pair.into_inner();
        let designators = self.parse_designators(&mut { lo }, &mut inner);
        match inner.next() {
            Some(value) => InitializerItem { designators, value: self.parse_initializer(value), span },
            None => {
                self.unexpected("initializer");
                InitializerItem { designators, value: Initializer::Expr(self.zero(span).expr), span }
            }
        }
    }

    /// `.name` and `[index]` from offset `pos` on, which moves past them.
    pub(super) fn parse_designators(
        &self,
        pos: &mut usize,
        inner: &mut pest::iterators::Pairs<'_, Rule>,
    ) -> &'a [Designator<'a>] {
        let mut designators = SmallVec::<[Designator<'a>; 4]>::new();
        loop {
            match self.class(*pos) {
                TokenClass::Identifier if designators.is_empty() && self.class(*pos + 1) == TokenClass::Colon => {
                    let (name, span) = self.name(*pos);
                    designators.push(Designator::Member(name, span));
                    break;
                }
                TokenClass::Dot => {
                    let (name, span) = self.name(*pos + 1);
                    designators.push(Designator::Member(name, span));
                    *pos += 2;
                }
                TokenClass::LBracket => {
                    let Some(pair) = inner.next() else {
                        self.unexpected("designator");
                        break;
                    };
                    *pos = offsets(&pair).1;
                    let mut bounds = pair.into_inner().map(|pair| self.parse_expression(pair).expr);
                    match (bounds.next(), bounds.next()) {
                        (Some(first), Some(last)) => designators.push(Designator::Range(first, last)),
                        (Some(index), None) => designators.push(Designator::Index(index)),
                        _ => self.unexpected("designator"),
                    }
                }
                _ => break,
            }
        }
        self.arena.alloc_slice_copy(&designators)
    }
}

/// Whether a parameter is the `void` of `(void)`.
fn is_plain_void(parameter: &ParameterDeclaration<'_>) -> bool {
    let specifiers = &parameter.specifiers;
    matches!(specifiers.ty.kind, TypeSpecifierKind::Keywords([TypeKeyword::Void]))
        && specifiers.storage.is_empty()
        && specifiers.qualifiers.is_empty()
        && specifiers.address_spaces.is_empty()
        && parameter.declarator.name.is_none()
        && parameter.declarator.derived.is_empty()
}
