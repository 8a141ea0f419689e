//! Vulkan's queues.
//!
//! Several `Queue`s of this crate share up to four queues of Vulkan.

use super::raw_device::RawDevice;
use ash::vk;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A queue of Vulkan. Several [`crate::Queue`]s may share one, since devices have few.
pub(crate) struct SharedQueue {
    raw: Mutex<vk::Queue>,
    pub family: u32,
    /// Valid bits of its timestamps; 0 without.
    pub timestamp_bits: u32,
}

impl SharedQueue {
    /// Queue `index` of a family. The device was created with more than `index` queues of that family.
    pub fn new(device: &RawDevice, family: u32, index: u32, timestamp_bits: u32) -> Arc<SharedQueue> {
        // SAFETY: the family was named at device creation with more than `index` queues.
        let raw = unsafe { device.get_device_queue(family, index) };
        Arc::new(SharedQueue { raw: Mutex::new(raw), family, timestamp_bits })
    }

    /// The handle. Vulkan demands that a queue is used by one thread at a time.
    pub fn lock(&self) -> MutexGuard<'_, vk::Queue> {
        self.raw.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
