//! The driver's cache of a program's pipelines, kept on disk where the device has a cache.

use crate::cache::{Cache, pipelines_key};
use crate::device::{PipelineCache, RawDevice};
use crate::{Device, Result};
use ash::vk;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The folder of the entries.
const KIND: &str = "pipelines";

/// See the module.
pub(crate) struct Pipelines {
    pub raw: PipelineCache,
    /// Whether anything was compiled since it was loaded.
    changed: AtomicBool,
    cache: Cache,
    key: [u8; 32],
    device: Arc<RawDevice>,
}

impl Pipelines {
    /// For a module as the driver gets it.
    pub fn new(device: &Device, code: &[u32]) -> Result<Pipelines> {
        let shared = &device.shared;
        // SAFETY: the physical device belongs to the instance.
        let properties = unsafe { shared.raw.instance.raw.get_physical_device_properties(shared.physical) };
        let (cache, key) = (device.cache(), pipelines_key(code, &properties));
        let kept = cache.load(KIND, &key).unwrap_or_default();
        let info = vk::PipelineCacheCreateInfo::default().initial_data(&kept);
        // SAFETY: the data is what this driver gave for this device, whole: the key and the entry's digest see to that.
        let raw = unsafe { PipelineCache::new(&shared.raw, &info) }?;
        Ok(Pipelines { raw, changed: AtomicBool::new(false), cache, key, device: shared.raw.clone() })
    }

    /// To be called when a pipeline was compiled.
    pub fn changed(&self) {
        self.changed.store(true, Ordering::Relaxed);
    }
}

impl Drop for Pipelines {
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
