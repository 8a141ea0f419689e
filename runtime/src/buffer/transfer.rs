//! Commands that transfer data: writes, reads, copies, fills.

use super::object::Buffer;
use super::staging;
use crate::error::{Error, Result};
use crate::host_copy;
use crate::memory::RawBuffer;
use crate::narrow::to_usize;
use crate::queue::Queue;
use crate::submission::{Command, Event, Footprint, Record, Session, Use};
use crate::vulkan::RawDevice;
use ash::vk;
use clforge_compiler::interface::Access;
use gpu_allocator::MemoryLocation;
use std::sync::Arc;

/// Most bytes of one copy through staging memory.
const CHUNK: u64 = 8 << 20;
/// Most bytes that the host copies or fills by itself, and that it writes to memory that it does not cache, while nothing else can
/// use the device.
const HOST_WRITE: usize = 1 << 20;
/// The same of writes to memory that the host caches: 64 MiB take 5 ms.
const CACHED_WRITE: usize = 64 << 20;
/// Most bytes of staging memory in one batch.
pub(crate) const STAGED: u64 = 32 << 20;
/// Bytes of staging memory in a batch that is submitted at once: the device can start, and little memory is in use, which is
/// kept (NVIDIA H100, writes of 1 MiB, one after the other: 218 us each where batches have 32 MiB).
const PROMPT: u64 = 2 << 20;
/// Most regions of one `vkCmdCopyBuffer`.
const REGIONS: usize = 256;

/// A box of bytes in one buffer and its place in another, as for `clEnqueueCopyBufferRect`: x counts bytes, y rows, z slices.
/// A pitch of 0 means that there are no gaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RectCopy {
    /// Size: bytes, rows, slices.
    pub region: [u64; 3],
    /// First byte, row and slice of the box in the source.
    pub source_origin: [u64; 3],
    /// Distance in bytes between rows, and between slices, in the source.
    pub source_pitch: [u64; 2],
    /// First byte, row and slice of the box in the target.
    pub target_origin: [u64; 3],
    /// Distance in bytes between rows, and between slices, in the target.
    pub target_pitch: [u64; 2],
}

/// Data that is being copied to the host: see [`Queue::read_async`].
pub struct Download {
    event: Event,
    memory: Option<RawBuffer>,
    size: u64,
}

impl Download {
    /// The copy.
    pub fn event(&self) -> &Event {
        &self.event
    }

    /// Waits for the data and returns it.
    ///
    /// # Errors
    /// As for [`Event::wait`].
    pub fn wait(self) -> Result<Vec<u8>> {
        self.event.wait()?;
        let mut bytes = vec![0; to_usize(self.size)];
        if let Some(memory) = &self.memory {
            let from = memory.mapped().ok_or_else(|| Error::Internal("a staging buffer is not mapped".into()))?;
            // SAFETY: the buffer has `size` bytes or more, and the copy to it is complete.
            unsafe { host_copy::copy(from, bytes.as_mut_ptr(), bytes.len()) };
        }
        Ok(bytes)
    }
}

impl Queue {
    /// Overwrites bytes of a buffer. `bytes` are copied before the function returns.
    ///
    /// # Errors
    /// [`Error::BufferRange`], [`Error::Allocation`], [`Error::OutOfMemory`], [`Error::DeviceLost`].
    pub fn write(&self, buffer: &Buffer, offset: u64, bytes: &[u8]) -> Result<Event> {
        self.check(buffer, offset, bytes.len() as u64)?;
        let most = if buffer.is_host_cached() { CACHED_WRITE } else { HOST_WRITE };
        if bytes.len() <= most
            && buffer.writes_directly(bytes.len())
            && let Some(access) = self.device.host_access_now()
        {
            buffer.write_mapped(offset, bytes, &access)?;
            return Ok(Event::completed(&self.stream));
        }
        // Where commands wait for the host, waiting for staging buffers might wait for the caller itself.
        if bytes.len() >= staging::LEAST
            && let Some(command) = Command::alone(&self.stream)
        {
            return self.write_staged(&command, &buffer.raw, buffer.offset + offset, bytes);
        }
        let target = buffer.raw.raw;
        let mut at = buffer.offset + offset;
        let mut footprint = Footprint::default();
        footprint.add(buffer.sole_address(), buffer.size, Access::WRITES);
        let mut session = Session::start(&self.stream, Use::Transfer);
        for chunk in bytes.chunks(to_usize(CHUNK)) {
            let size = chunk.len() as u64;
            if session.batch_for(&footprint)?.arena.total() + size > STAGED {
                session.split()?;
            }
            let batch = session.batch_for(&footprint)?;
            let piece = batch.arena.allocate(size)?;
            piece.fill(0, chunk);
            let region = [vk::BufferCopy { src_offset: piece.offset, dst_offset: at, size }];
            // SAFETY: both buffers hold the ranges and have the transfer usages; they are different buffers.
            unsafe { self.stream.device().cmd_copy_buffer(batch.commands, piece.buffer, target, &region) };
            at += size;
        }
        if session.batch()?.arena.total() >= PROMPT { session.submit() } else { session.finish() }
    }

