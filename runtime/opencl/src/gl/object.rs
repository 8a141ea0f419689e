//! Objects of OpenGL that memory objects can share: what they are, and their contents.

use super::driver::{
    Driver, FACES, TEXTURE_1D, TEXTURE_1D_ARRAY, TEXTURE_2D, TEXTURE_2D_ARRAY, TEXTURE_3D, TEXTURE_BUFFER,
    TEXTURE_CUBE, TEXTURE_RECTANGLE,
};
use super::formats::{self, Component, Pixels};
use super::thread::Sharing;
use crate::error::{Error, Result, ensure};
use crate::number;
use opencl_sys::cl_egl::CL_INVALID_EGL_OBJECT_KHR;
use opencl_sys::*;
use std::sync::Arc;

/// A kind of textures that images can be made of, or a face of a cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target(u32);

impl Target {
    /// `GL_TEXTURE_…`.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for any other number.
    pub fn new(number: cl_GLenum) -> Result<Target> {
        const TARGETS: [u32; 7] =
            [TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, TEXTURE_RECTANGLE, TEXTURE_1D_ARRAY, TEXTURE_2D_ARRAY, TEXTURE_BUFFER];
        let known = TARGETS.contains(&number) || FACES.contains(&number);
        ensure(known, CL_INVALID_VALUE, "not a kind of textures that images can be made of")?;
        Ok(Target(number))
    }

    /// Whether it is one of two dimensions, without layers.
    pub fn is_2d(self) -> bool {
        [TEXTURE_2D, TEXTURE_RECTANGLE].contains(&self.0) || FACES.contains(&self.0)
    }

    /// Whether it is one of three dimensions.
    pub fn is_3d(self) -> bool {
        self.0 == TEXTURE_3D
    }

    /// What textures of this kind are bound to.
    fn binding(self) -> u32 {
        if FACES.contains(&self.0) { TEXTURE_CUBE } else { self.0 }
    }

    fn has_levels(self) -> bool {
        ![TEXTURE_RECTANGLE, TEXTURE_BUFFER].contains(&self.0)
    }

    fn object_type(self) -> cl_mem_object_type {
        match self.0 {
            TEXTURE_1D => CL_MEM_OBJECT_IMAGE1D,
            TEXTURE_1D_ARRAY => CL_MEM_OBJECT_IMAGE1D_ARRAY,
            TEXTURE_BUFFER => CL_MEM_OBJECT_IMAGE1D_BUFFER,
            TEXTURE_2D_ARRAY => CL_MEM_OBJECT_IMAGE2D_ARRAY,
            TEXTURE_3D => CL_MEM_OBJECT_IMAGE3D,
            _ => CL_MEM_OBJECT_IMAGE2D,
        }
    }
}

/// What an object of OpenGL is.
#[derive(Clone, Copy, Debug)]
enum Source {
    Buffer {
        name: u32,
    },
    Texture {
        name: u32,
        target: Target,
        /// As the client gives it, which is negative for all levels.
        given: i32,
        /// The first level that is used.
        first: i32,
        pixels: Pixels,
    },
    /// A part of a buffer with the texels of a texture.
    TextureBuffer {
        name: u32,
        buffer: u32,
        start: usize,
    },
    Renderbuffer {
        name: u32,
        pixels: Pixels,
    },
    /// A texture of the driver's own, of an image of EGL.
    EglImage {
        texture: u32,
        pixels: Pixels,
    },
}

/// The image that an object of OpenGL can be.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// `CL_MEM_OBJECT_IMAGE2D` and so on.
    pub object_type: cl_mem_object_type,
    /// Its format.
    pub format: cl_image_format,
    /// Width, height and depth, or layers.
    pub size: [usize; 3],
    /// Number of levels of detail.
    pub levels: u32,
}

/// An object of OpenGL, with what it is as a memory object: bytes of a buffer, or an image.
pub struct Found<T> {
    /// The object.
    pub shared: Shared,
    /// What it is.
    pub what: T,
}

/// An object of OpenGL that a memory object shares.
pub struct Shared {
    sharing: Arc<Sharing>,
    source: Source,
}

