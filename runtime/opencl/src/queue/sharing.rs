//! What the threads of a queue share: its own, and those of the client that enqueue commands or wait for them.
//!
//! A GPU executes a short kernel in less time than it takes to hand a command from thread to thread. A thread of the client
//! therefore starts a command itself where nothing is before it, and ends commands itself while it waits.

use super::engine::{Ended, Engine, Submit};
use super::inbox::{Command, Contents, Inbox};
use crate::polling::pause;
use clforge_runtime as runtime;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the queue's thread leaves commands to the thread that has started them, which most often starts another one or waits
/// next. Two threads that ask the driver for the same semaphore take longer than one.
const LEFT_TO_CLIENT: Duration = Duration::from_micros(10);
/// How often a thread that waits looks at its event before it asks for the device's command again.
const SPINS: u32 = 32;

/// Which threads may start a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starter {
    /// The queue's thread alone: the command may take long.
    Queue,
    /// Also the thread that enqueues it: that takes microseconds, or the thread waits for the command anyway.
    Anyone,
}

/// See above.
pub(super) struct Shared {
    pub inbox: Arc<Inbox>,
    /// `None` for a queue that executes nothing, and for one that is closed.
    engine: Mutex<Option<Engine>>,
    /// Threads of the client that wait, and end commands.
    watchers: AtomicUsize,
    /// The device executes commands that a thread of the client has started, of which the queue's thread does not know.
    is_left_to_client: AtomicBool,
    /// Counts the calls in which threads of the client have started or ended commands.
    calls: AtomicUsize,
    /// How long they poll. Zero, as by default for drivers that execute commands on the processor, leaves all commands to the
    /// queue's thread: such a driver needs the cores, and the exit of the process waits for what that thread has started.
    polling: Duration,
}

