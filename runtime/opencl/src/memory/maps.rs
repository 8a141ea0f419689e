//! Regions of memory objects that are mapped for the host: any number of them, which may overlap. Each object has one copy of
//! its contents in the host's memory, where all regions are, made when the first is mapped; what is written there goes to the
//! device when a region is unmapped. With `CL_MEM_USE_HOST_PTR` the copy is the client's own memory.

use crate::client::ClientMemory;
use crate::error::{Error, Result};
use clforge_runtime::HostMemory;
use opencl_sys::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A mapped region.
#[derive(Clone, Debug)]
pub struct MappedRegion {
    /// Where the host sees it.
    pub host: ClientMemory,
    /// First byte in the object; for an image first texel, row and slice.
    pub origin: [usize; 3],
    /// Size in bytes; for an image in texels, rows and slices.
    pub region: [usize; 3],
    /// Distances in bytes between rows, and between slices, of an image.
    pub pitches: [usize; 2],
    /// `CL_MAP_READ` and so on.
    pub flags: cl_map_flags,
}

impl MappedRegion {
    /// Whether the device's contents are to be seen there.
    pub fn is_read(&self) -> bool {
        self.flags & CL_MAP_WRITE_INVALIDATE_REGION == 0
    }

    /// Whether the host may have written it.
    pub fn is_written(&self) -> bool {
        self.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) != 0
    }
}

/// The mapped regions of an object.
#[derive(Default)]
pub struct Maps {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    copy: Option<HostMemory>,
    regions: Vec<MappedRegion>,
}

impl Maps {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The copy in the host's memory, of `size` bytes. It stays until the object is destroyed.
    ///
    /// # Errors
    /// `CL_MAP_FAILURE` without so much memory.
    pub fn copy(&self, size: usize) -> Result<ClientMemory> {
        let mut inner = self.lock();
        if inner.copy.is_none() {
            let memory = HostMemory::zeroed(size);
            inner.copy = Some(memory.map_err(|error| Error::from(error).with_code(CL_MAP_FAILURE))?);
        }
        let memory = inner.copy.as_mut().ok_or_else(|| Error::internal("a mapped object has no copy"))?;
        Ok(ClientMemory::of(memory))
    }

    /// Remembers a region.
    pub fn add(&self, region: MappedRegion) {
        self.lock().regions.push(region);
    }

    /// Forgets the region that begins at an address.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if none does.
    pub fn remove(&self, address: usize) -> Result<MappedRegion> {
        let regions = &mut self.lock().regions;
        let at = regions.iter().position(|region| region.host.address() == address);
        let at = at.ok_or_else(|| Error::value("no region of this object is mapped there"))?;
        Ok(regions.remove(at))
    }

    /// How many regions are mapped (`CL_MEM_MAP_COUNT`).
    pub fn count(&self) -> u32 {
        self.lock().regions.len() as u32
    }
}
