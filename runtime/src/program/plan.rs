//! The descriptors and push constants of a kernel, as the reflection describes them.

use crate::error::{Error, Result};
use ash::vk;
use clforge_compiler::interface::{ArgumentBinding, Descriptor, KernelInterface, ModuleInterface, ProgramDataBinding};
use std::collections::BTreeMap;

/// Size in bytes of the largest block of plain data that a module may describe.
pub(super) const MAX_PLAIN_DATA: u32 = 1 << 20;

/// The descriptors and push constants of a kernel, collected from the reflection.
#[derive(Default)]
pub(super) struct Plan {
    /// Types of descriptors.
    pub slots: BTreeMap<Descriptor, vk::DescriptorType>,
    /// Lengths of arrays of descriptors.
    arrays: BTreeMap<Descriptor, u32>,
    /// Bytes of the block of plain data at a descriptor.
    pub plain: BTreeMap<Descriptor, u32>,
    /// Bytes of push constants.
    pub push_size: u32,
}

impl Plan {
    /// The plan of a kernel of a module.
    ///
    /// # Errors
    /// [`Error::UnusableModule`] for contradictory reflection.
    pub fn new(module: &ModuleInterface, kernel: &KernelInterface) -> Result<Plan> {
        let mut plan = Plan { arrays: module.descriptor_arrays.clone(), ..Plan::default() };
        plan.kernel(kernel)?;
        plan.module(module, kernel.uses_printf)?;
        Ok(plan)
    }

    fn slot(&mut self, at: Descriptor, kind: vk::DescriptorType) -> Result<()> {
        match self.slots.insert(at, kind) {
            Some(other) if other != kind => {
                let place = format!("set {}, binding {}", at.set, at.binding);
                Err(Error::UnusableModule(format!("it describes two kinds of descriptors for {place}")))
            }
            _ => Ok(()),
        }
    }

    fn plain(&mut self, at: Descriptor, kind: vk::DescriptorType, offset: u32, size: u32) -> Result<()> {
        let end = self.plain.entry(at).or_default();
        *end = (*end).max(offset.saturating_add(size));
        if *end > MAX_PLAIN_DATA {
            return Err(Error::UnusableModule(format!("it describes {end} bytes of arguments passed by value")));
        }
        self.slot(at, kind)
    }

    /// Number of descriptors at a binding. Only storage images can be arrays, of one descriptor for each level of detail.
    pub fn count(&self, at: &Descriptor) -> u32 {
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
        if let Some(bounds) = &interface.bounds {
            self.push(bounds.offset, 8);
        }
        for offset in interface.loop_status.into_iter().chain(interface.queue_memory) {
            self.push(offset, 8);
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
