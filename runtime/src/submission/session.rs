//! Recording one command, which may extend over several batches.

use super::batch::{Batch, COMMANDS, Mark, Use};
use super::event::Event;
use super::stream::{CommandStream, State};
use crate::error::Result;
use std::sync::{Arc, MutexGuard, RwLockReadGuard};

/// A command that is being recorded. It locks its stream; other threads wait.
pub(crate) struct Session<'s> {
    stream: &'s Arc<CommandStream>,
    state: MutexGuard<'s, State>,
    _recording: RwLockReadGuard<'s, ()>,
    used: Use,
    /// Where the times of the command are recorded.
    slot: u32,
    /// Whether the open batch has a part of this command.
    marked: bool,
    /// Whether any batch has.
    started: bool,
}

impl<'s> Session<'s> {
    /// Begins a command.
    pub fn start(stream: &'s Arc<CommandStream>, used: Use) -> Session<'s> {
        let slot = stream.slots().take();
        // In this order: who waits for the first has not locked the stream, so that others can submit and wait.
        let recording = stream.device().recording();
        Session { stream, state: stream.lock(), _recording: recording, used, slot, marked: false, started: false }
    }

    /// The batch to record into. What earlier commands wrote is visible.
    ///
    /// # Errors
    /// [`crate::Error::DeviceLost`], [`crate::Error::OutOfMemory`].
    pub fn batch(&mut self) -> Result<&mut Batch> {
        let batch = self.stream.open(&mut self.state)?;
        if !self.marked {
            batch.barrier(self.used);
            let start = if self.started { None } else { batch.stamp() };
            self.stream.slots().retain(self.slot);
            batch.marks.push(Mark { slot: self.slot, start, end: None });
            (self.marked, self.started) = (true, true);
        }
        Ok(batch)
    }

    /// Submits what is recorded so far; the rest of the command is recorded into another batch.
    ///
    /// # Errors
    /// As for [`Session::batch`].
    pub fn split(&mut self) -> Result<()> {
        self.marked = false;
        self.stream.submit(&mut self.state)
    }

    /// Ends the command.
    ///
    /// # Errors
    /// As for [`Session::batch`].
    pub fn finish(mut self) -> Result<Event> {
        let batch = self.batch()?;
        let end = batch.stamp();
        if let Some(mark) = batch.marks.last_mut() {
            mark.end = end;
        }
        let (value, full) = (batch.value, batch.marks.len() >= COMMANDS);
        self.stream.slots().retain(self.slot);
        let event = Event::new(self.stream, value, self.slot);
        if full {
            self.stream.submit(&mut self.state)?;
        }
        Ok(event)
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.stream.slots().release(self.slot);
    }
}
