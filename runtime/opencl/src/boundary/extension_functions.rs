//! Functions by their names.

use super::arguments::{object, text};
use super::table;
use crate::error::{Error, Result};
use crate::platform::Platform;
use opencl_sys::*;
use std::ffi::c_char;

/// `clGetExtensionFunctionAddress`, also for functions that are no extensions: some loaders ask for them.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn find(name: *const c_char) -> Result<usize> {
    // SAFETY: the caller keeps the specification's rules.
    let name = unsafe { text(name) };
    table::find(&name).ok_or_else(|| Error::value(format!("there is no function '{name}'")))
}

/// `clGetExtensionFunctionAddressForPlatform`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn find_for_platform(platform: cl_platform_id, name: *const c_char) -> Result<usize> {
    object::<Platform>(platform)?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe { find(name) }
}
