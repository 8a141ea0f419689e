//! Assembles the words of modules, for tests.

use spirv::Op;

/// The header of a module with ids below 10.
pub(super) fn header(version: u32) -> Vec<u32> {
    vec![spirv::MAGIC_NUMBER, version, 0, 10, 0]
}

/// One instruction.
pub(super) fn instruction(op: Op, operands: &[u32]) -> Vec<u32> {
    let mut words = vec![(operands.len() as u32 + 1) << 16 | op as u32];
    words.extend(operands);
    words
}
