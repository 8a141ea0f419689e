//! Images in memory that others have exported by file descriptors.

use super::description::{ImageDescription, ImageKind};
use super::object::{Image, Storage};
use super::texture::{RawImage, image_info};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::memory::{MemoryHandle, MemoryPool};
use ash::vk;
use std::os::fd::OwnedFd;
use std::sync::Arc;

impl Image {
    /// An image in memory that another process, device or interface has exported for an image that was created as the runtime
    /// creates its own: optimal tiling, one level of detail, one sample, the uses `SAMPLED`, `TRANSFER_SRC`, `TRANSFER_DST`, and
    /// `STORAGE` where the device has that for the format. The memory begins with the image, and is dedicated to it if the
    /// device requires or prefers that (`VkMemoryDedicatedRequirements`). Unix only.
    ///
    /// Whoever uses the image elsewhere has brought it into the layout `VK_IMAGE_LAYOUT_GENERAL`, has finished or is ordered by
    /// semaphores, and finds it in that layout afterwards.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for [`ImageKind::Buffer`], a format that has no equivalent in Vulkan, and where the device does not
    /// import such handles; [`Error::Limit`]; [`Error::Vulkan`] where the driver refuses this one.
    ///
    /// # Safety
    /// The descriptor is such a handle of the memory of an image with this description; an opaque one is of the same driver and
    /// device.
    pub unsafe fn from_descriptor(
        device: &Device,
        description: ImageDescription,
        handle: MemoryHandle,
        descriptor: OwnedFd,
    ) -> Result<Image> {
        let format = description.format.vulkan().filter(|_| description.kind != ImageKind::Buffer);
        let format = format.ok_or_else(|| Error::Unsupported(format!("image {description:?} of a descriptor is")))?;
        let (info, storage) = image_info(device, &description, format, 1)?;
        let pool = &device.shared.memory;
        pool.check_image_import(&info, handle)?;
        let mut external = vk::ExternalMemoryImageCreateInfo::default().handle_types(handle.vulkan());
        let info = info.push_next(&mut external);
        // SAFETY: format, usage, sizes and the kind of handle were checked.
        let raw = unsafe { pool.device().create_image(&info, None) }.map_err(Error::vulkan("vkCreateImage"))?;
        let mut imported = Imported { raw, memory: vk::DeviceMemory::null(), pool: pool.clone() };
        // SAFETY: the image was created for such memory; the caller's promise.
        unsafe { pool.import_image_memory(raw, handle, descriptor, &mut imported.memory) }?;
        let properties = (&description, format, storage);
        // SAFETY: the image has its memory, and lives until the guard is dropped.
        let raw = unsafe { RawImage::of_program(device, raw, properties, Box::new(imported)) }?;
        Ok(Image {
            storage: Arc::new(Storage::Image(raw)),
            device: device.clone(),
            description,
            level: 0,
            reported: None,
        })
    }
}

/// An image and its imported memory, which are destroyed when nothing uses them.
struct Imported {
    raw: vk::Image,
    memory: vk::DeviceMemory,
    pool: Arc<MemoryPool>,
}

impl Drop for Imported {
    fn drop(&mut self) {
        let device = self.pool.device();
        // SAFETY: created from this device (the memory may be null), destroyed once: the guard of an image is dropped when the
        // device does not use it.
        unsafe {
            device.destroy_image(self.raw, None);
            device.free_memory(self.memory, None);
        }
    }
}
