//! Huge pages for the memory of devices that are the host's processor.
//!
//! Kernels and copies of large buffers spend much of their time on the page tables where pages have 4 KiB. Linux gives pages of
//! 2 MiB to memory that asks for them, unless the system forbids it (`/sys/kernel/mm/transparent_hugepage/enabled`). Memory that
//! a driver has in files, as lavapipe since 24.1, takes part where `shmem_enabled` says so.

use gpu_allocator::vulkan::Allocation;

/// The size of a huge page of x86-64, and of the usual ones of other processors.
const HUGE_PAGE: usize = 2 << 20;

/// Asks for huge pages in the whole ones that an allocation spans. It is advice: nothing depends on what the system makes of it.
pub(super) fn advise(allocation: &Allocation) {
    let Some(start) = allocation.mapped_ptr() else { return };
    let (start, size) = (start.as_ptr().addr(), crate::narrow::to_usize(allocation.size()));
    let first = start.next_multiple_of(HUGE_PAGE);
    let end = start.saturating_add(size) / HUGE_PAGE * HUGE_PAGE;
    if first < end {
        advise_range(first, end - first);
    }
}

#[cfg(target_os = "linux")]
fn advise_range(start: usize, size: usize) {
    // SAFETY: the range is whole pages of an allocation that is mapped. The advice changes no contents.
    unsafe { libc::madvise(std::ptr::without_provenance_mut(start), size, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_range(_: usize, _: usize) {}
