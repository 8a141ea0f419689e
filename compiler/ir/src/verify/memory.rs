//! Operations on memory: pointers, variables, atomics and barriers.

use super::*;

impl Verifier<'_> {
    pub(super) fn memory_operation(&self, op: &Op, region: RegionId, found: &[Type]) -> Check {
        match op {
            Op::PtrAdd { base, index, .. } => {
                operands(self.ty(*base).space().is_some(), "the base is not a pointer")?;
                let is_index = |index: Value| matches!(self.ty(index), Type::I32 | Type::I64);
                operands(index.is_none_or(is_index), "the index is neither i32 nor i64")?;
                self.implied_result(op, found)
            }
            Op::GlobalAddress(global) => match self.module.globals.get(*global) {
                Some(global) => results(found, &[only_result(found)?.in_space(global.space)]),
                None => violation(Rule::Operands, "there is no such global"),
            },
            Op::Alloca { align, .. } => {
                require(region == self.function.body, Rule::Placement, || "alloca in a nested region".into())?;
                operands(align.is_power_of_two(), "the alignment is not a power of two")?;
                results(found, &[only_result(found)?.in_space(Space::Private)])
            }
            Op::Load { ptr, align, .. } => self.access(*ptr, only_result(found)?, *align),
            Op::Store { ptr, value, align, .. } => {
                results(found, &[])?;
                self.access(*ptr, self.ty(*value), *align)
            }
            Op::Atomic { op, ptr, operands, .. } => {
                self.pointer(*ptr)?;
                self.atomic(*op, operands, found).map(drop)
            }
            Op::VariableLoad { variable, index } => {
                let element = self.accessed(*variable, *index, only_result(found)?)?;
                results(found, &[element])
            }
            Op::VariableStore { variable, index, value } => {
                results(found, &[])?;
                let element = self.accessed(*variable, *index, self.ty(*value))?;
                self.writable(*variable)?;
                self.operand(*value, element, "value")
            }
            Op::VariableAtomic { op, variable, index, operands, .. } => {
                let element = self.element(*variable, *index)?;
                self.writable(*variable)?;
                let ty = self.atomic(*op, operands, found)?;
                require(ty.is_none_or(|ty| ty == element), Rule::Operands, || {
                    format!("the variable has elements of type {element}")
                })
            }
            Op::MatrixVariableLoad { variable, index, stride, .. } => {
                self.matrix_elements(*variable, *index, *stride)?;
                matrix::result_matrix(found).map(drop)
            }
            Op::MatrixVariableStore { variable, index, stride, matrix, .. } => {
                results(found, &[])?;
                self.matrix_elements(*variable, *index, *stride)?;
                self.writable(*variable)?;
                self.operand_matrix(*matrix).map(drop)
            }
            Op::Barrier { execution, .. } => {
                operands(matches!(execution, Scope::SubGroup | Scope::WorkGroup), "a barrier of no group")?;
                results(found, &[])
            }
            Op::Fence(_) => results(found, &[]),
            op => violation(Rule::Operands, format!("not an operation on memory: {op:?}")),
        }
    }

    /// A pointer, or, where the dialect has Vulkan's addresses, one of those: an integer of 64 bits, or its two words.
    fn pointer(&self, ptr: Value) -> Check {
        let ty = self.ty(ptr);
        let is_address = self.dialect.reached(Legalized::KernelAbi) && matches!(ty, Type::I64 | Type::I32X2);
        operands(ty.space().is_some() || is_address, "not a pointer")
    }

    fn access(&self, ptr: Value, ty: Type, align: u32) -> Check {
        self.pointer(ptr)?;
        operands(align.is_power_of_two(), "the alignment is not a power of two")?;
        operands(ty.scalar != ScalarType::Bool, "bool in memory")
    }

    /// The operands and the result of an atomic operation, and the type of its object where they say it.
    fn atomic(&self, op: AtomicOp, values: &[Value], found: &[Type]) -> Check<Option<Type>> {
        use AtomicOp::*;
        let count = match op {
            Load => 0,
            CompareExchange => 2,
            Store | Exchange | Add | Sub | And | Or | Xor | SMin | SMax | UMin | UMax | FAdd | FMin | FMax => 1,
        };
        require(values.len() == count, Rule::Operands, || {
            format!("atomic {} has {count} operands besides the pointer", op.text())
        })?;
        let ty = match values.first() {
            Some(value) => self.ty(*value),
            None => only_result(found)?,
        };
        values.iter().try_for_each(|value| self.operand(*value, ty, "value"))?;
        let good = match op {
            Load | Store | Exchange => ty.scalar.is_int() || ty.scalar.is_float(),
            CompareExchange | Add | Sub | And | Or | Xor | SMin | SMax | UMin | UMax => ty.scalar.is_int(),
            FAdd | FMin | FMax => ty.scalar.is_float(),
        };
        require(good && ty.lanes == 1, Rule::Operands, || format!("atomic {} of {ty}", op.text()))?;
        results(found, if op == Store { &[] } else { std::slice::from_ref(&ty) })?;
        Ok(Some(ty))
    }

    fn variable(&self, variable: VariableId) -> Check<&Variable> {
        match self.module.variables.get(variable) {
            Some(variable) => Ok(variable),
            None => violation(Rule::Operands, "there is no such variable"),
        }
    }

    /// The type of a variable's elements.
    fn element(&self, variable: VariableId, index: Option<Value>) -> Check<Type> {
        index.map_or(Ok(()), |index| self.operand(index, Type::I32, "index"))?;
        Ok(self.variable(variable)?.element)
    }

    /// What an access is of: an element, or a lane of one if the access has the type of one.
    fn accessed(&self, variable: VariableId, index: Option<Value>, ty: Type) -> Check<Type> {
        let element = self.element(variable, index)?;
        let has_lanes = matches!(element.lanes, 2 | 4) && index.is_some();
        Ok(if has_lanes && ty == element.lane() { ty } else { element })
    }

    /// The elements of a variable that a matrix has in memory.
    fn matrix_elements(&self, variable: VariableId, index: Value, stride: Value) -> Check {
        let element = self.element(variable, Some(index))?;
        self.operand(stride, Type::I32, "stride")?;
        operands(MatrixType::component_of(element.scalar).is_some(), "not a variable of numbers")
    }

    fn writable(&self, variable: VariableId) -> Check {
        let writable = match self.variable(variable)?.storage {
            Storage::Function | Storage::Private | Storage::Workgroup | Storage::StorageBuffer { .. } => true,
            Storage::PushConstant | Storage::Uniform { .. } => false,
        };
        operands(writable, "the variable cannot be written")
    }
}
