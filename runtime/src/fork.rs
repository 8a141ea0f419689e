//! Processes that were forked after a device was opened. They have the objects of their parent, but none of its
//! threads: neither those of the driver, without which no work completes, nor our own.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Forks that lead to this process from one that had opened a device.
static FORKS: AtomicU32 = AtomicU32::new(0);
/// The process, or one before it, has opened a device.
static HAS_DEVICES: AtomicBool = AtomicBool::new(false);

/// Notes that a device is opened. Returns a number for [`is_after`].
pub(crate) fn device_opened() -> u32 {
    HAS_DEVICES.store(true, Ordering::Relaxed);
    handler::register();
    FORKS.load(Ordering::Relaxed)
}

/// Whether this process was forked after [`device_opened`] returned this number.
pub(crate) fn is_after(opened: u32) -> bool {
    FORKS.load(Ordering::Relaxed) != opened
}

/// Whether this process was forked from one that had opened a device. Objects made from that are of no use here, and locks may be
/// held for ever by threads that do not exist; devices can be opened.
pub fn is_cut_off() -> bool {
    is_after(0)
}

#[cfg(unix)]
mod handler {
    use super::{FORKS, HAS_DEVICES, Ordering};
    use std::sync::Once;

    /// Is called in the child.
    extern "C" fn forked() {
        if HAS_DEVICES.load(Ordering::Relaxed) {
            FORKS.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub fn register() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // Without memory for it nothing is noticed.
            // SAFETY: the function is `extern "C"`, does not unwind, and uses nothing but atomic integers.
            unsafe { libc::pthread_atfork(None, None, Some(forked)) };
        });
    }
}

/// Where processes are not forked.
#[cfg(not(unix))]
mod handler {
    pub fn register() {}
}
