//! Regions of memory objects that are mapped for the host: any number of them, which may overlap. Each object has one
//! copy of its contents in the host's memory, which is made when the first region is mapped and contains all regions.
//! What the client writes there is copied to the device when a region is unmapped. With `CL_MEM_USE_HOST_PTR` the copy
//! is the client's own memory. Buffers of devices that use the host's memory, processors among them, have no copy: what is
//! mapped is their own memory.
//!
//! A buffer that is mapped a second time, or was created with `CL_MEM_ALLOC_HOST_PTR`, has its copy in memory that the
//! device reaches, where it can: the device then copies what is mapped to its place, instead of to a staging buffer.
//! Making that memory accessible costs as much as several mappings. Programs also pass pointers into it to commands that
//! read and write other buffers ("pinned memory"): the device then copies from or to there ([`reached_at`]).

use crate::client::ClientMemory;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::handle::Object;
use crate::number;
use clforge_runtime::{self as runtime, HostMemory};
use opencl_sys::*;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// The bytes of a buffer that the host may write at present: those of regions of it, of its parts and of images over it, from the
/// call that maps them until what was written there has left the host's copy.
#[derive(Clone, Debug, Default)]
pub struct Occupancy(Arc<Mutex<Vec<Range<usize>>>>);

/// A range is occupied as long as this value is there.
#[derive(Debug)]
pub struct Occupied {
    all: Occupancy,
    range: Range<usize>,
}

impl Occupancy {
    fn lock(&self) -> MutexGuard<'_, Vec<Range<usize>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Occupies `size` bytes.
    pub fn occupy(&self, offset: usize, size: usize) -> Arc<Occupied> {
        let range = offset..offset.saturating_add(size);
        self.lock().push(range.clone());
        Arc::new(Occupied { all: self.clone(), range })
    }

    /// Copies bytes from `start` on to the host's copy of them, but for those that are occupied. Nobody occupies more meanwhile.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` where the host's copy has fewer bytes.
    pub fn fill_gaps(&self, start: usize, host: &ClientMemory, bytes: &[u8]) -> Result<()> {
        let mut ranges = self.lock();
        ranges.sort_by_key(|range| range.start);
        let (mut at, end) = (start, start + bytes.len());
        let behind = end..end;
        for range in ranges.iter().chain([&behind]) {
            let until = range.start.min(end);
            if at < until {
                host.part(at - start, until - at)?.bytes_mut().copy_from_slice(&bytes[at - start..until - start]);
            }
            at = at.max(range.end);
        }
        Ok(())
    }
}

impl Drop for Occupied {
    fn drop(&mut self) {
        let mut ranges = self.all.lock();
        if let Some(at) = ranges.iter().position(|range| *range == self.range) {
            ranges.swap_remove(at);
        }
    }
}

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
    /// Its bytes, of an object whose bytes others map too.
    pub _occupied: Arc<Occupied>,
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
    occupancy: Occupancy,
}

#[derive(Default)]
struct Inner {
    copy: Option<Copy>,
    /// How often the copy was asked for by commands that map.
    uses: u32,
    regions: Vec<MappedRegion>,
}

/// The contents of an object in the host's memory.
enum Copy {
    Host(HostMemory),
    /// Memory that a device reaches, too.
    Reached(Registered),
}

/// Memory of the host that a device reaches as a buffer; the device's handle.
#[derive(Clone)]
struct Reached {
    buffer: runtime::Buffer,
    device: usize,
    host: ClientMemory,
}

/// The copies that devices reach, of all objects.
static REACHED: RwLock<Vec<Reached>> = RwLock::new(Vec::new());

