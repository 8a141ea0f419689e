//! The cost of launches on the host: no allocation after the first launch, and no leak.

mod common;

use clforge_runtime::{Arg, Buffer, Device, DeviceSelector, Instance, InstanceOptions, Launch, Program, Queue};
use common::values;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what the current thread does; tests run on threads of their own.
struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
    static LIVE: Cell<i64> = const { Cell::new(0) };
}

fn count(calls: u64, live: i64) {
    // A thread that ends frees memory when its counters are gone.
    let _ = CALLS.try_with(|cell| cell.set(cell.get() + calls));
    let _ = LIVE.try_with(|cell| cell.set(cell.get() + live));
}

// SAFETY: everything is passed on to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, 1);
        // SAFETY: as the caller guarantees.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, -1);
        // SAFETY: as the caller guarantees.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SOURCE: &str = "
kernel void add(global uint *a, uint by, local uint *l)
{
    size_t i = get_local_id(0);
    l[i] = by;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] += l[i ^ 1];
}
struct large { uint by; uint rest[63]; };
kernel void large(global uint *a, struct large s) { a[get_global_id(0)] += s.by + s.rest[62]; }
";

/// Without validation: its layer allocates as it likes.
fn open() -> (Device, Program) {
    let instance = Instance::new(InstanceOptions::default()).expect("these tests need a Vulkan loader");
    let device = instance.open(&DeviceSelector::Best).expect("these tests need a Vulkan device");
    let program = Program::from_source(&device, SOURCE, &Default::default()).expect("the program is good");
    (device, program)
}

#[test]
fn the_second_launch_allocates_nothing() {
    let (device, program) = open();
    let (add, large) = (program.kernel("add").unwrap(), program.kernel("large").unwrap());
    let buffer = Buffer::zeroed(&device, 4 * 100).unwrap();
    let structure = [1u32; 64];
    for queue in [Queue::new(&device).unwrap(), device.queue()] {
        let mut calls = [0; 4];
        for round in &mut calls {
            let before = CALLS.get();
            // Regions of two sizes, push constants, local memory.
            let args = [Arg::Buffer(&buffer), Arg::pod(&1u32), Arg::Local(64)];
            let first = queue.launch(&add, &Launch::new(&[100]).local(&[16]), &args).unwrap();
            // Descriptors, arguments in memory.
            let args = [Arg::Buffer(&buffer), Arg::pod(&structure)];
            let second = queue.launch(&large, &Launch::new(&[100]), &args).unwrap();
            queue.wait_for(&first).unwrap();
            second.wait().unwrap();
            first.wait().unwrap();
            program.kernel("add").unwrap();
            *round = CALLS.get() - before;
        }
        assert!(calls[0] > 0, "the counter does not count");
        assert_eq!(calls[1..], [0; 3]);
    }
    let before = CALLS.get();
    let args = [Arg::Buffer(&buffer), Arg::pod(&1u32), Arg::Local(64)];
    add.launch(&Launch::new(&[100]).local(&[16]), &args).unwrap();
    assert_eq!(CALLS.get() - before, 0, "a launch that waits");
    assert_eq!(values::<u32>(&buffer.to_vec().unwrap()), [8 + 8 * 2 + 1; 100]);
}

/// Lets the C library give large blocks back to the system as soon as they are freed, whatever was freed before: lavapipe's
/// thread takes a mebibyte now and then, and pieces of those left in an arena looked like a leak of ours.
fn give_large_blocks_back() {
    // SAFETY: the call takes numbers only, and may be made at any time.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10)
    };
}

/// Pages of this process in memory.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    text.split(' ').nth(1)?.parse().ok()
}

#[test]
fn many_launches_leave_nothing_behind() {
    // `cargo xtask test --full` asks for many more.
    give_large_blocks_back();
    let count: u32 = if std::env::var_os("CLFORGE_LONG_TESTS").is_some() { 100_000 } else { 2_000 };
    let (device, program) = open();
    let (add, large) = (program.kernel("add").unwrap(), program.kernel("large").unwrap());
    let queue = Queue::with_profiling(&device).unwrap();
    let buffer = Buffer::zeroed(&device, 4 * 64).unwrap();
    let structure = [1u32; 64];
    let mut at_start = None;
    for step in 0..count {
        let args = [Arg::Buffer(&buffer), Arg::pod(&step), Arg::Local(64)];
        queue.launch(&add, &Launch::new(&[64]).local(&[16]), &args).unwrap();
        queue.launch(&large, &Launch::new(&[64]), &[Arg::Buffer(&buffer), Arg::pod(&structure)]).unwrap();
        let temporary = Buffer::new(&device, 4096).unwrap();
        queue.copy(&buffer, 0, &temporary, 0, 64).unwrap();
        drop(temporary);
        if step % 500 == 499 {
            queue.finish().unwrap();
            let now = (LIVE.get(), device.memory_in_use(), resident().unwrap_or(0));
            let first = *at_start.get_or_insert(now);
            // The more the host is ahead of the device, the more batches a queue makes, up to nine.
            let most = (first.0 + 200, first.1 + (1 << 20), first.2 + 512);
            assert!(
                now.0 <= most.0 && now.1 <= most.1 && now.2 <= most.2,
                "{step} launches: host allocations, device bytes, pages: {first:?} became {now:?}"
            );
        }
    }
    let expected = (0..count).fold(0u32, |sum, step| sum.wrapping_add(step).wrapping_add(2));
    assert_eq!(values::<u32>(&buffer.to_vec().unwrap()), [expected; 64]);
}
