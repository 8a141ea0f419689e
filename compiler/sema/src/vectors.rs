//! Vectors: literals, components, indexing (6.1.6, 6.1.7).

use super::conversions::AssignmentAction;
use super::{ExprRef, Sema};
use crate::hir::{Conversion, ExprKind, Init, Lanes, QualTy, Scalar, Stmt, StmtKind, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::narrow::{to_u8, to_u32};
use clforge_basic::source::Span;
use clforge_syntax::ast;

/// Why a component name is none.
pub(super) enum BadComponent {
    Name(char),
    Length(usize),
    Range(char),
}

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// `(float4)(a, b)`: `parts` as written between the parentheses.
    pub(super) fn vector_literal(&mut self, ty: Ty, parts: &[&'a ast::Expr<'a>], span: Span) -> ExprRef<'h> {
        let Some((scalar, lanes)) = self.program.types.lanes(ty) else { return self.error_expr(span) };
        let element = self.program.types.vector(scalar, 1);
        let values: Vec<ExprRef<'h>> = parts.iter().map(|part| self.value(part)).collect();
        if values.iter().any(|value| value.ty.ty == Ty::ERROR) {
            return self.error_expr(span);
        }
        if let [single] = values.as_slice() {
            return self.splat_or_same(single, ty, span);
        }
        self.vector_from(ty, element, lanes, &values, span)
    }

    /// A vector from values whose lanes add up.
    pub(super) fn vector_from(
        &mut self,
        ty: Ty,
        element: Ty,
        lanes: u8,
        values: &[ExprRef<'h>],
        span: Span,
    ) -> ExprRef<'h> {
        let Some((scalar, _)) = self.program.types.lanes(ty) else { return self.error_expr(span) };
        let mut total = 0usize;
        let mut converted = Vec::with_capacity(values.len());
        for value in values {
            let count = self.program.types.lanes(value.ty.ty).map_or(1, |(_, lanes)| lanes);
            total += usize::from(count);
            let target = if count == 1 { element } else { self.program.types.vector(scalar, count) };
            converted.push(self.convert_for_assignment(value, target, AssignmentAction::Initializing));
        }
        if converted.iter().any(|value| value.ty.ty == Ty::ERROR) {
            return self.error_expr(span);
        }
        if total < usize::from(lanes) {
            let message =
                format!("too few elements in vector initialization (expected {lanes} elements, have {total})");
            self.error(span, message);
            return self.error_expr(span);
        }
        if total > usize::from(lanes) {
            self.error(span, "excess elements in vector initializer");
            return self.error_expr(span);
        }
        let parts = self.arena.alloc_slice_copy(&converted);
        self.make(ExprKind::VectorLiteral(parts), ty, span)
    }

    /// `(float4)x` or `(float4)(x)`: all lanes from a scalar, or a vector of that very type.
    pub(super) fn splat_or_same(&mut self, value: ExprRef<'h>, ty: Ty, span: Span) -> ExprRef<'h> {
        if value.ty.ty == ty {
            return value;
        }
        let types = &self.program.types;
        match (types.lanes(value.ty.ty), types.lanes(ty)) {
            (Some((from, 1)), Some((scalar, _))) => {
                let element = self.program.types.vector(scalar, 1);
                let mut converted = self.convert(value, element);
                if from == Scalar::Bool && matches!(scalar, Scalar::Int(_)) {
                    // `true` is all bits set in integer vectors (6.2.2).
                    converted = self.make(ExprKind::Unary(crate::hir::UnaryOp::Negate, converted), element, span);
                }
                self.make(ExprKind::Convert(Conversion::Splat, converted), ty, span)
            }
            (Some(_), Some(_)) => {
                let message = format!(
                    "invalid conversion between ext-vector type {} and {}",
                    self.quoted(ty),
                    self.quoted(value.ty.ty)
                );
                let help = match (types.lanes(value.ty.ty), types.lanes(ty)) {
                    (Some((_, a)), Some((_, b))) if a == b => {
                        format!("use 'convert_{}' to convert values or 'as_{0}' to keep the bits", self.ty_text(ty))
                    }
                    _ => String::new(),
                };
                let mut diagnostic = self.error_at(span, message);
                if !help.is_empty() {
                    diagnostic = diagnostic.with_help(help);
                }
                self.push(diagnostic);
                self.error_expr(span)
            }
            _ => {
                let message = format!(
                    "invalid conversion between vector type {} and {}",
                    self.quoted(ty),
                    self.quoted(value.ty.ty)
                );
                self.error(span, message);
                self.error_expr(span)
            }
        }
    }

    /// `v.xyz`, `v.s03`, `v.lo`.
    pub(super) fn components(
        &mut self,
        base: ExprRef<'h>,
        scalar: Scalar,
        width: u8,
        name: &str,
        name_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        let lanes = match component_lanes(name, width) {
            Ok(lanes) => lanes,
            Err(bad) => {
                let ty = self.quoted(base.ty.ty);
                let message = match bad {
                    BadComponent::Name(c) => format!("illegal vector component name '{c}'"),
                    BadComponent::Range(c) => {
                        format!("vector component access exceeds type {ty}: no component '{c}'")
                    }
                    BadComponent::Length(length) => {
                        format!("vector component access has invalid length {length}; supported: 1,2,3,4,8,16")
                    }
                };
                self.error(name_span, message);
                return self.error_expr(span);
            }
        };
        let ty = self.program.types.vector(scalar, lanes.count);
        let result = QualTy { ty, ..base.ty };
        match base.kind {
            ExprKind::Lanes(inner, chosen) => {
                self.make_lvalue(ExprKind::Lanes(inner, compose(&chosen, &lanes)), result, span)
            }
            ExprKind::Swizzle(inner, chosen) => {
                let lanes = compose(&chosen, &lanes).readable();
                self.make(ExprKind::Swizzle(inner, lanes), ty, span)
            }
            _ if base.is_place() => self.make_lvalue(ExprKind::Lanes(base, lanes), result, span),
            _ => self.make(ExprKind::Swizzle(base, lanes.readable()), ty, span),
        }
    }

    /// `v[i]`
    pub(super) fn vector_index(
        &mut self,
        base: ExprRef<'h>,
        scalar: Scalar,
        width: u8,
        index: ExprRef<'h>,
        span: Span,
    ) -> ExprRef<'h> {
        if index.ty.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        let Some(index) = self.index_value(index) else {
            self.error(index.span, "array subscript is not an integer");
            return self.error_expr(span);
        };
        let ty = QualTy { ty: self.program.types.vector(scalar, 1), ..base.ty };
        let base = if base.is_place() {
            base
        } else {
            self.make_lvalue(ExprKind::Temporary(base), QualTy::plain(base.ty.ty), base.span)
        };
        if let ExprKind::Int(lane) = index.kind {
            if lane >= u64::from(width) {
                self.warning(
                    WarningFlag::VectorBounds,
                    index.span,
                    format!("vector index {} is out of range", lane.cast_signed()),
                );
            } else {
                let one = Lanes { count: 1, lanes: [to_u8(lane); 16] };
                let lanes = match base.kind {
                    ExprKind::Lanes(inner, chosen) => {
                        return self.make_lvalue(ExprKind::Lanes(inner, compose(&chosen, &one)), ty, span);
                    }
                    _ => one,
                };
                return self.make_lvalue(ExprKind::Lanes(base, lanes), ty, span);
            }
        }
        self.make_lvalue(ExprKind::Lane(base, index), ty, span)
    }

    /// The same bits as another type (`as_type`, 6.2.4).
    pub(super) fn reinterpret(&mut self, value: ExprRef<'h>, ty: Ty, span: Span) -> ExprRef<'h> {
        let from = value.ty.ty;
        if from == Ty::ERROR || ty == Ty::ERROR {
            return self.error_expr(span);
        }
        if from == ty {
            return value;
        }
        if let Some(reinterpreted) = self.reinterpret_other(value, ty, span) {
            return reinterpreted;
        }
        let types = &self.program.types;
        let scalar_or_vector = |ty: Ty| types.lanes(ty).is_some_and(|(scalar, _)| scalar != Scalar::Bool);
        let fits = scalar_or_vector(from) && scalar_or_vector(ty) && types.size_of(from) == types.size_of(ty);
        if !fits {
            let (target, source) = (self.quoted(ty), self.quoted(from));
            let has_bits =
                |ty: Ty| scalar_or_vector(ty) || matches!(self.kind(ty), TyKind::Pointer(_) | TyKind::Record(_));
            let message = match has_bits(from) && has_bits(ty) {
                true => format!("invalid reinterpretation: sizes of {target} and {source} must match"),
                false => format!(
                    "{source} cannot be reinterpreted as {target}: only numbers, vectors, pointers and records can"
                ),
            };
            self.error(span, message);
            return self.error_expr(span);
        }
        self.make(ExprKind::Convert(Conversion::Bits, value), ty, span)
    }

    /// Reinterpretation of what is neither number nor vector, or as such; clang accepts it. `None`: not of these types.
    fn reinterpret_other(&mut self, value: ExprRef<'h>, ty: Ty, span: Span) -> Option<ExprRef<'h>> {
        let from = value.ty.ty;
        let types = &self.program.types;
        if types.size_of(from)? != types.size_of(ty)? {
            return None;
        }
        match (self.kind(from), self.kind(ty)) {
            (TyKind::Pointer(_), TyKind::Pointer(_)) => Some(self.convert(value, ty)),
            (TyKind::Pointer(_), _) if types.lanes(ty).is_some() => {
                let number = self.convert(value, Ty::ULONG);
                Some(self.reinterpret(number, ty, span))
            }
            (_, TyKind::Pointer(_)) if types.lanes(from).is_some() => {
                let number = self.reinterpret(value, Ty::ULONG, span);
                Some(self.convert(number, ty))
            }
            (TyKind::Bool, _) if types.lanes(ty).is_some() => {
                let number = self.convert(value, Ty::UCHAR);
                Some(self.reinterpret(number, ty, span))
            }
            (TyKind::Record(_), TyKind::Record(_)) => self.through_memory(value, ty, span),
            (TyKind::Record(_), _) if types.lanes(ty).is_some() => self.through_memory(value, ty, span),
            (_, TyKind::Record(_)) if types.lanes(from).is_some() => self.through_memory(value, ty, span),
            _ => None,
        }
    }

    /// The value stored and read as another type of the same size.
    fn through_memory(&mut self, value: ExprRef<'h>, ty: Ty, span: Span) -> Option<ExprRef<'h>> {
        let types = &self.program.types;
        let align = types.align_of(value.ty.ty).max(types.align_of(ty));
        let plain = QualTy::plain(value.ty.ty);
        let variable = self.add_private_variable(self.names.empty(), plain, align, span);
        let init = Some(&*self.arena.alloc(Init::Value(value)));
        let stored = self.make_lvalue(ExprKind::PrivateVariable(variable), plain, span);
        let (pointer, target) =
            (self.program.types.pointer_to(plain), self.program.types.pointer_to(QualTy::plain(ty)));
        let address = self.make(ExprKind::AddressOf(stored), pointer, span);
        let address = self.make(ExprKind::Convert(Conversion::Pointer, address), target, span);
        let read = self.deref(address, QualTy::plain(ty), span);
        let read = self.lvalue_conversion(read);
        let declaration = Stmt { kind: StmtKind::Declare { variable, init }, span };
        Some(self.after(&[declaration], read, span))
    }

    /// The value of `vec_step` for a type (6.11.2): 4 for three components.
    pub(super) fn vec_step(&mut self, ty: Ty, operand: Span, span: Span) -> ExprRef<'h> {
        if ty == Ty::ERROR {
            return self.error_expr(span);
        }
        if ty != Ty::VOID && self.program.types.lanes(ty).is_none() {
            let text = self.quoted(ty);
            self.error(operand, format!("'vec_step' requires built-in scalar or vector type, {text} invalid"));
            return self.error_expr(span);
        }
        let count = self.program.types.lanes(ty).map_or(1, |(_, lanes)| if lanes == 3 { 4 } else { u64::from(lanes) });
        self.int(count, Ty::INT, span)
    }
}

/// `outer` chosen from the lanes that `inner` chose.
fn compose(inner: &Lanes, outer: &Lanes) -> Lanes {
    let mut lanes = [0; 16];
    for (target, lane) in lanes.iter_mut().zip(outer.as_slice()) {
        *target = inner.as_slice().get(usize::from(*lane)).copied().unwrap_or(Lanes::ABSENT);
    }
    Lanes { count: outer.count, lanes }
}

/// The lanes that a component name chooses of a vector of `width` lanes.
pub(super) fn component_lanes(name: &str, width: u8) -> Result<Lanes, BadComponent> {
    // Halves of a three-component vector are those of a four-component one whose last lane is undefined.
    let padded = width.next_power_of_two();
    let chosen: Option<Vec<u8>> = match name {
        "lo" => Some((0..padded / 2).collect()),
        "hi" => Some((padded / 2..padded).collect()),
        "even" => Some((0..padded).step_by(2).collect()),
        "odd" => Some((1..padded).step_by(2).collect()),
        _ => None,
    };
    let chosen = match chosen {
        Some(chosen) => chosen.into_iter().map(|lane| if lane < width { lane } else { Lanes::ABSENT }).collect(),
        None => named_lanes(name, width)?,
    };
    if !matches!(chosen.len(), 1 | 2 | 3 | 4 | 8 | 16) {
        return Err(BadComponent::Length(chosen.len()));
    }
    let mut lanes = [0; 16];
    lanes[..chosen.len()].copy_from_slice(&chosen);
    Ok(Lanes { count: to_u8(chosen.len()), lanes })
}

fn named_lanes(name: &str, width: u8) -> Result<Vec<u8>, BadComponent> {
    let numeric = name.strip_prefix(['s', 'S']).filter(|digits| !digits.is_empty());
    let set = if name.starts_with(['r', 'g', 'b', 'a']) { "rgba" } else { "xyzw" };
    let mut chosen = Vec::with_capacity(name.len());
    for character in numeric.unwrap_or(name).chars() {
        let lane = match numeric {
            Some(_) => character.to_digit(16),
            None => set.find(character).map(|lane| to_u32(lane)),
        };
        match lane {
            Some(lane) if lane < u32::from(width) => chosen.push(to_u8(lane)),
            Some(_) => return Err(BadComponent::Range(character)),
            None => return Err(BadComponent::Name(character)),
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::{Lanes, component_lanes};

    fn lanes(name: &str, width: u8) -> Option<Vec<u8>> {
        component_lanes(name, width).ok().map(|lanes| lanes.as_slice().to_vec())
    }

    #[test]
    fn names() {
        assert_eq!(lanes("wzyx", 4), Some(vec![3, 2, 1, 0]));
        assert_eq!(lanes("rga", 4), Some(vec![0, 1, 3]));
        assert_eq!(lanes("s0aF", 16), Some(vec![0, 10, 15]));
        assert_eq!(lanes("hi", 8), Some(vec![4, 5, 6, 7]));
        assert_eq!(lanes("odd", 4), Some(vec![1, 3]));
        assert_eq!(lanes("lo", 3), Some(vec![0, 1]));
        assert_eq!(lanes("hi", 3), Some(vec![2, Lanes::ABSENT]));
    }

    #[test]
    fn not_names() {
        assert_eq!(lanes("z", 2), None);
        assert_eq!(lanes("xyzwx", 8), None);
        assert_eq!(lanes("xr", 4), None);
        assert_eq!(lanes("s", 4), None);
    }
}
