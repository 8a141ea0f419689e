//! Shared virtual memory (section 5.6) and unified shared memory (`cl_intel_unified_shared_memory`): memory that the host
//! and kernels access at the same addresses.
//!
//! If the host sees a device's memory at the addresses of kernels, as with drivers that run on the processor, nothing
//! else is needed. Otherwise host memory is allocated at the same addresses, if they are free. It is updated when a
//! region is mapped, and copied to the device when the region is unmapped. Allocations of unified memory on such devices
//! are the device's alone: there the host's pages keep other allocations away from the addresses.
#![allow(unsafe_code)]

use crate::client::ClientMemory;
use crate::error::{Error, Result, ensure};
use crate::number;
use clforge_runtime as runtime;
use opencl_sys::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of the pages that an allocation has for itself where the host has memory of its own; a multiple of every system's.
const PAGE: usize = 1 << 16;
/// How often another range is tried where the host uses the first one.
const TRIES: usize = 4;

/// An allocation of `clSVMAlloc`.
pub struct SharedMemory {
    /// The bytes on the device.
    buffer: runtime::Buffer,
    /// Its address, for host and device.
    address: usize,
    size: usize,
    /// The host's own memory, where it is not the device's.
    host: Option<HostPages>,
    /// For unified shared memory.
    unified: Option<Unified>,
    /// Whether it was allocated to be used without maps.
    is_fine: bool,
    /// For memory of `clSVMAllocWithPropertiesKHR`.
    svm: SvmProperties,
    /// Mapped regions, by their first byte.
    mapped: Mutex<Vec<(usize, MappedRange)>>,
}

/// What the functions of unified shared memory were called with.
#[derive(Clone, Copy, Debug)]
pub struct Unified {
    /// `CL_MEM_TYPE_HOST_INTEL` and so on.
    pub kind: cl_unified_shared_memory_type_intel,
    /// The handle of the device, if one was named.
    pub device: usize,
    /// `CL_MEM_ALLOC_FLAGS_INTEL`.
    pub flags: cl_mem_alloc_flags_intel,
}

/// What `clSVMAllocWithPropertiesKHR` was called with (`cl_khr_unified_svm`).
#[derive(Clone, Debug, Default)]
pub struct SvmProperties {
    /// As they were given, with the zero at their end; empty where none were.
    pub list: Vec<cl_svm_alloc_properties_khr>,
    /// `CL_SVM_ALLOC_ACCESS_FLAGS_KHR`.
    pub access: cl_svm_alloc_access_flags_khr,
    /// The handle of the associated device, if one was named.
    pub device: usize,
}

/// A type of shared virtual memory (`cl_khr_unified_svm`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SvmType {
    /// `clDeviceMemAllocINTEL`.
    Device,
    /// `clHostMemAllocINTEL`.
    Host,
    /// `clSharedMemAllocINTEL`.
    Shared,
    /// `clSVMAlloc`.
    CoarseGrain,
    /// `clSVMAlloc` with `CL_MEM_SVM_FINE_GRAIN_BUFFER`.
    FineGrain,
    /// All memory of the host.
    System,
}

impl SvmType {
    /// All, in the order of their indices.
    pub const ALL: [SvmType; 6] =
        [SvmType::Device, SvmType::Host, SvmType::Shared, SvmType::CoarseGrain, SvmType::FineGrain, SvmType::System];
}

/// A part of an allocation, from a byte on.
#[derive(Clone)]
pub struct SharedRange {
    /// The allocation.
    pub memory: Arc<SharedMemory>,
    /// The first byte in it.
    pub offset: usize,
    /// Number of bytes.
    pub size: usize,
}

/// What is remembered of a mapped region.
#[derive(Clone, Copy, Debug)]
pub struct MappedRange {
    /// Number of bytes.
    pub size: usize,
    /// Whether the host may have written it.
    pub is_written: bool,
}

