//! Vulkan features: which a device has, and which of them are enabled.

use ash::vk;
use std::ffi::CStr;

/// The structures with which features are queried and enabled.
#[derive(Default)]
pub(crate) struct Chain {
    core: vk::PhysicalDeviceFeatures,
    v11: vk::PhysicalDeviceVulkan11Features<'static>,
    v12: vk::PhysicalDeviceVulkan12Features<'static>,
    v13: vk::PhysicalDeviceVulkan13Features<'static>,
    atomic_float: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    atomic_float2: vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT<'static>,
    explicit_layout: vk::PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR<'static>,
    clock: vk::PhysicalDeviceShaderClockFeaturesKHR<'static>,
    rotate: vk::PhysicalDeviceShaderSubgroupRotateFeaturesKHR<'static>,
    expect: vk::PhysicalDeviceShaderExpectAssumeFeaturesKHR<'static>,
    size_control: vk::PhysicalDeviceSubgroupSizeControlFeatures<'static>,
    matrices: vk::PhysicalDeviceCooperativeMatrixFeaturesKHR<'static>,
    placed: vk::PhysicalDeviceMapMemoryPlacedFeaturesEXT<'static>,
}

/// Extensions that are enabled where the device has them, beside those of [`Chain`].
const PLAIN_EXTENSIONS: [&CStr; 6] = [
    ash::khr::shader_non_semantic_info::NAME,
    ash::ext::external_memory_host::NAME,
    ash::khr::external_memory_fd::NAME,
    ash::khr::external_semaphore_fd::NAME,
    ash::ext::external_memory_dma_buf::NAME,
    c"VK_KHR_portability_subset",
];

/// What a program has enabled of a device that it created.
pub(crate) struct Enabled<'a> {
    /// The version of Vulkan that the program's instance was created for.
    pub api_version: u32,
    /// Extensions of the device.
    pub extensions: &'a [&'a CStr],
    /// Names of features.
    pub features: &'a [&'a str],
}

/// Version and extensions of a device, which say which parts of a [`Chain`] it understands.
#[derive(Clone, Copy)]
pub(crate) struct Available<'a> {
    pub api_version: u32,
    pub extensions: &'a [vk::ExtensionProperties],
}

impl Available<'_> {
    pub fn extension(self, name: &CStr) -> bool {
        self.extensions.iter().any(|extension| extension.extension_name_as_c_str() == Ok(name))
    }

    /// Whether buffers can be created over memory of the host (VK_EXT_external_memory_host).
    pub fn imports_host_memory(self) -> bool {
        self.extension(ash::ext::external_memory_host::NAME)
    }

    /// Whether the sub-group size can be controlled through the extension; in Vulkan 1.3 this is a core feature.
    pub fn has_size_control_extension(self) -> bool {
        self.api_version < vk::API_VERSION_1_3 && self.extension(ash::ext::subgroup_size_control::NAME)
    }

    /// Names of the extensions to enable.
    pub fn wanted_extensions(self) -> Vec<&'static CStr> {
        let chained = [
            ash::ext::shader_atomic_float::NAME,
            ash::ext::shader_atomic_float2::NAME,
            ash::khr::workgroup_memory_explicit_layout::NAME,
            ash::khr::shader_clock::NAME,
            ash::khr::shader_subgroup_rotate::NAME,
            ash::khr::shader_expect_assume::NAME,
            ash::ext::subgroup_size_control::NAME,
            ash::khr::cooperative_matrix::NAME,
            ash::khr::map_memory2::NAME,
            ash::ext::map_memory_placed::NAME,
        ];
        let mut names: Vec<_> = chained.into_iter().chain(PLAIN_EXTENSIONS).collect();
        if self.api_version >= vk::API_VERSION_1_3 {
            // Core there; lavapipe lists them too, and enabling them is harmless but needless.
            let core = [ash::khr::shader_non_semantic_info::NAME, ash::ext::subgroup_size_control::NAME];
            names.retain(|name| !core.contains(name));
        }
        // It requires the other one.
        let may_place = self.extension(ash::khr::map_memory2::NAME);
        names.retain(|name| self.extension(name) && (may_place || *name != ash::ext::map_memory_placed::NAME));
        let shares = self.extension(ash::khr::external_memory_fd::NAME);
        names.retain(|name| shares || *name != ash::ext::external_memory_dma_buf::NAME);
        names
    }

    /// Links the parts of a chain that the device understands behind a `Features2`.
    pub fn link(self, chain: &mut Chain) -> vk::PhysicalDeviceFeatures2<'_> {
        let mut features = vk::PhysicalDeviceFeatures2::default()
            .features(chain.core)
            .push_next(&mut chain.v11)
            .push_next(&mut chain.v12);
        if self.api_version >= vk::API_VERSION_1_3 {
            features = features.push_next(&mut chain.v13);
        }
        if self.extension(ash::ext::shader_atomic_float::NAME) {
            features = features.push_next(&mut chain.atomic_float);
        }
        if self.extension(ash::ext::shader_atomic_float2::NAME) {
            features = features.push_next(&mut chain.atomic_float2);
        }
        if self.extension(ash::khr::workgroup_memory_explicit_layout::NAME) {
            features = features.push_next(&mut chain.explicit_layout);
        }
        if self.extension(ash::khr::shader_clock::NAME) {
            features = features.push_next(&mut chain.clock);
        }
        if self.extension(ash::khr::shader_subgroup_rotate::NAME) {
            features = features.push_next(&mut chain.rotate);
        }
        if self.extension(ash::khr::shader_expect_assume::NAME) {
            features = features.push_next(&mut chain.expect);
        }
        if self.extension(ash::khr::cooperative_matrix::NAME) {
            features = features.push_next(&mut chain.matrices);
        }
        if self.extension(ash::ext::map_memory_placed::NAME) && self.extension(ash::khr::map_memory2::NAME) {
            features = features.push_next(&mut chain.placed);
        }
        if self.has_size_control_extension() {
            features = features.push_next(&mut chain.size_control);
        }
        features
    }
}

