//! Finds the descriptors of a module that are arrays, by the types of its variables, since the reflection does not say
//! it.

use super::{Descriptor, Instruction};
use rspirv::spirv::{Decoration, Op};
use std::collections::{BTreeMap, HashMap};

const DESCRIPTOR_SET: u32 = Decoration::DescriptorSet as u32;
const BINDING: u32 = Decoration::Binding as u32;

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
        match (Op::from_u32(instruction.opcode.into()), instruction.operands) {
            (Some(Op::Decorate), [target, DESCRIPTOR_SET, set]) => {
                self.sets.insert(*target, *set);
            }
            (Some(Op::Decorate), [target, BINDING, binding]) => {
                self.bindings.insert(*target, *binding);
            }
            (Some(Op::TypeArray), [id, _, length]) => {
                self.lengths.insert(*id, *length);
            }
            (Some(Op::TypePointer), [id, _, pointee]) => {
                self.pointees.insert(*id, *pointee);
            }
            (Some(Op::Variable), [ty, id, ..]) => self.variables.push((*id, *ty)),
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
