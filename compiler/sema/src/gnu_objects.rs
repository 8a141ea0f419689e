//! `__builtin_memcmp`, `__builtin_strlen` and `__builtin_object_size`: what objects hold, and their size.

use super::{ExprRef, Sema};
use crate::hir::{BinaryOp, Conversion, ExprKind, IntKind, LoopHint, Stmt, StmtKind, Ty, TyKind};
use clforge_basic::options::AddressBits;
use clforge_basic::source::Span;
use clforge_syntax::ast;

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// `memcmp`: the difference of the first bytes that differ, or 0.
    pub(super) fn memory_comparison(
        &mut self,
        first: ExprRef<'h>,
        second: ExprRef<'h>,
        bytes: ExprRef<'h>,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let (left, right) = (self.pointee(first.ty.ty)?, self.pointee(second.ty.ty)?);
        let byte = self.program.types.intern(TyKind::Int(IntKind::UChar));
        let mut out = Vec::new();
        let left = self.bound_units(first, left, byte, &mut out)?;
        let right = self.bound_units(second, right, byte, &mut out)?;
        let known = self.folded_integer(bytes).map(|(bytes, _)| bytes);
        let count = self.count(known, 1, bytes, &mut out)?;
        let zero = self.int(0, Ty::INT, span);
        let (declaration, result) = self.bind(zero)?;
        out.push(declaration);
        let ExprKind::Load(place) = result.kind else { return None };
        let (declaration, index) = self.first_index(span)?;
        out.push(declaration);
        let (left, right) = (self.byte_at(left, index, span), self.byte_at(right, index, span));
        let value = self.make_binary(BinaryOp::Sub, left, right, Ty::INT, span);
        let assigned = self.make(ExprKind::Assign { place, value }, Ty::INT, span);
        let body = self.arena.alloc_slice_copy(&[Stmt { kind: StmtKind::Expr(self.discard(assigned)), span }]);
        let end = self.counted(count, span);
        let less = self.make_binary(BinaryOp::Lt, index, end, Ty::INT, span);
        let equal = self.make_binary(BinaryOp::Eq, result, zero, Ty::INT, span);
        let (left, right) = (self.condition_value(less), self.condition_value(equal));
        let both = self.make(ExprKind::Logical { and: true, left, right }, Ty::INT, span);
        let condition = Some(self.condition_value(both));
        let step = Some(self.stepped(index, false, span)?);
        out.push(Stmt { kind: StmtKind::For { init: &[], condition, step, body, hint: LoopHint::None }, span });
        Some(self.after(&out, result, span))
    }

    /// `strlen`: the bytes before the first that is 0.
    pub(super) fn string_length(&mut self, text: ExprRef<'h>, span: Span) -> Option<ExprRef<'h>> {
        let pointee = self.pointee(text.ty.ty)?;
        if let Some(length) = self.known_length(text) {
            return Some(self.int(length, self.program.types.size_t(), span));
        }
        let byte = self.program.types.intern(TyKind::Int(IntKind::UChar));
        let mut out = Vec::new();
        let bytes = self.bound_units(text, pointee, byte, &mut out)?;
        let (declaration, index) = self.first_index(span)?;
        out.push(declaration);
        let value = self.byte_at(bytes, index, span);
        let condition = self.condition_value(value);
        let step = self.stepped(index, false, span)?;
        let body = self.arena.alloc_slice_copy(&[Stmt { kind: StmtKind::Expr(step), span }]);
        out.push(Stmt { kind: StmtKind::While { condition, body, hint: LoopHint::None }, span });
        Some(self.after(&out, index, span))
    }

    /// The length of a string that never changes.
    fn known_length(&self, text: ExprRef<'h>) -> Option<u64> {
        let (object, offset) = self.address_value(text)?;
        let bytes = self.constant_object(object)?.bytes.get(usize::try_from(offset).ok()?..)?;
        bytes.iter().position(|byte| *byte == 0).map(|length| length as u64)
    }

    fn byte_at(&mut self, bytes: ExprRef<'h>, index: ExprRef<'h>, span: Span) -> ExprRef<'h> {
        let place = self.unit_at(bytes, index, span);
        let byte = self.lvalue_conversion(place);
        self.convert(byte, Ty::INT)
    }

    /// `object_size(pointer, kind)`: the size of an object that is named whole; of others it is not known, which is the
    /// largest number for the kinds 0 and 1, and 0 for 2 and 3. The pointer is not evaluated.
    pub(super) fn object_size(
        &mut self,
        object: &'a ast::Expr<'a>,
        kind: &'a ast::Expr<'a>,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        self.unevaluated += 1;
        let mut pointer = self.value(object);
        self.unevaluated -= 1;
        let kind = self.value(kind);
        let (kind, _) = self.folded_integer(kind).filter(|(kind, _)| *kind < 4)?;
        self.pointee(pointer.ty.ty)?;
        while let ExprKind::Convert(Conversion::Pointer, inner) = pointer.kind {
            pointer = inner;
        }
        let known = match pointer.kind {
            ExprKind::AddressOf(place) => match place.kind {
                ExprKind::PrivateVariable(_) | ExprKind::ModuleVariable(_) => self.program.types.size_of(place.ty.ty),
                _ => None,
            },
            _ => None,
        };
        let size_t = self.program.types.size_t();
        let most = match self.program.types.address_bits {
            AddressBits::Bits32 => u64::from(u32::MAX),
            AddressBits::Bits64 => u64::MAX,
        };
        Some(self.int(known.unwrap_or(if kind < 2 { most } else { 0 }), size_t, span))
    }
}
