//! Builds, in the thread of the caller or in the background.
//!
//! As many builds run in the background at a time as there are cores. A program that is being built is in that state
//! until its results are stored; a second build of it is refused.

use super::object::Program;
use crate::handle::Ref;
use clforge_runtime::exit::{self, InDriver};
use std::sync::{Condvar, LazyLock, Mutex, PoisonError};

/// A build, or what follows it.
pub type Task = Box<dyn FnOnce(&Ref<Program>) + Send>;
/// Is called with the program after the build: the client's callback.
pub type Finished = Task;

/// Builds in the background that may begin: one for each core.
static FREE: LazyLock<(Mutex<usize>, Condvar)> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (Mutex::new(cores), Condvar::new())
});

/// Runs a build, and `finished` after it; in the background on a thread of their own.
pub fn run(program: &Ref<Program>, in_background: bool, task: Task, finished: Finished) {
    if !in_background {
        task(program);
        return finished(program);
    }
    let (waiting, program_there) = (Mutex::new(Some((task, finished))), program.clone());
    let waiting = std::sync::Arc::new(waiting);
    let there = waiting.clone();
    let spawned = exit::spawn("clforge build", move || {
        let (free, changed) = &*FREE;
        let free_now = free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut count = changed.wait_while(free_now, |count| *count == 0).unwrap_or_else(PoisonError::into_inner);
        *count -= 1;
        drop(count);
        let tasks = there.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((task, finished)) = tasks else { return };
        {
            let _in_driver = InDriver::enter();
            task(&program_there);
        }
        *free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        changed.notify_one();
        // The client's function may wait for another build.
        finished(&program_there);
    });
    if spawned.is_err() {
        // No thread is left: the caller does it.
        let tasks = waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((task, finished)) = tasks {
            task(program);
            finished(program);
        }
    }
}
