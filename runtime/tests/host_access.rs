//! The host's access to buffers in place, while other threads keep the device at work.

mod common;

use clforge_runtime::{Arg, Buffer, Launch, Program, Queue};
use common::device;
use std::sync::atomic::{AtomicBool, Ordering};

const COUNT: u64 = 1 << 16;

/// Each launch sets all elements to one number: no read sees parts of two launches, and no write is mixed with one.
#[test]
fn reads_and_writes_are_never_in_the_middle_of_a_launch() {
    for always_stage in [false, true] {
        let device = device(always_stage);
        let source = "kernel void set(global uint *a, uint value) { a[get_global_id(0)] = value; }";
        let kernel = Program::from_source(&device.0, source, &Default::default()).unwrap().kernel("set").unwrap();
        let buffer = Buffer::zeroed(&device.0, COUNT * 4).unwrap();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for value in 1.. {
                    if done.load(Ordering::Relaxed) {
                        break;
                    }
                    let queue = device.0.queue();
                    queue
                        .launch(&kernel, &Launch::new(&[COUNT]), &[Arg::Buffer(&buffer), Arg::pod(&(value % 1000))])
                        .unwrap();
                    queue.flush().unwrap();
                }
            });
            for round in 0..20u32 {
                let seen = buffer.to_vec_of::<u32>().unwrap();
                assert!(seen.iter().all(|value| *value == seen[0]), "the read has parts of several launches");
                let own = 1_000_000 + round;
                buffer.write(0, &own.to_le_bytes().repeat(COUNT as usize)).unwrap();
                let seen = buffer.to_vec_of::<u32>().unwrap();
                assert!(seen.iter().all(|value| *value == seen[0]), "the write is mixed with a launch");
            }
            done.store(true, Ordering::Relaxed);
        });
    }
}

/// While a buffer is mapped no launch uses it, whatever other threads have begun before.
#[test]
fn a_mapping_is_not_changed_by_launches_that_began_before() {
    let device = device(false);
    let source = "kernel void set(global uint *a, uint value) { a[get_global_id(0)] = value; }";
    let kernel = Program::from_source(&device.0, source, &Default::default()).unwrap().kernel("set").unwrap();
    let buffer = Buffer::zeroed(&device.0, COUNT * 4).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let queue = Queue::new(&device.0).unwrap();
            for value in 0..u32::MAX {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                // Fails while the buffer is mapped.
                let launched = queue.launch(&kernel, &Launch::new(&[COUNT]), &[Arg::Buffer(&buffer), Arg::pod(&value)]);
                if let Ok(event) = launched {
                    event.wait().unwrap();
                }
                std::thread::yield_now();
            }
        });
        for _ in 0..30 {
            let mapping = buffer.map().unwrap();
            if mapping.is_direct() {
                let before = mapping.to_vec();
                assert!(before.chunks_exact(4).all(|value| *value == before[..4]), "a launch is under way");
                std::thread::yield_now();
                assert_eq!(*mapping, before[..], "a launch has changed the mapped bytes");
            }
            mapping.unmap().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
}
