//! Transfers of images (sections 5.3.3 to 5.3.5). The device copies; the texels of reads, writes and fills pass through the
//! thread of the queue.

use super::{check_buffer, check_context};
use crate::client::ClientMemory;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::event::Event;
use crate::handle::{Object, Ref};
use crate::image::ImageShape;
use crate::memory::{Contents, Memory};
use crate::number;
use crate::queue::{Enqueue, Queue, Started};
use clforge_runtime::{self as runtime, ImageRegion, RectCopy};
use opencl_sys::*;

/// First texel, row and slice of a region, and its size.
type Region = [[usize; 3]; 2];

/// The shape of an image.
///
/// # Errors
/// `CL_INVALID_MEM_OBJECT` for a buffer.
pub fn shape(memory: &Memory) -> Result<&ImageShape> {
    memory.shape().ok_or_else(|| Error::new(CL_INVALID_MEM_OBJECT, "a buffer or a pipe is not an image"))
}

/// Whether an image has slices, or layers, that lie a pitch apart.
///
/// # Errors
/// `CL_INVALID_MEM_OBJECT` for a buffer.
pub fn has_slices(memory: &Memory) -> Result<bool> {
    let kind = shape(memory)?.object_type();
    Ok([CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D].contains(&kind))
}

/// Bytes of the host's memory from the first to the last texel of a region, with pitches as the client gives them.
///
/// # Errors
/// `CL_INVALID_MEM_OBJECT` for a buffer, `CL_INVALID_VALUE`.
pub fn host_size(memory: &Memory, region: [usize; 3], pitches: [usize; 2]) -> Result<usize> {
    let shape = shape(memory)?;
    shape.check_region([0; 3], region)?;
    let [row, slice] = shape.strides(shape.host_pitches(pitches, region)?);
    let size = (region[2] - 1).checked_mul(slice).zip((region[1] - 1).checked_mul(row));
    let size = size.and_then(|(slices, rows)| slices.checked_add(rows)?.checked_add(shape.row_bytes(region[0])));
    let size = size.filter(|size| isize::try_from(*size).is_ok());
    size.ok_or_else(|| Error::new(CL_INVALID_VALUE, "a region larger than memory"))
}

fn check(queue: &Ref<Queue>, image: &Ref<Memory>, [origin, region]: Region) -> Result<ImageShape> {
    check_context(queue, image)?;
    let shape = *shape(image)?;
    ensure(queue.device().has_images(), CL_INVALID_OPERATION, "the device has no images")?;
    shape.check_region(origin, region)?;
    Ok(shape)
}

/// Waits for all commands before, then reads the texels of a region into rows and slices of the host with these strides.
pub(super) fn read_rows(
    image: &Ref<Memory>,
    device: &Object<Device>,
    queue: &runtime::Queue,
    region: Region,
    host: &mut ClientMemory,
    strides: [usize; 2],
) -> Result<()> {
    let size = shape(image)?.region_bytes(region[1]);
    if let Some(texels) = host.dense_mut(strides, size) {
        return read_dense(image, device, queue, region, texels);
    }
    let mut texels = vec![0; size.iter().product::<usize>()];
    read_dense(image, device, queue, region, &mut texels)?;
    host.set_rows(strides, size, &texels);
    Ok(())
}

/// Reads the texels of a region, without gaps.
pub(super) fn read_dense(
    image: &Ref<Memory>,
    device: &Object<Device>,
    queue: &runtime::Queue,
    region: Region,
    texels: &mut [u8],
) -> Result<()> {
    let _turns = Memory::turns_with([image], device);
    if let Some(image) = image.texels_on(device)? {
        return Ok(queue.read_image(&image, &narrow(region), texels)?);
    }
    match image.contents() {
        Contents::View(shape, ..) => {
            let dense = runtime::Buffer::new(queue.device(), texels.len() as u64)?;
            queue.copy_rect(&image.read_on(device, queue)?, &dense, &rect_of_view(shape, region))?;
            queue.read(&dense, 0, texels)?;
        }
        _ => queue.read(&image.read_on(device, queue)?, shape(image)?.row_bytes(region[0][0]) as u64, texels)?,
    }
    Ok(())
}

/// Overwrites the texels of a region.
pub(super) fn put(
    image: &Ref<Memory>,
    device: &Object<Device>,
    queue: &runtime::Queue,
    [origin, region]: Region,
    texels: &[u8],
) -> Result<runtime::Event> {
    let _turns = Memory::turns_with([image], device);
    if let Some(image) = image.texels_on(device)? {
        return Ok(queue.write_image(&image, &narrow([origin, region]), texels)?);
    }
    Ok(match image.contents() {
        Contents::View(shape, ..) => {
            let dense = runtime::Buffer::new(queue.device(), texels.len() as u64)?;
            queue.write(&dense, 0, texels)?;
            let rect = reversed(rect_of_view(shape, [origin, region]));
            queue.copy_rect(&dense, &image.write_on(device, queue)?, &rect)?
        }
        _ => queue.write(&image.write_on(device, queue)?, shape(image)?.row_bytes(origin[0]) as u64, texels)?,
    })
}

