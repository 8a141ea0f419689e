//! Unified shared memory (`cl_intel_unified_shared_memory`).

use super::arguments::{
    Events, check_sharing, list, memory, object, optional, pairs, pointer_argument, shared_queue, write_bytes,
};
use super::buffers::pattern as pattern_of;
use crate::commands;
use crate::context::Context;
use crate::device::{Device, Sharing};
use crate::error::{Error, Result, ensure};
use crate::handle::Ref;
use crate::info::{Value, unknown};
use crate::kernel::{Kernel, Parameter};
use crate::queue::Queue;
use crate::shared::{SharedMemory, Unified};
use opencl_sys::*;
use std::ffi::c_void;

/// How often an allocation is tried where those of other devices have its addresses.
const TRIES: usize = 4;

const PLACEMENT: cl_mem_alloc_flags_intel =
    CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

/// Sizes and properties of an allocation, as the client gives them.
struct Wanted {
    properties: *const cl_mem_properties_intel,
    size: usize,
    alignment: cl_uint,
}

impl Wanted {
    /// The flags among the properties.
    ///
    /// # Safety
    /// The properties are null or end with a zero.
    ///
    /// # Errors
    /// `CL_INVALID_PROPERTY`.
    unsafe fn flags(&self, kind: cl_unified_shared_memory_type_intel) -> Result<cl_mem_alloc_flags_intel> {
        // SAFETY: the caller's promise.
        let given = unsafe { pairs(self.properties) };
        let invalid = |what: &str| Err(Error::new(CL_INVALID_PROPERTY, what.to_string()));
        let (mut flags, mut location) = (None, None);
        for [name, value] in given.as_chunks::<2>().0 {
            let place = match *name {
                CL_MEM_ALLOC_FLAGS_INTEL => &mut flags,
                CL_MEM_ALLOC_BUFFER_LOCATION_INTEL => &mut location,
                _ => return invalid("an unknown property"),
            };
            ensure(place.replace(*value).is_none(), CL_INVALID_PROPERTY, "a property twice")?;
        }
        ensure(
            location.is_none_or(|value| value == 0),
            CL_INVALID_PROPERTY,
            "the device has one location of memory, 0",
        )?;
        let flags = flags.unwrap_or(0);
        if flags & !(CL_MEM_ALLOC_WRITE_COMBINED_INTEL | PLACEMENT) != 0 {
            return invalid("unknown flags");
        }
        match flags & PLACEMENT {
            0 => Ok(flags),
            PLACEMENT => invalid("memory that is placed at first on the host, and on the device"),
            _ if kind == CL_MEM_TYPE_SHARED_INTEL => Ok(flags),
            _ => invalid("a first place of memory that is not shared"),
        }
    }

    /// Allocates memory on a device.
    ///
    /// # Safety
    /// The properties are null or end with a zero.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`, `CL_INVALID_PROPERTY`, `CL_INVALID_BUFFER_SIZE`, `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
    unsafe fn allocate(&self, context: &Context, device: &Device, unified: Unified) -> Result<usize> {
        let alignment = self.alignment as usize;
        ensure(
            is_alignment(alignment),
            CL_INVALID_VALUE,
            "an alignment that is no power of two, or larger than every type",
        )?;
        // SAFETY: the caller's promise.
        let flags = unsafe { self.flags(unified.kind)? };
        let is_in_place = unified.kind != CL_MEM_TYPE_DEVICE_INTEL;
        allocate(context, device, self.size, is_in_place, |memory| memory.with_unified(Unified { flags, ..unified }))
    }
}

/// Whether memory can be aligned to so many bytes; zero leaves it to the driver.
pub(super) fn is_alignment(bytes: usize) -> bool {
    bytes == 0 || bytes.is_power_of_two() && bytes <= Device::PART_ALIGNMENT
}

