//! Unused buffers, kept for the next buffer of their size class.
//!
//! A driver takes some 0.4 ms to allocate, map and free 16 MiB of an H100's memory, and 1.1 ms for 64 MiB, while
//! programs that compute with arrays make a buffer for each result and drop it. With kept buffers such a program
//! allocates nothing in its steady state. That holds for small buffers too: the allocator releases a block of memory as
//! soon as nothing is in it, so that a program would allocate one of 16 MiB or more for each small buffer that does not
//! fit into the blocks before (1.3 ms).
//!
//! Kept buffers take at most a share of the memory heap. A buffer that has not been used for a while is released when
//! the next buffer is dropped, and all of them when an allocation fails. A process that drops no more buffers keeps the
//! last ones.

use ash::vk;
use gpu_allocator::vulkan::Allocation;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The share of the largest heap of device memory that may be kept.
const SHARE_OF_HEAP: u64 = 8;
/// How long a buffer is kept at least, if there is room, and after which the next one that is dropped releases it.
const LONGEST: Duration = Duration::from_secs(5);
/// Dedicated allocations that are kept at most: their number is limited on some drivers.
pub(super) const MOST_DEDICATED: usize = 64;
/// Buffers in shared blocks that are kept at most.
pub(super) const MOST_SHARED: usize = 256;
/// The largest buffers that are rounded up to their size class. Larger ones are kept for others of exactly their size.
const LARGEST_CLASS: u64 = 256 << 20;

/// A buffer object with its memory.
pub(super) struct KeptBuffer {
    pub raw: vk::Buffer,
    /// Bytes of the object.
    pub size: u64,
    pub address: Option<u64>,
    pub allocation: Allocation,
}

/// The buffers that are kept, the oldest first.
pub(super) struct KeptBuffers {
    buffers: Mutex<Vec<(Instant, KeptBuffer)>>,
    /// Bytes that may be kept.
    most: u64,
    /// Buffers that may be kept.
    most_buffers: usize,
}

impl KeptBuffers {
    /// None yet, and later so many, of a device with these heaps.
    pub fn new(types: &vk::PhysicalDeviceMemoryProperties, most_buffers: usize) -> KeptBuffers {
        let local = |heap: &&vk::MemoryHeap| heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL);
        let largest = types.memory_heaps_as_slice().iter().filter(local).map(|heap| heap.size).max().unwrap_or(0);
        KeptBuffers { buffers: Mutex::default(), most: largest / SHARE_OF_HEAP, most_buffers }
    }

    /// Takes a buffer of that size, if there is one: the one that was used last, which caches may still know.
    pub fn take(&self, size: u64) -> Option<KeptBuffer> {
        let mut buffers = self.lock();
        let index = buffers.iter().rposition(|(_, buffer)| buffer.size == size)?;
        Some(buffers.remove(index).1)
    }

    /// Keeps a buffer that nothing uses any more; returns those that are to be destroyed now.
    pub fn keep(&self, buffer: KeptBuffer) -> Vec<KeptBuffer> {
        if buffer.size > self.most {
            return vec![buffer];
        }
        let mut buffers = self.lock();
        let now = Instant::now();
        buffers.push((now, buffer));
        let mut bytes: u64 = buffers.iter().map(|(_, buffer)| buffer.size).sum();
        let mut count = 0;
        for (since, buffer) in buffers.iter() {
            let too_much = bytes > self.most || buffers.len() - count > self.most_buffers;
            if !too_much && now.duration_since(*since) <= LONGEST {
                break;
            }
            bytes -= buffer.size;
            count += 1;
        }
        buffers.drain(..count).map(|(_, buffer)| buffer).collect()
    }

    /// Takes all.
    pub fn take_all(&self) -> Vec<KeptBuffer> {
        std::mem::take(&mut *self.lock()).into_iter().map(|(_, buffer)| buffer).collect()
    }

    /// Bytes that are kept.
    pub fn bytes(&self) -> u64 {
        self.lock().iter().map(|(_, buffer)| buffer.allocation.size()).sum()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Instant, KeptBuffer)>> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The size of the buffers that serve for one of that many bytes: a multiple of 16, and one of the eight from each power of two to
/// the next.
pub(super) fn size_class(size: u64) -> u64 {
    if size > LARGEST_CLASS {
        return size;
    }
    let step = (size.max(1).next_power_of_two() / 16).max(16);
    size.next_multiple_of(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(size: u64) -> KeptBuffer {
        KeptBuffer { raw: vk::Buffer::null(), size, address: None, allocation: Allocation::default() }
    }

    fn of_heap(bytes: u64) -> KeptBuffers {
        let mut types = vk::PhysicalDeviceMemoryProperties { memory_heap_count: 1, ..Default::default() };
        types.memory_heaps[0] = vk::MemoryHeap { size: bytes, flags: vk::MemoryHeapFlags::DEVICE_LOCAL };
        KeptBuffers::new(&types, 64)
    }

    #[test]
    fn a_buffer_serves_its_size_alone() {
        let buffers = of_heap(8 << 30);
        assert!(buffers.keep(kept(16 << 20)).is_empty());
        assert!(buffers.take(8 << 20).is_none());
        assert_eq!(buffers.take(16 << 20).map(|buffer| buffer.size), Some(16 << 20));
        assert!(buffers.take(16 << 20).is_none());
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let buffers = of_heap(800);
        let sizes = |destroyed: Vec<KeptBuffer>| destroyed.iter().map(|buffer| buffer.size).collect::<Vec<_>>();
        assert_eq!(sizes(buffers.keep(kept(101))), [101]);
        assert!(buffers.keep(kept(60)).is_empty());
        assert!(buffers.keep(kept(40)).is_empty());
        assert_eq!(sizes(buffers.keep(kept(70))), [60, 40]);
        assert_eq!(sizes(buffers.take_all()), [70]);
        let many = of_heap(u64::MAX);
        let destroyed: usize = (0..64 + 3).map(|_| many.keep(kept(1)).len()).sum();
        assert_eq!(destroyed, 3);
    }

    #[test]
    fn classes_are_an_eighth_apart_at_most() {
        for size in [256, 1000, 4096 + 16, 8 << 20, (8 << 20) + 16, (9 << 20) + 256, 255 << 20] {
            let class = size_class(size);
            assert!(class >= size && class <= size + size / 8 + 1, "{size}: {class}");
            assert_eq!(size_class(class), class);
        }
        assert_eq!(size_class((300 << 20) + 16), (300 << 20) + 16);
        assert_eq!([1, 16, 17, 100].map(size_class), [16, 16, 32, 112]);
    }
}
