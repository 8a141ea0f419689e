//! Reads and writes through the client's pointers.

use crate::client::ClientMemory;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::event::Event;
use crate::handle::{self, Kind, Object, Ref};
use crate::kernel::Argument;
use crate::number;
use crate::queue::Queue;
use opencl_sys::*;
use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

/// The object of a handle.
///
/// # Errors
/// [`Kind::INVALID`].
pub(super) fn object<T: Kind>(handle: *mut c_void) -> Result<Ref<T>> {
    handle::find(handle.addr())
}

/// The object of a handle; `None` for null.
///
/// # Errors
/// [`Kind::INVALID`].
pub(super) fn optional<T: Kind>(handle: *mut c_void) -> Result<Option<Ref<T>>> {
    if handle.is_null() { Ok(None) } else { object(handle).map(Some) }
}

/// Writes a value to a place that may be null.
///
/// # Safety
/// `place` is null or may be written.
pub(super) unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the caller's promise. The client's pointers may be less aligned than Rust's.
        unsafe { place.write_unaligned(value) };
    }
}

/// `count` values at a pointer, which is null for none; both or neither must be given.
///
/// # Safety
/// `values` is null or has so many values.
///
/// # Errors
/// `CL_INVALID_VALUE`.
pub(super) unsafe fn list<T: Copy>(count: usize, values: *const T) -> Result<Vec<T>> {
    ensure((count == 0) == values.is_null(), CL_INVALID_VALUE, "a number without a list, or a list without a number")?;
    // SAFETY: the caller's promise.
    Ok((0..count).map(|at| unsafe { values.add(at).read_unaligned() }).collect())
}

/// The objects of a list of handles.
///
/// # Safety
/// As for [`list`].
///
/// # Errors
/// `CL_INVALID_VALUE`, [`Kind::INVALID`].
pub(super) unsafe fn objects<T: Kind>(count: cl_uint, handles: *const *mut c_void) -> Result<Vec<Ref<T>>> {
    // SAFETY: the caller's promise.
    unsafe { list(count as usize, handles) }?.into_iter().map(object).collect()
}

/// A list that ends with a zero, of pairs of a name and a value, and with the zero; empty where none is given.
///
/// # Safety
/// `values` is null or leads to a list that ends so.
pub(super) unsafe fn pairs<T: Copy + Default + PartialEq>(values: *const T) -> Vec<T> {
    let mut list = Vec::new();
    while !values.is_null() {
        // SAFETY: no name so far was zero, so there is another pair or the end.
        let name = unsafe { values.add(list.len()).read_unaligned() };
        list.push(name);
        if name == T::default() {
            break;
        }
        // SAFETY: a name has a value.
        list.push(unsafe { values.add(list.len()).read_unaligned() });
    }
    list
}

/// Three sizes.
///
/// # Safety
/// `sizes` is null or has three values.
///
/// # Errors
/// `CL_INVALID_VALUE` for null.
pub(super) unsafe fn triple(sizes: *const usize) -> Result<[usize; 3]> {
    ensure(!sizes.is_null(), CL_INVALID_VALUE, "no origin or region")?;
    // SAFETY: the caller's promise.
    Ok(std::array::from_fn(|d| unsafe { sizes.add(d).read_unaligned() }))
}

/// A string that ends with a zero; empty for null. Bytes that are not UTF-8 are replaced.
///
/// # Safety
/// `text` is null or such a string.
pub(super) unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Bytes of the client's that a command reads or writes.
///
/// # Safety
/// As for [`ClientMemory::new`], or `pointer` is null.
///
/// # Errors
/// `CL_INVALID_VALUE` for null.
pub(super) unsafe fn memory(pointer: *const c_void, size: usize) -> Result<ClientMemory> {
    ensure(!pointer.is_null(), CL_INVALID_VALUE, "no pointer to the host's memory")?;
    // SAFETY: the caller's promise.
    Ok(unsafe { ClientMemory::new(pointer.cast(), size) })
}

/// Bytes of the client's that the function itself reads.
///
/// # Safety
/// `pointer` is null, or has `size` bytes that stay as they are while the function uses them.
///
/// # Errors
/// `CL_INVALID_VALUE` for null, and for more bytes than an object can have.
pub(super) unsafe fn bytes<'a>(pointer: *const c_void, size: usize) -> Result<&'a [u8]> {
    ensure(!pointer.is_null(), CL_INVALID_VALUE, "no pointer to the host's memory")?;
    ensure(isize::try_from(size).is_ok(), CL_INVALID_VALUE, "more bytes than memory has")?;
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(pointer.cast(), size) })
}

/// Writes the value of a query.
///
/// # Safety
/// `place` is null or has `size` bytes that may be written; `size_needed` is null or may be written.
///
/// # Errors
/// `CL_INVALID_VALUE` if the place is too small.
pub(super) unsafe fn write_bytes(value: &[u8], size: usize, place: *mut c_void, size_needed: *mut usize) -> Result<()> {
    if !place.is_null() {
        ensure(size >= value.len(), CL_INVALID_VALUE, "no room for the value")?;
        // SAFETY: the place has so many bytes.
        unsafe { place.cast::<u8>().copy_from_nonoverlapping(value.as_ptr(), value.len()) };
    }
    // SAFETY: the caller's promise.
    unsafe { put(size_needed, value.len()) };
    Ok(())
}

