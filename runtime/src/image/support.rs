//! Which images a device supports.

use super::description::ImageKind;
use super::format::ImageFormat;
use crate::device::Device;
use ash::vk;

/// What kernels can do with images of a kind and format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageSupport {
    /// They can read them. Without it there are no such images.
    pub sampled: bool,
    /// They can write them.
    pub storage: bool,
}

impl Device {
    /// What kernels on this device can do with images of a kind and format.
    pub fn image_support(&self, kind: ImageKind, format: ImageFormat) -> ImageSupport {
        let Some(format) = format.vulkan() else { return ImageSupport::default() };
        let instance = &self.shared.raw.instance.raw;
        // SAFETY: the physical device belongs to the instance.
        let properties = unsafe { instance.get_physical_device_format_properties(self.shared.physical, format) };
        let (features, sampled, storage) = if kind == ImageKind::Buffer {
            let flags = (vk::FormatFeatureFlags::UNIFORM_TEXEL_BUFFER, vk::FormatFeatureFlags::STORAGE_TEXEL_BUFFER);
            (properties.buffer_features, flags.0, flags.1)
        } else {
            let flags = (vk::FormatFeatureFlags::SAMPLED_IMAGE, vk::FormatFeatureFlags::STORAGE_IMAGE);
            (properties.optimal_tiling_features, flags.0, flags.1)
        };
        ImageSupport { sampled: features.contains(sampled), storage: features.contains(storage) }
    }
}
