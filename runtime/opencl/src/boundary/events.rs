//! Events (sections 5.11 to 5.14).

use super::arguments::{UserData, object, objects};
use super::callbacks::EventNotify;
use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::event::{self, Event};
use crate::info::{Info, Value};
use opencl_sys::*;
use std::ffi::c_void;

/// `clCreateUserEvent`.
pub(super) fn create(context: cl_context) -> Result<usize> {
    Ok(Event::new(&object::<Context>(context)?, None, CL_COMMAND_USER).expose())
}

/// `clSetUserEventStatus`.
pub(super) fn set_status(event: cl_event, status: cl_int) -> Result<()> {
    object::<Event>(event)?.set_user_status(status)
}

/// `clWaitForEvents`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn wait(count: cl_uint, events: *const cl_event) -> Result<()> {
    ensure(count > 0 && !events.is_null(), CL_INVALID_VALUE, "no events to wait for")?;
    // SAFETY: the caller keeps the specification's rules.
    event::wait_for_all(&unsafe { objects(count, events) }?)
}

/// `clGetEventInfo`.
pub(super) fn info(event: cl_event, name: cl_event_info) -> Result<Value> {
    object::<Event>(event)?.info(name)
}

/// `clGetEventProfilingInfo`.
pub(super) fn profiling(event: cl_event, name: cl_profiling_info) -> Result<Value> {
    object::<Event>(event)?.profiling(name)
}

/// `clSetEventCallback`.
pub(super) fn on_status(handle: cl_event, at: cl_int, notify: EventNotify, data: *mut c_void) -> Result<()> {
    let event = object::<Event>(handle)?;
    let notify = notify.ok_or_else(|| Error::value("no callback"))?;
    // The event that the function gets stays valid until then.
    let (kept, data) = (event.clone(), UserData::new(data));
    let call = move |status| {
        let handle = std::ptr::with_exposed_provenance_mut(kept.handle());
        // SAFETY: the client gives the function to be called with its data.
        unsafe { notify(handle, status, data.pointer()) };
    };
    event.on_status(at, Box::new(call))
}
