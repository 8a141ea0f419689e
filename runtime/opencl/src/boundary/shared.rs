//! Shared virtual memory (section 5.6).

use super::arguments::{Events, UserData, list, memory, object, pointer_argument, shared_queue};
use super::buffers::pattern as pattern_of;
use super::callbacks::SvmFree;
use super::unified;
use crate::commands;
use crate::context::Context;
use crate::device::{Device, Sharing};
use crate::error::{Error, Result, ensure};
use crate::kernel::{Argument, Kernel, Parameter};
use crate::number;
use crate::shared::{SharedMemory, SharedRange};
use opencl_sys::*;
use std::ffi::c_void;

/// Most bytes of an allocation's alignment: the size of the largest type, `long16`.
const MOST_ALIGNMENT: usize = Device::PART_ALIGNMENT;

/// `clSVMAlloc`.
pub(super) fn allocate(context: cl_context, flags: cl_svm_mem_flags, size: usize, alignment: cl_uint) -> Result<usize> {
    let context = object::<Context>(context)?;
    let access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    let known = access | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    let fits = flags & !known == 0 && (flags & access).count_ones() <= 1;
    let is_fine = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER != 0;
    ensure(fits && (is_fine || flags & CL_MEM_SVM_ATOMICS == 0), CL_INVALID_VALUE, "flags of shared memory")?;
    let alignment = if alignment == 0 { MOST_ALIGNMENT } else { alignment as usize };
    ensure(alignment.is_power_of_two() && alignment <= MOST_ALIGNMENT, CL_INVALID_VALUE, "alignment of shared memory")?;
    // One address for several devices cannot be had.
    let [device] = context.devices() else { return Err(Error::lacking("memory that several devices share")) };
    let least = match flags & CL_MEM_SVM_ATOMICS {
        0 => Sharing::Placed,
        _ => Sharing::InPlace,
    };
    ensure(!is_fine || device.sharing() >= least, CL_INVALID_VALUE, "fine-grained memory is not supported")?;
    let fits = size > 0 && size as u64 <= device.max_allocation();
    ensure(fits, CL_INVALID_VALUE, "no bytes, or more than the device can have in an allocation")?;
    let (opened, alignment) = (device.open()?, MOST_ALIGNMENT);
    let memory = match is_fine {
        true => SharedMemory::in_place(&opened, size, alignment)?.fine_grained(),
        false => SharedMemory::new(&opened, size, alignment)?,
    };
    context.shared().add(memory)
}

/// `clSVMFree`.
pub(super) fn free(context: cl_context, pointer: *mut c_void) {
    if let Ok(context) = object::<Context>(context) {
        context.shared().remove(pointer.addr());
    }
}

/// `clEnqueueSVMFree`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn enqueue_free(
    handle: cl_command_queue,
    count: cl_uint,
    pointers: *mut *mut c_void,
    free: SvmFree,
    data: *mut c_void,
    events: Events,
) -> Result<()> {
    let queue = shared_queue(handle)?;
    // SAFETY: the caller keeps the specification's rules.
    let addresses: Vec<UserData> =
        unsafe { list(count as usize, pointers.cast_const())? }.into_iter().map(UserData::new).collect();
    ensure(!addresses.is_empty(), CL_INVALID_VALUE, "no pointers to free")?;
    let (handle, data, freed) = (UserData::new(handle), UserData::new(data), addresses.clone());
    let by = free.map(|free| -> Box<dyn FnOnce() + Send> {
        Box::new(move || {
            let mut pointers: Vec<*mut c_void> = freed.into_iter().map(UserData::pointer).collect();
            let count = number::count(pointers.len());
            // SAFETY: the client gives the function to be called with the queue, the pointers and its data.
            unsafe { free(handle.pointer(), count, pointers.as_mut_ptr(), data.pointer()) };
        })
    });
    let addresses = addresses.into_iter().map(|address| address.0).collect();
    // SAFETY: as above.
    unsafe { events.finish(&commands::free_shared(&queue, addresses, by, events.waits()?)?, false) }
}

