//! Vulkan handles that destroy themselves, owned from the moment they exist.

use super::InstanceShared;
use super::garbage::Tracker;
use super::timeline::Idle;
use crate::{Error, Result};
use ash::vk;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The device; destroyed when the last thing made from it is gone.
pub(crate) struct RawDevice {
    raw: ash::Device,
    pub(super) tracker: Tracker,
    pub(super) timelines: Idle,
    lost: AtomicBool,
    pub instance: Arc<InstanceShared>,
}

impl RawDevice {
    /// Takes ownership of `raw`, which was created from `instance`.
    pub fn new(raw: ash::Device, instance: Arc<InstanceShared>) -> RawDevice {
        RawDevice {
            raw,
            tracker: Tracker::default(),
            timelines: Idle::default(),
            lost: AtomicBool::new(false),
            instance,
        }
    }

    /// Whether a call has reported that the device is lost.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Gives the device up.
    pub fn set_lost(&self) {
        self.lost.store(true, Ordering::Relaxed);
    }

    /// For `map_err` after a Vulkan call: remembers that the device is lost.
    pub fn error(&self, call: &'static str) -> impl Fn(vk::Result) -> Error + '_ {
        move |result| {
            if result == vk::Result::ERROR_DEVICE_LOST {
                self.set_lost();
            }
            Error::vulkan(call)(result)
        }
    }
}

impl Deref for RawDevice {
    type Target = ash::Device;

    fn deref(&self) -> &ash::Device {
        &self.raw
    }
}

impl Drop for RawDevice {
    fn drop(&mut self) {
        // SAFETY: everything made from the device holds an Arc of this struct, so nothing is left of it. An error of
        // the wait (device lost) changes nothing: the device has to go.
        unsafe {
            let _ = self.raw.device_wait_idle();
            self.destroy_garbage();
            for semaphore in self.timelines.drain() {
                self.raw.destroy_semaphore(semaphore, None);
            }
            self.raw.destroy_device(None);
        }
    }
}

macro_rules! owned {
    ($($(#[$doc:meta])* $name:ident($handle:ty) by $create:ident($info:ty) as $call:literal, $destroy:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name {
            pub raw: $handle,
            device: Arc<RawDevice>,
        }

        impl $name {
            /// Creates one.
            ///
            /// # Safety
            /// What the Vulkan specification's valid usage demands of `info`.
            pub unsafe fn new(device: &Arc<RawDevice>, info: &$info) -> Result<$name> {
                // SAFETY: passed on to the caller.
                let raw = unsafe { device.$create(info, None) }.map_err(device.error($call))?;
                Ok($name { raw, device: device.clone() })
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                let raw = self.raw;
                // SAFETY: the handle was created from this device and is destroyed once, when nothing uses it.
                self.device.discard(move |device| unsafe { device.$destroy(raw, None) });
            }
        }
    )*};
}

owned! {
    /// Command buffers come from here.
    CommandPool(vk::CommandPool) by create_command_pool(vk::CommandPoolCreateInfo<'_>)
        as "vkCreateCommandPool", destroy_command_pool;
    /// Timestamps.
    QueryPool(vk::QueryPool) by create_query_pool(vk::QueryPoolCreateInfo<'_>)
        as "vkCreateQueryPool", destroy_query_pool;
    /// Shader code.
    ShaderModule(vk::ShaderModule) by create_shader_module(vk::ShaderModuleCreateInfo<'_>)
        as "vkCreateShaderModule", destroy_shader_module;
    /// Compiled pipelines of one program.
    PipelineCache(vk::PipelineCache) by create_pipeline_cache(vk::PipelineCacheCreateInfo<'_>)
        as "vkCreatePipelineCache", destroy_pipeline_cache;
    /// Types of the descriptors in one set.
    DescriptorSetLayout(vk::DescriptorSetLayout)
        by create_descriptor_set_layout(vk::DescriptorSetLayoutCreateInfo<'_>)
        as "vkCreateDescriptorSetLayout", destroy_descriptor_set_layout;
    /// Sets and push constants of one kernel.
    PipelineLayout(vk::PipelineLayout) by create_pipeline_layout(vk::PipelineLayoutCreateInfo<'_>)
        as "vkCreatePipelineLayout", destroy_pipeline_layout;
    /// A sampler.
    RawSampler(vk::Sampler) by create_sampler(vk::SamplerCreateInfo<'_>) as "vkCreateSampler", destroy_sampler;
    /// Descriptor sets come from here.
    DescriptorPool(vk::DescriptorPool) by create_descriptor_pool(vk::DescriptorPoolCreateInfo<'_>)
        as "vkCreateDescriptorPool", destroy_descriptor_pool;
}

/// A compute pipeline.
pub(crate) struct Pipeline {
    pub raw: vk::Pipeline,
    device: Arc<RawDevice>,
}

impl Pipeline {
    /// Creates one.
    ///
    /// # Safety
    /// What the Vulkan specification's valid usage demands of `info`.
    pub unsafe fn new(
        device: &Arc<RawDevice>,
        cache: &PipelineCache,
        info: vk::ComputePipelineCreateInfo<'_>,
    ) -> Result<Pipeline> {
        // SAFETY: passed on to the caller.
        let made = unsafe { device.create_compute_pipelines(cache.raw, &[info], None) };
        match made {
            Ok(pipelines) => match pipelines.first() {
                Some(raw) => Ok(Pipeline { raw: *raw, device: device.clone() }),
                None => Err(Error::Internal("the driver made no pipeline".into())),
            },
            // With one pipeline asked for, an error means that its handle is null.
            Err((_, result)) => Err(device.error("vkCreateComputePipelines")(result)),
        }
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        let raw = self.raw;
        // SAFETY: created from this device, destroyed once, when nothing uses it.
        self.device.discard(move |device| unsafe { device.destroy_pipeline(raw, None) });
    }
}
