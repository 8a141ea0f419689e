//! Contexts (section 4.4).

use super::arguments::{UserData, exposed, object, objects, pairs};
use super::callbacks::{ContextNotify, Notify};
use crate::context::{Context, INITIALIZE};
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::gl;
use crate::handle::Ref;
use crate::info::{Info, Value};
use crate::platform::{Platform, platform};
use opencl_sys::*;
use std::ffi::c_void;

/// Reads the properties of a new context.
///
/// # Safety
/// `properties` is null or a list of pairs that ends with zero.
pub(super) unsafe fn properties(properties: *const cl_context_properties) -> Result<Vec<cl_context_properties>> {
    // SAFETY: the caller's promise.
    let list = unsafe { pairs(properties) };
    for [name, value] in list.as_chunks::<2>().0 {
        match *name {
            CL_CONTEXT_PLATFORM => {
                object::<Platform>(std::ptr::with_exposed_provenance_mut(value.cast_unsigned()))?;
            }
            INITIALIZE => {
                let known = CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR;
                ensure(value.cast_unsigned() as u64 & !known == 0, CL_INVALID_PROPERTY, "unknown kinds of memory")?;
            }
            CL_CONTEXT_INTEROP_USER_SYNC => {
                ensure((0..=1).contains(value), CL_INVALID_PROPERTY, "neither true nor false")?;
            }
            _ if gl::is_property(*name) && gl::has_gl() => {}
            _ => return Err(Error::new(CL_INVALID_PROPERTY, format!("context property {name:#x}"))),
        }
    }
    let repeated = list
        .as_chunks::<2>()
        .0
        .iter()
        .enumerate()
        .any(|(at, pair)| list.as_chunks::<2>().0[..at].iter().any(|earlier| earlier[0] == pair[0]));
    ensure(!repeated, CL_INVALID_PROPERTY, "a context property is given twice")?;
    Ok(list)
}

fn check_notify(notify: ContextNotify, data: *mut c_void) -> Result<()> {
    ensure(notify.is_some() || data.is_null(), CL_INVALID_VALUE, "data without a callback")
}

/// `clCreateContext`. Errors are reported where they happen, so the callback is never called.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create(
    list: *const cl_context_properties,
    count: cl_uint,
    devices: *const cl_device_id,
    notify: ContextNotify,
    data: *mut c_void,
) -> Result<usize> {
    check_notify(notify, data)?;
    ensure(count > 0 && !devices.is_null(), CL_INVALID_VALUE, "a context needs a device")?;
    // SAFETY: the caller keeps the specification's rules.
    let (list, devices): (_, Vec<Ref<Device>>) = unsafe { (properties(list)?, objects(count, devices)?) };
    exposed(Context::new(devices, list))
}

/// `clCreateContextFromType`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create_from_type(
    list: *const cl_context_properties,
    device_type: cl_device_type,
    notify: ContextNotify,
    data: *mut c_void,
) -> Result<usize> {
    check_notify(notify, data)?;
    // The list is read last: with a type that is refused, nothing behind a wrong pointer is.
    let devices = platform()?.devices(device_type)?;
    // SAFETY: the caller keeps the specification's rules.
    let list = unsafe { properties(list) }?;
    exposed(Context::new(devices, list))
}

/// `clGetContextInfo`.
pub(super) fn info(context: cl_context, name: cl_context_info) -> Result<Value> {
    object::<Context>(context)?.info(name)
}

/// `clSetContextDestructorCallback`.
pub(super) fn on_destruction(handle: cl_context, notify: Notify, data: *mut c_void) -> Result<()> {
    let context = object::<Context>(handle)?;
    let notify = notify.ok_or_else(|| Error::value("no callback"))?;
    let (handle, data) = (UserData::new(handle), UserData::new(data));
    // SAFETY: the client gives the function to be called with its data.
    context.on_destruction(Box::new(move || unsafe { notify(handle.pointer(), data.pointer()) }));
    Ok(())
}
