//! Images with their texels.

use super::description::{ImageDescription, ImageKind};
use super::format::{ChannelOrder, ImageFormat};
use super::texture::{RawImage, TexelView};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::host_copy;
use crate::memory::RawBuffer;
use crate::narrow::to_usize;
use gpu_allocator::MemoryLocation;
use std::sync::Arc;

/// An image on a device. Cloning is cheap; all clones are the same memory.
///
/// ```
/// # use clforge_runtime::*;
/// # let device = Device::open(&DeviceSelector::Best)?;
/// let source = "kernel void invert(read_only image2d_t in, write_only image2d_t out)
/// {
///     int2 at = (int2)(get_global_id(0), get_global_id(1));
///     write_imagef(out, at, 1.0f - read_imagef(in, at));
/// }";
/// let program = Program::from_source(&device, source, &Default::default())?;
/// let format = ImageFormat { order: ChannelOrder::Rgba, channel: ChannelType::UnormInt8 };
/// let description = ImageDescription { kind: ImageKind::D2, size: [16, 8, 1], format };
/// let input = Image::from_bytes(&device, description, &[200; 16 * 8 * 4])?;
/// let output = Image::zeroed(&device, description)?;
/// program.kernel("invert")?.launch(&Launch::new(&[16, 8]), &[Arg::Image(&input), Arg::Image(&output)])?;
/// assert_eq!(output.to_vec()?, [55; 16 * 8 * 4]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Image {
    pub(crate) storage: Arc<Storage>,
    pub(super) device: Device,
    pub(super) description: ImageDescription,
    /// The level of detail that is described: see [`Image::of_level`].
    pub(super) level: u32,
    /// See [`Image::with_reported_format`].
    pub(super) reported: Option<(u32, u32)>,
}

/// Where the texels are stored.
pub(crate) enum Storage {
    Image(RawImage),
    Buffer(TexelView, Buffer),
}

impl Image {
    /// An image whose texels are zeros.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a format the device lacks, [`Error::Limit`], [`Error::Allocation`], [`Error::Vulkan`].
    pub fn zeroed(device: &Device, description: ImageDescription) -> Result<Image> {
        Image::mipmapped(device, description, 1)
    }

    /// An image of zeros with `levels` levels of detail, for `read_image*` and `write_image*` with a level.
    ///
    /// # Errors
    /// As for [`Image::zeroed`], with [`Error::Limit`] for more than [`ImageDescription::max_levels`] or none.
    pub fn mipmapped(device: &Device, description: ImageDescription, levels: u32) -> Result<Image> {
        let bytes = checked_bytes(device, &description, 0)?;
        let most = description.max_levels();
        if levels == 0 || levels > most {
            let what = "number of levels of detail".into();
            return Err(Error::Limit { what, limit: most.into(), requested: levels.into() });
        }
        let format = description.format.vulkan();
        let format = format.ok_or_else(|| Error::Unsupported(format!("image format {:?} is", description.format)))?;
        let storage = match description.kind {
            ImageKind::Buffer => {
                let buffer = Buffer::zeroed(device, bytes)?;
                Storage::Buffer(TexelView::new(device, &buffer, format, bytes)?, buffer)
            }
            _ => Storage::Image(RawImage::new(device, &description, format, levels)?),
        };
        let image = Image { storage: Arc::new(storage), device: device.clone(), description, level: 0, reported: None };
        if let Storage::Image(raw) = &*image.storage {
            device.queue().record(|recording| raw.prepare(recording))?.wait()?;
        }
        Ok(image)
    }

