//! Vulkan's queues.

use super::RawDevice;
use ash::vk;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One Vulkan queue. Several [`crate::Queue`]s may share it, since devices have few.
pub(crate) struct Lane {
    raw: Mutex<vk::Queue>,
    pub family: u32,
    /// Valid bits of its timestamps; 0 without.
    pub timestamp_bits: u32,
}

impl Lane {
    /// Queue `index` of a family, for which the device was created with that many queues.
    pub fn new(device: &RawDevice, family: u32, index: u32, timestamp_bits: u32) -> Arc<Lane> {
        // SAFETY: the family was named at device creation with more than `index` queues.
        let raw = unsafe { device.get_device_queue(family, index) };
        Arc::new(Lane { raw: Mutex::new(raw), family, timestamp_bits })
    }

    /// The handle, for one thread at a time, as Vulkan wants it.
    pub fn lock(&self) -> MutexGuard<'_, vk::Queue> {
        self.raw.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
