//! Creation of images.

use super::copies::Copies;
use super::flags::Flags;
use super::object::{Contents, Memory, MemoryProperties};
use super::views::View;
use crate::client::ClientMemory;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::external::External;
use crate::handle::{Object, Ref};
use crate::image::ImageShape;
use clforge_runtime as runtime;
use opencl_sys::*;
use std::sync::Arc;

impl Memory {
    /// An image (`clCreateImageWithProperties`), with the texels of `host` where it is given, or over a buffer or another
    /// image, with the flags that the client has given for this.
    ///
    /// # Errors
    /// `CL_INVALID_PROPERTY`, `CL_INVALID_IMAGE_DESCRIPTOR`, `CL_INVALID_IMAGE_FORMAT_DESCRIPTOR`,
    /// `CL_INVALID_IMAGE_SIZE`, `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
    pub fn image(
        context: &Ref<Context>,
        flags: Flags,
        shape: ImageShape,
        host: Option<ClientMemory>,
        below: Option<(Ref<Memory>, cl_mem_flags)>,
        properties: MemoryProperties,
    ) -> Result<Ref<Memory>> {
        let MemoryProperties { list, is_addressed, is_located, external } = properties;
        ensure(!is_addressed && !is_located, CL_INVALID_PROPERTY, "a property of buffers")?;
        let free = external.is_none() || below.is_none();
        ensure(free, CL_INVALID_PROPERTY, "external memory for an image over a buffer")?;
        let needs_buffer = shape.object_type() == CL_MEM_OBJECT_IMAGE1D_BUFFER;
        ensure(!needs_buffer || below.is_some(), CL_INVALID_IMAGE_DESCRIPTOR, "a 1D buffer image over no buffer")?;
        if let Some((of, given)) = below {
            ensure(shape.levels() == 1, CL_INVALID_IMAGE_DESCRIPTOR, "levels of detail over another object")?;
            let keeps = flags.has(CL_MEM_IMMUTABLE_EXT) || !of.flags().has(CL_MEM_IMMUTABLE_EXT);
            ensure(keeps, CL_INVALID_VALUE, "an image that can be written over an object that cannot")?;
            let flags = of.flags().part(given)?;
            let contents = if of.is_buffer() { over_buffer(shape, of)? } else { over_image(shape, of)? };
            let memory = Memory::new(context, flags, shape.host_bytes(), None, contents, list);
            memory.add_view();
            return Ok(memory);
        }
        if shape.packing().is_some() {
            ensure(external.is_none(), CL_INVALID_PROPERTY, "packed texels in external memory")?;
            return Memory::packed_image(context, flags, shape, host, list);
        }
        let external = external.map(Arc::new);
        let is_simple = host.is_none() && external.is_none() && !shape.is_depth();
        ensure(shape.levels() == 1 || is_simple, CL_INVALID_IMAGE_DESCRIPTOR, "levels of detail of such an image")?;
        let imported = external.clone();
        let make = move |device: &Object<Device>| match &imported {
            Some(external) if external.is_for(device) => external.image(&device.open()?, shape.description()),
            _ => Ok(runtime::Image::mipmapped(&device.open()?, shape.description(), shape.levels())?),
        };
        let copies = Arc::new(Copies::new(Box::new(make)));
        let of_external = external.as_ref().and_then(|external| external.first_device());
        let first = of_external.or_else(|| context.devices().iter().find(|device| device.has_images()));
        let first = first.map(|device| copies.on(device)).transpose();
        let first = first.map_err(|error| error.with_code(External::code_of_failure(external.as_deref())))?;
        if let (Some(image), Some(host)) = (first, &host) {
            let texels = host.rows(shape.strides(shape.pitches()), shape.region_bytes(shape.size()));
            image.initialize(&texels)?;
        }
        let size = if flags.has(CL_MEM_USE_HOST_PTR) { shape.host_bytes() } else { shape.bytes() };
        let memory = Memory::new(context, flags, size, host, Contents::Image(shape, copies), list);
        memory.keep_external(external);
        Ok(memory)
    }

    /// An image of packed texels, which are in a buffer that the client does not know.
    fn packed_image(
        context: &Ref<Context>,
        flags: Flags,
        shape: ImageShape,
        host: Option<ClientMemory>,
        properties: Vec<cl_mem_properties>,
    ) -> Result<Ref<Memory>> {
        let of_buffer = Flags::without_contents(CL_MEM_READ_WRITE, false)?;
        let buffer = Memory::buffer(context, of_buffer, shape.host_bytes(), host.clone(), MemoryProperties::default());
        let buffer = buffer.map_err(|error| error.with_code(CL_MEM_OBJECT_ALLOCATION_FAILURE))?;
        let contents = Contents::View(shape, buffer, View::hidden(shape));
        let memory = Memory::new(context, flags, shape.host_bytes(), host, contents, properties);
        memory.add_view();
        Ok(memory)
    }
}

/// The contents of an image over a buffer.
///
/// # Errors
/// `CL_INVALID_IMAGE_SIZE`, `CL_INVALID_IMAGE_FORMAT_DESCRIPTOR` for texels that do not begin at multiples of their size.
fn over_buffer(shape: ImageShape, buffer: Ref<Memory>) -> Result<Contents> {
    ensure(shape.host_bytes() <= buffer.size(), CL_INVALID_IMAGE_SIZE, "the buffer is smaller than the image")?;
    let first = buffer.first_byte();
    let aligned = [first, buffer.host_address()].iter().all(|at| at.is_multiple_of(shape.alignment()));
    ensure(aligned, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "texels at addresses that are no multiples of their size")?;
    Ok(match shape.object_type() {
        CL_MEM_OBJECT_IMAGE1D_BUFFER if shape.packing().is_none() => Contents::BufferImage(shape, buffer),
        _ => Contents::View(shape, buffer, View::new(shape, first)),
    })
}

/// The contents of an image of another image's texels, with another order of channels.
///
/// # Errors
/// `CL_INVALID_IMAGE_DESCRIPTOR`, `CL_INVALID_IMAGE_FORMAT_DESCRIPTOR`.
fn over_image(shape: ImageShape, image: Ref<Memory>) -> Result<Contents> {
    let other = image.shape().filter(|other| other.has_size_of(&shape));
    let other = other.ok_or_else(|| Error::new(CL_INVALID_IMAGE_DESCRIPTOR, "not the size of the image below"))?;
    ensure(shape.views(other), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "not an order of channels for the image below")?;
    Ok(match image.contents() {
        Contents::View(of, buffer, _) => {
            let shape = shape.with_pitches(of.pitches());
            Contents::View(shape, image.clone(), View::new(shape, buffer.first_byte()))
        }
        _ => Contents::Alias(shape, image),
    })
}
