//! Images (section 5.3).

use super::arguments::{Events, exposed, host_queue, memory, object, optional, triple, write_list};
use super::memories;
use crate::commands;
use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::handle::Ref;
use crate::image::{self, ImageShape, ImageSizes};
use crate::info::{Info, Value};
use crate::memory::{Contents, Flags, Memory, MemoryProperties};
use opencl_sys::*;
use std::ffi::c_void;

/// `clCreateImage`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create(
    context: cl_context,
    flags: cl_mem_flags,
    format: *const cl_image_format,
    description: *const cl_image_desc,
    host: *mut c_void,
) -> Result<usize> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe { create_with_properties(context, std::ptr::null(), flags, format, description, host) }
}

/// `clCreateImageWithProperties`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create_with_properties(
    context: cl_context,
    properties: *const cl_mem_properties,
    flags: cl_mem_flags,
    format: *const cl_image_format,
    description: *const cl_image_desc,
    host: *mut c_void,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    ensure(!format.is_null(), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no image format")?;
    ensure(!description.is_null(), CL_INVALID_IMAGE_DESCRIPTOR, "no image description")?;
    // SAFETY: the caller keeps the specification's rules.
    let (properties, format, description) =
        unsafe { (memories::properties(&context, properties)?, format.read_unaligned(), description.read_unaligned()) };
    ensure(description.num_samples == 0, CL_INVALID_IMAGE_DESCRIPTOR, "samples")?;
    let buffer =
        optional::<Memory>(description.buffer).map_err(|error| error.with_code(CL_INVALID_IMAGE_DESCRIPTOR))?;
    // SAFETY: as above.
    unsafe { create_from(&context, properties, flags, format, sizes(&description), buffer, host) }
}

/// The sizes of a description.
fn sizes(description: &cl_image_desc) -> ImageSizes {
    ImageSizes {
        object_type: description.image_type,
        size: [description.image_width, description.image_height, description.image_depth],
        layers: description.image_array_size,
        pitches: [description.image_row_pitch, description.image_slice_pitch],
        levels: description.num_mip_levels,
    }
}

/// `clGetImageRequirementsInfoEXT`.
///
/// # Safety
/// As for the function of the extension.
pub(super) unsafe fn requirements(
    context: cl_context,
    properties: *const cl_mem_properties,
    flags: cl_mem_flags,
    format: *const cl_image_format,
    description: *const cl_image_desc,
    name: cl_image_requirements_info_ext,
) -> Result<Value> {
    let context = object::<Context>(context)?;
    // SAFETY: the caller keeps the rules of the extension.
    unsafe {
        memories::properties(&context, properties)?;
        Flags::without_contents(flags & !CL_MEM_KERNEL_READ_AND_WRITE, false)?;
        let format = (!format.is_null()).then(|| format.read_unaligned());
        let sizes = (!description.is_null()).then(|| sizes(&description.read_unaligned()));
        crate::requirements::info(&context, format, sizes, name)
    }
}

/// Creates an image of any kind.
///
/// # Safety
/// `host` is null or has the bytes that the sizes say.
unsafe fn create_from(
    context: &Ref<Context>,
    properties: MemoryProperties,
    flags: cl_mem_flags,
    format: cl_image_format,
    sizes: ImageSizes,
    buffer: Option<Ref<Memory>>,
    host: *mut c_void,
) -> Result<usize> {
    let given = flags;
    // Otherwise the other object, or the external memory, has contents.
    let check = match buffer.is_none() && properties.external.is_none() {
        true => Flags::new,
        false => Flags::without_contents,
    };
    let flags = check(flags, !host.is_null())?;
    memories::check_external(&properties, flags)?;
    let has_pointer = !host.is_null() || buffer.is_some();
    let format = image::format(format)?;
    if buffer.is_some() {
        sizes.check_alignment(format)?;
    }
    let shape = ImageShape::new(context, sizes, format, has_pointer)?;
    // SAFETY: the caller's promise.
    let host = if host.is_null() { None } else { Some(unsafe { memory(host, shape.host_bytes()) }?) };
    // What is not given is the other object's.
    let below = buffer.map(|buffer| (buffer, given));
    exposed(Memory::image(context, flags, shape, host, below, properties))
}

