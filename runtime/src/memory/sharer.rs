//! How a device shares memory by file descriptors (VK_KHR_external_memory_fd).

use crate::narrow::to_u32;
use crate::vulkan::RawDevice;
use ash::vk;
use std::sync::Arc;

/// What a file descriptor of memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemoryHandle {
    /// Memory of Vulkan's, for the same driver and device (`VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT`).
    OpaqueFd,
    /// A Linux `dma_buf`, which other drivers take, too (`VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT`).
    DmaBuf,
}

impl MemoryHandle {
    /// All kinds.
    pub const ALL: [MemoryHandle; 2] = [MemoryHandle::OpaqueFd, MemoryHandle::DmaBuf];

    /// Vulkan's name of it.
    pub(crate) fn vulkan(self) -> vk::ExternalMemoryHandleTypeFlags {
        match self {
            MemoryHandle::OpaqueFd => vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD,
            MemoryHandle::DmaBuf => vk::ExternalMemoryHandleTypeFlags::DMA_BUF_EXT,
        }
    }
}

/// How a device shares the memory of buffers.
pub(super) struct Descriptors {
    pub functions: ash::khr::external_memory_fd::Device,
    types: vk::PhysicalDeviceMemoryProperties,
    pub physical: vk::PhysicalDevice,
    pub dma_buf: bool,
}

impl Descriptors {
    /// The extension must be enabled. `dma_buf`: whether VK_EXT_external_memory_dma_buf is, too.
    pub fn new(device: &Arc<RawDevice>, physical: vk::PhysicalDevice, dma_buf: bool) -> Descriptors {
        let instance = &device.instance.raw;
        let functions = ash::khr::external_memory_fd::Device::new(instance, device);
        // SAFETY: the physical device belongs to the instance.
        let types = unsafe { instance.get_physical_device_memory_properties(physical) };
        Descriptors { functions, types, physical, dma_buf }
    }

    /// The type of memory to share, among `bits`: the device's own if there is such a one. Whoever exports and whoever imports
    /// memory must choose the same.
    pub fn choose(&self, bits: u32) -> Option<u32> {
        let types = self.types.memory_types_as_slice().iter().enumerate().filter(|(index, _)| bits >> index & 1 != 0);
        let local = |ty: &vk::MemoryType| ty.property_flags.contains(vk::MemoryPropertyFlags::DEVICE_LOCAL);
        types.min_by_key(|(_, ty)| !local(ty)).map(|(index, _)| to_u32(index))
    }
}
