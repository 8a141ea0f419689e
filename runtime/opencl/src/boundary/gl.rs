//! Objects of OpenGL and images of EGL (`cl_khr_gl_sharing`, `cl_khr_gl_event`, `cl_khr_egl_image`).

use super::arguments::{Events, exposed, host_queue, object, objects, pairs, put};
use super::contexts;
use crate::commands;
use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::event::{self, Event};
use crate::gl::{self, Found, Reference, Shared, Surface, Target};
use crate::handle::Ref;
use crate::image::{self, ImageShape, ImageSizes};
use crate::info::{Value, unknown};
use crate::memory::{Flags, Memory, MemoryProperties};
use crate::platform::platform;
use opencl_sys::cl_egl::*;
use opencl_sys::*;
use std::ffi::c_void;
use std::sync::Arc;

/// `clGetGLContextInfoKHR`: the contents are copied, so every device will do. The one that OpenGL uses comes first.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn context_info(properties: *const cl_context_properties, name: cl_gl_context_info) -> Result<Value> {
    // SAFETY: the caller keeps the specification's rules.
    let list = unsafe { contexts::properties(properties) };
    let list = list.map_err(|error| match error.code {
        CL_INVALID_PROPERTY => error.with_code(CL_INVALID_VALUE),
        _ => error,
    })?;
    let none = || Error::new(CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "no context of OpenGL");
    let sharing = Reference::of(&list)?.ok_or_else(none)?.share()?;
    let mut devices = platform()?.devices(CL_DEVICE_TYPE_ALL)?;
    let uuid = sharing.uuid();
    devices.sort_by_key(|device| Some(device.description().hardware.device_uuid) != uuid);
    Ok(match name {
        CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR => Value::handles(devices.get(..1).unwrap_or_default()),
        CL_DEVICES_FOR_GL_CONTEXT_KHR => Value::handles(&devices),
        _ => return Err(unknown(name)),
    })
}

/// The flags of an object of OpenGL, which say how kernels use it.
fn flags(flags: cl_mem_flags) -> Result<Flags> {
    let known = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    ensure(flags & !known == 0, CL_INVALID_VALUE, "flags that objects of OpenGL do not have")?;
    Flags::without_contents(flags, false)
}

/// `clCreateFromGLBuffer`.
pub(super) fn buffer(context: cl_context, flags: cl_mem_flags, name: cl_GLuint) -> Result<usize> {
    let context = object::<Context>(context)?;
    let (sharing, flags) = (context.gl()?, self::flags(flags)?);
    let Found { shared, what: size } = Shared::buffer(sharing, name)?;
    let memory = Memory::buffer(&context, flags, size, None, MemoryProperties::default());
    let memory = memory.map_err(|error| error.with_code(CL_OUT_OF_RESOURCES))?;
    memory.keep_gl(shared);
    exposed(Ok(memory))
}

/// An image that shares an object.
fn image(context: &Ref<Context>, flags: Flags, found: Found<Surface>) -> Result<usize> {
    let Found { shared, what } = found;
    let Surface { object_type, size, levels, .. } = what;
    let is_over_buffer = object_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    let layers = if object_type == CL_MEM_OBJECT_IMAGE1D_ARRAY { size[1] } else { size[2] };
    let sizes = ImageSizes { object_type, size, layers, pitches: [0; 2], levels };
    let shape = ImageShape::new(context, sizes, image::format(what.format)?, is_over_buffer)?;
    let below = is_over_buffer.then(|| {
        let buffer = Memory::buffer(context, flags, shape.bytes(), None, MemoryProperties::default());
        buffer.map_err(|error| error.with_code(CL_OUT_OF_RESOURCES))
    });
    let below = below.transpose()?.map(|buffer| (buffer, flags.bits()));
    let memory = Memory::image(context, flags, shape, None, below, MemoryProperties::default())?;
    memory.keep_gl(shared);
    exposed(Ok(memory))
}

/// `clCreateFromGLTexture`.
pub(super) fn texture(
    context: cl_context,
    flags: cl_mem_flags,
    target: cl_GLenum,
    level: cl_GLint,
    name: cl_GLuint,
) -> Result<usize> {
    texture_if(context, flags, target, level, name, |_| true)
}

/// `clCreateFromGLTexture2D`.
pub(super) fn texture_2d(
    context: cl_context,
    flags: cl_mem_flags,
    target: cl_GLenum,
    level: cl_GLint,
    name: cl_GLuint,
) -> Result<usize> {
    texture_if(context, flags, target, level, name, Target::is_2d)
}

/// `clCreateFromGLTexture3D`.
pub(super) fn texture_3d(
    context: cl_context,
    flags: cl_mem_flags,
    target: cl_GLenum,
    level: cl_GLint,
    name: cl_GLuint,
) -> Result<usize> {
    texture_if(context, flags, target, level, name, Target::is_3d)
}

fn texture_if(
    context: cl_context,
    flags: cl_mem_flags,
    target: cl_GLenum,
    level: cl_GLint,
    name: cl_GLuint,
    takes: impl Fn(Target) -> bool,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    let (sharing, flags, target) = (context.gl()?, self::flags(flags)?, Target::new(target)?);
    ensure(takes(target), CL_INVALID_VALUE, "a kind of textures that the function does not take")?;
    image(&context, flags, Shared::texture(sharing, target, level, name)?)
}

/// `clCreateFromGLRenderbuffer`.
pub(super) fn renderbuffer(context: cl_context, flags: cl_mem_flags, name: cl_GLuint) -> Result<usize> {
    let context = object::<Context>(context)?;
    let (sharing, flags) = (context.gl()?, self::flags(flags)?);
    image(&context, flags, Shared::renderbuffer(sharing, name)?)
}

