//! The platform (section 4.1), of which there is one.

use crate::device::{Device, PLATFORM_EXTENSIONS, UNIFIED_SVM_VERSION, listed};
use crate::error::{Error, Result};
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown, version};
use crate::settings::setting;
use crate::shared::SvmType;
use clforge_runtime::{DeviceSelector, Instance, InstanceOptions};
use opencl_sys::*;
use std::sync::{Arc, OnceLock};

/// A `cl_platform_id`.
pub struct Platform {
    devices: OnceLock<Vec<Ref<Device>>>,
    /// The types of shared virtual memory that some device has.
    svm_types: OnceLock<Vec<SvmType>>,
}

impl Kind for Platform {
    const INVALID: cl_int = CL_INVALID_PLATFORM;
}

/// The platform; `CLFORGE_DEVICE` (a number, or a part of a name) leaves one of its devices.
///
/// # Errors
/// `CL_PLATFORM_NOT_FOUND_KHR` without a Vulkan loader, or where no device can be used.
pub fn platform() -> Result<Ref<Platform>> {
    static PLATFORM: OnceLock<std::result::Result<Ref<Platform>, String>> = OnceLock::new();
    let made = PLATFORM.get_or_init(|| create().map_err(|error| error.to_string()));
    made.clone().map_err(|reason| Error::new(CL_PLATFORM_NOT_FOUND_KHR, reason))
}

/// Says on standard error why the device that the user has named is not used: programs only say that there is no platform.
fn complain(wanted: &str, reason: &dyn std::fmt::Display) {
    use std::io::Write;
    // Nobody could be told that standard error is closed.
    let _ = writeln!(std::io::stderr(), "clforge: error: CLFORGE_DEVICE={wanted}: {reason}");
}

fn create() -> clforge_runtime::Result<Ref<Platform>> {
    let instance = Arc::new(Instance::new(InstanceOptions::from_env())?);
    let mut found = instance.devices()?;
    if let Some(wanted) = setting("CLFORGE_DEVICE") {
        let selector: DeviceSelector = wanted.parse().unwrap_or_default();
        let index = Instance::select(&found, &selector).inspect_err(|error| complain(&wanted, error))?;
        found.retain(|device| device.index == index);
        let reason = found.first().and_then(|device| device.unusable.as_ref());
        reason.iter().for_each(|reason| complain(&wanted, reason));
    }
    found.retain(|device| {
        if let Some(reason) = &device.unusable {
            tracing::info!("device '{}' is left out: {reason}", device.name);
        }
        device.unusable.is_none()
    });
    let platform = Object::new(Platform { devices: OnceLock::new(), svm_types: OnceLock::new() });
    // Never released: the specification has no functions that count platforms and root devices.
    let handle = platform.expose();
    let devices = found.into_iter().map(|info| Object::new(Device::new(&instance, info, handle)));
    let devices = devices.inspect(|device| _ = device.expose());
    platform.devices.get_or_init(|| devices.collect());
    Ok(platform)
}

impl Platform {
    fn all_devices(&self) -> &[Ref<Device>] {
        self.devices.get().map_or(&[], Vec::as_slice)
    }

    /// The types of shared virtual memory that some device has, by their indices (`cl_khr_unified_svm`). The first call opens all
    /// devices.
    pub fn svm_types(&self) -> &[SvmType] {
        let has = |known: &SvmType| self.all_devices().iter().any(|device| device.svm_capabilities(*known) != 0);
        self.svm_types.get_or_init(|| SvmType::ALL.into_iter().filter(has).collect())
    }

    /// What all devices that have a type of shared virtual memory can do with it (`CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR`).
    pub fn svm_capabilities(&self, known: SvmType) -> cl_svm_capabilities_khr {
        let devices = self.all_devices().iter().map(|device| device.svm_capabilities(known));
        devices.filter(|has| *has != 0).reduce(|all, has| all & has).unwrap_or(0)
    }

    /// The kinds of handles that all devices have.
    fn of_all_devices(&self, kinds: fn(&Device) -> Vec<cl_uint>) -> Value {
        let devices = self.all_devices();
        let mut common = devices.first().map_or(Vec::new(), |device| kinds(device));
        common.retain(|kind| devices.iter().all(|device| kinds(device).contains(kind)));
        Value::list(&common)
    }

