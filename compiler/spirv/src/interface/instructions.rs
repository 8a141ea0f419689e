//! Walks over the instructions of a SPIR-V module without trusting it.

use super::InterfaceError;
use clforge_basic::narrow::low_u16;
use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind};
use std::sync::LazyLock;

/// First word of every module (in the host's byte order).
const MAGIC: u32 = 0x0723_0203;
/// Words before the first instruction.
const HEADER: usize = 5;

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Instruction<'w> {
    /// The opcode's number.
    pub opcode: u16,
    /// The words after the first.
    pub operands: &'w [u32],
    /// Index in the module of the instruction's first word.
    pub at: usize,
}

impl<'w> Instruction<'w> {
    /// An operand's word.
    pub fn word(&self, index: usize) -> Option<u32> {
        self.operands.get(index).copied()
    }

    /// The id that the instruction defines.
    pub fn result(&self) -> Option<u32> {
        /// The operand that is the result's id, by opcode.
        static RESULTS: LazyLock<Vec<Option<usize>>> = LazyLock::new(|| {
            let last = INSTRUCTION_TABLE.iter().map(|instruction| instruction.opcode as usize).max().unwrap_or(0);
            let mut results = vec![None; last + 1];
            for instruction in INSTRUCTION_TABLE.iter() {
                let is_result = |operand: &LogicalOperand| operand.kind == OperandKind::IdResult;
                results[instruction.opcode as usize] = instruction.operands.iter().position(is_result);
            }
            results
        });
        self.word((*RESULTS.get(usize::from(self.opcode))?)?)
    }

    /// The literal string that begins at an operand (invalid UTF-8 is replaced), and the index of the operand after it.
    pub fn string(&self, index: usize) -> Option<(String, usize)> {
        let words = self.operands.get(index..)?;
        let length = words.iter().position(|word| word.to_le_bytes().contains(&0))? + 1;
        let mut bytes: Vec<u8> = words[..length].iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(bytes.iter().position(|byte| *byte == 0)?);
        Some((String::from_utf8_lossy(&bytes).into_owned(), index + length))
    }
}

/// The instructions of a module, in order; ends after the first error.
pub struct Instructions<'w> {
    words: &'w [u32],
    at: usize,
}

/// Walks over a module's instructions.
///
/// # Errors
/// [`InterfaceError::NotSpirv`] without a SPIR-V header.
pub fn instructions(words: &[u32]) -> Result<Instructions<'_>, InterfaceError> {
    if words.first() != Some(&MAGIC) || words.len() < HEADER {
        return Err(InterfaceError::NotSpirv);
    }
    Ok(Instructions { words, at: HEADER })
}

impl<'w> Iterator for Instructions<'w> {
    type Item = Result<Instruction<'w>, InterfaceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let first = *self.words.get(at)?;
        let end = at + (first >> 16) as usize;
        match self.words.get(at + 1..end) {
            Some(operands) => {
                self.at = end;
                Some(Ok(Instruction { opcode: low_u16(first.into()), operands, at }))
            }
            None => {
                self.at = self.words.len();
                Some(Err(InterfaceError::Malformed { word: at, problem: "the instruction has a wrong length".into() }))
            }
        }
    }
}
