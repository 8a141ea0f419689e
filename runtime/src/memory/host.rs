//! Memory of the host that a device can use in place.

use crate::error::{Error, Result};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Alignment of the memory and of its size. It suffices for every device: the Vulkan specification limits
/// `minImportedHostPointerAlignment` to 65536.
pub(super) const ALIGNMENT: usize = 65536;

/// Bytes of the host, aligned so that a device can use them without a copy: see [`crate::Buffer::from_host`]. It
/// dereferences to a slice.
pub struct HostMemory {
    pointer: NonNull<u8>,
    layout: Layout,
    size: usize,
}

// SAFETY: the memory belongs to this value alone, as that of a `Vec<u8>` does.
unsafe impl Send for HostMemory {}
// SAFETY: as above; shared access only reads.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    /// `size` zero bytes.
    ///
    /// # Errors
    /// [`Error::Allocation`] when the host has not as much memory.
    pub fn zeroed(size: usize) -> Result<HostMemory> {
        let none = || Error::Allocation { bytes: size as u64, reason: "the host has no such memory".into() };
        let whole = size.max(1).checked_next_multiple_of(ALIGNMENT).ok_or_else(none)?;
        let layout = Layout::from_size_align(whole, ALIGNMENT).map_err(|_| none())?;
        // SAFETY: the layout's size is not zero.
        let pointer = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(none)?;
        Ok(HostMemory { pointer, layout, size })
    }

    /// A copy of these bytes.
    ///
    /// # Errors
    /// As for [`HostMemory::zeroed`].
    pub fn from_bytes(bytes: &[u8]) -> Result<HostMemory> {
        let mut memory = HostMemory::zeroed(bytes.len())?;
        memory.copy_from_slice(bytes);
        Ok(memory)
    }

    /// The first byte.
    pub(super) fn pointer(&self) -> *mut u8 {
        self.pointer.as_ptr()
    }

    /// Size of the allocation, a multiple of [`ALIGNMENT`].
    pub(super) fn whole(&self) -> u64 {
        self.layout.size() as u64
    }
}

impl Deref for HostMemory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the allocation has at least so many bytes, initialised with zeros.
        unsafe { std::slice::from_raw_parts(self.pointer.as_ptr(), self.size) }
    }
}

impl DerefMut for HostMemory {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `deref`; the value is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.pointer.as_ptr(), self.size) }
    }
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout, freed once.
        unsafe { dealloc(self.pointer.as_ptr(), self.layout) };
    }
}
