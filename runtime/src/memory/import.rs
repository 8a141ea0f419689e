//! Buffers over memory of the host (VK_EXT_external_memory_host).

use super::host::ALIGNMENT;
use super::raw::{Backing, RawBuffer};
use super::{HostMemory, MemoryPool};
use crate::Result;
use crate::device::RawDevice;
use ash::vk;
use std::sync::Arc;

/// How a buffer's memory is told from others.
const HANDLE: vk::ExternalMemoryHandleTypeFlags = vk::ExternalMemoryHandleTypeFlags::HOST_ALLOCATION_EXT;

/// What a device needs to use the host's memory.
pub(crate) struct Importer {
    functions: ash::ext::external_memory_host::Device,
    types: vk::PhysicalDeviceMemoryProperties,
}

impl Importer {
    /// `None` where the device cannot make such buffers of every use.
    ///
    /// The extension must be enabled.
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

    /// A coherent memory type among `bits`, one that the host caches first.
    fn choose(&self, bits: u32) -> Option<(u32, vk::MemoryPropertyFlags)> {
        let coherent = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let types = self.types.memory_types_as_slice().iter().enumerate();
        let usable = types.filter(|(index, ty)| bits >> index & 1 != 0 && ty.property_flags.contains(coherent));
        usable
            .map(|(index, ty)| (index as u32, ty.property_flags))
            .max_by_key(|(_, flags)| flags.contains(vk::MemoryPropertyFlags::HOST_CACHED))
    }
}

impl RawBuffer {
    /// A buffer over the host's memory, or the memory back where the device does not take it.
    pub fn import(pool: &Arc<MemoryPool>, host: HostMemory) -> Result<std::result::Result<RawBuffer, HostMemory>> {
        let Some(importer) = &pool.importer else { return Ok(Err(host)) };
        let device = &pool.device;
        let mut found = vk::MemoryHostPointerPropertiesEXT::default();
        let ask = importer.functions.fp().get_memory_host_pointer_properties_ext;
        // SAFETY: the pointer is the beginning of an allocation that is aligned as the device wants it.
        let asked = unsafe { ask(device.handle(), HANDLE, host.pointer().cast(), &mut found) };
        if asked != vk::Result::SUCCESS {
            return Ok(Err(host));
        }
        // As many bytes as the buffer has; those behind it belong to the allocation too.
        let size = (host.len() as u64).max(1).next_multiple_of(16);
        let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(HANDLE);
        let mut buffer = RawBuffer::without_memory(pool, size, Some(&mut external))?;
        // SAFETY: the buffer was just created from this device.
        let requirements = unsafe { device.get_buffer_memory_requirements(buffer.raw) };
        let fits = requirements.size <= host.whole() && requirements.alignment <= ALIGNMENT as u64;
        let bits = requirements.memory_type_bits & found.memory_type_bits;
        let Some((index, flags)) = importer.choose(bits).filter(|_| fits) else { return Ok(Err(host)) };
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
        let memory = match unsafe { device.allocate_memory(&info, None) } {
            Ok(memory) => memory,
            Err(vk::Result::ERROR_DEVICE_LOST) => {
                return Err(device.error("vkAllocateMemory")(vk::Result::ERROR_DEVICE_LOST));
            }
            Err(_) => return Ok(Err(host)),
        };
        buffer.backing = Backing::Host { memory, flags, host };
        // SAFETY: the memory satisfies the buffer's requirements; the buffer is not bound yet.
        unsafe { device.bind_buffer_memory(buffer.raw, memory, 0) }.map_err(device.error("vkBindBufferMemory"))?;
        buffer.find_address();
        Ok(Ok(buffer))
    }
}
