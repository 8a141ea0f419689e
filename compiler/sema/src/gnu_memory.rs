//! `__builtin_memcpy`, `__builtin_memmove` and `__builtin_memset`: they become assignments of the largest units that
//! both objects' types allow, a few in sequence or a loop.

use super::conversions::{AssignmentAction, space_includes};
use super::{ExprRef, Sema};
use crate::hir::{BinaryOp, Conversion, ExprKind, IntKind, LoopHint, QualTy, Stmt, StmtKind, Ty, TyKind};
use clforge_basic::narrow::to_u32;
use clforge_basic::source::Span;
use clforge_syntax::ast::AddressSpace;

/// Units up to that number are moved without a loop.
const MAX_UNROLLED: u64 = 32;

/// The number of units that are moved.
#[derive(Clone, Copy)]
pub(super) enum Count<'h> {
    Known(u64),
    Computed(ExprRef<'h>),
}

impl<'h> Sema<'_, 'h, '_> {
    pub(super) fn memory_copy(
        &mut self,
        name: &str,
        to: ExprRef<'h>,
        from: ExprRef<'h>,
        bytes: ExprRef<'h>,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let (target, source) = (self.pointee(to.ty.ty)?, self.pointee(from.ty.ty)?);
        self.check_written(target, to, name);
        let known = self.folded_integer(bytes).map(|(bytes, _)| bytes);
        let size = known.map_or(1, |bytes| unit(bytes, self.unit_of(to).min(self.unit_of(from))));
        let ty = self.program.types.intern(TyKind::Int(IntKind::of(to_u32(size) * 8, false)));
        let mut out = Vec::new();
        let to_units = self.bound_units(to, target, ty, &mut out)?;
        let from_units = self.bound_units(from, source, ty, &mut out)?;
        let overlapping = name == "memmove"
            && (space_includes(target.space, source.space) || space_includes(source.space, target.space));
        match self.count(known, size, bytes, &mut out)? {
            Count::Known(count) if count <= MAX_UNROLLED => {
                let mut stores = Vec::new();
                for index in 0..count {
                    let index = self.int(index, self.program.types.size_t(), span);
                    let place = self.unit_at(from_units, index, span);
                    let read = self.lvalue_conversion(place);
                    let (declaration, value) = self.bind(read)?;
                    out.push(declaration);
                    stores.push(self.store_unit(to_units, index, value, span));
                }
                out.extend(stores);
            }
            count => {
                let forward = self.copy_loop(to_units, from_units, count, true, span)?;
                if overlapping {
                    let backward = self.copy_loop(to_units, from_units, count, false, span)?;
                    let later = self.compare_pointers(BinaryOp::Gt, to_units, from_units, span, span);
                    let condition = self.condition_value(later);
                    let (then, otherwise) =
                        (self.arena.alloc_slice_copy(&backward), &*self.arena.alloc_slice_copy(&forward));
                    out.push(Stmt { kind: StmtKind::If { condition, then, otherwise }, span });
                } else {
                    out.extend(forward);
                }
            }
        }
        Some(self.target_after(&out, to_units, target, span))
    }

    pub(super) fn memory_fill(
        &mut self,
        to: ExprRef<'h>,
        byte: ExprRef<'h>,
        bytes: ExprRef<'h>,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let target = self.pointee(to.ty.ty)?;
        self.check_written(target, to, "memset");
        let known = self.folded_integer(bytes).map(|(bytes, _)| bytes);
        let size = known.map_or(1, |bytes| unit(bytes, self.unit_of(to)));
        let ty = self.program.types.intern(TyKind::Int(IntKind::of(to_u32(size) * 8, false)));
        let mut out = Vec::new();
        let to_units = self.bound_units(to, target, ty, &mut out)?;
        let byte = self.convert_for_assignment(byte, Ty::INT, AssignmentAction::Passing(None));
        let narrow = self.program.types.intern(TyKind::Int(IntKind::UChar));
        let byte = self.convert(byte, narrow);
        let byte = self.convert(byte, ty);
        let ones = self.int(0x0101_0101_0101_0101 >> (64 - size * 8), ty, span);
        let value = if size == 1 { byte } else { self.make_binary(BinaryOp::Mul, byte, ones, ty, span) };
        let (declaration, value) = self.bind(value)?;
        out.push(declaration);
        match self.count(known, size, bytes, &mut out)? {
            Count::Known(count) if count <= MAX_UNROLLED => {
                for index in 0..count {
                    let index = self.int(index, self.program.types.size_t(), span);
                    out.push(self.store_unit(to_units, index, value, span));
                }
            }
            count => {
                let (declaration, index) = self.first_index(span)?;
                let body = self.store_unit(to_units, index, value, span);
                out.extend([declaration, self.forward(index, count, body, span)?]);
            }
        }
        Some(self.target_after(&out, to_units, target, span))
    }

