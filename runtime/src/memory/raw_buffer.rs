//! Buffer objects with memory.

use super::host::HostMemory;
use super::kept::{KeptBuffer, size_class};
use super::placer::Placed;
use super::pool::{MemoryPool, buffer_usage};
use crate::error::Result;
use crate::vulkan::only_compiles;
use ash::vk;
use gpu_allocator::MemoryLocation;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes of memory behind each buffer that belong to nobody: a kernel that runs over the end of a buffer, and whose pointer is
/// not known to be of that buffer alone, is caught by its bounds checks before it comes to the next one.
const GUARD_GAP: u64 = 256;
/// The largest buffers with a gap. Larger ones may be as large as an allocation can be.
const MOST_GUARDED: u64 = 256 << 20;
/// The smallest buffers that have an allocation of their own. NVIDIA's driver (580.159) seems to map dedicated allocations by
/// larger pages than all others: random accesses within more than 8 MiB, which miss the TLB of an H200 otherwise, take half the
/// time.
const LEAST_DEDICATED: u64 = 8 << 20;
/// Buffers of so many bytes in the host's memory are allocations of their own, on devices behind a bus: the driver locks the pages
/// of all of an allocation, so that a block of 16 MiB takes an H100's driver 4 to 6 ms, which a program's first read would wait for.
const LEAST_PINNED: u64 = 1 << 20;
/// The largest buffer that is mapped for the host across a bus. Mappings take addresses of the bus and time, and what the host
/// reads or writes of larger buffers is seldom little.
const LARGEST_VISIBLE: u64 = 256 << 20;

/// The address of buffers on devices that only compile.
const NO_MEMORY: u64 = 1 << 16;

/// Where a buffer's bytes are.
pub(super) enum Backing {
    None,
    Pool(Allocation),
    /// The host's own memory, and the device's handle of it.
    Host {
        memory: vk::DeviceMemory,
        flags: vk::MemoryPropertyFlags,
        host: HostMemory,
    },
    /// Memory that the host has at the buffer's address.
    Placed {
        memory: vk::DeviceMemory,
        flags: vk::MemoryPropertyFlags,
        pointer: Placed,
    },
    /// Memory that others share; as which handles it is exported, if it can be.
    #[cfg(unix)]
    Shareable {
        memory: vk::DeviceMemory,
        handle: Option<super::sharer::MemoryHandle>,
    },
    /// A program's, which destroys the buffer when the guard has been dropped.
    Program(Box<dyn Any + Send + Sync>),
}

/// A buffer object and its memory.
pub(crate) struct RawBuffer {
    pub raw: vk::Buffer,
    /// Bytes, a multiple of 16.
    pub size: u64,
    /// Bytes of the object, if it is kept for others once it is dropped.
    kept_as: Option<u64>,
    pub address: Option<u64>,
    pub(super) backing: Backing,
    /// Whether the host uses it alone: see [`crate::Mapping`].
    mapped: AtomicBool,
    memory: Arc<MemoryPool>,
}

impl RawBuffer {
    /// Creates a buffer of `size` bytes, a positive multiple of 16, that can be used in every way.
    pub fn new(memory: &Arc<MemoryPool>, size: u64, location: MemoryLocation) -> Result<RawBuffer> {
        let gap = if size <= MOST_GUARDED { GUARD_GAP } else { 0 };
        if location != MemoryLocation::GpuOnly {
            return RawBuffer::create(memory, (size, size + gap), location);
        }
        let whole = size_class(size + gap);
        if let Some(KeptBuffer { raw, size: whole, address, allocation }) = memory.take_kept(whole) {
            let (backing, mapped) = (Backing::Pool(allocation), AtomicBool::new(false));
            let kept_as = Some(whole);
            return Ok(RawBuffer { raw, size, kept_as, address, backing, mapped, memory: memory.clone() });
        }
        match RawBuffer::create(memory, (size, whole), location) {
            // There may be room for the buffer, but not for its size class.
            Err(_) if whole != size + gap => RawBuffer::create(memory, (size, size + gap), location),
            Ok(mut made) => {
                made.kept_as = Some(whole);
                Ok(made)
            }
            made => made,
        }
    }

