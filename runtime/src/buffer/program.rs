//! Buffers that are shared with a program's own Vulkan commands.

use super::object::Buffer;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::memory::RawBuffer;
use ash::vk;
use std::any::Any;
use std::sync::Arc;

/// Buffers have whole units of so many bytes, since modules may access bytes through words or vectors that contain them.
const UNIT: u64 = 16;

impl Buffer {
    /// A buffer of a program as one that kernels use. `guard` is dropped when the runtime has stopped using it: something that
    /// keeps the buffer and its memory alive, or `()`.
    ///
    /// Work of the program and of the runtime on the buffer is ordered by [`crate::Queue::wait_for_semaphore`] and
    /// [`crate::Event::semaphore`]. Functions of this type, such as [`Buffer::read`], wait for the runtime's work alone.
    ///
    /// # Errors
    /// [`Error::Limit`] for a size that is not a positive multiple of 16. A program whose data is smaller uses
    /// [`Buffer::slice`] of a larger buffer.
    ///
    /// # Safety
    /// The buffer belongs to the device ([`Device::as_raw`]), has so many bytes, is bound to its memory, and lives until the
    /// guard is dropped. It was created with `STORAGE_BUFFER`, `TRANSFER_SRC`, `TRANSFER_DST` and, if it is to be an argument
    /// for `constant` memory or an image, `UNIFORM_BUFFER` or the texel buffers; where `bufferDeviceAddress` is enabled also
    /// with `SHADER_DEVICE_ADDRESS`, and its memory with `VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT`. It is shared with the family
    /// [`Device::queue_family`] or owned by it while kernels use it.
    pub unsafe fn from_raw(
        device: &Device,
        buffer: vk::Buffer,
        size: u64,
        guard: impl Any + Send + Sync,
    ) -> Result<Buffer> {
        if size == 0 || !size.is_multiple_of(UNIT) {
            let what = "size of a buffer in bytes, of which 16 must be a divisor".into();
            return Err(Error::Limit { what, limit: size / UNIT * UNIT, requested: size });
        }
        // SAFETY: the caller's promise.
        let raw = unsafe { RawBuffer::of_program(&device.shared.memory, buffer, size, Box::new(guard)) };
        Ok(Buffer { raw: Arc::new(raw), device: device.clone(), offset: 0, size })
    }

    /// The handle, and the offset in bytes at which this buffer begins in it. It can be used in every way that Vulkan 1.2 has for
    /// buffers without graphics, and must not be destroyed; it lives as long as a clone of this buffer. It belongs to the family
    /// [`Device::queue_family`].
    pub fn as_raw(&self) -> (vk::Buffer, u64) {
        (self.raw.raw, self.offset)
    }
}
