//! Tests of what happens when the driver fails: every call that can fail is made to, one after the other.
//!
//! Devices of unit tests get their functions through [`intercept`], which counts what lives and lets a chosen call
//! fail.

use crate::{
    Arg, Buffer, ChannelOrder, ChannelType, Device, DeviceSelector, Error, Image, ImageDescription, ImageFormat,
    ImageKind, Instance, InstanceOptions, Launch, Program, Queue, Result, Sampler,
};
use ash::vk;
use std::collections::HashMap;
use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Vulkan objects and allocations that were made and not destroyed.
static LIVE: AtomicI64 = AtomicI64::new(0);
static STATE: Mutex<Option<State>> = Mutex::new(None);
/// Tests that open devices, one at a time.
static TURN: Mutex<()> = Mutex::new(());

#[derive(Default)]
struct State {
    /// The driver's functions.
    real: HashMap<String, usize>,
    plan: Option<Plan>,
}

/// Which call fails, and how.
struct Plan {
    /// Only calls of this function count.
    only: Option<&'static str>,
    /// Calls before it.
    left: u32,
    result: vk::Result,
    /// The call that failed.
    failed: Option<&'static str>,
}

fn with_state<T>(act: impl FnOnce(&mut State) -> T) -> T {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    act(state.get_or_insert_with(State::default))
}

/// What the call is to return in place of being made.
fn failing(name: &'static str) -> Option<vk::Result> {
    with_state(|state| {
        let plan = state.plan.as_mut()?;
        if plan.failed.is_some() || plan.only.is_some_and(|only| only != name) {
            return None;
        }
        if plan.left > 0 {
            plan.left -= 1;
            return None;
        }
        plan.failed = Some(name);
        Some(plan.result)
    })
}

fn real(name: &str) -> usize {
    with_state(|state| state.real.get(name).copied().expect("a function that was loaded"))
}

macro_rules! fallible {
    ($($function:ident as $name:literal ($($argument:ident: $ty:ty),*) $live:literal;)*) => {
        $(
            /// # Safety
            /// As for the function of the driver.
            unsafe extern "system" fn $function($($argument: $ty),*) -> vk::Result {
                if let Some(result) = failing($name) {
                    return result;
                }
                // SAFETY: the driver's function of this name has this type, but for the types behind pointers.
                let result = unsafe {
                    let call: unsafe extern "system" fn($($ty),*) -> vk::Result = std::mem::transmute(real($name));
                    call($($argument),*)
                };
                if result == vk::Result::SUCCESS {
                    LIVE.fetch_add($live, Ordering::Relaxed);
                }
                result
            }
        )*

        fn fallible(name: &str) -> Option<*const c_void> {
            match name {
                $($name => Some($function as *const c_void),)*
                _ => None,
            }
        }
    };
}

macro_rules! destroying {
    ($($function:ident as $name:literal;)*) => {
        $(
            /// # Safety
            /// As for the function of the driver.
            unsafe extern "system" fn $function(device: vk::Device, handle: u64, callbacks: *const c_void) {
                // SAFETY: as above.
                unsafe {
                    let call: unsafe extern "system" fn(vk::Device, u64, *const c_void) =
                        std::mem::transmute(real($name));
                    call(device, handle, callbacks);
                }
                LIVE.fetch_sub(i64::from(handle != 0), Ordering::Relaxed);
            }
        )*

        fn destroying(name: &str) -> Option<*const c_void> {
            match name {
                $($name => Some($function as *const c_void),)*
                _ => None,
            }
        }
    };
}

type Pointer = *const c_void;
type Place = *mut c_void;

fallible! {
    create_buffer as "vkCreateBuffer"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_buffer_view as "vkCreateBufferView"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_image as "vkCreateImage"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_image_view as "vkCreateImageView"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_sampler as "vkCreateSampler"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_shader_module as "vkCreateShaderModule"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_pipeline_cache as "vkCreatePipelineCache"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_set_layout as "vkCreateDescriptorSetLayout"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_pipeline_layout as "vkCreatePipelineLayout"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_descriptor_pool as "vkCreateDescriptorPool"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_command_pool as "vkCreateCommandPool"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_query_pool as "vkCreateQueryPool"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_semaphore as "vkCreateSemaphore"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    allocate_memory as "vkAllocateMemory"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
    create_compute_pipelines as "vkCreateComputePipelines"
        (d: vk::Device, k: u64, n: u32, i: Pointer, c: Pointer, o: Place) 1;
    bind_buffer_memory as "vkBindBufferMemory"(d: vk::Device, b: u64, m: u64, o: u64) 0;
    bind_image_memory as "vkBindImageMemory"(d: vk::Device, b: u64, m: u64, o: u64) 0;
    map_memory as "vkMapMemory"(d: vk::Device, m: u64, o: u64, s: u64, f: u32, p: Place) 0;
    allocate_command_buffers as "vkAllocateCommandBuffers"(d: vk::Device, i: Pointer, o: Place) 0;
    allocate_descriptor_sets as "vkAllocateDescriptorSets"(d: vk::Device, i: Pointer, o: Place) 0;
    begin_command_buffer as "vkBeginCommandBuffer"(b: vk::CommandBuffer, i: Pointer) 0;
    end_command_buffer as "vkEndCommandBuffer"(b: vk::CommandBuffer) 0;
    reset_command_pool as "vkResetCommandPool"(d: vk::Device, p: u64, f: u32) 0;
    queue_submit as "vkQueueSubmit"(q: vk::Queue, n: u32, s: Pointer, f: u64) 0;
    wait_semaphores as "vkWaitSemaphores"(d: vk::Device, i: Pointer, t: u64) 0;
    signal_semaphore as "vkSignalSemaphore"(d: vk::Device, i: Pointer) 0;
    counter_value as "vkGetSemaphoreCounterValue"(d: vk::Device, s: u64, o: Place) 0;
}

