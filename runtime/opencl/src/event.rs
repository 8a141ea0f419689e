//! Events (section 5.11): the states of commands, and user events.

use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown};
use clforge_runtime as runtime;
use clforge_runtime::exit;
use opencl_sys::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The queue of a command, as far as its event knows it.
pub trait Owner: Send + Sync {
    /// Its handle.
    fn handle(&self) -> usize;
    /// Whether its events have times.
    fn is_profiled(&self) -> bool;
    /// Polls for something that the end of one of its commands fulfils, for as long as that is shorter than to sleep.
    fn watch(&self, is_fulfilled: &dyn Fn() -> bool);
    /// Ends those of its commands that are complete.
    fn poll(&self);
    /// Ends commands as soon as they are complete, without being asked.
    fn attend(&self);
    /// What one of its commands waits for that may not start yet.
    fn blockers(&self, event: &Object<Event>) -> Vec<Ref<Event>>;
}

/// Something that waits for events to get on.
pub trait Wake: Send + Sync {
    /// An event has got on.
    fn wake(&self);
}

/// How often a thread that waits for a command to be recorded looks whether that depends on the host.
const LOOK: Duration = Duration::from_micros(200);

/// A function of the client's that gets a status.
pub type StatusCallback = Box<dyn FnOnce(cl_int) + Send>;

/// A `cl_event`.
pub struct Event {
    context: Ref<Context>,
    /// `None` for user events.
    owner: Option<Arc<dyn Owner>>,
    command: cl_command_type,
    progress: Mutex<Progress>,
    changed: Condvar,
    /// Its status is `CL_COMPLETE` or an error.
    has_ended: AtomicBool,
}

struct Progress {
    /// `CL_QUEUED` down to `CL_COMPLETE`, or a negative error code.
    status: cl_int,
    /// Called when the status is at most the number.
    callbacks: Vec<(cl_int, StatusCallback)>,
    wakers: Vec<Weak<dyn Wake>>,
    /// Threads that sleep until it ends.
    sleepers: usize,
    /// Those of them that sleep until it is recorded.
    awaits_record: usize,
    /// The command on the device, once it is recorded there.
    on_device: Option<runtime::Event>,
    times: Times,
    /// The first of the commands that this one consists of.
    first: Option<Ref<Event>>,
}

/// When a command was queued, submitted, started and completed.
#[derive(Clone, Copy)]
struct Times {
    queued: Instant,
    submitted: Option<Instant>,
    started: Option<Instant>,
    ended: Option<Instant>,
}

impl Kind for Event {
    const INVALID: cl_int = CL_INVALID_EVENT;
}

/// What commands that depend on an event must do.
pub enum Dependency {
    /// Wait: the host does not know yet.
    Open,
    /// Be recorded after this command of the same device.
    OnDevice(runtime::Event),
    /// Nothing.
    Complete,
    /// Fail: the command has failed.
    Failed,
}

