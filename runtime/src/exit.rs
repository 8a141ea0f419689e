//! Detached threads that call the Vulkan driver. The exit of the process waits until they have left the driver, because
//! a thread inside of a driver whose static objects are being destroyed crashes.
//!
//! Commands that an application leaves running are waited for where the driver executes them on the processor, in
//! threads of its own.

use std::cell::Cell;
use std::io;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long a handler waits at most for threads to leave the driver. One may be in a function of the application that waits
/// for the thread that exits.
const LIMIT: Duration = Duration::from_secs(30);
/// How long a handler waits at most for the waits of other threads to end, which may be for ever.
const LIMIT_OF_WAITS: Duration = Duration::from_secs(1);
/// How long a thread is stopped at most. A process that has not ended by then waits for what the thread would do.
const LIMIT_OF_STOP: Duration = Duration::from_secs(10);

/// What the exit of the process waits for.
struct State {
    /// Values of [`InDriver`].
    entered: usize,
    threads: Vec<Thread>,
    is_exiting: bool,
    /// Calls of [`with_threads`], during which threads go on while the process exits.
    waiters: usize,
}

impl State {
    fn stops_threads(&self) -> bool {
        self.is_exiting && self.waiters == 0
    }
}

struct Thread {
    handle: JoinHandle<()>,
    /// Its function has returned. Destructors of the driver for the thread may still run.
    is_ending: Arc<AtomicBool>,
}

static STATE: Mutex<State> = Mutex::new(State { entered: 0, threads: Vec::new(), is_exiting: false, waiters: 0 });
/// Is notified of each change while the process exits.
static CHANGED: Condvar = Condvar::new();

thread_local! {
    /// Values of [`InDriver`] of this thread, which may itself be the one that exits.
    static OWN: Cell<usize> = const { Cell::new(0) };
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a thread, which calls the driver only while it has a value of [`InDriver`].
///
/// # Errors
/// Those of the operating system.
pub fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    handler::is_registered();
    let is_ending = Arc::new(AtomicBool::new(false));
    let ending = is_ending.clone();
    let handle = thread::Builder::new().name(name.into()).spawn(move || {
        let _end = End(ending);
        run();
    })?;
    let mut state = state();
    let ended: Vec<_> = state.threads.extract_if(.., |thread| thread.handle.is_finished()).collect();
    state.threads.push(Thread { handle, is_ending });
    drop(state);
    ended.into_iter().for_each(join);
    Ok(())
}

/// The end of a thread's function, also after a panic.
struct End(Arc<AtomicBool>);

impl Drop for End {
    fn drop(&mut self) {
        let state = stop_if_exiting(state());
        self.0.store(true, Ordering::Relaxed);
        drop(state);
    }
}

/// Waits for the end of a thread. The message of a panic was printed.
fn join(thread: Thread) {
    let _ = thread.handle.join();
}

