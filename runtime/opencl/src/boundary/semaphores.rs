//! Semaphores (`cl_khr_semaphore`).

use super::arguments::{Events, exposed, host_queue, object, objects, put};
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::event::Event;
use crate::handle::Ref;
use crate::info::{Info, Value};
use crate::number;
use crate::queue::Queue;
use crate::semaphore::{self, MakeShared, Semaphore};
use crate::shared_semaphore::Shared;
use opencl_sys::*;
use std::ffi::{c_int, c_void};

/// Property names, in the type of the list.
const TYPE: cl_semaphore_properties_khr = CL_SEMAPHORE_TYPE_KHR as cl_semaphore_properties_khr;
const DEVICES: cl_semaphore_properties_khr = CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR as cl_semaphore_properties_khr;

const EXPORTS: cl_semaphore_properties_khr = CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR;
const OPAQUE_FD: cl_semaphore_properties_khr = CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR as cl_semaphore_properties_khr;
const SYNC_FD: cl_semaphore_properties_khr = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR as cl_semaphore_properties_khr;

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

    /// The values up to the zero at the end of a list.
    ///
    /// # Safety
    /// The list has a list as its next value.
    unsafe fn take_list(&mut self) -> Vec<cl_semaphore_properties_khr> {
        // SAFETY: the caller's promise.
        std::iter::from_fn(|| Some(unsafe { self.take() }).filter(|value| *value != 0)).collect()
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
    let (mut has_type, mut devices, mut handle, mut exports) = (false, None, None, None);
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
                let handles = unsafe { list.take_list() }.into_iter().map(number::size);
                devices = Some(handles.map(crate::handle::find::<Device>).collect::<Result<Vec<_>>>()?);
            }
            // SAFETY: this value is such a list, too.
            EXPORTS if exports.is_none() => exports = Some(unsafe { list.take_list() }),
            // SAFETY: a name has a value.
            name @ (OPAQUE_FD | SYNC_FD) if handle.is_none() => handle = Some((name, unsafe { list.take() })),
            name => return Err(Error::new(CL_INVALID_PROPERTY, format!("semaphore property {name:#x}"))),
        }
    }
    ensure(has_type, CL_INVALID_VALUE, "a semaphore without a type")?;
    let device = devices.map(one_device).transpose()?;
    // SAFETY: the caller keeps the specification's rules.
    let make_shared = unsafe { sharing(handle, exports.unwrap_or_default()) }?;
    exposed(Semaphore::new(&context, device, list.read, make_shared))
}

/// How a semaphore is shared, by a handle with its kind, and the kinds of handles to export.
///
/// # Safety
/// The handle is one of a semaphore of its kind, and of this driver and device if it is opaque.
unsafe fn sharing(
    handle: Option<(cl_semaphore_properties_khr, cl_semaphore_properties_khr)>,
    exports: Vec<cl_semaphore_properties_khr>,
) -> Result<Option<MakeShared>> {
    let kind = |kind| cl_external_semaphore_handle_type_khr::try_from(kind).unwrap_or_default();
    match (handle, &exports[..]) {
        (None, []) => Ok(None),
        (None, [only]) => {
            let kind = kind(*only);
            Ok(Some(Box::new(move |device| Shared::exported(device, kind))))
        }
        (None, _) => Err(Error::value("several kinds of handles to export")),
        (Some((name, value)), []) => {
            // An `int`, of which some clients extend the sign.
            let (kind, descriptor) = (kind(name), low_bits(value));
            // SAFETY: the caller's promise.
            Ok(Some(Box::new(move |device| unsafe { Shared::imported(device, kind, descriptor) })))
        }
        (Some(_), _) => Err(Error::new(CL_INVALID_OPERATION, "a semaphore that is imported cannot be exported")),
    }
}

/// The `int` that a property was made from.
fn low_bits(value: cl_semaphore_properties_khr) -> i32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
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

/// `clGetSemaphoreHandleForTypeKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn handle_for_type(
    semaphore: cl_semaphore_khr,
    device: cl_device_id,
    handle_type: cl_external_semaphore_handle_type_khr,
    size: usize,
    place: *mut c_void,
    size_needed: *mut usize,
) -> Result<()> {
    let semaphore = object::<Semaphore>(semaphore)?;
    let device = object::<Device>(device)?;
    let shared = semaphore.to_export(&device, handle_type)?;
    if !place.is_null() {
        ensure(size >= size_of::<i32>(), CL_INVALID_VALUE, "no room for a file descriptor")?;
        // SAFETY: the caller keeps the specification's rules.
        unsafe { put(place.cast(), shared.export()?) };
    }
    // SAFETY: as above.
    unsafe { put(size_needed, size_of::<i32>()) };
    Ok(())
}

/// `clReImportSemaphoreSyncFdKHR`, which has no properties.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn import_again(
    semaphore: cl_semaphore_khr,
    properties: *const cl_semaphore_reimport_properties_khr,
    descriptor: c_int,
) -> Result<()> {
    let semaphore = object::<Semaphore>(semaphore)?;
    // SAFETY: the caller keeps the specification's rules: it is null, or a list that ends with a zero.
    let is_empty = properties.is_null() || unsafe { properties.read_unaligned() } == 0;
    ensure(is_empty, CL_INVALID_VALUE, "unknown properties")?;
    let none = || Error::new(CL_INVALID_SEMAPHORE_KHR, "the semaphore was not imported");
    // SAFETY: as above.
    unsafe { semaphore.shared().ok_or_else(none)?.import_again(descriptor) }
}
