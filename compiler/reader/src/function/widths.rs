//! Integers of widths that OpenCL C does not have, up to 64 bits: optimisers use them where the upper bits of a wider
//! type do not matter. They are kept zero-extended in the next wider type of the IR: an operation that may set bits
//! above the width clears them afterwards, and an operation on signed operands extends their sign first.

use super::FunctionReader;
use crate::decode::Instruction;
use crate::error::Result;
use crate::tables::InstructionSet;
use clforge_basic::narrow::to_i64;
use clforge_ir::{BinaryOp, Type, Value};
use rspirv::grammar::OPENCL_STD_100_INSTRUCTION_TABLE;
use rspirv::spirv::Op;

/// Whether an instruction reads its integers as signed.
fn reads_signed(op: Op) -> bool {
    matches!(op, Op::SDiv | Op::SRem | Op::SMod | Op::ShiftRightArithmetic | Op::SConvert | Op::ConvertSToF)
        || matches!(op, Op::SLessThan | Op::SLessThanEqual | Op::SGreaterThan | Op::SGreaterThanEqual)
}

/// Whether an instruction has integers of any width: the operations of C, and what moves values.
fn takes_any_width(op: Op) -> bool {
    use super::{comparison, composite};
    reads_signed(op)
        || comparison::is_comparison(op)
        || composite::is_composite(op)
        || matches!(op, Op::IAdd | Op::ISub | Op::IMul | Op::UDiv | Op::UMod | Op::SNegate | Op::Not | Op::BitCount)
        || matches!(op, Op::BitwiseAnd | Op::BitwiseOr | Op::BitwiseXor | Op::ShiftLeftLogical | Op::ShiftRightLogical)
        || matches!(op, Op::UConvert | Op::ConvertUToF | Op::ConvertFToU | Op::ConvertFToS | Op::CopyObject)
        || matches!(op, Op::ExpectKHR | Op::Undef | Op::FunctionCall | Op::Variable)
        || super::instruction::is_address(op)
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// That an instruction has integers of these widths, and whether it reads them as signed.
    pub fn check_widths(&mut self, at: &Instruction<'w>) -> Result<()> {
        self.reads_signed = false;
        if self.m.tables.types.has_common_widths() {
            return Ok(());
        }
        let (mut takes, mut operands) = (takes_any_width(at.op), at.operands);
        self.reads_signed = reads_signed(at.op);
        if at.op == Op::ExtInst {
            if self.m.tables.sets.get(&at.operand(0)?) == Some(&InstructionSet::NonSemantic) {
                return Ok(());
            }
            let entry = OPENCL_STD_100_INSTRUCTION_TABLE.iter().find(|e| at.optional(1) == Some(u32::from(e.opcode)));
            let name = entry.map_or("", |entry| entry.opname);
            takes = matches!(name, "s_min" | "s_max" | "s_abs" | "u_min" | "u_max" | "popcount");
            self.reads_signed = name.starts_with("s_");
            operands = at.rest(2);
        }
        if takes || (at.op == Op::Bitcast && self.is_mask_cast(at)?) {
            return Ok(());
        }
        let has_whole_size = |width: &u32| !matches!(width, 17..=24 | 33..=56);
        let of_operand = |id: &u32| self.type_of(*id).and_then(|ty| self.m.tables.types.width(ty));
        let width = self.m.tables.types.width(at.ty).or_else(|| operands.iter().find_map(of_operand));
        // In memory they have as many bytes as they need: all of the wider type's, or some, which is not supported.
        let width = width.filter(|width| !(matches!(at.op, Op::Load | Op::Store) && has_whole_size(width)));
        match width {
            Some(width) => Err(at.unsupported(format!("{:?} of integers of {width} bits is not supported", at.op))),
            None => Ok(()),
        }
    }

    /// The type of a value of the function or of the module.
    fn type_of(&self, id: u32) -> Option<u32> {
        self.graph.types.get(&id).copied().or_else(|| self.m.type_of(id))
    }

    /// An operand as the instruction reads it.
    pub fn extended_operand(&mut self, id: u32, value: Value) -> Value {
        if !self.reads_signed {
            return value;
        }
        let Some(width) = self.type_of(id).and_then(|ty| self.m.tables.types.width(ty)) else { return value };
        let unused = i64::from(self.b.ty(value).scalar.bits() - width);
        let shifted = self.b.binary_int(BinaryOp::Shl, value, unused);
        self.b.binary_int(BinaryOp::AShr, shifted, unused)
    }

    /// A result without the bits that its type does not have.
    pub fn narrowed(&mut self, value: Value, id: u32, ty: Type) -> Value {
        match self.m.tables.types.width(id) {
            Some(_) => self.b.binary_int(BinaryOp::And, value, to_i64(self.m.tables.types.mask(id, ty))),
            None => value,
        }
    }
}
