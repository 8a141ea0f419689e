//! Selects the file that reads each instruction of a function.

use super::FunctionReader;
use crate::decode::Instruction;
use crate::error::{Result, unsupported_reason};
use crate::tables::InstructionSet;
use rspirv::spirv::Op;

/// Whether an instruction computes a value of its operands and does nothing else: what `OpSpecConstantOp` may name.
pub fn is_pure(op: Op) -> bool {
    use super::{arithmetic, comparison, composite, conversion};
    arithmetic::is_arithmetic(op)
        || comparison::is_comparison(op)
        || conversion::is_conversion(op)
        || composite::is_composite(op)
        || is_address(op)
}

/// Whether an instruction computes numbers of numbers.
fn is_of_numbers(op: Op) -> bool {
    use super::{arithmetic, conversion};
    arithmetic::is_arithmetic(op) || conversion::is_conversion(op)
}

/// Whether an instruction computes an address.
pub fn is_address(op: Op) -> bool {
    matches!(op, Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::InBoundsPtrAccessChain)
        || is_untyped_address(op)
}

/// Whether an instruction computes an address from a pointer without a type: its first operand is the type.
pub fn is_untyped_address(op: Op) -> bool {
    matches!(op, Op::UntypedAccessChainKHR | Op::UntypedInBoundsAccessChainKHR)
        || matches!(op, Op::UntypedPtrAccessChainKHR | Op::UntypedInBoundsPtrAccessChainKHR)
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// Appends what an instruction of a block becomes.
    pub fn instruction(&mut self, at: &Instruction<'w>) -> Result<()> {
        use super::{
            arithmetic, atomics, comparison, composite, conversion, enqueue, groups, images, matrices, pipes, shuffles,
        };
        self.check_widths(at)?;
        match at.op {
            Op::Line => {
                let (file, line, column) = (at.operand(0)?, at.operand(1)?, at.operand(2)?);
                self.b.span = self.m.span(file, line, column);
                Ok(())
            }
            Op::NoLine => {
                self.forget_place();
                Ok(())
            }
            Op::Nop | Op::LifetimeStart | Op::LifetimeStop | Op::AssumeTrueKHR => Ok(()),
            Op::ExtInst => match self.m.tables.sets.get(&at.operand(0)?) {
                Some(InstructionSet::OpenCl) => self.extended(at),
                Some(InstructionSet::NonSemantic) => Ok(()),
                None => Err(at.invalid("an instruction of a set that is not imported")),
            },
            Op::Undef => self.undefined(at),
            Op::FunctionCall => self.call(at),
            Op::Variable | Op::UntypedVariableKHR => self.initialize(at),
            op if is_address(op) => self.address(at),
            Op::Load => self.load_instruction(at),
            Op::Store => self.store_instruction(at),
            Op::SizeOf => self.size_of(at),
            Op::CopyMemory | Op::CopyMemorySized => self.copy_memory(at),
            Op::UntypedPrefetchKHR => self.prefetch(at),
            op if matrices::is_of_matrices(op) => self.matrix_instruction(at),
            op if self.result_matrix(at).is_some() && (op == Op::MatrixTimesScalar || is_of_numbers(op)) => {
                self.matrix_arithmetic(at)
            }
            op if conversion::is_conversion(op) => self.conversion(at),
            op if comparison::is_comparison(op) => self.comparison(at),
            op if arithmetic::is_arithmetic(op) => self.arithmetic(at),
            op if composite::is_composite(op) => self.composite(at),
            op if atomics::is_atomic(op) => self.atomic(at),
            op if groups::is_group(op) => self.group(at),
            op if images::is_image(op) => self.image(at),
            op if pipes::is_pipe(op) => self.pipe(at),
            op if enqueue::is_enqueue(op) => self.enqueueing(at),
            op if shuffles::is_shuffle(op) => self.shuffle_of_sub_group(at),
            op => Err(at.unsupported(format!("{op:?}{}", unsupported_reason(op)))),
        }
    }
}
