//! Memory of the client program that commands read or write later than the call that names it.
#![allow(unsafe_code)]

use crate::error::{Error, Result};
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

    /// The bytes of a region without gaps, from rows and slices with these strides in bytes. `region` counts bytes, rows and
    /// slices, and begins at the first byte.
    pub fn rows(&self, strides: [usize; 2], region: [usize; 3]) -> Cow<'_, [u8]> {
        let (bytes, width) = (self.bytes(), region[0]);
        let whole = width * region[1] * region[2];
        if is_dense(strides, region, width) {
            return Cow::Borrowed(bytes.get(..whole).unwrap_or(bytes));
        }
        let mut dense = Vec::with_capacity(whole);
        for row in starts(strides, region).filter_map(|start| bytes.get(start..start + width)) {
            dense.extend_from_slice(row);
        }
        Cow::Owned(dense)
    }

    /// The bytes of a region, to be overwritten in place, where its rows have no gaps; see [`ClientMemory::rows`].
    pub fn dense_mut(&mut self, strides: [usize; 2], region: [usize; 3]) -> Option<&mut [u8]> {
        let width = region[0];
        if !is_dense(strides, region, width) {
            return None;
        }
        self.bytes_mut().get_mut(..width * region[1] * region[2])
    }

    /// The opposite of [`ClientMemory::rows`].
    pub fn set_rows(&mut self, strides: [usize; 2], region: [usize; 3], bytes: &[u8]) {
        let width = region[0];
        for (start, row) in starts(strides, region).zip(bytes.chunks_exact(width.max(1))) {
            if let Some(place) = self.bytes_mut().get_mut(start..start + width) {
                place.copy_from_slice(row);
            }
        }
    }
}

/// Whether the rows of a region, of so many bytes, follow each other without gaps.
fn is_dense([row, slice]: [usize; 2], region: [usize; 3], width: usize) -> bool {
    (region[1] == 1 || row == width) && (region[2] == 1 || slice == width * region[1])
}

/// The first bytes of the rows of a region.
fn starts([row, slice]: [usize; 2], region: [usize; 3]) -> impl Iterator<Item = usize> {
    (0..region[2]).flat_map(move |z| (0..region[1]).map(move |y| z * slice + y * row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_and_without_gaps() {
        let bytes: Vec<u8> = (0..48).collect();
        // SAFETY: the bytes live longer than the value, which only reads them.
        let memory = unsafe { ClientMemory::new(bytes.as_ptr(), bytes.len()) };
        assert_eq!(*memory.rows([6, 12], [6, 2, 4]), bytes[..48]);
        // Two texels of two bytes, of rows of 8 and slices of 24 bytes.
        assert_eq!(*memory.rows([8, 24], [4, 2, 2]), [0, 1, 2, 3, 8, 9, 10, 11, 24, 25, 26, 27, 32, 33, 34, 35]);
        // Strides of what there is one of do not matter.
        assert_eq!(*memory.rows([1, 1], [8, 1, 1]), bytes[..8]);
    }
}
