//! Warnings about implicit conversions that may change a value, and about comparisons of integers of different signs: clang's
//! `-Wconversion`, `-Wdouble-promotion` and `-Wsign-compare`, which are off by default.

use super::{ExprRef, Sema};
use crate::builtins;
use crate::hir::{BinaryOp, Conversion, ExprKind, FloatKind, IntKind, Scalar, Ty, TyKind, UnaryOp};
use clforge_basic::arithmetic::Float;
use clforge_basic::diag::WarningFlag;
use clforge_basic::options::Options;
use clforge_basic::source::Span;

/// The flags of the warnings about conversions.
const FLAGS: [WarningFlag; 8] = [
    WarningFlag::DoublePromotion,
    WarningFlag::FloatConversion,
    WarningFlag::ImplicitFloatConversion,
    WarningFlag::ImplicitIntConversion,
    WarningFlag::ImplicitIntFloatConversion,
    WarningFlag::Shorten64To32,
    WarningFlag::SignConversion,
    WarningFlag::NarrowedGlobalId,
];

/// Operators that are looked at to find the range of an expression; a larger one has that of its type.
const MAX_STEPS: u32 = 200;

/// The range of an integer expression as clang estimates it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    /// Bits that its values need, the sign's too where there is one.
    width: u32,
    non_negative: bool,
}

impl Range {
    const BOOL: Range = Range { width: 1, non_negative: true };

    fn of_type(kind: IntKind) -> Range {
        Range { width: kind.bits(), non_negative: !kind.is_signed() }
    }

    fn of_constant(bits: u64, kind: IntKind) -> Range {
        match kind.is_signed() && bits.cast_signed() < 0 {
            true => Range { width: 65 - bits.leading_ones(), non_negative: false },
            false => Range { width: 64 - bits.leading_zeros(), non_negative: true },
        }
    }

    fn join(self, other: Range) -> Range {
        Range { width: self.width.max(other.width), non_negative: self.non_negative && other.non_negative }
    }

    /// Of `&`: no greater than an operand that is not negative.
    fn and(self, other: Range) -> Range {
        let mut width = self.width.max(other.width);
        for range in [self, other].iter().filter(|range| range.non_negative) {
            width = width.min(range.width);
        }
        Range { width, non_negative: self.non_negative || other.non_negative }
    }

    /// Of `%`: less than the divisor, with the sign of the dividend.
    fn remainder(self, other: Range) -> Range {
        let value_bits = |range: Range| range.width - u32::from(!range.non_negative && range.width > 0);
        let width = value_bits(self).min(value_bits(other)) + u32::from(!self.non_negative);
        Range { width, non_negative: self.non_negative }
    }

    fn shifted_right(self, by: u64) -> Range {
        let left = u64::from(self.width).checked_sub(by).filter(|left| *left > 0);
        let width = left.map_or(u32::from(!self.non_negative), clforge_basic::narrow::to_u32);
        Range { width, ..self }
    }
}

/// Whether any of the warnings about conversions is given.
pub(super) fn are_watched(options: &Options) -> bool {
    FLAGS.iter().any(|flag| options.language.warns(*flag))
}

impl<'h> Sema<'_, 'h, '_> {
    /// An implicit conversion to the type of an object, a parameter or a result, or to the common type of two operands.
    pub(super) fn implicit_conversion(&mut self, e: ExprRef<'h>, to: Ty) {
        if !self.watches_conversions || self.unevaluated > 0 {
            return;
        }
        // What a condition chooses is converted as if it stood alone.
        let mut chosen = vec![(e, false)];
        while let Some((e, in_conditional)) = chosen.pop() {
            match e.kind {
                ExprKind::Conditional { then, otherwise, .. } => {
                    chosen.extend([(written(otherwise), true), (written(then), true)]);
                }
                _ => self.converted(e, to, in_conditional),
            }
        }
    }

    fn converted(&mut self, e: ExprRef<'h>, to: Ty, in_conditional: bool) {
        let types = &self.program.types;
        let (Some((from, 1)), Some((target, _))) = (types.lanes(e.ty.ty), types.lanes(to)) else { return };
        match (from, target) {
            (Scalar::Float(from), Scalar::Float(target)) => self.float_converted(e, from, target, to),
            (Scalar::Float(_), Scalar::Int(_) | Scalar::Bool) => self.float_to_integer(e, to),
            (Scalar::Int(_), Scalar::Float(target)) => self.integer_to_float(e, target, to),
            (Scalar::Int(from), Scalar::Int(target)) => self.integer_converted(e, from, target, to, in_conditional),
            _ => {}
        }
    }

