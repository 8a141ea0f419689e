//! The driver's cache of a module's pipelines, kept on disk if the device has a [`crate::Cache`].

use super::{Cache, Key, KeyBuilder};
use crate::error::Result;
use crate::vulkan::{PipelineCache, RawDevice};
use ash::vk;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The kind of the entries.
const KIND: &str = "pipelines";

/// A pipeline cache of the driver, which is written to disk when it is dropped.
pub(crate) struct PersistentPipelineCache {
    pub raw: PipelineCache,
    /// Whether it was on disk.
    is_stored: bool,
    /// Whether a pipeline was compiled since it was loaded.
    changed: AtomicBool,
    cache: Cache,
    key: Key,
    device: Arc<RawDevice>,
}

impl PersistentPipelineCache {
    /// The cache for a module, as the driver gets it, with what is on disk for it.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn new(
        device: &Arc<RawDevice>,
        physical: vk::PhysicalDevice,
        cache: Cache,
        code: &[u32],
    ) -> Result<PersistentPipelineCache> {
        // SAFETY: the physical device belongs to the instance.
        let properties = unsafe { device.instance.raw.get_physical_device_properties(physical) };
        let key = key(code, &properties);
        let stored = cache.load(KIND, &key).filter(|data| is_for(data, &properties)).unwrap_or_default();
        let info = vk::PipelineCacheCreateInfo::default().initial_data(&stored);
        // SAFETY: the data comes from this driver for this device, which is part of the key and stands in its header, and it is
        // undamaged, which the digest of the entry ensures.
        let raw = unsafe { PipelineCache::new(device, &info) }?;
        let (is_stored, changed) = (!stored.is_empty(), AtomicBool::new(false));
        Ok(PersistentPipelineCache { raw, is_stored, changed, cache, key, device: device.clone() })
    }

    /// Whether it was on disk.
    pub fn is_stored(&self) -> bool {
        self.is_stored
    }

    /// The key of the module on its device with its driver.
    pub fn key(&self) -> Key {
        self.key
    }

    /// To be called when a pipeline was compiled.
    pub fn set_changed(&self) {
        self.changed.store(true, Ordering::Relaxed);
    }
}

/// Whether data begins with the header that every pipeline cache of the device has (Vulkan 1.3, 10.7.4, version one).
fn is_for(data: &[u8], device: &vk::PhysicalDeviceProperties) -> bool {
    let words = [32, vk::PipelineCacheHeaderVersion::ONE.as_raw().cast_unsigned(), device.vendor_id, device.device_id];
    let header: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).chain(device.pipeline_cache_uuid).collect();
    data.starts_with(&header)
}

/// The key of a module on a device with its driver.
fn key(words: &[u32], device: &vk::PhysicalDeviceProperties) -> Key {
    let numbers = [device.vendor_id, device.device_id, device.driver_version, device.api_version];
    let key = KeyBuilder::new(KIND).with(bytemuck::cast_slice(words)).with(bytemuck::cast_slice(&numbers));
    key.with(&device.pipeline_cache_uuid).finish()
}

impl Drop for PersistentPipelineCache {
    fn drop(&mut self) {
        if self.cache.folder().is_none() || !*self.changed.get_mut() {
            return;
        }
        // SAFETY: the cache is alive.
        if let Ok(data) = unsafe { self.device.get_pipeline_cache_data(self.raw.raw) } {
            self.cache.store(KIND, &self.key, &data);
        }
    }
}