/// The error of a function that has no descriptor, but sizes and pitches (section 5.3.1).
fn without_descriptor(error: Error) -> Error {
    if error.code == CL_INVALID_IMAGE_DESCRIPTOR { error.with_code(CL_INVALID_IMAGE_SIZE) } else { error }
}

/// `clCreateImage2D`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create_2d(
    context: cl_context,
    flags: cl_mem_flags,
    format: *const cl_image_format,
    width: usize,
    height: usize,
    row_pitch: usize,
    host: *mut c_void,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    ensure(!format.is_null(), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no image format")?;
    let (object_type, size) = (CL_MEM_OBJECT_IMAGE2D, [width, height, 1]);
    let sizes = ImageSizes { object_type, size, layers: 1, pitches: [row_pitch, 0], levels: 0 };
    // SAFETY: the caller keeps the specification's rules.
    let made = unsafe {
        create_from(&context, MemoryProperties::default(), flags, format.read_unaligned(), sizes, None, host)
    };
    made.map_err(without_descriptor)
}

/// `clCreateImage3D`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn create_3d(
    context: cl_context,
    flags: cl_mem_flags,
    format: *const cl_image_format,
    width: usize,
    height: usize,
    depth: usize,
    row_pitch: usize,
    slice_pitch: usize,
    host: *mut c_void,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    ensure(!format.is_null(), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "no image format")?;
    let (object_type, size) = (CL_MEM_OBJECT_IMAGE3D, [width, height, depth]);
    let sizes = ImageSizes { object_type, size, layers: 1, pitches: [row_pitch, slice_pitch], levels: 0 };
    // SAFETY: the caller keeps the specification's rules.
    let made = unsafe {
        create_from(&context, MemoryProperties::default(), flags, format.read_unaligned(), sizes, None, host)
    };
    made.map_err(without_descriptor)
}

/// `clGetSupportedImageFormats`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn formats(
    context: cl_context,
    flags: cl_mem_flags,
    object_type: cl_mem_object_type,
    room: cl_uint,
    places: *mut cl_image_format,
    count: *mut cl_uint,
) -> Result<()> {
    let formats = image::formats(&*object::<Context>(context)?, flags, image::kind(object_type)?)?;
    if places.is_null() && count.is_null() {
        return Ok(());
    }
    // SAFETY: the caller keeps the specification's rules.
    unsafe { write_list(&formats, room, places, count) }
}

/// `clGetImageInfo`.
pub(super) fn info(handle: cl_mem, name: cl_image_info) -> Result<Value> {
    let memory = object::<Memory>(handle)?;
    match (memory.contents(), name) {
        (Contents::BufferImage(..) | Contents::View(..), CL_IMAGE_BUFFER) => memory.info(CL_MEM_ASSOCIATED_MEMOBJECT),
        (Contents::Image(..) | Contents::Alias(..), CL_IMAGE_BUFFER) => Ok(Value::of(0usize)),
        _ => commands::shape(&memory)?.info(name),
    }
}

