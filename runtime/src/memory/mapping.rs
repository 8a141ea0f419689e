//! Buffers in the hands of the host.

use super::Buffer;
use crate::{Error, Result};
use std::ops::{Deref, DerefMut};

/// The bytes of a buffer: see [`Buffer::map`].
pub struct Mapping {
    buffer: Buffer,
    bytes: Bytes,
}

enum Bytes {
    /// The buffer's own memory.
    Own(*mut u8),
    /// A copy, and whether it was handed out for writing.
    Copy(Vec<u8>, bool),
    /// Given back.
    Gone,
}

// SAFETY: a mapping has its bytes to itself (see `RawBuffer::begin_mapping`), like the `Vec<u8>` that it could be.
unsafe impl Send for Mapping {}
// SAFETY: as above; shared access only reads.
unsafe impl Sync for Mapping {}

impl Mapping {
    pub(super) fn new(buffer: &Buffer) -> Result<Mapping> {
        let copy = match buffer.direct() {
            Some(_) => None,
            None => Some(buffer.to_vec()?),
        };
        buffer.device.finish()?;
        let _host = buffer.device.host_access();
        if !buffer.raw.begin_mapping() {
            return Err(Error::Transfer("the buffer is mapped".into()));
        }
        let bytes = match (copy, buffer.direct()) {
            (Some(copy), _) => Bytes::Copy(copy, false),
            (None, Some(memory)) => Bytes::Own(memory),
            (None, None) => Bytes::Gone,
        };
        Ok(Mapping { buffer: buffer.clone(), bytes })
    }

    /// Whether the bytes are the buffer's own, not a copy.
    pub fn is_direct(&self) -> bool {
        matches!(self.bytes, Bytes::Own(_))
    }

    /// Gives the buffer back to the device. Dropping does the same, but cannot tell of errors.
    ///
    /// # Errors
    /// As for [`Buffer::write`].
    pub fn unmap(mut self) -> Result<()> {
        self.give_back()
    }

    fn give_back(&mut self) -> Result<()> {
        match std::mem::replace(&mut self.bytes, Bytes::Gone) {
            Bytes::Gone => return Ok(()),
            Bytes::Own(_) | Bytes::Copy(_, false) => self.buffer.raw.end_mapping(),
            Bytes::Copy(bytes, true) => {
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
            // SAFETY: the memory has that many bytes, initialised or not as the device left them; nobody else uses
            // them while the mapping lives.
            Bytes::Own(memory) => unsafe { std::slice::from_raw_parts(*memory, self.buffer.size as usize) },
            Bytes::Copy(bytes, _) => bytes,
            Bytes::Gone => &[],
        }
    }
}

impl DerefMut for Mapping {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.bytes {
            // SAFETY: as for `deref`.
            Bytes::Own(memory) => unsafe { std::slice::from_raw_parts_mut(*memory, self.buffer.size as usize) },
            Bytes::Copy(bytes, written) => {
                *written = true;
                bytes
            }
            Bytes::Gone => &mut [],
        }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        let _ = self.give_back();
    }
}
