//! What all launches of a kernel share: types of descriptors, push constants, places of plain data.

use crate::device::{DescriptorSetLayout, PipelineLayout, RawDevice};
use crate::memory::RawBuffer;
use crate::program::ProgramShared;
use crate::queue::{KINDS, KindCounts};
use crate::{Error, Result};
use ash::vk;
use clforge_compiler::interface::{ArgumentBinding, Descriptor, KernelInterface, ModuleInterface, ProgramDataBinding};
use gpu_allocator::MemoryLocation;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Largest block of plain data that is believed.
const MAX_PLAIN_DATA: u32 = 1 << 20;

/// See the module.
pub(crate) struct Layout {
    pub raw: PipelineLayout,
    /// By set number; empty without descriptors.
    pub sets: Vec<vk::DescriptorSetLayout>,
    /// Descriptors in all sets.
    pub counts: KindCounts,
    /// Bytes of push constants, a multiple of 4.
    pub push_size: u32,
    /// Blocks of plain data (and addresses) that do not fit push constants.
    pub plain: Vec<PlainBlock>,
    /// Bytes of all blocks.
    pub plain_size: u32,
    /// Bound for null pointers.
    pub null: Option<RawBuffer>,
    _set_layouts: Vec<DescriptorSetLayout>,
}

/// A block of arguments by value that kernels read from a buffer.
pub(crate) struct PlainBlock {
    pub at: Descriptor,
    pub kind: vk::DescriptorType,
    pub size: u32,
    /// Where it lies among all blocks.
    pub offset: u32,
}

#[derive(Default)]
struct Plan {
    slots: BTreeMap<Descriptor, vk::DescriptorType>,
    /// Lengths of those that are arrays.
    arrays: BTreeMap<Descriptor, u32>,
    /// Bytes of plain data at a descriptor.
    plain: BTreeMap<Descriptor, u32>,
    push_size: u32,
}

impl Plan {
    fn slot(&mut self, at: Descriptor, kind: vk::DescriptorType) -> Result<()> {
        match self.slots.insert(at, kind) {
            Some(other) if other != kind => {
                let place = format!("set {}, binding {}", at.set, at.binding);
                Err(Error::WrongModule(format!("it describes two kinds of descriptors for {place}")))
            }
            _ => Ok(()),
        }
    }

    fn plain(&mut self, at: Descriptor, kind: vk::DescriptorType, offset: u32, size: u32) -> Result<()> {
        let end = self.plain.entry(at).or_default();
        *end = (*end).max(offset.saturating_add(size));
        if *end > MAX_PLAIN_DATA {
            return Err(Error::WrongModule(format!("it describes {end} bytes of arguments passed by value")));
        }
        self.slot(at, kind)
    }

    /// How many descriptors are at a place. Storage images alone may be arrays: one for each level of detail.
    fn count(&self, at: &Descriptor) -> u32 {
        match self.slots.get(at) {
            Some(&vk::DescriptorType::STORAGE_IMAGE) => self.arrays.get(at).copied().unwrap_or(1).max(1),
            _ => 1,
        }
    }

    fn push(&mut self, offset: u32, size: u32) {
        self.push_size = self.push_size.max(offset.saturating_add(size));
    }

    fn kernel(&mut self, interface: &KernelInterface) -> Result<()> {
        use ArgumentBinding as B;
        for argument in &interface.arguments {
            match argument.binding {
                B::StorageBuffer(at) => self.slot(at, vk::DescriptorType::STORAGE_BUFFER)?,
                B::UniformBuffer(at) => self.slot(at, vk::DescriptorType::UNIFORM_BUFFER)?,
                B::PodStorageBuffer { at, offset, size } => {
                    self.plain(at, vk::DescriptorType::STORAGE_BUFFER, offset, size)?;
                }
                B::PodUniform { at, offset, size } | B::PointerUniform { at, offset, size } => {
                    self.plain(at, vk::DescriptorType::UNIFORM_BUFFER, offset, size)?;
                }
                B::PodPushConstant { offset, size } | B::PointerPushConstant { offset, size } => {
                    self.push(offset, size);
                }
                B::Workgroup { .. } => {}
                B::SampledImage(at) => self.slot(at, vk::DescriptorType::SAMPLED_IMAGE)?,
                B::StorageImage(at) => self.slot(at, vk::DescriptorType::STORAGE_IMAGE)?,
                B::UniformTexelBuffer(at) => self.slot(at, vk::DescriptorType::UNIFORM_TEXEL_BUFFER)?,
                B::StorageTexelBuffer(at) => self.slot(at, vk::DescriptorType::STORAGE_TEXEL_BUFFER)?,
                B::Sampler(at) => self.slot(at, vk::DescriptorType::SAMPLER)?,
            }
        }
        for fact in &interface.image_facts {
            match fact.at {
                Some(at) => self.plain(at, vk::DescriptorType::UNIFORM_BUFFER, fact.offset, fact.size)?,
                None => self.push(fact.offset, fact.size),
            }
        }
        Ok(())
    }

