//! Memory of the client program that commands read or write later than the call that names it.
#![allow(unsafe_code)]

use crate::error::{Error, Result};
use clforge_runtime::HostMemory;
use opencl_sys::CL_INVALID_VALUE;

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

    /// The bytes of a region without gaps, from rows and slices with these strides in bytes. `region` counts texels, rows and
    /// slices, and begins at the first byte.
    pub fn rows(&self, strides: [usize; 2], region: [usize; 3], texel: usize) -> Vec<u8> {
        let width = region[0] * texel;
        let rows = starts(strides, region).filter_map(|start| self.bytes().get(start..start + width));
        rows.flatten().copied().collect()
    }

    /// The opposite of [`ClientMemory::rows`].
    pub fn set_rows(&mut self, strides: [usize; 2], region: [usize; 3], texel: usize, bytes: &[u8]) {
        let width = region[0] * texel;
        for (start, row) in starts(strides, region).zip(bytes.chunks_exact(width.max(1))) {
            if let Some(place) = self.bytes_mut().get_mut(start..start + width) {
                place.copy_from_slice(row);
            }
        }
    }
}

/// The first bytes of the rows of a region.
fn starts([row, slice]: [usize; 2], region: [usize; 3]) -> impl Iterator<Item = usize> {
    (0..region[2]).flat_map(move |z| (0..region[1]).map(move |y| z * slice + y * row))
}
