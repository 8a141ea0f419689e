//! The source line of an error, if the module has it (`OpLine`).

use crate::decode::{Cursor, Instruction, header};
use crate::error::ReadError;
use rspirv::spirv::Op;
use rustc_hash::FxHashMap;

/// Adds file, line and column to an error: those of the last `OpLine` in front of its instruction, which is valid to the end of
/// the block. Modules are searched for it only when there is an error.
pub fn located(words: &[u32], mut error: Box<ReadError>) -> Box<ReadError> {
    let Ok(header) = header(words) else { return error };
    let mut strings: FxHashMap<u32, Instruction<'_>> = FxHashMap::default();
    let mut line: Option<Instruction<'_>> = None;
    let before = Cursor::new(words, &header).map_while(Result::ok).take_while(|at| at.offset < error.offset);
    for at in before {
        match at.op {
            Op::String => {
                strings.insert(at.result, at);
            }
            Op::Line => line = Some(at),
            Op::NoLine | Op::FunctionEnd => line = None,
            op if ends_block(op) => line = None,
            _ => {}
        }
    }
    if let Some(&[file, line, column, ..]) = line.map(|line| line.operands) {
        let name = strings.get(&file).and_then(|at| at.string(0).ok());
        error.place = name.map(|(name, _)| (name, line, column));
    }
    error
}

fn ends_block(op: Op) -> bool {
    matches!(op, Op::Branch | Op::BranchConditional | Op::Switch | Op::Return | Op::ReturnValue | Op::Unreachable)
}
