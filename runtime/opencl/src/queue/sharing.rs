//! What the threads of a queue share: its own, and those of the client that enqueue commands or wait for them.
//!
//! A GPU executes a short kernel in less time than it takes to hand a command from thread to thread. A thread of the client
//! therefore starts a command itself where nothing is before it, and ends commands itself while it waits. The queue's thread starts
//! commands where the device has so many that it takes no more: to record a command takes about as long as to hand it over.

use super::engine::{Ended, Engine, Submit};
use super::inbox::{Command, Contents, Inbox};
use crate::event::Event;
use crate::handle::{Object, Ref};
use crate::polling::{pause, poll};
use clforge_runtime as runtime;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the queue's thread sleeps while clients start and end commands themselves. It does not poll meanwhile: that would take
/// time of the client's thread where both share a core, and of the memory that both look at. What the client leaves is done if
/// there was no call for so long.
const NAP: Duration = Duration::from_micros(200);
/// How long it sleeps after `MOST_NAPS` naps without any call.
const DOZE: Duration = Duration::from_millis(2);
const MOST_NAPS: u32 = 10;
/// How often it does so before it sleeps until it is woken, which takes the client some microseconds.
const MOST_DOZES: u32 = 100;
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

/// What [`Shared::finish`] has found.
pub(super) enum Finished {
    /// All commands have ended.
    Yes,
    /// The device executes commands for longer than a thread polls.
    NotInTime,
    /// The queue's thread has something to do first.
    No,
}

/// The client has ended all commands that it has started.
const NOTHING: u8 = 0;
/// The device executes commands that nobody may end. That has time: who waits for them ends them.
const END: u8 = 1;
/// Commands are recorded and not submitted. The client most often enqueues more, or waits, and submits them itself.
const SUBMIT: u8 = 2;
/// Commands wait for others, or somebody waits for the end of one who does not look himself.
const START: u8 = 3;

/// How deep the queue's thread sleeps: not, or not for long.
const LIGHT: u8 = 0;
/// Too long for commands that are not submitted.
const DOZING: u8 = 1;
/// Until it is woken.
const ASLEEP: u8 = 2;

/// See above.
pub(super) struct Shared {
    pub inbox: Arc<Inbox>,
    /// `None` for a queue that executes nothing, and for one that is closed.
    engine: Mutex<Option<Engine>>,
    /// The engine's: see [`Engine::has_failed`].
    has_failed: Arc<AtomicBool>,
    /// Threads of the client that wait, and end commands.
    watchers: AtomicUsize,
    /// What is left to do for commands that a thread of the client has started, of which the queue's thread does not know:
    /// `NOTHING`, `END`, `SUBMIT` or `START`.
    left: AtomicU8,
    /// `LIGHT`, `DOZING` or `ASLEEP`.
    sleep: AtomicU8,
    /// Counts the calls in which threads of the client have started or ended commands.
    calls: AtomicUsize,
    /// How long they poll. Zero, as by default for drivers that execute commands on the processor, leaves all commands to the
    /// queue's thread: such a driver needs the cores, and the exit of the process waits for what that thread has started.
    polling: Duration,
}

impl Shared {
    pub fn new(inbox: Arc<Inbox>, engine: Option<Engine>, polling: Duration) -> Shared {
        let (watchers, left, calls) = (AtomicUsize::new(0), AtomicU8::new(NOTHING), AtomicUsize::new(0));
        let sleep = AtomicU8::new(LIGHT);
        let has_failed = engine.as_ref().map(Engine::has_failed).unwrap_or_default();
        Shared { inbox, engine: Mutex::new(engine), has_failed, watchers, left, sleep, calls, polling }
    }

