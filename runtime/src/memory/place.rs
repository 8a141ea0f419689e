//! Buffers in memory of the host that host and kernels have at the same addresses.

use super::pool::MemoryPool;
use super::raw_buffer::{Backing, RawBuffer};
use ash::vk;
use std::sync::Arc;

impl RawBuffer {
    /// A buffer of at least `size` bytes in the host's memory, which the host has at the address that kernels use; `None` where
    /// the device or the system cannot.
    pub fn place(pool: &Arc<MemoryPool>, size: u64) -> Option<RawBuffer> {
        let placer = pool.placer.as_ref().filter(|_| pool.addresses)?;
        let device = &pool.device;
        let size = size.max(1).checked_next_multiple_of(placer.alignment.max(16))?;
        let mut buffer = RawBuffer::without_memory(pool, size, None).ok()?;
        // SAFETY: the buffer was just created from this device.
        let requirements = unsafe { device.get_buffer_memory_requirements(buffer.raw) };
        let (index, flags) = placer.choose(requirements.memory_type_bits)?;
        let whole = requirements.size.checked_next_multiple_of(placer.alignment)?;
        let mut addresses = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let mut dedicated = vk::MemoryDedicatedAllocateInfo::default().buffer(buffer.raw);
        let mut info =
            vk::MemoryAllocateInfo::default().allocation_size(whole).memory_type_index(index).push_next(&mut addresses);
        // A dedicated allocation has the size of the buffer.
        if whole == requirements.size {
            info = info.push_next(&mut dedicated);
        }
        // SAFETY: the type is one that the device offers for the buffer, with as many bytes as it needs.
        let memory = unsafe { device.allocate_memory(&info, None) }.ok()?;
        // SAFETY: the memory satisfies the buffer's requirements; the buffer is not bound yet.
        let bound = unsafe { device.bind_buffer_memory(buffer.raw, memory, 0) };
        if bound.is_ok() {
            buffer.find_address();
        }
        let place = buffer.address.filter(|_| bound.is_ok()).map(|address| (address, whole));
        let Some(pointer) = place.and_then(|place| placer.map(device, memory, place)) else {
            // SAFETY: the memory was allocated from this device; a buffer that is bound to it is not used, only destroyed.
            unsafe { device.free_memory(memory, None) };
            return None;
        };
        buffer.backing = Backing::Placed { memory, flags, pointer };
        Some(buffer)
    }
}
