//! Pairs → tree: specifiers, records, enumerations, type names, attributes (C99 6.7.2, 6.7.6).

use pest::iterators::{Pair, Pairs};
use smallvec::SmallVec;

use super::class::TokenClass;
use super::{Builder, Keyword, Rule, next_rule, offsets};
use crate::ast::{
    AddressSpace, Attribute, AttributeArgument, DeclarationSpecifiers, EnumSpecifier, Enumerator, FunctionSpecifiers,
    MemberDeclaration, MemberDeclarator, Qualifiers, RecordKind, RecordSpecifier, StorageClass, TypeKeyword, TypeName,
    TypeSpecifier, TypeSpecifierKind,
};
use clforge_basic::diag::{Diagnostic, WarningFlag};
use clforge_basic::image::AccessQualifier;
use clforge_basic::source::{Span, Symbol};

pub(super) type Attributes<'a> = SmallVec<[Attribute<'a>; 2]>;

/// The type specifiers seen so far in one list.
#[derive(Default)]
struct TypeParts<'a> {
    keywords: SmallVec<[TypeKeyword; 4]>,
    other: Option<TypeSpecifierKind<'a>>,
    conflict: Option<Symbol>,
    pipe: bool,
    span: Option<Span>,
}

impl<'a> TypeParts<'a> {
    fn extend(&mut self, span: Span) {
        self.span = Some(self.span.map_or(span, |old| old.to(span)));
    }

    fn add(&mut self, kind: TypeSpecifierKind<'a>, name: Symbol, span: Span) {
        if self.other.is_some() || !self.keywords.is_empty() {
            self.conflict.get_or_insert(name);
        }
        self.other = Some(kind);
        self.extend(span);
    }
}

