//! Transfers of buffers (sections 5.2.2 to 5.2.4), and migration (section 5.5.4).

use super::arguments::{Events, bytes, host_queue, memory, object, objects, triple};
use crate::commands::{self, Rect, Transfer};
use crate::error::{Error, Result, ensure};
use crate::memory::Memory;
use opencl_sys::*;
use std::ffi::c_void;

/// `CL_COMMAND_MIGRATE_MEM_OBJECT_EXT`, which opencl-sys has with the type of flags.
const MIGRATE_MEM_OBJECT_EXT: cl_command_type = 0x4040;

/// `clEnqueueReadBuffer`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn read(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    offset: usize,
    size: usize,
    host: *mut c_void,
    events: Events,
) -> Result<()> {
    let (queue, buffer) = (host_queue(queue)?, object::<Memory>(buffer)?);
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let event =
            commands::read_buffer(&queue, &buffer, offset, memory(host, size)?, events.waits()?, blocking != CL_FALSE)?;
        events.finish(&event, blocking != CL_FALSE)
    }
}

/// `clEnqueueWriteBuffer`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn write(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    offset: usize,
    size: usize,
    host: *const c_void,
    events: Events,
) -> Result<()> {
    let (queue, buffer) = (host_queue(queue)?, object::<Memory>(buffer)?);
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let event = commands::write_buffer(
            &queue,
            &buffer,
            offset,
            memory(host, size)?,
            events.waits()?,
            blocking != CL_FALSE,
        )?;
        events.finish(&event, blocking != CL_FALSE)
    }
}

/// `clEnqueueCopyBuffer`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn copy(
    queue: cl_command_queue,
    source: cl_mem,
    target: cl_mem,
    from: usize,
    to: usize,
    size: usize,
    events: Events,
) -> Result<()> {
    let (queue, source, target) = (host_queue(queue)?, object::<Memory>(source)?, object::<Memory>(target)?);
    // SAFETY: the caller keeps the specification's rules.
    let waits = unsafe { events.waits() }?;
    let event = Transfer::copy(&queue, [&source, &target], [from, to], size)?.enqueue(&queue, waits)?;
    // SAFETY: as above.
    unsafe { events.finish(&event, false) }
}

/// `clEnqueueFillBuffer`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn fill(
    queue: cl_command_queue,
    buffer: cl_mem,
    pattern: *const c_void,
    pattern_size: usize,
    offset: usize,
    size: usize,
    events: Events,
) -> Result<()> {
    let (queue, buffer) = (host_queue(queue)?, object::<Memory>(buffer)?);
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let pattern = self::pattern(pattern, pattern_size)?;
        let event = Transfer::fill(&queue, &buffer, pattern, offset, size)?.enqueue(&queue, events.waits()?)?;
        events.finish(&event, false)
    }
}

/// A copy of a pattern, which is read if it has a size that patterns can have.
///
/// # Safety
/// `pattern` is null or has so many bytes.
pub(super) unsafe fn pattern(pattern: *const c_void, size: usize) -> Result<Vec<u8>> {
    ensure(size.is_power_of_two() && size <= 128, CL_INVALID_VALUE, "a pattern has 1, 2, 4, … or 128 bytes")?;
    // SAFETY: the caller's promise.
    Ok(unsafe { bytes(pattern, size) }?.to_vec())
}

/// The size of a box, and its places in two memories: their origins and pitches.
///
/// # Safety
/// The region and the origins are null or have three values.
pub(super) unsafe fn boxes(
    region: *const usize,
    origins: [*const usize; 2],
    pitches: [[usize; 2]; 2],
) -> Result<([usize; 3], [Rect; 2])> {
    // SAFETY: the caller's promise.
    let (region, first, second) = unsafe { (triple(region)?, triple(origins[0])?, triple(origins[1])?) };
    Ok((region, [Rect::new(first, region, pitches[0])?, Rect::new(second, region, pitches[1])?]))
}

