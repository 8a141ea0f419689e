//! A context of OpenGL that is current on the thread that calls, and its functions as safe ones: what pointers lead to is as large
//! as is said, and wrong names and numbers are errors of OpenGL.

use super::api::{Gl, Identity, Images};
use super::binding::{Binding, Current};
use super::formats::{Component, Pixels};
use crate::error::{Error, Result, ensure};
use opencl_sys::cl_egl::CL_INVALID_EGL_OBJECT_KHR;
use opencl_sys::*;
use std::ffi::CStr;
use std::marker::PhantomData;

pub const TEXTURE_1D: u32 = 0x0DE0;
pub const TEXTURE_2D: u32 = 0x0DE1;
pub const TEXTURE_3D: u32 = 0x806F;
pub const TEXTURE_RECTANGLE: u32 = 0x84F5;
pub const TEXTURE_CUBE: u32 = 0x8513;
/// The first and the last face of a cube.
pub const FACES: std::ops::RangeInclusive<u32> = 0x8515..=0x851A;
pub const TEXTURE_1D_ARRAY: u32 = 0x8C18;
pub const TEXTURE_2D_ARRAY: u32 = 0x8C1A;
pub const TEXTURE_BUFFER: u32 = 0x8C2A;

const BUFFER: u32 = 0x8F37;
const RENDERBUFFER: u32 = 0x8D41;
const READ_FRAMEBUFFER: u32 = 0x8CA8;
const DRAW_FRAMEBUFFER: u32 = 0x8CA9;
const COLOR: u32 = 0x8CE0;
const DEPTH: u32 = 0x8D00;
/// `GL_INVALID_VALUE`.
pub const INVALID_VALUE: u32 = 0x0501;

/// The beginnings of the names of vendors whose OpenGL is not used. NVIDIA's 580.159.04 (H200, EGL without a window system): buffers
/// are right, but the contents of textures that a context of the driver's own reads are not those that the client's has written,
/// which `tests/gl.c` shows; why was not found out.
const REFUSED: [&str; 1] = ["NVIDIA"];

/// A context of the driver's own.
pub struct Driver {
    gl: Gl,
    images: Option<Images>,
    identity: Option<Identity>,
    _current: Current,
    /// It is of one thread.
    _not_send: PhantomData<*const ()>,
}

/// Calls a function of OpenGL.
macro_rules! gl {
    ($self:ident.$function:ident($($argument:expr),*)) => {
        // SAFETY: the context is current on this thread, and pointers lead to as much as the other arguments say.
        unsafe { ($self.gl.$function)($($argument),*) }
    };
}

impl Driver {
    /// A context on a display; `None` as for [`Current::new`].
    pub fn new(binding: Binding, display: usize, shared: usize) -> Option<Driver> {
        let current = Current::new(binding, display, shared)?;
        let find = |name: &CStr| current.address(name);
        // SAFETY: the types are those of `glcorearb.h` and `glext.h`.
        let (gl, images, identity) = unsafe { (Gl::look_up(find)?, Images::look_up(find), Identity::look_up(find)) };
        let mut driver = Driver { gl, images, identity, _current: current, _not_send: PhantomData };
        let vendor = driver.vendor();
        if REFUSED.iter().any(|refused| vendor.starts_with(refused)) {
            tracing::warn!("objects of the OpenGL of '{vendor}' are not shared: contents of textures were wrong there");
            return None;
        }
        // There are addresses for functions that a driver lacks, too.
        let (has_images, has_identity) = (driver.has("GL_OES_EGL_image"), driver.has("GL_EXT_memory_object"));
        driver.images = driver.images.filter(|_| has_images);
        driver.identity = driver.identity.filter(|_| has_identity);
        const PACK: u32 = 0x0D05;
        const UNPACK: u32 = 0x0CF5;
        const CLAMP_READ_COLOR: u32 = 0x891C;
        gl!(driver.pixel_store(PACK, 1));
        gl!(driver.pixel_store(UNPACK, 1));
        gl!(driver.clamp_color(CLAMP_READ_COLOR, 0));
        (driver.error() == 0).then_some(driver)
    }

