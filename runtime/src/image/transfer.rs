//! Transfers of parts of images by queues.

use super::object::{Image, Storage};
use super::region::ImageRegion;
use super::texture::RawImage;
use crate::buffer::{LEAST_STAGED, STAGED, chunk_size};
use crate::error::{Error, Result};
use crate::host_copy;
use crate::queue::Queue;
use crate::submission::{Command, Event, Record, Recording, Session, Use};
use ash::vk;
use gpu_allocator::MemoryLocation;

impl Queue {
    /// Overwrites texels of level 0 of an image. `bytes` are the texels without gaps, and are copied before the function
    /// returns.
    ///
    /// # Errors
    /// [`Error::Transfer`] for a region outside of the image, [`Error::BufferRange`] for another number of bytes,
    /// [`Error::Allocation`], [`Error::OutOfMemory`], [`Error::DeviceLost`].
    pub fn write_image(&self, image: &Image, region: &ImageRegion, bytes: &[u8]) -> Result<Event> {
        let size = self.check_image(image, region, bytes.len())?;
        let raw = match &*image.storage {
            Storage::Buffer(_, buffer) => return self.write(buffer, first_byte(image, region), bytes),
            Storage::Image(raw) => raw,
        };
        let kind = image.description().kind;
        let copy = RawImage::region(kind, region, image.level);
        if bytes.len() < LEAST_STAGED {
            return self.write_small(raw, copy, bytes);
        }
        // Where commands wait for the host, waiting for staging buffers might wait for the caller itself.
        if let Some(command) = Command::alone(&self.stream) {
            let parts = region.parts(chunk_size(bytes.len()), image.description());
            let mut rest = bytes;
            let chunks = parts.into_iter().map(|(part, size)| (part, rest.split_off(..size).unwrap_or_default()));
            return self.write_chunks(&command, chunks.collect(), |recording, stage, part, _| {
                raw.copy_region_from(recording, stage.raw, RawImage::region(kind, &part, image.level));
            });
        }
        let staging = self.device.raw_buffer(size.next_multiple_of(16), MemoryLocation::CpuToGpu)?;
        let memory = staging.mapped().ok_or_else(|| Error::Internal("a staging buffer is not mapped".into()))?;
        // SAFETY: the staging buffer is this function's own and has room for the bytes.
        unsafe { host_copy::copy(bytes.as_ptr(), memory, bytes.len()) };
        self.record(|recording| raw.copy_region_from(recording, staging.raw, copy))
    }

    /// Writes texels through memory of the batch.
    fn write_small(&self, raw: &RawImage, copy: vk::BufferImageCopy, bytes: &[u8]) -> Result<Event> {
        let mut session = Session::start(&self.stream, Use::Transfer);
        let size = bytes.len() as u64;
        if session.batch()?.arena.total() + size > STAGED {
            session.split()?;
        }
        let batch = session.batch()?;
        let piece = batch.arena.allocate(size)?;
        piece.fill(0, bytes);
        let recording = Recording { device: self.stream.device(), commands: batch.commands };
        raw.copy_region_from(&recording, piece.buffer, copy.buffer_offset(piece.offset));
        session.finish()
    }

    /// Waits for all commands so far, then reads texels of level 0 of an image, without gaps.
    ///
    /// # Errors
    /// As for [`Queue::write_image`].
    pub fn read_image(&self, image: &Image, region: &ImageRegion, bytes: &mut [u8]) -> Result<()> {
        self.check_image(image, region, bytes.len())?;
        let raw = match &*image.storage {
            Storage::Buffer(_, buffer) => return self.read(buffer, first_byte(image, region), bytes),
            Storage::Image(raw) => raw,
        };
        let parts = region.parts(chunk_size(bytes.len()), image.description());
        let mut rest = bytes;
        let chunks = parts.into_iter().map(|(part, size)| (part, rest.split_off_mut(..size).unwrap_or_default()));
        self.read_chunks(chunks.collect(), |recording, stage, part, _| {
            raw.copy_region_to(recording, stage, RawImage::region(image.description().kind, &part, image.level));
        })
    }

    /// Checks a region, and returns the size of its texels.
    fn check_image(&self, image: &Image, region: &ImageRegion, given: usize) -> Result<u64> {
        let size = self.check_region(image, region)?;
        if size != given as u64 {
            return Err(Error::BufferRange { offset: 0, size: given as u64, buffer: size });
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
