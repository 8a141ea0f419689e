//! Devices: choosing one, opening it, and its queue.

mod features;
mod garbage;
mod info;
mod instance;
mod lane;
mod opencl_c;
mod owned;
mod select;
mod timeline;
mod validation;

pub use info::{DeviceInfo, DeviceKind, Limits, Quirk};
pub(crate) use instance::InstanceShared;
pub use instance::{Instance, InstanceOptions};
pub(crate) use lane::Lane;
pub use opencl_c::OpenClFeature;
pub(crate) use owned::{
    CommandPool, DescriptorPool, DescriptorSetLayout, Pipeline, PipelineCache, PipelineLayout, QueryPool, RawDevice,
    RawSampler, ShaderModule,
};
pub use select::DeviceSelector;
pub(crate) use timeline::Timeline;

use crate::Cache;
use crate::memory::{MemoryPool, RawBuffer};
use crate::queue::{Queue, QueueShared};
use crate::{Error, Result};
use ash::vk;
use clforge_compiler::Options;
use features::Available;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Vulkan queues that are used, at most.
const LANES: u32 = 4;

/// An open Vulkan device. Cloning is cheap; all clones are the same device.
#[derive(Clone)]
pub struct Device {
    pub(crate) shared: Arc<DeviceShared>,
}

/// Fields are dropped in order: what lives on the device before the device.
pub(crate) struct DeviceShared {
    /// For what is not asked of any queue in particular.
    default_queue: Arc<QueueShared>,
    queues: Mutex<Vec<Weak<QueueShared>>>,
    lanes: Vec<Arc<Lane>>,
    next_lane: AtomicUsize,
    /// Held while the host uses mapped memory.
    host: Mutex<()>,
    cache: Mutex<Cache>,
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
    /// Opens a device with [`InstanceOptions::from_env`] and [`Cache::from_env`].
    ///
    /// # Errors
    /// [`Error::NoLoader`], [`Error::NoDevice`], [`Error::NoSuchDevice`], or [`Error::Vulkan`] when it does not open.
    pub fn open(selector: &DeviceSelector) -> Result<Device> {
        let device = Instance::new(InstanceOptions::from_env())?.open(selector)?;
        device.set_cache(Cache::from_env());
        Ok(device)
    }

    /// Where programs made from now on keep what is compiled. A device from [`Instance::open`] keeps nothing at first.
    pub fn set_cache(&self, cache: Cache) {
        *self.shared.cache.lock().unwrap_or_else(PoisonError::into_inner) = cache;
    }

    /// See [`Device::set_cache`].
    pub fn cache(&self) -> Cache {
        self.shared.cache.lock().unwrap_or_else(PoisonError::into_inner).clone()
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

    /// `options` with what this device has and its driver wants of the compiler: see [`Options::float_atomics`] and
    /// [`Quirk`].
    pub fn tuned(&self, options: &Options) -> Options {
        let limited = self.info().quirks.contains(&Quirk::LoopLimit);
        let loop_copies = if limited { LIMITED_LOOP_COPIES.max(options.loop_copies) } else { options.loop_copies };
        let mut float_atomics = options.float_atomics;
        for feature in &self.info().features {
            float_atomics.enable(feature);
        }
        Options { loop_copies, float_atomics, ..options.clone() }
    }

    /// Everything the validation layer has complained about so far in this [`Instance`].
    pub fn validation_messages(&self) -> Vec<String> {
        self.shared.raw.instance.log.messages()
    }

    /// The device's own queue, with profiling: synchronous functions use it.
    pub fn queue(&self) -> Queue {
        Queue { device: self.clone(), shared: self.shared.default_queue.clone() }
    }

    /// Waits for all work of all queues.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn finish(&self) -> Result<()> {
        if self.shared.raw.is_idle() {
            return Ok(());
        }
        let queues = self.shared.queues.lock().unwrap_or_else(PoisonError::into_inner);
        for queue in queues.iter().filter_map(Weak::upgrade) {
            queue.finish()?;
        }
        Ok(())
    }

    /// Bytes of device memory in use: buffers and images, and what work under way needs. Memory is asked of the driver in
    /// larger blocks.
    pub fn memory_in_use(&self) -> u64 {
        self.shared.memory.usage().0
    }

