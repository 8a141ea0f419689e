//! Loads and stores of cooperative matrices.

use super::Vulkan;
use crate::emit::common::FunctionEmitter;
use clforge_basic::narrow::low_u32;
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Word};

impl Vulkan<'_> {
    /// Loads and stores through addresses, and of local variables.
    pub fn matrix_access(&mut self, f: &mut FunctionEmitter<'_>, inst: &Inst) -> Result<(), Error> {
        let ty_of = |value: Value| f.function.ty(value).matrix().or_internal("no matrix");
        let (layout, stride, matrix) = match inst.op {
            Op::Matrix(MatrixOp::Load { layout, stride, .. }) | Op::MatrixVariableLoad { layout, stride, .. } => {
                (layout, stride, ty_of(inst.result()?)?)
            }
            Op::Matrix(MatrixOp::Store { layout, stride, matrix, .. })
            | Op::MatrixVariableStore { layout, stride, matrix, .. } => (layout, stride, ty_of(matrix)?),
            _ => return Err(Error::internal("no access to a matrix")),
        };
        let (pointer, memory) = match inst.op {
            Op::MatrixVariableLoad { variable, index, .. } | Op::MatrixVariableStore { variable, index, .. } => {
                let element = self.module.variable(variable).element;
                let (pointer, info) = self.element_pointer(f, variable, Some(index), element)?;
                (pointer, self.access(None, false, self.is_shared(info.class)))
            }
            Op::Matrix(MatrixOp::Load { ptr, .. } | MatrixOp::Store { ptr, .. }) => {
                let pointer = self.typed_pointer(f, ptr, Type::scalar(matrix.scalar()))?;
                (pointer, self.access(Some(alignment(matrix, layout)), false, self.synchronizes))
            }
            _ => return Err(Error::internal("no access to a matrix")),
        };
        let mut operands = vec![Operand::IdRef(pointer)];
        let stored = match inst.op {
            Op::Matrix(MatrixOp::Store { matrix, .. }) | Op::MatrixVariableStore { matrix, .. } => Some(matrix),
            _ => None,
        };
        operands.extend(stored.map(|matrix| Operand::IdRef(f.id(self, matrix))));
        operands.push(Operand::IdRef(f.m.matrix_layout(layout)));
        operands.push(Operand::IdRef(self.matrix_stride(f, stride)?));
        operands.extend(memory);
        match inst.results.first() {
            Some(result) => {
                let (id, ty) = (f.id(self, *result), f.type_of(self, *result));
                f.push_as(id, spirv::Op::CooperativeMatrixLoadKHR, ty, operands)
            }
            None => f.effect(spirv::Op::CooperativeMatrixStoreKHR, operands),
        }
    }

    /// A stride, of 32 bits as drivers expect it.
    fn matrix_stride(&mut self, f: &mut FunctionEmitter<'_>, stride: Value) -> Result<Word, Error> {
        if let Some(stride) = f.function.as_int(stride) {
            return Ok(f.m.constant_u32(low_u32(stride)));
        }
        let id = f.id(self, stride);
        if f.function.ty(stride) == Type::I32 {
            return Ok(id);
        }
        let ty = f.m.u32();
        f.push(spirv::Op::UConvert, ty, vec![Operand::IdRef(id)])
    }
}

/// The alignment that Vulkan demands of a matrix in memory: that of a row (or column), but 16 bytes at most
/// (VUID-RuntimeSpirv-OpCooperativeMatrixLoadKHR-08986).
fn alignment(matrix: MatrixType, layout: MatrixLayout) -> u32 {
    let line = match layout {
        MatrixLayout::RowMajor => matrix.columns,
        MatrixLayout::ColumnMajor => matrix.rows,
    };
    let bytes = line * matrix.component.bytes();
    (1 << bytes.trailing_zeros()).min(16)
}
