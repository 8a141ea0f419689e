//! The Vulkan instance: loader, validation layer, list of devices.

use super::features::Enabled;
use super::info::{self, DeviceInfo, OpenInfo};
use super::select::{self, DeviceSelector};
use super::validation::{self, ValidationLog};
use crate::error::{DRIVERS, Error, Result};
use ash::{ext, khr, vk};
use std::ffi::CStr;
use std::sync::Arc;

const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// Settings of an [`Instance`] and its devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct InstanceOptions {
    /// Load `VK_LAYER_KHRONOS_validation` with its checks of synchronisation, print its messages to standard error and keep
    /// them: see [`crate::Device::validation_messages`].
    pub validation: bool,
    /// Copy through staging buffers even where memory is host-visible, to test on an integrated device what happens on a
    /// discrete one.
    pub always_stage: bool,
}

impl InstanceOptions {
    /// Validation where the environment variable `CLFORGE_VALIDATION` is `1`.
    pub fn from_env() -> InstanceOptions {
        let validation = std::env::var_os("CLFORGE_VALIDATION").is_some_and(|value| value == "1");
        InstanceOptions { validation, always_stage: false }
    }
}

/// The connection to the Vulkan loader. Cloning is cheap.
#[derive(Clone)]
pub struct Instance {
    pub(crate) shared: Arc<InstanceShared>,
}

pub(crate) struct InstanceShared {
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    pub raw: ash::Instance,
    pub log: Arc<ValidationLog>,
    pub options: InstanceOptions,
    /// Version of the specification that the validation layer was written for, where it is loaded.
    layer: Option<u32>,
    /// Whether the instance is a program's, which destroys it.
    borrowed: bool,
    /// Keeps the loader's library in memory; must be dropped last.
    _entry: ash::Entry,
}

impl InstanceShared {
    /// Lets the validation layer report its messages.
    fn create_messenger(&mut self) -> Result<()> {
        let functions = ext::debug_utils::Instance::new(&self._entry, &self.raw);
        let info = validation::messenger_info(&self.log);
        // SAFETY: the extension is enabled; the log that the callback uses lives longer than the messenger.
        let messenger = unsafe { functions.create_debug_utils_messenger(&info, None) }
            .map_err(Error::vulkan("vkCreateDebugUtilsMessengerEXT"))?;
        self.messenger = Some((functions, messenger));
        Ok(())
    }
}

impl Drop for InstanceShared {
    fn drop(&mut self) {
        // SAFETY: devices hold an Arc of this struct, so none is left; messenger and instance are destroyed once.
        unsafe {
            if let Some((functions, messenger)) = self.messenger.take() {
                functions.destroy_debug_utils_messenger(messenger, None);
            }
            if !self.borrowed {
                self.raw.destroy_instance(None);
            }
        }
    }
}

impl Instance {
    /// The instance of a program, which destroys it when nothing that was made from this one is left.
    ///
    /// # Safety
    /// The instance was created through `entry`.
    pub(crate) unsafe fn borrowed(entry: ash::Entry, raw: ash::Instance) -> Instance {
        let (log, options) = (Arc::default(), InstanceOptions::default());
        let shared = InstanceShared { messenger: None, raw, log, options, layer: None, borrowed: true, _entry: entry };
        Instance { shared: Arc::new(shared) }
    }

