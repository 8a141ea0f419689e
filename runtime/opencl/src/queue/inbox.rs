//! Commands on their way from the threads that enqueue them to the thread of their queue.

use crate::error::Result;
use crate::event::{Event, Wake};
use crate::handle::Ref;
use clforge_runtime as runtime;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How far an action has got.
pub enum Started {
    /// It is complete.
    Complete,
    /// The device executes it.
    OnDevice(runtime::Event),
}

/// What a command does, in the thread of its queue.
pub type Action = Box<dyn FnOnce(&runtime::Queue) -> Result<Started> + Send>;

/// The place of a command among those of an out-of-order queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Anywhere that the events allow.
    Anywhere,
    /// After all commands before it: a marker without a wait list.
    AfterAll,
    /// Between those before it and those after it: a barrier. With a wait list it only holds back those after it.
    Barrier {
        /// Whether it waits for all commands before it.
        after_all: bool,
    },
}

/// A command that is not recorded yet.
pub(super) struct Command {
    pub event: Ref<Event>,
    pub waits: Vec<Ref<Event>>,
    pub place: Place,
    pub action: Action,
}

/// What the threads share.
#[derive(Default)]
pub(super) struct Inbox {
    contents: Mutex<Contents>,
    changed: Condvar,
}

#[derive(Default)]
pub(super) struct Contents {
    pub commands: VecDeque<Command>,
    /// An event that a command waits for has got on.
    pub is_woken: bool,
    /// No more commands will come; this is said once.
    pub is_closed: bool,
    /// The thread of the queue waits for a change, and must be woken.
    is_asleep: bool,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn put(&self, command: Command) {
        self.change(|contents| contents.commands.push_back(command));
    }

    /// Puts commands there of which nobody sees some without the others.
    pub fn put_all(&self, commands: VecDeque<Command>) {
        self.change(|contents| contents.commands.extend(commands));
    }

    pub fn close(&self) {
        self.change(|contents| contents.is_closed = true);
    }

    /// Changes the contents. The thread of the queue is woken where it waits only: that takes longer than all the rest of
    /// enqueueing a command.
    fn change(&self, change: impl FnOnce(&mut Contents)) {
        let was_asleep = {
            let mut contents = self.lock();
            change(&mut contents);
            std::mem::take(&mut contents.is_asleep)
        };
        if was_asleep {
            self.changed.notify_one();
        }
    }

    /// Takes what is there; with a limit, waits so long for something to come, without one for ever.
    pub fn take(&self, limit: Option<Duration>) -> Contents {
        let is_empty = |contents: &mut Contents| {
            contents.is_asleep = contents.commands.is_empty() && !contents.is_woken && !contents.is_closed;
            contents.is_asleep
        };
        let contents = self.lock();
        let mut contents = match limit {
            Some(limit) if limit.is_zero() => contents,
            Some(limit) => {
                let waited = self.changed.wait_timeout_while(contents, limit, is_empty);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait_while(contents, is_empty).unwrap_or_else(PoisonError::into_inner),
        };
        std::mem::take(&mut *contents)
    }
}

impl Wake for Inbox {
    fn wake(&self) {
        self.change(|contents| contents.is_woken = true);
    }
}
