//! Values of records and arrays: they are copied between places.

use super::conditional::long_chain;
use super::context::FunctionLowering;
use super::place::{Place, Pointer};
use super::types::{align_at, is_aggregate, leaves, natural_align, tile, word};
use clforge_ir::{CompareOp, LoopHint, Op, Type, Value, Values};
use clforge_sema::hir::{Expr, ExprKind, Ty};

/// Objects of more scalars and vectors than that are copied and filled by loops.
pub(super) const MAX_LEAVES: usize = 64;

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// Evaluates a value of any type but `void` into an object that nothing else sees.
    pub fn assign_into(&mut self, to: Pointer, e: &'h Expr<'h>) {
        if is_aggregate(self.types, e.ty.ty) {
            self.aggregate_into(to, e);
        } else {
            let value = self.value(e);
            let value = self.memory_value(value);
            self.store_at(to.value, value, to.align, false);
        }
    }

    /// Evaluates a record into an object. The object may be one that the expression reads, but for calls.
    pub fn aggregate_into(&mut self, to: Pointer, e: &'h Expr<'h>) {
        match e.kind {
            ExprKind::Load(from) => {
                let from = self.place(from);
                self.copy(to, from.pointer, e.ty.ty, false, from.volatile);
            }
            ExprKind::Call { function, arguments } => {
                self.call(e, function, arguments, Some(to.value));
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                if let Some((links, last)) = long_chain(e) {
                    return self.chain_into(Some(to), &links, last);
                }
                let condition = self.condition(condition);
                self.if_else(
                    condition,
                    |this| this.aggregate_into(to, then),
                    |this| this.aggregate_into(to, otherwise),
                );
            }
            ExprKind::Comma(list) => {
                let Some((last, first)) = list.split_last() else { return };
                for e in first {
                    self.effect(e);
                }
                self.aggregate_into(to, last);
            }
            ExprKind::StatementExpr { body, value } => {
                self.inner_statements(body);
                if let Some(value) = value {
                    self.aggregate_into(to, value);
                }
            }
            ExprKind::Assign { place, value } => {
                let from = self.assign_aggregate(place, value);
                self.copy(to, from.pointer, e.ty.ty, false, from.volatile);
            }
            ExprKind::Builtin { function, arguments } => {
                self.builtin(e, function, arguments, Some(to.value));
            }
            ExprKind::Temporary(value) => self.aggregate_into(to, value),
            ExprKind::PrivateVariable(_)
            | ExprKind::ModuleVariable(_)
            | ExprKind::Deref(_)
            | ExprKind::Field(..)
            | ExprKind::CompoundLiteral { .. } => {
                let from = self.place(e);
                self.copy(to, from.pointer, e.ty.ty, false, from.volatile);
            }
            _ => self.internal("an expression of record type that cannot have one"),
        }
    }

    /// `place = value` of records.
    pub fn assign_aggregate(&mut self, place: &'h Expr<'h>, value: &'h Expr<'h>) -> Place {
        let ty = value.ty.ty;
        if let ExprKind::Load(from) = value.kind {
            let from = self.place(from);
            let to = self.place(place);
            self.copy(to.pointer, from.pointer, ty, to.volatile, from.volatile);
            return to;
        }
        // What the expression reads may be the object assigned to.
        let (temporary, align) = self.temporary(ty);
        let temporary = Pointer { value: temporary, align, declared: true };
        self.aggregate_into(temporary, value);
        let to = self.place(place);
        self.copy(to.pointer, temporary, ty, to.volatile, false);
        to
    }

    /// Copies an object.
    pub fn copy(&mut self, to: Pointer, from: Pointer, ty: Ty, to_volatile: bool, from_volatile: bool) {
        if let Some(leaves) = leaves(self.types, ty, MAX_LEAVES) {
            for leaf in leaves {
                let (from, to) = (self.displaced(from, leaf.offset), self.displaced(to, leaf.offset));
                let value = self.load_at(from.value, leaf.ty, from.align, from_volatile);
                self.store_at(to.value, value, to.align, to_volatile);
            }
            return;
        }
        let size = self.size_of(ty);
        let (unit, stride) = self.unit(ty, to.align.min(from.align));
        self.count_loop(size / stride, |this, index| {
            let align = |base: Pointer| align_at(base.align, stride);
            let source = this.b.ptr_add(from.value, index, stride.cast_signed());
            let value = this.load_at(source, unit, align(from), from_volatile);
            let target = this.b.ptr_add(to.value, index, stride.cast_signed());
            this.store_at(target, value, align(to), to_volatile);
        });
        self.tail(size / stride * stride, size, |this, offset, word| {
            let (from, to) = (this.displaced(from, offset), this.displaced(to, offset));
            let value = this.load_at(from.value, word, from.align, from_volatile);
            this.store_at(to.value, value, to.align, to_volatile);
        });
    }

    /// Fills an object with zeros.
    pub fn zero(&mut self, to: Pointer, ty: Ty, covered: &dyn Fn(u64, u64) -> bool) {
        if let Some(leaves) = leaves(self.types, ty, MAX_LEAVES) {
            for leaf in leaves {
                if !covered(leaf.offset, leaf.ty.access_size()) {
                    let to = self.displaced(to, leaf.offset);
                    let zero = self.zero_value(leaf.ty);
                    self.store_at(to.value, zero, to.align, false);
                }
            }
            return;
        }
        let size = self.size_of(ty);
        let (unit, stride) = self.unit(ty, to.align);
        let zero = self.zero_value(unit);
        self.count_loop(size / stride, |this, index| {
            let target = this.b.ptr_add(to.value, index, stride.cast_signed());
            this.store_at(target, zero, align_at(to.align, stride), false);
        });
        self.tail(size / stride * stride, size, |this, offset, word| {
            let to = this.displaced(to, offset);
            let zero = this.b.int(word, 0);
            this.store_at(to.value, zero, to.align, false);
        });
    }

    pub fn zero_value(&mut self, ty: Type) -> Value {
        if ty.scalar.is_float() { self.b.float(ty, 0.0) } else { self.b.int(ty, 0) }
    }

    /// What a loop over an object moves at a time, and its distance: the object's own scalars where it is made of one
    /// kind, so that the object keeps one type of access; else words as large as the alignment allows.
    fn unit(&self, ty: Ty, align: u64) -> (Type, u64) {
        if let Some((unit, stride)) = tile(self.types, ty)
            && natural_align(unit) <= align.max(1)
        {
            return (unit, stride);
        }
        let bytes = align.clamp(1, 8);
        (word(bytes), bytes)
    }

    /// `for (index = 0; index < count; index++) body`.
    fn count_loop(&mut self, count: u64, body: impl FnOnce(&mut Self, Value)) {
        if count == 0 {
            return;
        }
        let zero = self.b.int(Type::I64, 0);
        let region = self.b.function.new_region();
        let index = self.b.function.add_region_param(region, Type::I64);
        self.b.enter(region);
        body(self, index);
        self.b.effect(Op::Continue(Values::from_slice(&[index])));
        self.b.leave();
        let continuing = self.b.function.new_region();
        let index = self.b.function.add_region_param(continuing, Type::I64);
        self.b.enter(continuing);
        let one = self.b.int(Type::I64, 1);
        let next = self.b.binary(clforge_ir::BinaryOp::Add, index, one);
        let end = self.b.int(Type::I64, count.cast_signed());
        let condition = self.b.compare(CompareOp::ULt, next, end);
        self.b.effect(Op::NextIf { condition, next: Values::from_slice(&[next]), results: Values::new() });
        self.b.leave();
        let inits = Values::from_slice(&[zero]);
        self.b.effect(Op::Loop { inits, body: region, continuing, hint: LoopHint::None });
    }

    /// The words from `at` to `size` that a loop of larger ones left.
    fn tail(&mut self, mut at: u64, size: u64, mut body: impl FnMut(&mut Self, u64, Type)) {
        while at < size {
            let bytes = align_at(4, at).min(1 << (size - at).ilog2().min(2));
            body(self, at, word(bytes));
            at += bytes;
        }
    }
}