    /// Loads the Vulkan loader and creates an instance.
    ///
    /// # Errors
    /// [`Error::NoLoader`], [`Error::NoDevice`] when there is no driver, [`Error::Unsupported`] when validation is
    /// requested and the layer is not installed.
    pub fn new(options: InstanceOptions) -> Result<Instance> {
        // SAFETY: loading runs the initialisers of the system's Vulkan loader, as every Vulkan program does.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| Error::NoLoader { reason: error.to_string() })?;
        // SAFETY: no preconditions.
        let version = unsafe { entry.try_enumerate_instance_version() }
            .map_err(Error::vulkan("vkEnumerateInstanceVersion"))?
            .unwrap_or(vk::API_VERSION_1_0);
        if version < vk::API_VERSION_1_1 {
            return Err(Error::NoLoader { reason: "the loader only knows Vulkan 1.0; 1.1 is needed".into() });
        }
        // SAFETY: no preconditions.
        let extensions = unsafe { entry.enumerate_instance_extension_properties(None) }
            .map_err(Error::vulkan("vkEnumerateInstanceExtensionProperties"))?;
        let has = |name: &CStr| extensions.iter().any(|e| e.extension_name_as_c_str() == Ok(name));

        let mut names = Vec::new();
        let mut flags = vk::InstanceCreateFlags::empty();
        if has(khr::portability_enumeration::NAME) {
            names.push(khr::portability_enumeration::NAME.as_ptr());
            flags |= vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR;
        }
        let mut layers = Vec::new();
        let mut layer = None;
        if options.validation {
            layer = Some(layer_version(&entry)?);
            layers.push(VALIDATION_LAYER.as_ptr());
            names.push(ext::debug_utils::NAME.as_ptr());
            names.push(ext::validation_features::NAME.as_ptr());
        }

        let log = Arc::new(ValidationLog::default());
        let application = vk::ApplicationInfo::default()
            .application_name(c"clforge")
            .engine_name(c"clforge")
            .api_version(vk::API_VERSION_1_3);
        let mut messenger_info = validation::messenger_info(&log);
        let mut info = vk::InstanceCreateInfo::default()
            .flags(flags)
            .application_info(&application)
            .enabled_extension_names(&names)
            .enabled_layer_names(&layers);
        let enabled = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
        let mut validation_features = vk::ValidationFeaturesEXT::default().enabled_validation_features(&enabled);
        if options.validation {
            info = info.push_next(&mut messenger_info).push_next(&mut validation_features);
        }
        // SAFETY: all pointers in `info` live until the call returns; layers and extensions were checked above.
        let raw = unsafe { entry.create_instance(&info, None) }.map_err(|result| match result {
            vk::Result::ERROR_INCOMPATIBLE_DRIVER => {
                Error::NoDevice { reason: format!("no Vulkan driver is installed ({DRIVERS})") }
            }
            _ => Error::vulkan("vkCreateInstance")(result),
        })?;
        let mut shared = InstanceShared { messenger: None, raw, log, options, layer, borrowed: false, _entry: entry };
        if options.validation {
            shared.create_messenger()?;
        }
        Ok(Instance { shared: Arc::new(shared) })
    }

    /// All devices, in the order of the indices that [`DeviceSelector::Index`] takes.
    ///
    /// # Errors
    /// [`Error::Vulkan`]. A machine without a device is no error, but gives an empty list.
    pub fn devices(&self) -> Result<Vec<DeviceInfo>> {
        let devices = self.physical_devices()?;
        Ok(devices.into_iter().enumerate().map(|(index, raw)| self.query(raw, index, None).0).collect())
    }

    /// The index of the device that `selector` names in a list from [`Instance::devices`].
    ///
    /// # Errors
    /// [`Error::NoDevice`], [`Error::NoSuchDevice`].
    pub fn select(devices: &[DeviceInfo], selector: &DeviceSelector) -> Result<usize> {
        select::select(devices, selector)
    }

    /// Describes `raw`, and what opening it needs; of a device that a program has created, with what it has `enabled`.
    pub(crate) fn query(
        &self,
        raw: vk::PhysicalDevice,
        index: usize,
        enabled: Option<&Enabled<'_>>,
    ) -> (DeviceInfo, OpenInfo) {
        info::query((&self.shared._entry, &self.shared.raw), (raw, index), self.shared.layer, enabled)
    }

    /// The devices in the order of their indices.
    pub(crate) fn physical_devices(&self) -> Result<Vec<vk::PhysicalDevice>> {
        // SAFETY: the instance is alive.
        unsafe { self.shared.raw.enumerate_physical_devices() }.or_else(|result| match result {
            vk::Result::ERROR_INITIALIZATION_FAILED => Ok(Vec::new()),
            _ => Err(Error::vulkan("vkEnumeratePhysicalDevices")(result)),
        })
    }
}

/// The version of the specification that the installed validation layer was written for.
fn layer_version(entry: &ash::Entry) -> Result<u32> {
    // SAFETY: no preconditions.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }
        .map_err(Error::vulkan("vkEnumerateInstanceLayerProperties"))?;
    let layer = layers.iter().find(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION_LAYER));
    layer.map(|layer| layer.spec_version).ok_or_else(|| Error::NoDevice {
        reason: "validation was requested, but VK_LAYER_KHRONOS_validation is not installed \
                 (Debian: vulkan-validationlayers)"
            .into(),
    })
}