destroying! {
    destroy_buffer as "vkDestroyBuffer";
    destroy_buffer_view as "vkDestroyBufferView";
    destroy_image as "vkDestroyImage";
    destroy_image_view as "vkDestroyImageView";
    destroy_sampler as "vkDestroySampler";
    destroy_shader_module as "vkDestroyShaderModule";
    destroy_pipeline_cache as "vkDestroyPipelineCache";
    destroy_set_layout as "vkDestroyDescriptorSetLayout";
    destroy_pipeline_layout as "vkDestroyPipelineLayout";
    destroy_descriptor_pool as "vkDestroyDescriptorPool";
    destroy_command_pool as "vkDestroyCommandPool";
    destroy_query_pool as "vkDestroyQueryPool";
    destroy_semaphore as "vkDestroySemaphore";
    destroy_pipeline as "vkDestroyPipeline";
    free_memory as "vkFreeMemory";
}

/// The same device, its functions going through this module.
pub(crate) fn intercept(instance: &ash::Instance, device: &ash::Device) -> ash::Device {
    let load = |name: &CStr| {
        // SAFETY: device and name are valid.
        let found = unsafe { (instance.fp_v1_0().get_device_proc_addr)(device.handle(), name.as_ptr()) };
        let found = found.map_or(std::ptr::null(), |function| function as *const c_void);
        let text = name.to_str().unwrap_or_default();
        match fallible(text).or_else(|| destroying(text)) {
            Some(wrapper) => {
                with_state(|state| state.real.insert(text.into(), found as usize));
                wrapper
            }
            None => found,
        }
    };
    // SAFETY: the functions have the types of their names.
    unsafe { ash::Device::load_with(load, device.handle()) }
}

const SOURCE: &str = "
struct large { uint by; uint rest[63]; };
kernel void add(global uint *a, struct large s) { a[get_global_id(0)] += s.by + s.rest[62]; }
kernel void pixel(read_only image2d_t from, sampler_t s, global uint *a)
{
    a[get_global_id(0)] += read_imageui(from, s, (int2)(0, 0)).x;
}
";

/// A bit of everything. The result is right, or there is an error.
fn everything(device: &Device, words: &[u32]) -> Result<()> {
    let program = Program::from_spirv(device, words)?;
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

fn start() -> (MutexGuard<'static, ()>, Instance, Vec<u32>) {
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let source = clforge_compiler::Source { name: "a.cl", text: SOURCE.as_bytes() };
    let compiled = clforge_compiler::compile(source, &Default::default());
    let words = compiled.unwrap_or_else(|errors| panic!("{}", errors.render(false))).spirv;
    // Staging takes more calls.
    let options = InstanceOptions { always_stage: true, ..InstanceOptions::default() };
    (turn, Instance::new(options).expect("these tests need a Vulkan loader"), words)
}

fn plan(only: Option<&'static str>, left: u32, result: vk::Result) {
    with_state(|state| state.plan = Some(Plan { only, left, result, failed: None }));
}

/// Ends the plan; the call that failed.
fn failed() -> Option<&'static str> {
    with_state(|state| state.plan.take()?.failed)
}

/// Calls whose failure need not be seen: they are tried again, or in another way.
const MAY_RECOVER: [&str; 6] = [
    "vkResetCommandPool",
    "vkAllocateMemory",
    "vkMapMemory",
    "vkCreateBuffer",
    "vkBindBufferMemory",
    "vkWaitSemaphores",
];

/// Every call fails once, in a process that goes on.
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
            // A batch that is not used again; memory that is found when work is done, or in another place.
            Ok(()) => assert!(MAY_RECOVER.contains(&call), "{call}"),
            Err(Some(Error::OutOfMemory { .. } | Error::Memory { .. } | Error::DeviceLost { .. }) | None) => {}
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
