//! `__builtin_add_overflow` and similar: the mathematical result is stored, truncated to the type of the object; the
//! value of the call says whether it overflowed.

use super::conversions::AssignmentAction;
use super::{ExprRef, Sema};
use crate::hir::{BinaryOp, ExprKind, IntKind, Scalar, Stmt, StmtKind, Ty, TyKind};
use clforge_basic::source::Span;
use clforge_syntax::gnu::Arithmetic;

impl<'h> Sema<'_, 'h, '_> {
    /// A call; `operands` are signedness and length where the function's name says them. `None`: not for these arguments,
    /// or of unsigned and signed integers that 64 bits do not hold both.
    pub(super) fn overflow(
        &mut self,
        operation: Arithmetic,
        operands: Option<(bool, bool)>,
        values: &[ExprRef<'h>],
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let [left, right, target] = *values else { return None };
        let place = self.pointee(target.ty.ty)?;
        let stored = self.integer_kind(place.ty)?;
        let named = operands.map(|(signed, long)| IntKind::of(if long { 64 } else { 32 }, signed));
        let mut sides = [left, right];
        for side in &mut sides {
            *side = match named {
                Some(kind) => {
                    let ty = self.program.types.intern(TyKind::Int(kind));
                    self.convert_for_assignment(side, ty, AssignmentAction::Passing(None))
                }
                None => self.promote(side),
            };
        }
        let kinds = [self.integer_kind(sides[0].ty.ty)?, self.integer_kind(sides[1].ty.ty)?];
        let computed = self.computed_kind(operation, sides, kinds, stored)?;
        let ty = self.program.types.intern(TyKind::Int(computed));
        let sides = sides.map(|side| self.convert(side, ty));
        let (first_declared, first) = self.bind(sides[0])?;
        let (second_declared, second) = self.bind(sides[1])?;
        let result = self.wrapped(operation, computed, first, second, span);
        let (declared, result) = self.bind(result)?;
        let narrow = self.convert(result, place.ty);
        let widened = self.convert(narrow, ty);
        let is_cut = self.make_binary(BinaryOp::Ne, widened, result, Ty::INT, span);
        let is_exact = kinds.iter().chain([&stored]).all(|kind| kind.bits() <= 32);
        let overflows = if is_exact {
            is_cut
        } else {
            let wraps = self.wraps(operation, computed, [first, second, result], span)?;
            self.make_binary(BinaryOp::Or, is_cut, wraps, Ty::INT, span)
        };
        let place = self.make_lvalue(ExprKind::Deref(target), place, span);
        let store = self.make(ExprKind::Assign { place, value: narrow }, narrow.ty.ty, span);
        let store = Stmt { kind: StmtKind::Expr(store), span };
        let overflows = self.condition_value(overflows);
        Some(self.after(&[first_declared, second_declared, declared, store], overflows, span))
    }

    fn integer_kind(&self, ty: Ty) -> Option<IntKind> {
        match self.program.types.lanes(ty)? {
            (Scalar::Int(kind), 1) => Some(kind),
            _ => None,
        }
    }

    /// The type to compute in. 64 bits hold every result of operands of 32 bits; else they must hold the operands.
    fn computed_kind(
        &self,
        operation: Arithmetic,
        sides: [ExprRef<'h>; 2],
        kinds: [IntKind; 2],
        stored: IntKind,
    ) -> Option<IntKind> {
        let is_long = |kind: &IntKind| kind.bits() == 64;
        if !kinds.iter().any(is_long) && !is_long(&stored) {
            let unsigned = operation == Arithmetic::Mul && kinds.iter().all(|kind| !kind.is_signed());
            return Some(IntKind::of(64, !unsigned));
        }
        let computed = if is_long(&stored) { stored } else { kinds.into_iter().find(is_long)? };
        let fits = |kind: IntKind, value: ExprRef<'h>| {
            let narrower = kind.bits() < computed.bits() && computed.is_signed();
            let known = || self.folded_integer(value).is_some_and(|(value, _)| value.cast_signed() >= 0);
            kind.is_signed() == computed.is_signed() || narrower && !kind.is_signed() || known()
        };
        (fits(kinds[0], sides[0]) && fits(kinds[1], sides[1])).then_some(computed)
    }

    /// The low bits of the result: unsigned arithmetic, which wraps around.
    fn wrapped(
        &mut self,
        operation: Arithmetic,
        kind: IntKind,
        a: ExprRef<'h>,
        b: ExprRef<'h>,
        span: Span,
    ) -> ExprRef<'h> {
        let signed = self.program.types.intern(TyKind::Int(kind));
        let unsigned = self.program.types.intern(TyKind::Int(IntKind::of(64, false)));
        let (a, b) = (self.convert(a, unsigned), self.convert(b, unsigned));
        let op = match operation {
            Arithmetic::Add => BinaryOp::Add,
            Arithmetic::Sub => BinaryOp::Sub,
            Arithmetic::Mul => BinaryOp::Mul,
        };
        let result = self.make_binary(op, a, b, unsigned, span);
        self.convert(result, signed)
    }

    /// Whether 64 bits do not hold the result of operands of 64 bits.
    fn wraps(
        &mut self,
        operation: Arithmetic,
        kind: IntKind,
        [a, b, r]: [ExprRef<'h>; 3],
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let ty = a.ty.ty;
        let compare = |sema: &mut Self, op, left, right| sema.make_binary(op, left, right, Ty::INT, span);
        if operation == Arithmetic::Mul {
            let high = self.opencl_call("mul_hi", &[a, b], span)?;
            let expected = if kind.is_signed() {
                let distance = self.int(63, Ty::INT, span);
                self.make_binary(BinaryOp::Shr, r, distance, ty, span)
            } else {
                self.int(0, ty, span)
            };
            return Some(compare(self, BinaryOp::Ne, high, expected));
        }
        if !kind.is_signed() {
            return Some(match operation {
                Arithmetic::Add => compare(self, BinaryOp::Lt, r, a),
                _ => compare(self, BinaryOp::Lt, a, b),
            });
        }
        // The sign is wrong: other than both operands', or than the left one's where the right one's differs.
        let first = self.make_binary(BinaryOp::Xor, r, a, ty, span);
        let other = if operation == Arithmetic::Add { r } else { a };
        let second = self.make_binary(BinaryOp::Xor, other, b, ty, span);
        let both = self.make_binary(BinaryOp::And, first, second, ty, span);
        let zero = self.int(0, ty, span);
        Some(compare(self, BinaryOp::Lt, both, zero))
    }
}
