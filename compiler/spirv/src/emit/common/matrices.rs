//! Cooperative matrices (SPV_KHR_cooperative_matrix): their types, and the operations that access no memory.

use super::{Environment, FunctionEmitter, ModuleBuilder};
use clforge_basic::narrow::low_u32;
use clforge_ir::*;
use rspirv::dr::{self, Operand};
use rspirv::spirv::{self, Capability, CooperativeMatrixLayout, CooperativeMatrixOperands, StorageClass, Word};

impl ModuleBuilder {
    /// The type of a matrix, and what it takes.
    pub fn matrix_type(&mut self, matrix: MatrixType) -> Word {
        self.extension("SPV_KHR_cooperative_matrix");
        self.capability(Capability::CooperativeMatrixKHR);
        let component = self.scalar(matrix.scalar());
        let numbers = [spirv::Scope::Subgroup as u32, matrix.rows, matrix.columns, matrix.usage.number()];
        let mut key = vec![component];
        key.extend(numbers.map(|number| self.constant_u32(number)));
        let operands = key.iter().map(|id| Operand::IdRef(*id)).collect();
        self.interned(spirv::Op::TypeCooperativeMatrixKHR, None, key, operands)
    }

    /// The constant of a layout.
    pub fn matrix_layout(&mut self, layout: MatrixLayout) -> Word {
        self.constant_u32(match layout {
            MatrixLayout::RowMajor => CooperativeMatrixLayout::RowMajorKHR as u32,
            MatrixLayout::ColumnMajor => CooperativeMatrixLayout::ColumnMajorKHR as u32,
        })
    }
}

