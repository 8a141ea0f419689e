//! Vulkan handles that destroy themselves, owned from the moment they exist.

use super::raw_device::RawDevice;
use crate::error::{Error, Result};
use ash::vk;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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
            /// `info` satisfies the valid usage that the Vulkan specification states for it.
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
    /// Allocates command buffers.
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
    /// Allocates descriptor sets.
    DescriptorPool(vk::DescriptorPool) by create_descriptor_pool(vk::DescriptorPoolCreateInfo<'_>)
        as "vkCreateDescriptorPool", destroy_descriptor_pool;
}

/// A compute pipeline.
pub(crate) struct Pipeline {
    pub handle: PipelineHandle,
    device: Arc<RawDevice>,
}

/// A pipeline, which is alive, and what tells it from those that were destroyed.
#[derive(Clone, Copy)]
pub(crate) struct PipelineHandle {
    pub raw: vk::Pipeline,
    /// From 1; no other pipeline of the process has or had it.
    pub number: u64,
}

/// The number of the next pipeline.
static PIPELINES: AtomicU64 = AtomicU64::new(1);

impl Pipeline {
    /// Creates one.
    ///
    /// # Safety
    /// `info` satisfies the valid usage that the Vulkan specification states for it.
    pub unsafe fn new(
        device: &Arc<RawDevice>,
        cache: &PipelineCache,
        info: vk::ComputePipelineCreateInfo<'_>,
    ) -> Result<Pipeline> {
        // SAFETY: passed on to the caller.
        let made = unsafe { device.create_compute_pipelines(cache.raw, &[info], None) };
        match made {
            Ok(pipelines) => match pipelines.first() {
                Some(raw) => {
                    let number = PIPELINES.fetch_add(1, Ordering::Relaxed);
                    let pipeline = Pipeline { handle: PipelineHandle { raw: *raw, number }, device: device.clone() };
                    if let Some(fence) = &device.instruction_fence {
                        fence.execute(device)?;
                    }
                    Ok(pipeline)
                }
                None => Err(Error::Internal("the driver made no pipeline".into())),
            },
            // With one pipeline asked for, an error means that its handle is null.
            Err((_, result)) => Err(device.error("vkCreateComputePipelines")(result)),
        }
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        self.device.retire_pipeline(self.handle.raw);
    }
}
