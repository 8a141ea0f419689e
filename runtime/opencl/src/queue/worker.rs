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
    let mut has_work = false;
    loop {
        if !has_work {
            shared.rest();
        }
        in_driver.get_or_insert_with(InDriver::enter);
        // Commands are not started because the process exits: the thread is stopped when it enters the driver next.
        let holds_back = exit::stops_threads();
        let (started, may_rest, first) = {
            let mut guard = shared.lock();
            let Some(engine) = &mut *guard else { return };
            // With the lock: nobody starts a later command before these.
            engine.receive(shared.take());
            let started = !holds_back && engine.start_ready(Ended::All);
            engine.end_complete(Ended::All);
            engine.submit(Submit::IfIdle);
            if engine.has_finished() {
                // The queue of the runtime is destroyed in the driver.
                *guard = None;
                return;
            }
            has_work = holds_back || engine.is_full() || engine.is_running();
            (started, !engine.has_waiting() && !engine.has_recorded(), engine.first())
        };
        wait = if started || first.is_none() { FIRST_WAIT } else { (wait * 2).min(LONGEST_WAIT) };
        let wait = if may_rest { wait } else { wait.min(SPACING) };
        if let Some(first) = &first {
            if may_rest {
                // A thread of the client's that waits ends what is complete itself.
                shared.while_others_watch(FIRST_WAIT);
            }
            shared.wait_for(first, wait);
        }
        if !executes_itself || first.is_none() {
            in_driver = None;
        }
    }
}
