//! A module on a device: its shader code, its program-scope data, and the buffers that its kernels need.

use super::consistency;
use super::history::LaunchHistory;
use super::loop_watch::LoopStatus;
use super::wide::WideIds;
use crate::bounds::Checker;
use crate::buffer::Buffer;
use crate::cache::PersistentPipelineCache;
use crate::device::Device;
use crate::device_enqueue::QueueMemories;
use crate::error::{Error, Result};
use crate::module::{self, Resources, Scan};
use crate::printf::Printer;
use crate::vulkan::ShaderModule;
use ash::vk;
use clforge_compiler::interface::{Descriptor, ModuleInterface, ProgramData, ProgramDataBinding, instructions};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// What all kernels of a program share.
pub(crate) struct LoadedModule {
    /// The module as drivers get it.
    pub code: Vec<u32>,
    pub pipelines: PersistentPipelineCache,
    /// Which pipelines launches have needed.
    pub history: Arc<LaunchHistory>,
    /// One buffer for each of the interface's `program_data`.
    pub data: Vec<Buffer>,
    /// Of programs whose kernels print.
    pub printer: Option<Printer>,
    /// Of programs that say when the driver has ended a loop.
    pub loop_status: Option<LoopStatus>,
    /// Of programs whose kernels enqueue others.
    pub queues: QueueMemories,
    /// Of programs that check their accesses.
    pub checker: Option<Checker>,
    pub interface: ModuleInterface,
    pub scan: Scan,
    /// Size in bytes of the block of push constants in the code.
    pub push_constants: u64,
    /// The module as it was given.
    pub words: Vec<u32>,
    /// Sizes in bytes of the blocks at descriptors in the code.
    pub block_sizes: HashMap<Descriptor, u64>,
    /// The same program with ids of 64 bits.
    pub wide_ids: WideIds,
    pub device: Device,
}

impl LoadedModule {
    /// Checks a module against the device.
    ///
    /// # Safety
    /// The module is valid SPIR-V for Vulkan, and its reflection describes its code.
    ///
    /// # Errors
    /// [`Error::Interface`], [`Error::UnusableModule`], [`Error::MissingFeature`], [`Error::Limit`], [`Error::Vulkan`].
    pub unsafe fn new(device: &Device, words: &[u32]) -> Result<LoadedModule> {
        let scan = Scan::new(words)?;
        // Before the reflection is read: a module for OpenCL, which has none, gets a message of its own.
        module::check(&scan, device.info())?;
        let interface = ModuleInterface::from_spirv(words)?;
        // Drivers may crash on too much local memory. `local` arguments are checked with each launch.
        for (name, entry) in &scan.entry_points {
            let (requested, limit) =
                (scan.local_bytes(entry, &interface), device.info().limits.max_shared_memory.into());
            if requested > limit {
                let what = format!("bytes of local memory of kernel '{name}'");
                return Err(Error::Limit { what, limit, requested });
            }
        }
        let resources = Resources::new(words)?;
        consistency::check(&interface, &scan, &resources, &device.info().limits)?;
        let (push_constants, block_sizes) = (resources.push_constants(), resources.block_sizes);
        let code = module::adapt(words, &scan, device.info())?;
        let pipelines = device.pipeline_cache(&code)?;
        let history = Arc::new(LaunchHistory::load(device.history_cache(), pipelines.key()));
        let data = interface.program_data.iter().map(|data| upload(device, data, &block_sizes));
        let data = data.collect::<Result<_>>()?;
        let printer = Printer::new(device, &interface)?;
        let loop_status = LoopStatus::new(device, &interface)?;
        let (checker, device) = (Checker::new(device, &interface)?, device.clone());
        Ok(LoadedModule {
            code,
            pipelines,
            history,
            data,
            printer,
            loop_status,
            queues: QueueMemories::default(),
            checker,
            interface,
            scan,
            push_constants,
            words: words.to_vec(),
            block_sizes,
            wide_ids: WideIds::default(),
            device,
        })
    }
}

impl LoadedModule {
    /// The shader of a kernel alone.
    ///
    /// # Errors
    /// [`Error::Interface`], [`Error::OutOfMemory`], [`Error::Vulkan`].
    pub fn shader(&self, kernel: &str) -> Result<ShaderModule> {
        let code = self.code_of(kernel)?;
        let info = vk::ShaderModuleCreateInfo::default().code(&code);
        // SAFETY: whoever loaded the module stated that it is valid, which it stays without what the kernel does not use; its
        // capabilities are enabled, as was checked then.
        unsafe { ShaderModule::new(&self.device.shared.raw, &info) }
    }

    /// Bytes of private memory that each work-item of a kernel has, without what the driver adds.
    ///
    /// # Errors
    /// As for [`Self::shader`].
    pub fn private_bytes(&self, kernel: &str) -> Result<u64> {
        Ok(module::private_bytes(&self.code_of(kernel)?)?)
    }

    /// Whether a kernel has loops.
    ///
    /// # Errors
    /// [`Error::Interface`], [`Error::UnusableModule`].
    pub fn has_loops(&self, kernel: &str) -> Result<bool> {
        let code = self.code_of(kernel)?;
        for instruction in instructions(&code)? {
            if instruction?.opcode == spirv::Op::LoopMerge as u16 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The module without what a kernel does not use.
    fn code_of(&self, kernel: &str) -> Result<Cow<'_, [u32]>> {
        let entry = self.scan.entry_points.get(kernel);
        let entry = entry.ok_or_else(|| Error::UnusableModule(format!("it has no entry point '{kernel}'")))?;
        Ok(module::one_kernel(&self.code, entry.function)?)
    }
}

/// A buffer with program-scope data, at least as large as its block in the code. Addresses in the data are relocated to the
/// address of the buffer.
fn upload(device: &Device, data: &ProgramData, block_sizes: &HashMap<Descriptor, u64>) -> Result<Buffer> {
    let declared = match data.binding {
        ProgramDataBinding::StorageBuffer(at) | ProgramDataBinding::UniformBuffer(at) => block_sizes.get(&at),
        ProgramDataBinding::PushConstantPointer { .. } => None,
    };
    let size = data.data.len() as u64;
    let buffer = match declared.filter(|declared| **declared > size) {
        Some(declared) => Buffer::zeroed(device, *declared)?,
        None => Buffer::new(device, size)?,
    };
    if data.relocations.is_empty() {
        buffer.write(0, &data.data)?;
    } else {
        let address = buffer.device_address().ok_or_else(|| Error::MissingFeature {
            feature: "bufferDeviceAddress".into(),
            needed_by: "addresses of program-scope variables".into(),
            device: device.info().name.clone(),
        })?;
        let past = |at| Error::UnusableModule(format!("it has a relocation at {at}, past its data"));
        buffer.write(0, &data.relocated(address).map_err(past)?)?;
    }
    Ok(buffer)
}
