//! Command buffers (`cl_khr_command_buffer`).

use super::arguments::{Events, exposed, object, objects, pairs};
use super::mutable;
use crate::command_buffer::{CommandBuffer, Usage};
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
    let are_of_host = queues.iter().all(|queue| !queue.is_on_device());
    ensure(are_of_host, CL_INVALID_COMMAND_QUEUE, "a command buffer for a queue on the device")?;
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
    let usage = Usage {
        is_mutable: flags.is_some_and(|flags| flags & CL_COMMAND_BUFFER_MUTABLE_KHR != 0),
        keeps_work_groups: asserts.is_some_and(|asserts| asserts != 0),
    };
    let stays_on_device = flags.is_some_and(|flags| flags & CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR != 0);
    // The host orders commands of different queues (`CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR`).
    let can = !stays_on_device || queues.len() == 1;
    ensure(can, CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, "queues that the devices do not order by themselves")?;
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

/// `clRemapCommandBufferKHR`: the platform does not report that it can.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn remap(
    buffer: cl_command_buffer_khr,
    _: cl_bool,
    count: cl_uint,
    queues: *mut cl_command_queue,
    handle_count: cl_uint,
    handles: *const cl_mutable_command_khr,
    remapped: *mut cl_mutable_command_khr,
) -> Result<usize> {
    object::<CommandBuffer>(buffer)?;
    ensure(count > 0 && !queues.is_null(), CL_INVALID_VALUE, "no queues")?;
    let whole = [handles.is_null(), remapped.is_null()] == [handle_count == 0; 2];
    ensure(whole, CL_INVALID_VALUE, "handles without their number, or the other way round")?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe { objects::<Queue>(count, queues.cast_const()) }?;
    Err(Error::lacking("command buffers for other queues than they were recorded for"))
}

/// `clGetCommandBufferInfoKHR`.
pub(super) fn info(buffer: cl_command_buffer_khr, name: cl_command_buffer_info_khr) -> Result<Value> {
    object::<CommandBuffer>(buffer)?.info(name)
}
