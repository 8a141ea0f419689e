//! The exit code of programs whose kernels make mistakes that sanitizers find (`CLFORGE_SANITIZE_EXIT`).
#![allow(unsafe_code)]

use crate::settings::number;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

static FOUND: AtomicBool = AtomicBool::new(false);

/// The code that the user wants, and for which the handler is registered.
static CODE: LazyLock<Option<u8>> = LazyLock::new(|| {
    let code = number("CLFORGE_SANITIZE_EXIT")?;
    let Ok(code) = u8::try_from(code) else {
        tracing::warn!("CLFORGE_SANITIZE_EXIT={code}: an exit code is at most 255");
        return None;
    };
    // SAFETY: the function is `extern "C"`, and does not unwind.
    (unsafe { libc::atexit(end) } == 0).then_some(code)
});

/// Whether the process is to exit with another code once something was found. The first call registers a handler of the exit.
pub fn is_wanted() -> bool {
    CODE.is_some()
}

/// Notes that a sanitizer has found something.
pub fn mistake_found() {
    FOUND.store(true, Ordering::Relaxed);
}

/// Ends the process at once. Handlers that were registered before the first program was built do not run any more.
extern "C" fn end() {
    if let Some(code) = *CODE
        && FOUND.load(Ordering::Relaxed)
    {
        // SAFETY: null stands for all streams of the process, which nobody else would write out. `_exit` has no conditions.
        unsafe {
            libc::fflush(std::ptr::null_mut());
            libc::_exit(code.into());
        }
    }
}
