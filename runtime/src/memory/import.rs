//! Buffers over memory of the host.

use super::host::{ALIGNMENT, HostMemory};
use super::importer::HANDLE;
use super::pool::MemoryPool;
use super::raw_buffer::{Backing, RawBuffer};
use ash::vk;
use std::sync::Arc;

impl RawBuffer {
    /// A buffer over the host's memory. Gives the memory back, at its address, where the device does not take it.
    ///
    /// # Errors
    /// The memory.
    pub fn import(pool: &Arc<MemoryPool>, host: HostMemory) -> Result<RawBuffer, HostMemory> {
        let Some(importer) = &pool.importer else { return Err(host) };
        let device = &pool.device;
        let mut found = vk::MemoryHostPointerPropertiesEXT::default();
        let query = importer.functions.fp().get_memory_host_pointer_properties_ext;
        // SAFETY: the pointer is the beginning of an allocation that is aligned as the device requires.
        let queried = unsafe { query(device.handle(), HANDLE, host.pointer().cast(), &mut found) };
        if queried != vk::Result::SUCCESS {
            return Err(host);
        }
        // As large as any buffer with so many bytes; the allocation is at least as large.
        let size = (host.len() as u64).max(1).next_multiple_of(16);
        let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(HANDLE);
        let Ok(mut buffer) = RawBuffer::without_memory(pool, size, Some(&mut external)) else { return Err(host) };
        // SAFETY: the buffer was just created from this device.
        let requirements = unsafe { device.get_buffer_memory_requirements(buffer.raw) };
        let fits = requirements.size <= host.whole() && requirements.alignment <= ALIGNMENT as u64;
        let bits = requirements.memory_type_bits & found.memory_type_bits;
        let Some((index, flags)) = importer.choose(bits).filter(|_| fits) else { return Err(host) };
        let mut import =
            vk::ImportMemoryHostPointerInfoEXT::default().handle_type(HANDLE).host_pointer(host.pointer().cast());
        let mut addresses = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let mut info = vk::MemoryAllocateInfo::default()
            .allocation_size(host.whole())
            .memory_type_index(index)
            .push_next(&mut import);
        if pool.addresses {
            info = info.push_next(&mut addresses);
        }
        // SAFETY: pointer and size are multiples of the device's alignment, the type is one that it offers for them, and
        // the memory lives until the device's memory is freed.
        let Ok(memory) = (unsafe { device.allocate_memory(&info, None) }) else { return Err(host) };
        // SAFETY: the memory satisfies the buffer's requirements; the buffer is not bound yet.
        if unsafe { device.bind_buffer_memory(buffer.raw, memory, 0) }.is_err() {
            // SAFETY: the memory was allocated from this device, and nothing uses it.
            unsafe { device.free_memory(memory, None) };
            return Err(host);
        }
        buffer.backing = Backing::Host { memory, flags, host };
        buffer.find_address();
        Ok(buffer)
    }
}
