//! Descriptions of devices: limits, features, what is known of the driver.

use super::features::{self, Available, Chain, Enabled};
use super::hardware::{self, Hardware, ImageLimits};
use super::matrices;
use super::quirks::{self, Quirk};
use super::validation::layer_knows;
use ash::vk;
use clforge_compiler::options::{Addressing, EmulatedTypes, MatrixVariant};
use clforge_compiler::tuning::Tuning;
use clforge_compiler::workarounds::Workarounds;

/// The kind of a device, in order of preference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceKind {
    /// A GPU with memory of its own.
    DiscreteGpu,
    /// A GPU that shares the memory of the host.
    IntegratedGpu,
    /// A GPU as a virtual machine sees it.
    VirtualGpu,
    /// A driver that executes on the processor.
    Cpu,
    /// Anything else.
    #[default]
    Other,
}

/// Limits of a device, which buffers, kernels and launches are checked against. Sizes are in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Limits {
    /// Work-items of a work-group in each dimension.
    pub max_work_group_size: [u32; 3],
    /// Work-items of a work-group in all.
    pub max_work_group_invocations: u32,
    /// Work-groups of one dispatch in each dimension. Larger launches are split.
    pub max_work_group_count: [u32; 3],
    /// Local memory of a work-group.
    pub max_shared_memory: u32,
    /// Push constants of a kernel.
    pub max_push_constants: u32,
    /// Descriptor sets of a kernel.
    pub max_bound_descriptor_sets: u32,
    /// Size of a storage buffer that is bound as a descriptor.
    pub max_storage_buffer_range: u32,
    /// Size of a uniform buffer that is bound as a descriptor.
    pub max_uniform_buffer_range: u32,
    /// Storage images of a kernel; each level of detail counts.
    pub max_storage_images: u32,
    /// Alignment of the offset of a storage buffer descriptor.
    pub min_storage_buffer_offset_alignment: u64,
    /// Alignment of the offset of a uniform buffer descriptor.
    pub min_uniform_buffer_offset_alignment: u64,
    /// Size of a buffer or an image.
    pub max_allocation: u64,
    /// Nanoseconds per tick of the device's timestamps; 0 without timestamps.
    pub timestamp_period: f32,
    /// The number of work-items that the device executes together. Work-groups of a multiple of it leave nothing idle.
    pub preferred_multiple: u32,
    /// Work-items of a sub-group, where no size is requested: 1 where sub-groups are emulated.
    pub subgroup_size: u32,
    /// Smallest and largest sub-group size (powers of two) that a kernel can request; both are [`Limits::subgroup_size`]
    /// where it cannot.
    pub subgroup_size_range: [u32; 2],
    /// Sub-groups of a work-group, where their size is requested.
    pub max_work_group_subgroups: u32,
}

/// One Vulkan device, as `clforge devices` lists it.
#[derive(Clone, Debug, Default, serde::Serialize)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// Index, for [`crate::DeviceSelector::Index`].
    pub index: usize,
    /// The device's name.
    pub name: String,
    /// Its kind.
    pub kind: DeviceKind,
    /// Vulkan version, as in `1.3.230`.
    pub api_version: String,
    /// Driver name and version as the driver prints them.
    pub driver: String,
    /// PCI vendor id.
    pub vendor_id: u32,
    /// PCI device id.
    pub device_id: u32,
    /// Bytes of the largest device-local heap.
    pub memory: u64,
    /// Limits.
    pub limits: Limits,
    /// Limits of images.
    #[serde(skip)]
    pub images: ImageLimits,
    /// What identifies it, and numbers of its hardware.
    #[serde(skip)]
    pub hardware: Hardware,
    /// Names of the Vulkan features, and of properties that act like features, that kernels can use.
    pub features: Vec<&'static str>,
    /// What modules for this driver are written around: the workarounds of its version, or those of all drivers where
    /// the driver is not known.
    #[serde(skip)]
    pub workarounds: Workarounds,
    /// Forms of code that this driver executes faster.
    #[serde(skip)]
    pub tuning: Tuning,
    /// What else is known of the driver.
    pub quirks: Vec<Quirk>,
    /// The products of cooperative matrices that it has instructions for, among the work-items of a sub-group.
    #[serde(skip)]
    pub matrices: Vec<MatrixVariant>,
    /// Why it cannot be used, if so.
    pub unusable: Option<String>,
}

