//! Designators of initialiser lists (C99 6.7.8): the subobjects that they designate.

use super::initializers::{InitializerParts, MAX_PARTS, Subobject};
use super::{Sema, constants};
use crate::hir::{InitPart, Ty, TyKind};
use clforge_basic::source::Span;
use clforge_syntax::ast::{self, Designator, RecordKind};

/// What a designator designates.
pub(super) struct Designated {
    /// The element or member, by its index.
    pub first: u64,
    /// The last element of GNU's `[first ... last]`.
    pub last: Option<u64>,
    /// The member itself, which may be inside an anonymous member.
    pub member: Option<Subobject>,
}

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// Subobject number `index` of an array or record; `None` past the end. `chosen`: by a designator, which may choose any
    /// member of a union.
    pub(super) fn subobject(&self, child: Subobject, index: u64, chosen: bool) -> Option<Subobject> {
        let types = &self.program.types;
        match self.kind(child.ty) {
            TyKind::Array(element, length) => {
                if length.is_some_and(|length| index >= length) {
                    return None;
                }
                let offset = child.offset.checked_add(types.size_of(element.ty)?.checked_mul(index)?)?;
                Some(Subobject { ty: element.ty, offset })
            }
            TyKind::Record(id) => {
                let record = types.record(id);
                if record.kind == RecordKind::Union && index > 0 && !chosen {
                    return None;
                }
                let field = record.fields.as_ref()?.get(usize::try_from(index).ok()?)?;
                Some(Subobject { ty: field.ty.ty, offset: child.offset + field.offset })
            }
            _ => None,
        }
    }

    /// What a designator designates in `child`; reports where it designates nothing.
    pub(super) fn designated(
        &mut self,
        child: Subobject,
        designator: &Designator<'a>,
        span: Span,
    ) -> Option<Designated> {
        match (designator, self.kind(child.ty)) {
            (Designator::Index(e), TyKind::Array(_, length)) => {
                let index = self.designator_index(e, length)?;
                Some(Designated { first: index, last: None, member: None })
            }
            (Designator::Range(low, high), TyKind::Array(_, length)) => {
                let first = self.designator_index(low, length)?;
                let last = self.designator_index(high, length)?;
                if last < first {
                    self.error(high.span, format!("array designator range [{first}, {last}] is empty"));
                    return None;
                }
                Some(Designated { first, last: Some(last), member: None })
            }
            (Designator::Member(name, name_span), TyKind::Record(id)) => {
                let Some(path) = self.find_field(id, *name) else {
                    let message = format!(
                        "field designator '{}' does not refer to any field in type '{}'",
                        self.text(*name),
                        self.ty_text(child.ty)
                    );
                    self.error(*name_span, message);
                    return None;
                };
                let mut deep = child;
                for index in &path {
                    deep = self.subobject(deep, u64::from(*index), true)?;
                }
                Some(Designated { first: u64::from(*path.first()?), last: None, member: Some(deep) })
            }
            (Designator::Member(..), _) => {
                let text = self.quoted(child.ty);
                self.error(span, format!("field designator cannot initialize a non-struct, non-union type {text}"));
                None
            }
            _ => {
                let text = self.quoted(child.ty);
                self.error(span, format!("array designator cannot initialize non-array type {text}"));
                None
            }
        }
    }

    fn designator_index(&mut self, e: &'a ast::Expr<'a>, length: Option<u64>) -> Option<u64> {
        let checked = self.value(e);
        if checked.ty.ty == Ty::ERROR {
            return None;
        }
        let Some((value, signed)) = self.integer_constant(checked) else {
            self.error(e.span, "array designator index is not an integer constant expression");
            return None;
        };
        if signed && value.cast_signed() < 0 {
            self.error(e.span, format!("array designator value '{}' is negative", value.cast_signed()));
            return None;
        }
        if let Some(length) = length.filter(|length| value >= *length) {
            self.error(e.span, format!("array designator index ({value}) exceeds array bounds ({length})"));
            return None;
        }
        if value >= constants::MAX_CONSTANT {
            self.error(e.span, format!("array designator index ({value}) is too large"));
            return None;
        }
        Some(value)
    }

    /// The parts of element `first`, again for the elements up to `last`.
    pub(super) fn repeat_parts(
        &mut self,
        before: usize,
        first: u64,
        last: u64,
        array: Ty,
        out: &mut InitializerParts<'h>,
    ) {
        let TyKind::Array(element, _) = self.kind(array) else { return };
        let size = self.program.types.size_of(element.ty).unwrap_or(0);
        let made = out.parts[before..].to_vec();
        if (last - first).saturating_mul(made.len() as u64) > MAX_PARTS as u64 {
            if let Some(part) = made.first() {
                self.error(part.value.span, "initializer has too many elements");
            }
            out.failed = true;
            return;
        }
        for step in 1..=last - first {
            let moved = made.iter().map(|part| InitPart { offset: part.offset + step * size, value: part.value });
            out.parts.extend(moved);
        }
    }
}
