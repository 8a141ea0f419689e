//! `&`, `*`, `[]`, pointer arithmetic and comparison, pointers in `?:`.

use super::conversions::space_includes;
use super::{ExprRef, Sema};
use crate::hir::{BinaryOp, Conversion, ExprKind, QualTy, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::source::Span;
use clforge_syntax::ast::{self, AddressSpace};

impl<'a, 'h> Sema<'a, 'h, '_> {
    pub(super) fn is_pointer(&self, e: ExprRef<'h>) -> bool {
        matches!(self.kind(e.ty.ty), TyKind::Pointer(_))
    }

    pub(super) fn pointee(&self, ty: Ty) -> Option<QualTy> {
        match self.kind(ty) {
            TyKind::Pointer(pointee) => Some(pointee),
            _ => None,
        }
    }

    /// `&operand`
    pub(super) fn address_of(&mut self, operand: &'a ast::Expr<'a>, span: Span) -> ExprRef<'h> {
        self.one_past = matches!(operand.kind, ast::ExprKind::Index { .. });
        let place = self.expr(operand);
        if place.ty.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        match place.kind {
            _ if self.is_matrix(place.ty.ty) => {
                self.error(span, "the address of a cooperative matrix cannot be taken");
                return self.error_expr(span);
            }
            ExprKind::Deref(pointer) => return pointer,
            ExprKind::Lane(matrix, _) if self.is_matrix(matrix.ty.ty) => {
                self.error(span, "the address of a component of a cooperative matrix cannot be taken");
                return self.error_expr(span);
            }
            ExprKind::Lanes(..) | ExprKind::Lane(..) => {
                self.error(span, "address of vector element requested");
                return self.error_expr(span);
            }
            ExprKind::Temporary(_) => {
                let text = self.quoted(place.ty.ty);
                self.error(span, format!("cannot take the address of an rvalue of type {text}"));
                return self.error_expr(span);
            }
            _ if !place.is_place() => {
                let text = self.quoted(place.ty.ty);
                self.error(span, format!("cannot take the address of an rvalue of type {text}"));
                return self.error_expr(span);
            }
            _ => {}
        }
        if matches!(self.kind(place.ty.ty), TyKind::Image(..) | TyKind::Sampler | TyKind::Pipe(..) | TyKind::Block(_)) {
            let text = self.quoted(place.ty.ty);
            self.error(span, format!("invalid argument type {text} to unary expression"));
            return self.error_expr(span);
        }
        let ty = self.program.types.pointer_to(place.ty);
        self.make(ExprKind::AddressOf(place), ty, span)
    }

    /// `*operand`
    pub(super) fn dereference(&mut self, operand: &'a ast::Expr<'a>, span: Span) -> ExprRef<'h> {
        let pointer = self.value(operand);
        if pointer.ty.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        let Some(pointee) = self.pointee(pointer.ty.ty) else {
            let text = self.quoted(pointer.ty.ty);
            self.error(span, format!("indirection requires pointer operand ({text} invalid)"));
            return self.error_expr(span);
        };
        self.deref(pointer, pointee, span)
    }

    pub(super) fn deref(&mut self, pointer: ExprRef<'h>, pointee: QualTy, span: Span) -> ExprRef<'h> {
        if pointee.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        // `*&place` is the place.
        if let ExprKind::AddressOf(place) = pointer.kind
            && place.ty == pointee
        {
            return place;
        }
        self.make_lvalue(ExprKind::Deref(pointer), pointee, span)
    }

    /// `base[index]`, of a pointer, an array or a vector.
    pub(super) fn index(&mut self, base: &'a ast::Expr<'a>, index: &'a ast::Expr<'a>, span: Span) -> ExprRef<'h> {
        let one_past = std::mem::take(&mut self.one_past);
        let base = self.expr(base);
        if let TyKind::Vector(scalar, lanes) = self.kind(base.ty.ty) {
            let index = self.value(index);
            return self.vector_index(base, scalar, lanes, index, span);
        }
        if let Some(matrix) = self.matrix(base) {
            let index = self.value(index);
            return self.matrix_index(base, matrix, index, span);
        }
        let base = self.lvalue_conversion(base);
        let index = self.value(index);
        if base.ty.ty == Ty::ERROR || index.ty.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        let (pointer, index) = if self.is_pointer(base) { (base, index) } else { (index, base) };
        let Some(pointee) = self.pointee(pointer.ty.ty) else {
            self.error(span, "subscripted value is not an array, pointer, or vector");
            return self.error_expr(span);
        };
        let Some(offset) = self.index_value(index) else {
            self.error(index.span, "array subscript is not an integer");
            return self.error_expr(span);
        };
        if pointee.ty == Ty::VOID {
            self.error(span, "subscript of pointer to incomplete type 'void'");
            return self.error_expr(span);
        }
        if self.program.types.size_of(pointee.ty).is_none() && pointee.ty != Ty::ERROR {
            let message = format!("subscript of pointer to incomplete type '{}'", self.ty_text(pointee.ty));
            match self.incomplete_note(pointee.ty) {
                Some((place, note)) => self.error_with_note(span, message, place, note),
                None => self.error(span, message),
            }
            return self.error_expr(span);
        }
        self.array_bounds(pointer, index, one_past);
        let ty = pointer.ty.ty;
        let sum = self.make(ExprKind::PointerAdd { pointer, index: offset, negative: false }, ty, span);
        self.deref(sum, pointee, span)
    }

    /// The index as a 32- or 64-bit integer; `None` when it is no integer.
    pub(super) fn index_value(&mut self, index: ExprRef<'h>) -> Option<ExprRef<'h>> {
        let index = self.atomic_value(index);
        if index.ty.ty == Ty::ERROR {
            return Some(index);
        }
        self.int_kind(index.ty.ty)?;
        Some(self.promote(index))
    }

    /// Whether the pointee has a size (`void` counts as 1 byte, as in GNU C); reports if not.
    pub(super) fn check_pointee_complete(&mut self, pointer: Ty, span: Span) -> bool {
        let Some(pointee) = self.pointee(pointer) else { return false };
        if pointee.ty == Ty::VOID || self.program.types.size_of(pointee.ty).is_some() {
            return true;
        }
        let message = format!("arithmetic on a pointer to an incomplete type '{}'", self.ty_text(pointee.ty));
        match self.incomplete_note(pointee.ty) {
            Some((place, note)) => self.error_with_note(span, message, place, note),
            None => self.error(span, message),
        }
        false
    }

    /// `pointer ± integer`; arithmetic on `void*` counts bytes.
    pub(super) fn pointer_add(
        &mut self,
        pointer: ExprRef<'h>,
        index: ExprRef<'h>,
        negative: bool,
        span: Span,
    ) -> ExprRef<'h> {
        let ty = pointer.ty.ty;
        let Some(pointee) = self.pointee(ty) else { return self.error_expr(span) };
        if pointee.ty == Ty::VOID {
            let bytes = self.program.types.pointer_to(QualTy { ty: Ty::CHAR, ..pointee });
            let pointer = self.convert(pointer, bytes);
            let sum = self.make(ExprKind::PointerAdd { pointer, index, negative }, bytes, span);
            return self.convert(sum, ty);
        }
        self.make(ExprKind::PointerAdd { pointer, index, negative }, ty, span)
    }

    /// `+` and `-` where an operand is a pointer.
    pub(super) fn pointer_arithmetic(
        &mut self,
        op: BinaryOp,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        op_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        let (pointer, other) = match (op, self.is_pointer(left), self.is_pointer(right)) {
            (BinaryOp::Sub, true, true) => return self.pointer_difference(left, right, op_span, span),
            (BinaryOp::Add | BinaryOp::Sub, true, false) => (left, right),
            (BinaryOp::Add, false, true) => (right, left),
            _ => return self.invalid_operands(left, right, op_span, span),
        };
        let Some(index) = self.index_value(other) else {
            return self.invalid_operands(left, right, op_span, span);
        };
        if !self.check_pointee_complete(pointer.ty.ty, op_span) {
            return self.error_expr(span);
        }
        self.pointer_add(pointer, index, op == BinaryOp::Sub, span)
    }

    fn pointer_difference(&mut self, left: ExprRef<'h>, right: ExprRef<'h>, op_span: Span, span: Span) -> ExprRef<'h> {
        let (Some(a), Some(b)) = (self.pointee(left.ty.ty), self.pointee(right.ty.ty)) else {
            return self.error_expr(span);
        };
        if a.ty != b.ty {
            let message = format!(
                "{} and {} are not pointers to compatible types",
                self.quoted(left.ty.ty),
                self.quoted(right.ty.ty)
            );
            self.error(op_span, message);
            return self.error_expr(span);
        }
        let Some((left, right)) = self.same_space(left, right, op_span) else { return self.error_expr(span) };
        if !self.check_pointee_complete(left.ty.ty, op_span) {
            return self.error_expr(span);
        }
        let element = if a.ty == Ty::VOID { Ty::CHAR } else { a.ty };
        let Some(pointee) = self.pointee(left.ty.ty) else { return self.error_expr(span) };
        let ty = self.program.types.pointer_to(QualTy { ty: element, ..pointee });
        let (left, right) = (self.convert(left, ty), self.convert(right, ty));
        self.make(ExprKind::PointerDifference(left, right), self.program.types.ptrdiff_t(), span)
    }

    /// Both pointers, converted to the address space that includes both; reports where there is none.
    fn same_space(&mut self, left: ExprRef<'h>, right: ExprRef<'h>, span: Span) -> Option<(ExprRef<'h>, ExprRef<'h>)> {
        let (a, b) = (self.pointee(left.ty.ty)?, self.pointee(right.ty.ty)?);
        let space = if space_includes(a.space, b.space) {
            a.space
        } else if space_includes(b.space, a.space) {
            b.space
        } else {
            let message = format!(
                "comparison or difference of {} and {}, which are pointers to non-overlapping address spaces",
                self.quoted(left.ty.ty),
                self.quoted(right.ty.ty)
            );
            self.error(span, message);
            return None;
        };
        let left_ty = self.program.types.pointer_to(a.in_space(space));
        let right_ty = self.program.types.pointer_to(b.in_space(space));
        Some((self.convert(left, left_ty), self.convert(right, right_ty)))
    }

    pub(super) fn compare_pointers(
        &mut self,
        op: BinaryOp,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        op_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        let (left, right) = match (self.pointee(left.ty.ty), self.pointee(right.ty.ty)) {
            (Some(_), Some(_)) if self.is_null_constant(right) => (left, self.convert(right, left.ty.ty)),
            (Some(_), Some(_)) if self.is_null_constant(left) => (self.convert(left, right.ty.ty), right),
            (Some(a), Some(b)) => {
                let same = a.ty == b.ty || a.ty == Ty::VOID || b.ty == Ty::VOID;
                if !same {
                    let message = format!(
                        "comparison of distinct pointer types ({} and {})",
                        self.quoted(left.ty.ty),
                        self.quoted(right.ty.ty)
                    );
                    self.warning(WarningFlag::CompareDistinctPointerTypes, op_span, message);
                }
                match self.same_space(left, right, op_span) {
                    Some((left, right)) => (left, self.convert(right, left.ty.ty)),
                    None => return self.error_expr(span),
                }
            }
            (Some(_), None) if self.int_kind(right.ty.ty).is_some() => {
                self.warn_pointer_integer(left, right, op_span);
                (left, self.convert(right, left.ty.ty))
            }
            (None, Some(_)) if self.int_kind(left.ty.ty).is_some() => {
                self.warn_pointer_integer(left, right, op_span);
                (self.convert(left, right.ty.ty), right)
            }
            _ => return self.invalid_operands(left, right, op_span, span),
        };
        self.make(ExprKind::Binary(op, left, right), Ty::INT, span)
    }

    fn warn_pointer_integer(&mut self, left: ExprRef<'h>, right: ExprRef<'h>, span: Span) {
        if self.is_null_constant(left) || self.is_null_constant(right) {
            return;
        }
        let message = format!(
            "comparison between pointer and integer ({} and {})",
            self.quoted(left.ty.ty),
            self.quoted(right.ty.ty)
        );
        self.warning(WarningFlag::PointerIntegerCompare, span, message);
    }

    /// Pointers, null constants and integers as the sides of `?:`.
    pub(super) fn conditional_pointers(
        &mut self,
        then: ExprRef<'h>,
        otherwise: ExprRef<'h>,
        span: Span,
    ) -> Option<(ExprRef<'h>, ExprRef<'h>)> {
        if self.is_null_constant(otherwise) && self.is_pointer(then) {
            return Some((then, self.convert(otherwise, then.ty.ty)));
        }
        if self.is_null_constant(then) && self.is_pointer(otherwise) {
            return Some((self.convert(then, otherwise.ty.ty), otherwise));
        }
        let (left, right) = (self.quoted(then.ty.ty), self.quoted(otherwise.ty.ty));
        let (Some(a), Some(b)) = (self.pointee(then.ty.ty), self.pointee(otherwise.ty.ty)) else {
            let integer = self.int_kind(then.ty.ty).is_some() || self.int_kind(otherwise.ty.ty).is_some();
            if integer {
                let message = format!("pointer/integer type mismatch in conditional expression ({left} and {right})");
                self.error(span, message);
            } else {
                self.error(span, format!("incompatible operand types ({left} and {right})"));
            }
            return None;
        };
        let space = if space_includes(a.space, b.space) {
            a.space
        } else if space_includes(b.space, a.space) {
            b.space
        } else {
            let message = format!(
                "conditional operator with the second and third operands of type ({left} and {right}) which are \
                 pointers to non-overlapping address spaces"
            );
            self.error(span, message);
            return None;
        };
        let pointee = if a.ty == b.ty {
            a.ty
        } else {
            if a.ty != Ty::VOID && b.ty != Ty::VOID {
                self.warning(
                    WarningFlag::PointerTypeMismatch,
                    span,
                    format!("pointer type mismatch ({left} and {right})"),
                );
            }
            Ty::VOID
        };
        let ty = self.program.types.pointer_to(QualTy { ty: pointee, quals: a.quals | b.quals, space });
        Some((self.convert(then, ty), self.convert(otherwise, ty)))
    }

    /// An explicit cast between pointers (6.5.p and 6.7.1 of 2.0).
    pub(super) fn cast_pointer(&mut self, e: ExprRef<'h>, from: QualTy, to: QualTy, ty: Ty, span: Span) -> ExprRef<'h> {
        let overlapping = space_includes(to.space, from.space) || space_includes(from.space, to.space);
        if !overlapping && !self.is_null_constant(e) {
            let message = format!(
                "casting {} to type {} changes address space of pointer",
                self.quoted(e.ty.ty),
                self.quoted(ty)
            );
            self.error(span, message);
            return self.error_expr(span);
        }
        if let ExprKind::Int(value) = e.kind {
            return self.int(value, ty, span);
        }
        if e.ty.ty == ty {
            return e;
        }
        self.pointer_cast(e, from, to, ty, span);
        self.make(ExprKind::Convert(Conversion::Pointer, e), ty, span)
    }

    /// Where an object declared without address space lives.
    pub(super) fn default_program_space(&self) -> Option<AddressSpace> {
        self.has_generic().then_some(AddressSpace::Global)
    }
}
