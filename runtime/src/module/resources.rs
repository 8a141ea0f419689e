//! The descriptors, push constants and specialisation constants that a module's code declares and its entry points use.

use ash::vk;
use clforge_compiler::interface::{Descriptor, Instruction, InterfaceError, instructions};
use spirv::{Decoration, Dim, Op, StorageClass};
use std::collections::{HashMap, HashSet};

/// The first version of SPIR-V in which an entry point lists all variables that it uses.
const LISTS_ALL_VARIABLES: u32 = 0x0001_0400;

/// A variable that an entry point can use only if the pipeline layout provides for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// One or several descriptors: their place, their type (`None` for one that kernels of OpenCL do not have) and their number.
    Descriptor(Descriptor, Option<vk::DescriptorType>, u32),
    /// A block of push constants, with its size in bytes.
    PushConstants(u64),
}

/// What the code of a valid module declares.
#[derive(Default)]
pub(crate) struct Resources {
    variables: HashMap<u32, Variable>,
    /// Sizes in bytes of specialisation constants, by their `SpecId`.
    pub spec_constants: HashMap<u32, u64>,
    /// The ids that each function uses, other functions included. Empty if entry points list all their variables.
    uses: HashMap<u32, HashSet<u32>>,
}

impl Resources {
    /// Reads a module.
    ///
    /// # Errors
    /// [`InterfaceError`] for words that are no sequence of SPIR-V instructions.
    pub fn new(words: &[u32]) -> Result<Resources, InterfaceError> {
        let lists_all = words.get(1).is_some_and(|version| *version >= LISTS_ALL_VARIABLES);
        let mut declarations = Declarations::default();
        let mut resources = Resources::default();
        let mut function = None;
        for instruction in instructions(words)? {
            let instruction = instruction?;
            match Op::from_u32(instruction.opcode.into()) {
                Some(Op::Function) => function = instruction.word(1),
                Some(Op::FunctionEnd) => function = None,
                Some(op) => match function {
                    None => declarations.note(op, &instruction),
                    Some(function) if !lists_all => {
                        resources.uses.entry(function).or_default().extend(used_ids(op, &instruction));
                    }
                    Some(_) => {}
                },
                None => {}
            }
        }
        resources.variables = declarations.variables();
        resources.spec_constants = declarations.spec_constants();
        Ok(resources)
    }

    /// Size in bytes of the block of push constants, which the kernels of a module may share; 0 without one.
    pub fn push_constants(&self) -> u64 {
        let sizes = self.variables.values().map(|variable| match variable {
            Variable::PushConstants(size) => *size,
            Variable::Descriptor(..) => 0,
        });
        sizes.max().unwrap_or(0)
    }

    /// The variables that an entry point uses. `listed` are the ids of its `OpEntryPoint`.
    pub fn used_by(&self, function: u32, listed: &[u32]) -> Vec<Variable> {
        let mut ids: HashSet<u32> = listed.iter().copied().collect();
        let mut functions = vec![function];
        while let Some(function) = functions.pop() {
            for id in self.uses.get(&function).into_iter().flatten() {
                if ids.insert(*id) && self.uses.contains_key(id) {
                    functions.push(*id);
                }
            }
        }
        ids.iter().filter_map(|id| self.variables.get(id).copied()).collect()
    }
}

/// The operands of an instruction that may be ids of variables or functions. Literals are left out of the instructions that
/// have them often; a literal of another instruction can only make a module look as if it used more than it does.
fn used_ids<'i>(op: Op, instruction: &Instruction<'i>) -> &'i [u32] {
    let operands = instruction.operands;
    let (from, to) = match op {
        Op::Load | Op::CompositeExtract => (2, 3),
        Op::Store => (0, 2),
        Op::CompositeInsert | Op::VectorShuffle => (2, 4),
        Op::ExtInst => (4, operands.len()),
        Op::Line | Op::Branch | Op::BranchConditional | Op::Switch | Op::SelectionMerge | Op::LoopMerge | Op::Label => {
            (0, 0)
        }
        _ => (0, operands.len()),
    };
    operands.get(from..to.min(operands.len())).unwrap_or_default()
}

#[derive(Clone, Copy)]
enum Type {
    /// A type whose size does not depend on decorations.
    Sized(u64),
    Image {
        is_buffer: bool,
        /// The operand `Sampled`: 1 for sampled images, 2 for storage images.
        sampled: u32,
    },
    Sampler,
    /// Element type and the id of the length.
    Array(u32, u32),
    Struct,
}

/// Types, constants and decorations.
#[derive(Default)]
struct Declarations {
    types: HashMap<u32, Type>,
    members: HashMap<u32, Vec<u32>>,
    /// Pointer types: storage class and pointee.
    pointers: HashMap<u32, (u32, u32)>,
    constants: HashMap<u32, u32>,
    /// Variables, with their types.
    globals: Vec<(u32, u32)>,
    /// Specialisation constants: id and type.
    spec: Vec<(u32, u32)>,
    sets: HashMap<u32, u32>,
    bindings: HashMap<u32, u32>,
    spec_ids: HashMap<u32, u32>,
    /// Structures that are storage buffers in the storage class `Uniform`.
    buffer_blocks: HashSet<u32>,
    strides: HashMap<u32, u32>,
    /// Offsets of members: structure and index.
    offsets: HashMap<(u32, u32), u32>,
}