/// Allocates memory on a device, or that the host and the device use in place, and adds it to a context as `kind` says.
///
/// # Errors
/// `CL_INVALID_BUFFER_SIZE`, `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
pub(super) fn allocate(
    context: &Context,
    device: &Device,
    size: usize,
    is_in_place: bool,
    kind: impl Fn(SharedMemory) -> SharedMemory,
) -> Result<usize> {
    let fits = size > 0 && size as u64 <= device.max_allocation();
    ensure(fits, CL_INVALID_BUFFER_SIZE, "no bytes, or more than the device can have in an allocation")?;
    let opened = device.open()?;
    // Memory that was tried is kept, so that the next one is elsewhere.
    let mut made = Vec::new();
    while made.len() < TRIES {
        let memory = match is_in_place {
            false => SharedMemory::new(&opened, size, Device::PART_ALIGNMENT),
            true => SharedMemory::in_place(&opened, size, Device::PART_ALIGNMENT),
        };
        let memory = memory.map_err(|error| error.with_code(CL_MEM_OBJECT_ALLOCATION_FAILURE))?;
        match context.shared().add(kind(memory)) {
            Ok(address) => return Ok(address),
            Err(taken) => made.push(taken),
        }
    }
    Err(Error::new(CL_MEM_OBJECT_ALLOCATION_FAILURE, "other devices' memory has the same addresses"))
}

/// The only device of a context, if its memory is the host's, too.
///
/// # Errors
/// `CL_INVALID_OPERATION`.
pub(super) fn host_device(context: &Context) -> Result<&Ref<Device>> {
    match context.devices() {
        [device] if device.sharing() >= Sharing::Placed => Ok(device),
        _ => Err(Error::lacking("memory that the host and all devices share")),
    }
}

/// The device of a handle, which must be one of the context.
pub(super) fn device_of(context: &Context, device: Ref<Device>) -> Result<Ref<Device>> {
    ensure(context.has(&device), CL_INVALID_DEVICE, "the device is not one of the context")?;
    Ok(device)
}

/// `clHostMemAllocINTEL`.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn allocate_host(
    context: cl_context,
    properties: *const cl_mem_properties_intel,
    size: usize,
    alignment: cl_uint,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    let device = host_device(&context)?;
    let unified = Unified { kind: CL_MEM_TYPE_HOST_INTEL, device: 0, flags: 0 };
    // SAFETY: the caller keeps the specification's rules.
    unsafe { Wanted { properties, size, alignment }.allocate(&context, device, unified) }
}

/// `clDeviceMemAllocINTEL`.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn allocate_device(
    context: cl_context,
    device: cl_device_id,
    properties: *const cl_mem_properties_intel,
    size: usize,
    alignment: cl_uint,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    let device = device_of(&context, object::<Device>(device)?)?;
    check_sharing(&device)?;
    let unified = Unified { kind: CL_MEM_TYPE_DEVICE_INTEL, device: device.handle(), flags: 0 };
    // SAFETY: the caller keeps the specification's rules.
    unsafe { Wanted { properties, size, alignment }.allocate(&context, &device, unified) }
}

/// `clSharedMemAllocINTEL`.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn allocate_shared(
    context: cl_context,
    device: cl_device_id,
    properties: *const cl_mem_properties_intel,
    size: usize,
    alignment: cl_uint,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    let named = optional::<Device>(device).map_err(|error| error.with_code(CL_INVALID_DEVICE))?;
    let named = named.map(|device| device_of(&context, device)).transpose()?;
    let handle = named.as_ref().map_or(0, |device| device.handle());
    let device = match named {
        Some(device) if device.sharing() >= Sharing::Placed => device,
        Some(_) => return Err(Error::lacking("memory that the host and the device share")),
        None => host_device(&context)?.clone(),
    };
    let unified = Unified { kind: CL_MEM_TYPE_SHARED_INTEL, device: handle, flags: 0 };
    // SAFETY: the caller keeps the specification's rules.
    unsafe { Wanted { properties, size, alignment }.allocate(&context, &device, unified) }
}

/// `clMemFreeINTEL`.
pub(super) fn free(context: cl_context, pointer: *mut c_void) -> Result<()> {
    let context = object::<Context>(context)?;
    check_freed(&context, pointer)?;
    context.shared().remove(pointer.addr());
    Ok(())
}

