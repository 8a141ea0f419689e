//! Fatal signals as error messages. A CPU driver executes kernels in this process, so a kernel that follows an invalid pointer
//! raises SIGSEGV here; a script that calls `clforge` still gets an exit code and a reason.

use crate::failure;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set while a driver is in use: a crash is then more likely the driver's or the kernel's than ours.
static IN_DRIVER: AtomicBool = AtomicBool::new(false);

/// Set while a driver compiles a kernel, and executes none.
static IS_COMPILING: AtomicBool = AtomicBool::new(false);

/// Set while kernels are executed by this process.
static ON_CPU: AtomicBool = AtomicBool::new(false);

/// Set while the kernels that run check their accesses.
static IS_CHECKED: AtomicBool = AtomicBool::new(false);

/// From now on a crash is attributed to a driver.
pub fn driver_in_use() {
    IN_DRIVER.store(true, Ordering::Relaxed);
}

/// Whether a crash is attributed to the driver's compiler from now on.
pub fn driver_compiles(compiles: bool) {
    IS_COMPILING.store(compiles, Ordering::Relaxed);
}

/// From now on a crash is attributed to the kernel or to the driver of a CPU device.
pub fn cpu_device_in_use() {
    ON_CPU.store(true, Ordering::Relaxed);
}

/// From now on accesses of the kernel are no reason for a crash.
pub fn accesses_are_checked() {
    IS_CHECKED.store(true, Ordering::Relaxed);
}

/// Set when a thread of the driver was left in the middle of its work.
static IS_ABANDONED: AtomicBool = AtomicBool::new(false);

/// From now on the driver is at work that nobody waits for.
pub fn driver_is_abandoned() {
    IS_ABANDONED.store(true, Ordering::Relaxed);
}

/// Ends the process where the driver is still at work: the end of `main` would destroy what its threads use.
pub fn end_abandoned(code: u8) {
    if IS_ABANDONED.load(Ordering::Relaxed) {
        // Everything was printed; a failure cannot be reported.
        let _ = std::io::stdout().flush();
        #[cfg(unix)]
        // SAFETY: it only ends the process.
        unsafe {
            libc::_exit(code.into())
        };
        #[cfg(not(unix))]
        std::process::exit(code.into());
    }
}

const DRIVER_MESSAGE: &str =
    "clforge: error: the driver crashed; that is a defect of the driver, which another version may not have\n";
const COMPILING_MESSAGE: &str = "clforge: error: the driver crashed while it compiled the kernel; that is a defect of the driver, which \
                                 another version may not have\n";
const CPU_MESSAGE: &str = "clforge: error: the driver crashed. On a CPU device a kernel that reads or writes outside \
                           of its buffers does this: give --bounds-check to see which access, and where\n";
const CHECKED_MESSAGE: &str = "clforge: error: the driver crashed, although accesses were checked; that is a defect of the \
                               driver, which another version may not have\n";
const OWN_MESSAGE: &str = "clforge: error: internal error: a fatal signal; this is a bug in clforge, not in your \
                           program; please report it\n";

/// Installs the handlers.
#[cfg(unix)]
pub fn install() {
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT] {
        // SAFETY: `action` is fully initialised; the handler is async-signal-safe. SA_ONSTACK uses the alternate stack
        // that the standard library gives its threads, so that a stack overflow is reported too.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as *const () as libc::sighandler_t;
            action.sa_flags = libc::SA_ONSTACK | libc::SA_RESETHAND;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Other systems have no signals.
#[cfg(not(unix))]
pub fn install() {}

#[cfg(unix)]
extern "C" fn handler(_: libc::c_int) {
    let (message, code) = match (IN_DRIVER.load(Ordering::Relaxed), ON_CPU.load(Ordering::Relaxed)) {
        (_, true) if IS_CHECKED.load(Ordering::Relaxed) => (CHECKED_MESSAGE, failure::DEVICE),
        (_, true) => (CPU_MESSAGE, failure::DEVICE),
        (true, false) if IS_COMPILING.load(Ordering::Relaxed) => (COMPILING_MESSAGE, failure::DEVICE),
        (true, false) => (DRIVER_MESSAGE, failure::DEVICE),
        (false, false) => (OWN_MESSAGE, failure::PROGRAM),
    };
    // SAFETY: write and _exit are async-signal-safe; nothing else of the crashed process is touched.
    unsafe {
        libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
        libc::_exit(code.into());
    }
}