impl DeviceInfo {
    /// Whether the device has a feature, or a property that acts like one: see [`DeviceInfo::features`].
    pub fn has_feature(&self, name: &str) -> bool {
        self.features.contains(&name)
    }

    /// The types that the device lacks and that modules for it emulate.
    pub fn emulated_types(&self) -> EmulatedTypes {
        let mut emulated = EmulatedTypes::default();
        emulated.add_missing(|name| self.has_feature(name));
        emulated
    }

    /// How modules for the device address buffers.
    pub fn addressing(&self) -> Addressing {
        if self.has_feature("bufferDeviceAddress") { Addressing::Physical64 } else { Addressing::Logical }
    }

    /// Whether the driver is known to have a quirk.
    pub fn has_quirk(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    /// What programs must know of the driver's defects, each in a sentence.
    pub fn warnings(&self) -> impl Iterator<Item = &'static str> {
        self.quirks.iter().filter_map(|quirk| quirk.warning())
    }
}

/// What opening a device needs beside [`DeviceInfo`].
pub(crate) struct OpenInfo {
    /// The features to enable.
    pub enable: Chain,
    pub extensions: Vec<vk::ExtensionProperties>,
    pub api_version: u32,
}

/// Describes a device. Never fails: a device that cannot be queried is unusable.
///
/// `layer` is the version of the validation layer, where one is loaded: extensions that it does not know are left out, and so is
/// what a program that created the device has not `enabled`.
pub(super) fn query(
    (entry, instance): (&ash::Entry, &ash::Instance),
    (raw, index): (vk::PhysicalDevice, usize),
    layer: Option<u32>,
    enabled: Option<&Enabled<'_>>,
) -> (DeviceInfo, OpenInfo) {
    // SAFETY: `raw` comes from this instance.
    let mut basic = unsafe { instance.get_physical_device_properties(raw) };
    basic.api_version = enabled.map_or(basic.api_version, |enabled| basic.api_version.min(enabled.api_version));
    // SAFETY: as above.
    let memory = unsafe { instance.get_physical_device_memory_properties(raw) };
    let local = |heap: &&vk::MemoryHeap| heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL);
    let mut info = DeviceInfo {
        index,
        name: basic.device_name_as_c_str().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        kind: kind(basic.device_type),
        api_version: version(basic.api_version),
        vendor_id: basic.vendor_id,
        device_id: basic.device_id,
        memory: memory.memory_heaps_as_slice().iter().filter(local).map(|heap| heap.size).max().unwrap_or(0),
        limits: basic_limits(&basic.limits),
        images: ImageLimits::new(&basic.limits),
        ..DeviceInfo::default()
    };
    let mut open = OpenInfo { enable: Chain::default(), extensions: Vec::new(), api_version: basic.api_version };
    if basic.api_version < vk::API_VERSION_1_2 {
        info.unusable = Some(format!("it offers Vulkan {}, but 1.2 is needed", info.api_version));
        return (info, open);
    }
    // SAFETY: as above.
    open.extensions = unsafe { instance.enumerate_device_extension_properties(raw) }.unwrap_or_default();
    if let Some(layer) = layer {
        open.extensions
            .retain(|extension| extension.extension_name_as_c_str().is_ok_and(|name| layer_knows(layer, name)));
    }
    if let Some(enabled) = enabled {
        let is_enabled = |name: &std::ffi::CStr| enabled.extensions.contains(&name);
        open.extensions.retain(|extension| extension.extension_name_as_c_str().is_ok_and(is_enabled));
    }
    let available = Available { api_version: basic.api_version, extensions: &open.extensions };

    let mut supported = Chain::default();
    let mut features = available.link(&mut supported);
    // SAFETY: the chain holds only structures the device understands.
    unsafe { instance.get_physical_device_features2(raw, &mut features) };
    let core = features.features;
    supported.set_core(core);
    (open.enable, info.features) = features::wanted(&supported, enabled.map(|enabled| enabled.features));
    if basic.api_version >= vk::API_VERSION_1_3 {
        // VkFormatProperties3 states for each format whether storage images may be accessed without naming it.
        info.features.push("format feature flags 2");
    }
    if available.imports_host_memory() {
        info.features.push("host memory import");
    }
    if available.extension(ash::khr::external_memory_fd::NAME) {
        info.features.push("memory by file descriptors");
        if available.extension(ash::ext::external_memory_dma_buf::NAME) {
            info.features.push("memory by dma_buf");
        }
    }
    #[cfg(unix)]
    if available.extension(ash::khr::external_semaphore_fd::NAME) {
        info.features.extend(super::semaphore_handle::SemaphoreHandle::features(instance, raw));
    }
    properties(instance, raw, &mut info);
    if info.has_feature("cooperativeMatrix") {
        info.matrices = matrices::query(&ash::khr::cooperative_matrix::Instance::new(entry, instance), raw);
        if info.has_quirk(Quirk::NarrowByteMatrices) {
            info.matrices.retain(|variant| !matrices::is_narrow_of_bytes(variant));
        }
    }
    info.hardware = hardware::query(instance, raw, available);
    (info, open)
}