/// The texels of a region of an image over a buffer, and the same without gaps in another buffer.
fn rect_of_view(shape: &ImageShape, [origin, region]: Region) -> RectCopy {
    let [row, slice] = shape.strides(shape.pitches()).map(|pitch| pitch as u64);
    let bytes = |texels: usize| shape.row_bytes(texels) as u64;
    // Layers of a 1D array are rows.
    let slice = if shape.object_type() == CL_MEM_OBJECT_IMAGE1D_ARRAY { 0 } else { slice };
    RectCopy {
        region: [bytes(region[0]), region[1] as u64, region[2] as u64],
        source_origin: [bytes(origin[0]), origin[1] as u64, origin[2] as u64],
        source_pitch: [row, slice],
        target_origin: [0; 3],
        target_pitch: [0; 2],
    }
}

/// Where a copy begins: texels of an image, or bytes of a buffer.
enum Texels {
    Image(runtime::Image, [u32; 3]),
    Buffer(runtime::Buffer, u64),
    /// Texels of an image over a buffer.
    View(runtime::Buffer, ImageShape, [usize; 3]),
}

impl Texels {
    /// A texel of an image, which may be a buffer or over one.
    fn of_image(
        image: &Ref<Memory>,
        device: &Object<Device>,
        queue: &runtime::Queue,
        origin: [usize; 3],
        is_written: bool,
    ) -> Result<Texels> {
        if let Some(texels) = image.texels_on(device)? {
            return Ok(Texels::Image(texels, narrow([origin, [0; 3]]).origin));
        }
        let buffer = || if is_written { image.write_on(device, queue) } else { image.read_on(device, queue) };
        Ok(match image.contents() {
            Contents::View(shape, ..) => Texels::View(buffer()?, *shape, origin),
            _ => Texels::Buffer(buffer()?, shape(image)?.row_bytes(origin[0]) as u64),
        })
    }
}

/// Copies a region of texels, which are so many bytes without gaps.
fn copy(
    queue: &runtime::Queue,
    [from, to]: [&Texels; 2],
    region: [usize; 3],
    size: u64,
) -> std::result::Result<runtime::Event, runtime::Error> {
    let part = |origin: [u32; 3]| ImageRegion { origin, ..narrow([[0; 3], region]) };
    match (from, to) {
        // By way of texels without gaps.
        (Texels::View(buffer, shape, origin), _) => {
            let dense = runtime::Buffer::new(queue.device(), size)?;
            queue.copy_rect(buffer, &dense, &rect_of_view(shape, [*origin, region]))?;
            copy(queue, [&Texels::Buffer(dense, 0), to], region, size)
        }
        (_, Texels::View(buffer, shape, origin)) => {
            let dense = runtime::Buffer::new(queue.device(), size)?;
            copy(queue, [from, &Texels::Buffer(dense.clone(), 0)], region, size)?;
            queue.copy_rect(&dense, buffer, &reversed(rect_of_view(shape, [*origin, region])))
        }
        (Texels::Image(source, from), Texels::Image(target, to)) => queue.copy_image(source, &part(*from), target, *to),
        (Texels::Image(image, from), Texels::Buffer(buffer, to)) => {
            queue.copy_image_to_buffer(image, &part(*from), buffer, *to)
        }
        (Texels::Buffer(buffer, from), Texels::Image(image, to)) => {
            queue.copy_buffer_to_image(buffer, *from, image, &part(*to))
        }
        (Texels::Buffer(source, from), Texels::Buffer(target, to)) => queue.copy(source, *from, target, *to, size),
    }
}

/// Bytes of the texels of a region without gaps.
fn dense_bytes(shape: &ImageShape, region: [usize; 3]) -> u64 {
    shape.region_bytes(region).iter().product::<usize>() as u64
}

/// The copy of a box back to where it is from.
fn reversed(rect: RectCopy) -> RectCopy {
    RectCopy {
        region: rect.region,
        source_origin: rect.target_origin,
        source_pitch: rect.target_pitch,
        target_origin: rect.source_origin,
        target_pitch: rect.source_pitch,
    }
}

fn narrow([origin, size]: Region) -> ImageRegion {
    ImageRegion { origin: origin.map(number::count), size: size.map(number::count) }
}

