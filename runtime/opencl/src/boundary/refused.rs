//! Functions of optional features that this driver does not have, where the specification wants another answer than
//! `CL_INVALID_OPERATION`.

use super::arguments::{list, object, text};
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use opencl_sys::*;
use std::ffi::c_char;

/// `clCreateProgramWithBuiltInKernels`: no device has any.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn built_in_kernels(
    context: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    names: *const c_char,
) -> Result<usize> {
    object::<Context>(context)?;
    ensure(count > 0 && !devices.is_null(), CL_INVALID_VALUE, "no devices")?;
    // SAFETY: the caller keeps the specification's rules.
    let (devices, names) = unsafe { (list(count as usize, devices)?, text(names)) };
    devices.into_iter().try_for_each(|device| object::<Device>(device).map(|_| ()))?;
    Err(Error::value(format!("no device has the built-in kernels '{names}'")))
}
