//! Memory that the host fills for one batch: data to be copied to buffers, and arguments that do not fit into push
//! constants.

use crate::error::{Error, Result};
use crate::host_copy;
use crate::memory::{MemoryPool, RawBuffer};
use crate::narrow::to_usize;
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::sync::Arc;

/// Size of the smallest buffer.
const CHUNK: u64 = 64 << 10;
/// Most bytes that are retained for the next use of a batch.
const RETAINED: u64 = 4 << 20;

/// Host-visible buffers that are filled from front to back.
pub(crate) struct Arena {
    buffers: Vec<RawBuffer>,
    /// The buffer being filled, and the bytes used of it.
    current: usize,
    used: u64,
    /// Bytes allocated since the last reset.
    total: u64,
    memory: Arc<MemoryPool>,
}

/// A part of an arena.
pub(crate) struct Piece {
    pub buffer: vk::Buffer,
    pub offset: u64,
    memory: *mut u8,
    size: u64,
}

impl Piece {
    /// Copies `bytes` to `at`. Bytes that do not fit are dropped.
    pub fn fill(&self, at: u64, bytes: &[u8]) {
        let room = to_usize(self.size.saturating_sub(at).min(bytes.len() as u64));
        if room > 0 {
            // SAFETY: the piece has `size` mapped bytes that belong to the batch being recorded, which `&mut` access to
            // its stream's state protects; the device reads them only after the batch is submitted.
            unsafe { host_copy::copy(bytes.as_ptr(), self.memory.add(to_usize(at)), room) }
        }
    }
}

impl Arena {
    pub fn new(memory: &Arc<MemoryPool>) -> Arena {
        Arena { buffers: Vec::new(), current: 0, used: 0, total: 0, memory: memory.clone() }
    }

    /// Bytes allocated since the last reset.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// A piece of `size` bytes, aligned for every use.
    ///
    /// # Errors
    /// [`Error::Allocation`], [`Error::OutOfMemory`].
    pub fn allocate(&mut self, size: u64) -> Result<Piece> {
        let size = size.max(1);
        while let Some(buffer) = self.buffers.get(self.current) {
            if self.used.checked_add(size).is_some_and(|end| end <= buffer.size) {
                break;
            }
            (self.current, self.used) = (self.current + 1, 0);
        }
        if self.current >= self.buffers.len() {
            let bytes = size.max(CHUNK).next_multiple_of(16);
            self.buffers.push(RawBuffer::new(&self.memory, bytes, MemoryLocation::CpuToGpu)?);
            self.used = 0;
        }
        let buffer =
            self.buffers.get(self.current).ok_or_else(|| Error::Internal("an arena lost its buffer".into()))?;
        let memory = buffer.mapped().ok_or_else(|| Error::Internal("a staging buffer is not mapped".into()))?;
        let offset = self.used;
        self.used = (self.used + size).next_multiple_of(256);
        self.total += size;
        // SAFETY: `offset + size` is within the buffer's mapped memory.
        let memory = unsafe { memory.add(to_usize(offset)) };
        Ok(Piece { buffer: buffer.raw, offset, memory, size })
    }

    /// Frees all pieces, and their memory unless it `is_needed` for the next use. The device must not use them any more.
    pub fn reset(&mut self, is_needed: bool) {
        let retained = if is_needed { RETAINED } else { 0 };
        let mut kept = 0;
        self.buffers.retain(|buffer| {
            let keep = kept + buffer.size <= retained;
            kept += if keep { buffer.size } else { 0 };
            keep
        });
        (self.current, self.used, self.total) = (0, 0, 0);
    }
}