impl Chain {
    /// Copies the core features from a filled `Features2`.
    pub fn set_core(&mut self, core: vk::PhysicalDeviceFeatures) {
        self.core = core;
    }
}

/// Whether the environment variable `CLFORGE_MASK_FEATURES` names a feature, or a property that acts like one: its names,
/// separated by commas, are those of features that the device is to lack. So the tests reach what is done on lesser devices.
pub(super) fn is_masked(name: &str) -> bool {
    std::env::var("CLFORGE_MASK_FEATURES").is_ok_and(|masked| masked.split(',').any(|masked| masked.trim() == name))
}

macro_rules! features {
    ($($part:ident . $field:ident $name:literal)*) => {
        /// The names of the features that kernels can need.
        pub(super) const NAMES: &[&str] = &[$($name),*];

        /// Of the features that kernels can need, those in `supported`: as a chain that enables them, and by name.
        ///
        /// The device lacks those that are masked. A device that a program created lacks all that are not in `given`.
        pub(super) fn wanted(supported: &Chain, given: Option<&[&str]>) -> (Chain, Vec<&'static str>) {
            let mut enabled = Chain::default();
            let mut names = Vec::new();
            let is_given = |name: &str| given.is_none_or(|given| given.contains(&name)) && !is_masked(name);
            $(if supported.$part.$field == vk::TRUE && is_given($name) {
                enabled.$part.$field = vk::TRUE;
                names.push($name);
            })*
            (enabled, names)
        }
    };
}