/// What an origin names: the level of detail of an image by itself, and its first texel.
///
/// # Safety
/// `origin` is null or has three values, and one more for an image of three dimensions with levels of detail.
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_MIP_LEVEL`.
pub(super) unsafe fn placed(image: Ref<Memory>, origin: *const usize) -> Result<(Ref<Memory>, [usize; 3])> {
    // SAFETY: the caller's promise.
    let mut first = unsafe { triple(origin) }?;
    let Some(place) = image.shape().filter(|shape| shape.levels() > 1).map(ImageShape::place_of_level) else {
        return Ok((image, first));
    };
    // SAFETY: as above.
    let level = unsafe { origin.add(place).read_unaligned() };
    if let Some(number) = first.get_mut(place) {
        *number = 0;
    }
    Ok((Memory::level(&image, level)?, first))
}

/// `clEnqueueReadImage`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn read(
    queue: cl_command_queue,
    image: cl_mem,
    blocking: cl_bool,
    origin: *const usize,
    region: *const usize,
    row_pitch: usize,
    slice_pitch: usize,
    host: *mut c_void,
    events: Events,
) -> Result<()> {
    let (queue, image) = (host_queue(queue)?, object::<Memory>(image)?);
    let pitches = [row_pitch, slice_pitch];
    // SAFETY: the caller keeps the specification's rules: the host's memory has room for the region.
    unsafe {
        let (image, origin) = placed(image, origin)?;
        let region = [origin, triple(region)?];
        let host = memory(host, commands::host_size(&image, region[1], pitches)?)?;
        let event = commands::read_image(&queue, &image, region, pitches, host, events.waits()?)?;
        events.finish(&event, blocking != CL_FALSE)
    }
}

/// `clEnqueueWriteImage`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn write(
    queue: cl_command_queue,
    image: cl_mem,
    blocking: cl_bool,
    origin: *const usize,
    region: *const usize,
    row_pitch: usize,
    slice_pitch: usize,
    host: *const c_void,
    events: Events,
) -> Result<()> {
    let (queue, image) = (host_queue(queue)?, object::<Memory>(image)?);
    let pitches = [row_pitch, slice_pitch];
    // SAFETY: as for `read`.
    unsafe {
        let (image, origin) = placed(image, origin)?;
        let region = [origin, triple(region)?];
        let host = memory(host, commands::host_size(&image, region[1], pitches)?)?;
        let event = commands::write_image(&queue, &image, region, pitches, host, events.waits()?)?;
        events.finish(&event, blocking != CL_FALSE)
    }
}

/// `clEnqueueFillImage`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn fill(
    queue: cl_command_queue,
    image: cl_mem,
    color: *const c_void,
    origin: *const usize,
    region: *const usize,
    events: Events,
) -> Result<()> {
    let (queue, image) = (host_queue(queue)?, object::<Memory>(image)?);
    ensure(!color.is_null(), CL_INVALID_VALUE, "no colour")?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let color = color_of(&image, color);
        let (image, origin) = placed(image, origin)?;
        let region = [origin, triple(region)?];
        events.finish(&commands::fill_image(&queue, &image, color, region, events.waits()?)?, false)
    }
}

/// A colour for an image: four channels of four bytes each, of depths one.
///
/// # Safety
/// The colour has so many bytes.
pub(super) unsafe fn color_of(image: &Memory, color: *const c_void) -> [u8; 16] {
    let is_depth = image.shape().is_some_and(ImageShape::is_depth);
    let mut all = [0; 16];
    let bytes = if is_depth { 4 } else { all.len() };
    // SAFETY: the caller says that they are there.
    unsafe { all.as_mut_ptr().copy_from_nonoverlapping(color.cast(), bytes) };
    all
}

/// `clEnqueueCopyImage`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn copy(
    queue: cl_command_queue,
    source: cl_mem,
    target: cl_mem,
    from: *const usize,
    to: *const usize,
    region: *const usize,
    events: Events,
) -> Result<()> {
    let (queue, source, target) = (host_queue(queue)?, object::<Memory>(source)?, object::<Memory>(target)?);
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let ((source, from), (target, to)) = (placed(source, from)?, placed(target, to)?);
        let places = [from, to, triple(region)?];
        let event = commands::copy_image(&queue, [&source, &target], places, events.waits()?)?;
        events.finish(&event, false)
    }
}

/// `clEnqueueCopyImageToBuffer`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn copy_to_buffer(
    queue: cl_command_queue,
    image: cl_mem,
    buffer: cl_mem,
    origin: *const usize,
    region: *const usize,
    offset: usize,
    events: Events,
) -> Result<()> {
    let (queue, image, buffer) = (host_queue(queue)?, object::<Memory>(image)?, object::<Memory>(buffer)?);
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let (image, origin) = placed(image, origin)?;
        let region = [origin, triple(region)?];
        let event = commands::copy_image_to_buffer(&queue, &image, &buffer, region, offset, events.waits()?)?;
        events.finish(&event, false)
    }
}

/// `clEnqueueCopyBufferToImage`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn copy_from_buffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    image: cl_mem,
    offset: usize,
    origin: *const usize,
    region: *const usize,
    events: Events,
) -> Result<()> {
    let (queue, buffer, image) = (host_queue(queue)?, object::<Memory>(buffer)?, object::<Memory>(image)?);
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let (image, origin) = placed(image, origin)?;
        let region = [origin, triple(region)?];
        let event = commands::copy_buffer_to_image(&queue, &buffer, &image, offset, region, events.waits()?)?;
        events.finish(&event, false)
    }
}
