//! Removes what a module says of itself, for devices that do not accept it.

use clforge_compiler::interface::{Instruction, InterfaceError, instructions};
use spirv::Op;
use std::collections::HashSet;

/// The module without instruction sets whose names begin with `NonSemantic.`, the extension that permits them, and strings that
/// nothing else uses. It computes the same.
///
/// # Errors
/// Words that are no module.
pub fn strip_reflection(words: &[u32]) -> Result<Vec<u32>, InterfaceError> {
    let all = instructions(words)?.collect::<Result<Vec<_>, _>>()?;
    let (mut sets, mut files) = (HashSet::new(), HashSet::new());
    for instruction in &all {
        match op(instruction) {
            Some(Op::ExtInstImport) if is_named(instruction, 1, "NonSemantic.") => sets.extend(instruction.word(0)),
            // What lines of the source refer to.
            Some(Op::Line) => files.extend(instruction.word(0)),
            Some(Op::Source) => files.extend(instruction.word(2)),
            _ => {}
        }
    }
    let has = |ids: &HashSet<u32>, id: Option<u32>| id.is_some_and(|id| ids.contains(&id));
    let removed = |instruction: &Instruction<'_>| match op(instruction) {
        Some(Op::ExtInstImport) => has(&sets, instruction.word(0)),
        Some(Op::ExtInst) => has(&sets, instruction.word(2)),
        Some(Op::Extension) => is_named(instruction, 0, "SPV_KHR_non_semantic_info"),
        Some(Op::String) => !has(&files, instruction.word(0)),
        _ => false,
    };
    let first = all.first().map_or(words.len(), |instruction| instruction.at);
    let mut stripped = words[..first].to_vec();
    for instruction in all.iter().filter(|instruction| !removed(instruction)) {
        stripped.extend(&words[instruction.at..=instruction.at + instruction.operands.len()]);
    }
    Ok(stripped)
}

fn op(instruction: &Instruction<'_>) -> Option<Op> {
    Op::from_u32(instruction.opcode.into())
}

fn is_named(instruction: &Instruction<'_>, operand: usize, start: &str) -> bool {
    instruction.string(operand).is_some_and(|(name, _)| name.starts_with(start))
}
