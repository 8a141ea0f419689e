//! Types, constants, variables and decorations of a module, as far as the host needs them to fill uniform blocks and
//! descriptors.

use ash::vk;
use clforge_compiler::interface::{Descriptor, Instruction};
use spirv::{BuiltIn, Decoration, Dim, ExecutionMode, Op, StorageClass};
use std::collections::{HashMap, HashSet};

/// A variable that an entry point can use only if the pipeline layout provides for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// One or several descriptors: their place, their type (`None` for one that kernels of OpenCL do not have) and their number.
    Descriptor(Descriptor, Option<vk::DescriptorType>, u32),
    /// A block of push constants, with its size in bytes.
    PushConstants(u64),
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
    /// Element type and the id of the length; 0 for one that is not known.
    Array(u32, u32),
    Struct,
}

/// A byte in a block, and the type of the object that begins there.
#[derive(Clone, Copy)]
struct Place {
    variable: u32,
    offset: u64,
    ty: u32,
}

/// A type that is in no block, in bytes.
#[derive(Clone, Copy)]
struct Natural {
    /// Without padding.
    least: u64,
    /// Size and alignment as in C.
    size: u64,
    align: u64,
}

/// See the module. Decorations come before types, and types before what is made of them.
#[derive(Default)]
pub(super) struct Declarations {
    types: HashMap<u32, Type>,
    /// Sizes of types in a block; `u64::MAX` where they are unknown.
    sizes: HashMap<u32, u64>,
    /// Types whose size is known where they are in no block.
    natural: HashMap<u32, Natural>,
    /// Component types of vectors.
    components: HashMap<u32, u32>,
    members: HashMap<u32, Vec<u32>>,
    /// Pointer types: storage class and pointee.
    pointers: HashMap<u32, (u32, u32)>,
    constants: HashMap<u32, u32>,
    /// Variables, with their types.
    globals: HashMap<u32, u32>,
    /// Pointers into blocks.
    places: HashMap<u32, Place>,
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
    /// Composites of three constants.
    triples: HashMap<u32, [u32; 3]>,
    /// The constant decorated with `WorkgroupSize`.
    work_group_size: Option<u32>,
    /// The ids of an execution mode `LocalSizeId`.
    local_size: Option<[u32; 3]>,
}

impl Declarations {
    /// Notes an instruction outside of functions.
    pub fn note(&mut self, op: Op, instruction: &Instruction<'_>) {
        self.declare(op, instruction.operands);
        if let Some(id) = instruction.word(0).filter(|id| self.types.contains_key(id) && !self.sizes.contains_key(id)) {
            self.sizes.insert(id, self.size_of(id));
            let natural = self.natural_of(id);
            self.natural.extend(natural.map(|natural| (id, natural)));
        }
    }

