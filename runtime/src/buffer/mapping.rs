//! Buffers mapped for the host.

use super::object::Buffer;
use crate::error::{Error, Result};
use crate::narrow::to_usize;
use std::ops::{Deref, DerefMut};

/// The bytes of a mapped buffer: see [`Buffer::map`]. It dereferences to a slice.
pub struct Mapping {
    buffer: Buffer,
    bytes: Bytes,
}

enum Bytes {
    /// The buffer's own memory.
    InPlace(*mut u8),
    /// A copy, and whether it was borrowed mutably.
    Copy { bytes: Vec<u8>, is_written: bool },
    /// None any more.
    Unmapped,
}

// SAFETY: nothing else uses the bytes of a mapping (see `RawBuffer::begin_mapping`), as with a `Vec<u8>`.
unsafe impl Send for Mapping {}
// SAFETY: as above; shared access only reads.
unsafe impl Sync for Mapping {}

impl Buffer {
    /// Gives the host access to the buffer's memory in place, if the host can see it and the device becomes idle; otherwise to a
    /// copy, which [`Mapping::unmap`] writes back. Waits for all work of the device.
    ///
    /// While it is mapped the buffer cannot be used otherwise.
    ///
    /// # Errors
    /// [`Error::Transfer`] when it is mapped already, and those of [`Buffer::read`].
    pub fn map(&self) -> Result<Mapping> {
        // A slice across a bus would be slow to read.
        if let Some(memory) = self.direct()
            && !self.raw.is_across_bus()
            && let Some(_access) = self.device.host_access()?
        {
            // While nothing is recorded that may use the buffer; what is recorded later finds it mapped.
            self.begin_mapping()?;
            return Ok(Mapping { buffer: self.clone(), bytes: Bytes::InPlace(memory) });
        }
        let bytes = self.to_vec()?;
        self.begin_mapping()?;
        Ok(Mapping { buffer: self.clone(), bytes: Bytes::Copy { bytes, is_written: false } })
    }

    fn begin_mapping(&self) -> Result<()> {
        if self.raw.begin_mapping() { Ok(()) } else { Err(Error::Transfer("the buffer is mapped".into())) }
    }
}

impl Mapping {
    /// Whether the bytes are the buffer's own, not a copy.
    pub fn is_direct(&self) -> bool {
        matches!(self.bytes, Bytes::InPlace(_))
    }

    /// Ends the mapping, so that the device can use the buffer again. Dropping does the same, but cannot report errors.
    ///
    /// # Errors
    /// As for [`Buffer::write`].
    pub fn unmap(mut self) -> Result<()> {
        self.end()
    }

    fn end(&mut self) -> Result<()> {
        match std::mem::replace(&mut self.bytes, Bytes::Unmapped) {
            Bytes::Unmapped => return Ok(()),
            Bytes::InPlace(_) | Bytes::Copy { is_written: false, .. } => self.buffer.raw.end_mapping(),
            Bytes::Copy { bytes, is_written: true } => {
                self.buffer.raw.end_mapping();
                self.buffer.write(0, &bytes)?;
            }
        }
        Ok(())
    }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.bytes {
            // SAFETY: the memory has that many bytes, with values that the device or the host has written or that the
            // driver has allocated; nothing else uses them while the mapping exists.
            Bytes::InPlace(memory) => unsafe { std::slice::from_raw_parts(*memory, to_usize(self.buffer.size)) },
            Bytes::Copy { bytes, .. } => bytes,
            Bytes::Unmapped => &[],
        }
    }
}

impl DerefMut for Mapping {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.bytes {
            // SAFETY: as for `deref`.
            Bytes::InPlace(memory) => unsafe { std::slice::from_raw_parts_mut(*memory, to_usize(self.buffer.size)) },
            Bytes::Copy { bytes, is_written } => {
                *is_written = true;
                bytes
            }
            Bytes::Unmapped => &mut [],
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        let _ = self.end();
    }
}
