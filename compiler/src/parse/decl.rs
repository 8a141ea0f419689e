//! Pairs → tree: external declarations, declarators, initialisers (C99 6.7, 6.9).

use pest::iterators::Pair;
use smallvec::SmallVec;

use super::types::Attributes;
use super::{Builder, Keyword, Rule, offsets};
use crate::ast::{
    AddressSpace, Declaration, DeclarationSpecifiers, Declarator, Derived, Designator, ExternalDeclaration,
    FunctionDefinition, InitDeclarator, Initializer, InitializerItem, InitializerList, ParameterDeclaration,
    Qualifiers, TypeKeyword, TypeSpecifierKind,
};
use crate::diag::Diagnostic;
use crate::source::{Span, Symbol};

/// Steps one declarator may have; sema nests a type for each.
const MAX_DERIVED: usize = 256;

type Steps<'a> = SmallVec<[Derived<'a>; 4]>;

impl<'a> Builder<'a, '_, '_> {
    /// C99 6.9. `None` for what leaves no trace: an empty declaration, a static assertion.
    pub(super) fn parse_external_declaration(&self, pair: Pair<'_, Rule>) -> Option<ExternalDeclaration<'a>> {
        let (lo, hi) = offsets(&pair);
        let mut inner = pair.into_inner();
        let first = inner.next()?;
        if first.as_rule() == Rule::asm_statement {
            self.error(self.span(lo, lo + 1), "inline assembly is not supported in OpenCL C");
            return None;
        }
        if first.as_rule() != Rule::specifiers {
            return None;
        }
        let specifiers = self.parse_specifiers(first);
        let mut declarators = SmallVec::<[InitDeclarator<'a>; 2]>::new();
        for pair in inner {
            match pair.as_rule() {
                Rule::init_declarator => declarators.push(self.parse_init_declarator(pair)),
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
                    let (declarator, span) = (declarator.declarator, self.span(lo, hi));
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

    /// C99 6.7. `None` for a static assertion.
    pub(super) fn parse_declaration(&self, pair: Pair<'_, Rule>) -> Option<&'a Declaration<'a>> {
        let (lo, hi) = offsets(&pair);
        let mut inner = pair.into_inner();
        let specifiers = inner.next().filter(|pair| pair.as_rule() == Rule::specifiers)?;
        let specifiers = self.parse_specifiers(specifiers);
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
        while matches!(self.code(pos), b'*' | b'4') && pos < hi {
            let lo = pos;
            let is_block = self.code(pos) == b'4';
            let mut qualifiers = Qualifiers::empty();
            let mut address_spaces = SmallVec::<[(AddressSpace, Span); 1]>::new();
            let mut pointer_attributes = Attributes::new();
            pos += 1;
            while pos < hi {
                match self.code(pos) {
                    b'B' => qualifiers |= self.qualifier(pos),
                    b'D' => address_spaces.push((self.address_space(pos), self.span(pos, pos + 1))),
                    b'M' => {
                        self.parse_attributes(&mut inner, &mut pointer_attributes, &mut pos);
                        continue;
                    }
                    _ => break,
                }
                pos += 1;
            }
            let span = self.span(lo, pos);
            pointers.push(if is_block {
                Derived::Block { qualifiers, span }
            } else {
                Derived::Pointer {
                    qualifiers,
                    address_spaces: self.arena.alloc_slice_copy(&address_spaces),
                    attributes: self.arena.alloc_slice_copy(&pointer_attributes),
                    span,
                }
            });
        }
        let mut name = (self.code(pos) == b'i' && pos < hi).then(|| self.name(pos));
        for part in inner {
            match part.as_rule() {
                Rule::declarator | Rule::abstract_declarator => {
                    name = self.declarator_steps(part, steps, attributes);
                }
                Rule::array => steps.push(self.parse_array(part)),
                Rule::parameters => steps.push(self.parse_parameters(part)),
                Rule::attribute => self.parse_attribute(part, attributes),
                Rule::asm_label => {
                    let (lo, _) = offsets(&part);
                    self.error(self.span(lo, lo + 1), "assembler labels are not supported in OpenCL C");
                }
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
            match self.code(pos) {
                b'B' => qualifiers |= self.qualifier(pos),
                b'A' if self.keyword(pos) == Some(Keyword::Static) => is_static = true,
                b'A' => self.error(self.span(pos, pos + 1), "expected expression"),
                _ => break,
            }
            pos += 1;
        }
        let size = pair.into_inner().next().map(|pair| self.parse_expression(pair).expr);
        let star = size.is_none() && self.code(pos) == b'*';
        Derived::Array { qualifiers, is_static, star, size, span: self.span(lo, hi) }
    }

    /// `( … )` of a declarator.
    pub(super) fn parse_parameters(&self, pair: Pair<'_, Rule>) -> Derived<'a> {
        let (lo, hi) = offsets(&pair);
        let variadic = hi >= lo + 2 && self.code(hi - 2) == b'_';
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
            match self.code(*pos) {
                b'.' => {
                    let (name, span) = self.name(*pos + 1);
                    designators.push(Designator::Member(name, span));
                    *pos += 2;
                }
                b'[' => {
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