/// `clCreateFromEGLImageKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn egl_image(
    context: cl_context,
    display: *mut c_void,
    image: *mut c_void,
    flags: cl_mem_flags,
    properties: *const cl_egl_image_properties_khr,
) -> Result<usize> {
    let context = object::<Context>(context)?;
    // SAFETY: the caller keeps the specification's rules.
    let given = unsafe { pairs(properties) };
    ensure(given.len() <= 1, CL_INVALID_VALUE, "images of EGL have no properties")?;
    let host = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    let known = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT | host;
    ensure(flags & !known == 0, CL_INVALID_VALUE, "flags that images of EGL do not have")?;
    let flags = Flags::without_contents(flags, false)?;
    let has_images = context.devices().iter().any(|device| device.has_images());
    ensure(has_images, CL_INVALID_OPERATION, "no device has images")?;
    let sharing = context.display(display.addr())?;
    self::image(&context, flags, Shared::egl_image(&sharing, image.addr())?)
}

/// `clGetGLObjectInfo`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn object_info(memory: cl_mem, kind: *mut cl_gl_object_type, name: *mut cl_GLuint) -> Result<()> {
    let found = object::<Memory>(memory)?.gl()?.object()?;
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        put(kind, found.0);
        put(name, found.1);
    }
    Ok(())
}

/// `clGetGLTextureInfo`.
pub(super) fn texture_info(memory: cl_mem, name: cl_gl_texture_info) -> Result<Value> {
    let (target, level) = object::<Memory>(memory)?.gl()?.target_and_level()?;
    Ok(match name {
        CL_GL_TEXTURE_TARGET => Value::of(target),
        CL_GL_MIPMAP_LEVEL => Value::of(level),
        _ => return Err(unknown(name)),
    })
}

/// What a command needs: its queue, the objects, and the events that it waits for.
struct HandOver {
    queue: cl_command_queue,
    count: cl_uint,
    objects: *const cl_mem,
    events: Events,
}

impl HandOver {
    /// Enqueues a command that copies from OpenGL or to it.
    ///
    /// # Safety
    /// As for the functions of the API.
    unsafe fn enqueue(self, command: cl_command_type, is_of_egl: bool) -> Result<Ref<Event>> {
        let queue = host_queue(self.queue)?;
        // SAFETY: the caller keeps the specification's rules.
        let memories = unsafe { objects::<Memory>(self.count, self.objects) }?;
        if !is_of_egl {
            queue.context().gl()?;
        }
        let is_right = |memory: &Ref<Memory>| memory.gl().is_ok_and(|shared| shared.is_of_egl() == is_of_egl);
        let code = if is_of_egl { CL_INVALID_EGL_OBJECT_KHR } else { CL_INVALID_GL_OBJECT };
        ensure(memories.iter().all(is_right), code, "a memory object that was not made of such an object")?;
        // SAFETY: as above.
        let waits = unsafe { self.events.all_waits() }?;
        let may_wait = command == CL_COMMAND_ACQUIRE_GL_OBJECTS || waits.iter().all(|event| !event.is_of_fence());
        ensure(may_wait, CL_INVALID_EVENT, "only commands that acquire objects can wait for a fence of OpenGL")?;
        let event = commands::hand_over_to_gl(&queue, &memories, command, waits)?;
        // SAFETY: as above.
        unsafe { self.events.finish(&event, false) }?;
        Ok(event)
    }
}

/// `clEnqueueAcquireGLObjects`. What a context of the calling thread has to do is complete before (`cl_khr_gl_event`).
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn acquire(
    queue: cl_command_queue,
    count: cl_uint,
    objects: *const cl_mem,
    events: Events,
) -> Result<()> {
    gl::finish_current();
    // SAFETY: the caller keeps the specification's rules.
    unsafe { HandOver { queue, count, objects, events }.enqueue(CL_COMMAND_ACQUIRE_GL_OBJECTS, false) }.map(drop)
}

/// `clEnqueueReleaseGLObjects`. It is complete before what a context of the calling thread gets later (`cl_khr_gl_event`), unless
/// it waits for a user event.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn release(
    queue: cl_command_queue,
    count: cl_uint,
    objects: *const cl_mem,
    events: Events,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    let event = unsafe { HandOver { queue, count, objects, events }.enqueue(CL_COMMAND_RELEASE_GL_OBJECTS, false) }?;
    if gl::has_current() {
        event::wait_unless_held(&event);
    }
    Ok(())
}

/// `clEnqueueAcquireEGLObjectsKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn acquire_images(
    queue: cl_command_queue,
    count: cl_uint,
    objects: *const cl_mem,
    events: Events,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe { HandOver { queue, count, objects, events }.enqueue(CL_COMMAND_ACQUIRE_EGL_OBJECTS_KHR, true) }.map(drop)
}

/// `clEnqueueReleaseEGLObjectsKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn release_images(
    queue: cl_command_queue,
    count: cl_uint,
    objects: *const cl_mem,
    events: Events,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe { HandOver { queue, count, objects, events }.enqueue(CL_COMMAND_RELEASE_EGL_OBJECTS_KHR, true) }.map(drop)
}

/// `clCreateEventFromGLsyncKHR`.
pub(super) fn event_of_fence(context: cl_context, sync: *mut c_void) -> Result<usize> {
    let context = object::<Context>(context)?;
    let sharing = context.gl()?;
    let event = Event::new(&context, None, CL_COMMAND_GL_FENCE_SYNC_OBJECT_KHR);
    // An event that nobody has any more need not be completed.
    let waiting = Arc::downgrade(&event);
    let complete = move || {
        if let Some(event) = waiting.upgrade() {
            event.has_passed();
        }
    };
    sharing.when_passed(sync.addr(), Box::new(complete))?;
    exposed(Ok(event))
}