    pub(crate) fn create_queue(&self, profiling: bool) -> Result<Queue> {
        let shared = &self.shared;
        let index = shared.next_lane.fetch_add(1, Ordering::Relaxed) % shared.lanes.len().max(1);
        let lane = shared.lanes.get(index).ok_or_else(|| Error::Internal("a device has no queue".into()))?;
        let period = shared.info.limits.timestamp_period;
        let queue = QueueShared::new(&shared.raw, &shared.memory, lane, profiling, period)?;
        let mut queues = shared.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|queue| queue.strong_count() > 0);
        queues.push(Arc::downgrade(&queue));
        Ok(Queue { device: self.clone(), shared: queue })
    }

    /// For the host's use of mapped memory, one thread at a time.
    pub(crate) fn host_access(&self) -> MutexGuard<'_, ()> {
        self.shared.host.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn create(instance: &Instance, physical: vk::PhysicalDevice, index: usize) -> Result<Device> {
        let (mut info, mut open) = instance.query(physical, index);
        if let Some(reason) = &info.unusable {
            return Err(Error::NoDevice { reason: format!("'{}' cannot be used: {reason}", info.name) });
        }
        let (family, queue_count, timestamp_bits) = compute_family(&instance.shared, physical)
            .ok_or_else(|| Error::NoDevice { reason: format!("'{}' has no compute queue", info.name) })?;
        if timestamp_bits == 0 {
            info.limits.timestamp_period = 0.0;
        }

        let available = Available { api_version: open.api_version, extensions: &open.extensions };
        let extensions: Vec<_> = available.wanted_extensions().into_iter().map(|name| name.as_ptr()).collect();
        let queue_count = queue_count.clamp(1, LANES);
        let priorities = vec![1.0; queue_count as usize];
        let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&priorities)];
        let mut features = available.link(&mut open.enable);
        let create = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&extensions)
            .push_next(&mut features);
        // SAFETY: the device belongs to the instance; extensions and features are ones it reported.
        let raw = unsafe { instance.shared.raw.create_device(physical, &create, None) }
            .map_err(Error::vulkan("vkCreateDevice"))?;
        #[cfg(test)]
        let raw = crate::faults::intercept(&instance.shared.raw, &raw);
        let raw = Arc::new(RawDevice::new(raw, instance.shared.clone()));
        let addresses = info.has_feature("bufferDeviceAddress");
        let memory = Arc::new(MemoryPool::new(&raw, physical, addresses, available.imports_host_memory())?);
        let lanes: Vec<_> = (0..queue_count).map(|index| Lane::new(&raw, family, index, timestamp_bits)).collect();
        let first = lanes.first().ok_or_else(|| Error::Internal("a device has no queue".into()))?;
        let default_queue = QueueShared::new(&raw, &memory, first, true, info.limits.timestamp_period)?;
        let shared = DeviceShared {
            queues: Mutex::new(vec![Arc::downgrade(&default_queue)]),
            default_queue,
            lanes,
            next_lane: AtomicUsize::new(1),
            host: Mutex::default(),
            cache: Mutex::default(),
            memory,
            samplers: Mutex::default(),
            physical,
            raw,
            info,
        };
        Ok(Device { shared: Arc::new(shared) })
    }

    /// A buffer object with memory.
    pub(crate) fn raw_buffer(&self, size: u64, location: gpu_allocator::MemoryLocation) -> Result<RawBuffer> {
        let limit = self.shared.info.limits.max_allocation;
        if size > limit {
            return Err(Error::Limit { what: "buffer size in bytes".into(), limit, requested: size });
        }
        match RawBuffer::new(&self.shared.memory, size, location) {
            // What was dropped is still there while work is under way.
            Err(Error::Memory { .. } | Error::OutOfMemory { .. }) if !self.shared.raw.is_idle() => {
                self.finish()?;
                RawBuffer::new(&self.shared.memory, size, location)
            }
            made => made,
        }
    }
}

/// The queue family to use, its number of queues and its valid timestamp bits: the first with compute and timestamps,
/// else with compute.
fn compute_family(instance: &InstanceShared, physical: vk::PhysicalDevice) -> Option<(u32, u32, u32)> {
    // SAFETY: the device belongs to the instance.
    let families = unsafe { instance.raw.get_physical_device_queue_family_properties(physical) };
    let compute =
        families.iter().enumerate().filter(|(_, family)| family.queue_flags.contains(vk::QueueFlags::COMPUTE));
    let facts = |(index, family): (usize, &vk::QueueFamilyProperties)| {
        (index as u32, family.queue_count, family.timestamp_valid_bits)
    };
    let compute: Vec<_> = compute.map(facts).collect();
    compute.iter().find(|(_, _, bits)| *bits > 0).or(compute.first()).copied()
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
        check::<crate::Queue>();
        check::<crate::Event>();
        check::<crate::UserEvent>();
        check::<crate::HostMemory>();
        check::<crate::Download>();
        check::<crate::Mapping>();
        check::<crate::Error>();
    }
}
