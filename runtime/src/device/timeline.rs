//! Timeline semaphores of queues. They are used again rather than destroyed before the device: where a driver has a thread
//! that submits (Mesa's software drivers), it may still hold a semaphore whose last value the host has seen already.

use super::RawDevice;
use crate::Result;
use ash::vk;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Semaphores that no queue has, and the values they are at; none where that cannot be known.
#[derive(Default)]
pub(super) struct Idle {
    list: Mutex<Vec<(vk::Semaphore, Option<u64>)>>,
}

impl Idle {
    fn take(&self) -> Option<(vk::Semaphore, u64)> {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        let index = list.iter().position(|(_, value)| value.is_some())?;
        let (raw, value) = list.swap_remove(index);
        value.map(|value| (raw, value))
    }

    fn put(&self, raw: vk::Semaphore, value: Option<u64>) {
        self.list.lock().unwrap_or_else(PoisonError::into_inner).push((raw, value));
    }

    /// All of them, to be destroyed with the device.
    pub fn drain(&self) -> Vec<vk::Semaphore> {
        let list = std::mem::take(&mut *self.list.lock().unwrap_or_else(PoisonError::into_inner));
        list.into_iter().map(|(raw, _)| raw).collect()
    }
}

/// A timeline semaphore.
pub(crate) struct Timeline {
    pub raw: vk::Semaphore,
    /// Its value at first.
    pub start: u64,
    /// Its value when its queue has ended, if all work of the queue is complete.
    pub end: OnceLock<u64>,
    device: Arc<RawDevice>,
}

impl Timeline {
    /// One that is idle, or a new one.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn new(device: &Arc<RawDevice>) -> Result<Timeline> {
        if let Some((raw, start)) = device.timelines.take() {
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
        self.device.timelines.put(self.raw, self.end.get().copied());
    }
}
