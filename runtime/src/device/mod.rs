//! Devices: choosing one, opening it, and its queue.

mod features;
mod info;
mod instance;
mod owned;
mod queue;
mod select;
mod validation;

pub use info::{DeviceInfo, DeviceKind, Limits, Quirk};
pub(crate) use instance::InstanceShared;
pub use instance::{Instance, InstanceOptions};
pub(crate) use owned::{
    DescriptorPool, DescriptorSetLayout, Pipeline, PipelineCache, PipelineLayout, RawDevice, RawSampler, ShaderModule,
};
pub(crate) use queue::{Queue, Recording};
pub use select::DeviceSelector;

use crate::memory::{MemoryPool, RawBuffer};
use crate::{Error, Result};
use ash::vk;
use clforge_compiler::Options;
use features::Available;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// An open Vulkan device. Cloning is cheap; all clones are the same device.
#[derive(Clone)]
pub struct Device {
    pub(crate) shared: Arc<DeviceShared>,
}

/// Fields are dropped in order: what lives on the device before the device.
pub(crate) struct DeviceShared {
    queue: Mutex<Queue>,
    pub memory: Arc<MemoryPool>,
    /// By their `CLK_` bits.
    pub samplers: Mutex<HashMap<u32, RawSampler>>,
    pub physical: vk::PhysicalDevice,
    pub raw: Arc<RawDevice>,
    pub info: DeviceInfo,
}

/// Copies of a loop's body in a turn, on a driver that limits the turns: a million iterations instead of 65,535, where
/// the body is small.
const LIMITED_LOOP_COPIES: u32 = 16;

impl Device {
    /// Opens a device with [`InstanceOptions::from_env`].
    ///
    /// # Errors
    /// [`Error::NoLoader`], [`Error::NoDevice`], [`Error::NoSuchDevice`], or [`Error::Vulkan`] when it does not open.
    pub fn open(selector: &DeviceSelector) -> Result<Device> {
        Instance::new(InstanceOptions::from_env())?.open(selector)
    }

    /// All devices of this machine.
    ///
    /// # Errors
    /// [`Error::NoLoader`], [`Error::NoDevice`] without any driver.
    pub fn list() -> Result<Vec<DeviceInfo>> {
        Instance::new(InstanceOptions::from_env())?.devices()
    }

    /// Name, limits, features and known defects.
    pub fn info(&self) -> &DeviceInfo {
        &self.shared.info
    }

    /// `options` with what this device's driver wants of the compiler: see [`Quirk`].
    pub fn tuned(&self, options: &Options) -> Options {
        let limited = self.info().quirks.contains(&Quirk::LoopLimit);
        let loop_copies = if limited { LIMITED_LOOP_COPIES.max(options.loop_copies) } else { options.loop_copies };
        Options { loop_copies, ..options.clone() }
    }

    /// Everything the validation layer has complained about so far in this [`Instance`].
    pub fn validation_messages(&self) -> Vec<String> {
        self.shared.raw.instance.log.messages()
    }

    /// The queue; whoever holds it is the only one to make the device do something.
    pub(crate) fn queue(&self) -> Result<MutexGuard<'_, Queue>> {
        self.shared.queue.lock().map_err(|_| Error::Internal("a thread panicked while it used the device".into()))
    }

    pub(super) fn create(instance: &Instance, physical: vk::PhysicalDevice, index: usize) -> Result<Device> {
        let (mut info, mut open) = instance.query(physical, index);
        if let Some(reason) = &info.unusable {
            return Err(Error::NoDevice { reason: format!("'{}' cannot be used: {reason}", info.name) });
        }
        let (family, timestamp_bits) = compute_family(&instance.shared, physical)
            .ok_or_else(|| Error::NoDevice { reason: format!("'{}' has no compute queue", info.name) })?;
        if timestamp_bits == 0 {
            info.limits.timestamp_period = 0.0;
        }

        let available = Available { api_version: open.api_version, extensions: &open.extensions };
        let extensions: Vec<_> = available.wanted_extensions().into_iter().map(|name| name.as_ptr()).collect();
        let priorities = [1.0];
        let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&priorities)];
        let mut features = available.link(&mut open.enable);
        let create = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&extensions)
            .push_next(&mut features);
        // SAFETY: the device belongs to the instance; extensions and features are ones it reported.
        let raw = unsafe { instance.shared.raw.create_device(physical, &create, None) }
            .map_err(Error::vulkan("vkCreateDevice"))?;
        let raw = Arc::new(RawDevice::new(raw, instance.shared.clone()));
        let addresses = info.has_feature("bufferDeviceAddress");
        let memory = Arc::new(MemoryPool::new(&raw, physical, addresses)?);
        let queue = Mutex::new(Queue::new(&raw, family, timestamp_bits)?);
        Ok(Device { shared: Arc::new(DeviceShared { queue, memory, samplers: Mutex::default(), physical, raw, info }) })
    }

    /// A buffer object with memory.
    pub(crate) fn raw_buffer(&self, size: u64, location: gpu_allocator::MemoryLocation) -> Result<RawBuffer> {
        let limit = self.shared.info.limits.max_allocation;
        if size > limit {
            return Err(Error::Limit { what: "buffer size in bytes".into(), limit, requested: size });
        }
        RawBuffer::new(&self.shared.memory, size, location)
    }
}

/// The queue family to use and its valid timestamp bits: the first with compute and timestamps, else with compute.
fn compute_family(instance: &InstanceShared, physical: vk::PhysicalDevice) -> Option<(u32, u32)> {
    // SAFETY: the device belongs to the instance.
    let families = unsafe { instance.raw.get_physical_device_queue_family_properties(physical) };
    let compute =
        families.iter().enumerate().filter(|(_, family)| family.queue_flags.contains(vk::QueueFlags::COMPUTE));
    let compute: Vec<_> = compute.map(|(index, family)| (index as u32, family.timestamp_valid_bits)).collect();
    compute.iter().find(|(_, bits)| *bits > 0).or(compute.first()).copied()
}

#[cfg(test)]
mod tests {
    /// Programs share devices between threads; a raw pointer in the wrong place would take that away silently.
    #[test]
    fn handles_can_be_shared_between_threads() {
        fn check<T: Send + Sync>() {}
        check::<crate::Device>();
        check::<crate::Buffer>();
        check::<crate::Image>();
        check::<crate::Program>();
        check::<crate::Kernel>();
        check::<crate::Error>();
    }
}
