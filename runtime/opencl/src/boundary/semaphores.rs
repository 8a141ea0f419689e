//! Semaphores (`cl_khr_semaphore`).

use super::arguments::{Events, exposed, host_queue, object, objects};
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::event::Event;
use crate::handle::Ref;
use crate::info::{Info, Value};
use crate::number;
use crate::queue::Queue;
use crate::semaphore::{self, Semaphore};
use opencl_sys::*;
use std::ffi::c_void;

/// Property names, in the type of the list.
const TYPE: cl_semaphore_properties_khr = CL_SEMAPHORE_TYPE_KHR as cl_semaphore_properties_khr;
const DEVICES: cl_semaphore_properties_khr = CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR as cl_semaphore_properties_khr;

/// Reads the values of a list up to its end.
struct Reader {
    next: *const cl_semaphore_properties_khr,
    read: Vec<cl_semaphore_properties_khr>,
}

impl Reader {
    /// The next value, or the zero at the end of a list.
    ///
    /// # Safety
    /// The list has another value.
    unsafe fn take(&mut self) -> cl_semaphore_properties_khr {
        // SAFETY: the caller's promise.
        let value = unsafe { self.next.read_unaligned() };
        self.next = self.next.wrapping_add(1);
        self.read.push(value);
        value
    }
}

/// `clCreateSemaphoreWithPropertiesKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create(context: cl_context, properties: *const cl_semaphore_properties_khr) -> Result<usize> {
    let context = object::<Context>(context)?;
    ensure(!properties.is_null(), CL_INVALID_VALUE, "no properties")?;
    let mut list = Reader { next: properties, read: Vec::new() };
    let (mut has_type, mut devices) = (false, None);
    loop {
        // SAFETY: the caller keeps the specification's rules: no name so far was zero, so there is another or the end.
        match unsafe { list.take() } {
            0 => break,
            TYPE if !has_type => {
                has_type = true;
                // SAFETY: a name has a value.
                semaphore::check_type(unsafe { list.take() })?;
            }
            DEVICES if devices.is_none() => {
                // SAFETY: this value is a list, which ends with a zero.
                let handles = std::iter::from_fn(|| Some(unsafe { list.take() }).filter(|handle| *handle != 0));
                let handles: Vec<usize> = handles.map(number::size).collect();
                let found = handles.into_iter().map(crate::handle::find::<Device>).collect::<Result<Vec<_>>>()?;
                devices = Some(found);
            }
            name => return Err(Error::new(CL_INVALID_PROPERTY, format!("semaphore property {name:#x}"))),
        }
    }
    ensure(has_type, CL_INVALID_VALUE, "a semaphore without a type")?;
    let device = devices.map(one_device).transpose()?;
    exposed(Semaphore::new(&context, device, list.read))
}

fn one_device(devices: Vec<Ref<Device>>) -> Result<Ref<Device>> {
    let devices: [Ref<Device>; 1] = devices.try_into().map_err(|_| Error::new(CL_INVALID_DEVICE, "not one device"))?;
    let [device] = devices;
    Ok(device)
}

/// Enqueues a wait for semaphores, or their signal, after events.
type Command = fn(&Ref<Queue>, &[Ref<Semaphore>], Vec<Ref<Event>>) -> Result<Ref<Event>>;

/// Enqueues a command on semaphores. Binary ones have no payloads that a client could give.
///
/// # Safety
/// As for the functions of the API.
unsafe fn enqueue(
    queue: cl_command_queue,
    count: cl_uint,
    semaphores: *const cl_semaphore_khr,
    events: Events,
    command: Command,
) -> Result<()> {
    let queue = host_queue(queue)?;
    // SAFETY: the caller's promise.
    unsafe { events.finish(&command(&queue, &objects(count, semaphores)?, events.waits()?)?, false) }
}

/// `clEnqueueWaitSemaphoresKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn wait(
    queue: cl_command_queue,
    count: cl_uint,
    semaphores: *const cl_semaphore_khr,
    _: *const cl_semaphore_payload_khr,
    events: Events,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe { enqueue(queue, count, semaphores, events, semaphore::wait) }
}

/// `clEnqueueSignalSemaphoresKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn signal(
    queue: cl_command_queue,
    count: cl_uint,
    semaphores: *const cl_semaphore_khr,
    _: *const cl_semaphore_payload_khr,
    events: Events,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe { enqueue(queue, count, semaphores, events, semaphore::signal) }
}

/// `clGetSemaphoreInfoKHR`.
pub(super) fn info(semaphore: cl_semaphore_khr, name: cl_semaphore_info_khr) -> Result<Value> {
    object::<Semaphore>(semaphore)?.info(name)
}

/// `clGetSemaphoreHandleForTypeKHR`, which clients of `cl_khr_semaphore` may look up though no semaphore can be exported: the
/// type of handle was not given when it was created.
pub(super) fn handle_for_type(
    semaphore: cl_semaphore_khr,
    device: cl_device_id,
    handle_type: cl_external_semaphore_handle_type_khr,
    _: usize,
    _: *mut c_void,
    _: *mut usize,
) -> Result<()> {
    object::<Semaphore>(semaphore)?;
    object::<Device>(device)?;
    Err(Error::value(format!("the semaphore has no handle of type {handle_type:#x}")))
}
