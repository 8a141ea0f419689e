//! Launches of kernels (section 5.10).

use super::arguments::{Events, host_queue, list, memory, object, put};
use super::callbacks::NativeKernel;
use crate::commands::{self, Range};
use crate::error::{Error, Result, ensure};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::number;
use clforge_runtime::Launch;
use opencl_sys::*;
use std::ffi::c_void;

/// Reads an ND-range.
///
/// # Safety
/// The pointers are null or have `dims` values.
pub(super) unsafe fn range(
    dims: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
) -> Result<Range> {
    ensure((1..=3).contains(&dims), CL_INVALID_WORK_DIMENSION, "an ND-range has 1 to 3 dimensions")?;
    let read = |values: *const usize, absent: usize| {
        let mut sizes = [absent; 3];
        for (d, size) in sizes.iter_mut().enumerate().take(dims as usize).filter(|_| !values.is_null()) {
            // SAFETY: the caller's promise.
            *size = unsafe { values.add(d).read_unaligned() };
        }
        sizes
    };
    let local = (!local.is_null()).then(|| read(local, 1));
    // No global size stands for one of zero: the command does nothing.
    let global = if global.is_null() { [0; 3] } else { read(global, 1) };
    Ok(Range { dims, offset: read(offset, 0), global, local })
}

/// `clEnqueueNDRangeKernel`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn nd_range(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dims: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
    events: Events,
) -> Result<()> {
    let (queue, kernel) = (host_queue(queue)?, object::<Kernel>(kernel)?);
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let range = range(dims, offset, global, local)?;
        let event = commands::launch(&queue, &kernel, &range, CL_COMMAND_NDRANGE_KERNEL, events.waits()?)?;
        events.finish(&event, false)
    }
}

/// `clEnqueueTask`: one work-item.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn task(queue: cl_command_queue, kernel: cl_kernel, events: Events) -> Result<()> {
    let (queue, kernel) = (host_queue(queue)?, object::<Kernel>(kernel)?);
    let range = Range { dims: 1, offset: [0; 3], global: [1; 3], local: Some([1; 3]) };
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let event = commands::launch(&queue, &kernel, &range, CL_COMMAND_TASK, events.waits()?)?;
        events.finish(&event, false)
    }
}

/// `clGetKernelSuggestedLocalWorkSize`, and the same of `cl_khr_suggested_local_work_size`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn suggested_local_size(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dims: cl_uint,
    offset: *const usize,
    global: *const usize,
    suggested: *mut usize,
) -> Result<()> {
    let (queue, kernel) = (host_queue(queue)?, object::<Kernel>(kernel)?);
    let same = queue.context().handle() == kernel.program().context().handle();
    ensure(same, CL_INVALID_CONTEXT, "the queue and the kernel belong to different contexts")?;
    kernel.arguments()?;
    ensure(!suggested.is_null(), CL_INVALID_VALUE, "nowhere to write the size")?;
    // SAFETY: the caller keeps the specification's rules.
    let range = unsafe { range(dims, offset, global, std::ptr::null()) }?;
    let sizes = &range.global[..dims as usize];
    ensure(!sizes.contains(&0), CL_INVALID_GLOBAL_WORK_SIZE, "a global size of zero")?;
    let fits = sizes.iter().zip(range.offset).all(|(size, offset)| size.checked_add(offset).is_some());
    ensure(fits, CL_INVALID_GLOBAL_OFFSET, "the global offset leads to ids of more than 64 bits")?;
    let sizes: Vec<u64> = sizes.iter().map(|size| *size as u64).collect();
    let local = kernel.suggested_local_size(queue.device(), &Launch::new(&sizes))?;
    for (d, size) in local.iter().enumerate().take(dims as usize) {
        // SAFETY: as above.
        unsafe { put(suggested.add(d), number::size(*size)) };
    }
    Ok(())
}

/// `clEnqueueNativeKernel`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn native(
    queue: cl_command_queue,
    function: NativeKernel,
    arguments: *mut c_void,
    size: usize,
    count: cl_uint,
    buffers: *const cl_mem,
    places: *mut *const c_void,
    events: Events,
) -> Result<()> {
    let queue = host_queue(queue)?;
    let function = function.ok_or_else(|| Error::value("no function"))?;
    ensure(arguments.is_null() == (size == 0), CL_INVALID_VALUE, "arguments without a size, or the other way round")?;
    ensure(count == 0 || size > 0, CL_INVALID_VALUE, "memory objects without arguments")?;
    // SAFETY: the caller keeps the specification's rules.
    let (buffers, places) = unsafe {
        let handles = list(count as usize, buffers)?;
        let found = handles.into_iter().map(object::<Memory>).collect::<Result<Vec<_>>>()?;
        (found, list(count as usize, places.cast_const())?)
    };
    let offsets: Vec<usize> = places.iter().map(|place| place.addr().wrapping_sub(arguments.addr())).collect();
    let within = |offset: &usize| offset.checked_add(size_of::<usize>()).is_some_and(|end| end <= size);
    ensure(offsets.iter().all(within), CL_INVALID_VALUE, "a place outside of the arguments")?;
    // Aligned for every type of the arguments.
    let mut copy = vec![0u128; size.div_ceil(size_of::<u128>())];
    if size > 0 {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut copy);
        // SAFETY: the caller keeps the specification's rules: the arguments have so many bytes.
        bytes[..size].copy_from_slice(unsafe { memory(arguments, size) }?.bytes());
    }
    let call = move |addresses: &[usize]| {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut copy);
        for (offset, address) in offsets.iter().zip(addresses) {
            bytes[*offset..offset + size_of::<usize>()].copy_from_slice(&address.to_ne_bytes());
        }
        let arguments = if size == 0 { std::ptr::null_mut() } else { bytes.as_mut_ptr().cast() };
        // SAFETY: the client gives the function to be called with a copy of its arguments.
        unsafe { function(arguments) };
    };
    // SAFETY: as above.
    unsafe { events.finish(&commands::native(&queue, buffers, Box::new(call), events.waits()?)?, false) }
}
