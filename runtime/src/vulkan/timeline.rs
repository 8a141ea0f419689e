//! Timeline semaphores of queues.
//!
//! They are reused, and destroyed only with the device: a driver with a thread of its own for submissions (Mesa's software
//! drivers) may still hold a semaphore whose last value the host has seen already.

use super::raw_device::RawDevice;
use crate::error::{Error, Result};
use ash::vk;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// A timeline semaphore.
pub(crate) struct Timeline {
    pub raw: vk::Semaphore,
    /// Its value when its queue was created.
    pub start: u64,
    /// Its value when its queue ended; not set unless all work of the queue is complete.
    pub end: OnceLock<u64>,
    /// Whether a program created it, and destroys it.
    borrowed: bool,
    device: Arc<RawDevice>,
}

impl Timeline {
    /// A semaphore that no queue uses any more, or a new one.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn new(device: &Arc<RawDevice>) -> Result<Timeline> {
        if let Some((raw, start)) = device.take_timeline() {
            return Ok(Timeline { raw, start, end: OnceLock::new(), borrowed: false, device: device.clone() });
        }
        let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
        if super::only_compiles() {
            kind.semaphore_type = vk::SemaphoreType::BINARY;
        }
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        // SAFETY: timeline semaphores are part of Vulkan 1.2 and enabled.
        let raw = unsafe { device.create_semaphore(&info, None) }.map_err(device.error("vkCreateSemaphore"))?;
        Ok(Timeline { raw, start: 0, end: OnceLock::new(), borrowed: false, device: device.clone() })
    }

    /// A semaphore of a program, to be waited for.
    pub fn of_program(device: &Arc<RawDevice>, raw: vk::Semaphore) -> Timeline {
        Timeline { raw, start: 0, end: OnceLock::new(), borrowed: true, device: device.clone() }
    }

    /// The value that the device has reached.
    ///
    /// # Errors
    /// [`Error::DeviceLost`].
    pub fn reached(&self) -> Result<u64> {
        // SAFETY: the semaphore is a timeline of this device.
        let counter = unsafe { self.device.get_semaphore_counter_value(self.raw) };
        counter.map_err(self.device.error("vkGetSemaphoreCounterValue"))
    }

    /// Waits for a value: polls at first (see [`crate::Device::set_polling`]), then sleeps.
    ///
    /// # Errors
    /// [`Error::Timeout`], [`Error::DeviceLost`].
    pub fn wait(&self, value: u64, limit: Option<Duration>) -> Result<()> {
        if self.device.is_lost() {
            return Err(self.device.loss());
        }
        let start = Instant::now();
        if self.poll(value, start, limit)? {
            return Ok(());
        }
        let (semaphores, values) = ([self.raw], [value]);
        let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
        let left = limit.map(|limit| limit.saturating_sub(start.elapsed()));
        let timeout = left.map_or(u64::MAX, |left| u64::try_from(left.as_nanos()).unwrap_or(u64::MAX));
        // SAFETY: the semaphore is a timeline of this device.
        unsafe { self.device.wait_semaphores(&info, timeout) }.map_err(|result| match (result, limit) {
            (vk::Result::TIMEOUT, Some(limit)) => Error::Timeout(limit),
            _ => self.device.error("vkWaitSemaphores")(result),
        })
    }

    /// Polls for a value, as long as the device allows and not beyond `limit`. Returns whether it was reached.
    fn poll(&self, value: u64, start: Instant, limit: Option<Duration>) -> Result<bool> {
        let polling = self.device.polling();
        let polling = limit.map_or(polling, |limit| limit.min(polling));
        if polling.is_zero() {
            return Ok(false);
        }
        loop {
            if self.reached()? >= value {
                return Ok(true);
            }
            if start.elapsed() >= polling {
                return Ok(false);
            }
            std::hint::spin_loop();
        }
    }
}

impl Drop for Timeline {
    fn drop(&mut self) {
        if !self.borrowed {
            self.device.keep_timeline(self.raw, self.end.get().copied());
        }
    }
}
