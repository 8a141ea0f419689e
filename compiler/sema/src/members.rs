//! `.` and `->`, and `offsetof`.

use super::{ExprRef, Sema, suggest};
use crate::hir::types::RecordId;
use crate::hir::{BinaryOp, ExprKind, QualTy, Ty, TyKind};
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{self, Designator};
use smallvec::SmallVec;

/// Field indices from the record to a member, through anonymous members.
pub(super) type FieldPath = SmallVec<[u32; 2]>;

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// `base.name`, `base->name`
    pub(super) fn member_access(
        &mut self,
        base: &'a ast::Expr<'a>,
        name: Symbol,
        name_span: Span,
        arrow: bool,
        span: Span,
    ) -> ExprRef<'h> {
        let checked = self.expr(base);
        if checked.ty.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        let object = if arrow {
            let pointer = self.lvalue_conversion(checked);
            match self.pointee(pointer.ty.ty) {
                Some(pointee) => self.deref(pointer, pointee, base.span),
                None => {
                    if pointer.ty.ty != Ty::ERROR {
                        let text = self.quoted(pointer.ty.ty);
                        let mut diagnostic =
                            self.error_at(span, format!("member reference type {text} is not a pointer"));
                        if matches!(self.kind(pointer.ty.ty), TyKind::Record(_) | TyKind::Vector(..)) {
                            diagnostic = diagnostic.with_help("use '.' instead of '->'");
                        }
                        self.push(diagnostic);
                    }
                    return self.error_expr(span);
                }
            }
        } else {
            checked
        };
        match self.kind(object.ty.ty) {
            TyKind::Error => self.error_expr(span),
            TyKind::Vector(scalar, width) => {
                let text = self.text(name).to_string();
                self.components(object, scalar, width, &text, name_span, span)
            }
            TyKind::Record(id) => self.field_access(object, id, name, name_span, span),
            TyKind::Pointer(pointee) if matches!(self.kind(pointee.ty), TyKind::Record(_) | TyKind::Vector(..)) => {
                let text = self.quoted(object.ty.ty);
                let message = format!("member reference type {text} is a pointer");
                let diagnostic = self.error_at(span, message).with_help("use '->' instead of '.'");
                self.push(diagnostic);
                self.error_expr(span)
            }
            _ => {
                let text = self.quoted(object.ty.ty);
                self.error(span, format!("member reference base type {text} is not a structure or union"));
                self.error_expr(span)
            }
        }
    }

    fn field_access(
        &mut self,
        object: ExprRef<'h>,
        id: RecordId,
        name: Symbol,
        name_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        if self.program.types.record(id).fields.is_none() {
            let message = format!("incomplete definition of type '{}'", self.ty_text(object.ty.ty));
            match self.incomplete_note(object.ty.ty) {
                Some((place, note)) => self.error_with_note(span, message, place, note),
                None => self.error(span, message),
            }
            return self.error_expr(span);
        }
        let Some(path) = self.find_field(id, name) else {
            self.no_member(object.ty.ty, id, name, name_span);
            return self.error_expr(span);
        };
        let mut place = self.as_place(object);
        for index in path {
            let Some(field) = self.field_ty(place.ty.ty, index) else { return self.error_expr(span) };
            let ty = self.qualify(field.in_space(place.ty.space), place.ty.quals);
            place = self.make_lvalue(ExprKind::Field(place, index), ty, span);
        }
        place
    }

    /// A record's field's type.
    pub(super) fn field_ty(&self, record: Ty, index: u32) -> Option<QualTy> {
        let TyKind::Record(id) = self.kind(record) else { return None };
        self.program.types.record(id).fields.as_ref()?.get(index as usize).map(|field| field.ty)
    }

    /// The way to a member, anonymous members looked through.
    pub(super) fn find_field(&self, id: RecordId, name: Symbol) -> Option<FieldPath> {
        let mut path = FieldPath::new();
        let mut record = id;
        loop {
            let index = *self.members.get(&(record, name))?;
            let field = self.program.types.record(record).fields.as_ref()?.get(index as usize)?;
            path.push(index);
            match (field.name, self.kind(field.ty.ty)) {
                (Some(_), _) => return Some(path),
                (None, TyKind::Record(inner)) => record = inner,
                (None, _) => return None,
            }
        }
    }

    pub(super) fn no_member(&mut self, ty: Ty, id: RecordId, name: Symbol, span: Span) {
        let text = self.text(name);
        let mut message = format!("no member named '{text}' in '{}'", self.ty_text(ty));
        let fields = self.program.types.record(id).fields.iter().flatten();
        let names = fields.filter_map(|field| field.name).map(|name| self.text(name));
        if let Some(near) = suggest::nearest(text, names) {
            message += &format!("; did you mean '{near}'?");
        }
        self.error(span, message);
    }

    /// `offsetof(type, path)`
    pub(super) fn offset_of(
        &mut self,
        name: &'a ast::TypeName<'a>,
        path: &[Designator<'a>],
        span: Span,
    ) -> ExprRef<'h> {
        let size_t = self.program.types.size_t();
        let mut ty = self.type_name(name).ty;
        let mut offset = 0u64;
        // What indices that are not constant add.
        let mut variable = None;
        for step in path {
            if ty == Ty::ERROR {
                return self.error_expr(span);
            }
            match (step, self.kind(ty)) {
                (Designator::Member(name, name_span), TyKind::Record(id)) => {
                    let Some(path) = self.find_field(id, *name) else {
                        self.no_member(ty, id, *name, *name_span);
                        return self.error_expr(span);
                    };
                    for index in path {
                        let TyKind::Record(id) = self.kind(ty) else { break };
                        let field = self.program.types.record(id).fields.as_ref().and_then(|f| f.get(index as usize));
                        let Some(field) = field else { break };
                        offset = offset.wrapping_add(field.offset);
                        ty = field.ty.ty;
                    }
                }
                (Designator::Index(index), TyKind::Array(element, _)) => {
                    let value = self.value(index);
                    if self.int_kind(value.ty.ty).is_none() {
                        if value.ty.ty != Ty::ERROR {
                            self.error(index.span, "array subscript is not an integer");
                        }
                        return self.error_expr(span);
                    }
                    let size = self.program.types.size_of(element.ty).unwrap_or(0);
                    let value = self.convert(value, size_t);
                    match self.integer_constant(value) {
                        Some((index, _)) => offset = offset.wrapping_add(size.wrapping_mul(index)),
                        None => {
                            let size = self.int(size, size_t, index.span);
                            let scaled = self.make_binary(BinaryOp::Mul, value, size, size_t, index.span);
                            variable = Some(match variable {
                                Some(sum) => self.make_binary(BinaryOp::Add, sum, scaled, size_t, span),
                                None => scaled,
                            });
                        }
                    }
                    ty = element.ty;
                }
                _ => {
                    let text = self.quoted(ty);
                    self.error(span, format!("offsetof requires struct or union type, {text} invalid"));
                    return self.error_expr(span);
                }
            }
        }
        let offset = self.size_constant(offset, span);
        match variable {
            Some(sum) => self.make_binary(BinaryOp::Add, sum, offset, size_t, span),
            None => offset,
        }
    }
}
