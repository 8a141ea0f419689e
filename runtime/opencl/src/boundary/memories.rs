//! Buffers and what memory objects have in common (sections 5.2 and 5.5).

use super::arguments::{Events, UserData, exposed, host_queue, memory, object};
use super::callbacks::Notify;
use crate::commands;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::external::External;
use crate::handle::{self, Ref};
use crate::info::{Info, Value};
use crate::memory::{Flags, Memory, MemoryProperties, PipeInfo};
use crate::number;
use opencl_sys::*;
use std::ffi::c_void;

/// Property names, in the type of the list.
const OPAQUE_FD: cl_mem_properties = CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR as cl_mem_properties;
const CHANNEL: cl_mem_properties = CL_MEM_CHANNEL_INTEL as cl_mem_properties;
const DMA_BUF: cl_mem_properties = CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR as cl_mem_properties;

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
    let properties = unsafe { self::properties(&context, properties) }?;
    let flags = Flags::of_buffer(flags, !host.is_null(), properties.external.is_some())?;
    check_external(&properties, flags)?;
    // SAFETY: as above; the memory of `CL_MEM_USE_HOST_PTR` is the object's as long as it lives.
    let host = if host.is_null() { None } else { Some(unsafe { memory(host, size) }?) };
    exposed(Memory::buffer(&context, flags, size, host, properties))
}

/// Checks that an object of external memory has none of the host.
///
/// # Errors
/// `CL_INVALID_VALUE`.
pub(super) fn check_external(properties: &MemoryProperties, flags: Flags) -> Result<()> {
    let host = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR | CL_MEM_FORCE_HOST_MEMORY_INTEL;
    let is_free = properties.external.is_none() || !flags.has(host);
    ensure(is_free, CL_INVALID_VALUE, "memory of the host for an object of external memory")
}

/// Reads the properties of a new memory object. Nothing is read behind an unknown name.
///
/// # Safety
/// `values` is null or leads to a list that ends with a zero.
///
/// # Errors
/// `CL_INVALID_PROPERTY`, `CL_INVALID_DEVICE`.
pub(super) unsafe fn properties(context: &Ref<Context>, values: *const cl_mem_properties) -> Result<MemoryProperties> {
    let mut list: Vec<cl_mem_properties> = Vec::new();
    let (mut address, mut handle, mut devices) = (None, None, None);
    let (mut channel, mut location) = (None, None);
    // SAFETY: the caller's promise: the list has another value as long as no name was zero.
    let mut take = || unsafe {
        let value = values.add(list.len()).read_unaligned();
        list.push(value);
        value
    };
    while !values.is_null() {
        match take() {
            0 => break,
            CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT if address.is_none() => address = Some(take()),
            CL_MEM_DEVICE_HANDLE_LIST_KHR if devices.is_none() => {
                let handles =
                    std::iter::from_fn(|| Some(take()).filter(|handle| *handle != CL_MEM_DEVICE_HANDLE_LIST_END_KHR));
                devices = Some(
                    handles.map(|handle| handle::find::<Device>(number::size(handle))).collect::<Result<Vec<_>>>()?,
                );
            }
            // A hint that may be ignored.
            CHANNEL if channel.is_none() => channel = Some(take()),
            CL_MEM_ALLOC_BUFFER_LOCATION_INTEL if location.is_none() => location = Some(take()),
            name @ (OPAQUE_FD | DMA_BUF) if handle.is_none() => handle = Some((name, take())),
            name => {
                return Err(Error::new(
                    CL_INVALID_PROPERTY,
                    format!("{name:#x}: an unknown property, or one given twice"),
                ));
            }
        }
    }
    ensure(address.is_none_or(|value| value <= 1), CL_INVALID_PROPERTY, "not a truth value")?;
    ensure(location.is_none_or(|value| value == 0), CL_INVALID_PROPERTY, "the device has one location of memory, 0")?;
    ensure(handle.is_some() || devices.is_none(), CL_INVALID_PROPERTY, "devices without external memory")?;
    let external = handle.map(|(kind, value)| {
        let kind = cl_external_memory_handle_type_khr::try_from(kind).unwrap_or_default();
        let descriptor = i32::try_from(value).unwrap_or(-1);
        // SAFETY: the caller keeps the rules of the extension.
        unsafe { External::new(context, kind, descriptor, devices.take()) }
    });
    let is_located = channel.is_some() || location.is_some();
    Ok(MemoryProperties { is_addressed: address == Some(1), is_located, external: external.transpose()?, list })
}

/// A command that hands memory over to the driver, or back.
///
/// # Safety
/// As for the functions of the API.
unsafe fn hand_over(
    queue: cl_command_queue,
    count: cl_uint,
    objects: *const cl_mem,
    command: cl_command_type,
    events: Events,
) -> Result<()> {
    let queue = host_queue(queue)?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let memories = super::arguments::objects::<Memory>(count, objects)?;
        let event = commands::hand_over(&queue, &memories, command, events.waits()?)?;
        events.finish(&event, false)
    }
}

/// `clEnqueueAcquireExternalMemObjectsKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn acquire(
    queue: cl_command_queue,
    count: cl_uint,
    objects: *const cl_mem,
    events: Events,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe { hand_over(queue, count, objects, CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR, events) }
}

/// `clEnqueueReleaseExternalMemObjectsKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn give_back(
    queue: cl_command_queue,
    count: cl_uint,
    objects: *const cl_mem,
    events: Events,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe { hand_over(queue, count, objects, CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR, events) }
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

/// `clSetContentSizeBufferPoCL` (`cl_pocl_content_size`): a hint, after which whole buffers are copied between devices as before.
pub(super) fn set_content_size(buffer: cl_mem, content_size: cl_mem) -> Result<()> {
    let (buffer, content_size) = (object::<Memory>(buffer)?, object::<Memory>(content_size)?);
    let are_buffers = buffer.is_buffer() && content_size.is_buffer();
    ensure(are_buffers, CL_INVALID_VALUE, "the size of the contents of what is no buffer, or in no buffer")?;
    ensure(content_size.size() >= size_of::<u64>(), CL_INVALID_VALUE, "no room for a size")?;
    let same = buffer.context().handle() == content_size.context().handle();
    ensure(same, CL_INVALID_CONTEXT, "buffers of different contexts")
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
