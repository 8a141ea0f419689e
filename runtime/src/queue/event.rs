//! Events: what becomes of a command.

use super::shared::QueueShared;
use super::times::EventTimes;
use crate::{Error, Result};
use std::sync::Arc;
use std::time::Duration;

/// How far a command is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventStatus {
    /// In its queue, not yet given to the device.
    Queued,
    /// Given to the device.
    Submitted,
    /// Done.
    Complete,
}

/// A command of a [`super::Queue`]. Dropping it changes nothing; cloning is cheap.
pub struct Event {
    queue: Arc<QueueShared>,
    value: u64,
    slot: u32,
}

impl Event {
    /// `slot` has a user for this event.
    pub(super) fn new(queue: &Arc<QueueShared>, value: u64, slot: u32) -> Event {
        Event { queue: queue.clone(), value, slot }
    }

    pub(super) fn queue(&self) -> &Arc<QueueShared> {
        &self.queue
    }

    /// The value of the queue's semaphore when the command is complete.
    pub(super) fn value(&self) -> u64 {
        self.value
    }

    /// Waits until the command is complete.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`] when the command could not be given to the device.
    pub fn wait(&self) -> Result<()> {
        self.queue.wait(self.value, None)
    }

    /// As [`Event::wait`], but not longer than `limit`.
    ///
    /// # Errors
    /// [`Error::Timeout`], and those of [`Event::wait`].
    pub fn wait_timeout(&self, limit: Duration) -> Result<()> {
        self.queue.wait(self.value, Some(limit))
    }

    /// How far the command is. Never waits.
    ///
    /// # Errors
    /// As for [`Event::wait`].
    pub fn status(&self) -> Result<EventStatus> {
        self.queue.status(self.value)
    }

    /// When things happened; those that have not happened yet are `None`.
    ///
    /// # Errors
    /// [`Error::DeviceLost`].
    pub fn times(&self) -> Result<EventTimes> {
        self.status()?;
        let times = self.queue.slots().get(self.slot);
        times.ok_or_else(|| Error::Internal("an event has no times".into()))
    }
}

impl Clone for Event {
    fn clone(&self) -> Event {
        self.queue.slots().retain(self.slot);
        Event::new(&self.queue, self.value, self.slot)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        self.queue.slots().release(self.slot);
    }
}
