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
use clforge_runtime::{self as runtime, ImageRegion};
use opencl_sys::*;

/// First texel, row and slice of a region, and its size.
type Region = [[usize; 3]; 2];

/// The shape of an image.
///
/// # Errors
/// `CL_INVALID_MEM_OBJECT` for a buffer.
pub fn shape(memory: &Memory) -> Result<&ImageShape> {
    match memory.contents() {
        Contents::Image(shape, _) | Contents::BufferImage(shape, _) => Ok(shape),
        Contents::Buffer(_) | Contents::Part(..) | Contents::Pipe(..) => {
            Err(Error::new(CL_INVALID_MEM_OBJECT, "a buffer or a pipe is not an image"))
        }
    }
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
    let size = size.and_then(|(slices, rows)| slices.checked_add(rows)?.checked_add(region[0] * shape.texel()));
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
    let texel = shape(image)?.texel();
    if let Some(texels) = host.dense_mut(strides, region[1], texel) {
        return read_dense(image, device, queue, region, texels);
    }
    let mut texels = vec![0; region[1].iter().product::<usize>() * texel];
    read_dense(image, device, queue, region, &mut texels)?;
    host.set_rows(strides, region[1], texel, &texels);
    Ok(())
}

/// Reads the texels of a region, without gaps.
fn read_dense(
    image: &Ref<Memory>,
    device: &Object<Device>,
    queue: &runtime::Queue,
    region: Region,
    texels: &mut [u8],
) -> Result<()> {
    match image.contents() {
        Contents::Image(_, copies) => queue.read_image(&copies.on(device)?, &narrow(region), texels)?,
        _ => queue.read(&image.buffer_on(device)?, (region[0][0] * shape(image)?.texel()) as u64, texels)?,
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
    Ok(match image.contents() {
        Contents::Image(_, copies) => queue.write_image(&copies.on(device)?, &narrow([origin, region]), texels)?,
        _ => queue.write(&image.buffer_on(device)?, (origin[0] * shape(image)?.texel()) as u64, texels)?,
    })
}

/// Where a copy begins: texels of an image, or bytes of a buffer.
enum Texels {
    Image(runtime::Image, [u32; 3]),
    Buffer(runtime::Buffer, u64),
}

impl Texels {
    /// A texel of an image, which may be a buffer.
    fn of_image(image: &Ref<Memory>, device: &Object<Device>, origin: [usize; 3]) -> Result<Texels> {
        Ok(match image.contents() {
            Contents::Image(_, copies) => Texels::Image(copies.on(device)?, narrow([origin, [0; 3]]).origin),
            _ => Texels::Buffer(image.buffer_on(device)?, (origin[0] * shape(image)?.texel()) as u64),
        })
    }

    fn of_buffer(buffer: &Ref<Memory>, device: &Object<Device>, offset: usize) -> Result<Texels> {
        Ok(Texels::Buffer(buffer.buffer_on(device)?, offset as u64))
    }
}

/// Copies a region of texels of so many bytes.
fn copy(
    queue: &runtime::Queue,
    [from, to]: [&Texels; 2],
    region: [usize; 3],
    texel: usize,
) -> std::result::Result<runtime::Event, runtime::Error> {
    let part = |origin: [u32; 3]| ImageRegion { origin, ..narrow([[0; 3], region]) };
    match (from, to) {
        (Texels::Image(source, from), Texels::Image(target, to)) => queue.copy_image(source, &part(*from), target, *to),
        (Texels::Image(image, from), Texels::Buffer(buffer, to)) => {
            queue.copy_image_to_buffer(image, &part(*from), buffer, *to)
        }
        (Texels::Buffer(buffer, from), Texels::Image(image, to)) => {
            queue.copy_buffer_to_image(buffer, *from, image, &part(*to))
        }
        (Texels::Buffer(source, from), Texels::Buffer(target, to)) => {
            queue.copy(source, *from, target, *to, (region.iter().product::<usize>() * texel) as u64)
        }
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
        let texels = host.rows(strides, region[1], shape.texel());
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
        let ends = [Texels::of_image(&source, &device, from)?, Texels::of_image(&target, &device, to)?];
        Ok(Started::OnDevice(copy(queue, ends.each_ref(), size, first.texel())?))
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
    buffer.check_range(offset, region[1].iter().product::<usize>() * shape.texel())?;
    let (image, buffer, device) = (image.clone(), buffer.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        let ends = [Texels::of_image(&image, &device, region[0])?, Texels::of_buffer(&buffer, &device, offset)?];
        Ok(Started::OnDevice(copy(queue, ends.each_ref(), region[1], shape.texel())?))
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
    buffer.check_range(offset, region[1].iter().product::<usize>() * shape.texel())?;
    let (image, buffer, device) = (image.clone(), buffer.clone(), queue.device().clone());
    let action = move |queue: &runtime::Queue| {
        let ends = [Texels::of_buffer(&buffer, &device, offset)?, Texels::of_image(&image, &device, region[0])?];
        Ok(Started::OnDevice(copy(queue, ends.each_ref(), region[1], shape.texel())?))
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
        let texels = shape.encode_color(color).repeat(region[1].iter().product());
        Ok(Started::OnDevice(put(&image, &device, queue, region, &texels)?))
    };
    Enqueue::new(CL_COMMAND_FILL_IMAGE, waits).on(queue, Box::new(action))
}
