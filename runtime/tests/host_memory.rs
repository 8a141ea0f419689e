//! Buffers over the host's own memory, and over a copy of it where a device cannot use that.

mod common;

use clforge_runtime::{Arg, Buffer, Device, Error, HostMemory, Launch, Program, Queue};
use common::{bytes, device, values};

fn add(device: &Device) -> clforge_runtime::Kernel {
    let source = "kernel void add(global uint *a, uint by) { a[get_global_id(0)] += by; }";
    Program::from_source(device, source, &Default::default()).unwrap().kernel("add").unwrap()
}

/// Whether the memory is used in place, and what a kernel, the host, and a copy see of it.
fn check(device: &Device, in_place: bool) {
    let kernel = add(device);
    let numbers: Vec<u32> = (0..40_000).collect();
    let mut memory = HostMemory::zeroed(160_000).unwrap();
    memory.copy_from_slice(&bytes(&numbers));
    let buffer = Buffer::from_host(device, memory).unwrap();
    assert_eq!(buffer.is_host_memory(), in_place);
    assert_eq!(buffer.size(), 160_000);
    kernel.launch(&Launch::new(&[40_000]), &[Arg::Buffer(&buffer), Arg::pod(&7u32)]).unwrap();
    let mut mapping = buffer.map().unwrap();
    assert_eq!(mapping.is_direct(), in_place || !mapping_is_copied(device));
    assert_eq!(values::<u32>(&mapping), numbers.iter().map(|n| n + 7).collect::<Vec<_>>());
    mapping[..4].copy_from_slice(&100u32.to_le_bytes());
    mapping.unmap().unwrap();
    kernel.launch(&Launch::new(&[2]), &[Arg::Buffer(&buffer), Arg::pod(&1u32)]).unwrap();
    let other = Buffer::new(device, 12).unwrap();
    device.queue().copy(&buffer, 0, &other, 0, 12).unwrap().wait().unwrap();
    assert_eq!(other.to_vec_of::<u32>().unwrap(), [101, 9, 9]);
    buffer.write(4, &5u32.to_le_bytes()).unwrap();
    let part = buffer.slice(4, 8).unwrap();
    assert_eq!(part.to_vec_of::<u32>().unwrap(), [5, 9]);
}

/// Whether the device's ordinary buffers are out of the host's reach.
fn mapping_is_copied(device: &Device) -> bool {
    !Buffer::zeroed(device, 16).unwrap().map().unwrap().is_direct()
}

#[test]
fn the_hosts_memory_is_used_in_place_where_the_device_can() {
    let device = device(false);
    let can = device.0.info().has_feature("host memory import");
    check(&device.0, can);
}

#[test]
fn elsewhere_it_is_copied() {
    let device = device(true);
    check(&device.0, false);
}

#[test]
fn sizes_of_every_kind() {
    let device = device(false);
    for size in [0, 1, 15, 16, 17, 65_536, 65_537] {
        let contents: Vec<u8> = (0..size).map(|i| (i * 7) as u8).collect();
        let buffer = Buffer::from_host(&device.0, HostMemory::from_bytes(&contents).unwrap()).unwrap();
        assert_eq!(buffer.to_vec().unwrap(), contents, "{size} bytes");
    }
    assert!(matches!(HostMemory::zeroed(usize::MAX), Err(Error::Allocation { .. })));
}

/// The memory outlives the handle as long as work that was begun before uses it.
#[test]
fn memory_stays_until_the_work_is_done() {
    let device = device(false);
    let kernel = add(&device.0);
    let queue = Queue::new(&device.0).unwrap();
    let target = Buffer::zeroed(&device.0, 4000).unwrap();
    for round in 1..=10u32 {
        let memory = HostMemory::from_bytes(&bytes(&[round; 1000])).unwrap();
        let buffer = Buffer::from_host(&device.0, memory).unwrap();
        queue.launch(&kernel, &Launch::new(&[1000]), &[Arg::Buffer(&buffer), Arg::pod(&round)]).unwrap();
        queue.copy(&buffer, 0, &target, 0, 4000).unwrap();
    }
    queue.finish().unwrap();
    assert_eq!(target.to_vec_of::<u32>().unwrap(), [20; 1000]);
}