    fn declare(&mut self, op: Op, operands: &[u32]) {
        match (op, operands) {
            (Op::TypeBool, [id]) => _ = self.types.insert(*id, Type::Sized(4)),
            (Op::TypeInt | Op::TypeFloat, [id, width, ..]) => {
                self.types.insert(*id, Type::Sized(u64::from(width / 8)));
            }
            (Op::TypeVector | Op::TypeMatrix, [id, element, count]) => {
                // Matrices have no place in kernels; without their stride the size is a lower bound.
                if let Some(Type::Sized(size)) = self.types.get(element).copied() {
                    self.types.insert(*id, Type::Sized(size.saturating_mul(u64::from(*count))));
                    self.components.insert(*id, *element);
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
            (Op::TypeForwardPointer, [id, _]) => _ = self.types.insert(*id, Type::Sized(8)),
            (Op::TypePointer, [id, class, pointee]) => {
                self.pointers.insert(*id, (*class, *pointee));
                // The size of a physical pointer; others are in no block.
                self.types.insert(*id, Type::Sized(8));
            }
            (Op::Constant, [_, id, value, ..]) => _ = self.constants.insert(*id, *value),
            (Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse, [ty, id, ..]) => {
                self.spec.push((*id, *ty))
            }
            (Op::ConstantComposite | Op::SpecConstantComposite, [_, id, x, y, z]) => {
                self.triples.insert(*id, [*x, *y, *z]);
            }
            (Op::ExecutionModeId, [_, mode, x, y, z]) if *mode == ExecutionMode::LocalSizeId as u32 => {
                self.local_size = Some([*x, *y, *z]);
            }
            (Op::Variable, [ty, id, ..]) => self.declare_variable(*id, *ty),
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
            Some(Decoration::BuiltIn) if operand == Some(&(BuiltIn::WorkgroupSize as u32)) => {
                self.work_group_size = Some(target);
                return;
            }
            _ => return,
        };
        map.extend(operand.map(|operand| (target, *operand)));
    }

    fn declare_variable(&mut self, id: u32, ty: u32) {
        self.globals.insert(id, ty);
        let Some((class, pointee)) = self.pointers.get(&ty).copied() else { return };
        let classes = [StorageClass::PushConstant, StorageClass::Uniform, StorageClass::StorageBuffer];
        if classes.iter().any(|block| *block as u32 == class) {
            self.places.insert(id, Place { variable: id, offset: 0, ty: pointee });
        }
    }

    /// Notes a pointer that an access chain makes, if it points into a block at a place that constants say.
    pub fn chain(&mut self, result: u32, base: u32, indices: &[u32]) {
        let Some(base) = self.places.get(&base).copied() else { return };
        let place = indices.iter().try_fold(base, |place, index| {
            let index = *self.constants.get(index)?;
            let (offset, ty) = match self.types.get(&place.ty)? {
                Type::Struct => {
                    let member = self.members.get(&place.ty)?.get(index as usize)?;
                    (u64::from(*self.offsets.get(&(place.ty, index))?), *member)
                }
                Type::Array(element, _) => {
                    (u64::from(*self.strides.get(&place.ty)?).saturating_mul(index.into()), *element)
                }
                Type::Sized(_) => {
                    let component = *self.components.get(&place.ty)?;
                    (self.size(component).saturating_mul(index.into()), component)
                }
                Type::Image { .. } | Type::Sampler => return None,
            };
            Some(Place { offset: place.offset.saturating_add(offset), ty, ..place })
        });
        self.places.extend(place.map(|place| (result, place)));
    }

    /// The variable and the offset in bytes that a pointer into a block points to.
    pub fn place(&self, pointer: u32) -> Option<(u32, u64)> {
        self.places.get(&pointer).map(|place| (place.variable, place.offset))
    }

    /// By id.
    pub fn variables(&self) -> HashMap<u32, Variable> {
        self.globals.iter().filter_map(|(id, ty)| Some((*id, self.variable(*id, *ty)?))).collect()
    }

    /// Sizes of the blocks at descriptors, where they are known.
    pub fn block_sizes(&self) -> HashMap<Descriptor, u64> {
        let mut sizes = HashMap::new();
        for (id, ty) in &self.globals {
            let pointee = self.pointers.get(ty).map(|(_, pointee)| *pointee);
            let size = pointee.map_or(u64::MAX, |pointee| self.size(pointee));
            if let (Some(set), Some(binding), true) = (self.sets.get(id), self.bindings.get(id), size < u64::MAX) {
                let largest: &mut u64 = sizes.entry(Descriptor { set: *set, binding: *binding }).or_default();
                *largest = size.max(*largest);
            }
        }
        sizes
    }

    /// The `SpecId`s of the work-group size.
    pub fn work_group_size(&self) -> Option<[u32; 3]> {
        let built_in = self.work_group_size.and_then(|id| self.triples.get(&id).copied());
        let [x, y, z] = built_in.or(self.local_size)?.map(|id| self.spec_ids.get(&id).copied());
        Some([x?, y?, z?])
    }

    /// The elements of arrays, by the `SpecId` of their length: see [`super::Resources::element_sizes`].
    pub fn element_sizes(&self) -> HashMap<u32, (u64, u64)> {
        let arrays = self.types.values().filter_map(|ty| match ty {
            Type::Array(element, length) => {
                let Natural { least, size, .. } = self.natural.get(element)?;
                Some((*self.spec_ids.get(length)?, (*least, *size)))
            }
            _ => None,
        });
        arrays.collect()
    }

    fn natural_of(&self, ty: u32) -> Option<Natural> {
        match self.types.get(&ty)? {
            Type::Sized(least) => {
                // Scalars and vectors; those of three components have the size of four.
                let size = least.checked_next_power_of_two()?;
                Some(Natural { least: *least, size, align: size.max(1) })
            }
            Type::Array(element, length) => {
                let (element, length) = (self.natural.get(element)?, u64::from(*self.constants.get(length)?));
                let (least, size) = (element.least.checked_mul(length)?, element.size.checked_mul(length)?);
                Some(Natural { least, size, align: element.align })
            }
            Type::Struct => {
                let mut whole = Natural { least: 0, size: 0, align: 1 };
                for member in self.members.get(&ty)? {
                    let member = self.natural.get(member)?;
                    whole.least = whole.least.checked_add(member.least)?;
                    whole.size = whole.size.checked_next_multiple_of(member.align)?.checked_add(member.size)?;
                    whole.align = whole.align.max(member.align);
                }
                whole.size = whole.size.checked_next_multiple_of(whole.align)?;
                Some(whole)
            }
            Type::Image { .. } | Type::Sampler => None,
        }
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
        self.sizes.get(&ty).copied().unwrap_or(u64::MAX)
    }

    /// The size of a type that is made of types whose sizes are known.
    fn size_of(&self, ty: u32) -> u64 {
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

    /// Sizes of specialisation constants, by their `SpecId`.
    pub fn spec_constants(&self) -> HashMap<u32, u64> {
        let sized = |(id, ty): &(u32, u32)| Some((*self.spec_ids.get(id)?, self.size(*ty)));
        self.spec.iter().filter_map(sized).collect()
    }
}
