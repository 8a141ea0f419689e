//! What a queue executes: commands that wait for others, and those that the device executes. One thread at a time starts and ends
//! commands: the queue's own, or one of the client's that enqueues a command or waits for one (`sharing.rs`).

use super::inbox::{Action, Command, Contents, Inbox, Place, Started};
use crate::error::{Error, Result};
use crate::event::{Dependency, Event, Wake};
use crate::handle::{Object, Ref};
use clforge_runtime as runtime;
use opencl_sys::*;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// Most submissions that the device has at a time. With more, the runtime would wait for the first of them when a command is
/// recorded, and its end would be noticed late.
const MOST_SUBMITTED: usize = 6;

/// With how many submissions the device has enough to do, so that commands that are recorded are kept for a larger one.
const BUSY: usize = 2;
/// How long the device has enough to do with one submission: a submission of a short kernel takes an H100 some 17 us, also where it
/// comes right behind another one, while one more kernel in the same submission takes it 2 us.
pub(super) const SPACING: Duration = Duration::from_micros(30);
/// The same for each command of a client that does not wait, and at most.
const FOR_EACH: Duration = Duration::from_micros(4);
const LONGEST_SPACING: Duration = Duration::from_micros(120);

/// After how many commands the device may have nothing to do any more: to record them takes the host about as long as a short
/// submission takes the device.
const LOOK: usize = 4;

/// No device executes a submission in less time.
const SHORTEST: Duration = Duration::from_micros(8);

/// The commands of a queue that were taken from its inbox.
pub(super) struct Engine {
    waker: Weak<dyn Wake>,
    queue: runtime::Queue,
    in_order: bool,
    /// No more commands will come.
    is_closed: bool,
    /// Commands that may not start yet, in the order in which they were enqueued.
    waiting: VecDeque<Command>,
    /// Commands that the device executes, in its order, and those that end with one of these.
    running: VecDeque<Running>,
    /// Whether commands are recorded and not submitted.
    has_recorded: bool,
    /// How many submissions are not complete.
    submissions: usize,
    /// When the last one was made.
    last_submission: Instant,
    /// The device had nothing to do then, and had not for a while.
    was_idle: bool,
    /// How many commands threads of the client have started since one has waited.
    burst: u32,
    /// Commands were not started because there were so many.
    is_full: bool,
    /// A command has failed since somebody has asked. Not behind the engine's lock, which is held while commands are started.
    has_failed: Arc<AtomicBool>,
}

/// A command that ends when one of the device's does.
struct Running {
    event: Ref<Event>,
    command: runtime::Event,
    /// The device's command is that of one before it, since it has nothing left to execute itself.
    is_earlier: bool,
    /// It is the last one of a submission.
    ends_submission: bool,
}

/// What the events of a wait list say.
enum Readiness {
    NotYet,
    /// After these commands of the device.
    Ready(Vec<runtime::Event>),
    Failed,
}

impl Engine {
    pub fn new(inbox: &Arc<Inbox>, queue: runtime::Queue, in_order: bool) -> Engine {
        let waker: Weak<dyn Wake> = Arc::downgrade(&(inbox.clone() as Arc<dyn Wake>));
        let (waiting, running) = (VecDeque::new(), VecDeque::new());
        let (is_closed, has_recorded, is_full, submissions) = (false, false, false, 0);
        let (last_submission, was_idle, burst) = (Instant::now(), false, 0);
        Engine {
            waker,
            queue,
            in_order,
            is_closed,
            waiting,
            running,
            has_recorded,
            submissions,
            last_submission,
            was_idle,
            burst,
            is_full,
            has_failed: Arc::default(),
        }
    }

    /// Takes over what was in the inbox.
    pub fn receive(&mut self, new: Contents) {
        match self.waiting.back_mut() {
            Some(last) => last.is_flushed |= new.is_flushed,
            None if new.is_flushed => self.submit(Submit::Always),
            None => {}
        }
        self.waiting.extend(new.commands);
        self.is_closed |= new.is_closed;
    }

    /// Adds a command behind all others.
    pub fn push(&mut self, command: Command) {
        self.waiting.push_back(command);
    }

    /// Whether commands wait to be started.
    pub fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether the device executes commands of the queue, as far as is known.
    pub fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// Whether commands are not started because the device has many.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Whether a command that the device executes has functions of the client to be called.
    pub fn has_callbacks(&self) -> bool {
        self.running.iter().any(|running| running.event.has_callbacks())
    }

    /// Set when a command fails.
    pub fn has_failed(&self) -> Arc<AtomicBool> {
        self.has_failed.clone()
    }

    /// Whether there will never be anything to do any more.
    pub fn has_finished(&self) -> bool {
        self.is_closed && self.waiting.is_empty() && self.running.is_empty()
    }

