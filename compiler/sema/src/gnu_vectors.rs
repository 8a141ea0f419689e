//! `__builtin_…` functions of vectors: lane by lane, of all lanes, and the order of lanes.

use super::{ExprRef, Sema};
use crate::hir::{BinaryOp, ExprKind, Lanes, Scalar, Ty, TyKind};
use clforge_basic::narrow::to_u8;
use clforge_basic::source::Span;

impl<'h> Sema<'_, 'h, '_> {
    /// `reduce_…`: the lanes of a vector from the first to the last, as one.
    pub(super) fn reduction(&mut self, name: &str, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
        let [vector] = values else { return None };
        let TyKind::Vector(scalar, width) = self.kind(vector.ty.ty) else { return None };
        let is_float = matches!(scalar, Scalar::Float(_));
        let op = match name {
            "add" => Some(BinaryOp::Add),
            "mul" => Some(BinaryOp::Mul),
            "and" => Some(BinaryOp::And),
            "or" => Some(BinaryOp::Or),
            "xor" => Some(BinaryOp::Xor),
            "max" | "min" => None,
            _ => return None,
        };
        if is_float && op.is_some() {
            return None;
        }
        let element = self.program.types.vector(scalar, 1);
        let (declared, vector) = self.bind(vector)?;
        let mut declarations = vec![declared];
        let mut result: Option<ExprRef<'h>> = None;
        for lane in 0..width {
            let mut one = Lanes { count: 1, lanes: [0; 16] };
            one.lanes[0] = lane;
            let value = self.make(ExprKind::Swizzle(vector, one), element, span);
            let Some(before) = result else {
                result = Some(value);
                continue;
            };
            let both = match op {
                Some(op) => self.make_binary(op, before, value, element, span),
                None => {
                    let function = if is_float { format!("f{name}") } else { name.to_string() };
                    self.opencl_call(&function, &[before, value], span)?
                }
            };
            let (declared, bound) = self.bind(both)?;
            declarations.push(declared);
            result = Some(bound);
        }
        Some(self.after(&declarations, result?, span))
    }

    /// `elementwise_…`: OpenCL C's function of scalars and vectors.
    pub(super) fn elementwise(&mut self, name: &str, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
        let ty = values.first()?.ty.ty;
        let (scalar, _) = self.program.types.lanes(ty)?;
        let is_float = matches!(scalar, Scalar::Float(_));
        let function = match name {
            "abs" if is_float => "fabs",
            "max" if is_float => "fmax",
            "min" if is_float => "fmin",
            "abs" | "max" | "min" => name,
            "ceil" | "floor" | "trunc" if is_float => name,
            "roundeven" if is_float => "rint",
            "add_sat" | "sub_sat" if !is_float => name,
            _ => return None,
        };
        let result = self.opencl_call(function, values, span)?;
        Some(if name == "abs" { self.reinterpret(result, ty, span) } else { result })
    }

    /// `__builtin_shufflevector(a, b, lane, …)`: lanes of both vectors one after the other; -1 is any.
    pub(super) fn shuffle(
        &mut self,
        first: ExprRef<'h>,
        second: ExprRef<'h>,
        lanes: &[ExprRef<'h>],
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let TyKind::Vector(scalar, width) = self.kind(first.ty.ty) else { return None };
        if second.ty.ty != first.ty.ty || !matches!(lanes.len(), 1 | 2 | 3 | 4 | 8 | 16) {
            return None;
        }
        let element = self.program.types.vector(scalar, 1);
        let result = self.program.types.vector(scalar, to_u8(lanes.len()));
        let (first_declared, first) = self.bind(first)?;
        let (second_declared, second) = self.bind(second)?;
        let mut parts = Vec::with_capacity(lanes.len());
        for lane in lanes {
            let (index, signed) = self.folded_integer(lane)?;
            let index = if signed && index.cast_signed() == -1 { 0 } else { u8::try_from(index).ok()? };
            let (vector, index) = if index < width { (first, index) } else { (second, index - width) };
            if index >= width {
                self.error(lane.span, "index for '__builtin_shufflevector' must be less than the number of lanes");
                return Some(self.error_expr(span));
            }
            let mut one = Lanes { count: 1, lanes: [0; 16] };
            one.lanes[0] = index;
            parts.push(self.make(ExprKind::Swizzle(vector, one), element, span));
        }
        let shuffled = match parts[..] {
            [only] => only,
            _ => self.make(ExprKind::VectorLiteral(self.arena.alloc_slice_copy(&parts)), result, span),
        };
        Some(self.after(&[first_declared, second_declared], shuffled, span))
    }

    /// `__builtin_convertvector(value, type)`
    pub(super) fn convert_vector(&mut self, value: ExprRef<'h>, ty: Ty, span: Span) -> ExprRef<'h> {
        if value.ty.ty == Ty::ERROR || ty == Ty::ERROR {
            return self.error_expr(span);
        }
        match (self.kind(value.ty.ty), self.kind(ty)) {
            (TyKind::Vector(_, from), TyKind::Vector(_, to)) if from == to => self.convert(value, ty),
            _ => {
                let (from, to) = (self.quoted(value.ty.ty), self.quoted(ty));
                self.error(span, format!("'__builtin_convertvector' cannot convert {from} to {to}"));
                self.error_expr(span)
            }
        }
    }
}
