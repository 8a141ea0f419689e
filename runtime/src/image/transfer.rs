//! Transfers of parts of images by queues.

use super::object::{Image, Storage};
use super::region::ImageRegion;
use super::texture::RawImage;
use crate::error::{Error, Result};
use crate::queue::Queue;
use crate::submission::Event;
use gpu_allocator::MemoryLocation;

impl Queue {
    /// Overwrites texels of level 0 of an image. `bytes` are the texels without gaps, and are copied before the function
    /// returns.
    ///
    /// # Errors
    /// [`Error::Transfer`] for a region outside of the image, [`Error::OutOfBounds`] for another number of bytes,
    /// [`Error::Memory`], [`Error::OutOfMemory`], [`Error::DeviceLost`].
    pub fn write_image(&self, image: &Image, region: &ImageRegion, bytes: &[u8]) -> Result<Event> {
        let size = self.check_image(image, region, bytes.len())?;
        let raw = match &*image.storage {
            Storage::Buffer(_, buffer) => return self.write(buffer, first_byte(image, region), bytes),
            Storage::Image(raw) => raw,
        };
        let staging = self.device.raw_buffer(size.next_multiple_of(16), MemoryLocation::CpuToGpu)?;
        let memory = staging.mapped().ok_or_else(|| Error::Internal("a staging buffer is not mapped".into()))?;
        // SAFETY: the staging buffer is this function's own and has room for the bytes.
        unsafe { memory.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        let copy = RawImage::region(image.description().kind, region);
        self.record(|recording| raw.copy_region_from(recording, &staging, copy))
    }

    /// Waits for all commands so far, then reads texels of level 0 of an image, without gaps.
    ///
    /// # Errors
    /// As for [`Queue::write_image`].
    pub fn read_image(&self, image: &Image, region: &ImageRegion, bytes: &mut [u8]) -> Result<()> {
        let size = self.check_image(image, region, bytes.len())?;
        let raw = match &*image.storage {
            Storage::Buffer(_, buffer) => return self.read(buffer, first_byte(image, region), bytes),
            Storage::Image(raw) => raw,
        };
        let staging = self.device.raw_buffer(size.next_multiple_of(16), MemoryLocation::GpuToCpu)?;
        let memory = staging.mapped().ok_or_else(|| Error::Internal("a staging buffer is not mapped".into()))?;
        let copy = RawImage::region(image.description().kind, region);
        self.record(|recording| raw.copy_region_to(recording, &staging, copy))?.wait()?;
        // SAFETY: as in `write_image`; the copy is complete.
        unsafe { memory.copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    /// Checks a region, and returns the size of its texels.
    fn check_image(&self, image: &Image, region: &ImageRegion, given: usize) -> Result<u64> {
        let size = self.check_region(image, region)?;
        if size != given as u64 {
            return Err(Error::OutOfBounds { offset: 0, size: given as u64, buffer: size });
        }
        Ok(size)
    }

    /// Checks that a region is within an image of this device, and returns the size of its texels.
    pub(super) fn check_region(&self, image: &Image, region: &ImageRegion) -> Result<u64> {
        if !image.is_on(&self.device) {
            return Err(Error::Transfer("the image belongs to another device".into()));
        }
        region.bytes(image.description())
    }
}

/// The first byte of a region of an image in a buffer.
pub(super) fn first_byte(image: &Image, region: &ImageRegion) -> u64 {
    u64::from(region.origin[0]) * image.description().format.texel_size()
}
