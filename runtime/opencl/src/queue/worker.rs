//! The thread of a queue. It never waits for one command while it could start or end another one.

use super::engine::{Ended, SPACING, Submit};
use super::sharing::Shared;
use clforge_runtime as runtime;
use clforge_runtime::exit::{self, InDriver};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

/// How long the thread waits for the device at a time before it looks for new commands, at first and at most.
const FIRST_WAIT: Duration = Duration::from_micros(100);
const LONGEST_WAIT: Duration = Duration::from_millis(2);

thread_local! {
    static IS_OF_QUEUE: Cell<bool> = const { Cell::new(false) };
}

/// Whether this is the thread of a queue, which calls functions of the client's: nothing else starts its commands meanwhile.
pub fn is_current() -> bool {
    IS_OF_QUEUE.get()
}

/// Executes commands until the queue is closed and all are complete.
pub(super) fn run(shared: &Arc<Shared>, device: &runtime::Device) {
    IS_OF_QUEUE.set(true);
    let mut wait = FIRST_WAIT;
    // A driver that executes commands on the processor does so in threads of its own, which need it as this one does.
    let executes_itself = device.info().kind == runtime::DeviceKind::Cpu;
    let mut in_driver = None;
    let (mut has_work, mut is_awaited) = (false, false);
    loop {
        if !has_work {
            shared.rest();
        }
        in_driver.get_or_insert_with(InDriver::enter);
        let calls = shared.calls();
        let Some(state) = advance(shared, &mut is_awaited) else { return };
        has_work = state.has_work;
        let is_new = state.started || state.first.is_none();
        wait = if is_new { FIRST_WAIT } else { (wait * 2).min(LONGEST_WAIT) };
        if let Some(first) = &state.first {
            if state.may_rest {
                // A thread of the client's that waits ends what is complete itself.
                shared.while_others_watch(FIRST_WAIT);
            }
            shared.wait_for(first, if state.may_rest { wait } else { wait.min(SPACING) });
        }
        if !state.is_needed && shared.calls() != calls {
            // The client is there, and starts and ends commands itself: each look at the engine may keep it from that.
            shared.leave_to_client();
            has_work = false;
        }
        if !executes_itself || state.first.is_none() {
            in_driver = None;
        }
    }
}

/// What [`advance`] has left.
struct State {
    /// Whether commands were started.
    started: bool,
    /// Whether commands run, or are to be started as soon as possible.
    has_work: bool,
    /// Whether none waits to be started or to be submitted.
    may_rest: bool,
    /// Whether there is anything that threads of the client cannot do, or wait for without looking.
    is_needed: bool,
    /// The command that ends next.
    first: Option<runtime::Event>,
}

/// Starts and ends what may start and is complete; `None` if there will never be anything to do any more. `is_awaited`: somebody
/// waits for the end of a command who does not look himself.
fn advance(shared: &Shared, is_awaited: &mut bool) -> Option<State> {
    // Commands are not started because the process exits: the thread is stopped when it enters the driver next.
    let holds_back = exit::stops_threads();
    let mut guard = shared.lock();
    let engine = guard.as_mut()?;
    // With the lock: nobody starts a later command before these.
    let (new, was_awaited) = shared.take();
    engine.receive(new);
    let started = !holds_back && engine.start_ready(Ended::All);
    engine.end_complete(Ended::All);
    engine.submit(Submit::IfIdle);
    if engine.has_finished() {
        // The queue of the runtime is destroyed in the driver.
        *guard = None;
        return None;
    }
    *is_awaited = (*is_awaited || was_awaited) && (engine.is_running() || engine.has_waiting());
    Some(State {
        started,
        has_work: holds_back || engine.is_full() || engine.is_running(),
        may_rest: !engine.has_waiting() && !engine.has_recorded(),
        is_needed: holds_back || *is_awaited || engine.has_waiting() || engine.has_callbacks(),
        first: engine.first(),
    })
}
