//! Device memory: buffers, and how data gets in and out of them.

mod raw;
mod staging;
mod texture;

pub(crate) use raw::{MemoryPool, RawBuffer};
pub(crate) use staging::Staging;
pub(crate) use texture::{LAYOUT, RawImage, TexelView};

use crate::device::Queue;
use crate::{Device, Error, Result};
use gpu_allocator::MemoryLocation;
use std::sync::Arc;

/// A buffer on a device. Cloning is cheap; all clones are the same memory.
#[derive(Clone)]
pub struct Buffer {
    pub(crate) raw: Arc<RawBuffer>,
    device: Device,
    size: u64,
}

impl Buffer {
    /// A buffer of `size` bytes (0 is allowed) with undefined contents.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Memory`], [`Error::Vulkan`].
    pub fn new(device: &Device, size: u64) -> Result<Buffer> {
        let limit = device.info().limits.max_allocation;
        // Compilers may access bytes through the words around them, so whole 16-byte units are there.
        let padded = size.max(1).checked_next_multiple_of(16).filter(|padded| *padded <= limit);
        let padded = padded.ok_or(Error::Limit { what: "buffer size in bytes".into(), limit, requested: size })?;
        let raw = device.raw_buffer(padded, MemoryLocation::GpuOnly)?;
        Ok(Buffer { raw: Arc::new(raw), device: device.clone(), size })
    }

    /// A buffer of `size` zero bytes.
    ///
    /// # Errors
    /// As for [`Buffer::new`].
    pub fn zeroed(device: &Device, size: u64) -> Result<Buffer> {
        let buffer = Buffer::new(device, size)?;
        buffer.fill(0)?;
        Ok(buffer)
    }

    /// A buffer with the contents `bytes`.
    ///
    /// # Errors
    /// As for [`Buffer::new`].
    pub fn from_bytes(device: &Device, bytes: &[u8]) -> Result<Buffer> {
        let buffer = Buffer::new(device, bytes.len() as u64)?;
        buffer.write(0, bytes)?;
        Ok(buffer)
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The address kernels see, or `None` where the device lacks `bufferDeviceAddress`.
    pub fn device_address(&self) -> Option<u64> {
        self.raw.address
    }

    /// Overwrites bytes from `offset` on.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], [`Error::Memory`], [`Error::Vulkan`].
    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut queue = self.device.queue()?;
        self.write_with(&mut queue, offset, bytes)
    }

    /// As [`Buffer::write`], for who holds the queue.
    pub(crate) fn write_with(&self, queue: &mut Queue, offset: u64, bytes: &[u8]) -> Result<()> {
        self.check(offset, bytes.len() as u64)?;
        let stage = self.always_stage();
        if !stage && let Some(memory) = self.raw.mapped() {
            // SAFETY: the range was checked; the queue's lock keeps the device and other threads away from it.
            unsafe { memory.add(offset as usize).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
            return Ok(());
        }
        staging::upload(&self.device, queue, &self.raw, offset, bytes)
    }

    /// Reads bytes from `offset` on.
    ///
    /// # Errors
    /// As for [`Buffer::write`].
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let mut queue = self.device.queue()?;
        self.read_with(&mut queue, offset, bytes)
    }

    /// As [`Buffer::read`], for who holds the queue.
    pub(crate) fn read_with(&self, queue: &mut Queue, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.check(offset, bytes.len() as u64)?;
        let stage = self.always_stage() || (!self.raw.cached() && bytes.len() > 4096);
        if !stage && let Some(memory) = self.raw.mapped() {
            // SAFETY: the range was checked; the queue's lock keeps the device and other threads away from it.
            unsafe { memory.add(offset as usize).copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
            return Ok(());
        }
        staging::download(&self.device, queue, &self.raw, offset, bytes)
    }

    /// The whole contents.
    ///
    /// # Errors
    /// As for [`Buffer::read`].
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.size as usize];
        self.read(0, &mut bytes)?;
        Ok(bytes)
    }

    /// Sets every byte to `value`.
    ///
    /// # Errors
    /// [`Error::Vulkan`].
    pub fn fill(&self, value: u8) -> Result<()> {
        let word = u32::from_le_bytes([value; 4]);
        self.device.queue()?.run(|recording| {
            // SAFETY: the buffer is a transfer destination of a size that is a multiple of 4.
            unsafe { recording.device.cmd_fill_buffer(recording.commands, self.raw.raw, 0, self.raw.size, word) }
        })
    }

    /// Whether this is memory of `device`.
    pub(crate) fn is_on(&self, device: &Device) -> bool {
        Arc::ptr_eq(&self.device.shared, &device.shared)
    }

    fn always_stage(&self) -> bool {
        self.device.shared.raw.instance.options.always_stage
    }

    fn check(&self, offset: u64, size: u64) -> Result<()> {
        match offset.checked_add(size) {
            Some(end) if end <= self.size => Ok(()),
            _ => Err(Error::OutOfBounds { offset, size, buffer: self.size }),
        }
    }
}
