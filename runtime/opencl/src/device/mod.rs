//! Devices (section 4.2): descriptions of Vulkan's devices, which are opened when a context first needs them.

mod affinity;
mod cache;
mod extensions;
mod matrices;
mod partition;
mod queries;
mod spirv;
mod svm_types;
mod vendor;

pub use affinity::Domain;
pub use extensions::{PLATFORM_EXTENSIONS, UNIFIED_SVM_VERSION, UPDATABLE_FIELDS, listed};
pub use partition::{CL_DEVICE_PARTITION_BY_NAMES_INTEL, END_OF_NAMES, NAMES_END_INTEL, Scheme};

use crate::error::{Error, Result};
use crate::handle::{Kind, Ref};
use crate::number;
use crate::processors;
use crate::settings::setting;
use crate::shared::SharedMemory;
use crate::srgb::Converters;
use cache::MemoryCache;
use clforge_compiler::options::{Addressing, OpenClVersion};
use clforge_runtime::{
    self as runtime, Cache, DeviceInfo, DeviceKind, DeviceSelector, Instance, InstanceOptions, NvidiaAttributes,
    OpenClFeature,
};
use opencl_sys::*;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// How a device's memory is the host's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sharing {
    /// The addresses are not the same.
    None,
    /// The host has copies at the same addresses.
    Copies,
    /// The same, and kernels can use memory of the host, which has it at the same addresses, across the bus.
    Placed,
    /// The host has the device's memory at the same addresses.
    InPlace,
    /// The driver executes kernels in the host's process, on the processor, where they can follow all pointers of the host.
    AllMemory,
}

/// A `cl_device_id`.
pub struct Device {
    info: DeviceInfo,
    /// The handle of the platform.
    platform: usize,
    instance: Arc<Instance>,
    opened: Mutex<Option<runtime::Device>>,
    features: OnceLock<Vec<OpenClFeature>>,
    sharing: OnceLock<Sharing>,
    nvidia: OnceLock<Option<NvidiaAttributes>>,
    converters: OnceLock<Converters>,
    /// Of a sub-device.
    part: Option<partition::Part>,
}

impl Kind for Device {
    const INVALID: cl_int = CL_INVALID_DEVICE;
}

impl Device {
    /// Alignment in bytes of parts of buffers where they are addressed by pointers: the size of the largest type, `long16`.
    pub const PART_ALIGNMENT: usize = 128;

    /// Bytes of the largest packet of a pipe (`CL_DEVICE_PIPE_MAX_PACKET_SIZE`).
    pub const MAX_PACKET_SIZE: u32 = 1024;

    /// Bytes of a queue on the device that does not say how large it is to be, and of the largest.
    pub const PREFERRED_QUEUE_SIZE: u32 = 1 << 16;
    /// See [`Self::PREFERRED_QUEUE_SIZE`].
    pub const MAX_QUEUE_SIZE: u32 = runtime::MOST_DEVICE_QUEUE_BYTES;

    /// Alignment in bytes of parts of buffers on this device: where buffers are bound as descriptors, also that of these.
    pub fn part_alignment(&self) -> usize {
        match self.info.addressing() {
            Addressing::Physical64 => Device::PART_ALIGNMENT,
            Addressing::Logical => {
                Device::PART_ALIGNMENT.max(number::size(self.info.limits.min_storage_buffer_offset_alignment))
            }
        }
    }

    /// A device of a platform, by its description.
    pub fn new(instance: &Arc<Instance>, info: DeviceInfo, platform: usize) -> Device {
        let (opened, features) = (Mutex::default(), OnceLock::new());
        let (sharing, nvidia, converters) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Device { info, platform, instance: instance.clone(), opened, features, sharing, nvidia, converters, part: None }
    }

    /// The devices of a list in their order, without those that were named before.
    pub fn once_each(devices: Vec<Ref<Device>>) -> Vec<Ref<Device>> {
        let mut different: Vec<Ref<Device>> = Vec::new();
        for device in devices {
            if !different.iter().any(|known| known.handle() == device.handle()) {
                different.push(device);
            }
        }
        different
    }

    /// Vulkan's description.
    pub fn description(&self) -> &DeviceInfo {
        &self.info
    }