    /// Whether all of these events are of this queue's device commands, or have ended: to start a command after them takes no wait.
    pub fn executes_before(&self, waits: &[Ref<Event>]) -> bool {
        waits.iter().all(|event| match event.dependency(&self.waker) {
            Dependency::Complete => true,
            Dependency::OnDevice(event) => self.queue.owns(&event),
            Dependency::Open | Dependency::Failed => false,
        })
    }

    /// The command whose end is to be awaited next.
    pub fn first(&self) -> Option<runtime::Event> {
        self.running.front().map(|first| first.command.clone())
    }

    /// Starts what may start, as long as the device can take it, and submits it unless the device has enough to do. Of what is
    /// complete meanwhile, ends `which`. Returns whether there was anything.
    pub fn start_ready(&mut self, which: Ended) -> bool {
        let (mut at, mut started) = (0, 0usize);
        self.is_full = false;
        while let Some(command) = self.waiting.get(at) {
            if self.submissions >= MOST_SUBMITTED || self.submissions > 0 && !self.queue.has_room() {
                self.is_full = true;
                break;
            }
            let after_all = matches!(command.place, Place::AfterAll | Place::Barrier { after_all: true });
            let is_barrier = matches!(command.place, Place::Barrier { .. });
            // The device executes in order, so what is running comes first anyway.
            let readiness = if after_all && at > 0 { Readiness::NotYet } else { self.readiness(&command.waits) };
            if matches!(readiness, Readiness::NotYet) {
                if self.in_order || is_barrier {
                    break;
                }
                at += 1;
            } else if let Some(command) = self.waiting.remove(at) {
                self.start(command, readiness, which);
                started += 1;
                // More follow at once, in larger submissions while the device has anything to do.
                if started % LOOK == 0 {
                    self.note_progress();
                    if self.submissions == 0 {
                        self.submit(Submit::Always);
                    }
                }
            }
        }
        self.submit(Submit::IfIdle);
        started > 0
    }

    fn readiness(&self, waits: &[Ref<Event>]) -> Readiness {
        let (mut after, mut is_open, mut failed) = (Vec::new(), false, false);
        for event in waits {
            match event.dependency(&self.waker) {
                Dependency::Open => is_open = true,
                Dependency::Failed => failed = true,
                Dependency::Complete => {}
                Dependency::OnDevice(event) => after.push(event),
            }
        }
        match (is_open, failed) {
            (true, _) => Readiness::NotYet,
            (false, true) => Readiness::Failed,
            (false, false) => Readiness::Ready(after),
        }
    }

    /// What a command waits for that may not start yet: the events of its wait list, and those of the commands that it must come
    /// behind.
    pub fn blockers(&self, event: &Object<Event>) -> Vec<Ref<Event>> {
        let Some(at) = self.waiting.iter().position(|command| command.event.handle() == event.handle()) else {
            return Vec::new();
        };
        let is_barrier = |command: &Command| matches!(command.place, Place::Barrier { .. });
        let comes_last = self.waiting[at].place != Place::Anywhere || self.waiting.iter().take(at).any(is_barrier);
        let first = if self.in_order || comes_last { 0 } else { at };
        self.waiting.range(first..=at).flat_map(|command| command.waits.iter().cloned()).collect()
    }

    fn start(&mut self, command: Command, readiness: Readiness, which: Ended) {
        let Command { event, action, is_flushed, .. } = command;
        event.submitted();
        self.act_after(event, action, readiness, which);
        if is_flushed {
            // What follows is another submission, so that this one's end is its own. Drivers may execute it before they return.
            self.submit(Submit::Always);
            self.end_complete(which);
        }
    }

    fn act_after(&mut self, event: Ref<Event>, action: Action, readiness: Readiness, which: Ended) {
        let Readiness::Ready(after) = readiness else {
            return event.ended(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, None);
        };
        let dependencies = after.iter().try_for_each(|other| match self.queue.wait_for(other) {
            // Of another device, which this one cannot wait for.
            Err(runtime::Error::Launch(_)) => other.wait(),
            waited => waited,
        });
        match dependencies.map_err(Error::from).and_then(|()| self.act(&event, action)) {
            // What it waits for on other queues is awaited by the device, behind everything before.
            Ok(Started::Complete | Started::Nothing) if self.awaits_others(&after) => match self.queue.marker() {
                Ok(marker) => self.await_device(event, marker, false),
                Err(error) => self.fail(&event, &Error::from(error)),
            },
            Ok(Started::Complete) => {
                self.submit(Submit::Always);
                self.end_complete(which);
                self.end_after_running(event);
            }
            Ok(Started::Nothing) => self.end_after_running(event),
            Ok(Started::OnDevice(command)) => self.await_device(event, command, false),
            Err(error) => self.fail(&event, &error),
        }
    }

    fn fail(&self, event: &Event, error: &Error) {
        self.has_failed.store(true, Ordering::Relaxed);
        fail(event, error);
    }

