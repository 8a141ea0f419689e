//! How a device maps memory at addresses of our choice (VK_EXT_map_memory_placed).

use crate::narrow::{to_u32, to_usize};
use crate::vulkan::RawDevice;
use ash::vk;
use std::sync::Arc;

/// The functions and memory types with which a device maps memory at addresses of our choice.
pub(super) struct Placer {
    functions: ash::khr::map_memory2::Device,
    types: vk::PhysicalDeviceMemoryProperties,
    /// Addresses and sizes are multiples of it.
    pub alignment: u64,
}

impl Placer {
    /// The extension and its feature must be enabled.
    pub fn new(device: &Arc<RawDevice>, physical: vk::PhysicalDevice) -> Placer {
        let instance = &device.instance.raw;
        let mut placed = vk::PhysicalDeviceMapMemoryPlacedPropertiesEXT::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut placed);
        // SAFETY: the device has the extension, so it knows the structure.
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
        // SAFETY: the physical device belongs to the instance.
        let types = unsafe { instance.get_physical_device_memory_properties(physical) };
        let functions = ash::khr::map_memory2::Device::new(instance, device);
        Placer { functions, types, alignment: placed.min_placed_memory_map_alignment.max(1) }
    }

    /// A memory type among `bits` that the host caches, and its properties.
    pub fn choose(&self, bits: u32) -> Option<(u32, vk::MemoryPropertyFlags)> {
        use vk::MemoryPropertyFlags as F;
        let wanted = F::HOST_VISIBLE | F::HOST_COHERENT | F::HOST_CACHED;
        let mut types = self.types.memory_types_as_slice().iter().enumerate();
        let found = types.find(|(index, ty)| bits >> index & 1 != 0 && ty.property_flags.contains(wanted));
        found.map(|(index, ty)| (to_u32(index), ty.property_flags))
    }

    /// Maps all of an allocation at an address where the host has nothing. The mapping ends when the memory is freed.
    pub fn map(&self, device: &RawDevice, memory: vk::DeviceMemory, (address, size): (u64, u64)) -> Option<Placed> {
        let address =
            usize::try_from(address).ok().filter(|address| address.is_multiple_of(to_usize(self.alignment)))?;
        let reserved = Reserved::at(address, to_usize(size))?;
        let wanted = std::ptr::with_exposed_provenance_mut(address);
        let mut place = vk::MemoryMapPlacedInfoEXT::default().placed_address(wanted);
        let flags = vk::MemoryMapFlags::PLACED_EXT;
        let info =
            vk::MemoryMapInfoKHR::default().flags(flags).memory(memory).size(vk::WHOLE_SIZE).push_next(&mut place);
        let mut mapped = std::ptr::null_mut();
        // SAFETY: the memory is visible to the host and not mapped; address and size are multiples of the device's alignment, and
        // the range that the mapping replaces is reserved by us.
        let result =
            unsafe { (self.functions.fp().map_memory2_khr)(device.handle(), &raw const info, &raw mut mapped) };
        if result != vk::Result::SUCCESS {
            return None;
        }
        // The addresses are the driver's now.
        std::mem::forget(reserved);
        Some(Placed(mapped.cast()))
    }
}

/// The first byte of memory that is mapped as long as it exists.
#[derive(Clone, Copy)]
pub(super) struct Placed(pub *mut u8);

// SAFETY: the memory is the buffer's, whose users keep the rules of `RawBuffer::mapped`.
unsafe impl Send for Placed {}
// SAFETY: as above.
unsafe impl Sync for Placed {}

/// Addresses that the host uses for nothing else.
struct Reserved {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    address: usize,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    size: usize,
}

#[cfg(target_os = "linux")]
impl Reserved {
    /// These addresses, if the host does not use them.
    fn at(address: usize, size: usize) -> Option<Reserved> {
        let wanted = std::ptr::with_exposed_provenance_mut(address);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
        // SAFETY: no mapping is replaced: where there is one, and where kernels before 4.17 choose another place, it fails or
        // returns another address.
        let found = unsafe { libc::mmap(wanted, size, libc::PROT_NONE, flags, -1, 0) };
        if found == libc::MAP_FAILED {
            return None;
        }
        let reserved = Reserved { address: found.expose_provenance(), size };
        (reserved.address == address).then_some(reserved)
    }
}

#[cfg(target_os = "linux")]
impl Drop for Reserved {
    fn drop(&mut self) {
        // SAFETY: mapped by `at` with this size, unmapped once, and used by nothing.
        unsafe { libc::munmap(std::ptr::with_exposed_provenance_mut(self.address), self.size) };
    }
}

#[cfg(not(target_os = "linux"))]
impl Reserved {
    /// Other systems have no such mapping.
    fn at(_: usize, _: usize) -> Option<Reserved> {
        None
    }
}
