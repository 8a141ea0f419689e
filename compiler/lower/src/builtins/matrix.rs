//! Cooperative matrices (`cl_khr_cooperative_matrix`). `coop_mat_init` is a conversion and does not get here.

use super::{Entry, Lower, Lowered};
use clforge_ir::{
    BinaryOp, ComponentSign, Error, MatrixLayout, MatrixOp, MatrixOverflow, MatrixType, Op, Opaque, ScalarType, Type,
    Value,
};
use clforge_sema::hir::types::{MatrixTy, Scalar, Ty, TyKind};

/// The functions of the extension.
pub const ENTRIES: &[Entry] = &[
    ("coop_mat_load", load),
    ("coop_mat_store", store),
    ("coop_mat_mulAdd", multiply_add),
    ("coop_mat_init", |_| Err(Error::internal("'coop_mat_init' without a destination"))),
    ("coop_mat_length", length),
];

/// The type of a matrix in the IR.
pub fn matrix_type(matrix: MatrixTy) -> Option<Type> {
    let MatrixTy { component, rows, columns, usage } = matrix;
    let component = MatrixType::component_of(super::ir_scalar(component))?;
    Some(Type::scalar(ScalarType::Opaque(Opaque::Matrix(MatrixType { component, rows, columns, usage }))))
}

impl Lower<'_, '_> {
    fn matrix_ty(&self, ty: Ty) -> Result<MatrixTy, Error> {
        match self.types.kind(ty) {
            TyKind::Matrix(matrix) => Ok(matrix),
            _ => Err(Error::internal("no cooperative matrix")),
        }
    }

    fn matrix_argument(&self, index: usize) -> Result<MatrixTy, Error> {
        let argument = self.call.argument_types.get(index).ok_or_else(|| Error::internal("no such argument"))?;
        self.matrix_ty(argument.ty)
    }

    /// A constant argument.
    fn constant(&self, index: usize) -> Result<u64, Error> {
        let value = self.arg(index)?;
        self.b.function.as_int(value).ok_or_else(|| Error::internal("an argument that is no constant"))
    }

    fn layout(&self, index: usize) -> Result<MatrixLayout, Error> {
        Ok(if self.constant(index)? == 0 { MatrixLayout::RowMajor } else { MatrixLayout::ColumnMajor })
    }

    /// The stride in components: as written it counts what the pointer, the first argument, points to.
    fn stride(&mut self, index: usize) -> Result<Value, Error> {
        let stride = self.arg(index)?;
        let pointee = self.pointee(0).and_then(|(ty, _)| self.types.lanes(ty));
        let lanes = pointee.map_or(1, |(_, lanes)| lanes.next_power_of_two());
        Ok(self.b.binary_int(BinaryOp::Mul, stride, i64::from(lanes)))
    }
}

fn load(l: &mut Lower<'_, '_>) -> Lowered {
    let ty = matrix_type(l.matrix_ty(l.call.result)?).ok_or_else(|| l.unsupported_type())?;
    let (ptr, layout, stride) = (l.arg(0)?, l.layout(1)?, l.stride(2)?);
    Ok(Some(l.b.emit(Op::Matrix(MatrixOp::Load { layout, ptr, stride }), ty)))
}

fn store(l: &mut Lower<'_, '_>) -> Lowered {
    let (ptr, matrix, layout, stride) = (l.arg(0)?, l.arg(1)?, l.layout(2)?, l.stride(3)?);
    l.b.effect(Op::Matrix(MatrixOp::Store { layout, ptr, stride, matrix }));
    Ok(None)
}

fn multiply_add(l: &mut Lower<'_, '_>) -> Lowered {
    let sign = |matrix: MatrixTy| match matrix.component {
        Scalar::Int(kind) if kind.is_signed() => ComponentSign::Signed,
        _ => ComponentSign::Unsigned,
    };
    let [a_sign, b_sign, c_sign] =
        [sign(l.matrix_argument(0)?), sign(l.matrix_argument(1)?), sign(l.matrix_argument(2)?)];
    let overflow = if l.constant(3)? == 0 { MatrixOverflow::Wraps } else { MatrixOverflow::Saturates };
    let (a, b, c) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let ty = l.b.ty(c);
    Ok(Some(l.b.emit(Op::Matrix(MatrixOp::MultiplyAdd { a_sign, b_sign, c_sign, overflow, a, b, c }), ty)))
}

fn length(l: &mut Lower<'_, '_>) -> Lowered {
    let matrix = l.arg(0)?;
    Ok(Some(l.b.emit(Op::Matrix(MatrixOp::Length { matrix }), Type::I32)))
}