/// The buffer by which a device reaches memory of the client's, and the place of its first byte there, if the memory is in a copy
/// of an object's contents.
pub fn reached_at(device: &Object<Device>, memory: &ClientMemory) -> Option<(runtime::Buffer, usize)> {
    if memory.size() < LEAST_REACHED {
        return None;
    }
    let all = REACHED.read().unwrap_or_else(PoisonError::into_inner);
    let (first, end) = (memory.address(), memory.address().checked_add(memory.size())?);
    let contains = |copy: &&Reached| {
        let host = &copy.host;
        copy.device == device.handle() && host.address() <= first && end <= host.address() + host.size()
    };
    all.iter().find(contains).map(|copy| (copy.buffer.clone(), first - copy.host.address()))
}

/// One of [`REACHED`], as long as this value is there.
struct Registered(Reached);

impl Registered {
    fn new(copy: Reached) -> Registered {
        REACHED.write().unwrap_or_else(PoisonError::into_inner).push(copy.clone());
        Registered(copy)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let mut all = REACHED.write().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| other.host.address() != self.0.host.address());
    }
}

/// The smallest and the largest copies that a device is to reach: to move less is quick without, and more should not be locked
/// in memory.
const LEAST_REACHED: usize = 256 << 10;
const MOST_REACHED: usize = 256 << 20;

/// Lets a device reach a copy, if it has memory of its own and can.
fn reach(mut memory: HostMemory, device: &Object<Device>) -> Copy {
    if !(LEAST_REACHED..=MOST_REACHED).contains(&memory.len()) {
        return Copy::Host(memory);
    }
    let Ok(opened) = device.open() else { return Copy::Host(memory) };
    if opened.info().kind != runtime::DeviceKind::DiscreteGpu {
        return Copy::Host(memory);
    }
    // The memory stays where it is: regions of it may be in use.
    let host = ClientMemory::of(&mut memory);
    match runtime::Buffer::in_place(&opened, memory) {
        Ok(buffer) => Copy::Reached(Registered::new(Reached { buffer, device: device.handle(), host })),
        Err(memory) => Copy::Host(memory),
    }
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
            inner.copy = Some(Copy::Host(memory.map_err(|error| Error::from(error).with_code(CL_MAP_FAILURE))?));
        }
        match inner.copy.as_mut().ok_or_else(|| Error::internal("a mapped object has no copy"))? {
            Copy::Host(memory) => Ok(ClientMemory::of(memory)),
            Copy::Reached(copy) => Ok(copy.0.host.clone()),
        }
    }

    /// The copy as a buffer of a device, if that reaches it; for a command that maps a region or ends a mapping. `is_pinned`: the
    /// client asked for memory that the device reaches.
    pub fn on(&self, device: &Object<Device>, is_pinned: bool) -> Option<runtime::Buffer> {
        let mut inner = self.lock();
        inner.uses = inner.uses.saturating_add(1);
        // After the first mapping, and its end.
        if inner.uses > 2 || is_pinned {
            inner.copy = match inner.copy.take() {
                Some(Copy::Host(memory)) => Some(reach(memory, device)),
                other => other,
            };
        }
        match &inner.copy {
            Some(Copy::Reached(copy)) if copy.0.device == device.handle() => Some(copy.0.buffer.clone()),
            _ => None,
        }
    }

    /// What the host may write.
    pub fn occupancy(&self) -> &Occupancy {
        &self.occupancy
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
        number::count(self.lock().regions.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_between_occupied_bytes() {
        let (all, mut host) = (Occupancy::default(), HostMemory::zeroed(8).unwrap());
        let memory = ClientMemory::of(&mut host);
        let kept = [all.occupy(12, 2), all.occupy(9, 1), all.occupy(0, 3), all.occupy(13, 1)];
        let fill = |bytes: [u8; 8]| all.fill_gaps(8, &memory, &bytes).map(|()| memory.bytes().to_vec()).unwrap();
        assert_eq!(fill([1, 2, 3, 4, 5, 6, 7, 8]), [1, 0, 3, 4, 0, 0, 7, 8]);
        drop(kept);
        assert_eq!(fill([9; 8]), [9; 8]);
        let _all = all.occupy(0, usize::MAX);
        assert_eq!(fill([1; 8]), [9; 8]);
    }
}