    /// Creates a buffer of which `size` of the `whole` bytes are used.
    fn create(memory: &Arc<MemoryPool>, (size, whole): (u64, u64), location: MemoryLocation) -> Result<RawBuffer> {
        let device = &memory.device;
        let mut buffer = RawBuffer::without_memory(memory, whole, None)?;
        buffer.size = size;
        if only_compiles() {
            buffer.address = Some(NO_MEMORY);
            return Ok(buffer);
        }
        let allocation = buffer.allocate(location)?;
        // SAFETY: memory and offset satisfy the buffer's requirements; the buffer is not bound yet.
        let bound = unsafe { device.bind_buffer_memory(buffer.raw, allocation.memory(), allocation.offset()) };
        buffer.backing = Backing::Pool(allocation);
        bound.map_err(device.error("vkBindBufferMemory"))?;
        buffer.find_address();
        Ok(buffer)
    }

    /// Memory for the buffer.
    fn allocate(&self, location: MemoryLocation) -> Result<Allocation> {
        if location != MemoryLocation::GpuOnly {
            let dedicated = location == MemoryLocation::GpuToCpu && self.size >= LEAST_PINNED && self.memory.across_bus;
            let managed = AllocationScheme::GpuAllocatorManaged;
            return self
                .allocate_as(location, if dedicated { AllocationScheme::DedicatedBuffer(self.raw) } else { managed });
        }
        // Drivers limit the number of allocations, so that it may fail.
        if self.size >= LEAST_DEDICATED
            && let Ok(allocation) = self.allocate_on_device(AllocationScheme::DedicatedBuffer(self.raw))
        {
            return Ok(allocation);
        }
        self.allocate_on_device(AllocationScheme::GpuAllocatorManaged)
    }

    /// The device's own memory: where the host sees it, if the host can see all of it.
    fn allocate_on_device(&self, scheme: AllocationScheme) -> Result<Allocation> {
        let is_shared = scheme == AllocationScheme::GpuAllocatorManaged;
        let may_map = self.size <= LARGEST_VISIBLE && (is_shared || self.memory.may_map(self.size));
        let visible = self.memory.across_bus && may_map;
        if visible && let Ok(allocation) = self.allocate_as(MemoryLocation::CpuToGpu, scheme) {
            // The allocator takes the host's memory where that type has none left.
            if allocation.memory_properties().contains(vk::MemoryPropertyFlags::DEVICE_LOCAL) {
                return Ok(allocation);
            }
            self.memory.free(allocation);
        }
        self.allocate_as(MemoryLocation::GpuOnly, scheme)
    }

    fn allocate_as(&self, location: MemoryLocation, allocation_scheme: AllocationScheme) -> Result<Allocation> {
        // SAFETY: the buffer is of this device.
        let requirements = unsafe { self.memory.device.get_buffer_memory_requirements(self.raw) };
        let (name, linear) = ("buffer", true);
        self.memory.allocate(&AllocationCreateDesc { name, requirements, location, linear, allocation_scheme })
    }

    /// A buffer that has no memory yet. It may be dropped like any other.
    pub(super) fn without_memory(
        memory: &Arc<MemoryPool>,
        size: u64,
        external: Option<&mut vk::ExternalMemoryBufferCreateInfo<'_>>,
    ) -> Result<RawBuffer> {
        let device = &memory.device;
        let usage = buffer_usage(memory.addresses);
        let mut info = vk::BufferCreateInfo::default().size(size).usage(usage).sharing_mode(vk::SharingMode::EXCLUSIVE);
        if let Some(external) = external {
            info = info.push_next(external);
        }
        // SAFETY: size is not zero; the address usage is only set where the feature is enabled.
        let raw = unsafe { device.create_buffer(&info, None) }.map_err(device.error("vkCreateBuffer"))?;
        let (backing, mapped) = (Backing::None, AtomicBool::new(false));
        Ok(RawBuffer { raw, size, kept_as: None, address: None, backing, mapped, memory: memory.clone() })
    }

    /// A buffer of a program, of `size` bytes.
    ///
    /// # Safety
    /// The buffer is of this device, has so many bytes and its memory, and lives until the guard is dropped. It was created for
    /// all uses of [`buffer_usage`], and its memory with the flag for addresses if the device has addresses.
    pub unsafe fn of_program(
        memory: &Arc<MemoryPool>,
        raw: vk::Buffer,
        size: u64,
        guard: Box<dyn Any + Send + Sync>,
    ) -> RawBuffer {
        let (backing, mapped) = (Backing::Program(guard), AtomicBool::new(false));
        let mut buffer = RawBuffer { raw, size, kept_as: None, address: None, backing, mapped, memory: memory.clone() };
        buffer.find_address();
        buffer
    }