    /// Waits for all commands so far, then reads bytes of a buffer.
    ///
    /// # Errors
    /// As for [`Queue::write`].
    pub fn read(&self, buffer: &Buffer, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.check(buffer, offset, bytes.len() as u64)?;
        if buffer.reads_directly(bytes.len()) {
            self.finish()?;
            // Where other queues are at work the device copies: they may write what is read.
            if let Some(access) = self.device.host_access_now() {
                return buffer.read_mapped(offset, bytes, &access);
            }
        }
        if bytes.is_empty() {
            return self.finish();
        }
        self.read_staged(&buffer.raw, buffer.offset + offset, bytes)
    }

    /// Starts to read bytes of a buffer, with the values that they have after all commands so far.
    ///
    /// # Errors
    /// As for [`Queue::write`].
    pub fn read_async(&self, buffer: &Buffer, offset: u64, size: u64) -> Result<Download> {
        self.check(buffer, offset, size)?;
        if size == 0 {
            return Ok(Download { event: self.marker()?, memory: None, size });
        }
        let memory = self.device.raw_buffer(size.next_multiple_of(16), MemoryLocation::GpuToCpu)?;
        let event = self.copy_raw(&buffer.raw, buffer.offset + offset, &memory, 0, size)?;
        Ok(Download { event, memory: Some(memory), size })
    }

    /// Copies bytes from buffer to buffer. The ranges must not overlap.
    ///
    /// # Errors
    /// [`Error::BufferRange`], [`Error::Transfer`], [`Error::OutOfMemory`], [`Error::DeviceLost`].
    pub fn copy(&self, source: &Buffer, from: u64, target: &Buffer, to: u64, size: u64) -> Result<Event> {
        self.check(source, from, size)?;
        self.check(target, to, size)?;
        check_overlap((source, from), (target, to), size)?;
        if size == 0 {
            return self.marker();
        }
        if size <= HOST_WRITE as u64
            && source.is_host_cached()
            && target.is_host_cached()
            && let Some(access) = self.device.host_access_now()
        {
            target.copy_mapped(to, (source, from), size, &access)?;
            return Ok(Event::completed(&self.stream));
        }
        let (from, to) = (source.offset + from, target.offset + to);
        let is_on_device = |buffer: &Buffer| !buffer.is_host_memory();
        if let Some((first, second)) = source.raw.address.zip(target.raw.address)
            && let Some(copier) = self.device.copier()
            && copier.takes(first + from, second + to, size)
            && is_on_device(source)
            && is_on_device(target)
        {
            return copier.record(&self.stream, first + from, second + to, size);
        }
        self.copy_raw(&source.raw, from, &target.raw, to, size)
    }

