//! File descriptors that a client gives away: the driver's if the call succeeds, and the client's if it fails.
#![cfg(unix)]
#![allow(unsafe_code)]

use crate::error::{Error, Result, ensure};
use opencl_sys::*;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd};

/// A descriptor of the client's once more, for the import.
///
/// # Errors
/// `CL_INVALID_PROPERTY` for what is not a descriptor.
///
/// # Safety
/// The descriptor is negative, or one that stays open during the call.
pub unsafe fn duplicate(given: i32) -> Result<OwnedFd> {
    ensure(given >= 0, CL_INVALID_PROPERTY, "not a file descriptor")?;
    // SAFETY: the caller's promise.
    let duplicate = unsafe { BorrowedFd::borrow_raw(given) }.try_clone_to_owned();
    duplicate.map_err(|error| Error::new(CL_INVALID_PROPERTY, error.to_string()))
}

/// Closes the client's descriptor, if there is one, which is the driver's after a successful import. To be called once.
pub fn close(given: i32) {
    if given >= 0 {
        // SAFETY: the client has given it away by its successful call.
        drop(unsafe { OwnedFd::from_raw_fd(given) });
    }
}
