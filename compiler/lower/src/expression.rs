//! Expressions.

use super::context::FunctionLowering;
use super::types::{element_size, is_aggregate};
use clforge_ir::{Op, Type, Value, Values};
use clforge_sema::hir::{Conversion, Expr, ExprKind, Ty, TyKind};

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// The value of an expression that has one.
    pub fn value(&mut self, e: &'h Expr<'h>) -> Value {
        match self.expr(e) {
            Some(value) => value,
            None => {
                self.internal("a value was expected");
                self.b.undef(Type::I32)
            }
        }
    }

    /// Evaluates for the side effects.
    pub fn effect(&mut self, e: &'h Expr<'h>) {
        if !is_aggregate(self.types, e.ty.ty) {
            self.expr(e);
            return;
        }
        match e.kind {
            ExprKind::Load(place) => {
                self.place(place);
            }
            ExprKind::Assign { place, value } => {
                self.assign_aggregate(place, value);
            }
            ExprKind::PrivateVariable(_) | ExprKind::ModuleVariable(_) => {}
            _ => {
                self.place(e);
            }
        }
    }

    /// Evaluates an expression; the value, unless its type is `void` or a record.
    pub fn expr(&mut self, e: &'h Expr<'h>) -> Option<Value> {
        Some(match e.kind {
            ExprKind::Int(value) => {
                let ty = self.value_type(e.ty.ty);
                let value = if ty == Type::BOOL { i64::from(value != 0) } else { value.cast_signed() };
                self.b.int(ty, value)
            }
            ExprKind::Float(value) => {
                let ty = self.value_type(e.ty.ty);
                self.b.float(ty, value)
            }
            ExprKind::Load(place) => {
                if is_aggregate(self.types, e.ty.ty) {
                    self.place(place);
                    return None;
                }
                if let Some(handle) = self.fixed_handle(place).or_else(|| self.literal_sampler(place)) {
                    return Some(handle);
                }
                let place = self.place(place);
                self.b.span = e.span;
                self.load(place)
            }
            ExprKind::AddressOf(_) | ExprKind::PointerAdd { .. } | ExprKind::Convert(Conversion::Pointer, _) => {
                self.pointer(e).value
            }
            ExprKind::BlockLiteral { function, captures } => self.block_literal(function, captures),
            ExprKind::Enqueue(enqueue) => self.enqueue(e, enqueue),
            ExprKind::Unary(op, operand) => self.unary(op, e, operand),
            ExprKind::Convert(Conversion::Arithmetic, _) if e.ty.ty == Ty::BOOL => self.truth(e),
            ExprKind::Binary(..) | ExprKind::Convert(Conversion::Arithmetic, _) => self.chain(e),
            ExprKind::Convert(conversion, operand) => return self.convert(conversion, e, operand),
            ExprKind::PointerDifference(left, right) => self.pointer_difference(e, left, right),
            ExprKind::Logical { .. } => {
                let truth = self.logical(e);
                self.truth_value(truth, e.ty.ty)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                return self.conditional(e, condition, then, otherwise);
            }
            ExprKind::Select { condition, then, otherwise } => {
                let condition = self.lane_condition(condition);
                let (then, otherwise) = (self.value(then), self.value(otherwise));
                self.b.select(condition, then, otherwise)
            }
            ExprKind::Call { function, arguments } => return self.call(e, function, arguments, None),
            ExprKind::Builtin { function, arguments } => return self.builtin(e, function, arguments, None),
            ExprKind::Comma(list) => {
                let (last, first) = list.split_last()?;
                for e in first {
                    self.effect(e);
                }
                return self.expr(last);
            }
            ExprKind::StatementExpr { body, value } => {
                self.inner_statements(body);
                return value.and_then(|value| self.expr(value));
            }
            _ => return self.other(e),
        })
    }

    /// The rest of the kinds, apart to keep frames small: assignments, vectors, places.
    fn other(&mut self, e: &'h Expr<'h>) -> Option<Value> {
        Some(match e.kind {
            ExprKind::Assign { place, value } => {
                if is_aggregate(self.types, e.ty.ty) {
                    self.assign_aggregate(place, value);
                    return None;
                }
                let value = self.value(value);
                let at = self.place(place);
                self.b.span = e.span;
                self.store(at, value);
                value
            }
            ExprKind::CompoundAssign { place, op, value, computation } => {
                self.compound_assign(place, op, value, computation)
            }
            ExprKind::PointerAssignAdd { place, index, negative } => {
                let at = self.place(place);
                let old = self.load(at);
                let old = super::place::Pointer { value: old, align: 1, declared: false };
                let new = self.add_index(old, index, negative, element_size(self.types, place.ty.ty), None).value;
                self.store(at, new);
                new
            }
            ExprKind::Increment { place, decrement, postfix } => self.increment(place, decrement, postfix),
            ExprKind::VectorLiteral(parts) => self.vector_literal(e, parts),
            ExprKind::Swizzle(vector, lanes) => {
                let value = self.value(vector);
                self.b.shuffle(value, value, lanes.as_slice())
            }
            _ if is_aggregate(self.types, e.ty.ty) => {
                self.effect(e);
                return None;
            }
            _ if matches!(self.types.kind(e.ty.ty), TyKind::Void | TyKind::Function(_)) => return None,
            _ => {
                let place = self.place(e);
                self.load(place)
            }
        })
    }

    /// `if` without results.
    pub fn if_else(&mut self, condition: Value, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        let then = self.region(|this| {
            then(this);
            this.end_region();
        });
        let otherwise = self.region(|this| {
            otherwise(this);
            this.end_region();
        });
        self.b.effect(Op::If { condition, then, otherwise });
    }

    /// Ends a region of an `if` that did not leave.
    pub fn end_region(&mut self) {
        if !self.b.is_terminated() {
            self.b.effect(Op::Yield(Values::new()));
        }
    }

    fn vector_literal(&mut self, e: &'h Expr<'h>, parts: &'h [&'h Expr<'h>]) -> Value {
        let ty = self.value_type(e.ty.ty);
        let mut lanes: Vec<Value> = Vec::with_capacity(usize::from(ty.lanes));
        for part in parts {
            let value = self.value(part);
            for lane in 0..self.b.ty(value).lanes {
                lanes.push(self.b.extract(value, lane));
            }
        }
        if let [one] = lanes[..] {
            return self.b.splat(one, ty.lanes);
        }
        if lanes.len() != usize::from(ty.lanes) {
            self.internal("a vector literal of another number of lanes");
            return self.b.undef(ty);
        }
        self.b.construct(&lanes)
    }
}