impl Shared {
    pub fn new(inbox: Arc<Inbox>, engine: Option<Engine>, polling: Duration) -> Shared {
        let (watchers, is_left_to_client, calls) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicUsize::new(0));
        Shared { inbox, engine: Mutex::new(engine), watchers, is_left_to_client, calls, polling }
    }

    pub fn lock(&self) -> MutexGuard<'_, Option<Engine>> {
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enqueues a command, and starts it where that is `starter`'s right and nothing is before it.
    pub fn enqueue(&self, command: Command, starter: Starter) {
        if starter != Starter::Queue
            && !self.polling.is_zero()
            && let Ok(mut engine) = self.engine.try_lock()
            && let Some(engine) = &mut *engine
            && self.is_next(engine, &command)
        {
            engine.note_progress();
            engine.push(command);
            engine.start_ready(Ended::Silent);
            self.calls.fetch_add(1, Ordering::Relaxed);
            if engine.is_running() || engine.has_waiting() {
                // What nobody waits for is ended by the queue's thread.
                self.is_left_to_client.store(true, Ordering::Release);
                self.inbox.rouse();
            }
            return;
        }
        self.inbox.put(command);
    }

    /// Lets the commands so far complete without those that come later.
    pub fn flush(&self) {
        self.inbox.flush();
        if let Ok(mut engine) = self.engine.try_lock()
            && let Some(engine) = &mut *engine
        {
            engine.submit(Submit::Always);
        }
    }

    /// Whether nothing is before a command that is not recorded on the device.
    fn is_next(&self, engine: &Engine, command: &Command) -> bool {
        !engine.has_waiting() && self.inbox.is_empty() && engine.executes_before(&command.waits)
    }

    /// Polls for something that the end of a command fulfils, and ends commands meanwhile.
    pub fn watch(&self, is_fulfilled: &dyn Fn() -> bool) {
        if self.polling.is_zero() || is_fulfilled() {
            return;
        }
        let (start, mut first, mut spins) = (Instant::now(), None, 0u32);
        let mut watches = Some(Watch::begin(&self.watchers));
        while !is_fulfilled() && start.elapsed() < self.polling {
            std::hint::spin_loop();
            spins = spins.wrapping_add(1);
            let is_due = match &first {
                Some(command) => is_complete(command),
                None => spins % SPINS == 1,
            };
            if is_due
                && watches.is_some()
                && let Ok(mut engine) = self.engine.try_lock()
                && let Some(engine) = &mut *engine
            {
                // Who waits enqueues nothing else.
                engine.submit(Submit::Always);
                engine.end_complete(Ended::Silent);
                first = engine.first();
                if first.is_none() {
                    self.is_left_to_client.store(false, Ordering::Relaxed);
                }
                if first.as_ref().is_some_and(is_complete) {
                    // It is for the queue's thread to end it.
                    watches = None;
                }
            }
        }
    }

    /// Ends commands that are complete, for a thread of the client that asks for the status of one. It most often asks until the
    /// command has ended, so the queue's thread leaves the commands to it.
    pub fn poll(&self) {
        if self.polling.is_zero() {
            return;
        }
        if let Ok(mut engine) = self.engine.try_lock()
            && let Some(engine) = &mut *engine
        {
            // Not always: a client that enqueues more between its questions would have a submission for each command.
            engine.submit(Submit::IfIdle);
            engine.end_complete(Ended::Silent);
            if !engine.is_running() {
                self.is_left_to_client.store(false, Ordering::Relaxed);
            }
            self.calls.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits for something to do, in the queue's thread. `has_work`: whether there is something already.
    pub fn wait(&self, has_work: bool) {
        loop {
            if !has_work {
                self.inbox.wait(self.polling, || self.is_left_to_client.load(Ordering::Relaxed));
            }
            if !self.is_left_to_client.load(Ordering::Acquire) || !self.client_is_done() || has_work {
                return;
            }
            // The client has ended its commands itself: to look at the engine would keep it from starting the next one.
        }
    }

    /// Leaves commands to the client until it has ended all, or has not called for a while. Returns whether it has ended them, and
    /// nothing came into the inbox.
    fn client_is_done(&self) -> bool {
        let (mut alone, mut seen) = (Instant::now(), 0);
        while !self.inbox.is_changed() {
            if !self.is_left_to_client.load(Ordering::Acquire) {
                return true;
            }
            let calls = self.calls.load(Ordering::Relaxed);
            if self.watchers.load(Ordering::Relaxed) > 0 || calls != seen {
                (alone, seen) = (Instant::now(), calls);
            } else if alone.elapsed() >= LEFT_TO_CLIENT {
                return false;
            }
            pause();
        }
        false
    }

    /// What the inbox has for the queue's thread, which cares for all commands from now on.
    pub fn take(&self) -> Contents {
        self.is_left_to_client.store(false, Ordering::Relaxed);
        self.inbox.take()
    }

    /// Waits for a command of the device, or for new commands, but not longer than `limit`, in the queue's thread. What fails is found
    /// out when the command is ended.
    pub fn wait_for(&self, command: &runtime::Event, limit: Duration) {
        let start = Instant::now();
        while start.elapsed() < self.polling.min(limit) {
            if self.inbox.is_changed() || is_complete(command) {
                return;
            }
            pause();
        }
        let _ = command.wait_timeout(limit.saturating_sub(start.elapsed()));
    }

    /// Waits, but not longer than `limit`, while threads of the client watch the device, which end commands themselves.
    pub fn while_others_watch(&self, limit: Duration) {
        let start = Instant::now();
        while self.watchers.load(Ordering::Relaxed) > 0 && !self.inbox.is_changed() && start.elapsed() < limit {
            pause();
        }
    }
}

fn is_complete(command: &runtime::Event) -> bool {
    // What has failed is complete, too.
    !matches!(command.status(), Ok(runtime::EventStatus::Queued | runtime::EventStatus::Submitted))
}

/// A thread of the client that watches the device.
struct Watch<'s>(&'s AtomicUsize);

impl Watch<'_> {
    fn begin(watchers: &AtomicUsize) -> Watch<'_> {
        watchers.fetch_add(1, Ordering::Relaxed);
        Watch(watchers)
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
