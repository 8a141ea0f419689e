//! Vulkan handles that destroy themselves, owned from the moment they exist.

use super::InstanceShared;
use crate::{Error, Result};
use ash::vk;
use std::ops::Deref;
use std::sync::Arc;

/// The device; destroyed when the last thing made from it is gone.
pub(crate) struct RawDevice {
    raw: ash::Device,
    pub instance: Arc<InstanceShared>,
}

impl RawDevice {
    /// Takes ownership of `raw`, which was created from `instance`.
    pub fn new(raw: ash::Device, instance: Arc<InstanceShared>) -> RawDevice {
        RawDevice { raw, instance }
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
                let raw = unsafe { device.$create(info, None) }.map_err(Error::vulkan($call))?;
                Ok($name { raw, device: device.clone() })
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the handle was created from this device and is destroyed once; the device is idle between
                // calls of this crate, so nothing uses it.
                unsafe { self.device.$destroy(self.raw, None) }
            }
        }
    )*};
}

owned! {
    /// Command buffers come from here.
    CommandPool(vk::CommandPool) by create_command_pool(vk::CommandPoolCreateInfo<'_>)
        as "vkCreateCommandPool", destroy_command_pool;
    /// Tells the host that a submission is done.
    Fence(vk::Fence) by create_fence(vk::FenceCreateInfo<'_>) as "vkCreateFence", destroy_fence;
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
    /// The descriptor sets of one kernel.
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
            Err((_, result)) => Err(Error::Vulkan { call: "vkCreateComputePipelines", result }),
        }
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        // SAFETY: created from this device, destroyed once, not in use between calls of this crate.
        unsafe { self.device.destroy_pipeline(self.raw, None) }
    }
}