impl SharedMemory {
    /// Memory on a device, aligned for every type.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` where the host cannot have the same addresses, `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
    pub fn new(device: &runtime::Device, size: usize, alignment: usize) -> Result<SharedMemory> {
        // Buffers that were tried are kept, so that the next one is elsewhere.
        let mut tried = Vec::new();
        while tried.len() < TRIES {
            let whole = runtime::Buffer::new(device, (size + alignment) as u64)?;
            let Some(first) = whole.device_address().map(number::size) else { break };
            if whole.host_address() == Some(first) {
                return SharedMemory::within(&whole, first.next_multiple_of(alignment), size, None);
            }
            let whole = runtime::Buffer::new(device, size.next_multiple_of(PAGE) as u64 + PAGE as u64)?;
            let Some(first) = whole.device_address().map(number::size) else { break };
            let first = first.next_multiple_of(PAGE);
            if let Some(pages) = HostPages::at(first, size.next_multiple_of(PAGE)) {
                return SharedMemory::within(&whole, first, size, Some(pages));
            }
            tried.push(whole);
        }
        Err(Error::lacking("shared virtual memory"))
    }

    /// Memory that is the host's and the device's at once.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` where there is none.
    pub fn in_place(device: &runtime::Device, size: usize, alignment: usize) -> Result<SharedMemory> {
        // Buffers that were tried are kept, so that the next one is elsewhere.
        let mut tried = Vec::new();
        while tried.len() < TRIES
            && let Some(whole) = runtime::Buffer::at_device_address(device, (size + alignment) as u64)
        {
            match whole.device_address().map(number::size) {
                Some(first) if whole.host_address() == Some(first) => {
                    return SharedMemory::within(&whole, first.next_multiple_of(alignment), size, None);
                }
                _ => tried.push(whole),
            }
        }
        let memory = SharedMemory::new(device, size, alignment)?;
        if memory.is_in_place() {
            return Ok(memory);
        }
        Err(Error::lacking("memory that the host and the device share"))
    }

    fn within(whole: &runtime::Buffer, address: usize, size: usize, host: Option<HostPages>) -> Result<SharedMemory> {
        let first = whole.device_address().unwrap_or_default();
        let buffer = whole.slice(address as u64 - first, size as u64)?;
        let (svm, mapped) = (SvmProperties::default(), Mutex::default());
        Ok(SharedMemory { buffer, address, size, host, unified: None, is_fine: false, svm, mapped })
    }

    /// The same memory as unified shared memory.
    pub fn with_unified(self, unified: Unified) -> SharedMemory {
        SharedMemory { unified: Some(unified), ..self }
    }

    /// The same memory, allocated to be used without maps.
    pub fn fine_grained(self) -> SharedMemory {
        SharedMemory { is_fine: true, ..self }
    }

    /// The same memory as `clSVMAllocWithPropertiesKHR` was asked for.
    pub fn with_svm(self, svm: SvmProperties) -> SharedMemory {
        SharedMemory { svm, ..self }
    }

    /// What `clSVMAllocWithPropertiesKHR` was asked for; nothing of memory of other functions.
    pub fn svm(&self) -> &SvmProperties {
        &self.svm
    }

    /// Its type, by whichever function it was allocated.
    pub fn svm_type(&self) -> SvmType {
        match self.unified.map(|unified| unified.kind) {
            Some(CL_MEM_TYPE_DEVICE_INTEL) => SvmType::Device,
            Some(CL_MEM_TYPE_HOST_INTEL) => SvmType::Host,
            Some(_) => SvmType::Shared,
            None if self.is_fine => SvmType::FineGrain,
            None => SvmType::CoarseGrain,
        }
    }

    /// What is known of it as unified shared memory; none for memory of `clSVMAlloc`.
    pub fn unified(&self) -> Option<Unified> {
        self.unified
    }

    /// Size in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Its address.
    pub fn address(&self) -> usize {
        self.address
    }

    /// The addresses of its first byte and behind its last byte.
    pub fn range(&self) -> (u64, u64) {
        let first = self.address as u64;
        (first, first.saturating_add(self.size as u64))
    }

    /// Whether host and device have the same bytes, not copies.
    pub fn is_in_place(&self) -> bool {
        self.host.is_none()
    }