features! {
    core.shader_float64 "shaderFloat64"
    core.shader_int64 "shaderInt64"
    core.shader_int16 "shaderInt16"
    core.shader_storage_image_extended_formats "shaderStorageImageExtendedFormats"
    core.shader_storage_image_read_without_format "shaderStorageImageReadWithoutFormat"
    core.shader_storage_image_write_without_format "shaderStorageImageWriteWithoutFormat"
    core.shader_sampled_image_array_dynamic_indexing "shaderSampledImageArrayDynamicIndexing"
    core.shader_storage_buffer_array_dynamic_indexing "shaderStorageBufferArrayDynamicIndexing"
    core.shader_uniform_buffer_array_dynamic_indexing "shaderUniformBufferArrayDynamicIndexing"
    core.shader_storage_image_array_dynamic_indexing "shaderStorageImageArrayDynamicIndexing"
    v11.storage_buffer16_bit_access "storageBuffer16BitAccess"
    v11.uniform_and_storage_buffer16_bit_access "uniformAndStorageBuffer16BitAccess"
    v11.storage_push_constant16 "storagePushConstant16"
    v11.variable_pointers_storage_buffer "variablePointersStorageBuffer"
    v11.variable_pointers "variablePointers"
    v12.storage_buffer8_bit_access "storageBuffer8BitAccess"
    v12.uniform_and_storage_buffer8_bit_access "uniformAndStorageBuffer8BitAccess"
    v12.storage_push_constant8 "storagePushConstant8"
    v12.shader_buffer_int64_atomics "shaderBufferInt64Atomics"
    v12.shader_shared_int64_atomics "shaderSharedInt64Atomics"
    v12.shader_float16 "shaderFloat16"
    v12.shader_int8 "shaderInt8"
    v12.scalar_block_layout "scalarBlockLayout"
    v12.uniform_buffer_standard_layout "uniformBufferStandardLayout"
    v12.shader_subgroup_extended_types "shaderSubgroupExtendedTypes"
    v12.runtime_descriptor_array "runtimeDescriptorArray"
    v12.timeline_semaphore "timelineSemaphore"
    v12.host_query_reset "hostQueryReset"
    v12.buffer_device_address "bufferDeviceAddress"
    v12.vulkan_memory_model "vulkanMemoryModel"
    v12.vulkan_memory_model_device_scope "vulkanMemoryModelDeviceScope"
    v12.vulkan_memory_model_availability_visibility_chains "vulkanMemoryModelAvailabilityVisibilityChains"
    v13.subgroup_size_control "subgroupSizeControl"
    size_control.subgroup_size_control "subgroupSizeControl"
    v13.compute_full_subgroups "computeFullSubgroups"
    v13.synchronization2 "synchronization2"
    v13.shader_zero_initialize_workgroup_memory "shaderZeroInitializeWorkgroupMemory"
    v13.shader_integer_dot_product "shaderIntegerDotProduct"
    v13.maintenance4 "maintenance4"
    atomic_float.shader_buffer_float32_atomics "shaderBufferFloat32Atomics"
    atomic_float.shader_buffer_float32_atomic_add "shaderBufferFloat32AtomicAdd"
    atomic_float.shader_buffer_float64_atomics "shaderBufferFloat64Atomics"
    atomic_float.shader_buffer_float64_atomic_add "shaderBufferFloat64AtomicAdd"
    atomic_float.shader_shared_float32_atomics "shaderSharedFloat32Atomics"
    atomic_float.shader_shared_float32_atomic_add "shaderSharedFloat32AtomicAdd"
    atomic_float.shader_shared_float64_atomics "shaderSharedFloat64Atomics"
    atomic_float.shader_shared_float64_atomic_add "shaderSharedFloat64AtomicAdd"
    atomic_float2.shader_buffer_float16_atomics "shaderBufferFloat16Atomics"
    atomic_float2.shader_buffer_float16_atomic_add "shaderBufferFloat16AtomicAdd"
    atomic_float2.shader_buffer_float16_atomic_min_max "shaderBufferFloat16AtomicMinMax"
    atomic_float2.shader_buffer_float32_atomic_min_max "shaderBufferFloat32AtomicMinMax"
    atomic_float2.shader_buffer_float64_atomic_min_max "shaderBufferFloat64AtomicMinMax"
    atomic_float2.shader_shared_float16_atomics "shaderSharedFloat16Atomics"
    atomic_float2.shader_shared_float16_atomic_add "shaderSharedFloat16AtomicAdd"
    atomic_float2.shader_shared_float16_atomic_min_max "shaderSharedFloat16AtomicMinMax"
    atomic_float2.shader_shared_float32_atomic_min_max "shaderSharedFloat32AtomicMinMax"
    atomic_float2.shader_shared_float64_atomic_min_max "shaderSharedFloat64AtomicMinMax"
    explicit_layout.workgroup_memory_explicit_layout "workgroupMemoryExplicitLayout"
    explicit_layout.workgroup_memory_explicit_layout_scalar_block_layout "workgroupMemoryExplicitLayoutScalarBlockLayout"
    explicit_layout.workgroup_memory_explicit_layout8_bit_access "workgroupMemoryExplicitLayout8BitAccess"
    explicit_layout.workgroup_memory_explicit_layout16_bit_access "workgroupMemoryExplicitLayout16BitAccess"
    clock.shader_subgroup_clock "shaderSubgroupClock"
    clock.shader_device_clock "shaderDeviceClock"
    rotate.shader_subgroup_rotate "shaderSubgroupRotate"
    rotate.shader_subgroup_rotate_clustered "shaderSubgroupRotateClustered"
    expect.shader_expect_assume "shaderExpectAssume"
    matrices.cooperative_matrix "cooperativeMatrix"
    placed.memory_map_placed "memoryMapPlaced"
}
