//! Wrappers around a device's functions, for tests: they count the existing objects, and make a chosen call fail.

use ash::vk;
use std::collections::HashMap;
use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Number of Vulkan objects and allocations that were created and not destroyed.
pub(crate) static LIVE: AtomicI64 = AtomicI64::new(0);
static STATE: Mutex<Option<State>> = Mutex::new(None);

#[derive(Default)]
struct State {
    /// The driver's functions.
    real: HashMap<String, usize>,
    plan: Option<Plan>,
    /// A function whose calls take so much longer.
    delay: Option<(&'static str, Duration)>,
}

/// Which call fails, and with which result.
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

/// The result that a call returns without reaching the driver, if it is chosen to fail.
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

/// Waits as long as calls are delayed.
fn wait(name: &'static str) {
    let delay = with_state(|state| state.delay.filter(|(delayed, _)| *delayed == name));
    if let Some((_, delay)) = delay {
        std::thread::sleep(delay);
    }
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
                wait($name);
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
    create_fence as "vkCreateFence"(d: vk::Device, i: Pointer, c: Pointer, o: Place) 1;
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
    wait_for_fences as "vkWaitForFences"(d: vk::Device, n: u32, f: Pointer, a: u32, t: u64) 0;
    reset_fences as "vkResetFences"(d: vk::Device, n: u32, f: Pointer) 0;
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
    destroy_fence as "vkDestroyFence";
    destroy_semaphore as "vkDestroySemaphore";
    destroy_pipeline as "vkDestroyPipeline";
    free_memory as "vkFreeMemory";
}

/// The same device, with functions that pass through this module.
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

/// The next call, or the next call of `only`, that has `left` calls before it returns `result`.
pub(crate) fn plan(only: Option<&'static str>, left: u32, result: vk::Result) {
    with_state(|state| state.plan = Some(Plan { only, left, result, failed: None }));
}

/// From now on each call of a function takes so much longer; `None` ends that.
pub(crate) fn delay(calls: Option<(&'static str, Duration)>) {
    with_state(|state| state.delay = calls);
}

/// Ends the plan. Returns the call that failed, if any did.
pub(crate) fn failed() -> Option<&'static str> {
    with_state(|state| state.plan.take()?.failed)
}