/// Writes a list of which the client may want the first `room` values, and their number.
///
/// # Safety
/// `places` is null or has room for `room` values; `count` is null or may be written.
///
/// # Errors
/// `CL_INVALID_VALUE` for a list without room, or where nothing is wanted.
pub(super) unsafe fn write_list<T: Copy>(
    values: &[T],
    room: cl_uint,
    places: *mut T,
    count: *mut cl_uint,
) -> Result<()> {
    let is_fit = places.is_null() || room > 0;
    ensure(is_fit && !(places.is_null() && count.is_null()), CL_INVALID_VALUE, "nowhere to write a list")?;
    for (at, value) in values.iter().take(room as usize).enumerate().filter(|_| !places.is_null()) {
        // SAFETY: the places have room for so many values.
        unsafe { places.add(at).write_unaligned(*value) };
    }
    // SAFETY: the caller's promise.
    unsafe { put(count, number::count(values.len())) };
    Ok(())
}

/// The last three parameters of functions that enqueue: the wait list, and where the event goes.
#[derive(Clone, Copy)]
pub(super) struct Events {
    pub count: cl_uint,
    pub waits: *const cl_event,
    pub event: *mut cl_event,
}

impl Events {
    /// The events to wait for.
    ///
    /// # Safety
    /// `waits` is null or has `count` handles.
    ///
    /// # Errors
    /// `CL_INVALID_EVENT_WAIT_LIST`, `CL_INVALID_EVENT` for that of a fence of OpenGL.
    pub unsafe fn waits(self) -> Result<Vec<Ref<Event>>> {
        // SAFETY: the caller's promise.
        let events = unsafe { self.all_waits() }?;
        let may = events.iter().all(|event| !event.is_of_fence());
        ensure(may, CL_INVALID_EVENT, "a command that does not acquire objects cannot wait for a fence of OpenGL")?;
        Ok(events)
    }

    /// The same with those of fences of OpenGL.
    ///
    /// # Safety
    /// As for [`Events::waits`].
    ///
    /// # Errors
    /// `CL_INVALID_EVENT_WAIT_LIST`.
    pub unsafe fn all_waits(self) -> Result<Vec<Ref<Event>>> {
        // SAFETY: the caller's promise.
        let events = unsafe { objects(self.count, self.waits) };
        events.map_err(|error: Error| error.with_code(CL_INVALID_EVENT_WAIT_LIST))
    }

    /// Gives the client the event of the command, if it wants it, and waits for it if the call is blocking.
    ///
    /// # Safety
    /// `event` is null or may be written.
    ///
    /// # Errors
    /// The status of a command that has failed.
    pub unsafe fn finish(self, event: &Ref<Event>, is_blocking: bool) -> Result<()> {
        let status = if is_blocking { event.wait() } else { CL_COMPLETE };
        if status < CL_COMPLETE {
            return Err(Error::new(status, "the command has failed"));
        }
        if !self.event.is_null() {
            // SAFETY: the caller's promise.
            unsafe { put(self.event, std::ptr::with_exposed_provenance_mut(event.expose())) };
        }
        Ok(())
    }
}

/// A handle for the client, which gets a reference.
pub(super) fn exposed<T: Kind>(made: Result<Ref<T>>) -> Result<usize> {
    Ok(made?.expose())
}

/// The queue of a handle for commands of the host.
///
/// # Errors
/// `CL_INVALID_COMMAND_QUEUE`, also for a queue on the device.
pub(super) fn host_queue(handle: cl_command_queue) -> Result<Ref<Queue>> {
    let queue = object::<Queue>(handle)?;
    ensure(!queue.is_on_device(), CL_INVALID_COMMAND_QUEUE, "a command of the host for a queue on the device")?;
    Ok(queue)
}

/// The queue of a handle, whose device has shared memory.
pub(super) fn shared_queue(handle: cl_command_queue) -> Result<Ref<Queue>> {
    let queue = host_queue(handle)?;
    check_sharing(queue.device())?;
    Ok(queue)
}

/// Whether a device has shared memory.
///
/// # Errors
/// `CL_INVALID_OPERATION`.
pub(super) fn check_sharing(device: &Device) -> Result<()> {
    if device.has_shared_memory() { Ok(()) } else { Err(Error::lacking("shared virtual memory")) }
}

/// The argument that a pointer is: null, a part of an allocation, or an address that the kernel may follow.
pub(super) fn pointer_argument(context: &Context, pointer: *const c_void) -> Argument {
    match context.shared().find(pointer.addr()) {
        _ if pointer.is_null() => Argument::Buffer(None),
        Some(range) => Argument::Shared(range),
        None => Argument::Address(pointer.addr() as u64),
    }
}

/// An object's handle as a pointer, without a reference.
pub(super) fn pointer<T: Kind>(object: &Arc<Object<T>>) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(object.handle())
}

/// The address of the client's data for a callback, which another thread may call.
#[derive(Clone, Copy)]
pub(super) struct UserData(pub usize);

impl UserData {
    /// Remembers a pointer.
    pub fn new(pointer: *mut c_void) -> UserData {
        UserData(pointer.expose_provenance())
    }

    /// The pointer.
    pub fn pointer(self) -> *mut c_void {
        std::ptr::with_exposed_provenance_mut(self.0)
    }
}
