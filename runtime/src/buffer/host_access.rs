//! Reads and writes of buffers by the host, which wait for the device.

use super::object::Buffer;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::memory::{HostMemory, RawBuffer};
use crate::narrow::to_usize;
use crate::vulkan::only_compiles;
use std::sync::Arc;

impl Buffer {
    /// A buffer of `size` zero bytes.
    ///
    /// # Errors
    /// As for [`Buffer::new`] and [`Buffer::write`].
    pub fn zeroed(device: &Device, size: u64) -> Result<Buffer> {
        let buffer = Buffer::new(device, size)?;
        if only_compiles() {
            return Ok(buffer);
        }
        // The padding too, so that it has the same contents on every device.
        let whole = Buffer { size: buffer.raw.size, ..buffer.clone() };
        whole.fill(0)?;
        Ok(buffer)
    }

    /// A buffer with the contents `bytes`.
    ///
    /// # Errors
    /// As for [`Buffer::new`] and [`Buffer::write`].
    pub fn from_bytes(device: &Device, bytes: &[u8]) -> Result<Buffer> {
        let buffer = Buffer::new(device, bytes.len() as u64)?;
        buffer.initialize(bytes)?;
        Ok(buffer)
    }

    /// A buffer with these values.
    ///
    /// # Errors
    /// As for [`Buffer::new`] and [`Buffer::write`].
    pub fn from_slice<T: bytemuck::NoUninit>(device: &Device, values: &[T]) -> Result<Buffer> {
        Buffer::from_bytes(device, bytemuck::cast_slice(values))
    }

    /// A buffer over memory of the host, without a copy if the device can use it in place (VK_EXT_external_memory_host),
    /// otherwise with a copy in the device's memory. The buffer owns the memory; [`Buffer::map`] gives the host access to it.
    ///
    /// # Errors
    /// As for [`Buffer::new`] and [`Buffer::write`].
    pub fn from_host(device: &Device, memory: HostMemory) -> Result<Buffer> {
        let size = memory.len() as u64;
        let limit = device.info().limits.max_allocation;
        if size > limit {
            return Err(Error::Limit { what: "buffer size in bytes".into(), limit, requested: size });
        }
        Buffer::in_place(device, memory).or_else(|memory| Buffer::from_bytes(device, &memory))
    }

    /// As [`Buffer::from_host`], but gives the memory back where the device cannot use it in place. It stays at its address.
    ///
    /// # Errors
    /// The memory.
    pub fn in_place(device: &Device, memory: HostMemory) -> std::result::Result<Buffer, HostMemory> {
        let size = memory.len() as u64;
        if size > device.info().limits.max_allocation || device.shared.raw.instance.options.always_stage {
            return Err(memory);
        }
        let raw = RawBuffer::import(&device.shared.memory, memory)?;
        Ok(Buffer { raw: Arc::new(raw), device: device.clone(), offset: 0, size })
    }

    /// A buffer in the host's memory, which the host has at [`Buffer::device_address`]; `None` where the device cannot map memory
    /// at a given address (VK_EXT_map_memory_placed), or the host uses the address. Kernels reach it across the bus.
    pub fn at_device_address(device: &Device, size: u64) -> Option<Buffer> {
        if size > device.info().limits.max_allocation || device.shared.raw.instance.options.always_stage {
            return None;
        }
        let raw = RawBuffer::place(&device.shared.memory, size)?;
        Some(Buffer { raw: Arc::new(raw), device: device.clone(), offset: 0, size })
    }

    /// Overwrites the bytes from `offset` on.
    ///
    /// # Errors
    /// [`Error::BufferRange`], [`Error::Transfer`] while the buffer is mapped, [`Error::Allocation`], [`Error::OutOfMemory`],
    /// [`Error::DeviceLost`].
    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        if only_compiles() {
            return Ok(());
        }
        self.check(offset, bytes.len() as u64)?;
        if self.writes_directly(bytes.len())
            && let Some(access) = self.device.host_access()?
        {
            return self.write_mapped(offset, bytes, &access);
        }
        self.device.finish()?;
        self.device.queue().write(self, offset, bytes)?.wait()
    }

    /// Writes the first contents of a buffer that no command uses yet, from its first byte on. Unlike [`Buffer::write`] this does not
    /// wait for the device to be idle.
    ///
    /// # Errors
    /// As for [`Buffer::write`].
    pub fn initialize(&self, bytes: &[u8]) -> Result<()> {
        if only_compiles() {
            return Ok(());
        }
        self.check(0, bytes.len() as u64)?;
        if self.writes_directly(bytes.len()) {
            // Other threads of the host are kept away; the device has done with what the memory was used for before.
            return self.write_mapped(0, bytes, &self.device.shared.raw.exclude_recording());
        }
        self.device.queue().write(self, 0, bytes)?.wait()
    }

    /// Reads the bytes from `offset` on.
    ///
    /// # Errors
    /// As for [`Buffer::write`].
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.check(offset, bytes.len() as u64)?;
        if self.reads_directly(bytes.len())
            && let Some(access) = self.device.host_access()?
        {
            return self.read_mapped(offset, bytes, &access);
        }
        self.device.finish()?;
        self.device.queue().read(self, offset, bytes)
    }

    /// The whole contents.
    ///
    /// # Errors
    /// As for [`Buffer::read`].
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        let mut bytes = vec![0; to_usize(self.size)];
        self.read(0, &mut bytes)?;
        Ok(bytes)
    }

    /// The whole contents as values, without the bytes at the end that are no whole value.
    ///
    /// # Errors
    /// As for [`Buffer::read`].
    pub fn to_vec_of<T: bytemuck::NoUninit + bytemuck::AnyBitPattern>(&self) -> Result<Vec<T>> {
        let size = size_of::<T>().max(1) as u64;
        let mut values = vec![T::zeroed(); to_usize(self.size / size)];
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
}