impl Event {
    /// The event of a command that is queued now; a user event where no queue owns it.
    pub fn new(context: &Ref<Context>, owner: Option<Arc<dyn Owner>>, command: cl_command_type) -> Ref<Event> {
        let status = if owner.is_some() { CL_QUEUED } else { CL_SUBMITTED };
        let times = Times { queued: Instant::now(), submitted: None, started: None, ended: None };
        let (callbacks, wakers, sleepers, awaits_record) = (Vec::new(), Vec::new(), 0, 0);
        let progress =
            Progress { status, callbacks, wakers, sleepers, awaits_record, on_device: None, times, first: None };
        let (context, changed, has_ended) = (context.clone(), Condvar::new(), AtomicBool::new(false));
        Object::new(Event { context, owner, command, progress: Mutex::new(progress), changed, has_ended })
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its context.
    pub fn context(&self) -> &Ref<Context> {
        &self.context
    }

    /// Its status, as far as the threads of its queue know.
    pub fn status(&self) -> cl_int {
        self.lock().status
    }

    /// Its status now (`CL_EVENT_COMMAND_EXECUTION_STATUS`): asks the device.
    fn poll(&self) -> cl_int {
        if let Some(owner) = &self.owner
            && !self.has_ended.load(Ordering::Acquire)
        {
            exit::with_threads(|| owner.poll());
        }
        self.status()
    }

    /// What commands that wait for it have to do now. Where they have to wait, `waker` is told when that changes.
    pub fn dependency(&self, waker: &Weak<dyn Wake>) -> Dependency {
        let mut progress = self.lock();
        match (progress.status, &progress.on_device) {
            (CL_COMPLETE, _) => Dependency::Complete,
            (..0, _) => Dependency::Failed,
            (_, Some(event)) => Dependency::OnDevice(event.clone()),
            _ => {
                if !progress.wakers.iter().any(|known| known.ptr_eq(waker)) {
                    progress.wakers.push(waker.clone());
                }
                Dependency::Open
            }
        }
    }

    /// Whether it is recorded on the device, or has ended.
    pub fn is_recorded(&self) -> bool {
        let progress = self.lock();
        progress.on_device.is_some() || progress.status <= CL_COMPLETE
    }

    /// Whether functions of the client's wait for a status.
    pub fn has_callbacks(&self) -> bool {
        !self.lock().callbacks.is_empty()
    }

    /// The command begins with another one, which has ended when it ends.
    pub fn begins_with(&self, first: Ref<Event>) {
        self.lock().first = Some(first);
    }

    /// The command was taken from its queue.
    pub fn submitted(&self) {
        self.lock().times.submitted = Some(Instant::now());
        self.advance(CL_SUBMITTED);
    }

    /// The command is recorded on the device.
    pub fn recorded(&self, event: &runtime::Event) {
        let wakes = {
            let mut progress = self.lock();
            progress.on_device = Some(event.clone());
            progress.awaits_record > 0
        };
        if wakes {
            self.changed.notify_all();
        }
        self.wake();
    }

    /// Sleeps until it is recorded on the device, or has ended, but not longer than `limit`. Returns whether it is.
    pub fn sleep_until_recorded(&self, limit: Option<Duration>) -> bool {
        let is_open = |progress: &mut Progress| progress.on_device.is_none() && progress.status > CL_COMPLETE;
        let mut progress = self.lock();
        (progress.sleepers, progress.awaits_record) = (progress.sleepers + 1, progress.awaits_record + 1);
        let mut progress = match limit {
            None => self.changed.wait_while(progress, is_open).unwrap_or_else(PoisonError::into_inner),
            Some(limit) => {
                let slept = self.changed.wait_timeout_while(progress, limit, is_open);
                slept.unwrap_or_else(PoisonError::into_inner).0
            }
        };
        (progress.sleepers, progress.awaits_record) = (progress.sleepers - 1, progress.awaits_record - 1);
        !is_open(&mut progress)
    }

    /// The command is, or may be, executed at present.
    pub fn running(&self) {
        self.lock().times.started.get_or_insert_with(Instant::now);
        self.advance(CL_RUNNING);
    }

    /// The command has ended: `CL_COMPLETE`, or an error. `times` are those of the device, where they are known.
    pub fn ended(&self, status: cl_int, times: Option<(Instant, Instant)>) {
        // Dropped without the lock: it may be the last reference.
        let first;
        {
            let progress = &mut *self.lock();
            first = progress.first.take();
            let known = &mut progress.times;
            let now = Instant::now();
            let (mut started, ended) = times.unwrap_or((known.started.unwrap_or(now), now));
            if let Some(first) = first.as_ref().map(|first| first.lock().times) {
                known.submitted = first.submitted;
                started = first.started.unwrap_or(started);
            }
            let started = started.max(known.submitted.unwrap_or(known.queued));
            (known.started, known.ended) = (Some(started), Some(ended.max(started)));
        }
        drop(first);
        if self.advance(status) {
            self.wake();
        }
    }

    /// Sets the status, and calls the functions that wait for it. Returns whether it did: not where the status is there or
    /// further already, or the event has ended, of which several threads may inform a user event at once.
    fn advance(&self, status: cl_int) -> bool {
        let (due, wakes): (Vec<_>, bool) = {
            let mut progress = self.lock();
            if progress.status <= status.max(CL_COMPLETE) {
                return false;
            }
            progress.status = status;
            if status <= CL_COMPLETE {
                progress.on_device = None;
                self.has_ended.store(true, Ordering::Release);
            }
            // Who waits does so for the end: to be woken at the other states too would cost two switches of threads a command.
            let wakes = status <= CL_COMPLETE && progress.sleepers > 0;
            (progress.callbacks.extract_if(.., |(at, _)| status <= *at).collect(), wakes)
        };
        if wakes {
            self.changed.notify_all();
        }
        due.into_iter().for_each(|(at, callback)| callback(reported(status, at)));
        true
    }

    fn wake(&self) {
        let wakers = std::mem::take(&mut self.lock().wakers);
        wakers.iter().filter_map(Weak::upgrade).for_each(|waker| waker.wake());
    }

    /// Waits until the command has ended, and returns its status. It polls at first: to be woken takes tens of microseconds.
    pub fn wait(&self) -> cl_int {
        exit::with_threads(|| {
            if let Some(owner) = &self.owner {
                owner.watch(&|| self.has_ended.load(Ordering::Acquire));
            }
            self.ended_status()
        })
    }

    /// As [`Event::wait`], without polling.
    pub fn sleep(&self) -> cl_int {
        exit::with_threads(|| self.ended_status())
    }

    /// Sleeps until the command has ended.
    fn ended_status(&self) -> cl_int {
        if let Some(owner) = &self.owner
            && !self.has_ended.load(Ordering::Acquire)
        {
            owner.attend();
        }
        let mut progress = self.lock();
        progress.sleepers += 1;
        let ended = self.changed.wait_while(progress, |progress| progress.status > CL_COMPLETE);
        let mut progress = ended.unwrap_or_else(PoisonError::into_inner);
        progress.sleepers -= 1;
        progress.status
    }

    /// Calls a function when the status is at most `at`, at once where it is so already (`clSetEventCallback`).
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`.
    pub fn on_status(&self, at: cl_int, callback: StatusCallback) -> Result<()> {
        let known = [CL_SUBMITTED, CL_RUNNING, CL_COMPLETE].contains(&at);
        ensure(known, CL_INVALID_VALUE, "not a status that a callback can wait for")?;
        let status = {
            let mut progress = self.lock();
            if progress.status > at {
                progress.callbacks.push((at, callback));
                drop(progress);
                if let Some(owner) = &self.owner {
                    owner.attend();
                }
                return Ok(());
            }
            progress.status
        };
        callback(reported(status, at));
        Ok(())
    }

    /// Completes a user event, or lets it fail (`clSetUserEventStatus`).
    ///
    /// # Errors
    /// `CL_INVALID_EVENT` for the event of a command, `CL_INVALID_VALUE`, `CL_INVALID_OPERATION` for the second time.
    pub fn set_user_status(&self, status: cl_int) -> Result<()> {
        ensure(self.command == CL_COMMAND_USER, CL_INVALID_EVENT, "not a user event")?;
        ensure(status <= CL_COMPLETE, CL_INVALID_VALUE, "a user event is completed or fails")?;
        ensure(self.advance(status), CL_INVALID_OPERATION, "the status of the user event was set before")?;
        self.wake();
        Ok(())
    }

    /// Whether it stands for a fence of OpenGL.
    pub fn is_of_fence(&self) -> bool {
        self.command == CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR
    }

    /// Completes the event of a fence of OpenGL, which has passed.
    pub fn has_passed(&self) {
        self.advance(CL_COMPLETE);
        self.wake();
    }

    /// `clGetEventProfilingInfo` (section 5.14), in nanoseconds.
    ///
    /// # Errors
    /// `CL_PROFILING_INFO_NOT_AVAILABLE`, `CL_INVALID_VALUE`.
    pub fn profiling(&self, name: cl_uint) -> Result<Value> {
        let progress = self.lock();
        let times = progress.times;
        let time = match name {
            CL_PROFILING_COMMAND_QUEUED => Some(times.queued),
            CL_PROFILING_COMMAND_SUBMIT => times.submitted,
            CL_PROFILING_COMMAND_START => times.started,
            CL_PROFILING_COMMAND_END | CL_PROFILING_COMMAND_COMPLETE => times.ended,
            _ => return Err(unknown(name)),
        };
        let is_profiled = self.owner.as_ref().is_some_and(|owner| owner.is_profiled());
        let known = time.filter(|_| is_profiled && progress.status == CL_COMPLETE);
        let none = || Error::new(CL_PROFILING_INFO_NOT_AVAILABLE, "the event has no times");
        Ok(Value::of(since_start(known.ok_or_else(none)?)))
    }
}

/// The status that a callback gets which was registered for `at`: that one, also where the command has passed it, or the error
/// of a command that has failed.
fn reported(status: cl_int, at: cl_int) -> cl_int {
    if status < CL_COMPLETE { status } else { at }
}

/// Nanoseconds on the clock of this process, which does not start at zero.
fn since_start(time: Instant) -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = *START.get_or_init(|| time.checked_sub(Duration::from_secs(3600)).unwrap_or(time));
    u64::try_from(time.saturating_duration_since(start).as_nanos()).unwrap_or(u64::MAX)
}

/// The time now, on the clock of the times of events.
pub fn now() -> u64 {
    since_start(Instant::now())
}

impl Info for Object<Event> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        Ok(match name {
            CL_EVENT_COMMAND_QUEUE => Value::of(self.owner.as_ref().map_or(0, |owner| owner.handle())),
            CL_EVENT_CONTEXT => Value::handle(Some(&*self.context)),
            CL_EVENT_COMMAND_TYPE => Value::of(self.command),
            CL_EVENT_COMMAND_EXECUTION_STATUS => Value::of(self.poll()),
            CL_EVENT_REFERENCE_COUNT => Value::of(self.references()),
            _ => return Err(unknown(name)),
        })
    }
}

/// Sleeps until a command is recorded on the device, or has ended, unless that depends on the host: on a user event that is
/// open, for which it or one before it waits.
pub fn sleep_unless_held(event: &Ref<Event>) {
    exit::with_threads(|| while !event.sleep_until_recorded(Some(LOOK)) && !waits_for_host(event) {});
}

/// Waits until a command has ended, unless that depends on the host as in [`sleep_unless_held`].
pub fn wait_unless_held(event: &Ref<Event>) {
    sleep_unless_held(event);
    if event.is_recorded() {
        event.wait();
    }
}

fn waits_for_host(event: &Ref<Event>) -> bool {
    let (mut open, mut at) = (vec![event.clone()], 0);
    while let Some(event) = open.get(at).cloned() {
        at += 1;
        if event.is_recorded() {
            continue;
        }
        let Some(owner) = &event.owner else { return true };
        for blocker in owner.blockers(&event) {
            if !open.iter().any(|known| known.handle() == blocker.handle()) {
                open.push(blocker);
            }
        }
    }
    false
}

/// Waits for events (`clWaitForEvents`).
///
/// # Errors
/// `CL_INVALID_VALUE` for none, `CL_INVALID_CONTEXT` for events of different contexts,
/// `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST`.
pub fn wait_for_all(events: &[Ref<Event>]) -> Result<()> {
    let first = events.first().ok_or_else(|| Error::value("no events to wait for"))?;
    let same = events.iter().all(|event| event.context.handle() == first.context.handle());
    ensure(same, CL_INVALID_CONTEXT, "events of different contexts")?;
    // All of them, also after one that has failed.
    let failed = events.iter().filter(|event| event.wait() < CL_COMPLETE).count();
    ensure(failed == 0, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command has failed")
}
