//! Mapping memory objects for the host (section 5.5.1 and 5.5.2).
//!
//! With `CL_MEM_ALLOC_HOST_PTR` a region that is mapped to be read shows the rest of the buffer too, if that has at
//! most 16 MiB: other implementations map such memory in place, and programs read past what they have mapped.

use super::image::read_rows;
use super::{check_buffer, check_context};
use crate::client::ClientMemory;
use crate::device::Device;
use crate::error::{Result, ensure};
use crate::event::Event;
use crate::handle::{Object, Ref};
use crate::image::ImageShape;
use crate::memory::{Contents, MappedRegion, Memory};
use crate::queue::{Enqueue, Queue, Started, Starter};
use clforge_runtime as runtime;
use opencl_sys::*;

/// Bytes of the largest buffer that is read as a whole where a part of it is mapped: the rest is seldom looked at.
const MOST_SHOWN: usize = 16 << 20;

/// The smallest region that the device copies to memory of the host: the host reads and writes less in less time.
const LEAST_COPIED: usize = 256 << 10;

/// A region that is being mapped.
pub struct Mapped {
    /// The command, at whose end the contents are there.
    pub event: Ref<Event>,
    /// Address of the region's first byte.
    pub address: usize,
    /// Distances in bytes between rows, and between slices, of an image.
    pub pitches: [usize; 2],
}

/// Checks the flags of a mapping.
///
/// # Errors
/// `CL_INVALID_VALUE`.
pub(super) fn check_map_flags(flags: cl_map_flags) -> Result<()> {
    let known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    ensure(flags & !known == 0, CL_INVALID_VALUE, "unknown flags of a mapping")?;
    let invalidates = flags & CL_MAP_WRITE_INVALIDATE_REGION != 0;
    let excluded = invalidates && flags & (CL_MAP_READ | CL_MAP_WRITE) != 0;
    ensure(!excluded, CL_INVALID_VALUE, "CL_MAP_WRITE_INVALIDATE_REGION excludes the other flags")
}

/// Checks the flags of a mapping, and the access of the host that they need.
fn check_flags(memory: &Memory, flags: cl_map_flags) -> Result<()> {
    check_map_flags(flags)?;
    if flags & CL_MAP_READ != 0 {
        memory.flags().host_reads()?;
    }
    if flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) != 0 {
        memory.flags().host_writes()?;
    }
    Ok(())
}

