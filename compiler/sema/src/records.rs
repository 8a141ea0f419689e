//! Structs, unions and enumerations: definitions and layout (C99 6.7.2, laid out as clang does for `spir64`).

use super::Sema;
use super::attributes::Layout;
use super::scope::{DeclTy, Entity, Tag};
use crate::hir::spelling::keyword;
use crate::hir::types::{EnumId, Enumeration, Field, Record, RecordId};
use crate::hir::{IntKind, QualTy, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::narrow::{low_u64, to_u32};
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{self, AddressSpace, RecordKind};
use rustc_hash::FxHashMap;

impl<'a> Sema<'a, '_, '_> {
    /// `struct S`, `struct S { … }`, `union { … }`.
    pub(super) fn record_specifier(&mut self, specifier: &ast::RecordSpecifier<'a>) -> Ty {
        let id = match specifier.tag {
            Some((tag, span)) => self.tagged_record(specifier, tag, span),
            None => Some(self.new_record(specifier.kind, None, specifier.span)),
        };
        let Some(id) = id else { return Ty::ERROR };
        if let Some(members) = specifier.members {
            self.define_record(id, specifier, members);
        }
        self.program.types.intern(TyKind::Record(id))
    }

    fn new_record(&mut self, kind: RecordKind, tag: Option<Symbol>, span: Span) -> RecordId {
        let records = &mut self.program.types.records;
        let (typedef_name, fields) = (None, None);
        records.push_and_get_key(Record { kind, tag, typedef_name, span, fields, flexible: false, size: 0, align: 1 })
    }

    fn tagged_record(&mut self, specifier: &ast::RecordSpecifier<'a>, tag: Symbol, span: Span) -> Option<RecordId> {
        let defining = specifier.members.is_some();
        let found = if defining { self.tags.find_here(tag) } else { self.tags.find(tag) };
        let (found, previous) = match found {
            Some(entry) => (entry.entity, entry.span),
            None => {
                let id = self.new_record(specifier.kind, Some(tag), span);
                self.tags.declare(tag, Tag::Record(id), span);
                return Some(id);
            }
        };
        let name = self.text(tag).to_string();
        match found {
            Tag::Record(id) if self.program.types.record(id).kind == specifier.kind => {
                if defining && self.program.types.record(id).fields.is_some() {
                    self.error_with_note(
                        span,
                        format!("redefinition of '{name}'"),
                        previous,
                        "previous definition is here",
                    );
                    return None;
                }
                Some(id)
            }
            _ => {
                let message = format!("use of '{name}' with tag type that does not match previous declaration");
                self.error_with_note(span, message, previous, "previous use is here");
                None
            }
        }
    }

    fn define_record(
        &mut self,
        id: RecordId,
        specifier: &ast::RecordSpecifier<'a>,
        members: &[ast::MemberDeclaration<'a>],
    ) {
        let attributes = self.layout_attributes(specifier.attributes);
        let mut builder = RecordBuilder::new(specifier.kind, attributes, self.packing_at(specifier.span.lo));
        for member in members {
            self.member(member, &mut builder);
        }
        let mut size = builder.size();
        let most = self.max_type_size();
        if size > most {
            self.error(specifier.span, format!("structure is too large: {size} bytes, and the limit is {most}"));
            size = 0;
        }
        let record = &mut self.program.types.records[id];
        record.size = size;
        record.align = builder.align;
        record.span = specifier.tag.map_or(specifier.span, |(_, span)| span);
        record.flexible = builder.flexible.is_some() && builder.kind == RecordKind::Struct;
        record.fields = Some(builder.fields);
        self.members.extend(builder.seen.into_iter().map(|(name, (_, index))| ((id, name), index)));
    }

    fn member(&mut self, member: &ast::MemberDeclaration<'a>, builder: &mut RecordBuilder) {
        if let Some((_, place)) = member.specifiers.storage.first() {
            self.error(*place, "type name does not allow storage class to be specified");
        }
        let base = self.specifiers(&member.specifiers);
        let shared = self.layout_attributes(member.specifiers.attributes);
        if member.declarators.is_empty() {
            match self.kind(base.ty) {
                TyKind::Record(id) if self.program.types.record(id).tag.is_none() => {
                    self.add_field(None, base, member.span, shared, builder);
                }
                TyKind::Error | TyKind::Record(_) | TyKind::Enum(_) => {}
                _ => {
                    self.warning(WarningFlag::MissingDeclarations, member.span, "declaration does not declare anything")
                }
            }
            return;
        }
        for declarator in member.declarators {
            let declared = self.declarator_type(base, &declarator.declarator, false);
            let span = declarator.declarator.name.map_or(declarator.declarator.span, |(_, span)| span);
            if let Some(width) = declarator.bit_width {
                self.error(width.span, "bit-fields are not supported in OpenCL");
                continue;
            }
            let layout = shared.or(self.layout_attributes(declarator.declarator.attributes));
            self.add_field(declarator.declarator.name.map(|(name, _)| name), declared, span, layout, builder);
        }
    }

    fn add_field(
        &mut self,
        name: Option<Symbol>,
        mut declared: DeclTy,
        span: Span,
        layout: Layout,
        builder: &mut RecordBuilder,
    ) {
        self.aligned(declared.ty, layout);
        if let Some((flexible, place)) = builder.flexible.take().filter(|_| builder.kind == RecordKind::Struct) {
            self.error(place, format!("flexible array member '{flexible}' is not at the end of struct"));
        }
        if declared.space.is_some_and(|space| space != AddressSpace::Private) {
            self.error(span, "field may not be qualified with an address space");
        }
        if let Some(name) = name {
            let index = to_u32(builder.fields.len());
            if let Some((previous, _)) = builder.seen.insert(name, (span, index)) {
                let text = self.text(name).to_string();
                self.error_with_note(
                    span,
                    format!("duplicate member '{text}'"),
                    previous,
                    "previous declaration is here",
                );
                return;
            }
        } else {
            self.check_anonymous_names(declared.ty, builder);
        }
        let text = name.map_or(String::new(), |name| self.text(name).to_string());
        let size = match self.kind(declared.ty) {
            TyKind::Function(_) => {
                self.error(span, format!("field '{text}' declared as a function"));
                return;
            }
            TyKind::Image(..)
            | TyKind::Sampler
            | TyKind::Event
            | TyKind::Pipe(..)
            | TyKind::Queue
            | TyKind::Block(_) => {
                let ty = self.ty_text(declared.ty);
                self.error(span, format!("the '{ty}' type cannot be used to declare a structure or union field"));
                return;
            }
            _ if self.is_matrix(declared.ty) => {
                let ty = self.ty_text(declared.ty);
                self.error(span, format!("the '{ty}' type cannot be used to declare a structure or union field"));
                return;
            }
            TyKind::Array(element, None) => {
                // What lies behind the record, of no size of its own.
                builder.flexible.get_or_insert((text.clone(), span));
                declared.ty = self.program.types.intern(TyKind::Array(element, Some(0)));
                Some(0)
            }
            _ => self.program.types.size_of(declared.ty),
        };
        let Some(size) = size else {
            let ty = self.ty_text(declared.ty);
            self.error(span, format!("field has incomplete type '{ty}'"));
            return;
        };
        let natural = self.program.types.align_of(declared.ty);
        let ty = QualTy { ty: declared.ty, quals: declared.quals, space: AddressSpace::Private };
        builder.add(name, ty, span, size, natural, layout);
    }

    /// Members of an anonymous member must not collide with the record's own.
    fn check_anonymous_names(&mut self, ty: Ty, builder: &mut RecordBuilder) {
        let TyKind::Record(id) = self.kind(ty) else { return };
        let fields = self.program.types.record(id).fields.clone().unwrap_or_default();
        for field in fields {
            match field.name {
                Some(name) => {
                    let index = to_u32(builder.fields.len());
                    if let Some((previous, _)) = builder.seen.insert(name, (field.span, index)) {
                        let text = self.text(name).to_string();
                        let message = format!("member of anonymous struct redeclares '{text}'");
                        self.error_with_note(field.span, message, previous, "previous declaration is here");
                    }
                }
                None => self.check_anonymous_names(field.ty.ty, builder),
            }
        }
    }

    /// `enum E`, `enum { A, B = 4 }`.
    pub(super) fn enum_specifier(&mut self, specifier: &ast::EnumSpecifier<'a>, forward_ok: bool) -> Ty {
        let id = match specifier.tag {
            None => self.new_enum(None, specifier.span),
            Some((tag, span)) => {
                let defining = specifier.enumerators.is_some();
                let found = if defining { self.tags.find_here(tag) } else { self.tags.find(tag) };
                match found.map(|entry| (entry.entity, entry.span)) {
                    None => {
                        let id = self.new_enum(Some(tag), span);
                        self.tags.declare(tag, Tag::Enum(id), span);
                        id
                    }
                    Some((Tag::Enum(id), previous)) => {
                        if defining && self.program.types.enumeration(id).complete {
                            let message = format!("redefinition of '{}'", self.text(tag));
                            self.error_with_note(span, message, previous, "previous definition is here");
                            return Ty::ERROR;
                        }
                        id
                    }
                    Some((Tag::Record(_), previous)) => {
                        let name = self.text(tag);
                        let message = format!("use of '{name}' with tag type that does not match previous declaration");
                        self.error_with_note(span, message, previous, "previous use is here");
                        return Ty::ERROR;
                    }
                }
            }
        };
        if let Some(enumerators) = specifier.enumerators {
            self.define_enum(id, enumerators);
        } else if !self.program.types.enumeration(id).complete && !forward_ok {
            let tag = specifier.tag.map_or(String::new(), |(tag, _)| self.text(tag).to_string());
            self.error(specifier.span, format!("forward references to 'enum' types are not allowed: 'enum {tag}'"));
            return Ty::ERROR;
        }
        self.program.types.intern(TyKind::Enum(id))
    }

    fn new_enum(&mut self, tag: Option<Symbol>, span: Span) -> EnumId {
        let enums = &mut self.program.types.enums;
        enums.push_and_get_key(Enumeration { tag, underlying: IntKind::UInt, complete: false, span })
    }

    fn define_enum(&mut self, id: EnumId, enumerators: &[ast::Enumerator<'a>]) {
        let mut next: i128 = 0;
        let (mut negative, mut wide, mut wide_unsigned) = (false, false, false);
        for enumerator in enumerators {
            if let Some(expr) = enumerator.value {
                let checked = self.value(expr);
                match self.folded_integer(checked) {
                    Some((value, true)) => next = i128::from(value.cast_signed()),
                    Some((value, false)) => next = i128::from(value),
                    None if checked.ty.ty == Ty::ERROR => {}
                    None => self.error(expr.span, "expression is not an integer constant expression"),
                }
            }
            negative |= next < 0;
            wide |= next < i128::from(i32::MIN) || next > i128::from(u32::MAX);
            wide_unsigned |= next > i128::from(i32::MAX);
            let ty = if next >= i128::from(i32::MIN) && next <= i128::from(i32::MAX) {
                Ty::INT
            } else if next >= 0 && next <= i128::from(u32::MAX) {
                Ty::UINT
            } else if next <= i128::from(i64::MAX) {
                Ty::LONG
            } else {
                Ty::ULONG
            };
            let value = low_u64(next);
            self.enumerators.entry(id).or_default().push((enumerator.name, value));
            if self.redeclared_here("enumerator ", enumerator.name, enumerator.span) {
                continue;
            }
            self.ordinary.declare(enumerator.name, Entity::Constant { value, ty }, enumerator.span);
            next += 1;
        }
        let enumeration = &mut self.program.types.enums[id];
        enumeration.complete = true;
        enumeration.underlying = match (wide || (negative && wide_unsigned), negative) {
            (false, true) => IntKind::Int,
            (false, false) => IntKind::UInt,
            (true, true) => IntKind::Long,
            (true, false) => IntKind::ULong,
        };
    }

    /// Whether an ordinary identifier is declared in this scope already, which is reported.
    /// `what`: "parameter " or nothing.
    pub(super) fn redeclared_here(&mut self, what: &str, name: Symbol, span: Span) -> bool {
        let Some(entry) = self.ordinary.find_here(name) else { return false };
        let previous = entry.span;
        let message = format!("redefinition of {what}'{}'", self.text(name));
        self.error_with_note(span, message, previous, "previous definition is here");
        true
    }

    /// "forward declaration of 'struct S'" where the type is an incomplete record.
    pub(super) fn incomplete_note(&self, ty: Ty) -> Option<(Span, String)> {
        let TyKind::Record(id) = self.kind(ty) else { return None };
        let record = self.program.types.record(id);
        let tag = record.tag.map_or("(unnamed)", |tag| self.text(tag));
        record
            .fields
            .is_none()
            .then(|| (record.span, format!("forward declaration of '{} {tag}'", keyword(record.kind))))
    }
}

/// Lays members out one after the other.
struct RecordBuilder {
    kind: RecordKind,
    layout: Layout,
    /// The most that members are aligned to.
    packing: Option<u64>,
    fields: Vec<Field>,
    /// Names of members with their places, and which field they are or are in.
    seen: FxHashMap<Symbol, (Span, u32)>,
    /// The last member if it is an array without size.
    flexible: Option<(String, Span)>,
    end: u64,
    align: u64,
}

impl RecordBuilder {
    fn new(kind: RecordKind, layout: Layout, packing: Option<u64>) -> RecordBuilder {
        let align = layout.align.unwrap_or(1);
        RecordBuilder {
            kind,
            layout,
            packing,
            fields: Vec::new(),
            seen: FxHashMap::default(),
            flexible: None,
            end: 0,
            align,
        }
    }

    fn add(&mut self, name: Option<Symbol>, ty: QualTy, span: Span, size: u64, natural: u64, layout: Layout) {
        let packed = self.layout.packed || layout.packed;
        let align = if packed { 1 } else { natural }.max(layout.align.unwrap_or(1));
        let align = align.min(self.packing.unwrap_or(align));
        let offset = match self.kind {
            RecordKind::Struct => self.end.checked_next_multiple_of(align).unwrap_or(u64::MAX),
            RecordKind::Union => 0,
        };
        self.end = self.end.max(offset.saturating_add(size));
        self.align = self.align.max(align);
        self.fields.push(Field { name, ty, offset, span });
    }

    fn size(&self) -> u64 {
        self.end.checked_next_multiple_of(self.align).unwrap_or(u64::MAX)
    }
}

impl Sema<'_, '_, '_> {
    /// An incomplete record, known only by its tag.
    pub(super) fn forward_record(&mut self, kind: RecordKind, tag: Symbol, span: Span) -> RecordId {
        self.new_record(kind, Some(tag), span)
    }
}