    /// The device, which is opened at the first call.
    ///
    /// # Errors
    /// `CL_DEVICE_NOT_AVAILABLE`, `CL_OUT_OF_RESOURCES`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn open(&self) -> Result<runtime::Device> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = &*opened {
            return Ok(device.clone());
        }
        let selector = DeviceSelector::Index(self.info.index);
        let device = match &self.part {
            None => self.instance.open(&selector).map_err(|error| error.to_string()),
            Some(part) => {
                // The driver starts threads for each instance.
                let open = || Instance::new(InstanceOptions::from_env()).and_then(|instance| instance.open(&selector));
                let opened = processors::on(&part.processors, || open().map_err(|error| error.to_string()));
                opened.unwrap_or_else(|error| Err(error.to_string()))
            }
        };
        let device = device.map_err(|reason| Error::new(CL_DEVICE_NOT_AVAILABLE, reason))?;
        device.set_cache(Cache::from_env());
        let polling = setting("CLFORGE_POLLING").and_then(|microseconds| microseconds.parse().ok());
        if let Some(microseconds) = polling {
            device.set_polling(Duration::from_micros(microseconds));
        }
        let limit = setting("CLFORGE_COMPILE_TIMEOUT").and_then(|seconds| seconds.parse().ok());
        if let Some(limit) = limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()) {
            device.set_compile_limit(Some(limit));
        }
        device.set_overlap(setting("CLFORGE_OVERLAP").is_none_or(|value| value != "0"));
        device.set_clock_boost(setting("CLFORGE_KEEP_CLOCK").is_none_or(|value| value != "0"));
        Ok(opened.insert(device).clone())
    }

    /// `CL_DEVICE_TYPE`.
    pub fn device_type(&self) -> cl_device_type {
        match self.info.kind {
            DeviceKind::DiscreteGpu | DeviceKind::IntegratedGpu | DeviceKind::VirtualGpu => CL_DEVICE_TYPE_GPU,
            DeviceKind::Cpu => CL_DEVICE_TYPE_CPU,
            DeviceKind::Other => CL_DEVICE_TYPE_ACCELERATOR,
        }
    }

    /// Whether it has all that OpenCL 3.1 requires; otherwise it is a device of OpenCL 3.0.
    pub fn is_3_1(&self) -> bool {
        self.info.opencl_version() >= OpenClVersion::V3_1
    }

    /// The sizes that kernels can require of sub-groups: powers of two.
    pub fn sub_group_sizes(&self) -> impl Iterator<Item = u32> {
        let [least, most] = self.info.limits.subgroup_size_range;
        (0..u32::BITS).map(|bit| 1 << bit).filter(move |size| (least..=most).contains(size))
    }

    /// Whether the addresses of buffers on the device are known (`cl_ext_buffer_device_address`).
    pub fn has_buffer_addresses(&self) -> bool {
        self.info.addressing() == Addressing::Physical64
    }

    /// The kinds of memory of other interfaces that it takes (`cl_khr_external_memory`).
    pub fn external_memory(&self) -> Vec<cl_external_memory_handle_type_khr> {
        let kinds = [
            ("memory by file descriptors", CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR),
            ("memory by dma_buf", CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR),
        ];
        self.having(kinds)
    }

    /// The kinds of semaphores of other interfaces that it takes (`cl_khr_external_semaphore`).
    pub fn imported_semaphores(&self) -> Vec<cl_external_semaphore_handle_type_khr> {
        let kinds = [
            ("import of opaque semaphores", CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR),
            ("import of sync files", CL_SEMAPHORE_HANDLE_SYNC_FD_KHR),
        ];
        self.having(kinds)
    }

    /// The kinds of handles of its semaphores that other interfaces take.
    pub fn exported_semaphores(&self) -> Vec<cl_external_semaphore_handle_type_khr> {
        let kinds = [
            ("export of opaque semaphores", CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR),
            ("export of sync files", CL_SEMAPHORE_HANDLE_SYNC_FD_KHR),
        ];
        self.having(kinds)
    }

    /// The kinds of file descriptors for which it has a feature of Vulkan's.
    fn having(&self, kinds: [(&str, cl_uint); 2]) -> Vec<cl_uint> {
        let kinds = kinds.into_iter().filter(|(feature, _)| cfg!(unix) && self.info.has_feature(feature));
        kinds.map(|(_, kind)| kind).collect()
    }

    /// Whether kernels can use a feature or an extension of OpenCL C, by its name.
    pub fn has(&self, name: &str) -> bool {
        self.features().iter().any(|feature| feature.name == name && feature.available)
    }

    /// What CUDA tells of a device of NVIDIA's (`cl_nv_device_attribute_query`).
    fn nvidia(&self) -> Option<NvidiaAttributes> {
        *self.nvidia.get_or_init(|| self.info.nvidia_attributes())
    }

    /// Whether all its memory is the host's.
    pub fn uses_host_memory(&self) -> bool {
        self.info.kind == DeviceKind::Cpu || self.info.hardware.shares_memory
    }

    /// Whether buffers can be in the host's memory (`cl_intel_mem_force_host_memory`).
    pub fn has_host_buffers(&self) -> bool {
        self.uses_host_memory() || self.info.has_feature("memoryMapPlaced")
    }

    /// Bytes of a line of the cache of its memory; 0 if that is not known.
    pub fn cache_line(&self) -> usize {
        self.cache().map_or(0, |cache| number::size(cache.line.into()))
    }

    /// The cache of its memory, if it is known.
    fn cache(&self) -> Option<MemoryCache> {
        if self.info.kind == DeviceKind::Cpu { MemoryCache::of_processor() } else { None }
    }

    /// How host and kernels can have memory at the same addresses: how it was when it was first tried.
    pub fn sharing(&self) -> Sharing {
        let try_once = || {
            let memory = self.open().and_then(|device| SharedMemory::new(&device, 1, Device::PART_ALIGNMENT));
            match memory {
                Err(_) => Sharing::None,
                Ok(memory) if !memory.is_in_place() => {
                    let placed =
                        self.open().and_then(|device| SharedMemory::in_place(&device, 1, Device::PART_ALIGNMENT));
                    if placed.is_ok() { Sharing::Placed } else { Sharing::Copies }
                }
                Ok(_) if self.info.kind == DeviceKind::Cpu => Sharing::AllMemory,
                Ok(_) => Sharing::InPlace,
            }
        };
        *self.sharing.get_or_init(try_once)
    }

    /// Whether [`Device::has_shared_memory`] is to be expected. Programs ask for the extensions of all devices, which must not
    /// open those that they do not use.
    pub fn may_share_memory(&self) -> bool {
        self.has_buffer_addresses() && (cfg!(target_os = "linux") || self.info.kind == DeviceKind::Cpu)
    }

    /// Whether host and kernels can have memory at the same addresses.
    pub fn has_shared_memory(&self) -> bool {
        self.sharing() > Sharing::None
    }

    /// Whether arithmetic on `float` keeps denormals (`CL_FP_DENORM`).
    pub fn keeps_denormals(&self) -> bool {
        self.open().is_ok_and(|device| device.keeps_denormals())
    }

    /// Whether kernels can use pipes.
    pub fn has_pipes(&self) -> bool {
        self.has("__opencl_c_pipes")
    }

    /// Whether kernels can enqueue others.
    pub fn has_device_enqueue(&self) -> bool {
        self.has("__opencl_c_device_enqueue")
    }

    /// Whether it has all of OpenCL C 2.0.
    pub(super) fn has_opencl_c_2_0(&self) -> bool {
        let features = [
            "__opencl_c_3d_image_writes",
            "__opencl_c_atomic_order_seq_cst",
            "__opencl_c_atomic_scope_device",
            "__opencl_c_generic_address_space",
            "__opencl_c_program_scope_global_variables",
            "__opencl_c_read_write_images",
            "__opencl_c_work_group_collective_functions",
        ];
        features.iter().all(|feature| self.has(feature)) && self.has_pipes() && self.has_device_enqueue()
    }

    /// The kernels that convert colours, which are compiled at the first call.
    ///
    /// # Errors
    /// Those of the device.
    pub fn converters(&self) -> Result<&Converters> {
        if self.converters.get().is_none() {
            let made = Converters::new(&self.open()?)?;
            // Another thread may have made them meanwhile.
            _ = self.converters.set(made);
        }
        self.converters.get().ok_or_else(|| Error::internal("no converters"))
    }

    /// Whether images can be used.
    pub fn has_images(&self) -> bool {
        self.has("__opencl_c_images")
    }

    /// The features of OpenCL C that depend on the device. They take some milliseconds to find out, at the first call.
    fn features(&self) -> &[OpenClFeature] {
        self.features.get_or_init(|| self.info.opencl_features())
    }

    /// The largest size of a buffer in bytes (`CL_DEVICE_MAX_MEM_ALLOC_SIZE`).
    pub fn max_allocation(&self) -> u64 {
        self.info.limits.max_allocation.min(self.info.memory)
    }
}
