//! Opening a device.

use super::arithmetic::Arithmetic;
use super::{Device, DeviceShared};
use crate::cache::Cache;
use crate::error::{Error, Result};
use crate::memory::{MemoryPool, Ways};
use crate::narrow::to_u32;
use crate::submission::CommandStream;
use crate::vulkan::{
    Available, Clock, DeviceInfo, DeviceKind, DeviceSelector, Instance, InstanceOptions, InstructionFence, Quirk,
    RawDevice, SharedQueue,
};
use ash::vk;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// How long a thread polls a GPU before it sleeps. Longer than most launches that someone waits for in a loop, and than the
/// transfer of a staging buffer; a thread that waits for longer work spends little of its time polling.
const GPU_POLLING: Duration = Duration::from_micros(500);
/// Most of Vulkan's queues that are used. NVIDIA's driver takes 24 ms to create one and 9 ms to destroy it (H200, 580.159.04).
const MAX_QUEUES: u32 = 3;

impl Instance {
    /// Opens a device.
    ///
    /// # Errors
    /// As for [`Device::open`].
    pub fn open(&self, selector: &DeviceSelector) -> Result<Device> {
        let index = Instance::select(&self.devices()?, selector)?;
        let devices = self.physical_devices()?;
        let raw = devices.get(index).copied();
        let raw = raw.ok_or_else(|| Error::NoDevice { reason: "the device was removed".into() })?;
        Device::create(self, raw, index)
    }
}

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

    /// All devices of this machine.
    ///
    /// # Errors
    /// [`Error::NoLoader`], [`Error::NoDevice`] without any driver.
    pub fn list() -> Result<Vec<DeviceInfo>> {
        Instance::new(InstanceOptions::from_env())?.devices()
    }

    fn create(instance: &Instance, physical: vk::PhysicalDevice, index: usize) -> Result<Device> {
        let (info, mut open) = instance.query(physical, index, None);
        if let Some(reason) = &info.unusable {
            return Err(Error::NoDevice { reason: format!("'{}' cannot be used: {reason}", info.name) });
        }
        let family = compute_family(&instance.shared.raw, physical)
            .ok_or_else(|| Error::NoDevice { reason: format!("'{}' has no compute queue", info.name) })?;

        let available = Available { api_version: open.api_version, extensions: &open.extensions };
        let extensions = available.wanted_extensions();
        #[cfg(feature = "measure")]
        let statistics = crate::vulkan::statistics::extension(available);
        #[cfg(feature = "measure")]
        let extensions = extensions.into_iter().chain(statistics);
        let extensions: Vec<_> = extensions.into_iter().map(|name| name.as_ptr()).collect();
        let queues = QueueCounts::new(family.queues, info.has_quirk(Quirk::StaleInstructions));
        let priorities = vec![1.0; queues.created as usize];
        let families =
            [vk::DeviceQueueCreateInfo::default().queue_family_index(family.index).queue_priorities(&priorities)];
        let mut features = available.link(&mut open.enable);
        let create = vk::DeviceCreateInfo::default()
            .queue_create_infos(&families)
            .enabled_extension_names(&extensions)
            .push_next(&mut features);
        #[cfg(feature = "measure")]
        let mut executables =
            vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default().pipeline_executable_info(true);
        #[cfg(feature = "measure")]
        let create = if statistics.is_some() { create.push_next(&mut executables) } else { create };
        // SAFETY: the device belongs to the instance; extensions and features are ones it reported.
        let raw = unsafe { instance.shared.raw.create_device(physical, &create, None) }
            .map_err(Error::vulkan("vkCreateDevice"))?;
        #[cfg(test)]
        let raw = crate::vulkan::intercept::intercept(&instance.shared.raw, &raw);
        // SAFETY: the device was created with so many queues of the family.
        let queue = |index| unsafe { raw.get_device_queue(family.index, index) };
        let used = (0..queues.used).map(queue).collect();
        let lent = Queues { family, used, fence: queues.fence.map(queue) };
        let raw = RawDevice::new(raw, instance.shared.clone(), info.has_feature("hostQueryReset"));
        // SAFETY: the device is new, and has these queues.
        unsafe { Device::over(raw, physical, info, lent) }
    }

    /// The device around a logical device.
    ///
    /// # Safety
    /// The logical device was created from the physical one with the features of `info`, and has these queues, which nothing
    /// else uses.
    pub(super) unsafe fn over(
        mut raw: RawDevice,
        physical: vk::PhysicalDevice,
        mut info: DeviceInfo,
        queues: Queues,
    ) -> Result<Device> {
        let Queues { family, used, fence } = queues;
        if family.timestamp_bits == 0 {
            info.limits.timestamp_period = 0.0;
        }
        if let Some(queue) = fence {
            // SAFETY: the caller's condition; streams use the others.
            raw.instruction_fence = Some(unsafe { InstructionFence::new(&raw, family.index, queue) }?);
        }
        if info.has_quirk(Quirk::FallingClock) {
            raw.clock = info.hardware.pci.map(Clock::new);
        }
        let shared_queue = |queue| SharedQueue::new(queue, family.index, family.timestamp_bits);
        let shared_queues: Vec<_> = used.into_iter().map(shared_queue).collect();
        if let Some(borrowed) = &mut raw.borrowed {
            borrowed.queues.clone_from(&shared_queues);
        }
        let raw = Arc::new(raw);
        raw.set_polling(default_polling(info.kind));
        let enabled = Ways {
            addresses: info.has_feature("bufferDeviceAddress"),
            import: info.has_feature("host memory import"),
            place: info.has_feature("memoryMapPlaced"),
            descriptors: info.has_feature("memory by file descriptors"),
            dma_buf: info.has_feature("memory by dma_buf"),
            huge_pages: info.kind == DeviceKind::Cpu,
        };
        let memory = Arc::new(MemoryPool::new(&raw, physical, enabled)?);
        let first = shared_queues.first().ok_or_else(|| Error::Internal("a device has no queue".into()))?;
        let default_stream = CommandStream::new(&raw, &memory, first, true, info.limits.timestamp_period)?;
        let shared = DeviceShared {
            copier: OnceLock::new(),
            copier_begun: AtomicBool::new(false),
            nothing: OnceLock::new(),
            warmed_up: AtomicUsize::new(0),
            spare_stages: Mutex::new(Vec::new()),
            stages_begun: AtomicUsize::new(0),
            streams: Mutex::new(vec![Arc::downgrade(&default_stream)]),
            default_stream,
            shared_queues,
            next_queue: AtomicUsize::new(1),
            cache: Mutex::default(),
            compile_limit: Mutex::default(),
            compiles_in_background: AtomicBool::new(info.kind != DeviceKind::Cpu),
            memory,
            samplers: Mutex::default(),
            physical,
            raw,
            info,
            arithmetic: Arithmetic::default(),
        };
        Ok(Device { shared: Arc::new(shared) })
    }
}