    /// Names and versions of the platform's extensions: its own, and those that all devices have.
    fn extensions(&self) -> Vec<(&'static str, u32)> {
        let mut names: Vec<_> = PLATFORM_EXTENSIONS.map(|name| (name, version(1, 0, 0))).into();
        if self.all_devices().iter().any(|device| device.may_share_memory()) {
            names.push(("cl_khr_unified_svm", UNIFIED_SVM_VERSION));
        }
        let mut lists = self.all_devices().iter().map(|device| device.extensions());
        let mut common = lists.next().unwrap_or_default();
        lists.for_each(|list| common.retain(|each| list.contains(each)));
        common.retain(|(name, _)| names.iter().all(|(known, _)| known != name));
        names.extend(common);
        listed(names)
    }

    /// The devices of a type. The first is the one that a client without a preference is to take.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE_TYPE`, `CL_DEVICE_NOT_FOUND`.
    pub fn devices(&self, device_type: cl_device_type) -> Result<Vec<Ref<Device>>> {
        let known = CL_DEVICE_TYPE_DEFAULT
            | CL_DEVICE_TYPE_CPU
            | CL_DEVICE_TYPE_GPU
            | CL_DEVICE_TYPE_ACCELERATOR
            | CL_DEVICE_TYPE_CUSTOM;
        if device_type != CL_DEVICE_TYPE_ALL && (device_type == 0 || device_type & !known != 0) {
            return Err(Error::new(CL_INVALID_DEVICE_TYPE, format!("device type {device_type:#x}")));
        }
        let mut devices = self.devices.get().cloned().unwrap_or_default();
        if device_type == CL_DEVICE_TYPE_DEFAULT {
            devices.sort_by_key(|device| device.device_type() != CL_DEVICE_TYPE_GPU);
            devices.truncate(1);
        } else {
            devices.retain(|device| device.device_type() & device_type != 0);
        }
        if devices.is_empty() {
            return Err(Error::new(CL_DEVICE_NOT_FOUND, "no device of this type"));
        }
        Ok(devices)
    }
}

/// A text that a setting replaces, for programs that look for an implementation by name.
fn named(name: &str, usual: &str) -> Value {
    Value::text(&setting(name).unwrap_or_else(|| usual.to_owned()))
}

impl Info for Object<Platform> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        Ok(match name {
            CL_PLATFORM_PROFILE => Value::text("FULL_PROFILE"),
            CL_PLATFORM_VERSION => Value::text(concat!("OpenCL 3.1 clforge ", env!("CARGO_PKG_VERSION"))),
            CL_PLATFORM_NUMERIC_VERSION => Value::of(version(3, 1, 0)),
            CL_PLATFORM_NAME => named("CLFORGE_PLATFORM_NAME", "clforge"),
            CL_PLATFORM_VENDOR => named("CLFORGE_PLATFORM_VENDOR", "clforge"),
            CL_PLATFORM_EXTENSIONS => {
                Value::text(&self.extensions().iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" "))
            }
            CL_PLATFORM_EXTENSIONS_WITH_VERSION => Value::versions(self.extensions()),
            CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR => Value::of(
                CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR
                    | CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR
                    | CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR,
            ),
            CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR => {
                let types = self.svm_types().iter().map(|known| self.svm_capabilities(*known));
                Value::list(&types.collect::<Vec<_>>())
            }
            // Queues have threads of this library, and the end of the process calls it.
            CL_PLATFORM_UNLOADABLE_KHR => Value::flag(false),
            CL_PLATFORM_ICD_SUFFIX_KHR => Value::text("CLFORGE"),
            CL_PLATFORM_SEMAPHORE_TYPES_KHR => Value::of(CL_SEMAPHORE_TYPE_BINARY_KHR),
            CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR => self.of_all_devices(Device::external_memory),
            CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR => self.of_all_devices(Device::imported_semaphores),
            CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR => self.of_all_devices(Device::exported_semaphores),
            // The times of events are on the host's clock, which has nanoseconds.
            CL_PLATFORM_HOST_TIMER_RESOLUTION => Value::of(1u64),
            _ => return Err(unknown(name)),
        })
    }
}
