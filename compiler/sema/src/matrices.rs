//! Cooperative matrices (`cl_khr_cooperative_matrix`): the attribute `coop_mat`, the functions `coop_mat_…`, and operators.
//! The language is that of Clang's implementation; the API and the SPIR-V are those of the extension's specification.
//!
//! `coop_mat_load` and `coop_mat_init` give a matrix of whatever type it is assigned to. Their calls have the type
//! [`TyKind::UntypedMatrix`] until [`Sema::typed_matrix`] gives them the type of the destination.

use super::conversions::AssignmentAction;
use super::scope::DeclTy;
use super::{ExprRef, Sema};
use crate::builtins;
use crate::hir::types::{MatrixTy, TyKind};
use crate::hir::{BinaryOp, Conversion, ExprKind, QualTy, Scalar, Ty, UnaryOp};
use clforge_basic::matrix::MatrixUse;
use clforge_basic::narrow::to_u32;
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{self, AddressSpace};

/// `CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP`, as SPIR-V numbers it, and `memory_scope_sub_group`.
const SUB_GROUP_SCOPES: [u64; 2] = [3, 4];

const WITHOUT_DESTINATION: &str =
    "the result of this function is a cooperative matrix, and must be assigned to a variable of such a type";

/// More rows or columns than any device has, so that products of them are numbers of 32 bits.
const MAX_SIDE: u64 = 1 << 12;

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// The type of matrix that an expression has.
    pub(super) fn matrix(&self, e: ExprRef<'h>) -> Option<MatrixTy> {
        match self.kind(e.ty.ty) {
            TyKind::Matrix(matrix) => Some(matrix),
            _ => None,
        }
    }

    /// `coop_mat(scope, rows, columns, use)` on the type of the components.
    pub(super) fn matrix_attribute(&mut self, declared: DeclTy, attribute: &ast::Attribute<'a>) -> Ty {
        if declared.ty == Ty::ERROR {
            return Ty::ERROR;
        }
        let span = attribute.span;
        let Some(component) = self.matrix_component(declared.ty) else {
            let text = self.quoted(declared.ty);
            self.error(span, format!("{text} cannot be the element type of a cooperative matrix"));
            return Ty::ERROR;
        };
        let mut numbers = [0; 4];
        if attribute.arguments.len() != numbers.len() {
            self.error(span, "'coop_mat' attribute requires exactly 4 arguments");
            return Ty::ERROR;
        }
        for (number, argument) in numbers.iter_mut().zip(attribute.arguments) {
            let Some(value) = self.attribute_integer("coop_mat", argument) else { return Ty::ERROR };
            *number = value;
        }
        let [scope, rows, columns, usage] = numbers;
        if !SUB_GROUP_SCOPES.contains(&scope) {
            let message = "invalid 'scope' argument of cooperative matrix attribute";
            let diagnostic = self.error_at(span, message).with_help("matrices have the scope of a sub-group");
            self.push(diagnostic);
            return Ty::ERROR;
        }
        let Some(usage) = MatrixUse::of_number(usage) else {
            self.error(span, "invalid 'use' argument of cooperative matrix attribute");
            return Ty::ERROR;
        };
        if let Some(side) = [rows, columns].into_iter().find(|side| !(1..=MAX_SIDE).contains(side)) {
            let message = format!("a cooperative matrix has 1 to {MAX_SIDE} rows and columns, not {side}");
            self.error(span, message);
            return Ty::ERROR;
        }
        let matrix = MatrixTy { component, rows: low(rows), columns: low(columns), usage };
        self.program.types.intern(TyKind::Matrix(matrix))
    }

    /// The components that a type makes: numbers, no `bool`s and enumerations.
    fn matrix_component(&self, ty: Ty) -> Option<Scalar> {
        match self.kind(ty) {
            TyKind::Int(kind) => Some(Scalar::Int(kind)),
            TyKind::Float(kind) => Some(Scalar::Float(kind)),
            _ => None,
        }
    }

    /// A value as a matrix of type `to`, where a function gives one of any type. Others are left as they are.
    pub(super) fn typed_matrix(&mut self, e: ExprRef<'h>, to: Ty) -> ExprRef<'h> {
        if self.kind(e.ty.ty) != TyKind::UntypedMatrix {
            return e;
        }
        self.untyped_matrices.retain(|call| *call != e.span);
        let TyKind::Matrix(matrix) = self.kind(to) else {
            if to != Ty::ERROR {
                self.error(e.span, WITHOUT_DESTINATION);
            }
            return self.error_expr(e.span);
        };
        match e.kind {
            ExprKind::Builtin { function, arguments: &[scalar] } if builtins::name(function) == "coop_mat_init" => {
                let component = self.component_ty(matrix);
                let scalar = self.convert_for_assignment(scalar, component, AssignmentAction::Passing(None));
                if scalar.ty.ty == Ty::ERROR {
                    return self.error_expr(e.span);
                }
                self.make(ExprKind::Convert(Conversion::Splat, scalar), to, e.span)
            }
            kind @ ExprKind::Builtin { arguments: &[pointer, ..], .. } => {
                if !self.matrix_memory(pointer, matrix, false) {
                    return self.error_expr(e.span);
                }
                self.make(kind, to, e.span)
            }
            _ => self.error_expr(e.span),
        }
    }

    /// Reports the calls of a declaration whose matrices have no type. `errors`: how many there were before it.
    pub(super) fn untyped_matrices(&mut self, errors: usize) {
        let calls = std::mem::take(&mut self.untyped_matrices);
        if self.sink.error_count() == errors {
            calls.into_iter().for_each(|call| self.error(call, WITHOUT_DESTINATION));
        }
    }

    fn component_ty(&mut self, matrix: MatrixTy) -> Ty {
        self.program.types.vector(matrix.component, 1)
    }

    /// Checks the pointer of a load or store: to components, or vectors of them, in memory that work-items share.
    fn matrix_memory(&mut self, pointer: ExprRef<'h>, matrix: MatrixTy, stores: bool) -> bool {
        let Some(pointee) = self.pointee(pointer.ty.ty) else {
            let text = self.quoted(pointer.ty.ty);
            self.error(pointer.span, format!("a pointer to the components of the matrix is required, not {text}"));
            return false;
        };
        let lanes = self.program.types.lanes(pointee.ty);
        if lanes.is_none_or(|(scalar, _)| scalar != matrix.component) {
            let component = self.component_ty(matrix);
            let (elements, pointee) = (self.quoted(component), self.quoted(pointee.ty));
            let message = format!("the matrix has elements of type {elements}, and the pointer points to {pointee}");
            self.error(pointer.span, message);
            return false;
        }
        let shared = match pointee.space {
            AddressSpace::Global | AddressSpace::Local | AddressSpace::Generic => true,
            AddressSpace::Constant => !stores,
            AddressSpace::Private => false,
        };
        if !shared {
            self.error(pointer.span, "a cooperative matrix is loaded from and stored to global or local memory");
        }
        let is_const = stores && pointee.quals.contains(ast::Qualifiers::CONST);
        if is_const {
            self.error(pointer.span, "a cooperative matrix cannot be stored to memory that is const");
        }
        shared && !is_const
    }

    /// `None`: the name is not one of the functions `coop_mat_…`.
    pub(super) fn matrix_call(
        &mut self,
        name: Symbol,
        values: &[ExprRef<'h>],
        name_span: Span,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let text = self.text(name).to_owned();
        let counts = match text.as_str() {
            "coop_mat_load" => 3..=3,
            "coop_mat_store" => 4..=4,
            "coop_mat_mulAdd" => 3..=4,
            "coop_mat_init" | "coop_mat_length" => 1..=1,
            _ => return None,
        };
        if !counts.contains(&values.len()) {
            let amount = if values.len() < *counts.start() { "few" } else { "many" };
            let (expected, have) = (counts.end(), values.len());
            let message = format!("too {amount} arguments to function call, expected {expected}, have {have}");
            self.error(name_span, message);
            return Some(self.error_expr(span));
        }
        if values.iter().any(|value| value.ty.ty == Ty::ERROR) {
            return Some(self.error_expr(span));
        }
        let checked = match (text.as_str(), values) {
            ("coop_mat_load", &[pointer, layout, stride]) => self.matrix_load(pointer, layout, stride),
            ("coop_mat_store", &[pointer, matrix, layout, stride]) => {
                self.matrix_store(pointer, matrix, layout, stride)
            }
            ("coop_mat_mulAdd", &[a, b, c, ref operands @ ..]) => {
                self.matrix_multiply_add([a, b, c], operands.first().copied(), span)
            }
            ("coop_mat_init", &[scalar]) => {
                let number = self.matrix_component(scalar.ty.ty).is_some();
                if !number {
                    let text = self.quoted(scalar.ty.ty);
                    self.error(scalar.span, format!("a component of a cooperative matrix is required, not {text}"));
                }
                number.then(|| (self.program.types.intern(TyKind::UntypedMatrix), vec![scalar]))
            }
            (_, &[matrix]) => self.matrix_argument(matrix, None).map(|_| (Ty::UINT, vec![matrix])),
            _ => None,
        };
        Some(match (checked, builtins::by_name(&text)) {
            (Some((result, arguments)), Some(function)) => {
                if self.kind(result) == TyKind::UntypedMatrix {
                    self.untyped_matrices.push(span);
                }
                let arguments = self.arena.alloc_slice_copy(&arguments);
                self.make(ExprKind::Builtin { function, arguments }, result, span)
            }
            _ => self.error_expr(span),
        })
    }

    fn matrix_load(
        &mut self,
        pointer: ExprRef<'h>,
        layout: ExprRef<'h>,
        stride: ExprRef<'h>,
    ) -> Option<(Ty, Vec<ExprRef<'h>>)> {
        let (layout, stride) = (self.matrix_layout(layout)?, self.matrix_stride(stride)?);
        Some((self.program.types.intern(TyKind::UntypedMatrix), vec![pointer, layout, stride]))
    }

    fn matrix_store(
        &mut self,
        pointer: ExprRef<'h>,
        matrix: ExprRef<'h>,
        layout: ExprRef<'h>,
        stride: ExprRef<'h>,
    ) -> Option<(Ty, Vec<ExprRef<'h>>)> {
        let ty = self.matrix_argument(matrix, None)?;
        let (layout, stride) = (self.matrix_layout(layout)?, self.matrix_stride(stride)?);
        self.matrix_memory(pointer, ty, true).then_some((Ty::VOID, vec![pointer, matrix, layout, stride]))
    }

    fn matrix_layout(&mut self, layout: ExprRef<'h>) -> Option<ExprRef<'h>> {
        match self.integer_constant(layout) {
            Some((number @ (0 | 1), _)) => Some(self.int(number, Ty::UINT, layout.span)),
            _ => {
                let message = "the layout of a cooperative matrix in memory must be \
                               CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR or CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR";
                self.error(layout.span, message);
                None
            }
        }
    }

    fn matrix_stride(&mut self, stride: ExprRef<'h>) -> Option<ExprRef<'h>> {
        if self.int_kind(stride.ty.ty).is_none() {
            let text = self.quoted(stride.ty.ty);
            self.error(stride.span, format!("the stride of a cooperative matrix is an integer, not {text}"));
            return None;
        }
        Some(self.convert(stride, Ty::ULONG))
    }

    /// A matrix, of a certain use.
    fn matrix_argument(&mut self, value: ExprRef<'h>, usage: Option<MatrixUse>) -> Option<MatrixTy> {
        let Some(matrix) = self.matrix(value) else {
            self.error(value.span, "the argument must be a cooperative matrix");
            return None;
        };
        if let Some(usage) = usage.filter(|usage| *usage != matrix.usage) {
            let name = usage.name();
            let message = format!("the argument must be a cooperative matrix of use CLK_COOPERATIVE_MATRIX_{name}");
            self.error(value.span, message);
            return None;
        }
        Some(matrix)
    }

    /// `coop_mat_mulAdd(a, b, c)`; the operands are flags.
    fn matrix_multiply_add(
        &mut self,
        factors: [ExprRef<'h>; 3],
        operands: Option<ExprRef<'h>>,
        span: Span,
    ) -> Option<(Ty, Vec<ExprRef<'h>>)> {
        const SATURATES: u64 = 0x10;
        let [a, b, c] = factors;
        let left = self.matrix_argument(a, Some(MatrixUse::A))?;
        let right = self.matrix_argument(b, Some(MatrixUse::B))?;
        let sum = self.matrix_argument(c, Some(MatrixUse::Accumulator))?;
        let is_float = |matrix: MatrixTy| matches!(matrix.component, Scalar::Float(_));
        if is_float(left) != is_float(right) || is_float(left) != is_float(sum) {
            self.error(span, "the factors and the summand must all have floating or all integer elements");
            return None;
        }
        if left.columns != right.rows || (sum.rows, sum.columns) != (left.rows, right.columns) {
            let shapes = [left, right, sum].map(|matrix| format!("{}x{}", matrix.rows, matrix.columns));
            let message = format!("cooperative matrices of shapes that cannot be multiplied: {}", shapes.join(", "));
            self.error(span, message);
            return None;
        }
        let flags = match operands {
            None => self.int(0, Ty::UINT, span),
            Some(operands) => match self.integer_constant(operands) {
                Some((flags @ (0 | SATURATES), _)) if flags == 0 || !is_float(sum) => {
                    self.int(flags, Ty::UINT, operands.span)
                }
                _ => {
                    let message = "fourth argument of 'coop_mat_mulAdd' must be \
                                   CLK_COOPERATIVE_MATRIX_OPERAND_NONE or, of integers, \
                                   CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION";
                    self.error(operands.span, message);
                    return None;
                }
            },
        };
        Some((c.ty.ty, vec![a, b, c, flags]))
    }

    /// An operator on matrices, component by component; `None`: neither operand is one.
    pub(super) fn matrix_binary(
        &mut self,
        op: BinaryOp,
        left: ExprRef<'h>,
        right: ExprRef<'h>,
        op_span: Span,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let untyped = |e: ExprRef<'h>| self.kind(e.ty.ty) == TyKind::UntypedMatrix;
        let (left, right) = match (self.matrix(left), self.matrix(right)) {
            (None, None) if !untyped(left) && !untyped(right) => return None,
            (Some(_), None) => (left, self.typed_matrix(right, left.ty.ty)),
            (None, Some(_)) => (self.typed_matrix(left, right.ty.ty), right),
            _ => (left, right),
        };
        if left.ty.ty == Ty::ERROR || right.ty.ty == Ty::ERROR {
            return Some(self.error_expr(span));
        }
        use BinaryOp::{Add, Div, Mul, Sub};
        let (matrix, other, scalar_is_left) = match (self.matrix(left), self.matrix(right)) {
            (Some(_), Some(_)) if left.ty.ty == right.ty.ty && matches!(op, Add | Sub | Mul | Div) => {
                return Some(self.make(ExprKind::Binary(op, left, right), left.ty.ty, span));
            }
            (Some(_), Some(_)) if left.ty.ty != right.ty.ty => {
                self.error(op_span, "operands that are cooperative matrices must be of one type");
                return Some(self.error_expr(span));
            }
            (Some(_), Some(_)) => {
                self.error(op_span, "cooperative matrices have the binary operators '+', '-', '*' and '/' only");
                return Some(self.error_expr(span));
            }
            (Some(matrix), None) => (matrix, right, false),
            (None, Some(matrix)) => (matrix, left, true),
            (None, None) => return Some(self.invalid_operands(left, right, op_span, span)),
        };
        if op != Mul || self.matrix_component(other.ty.ty).is_none() {
            self.error(op_span, "a cooperative matrix and a number have the operator '*' only");
            return Some(self.error_expr(span));
        }
        let component = self.component_ty(matrix);
        let scalar = self.convert(other, component);
        let ty = if scalar_is_left { right.ty.ty } else { left.ty.ty };
        let filled = self.make(ExprKind::Convert(Conversion::Splat, scalar), ty, other.span);
        let (left, right) = if scalar_is_left { (filled, right) } else { (left, filled) };
        Some(self.make(ExprKind::Binary(op, left, right), ty, span))
    }

    /// `m += n` and similar; `None`: the place is no matrix.
    pub(super) fn matrix_compound_assign(
        &mut self,
        op: BinaryOp,
        place: ExprRef<'h>,
        value: ExprRef<'h>,
        op_span: Span,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        self.matrix(place)?;
        let ty = place.ty.ty;
        // A stand-in for the place's value, which the operation reads once.
        let current = self.make(ExprKind::Load(place), ty, place.span);
        let combined = self.matrix_binary(op, current, value, op_span, span)?;
        let ExprKind::Binary(op, _, value) = combined.kind else { return Some(combined) };
        Some(self.make(ExprKind::CompoundAssign { place, op, value, computation: ty }, ty, span))
    }

    /// `-m` and `+m`; `None`: the operand is no matrix.
    pub(super) fn matrix_unary(&mut self, op: ast::UnaryOp, operand: ExprRef<'h>, span: Span) -> Option<ExprRef<'h>> {
        self.matrix(operand)?;
        match op {
            ast::UnaryOp::Minus => Some(self.make(ExprKind::Unary(UnaryOp::Negate, operand), operand.ty.ty, span)),
            ast::UnaryOp::Plus => Some(operand),
            _ => None,
        }
    }

    /// `(T)m`: each component converted; `None`: one of the types is no matrix.
    pub(super) fn matrix_cast(&mut self, value: ExprRef<'h>, to: Ty, span: Span) -> Option<ExprRef<'h>> {
        let value = match self.kind(value.ty.ty) {
            TyKind::UntypedMatrix => return Some(self.typed_matrix(value, to)),
            _ => value,
        };
        match (self.kind(value.ty.ty), self.kind(to)) {
            (TyKind::Matrix(_), TyKind::Matrix(_)) if value.ty.ty == to => Some(value),
            (TyKind::Matrix(a), TyKind::Matrix(b)) if (a.rows, a.columns, a.usage) == (b.rows, b.columns, b.usage) => {
                Some(self.make(ExprKind::Convert(Conversion::Arithmetic, value), to, span))
            }
            (TyKind::Matrix(_), TyKind::Matrix(_)) => {
                let (from, to) = (self.quoted(value.ty.ty), self.quoted(to));
                let message = format!("{from} cannot be converted to {to}, which has another shape or use");
                self.error(span, message);
                Some(self.error_expr(span))
            }
            _ => None,
        }
    }

    /// `m[i]`: a component that this work-item has.
    pub(super) fn matrix_index(
        &mut self,
        base: ExprRef<'h>,
        matrix: MatrixTy,
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
        let ty = QualTy { ty: self.component_ty(matrix), ..base.ty };
        let base = if base.is_place() {
            base
        } else {
            self.make_lvalue(ExprKind::Temporary(base), QualTy::plain(base.ty.ty), base.span)
        };
        self.make_lvalue(ExprKind::Lane(base, index), ty, span)
    }

    /// Whether a type is a cooperative matrix, or an array of them.
    pub(super) fn is_matrix(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            TyKind::Matrix(_) | TyKind::UntypedMatrix => true,
            TyKind::Array(element, _) => self.is_matrix(element.ty),
            _ => false,
        }
    }
}

/// A side, which is small.
fn low(side: u64) -> u32 {
    to_u32(side.min(MAX_SIDE))
}