    fn report(&mut self, flag: WarningFlag, e: ExprRef<'h>, to: Ty, what: &str) {
        let (from, to) = (self.quoted(e.ty.ty), self.quoted(to));
        self.warning(flag, e.span, format!("implicit conversion {what}: {from} to {to}"));
    }

    fn float_converted(&mut self, e: ExprRef<'h>, from: FloatKind, target: FloatKind, to: Ty) {
        if from < target {
            self.report(WarningFlag::DoublePromotion, e, to, "increases floating-point precision");
        }
        let is_exact = |value: f64| match target {
            FloatKind::Half => Float::Half.round(value) == value,
            FloatKind::Float => Float::Single.round(value) == value,
            FloatKind::Double => true,
        };
        if from > target && !matches!(e.kind, ExprKind::Float(value) if is_exact(value)) {
            self.report(WarningFlag::ImplicitFloatConversion, e, to, "loses floating-point precision");
        }
    }

    fn float_to_integer(&mut self, e: ExprRef<'h>, to: Ty) {
        // Literals have a warning of their own, which is on by default.
        if !matches!(e.kind, ExprKind::Float(_)) || !self.is_floating_literal(e.span) {
            self.report(WarningFlag::FloatConversion, e, to, "turns floating-point number into integer");
        }
    }

    fn integer_to_float(&mut self, e: ExprRef<'h>, target: FloatKind, to: Ty) {
        let precision = match target {
            FloatKind::Half => 11,
            FloatKind::Float => 24,
            FloatKind::Double => 53,
        };
        // Constants have a warning of their own, which is on by default.
        if !matches!(e.kind, ExprKind::Int(_)) && self.range_of(e).width > precision {
            let (from, to) = (self.quoted(e.ty.ty), self.quoted(to));
            let message = format!("implicit conversion from {from} to {to} may lose precision");
            self.warning(WarningFlag::ImplicitIntFloatConversion, e.span, message);
        }
    }

    fn integer_converted(&mut self, e: ExprRef<'h>, from: IntKind, target: IntKind, to: Ty, in_conditional: bool) {
        let range = self.range_of(e);
        let wanted = Range::of_type(target);
        if range.width > wanted.width {
            match e.kind {
                // Constants have a warning of their own, which is on by default.
                ExprKind::Int(_) => {}
                _ if target.bits() == 32 && from.bits() == 64 => self.shortened(e, to),
                _ => self.report(WarningFlag::ImplicitIntConversion, e, to, "loses integer precision"),
            }
            return;
        }
        let sign_is_lost = wanted.non_negative && !range.non_negative;
        let sign_is_gained = !wanted.non_negative && range.non_negative && range.width == wanted.width;
        if from.is_signed() != target.is_signed() && (sign_is_lost || sign_is_gained) {
            if in_conditional {
                let (from, to) = (self.quoted(e.ty.ty), self.quoted(to));
                let message = format!("operand of ? changes signedness: {from} to {to}");
                return self.warning(WarningFlag::SignConversion, e.span, message);
            }
            self.report(WarningFlag::SignConversion, e, to, "changes signedness");
        }
    }

    /// 64 bits become 32. That of a work-item's number can be asked for by itself: it is right up to 2^32 work-items.
    fn shortened(&mut self, e: ExprRef<'h>, to: Ty) {
        if self.warns(WarningFlag::Shorten64To32) {
            return self.report(WarningFlag::Shorten64To32, e, to, "loses integer precision");
        }
        if let ExprKind::Builtin { function, .. } = e.kind {
            let name = builtins::name(function);
            if matches!(name, "get_global_id" | "get_global_linear_id" | "get_global_size" | "get_global_offset") {
                let what = format!("of '{name}' loses integer precision");
                self.report(WarningFlag::NarrowedGlobalId, e, to, &what);
            }
        }
    }

    /// The result of `f op= d`, which was computed in a wider type.
    pub(super) fn assigned_result(&mut self, value: ExprRef<'h>, computation: Ty, place: Ty, op_span: Span) {
        if !self.watches_conversions || self.unevaluated > 0 {
            return;
        }
        let types = &self.program.types;
        let (from, to) = (self.quoted(value.ty.ty), self.quoted(place));
        match (types.lanes(computation), types.lanes(place)) {
            (Some((Scalar::Float(_), 1)), Some((Scalar::Int(_), 1))) => {
                let message = format!("implicit conversion turns floating-point number into integer: {from} to {to}");
                self.warning(WarningFlag::FloatConversion, op_span, message);
            }
            (Some((Scalar::Float(computed), 1)), Some((Scalar::Float(stored), 1))) if stored < computed => {
                let message = format!(
                    "implicit conversion when assigning computation result loses floating-point precision: {from} to {to}"
                );
                self.warning(WarningFlag::ImplicitFloatConversion, op_span, message);
            }
            _ => {}
        }
    }