impl Shared {
    fn found<T: Send + 'static>(
        sharing: &Arc<Sharing>,
        look: impl FnOnce(&Driver) -> Result<(Source, T)> + Send + 'static,
    ) -> Result<Found<T>> {
        let (source, what) = sharing.call(look)?;
        Ok(Found { shared: Shared { sharing: sharing.clone(), source }, what })
    }

    /// A buffer, and how many bytes it has.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT` for no buffer, or one without bytes.
    pub fn buffer(sharing: &Arc<Sharing>, name: u32) -> Result<Found<usize>> {
        Shared::found(sharing, move |driver| {
            let size = driver.buffer_size(name).filter(|size| *size > 0);
            let size = size.ok_or_else(|| Error::new(CL_INVALID_GL_OBJECT, "no buffer of OpenGL with bytes"))?;
            Ok((Source::Buffer { name }, size))
        })
    }

    /// A level of detail of a texture, or all levels where the number is negative.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT`, `CL_INVALID_MIP_LEVEL`, `CL_INVALID_IMAGE_FORMAT_DESCRIPTOR`, `CL_INVALID_OPERATION`.
    pub fn texture(sharing: &Arc<Sharing>, target: Target, level: i32, name: u32) -> Result<Found<Surface>> {
        Shared::found(sharing, move |driver| {
            let is_bound = driver.bind_texture(target.binding(), name);
            ensure(is_bound, CL_INVALID_GL_OBJECT, "no texture of OpenGL of this kind")?;
            let found = look_at_texture(driver, target, level, name);
            driver.unbind_texture(target.binding());
            found
        })
    }

    /// A renderbuffer.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT`, `CL_INVALID_IMAGE_FORMAT_DESCRIPTOR`, `CL_INVALID_OPERATION` for one with several samples.
    pub fn renderbuffer(sharing: &Arc<Sharing>, name: u32) -> Result<Found<Surface>> {
        Shared::found(sharing, move |driver| {
            ensure(driver.bind_renderbuffer(name), CL_INVALID_GL_OBJECT, "no renderbuffer of OpenGL")?;
            let found = look_at_renderbuffer(driver, name);
            driver.unbind_renderbuffer();
            found
        })
    }

    /// An image of EGL.
    ///
    /// # Errors
    /// `CL_INVALID_EGL_OBJECT_KHR`, `CL_IMAGE_FORMAT_NOT_SUPPORTED`, `CL_INVALID_OPERATION` where OpenGL does not take such images.
    pub fn egl_image(sharing: &Arc<Sharing>, image: usize) -> Result<Found<Surface>> {
        ensure(image != 0, CL_INVALID_EGL_OBJECT_KHR, "no image of EGL")?;
        Shared::found(sharing, move |driver| {
            let texture = driver.new_texture();
            let found = driver.use_image(image).and_then(|()| look_at_image(driver, texture));
            driver.unbind_texture(TEXTURE_2D);
            found.inspect_err(|_| driver.delete_texture(texture))
        })
    }

    /// `CL_GL_OBJECT_…` and the name of the object.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT` for an image of EGL.
    pub fn object(&self) -> Result<(cl_gl_object_type, u32)> {
        Ok(match self.source {
            Source::Buffer { name } => (CL_GL_OBJECT_BUFFER, name),
            Source::Renderbuffer { name, .. } => (CL_GL_OBJECT_RENDERBUFFER, name),
            Source::TextureBuffer { name, .. } => (CL_GL_OBJECT_TEXTURE_BUFFER, name),
            Source::Texture { name, target, .. } => {
                let kind = match target.0 {
                    TEXTURE_1D => CL_GL_OBJECT_TEXTURE1D,
                    TEXTURE_1D_ARRAY => CL_GL_OBJECT_TEXTURE1D_ARRAY,
                    TEXTURE_2D_ARRAY => CL_GL_OBJECT_TEXTURE2D_ARRAY,
                    TEXTURE_3D => CL_GL_OBJECT_TEXTURE3D,
                    _ => CL_GL_OBJECT_TEXTURE2D,
                };
                (kind, name)
            }
            Source::EglImage { .. } => return Err(Error::new(CL_INVALID_GL_OBJECT, "an image of EGL")),
        })
    }

    /// The kind and the level of detail that were given for a texture.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT` for something else.
    pub fn target_and_level(&self) -> Result<(cl_GLenum, cl_GLint)> {
        match self.source {
            Source::Texture { target, given, .. } => Ok((target.0, given)),
            Source::TextureBuffer { .. } => Ok((TEXTURE_BUFFER, 0)),
            _ => Err(Error::new(CL_INVALID_GL_OBJECT, "no texture of OpenGL")),
        }
    }

    /// Whether it is an image of EGL.
    pub fn is_of_egl(&self) -> bool {
        matches!(self.source, Source::EglImage { .. })
    }

    /// The contents, which are so many bytes; of an image those of a level, the first one of which is 0.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT` if the object is not there any more, or has another size.
    pub fn read(&self, level: u32, size: usize) -> Result<Vec<u8>> {
        let source = self.source;
        self.sharing.call(move |driver| {
            let mut bytes = Vec::new();
            let is_there = bytes.try_reserve_exact(size).is_ok();
            ensure(is_there, CL_OUT_OF_HOST_MEMORY, "no memory for the contents of an object of OpenGL")?;
            bytes.resize(size, 0);
            read(driver, source, level, &mut bytes)?;
            Ok(bytes)
        })
    }

    /// Replaces the contents, as [`Shared::read`] has them.
    ///
    /// # Errors
    /// As for [`Shared::read`].
    pub fn write(&self, level: u32, bytes: Vec<u8>) -> Result<()> {
        let source = self.source;
        self.sharing.call(move |driver| {
            write(driver, source, level, &bytes)?;
            driver.finish();
            Ok(())
        })
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Source::EglImage { texture, .. } = self.source {
            self.sharing.delete_texture(texture);
        }
    }
}

