//! Lowers operators and conversions of cooperative matrices. Their functions are in `builtins/matrix.rs`.

use super::context::FunctionLowering;
use super::operator::arithmetic_op;
use super::types::is_signed;
use clforge_ir::{self as ir, ConvertOp, MatrixOp, Op, Type, Value};
use clforge_sema::hir::types::MatrixTy;
use clforge_sema::hir::{BinaryOp, FloatKind, Scalar, Ty, TyKind};

impl FunctionLowering<'_, '_, '_, '_> {
    fn matrix_ty(&self, ty: Ty) -> Option<MatrixTy> {
        match self.types.kind(ty) {
            TyKind::Matrix(matrix) => Some(matrix),
            _ => None,
        }
    }

    fn matrix(&mut self, op: MatrixOp, ty: Type) -> Value {
        self.b.emit(Op::Matrix(op), ty)
    }

    /// An operator on the components of two matrices of that type; `None`: it is no matrix.
    pub fn matrix_binary(&mut self, op: BinaryOp, a: Value, b: Value, ty: Ty) -> Option<Value> {
        let matrix = self.matrix_ty(ty)?;
        let op = arithmetic_op(op, matrix.component);
        let ty = self.b.ty(a);
        Some(self.matrix(MatrixOp::Binary { op, lhs: a, rhs: b }, ty))
    }

    /// The negation of the components of a matrix; `None`: it is no matrix.
    pub fn matrix_negation(&mut self, value: Value, ty: Ty) -> Option<Value> {
        let matrix = self.matrix_ty(ty)?;
        let op = if matches!(matrix.component, Scalar::Float(_)) { ir::UnaryOp::FNeg } else { ir::UnaryOp::Neg };
        let ty = self.b.ty(value);
        Some(self.matrix(MatrixOp::Unary { op, matrix: value }, ty))
    }

    /// A matrix of one number; `None`: the type is no matrix.
    pub fn matrix_fill(&mut self, scalar: Value, to: Ty) -> Option<Value> {
        self.matrix_ty(to)?;
        let ty = self.value_type(to);
        Some(self.matrix(MatrixOp::Fill { scalar }, ty))
    }

    /// The components of a matrix as others; `None`: they are no matrices.
    pub fn matrix_conversion(&mut self, value: Value, from: Ty, to: Ty) -> Option<Value> {
        let (from, to_matrix) = (self.matrix_ty(from)?, self.matrix_ty(to)?);
        let ty = self.value_type(to);
        Some(match component_conversion(from.component, to_matrix.component) {
            Some(op) => self.matrix(MatrixOp::Convert { op, matrix: value }, ty),
            None => value,
        })
    }

    /// A lane of a vector, or a component of a matrix.
    pub fn extract_at(&mut self, whole: Value, index: Value) -> Value {
        match self.b.ty(whole).matrix() {
            Some(matrix) => self.matrix(MatrixOp::Extract { matrix: whole, index }, Type::scalar(matrix.scalar())),
            None => self.b.pure(Op::ExtractDynamic { vector: whole, index }),
        }
    }

    /// A vector with another lane, or a matrix with another component.
    pub fn insert_at(&mut self, whole: Value, index: Value, scalar: Value) -> Value {
        match self.b.ty(whole).matrix() {
            Some(_) => {
                let ty = self.b.ty(whole);
                self.matrix(MatrixOp::Insert { matrix: whole, index, scalar }, ty)
            }
            None => self.b.pure(Op::InsertDynamic { vector: whole, scalar, index }),
        }
    }
}

/// The conversion of numbers; `None` where the bits stay.
fn component_conversion(from: Scalar, to: Scalar) -> Option<ConvertOp> {
    let bits = |scalar: Scalar| scalar.size();
    let of_floats = |from: FloatKind, to: FloatKind| match from.cmp(&to) {
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Less => Some(ConvertOp::FExt),
        std::cmp::Ordering::Greater => Some(ConvertOp::FTrunc),
    };
    match (from, to) {
        (Scalar::Float(from), Scalar::Float(to)) => of_floats(from, to),
        (Scalar::Float(_), to) => Some(if is_signed(to) { ConvertOp::FToS } else { ConvertOp::FToU }),
        (from, Scalar::Float(_)) => Some(if is_signed(from) { ConvertOp::SToF } else { ConvertOp::UToF }),
        (from, to) => match bits(from).cmp(&bits(to)) {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(if is_signed(from) { ConvertOp::SExt } else { ConvertOp::ZExt }),
            std::cmp::Ordering::Greater => Some(ConvertOp::Trunc),
        },
    }
}
