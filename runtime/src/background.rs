//! Work in the background: threads of the process, which end when nothing is left to do.

use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

struct Work {
    jobs: VecDeque<Job>,
    /// Those that are alive.
    threads: usize,
    /// The process whose exit waits for the threads; 0 before the first job. A process that was forked has no threads.
    process: u32,
    is_exiting: bool,
}

static WORK: Mutex<Work> = Mutex::new(Work { jobs: VecDeque::new(), threads: 0, process: 0, is_exiting: false });
/// Signalled when a thread ends.
static ENDED: Condvar = Condvar::new();

fn work() -> MutexGuard<'static, Work> {
    WORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a job some time on another thread, unless the process exits before. Jobs of which many are spawned run on half as many
/// threads as the host has processors.
pub(crate) fn spawn(job: impl FnOnce() + Send + 'static) {
    let mut work = work();
    if work.is_exiting || !exit_waits(&mut work) {
        return;
    }
    work.jobs.push_back(Box::new(job));
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    if work.threads >= (processors / 2).max(1) {
        return;
    }
    work.threads += 1;
    if thread::Builder::new().name("clforge background".into()).spawn(run).is_err() {
        work.threads -= 1;
        if work.threads == 0 {
            work.jobs.clear();
        }
    }
}

/// The number of jobs that wait for a thread.
pub(crate) fn waiting() -> usize {
    work().jobs.len()
}

fn run() {
    loop {
        let job = {
            let mut work = work();
            let Some(job) = work.jobs.pop_front() else {
                work.threads -= 1;
                ENDED.notify_all();
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
    let ended = ENDED.wait_while(work(), |work| work.threads > 0);
    drop(ended.unwrap_or_else(PoisonError::into_inner));
}

/// Makes the exit of the process wait for jobs that run: a thread in a driver whose static objects are being destroyed
/// crashes. Handlers run in the order opposite to that of their registration, and the driver is loaded by now.
#[cfg(unix)]
fn exit_waits(state: &mut Work) -> bool {
    extern "C" fn wait() {
        let mut guard = work();
        if guard.process != std::process::id() {
            return;
        }
        guard.is_exiting = true;
        let dropped = std::mem::take(&mut guard.jobs);
        drop(ENDED.wait_while(guard, |work| work.threads > 0));
        drop(dropped);
    }
    if state.process == std::process::id() {
        return true;
    }
    // SAFETY: the function is `extern "C"`, and does not unwind.
    if state.process != 0 || unsafe { libc::atexit(wait) } != 0 {
        return false;
    }
    state.process = std::process::id();
    true
}

/// Where threads end before destructors of libraries run.
#[cfg(not(unix))]
fn exit_waits(_: &mut Work) -> bool {
    true
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
