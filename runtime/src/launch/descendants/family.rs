//! Who has enqueued what: a command is complete when it and all that it has enqueued have ended (OpenCL C 6.15.19).

use crate::device_enqueue::{EventState, QueueMemories};
use crate::error::Result;
use crate::queue::Queue;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// `CL_QUEUED`.
const QUEUED: i32 = 3;

/// The commands with events that are not complete. What a command without an event enqueues counts as its parent's: nothing
/// can ask whether that command is complete.
#[derive(Default)]
pub(super) struct Family {
    /// By the addresses of their events.
    commands: HashMap<u64, Unfinished>,
    /// The states of their events, complete or not.
    states: HashMap<u64, EventState>,
}

struct Unfinished {
    /// The event of the command that has enqueued this one, 0 for the launch itself.
    parent: u64,
    /// 1 until the kernel has ended, and 1 for each command that it has enqueued until that is complete.
    parts: usize,
    began: Instant,
    /// What the kernel took.
    own: Duration,
}

impl Family {
    /// A command was enqueued by the command of an event.
    pub fn add(&mut self, event: u64, parent: u64) {
        if let Some(parent) = self.commands.get_mut(&parent) {
            parent.parts += 1;
        }
        if event != 0 {
            self.states.insert(event, EventState { references: 1, status: QUEUED, times: [0; 2] });
        }
    }

    /// The kernel of a command has begun, after this time of the host.
    pub fn begin(&mut self, event: u64, parent: u64, began: Instant) {
        if event != 0 {
            self.commands.insert(event, Unfinished { parent, parts: 1, began, own: Duration::ZERO });
        }
    }

    /// A kernel has ended after this time, and what it has enqueued is known.
    ///
    /// # Errors
    /// Those of [`Queue::write`].
    pub fn end(&mut self, memory: Memory<'_>, (event, parent): (u64, u64), own: Duration) -> Result<()> {
        match self.commands.get_mut(&event) {
            Some(command) => {
                command.own = own;
                self.end_part(memory, event)
            }
            None => self.end_part(memory, parent),
        }
    }

    /// A command is complete, or has failed, without having begun.
    ///
    /// # Errors
    /// Those of [`Queue::write`].
    pub fn complete(
        &mut self,
        memory: Memory<'_>,
        (event, parent): (u64, u64),
        status: i32,
        times: [u64; 2],
    ) -> Result<()> {
        self.settle(memory, event, status, times)?;
        self.end_part(memory, parent)
    }

    /// Ends one part of a command, and those commands that are complete by that.
    fn end_part(&mut self, memory: Memory<'_>, mut event: u64) -> Result<()> {
        while let Some(command) = self.commands.get_mut(&event) {
            command.parts = command.parts.saturating_sub(1);
            if command.parts > 0 {
                break;
            }
            let times = [command.own, command.own.max(command.began.elapsed())].map(nanoseconds);
            let parent = command.parent;
            self.commands.remove(&event);
            self.settle(memory, event, 0, times)?;
            event = parent;
        }
        Ok(())
    }

    fn settle(&mut self, (queue, memories): Memory<'_>, event: u64, status: i32, times: [u64; 2]) -> Result<()> {
        if event == 0 {
            return Ok(());
        }
        self.states.insert(event, EventState { references: 1, status, times });
        memories.end(queue, event, status, times)
    }

    /// The state of an event that a command of this launch has.
    pub fn state(&self, event: u64) -> Option<EventState> {
        self.states.get(&event).copied()
    }

    /// Forgets the states of all events but these: the others may be given to other commands, or to the program.
    pub fn forget_others(&mut self, needed: &HashSet<u64>) {
        self.states.retain(|event, _| needed.contains(event));
    }

    /// Whether a command has begun and is not complete.
    pub fn has_unfinished(&self) -> bool {
        !self.commands.is_empty()
    }

    /// The events of the commands that are not complete.
    pub fn unfinished(&self) -> impl Iterator<Item = u64> {
        self.commands.keys().copied()
    }
}

/// Where events are.
pub(super) type Memory<'m> = (&'m Queue, &'m QueueMemories);

/// Never 0, which is the time of what has not run.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1)
}
