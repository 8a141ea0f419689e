//! Whether and how a device uses memory of the host (VK_EXT_external_memory_host).

use super::host::ALIGNMENT;
use crate::narrow::to_u32;
use crate::vulkan::RawDevice;
use ash::vk;
use std::sync::Arc;

/// The kind of external memory: allocations of the host.
pub(super) const HANDLE: vk::ExternalMemoryHandleTypeFlags = vk::ExternalMemoryHandleTypeFlags::HOST_ALLOCATION_EXT;

/// The functions and memory types with which a device uses the host's memory.
pub(super) struct Importer {
    pub functions: ash::ext::external_memory_host::Device,
    types: vk::PhysicalDeviceMemoryProperties,
}

impl Importer {
    /// `None` if the device cannot create such buffers for `usage`. The extension must be enabled.
    pub fn new(device: &Arc<RawDevice>, physical: vk::PhysicalDevice, usage: vk::BufferUsageFlags) -> Option<Importer> {
        let instance = &device.instance.raw;
        let mut alignment = vk::PhysicalDeviceExternalMemoryHostPropertiesEXT::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut alignment);
        // SAFETY: the device has the extension, so it knows the structure.
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
        let info = vk::PhysicalDeviceExternalBufferInfo::default().usage(usage).handle_type(HANDLE);
        let mut external = vk::ExternalBufferProperties::default();
        // SAFETY: as above; the function is part of Vulkan 1.1.
        unsafe { instance.get_physical_device_external_buffer_properties(physical, &info, &mut external) };
        let features = external.external_memory_properties.external_memory_features;
        let aligned = alignment.min_imported_host_pointer_alignment <= ALIGNMENT as u64;
        if !aligned || !features.contains(vk::ExternalMemoryFeatureFlags::IMPORTABLE) {
            return None;
        }
        // SAFETY: the physical device belongs to the instance.
        let types = unsafe { instance.get_physical_device_memory_properties(physical) };
        Some(Importer { functions: ash::ext::external_memory_host::Device::new(instance, device), types })
    }

    /// A coherent memory type among `bits`, preferably one that the host caches, and its properties.
    pub fn choose(&self, bits: u32) -> Option<(u32, vk::MemoryPropertyFlags)> {
        let coherent = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let types = self.types.memory_types_as_slice().iter().enumerate();
        let usable = types.filter(|(index, ty)| bits >> index & 1 != 0 && ty.property_flags.contains(coherent));
        usable
            .map(|(index, ty)| (to_u32(index), ty.property_flags))
            .max_by_key(|(_, flags)| flags.contains(vk::MemoryPropertyFlags::HOST_CACHED))
    }
}
