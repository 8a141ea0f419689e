//! Wraps every function of the API: it catches panics, converts errors to codes, and writes the log.
//!
//! In a process that was forked after a device was opened every function fails with `CL_OUT_OF_RESOURCES`: the threads
//! are the parent's. Those that release an object succeed there and do nothing, since the object is the parent's, too, and
//! destructors of PyOpenCL's objects would print a warning for each.

use super::arguments::{put, write_bytes};
use crate::error::{Error, Result};
use crate::handle::{self, Kind};
use crate::info::Value;
use clforge_runtime::fork;
use opencl_sys::*;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// Runs a function, and catches what panics. In a child of a process that has used a device nothing is run: it would wait for
/// threads that only the parent has.
fn guarded<T>(name: &str, body: impl FnOnce() -> Result<T>) -> Result<T> {
    super::log::start();
    let result = match fork::is_cut_off() {
        true => Err(cut_off()),
        false => catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| Err(Error::internal("a panic"))),
    };
    match &result {
        Ok(_) => tracing::trace!("{name}"),
        Err(error) => tracing::debug!("{name} = {error}"),
    }
    result
}

/// The error of every function in such a child, which is logged once by itself.
fn cut_off() -> Error {
    static ONCE: Once = Once::new();
    const REASON: &str = "this process was forked after a device was used, whose threads it does not have";
    ONCE.call_once(|| tracing::error!("{REASON}: use OpenCL after the fork only"));
    Error::new(CL_OUT_OF_RESOURCES, REASON)
}

/// A function that returns a code.
pub(super) fn status(name: &str, body: impl FnOnce() -> Result<()>) -> cl_int {
    if name.starts_with("clRelease") && fork::is_cut_off() {
        return CL_SUCCESS;
    }
    guarded(name, body).map_or_else(|error| error.code, |()| CL_SUCCESS)
}

/// A function that returns a handle or an address, and the code through a pointer.
///
/// # Safety
/// `code` is null or may be written.
pub(super) unsafe fn create(name: &str, code: *mut cl_int, body: impl FnOnce() -> Result<usize>) -> *mut c_void {
    let result = guarded(name, body);
    let (made, value) = match result {
        Ok(made) => (made, CL_SUCCESS),
        Err(error) => (0, error.code),
    };
    // SAFETY: the caller's promise.
    unsafe { put(code, value) };
    std::ptr::with_exposed_provenance_mut(made)
}

/// A function that returns an address and no code; null where it fails.
pub(super) fn address(name: &str, body: impl FnOnce() -> Result<usize>) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(guarded(name, body).unwrap_or(0))
}

/// A query: the value goes to a place of the client's with a size, and its own size to another, where they are given.
///
/// # Safety
/// `place` is null or has `size` bytes that may be written; `size_needed` is null or may be written.
pub(super) unsafe fn query(
    name: &str,
    size: usize,
    place: *mut c_void,
    size_needed: *mut usize,
    body: impl FnOnce() -> Result<Value>,
) -> cl_int {
    status(name, || {
        let value = body()?;
        // SAFETY: the caller's promise.
        unsafe { write_bytes(value.bytes(), size, place, size_needed) }
    })
}

/// `clRetain…`.
///
/// # Errors
/// [`Kind::INVALID`].
pub(super) fn retain<T: Kind>(handle: *mut c_void) -> Result<()> {
    handle::retain::<T>(handle.addr())
}

/// `clRelease…`.
///
/// # Errors
/// [`Kind::INVALID`].
pub(super) fn release<T: Kind>(handle: *mut c_void) -> Result<()> {
    handle::release::<T>(handle.addr())
}