    /// Copies a box of bytes from buffer to buffer.
    ///
    /// # Errors
    /// As for [`Queue::copy`]; within one buffer the spans from first to last byte must not overlap.
    pub fn copy_rect(&self, source: &Buffer, target: &Buffer, rect: &RectCopy) -> Result<Event> {
        let (from, from_end, from_pitch) = span(rect.region, rect.source_origin, rect.source_pitch)?;
        let (to, to_end, to_pitch) = span(rect.region, rect.target_origin, rect.target_pitch)?;
        self.check(source, from, from_end - from)?;
        self.check(target, to, to_end - to)?;
        let (from, from_end) = (source.offset + from, source.offset + from_end);
        let (to, to_end) = (target.offset + to, target.offset + to_end);
        if Arc::ptr_eq(&source.raw, &target.raw) && from < to_end && to < from_end {
            return Err(Error::Transfer("source and target overlap".into()));
        }
        let [size, rows, slices] = rect.region;
        let mut session = Session::start(&self.stream, Use::Transfer);
        let commands = session.batch()?.commands;
        let mut regions = [vk::BufferCopy::default(); REGIONS];
        let mut count = 0;
        let flush = |regions: &[vk::BufferCopy]| {
            // SAFETY: the ranges were checked, and do not overlap; rows are not empty.
            unsafe { self.stream.device().cmd_copy_buffer(commands, source.raw.raw, target.raw.raw, regions) }
        };
        for (z, y) in (0..if size == 0 { 0 } else { slices }).flat_map(|z| (0..rows).map(move |y| (z, y))) {
            let row = |start: u64, pitch: [u64; 2]| start + z * pitch[1] + y * pitch[0];
            if count == REGIONS {
                flush(&regions);
                count = 0;
            }
            regions[count] = vk::BufferCopy { src_offset: row(from, from_pitch), dst_offset: row(to, to_pitch), size };
            count += 1;
        }
        if count > 0 {
            flush(&regions[..count]);
        }
        session.finish()
    }

    /// Fills bytes of a buffer with repetitions of a pattern.
    ///
    /// # Errors
    /// [`Error::Transfer`] when the size is no multiple of the pattern's size, and those of [`Queue::copy`].
    pub fn fill(&self, buffer: &Buffer, offset: u64, size: u64, pattern: &[u8]) -> Result<Event> {
        self.check(buffer, offset, size)?;
        let length = pattern.len() as u64;
        if length == 0 || length > CHUNK || !size.is_multiple_of(length) {
            let text = format!("a fill of {size} bytes with a pattern of {length} bytes");
            return Err(Error::Transfer(text));
        }
        if size <= HOST_WRITE as u64
            && buffer.is_host_cached()
            && let Some(access) = self.device.host_access_now()
        {
            buffer.fill_mapped(offset, size, pattern, &access)?;
            return Ok(Event::completed(&self.stream));
        }
        let at = buffer.offset + offset;
        let footprint = written(buffer);
        let mut session = Session::start(&self.stream, Use::Transfer);
        let device = self.stream.device().clone();
        if let Some(word) = word_at(pattern, at, size) {
            record_fill(&mut session, &device, buffer, (at, size), word)?;
            return session.finish();
        }
        // The staging memory holds many repetitions, and is copied as often as needed.
        let block = (size.min(1 << 20) / length).max(1) * length;
        let batch = session.batch_for(&footprint)?;
        let piece = batch.arena.allocate(block)?;
        for repeat in 0..block / length {
            piece.fill(repeat * length, pattern);
        }
        let mut done = 0;
        while done < size {
            let size = block.min(size - done);
            let region = [vk::BufferCopy { src_offset: piece.offset, dst_offset: at + done, size }];
            // SAFETY: both buffers hold the ranges; they are different buffers.
            unsafe { device.cmd_copy_buffer(batch.commands, piece.buffer, buffer.raw.raw, &region) };
            done += size;
        }
        session.finish()
    }

    /// Copies a range that is not empty; the ranges are within the buffers and do not overlap.
    fn copy_raw(&self, source: &RawBuffer, from: u64, target: &RawBuffer, to: u64, size: u64) -> Result<Event> {
        let mut session = Session::start(&self.stream, Use::Transfer);
        record_copy(&mut session, self.stream.device(), (source, from), (target, to), size)?;
        session.finish()
    }

    /// Checks that a range is within a buffer of this device that is not mapped.
    pub(crate) fn check(&self, buffer: &Buffer, offset: u64, size: u64) -> Result<()> {
        if !buffer.is_on(&self.device) {
            return Err(Error::Transfer("the buffer belongs to another device".into()));
        }
        buffer.check_unmapped()?;
        buffer.check(offset, size)
    }
}

/// Checks that the ranges of a copy do not overlap.
///
/// # Errors
/// [`Error::Transfer`].
pub(crate) fn check_overlap((source, from): (&Buffer, u64), (target, to): (&Buffer, u64), size: u64) -> Result<()> {
    let (from, to) = (source.offset + from, target.offset + to);
    match Arc::ptr_eq(&source.raw, &target.raw) && from < to + size && to < from + size {
        true => Err(Error::Transfer("source and target overlap".into())),
        false => Ok(()),
    }
}

