//! `workarounds/byte_swap`: the upper byte of an integer whose bytes change places is taken as a field
//! ([`Workarounds::NVIDIA_BYTE_SWAP`](clforge_basic::workarounds::Workarounds)).

use super::field;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass};
use clforge_ir::*;

/// Bits of a byte.
const BYTE: u64 = 8;
/// Operations on a way from what is put together back to a shift.
const MOST_OPERATIONS: u32 = 4;

/// The pass. The driver recognises `x << 8 | x >> 8`, also with masks and among other bits, where 16 bits of it are stored or
/// converted; it does not see through a field. Only functions with integers of 16 bits are changed, since the field hides the shift
/// from other optimisations too, such as that of a swap of four bytes.
pub struct ByteSwap;

impl FunctionPass for ByteSwap {
    fn name(&self) -> &'static str {
        "workarounds/byte_swap"
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let is_narrow = |result: &Value| function.ty(*result).scalar == ScalarType::I16;
        if !function.insts.iter().any(|inst| inst.results.iter().any(is_narrow)) {
            return Changed::No;
        }
        let mut shifts = Shifts::default();
        for inst in &function.insts {
            if let Op::Binary { op: BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add, lhs, rhs } = inst.op {
                shifts.of_sum(function, [lhs, rhs]);
            }
        }
        for (shift, whole, bits) in &shifts.swapping {
            let extract = match function.inst(*shift).op {
                Op::Binary { op: BinaryOp::AShr, .. } => Intrinsic::BitFieldSExtract,
                Op::Binary { op: BinaryOp::LShr, .. } => Intrinsic::BitFieldUExtract,
                _ => continue,
            };
            function.inst_mut(*shift).op = field(function, extract, (*whole, 8, *bits));
        }
        if shifts.swapping.is_empty() { Changed::No } else { Changed::Maybe }
    }
}

/// Shifts by 8 bits of integers of 32 bits.
#[derive(Default)]
struct Shifts {
    /// Those to the right that are put together with some to the left, what they shift, and how many of its bits they leave.
    swapping: Vec<(InstId, Value, u32)>,
    /// Those that the current sum is made of.
    right: Vec<(InstId, Value, u32)>,
    /// Whether the current sum has some to the left.
    left: bool,
}

impl Shifts {
    fn of_sum(&mut self, function: &Function, operands: [Value; 2]) {
        self.right.clear();
        self.left = false;
        operands.iter().for_each(|operand| self.look(function, *operand, MOST_OPERATIONS));
        if self.left {
            self.swapping.append(&mut self.right);
        }
    }

    fn look(&mut self, function: &Function, value: Value, operations: u32) {
        let (ValueDef::Inst(id, _), Some(operations)) = (*function.def(value), operations.checked_sub(1)) else {
            return;
        };
        if function.ty(value).scalar != ScalarType::I32 {
            return;
        }
        let Op::Binary { op, lhs, rhs } = function.inst(id).op else { return };
        let constant = function.as_int(rhs);
        match op {
            BinaryOp::And if constant.is_some() => self.look(function, lhs, operations),
            BinaryOp::Or | BinaryOp::Xor | BinaryOp::Add => {
                [lhs, rhs].iter().for_each(|operand| self.look(function, *operand, operations));
            }
            BinaryOp::LShr | BinaryOp::AShr if constant == Some(BYTE) => self.right.push((id, lhs, 24)),
            // Of what is extended from 16 bits.
            BinaryOp::LShr | BinaryOp::AShr if constant == Some(3 * BYTE) => {
                if let Some(Op::Binary { op: BinaryOp::Shl, lhs: whole, rhs }) = function.op(lhs)
                    && function.as_int(*rhs) == Some(2 * BYTE)
                {
                    self.right.push((id, *whole, 8));
                }
            }
            BinaryOp::Shl => self.left |= constant == Some(BYTE),
            BinaryOp::Mul => self.left |= constant == Some(1 << BYTE),
            _ => {}
        }
    }
}
