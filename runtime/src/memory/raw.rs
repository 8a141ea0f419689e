//! Vulkan buffers with memory from gpu-allocator.

use super::HostMemory;
use super::import::Importer;
use crate::device::RawDevice;
use crate::{Error, Result};
use ash::vk;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme, Allocator, AllocatorCreateDesc};
use gpu_allocator::{AllocationError, AllocationSizes, AllocatorDebugSettings, MemoryLocation};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Smallest blocks that memory is asked for in; they grow to the larger size with use.
const MIN_BLOCK: u64 = 16 << 20;
const MAX_BLOCK: u64 = 256 << 20;

/// All memory of a device. The allocator frees its blocks before the device can go.
pub(crate) struct MemoryPool {
    allocator: Mutex<Allocator>,
    pub(super) importer: Option<Importer>,
    pub(super) device: Arc<RawDevice>,
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
        let importer = import.then(|| Importer::new(device, physical, usage(addresses))).flatten();
        Ok(MemoryPool { allocator: Mutex::new(allocator), importer, device: device.clone(), addresses })
    }

    pub fn device(&self) -> &Arc<RawDevice> {
        &self.device
    }

    /// Memory for a buffer (`linear`) or an image.
    pub(super) fn allocate(
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

    /// Bytes of device memory in use, and bytes held.
    pub fn usage(&self) -> (u64, u64) {
        let Ok(allocator) = self.allocator.lock() else { return (0, 0) };
        let report = allocator.generate_report();
        (report.total_allocated_bytes, report.total_capacity_bytes)
    }

    pub(super) fn free(&self, allocation: Allocation) {
        if let Ok(mut allocator) = self.allocator.lock() {
            // An error would mean a foreign allocation; the memory then goes with the allocator.
            let _ = allocator.free(allocation);
        }
    }
}

fn memory_error(bytes: u64, error: &AllocationError) -> Error {
    Error::Memory { bytes, reason: error.to_string() }
}

/// What a buffer may be used for: everything.
fn usage(addresses: bool) -> vk::BufferUsageFlags {
    let usage = vk::BufferUsageFlags::STORAGE_BUFFER
        | vk::BufferUsageFlags::UNIFORM_BUFFER
        | vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER
        | vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER
        | vk::BufferUsageFlags::TRANSFER_SRC
        | vk::BufferUsageFlags::TRANSFER_DST;
    if addresses { usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS } else { usage }
}

/// Where a buffer's bytes are.
pub(super) enum Backing {
    None,
    Pool(Allocation),
    /// The host's own memory, and what the device calls it.
    Host {
        memory: vk::DeviceMemory,
        flags: vk::MemoryPropertyFlags,
        host: HostMemory,
    },
}

/// A buffer object and its memory.
pub(crate) struct RawBuffer {
    pub raw: vk::Buffer,
    /// Bytes, a multiple of 16.
    pub size: u64,
    pub address: Option<u64>,
    pub(super) backing: Backing,
    /// Whether the host has it: see [`super::Mapping`].
    mapped: AtomicBool,
    memory: Arc<MemoryPool>,
}

impl RawBuffer {
    /// Creates a buffer of `size` bytes, a positive multiple of 16, that can be used in every way.
    pub fn new(memory: &Arc<MemoryPool>, size: u64, location: MemoryLocation) -> Result<RawBuffer> {
        let device = &memory.device;
        let mut buffer = RawBuffer::without_memory(memory, size, None)?;
        // SAFETY: the buffer was just created from this device.
        let requirements = unsafe { device.get_buffer_memory_requirements(buffer.raw) };
        let allocation = memory.allocate("buffer", requirements, location, true)?;
        // SAFETY: memory and offset satisfy the buffer's requirements; the buffer is not bound yet.
        let bound = unsafe { device.bind_buffer_memory(buffer.raw, allocation.memory(), allocation.offset()) };
        buffer.backing = Backing::Pool(allocation);
        bound.map_err(device.error("vkBindBufferMemory"))?;
        buffer.find_address();
        Ok(buffer)
    }

    /// A buffer that has no memory yet; dropping it is all right.
    pub(super) fn without_memory(
        memory: &Arc<MemoryPool>,
        size: u64,
        external: Option<&mut vk::ExternalMemoryBufferCreateInfo<'_>>,
    ) -> Result<RawBuffer> {
        let device = &memory.device;
        let usage = usage(memory.addresses);
        let mut info = vk::BufferCreateInfo::default().size(size).usage(usage).sharing_mode(vk::SharingMode::EXCLUSIVE);
        if let Some(external) = external {
            info = info.push_next(external);
        }
        // SAFETY: size is not zero; the address usage is only set where the feature is enabled.
        let raw = unsafe { device.create_buffer(&info, None) }.map_err(device.error("vkCreateBuffer"))?;
        let (backing, mapped) = (Backing::None, AtomicBool::new(false));
        Ok(RawBuffer { raw, size, address: None, backing, mapped, memory: memory.clone() })
    }

    /// Asks for the device address, where there are addresses. The buffer has its memory.
    pub(super) fn find_address(&mut self) {
        if self.memory.addresses {
            let info = vk::BufferDeviceAddressInfo::default().buffer(self.raw);
            // SAFETY: the buffer has the address usage and is bound.
            self.address = Some(unsafe { self.memory.device.get_buffer_device_address(&info) });
        }
    }

    /// Whether the memory is the host's own.
    pub fn is_host_memory(&self) -> bool {
        matches!(self.backing, Backing::Host { .. })
    }

    /// Takes the memory for the host alone; `false` when it is taken already.
    pub fn begin_mapping(&self) -> bool {
        !self.mapped.swap(true, Ordering::Acquire)
    }

    /// Gives the memory back.
    pub fn end_mapping(&self) {
        self.mapped.store(false, Ordering::Release);
    }

    /// Whether the host has the memory for itself.
    pub fn is_mapped(&self) -> bool {
        self.mapped.load(Ordering::Acquire)
    }

    /// The memory as the host sees it, where it is visible and coherent. Whoever uses it has it to himself and stays
    /// within `size` bytes.
    pub fn mapped(&self) -> Option<*mut u8> {
        match &self.backing {
            Backing::Pool(allocation) if self.has(vk::MemoryPropertyFlags::HOST_COHERENT) => {
                Some(allocation.mapped_ptr()?.as_ptr().cast())
            }
            Backing::Host { host, .. } => Some(host.pointer()),
            _ => None,
        }
    }

    /// Whether the host reads the memory at full speed.
    pub fn cached(&self) -> bool {
        self.has(vk::MemoryPropertyFlags::HOST_CACHED)
    }

    fn has(&self, wanted: vk::MemoryPropertyFlags) -> bool {
        match &self.backing {
            Backing::None => false,
            Backing::Pool(allocation) => allocation.memory_properties().contains(wanted),
            Backing::Host { flags, .. } => flags.contains(wanted),
        }
    }
}

impl Drop for RawBuffer {
    fn drop(&mut self) {
        let (raw, memory) = (self.raw, self.memory.clone());
        let backing = std::mem::replace(&mut self.backing, Backing::None);
        self.memory.device.discard(move |device| {
            // SAFETY: created from this device, destroyed once, when nothing uses it.
            unsafe { device.destroy_buffer(raw, None) };
            match backing {
                Backing::None => {}
                Backing::Pool(allocation) => memory.free(allocation),
                Backing::Host { memory, host, .. } => {
                    // SAFETY: as above; the host's memory goes after the device has forgotten it.
                    unsafe { device.free_memory(memory, None) };
                    drop(host);
                }
            }
        });
    }
}