    /// An image of one dimension over the first bytes of a buffer ([`ImageKind::Buffer`]), which keep their contents.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for another kind or a format the device lacks, [`Error::BufferRange`] for a buffer that is too
    /// small, [`Error::Limit`], [`Error::Transfer`] for a part of a buffer whose offset the device does not allow.
    pub fn over_buffer(device: &Device, description: ImageDescription, buffer: &Buffer) -> Result<Image> {
        let bytes = checked_bytes(device, &description, 0)?;
        buffer.check(0, bytes)?;
        let format = description.format.vulkan().filter(|_| description.kind == ImageKind::Buffer);
        let format = format.ok_or_else(|| Error::Unsupported(format!("buffer image {description:?} is")))?;
        let limit = u64::from(device.info().images.max_texel_buffer);
        let requested = u64::from(description.size[0]);
        if requested > limit {
            return Err(Error::Limit { what: "texels of an image in a buffer".into(), limit, requested });
        }
        if !buffer.offset.is_multiple_of(device.info().images.texel_buffer_alignment.max(1)) {
            return Err(Error::Transfer(format!("an image {} bytes into a buffer", buffer.offset)));
        }
        let storage = Storage::Buffer(TexelView::new(device, buffer, format, bytes)?, buffer.clone());
        Ok(Image { storage: Arc::new(storage), device: device.clone(), description, level: 0, reported: None })
    }

    /// An image with these texels, rows and slices without gaps, in the memory layout of the format.
    ///
    /// # Errors
    /// As for [`Image::zeroed`], and [`Error::BufferRange`] if their number is not the size of the image.
    pub fn from_bytes(device: &Device, description: ImageDescription, bytes: &[u8]) -> Result<Image> {
        let image = Image::zeroed(device, description)?;
        image.initialize(bytes)?;
        Ok(image)
    }

    /// Kind, size and format.
    pub fn description(&self) -> &ImageDescription {
        &self.description
    }

    /// The same texels with another order of channels, which is stored alike: red as depths.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a format with another format of Vulkan.
    pub fn with_format(&self, format: ImageFormat) -> Result<Image> {
        if format.vulkan() != self.description.format.vulkan() {
            return Err(Error::Unsupported(format!("texels of {:?} as {format:?} are", self.description.format)));
        }
        Ok(Image { description: ImageDescription { format, ..self.description }, reported: None, ..self.clone() })
    }

    /// The same image for kernels that get `channel_type` from `get_image_channel_data_type`: where texels of a type that Vulkan
    /// does not have are kept as others.
    #[must_use]
    pub fn with_channel_type(&self, channel_type: u32) -> Image {
        self.with_reported_format(self.description.format.order, channel_type)
    }

    /// As [`Image::with_channel_type`], also for the order that they get from `get_image_channel_order`.
    #[must_use]
    pub fn with_reported_format(&self, order: ChannelOrder, channel_type: u32) -> Image {
        Image { reported: Some((order as u32, channel_type)), ..self.clone() }
    }

    /// What `get_image_channel_order` and `get_image_channel_data_type` return.
    pub(crate) fn reported_format(&self) -> (u32, u32) {
        let format = self.description.format;
        self.reported.unwrap_or((format.order as u32, format.channel as u32))
    }

    /// A level of detail by itself, for commands that copy its texels. As an argument of a kernel it is the whole image.
    ///
    /// # Errors
    /// [`Error::Limit`] for a level that the image does not have.
    pub fn of_level(&self, level: u32) -> Result<Image> {
        self.check_level(level)?;
        let description = ImageDescription { size: self.description.level_sizes(level), ..self.description };
        Ok(Image { description, level: self.level + level, ..self.clone() })
    }

    /// The image of Vulkan.
    ///
    /// # Errors
    /// [`Error::Transfer`] for texels in a buffer.
    pub(super) fn texture(&self) -> Result<&RawImage> {
        match &*self.storage {
            Storage::Image(raw) => Ok(raw),
            Storage::Buffer(..) => Err(Error::Transfer("an image in a buffer has no rows".into())),
        }
    }

    /// Number of levels of detail, from that which is described on.
    pub fn levels(&self) -> u32 {
        match &*self.storage {
            Storage::Buffer(..) => 1,
            Storage::Image(raw) => raw.levels() - self.level,
        }
    }