/// `clMemBlockingFreeINTEL`: waits for all commands of the context, because kernels reach memory by any pointer.
pub(super) fn free_when_unused(context: cl_context, pointer: *mut c_void) -> Result<()> {
    let context = object::<Context>(context)?;
    check_freed(&context, pointer)?;
    Queue::all_of(&context).iter().try_for_each(|queue| queue.finish())?;
    context.shared().remove(pointer.addr());
    Ok(())
}

/// # Errors
/// `CL_INVALID_VALUE` unless the pointer is null or an allocation's.
fn check_freed(context: &Context, pointer: *mut c_void) -> Result<()> {
    let found = context.shared().find(pointer.addr());
    let is_first = found.is_some_and(|range| range.offset == 0 && range.memory.unified().is_some());
    ensure(pointer.is_null() || is_first, CL_INVALID_VALUE, "the pointer is not that of an allocation")
}

/// `clGetMemAllocInfoINTEL`.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn info(
    context: cl_context,
    pointer: *const c_void,
    name: cl_mem_info_intel,
    size: usize,
    place: *mut c_void,
    size_needed: *mut usize,
) -> Result<()> {
    let context = object::<Context>(context)?;
    let found = context.shared().find(pointer.addr()).map(|range| range.memory);
    let found = found.and_then(|memory| memory.unified().map(|unified| (memory, unified)));
    let (memory, unified) = found.unzip();
    let value = match name {
        CL_MEM_ALLOC_TYPE_INTEL => Value::of(unified.map_or(CL_MEM_TYPE_UNKNOWN_INTEL, |unified| unified.kind)),
        CL_MEM_ALLOC_BASE_PTR_INTEL => Value::of(memory.map_or(0, |memory| memory.address())),
        CL_MEM_ALLOC_SIZE_INTEL => Value::of(memory.map_or(0, |memory| memory.size())),
        CL_MEM_ALLOC_DEVICE_INTEL => Value::of(unified.map_or(0, |unified| unified.device)),
        // A name of properties, which have 64 bits.
        name if u64::from(name) == CL_MEM_ALLOC_FLAGS_INTEL => Value::of(unified.map_or(0, |unified| unified.flags)),
        name if u64::from(name) == CL_MEM_ALLOC_BUFFER_LOCATION_INTEL => Value::of(0u32),
        _ => return Err(unknown(name)),
    };
    // SAFETY: the caller keeps the specification's rules.
    unsafe { write_bytes(value.bytes(), size, place, size_needed) }
}

/// `clSetKernelArgMemPointerINTEL`: every pointer is valid until a kernel follows it.
pub(super) fn set_argument(kernel: cl_kernel, index: cl_uint, value: *const c_void) -> Result<()> {
    let kernel = object::<Kernel>(kernel)?;
    check_kernel(&kernel)?;
    let is_pointer = kernel.parameter(index)? == Parameter::Pointer;
    ensure(is_pointer, CL_INVALID_ARG_VALUE, "the argument is not a pointer to global memory")?;
    kernel.set(index, pointer_argument(kernel.program().context(), value))
}

/// Whether kernels can be given pointers.
fn check_kernel(kernel: &Kernel) -> Result<()> {
    let has = kernel.program().context().devices().iter().any(|device| device.has_shared_memory());
    ensure(has, CL_INVALID_OPERATION, "no device has unified shared memory")
}

