//! Tests of failing drivers: each call that can fail is made to fail in turn.
//!
//! In unit tests the device's functions pass through wrappers (`vulkan/intercept.rs`) that count objects and let a
//! chosen call fail. The tests repeat a small program and make a different call fail each time, with each error code;
//! then they check for leaks, and that the next program runs.

use crate::error::{Error, Result};
use crate::vulkan::intercept::{LIVE, failed, plan};
use crate::{
    Arg, Buffer, ChannelOrder, ChannelType, Device, DeviceSelector, Image, ImageDescription, ImageFormat, ImageKind,
    Instance, InstanceOptions, Launch, Program, Queue, Sampler,
};
use ash::vk;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The tests run one at a time, since the counter and the plan belong to the process.
pub(crate) static SERIAL: Mutex<()> = Mutex::new(());

const SOURCE: &str = "
struct large { uint by; uint rest[63]; };
kernel void add(global uint *a, struct large s) { a[get_global_id(0)] += s.by + s.rest[62]; }
kernel void pixel(read_only image2d_t from, sampler_t s, global uint *a)
{
    a[get_global_id(0)] += read_imageui(from, s, (int2)(0, 0)).x;
}
";

/// Uses every kind of object. The results are right, or there is an error.
fn everything(device: &Device, words: &[u32]) -> Result<()> {
    // SAFETY: the words come from our own compiler.
    let program = unsafe { Program::from_spirv_unchecked(device, words) }?;
    let (add, pixel) = (program.kernel("add")?, program.kernel("pixel")?);
    let queue = Queue::with_profiling(device)?;
    let buffer = Buffer::from_bytes(device, &[1, 0, 0, 0].repeat(1000))?;
    let other = Buffer::new(device, 1 << 20)?;
    let format = ImageFormat { order: ChannelOrder::Rgba, channel: ChannelType::UnsignedInt8 };
    let description = ImageDescription { kind: ImageKind::D2, size: [4, 4, 1], format };
    let image = Image::from_bytes(device, description, &[3; 64])?;
    let texels = ImageDescription { kind: ImageKind::Buffer, ..description };
    Image::zeroed(device, texels)?;
    let launch = Launch::new(&[1000]);
    let mut large = [0u32; 64];
    (large[0], large[63]) = (10, 100);
    for _ in 0..3 {
        queue.launch(&add, &launch, &[Arg::Buffer(&buffer), Arg::pod(&large)])?;
    }
    let sampler = Arg::Sampler(Sampler::default());
    let event = queue.launch(&pixel, &launch, &[Arg::Image(&image), sampler, Arg::Buffer(&buffer)])?;
    let second = Queue::new(device)?;
    second.wait_for(&event)?;
    second.copy(&buffer, 0, &other, 0, 4000)?;
    second.fill(&other, 4000, 96, &[7])?;
    let download = second.read_async(&other, 0, 4096)?;
    event.wait()?;
    let expected = [(1u32 + 330 + 3).to_le_bytes().repeat(1000), vec![7; 96]].concat();
    assert_eq!(download.wait()?, expected);
    assert_eq!(buffer.to_vec()?, expected[..4000]);
    assert_eq!(image.to_vec()?, [3; 64]);
    queue.finish()
}

/// To be held by a test that opens a device while these may run.
pub(crate) fn serial() -> MutexGuard<'static, ()> {
    SERIAL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn start() -> (MutexGuard<'static, ()>, Instance, Vec<u32>) {
    let serial = serial();
    let source = clforge_compiler::Source { name: "a.cl", text: SOURCE.as_bytes() };
    let compiled = clforge_compiler::compile(source, &Default::default());
    let words = compiled.unwrap_or_else(|errors| panic!("{}", errors.render(false))).spirv;
    // Staging takes more calls.
    let options = InstanceOptions { always_stage: true, ..InstanceOptions::default() };
    (serial, Instance::new(options).expect("these tests need a Vulkan loader"), words)
}

/// Calls whose failure need not be reported: they are tried again, or replaced by others.
const MAY_RECOVER: [&str; 7] = [
    "vkResetCommandPool",
    "vkBeginCommandBuffer",
    "vkAllocateMemory",
    "vkMapMemory",
    "vkCreateBuffer",
    "vkBindBufferMemory",
    "vkWaitSemaphores",
];

