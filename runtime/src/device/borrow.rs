//! Devices that a program has created.

use super::Device;
use super::open::{QueueCounts, Queues, families};
use crate::error::{Error, Result};
use crate::narrow::to_u32;
use crate::vulkan::{Borrowed, Enabled, Instance, Quirk, RawDevice};
use ash::vk;
use std::any::Any;
use std::ffi::CStr;
use std::ops::Deref;

/// A `VkDevice` of a program, and what the program lends of it: see [`Device::from_raw`].
pub struct ExternalDevice<'a> {
    /// The loader.
    pub entry: ash::Entry,
    /// The instance that the device belongs to.
    pub instance: ash::Instance,
    /// The version of Vulkan that the instance was created for, such as [`vk::API_VERSION_1_3`]; 1.2 at the least.
    pub api_version: u32,
    /// The physical device.
    pub physical_device: vk::PhysicalDevice,
    /// The device.
    pub device: ash::Device,
    /// The extensions that it was created with.
    pub extensions: &'a [&'a CStr],
    /// Names of the features that it was created with, as the Vulkan specification writes them (`"shaderInt64"`). Others than
    /// those of [`crate::DeviceNeeds`] are ignored.
    pub features: &'a [&'a str],
    /// The family of the queues, which has compute.
    pub queue_family: u32,
    /// Queues of the family. With several, the last one may be needed for a workaround of NVIDIA's driver, and is not used
    /// otherwise.
    pub queues: &'a [vk::Queue],
    /// Dropped when the runtime has stopped using the device: something that keeps the device and the instance alive, or `()`.
    pub guard: Box<dyn Any + Send + Sync>,
}

impl Device {
    /// A device that a program has created and destroys, so that kernels and the program's own commands share buffers, images
    /// and queues: see [`crate::Buffer::from_raw`], [`crate::Image::from_raw`], [`crate::Queue::wait_for_semaphore`] and
    /// [`crate::Event::semaphore`]. Its features are those that the program has enabled; modules get what they are compiled for
    /// by [`Device::tuned`] as on every device.
    ///
    /// # Errors
    /// [`Error::NoDevice`] without timeline semaphores, for a family without compute, or without a queue; [`Error::Vulkan`].
    ///
    /// # Safety
    /// The handles belong together, the device was created with the extensions and features that are named, and it is destroyed
    /// after the guard has been dropped. The queues belong to the family. While the runtime may use them, which is until the
    /// guard is dropped, the program accesses them only with [`Device::lock_queue`].
    pub unsafe fn from_raw(external: ExternalDevice<'_>) -> Result<Device> {
        let ExternalDevice { entry, instance, physical_device: physical, .. } = external;
        // SAFETY: the caller's promise.
        let instance = unsafe { Instance::borrowed(entry, instance) };
        let (api_version, extensions, features) = (external.api_version, external.extensions, external.features);
        let enabled = Enabled { api_version, extensions, features };
        let (info, _) = instance.query(physical, 0, Some(&enabled));
        let unusable = |reason: &str| Error::NoDevice { reason: format!("'{}' cannot be used: {reason}", info.name) };
        if let Some(reason) = &info.unusable {
            return Err(unusable(reason));
        }
        if !info.has_feature("timelineSemaphore") {
            return Err(unusable("the feature timelineSemaphore is not enabled"));
        }
        let family = families(&instance.shared.raw, physical)
            .find(|(family, flags)| family.index == external.queue_family && flags.contains(vk::QueueFlags::COMPUTE));
        let (family, flags) = family.ok_or_else(|| unusable("the queues cannot execute kernels"))?;
        // Queues with graphics need no fence.
        let stale = info.has_quirk(Quirk::StaleInstructions) && !flags.contains(vk::QueueFlags::GRAPHICS);
        let counts = QueueCounts::new(to_u32(external.queues.len()), stale);
        let used: Vec<_> = external.queues.iter().take(counts.used as usize).copied().collect();
        let fence = counts.fence.and_then(|_| external.queues.last()).copied();
        if used.is_empty() {
            return Err(unusable("there is no queue"));
        }
        let mut raw = RawDevice::new(external.device, instance.shared.clone(), info.has_feature("hostQueryReset"));
        raw.borrowed = Some(Borrowed { queues: Vec::new(), _guard: external.guard });
        // SAFETY: the caller's promise.
        unsafe { Device::over(raw, physical, info, Queues { family, used, fence }) }
    }

    /// The handle and functions of the device. It must not be destroyed.
    pub fn as_raw(&self) -> &ash::Device {
        &self.shared.raw
    }

    /// The handle and functions of its instance. It must not be destroyed.
    pub fn raw_instance(&self) -> &ash::Instance {
        &self.shared.raw.instance.raw
    }

    /// The handle of the physical device.
    pub fn physical_device(&self) -> vk::PhysicalDevice {
        self.shared.physical
    }

    /// The family of the queues that the runtime uses.
    pub fn queue_family(&self) -> u32 {
        self.shared.shared_queues.first().map_or(0, |queue| queue.family)
    }

    /// One of the queues that the runtime uses, for the program to submit something. The runtime waits while the result is held,
    /// so that the thread that holds it must not call functions that submit or wait.
    ///
    /// # Errors
    /// [`Error::Limit`] for an index that is not less than their number.
    pub fn lock_queue(&self, index: usize) -> Result<impl Deref<Target = vk::Queue> + '_> {
        let queues = &self.shared.shared_queues;
        let missing = || {
            let what = "index of a queue".into();
            Error::Limit { what, limit: queues.len().saturating_sub(1) as u64, requested: index as u64 }
        };
        Ok(queues.get(index).ok_or_else(missing)?.lock())
    }
}
