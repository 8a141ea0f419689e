//! Launches of kernels (section 5.10).

use super::arguments::{Events, object, put};
use crate::commands::{self, Range};
use crate::error::{Result, ensure};
use crate::kernel::Kernel;
use crate::queue::Queue;
use clforge_runtime::Launch;
use opencl_sys::*;

/// Reads an ND-range.
///
/// # Safety
/// The pointers are null or have `dims` values.
unsafe fn range(dims: cl_uint, offset: *const usize, global: *const usize, local: *const usize) -> Result<Range> {
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
    let (queue, kernel) = (object::<Queue>(queue)?, object::<Kernel>(kernel)?);
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
    let (queue, kernel) = (object::<Queue>(queue)?, object::<Kernel>(kernel)?);
    let range = Range { dims: 1, offset: [0; 3], global: [1; 3], local: Some([1; 3]) };
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let event = commands::launch(&queue, &kernel, &range, CL_COMMAND_TASK, events.waits()?)?;
        events.finish(&event, false)
    }
}

/// `clGetKernelSuggestedLocalWorkSizeKHR`.
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
    let (queue, kernel) = (object::<Queue>(queue)?, object::<Kernel>(kernel)?);
    kernel.arguments()?;
    ensure(!suggested.is_null(), CL_INVALID_VALUE, "nowhere to write the size")?;
    // SAFETY: the caller keeps the specification's rules.
    let range = unsafe { range(dims, offset, global, std::ptr::null()) }?;
    let sizes = &range.global[..dims as usize];
    ensure(!sizes.contains(&0), CL_INVALID_GLOBAL_WORK_SIZE, "a global size of zero")?;
    let sizes: Vec<u64> = sizes.iter().map(|size| *size as u64).collect();
    let local = kernel.suggested_local_size(queue.device(), &Launch::new(&sizes))?;
    for (d, size) in local.iter().enumerate().take(dims as usize) {
        // SAFETY: as above.
        unsafe { put(suggested.add(d), *size as usize) };
    }
    Ok(())
}
