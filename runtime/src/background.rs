//! Threads for work in the background, which end when no work is left.

use crate::exit::{self, InDriver};
use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

struct Work {
    jobs: VecDeque<Job>,
    /// Threads that take jobs.
    active: usize,
}

static WORK: Mutex<Work> = Mutex::new(Work { jobs: VecDeque::new(), active: 0 });

fn work() -> MutexGuard<'static, Work> {
    WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a job some time on another thread, unless the process exits before. Jobs of which many are spawned run on half as many
/// threads as the host has processors.
pub(crate) fn spawn(job: impl FnOnce() + Send + 'static) {
    if !exit::is_waited_for() {
        return;
    }
    let mut work = work();
    work.jobs.push_back(Box::new(job));
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    if work.active >= (processors / 2).max(1) {
        return;
    }
    match exit::spawn("clforge background", run) {
        Ok(()) => work.active += 1,
        Err(_) if work.active == 0 => work.jobs.clear(),
        Err(_) => {}
    }
}

/// The number of jobs that wait for a thread.
pub(crate) fn waiting() -> usize {
    work().jobs.len()
}

fn run() {
    loop {
        let _in_driver = InDriver::enter();
        let job = {
            let mut work = work();
            let Some(job) = work.jobs.pop_front() else {
                work.active -= 1;
                return;
            };
            job
        };
        // The panic message was printed; jobs leave nothing half done.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

/// Waits until no job runs or waits.
#[cfg(test)]
pub(crate) fn finish() {
    while work().active > 0 {
        thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn all_jobs_run_and_a_panic_ends_one_only() {
        let count = Arc::new(AtomicUsize::new(0));
        for at in 0..100 {
            let count = count.clone();
            spawn(move || {
                assert_ne!(at, 50, "this job panics");
                count.fetch_add(1, Ordering::Relaxed);
            });
        }
        finish();
        assert_eq!(count.load(Ordering::Relaxed), 99);
    }
}