/// `clEnqueueSVMMemcpy`.
///
/// # Safety
/// As for the function of the API.
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
        let copied = commands::copy_shared(&queue, target, source, CL_COMMAND_SVM_MEMCPY, events.waits()?);
        events.finish(&copied?, blocking != CL_FALSE)
    }
}

/// `clEnqueueSVMMemFill`.
///
/// # Safety
/// As for the function of the API.
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
        let filled = commands::fill_shared(&queue, target, pattern, CL_COMMAND_SVM_MEMFILL, events.waits()?);
        events.finish(&filled?, false)
    }
}

/// `clEnqueueSVMMap`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn map(
    queue: cl_command_queue,
    blocking: cl_bool,
    flags: cl_map_flags,
    pointer: *mut c_void,
    size: usize,
    events: Events,
) -> Result<()> {
    let queue = shared_queue(queue)?;
    ensure(!pointer.is_null(), CL_INVALID_VALUE, "no shared memory")?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let event = commands::map_shared(&queue, flags, pointer.addr(), size, events.waits()?)?;
        events.finish(&event, blocking != CL_FALSE)
    }
}

/// `clEnqueueSVMUnmap`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn unmap(queue: cl_command_queue, pointer: *mut c_void, events: Events) -> Result<()> {
    let queue = shared_queue(queue)?;
    ensure(!pointer.is_null(), CL_INVALID_VALUE, "no shared memory")?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe { events.finish(&commands::unmap_shared(&queue, pointer.addr(), events.waits()?)?, false) }
}

/// `clEnqueueSVMMigrateMem`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn migrate(
    queue: cl_command_queue,
    count: cl_uint,
    pointers: *mut *const c_void,
    sizes: *const usize,
    flags: cl_mem_migration_flags,
    events: Events,
) -> Result<()> {
    let queue = shared_queue(queue)?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let pointers = list(count as usize, pointers.cast_const())?;
        ensure(!pointers.is_empty(), CL_INVALID_VALUE, "no pointers to migrate")?;
        let sizes = if sizes.is_null() { vec![0; pointers.len()] } else { list(pointers.len(), sizes)? };
        let ranges: Vec<_> = pointers.iter().map(|pointer| pointer.addr()).zip(sizes).collect();
        events.finish(&commands::migrate_shared(&queue, &ranges, flags, events.waits()?)?, false)
    }
}

/// The shared memory at an address.
fn found(kernel: &Kernel, address: usize) -> Result<Option<SharedRange>> {
    let context = kernel.program().context();
    let has = context.devices().iter().any(|device| device.has_shared_memory());
    ensure(has, CL_INVALID_OPERATION, "shared virtual memory: not supported")?;
    Ok(context.shared().find(address))
}

/// `clSetKernelArgSVMPointer`.
pub(super) fn set_argument(kernel: cl_kernel, index: cl_uint, value: *const c_void) -> Result<()> {
    set_argument_of(&*object::<Kernel>(kernel)?, index, value)
}

/// The same for a kernel that the client need not know.
pub(super) fn set_argument_of(kernel: &Kernel, index: cl_uint, value: *const c_void) -> Result<()> {
    if value.is_null() {
        found(kernel, 0)?;
        return kernel.set(index, Argument::Buffer(None));
    }
    let is_there = found(kernel, value.addr())?.is_some() || uses_all_memory(kernel);
    kernel.parameter(index)?;
    ensure(is_there, CL_INVALID_ARG_VALUE, "no shared memory is there")?;
    kernel.set(index, pointer_argument(kernel.program().context(), value))
}

/// Whether kernels can follow all pointers of the host.
fn uses_all_memory(kernel: &Kernel) -> bool {
    kernel.program().context().devices().iter().any(|device| device.sharing() == Sharing::AllMemory)
}

