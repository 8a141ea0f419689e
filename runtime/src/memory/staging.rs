//! Copies through host-visible buffers for memory that the host does not see.

use super::RawBuffer;
use crate::device::Queue;
use crate::{Device, Error, Result};
use ash::vk;
use gpu_allocator::MemoryLocation;

/// Bytes copied at once.
const CHUNK: u64 = 8 << 20;

/// Staging buffers, made on first use and kept.
#[derive(Default)]
pub(crate) struct Staging {
    up: Option<RawBuffer>,
    down: Option<RawBuffer>,
}

/// Copies `bytes` into `target`. The range has been checked.
pub(super) fn upload(device: &Device, queue: &mut Queue, target: &RawBuffer, offset: u64, bytes: &[u8]) -> Result<()> {
    let (staging, memory) = take(device, &mut queue.staging.up, bytes.len(), MemoryLocation::CpuToGpu)?;
    let mut at = offset;
    let mut result = Ok(());
    for chunk in bytes.chunks(CHUNK.min(staging.size) as usize) {
        // SAFETY: a chunk is not longer than the staging buffer, which nobody else uses while the queue is locked.
        unsafe { memory.copy_from_nonoverlapping(chunk.as_ptr(), chunk.len()) };
        result = copy(queue, staging.raw, 0, target.raw, at, chunk.len() as u64);
        if result.is_err() {
            break;
        }
        at += chunk.len() as u64;
    }
    queue.staging.up = Some(staging);
    result
}

/// Copies from `source` into `bytes`. The range has been checked.
pub(super) fn download(
    device: &Device,
    queue: &mut Queue,
    source: &RawBuffer,
    offset: u64,
    bytes: &mut [u8],
) -> Result<()> {
    let (staging, memory) = take(device, &mut queue.staging.down, bytes.len(), MemoryLocation::GpuToCpu)?;
    let mut at = offset;
    let mut result = Ok(());
    for chunk in bytes.chunks_mut(CHUNK.min(staging.size) as usize) {
        result = copy(queue, source.raw, at, staging.raw, 0, chunk.len() as u64);
        if result.is_err() {
            break;
        }
        // SAFETY: as in `upload`; the copy is complete.
        unsafe { memory.copy_to_nonoverlapping(chunk.as_mut_ptr(), chunk.len()) };
        at += chunk.len() as u64;
    }
    queue.staging.down = Some(staging);
    result
}

/// The staging buffer, made or grown to hold `size` bytes (at most a chunk), and its memory.
fn take(
    device: &Device,
    slot: &mut Option<RawBuffer>,
    size: usize,
    location: MemoryLocation,
) -> Result<(RawBuffer, *mut u8)> {
    let wanted = (size as u64).clamp(4096, CHUNK).next_power_of_two();
    let buffer = match slot.take() {
        Some(buffer) if buffer.size >= wanted => buffer,
        _ => device.raw_buffer(wanted, location)?,
    };
    let memory = buffer.mapped().ok_or_else(|| Error::Internal("a staging buffer is not mapped".into()))?;
    Ok((buffer, memory))
}

fn copy(queue: &mut Queue, from: vk::Buffer, from_at: u64, to: vk::Buffer, to_at: u64, size: u64) -> Result<()> {
    if size == 0 {
        return Ok(());
    }
    let region = [vk::BufferCopy { src_offset: from_at, dst_offset: to_at, size }];
    queue.run(|recording| {
        // SAFETY: both buffers have the transfer usages and hold the ranges; they are different buffers.
        unsafe { recording.device.cmd_copy_buffer(recording.commands, from, to, &region) }
    })
}