/// `clEnqueueReadBufferRect`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn read_rect(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    origin: *const usize,
    host_origin: *const usize,
    region: *const usize,
    row_pitch: usize,
    slice_pitch: usize,
    host_row_pitch: usize,
    host_slice_pitch: usize,
    host: *mut c_void,
    events: Events,
) -> Result<()> {
    let (queue, buffer) = (host_queue(queue)?, object::<Memory>(buffer)?);
    // SAFETY: the caller keeps the specification's rules: the host's memory reaches to the end of the box.
    unsafe {
        let pitches = [[row_pitch, slice_pitch], [host_row_pitch, host_slice_pitch]];
        let (region, places) = boxes(region, [origin, host_origin], pitches)?;
        let host = memory(host, host_end(&places[1], region)?)?;
        let event = commands::read_rect(&queue, &buffer, region, places, host, events.waits()?)?;
        events.finish(&event, blocking != CL_FALSE)
    }
}

/// `clEnqueueWriteBufferRect`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn write_rect(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    origin: *const usize,
    host_origin: *const usize,
    region: *const usize,
    row_pitch: usize,
    slice_pitch: usize,
    host_row_pitch: usize,
    host_slice_pitch: usize,
    host: *const c_void,
    events: Events,
) -> Result<()> {
    let (queue, buffer) = (host_queue(queue)?, object::<Memory>(buffer)?);
    // SAFETY: the caller keeps the specification's rules: the host's memory reaches to the end of the box.
    unsafe {
        let pitches = [[row_pitch, slice_pitch], [host_row_pitch, host_slice_pitch]];
        let (region, places) = boxes(region, [origin, host_origin], pitches)?;
        let host = memory(host, host_end(&places[1], region)?)?;
        let event = commands::write_rect(&queue, &buffer, region, places, host, events.waits()?)?;
        events.finish(&event, blocking != CL_FALSE)
    }
}

/// Bytes of the host's memory that a box reaches to.
fn host_end(place: &Rect, region: [usize; 3]) -> Result<usize> {
    let end = place.end(region);
    let fits = isize::try_from(end).is_ok();
    if fits { Ok(end) } else { Err(Error::value("a box larger than memory")) }
}

/// `clEnqueueCopyBufferRect`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn copy_rect(
    queue: cl_command_queue,
    source: cl_mem,
    target: cl_mem,
    from: *const usize,
    to: *const usize,
    region: *const usize,
    from_row_pitch: usize,
    from_slice_pitch: usize,
    to_row_pitch: usize,
    to_slice_pitch: usize,
    events: Events,
) -> Result<()> {
    let (queue, source, target) = (host_queue(queue)?, object::<Memory>(source)?, object::<Memory>(target)?);
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let pitches = [[from_row_pitch, from_slice_pitch], [to_row_pitch, to_slice_pitch]];
        let (region, places) = boxes(region, [from, to], pitches)?;
        let event = commands::copy_rect(&queue, [&source, &target], region, places, events.waits()?)?;
        events.finish(&event, false)
    }
}

/// `clEnqueueMigrateMemObjects`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn migrate(
    queue: cl_command_queue,
    count: cl_uint,
    memories: *const cl_mem,
    flags: cl_mem_migration_flags,
    events: Events,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe { migrate_by(CL_COMMAND_MIGRATE_MEM_OBJECTS, queue, (count, memories), flags, events) }
}

/// `clEnqueueMigrateMemObjectEXT` of `cl_ext_migrate_memobject`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn migrate_ext(
    queue: cl_command_queue,
    count: cl_uint,
    memories: *const cl_mem,
    flags: cl_mem_migration_flags,
    events: Events,
) -> Result<()> {
    host_queue(queue)?;
    ensure(flags & !CL_MIGRATE_MEM_OBJECT_HOST == 0, CL_INVALID_VALUE, "unknown flags of a migration")?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe { migrate_by(MIGRATE_MEM_OBJECT_EXT, queue, (count, memories), flags, events) }
}

/// A migration by one of the two functions, whose commands have different types.
///
/// # Safety
/// As for the functions of the API.
unsafe fn migrate_by(
    command: cl_command_type,
    queue: cl_command_queue,
    (count, memories): (cl_uint, *const cl_mem),
    flags: cl_mem_migration_flags,
    events: Events,
) -> Result<()> {
    let queue = host_queue(queue)?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let objects = objects(count, memories)?;
        let event = commands::migrate(&queue, command, objects, flags, events.waits()?)?;
        events.finish(&event, false)
    }
}
