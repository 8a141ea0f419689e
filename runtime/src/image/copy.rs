//! Copies between images, and between images and buffers, on the device.

use super::description::ImageKind;
use super::object::{Image, Storage};
use super::region::ImageRegion;
use super::texture::RawImage;
use super::transfer::first_byte;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::memory::RawBuffer;
use crate::queue::Queue;
use crate::submission::{Command, Event, Recording, Use};
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::sync::Arc;

/// Texels in a buffer whose rows and slices are apart.
#[derive(Clone, Copy)]
pub struct PitchedTexels<'a> {
    /// The buffer.
    pub buffer: &'a Buffer,
    /// Its byte where the first texel begins; a multiple of a texel's size in the memory that it is a part of.
    pub offset: u64,
    /// Bytes from row to row and from slice to slice, or from layer to layer: multiples of a texel's size, the second of the first.
    pub pitches: [u64; 2],
}

impl PitchedTexels<'_> {
    /// The copy between them and a region of an image, within the buffer that they are in.
    fn copy(&self, queue: &Queue, image: &Image, region: &ImageRegion) -> Result<vk::BufferImageCopy> {
        queue.check_region(image, region)?;
        let (texel, kind) = (image.description().format.texel_size(), image.description().kind);
        let [row, slice] = self.pitches;
        let [width, rows, slices] = region.size.map(u64::from);
        let far = || Error::Transfer(format!("texels {row} and {slice} bytes apart"));
        let last = (rows - 1).checked_mul(row).zip((slices - 1).checked_mul(slice));
        let size = last.and_then(|(y, z)| y.checked_add(z)?.checked_add(width * texel)).ok_or_else(far)?;
        queue.check(self.buffer, self.offset, size)?;
        let at = self.buffer.offset + self.offset;
        let whole = [at, row, slice].iter().all(|bytes| bytes.is_multiple_of(texel));
        if !whole || row < width * texel || slices > 1 && (!slice.is_multiple_of(row) || slice < rows * row) {
            return Err(far());
        }
        let length = |texels: u64| u32::try_from(texels).map_err(|_| far());
        let rows_of_slice = if slices > 1 && kind != ImageKind::D1Array { slice / row } else { 0 };
        let copy = RawImage::region(kind, region, image.level).buffer_offset(at);
        Ok(copy.buffer_row_length(length(row / texel)?).buffer_image_height(length(rows_of_slice)?))
    }
}

impl Queue {
    /// Copies texels of a buffer, which are rows and slices apart, to a region of level 0 of an image.
    ///
    /// # Errors
    /// [`Error::Transfer`] for a region outside of the image, an image in a buffer, and for pitches or an offset that are no
    /// whole texels; [`Error::BufferRange`], [`Error::OutOfMemory`], [`Error::DeviceLost`].
    pub fn copy_pitched_to_image(
        &self,
        texels: PitchedTexels<'_>,
        image: &Image,
        region: &ImageRegion,
    ) -> Result<Event> {
        let copy = texels.copy(self, image, region)?;
        let raw = image.texture()?;
        self.record(|recording| raw.copy_region_from(recording, texels.buffer.raw.raw, copy))
    }

    /// Copies a region of level 0 of an image to texels of a buffer, which are rows and slices apart. Nothing between them is
    /// written.
    ///
    /// # Errors
    /// As for [`Queue::copy_pitched_to_image`].
    pub fn copy_image_to_pitched(
        &self,
        image: &Image,
        region: &ImageRegion,
        texels: PitchedTexels<'_>,
    ) -> Result<Event> {
        let copy = texels.copy(self, image, region)?;
        let raw = image.texture()?;
        self.record(|recording| raw.copy_region_to(recording, &texels.buffer.raw, copy))
    }

