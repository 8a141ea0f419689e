//! Events: the state of one command.

use super::stream::{CommandStream, EventStatus};
use super::times::EventTimes;
use crate::error::{Error, Result};
use std::sync::Arc;
use std::time::Duration;

/// A command of a [`crate::Queue`]. Dropping it has no effect on the command; cloning is cheap.
pub struct Event {
    stream: Arc<CommandStream>,
    /// Value of the stream's semaphore when the command is complete.
    value: u64,
    /// Where its times are recorded.
    slot: u32,
}

impl Event {
    /// The event gets one of the caller's references to `slot`.
    pub(super) fn new(stream: &Arc<CommandStream>, value: u64, slot: u32) -> Event {
        Event { stream: stream.clone(), value, slot }
    }

    /// The event of a command that the host has executed by itself, just now.
    pub(crate) fn completed(stream: &Arc<CommandStream>) -> Event {
        let (value, slot) = stream.executed_by_host();
        Event::new(stream, value, slot)
    }

    /// The stream of the command.
    pub(crate) fn stream(&self) -> &Arc<CommandStream> {
        &self.stream
    }

    /// The value of the stream's semaphore when the command is complete.
    pub(crate) fn value(&self) -> u64 {
        self.value
    }

    /// Waits until the command is complete.
    ///
    /// # Errors
    /// [`Error::DeviceLost`]; [`Error::OutOfMemory`] when the command could not be submitted.
    pub fn wait(&self) -> Result<()> {
        self.stream.wait(self.value, None)
    }

    /// Waits as [`Event::wait`] does, but not longer than `limit`.
    ///
    /// # Errors
    /// [`Error::Timeout`], and those of [`Event::wait`].
    pub fn wait_timeout(&self, limit: Duration) -> Result<()> {
        self.stream.wait(self.value, Some(limit))
    }

    /// The state of the command. Does not wait.
    ///
    /// # Errors
    /// As for [`Event::wait`].
    pub fn status(&self) -> Result<EventStatus> {
        self.stream.status(self.value)
    }

    /// Whether the command is complete or has failed. Many threads may ask this again and again: unlike [`Event::status`] it waits
    /// for none that records commands.
    pub fn has_ended(&self) -> bool {
        self.stream.has_ended(self.value)
    }

    /// The times of the command, as far as it has come.
    ///
    /// # Errors
    /// [`Error::DeviceLost`].
    pub fn times(&self) -> Result<EventTimes> {
        self.status()?;
        let times = self.stream.slots().get(self.slot);
        times.ok_or_else(|| Error::Internal("an event has no times".into()))
    }
}

impl Clone for Event {
    fn clone(&self) -> Event {
        self.stream.slots().retain(self.slot);
        Event::new(&self.stream, self.value, self.slot)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        self.stream.slots().release(self.slot);
    }
}
