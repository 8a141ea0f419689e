//! The processors that threads may run on.
#![cfg_attr(target_os = "linux", allow(unsafe_code))]

use std::io;

/// The processors that the calling thread may run on, by their numbers; none where that is unknown.
#[cfg(target_os = "linux")]
pub fn own() -> Vec<usize> {
    // SAFETY: a set of processors is an array of bits, for which zeros are a value.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: the set has the size that is given. Zero stands for the calling thread.
    let got = unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &raw mut set) };
    let all = 0..8 * size_of::<libc::cpu_set_t>();
    // SAFETY: the numbers are within the set.
    if got == 0 { all.filter(|number| unsafe { libc::CPU_ISSET(*number, &set) }).collect() } else { Vec::new() }
}

/// Calls a function in a new thread that may run on these processors only, as the threads that it starts.
///
/// # Errors
/// Those of the system, which starts no thread, or does not have these processors.
#[cfg(target_os = "linux")]
pub fn on<T: Send>(numbers: &[usize], function: impl FnOnce() -> T + Send) -> io::Result<T> {
    // SAFETY: as in `own`.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    for number in numbers.iter().filter(|number| **number < 8 * size_of::<libc::cpu_set_t>()) {
        // SAFETY: the number is within the set.
        unsafe { libc::CPU_SET(*number, &mut set) };
    }
    let restricted = move || {
        // SAFETY: as in `own`.
        match unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set) } {
            0 => Ok(function()),
            _ => Err(io::Error::last_os_error()),
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("clforge opening".into()).spawn_scoped(scope, restricted)?;
        thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread has panicked")))
    })
}

/// Not known on this system.
#[cfg(not(target_os = "linux"))]
pub fn own() -> Vec<usize> {
    Vec::new()
}

/// This system is not told where threads run.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn on<T: Send>(_: &[usize], _: impl FnOnce() -> T + Send) -> io::Result<T> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn threads_that_are_started_run_there_too() {
        let all = own();
        let last = *all.last().unwrap();
        let found = on(&[last], || std::thread::spawn(own).join().unwrap()).unwrap();
        assert_eq!(found, [last]);
        assert_eq!(own(), all);
        assert!(on(&[], own).is_err());
    }
}
