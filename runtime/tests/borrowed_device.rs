//! Devices, buffers and semaphores of a program that uses Vulkan by itself.

#[path = "../examples/vulkan_interop/engine.rs"]
mod engine;

use clforge_runtime::ash::vk;
use clforge_runtime::{Arg, Buffer, Device, Error, EventStatus, Kernel, Launch, Options, Program, Queue};
use engine::Engine;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The validation layer (1.3.239) does not lock its table of devices: see `common`.
fn alone() -> MutexGuard<'static, ()> {
    static DEVICES: Mutex<()> = Mutex::new(());
    DEVICES.lock().unwrap_or_else(PoisonError::into_inner)
}

const SOURCE: &str = "kernel void add(global uint *a, uint by) { a[get_global_id(0)] += by; }";

/// An engine with all features, its device as the runtime has it, and a queue.
fn lent() -> (Arc<Engine>, Device, Queue) {
    let engine = Engine::new(|_| true).unwrap();
    let device = engine.lend().unwrap();
    let queue = Queue::new(&device).unwrap();
    (engine, device, queue)
}

fn add(device: &Device) -> Kernel {
    Program::from_source(device, SOURCE, &Options::default()).unwrap().kernel("add").unwrap()
}

#[test]
fn a_device_without_optional_features_addresses_buffers_by_descriptors() {
    let _alone = alone();
    let engine = Engine::new(|name| name == "timelineSemaphore").unwrap();
    let device = engine.lend().unwrap();
    let feature = |name: &&str| device.info().has_feature(name);
    let optional = ["bufferDeviceAddress", "shaderInt64", "vulkanMemoryModel", "hostQueryReset"];
    assert_eq!(optional.iter().filter(|name| feature(name)).count(), 0);
    let words = engine.buffer(64).unwrap();
    // SAFETY: the guard keeps the buffer, and nothing else uses it.
    let shared = unsafe { Buffer::from_raw(&device, words.raw, 64, words.clone()) }.unwrap();
    assert_eq!(shared.device_address(), None);
    shared.write(0, &[7; 64]).unwrap();
    let part = shared.slice(16, 32).unwrap();
    add(&device).launch(&Launch::new(&[8]), &[Arg::Buffer(&part), Arg::pod(&1u32)]).unwrap();
    let (old, new) = (0x0707_0707u32, 0x0707_0708u32);
    let expected: Vec<u32> = [[old; 4].as_slice(), &[new; 8], &[old; 4]].concat();
    assert_eq!(shared.to_vec_of::<u32>().unwrap(), expected);
    drop((part, shared, device));
    assert_eq!(Arc::strong_count(&words), 1);
    assert_eq!(engine.messages(), Vec::<String>::new());
}

#[test]
fn the_guards_are_dropped_after_the_last_use() {
    let _alone = alone();
    let (engine, device, queue) = lent();
    let kernel = add(&device);
    let words = engine.buffer(1 << 20).unwrap();
    // SAFETY: the guard keeps the buffer, and nothing else uses it.
    let shared = unsafe { Buffer::from_raw(&device, words.raw, 1 << 20, words.clone()) }.unwrap();
    queue.fill(&shared, 0, 1 << 20, &[0; 4]).unwrap();
    for by in 0..100u32 {
        queue.launch(&kernel, &Launch::new(&[1 << 18]), &[Arg::Buffer(&shared), Arg::pod(&by)]).unwrap();
    }
    // Everything of the program's but the engine itself is dropped while the work is under way.
    drop((shared, words, kernel));
    queue.finish().unwrap();
    drop((queue, device));
    assert_eq!(Arc::strong_count(&engine), 1);
    assert_eq!(engine.messages(), Vec::<String>::new());
}

#[test]
fn commands_of_the_program_use_a_buffer_of_the_runtime() {
    let _alone = alone();
    let (engine, device, queue) = lent();
    let buffer = Buffer::from_slice(&device, &[1u32; 64]).unwrap();
    let part = buffer.slice(64, 128).unwrap();
    let event = queue.launch(&add(&device), &Launch::new(&[32]), &[Arg::Buffer(&part), Arg::pod(&4u32)]).unwrap();
    let semaphore = engine.semaphore().unwrap();
    let (raw, offset) = part.as_raw();
    assert_eq!(offset, 64);
    let complete = event.semaphore().unwrap();
    let record = |commands: vk::CommandBuffer| {
        // SAFETY: the range is within the buffer, which lives until the end of this test.
        unsafe { engine.device.cmd_fill_buffer(commands, raw, offset + 16, 16, 9) };
    };
    engine.submit(*device.lock_queue(0).unwrap(), complete, (semaphore, 5), record).unwrap();
    // SAFETY: the semaphore is destroyed at the end.
    unsafe { queue.wait_for_semaphore(semaphore, 5) }.unwrap();
    queue.launch(&add(&device), &Launch::new(&[64]), &[Arg::Buffer(&buffer), Arg::pod(&10u32)]).unwrap();
    queue.finish().unwrap();
    let mut expected = [11u32; 64];
    expected[16..48].fill(15);
    expected[20..24].fill(19);
    assert_eq!(buffer.to_vec_of::<u32>().unwrap(), expected);
    assert!(matches!(device.lock_queue(1).map(|_| ()), Err(Error::Limit { limit: 0, requested: 1, .. })));
    engine.destroy_semaphore(*device.lock_queue(0).unwrap(), semaphore);
    assert_eq!(engine.messages(), Vec::<String>::new());
}

#[test]
fn commands_wait_for_a_value_that_the_host_signals() {
    let _alone = alone();
    let (engine, device, queue) = lent();
    let buffer = Buffer::from_slice(&device, &[1u32; 16]).unwrap();
    let semaphore = engine.semaphore().unwrap();
    // SAFETY: the semaphore is destroyed at the end.
    unsafe { queue.wait_for_semaphore(semaphore, 3) }.unwrap();
    let event = queue.launch(&add(&device), &Launch::new(&[16]), &[Arg::Buffer(&buffer), Arg::pod(&1u32)]).unwrap();
    queue.flush().unwrap();
    assert_eq!(event.status().unwrap(), EventStatus::Submitted);
    let info = vk::SemaphoreSignalInfo::default().semaphore(semaphore).value(3);
    // SAFETY: the value is above the semaphore's.
    unsafe { engine.device.signal_semaphore(&info) }.unwrap();
    event.wait().unwrap();
    assert_eq!(buffer.to_vec_of::<u32>().unwrap(), [2; 16]);
    engine.destroy_semaphore(*device.lock_queue(0).unwrap(), semaphore);
    assert_eq!(engine.messages(), Vec::<String>::new());
}

#[test]
fn what_cannot_be_used_is_an_error() {
    let _alone = alone();
    let engine = Engine::new(|name| name != "timelineSemaphore").unwrap();
    let error = engine.lend().map(|_| ()).unwrap_err();
    assert!(matches!(&error, Error::NoDevice { reason } if reason.contains("timelineSemaphore")), "{error}");
    let engine = Engine::new(|_| true).unwrap();
    let device = engine.lend().unwrap();
    let words = engine.buffer(60).unwrap();
    for size in [0, 60] {
        // SAFETY: the guard keeps the buffer, and nothing else uses it.
        let made = unsafe { Buffer::from_raw(&device, words.raw, size, words.clone()) };
        assert!(matches!(made, Err(Error::Limit { requested, .. }) if requested == size));
    }
    assert_eq!(Arc::strong_count(&words), 1);
}
