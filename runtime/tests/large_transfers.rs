//! Transfers through several staging buffers and threads.

mod common;

use clforge_runtime::{Arg, Buffer, Device, EventStatus, Kernel, Launch, Program, Queue, UserEvent};
use common::device;
use std::time::Duration;

/// Whole chunks, less than one, and a rest; more than all staging buffers together have.
const SIZES: [usize; 5] = [1 << 20, (1 << 20) + 1, (4 << 20) - 4, (9 << 20) + 4096 + 12, 40 << 20];

fn increment(device: &Device) -> Kernel {
    let source = "kernel void increment(global uchar *a) { a[get_global_id(0)] += 1; }";
    Program::from_source(device, source, &Default::default()).unwrap().kernel("increment").unwrap()
}

fn pattern(size: usize, seed: usize) -> Vec<u8> {
    (0..size).map(|i| (i * 31 + i / 4093 + seed) as u8).collect()
}

#[test]
fn every_byte_arrives_in_its_place_and_turn() {
    let device = device(true);
    let (queue, kernel) = (Queue::with_profiling(&device.0).unwrap(), increment(&device.0));
    for size in SIZES {
        let buffer = Buffer::zeroed(&device.0, size as u64 + 64).unwrap();
        let mut bytes = pattern(size, size);
        let written = queue.write(&buffer, 32, &bytes).unwrap();
        queue.launch(&kernel, &Launch::new(&[size as u64 + 64]), &[Arg::Buffer(&buffer)]).unwrap();
        let mut read = vec![0; size + 64];
        queue.read(&buffer, 0, &mut read).unwrap();
        bytes.iter_mut().for_each(|byte| *byte = byte.wrapping_add(1));
        assert!(read[32..size + 32] == bytes, "{size} bytes");
        assert!(read[..32].iter().chain(&read[size + 32..]).all(|byte| *byte == 1), "{size} bytes");
        let times = written.times().unwrap();
        if let (Some(started), Some(ended)) = (times.started, times.ended) {
            assert!(times.queued <= started && started <= ended);
        }
    }
}

/// No command of another thread comes between the parts of a write.
#[test]
fn writes_are_whole() {
    let device = device(true);
    let (queue, kernel) = (Queue::new(&device.0).unwrap(), increment(&device.0));
    let size = 3 << 20;
    let (buffer, copy) = (Buffer::zeroed(&device.0, size).unwrap(), Buffer::zeroed(&device.0, size).unwrap());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for value in 0..20u8 {
                queue.write(&buffer, 0, &vec![value; size as usize]).unwrap();
            }
        });
        for _ in 0..20 {
            queue.copy(&buffer, 0, &copy, 0, size).unwrap();
            queue.launch(&kernel, &Launch::new(&[1]), &[Arg::Buffer(&copy)]).unwrap();
            let bytes = queue.read_async(&copy, 0, size).unwrap().wait().unwrap();
            assert!(bytes[1..].iter().all(|byte| *byte == bytes[1]), "a copy has parts of two writes");
        }
    });
}

#[test]
fn a_write_does_not_wait_for_an_event_of_the_host() {
    let device = device(true);
    let queue = Queue::new(&device.0).unwrap();
    let buffer = Buffer::zeroed(&device.0, 20 << 20).unwrap();
    let event = UserEvent::new(&device.0);
    queue.wait_for_user(&event).unwrap();
    let bytes = pattern(20 << 20, 1);
    let written = queue.write(&buffer, 0, &bytes).unwrap();
    assert_ne!(written.status().unwrap(), EventStatus::Complete);
    event.complete().unwrap();
    written.wait().unwrap();
    assert!(buffer.to_vec().unwrap() == bytes);
}

/// The host writes by itself what nothing can see before; the event is complete like any other.
#[test]
fn small_writes_to_an_idle_device_are_complete_at_once() {
    let device = device(false);
    let (queue, other) = (Queue::with_profiling(&device.0).unwrap(), Queue::new(&device.0).unwrap());
    let (buffer, kernel) = (Buffer::zeroed(&device.0, 64).unwrap(), increment(&device.0));
    device.0.finish().unwrap();
    let written = queue.write(&buffer, 0, &[7; 64]).unwrap();
    other.wait_for(&written).unwrap();
    other.launch(&kernel, &Launch::new(&[64]), &[Arg::Buffer(&buffer)]).unwrap();
    written.wait_timeout(Duration::from_secs(60)).unwrap();
    assert_eq!(written.status().unwrap(), EventStatus::Complete);
    let times = written.times().unwrap();
    assert!(times.submitted.is_some_and(|submitted| times.queued <= submitted));
    // Behind a launch that has not been submitted the write takes its turn.
    other.write(&buffer, 0, &[9; 32]).unwrap();
    let mut read = [0; 64];
    other.read(&buffer, 0, &mut read).unwrap();
    assert_eq!((read[0], read[31], read[32], read[63]), (9, 9, 8, 8));
}

#[test]
fn polling_ends_in_sleep() {
    let device = device(false);
    assert_eq!(device.0.polling().is_zero(), device.0.info().kind == clforge_runtime::DeviceKind::Cpu);
    let source = "kernel void sum(global uint *a, uint n)
    {
        uint x = a[0];
        for (uint i = 0; i < n; i++) x = x * 3 + i;
        a[0] = x;
    }";
    let kernel = Program::from_source(&device.0, source, &Default::default()).unwrap().kernel("sum").unwrap();
    let buffer = Buffer::zeroed(&device.0, 4).unwrap();
    for polling in [Duration::ZERO, Duration::from_micros(1), Duration::from_secs(5)] {
        device.0.set_polling(polling);
        assert_eq!(device.0.polling(), polling);
        buffer.fill(0).unwrap();
        kernel.launch(&Launch::new(&[1]), &[Arg::Buffer(&buffer), Arg::pod(&20_000u32)]).unwrap();
        let expected = (0..20_000u32).fold(0u32, |x, i| x.wrapping_mul(3).wrapping_add(i));
        assert_eq!(buffer.to_vec_of::<u32>().unwrap(), [expected]);
    }
}
