//! Mapping (sections 5.2.5, 5.3.6 and 5.5.2).

use super::arguments::{Events, host_queue, object, put, triple};
use super::images::placed;
use crate::commands;
use crate::error::{Result, ensure};
use crate::memory::Memory;
use opencl_sys::*;
use std::ffi::c_void;

/// `clEnqueueMapBuffer`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn buffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    flags: cl_map_flags,
    offset: usize,
    size: usize,
    events: Events,
) -> Result<usize> {
    let (queue, buffer) = (host_queue(queue)?, object::<Memory>(buffer)?);
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let mapped =
            commands::map_buffer(&queue, &buffer, flags, [offset, size], events.waits()?, blocking != CL_FALSE)?;
        events.finish(&mapped.event, blocking != CL_FALSE)?;
        Ok(mapped.address)
    }
}

/// `clEnqueueMapImage`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn image(
    queue: cl_command_queue,
    image: cl_mem,
    blocking: cl_bool,
    flags: cl_map_flags,
    origin: *const usize,
    region: *const usize,
    row_pitch: *mut usize,
    slice_pitch: *mut usize,
    events: Events,
) -> Result<usize> {
    let (queue, image) = (host_queue(queue)?, object::<Memory>(image)?);
    if flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) != 0 {
        image.flags().commands_write()?;
    }
    ensure(!row_pitch.is_null(), CL_INVALID_VALUE, "nowhere to write the row pitch")?;
    let has_slices = commands::has_slices(&image)?;
    ensure(!has_slices || !slice_pitch.is_null(), CL_INVALID_VALUE, "nowhere to write the slice pitch")?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let (image, origin) = placed(image, origin)?;
        let region = [origin, triple(region)?];
        let mapped = commands::map_image(&queue, &image, flags, region, events.waits()?)?;
        events.finish(&mapped.event, blocking != CL_FALSE)?;
        put(row_pitch, mapped.pitches[0]);
        put(slice_pitch, if has_slices { mapped.pitches[1] } else { 0 });
        Ok(mapped.address)
    }
}

/// `clEnqueueUnmapMemObject`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn unmap(
    queue: cl_command_queue,
    memory: cl_mem,
    address: *mut c_void,
    events: Events,
) -> Result<()> {
    let (queue, memory) = (host_queue(queue)?, object::<Memory>(memory)?);
    // SAFETY: the caller keeps the specification's rules.
    unsafe { events.finish(&commands::unmap(&queue, &memory, address.addr(), events.waits()?)?, false) }
}
