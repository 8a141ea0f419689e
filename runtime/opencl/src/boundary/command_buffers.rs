//! Command buffers (`cl_khr_command_buffer`).

use super::arguments::{Events, exposed, object, objects, pairs};
use super::mutable;
use crate::command_buffer::{CommandBuffer, Usage};
use crate::error::{Error, Result, ensure};
use crate::info::{Info, Value};
use crate::queue::Queue;
use opencl_sys::*;

/// Flags of the extension, and of those that extend it.
const SUPPORTED_FLAGS: cl_command_buffer_flags_khr =
    CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR;
const KNOWN_FLAGS: cl_command_buffer_flags_khr = SUPPORTED_FLAGS | CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;

/// `clCreateCommandBufferKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create(
    count: cl_uint,
    queues: *const cl_command_queue,
    properties: *const cl_command_buffer_properties_khr,
) -> Result<usize> {
    ensure(count == 1 && !queues.is_null(), CL_INVALID_VALUE, "a command buffer has one queue")?;
    // SAFETY: the caller keeps the specification's rules.
    let (queues, list) = unsafe { (objects::<Queue>(count, queues)?, pairs(properties)) };
    let are_of_host = queues.iter().all(|queue| !queue.is_on_device());
    ensure(are_of_host, CL_INVALID_COMMAND_QUEUE, "a command buffer for a queue on the device")?;
    let (mut flags, mut asserts) = (None, None);
    for [name, value] in list.as_chunks::<2>().0 {
        let is_first = match *name {
            CL_COMMAND_BUFFER_FLAGS_KHR => {
                ensure(value & !KNOWN_FLAGS == 0, CL_INVALID_VALUE, "unknown flags of a command buffer")?;
                ensure(value & !SUPPORTED_FLAGS == 0, CL_INVALID_PROPERTY, "flags that the device does not support")?;
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
    let [queue] = queues.as_slice() else { return Err(Error::value("a command buffer has one queue")) };
    exposed(Ok(CommandBuffer::new(queue, list, usage)))
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
    ensure((count == 0) == queues.is_null() && count <= 1, CL_INVALID_VALUE, "a command buffer has one queue")?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let queue = objects::<Queue>(count, queues.cast_const())?.pop();
        events.finish(&buffer.enqueue(queue, events.waits()?)?, false)
    }
}

/// `clGetCommandBufferInfoKHR`.
pub(super) fn info(buffer: cl_command_buffer_khr, name: cl_command_buffer_info_khr) -> Result<Value> {
    object::<CommandBuffer>(buffer)?.info(name)
}
