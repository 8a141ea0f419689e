//! Buffers and parts of buffers.

use super::uncached;
use crate::copier;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::host_copy;
use crate::memory::RawBuffer;
use crate::narrow::to_usize;
use gpu_allocator::MemoryLocation;
use std::sync::{Arc, RwLockWriteGuard};

/// Most bytes that the host reads from uncached memory itself; larger reads are faster as copies by the device.
const UNCACHED_READ: usize = 4096;
/// The same where the memory is behind a bus (NVIDIA H100: 4 KiB take 7 us, a copy by the device 18 us; 64 KiB 115 us and
/// 22 us).
const BUS_READ: usize = if cfg!(target_arch = "x86_64") { 8192 } else { 1024 };
/// Most bytes that the host writes across a bus itself; writes are collected, and not waited for.
const BUS_WRITE: usize = 256 << 10;

/// A buffer on a device, or a part of one. Cloning is cheap; all clones are the same memory.
///
/// Functions of this type that read or write it wait for all work of the device. Those of a [`crate::Queue`] do not: they are
/// executed in the order of the queue.
#[derive(Clone)]
pub struct Buffer {
    pub(crate) raw: Arc<RawBuffer>,
    pub(super) device: Device,
    /// First byte in `raw`.
    pub(crate) offset: u64,
    pub(super) size: u64,
}

impl Buffer {
    /// A buffer of `size` bytes (0 is allowed) with undefined contents.
    ///
    /// # Errors
    /// [`Error::Limit`] for more than [`crate::Limits::max_allocation`], [`Error::Allocation`] without so much memory,
    /// [`Error::Vulkan`].
    pub fn new(device: &Device, size: u64) -> Result<Buffer> {
        let raw = device.raw_buffer(padded(device, size)?, MemoryLocation::GpuOnly)?;
        if size >= copier::LEAST {
            // Some time before the first copy, which does not wait for it.
            device.copier();
        }
        device.prepare_stages(size);
        Ok(Buffer { raw: Arc::new(raw), device: device.clone(), offset: 0, size })
    }

    /// All of some memory of a device.
    pub(crate) fn of_raw(device: &Device, raw: &Arc<RawBuffer>) -> Buffer {
        Buffer { raw: raw.clone(), device: device.clone(), offset: 0, size: raw.size }
    }

    /// Whether kernels use the host's own memory: see [`Buffer::from_host`].
    pub fn is_host_memory(&self) -> bool {
        self.raw.is_host_memory()
    }