fn properties(instance: &ash::Instance, raw: vk::PhysicalDevice, info: &mut DeviceInfo) {
    let mut v11 = vk::PhysicalDeviceVulkan11Properties::default();
    let mut v12 = vk::PhysicalDeviceVulkan12Properties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut v11).push_next(&mut v12);
    // SAFETY: the device has Vulkan 1.2, so it knows both structures.
    unsafe { instance.get_physical_device_properties2(raw, &mut properties) };
    info.limits.max_allocation = v11.max_memory_allocation_size;
    info.limits.subgroup_size = v11.subgroup_size;
    info.limits.preferred_multiple = v11.subgroup_size;
    info.limits.subgroup_size_range = [v11.subgroup_size; 2];
    if info.has_feature("subgroupSizeControl") {
        let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut sizes);
        // SAFETY: the device has the feature, so it knows the structure.
        unsafe { instance.get_physical_device_properties2(raw, &mut properties) };
        if sizes.required_subgroup_size_stages.contains(vk::ShaderStageFlags::COMPUTE) {
            info.limits.subgroup_size_range = [sizes.min_subgroup_size, sizes.max_subgroup_size];
            info.limits.max_work_group_subgroups = sizes.max_compute_workgroup_subgroups;
        }
    }
    if v11.subgroup_supported_stages.contains(vk::ShaderStageFlags::COMPUTE) {
        use vk::SubgroupFeatureFlags as F;
        let operations = [
            (F::BASIC, "subgroup basic operations"),
            (F::VOTE, "subgroup vote operations"),
            (F::ARITHMETIC, "subgroup arithmetic operations"),
            (F::BALLOT, "subgroup ballot operations"),
            (F::SHUFFLE, "subgroup shuffle operations"),
            (F::SHUFFLE_RELATIVE, "subgroup shuffle relative operations"),
            (F::CLUSTERED, "subgroup clustered operations"),
            (F::QUAD, "subgroup quad operations"),
        ];
        let has = |(flag, name): (F, &'static str)| v11.subgroup_supported_operations.contains(flag).then_some(name);
        info.features.extend(operations.into_iter().filter_map(has).filter(|name| !features::is_masked(name)));
    }
    if info.emulated_types().sub_groups {
        info.limits.subgroup_size = 1;
        info.limits.subgroup_size_range = [1; 2];
        info.limits.max_work_group_subgroups = u32::MAX;
    }
    info.features.extend(float_controls(&v12));

    let text = |text: std::result::Result<&std::ffi::CStr, _>| {
        text.map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let details = text(v12.driver_info_as_c_str());
    info.driver = format!("{} {details}", text(v12.driver_name_as_c_str())).trim().into();
    let known = quirks::known(v12.driver_id, &details, &info.features);
    (info.workarounds, info.tuning, info.quirks) = (known.workarounds, known.tuning, known.quirks);
}

/// The float controls that a device supports, as names of its properties.
fn float_controls(v12: &vk::PhysicalDeviceVulkan12Properties<'_>) -> impl Iterator<Item = &'static str> {
    let controls = [
        (v12.shader_signed_zero_inf_nan_preserve_float16, "shaderSignedZeroInfNanPreserveFloat16"),
        (v12.shader_signed_zero_inf_nan_preserve_float32, "shaderSignedZeroInfNanPreserveFloat32"),
        (v12.shader_signed_zero_inf_nan_preserve_float64, "shaderSignedZeroInfNanPreserveFloat64"),
        (v12.shader_denorm_preserve_float16, "shaderDenormPreserveFloat16"),
        (v12.shader_denorm_preserve_float32, "shaderDenormPreserveFloat32"),
        (v12.shader_denorm_preserve_float64, "shaderDenormPreserveFloat64"),
        (v12.shader_denorm_flush_to_zero_float16, "shaderDenormFlushToZeroFloat16"),
        (v12.shader_denorm_flush_to_zero_float32, "shaderDenormFlushToZeroFloat32"),
        (v12.shader_denorm_flush_to_zero_float64, "shaderDenormFlushToZeroFloat64"),
        (v12.shader_rounding_mode_rte_float16, "shaderRoundingModeRTEFloat16"),
        (v12.shader_rounding_mode_rte_float32, "shaderRoundingModeRTEFloat32"),
        (v12.shader_rounding_mode_rte_float64, "shaderRoundingModeRTEFloat64"),
        (v12.shader_rounding_mode_rtz_float16, "shaderRoundingModeRTZFloat16"),
        (v12.shader_rounding_mode_rtz_float32, "shaderRoundingModeRTZFloat32"),
        (v12.shader_rounding_mode_rtz_float64, "shaderRoundingModeRTZFloat64"),
    ];
    controls.into_iter().filter(|(has, _)| *has == vk::TRUE).map(|(_, name)| name)
}

fn basic_limits(limits: &vk::PhysicalDeviceLimits) -> Limits {
    Limits {
        max_work_group_size: limits.max_compute_work_group_size,
        max_work_group_invocations: limits.max_compute_work_group_invocations,
        max_work_group_count: limits.max_compute_work_group_count,
        max_shared_memory: limits.max_compute_shared_memory_size,
        max_push_constants: limits.max_push_constants_size,
        max_bound_descriptor_sets: limits.max_bound_descriptor_sets,
        max_storage_buffer_range: limits.max_storage_buffer_range,
        max_uniform_buffer_range: limits.max_uniform_buffer_range,
        max_storage_images: limits.max_per_stage_descriptor_storage_images,
        min_storage_buffer_offset_alignment: limits.min_storage_buffer_offset_alignment,
        min_uniform_buffer_offset_alignment: limits.min_uniform_buffer_offset_alignment,
        max_allocation: u64::MAX,
        timestamp_period: limits.timestamp_period,
        preferred_multiple: 1,
        subgroup_size: 1,
        subgroup_size_range: [1; 2],
        max_work_group_subgroups: u32::MAX,
    }
}

fn kind(kind: vk::PhysicalDeviceType) -> DeviceKind {
    match kind {
        vk::PhysicalDeviceType::DISCRETE_GPU => DeviceKind::DiscreteGpu,
        vk::PhysicalDeviceType::INTEGRATED_GPU => DeviceKind::IntegratedGpu,
        vk::PhysicalDeviceType::VIRTUAL_GPU => DeviceKind::VirtualGpu,
        vk::PhysicalDeviceType::CPU => DeviceKind::Cpu,
        _ => DeviceKind::Other,
    }
}

fn version(version: u32) -> String {
    let (major, minor) = (vk::api_version_major(version), vk::api_version_minor(version));
    format!("{major}.{minor}.{}", vk::api_version_patch(version))
}