    /// Queries the device address, if the device has addresses. The buffer must have its memory.
    pub(super) fn find_address(&mut self) {
        if self.memory.addresses {
            let info = vk::BufferDeviceAddressInfo::default().buffer(self.raw);
            // SAFETY: the buffer has the address usage and is bound.
            self.address = Some(unsafe { self.memory.device.get_buffer_device_address(&info) });
        }
    }

    /// Whether the memory is the host's own.
    pub fn is_host_memory(&self) -> bool {
        matches!(self.backing, Backing::Host { .. })
    }

    /// Reserves the memory for the host alone; `false` if it is reserved already.
    pub fn begin_mapping(&self) -> bool {
        !self.mapped.swap(true, Ordering::Acquire)
    }

    /// Ends the reservation.
    pub fn end_mapping(&self) {
        self.mapped.store(false, Ordering::Release);
    }

    /// Whether the memory is reserved for the host.
    pub fn is_mapped(&self) -> bool {
        self.mapped.load(Ordering::Acquire)
    }

    /// The memory as the host sees it, where it is visible and coherent. The caller ensures that nothing else uses the bytes
    /// that it accesses, and stays within `size` bytes.
    pub fn mapped(&self) -> Option<*mut u8> {
        match &self.backing {
            Backing::Pool(allocation) if self.has(vk::MemoryPropertyFlags::HOST_COHERENT) => {
                Some(allocation.mapped_ptr()?.as_ptr().cast())
            }
            Backing::Host { host, .. } => Some(host.pointer()),
            Backing::Placed { pointer, .. } => Some(pointer.0),
            _ => None,
        }
    }

    /// Whether the memory is a device's, which the host reaches across a bus: it writes little there faster than a copy by the
    /// device would begin, but reads slowly.
    pub fn is_across_bus(&self) -> bool {
        matches!(&self.backing, Backing::Pool(allocation) if self.memory.is_across_bus(allocation))
    }

    /// The device address, if no other buffer has the same memory at another one: not of memory that others share, which may be
    /// imported again, and of a program's.
    pub fn sole_address(&self) -> Option<u64> {
        let is_sole = match self.backing {
            #[cfg(unix)]
            Backing::Shareable { .. } => false,
            Backing::Program(_) => false,
            _ => true,
        };
        self.address.filter(|_| is_sole)
    }

    /// Whether the host reads the memory at full speed.
    pub fn cached(&self) -> bool {
        self.has(vk::MemoryPropertyFlags::HOST_CACHED)
    }

    fn has(&self, wanted: vk::MemoryPropertyFlags) -> bool {
        match &self.backing {
            Backing::None | Backing::Program(_) => false,
            #[cfg(unix)]
            Backing::Shareable { .. } => false,
            Backing::Pool(allocation) => allocation.memory_properties().contains(wanted),
            Backing::Host { flags, .. } | Backing::Placed { flags, .. } => flags.contains(wanted),
        }
    }
}

impl Drop for RawBuffer {
    fn drop(&mut self) {
        let (raw, memory, kept_as, address) = (self.raw, self.memory.clone(), self.kept_as, self.address);
        let backing = std::mem::replace(&mut self.backing, Backing::None);
        self.memory.device.discard(move |device| {
            let backing = match (backing, kept_as) {
                (Backing::Pool(allocation), Some(size)) => {
                    return memory.keep(KeptBuffer { raw, size, address, allocation });
                }
                (backing, _) => backing,
            };
            if let Backing::Program(guard) = backing {
                return drop(guard);
            }
            // SAFETY: created from this device, destroyed once, when nothing uses it.
            unsafe { device.destroy_buffer(raw, None) };
            match backing {
                Backing::None | Backing::Program(_) => {}
                Backing::Pool(allocation) => memory.free(allocation),
                Backing::Host { memory, host, .. } => {
                    // SAFETY: as above; the host's memory is freed after the device has released it.
                    unsafe { device.free_memory(memory, None) };
                    drop(host);
                }
                #[cfg(unix)]
                // SAFETY: as above.
                Backing::Shareable { memory, .. } => unsafe { device.free_memory(memory, None) },
                // SAFETY: as above; this ends the mapping.
                Backing::Placed { memory, .. } => unsafe { device.free_memory(memory, None) },
            }
        });
    }
}