    /// Whether some of these commands are of other queues, and not known to be complete.
    fn awaits_others(&self, after: &[runtime::Event]) -> bool {
        let is_complete = |event: &runtime::Event| matches!(event.status(), Ok(runtime::EventStatus::Complete));
        after.iter().any(|event| !self.queue.owns(event) && !is_complete(event))
    }

    /// Ends a command with nothing left to execute, after those before it that the device executes.
    fn end_after_running(&mut self, event: Ref<Event>) {
        match self.running.back().map(|last| last.command.clone()) {
            Some(last) => self.await_device(event, last, true),
            None => event.ended(CL_COMPLETE, None),
        }
    }

    /// Ends a command when one of the device's ends.
    fn await_device(&mut self, event: Ref<Event>, command: runtime::Event, is_earlier: bool) {
        event.recorded(&command);
        self.has_recorded |= !is_earlier;
        self.running.push_back(Running { event, command, is_earlier, ends_submission: false });
    }

    /// Whether the device has enough to do for the moment. The second command after a pause is submitted at once, too: it may be the
    /// last one for a while. The longer the client has not waited, the more commands follow most likely: larger submissions then
    /// take both sides less time.
    fn has_enough(&self) -> bool {
        let spacing = || (FOR_EACH * self.burst).clamp(SPACING, LONGEST_SPACING);
        let is_recent = || !self.was_idle && self.last_submission.elapsed() < spacing();
        self.submissions >= BUSY || self.submissions > 0 && is_recent()
    }

    /// Notes that a thread of the client starts a command.
    pub fn note_start(&mut self) {
        self.burst = self.burst.saturating_add(1);
    }

    /// Notes that the client waits, or asks for the status of a command.
    pub fn note_wait(&mut self) {
        self.burst = 0;
    }

    /// Ends commands that are complete, so that those that are recorded are submitted, and memory is free again.
    pub fn note_progress(&mut self) {
        if !self.running.is_empty() && self.last_submission.elapsed() >= SHORTEST {
            self.end_complete(Ended::Silent);
        }
    }

    /// Whether commands are recorded that are not submitted yet.
    pub fn has_recorded(&self) -> bool {
        self.has_recorded
    }

    /// Submits what is recorded.
    pub fn submit(&mut self, when: Submit) {
        if !self.has_recorded || when == Submit::IfIdle && self.has_enough() {
            return;
        }
        let now = Instant::now();
        self.was_idle = self.submissions == 0 && now - self.last_submission >= SPACING;
        (self.has_recorded, self.last_submission) = (false, now);
        if let Err(error) = self.queue.flush() {
            tracing::debug!("commands could not be submitted: {error}");
        }
        if let Some(last) = self.running.back_mut() {
            self.submissions += usize::from(!std::mem::replace(&mut last.ends_submission, true));
        }
    }

    fn act(&self, event: &Event, action: Action) -> Result<Started> {
        // What the host does by itself begins now; the device's commands begin when those before them are complete.
        if self.running.is_empty() {
            event.running();
        }
        catch_unwind(AssertUnwindSafe(|| action(&self.queue)))
            .unwrap_or_else(|_| Err(Error::internal("a command has panicked")))
    }

    /// Ends commands of the device that are complete, in order. Returns whether one that is complete is left, since its functions
    /// are for the queue's thread to call.
    pub fn end_complete(&mut self, which: Ended) -> bool {
        let is_left = |event: &Event, command: &runtime::Event| {
            (which == Ended::Silent && event.has_callbacks()).then(|| command.has_ended())
        };
        let Some(Running { event: first, command, .. }) = self.running.front() else { return false };
        if let Some(is_left) = is_left(first, command) {
            return is_left;
        }
        first.running();
        while let Some(Running { event, command, is_earlier, .. }) = self.running.front() {
            if let Some(is_left) = is_left(event, command) {
                return is_left;
            }
            match command.status() {
                Ok(runtime::EventStatus::Complete) => {
                    event.running();
                    let times = command.times().ok().and_then(|times| times.started.zip(times.ended));
                    let begin = |(started, ended)| (if *is_earlier { ended } else { started }, ended);
                    event.ended(CL_COMPLETE, times.map(begin));
                }
                Ok(_) => return false,
                Err(error) => {
                    self.has_failed.store(true, Ordering::Relaxed);
                    fail(event, &Error::from(error));
                }
            }
            if self.running.pop_front().is_some_and(|ended| ended.ends_submission) {
                self.submissions -= 1;
            }
        }
        false
    }
}

/// When [`Engine::submit`] submits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Submit {
    Always,
    /// If the device may soon have nothing to do.
    IfIdle,
}

/// Which commands [`Engine::end_complete`] ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// All that are complete.
    All,
    /// Those up to the first that has functions of the client's to call: a thread of the client's may hold a lock that these take.
    Silent,
}

/// Ends a command with the code of an error.
fn fail(event: &Event, error: &Error) {
    tracing::error!("a command has failed: {error}");
    event.ended(error.code.min(-1), None);
}
