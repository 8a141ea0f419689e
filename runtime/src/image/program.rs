//! Images that are shared with a program's own Vulkan commands.

use super::description::{ImageDescription, ImageKind};
use super::object::{Image, Storage};
use super::texture::RawImage;
use crate::device::Device;
use crate::error::{Error, Result};
use ash::vk;
use std::any::Any;
use std::sync::Arc;

impl Image {
    /// An image of a program as one that kernels use, with the `usage` that it was created for. `guard` is dropped when the
    /// runtime has stopped using it: something that keeps the image and its memory alive, or `()`.
    ///
    /// The program brings the image into the layout `VK_IMAGE_LAYOUT_GENERAL` before the runtime uses it, and finds it in that
    /// layout afterwards. Work of both is ordered as for [`crate::Buffer::from_raw`].
    ///
    /// # Errors
    /// [`Error::Unsupported`] for [`ImageKind::Buffer`] and for a format that has no equivalent in Vulkan,
    /// [`Error::OutOfMemory`], [`Error::Vulkan`].
    ///
    /// # Safety
    /// The image belongs to the device ([`Device::as_raw`]), has this size and format, one level of detail, one sample and
    /// optimal tiling, is bound to its memory, and lives until the guard is dropped. It was created with `SAMPLED`, for kernels
    /// that write it with `STORAGE`, and for transfers to and from the host with `TRANSFER_DST` and `TRANSFER_SRC`. It is shared
    /// with the family [`Device::queue_family`] or owned by it while kernels use it.
    pub unsafe fn from_raw(
        device: &Device,
        image: vk::Image,
        description: ImageDescription,
        usage: vk::ImageUsageFlags,
        guard: impl Any + Send + Sync,
    ) -> Result<Image> {
        let format = description.format.vulkan().filter(|_| description.kind != ImageKind::Buffer);
        let format = format.ok_or_else(|| Error::Unsupported(format!("image {description:?} of a program is")))?;
        let properties = (&description, format, usage.contains(vk::ImageUsageFlags::STORAGE));
        // SAFETY: the caller's promise.
        let raw = unsafe { RawImage::of_program(device, image, properties, Box::new(guard)) }?;
        Ok(Image {
            storage: Arc::new(Storage::Image(raw)),
            device: device.clone(),
            description,
            level: 0,
            reported: None,
        })
    }

    /// The handle, for commands of the program; `None` for an image in a buffer ([`ImageKind::Buffer`]). It is in the layout
    /// `VK_IMAGE_LAYOUT_GENERAL` before and after, has the uses `SAMPLED`, `TRANSFER_SRC` and `TRANSFER_DST`, and `STORAGE` where
    /// the device has that for its format. It belongs to the family [`Device::queue_family`], must not be destroyed, and lives as
    /// long as a clone of this image.
    pub fn as_raw(&self) -> Option<vk::Image> {
        match &*self.storage {
            Storage::Image(raw) => Some(raw.handle()),
            Storage::Buffer(..) => None,
        }
    }
}
