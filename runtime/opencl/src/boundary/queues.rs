//! Command queues (section 5.1), and their markers and barriers (section 5.12).

use super::arguments::{Events, exposed, host_queue, object, objects, pairs, put};
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::event::Event;
use crate::handle::Ref;
use crate::info::{Info, Value};
use crate::queue::{self, Enqueue, Place, Queue, Starter};
use opencl_sys::*;

/// `clCreateCommandQueue`.
pub(super) fn create(context: cl_context, device: cl_device_id, bits: cl_command_queue_properties) -> Result<usize> {
    let (context, device) = (object::<Context>(context)?, object::<Device>(device)?);
    exposed(Queue::new(&context, &device, bits, Vec::new()))
}

/// `clCreateCommandQueueWithProperties`, and the same of `cl_khr_create_command_queue`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create_with_properties(
    context: cl_context,
    device: cl_device_id,
    properties: *const cl_queue_properties,
) -> Result<usize> {
    let (context, device) = (object::<Context>(context)?, object::<Device>(device)?);
    // SAFETY: the caller keeps the specification's rules.
    let list = unsafe { pairs(properties) };
    let (mut bits, mut size) = (0, None);
    for [name, value] in list.as_chunks::<2>().0 {
        match u32::try_from(*name) {
            Ok(CL_QUEUE_PROPERTIES) => bits = *value,
            Ok(HINT_OF_PRIORITY | HINT_OF_THROTTLE) => check_hint(*value)?,
            Ok(CL_QUEUE_SIZE) => size = Some(*value),
            _ => return Err(Error::value(format!("queue property {name:#x}"))),
        }
    }
    let on_device = queue::OnDevice::new(bits, size, &device)?;
    exposed(match on_device {
        Some(on_device) => Queue::on_device(&context, &device, bits, list, on_device),
        None => Queue::new(&context, &device, bits, list),
    })
}

/// `clSetDefaultDeviceCommandQueue`.
pub(super) fn set_default(context: cl_context, device: cl_device_id, queue: cl_command_queue) -> Result<()> {
    let (context, device) = (object::<Context>(context)?, object::<Device>(device)?);
    ensure(context.has(&device), CL_INVALID_DEVICE, "the context does not have this device")?;
    ensure(device.has_device_enqueue(), CL_INVALID_OPERATION, "the device has no queues of its own")?;
    let queue = object::<Queue>(queue)?;
    let is_its_own = queue.is_on_device()
        && queue.context().handle() == context.handle()
        && queue.device().handle() == device.handle();
    ensure(is_its_own, CL_INVALID_COMMAND_QUEUE, "not a queue on the device")?;
    queue.make_default();
    Ok(())
}

/// `CL_QUEUE_PRIORITY_KHR`.
const HINT_OF_PRIORITY: u32 = 0x1096;
/// `CL_QUEUE_THROTTLE_KHR`.
const HINT_OF_THROTTLE: u32 = 0x1097;

/// Hints of priority and throttle (`cl_khr_priority_hints`, `cl_khr_throttle_hints`) have the same values. Vulkan's queues are
/// shared by all queues of a device, so they change nothing.
fn check_hint(value: cl_queue_properties) -> Result<()> {
    let known = [CL_QUEUE_PRIORITY_HIGH_KHR, CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PRIORITY_LOW_KHR];
    ensure(known.into_iter().any(|hint| u64::from(hint) == value), CL_INVALID_VALUE, "an unknown hint for a queue")
}

/// `clGetCommandQueueInfo`.
pub(super) fn info(queue: cl_command_queue, name: cl_command_queue_info) -> Result<Value> {
    object::<Queue>(queue)?.info(name)
}

/// `clSetCommandQueueProperty` of OpenCL 1.0, which later versions let fail.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn set_property(
    queue: cl_command_queue,
    _: cl_command_queue_properties,
    _: cl_bool,
    _: *mut cl_command_queue_properties,
) -> Result<()> {
    object::<Queue>(queue)?;
    Err(Error::lacking("changing the properties of a queue"))
}

/// `clFlush`.
pub(super) fn flush(queue: cl_command_queue) -> Result<()> {
    host_queue(queue)?.flush();
    Ok(())
}

/// `clFinish`.
pub(super) fn finish(queue: cl_command_queue) -> Result<()> {
    host_queue(queue)?.finish()
}

/// Enqueues a marker or a barrier.
fn point(queue: &Ref<Queue>, command: cl_command_type, waits: Vec<Ref<Event>>, is_barrier: bool) -> Result<Ref<Event>> {
    let place = match (is_barrier, waits.is_empty()) {
        (true, after_all) => Place::Barrier { after_all },
        (false, true) => Place::AfterAll,
        (false, false) => Place::Anywhere,
    };
    Enqueue { place, ..Enqueue::new(command, waits).by(Starter::Anyone) }.on(queue, queue::marker())
}

/// `clEnqueueMarkerWithWaitList`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn marker(queue: cl_command_queue, events: Events) -> Result<()> {
    let queue = host_queue(queue)?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe { events.finish(&point(&queue, CL_COMMAND_MARKER, events.waits()?, false)?, false) }
}

/// `clEnqueueBarrierWithWaitList`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn barrier(queue: cl_command_queue, events: Events) -> Result<()> {
    let queue = host_queue(queue)?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe { events.finish(&point(&queue, CL_COMMAND_BARRIER, events.waits()?, true)?, false) }
}

/// `clEnqueueMarker`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn old_marker(queue: cl_command_queue, event: *mut cl_event) -> Result<()> {
    let queue = host_queue(queue)?;
    ensure(!event.is_null(), CL_INVALID_VALUE, "nowhere to write the event")?;
    let made = point(&queue, CL_COMMAND_MARKER, Vec::new(), false)?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe { put(event, std::ptr::with_exposed_provenance_mut(made.expose())) };
    Ok(())
}

/// `clEnqueueBarrier`.
pub(super) fn old_barrier(queue: cl_command_queue) -> Result<()> {
    point(&host_queue(queue)?, CL_COMMAND_BARRIER, Vec::new(), true).map(|_| ())
}

/// `clEnqueueWaitForEvents`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn old_wait(queue: cl_command_queue, count: cl_uint, events: *const cl_event) -> Result<()> {
    let queue = host_queue(queue)?;
    ensure(count > 0 && !events.is_null(), CL_INVALID_VALUE, "no events to wait for")?;
    // SAFETY: the caller keeps the specification's rules.
    let events = unsafe { objects(count, events) }?;
    point(&queue, CL_COMMAND_BARRIER, events, true).map(|_| ())
}
