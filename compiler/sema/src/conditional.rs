//! The conditional operator `?:` (C99 6.5.15, OpenCL C 6.3.i), with scalar and with vector conditions.

use super::conversions::OperandError;
use super::{ExprRef, Sema};
use crate::hir::{ExprKind, Scalar, Ty, TyKind};
use clforge_basic::source::Span;
use clforge_syntax::ast;

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// `c ? a : b` and GNU's `a ?: b`.
    pub(super) fn conditional(
        &mut self,
        condition: &'a ast::Expr<'a>,
        then: Option<&'a ast::Expr<'a>>,
        otherwise: &'a ast::Expr<'a>,
        span: Span,
    ) -> ExprRef<'h> {
        let condition = self.value(condition);
        let Some(then) = then else {
            return self.conditional_without_second_operand(condition, otherwise, span);
        };
        let then = self.value(then);
        let otherwise = self.value(otherwise);
        self.conditional_values(condition, then, otherwise, span)
    }

    /// GNU's `a ?: b`: `a` is evaluated once.
    fn conditional_without_second_operand(
        &mut self,
        condition: ExprRef<'h>,
        otherwise: &'a ast::Expr<'a>,
        span: Span,
    ) -> ExprRef<'h> {
        let plain = matches!(condition.kind, ExprKind::Int(_) | ExprKind::Float(_));
        if plain || condition.ty.ty == Ty::ERROR || condition.ty.ty == Ty::VOID {
            let otherwise = self.value(otherwise);
            return self.conditional_values(condition, condition, otherwise, span);
        }
        let Some((declaration, condition)) = self.bind(condition) else { return self.error_expr(span) };
        let otherwise = self.value(otherwise);
        let value = self.conditional_values(condition, condition, otherwise, span);
        self.after(&[declaration], value, span)
    }

    fn conditional_values(
        &mut self,
        condition: ExprRef<'h>,
        then: ExprRef<'h>,
        otherwise: ExprRef<'h>,
        span: Span,
    ) -> ExprRef<'h> {
        if [condition, then, otherwise].iter().any(|e| e.ty.ty == Ty::ERROR) {
            return self.error_expr(span);
        }
        if matches!(self.kind(then.ty.ty), TyKind::Block(_)) || matches!(self.kind(otherwise.ty.ty), TyKind::Block(_)) {
            self.error(span, "block type cannot be used as expression in ternary expression in OpenCL");
            return self.error_expr(span);
        }
        if let Some((scalar, lanes)) = self.program.types.lanes(condition.ty.ty)
            && lanes > 1
        {
            return self.vector_conditional(condition, scalar, lanes, then, otherwise, span);
        }
        if matches!(self.kind(condition.ty.ty), TyKind::Float(_)) {
            // 6.3.i: "which can be a scalar or vector result except float"
            let text = self.quoted(condition.ty.ty);
            let diagnostic = self
                .error_at(condition.span, format!("used type {text} where floating point type is not allowed"))
                .with_help("compare it with zero: 'x != 0'");
            self.push(diagnostic);
            return self.error_expr(span);
        }
        if matches!(self.kind(condition.ty.ty), TyKind::Record(_)) {
            let text = self.quoted(condition.ty.ty);
            self.error(condition.span, format!("used type {text} where arithmetic or pointer type is required"));
            return self.error_expr(span);
        }
        let condition = self.condition_value(condition);
        let Some((then, otherwise)) = self.conditional_operands(then, otherwise, span) else {
            return self.error_expr(span);
        };
        match condition.kind {
            ExprKind::Int(value) if then.ty.ty != Ty::VOID => {
                if value != 0 {
                    then
                } else {
                    otherwise
                }
            }
            _ => self.make(ExprKind::Conditional { condition, then, otherwise }, then.ty.ty, span),
        }
    }

    /// The second and third operand, converted to their common type (C99 6.5.15); reports where there is none.
    fn conditional_operands(
        &mut self,
        then: ExprRef<'h>,
        otherwise: ExprRef<'h>,
        span: Span,
    ) -> Option<(ExprRef<'h>, ExprRef<'h>)> {
        let is_handle = |kind: TyKind| matches!(kind, TyKind::Image(..) | TyKind::Sampler | TyKind::Pipe(..));
        if is_handle(self.kind(then.ty.ty)) || is_handle(self.kind(otherwise.ty.ty)) {
            // They cannot be chosen at run time: they name arguments of the kernel, and are not values (6.12.b, 6.12.c).
            let (then, otherwise) = (self.quoted(then.ty.ty), self.quoted(otherwise.ty.ty));
            self.error(span, format!("incompatible operand types ({then} and {otherwise})"));
            return None;
        }
        if then.ty.ty == otherwise.ty.ty && self.program.types.lanes(then.ty.ty).is_none_or(|(_, lanes)| lanes > 1) {
            return Some((then, otherwise));
        }
        if self.is_pointer(then) || self.is_pointer(otherwise) {
            return self.conditional_pointers(then, otherwise, span);
        }
        if then.ty.ty == Ty::VOID || otherwise.ty.ty == Ty::VOID {
            return Some((self.convert(then, Ty::VOID), self.convert(otherwise, Ty::VOID)));
        }
        match self.usual_arithmetic_conversions(then, otherwise, span) {
            Ok((then, otherwise, _)) => Some((then, otherwise)),
            Err(OperandError::Reported) => None,
            Err(OperandError::NotArithmetic) => {
                let message = format!(
                    "incompatible operand types ({} and {})",
                    self.quoted(then.ty.ty),
                    self.quoted(otherwise.ty.ty)
                );
                self.error(span, message);
                None
            }
        }
    }

    /// 6.3.i: lanes chosen by the condition's lanes.
    fn vector_conditional(
        &mut self,
        condition: ExprRef<'h>,
        scalar: Scalar,
        lanes: u8,
        then: ExprRef<'h>,
        otherwise: ExprRef<'h>,
        span: Span,
    ) -> ExprRef<'h> {
        if matches!(scalar, Scalar::Float(_)) {
            let text = self.quoted(condition.ty.ty);
            self.error(condition.span, format!("used type {text} where floating point type is not allowed"));
            return self.error_expr(span);
        }
        // Scalars of one type become lanes of that type: they are not promoted first.
        let is_scalar = matches!(self.program.types.lanes(then.ty.ty), Some((_, 1)));
        let converted = if is_scalar && then.ty.ty == otherwise.ty.ty {
            Ok((then, otherwise, then.ty.ty))
        } else {
            self.usual_arithmetic_conversions(then, otherwise, span)
        };
        let (then, otherwise, ty) = match converted {
            Ok(converted) => converted,
            Err(OperandError::Reported) => return self.error_expr(span),
            Err(OperandError::NotArithmetic) => {
                let (then, otherwise) = (self.quoted(then.ty.ty), self.quoted(otherwise.ty.ty));
                self.error(span, format!("incompatible operand types ({then} and {otherwise})"));
                return self.error_expr(span);
            }
        };
        let Some((element, result_lanes)) = self.program.types.lanes(ty) else { return self.error_expr(span) };
        let what = if element.size() != scalar.size() {
            Some("vector condition type and result type do not have elements of the same size")
        } else if result_lanes != 1 && result_lanes != lanes {
            Some("vector condition type and result type do not have the same number of elements")
        } else {
            None
        };
        if let Some(what) = what {
            let message = format!("{what} ({} and {})", self.quoted(condition.ty.ty), self.quoted(ty));
            self.error(span, message);
            return self.error_expr(span);
        }
        let ty = self.program.types.vector(element, lanes);
        let (then, otherwise) = (self.convert(then, ty), self.convert(otherwise, ty));
        self.make(ExprKind::Select { condition, then, otherwise }, ty, span)
    }
}
