//! Device memory: buffers, and how the host gets at it.

mod host;
mod import;
mod mapping;
mod raw;
mod texture;

pub use host::HostMemory;
pub use mapping::Mapping;
pub(crate) use raw::{MemoryPool, RawBuffer};
pub(crate) use texture::{LAYOUT, RawImage, TexelView};

use crate::{Device, Error, Result};
use gpu_allocator::MemoryLocation;
use std::sync::Arc;

/// Bytes that are read from uncached memory rather than copied by the device.
const FEW: usize = 4096;

/// A buffer on a device, or a part of one. Cloning is cheap; all clones are the same memory.
///
/// Its own functions wait for all work of the device. Those of a [`crate::Queue`] do the same in the queue's order.
#[derive(Clone)]
pub struct Buffer {
    pub(crate) raw: Arc<RawBuffer>,
    device: Device,
    /// Where it begins in `raw`.
    pub(crate) offset: u64,
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
        Ok(Buffer { raw: Arc::new(raw), device: device.clone(), offset: 0, size })
    }

    /// A buffer of `size` zero bytes.
    ///
    /// # Errors
    /// As for [`Buffer::new`].
    pub fn zeroed(device: &Device, size: u64) -> Result<Buffer> {
        let buffer = Buffer::new(device, size)?;
        // All of it, so that what lies behind the size is the same everywhere.
        let whole = Buffer { size: buffer.raw.size, ..buffer.clone() };
        whole.fill(0)?;
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

    /// A buffer with these values.
    ///
    /// # Errors
    /// As for [`Buffer::new`].
    pub fn from_slice<T: bytemuck::NoUninit>(device: &Device, values: &[T]) -> Result<Buffer> {
        Buffer::from_bytes(device, bytemuck::cast_slice(values))
    }

    /// A buffer whose bytes are the host's own, without a copy where the device can use them in place
    /// (VK_EXT_external_memory_host), else a copy in the device's memory. The buffer keeps the memory;
    /// [`Buffer::map`] gives the host access to it again.
    ///
    /// # Errors
    /// As for [`Buffer::new`].
    pub fn from_host(device: &Device, memory: HostMemory) -> Result<Buffer> {
        let size = memory.len() as u64;
        let limit = device.info().limits.max_allocation;
        if size > limit {
            return Err(Error::Limit { what: "buffer size in bytes".into(), limit, requested: size });
        }
        if device.shared.raw.instance.options.always_stage {
            return Buffer::from_bytes(device, &memory);
        }
        match RawBuffer::import(&device.shared.memory, memory)? {
            Ok(raw) => Ok(Buffer { raw: Arc::new(raw), device: device.clone(), offset: 0, size }),
            Err(memory) => Buffer::from_bytes(device, &memory),
        }
    }

    /// Whether kernels use the host's own memory: see [`Buffer::from_host`].
    pub fn is_host_memory(&self) -> bool {
        self.raw.is_host_memory()
    }

    /// `size` bytes of the buffer from `offset` on, as a buffer that shares its memory.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`].
    pub fn slice(&self, offset: u64, size: u64) -> Result<Buffer> {
        self.check(offset, size)?;
        Ok(Buffer { offset: self.offset + offset, size, ..self.clone() })
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The address kernels see, or `None` where the device lacks `bufferDeviceAddress`.
    pub fn device_address(&self) -> Option<u64> {
        Some(self.raw.address?.wrapping_add(self.offset))
    }

    /// Overwrites bytes from `offset` on.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`], [`Error::Transfer`] while the buffer is mapped, [`Error::Memory`], [`Error::OutOfMemory`],
    /// [`Error::DeviceLost`].
    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.check(offset, bytes.len() as u64)?;
        self.device.finish()?;
        match self.direct() {
            Some(memory) => {
                let _host = self.device.host_access();
                self.check_unmapped()?;
                // SAFETY: the range was checked; the device is idle, and the lock keeps other threads away from it.
                unsafe { memory.add(offset as usize).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
                Ok(())
            }
            None => self.device.queue().write(self, offset, bytes)?.wait(),
        }
    }

    /// Reads bytes from `offset` on.
    ///
    /// # Errors
    /// As for [`Buffer::write`].
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.check(offset, bytes.len() as u64)?;
        self.device.finish()?;
        if self.reads_directly(bytes.len()) {
            return self.read_mapped(offset, bytes);
        }
        self.device.queue().read(self, offset, bytes)
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

    /// The whole contents as values; a rest that is no whole value is left out.
    ///
    /// # Errors
    /// As for [`Buffer::read`].
    pub fn to_vec_of<T: bytemuck::NoUninit + bytemuck::AnyBitPattern>(&self) -> Result<Vec<T>> {
        let size = size_of::<T>().max(1) as u64;
        let mut values = vec![T::zeroed(); (self.size / size) as usize];
        self.read(0, bytemuck::cast_slice_mut(&mut values))?;
        Ok(values)
    }

    /// Sets every byte to `value`.
    ///
    /// # Errors
    /// As for [`Buffer::write`].
    pub fn fill(&self, value: u8) -> Result<()> {
        self.device.finish()?;
        self.device.queue().fill(self, 0, self.size, &[value])?.wait()
    }

    /// Lets the host use the buffer's memory in place, where the device's memory is the host's or is visible to it;
    /// elsewhere a copy is made, and copied back by [`Mapping::unmap`]. Waits for all work of the device.
    ///
    /// While it is mapped the buffer cannot be used otherwise.
    ///
    /// # Errors
    /// [`Error::Transfer`] when it is mapped already, and those of [`Buffer::read`].
    pub fn map(&self) -> Result<Mapping> {
        Mapping::new(self)
    }

    /// Whether this is memory of `device`.
    pub(crate) fn is_on(&self, device: &Device) -> bool {
        Arc::ptr_eq(&self.device.shared, &device.shared)
    }

    /// The first byte of the buffer for the host, where it can be used without copies.
    fn direct(&self) -> Option<*mut u8> {
        if self.device.shared.raw.instance.options.always_stage {
            return None;
        }
        // SAFETY: the buffer's offset is within its memory.
        Some(unsafe { self.raw.mapped()?.add(self.offset as usize) })
    }

    /// Whether a read of so many bytes needs no copy by the device.
    pub(crate) fn reads_directly(&self, bytes: usize) -> bool {
        self.direct().is_some() && (self.raw.cached() || bytes <= FEW)
    }

    /// Reads without the device, which has done what is to be seen.
    pub(crate) fn read_mapped(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.check(offset, bytes.len() as u64)?;
        let memory = self.direct().ok_or_else(|| Error::Internal("a buffer is not mapped".into()))?;
        let _host = self.device.host_access();
        self.check_unmapped()?;
        // SAFETY: the range was checked; the lock keeps other threads of the host away from it.
        unsafe { memory.add(offset as usize).copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    /// That no [`Mapping`] of the memory exists.
    pub(crate) fn check_unmapped(&self) -> Result<()> {
        if self.raw.is_mapped() { Err(Error::Transfer("the buffer is mapped".into())) } else { Ok(()) }
    }

    pub(crate) fn check(&self, offset: u64, size: u64) -> Result<()> {
        match offset.checked_add(size) {
            Some(end) if end <= self.size => Ok(()),
            _ => Err(Error::OutOfBounds { offset, size, buffer: self.size }),
        }
    }
}