impl FunctionEmitter<'_> {
    /// An operation that is neither a load nor a store.
    ///
    /// # Errors
    /// Internal ones.
    pub fn matrix<E: Environment>(&mut self, env: &mut E, op: MatrixOp, inst: &Inst) -> Result<(), Error> {
        use MatrixOp as M;
        let result = inst.result()?;
        match op {
            M::Load { .. } | M::Store { .. } => Err(Error::internal("an access to memory")),
            M::MultiplyAdd { .. } => self.matrix_multiply_add(env, op, result),
            M::Fill { scalar } => {
                let scalar = self.id(env, scalar);
                self.define(env, result, spirv::Op::CompositeConstruct, &[scalar])
            }
            M::Length { matrix } => {
                let of = self.type_of(env, matrix);
                self.define(env, result, spirv::Op::CooperativeMatrixLengthKHR, &[of])
            }
            M::Extract { matrix, index } => self.matrix_extract(env, matrix, index, result),
            M::Insert { matrix, index, scalar } => self.matrix_insert(env, [matrix, index, scalar], result),
            M::Unary { op, matrix } => {
                let op = if op == UnaryOp::FNeg { spirv::Op::FNegate } else { spirv::Op::SNegate };
                let matrix = self.id(env, matrix);
                self.define(env, result, op, &[matrix])
            }
            M::Binary { op, lhs, rhs } => {
                let op = match op {
                    BinaryOp::FAdd => spirv::Op::FAdd,
                    BinaryOp::FSub => spirv::Op::FSub,
                    BinaryOp::FMul => spirv::Op::FMul,
                    BinaryOp::FDiv => spirv::Op::FDiv,
                    BinaryOp::Add => spirv::Op::IAdd,
                    BinaryOp::Sub => spirv::Op::ISub,
                    BinaryOp::Mul => spirv::Op::IMul,
                    BinaryOp::SDiv => spirv::Op::SDiv,
                    BinaryOp::UDiv => spirv::Op::UDiv,
                    op => return Err(Error::internal(format!("{} of matrices", op.text()))),
                };
                let operands = [self.id(env, lhs), self.id(env, rhs)];
                self.define(env, result, op, &operands)
            }
            M::Convert { op, matrix } => {
                let op = match op {
                    ConvertOp::Trunc | ConvertOp::ZExt => spirv::Op::UConvert,
                    ConvertOp::SExt => spirv::Op::SConvert,
                    ConvertOp::FTrunc | ConvertOp::FExt => spirv::Op::FConvert,
                    ConvertOp::FToS => spirv::Op::ConvertFToS,
                    ConvertOp::FToU => spirv::Op::ConvertFToU,
                    ConvertOp::SToF => spirv::Op::ConvertSToF,
                    ConvertOp::UToF => spirv::Op::ConvertUToF,
                    ConvertOp::Bitcast => spirv::Op::Bitcast,
                    op => return Err(Error::internal(format!("{} of matrices", op.text()))),
                };
                let matrix = self.id(env, matrix);
                self.define(env, result, op, &[matrix])
            }
        }
    }

    fn matrix_multiply_add<E: Environment>(&mut self, env: &mut E, op: MatrixOp, result: Value) -> Result<(), Error> {
        use CooperativeMatrixOperands as O;
        let MatrixOp::MultiplyAdd { a_sign, b_sign, c_sign, overflow, a, b, c } = op else {
            return Err(Error::internal("not a product of matrices"));
        };
        let flags = [
            (a_sign == ComponentSign::Signed, O::MATRIX_A_SIGNED_COMPONENTS_KHR),
            (b_sign == ComponentSign::Signed, O::MATRIX_B_SIGNED_COMPONENTS_KHR),
            (
                c_sign == ComponentSign::Signed,
                O::MATRIX_C_SIGNED_COMPONENTS_KHR | O::MATRIX_RESULT_SIGNED_COMPONENTS_KHR,
            ),
            (overflow == MatrixOverflow::Saturates, O::SATURATING_ACCUMULATION_KHR),
        ];
        let mask = flags.into_iter().filter(|(holds, _)| *holds).fold(O::NONE_KHR, |mask, (_, flag)| mask | flag);
        let mut operands: Vec<Operand> = [a, b, c].map(|value| Operand::IdRef(self.id(env, value))).to_vec();
        if mask != O::NONE_KHR {
            operands.push(Operand::CooperativeMatrixOperands(mask));
        }
        let (id, ty) = (self.id(env, result), self.type_of(env, result));
        self.push_as(id, spirv::Op::CooperativeMatrixMulAddKHR, ty, operands)
    }

    fn matrix_extract<E: Environment>(
        &mut self,
        env: &mut E,
        matrix: Value,
        index: Value,
        result: Value,
    ) -> Result<(), Error> {
        let (id, ty) = (self.id(env, result), self.type_of(env, result));
        if let Some(index) = self.function.as_int(index) {
            let operands = vec![Operand::IdRef(self.id(env, matrix)), Operand::LiteralBit32(low_u32(index))];
            return self.push_as(id, spirv::Op::CompositeExtract, ty, operands);
        }
        let (_, component) = self.component_pointer(env, matrix, index)?;
        self.push_as(id, spirv::Op::Load, ty, vec![Operand::IdRef(component)])
    }

    fn matrix_insert<E: Environment>(
        &mut self,
        env: &mut E,
        [matrix, index, scalar]: [Value; 3],
        result: Value,
    ) -> Result<(), Error> {
        let (id, ty) = (self.id(env, result), self.type_of(env, result));
        let scalar = Operand::IdRef(self.id(env, scalar));
        if let Some(index) = self.function.as_int(index) {
            let operands = vec![scalar, Operand::IdRef(self.id(env, matrix)), Operand::LiteralBit32(low_u32(index))];
            return self.push_as(id, spirv::Op::CompositeInsert, ty, operands);
        }
        let (variable, component) = self.component_pointer(env, matrix, index)?;
        self.effect(spirv::Op::Store, vec![Operand::IdRef(component), scalar])?;
        self.push_as(id, spirv::Op::Load, ty, vec![Operand::IdRef(variable)])
    }

    /// A variable with the value of a matrix, and a pointer to one of its components: an index that is not a constant takes memory.
    fn component_pointer<E: Environment>(
        &mut self,
        env: &mut E,
        matrix: Value,
        index: Value,
    ) -> Result<(Word, Word), Error> {
        let ty = self.function.ty(matrix);
        let component = ty.matrix().or_internal("no matrix")?.scalar();
        let variable = self.matrix_variable(env, ty)?;
        let value = Operand::IdRef(self.id(env, matrix));
        self.effect(spirv::Op::Store, vec![Operand::IdRef(variable), value])?;
        let component = self.type_id(env, Type::scalar(component));
        let pointer = self.m.pointer(StorageClass::Function, component);
        let operands = vec![Operand::IdRef(variable), Operand::IdRef(self.id(env, index))];
        Ok((variable, self.push(spirv::Op::AccessChain, pointer, operands)?))
    }

    /// The variable of the function for matrices of a type, at the beginning of its first block.
    fn matrix_variable<E: Environment>(&mut self, env: &mut E, ty: Type) -> Result<Word, Error> {
        if let Some(variable) = self.matrix_variables.get(&ty) {
            return Ok(*variable);
        }
        let matrix = self.type_id(env, ty);
        let pointer = self.m.pointer(StorageClass::Function, matrix);
        let id = self.m.id();
        let operands = vec![Operand::StorageClass(StorageClass::Function)];
        let variable = super::instruction::instruction(spirv::Op::Variable, Some(pointer), Some(id), operands);
        let function = self.m.b.selected_function().or_internal("an instruction outside of a function")?;
        let blocks: &mut Vec<dr::Block> = &mut self.m.b.module_mut().functions[function].blocks;
        blocks.first_mut().or_internal("a function without blocks")?.instructions.insert(0, variable);
        self.matrix_variables.insert(ty, id);
        Ok(id)
    }
}
