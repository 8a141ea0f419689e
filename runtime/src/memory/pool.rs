//! The memory of a device.

use super::huge_pages;
use super::importer::Importer;
use super::kept::{KeptBuffer, KeptBuffers, MOST_DEDICATED, MOST_SHARED};
use super::placer::Placer;
#[cfg(unix)]
use super::sharer::Descriptors;
use crate::error::{Error, Result};
use crate::vulkan::RawDevice;
use ash::vk;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, Allocator, AllocatorCreateDesc};
use gpu_allocator::{AllocationError, AllocationSizes, AllocatorDebugSettings};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Sizes of the blocks that are requested of the driver: they grow from the first to the second as more memory is used.
const MIN_BLOCK: u64 = 16 << 20;
const MAX_BLOCK: u64 = 256 << 20;
/// The same of the first block that the host sees.
const MIN_HOST_BLOCK: u64 = 4 << 20;
/// Most bytes of dedicated allocations of a GPU's memory that are mapped for the host. A mapping costs more with all that is
/// mapped already: the 700th buffer of 64 MiB takes an H100's driver (580.159) 11 ms, and 0.2 ms where the host does not see
/// it. Programs that measure how much memory a device has make more than a thousand such buffers.
const MOST_MAPPED: u64 = 1 << 30;

/// What a device has enabled for its memory.
#[derive(Clone, Copy)]
pub(crate) struct Ways {
    /// Buffers have device addresses (`bufferDeviceAddress`).
    pub addresses: bool,
    /// VK_EXT_external_memory_host.
    pub import: bool,
    /// `memoryMapPlaced`.
    pub place: bool,
    /// VK_KHR_external_memory_fd.
    pub descriptors: bool,
    /// VK_EXT_external_memory_dma_buf.
    pub dma_buf: bool,
    /// The device is the host's processor, whose page tables its memory is in.
    pub huge_pages: bool,
}

/// All memory of a device. The allocator frees its blocks before the device can go.
pub(crate) struct MemoryPool {
    allocator: Mutex<Allocator>,
    pub(super) importer: Option<Importer>,
    pub(super) placer: Option<Placer>,
    #[cfg(unix)]
    pub(super) descriptors: Option<Descriptors>,
    pub(super) device: Arc<RawDevice>,
    /// Whether buffers have device addresses.
    pub(super) addresses: bool,
    /// Whether the host can reach the memory of a GPU across the bus, all of it: resizable BAR.
    pub(super) across_bus: bool,
    /// Whether large allocations ask for huge pages.
    huge_pages: bool,
    /// Bytes of dedicated allocations of the GPU's memory that are mapped for the host.
    mapped_bytes: AtomicU64,
    /// Free buffers with dedicated allocations, and those in blocks that the allocator shares out.
    pub(super) dedicated: KeptBuffers,
    pub(super) shared: KeptBuffers,
}

impl MemoryPool {
    /// Memory of a device with what is enabled.
    pub fn new(device: &Arc<RawDevice>, physical: vk::PhysicalDevice, enabled: Ways) -> Result<MemoryPool> {
        let Ways { addresses, import, place, descriptors, dma_buf, huge_pages } = enabled;
        let mut debug_settings = AllocatorDebugSettings::default();
        debug_settings.log_leaks_on_shutdown = false;
        let allocator = Allocator::new(&AllocatorCreateDesc {
            instance: device.instance.raw.clone(),
            device: (**device).clone(),
            physical_device: physical,
            debug_settings,
            buffer_device_address: addresses,
            allocation_sizes: AllocationSizes::new(MIN_BLOCK, MIN_HOST_BLOCK)
                .with_max_device_memblock_size(MAX_BLOCK)
                .with_max_host_memblock_size(MAX_BLOCK),
        });
        let allocator = allocator.map_err(|error| memory_error(0, &error))?;
        let importer = import.then(|| Importer::new(device, physical, buffer_usage(addresses))).flatten();
        let placer = place.then(|| Placer::new(device, physical));
        #[cfg(unix)]
        let descriptors = descriptors.then(|| Descriptors::new(device, physical, dma_buf));
        #[cfg(not(unix))]
        let _ = (descriptors, dma_buf);
        // SAFETY: the physical device belongs to the instance.
        let types = unsafe { device.instance.raw.get_physical_device_memory_properties(physical) };
        let (allocator, across_bus) = (Mutex::new(allocator), has_window(&types));
        let [dedicated, shared] = [MOST_DEDICATED, MOST_SHARED].map(|most| KeptBuffers::new(&types, most));
        let (mapped_bytes, device) = (AtomicU64::new(0), device.clone());
        Ok(MemoryPool {
            allocator,
            importer,
            placer,
            #[cfg(unix)]
            descriptors,
            device,
            addresses,
            across_bus,
            huge_pages,
            mapped_bytes,
            dedicated,
            shared,
        })
    }

    /// The device.
    pub fn device(&self) -> &Arc<RawDevice> {
        &self.device
    }

    /// Memory for a buffer or an image. What is kept is released where there is not enough.
    pub fn allocate(&self, description: &AllocationCreateDesc<'_>) -> Result<Allocation> {
        match self.try_allocate(description) {
            Err(_) if self.release_kept() => self.try_allocate(description),
            allocation => allocation,
        }
    }

