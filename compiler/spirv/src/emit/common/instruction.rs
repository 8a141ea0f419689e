//! Instructions as rspirv represents them.

use rspirv::dr::{self, Operand};
use rspirv::grammar::{INSTRUCTION_TABLE, Instruction};
use rspirv::spirv::{Op, Word};
use std::sync::LazyLock;

/// What `dr::Instruction::new` makes, which searches the whole grammar for each instruction.
pub fn instruction(op: Op, ty: Option<Word>, id: Option<Word>, operands: Vec<Operand>) -> dr::Instruction {
    dr::Instruction { class: class(op), result_type: ty, result_id: id, operands }
}

/// The grammar of an instruction.
fn class(op: Op) -> &'static Instruction<'static> {
    static CLASSES: LazyLock<Vec<Option<&'static Instruction<'static>>>> = LazyLock::new(|| {
        let last = INSTRUCTION_TABLE.iter().map(|class| class.opcode as usize).max().unwrap_or(0);
        let mut classes = vec![None; last + 1];
        for class in INSTRUCTION_TABLE.iter() {
            classes[class.opcode as usize] = Some(class);
        }
        classes
    });
    CLASSES.get(op as usize).copied().flatten().unwrap_or_else(|| INSTRUCTION_TABLE.get(op))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_has_its_grammar() {
        for class in INSTRUCTION_TABLE.iter() {
            let made = instruction(class.opcode, Some(1), Some(2), vec![Operand::IdRef(3)]);
            assert_eq!(made, dr::Instruction::new(class.opcode, Some(1), Some(2), vec![Operand::IdRef(3)]));
        }
    }
}