/// `CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL` and the flags beside it, of `clSetKernelExecInfo`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn set_execution(
    kernel: &Kernel,
    name: cl_kernel_exec_info,
    size: usize,
    value: *const c_void,
) -> Result<()> {
    check_kernel(kernel)?;
    let context = kernel.program().context();
    if name == CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR {
        // SAFETY: the caller keeps the specification's rules.
        let is_reached = unsafe { truth(size, value) }?;
        let kinds = [CL_MEM_TYPE_DEVICE_INTEL, CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_SHARED_INTEL];
        kinds.into_iter().for_each(|kind| kernel.set_reached(kind, is_reached));
        return Ok(());
    }
    let kind = match name {
        CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL => CL_MEM_TYPE_DEVICE_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL => CL_MEM_TYPE_HOST_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL => CL_MEM_TYPE_SHARED_INTEL,
        _ => {
            let whole = size.is_multiple_of(size_of::<*const c_void>());
            ensure(whole && (size == 0 || !value.is_null()), CL_INVALID_VALUE, "not a list of pointers")?;
            let first = if size == 0 { std::ptr::null() } else { value.cast::<*const c_void>() };
            // SAFETY: the caller keeps the specification's rules.
            let pointers = unsafe { list(size / size_of::<*const c_void>(), first) }?;
            let found: Vec<_> = pointers.iter().filter_map(|pointer| context.shared().find(pointer.addr())).collect();
            kernel.set_indirect(&found);
            return Ok(());
        }
    };
    let in_place = context.devices().iter().any(|device| device.sharing() >= Sharing::Placed);
    let has = kind == CL_MEM_TYPE_DEVICE_INTEL || in_place;
    ensure(has, CL_INVALID_OPERATION, "no device has memory that it shares with the host")?;
    // SAFETY: as above.
    kernel.set_reached(kind, unsafe { truth(size, value) }?);
    Ok(())
}

/// A `cl_bool`.
///
/// # Safety
/// The value is null or has that size.
///
/// # Errors
/// `CL_INVALID_VALUE`.
unsafe fn truth(size: usize, value: *const c_void) -> Result<bool> {
    ensure(!value.is_null() && size == size_of::<cl_bool>(), CL_INVALID_VALUE, "not a truth value")?;
    // SAFETY: the caller's promise.
    Ok(unsafe { value.cast::<cl_bool>().read_unaligned() } != CL_FALSE)
}

/// `clEnqueueMemFillINTEL`.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn fill(
    queue: cl_command_queue,
    pointer: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
    events: Events,
) -> Result<()> {
    let queue = shared_queue(queue)?;
    ensure(!pointer.is_null(), CL_INVALID_VALUE, "no shared memory")?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let (pattern, target) = (pattern_of(pattern, pattern_size)?, memory(pointer, size)?);
        let filled = commands::fill_shared(&queue, target, pattern, CL_COMMAND_MEMFILL_INTEL, events.waits()?);
        events.finish(&filled?, false)
    }
}

/// `clEnqueueMemcpyINTEL`.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn copy(
    queue: cl_command_queue,
    blocking: cl_bool,
    target: *mut c_void,
    source: *const c_void,
    size: usize,
    events: Events,
) -> Result<()> {
    let queue = shared_queue(queue)?;
    // SAFETY: the caller keeps the specification's rules: both have so many bytes.
    unsafe {
        let (target, source) = (memory(target, size)?, memory(source, size)?);
        let copied = commands::copy_shared(&queue, target, source, CL_COMMAND_MEMCPY_INTEL, events.waits()?);
        events.finish(&copied?, blocking != CL_FALSE)
    }
}

/// `clEnqueueMigrateMemINTEL`, a hint.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn migrate(
    queue: cl_command_queue,
    _: *const c_void,
    _: usize,
    flags: cl_mem_migration_flags,
    events: Events,
) -> Result<()> {
    let queue = shared_queue(queue)?;
    commands::check_migration(flags)?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe { events.finish(&commands::hint(&queue, CL_COMMAND_MIGRATEMEM_INTEL, events.waits()?)?, false) }
}

/// `clEnqueueMemAdviseINTEL`, a hint.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn advise(
    queue: cl_command_queue,
    _: *const c_void,
    _: usize,
    _: cl_mem_advice_intel,
    events: Events,
) -> Result<()> {
    let queue = shared_queue(queue)?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe { events.finish(&commands::hint(&queue, CL_COMMAND_MEMADVISE_INTEL, events.waits()?)?, false) }
}