/// A queue family that executes kernels.
#[derive(Clone, Copy)]
pub(super) struct Family {
    pub index: u32,
    /// Its number of queues.
    pub queues: u32,
    /// Valid bits of its timestamps; 0 without.
    pub timestamp_bits: u32,
}

/// Queues of one family.
pub(super) struct Queues {
    pub family: Family,
    /// Those that streams use.
    pub used: Vec<vk::Queue>,
    /// That of the instruction fence.
    pub fence: Option<vk::Queue>,
}

/// How many queues of the family a device is created with.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct QueueCounts {
    pub created: u32,
    /// The first ones, which streams use.
    pub used: u32,
    /// The queue of the instruction fence.
    pub fence: Option<u32>,
}

impl QueueCounts {
    /// Of a family with `available` queues. The fence has one to itself: a submission to the queue that executes kernels is not
    /// enough. Where there is only one, there is no fence.
    pub fn new(available: u32, needs_fence: bool) -> QueueCounts {
        if needs_fence && available > 1 {
            let used = (available - 1).min(MAX_QUEUES);
            return QueueCounts { created: used + 1, used, fence: Some(used) };
        }
        let used = available.clamp(1, MAX_QUEUES);
        QueueCounts { created: used, used, fence: None }
    }
}

/// See [`Device::set_polling`].
fn default_polling(kind: DeviceKind) -> Duration {
    let one_core = std::thread::available_parallelism().is_ok_and(|cores| cores.get() == 1);
    match kind {
        DeviceKind::DiscreteGpu | DeviceKind::IntegratedGpu | DeviceKind::VirtualGpu if !one_core => GPU_POLLING,
        _ => Duration::ZERO,
    }
}

/// The queue family to use: one with compute, if possible with timestamps, and if possible without graphics. On an H200
/// (580.159.04) a launch that is waited for takes 11.4 µs on such a family and 12.7 µs on the one with graphics, where moreover
/// each barrier costs 0.9 µs; copies by groups of 128 or 256 take up to 1.17 of the time as soon as the device has a queue with
/// graphics, used or not.
fn compute_family(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Option<Family> {
    let compute = families(instance, physical).filter(|(_, flags)| flags.contains(vk::QueueFlags::COMPUTE));
    // The first of those that are as good.
    let best =
        compute.min_by_key(|(family, flags)| (family.timestamp_bits == 0, flags.contains(vk::QueueFlags::GRAPHICS)));
    best.map(|(family, _)| family)
}

/// The queue families of a device, and what they can do.
pub(super) fn families(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
) -> impl Iterator<Item = (Family, vk::QueueFlags)> {
    // SAFETY: the device belongs to the instance.
    let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
    families.into_iter().enumerate().map(|(index, family)| {
        let timestamp_bits = family.timestamp_valid_bits;
        (Family { index: to_u32(index), queues: family.queue_count, timestamp_bits }, family.queue_flags)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_do_not_use_the_queue_of_the_fence() {
        let counts = |available, needs_fence| {
            let QueueCounts { created, used, fence } = QueueCounts::new(available, needs_fence);
            (created, used, fence)
        };
        assert_eq!([1, 3, 16].map(|available| counts(available, false)), [(1, 1, None), (3, 3, None), (3, 3, None)]);
        let with_fence = [(1, 1, None), (2, 1, Some(1)), (4, 3, Some(3)), (4, 3, Some(3))];
        assert_eq!([1, 2, 5, 8].map(|available| counts(available, true)), with_fence);
    }
}
