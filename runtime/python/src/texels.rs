//! The types of texels that the kernels of a module read and write, which only its code says.

use clforge_compiler::interface::{Descriptor, Instruction, instructions};
use spirv::{Decoration, Op};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The images that each kernel accesses, with the types of the texels.
#[derive(Default)]
pub struct Texels {
    /// Functions by the names of kernels.
    kernels: HashMap<String, u32>,
    functions: HashMap<u32, Function>,
    sets: HashMap<u32, u32>,
    bindings: HashMap<u32, u32>,
}

#[derive(Default)]
struct Function {
    /// Variables of images, and the types of their texels.
    accesses: Vec<(u32, &'static str)>,
    calls: Vec<u32>,
}

/// What is known of ids while the instructions of a module are gone through.
#[derive(Default)]
struct Ids {
    /// `float`, `int` or `uint`, also of types that contain an image.
    texels: HashMap<u32, &'static str>,
    /// Variables, and what was loaded from them: the variable, and the type of its texels.
    images: HashMap<u32, (u32, &'static str)>,
}

impl Texels {
    /// Reads a module. Where there is anything unexpected nothing is known.
    pub fn new(words: &[u32]) -> Texels {
        let (mut texels, mut ids, mut function) = (Texels::default(), Ids::default(), 0);
        for instruction in instructions(words).into_iter().flatten().map_while(Result::ok) {
            let Some(op) = Op::from_u32(instruction.opcode.into()) else { continue };
            match (op, instruction.operands) {
                (Op::EntryPoint, [_, id, ..]) => {
                    texels.kernels.extend(instruction.string(2).map(|(name, _)| (name, *id)));
                }
                (Op::Decorate, [id, decoration, operand]) if *decoration == Decoration::DescriptorSet as u32 => {
                    texels.sets.insert(*id, *operand);
                }
                (Op::Decorate, [id, decoration, operand]) if *decoration == Decoration::Binding as u32 => {
                    texels.bindings.insert(*id, *operand);
                }
                (Op::Function, [_, id, ..]) => function = *id,
                (Op::FunctionCall, [_, _, callee, ..]) => {
                    texels.functions.entry(function).or_default().calls.push(*callee);
                }
                _ => {
                    let accesses = ids.note(op, &instruction);
                    texels.functions.entry(function).or_default().accesses.extend(accesses);
                }
            }
        }
        texels
    }

    /// The types of the texels that a kernel accesses by a descriptor.
    pub fn of(&self, kernel: &str, at: Descriptor) -> BTreeSet<&'static str> {
        let mut functions: Vec<u32> = self.kernels.get(kernel).copied().into_iter().collect();
        let mut seen: HashSet<u32> = functions.iter().copied().collect();
        let mut found = BTreeSet::new();
        while let Some(function) = functions.pop().and_then(|id| self.functions.get(&id)) {
            let here = |id: &u32| self.sets.get(id) == Some(&at.set) && self.bindings.get(id) == Some(&at.binding);
            found.extend(function.accesses.iter().filter(|(id, _)| here(id)).map(|(_, texel)| *texel));
            functions.extend(function.calls.iter().filter(|callee| seen.insert(**callee)));
        }
        found
    }
}

impl Ids {
    /// Notes an instruction, and returns the variable that it accesses.
    fn note(&mut self, op: Op, instruction: &Instruction<'_>) -> Option<(u32, &'static str)> {
        match (op, instruction.operands) {
            (Op::TypeFloat, [id, ..]) => _ = self.texels.insert(*id, "float"),
            (Op::TypeInt, [id, _, 0]) => _ = self.texels.insert(*id, "uint"),
            (Op::TypeInt, [id, ..]) => _ = self.texels.insert(*id, "int"),
            (Op::TypeImage | Op::TypeArray, [id, of, ..]) | (Op::TypePointer, [id, _, of]) => {
                self.texels.extend(self.texels.get(of).copied().map(|texel| (*id, texel)));
            }
            (Op::Variable, [ty, id, ..]) => {
                self.images.extend(self.texels.get(ty).map(|texel| (*id, (*id, *texel))));
            }
            (Op::AccessChain | Op::Load | Op::SampledImage | Op::CopyObject, [_, id, of, ..]) => {
                self.images.extend(self.images.get(of).copied().map(|image| (*id, image)));
            }
            (Op::ImageWrite, [image, ..]) => return self.images.get(image).copied(),
            (
                Op::ImageRead
                | Op::ImageFetch
                | Op::ImageSampleExplicitLod
                | Op::ImageSampleImplicitLod
                | Op::ImageGather,
                [_, _, image, ..],
            ) => return self.images.get(image).copied(),
            _ => {}
        }
        None
    }
}
