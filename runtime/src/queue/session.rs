//! Recording one command, which may take several batches.

use super::batch::{Batch, COMMANDS, Mark, Use};
use super::event::Event;
use super::shared::{QueueShared, State};
use crate::Result;
use crate::launch::Scratch;
use crate::memory::RawBuffer;
use std::sync::{Arc, MutexGuard};

/// A command that is being recorded. It holds its queue; other threads wait.
pub(crate) struct Session<'q> {
    shared: &'q Arc<QueueShared>,
    state: MutexGuard<'q, State>,
    used: Use,
    slot: u32,
    /// Whether the open batch has a part of this command, and whether any has.
    marked: bool,
    started: bool,
}

impl<'q> Session<'q> {
    /// Begins a command of one kind.
    pub fn start(shared: &'q Arc<QueueShared>, used: Use) -> Session<'q> {
        let slot = shared.slots().take();
        Session { shared, state: shared.lock(), used, slot, marked: false, started: false }
    }

    /// The batch to record into: what earlier commands wrote can be used.
    pub fn batch(&mut self) -> Result<&mut Batch> {
        let batch = self.shared.open(&mut self.state)?;
        if !self.marked {
            batch.barrier(self.used);
            let start = if self.started { None } else { batch.stamp() };
            self.shared.slots().retain(self.slot);
            batch.marks.push(Mark { slot: self.slot, start, end: None });
            (self.marked, self.started) = (true, true);
        }
        Ok(batch)
    }

    /// Submits what there is; the rest of the command goes into another batch.
    pub fn split(&mut self) -> Result<()> {
        self.marked = false;
        self.shared.submit(&mut self.state)
    }

    /// Vectors to use again.
    pub fn scratch(&mut self) -> &mut Scratch {
        &mut self.state.scratch
    }

    /// Ends the command.
    pub fn finish(mut self) -> Result<Event> {
        let batch = self.batch()?;
        let end = batch.stamp();
        if let Some(mark) = batch.marks.last_mut() {
            mark.end = end;
        }
        let (value, full) = (batch.value, batch.marks.len() >= COMMANDS);
        self.shared.slots().retain(self.slot);
        let event = Event::new(self.shared, value, self.slot);
        if full {
            self.shared.submit(&mut self.state)?;
        }
        Ok(event)
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.shared.slots().release(self.slot);
    }
}

impl QueueShared {
    /// The memory that reads go through, for the caller alone.
    pub fn take_down(&self) -> Option<RawBuffer> {
        self.lock().down.take()
    }

    /// Gives it back.
    pub fn keep_down(&self, buffer: RawBuffer) {
        self.lock().down = Some(buffer);
    }
}