    fn module(&mut self, interface: &ModuleInterface, uses_printf: bool) -> Result<()> {
        for sampler in &interface.literal_samplers {
            self.slot(sampler.at, vk::DescriptorType::SAMPLER)?;
        }
        for constant in &interface.push_constants {
            self.push(constant.offset, constant.size);
        }
        for data in &interface.program_data {
            match data.binding {
                ProgramDataBinding::PushConstantPointer { offset, size } => self.push(offset, size),
                ProgramDataBinding::StorageBuffer(at) => self.slot(at, vk::DescriptorType::STORAGE_BUFFER)?,
                ProgramDataBinding::UniformBuffer(at) => self.slot(at, vk::DescriptorType::UNIFORM_BUFFER)?,
            }
        }
        match interface.printf.buffer.map(|buffer| buffer.binding) {
            Some(ProgramDataBinding::PushConstantPointer { offset, size }) => self.push(offset, size),
            Some(ProgramDataBinding::StorageBuffer(at)) if uses_printf => {
                self.slot(at, vk::DescriptorType::STORAGE_BUFFER)?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl Layout {
    /// Makes everything that launches of a kernel share.
    pub fn new(program: &ProgramShared, kernel: &KernelInterface) -> Result<Layout> {
        let device = &program.device;
        let limits = &device.info().limits;
        let mut plan = Plan { arrays: program.interface.descriptor_arrays.clone(), ..Plan::default() };
        plan.kernel(kernel)?;
        plan.module(&program.interface, kernel.uses_printf)?;
        if plan.push_size > limits.max_push_constants {
            let what = format!("bytes of push constants of kernel '{}'", kernel.name);
            return Err(Error::Limit {
                what,
                limit: limits.max_push_constants.into(),
                requested: plan.push_size.into(),
            });
        }
        let set_count = plan.slots.keys().map(|at| u64::from(at.set) + 1).max().unwrap_or(0);
        if set_count > limits.max_bound_descriptor_sets.into() {
            let what = format!("descriptor sets of kernel '{}'", kernel.name);
            let limit = limits.max_bound_descriptor_sets.into();
            return Err(Error::Limit { what, limit, requested: set_count });
        }
        let images = plan.slots.iter().filter(|(_, kind)| **kind == vk::DescriptorType::STORAGE_IMAGE);
        let images: u64 = images.map(|(at, _)| u64::from(plan.count(at))).sum();
        if images > limits.max_storage_images.into() {
            let what =
                format!("descriptors of images that kernel '{}' writes (one for each level of detail)", kernel.name);
            return Err(Error::Limit { what, limit: limits.max_storage_images.into(), requested: images });
        }
        let raw_device = &device.shared.raw;
        let set_layouts = set_layouts(raw_device, &plan, set_count as u32)?;
        let handles: Vec<_> = set_layouts.iter().map(|layout| layout.raw).collect();
        let push_size = plan.push_size.next_multiple_of(4);
        let push = [vk::PushConstantRange { stage_flags: vk::ShaderStageFlags::COMPUTE, offset: 0, size: push_size }];
        let mut info = vk::PipelineLayoutCreateInfo::default().set_layouts(&handles);
        if push_size > 0 {
            info = info.push_constant_ranges(&push);
        }
        // SAFETY: the set layouts are alive; counts and sizes are within the limits checked above.
        let raw = unsafe { PipelineLayout::new(raw_device, &info) }?;
        let (mut plain, mut plain_size) = (Vec::new(), 0u32);
        let alignment = limits.min_storage_buffer_offset_alignment.max(limits.min_uniform_buffer_offset_alignment);
        let alignment = u32::try_from(alignment).unwrap_or(256).max(16);
        for (at, size) in &plan.plain {
            let size = (*size).max(1).next_multiple_of(16);
            let kind = plan.slots.get(at).copied().unwrap_or(vk::DescriptorType::UNIFORM_BUFFER);
            if kind == vk::DescriptorType::UNIFORM_BUFFER && size > limits.max_uniform_buffer_range {
                let what = format!("bytes of arguments of kernel '{}'", kernel.name);
                let limit = limits.max_uniform_buffer_range.into();
                return Err(Error::Limit { what, limit, requested: size.into() });
            }
            plain.push(PlainBlock { at: *at, kind, size, offset: plain_size });
            plain_size = plain_size.saturating_add(size).next_multiple_of(alignment);
        }
        let null = if plan.slots.len() > plan.plain.len() {
            Some(device.raw_buffer(16, MemoryLocation::CpuToGpu)?)
        } else {
            None
        };
        let of_kind = |kind| plan.slots.iter().filter(move |(_, slot)| **slot == kind);
        let counts = KINDS.map(|kind| of_kind(kind).map(|(at, _)| plan.count(at)).sum());
        Ok(Layout { raw, sets: handles, counts, push_size, plain, plain_size, null, _set_layouts: set_layouts })
    }
}

fn set_layouts(device: &Arc<RawDevice>, plan: &Plan, count: u32) -> Result<Vec<DescriptorSetLayout>> {
    let layout = |set| {
        let slots = plan.slots.iter().filter(|(at, _)| at.set == set);
        let bindings: Vec<_> = slots
            .map(|(at, kind)| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(at.binding)
                    .descriptor_type(*kind)
                    .descriptor_count(plan.count(at))
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: binding numbers differ, as they are keys of a map.
        unsafe { DescriptorSetLayout::new(device, &info) }
    };
    (0..count).map(layout).collect()
}