/// The format of images for what OpenGL says, and its texels.
fn format_of((internal, components): (i32, [Component; 4])) -> Result<(cl_image_format, Pixels)> {
    let format = formats::format(internal, components).ok_or_else(|| {
        Error::new(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, format!("the format {internal:#x} of OpenGL is none of images"))
    })?;
    Ok((format, Pixels::of(format)))
}

/// The last level of detail of the texture that is bound, whose first one has this size.
fn last_level(driver: &Driver, target: Target, base: i32, size: [i32; 3]) -> i32 {
    const MAX_LEVEL: u32 = 0x813D;
    let dimensions = match target.0 {
        TEXTURE_1D | TEXTURE_1D_ARRAY => 1,
        TEXTURE_3D => 3,
        _ => 2,
    };
    let largest = size.into_iter().take(dimensions).max().unwrap_or(1).max(1);
    let last = base.saturating_add(largest.ilog2().cast_signed());
    if target.has_levels() { driver.texture(target.binding(), MAX_LEVEL).min(last) } else { 0 }
}

fn look_at_texture(driver: &Driver, target: Target, given: i32, name: u32) -> Result<(Source, Surface)> {
    const BASE_LEVEL: u32 = 0x813C;
    const SAMPLES: u32 = 0x9106;
    let base = if target.has_levels() { driver.texture(target.binding(), BASE_LEVEL) } else { 0 };
    let size = driver.level_size(target.0, base);
    ensure(size.iter().all(|length| *length > 0), CL_INVALID_GL_OBJECT, "a texture without texels")?;
    let last = last_level(driver, target, base, size);
    let takes = given < 0 && target.has_levels() || (base..=last).contains(&given);
    ensure(takes, CL_INVALID_MIP_LEVEL, "a level of detail that the texture does not have")?;
    let levels = if given < 0 { number::count((last - base + 1).unsigned_abs() as usize) } else { 1 };
    let first = if given < 0 { base } else { given };
    let size = driver.level_size(target.0, first);
    let (format, pixels) = format_of(driver.level_format(target.0, first))?;
    let is_there = size.iter().all(|length| *length > 0) && driver.level(target.0, first, SAMPLES) <= 1;
    ensure(is_there, CL_INVALID_GL_OBJECT, "a level of detail without texels")?;
    let faces = FACES.filter(|_| FACES.contains(&target.0));
    let is_complete = faces.map(|face| driver.level_size(face, first)).all(|other| other == size);
    ensure(is_complete, CL_INVALID_GL_OBJECT, "a cube whose faces are not the same size")?;
    driver.error();
    let size = size.map(|length| length.unsigned_abs() as usize);
    let surface = Surface { object_type: target.object_type(), format, size, levels };
    let source = match target.0 {
        TEXTURE_BUFFER => look_at_texture_buffer(driver, name)?,
        _ => Source::Texture { name, target, given, first, pixels },
    };
    Ok((source, surface))
}

/// The bytes of a texture that a buffer has.
fn look_at_texture_buffer(driver: &Driver, name: u32) -> Result<Source> {
    const BINDING: u32 = 0x8C2D;
    const OFFSET: u32 = 0x919D;
    let [buffer, start] = [BINDING, OFFSET].map(|what| driver.level(TEXTURE_BUFFER, 0, what).unsigned_abs());
    // OpenGL 4.2 has no parts of buffers.
    driver.error();
    ensure(driver.buffer_size(buffer).is_some(), CL_INVALID_GL_OBJECT, "a texture of no buffer")?;
    Ok(Source::TextureBuffer { name, buffer, start: start as usize })
}

fn look_at_renderbuffer(driver: &Driver, name: u32) -> Result<(Source, Surface)> {
    const SAMPLES: u32 = 0x8CAB;
    let [width, height] = driver.renderbuffer_size();
    ensure(width > 0 && height > 0, CL_INVALID_GL_OBJECT, "a renderbuffer without texels")?;
    ensure(driver.renderbuffer(SAMPLES) <= 1, CL_INVALID_OPERATION, "a renderbuffer with several samples")?;
    let (format, pixels) = format_of(driver.renderbuffer_format())?;
    driver.check(CL_INVALID_GL_OBJECT, "a renderbuffer of which OpenGL says nothing")?;
    let size = [width, height, 1].map(|length| length.unsigned_abs() as usize);
    let surface = Surface { object_type: CL_MEM_OBJECT_IMAGE2D, format, size, levels: 1 };
    Ok((Source::Renderbuffer { name, pixels }, surface))
}