    /// Copies texels of level 0 of an image to those of one of the same format that begin at `to`. Within one image the
    /// regions must not overlap.
    ///
    /// # Errors
    /// [`Error::Transfer`] for a region outside of its image, other formats and overlaps, [`Error::Allocation`],
    /// [`Error::OutOfMemory`], [`Error::DeviceLost`].
    pub fn copy_image(&self, source: &Image, from: &ImageRegion, target: &Image, to: [u32; 3]) -> Result<Event> {
        let to = ImageRegion { origin: to, size: from.size };
        let size = self.check_region(source, from)?;
        self.check_region(target, &to)?;
        let (first, second) = (source.description(), target.description());
        if first.format != second.format {
            return Err(Error::Transfer(format!("texels of {:?} as {:?}", first.format, second.format)));
        }
        let is_same = Arc::ptr_eq(&source.storage, &target.storage) && source.level == target.level;
        if is_same && from.meets(&to) {
            return Err(Error::Transfer("source and target overlap".into()));
        }
        let (source_raw, target_raw) = match (&*source.storage, &*target.storage) {
            (Storage::Buffer(_, buffer), _) => {
                return self.copy_buffer_to_image(buffer, first_byte(source, from), target, &to);
            }
            (_, Storage::Buffer(_, buffer)) => {
                return self.copy_image_to_buffer(source, from, buffer, first_byte(target, &to));
            }
            (Storage::Image(source), Storage::Image(target)) => (source, target),
        };
        if RawImage::copies_directly(first.kind, second.kind) {
            let (from, to) = ((first.kind, from, source.level), (second.kind, &to, target.level));
            return self.record(|recording| source_raw.copy_to_image(recording, from, target_raw, to));
        }
        let from = RawImage::region(first.kind, from, source.level);
        let to = RawImage::region(second.kind, &to, target.level);
        self.copy_by_way(
            size,
            |recording, between| source_raw.copy_region_to(recording, between, from),
            |recording, between| target_raw.copy_region_from(recording, between.raw, to),
        )
    }

    /// Copies texels of level 0 of an image to a buffer, without gaps.
    ///
    /// # Errors
    /// As for [`Queue::copy_image`], and [`Error::BufferRange`].
    pub fn copy_image_to_buffer(
        &self,
        image: &Image,
        region: &ImageRegion,
        buffer: &Buffer,
        offset: u64,
    ) -> Result<Event> {
        let size = self.check_region(image, region)?;
        self.check(buffer, offset, size)?;
        let raw = match &*image.storage {
            Storage::Buffer(_, source) => return self.copy(source, first_byte(image, region), buffer, offset, size),
            Storage::Image(raw) => raw,
        };
        let copy = RawImage::region(image.description().kind, region, image.level);
        let at = buffer.offset + offset;
        if at.is_multiple_of(image.description().format.texel_size()) {
            return self.record(|recording| raw.copy_region_to(recording, &buffer.raw, copy.buffer_offset(at)));
        }
        self.copy_by_way(
            size,
            |recording, between| raw.copy_region_to(recording, between, copy),
            |recording, between| copy_bytes(recording, (between, 0), (&buffer.raw, at), size),
        )
    }

    /// Copies bytes of a buffer to texels of level 0 of an image, without gaps.
    ///
    /// # Errors
    /// As for [`Queue::copy_image_to_buffer`].
    pub fn copy_buffer_to_image(
        &self,
        buffer: &Buffer,
        offset: u64,
        image: &Image,
        region: &ImageRegion,
    ) -> Result<Event> {
        let size = self.check_region(image, region)?;
        self.check(buffer, offset, size)?;
        let raw = match &*image.storage {
            Storage::Buffer(_, target) => return self.copy(buffer, offset, target, first_byte(image, region), size),
            Storage::Image(raw) => raw,
        };
        let copy = RawImage::region(image.description().kind, region, image.level);
        let at = buffer.offset + offset;
        if at.is_multiple_of(image.description().format.texel_size()) {
            return self.record(|recording| raw.copy_region_from(recording, buffer.raw.raw, copy.buffer_offset(at)));
        }
        self.copy_by_way(
            size,
            |recording, between| copy_bytes(recording, (&buffer.raw, at), (between, 0), size),
            |recording, between| raw.copy_region_from(recording, between.raw, copy),
        )
    }

    /// Copies by way of a buffer of the device: between images whose types differ, and where texels are not aligned.
    fn copy_by_way(
        &self,
        size: u64,
        out: impl FnOnce(&Recording<'_>, &RawBuffer),
        back: impl FnOnce(&Recording<'_>, &RawBuffer),
    ) -> Result<Event> {
        let between = self.device.raw_buffer(size.next_multiple_of(16), MemoryLocation::GpuOnly)?;
        let command = Command::new(&self.stream);
        let device = self.stream.device();
        let mut first = command.part(Use::Transfer);
        let commands = first.batch()?.commands;
        out(&Recording { device, commands }, &between);
        first.finish()?;
        let mut second = command.part(Use::Transfer);
        let commands = second.batch()?.commands;
        back(&Recording { device, commands }, &between);
        second.finish()
    }
}

/// Records a copy of bytes between two buffers, which have them.
fn copy_bytes(recording: &Recording<'_>, from: (&RawBuffer, u64), to: (&RawBuffer, u64), size: u64) {
    let region = [vk::BufferCopy { src_offset: from.1, dst_offset: to.1, size }];
    // SAFETY: both are alive and hold the ranges, which are not empty: the callers have checked; one is the caller's own.
    unsafe { recording.device.cmd_copy_buffer(recording.commands, from.0.raw, to.0.raw, &region) }
}
