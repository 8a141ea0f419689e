//! The layout that all launches of a kernel share: types of descriptors, push constants, blocks of plain data.

use super::loaded::LoadedModule;
use super::plan::{MAX_PLAIN_DATA, Plan};
use crate::error::{Error, Result};
use crate::memory::RawBuffer;
use crate::narrow::to_u32;
use crate::submission::{KINDS, KindCounts};
use crate::vulkan::{DescriptorSetLayout, PipelineLayout, RawDevice};
use ash::vk;
use clforge_compiler::interface::{Descriptor, KernelInterface};
use gpu_allocator::MemoryLocation;
use std::sync::Arc;

/// The pipeline layout of a kernel, and where its arguments are in it.
pub(crate) struct Layout {
    pub raw: PipelineLayout,
    /// By set number; empty without descriptors.
    pub sets: Vec<vk::DescriptorSetLayout>,
    /// Descriptors in all sets.
    pub counts: KindCounts,
    /// Bytes of push constants, a multiple of 4.
    pub push_size: u32,
    /// Blocks of plain data, and of addresses, that do not fit push constants.
    pub plain: Vec<PlainBlock>,
    /// Size in bytes of all blocks.
    pub plain_size: u32,
    /// Bound in place of null pointers.
    pub null: Option<RawBuffer>,
    _set_layouts: Vec<DescriptorSetLayout>,
}

/// A block of arguments by value that kernels read from a buffer.
pub(crate) struct PlainBlock {
    pub at: Descriptor,
    pub kind: vk::DescriptorType,
    pub size: u32,
    /// Offset in bytes in the memory of all blocks.
    pub offset: u32,
}

impl Layout {
    /// The layout of a kernel.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::UnusableModule`] for contradictory reflection, [`Error::OutOfMemory`].
    pub fn new(module: &LoadedModule, kernel: &KernelInterface) -> Result<Layout> {
        let device = &module.device;
        let limits = &device.info().limits;
        let plan = Plan::new(&module.interface, kernel)?;
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
        let set_layouts = set_layouts(raw_device, &plan, to_u32(set_count))?;
        let handles: Vec<_> = set_layouts.iter().map(|layout| layout.raw).collect();
        // Vulkan demands that the range has the whole block, which may have arguments of other kernels too.
        let block = u32::try_from(module.push_constants).unwrap_or(u32::MAX).min(limits.max_push_constants);
        let push_size = plan.push_size.max(block).next_multiple_of(4);
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
            // The whole block, as for push constants.
            let declared = module.block_sizes.get(at).and_then(|size| u32::try_from(*size).ok());
            let declared = declared.filter(|size| *size <= MAX_PLAIN_DATA).unwrap_or(0);
            let size = (*size).max(declared).max(1).next_multiple_of(16);
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
