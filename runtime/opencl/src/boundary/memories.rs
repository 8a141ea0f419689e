//! Buffers and what memory objects have in common (sections 5.2 and 5.5).

use super::arguments::{UserData, exposed, memory, object, pairs};
use super::table::Notify;
use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::info::{Info, Value};
use crate::memory::{Flags, Memory, PipeInfo};
use opencl_sys::*;
use std::ffi::c_void;

/// `clCreateBuffer`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn buffer(context: cl_context, flags: cl_mem_flags, size: usize, host: *mut c_void) -> Result<usize> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe { buffer_with_properties(context, std::ptr::null(), flags, size, host) }
}

/// `clCreateBufferWithProperties`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn buffer_with_properties(
    context: cl_context,
    properties: *const cl_mem_properties,
    flags: cl_mem_flags,
    size: usize,
    host: *mut c_void,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    // SAFETY: the caller keeps the specification's rules.
    let properties = unsafe { pairs(properties) };
    let flags = Flags::new(flags, !host.is_null())?;
    // SAFETY: as above; the memory of `CL_MEM_USE_HOST_PTR` is the object's as long as it lives.
    let host = if host.is_null() { None } else { Some(unsafe { memory(host, size) }?) };
    exposed(Memory::buffer(&context, flags, size, host, properties))
}

/// `clCreateSubBuffer`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn part(
    buffer: cl_mem,
    flags: cl_mem_flags,
    kind: cl_buffer_create_type,
    info: *const c_void,
) -> Result<usize> {
    let buffer = object::<Memory>(buffer)?;
    ensure(kind == CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_VALUE, "unknown way to take a part of a buffer")?;
    ensure(!info.is_null(), CL_INVALID_VALUE, "no region")?;
    // SAFETY: the caller keeps the specification's rules.
    let region = unsafe { info.cast::<cl_buffer_region>().read_unaligned() };
    exposed(Memory::part(&buffer, flags, region.origin, region.size))
}

/// `clCreatePipe`.
pub(super) fn pipe(
    context: cl_context,
    flags: cl_mem_flags,
    packet_size: cl_uint,
    max_packets: cl_uint,
    properties: *const cl_pipe_properties,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    ensure(properties.is_null(), CL_INVALID_VALUE, "pipes have no properties")?;
    exposed(Memory::pipe(&context, flags, packet_size, max_packets))
}

/// `clGetPipeInfo`.
pub(super) fn pipe_info(pipe: cl_mem, name: cl_pipe_info) -> Result<Value> {
    PipeInfo(object::<Memory>(pipe)?).info(name)
}

/// `clSetMemObjectDestructorCallback`.
pub(super) fn on_destruction(handle: cl_mem, notify: Notify, data: *mut c_void) -> Result<()> {
    let memory = object::<Memory>(handle)?;
    let notify = notify.ok_or_else(|| Error::value("no callback"))?;
    let (handle, data) = (UserData::new(handle), UserData::new(data));
    // SAFETY: the client gives the function to be called with its data.
    memory.on_destruction(Box::new(move || unsafe { notify(handle.pointer(), data.pointer()) }));
    Ok(())
}

/// `clGetMemObjectInfo`.
pub(super) fn info(memory: cl_mem, name: cl_mem_info) -> Result<Value> {
    object::<Memory>(memory)?.info(name)
}
