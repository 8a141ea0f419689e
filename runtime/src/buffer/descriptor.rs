//! Buffers that others reach by file descriptors.

use super::object::{Buffer, padded};
use crate::device::Device;
use crate::error::Result;
use crate::memory::{MemoryHandle, RawBuffer};
use std::os::fd::OwnedFd;
use std::sync::Arc;

impl Buffer {
    /// A buffer of `size` bytes with undefined contents that other processes, devices or interfaces can share: see
    /// [`Buffer::export`]. Unix only.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] where the device does not export such handles, and those of [`Buffer::new`].
    pub fn shareable(device: &Device, size: u64, handle: MemoryHandle) -> Result<Buffer> {
        let padded = padded(device, size)?;
        let raw = RawBuffer::shareable(&device.shared.memory, padded, handle)?;
        Ok(Buffer { raw: Arc::new(raw), device: device.clone(), offset: 0, size })
    }

    /// A new file descriptor of the memory of a buffer from [`Buffer::shareable`], which has the size of the buffer, rounded up
    /// to a multiple of 16 bytes. The memory lives as long as the buffer, the descriptor, or whoever has imported it. Unix only.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] for another buffer, [`crate::Error::Vulkan`].
    pub fn export(&self) -> Result<OwnedFd> {
        self.raw.export(&self.device.shared.memory)
    }

    /// A buffer of `size` bytes in memory that another process, device or interface has exported. Whoever uses the memory
    /// elsewhere must have finished, or be ordered by semaphores. Unix only.
    ///
    /// # Errors
    /// [`crate::Error::Unsupported`] where the device does not import such handles, [`crate::Error::Vulkan`] where the driver refuses this one,
    /// and those of [`Buffer::new`].
    ///
    /// # Safety
    /// The descriptor is such a handle of the memory of a buffer with so many bytes; an opaque one is of the same driver and
    /// device, and of an allocation that is as large as this device's for a buffer of that size.
    pub unsafe fn from_descriptor(
        device: &Device,
        size: u64,
        handle: MemoryHandle,
        descriptor: OwnedFd,
    ) -> Result<Buffer> {
        let padded = padded(device, size)?;
        // SAFETY: the caller's promise.
        let raw = unsafe { RawBuffer::from_descriptor(&device.shared.memory, padded, handle, descriptor) }?;
        Ok(Buffer { raw: Arc::new(raw), device: device.clone(), offset: 0, size })
    }
}