/// Stops the thread while the process exits: neither may it call the driver then, nor end, as destructors of the driver for the
/// thread would run.
fn stop_if_exiting(state: MutexGuard<'_, State>) -> MutexGuard<'_, State> {
    let stopped = CHANGED.wait_timeout_while(state, LIMIT_OF_STOP, |state| state.stops_threads());
    stopped.unwrap_or_else(PoisonError::into_inner).0
}

/// A thread that has this value may call the driver: the exit of the process waits until it is dropped.
#[must_use]
pub struct InDriver {
    /// It is of one thread.
    _not_send: PhantomData<*const ()>,
}

impl InDriver {
    /// Lets this thread call the driver. While the process exits it is stopped here, except during [`with_threads`].
    pub fn enter() -> InDriver {
        stop_if_exiting(state()).entered += 1;
        OWN.set(OWN.get() + 1);
        InDriver { _not_send: PhantomData }
    }
}

impl Drop for InDriver {
    fn drop(&mut self) {
        OWN.set(OWN.get() - 1);
        let mut state = state();
        state.entered -= 1;
        if state.is_exiting {
            CHANGED.notify_all();
        }
    }
}

/// Whether the exit of this process waits for its threads.
pub(crate) fn is_waited_for() -> bool {
    handler::is_registered()
}

/// Whether the process exits, and threads that have entered the driver should leave it.
pub fn stops_threads() -> bool {
    state().stops_threads()
}

/// Registers the handler again, after what may have loaded libraries. Handlers run in the order opposite to that of their
/// registration, and this one must run before those of the driver, which loads libraries when it compiles, too.
pub(crate) fn libraries_were_loaded() {
    handler::register_again();
}

/// Calls a function that waits for what other threads do. They go on meanwhile although the process exits: destructors of an
/// application's static objects wait for commands, after the handler, or for threads that do.
pub fn with_threads<T>(wait: impl FnOnce() -> T) -> T {
    {
        let mut state = state();
        state.waiters += 1;
        if state.is_exiting {
            CHANGED.notify_all();
        }
    }
    let result = wait();
    let mut state = state();
    state.waiters -= 1;
    if state.is_exiting {
        CHANGED.notify_all();
        settle(state);
    }
    result
}

/// Waits until no other thread is in the driver. None enters it any more, but while a thread waits for others.
fn settle(state: MutexGuard<'_, State>) {
    let waited = CHANGED.wait_timeout_while(state, LIMIT_OF_WAITS, |state| state.waiters > 0);
    let state = waited.unwrap_or_else(PoisonError::into_inner).0;
    let own = OWN.get();
    let waited = CHANGED.wait_timeout_while(state, LIMIT, |state| state.waiters == 0 && state.entered > own);
    let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
    let ending: Vec<_> = state.threads.extract_if(.., |thread| thread.is_ending.load(Ordering::Relaxed)).collect();
    drop(state);
    ending.into_iter().for_each(join);
}

#[cfg(unix)]
mod handler {
    use std::sync::Once;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// The process that registered the handler; 0 before. One that was forked from it has none of the threads.
    static PROCESS: AtomicU32 = AtomicU32::new(0);

    extern "C" fn handle() {
        // Before any lock: a fork may have copied it while it was held.
        if PROCESS.load(Ordering::Relaxed) == std::process::id() {
            let mut state = super::state();
            state.is_exiting = true;
            super::settle(state);
        }
    }

    fn register() -> bool {
        // SAFETY: the function is `extern "C"`, and does not unwind.
        unsafe { libc::atexit(handle) == 0 }
    }

    /// Whether the handler is registered in this process. The first call registers it.
    pub fn is_registered() -> bool {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            if register() {
                PROCESS.store(std::process::id(), Ordering::Relaxed);
            }
        });
        PROCESS.load(Ordering::Relaxed) == std::process::id()
    }

    /// Registers the handler again if libraries were loaded since. Where there is no room for it, the earlier registration
    /// stays.
    #[cfg(target_os = "linux")]
    pub fn register_again() {
        use std::sync::atomic::AtomicU64;

        /// How many had been loaded at the last registration.
        static LOADED: AtomicU64 = AtomicU64::new(0);

        unsafe extern "C" fn loaded(info: *mut libc::dl_phdr_info, _: usize, count: *mut libc::c_void) -> libc::c_int {
            // SAFETY: the loader passes a valid object, and `register_again` a counter.
            unsafe { *count.cast::<u64>() = (*info).dlpi_adds };
            // The first object tells all.
            1
        }

        let mut count = 0u64;
        // SAFETY: the function does not unwind, and the counter is valid during the call.
        unsafe { libc::dl_iterate_phdr(Some(loaded), (&raw mut count).cast()) };
        let is_registered = PROCESS.load(Ordering::Relaxed) == std::process::id();
        if is_registered && LOADED.swap(count, Ordering::Relaxed) != count {
            register();
        }
    }

    /// Registers the handler a second time.
    #[cfg(not(target_os = "linux"))]
    pub fn register_again() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            register();
        });
    }
}

/// Where threads end before destructors of libraries run.
#[cfg(not(unix))]
mod handler {
    pub fn is_registered() -> bool {
        true
    }

    pub fn register_again() {}
}