    /// Overwrites all texels, those of level 0 if there are several levels of detail.
    ///
    /// # Errors
    /// [`Error::BufferRange`] when the number of bytes is not the image's, [`Error::Allocation`], [`Error::Vulkan`].
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        self.write_level(0, bytes)
    }

    /// Overwrites all texels of a level of detail.
    ///
    /// # Errors
    /// As for [`Image::write`], and [`Error::Limit`] for a level that the image does not have.
    pub fn write_level(&self, level: u32, bytes: &[u8]) -> Result<()> {
        self.put(level, bytes, false)
    }

    /// Writes the first texels of an image that no command uses yet. Unlike [`Image::write`] this does not wait for the device to be
    /// idle.
    ///
    /// # Errors
    /// As for [`Image::write`].
    pub fn initialize(&self, bytes: &[u8]) -> Result<()> {
        self.put(0, bytes, true)
    }

    fn put(&self, level: u32, bytes: &[u8], is_new: bool) -> Result<()> {
        self.check_level(level)?;
        let size = checked_bytes(&self.device, &self.description, level)?;
        if bytes.len() as u64 != size {
            return Err(Error::BufferRange { offset: 0, size: bytes.len() as u64, buffer: size });
        }
        let raw = match &*self.storage {
            Storage::Buffer(_, buffer) if is_new => return buffer.initialize(bytes),
            Storage::Buffer(_, buffer) => return buffer.write(0, bytes),
            Storage::Image(raw) => raw,
        };
        let (staging, memory) = self.staging(MemoryLocation::CpuToGpu, size)?;
        if !is_new {
            self.device.finish()?;
        }
        // SAFETY: the staging buffer is this function's own and has that size.
        unsafe { host_copy::copy(bytes.as_ptr(), memory, bytes.len()) };
        self.device
            .queue()
            .record(|recording| raw.copy_from(recording, &staging, &self.description, [level, self.level]))?
            .wait()
    }

    /// All texels, those of level 0 if there are several levels of detail, rows and slices without gaps.
    ///
    /// # Errors
    /// [`Error::Allocation`], [`Error::Vulkan`].
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        self.level_to_vec(0)
    }

    /// All texels of a level of detail.
    ///
    /// # Errors
    /// As for [`Image::to_vec`], and [`Error::Limit`] for a level that the image does not have.
    pub fn level_to_vec(&self, level: u32) -> Result<Vec<u8>> {
        self.check_level(level)?;
        let raw = match &*self.storage {
            Storage::Buffer(_, buffer) => return buffer.to_vec(),
            Storage::Image(raw) => raw,
        };
        let size = checked_bytes(&self.device, &self.description, level)?;
        let (staging, memory) = self.staging(MemoryLocation::GpuToCpu, size)?;
        let mut bytes = vec![0; to_usize(size)];
        self.device.finish()?;
        self.device
            .queue()
            .record(|recording| raw.copy_to(recording, &staging, &self.description, [level, self.level]))?
            .wait()?;
        // SAFETY: as in `write`; the copy is complete.
        unsafe { host_copy::copy(memory, bytes.as_mut_ptr(), bytes.len()) };
        Ok(bytes)
    }

    fn check_level(&self, level: u32) -> Result<()> {
        match self.levels() {
            levels if level < levels => Ok(()),
            levels => {
                let what = "level of detail".into();
                Err(Error::Limit { what, limit: u64::from(levels) - 1, requested: level.into() })
            }
        }
    }

    /// A buffer that the host sees, and its memory.
    fn staging(&self, location: MemoryLocation, size: u64) -> Result<(RawBuffer, *mut u8)> {
        let staging = self.device.raw_buffer(size.next_multiple_of(16), location)?;
        let memory = staging.mapped().ok_or_else(|| Error::Internal("a staging buffer is not mapped".into()))?;
        Ok((staging, memory))
    }

    /// Whether this is an image of `device`.
    pub(crate) fn is_on(&self, device: &Device) -> bool {
        self.device.is(device)
    }
}

/// Size in bytes of a level of an image, if it is within the limits of host and device.
fn checked_bytes(device: &Device, description: &ImageDescription, level: u32) -> Result<u64> {
    if description.sizes().contains(&0) {
        return Err(Error::Limit { what: "image size, which is at least 1".into(), limit: 1, requested: 0 });
    }
    let limit = device.info().limits.max_allocation.min(usize::MAX as u64 / 2);
    let bytes = description.level_bytes(level).unwrap_or(u64::MAX);
    if bytes > limit {
        return Err(Error::Limit { what: "image size in bytes".into(), limit, requested: bytes });
    }
    Ok(bytes)
}
