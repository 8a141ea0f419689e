//! Vulkan's queues.
//!
//! Several `Queue`s of this crate share up to four queues of Vulkan.

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
    /// A queue of a family.
    pub fn new(raw: vk::Queue, family: u32, timestamp_bits: u32) -> Arc<SharedQueue> {
        Arc::new(SharedQueue { raw: Mutex::new(raw), family, timestamp_bits })
    }

    /// The handle. Vulkan demands that a queue is used by one thread at a time.
    pub fn lock(&self) -> MutexGuard<'_, vk::Queue> {
        self.raw.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
