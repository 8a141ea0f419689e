//! Command buffers (`cl_khr_command_buffer`).

use super::arguments::{Events, exposed, object, objects, pairs, pointer, put};
use super::mutable;
use crate::command_buffer::{CommandBuffer, Dispatch, Usage};
use crate::error::{Error, Result, ensure};
use crate::info::{Info, Value};
use crate::queue::Queue;
use opencl_sys::*;

/// Flags of the extension, and of those that extend it.
const KNOWN_FLAGS: cl_command_buffer_flags_khr =
    CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;

/// `clCreateCommandBufferKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create(
    count: cl_uint,
    queues: *const cl_command_queue,
    properties: *const cl_command_buffer_properties_khr,
) -> Result<usize> {
    ensure(count > 0 && !queues.is_null(), CL_INVALID_VALUE, "a command buffer without queues")?;
    // SAFETY: the caller keeps the specification's rules.
    let (queues, list) = unsafe { (objects::<Queue>(count, queues)?, pairs(properties)) };
    let (mut flags, mut asserts) = (None, None);
    for [name, value] in list.as_chunks::<2>().0 {
        let is_first = match *name {
            CL_COMMAND_BUFFER_FLAGS_KHR => {
                ensure(value & !KNOWN_FLAGS == 0, CL_INVALID_VALUE, "unknown flags of a command buffer")?;
                flags.replace(*value).is_none()
            }
            mutable::CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR => {
                mutable::check_asserts(*value)?;
                asserts.replace(*value).is_none()
            }
            _ => return Err(Error::value("an unknown property of a command buffer")),
        };
        ensure(is_first, CL_INVALID_VALUE, "a property of a command buffer twice")?;
    }
    let has = |flag| flags.is_some_and(|flags| flags & flag != 0);
    let usage = Usage {
        is_mutable: has(CL_COMMAND_BUFFER_MUTABLE_KHR),
        keeps_work_groups: asserts.is_some_and(|asserts| asserts != 0),
        is_ordered_by_devices: has(CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR),
    };
    exposed(CommandBuffer::new(queues, list, usage))
}

/// `clFinalizeCommandBufferKHR`.
pub(super) fn finalize(buffer: cl_command_buffer_khr) -> Result<()> {
    object::<CommandBuffer>(buffer)?.finalize()
}

/// `clEnqueueCommandBufferKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn enqueue(
    count: cl_uint,
    queues: *mut cl_command_queue,
    buffer: cl_command_buffer_khr,
    events: Events,
) -> Result<()> {
    let buffer = object::<CommandBuffer>(buffer)?;
    ensure((count == 0) == queues.is_null(), CL_INVALID_VALUE, "queues without their number, or the other way round")?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let given = if count == 0 { None } else { Some(objects::<Queue>(count, queues.cast_const())?) };
        events.finish(&buffer.enqueue(given, events.waits()?)?, false)
    }
}

/// `clRemapCommandBufferKHR`.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn remap(
    buffer: cl_command_buffer_khr,
    automatic: cl_bool,
    count: cl_uint,
    queues: *mut cl_command_queue,
    handle_count: cl_uint,
    handles: *const cl_mutable_command_khr,
    remapped: *mut cl_mutable_command_khr,
) -> Result<usize> {
    let buffer = object::<CommandBuffer>(buffer)?;
    ensure(count > 0 && !queues.is_null(), CL_INVALID_VALUE, "no queues")?;
    let whole = [handles.is_null(), remapped.is_null()] == [handle_count == 0; 2];
    ensure(whole, CL_INVALID_VALUE, "handles without their number, or the other way round")?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let queues = objects::<Queue>(count, queues.cast_const())?;
        let launches = objects::<Dispatch>(handle_count, handles).map_err(|error| error.with_code(CL_INVALID_VALUE))?;
        let (copy, copies) = buffer.remapped(queues, automatic != CL_FALSE, &launches)?;
        for (at, copy) in copies.iter().enumerate() {
            put(remapped.add(at), pointer(copy));
        }
        exposed(Ok(copy))
    }
}

/// `clGetCommandBufferInfoKHR`.
pub(super) fn info(buffer: cl_command_buffer_khr, name: cl_command_buffer_info_khr) -> Result<Value> {
    object::<CommandBuffer>(buffer)?.info(name)
}
