//! Memory of the client program that commands read or write later than the call that names it.
#![allow(unsafe_code)]

use crate::error::{Error, Result};
use crate::region;
use clforge_runtime::{self as runtime, HostMemory};
use opencl_sys::CL_INVALID_VALUE;
use std::borrow::Cow;

/// Alignment in bytes of memory that is mapped in place: what a processor's widest vectors need.
const ALIGNMENT: usize = 64;

/// Bytes of the client's, which it leaves in place until the command that uses them is complete: the specification's rule for
/// every pointer that is passed to a `clEnqueue…` function, and for `CL_MEM_USE_HOST_PTR`.
#[derive(Clone, Debug)]
pub struct ClientMemory {
    address: usize,
    size: usize,
}

impl ClientMemory {
    /// `size` bytes from `pointer` on.
    ///
    /// # Safety
    /// The bytes may be read, and written by commands that write them, until everything that holds this value or a part of it
    /// has ended; nothing else writes them meanwhile, as the API specification demands of its callers.
    pub unsafe fn new(pointer: *const u8, size: usize) -> ClientMemory {
        ClientMemory { address: pointer.expose_provenance(), size }
    }

    /// Memory of the driver's that the client uses as its own while it is mapped. Its owner keeps it until no command and no
    /// mapped region uses it.
    pub fn of(memory: &mut HostMemory) -> ClientMemory {
        ClientMemory { address: memory.as_mut_ptr().expose_provenance(), size: memory.len() }
    }

    /// The memory of a buffer that the host uses in place, if it is aligned for vectors of doubles. Its owner keeps the buffer
    /// until no command and no mapped region uses it.
    pub fn in_place(buffer: &runtime::Buffer) -> Option<ClientMemory> {
        let address =
            buffer.host_address().filter(|address| buffer.is_host_cached() && address.is_multiple_of(ALIGNMENT))?;
        Some(ClientMemory { address, size: usize::try_from(buffer.size()).ok()? })
    }

    /// Address of the first byte.
    pub fn address(&self) -> usize {
        self.address
    }

    /// Number of bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// A part of these bytes.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if it is not within them.
    pub fn part(&self, offset: usize, size: usize) -> Result<ClientMemory> {
        match offset.checked_add(size) {
            Some(end) if end <= self.size => Ok(ClientMemory { address: self.address + offset, size }),
            _ => Err(Error::new(CL_INVALID_VALUE, "a range outside of the host's memory")),
        }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        if self.size == 0 {
            return &[];
        }
        // SAFETY: `new` demands that they can be read as long as this value is used.
        unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(self.address), self.size) }
    }

    /// The bytes, to be overwritten.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        if self.size == 0 {
            return &mut [];
        }
        // SAFETY: `new` demands that commands may write them, and that nothing else does.
        unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(self.address), self.size) }
    }

    /// The bytes of a region without gaps: see [`region::gather`].
    pub fn rows(&self, strides: [usize; 2], size: [usize; 3]) -> Cow<'_, [u8]> {
        region::gather(self.bytes(), strides, size)
    }

    /// The bytes of a region, to be overwritten in place, where its rows have no gaps.
    pub fn dense_mut(&mut self, strides: [usize; 2], size: [usize; 3]) -> Option<&mut [u8]> {
        if !region::is_dense(strides, size) {
            return None;
        }
        self.bytes_mut().get_mut(..size.iter().product())
    }

    /// The opposite of [`ClientMemory::rows`].
    pub fn set_rows(&mut self, strides: [usize; 2], size: [usize; 3], bytes: &[u8]) {
        region::scatter(self.bytes_mut(), strides, size, bytes);
    }
}
