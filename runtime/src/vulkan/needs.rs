//! What the runtime uses of a device, for programs that create the device themselves.

use super::features::{Available, Chain};
use super::info;
use ash::vk;
use std::ffi::CStr;

/// The extensions and features of a physical device that kernels can use.
///
/// A program that creates a `VkDevice` for itself and for [`crate::Device::from_raw`] enables them, or those of them that its
/// kernels need. Only `timelineSemaphore` is indispensable. [`crate::requirements`] says what a module needs.
pub struct DeviceNeeds {
    enable: Chain,
    available: Vec<vk::ExtensionProperties>,
    api_version: u32,
    extensions: Vec<&'static CStr>,
    features: Vec<&'static str>,
}

impl DeviceNeeds {
    /// Those of a physical device, for an instance that was created for version `api_version` of Vulkan.
    ///
    /// # Safety
    /// The instance was created through `entry`, and the physical device is one of the instance.
    pub unsafe fn query(
        entry: &ash::Entry,
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        api_version: u32,
    ) -> DeviceNeeds {
        let (info, open) = info::query((entry, instance), (physical, 0), None, None);
        let api_version = open.api_version.min(api_version);
        let available = Available { api_version, extensions: &open.extensions };
        let extensions = available.wanted_extensions();
        let is_feature = |name: &&&str| super::features::NAMES.contains(name);
        let features = info.features.iter().filter(is_feature).copied().collect();
        DeviceNeeds { enable: open.enable, available: open.extensions, api_version, extensions, features }
    }

    /// Names of extensions of the device.
    pub fn extensions(&self) -> &[&'static CStr] {
        &self.extensions
    }

    /// Names of features, as the Vulkan specification writes them.
    pub fn feature_names(&self) -> &[&'static str] {
        &self.features
    }

    /// The features, with the structures of the extensions and of the versions of Vulkan behind them, for
    /// `VkDeviceCreateInfo::pNext`.
    pub fn features(&mut self) -> vk::PhysicalDeviceFeatures2<'_> {
        let available = Available { api_version: self.api_version, extensions: &self.available };
        available.link(&mut self.enable)
    }
}