/// Maps bytes of a buffer (`clEnqueueMapBuffer`). The caller waits for the command if `is_blocking`.
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_MEM_OBJECT`, `CL_INVALID_CONTEXT`, `CL_INVALID_OPERATION`, `CL_MAP_FAILURE`.
pub fn map_buffer(
    queue: &Ref<Queue>,
    buffer: &Ref<Memory>,
    flags: cl_map_flags,
    [offset, size]: [usize; 2],
    waits: Vec<Ref<Event>>,
    is_blocking: bool,
) -> Result<Mapped> {
    check_buffer(queue, buffer)?;
    ensure(size > 0, CL_INVALID_VALUE, "a mapping of no bytes")?;
    buffer.check_range(offset, size)?;
    check_flags(buffer, flags)?;
    let host = buffer.host_copy()?.part(offset, size)?;
    let (origin, extent) = ([offset, 0, 0], [size, 1, 1]);
    let (occupancy, start) = buffer.occupancy();
    let occupied = occupancy.occupy(start + offset, size);
    let region =
        MappedRegion { host: host.clone(), origin, region: extent, pitches: [0, 0], flags, _occupied: occupied };
    let is_read = region.is_read() && !buffer.is_in_place();
    let with_rest = is_read && flags & CL_MAP_READ != 0 && size < buffer.size() && shows_rest(buffer);
    let reached = buffer.host_copy_on(queue.device()).filter(|_| size >= LEAST_COPIED);
    let (memory, device, mut target) = (buffer.clone(), queue.device().clone(), host.clone());
    let action = move |queue: &runtime::Queue| {
        if let (Some((copy, start)), true, false) = (&reached, is_read, with_rest) {
            let source = memory.read_on(&device, queue)?;
            return Ok(Started::OnDevice(queue.copy(
                &source,
                offset as u64,
                copy,
                (start + offset) as u64,
                size as u64,
            )?));
        }
        if with_rest {
            read_whole(&memory, &memory.read_on(&device, queue)?, queue, offset, &mut target)?;
        } else if is_read {
            queue.read(&memory.read_on(&device, queue)?, offset as u64, target.bytes_mut())?;
        } else {
            return show_in_place(&memory, &device, queue);
        }
        Ok(Started::Complete)
    };
    let starter = if is_blocking { Starter::Anyone } else { Starter::Queue };
    let event = Enqueue::new(CL_COMMAND_MAP_BUFFER, waits).by(starter).on(queue, Box::new(action))?;
    buffer.maps().add(region);
    Ok(Mapped { event, address: host.address(), pitches: [0, 0] })
}

/// Ends a command that maps what the host sees without a copy: what images over a buffer alone have is copied to it first.
fn show_in_place(memory: &Memory, device: &Object<Device>, queue: &runtime::Queue) -> Result<Started> {
    if !memory.has_views() {
        return Ok(Started::Complete);
    }
    memory.bring_up(device, queue, false)?;
    Ok(Started::OnDevice(queue.marker()?))
}

/// Whether the host sees all of a buffer where it maps a part of it to read. Memory that the implementation is asked to allocate
/// where the host sees it (`CL_MEM_ALLOC_HOST_PTR`) is mapped in place by most, and there are programs that map a row and read
/// the others.
fn shows_rest(buffer: &Memory) -> bool {
    buffer.flags().has(CL_MEM_ALLOC_HOST_PTR) && buffer.size() <= MOST_SHOWN
}

/// Reads all bytes of a buffer: those of the region that begins at `offset`, and around it those that the host may not write.
fn read_whole(
    memory: &Memory,
    buffer: &runtime::Buffer,
    queue: &runtime::Queue,
    offset: usize,
    target: &mut ClientMemory,
) -> Result<()> {
    let mut bytes = vec![0; memory.size()];
    queue.read(buffer, 0, &mut bytes)?;
    let size = target.size();
    target.bytes_mut().copy_from_slice(&bytes[offset..offset + size]);
    let (occupancy, start) = memory.occupancy();
    occupancy.fill_gaps(start, &memory.host_copy()?, &bytes)
}

/// Maps texels of an image (`clEnqueueMapImage`).
///
/// # Errors
/// As for [`map_buffer`].
pub fn map_image(
    queue: &Ref<Queue>,
    image: &Ref<Memory>,
    flags: cl_map_flags,
    [origin, region]: [[usize; 3]; 2],
    waits: Vec<Ref<Event>>,
) -> Result<Mapped> {
    check_context(queue, image)?;
    let shape = *super::image::shape(image)?;
    shape.check_region(origin, region)?;
    check_flags(image, flags)?;
    let pitches = host_layout(image, &shape)?;
    let [row, slice] = shape.strides(pitches);
    let start = origin[2] * slice + origin[1] * row + shape.row_bytes(origin[0]);
    let size = (region[2] - 1) * slice + (region[1] - 1) * row + shape.row_bytes(region[0]);
    let host = image.host_copy()?.part(start, size)?;
    let (occupancy, first) = image.occupancy();
    let occupied = occupancy.occupy(first + start, size);
    let mapped = MappedRegion { host: host.clone(), origin, region, pitches, flags, _occupied: occupied };
    let is_read = mapped.is_read() && !image.is_in_place();
    let (memory, device, mut target) = (image.clone(), queue.device().clone(), host.clone());
    let action = move |queue: &runtime::Queue| {
        if is_read {
            read_rows(&memory, &device, queue, [origin, region], &mut target, [row, slice])?;
        } else {
            return show_in_place(&memory, &device, queue);
        }
        Ok(Started::Complete)
    };
    let event = Enqueue::new(CL_COMMAND_MAP_IMAGE, waits).on(queue, Box::new(action))?;
    image.maps().add(mapped);
    Ok(Mapped { event, address: host.address(), pitches })
}

/// The pitches of an image in the host's memory: those of the client's own or of the buffer that it is over, or none but what the texels take.
fn host_layout(image: &Memory, shape: &ImageShape) -> Result<[usize; 2]> {
    let has_own = image.flags().has(CL_MEM_USE_HOST_PTR) || matches!(image.contents(), Contents::View(..));
    let given = if has_own { shape.pitches() } else { [0, 0] };
    shape.host_pitches(given, shape.size())
}

/// Ends a mapping, and takes over what the host has written (`clEnqueueUnmapMemObject`).
///
/// # Errors
/// `CL_INVALID_VALUE` if nothing of the object is mapped at this address, `CL_INVALID_MEM_OBJECT` for a pipe,
/// `CL_INVALID_CONTEXT`.
pub fn unmap(queue: &Ref<Queue>, memory: &Ref<Memory>, address: usize, waits: Vec<Ref<Event>>) -> Result<Ref<Event>> {
    check_context(queue, memory)?;
    ensure(!memory.is_pipe(), CL_INVALID_MEM_OBJECT, "a pipe is not mapped")?;
    let command = Enqueue::new(CL_COMMAND_UNMAP_MEM_OBJECT, waits);
    command.check(queue)?;
    let (level, region) = memory.unmap(address)?;
    let memory = level.as_ref().unwrap_or(memory);
    let is_short = !region.is_written() || memory.is_in_place();
    let command = if is_short { command.by(Starter::Anyone) } else { command };
    let (size, origin) = (region.host.size(), region.origin[0]);
    let reached = memory.host_copy_on(queue.device()).filter(|_| size >= LEAST_COPIED);
    let (memory, device) = (memory.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        if let (Some((copy, start)), true, false) = (&reached, region.is_written(), memory.is_in_place()) {
            let _turns = Memory::turns_with([&memory], &device);
            let target = memory.write_on(&device, queue)?;
            return Ok(Started::OnDevice(queue.copy(
                copy,
                (start + origin) as u64,
                &target,
                origin as u64,
                size as u64,
            )?));
        }
        if !region.is_written() || memory.is_in_place() {
            if region.is_written() {
                memory.note_written();
            }
            return Ok(Started::Complete);
        }
        Ok(Started::OnDevice(match memory.contents() {
            Contents::Buffer(_) | Contents::Part(..) | Contents::Pipe(..) => {
                let _turns = Memory::turns_with([&memory], &device);
                queue.write(&memory.write_on(&device, queue)?, region.origin[0] as u64, region.host.bytes())?
            }
            Contents::Image(shape, _)
            | Contents::BufferImage(shape, _)
            | Contents::View(shape, ..)
            | Contents::Level(shape, ..)
            | Contents::Alias(shape, _) => {
                let strides = shape.strides(region.pitches);
                let texels = region.host.rows(strides, shape.region_bytes(region.region));
                super::image::put(&memory, &device, queue, [region.origin, region.region], &texels)?
            }
        }))
    };
    command.on(queue, Box::new(action))
}