/// Every call fails once, in a process that continues.
fn every_call_fails(result: vk::Result) {
    let (_turn, instance, words) = start();
    let open = || instance.open(&DeviceSelector::Best);
    for left in 0.. {
        assert!(left < 10_000, "no end");
        plan(None, left, result);
        let device = open();
        let outcome = device.as_ref().map_err(|_| None).and_then(|device| everything(device, &words).map_err(Some));
        let Some(call) = failed() else {
            assert!(outcome.is_ok());
            assert!(left > 60, "only {left} calls can fail");
            break;
        };
        match &outcome {
            // A batch that is not reused; memory that is found when work is complete, or in another heap.
            Ok(()) => assert!(MAY_RECOVER.contains(&call), "{call}"),
            Err(Some(Error::OutOfMemory { .. } | Error::Allocation { .. } | Error::DeviceLost { .. }) | None) => {}
            Err(Some(error)) => panic!("{call} number {left}: {error}"),
        }
        if let Ok(device) = device
            && (result != vk::Result::ERROR_DEVICE_LOST || !device.shared.raw.is_lost())
        {
            everything(&device, &words).unwrap_or_else(|error| panic!("after {call} number {left}: {error}"));
        }
        assert_eq!(LIVE.load(Ordering::Relaxed), 0, "{call} number {left} leaks");
    }
}

#[test]
fn host_memory_runs_out() {
    every_call_fails(vk::Result::ERROR_OUT_OF_HOST_MEMORY);
}

#[test]
fn device_memory_runs_out() {
    every_call_fails(vk::Result::ERROR_OUT_OF_DEVICE_MEMORY);
}

#[test]
fn the_device_is_lost() {
    every_call_fails(vk::Result::ERROR_DEVICE_LOST);
}

#[test]
fn a_lost_device_says_so_and_another_one_works() {
    let (_turn, instance, words) = start();
    let device = instance.open(&DeviceSelector::Best).unwrap();
    let buffer = Buffer::zeroed(&device, 64).unwrap();
    let queue = Queue::new(&device).unwrap();
    let event = queue.fill(&buffer, 0, 64, &[1]).unwrap();
    plan(Some("vkWaitSemaphores"), 0, vk::Result::ERROR_DEVICE_LOST);
    assert!(matches!(event.wait(), Err(Error::DeviceLost { call: "vkWaitSemaphores" })));
    assert!(failed().is_some());
    for outcome in [event.wait(), queue.finish(), buffer.write(0, &[1]), everything(&device, &words)] {
        assert!(matches!(outcome, Err(Error::DeviceLost { .. })), "{outcome:?}");
    }
    everything(&instance.open(&DeviceSelector::Best).unwrap(), &words).unwrap();
}

#[test]
fn commands_that_cannot_be_submitted_are_reported_by_their_events() {
    let (_turn, instance, words) = start();
    let device = instance.open(&DeviceSelector::Best).unwrap();
    let buffer = Buffer::zeroed(&device, 64).unwrap();
    let queue = Queue::new(&device).unwrap();
    let before = queue.fill(&buffer, 0, 64, &[1]).unwrap();
    queue.flush().unwrap();
    let lost = queue.fill(&buffer, 0, 64, &[2]).unwrap();
    plan(Some("vkQueueSubmit"), 0, vk::Result::ERROR_OUT_OF_HOST_MEMORY);
    assert!(matches!(queue.flush(), Err(Error::OutOfMemory { call: "vkQueueSubmit", host: true })));
    failed();
    before.wait().unwrap();
    assert!(matches!(lost.wait(), Err(Error::OutOfMemory { host: true, .. })));
    assert!(lost.status().is_err());
    let after = queue.fill(&buffer, 0, 32, &[3]).unwrap();
    after.wait().unwrap();
    assert_eq!(buffer.to_vec().unwrap(), [[3; 32], [1; 32]].concat());
    everything(&device, &words).unwrap();
}

#[test]
fn waiting_has_a_limit() {
    let (_turn, instance, _) = start();
    let device = instance.open(&DeviceSelector::Best).unwrap();
    let buffer = Buffer::zeroed(&device, 64).unwrap();
    let event = device.queue().fill(&buffer, 0, 64, &[1]).unwrap();
    plan(Some("vkWaitSemaphores"), 0, vk::Result::TIMEOUT);
    let limit = Duration::from_millis(5);
    assert!(matches!(event.wait_timeout(limit), Err(Error::Timeout(given)) if given == limit));
    failed();
    event.wait().unwrap();
}

#[test]
fn memory_that_was_dropped_is_reclaimed_when_there_is_no_more() {
    let (_turn, instance, _) = start();
    let device = instance.open(&DeviceSelector::Best).unwrap();
    let queue = Queue::new(&device).unwrap();
    let large = Buffer::new(&device, 200 << 20).unwrap();
    queue.fill(&large, 0, 64, &[1]).unwrap();
    // Still used by the queue.
    drop(large);
    plan(Some("vkAllocateMemory"), 0, vk::Result::ERROR_OUT_OF_DEVICE_MEMORY);
    Buffer::new(&device, 300 << 20).unwrap();
    assert_eq!(failed(), Some("vkAllocateMemory"));
}
