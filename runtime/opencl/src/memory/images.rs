//! Creation of images.

use super::copies::Copies;
use super::flags::Flags;
use super::object::{Contents, Memory, MemoryProperties};
use crate::client::ClientMemory;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Result, ensure};
use crate::external::External;
use crate::handle::{Object, Ref};
use crate::image::ImageShape;
use clforge_runtime as runtime;
use opencl_sys::*;
use std::sync::Arc;

impl Memory {
    /// An image (`clCreateImageWithProperties`), with the texels of `host` where it is given, or over a buffer.
    ///
    /// # Errors
    /// `CL_INVALID_PROPERTY`, `CL_INVALID_IMAGE_DESCRIPTOR`, `CL_INVALID_IMAGE_SIZE`, `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
    pub fn image(
        context: &Ref<Context>,
        flags: Flags,
        shape: ImageShape,
        host: Option<ClientMemory>,
        buffer: Option<Ref<Memory>>,
        properties: MemoryProperties,
    ) -> Result<Ref<Memory>> {
        let MemoryProperties { list, is_addressed, external } = properties;
        ensure(!is_addressed, CL_INVALID_PROPERTY, "a property of buffers")?;
        let free = external.is_none() || buffer.is_none();
        ensure(free, CL_INVALID_PROPERTY, "external memory for an image over a buffer")?;
        let kind = shape.object_type();
        let over_buffer = kind == CL_MEM_OBJECT_IMAGE2D && buffer.is_some();
        ensure(!over_buffer, CL_INVALID_OPERATION, "images of two dimensions over buffers")?;
        let is_buffer = kind == CL_MEM_OBJECT_IMAGE1D_BUFFER;
        ensure(is_buffer == buffer.is_some(), CL_INVALID_IMAGE_DESCRIPTOR, "only 1D buffer images are over buffers")?;
        if let Some(buffer) = buffer {
            ensure(buffer.is_buffer(), CL_INVALID_IMAGE_DESCRIPTOR, "an image over something that is not a buffer")?;
            ensure(shape.bytes() <= buffer.size(), CL_INVALID_IMAGE_SIZE, "the buffer is smaller than the image")?;
            let keeps = flags.has(CL_MEM_IMMUTABLE_EXT) || !buffer.flags().has(CL_MEM_IMMUTABLE_EXT);
            ensure(keeps, CL_INVALID_VALUE, "an image that can be written over a buffer that cannot")?;
            let flags = buffer.flags().part(flags.bits() & !CL_MEM_READ_WRITE)?;
            let contents = Contents::BufferImage(shape, buffer);
            return Ok(Memory::new(context, flags, shape.bytes(), None, contents, list));
        }
        let external = external.map(Arc::new);
        let imported = external.clone();
        let make = move |device: &Object<Device>| match &imported {
            Some(external) if external.is_for(device) => external.image(&device.open()?, shape.description()),
            _ => Ok(runtime::Image::zeroed(&device.open()?, shape.description())?),
        };
        let copies = Copies::new(Box::new(make));
        let of_external = external.as_ref().and_then(|external| external.first_device());
        let first = of_external.or_else(|| context.devices().iter().find(|device| device.has_images()));
        let first = first.map(|device| copies.on(device)).transpose();
        let first = first.map_err(|error| error.with_code(External::code_of_failure(external.as_deref())))?;
        if let (Some(image), Some(host)) = (first, &host) {
            image.write(&host.rows(shape.strides(shape.pitches()), shape.size(), shape.texel()))?;
        }
        let size = if flags.has(CL_MEM_USE_HOST_PTR) { shape.host_bytes() } else { shape.bytes() };
        let memory = Memory::new(context, flags, size, host, Contents::Image(shape, copies), list);
        memory.keep_external(external);
        Ok(memory)
    }
}
