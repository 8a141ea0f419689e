//! The kinds and the operands of expressions.

use super::{Expr, ExprKind, Init};

impl<'h> Expr<'h> {
    /// Whether it is a place (C's lvalue) and not a value: see the contract of [`crate::hir`].
    pub fn is_place(&self) -> bool {
        matches!(
            self.kind,
            ExprKind::PrivateVariable(_)
                | ExprKind::ModuleVariable(_)
                | ExprKind::Deref(_)
                | ExprKind::Field(..)
                | ExprKind::Lanes(..)
                | ExprKind::Lane(..)
                | ExprKind::Temporary(_)
                | ExprKind::CompoundLiteral { .. }
        )
    }

    /// Every expression directly inside this one, in order of evaluation where there is one; of a statement expression only
    /// its value.
    pub fn each_operand(&self, visit: &mut dyn FnMut(&'h Expr<'h>)) {
        match self.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::PrivateVariable(_) | ExprKind::ModuleVariable(_) => {}
            ExprKind::Load(e)
            | ExprKind::AddressOf(e)
            | ExprKind::Unary(_, e)
            | ExprKind::Convert(_, e)
            | ExprKind::Swizzle(e, _)
            | ExprKind::Deref(e)
            | ExprKind::Field(e, _)
            | ExprKind::Lanes(e, _)
            | ExprKind::Temporary(e)
            | ExprKind::Increment { place: e, .. } => visit(e),
            ExprKind::Binary(_, a, b)
            | ExprKind::PointerAdd { pointer: a, index: b, .. }
            | ExprKind::PointerDifference(a, b)
            | ExprKind::Logical { left: a, right: b, .. }
            | ExprKind::Assign { place: a, value: b }
            | ExprKind::CompoundAssign { place: a, value: b, .. }
            | ExprKind::PointerAssignAdd { place: a, index: b, .. }
            | ExprKind::Lane(a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::Conditional { condition, then, otherwise } | ExprKind::Select { condition, then, otherwise } => {
                visit(condition);
                visit(then);
                visit(otherwise);
            }
            ExprKind::VectorLiteral(list)
            | ExprKind::Comma(list)
            | ExprKind::Call { arguments: list, .. }
            | ExprKind::Builtin { arguments: list, .. } => list.iter().for_each(|e| visit(e)),
            ExprKind::BlockLiteral { captures, .. } => captures.iter().for_each(|part| visit(part.value)),
            ExprKind::Enqueue(enqueue) => {
                enqueue.arguments.iter().for_each(|e| visit(e));
                visit(enqueue.block);
                enqueue.sizes.iter().for_each(|e| visit(e));
            }
            ExprKind::StatementExpr { value, .. } => value.into_iter().for_each(visit),
            ExprKind::CompoundLiteral { init, .. } => init.each_value(visit),
        }
    }
}

impl<'h> Init<'h> {
    /// Every expression of an initialiser.
    pub fn each_value(&self, visit: &mut dyn FnMut(&'h Expr<'h>)) {
        match self {
            Init::Value(value) => visit(value),
            Init::Parts(parts) | Init::ConstantAndParts(_, parts) => parts.iter().for_each(|part| visit(part.value)),
            Init::Constant(_) => {}
        }
    }
}