/// Records a copy of a range that is not empty; the ranges are within the buffers and do not overlap.
///
/// # Errors
/// As for [`Record::batch_for`].
pub(crate) fn record_copy(
    place: &mut impl Record,
    device: &RawDevice,
    (source, from): (&RawBuffer, u64),
    (target, to): (&RawBuffer, u64),
    size: u64,
) -> Result<()> {
    let region = [vk::BufferCopy { src_offset: from, dst_offset: to, size }];
    let mut footprint = Footprint::default();
    footprint.add(source.sole_address().map(|address| address + from), size, Access::READS);
    footprint.add(target.sole_address().map(|address| address + to), size, Access::WRITES);
    let batch = place.batch_for(&footprint)?;
    // SAFETY: both buffers hold the ranges, which are not empty and do not overlap: the callers have checked.
    unsafe { device.cmd_copy_buffer(batch.commands, source.raw, target.raw, &region) };
    Ok(())
}

/// Records a fill of a range of the whole buffer, of which `buffer` may be a part; both are multiples of 4.
///
/// # Errors
/// As for [`Record::batch_for`].
pub(crate) fn record_fill(
    place: &mut impl Record,
    device: &RawDevice,
    buffer: &Buffer,
    (at, size): (u64, u64),
    word: u32,
) -> Result<()> {
    let commands = place.batch_for(&written(buffer))?.commands;
    if size > 0 {
        // SAFETY: the range is within the buffer, aligned to 4 and not empty.
        unsafe { device.cmd_fill_buffer(commands, buffer.raw.raw, at, size, word) };
    }
    Ok(())
}

/// What a fill of a part of a buffer accesses.
fn written(buffer: &Buffer) -> Footprint {
    let mut footprint = Footprint::default();
    footprint.add(buffer.sole_address(), buffer.size, Access::WRITES);
    footprint
}

/// The word of which `vkCmdFillBuffer` makes repetitions of a pattern from a byte on, if it can.
pub(crate) fn word_at(pattern: &[u8], at: u64, size: u64) -> Option<u32> {
    word(pattern).filter(|_| at.is_multiple_of(4) && size.is_multiple_of(4))
}

/// First byte, end, and pitches of a box, checked for overlapping rows and slices.
fn span(region: [u64; 3], origin: [u64; 3], pitch: [u64; 2]) -> Result<(u64, u64, [u64; 2])> {
    let bad = || Error::Transfer(format!("a box of {region:?} at {origin:?} with pitches {pitch:?}"));
    let row = if pitch[0] == 0 { region[0] } else { pitch[0] };
    let dense = row.checked_mul(region[1]).ok_or_else(bad)?;
    let slice = if pitch[1] == 0 { dense } else { pitch[1] };
    if row < region[0] || slice < dense || slice.checked_rem(row).is_some_and(|rest| rest != 0) {
        return Err(bad());
    }
    let at = |x: u64, y: u64, z: u64| slice.checked_mul(z)?.checked_add(row.checked_mul(y)?)?.checked_add(x);
    let start = at(origin[0], origin[1], origin[2]).ok_or_else(bad)?;
    if region.contains(&0) {
        return Ok((start, start, [row, slice]));
    }
    let last = at(region[0], region[1] - 1, region[2] - 1).and_then(|size| start.checked_add(size));
    Ok((start, last.ok_or_else(bad)?, [row, slice]))
}

/// The word that a pattern of 1, 2 or 4 bytes repeats to.
fn word(pattern: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(match *pattern {
        [a] => [a; 4],
        [a, b] => [a, b, a, b],
        [a, b, c, d] => [a, b, c, d],
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_boxes() {
        // Two slices of three rows of four bytes, in rows of 10 and slices of 50 bytes.
        let (start, end, pitch) = span([4, 3, 2], [1, 2, 0], [10, 50]).unwrap();
        assert_eq!((start, end, pitch), (21, 21 + 50 + 20 + 4, [10, 50]));
        assert_eq!(span([4, 3, 2], [0; 3], [0, 0]).unwrap(), (0, 24, [4, 12]));
        assert!(span([4, 3, 2], [0; 3], [3, 0]).is_err(), "rows overlap");
        assert!(span([4, 3, 2], [0; 3], [4, 8]).is_err(), "slices overlap");
        assert!(span([u64::MAX, 3, 2], [0; 3], [0, 0]).is_err());
        assert_eq!(span([0, 3, 2], [5, 0, 0], [0, 0]).unwrap().1, 5);
    }
}