    fn try_allocate(&self, description: &AllocationCreateDesc<'_>) -> Result<Allocation> {
        let mut allocator = self.allocator.lock().map_err(|_| Error::Internal("allocator lock poisoned".into()))?;
        let allocation = allocator.allocate(description);
        let allocation = allocation.map_err(|error| memory_error(description.requirements.size, &error))?;
        if allocation.is_dedicated() && self.is_across_bus(&allocation) {
            self.mapped_bytes.fetch_add(allocation.size(), Ordering::Relaxed);
        }
        if self.huge_pages {
            huge_pages::advise(&allocation);
        }
        Ok(allocation)
    }

    /// Whether another dedicated allocation of a GPU's memory should be mapped for the host.
    pub(super) fn may_map(&self, bytes: u64) -> bool {
        self.mapped_bytes.load(Ordering::Relaxed).saturating_add(bytes) <= MOST_MAPPED
    }

    /// Whether an allocation is a GPU's memory that the host reaches across a bus.
    pub(super) fn is_across_bus(&self, allocation: &Allocation) -> bool {
        let both = vk::MemoryPropertyFlags::DEVICE_LOCAL | vk::MemoryPropertyFlags::HOST_VISIBLE;
        self.across_bus && allocation.memory_properties().contains(both)
    }

    /// Bytes of device memory in use.
    pub fn used(&self) -> u64 {
        let allocated = self.allocator.lock().map_or(0, |allocator| allocator.generate_report().total_allocated_bytes);
        allocated.saturating_sub(self.dedicated.bytes() + self.shared.bytes())
    }

    /// Takes a kept buffer of a size.
    pub(super) fn take_kept(&self, size: u64) -> Option<KeptBuffer> {
        self.dedicated.take(size).or_else(|| self.shared.take(size))
    }

    /// Keeps a buffer that nothing uses any more.
    pub(super) fn keep(&self, buffer: KeptBuffer) {
        let others = if buffer.allocation.is_dedicated() { &self.dedicated } else { &self.shared };
        self.destroy(others.keep(buffer));
    }

    /// Destroys the buffers that are kept; whether there were any.
    fn release_kept(&self) -> bool {
        let mut kept = self.dedicated.take_all();
        kept.extend(self.shared.take_all());
        let any = !kept.is_empty();
        self.destroy(kept);
        any
    }

    fn destroy(&self, buffers: Vec<KeptBuffer>) {
        for buffer in buffers {
            // SAFETY: created from this device; what is kept is used by nothing, and is kept once.
            unsafe { self.device.destroy_buffer(buffer.raw, None) };
            self.free(buffer.allocation);
        }
    }

    /// Takes an allocation back that nothing uses any more.
    pub fn free(&self, allocation: Allocation) {
        if allocation.is_dedicated() && self.is_across_bus(&allocation) {
            self.mapped_bytes.fetch_sub(allocation.size(), Ordering::Relaxed);
        }
        if let Ok(mut allocator) = self.allocator.lock() {
            // Only a foreign allocation is an error; its memory is then freed with the allocator.
            let _ = allocator.free(allocation);
        }
    }
}

impl Drop for MemoryPool {
    fn drop(&mut self) {
        self.release_kept();
    }
}

/// Whether the device has memory of its own that the host sees as a whole through a memory type of its own. Where all memory is
/// the host's too there is no bus between them, and where a small part of it is visible it is not for buffers.
fn has_window(types: &vk::PhysicalDeviceMemoryProperties) -> bool {
    let local = vk::MemoryPropertyFlags::DEVICE_LOCAL;
    let visible = local | vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
    let locals = || types.memory_types_as_slice().iter().filter(move |ty| ty.property_flags.contains(local));
    let size = |ty: &vk::MemoryType| types.memory_heaps.get(ty.heap_index as usize).map_or(0, |heap| heap.size);
    let largest = locals().map(size).max().unwrap_or(0);
    let hidden = |ty: &vk::MemoryType| !ty.property_flags.contains(vk::MemoryPropertyFlags::HOST_VISIBLE);
    locals().next().is_some_and(hidden) && locals().any(|ty| ty.property_flags.contains(visible) && size(ty) == largest)
}

fn memory_error(bytes: u64, error: &AllocationError) -> Error {
    Error::Allocation { bytes, reason: error.to_string() }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Memory types by their properties and heaps, and the sizes of the heaps.
    fn window(types: &[(vk::MemoryPropertyFlags, u32)], heaps: &[u64]) -> bool {
        let mut found = vk::PhysicalDeviceMemoryProperties {
            memory_type_count: types.len() as u32,
            memory_heap_count: heaps.len() as u32,
            ..Default::default()
        };
        for (to, (property_flags, heap_index)) in found.memory_types.iter_mut().zip(types) {
            *to = vk::MemoryType { property_flags: *property_flags, heap_index: *heap_index };
        }
        for (to, size) in found.memory_heaps.iter_mut().zip(heaps) {
            to.size = *size;
        }
        has_window(&found)
    }

    #[test]
    fn only_a_window_to_all_memory_counts() {
        use vk::MemoryPropertyFlags as F;
        let host = F::HOST_VISIBLE | F::HOST_COHERENT;
        let types = |heap| [(F::empty(), 1), (F::DEVICE_LOCAL, 0), (host, 1), (F::DEVICE_LOCAL | host, heap)];
        assert!(window(&types(0), &[80 << 30, 64 << 30]));
        assert!(!window(&types(2), &[80 << 30, 64 << 30, 256 << 20]), "a small window");
        assert!(!window(&types(0)[..3], &[80 << 30, 64 << 30]), "no window");
        assert!(!window(&[(F::DEVICE_LOCAL | host | F::HOST_CACHED, 0)], &[8 << 30]), "one memory");
    }
}
