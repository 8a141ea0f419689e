//! Assignment, compound assignment, increment and decrement (C99 6.5.16, 6.5.2.4, 6.5.3.1): modifiable lvalues.

use super::conversions::AssignmentAction;
use super::operators::{OperatorClass, classify};
use super::{ExprRef, Sema};
use crate::hir::{BinaryOp, ExprKind, QualTy, Scalar, Ty, TyKind};
use clforge_basic::source::{Punct, Span, TokenKind};
use clforge_syntax::ast::{self, AddressSpace, Qualifiers};

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// Whether `e` is a modifiable lvalue (C99 6.3.2.1); reports why not.
    pub(super) fn check_modifiable(&mut self, e: ExprRef<'h>, span: Span) -> bool {
        if e.ty.ty == Ty::ERROR {
            return false;
        }
        let message = if matches!(e.kind, ExprKind::Convert(..)) && self.is_written_cast(e.span) {
            "assignment to cast is illegal, lvalue casts are not supported".to_string()
        } else if !e.is_place() || is_temporary(e) {
            "expression is not assignable".to_string()
        } else if matches!(self.kind(e.ty.ty), TyKind::Array(..)) {
            format!("array type {} is not assignable", self.quoted(e.ty.ty))
        } else if e.ty.space == AddressSpace::Constant {
            "read-only variable is not assignable".to_string()
        } else if e.ty.quals.contains(Qualifiers::CONST) {
            let text = self.qual_text(QualTy { space: AddressSpace::Private, ..e.ty });
            match self.assigned_name(e) {
                Some((what, name)) => format!("cannot assign to {what} '{name}' with const-qualified type '{text}'"),
                None => "read-only variable is not assignable".to_string(),
            }
        } else if let Some(member) = self.const_member(e.ty.ty) {
            match self.assigned_name(e) {
                Some((what, name)) => {
                    format!("cannot assign to {what} '{name}' with const-qualified data member '{member}'")
                }
                None => format!("cannot assign to a value with const-qualified data member '{member}'"),
            }
        } else if let ExprKind::Lanes(_, lanes) = e.kind
            && has_duplicates(lanes.as_slice())
        {
            "vector is not assignable (contains duplicate components)".to_string()
        } else {
            return true;
        };
        self.error(span, message);
        false
    }

    /// What the place is, for messages about assigning to it.
    fn assigned_name(&self, e: ExprRef<'h>) -> Option<(&'static str, &str)> {
        match e.kind {
            ExprKind::PrivateVariable(id) => Some(("variable", self.text(self.body.variables.get(id)?.name))),
            ExprKind::ModuleVariable(id) => Some(("variable", self.text(self.program.variables.get(id)?.name))),
            ExprKind::Field(record, index) if !record.ty.quals.contains(Qualifiers::CONST) => {
                let TyKind::Record(id) = self.kind(record.ty.ty) else { return None };
                let field = self.program.types.record(id).fields.as_ref()?.get(index as usize)?;
                Some(("member", self.text(field.name?)))
            }
            _ => None,
        }
    }

    /// The name of a `const` member somewhere in a record.
    fn const_member(&self, ty: Ty) -> Option<String> {
        let TyKind::Record(id) = self.kind(ty) else { return None };
        self.program.types.find_member(id, &mut |field, inner| {
            let is_const = inner.quals.contains(Qualifiers::CONST);
            is_const.then(|| field.name.map_or(String::new(), |name| self.text(name).to_string()))
        })
    }

    /// Whether an expression's text begins with a parenthesis and ends without one: `(float)x`.
    fn is_written_cast(&self, span: Span) -> bool {
        let is = |index: u32, punct| {
            let token = self.table.tokens.get(index as usize);
            token.is_some_and(|token| token.kind == TokenKind::Punct(punct))
        };
        is(span.lo, Punct::LParen) && !is(span.hi.saturating_sub(1), Punct::RParen)
    }

    /// `=` and `op=`.
    pub(super) fn assign(
        &mut self,
        op: Option<ast::BinaryOp>,
        left: &'a ast::Expr<'a>,
        right: &'a ast::Expr<'a>,
        op_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        let place = self.expr(left);
        let value = self.value(right);
        if place.ty.ty == Ty::ERROR || value.ty.ty == Ty::ERROR || !self.check_modifiable(place, op_span) {
            return self.error_expr(span);
        }
        let ty = place.ty.ty;
        if matches!(self.kind(ty), TyKind::Image(..) | TyKind::Sampler | TyKind::Pipe(..)) {
            return self.invalid_operands(place, value, op_span, span);
        }
        if op.is_none() && [ty, value.ty.ty].iter().any(|ty| matches!(self.kind(*ty), TyKind::Atomic(_))) {
            let diagnostic = self.error_at(op_span, "atomic objects cannot be operands of an assignment");
            self.push(diagnostic.with_help("use 'atomic_store', 'atomic_load' or 'atomic_init'"));
            return self.error_expr(span);
        }
        self.self_assignment(op, left, right, op_span, ty);
        match op {
            None => {
                let value = self.convert_for_assignment(value, ty, AssignmentAction::Assigning);
                if value.ty.ty == Ty::ERROR {
                    return self.error_expr(span);
                }
                self.make(ExprKind::Assign { place, value }, ty, span)
            }
            Some(op) => self.compound_assign(op, place, value, op_span, span),
        }
    }

    fn compound_assign(
        &mut self,
        op: ast::BinaryOp,
        place: ExprRef<'h>,
        value: ExprRef<'h>,
        op_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        let ty = place.ty.ty;
        let (class, op) = classify(op);
        if let Some(e) = self.matrix_compound_assign(op, place, value, op_span, span) {
            return e;
        }
        if self.is_pointer(place) {
            if !matches!(op, BinaryOp::Add | BinaryOp::Sub) {
                return self.invalid_operands(place, value, op_span, span);
            }
            let Some(index) = self.index_value(value) else {
                return self.invalid_operands(place, value, op_span, span);
            };
            if !self.check_pointee_complete(ty, op_span) {
                return self.error_expr(span);
            }
            let negative = op == BinaryOp::Sub;
            return self.make(ExprKind::PointerAssignAdd { place, index, negative }, ty, span);
        }
        // A stand-in for the place's value, to find the types; the place itself is read once, by the operation.
        let current = self.make(ExprKind::Load(place), ty, place.span);
        if class == OperatorClass::Shift {
            let Some((left, right)) = self.shift_operands(current, value, op_span) else {
                return self.error_expr(span);
            };
            let computation = left.ty.ty;
            return self.make(ExprKind::CompoundAssign { place, op, value: right, computation }, ty, span);
        }
        let written = value;
        let (_, value, computation) = match self.arithmetic_operands(current, value, op_span, span) {
            Ok(converted) => converted,
            Err(error) => return error,
        };
        if class == OperatorClass::Integer && !self.has_integer_lanes(computation) {
            return self.invalid_operands(current, written, op_span, span);
        }
        let types = &self.program.types;
        if types.lanes(computation).map(|l| l.1) != types.lanes(ty).map(|l| l.1) {
            let message =
                format!("assigning to {} from incompatible type {}", self.quoted(ty), self.quoted(computation));
            self.error(op_span, message);
            return self.error_expr(span);
        }
        self.implicit_conversion(written, computation);
        self.assigned_result(written, computation, ty, op_span);
        self.make(ExprKind::CompoundAssign { place, op, value, computation }, ty, span)
    }

    /// `++` and `--`.
    pub(super) fn increment(
        &mut self,
        operand: &'a ast::Expr<'a>,
        decrement: bool,
        postfix: bool,
        span: Span,
    ) -> ExprRef<'h> {
        let place = self.expr(operand);
        if !self.check_modifiable(place, span) {
            return self.error_expr(span);
        }
        let ty = place.ty.ty;
        let float_vector = matches!(self.kind(ty), TyKind::Vector(Scalar::Float(_), _));
        if float_vector || (self.program.types.lanes(ty).is_none() && !self.is_pointer(place)) {
            let verb = if decrement { "decrement" } else { "increment" };
            let text = self.quoted(ty);
            self.error(span, format!("cannot {verb} value of type {text}"));
            return self.error_expr(span);
        }
        if self.is_pointer(place) && !self.check_pointee_complete(ty, span) {
            return self.error_expr(span);
        }
        self.make(ExprKind::Increment { place, decrement, postfix }, ty, span)
    }
}

/// Whether the lvalue is part of a temporary.
fn is_temporary(mut e: ExprRef<'_>) -> bool {
    loop {
        match e.kind {
            ExprKind::Temporary(_) => return true,
            ExprKind::Field(base, _) | ExprKind::Lanes(base, _) | ExprKind::Lane(base, _) => e = base,
            _ => return false,
        }
    }
}

pub(super) fn has_duplicates(lanes: &[u8]) -> bool {
    let mut seen = 0u32;
    lanes.iter().any(|lane| {
        let bit = 1u32 << (lane & 31);
        let again = seen & bit != 0;
        seen |= bit;
        again
    })
}
