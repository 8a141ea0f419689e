//! Recording one command, which may extend over several batches.

use super::batch::{Batch, COMMANDS, Mark, Replayable, Watch};
use super::event::Event;
use super::hazards::{Footprint, Use};
use super::state::State;
use super::stream::CommandStream;
use crate::error::Result;
use std::sync::{Arc, MutexGuard, RwLockReadGuard, RwLockWriteGuard};

/// Where launches are recorded.
pub(crate) trait Record {
    /// The batch to record a command into that accesses certain memory. What earlier commands wrote there is visible.
    ///
    /// # Errors
    /// [`crate::Error::DeviceLost`], [`crate::Error::OutOfMemory`].
    fn batch_for(&mut self, footprint: &Footprint) -> Result<&mut Batch>;

    /// Submits a batch of an earlier launch again, if there is one that is the same as `launch` and nothing is before it in the
    /// stream. Whether it did: then there is nothing to record.
    ///
    /// # Errors
    /// As for [`Record::batch_for`].
    fn replay(&mut self, _launch: &Replayable, _watch: Option<&Arc<dyn Watch>>) -> Result<bool> {
        Ok(false)
    }

    /// Says what the command is, for [`Record::replay`]: a launch that is recorded completely.
    ///
    /// # Errors
    /// As for [`Record::batch_for`].
    fn remember(&mut self, _launch: &Replayable) -> Result<()> {
        Ok(())
    }

    /// Lets what is recorded so far begin; the rest of the command is recorded behind it.
    ///
    /// # Errors
    /// As for [`Record::batch_for`].
    fn split(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A command that is being recorded. It locks its stream; other threads wait.
pub(crate) struct Session<'s> {
    stream: &'s Arc<CommandStream>,
    state: MutexGuard<'s, State>,
    /// None of a command that has the stream for itself.
    _shared: Option<RwLockReadGuard<'s, ()>>,
    _recording: RwLockReadGuard<'s, ()>,
    used: Use,
    /// Where the times of the command are recorded.
    slot: u32,
    /// Whether the session's reference to the slot was given to the event of the command.
    gave_slot: bool,
    /// Whether the open batch has a part of this command.
    marked: bool,
    /// Whether any batch has.
    started: bool,
    /// Value of the batch that was submitted again for this command: see [`Session::replay`].
    replayed: Option<u64>,
}

impl<'s> Session<'s> {
    /// Begins a command.
    pub fn start(stream: &'s Arc<CommandStream>, used: Use) -> Session<'s> {
        // Before the other locks: who waits for this one keeps nobody else waiting.
        let shared = stream.share();
        Session::record(stream, used, stream.slots().take(), Some(shared))
    }

    /// Begins a command, or a part of one, whose times are recorded in a slot, of which the session gets a reference.
    fn record(
        stream: &'s Arc<CommandStream>,
        used: Use,
        slot: u32,
        shared: Option<RwLockReadGuard<'s, ()>>,
    ) -> Session<'s> {
        // In this order: who waits for the first has not locked the stream, so that others can submit and wait.
        let recording = stream.device().recording();
        Session {
            stream,
            state: stream.lock(),
            _shared: shared,
            _recording: recording,
            used,
            slot,
            gave_slot: false,
            marked: false,
            started: false,
            replayed: None,
        }
    }

    /// The batch to record into. What earlier commands wrote is visible.
    ///
    /// # Errors
    /// [`crate::Error::DeviceLost`], [`crate::Error::OutOfMemory`].
    pub fn batch(&mut self) -> Result<&mut Batch> {
        self.batch_for(&Footprint::UNKNOWN)
    }

    /// Ends the command.
    ///
    /// # Errors
    /// As for [`Session::batch`].
    pub fn finish(mut self) -> Result<Event> {
        if let Some(value) = self.replayed {
            return Ok(self.event(value));
        }
        let batch = self.batch()?;
        let end = batch.stamp();
        if let Some(mark) = batch.marks.last_mut() {
            mark.end = end;
        }
        let (value, full) = (batch.value, batch.marks.len() >= COMMANDS);
        let event = self.event(value);
        if full {
            self.stream.submit(&mut self.state)?;
        }
        Ok(event)
    }

    /// The event of the command, which gets the session's reference to the slot.
    fn event(&mut self, value: u64) -> Event {
        self.gave_slot = true;
        Event::new(self.stream, value, self.slot)
    }

    /// Ends the command and submits it.
    ///
    /// # Errors
    /// As for [`Session::batch`].
    pub fn submit(self) -> Result<Event> {
        let stream = self.stream;
        let event = self.finish()?;
        stream.flush_to(event.value())?;
        Ok(event)
    }
}

impl Record for Session<'_> {
    fn batch_for(&mut self, footprint: &Footprint) -> Result<&mut Batch> {
        let batch = self.stream.open(&mut self.state)?;
        if !self.marked {
            batch.recorded.pipeline = 0;
            batch.begin_command(self.used, footprint);
            let start = if self.started { None } else { batch.stamp() };
            self.stream.slots().retain(self.slot);
            batch.marks.push(Mark { slot: self.slot, start, end: None });
            (self.marked, self.started) = (true, true);
        }
        Ok(batch)
    }

    fn replay(&mut self, launch: &Replayable, watch: Option<&Arc<dyn Watch>>) -> Result<bool> {
        if self.started {
            return Ok(false);
        }
        self.replayed = self.stream.replay(&mut self.state, launch, watch, self.slot)?;
        Ok(self.replayed.is_some())
    }

    fn remember(&mut self, launch: &Replayable) -> Result<()> {
        let batch = self.batch()?;
        if batch.marks.len() == 1 {
            batch.recorded.clone_from(launch);
        }
        Ok(())
    }

    fn split(&mut self) -> Result<()> {
        self.marked = false;
        self.stream.submit(&mut self.state)
    }
}

/// A command whose parts several threads record, in any order.
pub(crate) struct Command<'s> {
    stream: &'s Arc<CommandStream>,
    slot: u32,
    alone: Option<RwLockWriteGuard<'s, ()>>,
}

impl<'s> Command<'s> {
    /// A command of a stream. Commands of other threads may come between its parts.
    pub fn new(stream: &'s Arc<CommandStream>) -> Command<'s> {
        Command { stream, slot: stream.slots().take(), alone: None }
    }

    /// A command of a stream that has no other one between its parts, and waits for none of the host's events, which could not
    /// be completed while other threads wait for it; `None` for a stream that waits for such an event.
    pub fn alone(stream: &'s Arc<CommandStream>) -> Option<Command<'s>> {
        let alone = stream.exclude_others();
        (!stream.is_held()).then(|| Command { stream, slot: stream.slots().take(), alone: Some(alone) })
    }

    /// Begins a part.
    pub fn part(&self, used: Use) -> Session<'s> {
        let shared = self.alone.is_none().then(|| self.stream.share());
        self.stream.slots().retain(self.slot);
        Session::record(self.stream, used, self.slot, shared)
    }
}

impl Drop for Command<'_> {
    fn drop(&mut self) {
        self.stream.slots().release(self.slot);
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        if !self.gave_slot {
            self.stream.slots().release(self.slot);
        }
    }
}
