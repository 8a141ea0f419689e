//! Cooperative matrices (SPV_KHR_cooperative_matrix).

use super::{FunctionReader, Item};
use crate::decode::Instruction;
use crate::error::Result;
use crate::operations::integer;
use clforge_basic::narrow::to_i64;
use clforge_ir::{
    BinaryOp, ComponentSign, ConvertOp, MatrixLayout, MatrixOp, MatrixOverflow, MatrixType, Op as Inst, ScalarType,
    Space, Type, UnaryOp, Value,
};
use rspirv::spirv::{CooperativeMatrixLayout, CooperativeMatrixOperands, Op};

/// Whether an instruction is of the extension.
pub fn is_of_matrices(op: Op) -> bool {
    matches!(
        op,
        Op::CooperativeMatrixLoadKHR
            | Op::CooperativeMatrixStoreKHR
            | Op::CooperativeMatrixMulAddKHR
            | Op::CooperativeMatrixLengthKHR
    )
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// The type of matrix that the result of an instruction has.
    pub fn result_matrix(&self, at: &Instruction<'w>) -> Option<MatrixType> {
        self.m.tables.types.matrix(at.ty)
    }

    /// An instruction of the extension.
    pub fn matrix_instruction(&mut self, at: &Instruction<'w>) -> Result<()> {
        match at.op {
            Op::CooperativeMatrixLoadKHR => {
                let matrix = self.result_matrix(at).ok_or_else(|| at.invalid("the result is no matrix"))?;
                let (ptr, layout, stride) = self.matrix_memory(at, 1, matrix)?;
                self.define_matrix(at, MatrixOp::Load { layout, ptr, stride })
            }
            Op::CooperativeMatrixStoreKHR => {
                let (matrix, ty) = self.matrix_operand(at, 1)?;
                let (ptr, layout, stride) = self.matrix_memory(at, 2, ty)?;
                self.b.effect(Inst::Matrix(MatrixOp::Store { layout, ptr, stride, matrix }));
                Ok(())
            }
            Op::CooperativeMatrixMulAddKHR => self.matrix_multiply_add(at),
            _ => {
                // A matrix of the type, of which nothing but the length matters.
                let matrix = self.m.tables.types.matrix(at.operand(0)?);
                let matrix = matrix.ok_or_else(|| at.invalid("the length of a type that is no matrix"))?;
                let matrix = self.b.undef(Type::of_matrix(matrix));
                let length = self.b.emit(Inst::Matrix(MatrixOp::Length { matrix }), Type::I32);
                self.define_value(at, length)
            }
        }
    }

    fn define_matrix(&mut self, at: &Instruction<'w>, op: MatrixOp) -> Result<()> {
        let ty = self.m.tables.types.value(at, at.ty)?;
        let value = self.b.emit(Inst::Matrix(op), ty);
        self.define_value(at, value)
    }

    fn matrix_operand(&mut self, at: &Instruction<'w>, index: usize) -> Result<(Value, MatrixType)> {
        let value = self.operand(at, index)?;
        let matrix = self.b.ty(value).matrix();
        Ok((value, matrix.ok_or_else(|| at.invalid(format!("operand {index} is no matrix")))?))
    }

    /// The pointer, the layout and the stride in components of a load or a store; `first` is the operand of the layout.
    fn matrix_memory(
        &mut self,
        at: &Instruction<'w>,
        first: usize,
        matrix: MatrixType,
    ) -> Result<(Value, MatrixLayout, Value)> {
        let ptr = self.pointer(at, 0)?;
        if self.b.ty(ptr).space() == Some(Space::Private) {
            return Err(at.invalid("a matrix in memory that work-items do not share"));
        }
        let layout = match self.constant_operand(at, first)? {
            Some(number) if number == CooperativeMatrixLayout::RowMajorKHR as u64 => MatrixLayout::RowMajor,
            Some(number) if number == CooperativeMatrixLayout::ColumnMajorKHR as u64 => MatrixLayout::ColumnMajor,
            _ => return Err(at.unsupported("a layout of matrices that is neither by rows nor by columns")),
        };
        if at.optional(first + 1).is_none() {
            return Err(at.invalid("a matrix in memory without a stride"));
        }
        let stride = self.index(at, first + 1, Type::I64)?;
        let pointee = self.pointee(at, at.operand(0)?)?;
        let pointee = pointee.ok_or_else(|| at.unsupported("a matrix in memory behind a pointer without a type"))?;
        let elements = self.m.tables.types.value(at, pointee)?;
        if !(elements.scalar.is_int() || elements.scalar.is_float()) {
            return Err(at.invalid("a matrix in memory that is no numbers"));
        }
        let (bytes, component) = (self.m.tables.types.get(at, pointee)?.size, matrix.scalar().bytes());
        let stride = match bytes >= component {
            true => self.b.binary_int(BinaryOp::Mul, stride, to_i64(bytes / component)),
            false => self.b.binary_int(BinaryOp::UDiv, stride, to_i64(component / bytes.max(1))),
        };
        Ok((ptr, layout, stride))
    }

    fn matrix_multiply_add(&mut self, at: &Instruction<'w>) -> Result<()> {
        use CooperativeMatrixOperands as O;
        let ((a, left), (b, right), (c, sum)) =
            (self.matrix_operand(at, 0)?, self.matrix_operand(at, 1)?, self.matrix_operand(at, 2)?);
        let shapes = left.columns == right.rows && (sum.rows, sum.columns) == (left.rows, right.columns);
        let uses = [left.usage, right.usage, sum.usage] == clforge_basic::matrix::MatrixUse::ALL;
        let is_float = sum.component.is_float();
        if !shapes || !uses || left.component.is_float() != is_float || right.component.is_float() != is_float {
            return Err(at.invalid("matrices that cannot be multiplied"));
        }
        if self.result_matrix(at) != Some(sum) {
            return Err(at.unsupported("a product of matrices of another type than its summand"));
        }
        let flags = O::from_bits_truncate(at.optional(3).unwrap_or(0));
        let sign = |flag: O| if flags.contains(flag) { ComponentSign::Signed } else { ComponentSign::Unsigned };
        let c_sign = sign(O::MATRIX_C_SIGNED_COMPONENTS_KHR);
        if !is_float && c_sign != sign(O::MATRIX_RESULT_SIGNED_COMPONENTS_KHR) {
            return Err(at.unsupported("a product of matrices of another sign than its summand"));
        }
        let saturates = flags.contains(O::SATURATING_ACCUMULATION_KHR) && !is_float;
        let op = MatrixOp::MultiplyAdd {
            a_sign: sign(O::MATRIX_A_SIGNED_COMPONENTS_KHR),
            b_sign: sign(O::MATRIX_B_SIGNED_COMPONENTS_KHR),
            c_sign,
            overflow: if saturates { MatrixOverflow::Saturates } else { MatrixOverflow::Wraps },
            a,
            b,
            c,
        };
        self.define_matrix(at, op)
    }

    /// Arithmetic and conversions of components.
    pub fn matrix_arithmetic(&mut self, at: &Instruction<'w>) -> Result<()> {
        let to = self.result_matrix(at).ok_or_else(|| at.invalid("the result is no matrix"))?;
        let (first, from) = self.matrix_operand(at, 0)?;
        let unsupported = || at.unsupported(format!("{:?} of cooperative matrices", at.op));
        let floating = match at.op {
            Op::FAdd => Some(BinaryOp::FAdd),
            Op::FSub => Some(BinaryOp::FSub),
            Op::FMul => Some(BinaryOp::FMul),
            Op::FDiv => Some(BinaryOp::FDiv),
            _ => None,
        };
        if let Some(op) = floating.or_else(|| integer(at.op)) {
            use BinaryOp::{Add, Mul, SDiv, Sub, UDiv};
            let (second, other) = self.matrix_operand(at, 1)?;
            let is_of_type = to.component.is_float() == floating.is_some();
            if from != to || other != to || !is_of_type {
                return Err(at.invalid("operands of another type than the result"));
            }
            if floating.is_none() && !matches!(op, Add | Sub | Mul | SDiv | UDiv) {
                return Err(unsupported());
            }
            return self.define_matrix(at, MatrixOp::Binary { op, lhs: first, rhs: second });
        }
        let op = match at.op {
            Op::SNegate if !to.component.is_float() && from == to => {
                MatrixOp::Unary { op: UnaryOp::Neg, matrix: first }
            }
            Op::FNegate if to.component.is_float() && from == to => {
                MatrixOp::Unary { op: UnaryOp::FNeg, matrix: first }
            }
            Op::MatrixTimesScalar if from == to => {
                let scalar = self.operand_of(at, 1, Type::scalar(to.scalar()))?;
                let ty = self.b.ty(first);
                let rhs = self.b.emit(Inst::Matrix(MatrixOp::Fill { scalar }), ty);
                let op = if to.component.is_float() { BinaryOp::FMul } else { BinaryOp::Mul };
                MatrixOp::Binary { op, lhs: first, rhs }
            }
            _ => return self.matrix_conversion(at, first, from, to),
        };
        self.define_matrix(at, op)
    }

    fn matrix_conversion(
        &mut self,
        at: &Instruction<'w>,
        matrix: Value,
        from: MatrixType,
        to: MatrixType,
    ) -> Result<()> {
        if (from.rows, from.columns, from.usage) != (to.rows, to.columns, to.usage) {
            return Err(at.invalid("a conversion to a matrix of another shape or use"));
        }
        let (is_float, bits) = (from.component.is_float(), [from, to].map(|matrix| matrix.scalar().bits()));
        let order = bits[0].cmp(&bits[1]);
        let op = match (at.op, is_float, to.component.is_float()) {
            (Op::ConvertFToS, true, false) => Some(ConvertOp::FToS),
            (Op::ConvertFToU, true, false) => Some(ConvertOp::FToU),
            (Op::ConvertSToF, false, true) => Some(ConvertOp::SToF),
            (Op::ConvertUToF, false, true) => Some(ConvertOp::UToF),
            (Op::FConvert, true, true) => by_order(order, ConvertOp::FExt, ConvertOp::FTrunc),
            (Op::SConvert, false, false) => by_order(order, ConvertOp::SExt, ConvertOp::Trunc),
            (Op::UConvert, false, false) => by_order(order, ConvertOp::ZExt, ConvertOp::Trunc),
            (Op::Bitcast, ..) if bits[0] == bits[1] => (from.component != to.component).then_some(ConvertOp::Bitcast),
            (Op::CopyObject, ..) if from == to => None,
            _ => return Err(at.unsupported(format!("{:?} of cooperative matrices", at.op))),
        };
        match op {
            Some(op) => self.define_matrix(at, MatrixOp::Convert { op, matrix }),
            None => self.define_value(at, matrix),
        }
    }

    /// A matrix of one number.
    pub fn filled_matrix(&mut self, at: &Instruction<'w>, matrix: MatrixType) -> Result<Value> {
        let [scalar] = at.operands else { return Err(at.invalid("a matrix of other than one number")) };
        let scalar = self.value(at, *scalar)?;
        if self.b.ty(scalar) != Type::scalar(matrix.scalar()) {
            return Err(at.invalid("a matrix of numbers of another type"));
        }
        Ok(self.b.emit(Inst::Matrix(MatrixOp::Fill { scalar }), Type::of_matrix(matrix)))
    }

    /// A matrix of zeros.
    pub fn null_matrix(&mut self, matrix: MatrixType) -> Value {
        let scalar = self.b.int(Type::scalar(matrix.scalar()), 0);
        self.b.emit(Inst::Matrix(MatrixOp::Fill { scalar }), Type::of_matrix(matrix))
    }

    /// The component of a number.
    pub fn matrix_component(&mut self, matrix: Value, index: Value) -> Value {
        let ty = self.b.ty(matrix).matrix().map_or(ScalarType::I32, MatrixType::scalar);
        self.b.emit(Inst::Matrix(MatrixOp::Extract { matrix, index }), Type::scalar(ty))
    }

    /// A matrix with another component of a number.
    pub fn with_component(
        &mut self,
        at: &Instruction<'w>,
        matrix: Value,
        index: Value,
        scalar: Value,
    ) -> Result<Value> {
        let ty = self.b.ty(matrix);
        if ty.matrix().map(|matrix| Type::scalar(matrix.scalar())) != Some(self.b.ty(scalar)) {
            return Err(at.invalid("a component of another type than the matrix's"));
        }
        Ok(self.b.emit(Inst::Matrix(MatrixOp::Insert { matrix, index, scalar }), ty))
    }

    /// The address of a component of a matrix in private memory: an index, which the matrix is loaded and stored for.
    pub fn component_address(&mut self, at: &Instruction<'w>, (address, ty): (Value, u32), place: usize) -> Result<()> {
        let index = self.index(at, place, Type::I32)?;
        if place + 1 != at.operands.len() {
            return Err(at.invalid("more indices than the type has levels"));
        }
        self.define(at, Item::Component { address, ty, index });
        Ok(())
    }
}

fn by_order(order: std::cmp::Ordering, wider: ConvertOp, narrower: ConvertOp) -> Option<ConvertOp> {
    match order {
        std::cmp::Ordering::Less => Some(wider),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(narrower),
    }
}
