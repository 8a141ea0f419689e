//! Which descriptors of a module are arrays: reflection does not say it, the types of the module's variables do.

use super::{Descriptor, Instruction};
use std::collections::{BTreeMap, HashMap};

/// Opcodes and decorations that matter here (SPIR-V 1.6, section 3).
mod op {
    pub const TYPE_ARRAY: u16 = 28;
    pub const TYPE_POINTER: u16 = 32;
    pub const VARIABLE: u16 = 59;
    pub const DECORATE: u16 = 71;
    pub const BINDING: u32 = 33;
    pub const DESCRIPTOR_SET: u32 = 34;
}

/// What was seen of a module so far.
#[derive(Default)]
pub(super) struct Arrays {
    /// By id of a variable.
    sets: HashMap<u32, u32>,
    bindings: HashMap<u32, u32>,
    /// Id of the length, by id of the array type.
    lengths: HashMap<u32, u32>,
    /// What pointer types point to.
    pointees: HashMap<u32, u32>,
    /// (variable, pointer type)
    variables: Vec<(u32, u32)>,
}

impl Arrays {
    pub fn note(&mut self, instruction: &Instruction<'_>) {
        match (instruction.opcode, instruction.operands) {
            (op::DECORATE, [target, op::DESCRIPTOR_SET, set]) => {
                self.sets.insert(*target, *set);
            }
            (op::DECORATE, [target, op::BINDING, binding]) => {
                self.bindings.insert(*target, *binding);
            }
            (op::TYPE_ARRAY, [id, _, length]) => {
                self.lengths.insert(*id, *length);
            }
            (op::TYPE_POINTER, [id, _, pointee]) => {
                self.pointees.insert(*id, *pointee);
            }
            (op::VARIABLE, [ty, id, ..]) => self.variables.push((*id, *ty)),
            _ => {}
        }
    }

    /// The longest array at each descriptor, given the module's 32-bit constants.
    pub fn find(&self, constants: &HashMap<u32, u32>) -> BTreeMap<Descriptor, u32> {
        let mut found = BTreeMap::new();
        for (variable, ty) in &self.variables {
            let place = self.sets.get(variable).zip(self.bindings.get(variable));
            let length = self.pointees.get(ty).and_then(|array| constants.get(self.lengths.get(array)?));
            if let (Some((set, binding)), Some(length)) = (place, length) {
                let longest: &mut u32 = found.entry(Descriptor { set: *set, binding: *binding }).or_default();
                *longest = (*longest).max(*length);
            }
        }
        found
    }
}