    /// A comparison in the type `ty`; the operands are as written.
    pub(super) fn compared(&mut self, op: BinaryOp, left: ExprRef<'h>, right: ExprRef<'h>, ty: Ty, op_span: Span) {
        if self.unevaluated > 0 || !(self.watches_conversions || self.warns(WarningFlag::SignCompare)) {
            return;
        }
        let kinds = (self.int_kind(left.ty.ty), self.int_kind(right.ty.ty), self.int_kind(ty));
        let (Some(a), Some(b), Some(common)) = kinds else { return self.operands_converted(left, right, ty) };
        if common.is_signed() || a.is_signed() == b.is_signed() {
            return self.operands_converted(left, right, ty);
        }
        let (signed, unsigned) = if a.is_signed() { (left, right) } else { (right, left) };
        if self.range_of(signed).non_negative {
            return;
        }
        // A negative number equals none of the smaller ones, as an unsigned number either.
        let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        if is_equality && self.range_of(unsigned).width < common.bits() {
            return;
        }
        let (left, right) = (self.quoted(left.ty.ty), self.quoted(right.ty.ty));
        let message = format!("comparison of integers of different signs: {left} and {right}");
        self.warning(WarningFlag::SignCompare, op_span, message);
    }

    /// The operands of an operator, converted to their common type.
    pub(super) fn operands_converted(&mut self, left: ExprRef<'h>, right: ExprRef<'h>, ty: Ty) {
        self.implicit_conversion(left, ty);
        self.implicit_conversion(right, ty);
    }

    fn range_of(&self, e: ExprRef<'h>) -> Range {
        self.range(e, &mut { MAX_STEPS })
    }

    /// The range of an integer expression, of which at most so many operators are looked at.
    fn range(&self, e: ExprRef<'h>, steps: &mut u32) -> Range {
        let kind = match self.program.types.lanes(e.ty.ty) {
            Some((Scalar::Int(kind), 1)) => kind,
            _ => return Range::BOOL,
        };
        let whole = Range::of_type(kind);
        *steps = steps.saturating_sub(1);
        if *steps == 0 {
            return whole;
        }
        match e.kind {
            ExprKind::Int(bits) => Range::of_constant(bits, kind),
            // A written cast is meant to have the type.
            ExprKind::Convert(Conversion::Arithmetic, inner) if inner.span == e.span => {
                let is_integer = !matches!(self.kind(inner.ty.ty), TyKind::Float(_));
                let range = if is_integer { self.range(inner, steps) } else { whole };
                match range.width >= whole.width {
                    true => whole,
                    false => Range { non_negative: range.non_negative || whole.non_negative, ..range },
                }
            }
            ExprKind::Conditional { then, otherwise, .. } => self.range(then, steps).join(self.range(otherwise, steps)),
            ExprKind::Comma(parts) => parts.last().map_or(whole, |last| self.range(last, steps)),
            ExprKind::Assign { value, .. } => self.range(value, steps),
            ExprKind::Logical { .. } | ExprKind::Unary(UnaryOp::LogicalNot, _) => Range::BOOL,
            ExprKind::Unary(_, operand) => self.range(operand, steps),
            ExprKind::Binary(op, left, right) => self.range_of_binary(op, left, right, whole, steps),
            _ => whole,
        }
    }

    fn range_of_binary(
        &self,
        op: BinaryOp,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        whole: Range,
        steps: &mut u32,
    ) -> Range {
        use BinaryOp::*;
        if matches!(op, Eq | Ne | Lt | Le | Gt | Ge | LogicalAnd | LogicalOr) {
            return Range::BOOL;
        }
        // `1 << x` is taken for positive: that is an idiom.
        if op == Shl {
            let is_one = matches!(written(left).kind, ExprKind::Int(1));
            return Range { non_negative: whole.non_negative || is_one, ..whole };
        }
        let first = self.range(left, steps);
        let constant = match right.kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        };
        match (op, constant) {
            (Shr, Some(by)) => return first.shifted_right(by),
            (Shr, None) => return first,
            (Div, Some(by)) if by > 0 => return first.shifted_right(u64::from(by.ilog2())),
            _ => {}
        }
        let second = self.range(right, steps);
        let range = match op {
            And => first.and(second),
            Rem => first.remainder(second),
            Div => Range { width: first.width, non_negative: first.non_negative && second.non_negative },
            _ => first.join(second),
        };
        Range { width: range.width.min(whole.width), non_negative: range.non_negative || whole.non_negative }
    }
}

/// The operand of implicit conversions.
fn written(mut e: ExprRef<'_>) -> ExprRef<'_> {
    while let ExprKind::Convert(Conversion::Arithmetic, inner) = e.kind
        && inner.span == e.span
    {
        e = inner;
    }
    e
}