impl<'a> Builder<'a, '_, '_> {
    /// C99 6.7 declaration-specifiers.
    pub(super) fn parse_specifiers(&self, pair: Pair<'_, Rule>) -> DeclarationSpecifiers<'a> {
        let (lo, hi) = offsets(&pair);
        let mut inner = pair.into_inner();
        let mut storage = SmallVec::<[(StorageClass, Span); 2]>::new();
        let mut address_spaces = SmallVec::<[(AddressSpace, Span); 2]>::new();
        let mut access = SmallVec::<[(AccessQualifier, Span); 2]>::new();
        let mut function = FunctionSpecifiers::empty();
        let mut qualifiers = Qualifiers::empty();
        let mut attributes = Attributes::new();
        let mut ty = TypeParts::default();
        let mut pos = lo;
        while pos < hi {
            let span = self.span(pos, pos + 1);
            match self.class(pos) {
                TokenClass::StorageClass => {
                    storage.extend(self.keyword(pos).and_then(storage_class).map(|class| (class, span)))
                }
                TokenClass::TypeQualifier => qualifiers |= self.qualifier(pos),
                TokenClass::FunctionSpecifier => match self.keyword(pos) {
                    Some(Keyword::Inline) => function |= FunctionSpecifiers::INLINE,
                    Some(Keyword::Kernel) => function |= FunctionSpecifiers::KERNEL,
                    _ => {}
                },
                TokenClass::AddressSpace => address_spaces.push((self.address_space(pos), span)),
                TokenClass::AccessQualifier => access.push((self.access(pos), span)),
                TokenClass::TypeKeyword => {
                    if ty.other.is_some() {
                        ty.conflict.get_or_insert(self.symbol(pos));
                    }
                    ty.keywords.extend(self.keyword(pos).and_then(type_keyword));
                    ty.extend(span);
                }
                TokenClass::KwPipe => ty.pipe = true,
                TokenClass::ExtensionSpecifier => {}
                TokenClass::TypedefName => {
                    let name = self.symbol(pos);
                    ty.add(TypeSpecifierKind::Name(name), name, span);
                }
                _ => {
                    let Some(pair) = inner.next() else {
                        self.unexpected("specifiers");
                        break;
                    };
                    pos = self.parse_long_specifier(pair, &mut inner, &mut ty, &mut attributes);
                    continue;
                }
            }
            pos += 1;
        }
        DeclarationSpecifiers {
            storage: self.arena.alloc_slice_copy(&storage),
            function,
            qualifiers,
            address_spaces: self.arena.alloc_slice_copy(&address_spaces),
            access: self.arena.alloc_slice_copy(&access),
            ty: self.type_specifier(ty, lo),
            attributes: self.arena.alloc_slice_copy(&attributes),
            span: self.span(lo, hi),
        }
    }

    /// A specifier of several tokens; the offset behind it.
    fn parse_long_specifier(
        &self,
        pair: Pair<'_, Rule>,
        inner: &mut Pairs<'_, Rule>,
        ty: &mut TypeParts<'a>,
        attributes: &mut Attributes<'a>,
    ) -> usize {
        let (lo, mut hi) = offsets(&pair);
        let kind = match pair.as_rule() {
            Rule::attribute => {
                self.parse_attribute(pair, attributes);
                return hi;
            }
            Rule::alignas_specifier => {
                let arguments: SmallVec<[AttributeArgument<'a>; 1]> =
                    pair.into_inner().map(|argument| self.attribute_argument(argument)).collect();
                let arguments = self.arena.alloc_slice_copy(&arguments);
                attributes.push(Attribute { name: self.symbol(lo), arguments, span: self.span(lo, hi) });
                return hi;
            }
            Rule::record_specifier => {
                let record = self.parse_record_specifier(pair, inner, &mut hi);
                TypeSpecifierKind::Record(self.arena.alloc(record))
            }
            Rule::enum_specifier => {
                let specifier = self.parse_enum_specifier(pair, inner, &mut hi);
                TypeSpecifierKind::Enum(self.arena.alloc(specifier))
            }
            Rule::typeof_specifier => match pair.into_inner().next() {
                Some(inner) if inner.as_rule() == Rule::type_name => {
                    TypeSpecifierKind::TypeofType(self.arena.alloc(self.parse_type_name(inner)))
                }
                Some(inner) => TypeSpecifierKind::TypeofExpr(self.parse_expression(inner).expr),
                None => TypeSpecifierKind::Missing,
            },
            Rule::atomic_specifier => match pair.into_inner().next() {
                Some(inner) => TypeSpecifierKind::Atomic(self.arena.alloc(self.parse_type_name(inner))),
                None => TypeSpecifierKind::Missing,
            },
            _ => {
                self.unexpected("specifiers");
                return hi;
            }
        };
        ty.add(kind, self.symbol(lo), self.span(lo, hi));
        hi
    }

    fn type_specifier(&self, parts: TypeParts<'a>, start: usize) -> TypeSpecifier<'a> {
        let kind = match (parts.conflict, parts.other) {
            (Some(name), _) => TypeSpecifierKind::Conflict(name),
            (None, Some(kind)) => kind,
            (None, None) if parts.keywords.is_empty() => TypeSpecifierKind::Missing,
            (None, None) => TypeSpecifierKind::Keywords(self.arena.alloc_slice_copy(&parts.keywords)),
        };
        let span = parts.span.unwrap_or_else(|| self.span(start, start));
        let ty = TypeSpecifier { kind, span };
        if parts.pipe { TypeSpecifier { kind: TypeSpecifierKind::Pipe(self.arena.alloc(ty)), span } } else { ty }
    }

    /// C99 6.7.2.1. Attributes right behind the braces are the record's; `hi` moves past them.
    fn parse_record_specifier(
        &self,
        pair: Pair<'_, Rule>,
        following: &mut Pairs<'_, Rule>,
        hi: &mut usize,
    ) -> RecordSpecifier<'a> {
        let (lo, end) = offsets(&pair);
        let kind = if self.keyword(lo) == Some(Keyword::Union) { RecordKind::Union } else { RecordKind::Struct };
        let mut inner = pair.into_inner();
        let mut attributes = Attributes::new();
        let mut pos = lo + 1;
        self.parse_attributes(&mut inner, &mut attributes, &mut pos);
        let tag = (self.class(pos) == TokenClass::Identifier).then(|| self.name(pos));
        let members = (self.class(end - 1) == TokenClass::RBrace).then(|| {
            let members: SmallVec<[MemberDeclaration<'a>; 8]> =
                inner.filter_map(|pair| self.parse_member_declaration(pair)).collect();
            &*self.arena.alloc_slice_copy(&members)
        });
        if members.is_some() {
            self.parse_attributes(following, &mut attributes, hi);
        }
        let attributes = self.arena.alloc_slice_copy(&attributes);
        RecordSpecifier { kind, tag, members, attributes, span: self.span(lo, end) }
    }

    fn parse_member_declaration(&self, pair: Pair<'_, Rule>) -> Option<MemberDeclaration<'a>> {
        let (lo, hi) = offsets(&pair);
        if self.class(hi - 1) != TokenClass::Semicolon
            && let Some(range) = self.after(hi - 1)
        {
            let warning =
                Diagnostic::warning(WarningFlag::MissingSemicolon, range, "expected ';' at end of declaration list");
            self.sink.borrow_mut().push(warning);
        }
        let mut inner = pair.into_inner();
        let specifiers = self.parse_declared(inner.next()?);
        let declarators: SmallVec<[MemberDeclarator<'a>; 4]> =
            inner.map(|pair| self.parse_member_declarator(pair)).collect();
        let declarators = self.arena.alloc_slice_copy(&declarators);
        Some(MemberDeclaration { specifiers, declarators, span: self.span(lo, hi) })
    }

    fn parse_member_declarator(&self, pair: Pair<'_, Rule>) -> MemberDeclarator<'a> {
        let (lo, _) = offsets(&pair);
        let mut declarator = self.no_declarator(lo);
        let mut bit_width = None;
        let mut attributes = Attributes::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::declarator => declarator = self.parse_declarator(part),
                Rule::attribute => self.parse_attribute(part, &mut attributes),
                _ => bit_width = Some(self.parse_expression(part).expr),
            }
        }
        if !attributes.is_empty() {
            attributes.extend_from_slice(declarator.attributes);
            declarator.attributes = self.arena.alloc_slice_copy(&attributes);
        }
        MemberDeclarator { declarator, bit_width }
    }

    /// C99 6.7.2.2. Attributes as with records.
    fn parse_enum_specifier(
        &self,
        pair: Pair<'_, Rule>,
        following: &mut Pairs<'_, Rule>,
        hi: &mut usize,
    ) -> EnumSpecifier<'a> {
        let (lo, end) = offsets(&pair);
        let mut inner = pair.into_inner();
        let mut attributes = Attributes::new();
        let mut pos = lo + 1;
        self.parse_attributes(&mut inner, &mut attributes, &mut pos);
        let tag = (self.class(pos) == TokenClass::Identifier).then(|| self.name(pos));
        let enumerators = (self.class(end - 1) == TokenClass::RBrace).then(|| {
            let enumerators: SmallVec<[Enumerator<'a>; 16]> = inner.map(|pair| self.parse_enumerator(pair)).collect();
            &*self.arena.alloc_slice_copy(&enumerators)
        });
        if enumerators.is_some() {
            self.parse_attributes(following, &mut attributes, hi);
        }
        let attributes = self.arena.alloc_slice_copy(&attributes);
        EnumSpecifier { tag, enumerators, attributes, span: self.span(lo, end) }
    }

    fn parse_enumerator(&self, pair: Pair<'_, Rule>) -> Enumerator<'a> {
        let (lo, hi) = offsets(&pair);
        let value = pair.into_inner().find(|pair| pair.as_rule() == Rule::assignment_expression);
        let value = value.map(|pair| self.parse_expression(pair).expr);
        Enumerator { name: self.symbol(lo), value, span: self.span(lo, hi) }
    }

    /// C99 6.7.6.
    pub(super) fn parse_type_name(&self, pair: Pair<'_, Rule>) -> TypeName<'a> {
        let (lo, hi) = offsets(&pair);
        let (specifiers, declarator) = self.parse_specified(pair);
        if let Some((_, span)) = declarator.name {
            self.error(span, "expected ')'");
        }
        TypeName { specifiers, declarator, span: self.span(lo, hi) }
    }

    /// Attributes as long as they come; `pos` moves past them.
    pub(super) fn parse_attributes(&self, pairs: &mut Pairs<'_, Rule>, out: &mut Attributes<'a>, pos: &mut usize) {
        while next_rule(pairs) == Some(Rule::attribute) {
            // Only those that stand here: with a body between, the next attributes are someone else's.
            match pairs.peek() {
                Some(pair) if offsets(&pair).0 == *pos => {}
                _ => return,
            }
            if let Some(pair) = pairs.next() {
                *pos = offsets(&pair).1;
                self.parse_attribute(pair, out);
            }
        }
    }

    /// `__attribute__((…))`
    pub(super) fn parse_attribute(&self, pair: Pair<'_, Rule>, out: &mut Attributes<'a>) {
        for item in pair.into_inner() {
            let (lo, hi) = offsets(&item);
            let name = self.attribute_name(self.symbol(lo));
            let arguments: SmallVec<[AttributeArgument<'a>; 4]> =
                item.into_inner().map(|argument| self.attribute_argument(argument)).collect();
            out.push(Attribute { name, arguments: self.arena.alloc_slice_copy(&arguments), span: self.span(lo, hi) });
        }
    }

    fn attribute_argument(&self, pair: Pair<'_, Rule>) -> AttributeArgument<'a> {
        match pair.as_rule() {
            Rule::type_name => AttributeArgument::Type(self.arena.alloc(self.parse_type_name(pair))),
            _ => AttributeArgument::Expr(self.parse_expression(pair).expr),
        }
    }

    /// `__packed__` is `packed`.
    fn attribute_name(&self, symbol: Symbol) -> Symbol {
        let mut interner = self.interner.borrow_mut();
        let text = interner.text(symbol);
        let Some(inner) = text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")) else {
            return symbol;
        };
        let inner = inner.to_owned();
        if inner.is_empty() { symbol } else { interner.intern(&inner) }
    }

    pub(super) fn qualifier(&self, offset: usize) -> Qualifiers {
        match self.keyword(offset) {
            Some(Keyword::Volatile) => Qualifiers::VOLATILE,
            Some(Keyword::Restrict) => Qualifiers::RESTRICT,
            _ => Qualifiers::CONST,
        }
    }

    pub(super) fn address_space(&self, offset: usize) -> AddressSpace {
        match self.keyword(offset) {
            Some(Keyword::Global) => AddressSpace::Global,
            Some(Keyword::Constant) => AddressSpace::Constant,
            Some(Keyword::Local) => AddressSpace::Local,
            Some(Keyword::Generic) => AddressSpace::Generic,
            _ => AddressSpace::Private,
        }
    }

    fn access(&self, offset: usize) -> AccessQualifier {
        match self.keyword(offset) {
            Some(Keyword::WriteOnly) => AccessQualifier::WriteOnly,
            Some(Keyword::ReadWrite) => AccessQualifier::ReadWrite,
            _ => AccessQualifier::ReadOnly,
        }
    }
}

fn storage_class(keyword: Keyword) -> Option<StorageClass> {
    Some(match keyword {
        Keyword::Typedef => StorageClass::Typedef,
        Keyword::Extern => StorageClass::Extern,
        Keyword::Static => StorageClass::Static,
        Keyword::Auto => StorageClass::Auto,
        Keyword::Register => StorageClass::Register,
        _ => return None,
    })
}

fn type_keyword(keyword: Keyword) -> Option<TypeKeyword> {
    Some(match keyword {
        Keyword::Void => TypeKeyword::Void,
        Keyword::Bool => TypeKeyword::Bool,
        Keyword::Char => TypeKeyword::Char,
        Keyword::Short => TypeKeyword::Short,
        Keyword::Int => TypeKeyword::Int,
        Keyword::Long => TypeKeyword::Long,
        Keyword::Float => TypeKeyword::Float,
        Keyword::Double => TypeKeyword::Double,
        Keyword::Half => TypeKeyword::Half,
        Keyword::Signed => TypeKeyword::Signed,
        Keyword::Unsigned => TypeKeyword::Unsigned,
        Keyword::Complex => TypeKeyword::Complex,
        Keyword::Imaginary => TypeKeyword::Imaginary,
        Keyword::AutoType => TypeKeyword::Auto,
        _ => return None,
    })
}