    /// The engine, for the queue's thread. It polls for the lock: where it slept, the client's thread that has the lock would have to
    /// wake it, which takes that thread 2 to 40 us.
    pub fn lock(&self) -> MutexGuard<'_, Option<Engine>> {
        let (start, mut guard) = (Instant::now(), self.engine.try_lock().ok());
        while guard.is_none() && start.elapsed() < self.polling {
            pause();
            guard = self.engine.try_lock().ok();
        }
        guard.unwrap_or_else(|| self.engine.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Enqueues a command, and starts it where that is `starter`'s right and nothing is before it.
    pub fn enqueue(&self, command: Command, starter: Starter) {
        if starter != Starter::Queue
            && !self.polling.is_zero()
            && let Ok(mut engine) = self.engine.try_lock()
            && let Some(engine) = &mut *engine
            && self.is_next(engine, &command)
        {
            engine.note_start();
            engine.note_progress();
            engine.push(command);
            engine.start_ready(Ended::Silent);
            self.calls.fetch_add(1, Ordering::Relaxed);
            if engine.has_waiting() {
                self.leave(START);
            } else if engine.has_recorded() {
                self.leave(SUBMIT);
            } else if engine.is_running() {
                self.leave(END);
            }
            return;
        }
        self.inbox.put(command);
    }

    /// Leaves something to the queue's thread, which it does if no thread of the client does it before.
    fn leave(&self, what: u8) {
        // In one order with `sleep`: either the thread sees it before it sleeps, or it is woken.
        self.left.fetch_max(what, Ordering::SeqCst);
        if what >= least(self.sleep.load(Ordering::SeqCst)) {
            self.inbox.rouse();
        }
    }

    /// Lets the queue's thread end commands as soon as they are complete: somebody waits who does not look himself.
    pub fn attend(&self) {
        if !self.polling.is_zero() {
            self.leave(START);
        }
    }

    /// See [`Engine::blockers`]. Nothing while the queue is at work, or has not taken the command yet.
    pub fn blockers(&self, event: &Object<Event>) -> Vec<Ref<Event>> {
        let engine = self.engine.try_lock().ok();
        engine.as_ref().and_then(|engine| Some(engine.as_ref()?.blockers(event))).unwrap_or_default()
    }

    /// Lets the commands so far complete without those that come later.
    pub fn flush(&self) {
        if let Ok(mut engine) = self.engine.try_lock()
            && let Some(engine) = &mut *engine
        {
            engine.submit(Submit::Always);
            if !engine.has_waiting() && self.inbox.is_empty() {
                return;
            }
        }
        self.inbox.flush();
    }

    /// Whether nothing is before a command that is not recorded on the device.
    fn is_next(&self, engine: &Engine, command: &Command) -> bool {
        !engine.has_waiting() && self.inbox.is_empty() && engine.executes_before(&command.waits)
    }

    /// Submits what is recorded, and ends commands that are complete, in a thread of the client. Returns whether one is left that
    /// only the queue's thread may end.
    fn advance(&self, engine: &mut Engine, when: Submit) -> bool {
        engine.note_wait();
        engine.submit(when);
        let is_left = engine.end_complete(Ended::Silent);
        if !engine.is_running() && !engine.has_waiting() {
            self.left.store(NOTHING, Ordering::Relaxed);
        }
        is_left
    }

    /// Polls for something that the end of a command fulfils, and ends commands meanwhile.
    pub fn watch(&self, is_fulfilled: &dyn Fn() -> bool) {
        if self.polling.is_zero() || is_fulfilled() {
            return;
        }
        let (start, mut first, mut spins) = (Instant::now(), None::<runtime::Event>, 0u32);
        let mut watches = Some(Watch::begin(&self.watchers));
        while !is_fulfilled() && start.elapsed() < self.polling {
            std::hint::spin_loop();
            spins = spins.wrapping_add(1);
            let is_due = match &first {
                Some(command) => command.has_ended(),
                None => spins % SPINS == 1,
            };
            if is_due
                && watches.is_some()
                && let Ok(mut engine) = self.engine.try_lock()
                && let Some(engine) = &mut *engine
            {
                // Who waits enqueues nothing else.
                let is_left = self.advance(engine, Submit::Always);
                first = engine.first();
                if is_left || engine.has_waiting() {
                    // It is for the queue's thread to end or to start it.
                    watches = None;
                }
            }
        }
    }

    /// Waits for all commands so far by polling, and ends them.
    pub fn finish(&self) -> Finished {
        if self.polling.is_zero() {
            return Finished::No;
        }
        let (start, mut first) = (Instant::now(), None::<runtime::Event>);
        let _watch = Watch::begin(&self.watchers);
        while start.elapsed() < self.polling {
            if first.as_ref().is_none_or(runtime::Event::has_ended)
                && let Ok(mut engine) = self.engine.try_lock()
                && let Some(engine) = &mut *engine
            {
                if engine.has_waiting() || !self.inbox.is_empty() {
                    engine.note_wait();
                    return Finished::No;
                }
                if self.advance(engine, Submit::Always) {
                    return Finished::No;
                }
                first = engine.first();
                if first.is_none() {
                    return Finished::Yes;
                }
            }
            std::hint::spin_loop();
        }
        Finished::NotInTime
    }

    /// Whether the execution of a command has failed since this was asked last.
    pub fn take_failed(&self) -> bool {
        self.has_failed.swap(false, Ordering::Relaxed)
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
            let is_left = self.advance(engine, Submit::IfIdle);
            // What this thread may not do the queue's does, as soon as it has not seen a call for a while.
            if engine.is_running() && !is_left && !engine.has_waiting() {
                self.calls.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Waits until something came into the inbox, or is left to do, in the queue's thread.
    pub fn rest(&self) {
        let is_due = || self.inbox.is_changed() || self.left.load(Ordering::Relaxed) == START;
        if poll(self.polling, is_due) {
            return;
        }
        let (mut quiet, mut seen) = (0, self.calls.load(Ordering::Relaxed));
        while !is_due() {
            self.sleep(quiet);
            let (calls, left) = (self.calls.load(Ordering::Relaxed), self.left.load(Ordering::Relaxed));
            if calls != seen {
                // The client is there, and ends its commands itself: to look at the engine would keep it from starting the next one.
                (quiet, seen) = (0, calls);
            } else if left != NOTHING {
                return;
            } else {
                quiet = (quiet + 1).min(MOST_NAPS + MOST_DOZES);
            }
        }
    }

    /// Sleeps, after so many times without any call, until something comes or is left that does not have time.
    fn sleep(&self, quiet: u32) {
        let (depth, limit) = match quiet {
            _ if self.polling.is_zero() => (ASLEEP, None),
            0..MOST_NAPS => (LIGHT, Some(NAP)),
            _ if quiet < MOST_NAPS + MOST_DOZES => (DOZING, Some(DOZE)),
            _ => (ASLEEP, None),
        };
        self.sleep.store(depth, Ordering::SeqCst);
        self.inbox.sleep(limit, || self.left.load(Ordering::SeqCst) >= least(depth));
        self.sleep.store(LIGHT, Ordering::Relaxed);
    }

    /// What the inbox has for the queue's thread, which cares for all commands from now on, and whether somebody waits for their
    /// end who does not look himself.
    pub fn take(&self) -> (Contents, bool) {
        let is_awaited = self.left.swap(NOTHING, Ordering::Relaxed) == START;
        (self.inbox.take(), is_awaited)
    }

    /// Counts the calls in which threads of the client have started or ended commands.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// Leaves all commands to threads of the client, until there is no call for a while.
    pub fn leave_to_client(&self) {
        self.left.fetch_max(SUBMIT, Ordering::SeqCst);
    }

    /// Waits for a command of the device, or for new commands, but not longer than `limit`, in the queue's thread. What fails is found
    /// out when the command is ended.
    pub fn wait_for(&self, command: &runtime::Event, limit: Duration) {
        let start = Instant::now();
        while start.elapsed() < self.polling.min(limit) {
            if self.inbox.is_changed() || command.has_ended() {
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

/// The least that is left for which the queue's thread is woken from such a sleep.
fn least(depth: u8) -> u8 {
    match depth {
        LIGHT => START,
        DOZING => SUBMIT,
        _ => END,
    }
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
