//! Work in the background: threads of the process, which end when nothing is left to do.

use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

type Job = Box<dyn FnOnce() + Send>;

struct Work {
    jobs: VecDeque<Job>,
    /// Threads that take jobs.
    active: usize,
    /// Those, and threads that have ended since the last one was started.
    threads: Vec<JoinHandle<()>>,
    is_exiting: bool,
}

static WORK: Mutex<Work> =
    Mutex::new(Work { jobs: VecDeque::new(), active: 0, threads: Vec::new(), is_exiting: false });

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
    if work.is_exiting {
        return;
    }
    work.jobs.push_back(Box::new(job));
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    if work.active >= (processors / 2).max(1) {
        return;
    }
    match thread::Builder::new().name("clforge background".into()).spawn(run) {
        Ok(thread) => {
            work.threads.retain(|thread| !thread.is_finished());
            work.threads.push(thread);
            work.active += 1;
        }
        Err(_) if work.active == 0 => work.jobs.clear(),
        Err(_) => {}
    }
}

/// The number of jobs that wait for a thread.
pub(crate) fn waiting() -> usize {
    work().jobs.len()
}

fn run() {
    let mut is_first = true;
    loop {
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
        if std::mem::take(&mut is_first) {
            exit::wait_again();
        }
    }
}

/// Waits until all threads have ended: no job runs or waits then.
fn join() {
    loop {
        let threads = std::mem::take(&mut work().threads);
        if threads.is_empty() {
            return;
        }
        threads.into_iter().for_each(|thread| drop(thread.join()));
    }
}

/// Waits until no job runs or waits.
#[cfg(test)]
pub(crate) fn finish() {
    join();
}

/// The exit of the process, which waits for jobs that run: a thread in a driver whose static objects are being destroyed
/// crashes.
#[cfg(unix)]
mod exit {
    use std::sync::Once;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// The process that registered the handler; 0 before the first job. One that was forked from it has none of the threads.
    static PROCESS: AtomicU32 = AtomicU32::new(0);

    extern "C" fn wait() {
        // Before any lock: a fork may have copied it while it was held.
        if PROCESS.load(Ordering::Relaxed) == std::process::id() {
            let dropped = {
                let mut work = super::work();
                work.is_exiting = true;
                std::mem::take(&mut work.jobs)
            };
            super::join();
            drop(dropped);
        }
    }

    /// Whether the exit of this process waits for jobs.
    pub fn is_waited_for() -> bool {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // SAFETY: the function is `extern "C"`, and does not unwind.
            if unsafe { libc::atexit(wait) } == 0 {
                PROCESS.store(std::process::id(), Ordering::Relaxed);
            }
        });
        PROCESS.load(Ordering::Relaxed) == std::process::id()
    }

    /// Handlers run in the order opposite to that of their registration. A driver may have registered some during the first
    /// job, as libraries do that it loads then; this one must run before them.
    pub fn wait_again() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // SAFETY: as above. Where there is no room for it, the first registration stays.
            let _ = unsafe { libc::atexit(wait) };
        });
    }
}

/// Where threads end before destructors of libraries run.
#[cfg(not(unix))]
mod exit {
    pub fn is_waited_for() -> bool {
        true
    }

    pub fn wait_again() {}
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