impl Declarations {
    fn note(&mut self, op: Op, instruction: &Instruction<'_>) {
        match (op, instruction.operands) {
            (Op::TypeBool, [id]) => _ = self.types.insert(*id, Type::Sized(4)),
            (Op::TypeInt | Op::TypeFloat, [id, width, ..]) => {
                self.types.insert(*id, Type::Sized(u64::from(width / 8)));
            }
            (Op::TypeVector | Op::TypeMatrix, [id, element, count]) => {
                // Matrices have no place in kernels; without their stride the size is a lower bound.
                if let Some(Type::Sized(size)) = self.types.get(element).copied() {
                    self.types.insert(*id, Type::Sized(size.saturating_mul(u64::from(*count))));
                }
            }
            (Op::TypeImage, [id, _, dim, _, _, _, sampled, ..]) => {
                let is_buffer = *dim == Dim::DimBuffer as u32;
                self.types.insert(*id, Type::Image { is_buffer, sampled: *sampled });
            }
            (Op::TypeSampler, [id]) => _ = self.types.insert(*id, Type::Sampler),
            (Op::TypeArray, [id, element, length]) => _ = self.types.insert(*id, Type::Array(*element, *length)),
            // The length is unknown: as large as can be.
            (Op::TypeRuntimeArray, [id, element]) => _ = self.types.insert(*id, Type::Array(*element, 0)),
            (Op::TypeStruct, [id, members @ ..]) => {
                self.types.insert(*id, Type::Struct);
                self.members.insert(*id, members.to_vec());
            }
            (Op::TypePointer, [id, class, pointee]) => {
                self.pointers.insert(*id, (*class, *pointee));
                // The size of a physical pointer; others are in no block.
                self.types.insert(*id, Type::Sized(8));
            }
            (Op::Constant, [_, id, value, ..]) => _ = self.constants.insert(*id, *value),
            (Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse, [ty, id, ..]) => {
                self.spec.push((*id, *ty))
            }
            (Op::Variable, [ty, id, ..]) => self.globals.push((*id, *ty)),
            (Op::Decorate, [target, decoration, rest @ ..]) => self.decorate(*target, *decoration, rest.first()),
            (Op::MemberDecorate, [target, member, decoration, offset]) if *decoration == Decoration::Offset as u32 => {
                self.offsets.insert((*target, *member), *offset);
            }
            _ => {}
        }
    }

    fn decorate(&mut self, target: u32, decoration: u32, operand: Option<&u32>) {
        let map = match Decoration::from_u32(decoration) {
            Some(Decoration::DescriptorSet) => &mut self.sets,
            Some(Decoration::Binding) => &mut self.bindings,
            Some(Decoration::SpecId) => &mut self.spec_ids,
            Some(Decoration::ArrayStride) => &mut self.strides,
            Some(Decoration::BufferBlock) => {
                self.buffer_blocks.insert(target);
                return;
            }
            _ => return,
        };
        map.extend(operand.map(|operand| (target, *operand)));
    }

    fn variables(&self) -> HashMap<u32, Variable> {
        self.globals.iter().filter_map(|(id, ty)| Some((*id, self.variable(*id, *ty)?))).collect()
    }

    fn variable(&self, id: u32, ty: u32) -> Option<Variable> {
        let (class, pointee) = self.pointers.get(&ty).copied()?;
        let class = StorageClass::from_u32(class)?;
        match class {
            StorageClass::PushConstant => Some(Variable::PushConstants(self.size(pointee))),
            StorageClass::UniformConstant | StorageClass::Uniform | StorageClass::StorageBuffer => {
                let at = Descriptor { set: *self.sets.get(&id)?, binding: *self.bindings.get(&id)? };
                let (element, count) = match self.types.get(&pointee)? {
                    Type::Array(element, length) => (*element, self.constants.get(length).copied().unwrap_or(u32::MAX)),
                    _ => (pointee, 1),
                };
                Some(Variable::Descriptor(at, self.descriptor_type(class, element), count))
            }
            _ => None,
        }
    }

    fn descriptor_type(&self, class: StorageClass, ty: u32) -> Option<vk::DescriptorType> {
        Some(match (class, self.types.get(&ty)?) {
            (StorageClass::StorageBuffer, Type::Struct) => vk::DescriptorType::STORAGE_BUFFER,
            (StorageClass::Uniform, Type::Struct) if self.buffer_blocks.contains(&ty) => {
                vk::DescriptorType::STORAGE_BUFFER
            }
            (StorageClass::Uniform, Type::Struct) => vk::DescriptorType::UNIFORM_BUFFER,
            (StorageClass::UniformConstant, Type::Sampler) => vk::DescriptorType::SAMPLER,
            (StorageClass::UniformConstant, Type::Image { is_buffer, sampled }) => match (is_buffer, sampled) {
                (false, 1) => vk::DescriptorType::SAMPLED_IMAGE,
                (false, 2) => vk::DescriptorType::STORAGE_IMAGE,
                (true, 1) => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
                (true, 2) => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The size of a type in a block; as large as can be where it is unknown.
    fn size(&self, ty: u32) -> u64 {
        match self.types.get(&ty) {
            Some(Type::Sized(size)) => *size,
            Some(Type::Array(_, length)) => {
                let length = self.constants.get(length).map_or(u64::MAX, |length| u64::from(*length));
                let stride = self.strides.get(&ty).map_or(u64::MAX, |stride| u64::from(*stride));
                length.saturating_mul(stride)
            }
            Some(Type::Struct) => {
                let members = self.members.get(&ty).into_iter().flatten().zip(0..);
                let end = |(member, index): (&u32, u32)| {
                    let offset = self.offsets.get(&(ty, index)).copied().unwrap_or(0);
                    self.size(*member).saturating_add(offset.into())
                };
                members.map(end).max().unwrap_or(0)
            }
            Some(Type::Image { .. } | Type::Sampler) | None => u64::MAX,
        }
    }

    fn spec_constants(&self) -> HashMap<u32, u64> {
        let sized = |(id, ty): &(u32, u32)| Some((*self.spec_ids.get(id)?, self.size(*ty)));
        self.spec.iter().filter_map(sized).collect()
    }
}