    /// Who has made it.
    fn vendor(&self) -> String {
        const VENDOR: u32 = 0x1F00;
        let text = gl!(self.get_string(VENDOR));
        if text.is_null() {
            return String::new();
        }
        // SAFETY: a text that is not null ends with a zero.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }

    /// Whether it has an extension.
    fn has(&self, name: &str) -> bool {
        const NUM_EXTENSIONS: u32 = 0x821D;
        const EXTENSIONS: u32 = 0x1F03;
        let mut count = 0;
        gl!(self.get_integers(NUM_EXTENSIONS, &raw mut count));
        (0..u32::try_from(count).unwrap_or(0)).any(|at| {
            let text = gl!(self.get_string_at(EXTENSIONS, at));
            // SAFETY: a text that is not null ends with a zero.
            !text.is_null() && unsafe { CStr::from_ptr(text.cast()) }.to_bytes() == name.as_bytes()
        })
    }

    /// The first error since the last call; 0 for none.
    pub fn error(&self) -> u32 {
        let first = gl!(self.get_error());
        // A context that is lost has always one.
        (0..16).take_while(|_| first != 0 && gl!(self.get_error()) != 0).count();
        first
    }

    /// Fails where OpenGL has had an error since the last look.
    ///
    /// # Errors
    /// `code`.
    pub fn check(&self, code: cl_int, reason: &'static str) -> Result<()> {
        ensure(self.error() == 0, code, reason)
    }

    /// The UUID of the device, as Vulkan has it.
    pub fn uuid(&self) -> Option<[u8; 16]> {
        const DEVICE_UUID: u32 = 0x9597;
        let mut uuid = [0; 16];
        // SAFETY: a UUID has 16 bytes.
        unsafe { (self.identity?.get_bytes_at)(DEVICE_UUID, 0, uuid.as_mut_ptr()) };
        (self.error() == 0).then_some(uuid)
    }

    /// The bytes of a buffer; `None` if there is none of this name.
    pub fn buffer_size(&self, name: u32) -> Option<usize> {
        const SIZE: u32 = 0x8764;
        let mut size = 0;
        if gl!(self.is_buffer(name)) == 0 {
            return None;
        }
        gl!(self.bind_buffer(BUFFER, name));
        gl!(self.buffer_parameters(BUFFER, SIZE, &raw mut size));
        gl!(self.bind_buffer(BUFFER, 0));
        usize::try_from(size).ok().filter(|_| self.error() == 0)
    }

    /// Reads bytes of a buffer.
    pub fn read_buffer(&self, name: u32, start: usize, bytes: &mut [u8]) {
        gl!(self.bind_buffer(BUFFER, name));
        gl!(self.read_buffer(BUFFER, start.cast_signed(), bytes.len().cast_signed(), bytes.as_mut_ptr().cast()));
        gl!(self.bind_buffer(BUFFER, 0));
    }

    /// Overwrites bytes of a buffer.
    pub fn write_buffer(&self, name: u32, start: usize, bytes: &[u8]) {
        gl!(self.bind_buffer(BUFFER, name));
        gl!(self.write_buffer(BUFFER, start.cast_signed(), bytes.len().cast_signed(), bytes.as_ptr().cast()));
        gl!(self.bind_buffer(BUFFER, 0));
    }

    /// Whether there is a texture of this name and kind, which is then bound.
    pub fn bind_texture(&self, target: u32, name: u32) -> bool {
        if name == 0 || gl!(self.is_texture(name)) == 0 {
            return false;
        }
        gl!(self.bind_texture(target, name));
        self.error() == 0
    }

    /// Ends the use of a texture, so that it does not live on if the client deletes it.
    pub fn unbind_texture(&self, target: u32) {
        gl!(self.bind_texture(target, 0));
    }

    /// A number of the texture that is bound.
    pub fn texture(&self, target: u32, name: u32) -> i32 {
        let mut value = 0;
        gl!(self.texture_parameters(target, name, &raw mut value));
        value
    }

    /// A number of a level of detail of the texture that is bound.
    pub fn level(&self, target: u32, level: i32, name: u32) -> i32 {
        let mut value = 0;
        gl!(self.level_parameters(target, level, name, &raw mut value));
        value
    }

    /// Width, height and depth, or layers, of a level.
    pub fn level_size(&self, target: u32, level: i32) -> [i32; 3] {
        [0x1000, 0x1001, 0x8071].map(|name| self.level(target, level, name))
    }

    /// The internal format of a level, and its channels.
    pub fn level_format(&self, target: u32, level: i32) -> (i32, [Component; 4]) {
        const INTERNAL_FORMAT: u32 = 0x1003;
        let components = [0, 1, 2, 3].map(|channel| Component {
            bits: self.level(target, level, 0x805C + channel),
            kind: self.level(target, level, 0x8C10 + channel),
        });
        (self.level(target, level, INTERNAL_FORMAT), components)
    }

    /// Reads the texels of a level of the texture that is bound.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT` if they are not so many bytes.
    pub fn read_level(&self, target: u32, level: i32, pixels: Pixels, texels: &mut [u8]) -> Result<()> {
        self.check_level(target, level, pixels, texels.len())?;
        gl!(self.read_texture(target, level, pixels.format, pixels.kind, texels.as_mut_ptr().cast()));
        self.check(CL_INVALID_GL_OBJECT, "OpenGL does not read the texture")
    }

    /// Overwrites the texels of a level of the texture that is bound.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT` if they are not so many bytes.
    pub fn write_level(&self, target: u32, level: i32, pixels: Pixels, texels: &[u8]) -> Result<()> {
        let [width, height, depth] = self.check_level(target, level, pixels, texels.len())?;
        let (format, kind, data) = (pixels.format, pixels.kind, texels.as_ptr().cast());
        match target {
            TEXTURE_1D => gl!(self.write_1d(target, level, 0, width, format, kind, data)),
            TEXTURE_3D | TEXTURE_2D_ARRAY => {
                gl!(self.write_3d(target, level, 0, 0, 0, width, height, depth, format, kind, data));
            }
            _ => gl!(self.write_2d(target, level, 0, 0, width, height, format, kind, data)),
        }
        self.check(CL_INVALID_GL_OBJECT, "OpenGL does not write the texture")
    }

    /// The size of a level that must have so many bytes: the client may have changed it since it was looked at.
    fn check_level(&self, target: u32, level: i32, pixels: Pixels, bytes: usize) -> Result<[i32; 3]> {
        let size = self.level_size(target, level);
        let texels = size.iter().try_fold(1usize, |all, one| all.checked_mul(usize::try_from(*one).ok()?));
        let is_same = texels.and_then(|texels| texels.checked_mul(pixels.bytes)) == Some(bytes);
        ensure(is_same && self.error() == 0, CL_INVALID_GL_OBJECT, "a texture that has another size now")?;
        Ok(size)
    }

    /// A texture of the driver's own, which is bound.
    pub fn new_texture(&self) -> u32 {
        let mut name = 0;
        gl!(self.make_textures(1, &raw mut name));
        gl!(self.bind_texture(TEXTURE_2D, name));
        name
    }

    /// Deletes a texture of the driver's own.
    pub fn delete_texture(&self, name: u32) {
        gl!(self.delete_textures(1, &raw const name));
    }

    /// Makes the texture that is bound one of an image of EGL.
    ///
    /// # Errors
    /// `CL_INVALID_EGL_OBJECT_KHR` for no image, `CL_IMAGE_FORMAT_NOT_SUPPORTED`, `CL_INVALID_OPERATION`.
    pub fn use_image(&self, image: usize) -> Result<()> {
        let images = self.images.ok_or_else(|| Error::lacking("images of EGL as textures of OpenGL"))?;
        // SAFETY: the context is current on this thread. EGL knows its images.
        unsafe { (images.use_for_texture)(TEXTURE_2D, image) };
        match self.error() {
            0 => Ok(()),
            INVALID_VALUE => Err(Error::new(CL_INVALID_EGL_OBJECT_KHR, "no image of EGL")),
            _ => Err(Error::new(CL_IMAGE_FORMAT_NOT_SUPPORTED, "an image of EGL that is no texture of OpenGL")),
        }
    }

    /// Whether there is a renderbuffer of this name, which is then bound.
    pub fn bind_renderbuffer(&self, name: u32) -> bool {
        if name == 0 || gl!(self.is_renderbuffer(name)) == 0 {
            return false;
        }
        gl!(self.bind_renderbuffer(RENDERBUFFER, name));
        self.error() == 0
    }

    /// Ends the use of a renderbuffer.
    pub fn unbind_renderbuffer(&self) {
        gl!(self.bind_renderbuffer(RENDERBUFFER, 0));
    }

    /// A number of the renderbuffer that is bound.
    pub fn renderbuffer(&self, name: u32) -> i32 {
        let mut value = 0;
        gl!(self.renderbuffer_parameters(RENDERBUFFER, name, &raw mut value));
        value
    }

    /// Width and height of the renderbuffer that is bound.
    pub fn renderbuffer_size(&self) -> [i32; 2] {
        [0x8D42, 0x8D43].map(|name| self.renderbuffer(name))
    }

    /// The internal format of the renderbuffer that is bound, and its channels.
    pub fn renderbuffer_format(&self) -> (i32, [Component; 4]) {
        let components = [0, 1, 2, 3].map(|channel| Component { bits: self.renderbuffer(0x8D50 + channel), kind: 0 });
        (self.renderbuffer(0x8D44), components)
    }

    /// The size of the renderbuffer that is bound, which must have so many bytes.
    fn check_renderbuffer(&self, pixels: Pixels, bytes: usize) -> Result<[i32; 2]> {
        let size = self.renderbuffer_size();
        let [width, height] = size.map(|length| usize::try_from(length).unwrap_or(0));
        let is_same = width.checked_mul(height).and_then(|texels| texels.checked_mul(pixels.bytes)) == Some(bytes);
        ensure(is_same && self.error() == 0, CL_INVALID_GL_OBJECT, "a renderbuffer that has another size now")?;
        Ok(size)
    }

    /// A framebuffer of the driver's own, which is bound.
    fn new_framebuffer(&self, target: u32) -> u32 {
        let mut name = 0;
        gl!(self.make_framebuffers(1, &raw mut name));
        gl!(self.bind_framebuffer(target, name));
        name
    }

    fn delete_framebuffer(&self, target: u32, name: u32) {
        gl!(self.bind_framebuffer(target, 0));
        gl!(self.delete_framebuffers(1, &raw const name));
    }

    /// Reads the texels of a renderbuffer, which is bound.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT` if they are not so many bytes.
    pub fn read_renderbuffer(&self, name: u32, pixels: Pixels, texels: &mut [u8]) -> Result<()> {
        let [width, height] = self.check_renderbuffer(pixels, texels.len())?;
        let frame = self.new_framebuffer(READ_FRAMEBUFFER);
        gl!(self.attach_renderbuffer(READ_FRAMEBUFFER, attachment(pixels), RENDERBUFFER, name));
        gl!(self.read_pixels(0, 0, width, height, pixels.format, pixels.kind, texels.as_mut_ptr().cast()));
        self.delete_framebuffer(READ_FRAMEBUFFER, frame);
        self.check(CL_INVALID_GL_OBJECT, "OpenGL does not read the renderbuffer")
    }

    /// Overwrites the texels of a renderbuffer, which is bound, by way of a texture.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT` if they are not so many bytes.
    pub fn write_renderbuffer(&self, name: u32, pixels: Pixels, texels: &[u8]) -> Result<()> {
        const BUFFER_BITS: [u32; 2] = [0x4000, 0x0100];
        const NEAREST: u32 = 0x2600;
        let [width, height] = self.check_renderbuffer(pixels, texels.len())?;
        let (internal, _) = self.renderbuffer_format();
        let texture = self.new_texture();
        let data = texels.as_ptr().cast();
        gl!(self.make_level_2d(TEXTURE_2D, 0, internal, width, height, 0, pixels.format, pixels.kind, data));
        let (from, to) = (self.new_framebuffer(READ_FRAMEBUFFER), self.new_framebuffer(DRAW_FRAMEBUFFER));
        gl!(self.attach_texture(READ_FRAMEBUFFER, attachment(pixels), TEXTURE_2D, texture, 0));
        gl!(self.attach_renderbuffer(DRAW_FRAMEBUFFER, attachment(pixels), RENDERBUFFER, name));
        let bits = BUFFER_BITS[usize::from(pixels.are_depths())];
        gl!(self.blit(0, 0, width, height, 0, 0, width, height, bits, NEAREST));
        self.delete_framebuffer(READ_FRAMEBUFFER, from);
        self.delete_framebuffer(DRAW_FRAMEBUFFER, to);
        self.delete_texture(texture);
        self.check(CL_INVALID_GL_OBJECT, "OpenGL does not write the renderbuffer")
    }

    /// Waits for all that the context has to do.
    pub fn finish(&self) {
        gl!(self.finish());
    }

    /// A fence behind another one, which may be deleted after this.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT` if there is no such fence.
    pub fn fence_behind(&self, sync: usize) -> Result<usize> {
        const COMMANDS_COMPLETE: u32 = 0x9117;
        let is_known = sync != 0 && gl!(self.is_sync(sync)) != 0;
        ensure(is_known, CL_INVALID_GL_OBJECT, "no fence of OpenGL")?;
        gl!(self.wait_on_device(sync, 0, u64::MAX));
        let fence = gl!(self.make_fence(COMMANDS_COMPLETE, 0));
        gl!(self.flush());
        ensure(fence != 0 && self.error() == 0, CL_OUT_OF_RESOURCES, "no fence of OpenGL can be made")?;
        Ok(fence)
    }

    /// Whether all before a fence of the driver's own is complete; the fence is deleted then.
    pub fn has_passed(&self, fence: usize) -> bool {
        const TIMEOUT_EXPIRED: u32 = 0x911B;
        let has_passed = gl!(self.wait_for_sync(fence, 0, 0)) != TIMEOUT_EXPIRED;
        if has_passed {
            gl!(self.delete_sync(fence));
        }
        has_passed
    }
}

/// Where the texels are attached to a framebuffer.
fn attachment(pixels: Pixels) -> u32 {
    if pixels.are_depths() { DEPTH } else { COLOR }
}