    fn check_written(&mut self, target: QualTy, to: ExprRef<'h>, name: &str) {
        if target.space == AddressSpace::Constant {
            self.error(to.span, format!("'__builtin_{name}' cannot write to the '__constant' address space"));
        }
    }

    /// The largest unit in bytes that what a pointer points to is aligned to.
    fn unit_of(&self, pointer: ExprRef<'h>) -> u64 {
        self.pointer_alignment(pointer).min(8)
    }

    /// The known alignment of a pointer: members of packed records less than their types say, and what a cast to
    /// `void *` was made of still counts.
    fn pointer_alignment(&self, pointer: ExprRef<'h>) -> u64 {
        let pointee = self.pointee(pointer.ty.ty).unwrap_or(QualTy::plain(Ty::VOID)).ty;
        let natural = if pointee == Ty::VOID { None } else { Some(self.program.types.align_of(pointee).max(1)) };
        let derived = match pointer.kind {
            ExprKind::AddressOf(place) => Some(self.place_alignment(place)),
            ExprKind::Convert(Conversion::Pointer, inner) => Some(self.pointer_alignment(inner)),
            ExprKind::PointerAdd { pointer, .. } => {
                let size = self.program.types.size_of(pointee).unwrap_or(1).max(1);
                Some(self.pointer_alignment(pointer).min(1 << size.trailing_zeros()))
            }
            _ => None,
        };
        match (natural, derived) {
            (Some(natural), Some(derived)) => natural.min(derived),
            (natural, derived) => natural.or(derived).unwrap_or(1),
        }
    }

    fn place_alignment(&self, place: ExprRef<'h>) -> u64 {
        let natural = self.program.types.align_of(place.ty.ty).max(1);
        match place.kind {
            ExprKind::Deref(pointer) => self.pointer_alignment(pointer),
            ExprKind::Field(base, index) => {
                let TyKind::Record(id) = self.kind(base.ty.ty) else { return 1 };
                let fields = self.program.types.record(id).fields.as_ref();
                let Some(field) = fields.and_then(|fields| fields.get(index as usize)) else { return 1 };
                let around = self.place_alignment(base);
                if field.offset == 0 { around } else { around.min(1 << field.offset.trailing_zeros().min(63)) }
            }
            ExprKind::Lanes(..) | ExprKind::Lane(..) => 1,
            _ => natural,
        }
    }