/// `clSetKernelArgDevicePointerEXT` (`cl_ext_buffer_device_address`).
pub(super) fn set_address(kernel: cl_kernel, index: cl_uint, value: cl_mem_device_address_ext) -> Result<()> {
    let kernel = object::<Kernel>(kernel)?;
    check_addresses(&kernel)?;
    let is_pointer = kernel.parameter(index)? == Parameter::Pointer;
    ensure(is_pointer, CL_INVALID_ARG_INDEX, "the argument is not a pointer to global memory")?;
    kernel.set(index, Argument::Address(value))
}

/// Whether kernels can be given addresses.
fn check_addresses(kernel: &Kernel) -> Result<()> {
    let has = kernel.program().context().devices().iter().any(|device| device.has_buffer_addresses());
    ensure(has, CL_INVALID_OPERATION, "no device has buffers with addresses")
}

/// `clSetKernelExecInfo`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn set_execution(
    kernel: cl_kernel,
    name: cl_kernel_exec_info,
    size: usize,
    value: *const c_void,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe { set_execution_of(&*object::<Kernel>(kernel)?, name, size, value) }
}

/// The same for a kernel that the client need not know.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn set_execution_of(
    kernel: &Kernel,
    name: cl_kernel_exec_info,
    size: usize,
    value: *const c_void,
) -> Result<()> {
    ensure(!value.is_null() || size == 0, CL_INVALID_VALUE, "a size without a value")?;
    match name {
        // No pointers take back those that were set.
        CL_KERNEL_EXEC_INFO_SVM_PTRS if value.is_null() => {
            found(kernel, 0)?;
            kernel.set_indirect(&[]);
            Ok(())
        }
        CL_KERNEL_EXEC_INFO_SVM_PTRS => {
            found(kernel, 0)?;
            let whole = size > 0 && size.is_multiple_of(size_of::<*const c_void>());
            ensure(whole, CL_INVALID_VALUE, "not a list of pointers")?;
            // SAFETY: the caller keeps the specification's rules.
            let pointers = unsafe { list(size / size_of::<*const c_void>(), value.cast::<*const c_void>()) }?;
            let found: Vec<_> = pointers.iter().map(|pointer| found(kernel, pointer.addr())).collect::<Result<_>>()?;
            let all_there = found.iter().all(Option::is_some) || uses_all_memory(kernel);
            ensure(all_there, CL_INVALID_VALUE, "no shared memory is there")?;
            kernel.set_indirect(&found.into_iter().flatten().collect::<Vec<_>>());
            Ok(())
        }
        CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT => {
            check_addresses(kernel)?;
            let whole = size.is_multiple_of(size_of::<cl_mem_device_address_ext>());
            ensure(whole, CL_INVALID_VALUE, "not a list of addresses")?;
            let count = size / size_of::<cl_mem_device_address_ext>();
            let first = if count == 0 { std::ptr::null() } else { value.cast::<cl_mem_device_address_ext>() };
            // SAFETY: the caller keeps the specification's rules.
            kernel.set_addresses(unsafe { list(count, first) }?);
            Ok(())
        }
        CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM => {
            let is_value = !value.is_null() && size == size_of::<cl_bool>();
            ensure(is_value, CL_INVALID_VALUE, "not a truth value")?;
            // SAFETY: as above.
            let wanted = unsafe { value.cast::<cl_bool>().read_unaligned() } != CL_FALSE;
            ensure(
                !wanted || uses_all_memory(kernel),
                CL_INVALID_OPERATION,
                "kernels cannot use all of the host's memory",
            )
        }
        CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL
        | CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL
        | CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL
        | CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL
        | CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR => {
            // SAFETY: the caller keeps the specification's rules.
            unsafe { unified::set_execution(kernel, name, size, value) }
        }
        _ => Err(Error::value(format!("unknown information {name:#x}"))),
    }
}
