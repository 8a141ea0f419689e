//! Timeline semaphores of queues.
//!
//! They are reused, and destroyed only with the device: a driver with a thread of its own for submissions (Mesa's software
//! drivers) may still hold a semaphore whose last value the host has seen already.

use super::raw_device::RawDevice;
use crate::error::Result;
use ash::vk;
use std::sync::{Arc, OnceLock};

/// A timeline semaphore.
pub(crate) struct Timeline {
    pub raw: vk::Semaphore,
    /// Its value when its queue was created.
    pub start: u64,
    /// Its value when its queue ended; not set unless all work of the queue is complete.
    pub end: OnceLock<u64>,
    device: Arc<RawDevice>,
}

impl Timeline {
    /// A semaphore that no queue uses any more, or a new one.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn new(device: &Arc<RawDevice>) -> Result<Timeline> {
        if let Some((raw, start)) = device.take_timeline() {
            return Ok(Timeline { raw, start, end: OnceLock::new(), device: device.clone() });
        }
        let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        // SAFETY: timeline semaphores are part of Vulkan 1.2 and enabled.
        let raw = unsafe { device.create_semaphore(&info, None) }.map_err(device.error("vkCreateSemaphore"))?;
        Ok(Timeline { raw, start: 0, end: OnceLock::new(), device: device.clone() })
    }
}

impl Drop for Timeline {
    fn drop(&mut self) {
        self.device.keep_timeline(self.raw, self.end.get().copied());
    }
}