fn look_at_image(driver: &Driver, texture: u32) -> Result<(Source, Surface)> {
    let size = driver.level_size(TEXTURE_2D, 0);
    ensure(size.iter().all(|length| *length > 0), CL_INVALID_EGL_OBJECT_KHR, "an image without texels")?;
    let found = format_of(driver.level_format(TEXTURE_2D, 0));
    let (format, pixels) = found.map_err(|error| error.with_code(CL_IMAGE_FORMAT_NOT_SUPPORTED))?;
    driver.error();
    let size = size.map(|length| length.unsigned_abs() as usize);
    let surface = Surface { object_type: CL_MEM_OBJECT_IMAGE2D, format, size, levels: 1 };
    Ok((Source::EglImage { texture, pixels }, surface))
}

/// Whether an object is bound; for the contents of one that the client may have deleted.
fn is_there(is_bound: bool) -> Result<()> {
    ensure(is_bound, CL_INVALID_GL_OBJECT, "an object of OpenGL that is not there any more")
}

fn check_buffer(driver: &Driver, name: u32, start: usize, size: usize) -> Result<()> {
    let end = driver.buffer_size(name).filter(|all| start.checked_add(size).is_some_and(|end| end <= *all));
    ensure(end.is_some(), CL_INVALID_GL_OBJECT, "a buffer that is not there any more, or has another size now")
}

fn read(driver: &Driver, source: Source, level: u32, bytes: &mut [u8]) -> Result<()> {
    match source {
        Source::Buffer { name: buffer } => read_bytes(driver, buffer, 0, bytes),
        Source::TextureBuffer { buffer, start, .. } => read_bytes(driver, buffer, start, bytes),
        Source::Texture { name, target, first, pixels, .. } => {
            is_there(driver.bind_texture(target.binding(), name))?;
            let read = driver.read_level(target.0, first + level.cast_signed(), pixels, bytes);
            driver.unbind_texture(target.binding());
            read
        }
        Source::Renderbuffer { name, pixels } => {
            is_there(driver.bind_renderbuffer(name))?;
            let read = driver.read_renderbuffer(name, pixels, bytes);
            driver.unbind_renderbuffer();
            read
        }
        Source::EglImage { texture, pixels } => {
            is_there(driver.bind_texture(TEXTURE_2D, texture))?;
            let read = driver.read_level(TEXTURE_2D, 0, pixels, bytes);
            driver.unbind_texture(TEXTURE_2D);
            read
        }
    }
}

fn read_bytes(driver: &Driver, buffer: u32, start: usize, bytes: &mut [u8]) -> Result<()> {
    check_buffer(driver, buffer, start, bytes.len())?;
    driver.read_buffer(buffer, start, bytes);
    driver.check(CL_INVALID_GL_OBJECT, "OpenGL does not read the buffer")
}

fn write(driver: &Driver, source: Source, level: u32, bytes: &[u8]) -> Result<()> {
    match source {
        Source::Buffer { name: buffer } => write_bytes(driver, buffer, 0, bytes),
        Source::TextureBuffer { buffer, start, .. } => write_bytes(driver, buffer, start, bytes),
        Source::Texture { name, target, first, pixels, .. } => {
            is_there(driver.bind_texture(target.binding(), name))?;
            let written = driver.write_level(target.0, first + level.cast_signed(), pixels, bytes);
            driver.unbind_texture(target.binding());
            written
        }
        Source::Renderbuffer { name, pixels } => {
            is_there(driver.bind_renderbuffer(name))?;
            let written = driver.write_renderbuffer(name, pixels, bytes);
            driver.unbind_renderbuffer();
            written
        }
        Source::EglImage { texture, pixels } => {
            is_there(driver.bind_texture(TEXTURE_2D, texture))?;
            let written = driver.write_level(TEXTURE_2D, 0, pixels, bytes);
            driver.unbind_texture(TEXTURE_2D);
            written
        }
    }
}

fn write_bytes(driver: &Driver, buffer: u32, start: usize, bytes: &[u8]) -> Result<()> {
    check_buffer(driver, buffer, start, bytes.len())?;
    driver.write_buffer(buffer, start, bytes);
    driver.check(CL_INVALID_GL_OBJECT, "OpenGL does not write the buffer")
}