    /// A variable with the pointer as one to units.
    pub(super) fn bound_units(
        &mut self,
        pointer: ExprRef<'h>,
        pointee: QualTy,
        unit: Ty,
        out: &mut Vec<Stmt<'h>>,
    ) -> Option<ExprRef<'h>> {
        let ty = self.program.types.pointer_to(QualTy { ty: unit, ..pointee });
        let cast = self.make(ExprKind::Convert(Conversion::Pointer, pointer), ty, pointer.span);
        let cast = if pointer.ty.ty == ty { pointer } else { cast };
        let (declaration, bound) = self.bind(cast)?;
        out.push(declaration);
        Some(bound)
    }

    pub(super) fn count(
        &mut self,
        known: Option<u64>,
        size: u64,
        bytes: ExprRef<'h>,
        out: &mut Vec<Stmt<'h>>,
    ) -> Option<Count<'h>> {
        if let Some(bytes) = known {
            return Some(Count::Known(bytes / size));
        }
        let bytes = self.convert_for_assignment(bytes, self.program.types.size_t(), AssignmentAction::Passing(None));
        let (declaration, count) = self.bind(bytes)?;
        out.push(declaration);
        Some(Count::Computed(count))
    }

    pub(super) fn unit_at(&mut self, pointer: ExprRef<'h>, index: ExprRef<'h>, span: Span) -> ExprRef<'h> {
        let pointee = self.pointee(pointer.ty.ty).unwrap_or(QualTy::plain(Ty::ERROR));
        let sum = self.make(ExprKind::PointerAdd { pointer, index, negative: false }, pointer.ty.ty, span);
        self.make_lvalue(ExprKind::Deref(sum), pointee, span)
    }

    fn store_unit(&mut self, pointer: ExprRef<'h>, index: ExprRef<'h>, value: ExprRef<'h>, span: Span) -> Stmt<'h> {
        let place = self.unit_at(pointer, index, span);
        let assigned = self.make(ExprKind::Assign { place, value }, value.ty.ty, span);
        Stmt { kind: StmtKind::Expr(self.discard(assigned)), span }
    }

    /// An index that begins at 0.
    pub(super) fn first_index(&mut self, span: Span) -> Option<(Stmt<'h>, ExprRef<'h>)> {
        let zero = self.int(0, self.program.types.size_t(), span);
        self.bind(zero)
    }

    pub(super) fn counted(&mut self, count: Count<'h>, span: Span) -> ExprRef<'h> {
        match count {
            Count::Known(count) => self.int(count, self.program.types.size_t(), span),
            Count::Computed(count) => count,
        }
    }

    /// `++` or `--` of an index.
    pub(super) fn stepped(&mut self, index: ExprRef<'h>, decrement: bool, span: Span) -> Option<ExprRef<'h>> {
        let ExprKind::Load(place) = index.kind else { return None };
        let step = self.make(ExprKind::Increment { place, decrement, postfix: false }, index.ty.ty, span);
        Some(self.discard(step))
    }

    pub(super) fn forward(
        &mut self,
        index: ExprRef<'h>,
        count: Count<'h>,
        body: Stmt<'h>,
        span: Span,
    ) -> Option<Stmt<'h>> {
        let end = self.counted(count, span);
        let less = self.make_binary(BinaryOp::Lt, index, end, Ty::INT, span);
        let condition = Some(self.condition_value(less));
        let step = Some(self.stepped(index, false, span)?);
        let body = self.arena.alloc_slice_copy(&[body]);
        Some(Stmt { kind: StmtKind::For { init: &[], condition, step, body, hint: LoopHint::None }, span })
    }

    fn copy_loop(
        &mut self,
        to: ExprRef<'h>,
        from: ExprRef<'h>,
        count: Count<'h>,
        forward: bool,
        span: Span,
    ) -> Option<Vec<Stmt<'h>>> {
        let start = if forward { self.int(0, self.program.types.size_t(), span) } else { self.counted(count, span) };
        let (declaration, index) = self.bind(start)?;
        let place = self.unit_at(from, index, span);
        let value = self.lvalue_conversion(place);
        let moved = self.store_unit(to, index, value, span);
        if forward {
            return Some(vec![declaration, self.forward(index, count, moved, span)?]);
        }
        let zero = self.int(0, self.program.types.size_t(), span);
        let left = self.make_binary(BinaryOp::Ne, index, zero, Ty::INT, span);
        let condition = self.condition_value(left);
        let step = self.stepped(index, true, span)?;
        let body = self.arena.alloc_slice_copy(&[Stmt { kind: StmtKind::Expr(step), span }, moved]);
        Some(vec![declaration, Stmt { kind: StmtKind::While { condition, body, hint: LoopHint::None }, span }])
    }

    /// The statements, and the first argument as `void *`.
    fn target_after(&mut self, statements: &[Stmt<'h>], to: ExprRef<'h>, target: QualTy, span: Span) -> ExprRef<'h> {
        let ty = self.program.types.pointer_to(QualTy { ty: Ty::VOID, ..target });
        let value = self.make(ExprKind::Convert(Conversion::Pointer, to), ty, span);
        self.after(statements, value, span)
    }
}

/// The largest unit that divides a number of bytes.
fn unit(bytes: u64, most: u64) -> u64 {
    most.min(1 << bytes.trailing_zeros().min(3))
}
