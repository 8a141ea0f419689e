//! Commands on their way from the threads that enqueue them to the thread of their queue, where these do not start them.

use crate::error::Result;
use crate::event::{Event, Wake};
use crate::handle::Ref;
use clforge_runtime as runtime;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How far an action has got.
pub enum Started {
    /// It is complete.
    Complete,
    /// The device executes it.
    OnDevice(runtime::Event),
    /// There is nothing to execute: it is complete when the commands before it and the events that it waits for are.
    Nothing,
}

/// What a command does, in the thread that starts it.
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
    /// The client has flushed the queue behind it.
    pub is_flushed: bool,
}

/// What the threads share.
#[derive(Default)]
pub(super) struct Inbox {
    contents: Mutex<Contents>,
    changed: Condvar,
    /// The contents have changed since they were taken last.
    is_changed: AtomicBool,
}

#[derive(Default)]
pub(super) struct Contents {
    pub commands: VecDeque<Command>,
    /// The client has flushed the queue behind the commands that were taken before these.
    pub is_flushed: bool,
    /// An event that a command waits for has got on.
    pub is_woken: bool,
    /// No more commands will come; this is said once.
    pub is_closed: bool,
    /// The thread of the queue waits for a change, and must be woken.
    is_asleep: bool,
    /// It was woken without a change.
    is_roused: bool,
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn put(&self, command: Command) {
        self.change(|contents| contents.commands.push_back(command));
    }

    /// Puts commands into several inboxes, none of which anybody sees without the others: whatever another thread puts into one of
    /// the inboxes is before all of them or behind all.
    pub fn put_into_all(parts: Vec<(&Inbox, VecDeque<Command>)>) {
        // A thread that has one inbox waits for no other one, except here.
        static ORDER: Mutex<()> = Mutex::new(());
        let order = ORDER.lock().unwrap_or_else(PoisonError::into_inner);
        let mut locked: Vec<(&Inbox, MutexGuard<'_, Contents>)> = Vec::with_capacity(parts.len());
        // One queue may have several parts.
        let place =
            |locked: &[(&Inbox, _)], inbox: &Inbox| locked.iter().position(|(known, _)| std::ptr::eq(*known, inbox));
        for (inbox, _) in &parts {
            if place(&locked, inbox).is_none() {
                locked.push((inbox, inbox.lock()));
            }
        }
        for (inbox, commands) in parts {
            if let Some(at) = place(&locked, inbox) {
                locked[at].1.commands.extend(commands);
            }
        }
        let mut asleep = Vec::new();
        for (inbox, mut contents) in locked {
            inbox.is_changed.store(true, Ordering::Release);
            if std::mem::take(&mut contents.is_asleep) {
                asleep.push(inbox);
            }
        }
        drop(order);
        asleep.into_iter().for_each(|inbox| inbox.changed.notify_one());
    }

    /// Notes that the client flushes the queue now. Nobody has to be woken: whoever put commands there has done it.
    pub fn flush(&self) {
        let mut contents = self.lock();
        match contents.commands.back_mut() {
            Some(last) => last.is_flushed = true,
            None => contents.is_flushed = true,
        }
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
            self.is_changed.store(true, Ordering::Release);
            std::mem::take(&mut contents.is_asleep)
        };
        if was_asleep {
            self.changed.notify_one();
        }
    }

    /// Takes what is there.
    pub fn take(&self) -> Contents {
        let mut contents = self.lock();
        self.is_changed.store(false, Ordering::Relaxed);
        std::mem::take(&mut *contents)
    }

    /// Whether no commands are there.
    pub fn is_empty(&self) -> bool {
        self.lock().commands.is_empty()
    }

    /// Whether the contents have changed since they were taken last.
    pub fn is_changed(&self) -> bool {
        self.is_changed.load(Ordering::Relaxed)
    }

    /// Wakes the thread of the queue if it sleeps.
    pub fn rouse(&self) {
        let was_asleep = {
            let mut contents = self.lock();
            contents.is_roused |= contents.is_asleep;
            std::mem::take(&mut contents.is_asleep)
        };
        if was_asleep {
            self.changed.notify_one();
        }
    }

    /// Sleeps until something comes, `is_due`, or the thread is roused, but not longer than `limit`.
    pub fn sleep(&self, limit: Option<Duration>, is_due: impl Fn() -> bool) {
        let is_empty = |contents: &mut Contents| {
            let is_idle = contents.commands.is_empty() && !contents.is_woken && !contents.is_closed;
            contents.is_asleep = is_idle && !contents.is_roused && !is_due();
            contents.is_asleep
        };
        let contents = self.lock();
        let mut contents = match limit {
            Some(limit) => {
                let slept = self.changed.wait_timeout_while(contents, limit, is_empty);
                slept.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait_while(contents, is_empty).unwrap_or_else(PoisonError::into_inner),
        };
        (contents.is_asleep, contents.is_roused) = (false, false);
    }
}

impl Wake for Inbox {
    fn wake(&self) {
        self.change(|contents| contents.is_woken = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_inbox_may_get_several_parts() {
        let (one, other, third) = (Inbox::default(), Inbox::default(), Inbox::default());
        Inbox::put_into_all([&one, &other, &one].map(|inbox| (inbox, VecDeque::new())).into());
        assert!(one.is_changed() && other.is_changed() && !third.is_changed());
        // None is locked any more.
        assert!(one.is_empty() && other.is_empty());
    }
}
