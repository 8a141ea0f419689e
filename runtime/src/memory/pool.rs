//! The memory of a device.

use super::importer::Importer;
use crate::error::{Error, Result};
use crate::vulkan::RawDevice;
use ash::vk;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme, Allocator, AllocatorCreateDesc};
use gpu_allocator::{AllocationError, AllocationSizes, AllocatorDebugSettings, MemoryLocation};
use std::sync::{Arc, Mutex};

/// Sizes of the blocks that are requested of the driver: they grow from the first to the second as more memory is used.
const MIN_BLOCK: u64 = 16 << 20;
const MAX_BLOCK: u64 = 256 << 20;

/// All memory of a device. The allocator frees its blocks before the device can go.
pub(crate) struct MemoryPool {
    allocator: Mutex<Allocator>,
    pub(super) importer: Option<Importer>,
    pub(super) device: Arc<RawDevice>,
    /// Whether buffers have device addresses.
    pub(super) addresses: bool,
}

impl MemoryPool {
    /// `addresses`, `import`: whether `bufferDeviceAddress` and VK_EXT_external_memory_host are enabled.
    pub fn new(
        device: &Arc<RawDevice>,
        physical: vk::PhysicalDevice,
        addresses: bool,
        import: bool,
    ) -> Result<MemoryPool> {
        let mut debug_settings = AllocatorDebugSettings::default();
        debug_settings.log_leaks_on_shutdown = false;
        let allocator = Allocator::new(&AllocatorCreateDesc {
            instance: device.instance.raw.clone(),
            device: (**device).clone(),
            physical_device: physical,
            debug_settings,
            buffer_device_address: addresses,
            allocation_sizes: AllocationSizes::new(MIN_BLOCK, MIN_BLOCK)
                .with_max_device_memblock_size(MAX_BLOCK)
                .with_max_host_memblock_size(MAX_BLOCK),
        });
        let allocator = allocator.map_err(|error| memory_error(0, &error))?;
        let importer = import.then(|| Importer::new(device, physical, buffer_usage(addresses))).flatten();
        Ok(MemoryPool { allocator: Mutex::new(allocator), importer, device: device.clone(), addresses })
    }

    /// The device.
    pub fn device(&self) -> &Arc<RawDevice> {
        &self.device
    }

    /// Memory for a buffer (`linear`) or an image.
    pub fn allocate(
        &self,
        name: &str,
        requirements: vk::MemoryRequirements,
        location: MemoryLocation,
        linear: bool,
    ) -> Result<Allocation> {
        let allocation_scheme = AllocationScheme::GpuAllocatorManaged;
        let description = AllocationCreateDesc { name, requirements, location, linear, allocation_scheme };
        let mut allocator = self.allocator.lock().map_err(|_| Error::Internal("allocator lock poisoned".into()))?;
        allocator.allocate(&description).map_err(|error| memory_error(requirements.size, &error))
    }

    /// Bytes of device memory in use.
    pub fn used(&self) -> u64 {
        self.allocator.lock().map_or(0, |allocator| allocator.generate_report().total_allocated_bytes)
    }

    /// Takes an allocation back that nothing uses any more.
    pub fn free(&self, allocation: Allocation) {
        if let Ok(mut allocator) = self.allocator.lock() {
            // Only a foreign allocation is an error; its memory is then freed with the allocator.
            let _ = allocator.free(allocation);
        }
    }
}

fn memory_error(bytes: u64, error: &AllocationError) -> Error {
    Error::Memory { bytes, reason: error.to_string() }
}

/// Every use that a buffer of ours can have.
pub(super) fn buffer_usage(addresses: bool) -> vk::BufferUsageFlags {
    let usage = vk::BufferUsageFlags::STORAGE_BUFFER
        | vk::BufferUsageFlags::UNIFORM_BUFFER
        | vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER
        | vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER
        | vk::BufferUsageFlags::TRANSFER_SRC
        | vk::BufferUsageFlags::TRANSFER_DST;
    if addresses { usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS } else { usage }
}
