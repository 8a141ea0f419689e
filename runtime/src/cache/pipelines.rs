//! What the driver made of a module.

use super::{Key, KeyBuilder};
use ash::vk;

/// Stands for a module on a device with its driver.
pub(crate) fn pipelines_key(words: &[u32], device: &vk::PhysicalDeviceProperties) -> Key {
    let numbers = [device.vendor_id, device.device_id, device.driver_version, device.api_version];
    let key = KeyBuilder::new("pipelines").with(bytemuck::cast_slice(words)).with(bytemuck::cast_slice(&numbers));
    key.with(&device.pipeline_cache_uuid).finish()
}