/// Reads texels into the client's memory (`clEnqueueReadImage`), which reaches to the end of the region there.
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_MEM_OBJECT`, `CL_INVALID_CONTEXT`, `CL_INVALID_OPERATION`.
pub fn read_image(
    queue: &Ref<Queue>,
    image: &Ref<Memory>,
    region: Region,
    pitches: [usize; 2],
    mut host: ClientMemory,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    let shape = check(queue, image, region)?;
    image.flags().host_reads()?;
    let strides = shape.strides(shape.host_pitches(pitches, region[1])?);
    let (image, device) = (image.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        read_rows(&image, &device, queue, region, &mut host, strides)?;
        Ok(Started::Complete)
    };
    Enqueue::new(CL_COMMAND_READ_IMAGE, waits).on(queue, Box::new(action))
}

/// Writes the client's texels (`clEnqueueWriteImage`).
///
/// # Errors
/// As for [`read_image`].
pub fn write_image(
    queue: &Ref<Queue>,
    image: &Ref<Memory>,
    region: Region,
    pitches: [usize; 2],
    host: ClientMemory,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    let shape = check(queue, image, region)?;
    image.flags().host_writes()?;
    let strides = shape.strides(shape.host_pitches(pitches, region[1])?);
    let (image, device) = (image.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        let texels = host.rows(strides, shape.region_bytes(region[1]));
        Ok(Started::OnDevice(put(&image, &device, queue, region, &texels)?))
    };
    Enqueue::new(CL_COMMAND_WRITE_IMAGE, waits).on(queue, Box::new(action))
}

/// Copies texels from image to image (`clEnqueueCopyImage`).
///
/// # Errors
/// As for [`read_image`], and `CL_IMAGE_FORMAT_MISMATCH`, `CL_MEM_COPY_OVERLAP`.
pub fn copy_image(
    queue: &Ref<Queue>,
    [source, target]: [&Ref<Memory>; 2],
    [from, to, size]: [[usize; 3]; 3],
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    let (first, second) = (check(queue, source, [from, size])?, check(queue, target, [to, size])?);
    target.flags().commands_write()?;
    ensure(first.same_format(&second), CL_IMAGE_FORMAT_MISMATCH, "images of different formats")?;
    let meets = |d: usize| from[d] < to[d] + size[d] && to[d] < from[d] + size[d];
    let overlap = source.handle() == target.handle() && (0..3).all(meets);
    ensure(!overlap, CL_MEM_COPY_OVERLAP, "source and target overlap")?;
    let (source, target, device) = (source.clone(), target.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        let _turns = Memory::turns_with([&source, &target], &device);
        let ends = [
            Texels::of_image(&source, &device, queue, from, false)?,
            Texels::of_image(&target, &device, queue, to, true)?,
        ];
        Ok(Started::OnDevice(copy(queue, ends.each_ref(), size, dense_bytes(&first, size))?))
    };
    Enqueue::new(CL_COMMAND_COPY_IMAGE, waits).on(queue, Box::new(action))
}

/// Copies texels to a buffer, without gaps (`clEnqueueCopyImageToBuffer`).
///
/// # Errors
/// As for [`read_image`].
pub fn copy_image_to_buffer(
    queue: &Ref<Queue>,
    image: &Ref<Memory>,
    buffer: &Ref<Memory>,
    region: Region,
    offset: usize,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    check_buffer(queue, buffer)?;
    let shape = check(queue, image, region)?;
    buffer.flags().commands_write()?;
    buffer.check_range(offset, shape.region_bytes(region[1]).iter().product())?;
    let (image, buffer, device) = (image.clone(), buffer.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        let _turns = Memory::turns_with([&image, &buffer], &device);
        let source = Texels::of_image(&image, &device, queue, region[0], false)?;
        let ends = [source, Texels::Buffer(buffer.write_on(&device, queue)?, offset as u64)];
        Ok(Started::OnDevice(copy(queue, ends.each_ref(), region[1], dense_bytes(&shape, region[1]))?))
    };
    Enqueue::new(CL_COMMAND_COPY_IMAGE_TO_BUFFER, waits).on(queue, Box::new(action))
}

/// Copies bytes of a buffer to texels (`clEnqueueCopyBufferToImage`).
///
/// # Errors
/// As for [`read_image`].
pub fn copy_buffer_to_image(
    queue: &Ref<Queue>,
    buffer: &Ref<Memory>,
    image: &Ref<Memory>,
    offset: usize,
    region: Region,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    check_buffer(queue, buffer)?;
    let shape = check(queue, image, region)?;
    image.flags().commands_write()?;
    buffer.check_range(offset, shape.region_bytes(region[1]).iter().product())?;
    let (image, buffer, device) = (image.clone(), buffer.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        let _turns = Memory::turns_with([&image, &buffer], &device);
        let source = Texels::Buffer(buffer.read_on(&device, queue)?, offset as u64);
        let ends = [source, Texels::of_image(&image, &device, queue, region[0], true)?];
        Ok(Started::OnDevice(copy(queue, ends.each_ref(), region[1], dense_bytes(&shape, region[1]))?))
    };
    Enqueue::new(CL_COMMAND_COPY_BUFFER_TO_IMAGE, waits).on(queue, Box::new(action))
}

/// Fills texels with a colour (`clEnqueueFillImage`).
///
/// # Errors
/// As for [`read_image`].
pub fn fill_image(
    queue: &Ref<Queue>,
    image: &Ref<Memory>,
    color: [u8; 16],
    region: Region,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    let shape = check(queue, image, region)?;
    image.flags().commands_write()?;
    let (image, device) = (image.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        let texels = shape.encode_color(color, region[1]);
        Ok(Started::OnDevice(put(&image, &device, queue, region, &texels)?))
    };
    Enqueue::new(CL_COMMAND_FILL_IMAGE, waits).on(queue, Box::new(action))
}
