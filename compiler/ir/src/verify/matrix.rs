//! Cooperative matrices.

use super::operation::{binary, convert, unary};
use super::*;

impl Verifier<'_> {
    pub(super) fn matrix(&self, op: MatrixOp, found: &[Type]) -> Check {
        use MatrixOp as M;
        match op {
            M::Load { ptr, stride, .. } => {
                self.matrix_memory(ptr, stride)?;
                result_matrix(found).map(|_| ())
            }
            M::Store { ptr, stride, matrix, .. } => {
                self.matrix_memory(ptr, stride)?;
                self.operand_matrix(matrix)?;
                results(found, &[])
            }
            M::MultiplyAdd { a, b, c, .. } => {
                let [left, right, sum] = [self.operand_matrix(a)?, self.operand_matrix(b)?, self.operand_matrix(c)?];
                let uses = [left.usage, right.usage, sum.usage] == MatrixUse::ALL;
                operands(uses, "a matrix of another use")?;
                let shapes = left.columns == right.rows && (sum.rows, sum.columns) == (left.rows, right.columns);
                operands(shapes, "matrices of shapes that cannot be multiplied")?;
                results(found, &[self.ty(c)])
            }
            M::Fill { scalar } => self.operand(scalar, Type::scalar(result_matrix(found)?.scalar()), "component"),
            M::Length { matrix } => {
                self.operand_matrix(matrix)?;
                results(found, &[Type::I32])
            }
            M::Extract { matrix, index } => {
                self.operand(index, Type::I32, "index")?;
                results(found, &[Type::scalar(self.operand_matrix(matrix)?.scalar())])
            }
            M::Insert { matrix, index, scalar } => {
                self.operand(index, Type::I32, "index")?;
                self.operand(scalar, Type::scalar(self.operand_matrix(matrix)?.scalar()), "component")?;
                results(found, &[self.ty(matrix)])
            }
            M::Unary { op, matrix } => {
                unary(op, Type::scalar(self.operand_matrix(matrix)?.scalar()))?;
                results(found, &[self.ty(matrix)])
            }
            M::Binary { op, lhs, rhs } => {
                operands(self.ty(lhs) == self.ty(rhs), "operand types differ")?;
                binary(op, Type::scalar(self.operand_matrix(lhs)?.scalar()))?;
                results(found, &[self.ty(lhs)])
            }
            M::Convert { op, matrix } => {
                let (from, to) = (self.operand_matrix(matrix)?, result_matrix(found)?);
                let same = (from.rows, from.columns, from.usage) == (to.rows, to.columns, to.usage);
                operands(same, "a conversion to another shape")?;
                convert(op, Type::scalar(from.scalar()), Type::scalar(to.scalar()))
            }
        }
    }

    /// The memory of a load or a store: a pointer, or an address after `vulkan/memory`.
    fn matrix_memory(&self, ptr: Value, stride: Value) -> Check {
        let ty = self.ty(ptr);
        let is_address = ty == Type::I64 && self.dialect.reached(Legalized::KernelAbi);
        operands(ty.space().is_some() || is_address, "the memory of a matrix is no pointer")?;
        self.operand(stride, Type::I64, "stride")
    }

    pub(super) fn operand_matrix(&self, value: Value) -> Check<MatrixType> {
        let ty = self.ty(value);
        ty.matrix().map_or_else(|| violation(Rule::Operands, format!("{ty} is no matrix")), Ok)
    }
}

/// The type of the only result, a matrix.
pub(super) fn result_matrix(found: &[Type]) -> Check<MatrixType> {
    let ty = only_result(found)?;
    ty.matrix().map_or_else(|| violation(Rule::Results, format!("{ty} is no matrix")), Ok)
}