    /// `size` bytes of the buffer from `offset` on, as a buffer that shares its memory.
    ///
    /// # Errors
    /// [`Error::BufferRange`].
    pub fn slice(&self, offset: u64, size: u64) -> Result<Buffer> {
        self.check(offset, size)?;
        Ok(Buffer { offset: self.offset + offset, size, ..self.clone() })
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The address that kernels use; `None` if the device lacks `bufferDeviceAddress`.
    pub fn device_address(&self) -> Option<u64> {
        Some(self.raw.address?.wrapping_add(self.offset))
    }

    /// The address, if no other buffer can have the same memory at another one.
    pub(crate) fn sole_address(&self) -> Option<u64> {
        Some(self.raw.sole_address()?.wrapping_add(self.offset))
    }

    /// The address of the first byte for the host, if the host can access the buffer in place; on some devices it is
    /// [`Buffer::device_address`]. Nothing keeps host and device from accessing it at the same time.
    pub fn host_address(&self) -> Option<usize> {
        Some(self.direct()?.expose_provenance())
    }

    /// Whether the host reads and writes the memory at [`Buffer::host_address`] at full speed: not that of a device behind a bus,
    /// nor memory that the processor does not cache.
    pub fn is_host_cached(&self) -> bool {
        self.direct().is_some() && self.raw.cached() && !self.raw.is_across_bus()
    }

    /// Whether this is a buffer of `device`.
    pub(crate) fn is_on(&self, device: &Device) -> bool {
        self.device.is(device)
    }

    /// The first byte of the buffer as the host sees it, if the host can access it in place.
    pub(super) fn direct(&self) -> Option<*mut u8> {
        if self.device.shared.raw.instance.options.always_stage {
            return None;
        }
        // SAFETY: the buffer's offset is within its memory.
        Some(unsafe { self.raw.mapped()?.add(to_usize(self.offset)) })
    }

    /// Whether a read of so many bytes is done in place, without a copy by the device.
    pub(crate) fn reads_directly(&self, bytes: usize) -> bool {
        let most = if self.raw.is_across_bus() { BUS_READ } else { UNCACHED_READ };
        self.direct().is_some() && (self.raw.cached() || bytes <= most)
    }

    /// Whether a write of so many bytes is done in place, without a copy by the device.
    pub(crate) fn writes_directly(&self, bytes: usize) -> bool {
        self.direct().is_some() && (!self.raw.is_across_bus() || bytes <= BUS_WRITE)
    }

    /// Writes in place, while the device is idle: see [`Device::host_access`].
    ///
    /// # Errors
    /// As for [`Buffer::read_mapped`].
    pub(crate) fn write_mapped(&self, offset: u64, bytes: &[u8], _access: &RwLockWriteGuard<'_, ()>) -> Result<()> {
        self.check(offset, bytes.len() as u64)?;
        let memory = self.direct().ok_or_else(|| Error::Internal("a buffer is not mapped".into()))?;
        self.check_unmapped()?;
        // SAFETY: the range was checked; the lock keeps the device idle and other threads of the host away.
        unsafe { host_copy::copy(bytes.as_ptr(), memory.add(to_usize(offset)), bytes.len()) };
        Ok(())
    }

    /// Copies in place, while the device is idle; the ranges do not overlap.
    ///
    /// # Errors
    /// As for [`Buffer::read_mapped`].
    pub(crate) fn copy_mapped(
        &self,
        offset: u64,
        (source, from): (&Buffer, u64),
        size: u64,
        access: &RwLockWriteGuard<'_, ()>,
    ) -> Result<()> {
        source.check(from, size)?;
        source.check_unmapped()?;
        let memory = source.direct().ok_or_else(|| Error::Internal("a buffer is not mapped".into()))?;
        // SAFETY: the range was checked; the lock keeps everyone else from writing it, and the target is another range.
        let bytes = unsafe { std::slice::from_raw_parts(memory.add(to_usize(from)), to_usize(size)) };
        self.write_mapped(offset, bytes, access)
    }

    /// Fills in place with repetitions of a pattern, while the device is idle.
    ///
    /// # Errors
    /// As for [`Buffer::read_mapped`].
    pub(crate) fn fill_mapped(
        &self,
        offset: u64,
        size: u64,
        pattern: &[u8],
        _access: &RwLockWriteGuard<'_, ()>,
    ) -> Result<()> {
        self.check(offset, size)?;
        let memory = self.direct().ok_or_else(|| Error::Internal("a buffer is not mapped".into()))?;
        self.check_unmapped()?;
        // SAFETY: the range was checked; the lock keeps the device idle and other threads of the host away.
        let bytes = unsafe { std::slice::from_raw_parts_mut(memory.add(to_usize(offset)), to_usize(size)) };
        match pattern {
            [byte] => bytes.fill(*byte),
            _ => bytes.chunks_exact_mut(pattern.len().max(1)).for_each(|place| place.copy_from_slice(pattern)),
        }
        Ok(())
    }

    /// Reads in place, while the device is idle: see [`Device::host_access`].
    ///
    /// # Errors
    /// [`Error::BufferRange`], [`Error::Transfer`] while the buffer is mapped.
    pub(crate) fn read_mapped(&self, offset: u64, bytes: &mut [u8], _access: &RwLockWriteGuard<'_, ()>) -> Result<()> {
        self.check(offset, bytes.len() as u64)?;
        let memory = self.direct().ok_or_else(|| Error::Internal("a buffer is not mapped".into()))?;
        self.check_unmapped()?;
        // SAFETY: the range was checked; the lock keeps the device idle and other threads of the host away. What is
        // mapped begins and ends at aligned blocks of 16 bytes: a mapping is aligned to 64 bytes or more.
        unsafe {
            let from = memory.add(to_usize(offset));
            match self.raw.cached() {
                true => host_copy::copy(from, bytes.as_mut_ptr(), bytes.len()),
                false => uncached::read(from, bytes),
            }
        }
        Ok(())
    }

    /// Checks that the memory is not mapped.
    ///
    /// # Errors
    /// [`Error::Transfer`].
    pub(crate) fn check_unmapped(&self) -> Result<()> {
        if self.raw.is_mapped() { Err(Error::Transfer("the buffer is mapped".into())) } else { Ok(()) }
    }

    /// Checks that a range is within the buffer.
    ///
    /// # Errors
    /// [`Error::BufferRange`].
    pub(crate) fn check(&self, offset: u64, size: u64) -> Result<()> {
        match offset.checked_add(size) {
            Some(end) if end <= self.size => Ok(()),
            _ => Err(Error::BufferRange { offset, size, buffer: self.size }),
        }
    }
}

/// The bytes of the object of a buffer of `size` bytes. Modules may access bytes through words or vectors that contain them, so
/// buffers have whole units of 16 bytes.
///
/// # Errors
/// [`Error::Limit`].
pub(super) fn padded(device: &Device, size: u64) -> Result<u64> {
    let limit = device.info().limits.max_allocation;
    let padded = size.max(1).checked_next_multiple_of(16).filter(|padded| *padded <= limit);
    padded.ok_or(Error::Limit { what: "buffer size in bytes".into(), limit, requested: size })
}
