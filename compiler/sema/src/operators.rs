//! Unary and binary operators (6.3 of OpenCL C 1.2).

use super::conversions::OperandError;
use super::fold;
use super::{ExprRef, Sema};
use crate::hir::{BinaryOp, Conversion, ExprKind, IntKind, Scalar, Ty, TyKind, UnaryOp};
use clforge_basic::diag::WarningFlag;
use clforge_basic::narrow::to_u32;
use clforge_basic::source::Span;
use clforge_syntax::ast::{self, Qualifiers};
use smallvec::SmallVec;

/// Operators with the same constraints and conversions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperatorClass {
    Arithmetic,
    /// `%`, `&`, `|`, `^`.
    Integer,
    Shift,
    Comparison,
    Logical,
}

pub(super) fn classify(op: ast::BinaryOp) -> (OperatorClass, BinaryOp) {
    match op {
        ast::BinaryOp::Mul => (OperatorClass::Arithmetic, BinaryOp::Mul),
        ast::BinaryOp::Div => (OperatorClass::Arithmetic, BinaryOp::Div),
        ast::BinaryOp::Add => (OperatorClass::Arithmetic, BinaryOp::Add),
        ast::BinaryOp::Sub => (OperatorClass::Arithmetic, BinaryOp::Sub),
        ast::BinaryOp::Rem => (OperatorClass::Integer, BinaryOp::Rem),
        ast::BinaryOp::BitAnd => (OperatorClass::Integer, BinaryOp::And),
        ast::BinaryOp::BitOr => (OperatorClass::Integer, BinaryOp::Or),
        ast::BinaryOp::BitXor => (OperatorClass::Integer, BinaryOp::Xor),
        ast::BinaryOp::Shl => (OperatorClass::Shift, BinaryOp::Shl),
        ast::BinaryOp::Shr => (OperatorClass::Shift, BinaryOp::Shr),
        ast::BinaryOp::Lt => (OperatorClass::Comparison, BinaryOp::Lt),
        ast::BinaryOp::Gt => (OperatorClass::Comparison, BinaryOp::Gt),
        ast::BinaryOp::Le => (OperatorClass::Comparison, BinaryOp::Le),
        ast::BinaryOp::Ge => (OperatorClass::Comparison, BinaryOp::Ge),
        ast::BinaryOp::Eq => (OperatorClass::Comparison, BinaryOp::Eq),
        ast::BinaryOp::Ne => (OperatorClass::Comparison, BinaryOp::Ne),
        ast::BinaryOp::LogicalAnd => (OperatorClass::Logical, BinaryOp::LogicalAnd),
        ast::BinaryOp::LogicalOr => (OperatorClass::Logical, BinaryOp::LogicalOr),
    }
}

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// A chain of binary operators: its left spine is walked in a loop, so that its length does not matter.
    pub(super) fn binary_spine(&mut self, e: &'a ast::Expr<'a>) -> ExprRef<'h> {
        let mut spine: SmallVec<[_; 4]> = SmallVec::new();
        let mut leftmost = e;
        while let ast::ExprKind::Binary { op, left, right, op_span } = leftmost.kind {
            spine.push((op, right, op_span, leftmost.span));
            leftmost = left;
        }
        let mut left = self.value(leftmost);
        let mut left_tree = Some(leftmost);
        let mut left_op = None;
        while let Some((op, right_tree, op_span, span)) = spine.pop() {
            let right = self.value(right_tree);
            self.precedence(op, left_op, right_tree, left.span, op_span);
            if let Some(left_tree) = left_tree.take() {
                self.self_comparison(op, left_tree, right_tree, left, op_span);
            }
            left_op = Some(op);
            left = self.binary(op, left, right, op_span, span);
        }
        left
    }

    fn binary(
        &mut self,
        op: ast::BinaryOp,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        op_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        if left.ty.ty == Ty::ERROR || right.ty.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        let (class, hir_op) = classify(op);
        if let Some(e) = self.matrix_binary(hir_op, left, right, op_span, span) {
            return e;
        }
        let queues = self.kind(left.ty.ty) == TyKind::Queue || self.kind(right.ty.ty) == TyKind::Queue;
        let pointers = !queues && (self.is_pointer(left) || self.is_pointer(right));
        match class {
            OperatorClass::Logical => self.logical(hir_op, left, right, op_span, span),
            OperatorClass::Shift => self.shift(hir_op, left, right, op_span, span),
            OperatorClass::Comparison if pointers => self.compare_pointers(hir_op, left, right, op_span, span),
            OperatorClass::Arithmetic if pointers => self.pointer_arithmetic(hir_op, left, right, op_span, span),
            OperatorClass::Comparison => self.comparison(hir_op, left, right, op_span, span),
            OperatorClass::Arithmetic | OperatorClass::Integer => {
                self.arithmetic(class, hir_op, left, right, op_span, span)
            }
        }
    }

    pub(super) fn invalid_operands(
        &mut self,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        op_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        let (left, right) = (self.quoted(left.ty.ty), self.quoted(right.ty.ty));
        self.error(op_span, format!("invalid operands to binary expression ({left} and {right})"));
        self.error_expr(span)
    }

    /// The operands of an arithmetic operator, converted, and their common type; in `Err` the error expression.
    pub(super) fn arithmetic_operands(
        &mut self,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        op_span: Span,
        span: Span,
    ) -> Result<(ExprRef<'h>, ExprRef<'h>, Ty), ExprRef<'h>> {
        self.usual_arithmetic_conversions(left, right, op_span).map_err(|error| match error {
            OperandError::Reported => self.error_expr(span),
            OperandError::NotArithmetic => self.invalid_operands(left, right, op_span, span),
        })
    }

    fn arithmetic(
        &mut self,
        class: OperatorClass,
        op: BinaryOp,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        op_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        let (a, b, ty) = match self.arithmetic_operands(left, right, op_span, span) {
            Ok(converted) => converted,
            Err(error) => return error,
        };
        self.operands_converted(left, right, ty);
        if class == OperatorClass::Integer && !self.has_integer_lanes(ty) {
            return self.invalid_operands(left, right, op_span, span);
        }
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && matches!(b.kind, ExprKind::Int(0)) {
            let what = if op == BinaryOp::Div { "division" } else { "remainder" };
            self.warning(WarningFlag::DivisionByZero, op_span, format!("{what} by zero is undefined"));
        }
        self.make_binary(op, a, b, ty, span)
    }

    /// Folds two literals; otherwise makes the node. `ty`: the result's type.
    pub(super) fn make_binary(
        &mut self,
        op: BinaryOp,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        ty: Ty,
        span: Span,
    ) -> ExprRef<'h> {
        if let (Some(a), Some(b)) = (self.literal(left), self.literal(right))
            && let Some((scalar, 1)) = self.program.types.lanes(left.ty.ty)
            && let Some(number) = fold::binary(op, scalar, a, b)
        {
            return self.make_number(number, ty, span);
        }
        self.make(ExprKind::Binary(op, left, right), ty, span)
    }

    pub(super) fn has_integer_lanes(&self, ty: Ty) -> bool {
        matches!(self.program.types.lanes(ty), Some((Scalar::Int(_) | Scalar::Bool, _)))
    }

    /// Both operands of a shift, converted, and the result's type (6.3.j).
    pub(super) fn shift_operands(
        &mut self,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        op_span: Span,
    ) -> Option<(ExprRef<'h>, ExprRef<'h>)> {
        let types = &self.program.types;
        let (Some((a, left_lanes)), Some((b, right_lanes))) = (types.lanes(left.ty.ty), types.lanes(right.ty.ty))
        else {
            self.invalid_operands(left, right, op_span, op_span);
            return None;
        };
        if matches!(a, Scalar::Float(_)) || matches!(b, Scalar::Float(_)) {
            self.invalid_operands(left, right, op_span, op_span);
            return None;
        }
        match (left_lanes, right_lanes) {
            (1, 1) => Some((self.promote(left), self.promote(right))),
            (1, _) => {
                let message = format!(
                    "requested shift is a vector of type {} but the first operand is not a vector ({})",
                    self.quoted(right.ty.ty),
                    self.quoted(left.ty.ty)
                );
                self.error(op_span, message);
                None
            }
            (_, 1) => {
                let right = self.promote(right);
                let splat = self.convert(right, left.ty.ty);
                Some((left, splat))
            }
            _ if left_lanes == right_lanes => Some((left, right)),
            _ => {
                let message = format!(
                    "vector operands do not have the same number of elements ({} and {})",
                    self.quoted(left.ty.ty),
                    self.quoted(right.ty.ty)
                );
                self.error(op_span, message);
                None
            }
        }
    }

    fn shift(&mut self, op: BinaryOp, left: ExprRef<'h>, right: ExprRef<'h>, op_span: Span, span: Span) -> ExprRef<'h> {
        match self.shift_operands(left, right, op_span) {
            Some((left, right)) => self.make_binary(op, left, right, left.ty.ty, span),
            None => self.error_expr(span),
        }
    }

    /// The signed integer type with as many lanes, as wide as the lanes (6.3.d).
    pub(super) fn comparison_type(&mut self, ty: Ty) -> Ty {
        match self.program.types.lanes(ty) {
            Some((scalar, lanes)) if lanes > 1 => {
                let kind = IntKind::of(to_u32(scalar.size()) * 8, true);
                self.program.types.vector(Scalar::Int(kind), lanes)
            }
            _ => Ty::INT,
        }
    }

    fn comparison(
        &mut self,
        op: BinaryOp,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        op_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        match self.usual_arithmetic_conversions(left, right, op_span) {
            Ok((a, b, ty)) => {
                self.constant_comparison(op, left, right, op_span);
                self.compared(op, left, right, ty, op_span);
                let result = self.comparison_type(ty);
                self.make_binary(op, a, b, result, span)
            }
            Err(OperandError::Reported) => self.error_expr(span),
            Err(OperandError::NotArithmetic) => match self.enqueueing_operands(left, right) {
                Some((left, right)) if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                    self.make(ExprKind::Binary(op, left, right), Ty::INT, span)
                }
                _ => self.invalid_operands(left, right, op_span, span),
            },
        }
    }

    /// Two device events, two queues, or a queue and a null pointer constant, which clang compares too: both as values of
    /// that type.
    fn enqueueing_operands(&mut self, left: ExprRef<'h>, right: ExprRef<'h>) -> Option<(ExprRef<'h>, ExprRef<'h>)> {
        match (self.kind(left.ty.ty), self.kind(right.ty.ty)) {
            (TyKind::ClkEvent, TyKind::ClkEvent) | (TyKind::Queue, TyKind::Queue) => Some((left, right)),
            (TyKind::Queue, _) if self.is_null_constant(right) => Some((left, self.convert(right, left.ty.ty))),
            (_, TyKind::Queue) if self.is_null_constant(left) => Some((self.convert(left, right.ty.ty), right)),
            _ => None,
        }
    }

    fn logical(
        &mut self,
        op: BinaryOp,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        op_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        let lanes = |e: ExprRef<'h>| self.program.types.lanes(e.ty.ty).map_or(0, |(_, lanes)| lanes);
        if lanes(left) > 1 || lanes(right) > 1 {
            let (a, b) = match self.arithmetic_operands(left, right, op_span, span) {
                Ok((a, b, _)) => (self.lane_truth(a), self.lane_truth(b)),
                Err(error) => return error,
            };
            return self.make(ExprKind::Binary(op, a, b), a.ty.ty, span);
        }
        for operand in [left, right] {
            if lanes(operand) == 0 && !self.is_pointer(operand) {
                return self.invalid_operands(left, right, op_span, span);
            }
        }
        let (a, b) = (self.condition_value(left), self.condition_value(right));
        let and = op == BinaryOp::LogicalAnd;
        if let (ExprKind::Int(x), ExprKind::Int(y)) = (a.kind, b.kind) {
            let value = if and { x != 0 && y != 0 } else { x != 0 || y != 0 };
            return self.int(u64::from(value), Ty::INT, span);
        }
        self.make(ExprKind::Logical { and, left: a, right: b }, Ty::INT, span)
    }

    /// `v != 0` lane by lane: -1 where true.
    fn lane_truth(&mut self, e: ExprRef<'h>) -> ExprRef<'h> {
        let zero = self.int(0, Ty::INT, e.span);
        let zeros = self.convert(zero, e.ty.ty);
        let ty = self.comparison_type(e.ty.ty);
        self.make(ExprKind::Binary(BinaryOp::Ne, e, zeros), ty, e.span)
    }

    /// `+ - ~ !`; the others are about pointers.
    pub(super) fn unary(&mut self, op: ast::UnaryOp, operand: &'a ast::Expr<'a>, span: Span) -> ExprRef<'h> {
        let hir_op = match op {
            ast::UnaryOp::AddressOf => return self.address_of(operand, span),
            ast::UnaryOp::Dereference => return self.dereference(operand, span),
            ast::UnaryOp::Real | ast::UnaryOp::Imag => {
                self.error(span, "complex numbers are not supported in OpenCL C");
                return self.error_expr(span);
            }
            ast::UnaryOp::Plus => None,
            ast::UnaryOp::Minus => Some(UnaryOp::Negate),
            ast::UnaryOp::BitNot => Some(UnaryOp::BitNot),
            ast::UnaryOp::LogicalNot => Some(UnaryOp::LogicalNot),
        };
        let value = self.value(operand);
        if value.ty.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        if let Some(e) = self.matrix_unary(op, value, span) {
            return e;
        }
        let lanes = self.program.types.lanes(value.ty.ty);
        if hir_op == Some(UnaryOp::LogicalNot) {
            return self.logical_not(value, lanes.map(|(_, lanes)| lanes), span);
        }
        let Some((scalar, _)) = lanes else { return self.invalid_unary(value, span) };
        let value = self.promote(value);
        let Some(hir_op) = hir_op else { return self.arena.alloc(crate::hir::Expr { span, ..*value }) };
        if hir_op == UnaryOp::BitNot && matches!(scalar, Scalar::Float(_)) {
            return self.invalid_unary(value, span);
        }
        self.make_unary(hir_op, value, value.ty.ty, span)
    }

    fn invalid_unary(&mut self, value: ExprRef<'h>, span: Span) -> ExprRef<'h> {
        let text = self.quoted(value.ty.ty);
        self.error(span, format!("invalid argument type {text} to unary expression"));
        self.error_expr(span)
    }

    fn make_unary(&mut self, op: UnaryOp, value: ExprRef<'h>, ty: Ty, span: Span) -> ExprRef<'h> {
        if let Some(number) = self.literal(value)
            && let Some((scalar, 1)) = self.program.types.lanes(value.ty.ty)
            && let Some(folded) = fold::unary(op, scalar, number)
        {
            return self.make_number(folded, ty, span);
        }
        self.make(ExprKind::Unary(op, value), ty, span)
    }

    fn logical_not(&mut self, value: ExprRef<'h>, lanes: Option<u8>, span: Span) -> ExprRef<'h> {
        if lanes.is_some_and(|lanes| lanes > 1) {
            let ty = self.comparison_type(value.ty.ty);
            return self.make(ExprKind::Unary(UnaryOp::LogicalNot, value), ty, span);
        }
        if lanes.is_none() && !self.is_pointer(value) {
            return self.invalid_unary(value, span);
        }
        let condition = self.condition_value(value);
        self.make_unary(UnaryOp::LogicalNot, condition, Ty::INT, span)
    }

    /// An expression statement's or comma operand's value is dropped.
    pub(super) fn discard(&mut self, e: ExprRef<'h>) -> ExprRef<'h> {
        if e.ty.ty == Ty::ERROR || (e.is_place() && e.ty.quals.contains(Qualifiers::VOLATILE)) {
            return if e.is_place() { self.lvalue_conversion(e) } else { e };
        }
        if e.is_place() {
            // Reading an ordinary place has no effect; its operands may have.
            let value = if self.kind(e.ty.ty) == TyKind::Void {
                return self.discard_void(e);
            } else {
                self.lvalue_conversion(e)
            };
            return self.make(ExprKind::Convert(Conversion::Discard, value), Ty::VOID, e.span);
        }
        e
    }

    fn discard_void(&mut self, e: ExprRef<'h>) -> ExprRef<'h> {
        match e.kind {
            ExprKind::Deref(pointer) => self.convert(pointer, Ty::VOID),
            _ => self.error_expr(e.span),
        }
    }
}