    fn mapped(&self) -> MutexGuard<'_, Vec<(usize, MappedRange)>> {
        self.mapped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedRange {
    /// The bytes on the device.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if they are not within the allocation.
    pub fn buffer(&self) -> Result<runtime::Buffer> {
        Ok(self.memory.buffer.slice(self.offset as u64, self.size as u64)?)
    }

    /// All bytes of the allocation on the device, and the first one of the range in them.
    pub fn place(&self) -> (&runtime::Buffer, u64) {
        (&self.memory.buffer, self.offset as u64)
    }

    /// The bytes as the host sees them.
    pub fn host(&self) -> ClientMemory {
        let first = std::ptr::with_exposed_provenance(self.memory.address + self.offset);
        // SAFETY: the host has memory at these addresses as long as the allocation exists, which commands keep alive; that
        // nothing else uses it meanwhile is the specification's rule for mapped regions and for commands.
        unsafe { ClientMemory::new(first, self.size) }
    }

    /// Remembers that the range is mapped.
    pub fn map(&self, is_written: bool) {
        self.memory.mapped().push((self.offset, MappedRange { size: self.size, is_written }));
    }

    /// Forgets the region that begins with the range, if one is mapped there.
    pub fn unmap(&self) -> Option<MappedRange> {
        let mut mapped = self.memory.mapped();
        let at = mapped.iter().position(|(first, _)| *first == self.offset)?;
        Some(mapped.remove(at).1)
    }
}

/// The allocations of a context.
#[derive(Default)]
pub struct Allocations(Mutex<BTreeMap<usize, Arc<SharedMemory>>>);

impl Allocations {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, Arc<SharedMemory>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds one, and returns its address.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE` where one of another device has the same addresses.
    pub fn add(&self, memory: SharedMemory) -> Result<usize> {
        let address = memory.address();
        let mut allocations = self.lock();
        let before = allocations.range(..address + memory.size).next_back();
        let is_free = before.is_none_or(|(first, before)| first + before.size <= address);
        ensure(is_free, CL_MEM_OBJECT_ALLOCATION_FAILURE, "another device's memory has the same addresses")?;
        allocations.insert(address, Arc::new(memory));
        Ok(address)
    }

    /// Forgets the one at an address; commands that use it keep it alive.
    pub fn remove(&self, address: usize) {
        let freed = self.lock().remove(&address);
        // Without the lock.
        drop(freed);
    }

    /// The allocations of one kind of unified shared memory.
    pub fn of_kind(&self, kind: cl_unified_shared_memory_type_intel) -> Vec<Arc<SharedMemory>> {
        let is_of_kind = |memory: &&Arc<SharedMemory>| memory.unified.is_some_and(|unified| unified.kind == kind);
        self.lock().values().filter(is_of_kind).cloned().collect()
    }

    /// The allocation that has the byte at an address, from there to its end.
    pub fn find(&self, address: usize) -> Option<SharedRange> {
        let allocations = self.lock();
        let (first, memory) = allocations.range(..=address).next_back()?;
        let offset = address - first;
        (offset < memory.size).then(|| SharedRange { memory: memory.clone(), offset, size: memory.size - offset })
    }

    /// `size` bytes of an allocation; `None` if the address is not in one.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if the allocation ends before them.
    pub fn range(&self, address: usize, size: usize) -> Result<Option<SharedRange>> {
        let Some(found) = self.find(address) else { return Ok(None) };
        ensure(size <= found.size, CL_INVALID_VALUE, "a range that reaches out of the shared memory")?;
        Ok(Some(SharedRange { size, ..found }))
    }
}

/// Pages of the host at a given address.
struct HostPages {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    address: usize,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    size: usize,
}

#[cfg(target_os = "linux")]
impl HostPages {
    /// Zeroed pages, if the host does not use these addresses.
    fn at(address: usize, size: usize) -> Option<HostPages> {
        let wanted = std::ptr::with_exposed_provenance_mut(address);
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
        // SAFETY: no mapping is replaced: where there is one, and where kernels before 4.17 choose another place, it fails or
        // returns another address.
        let found = unsafe { libc::mmap(wanted, size, access, flags, -1, 0) };
        if found == libc::MAP_FAILED {
            return None;
        }
        let pages = HostPages { address: found.expose_provenance(), size };
        (pages.address == address).then_some(pages)
    }
}

#[cfg(target_os = "linux")]
impl Drop for HostPages {
    fn drop(&mut self) {
        // SAFETY: mapped by `at` with this size, unmapped once; ranges of the allocation keep it alive.
        unsafe { libc::munmap(std::ptr::with_exposed_provenance_mut(self.address), self.size) };
    }
}

#[cfg(not(target_os = "linux"))]
impl HostPages {
    /// Other systems have no such mapping.
    fn at(_: usize, _: usize) -> Option<HostPages> {
        None
    }
}
