//! The extensions and optional features of a device.

use super::Device;
use super::matrices::MATRIX_VERSION;
use crate::gl;
use crate::info::version;
use opencl_sys::*;

/// The extensions of the platform itself (section 4.1).
pub const PLATFORM_EXTENSIONS: [&str; 4] =
    ["cl_khr_icd", "cl_khr_icd_unloadable", "cl_khr_extended_versioning", "cl_khr_semaphore"];

/// Extensions of which a feature's availability on the device decides.
const BY_FEATURE: [(&str, &str); 24] = [
    ("cl_khr_byte_addressable_store", "char"),
    ("cl_khr_fp16", "cl_khr_fp16"),
    ("cl_khr_fp64", "__opencl_c_fp64"),
    ("cl_khr_global_int32_base_atomics", "cl_khr_global_int32_base_atomics"),
    ("cl_khr_global_int32_extended_atomics", "cl_khr_global_int32_base_atomics"),
    ("cl_khr_local_int32_base_atomics", "cl_khr_local_int32_base_atomics"),
    ("cl_khr_local_int32_extended_atomics", "cl_khr_local_int32_base_atomics"),
    ("cl_khr_int64_base_atomics", "cl_khr_int64_base_atomics"),
    ("cl_khr_int64_extended_atomics", "cl_khr_int64_extended_atomics"),
    ("cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"),
    ("cl_khr_subgroup_extended_types", "cl_khr_subgroup_extended_types"),
    ("cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_non_uniform_vote"),
    ("cl_khr_subgroup_ballot", "cl_khr_subgroup_ballot"),
    ("cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_non_uniform_arithmetic"),
    ("cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle"),
    ("cl_khr_subgroup_shuffle_relative", "cl_khr_subgroup_shuffle_relative"),
    ("cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_clustered_reduce"),
    ("cl_khr_subgroup_rotate", "cl_khr_subgroup_rotate"),
    ("cl_khr_extended_bit_ops", "cl_khr_extended_bit_ops"),
    ("cl_khr_depth_images", "cl_khr_depth_images"),
    ("cl_khr_device_enqueue_local_arg_types", "__opencl_c_device_enqueue"),
    ("cl_khr_work_group_uniform_arithmetic", "__opencl_c_work_group_collective_functions"),
    ("cl_ext_float_atomics", "__opencl_c_ext_fp32_global_atomic_add"),
    ("cl_intel_required_subgroup_size", "__opencl_c_subgroups"),
];

/// Extensions of the interface and of modules in SPIR-V, which every device has.
const ALWAYS: [&str; 29] = [
    "cl_pocl_content_size",
    "cl_khr_icd",
    "cl_khr_extended_versioning",
    "cl_khr_create_command_queue",
    "cl_khr_device_uuid",
    "cl_khr_suggested_local_work_size",
    "cl_khr_async_work_group_copy_fence",
    "cl_khr_extended_async_copies",
    "cl_khr_priority_hints",
    "cl_khr_throttle_hints",
    "cl_ext_migrate_memobject",
    "cl_intel_create_buffer_with_properties",
    "cl_ext_immutable_memory_objects",
    "cl_khr_il_program",
    "cl_khr_expect_assume",
    "cl_khr_spirv_no_integer_wrap_decoration",
    "cl_khr_spirv_linkonce_odr",
    "cl_khr_initialize_memory",
    "cl_khr_spirv_queries",
    "cl_khr_spirv_extended_debug_info",
    "cl_khr_semaphore",
    "cl_intel_bfloat16_conversions",
    "cl_intel_split_work_group_barrier",
    "cl_intel_mem_channel_property",
    "cl_intel_mem_alloc_buffer_location",
    "cl_arm_integer_dot_product_int8",
    "cl_arm_integer_dot_product_accumulate_int8",
    "cl_arm_integer_dot_product_accumulate_int16",
    "cl_arm_integer_dot_product_accumulate_saturate_int8",
];

/// Most bytes of `CL_DEVICE_EXTENSIONS`, with the zero at its end. Programs keep the names in as much memory, and end or go on
/// without any where there are more: John the Ripper and ViennaCL.
const MOST_BYTES: usize = 2048;

/// What is not listed where there are too many names, in this order; it works all the same. The first two are part of OpenCL 2.0
/// and 1.2, and the others are used by few programs.
const NOT_LISTED: [&str; 12] = [
    "cl_khr_create_command_queue",
    "cl_ext_migrate_memobject",
    "cl_ext_image_raw10_raw12",
    "cl_ext_image_unsigned_10x6_12x4_14x2",
    "cl_ext_image_unorm_int_2_101010",
    "cl_ext_immutable_memory_objects",
    "cl_khr_spirv_extended_debug_info",
    "cl_pocl_content_size",
    "cl_intel_device_partition_by_names",
    "cl_intel_split_work_group_barrier",
    "cl_khr_spirv_linkonce_odr",
    "cl_arm_integer_dot_product_accumulate_int16",
];

/// The extensions that are listed of these, so that their names have not too many bytes.
pub fn listed(mut extensions: Vec<(&'static str, u32)>) -> Vec<(&'static str, u32)> {
    // A space or the zero follows each name.
    let mut bytes: usize = extensions.iter().map(|(name, _)| name.len() + 1).sum();
    for rare in NOT_LISTED {
        if bytes <= MOST_BYTES {
            break;
        }
        extensions.retain(|(name, _)| {
            let is_kept = *name != rare;
            bytes -= if is_kept { 0 } else { name.len() + 1 };
            is_kept
        });
    }
    extensions
}

/// `cl_khr_integer_dot_product` of this version has both kinds of operands.
pub const DOT_PRODUCT_VERSION: u32 = version(2, 0, 0);

/// The version of `cl_khr_unified_svm`, which is experimental.
pub const UNIFIED_SVM_VERSION: u32 = version(0, 9, 0);

/// The versions of `cl_khr_command_buffer` and `cl_khr_command_buffer_mutable_dispatch`, which are provisional.
const COMMAND_BUFFER_VERSION: u32 = version(0, 9, 8);
const MUTABLE_DISPATCH_VERSION: u32 = version(0, 9, 5);

/// The version of `cl_khr_command_buffer_multi_device`, which is experimental.
const MULTI_DEVICE_VERSION: u32 = version(0, 9, 2);

/// What can be changed of recorded launches (`CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR`).
pub const UPDATABLE_FIELDS: cl_mutable_dispatch_fields_khr = CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR
    | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR
    | CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR
    | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR
    | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

impl Device {
    /// Names and versions of the extensions (`CL_DEVICE_EXTENSIONS_WITH_VERSION`).
    pub fn extensions(&self) -> Vec<(&'static str, u32)> {
        listed(self.all_extensions())
    }

    fn all_extensions(&self) -> Vec<(&'static str, u32)> {
        let mut names: Vec<_> = ALWAYS.iter().map(|name| (*name, version(1, 0, 0))).collect();
        let by_feature = BY_FEATURE.iter().filter(|(_, feature)| self.has(feature));
        names.extend(by_feature.map(|(name, _)| (*name, version(1, 0, 0))));
        names.push(("cl_khr_command_buffer", COMMAND_BUFFER_VERSION));
        names.push(("cl_khr_command_buffer_mutable_dispatch", MUTABLE_DISPATCH_VERSION));
        names.push(("cl_khr_command_buffer_multi_device", MULTI_DEVICE_VERSION));
        if self.has_dot_products() {
            names.push(("cl_khr_integer_dot_product", DOT_PRODUCT_VERSION));
        }
        if !self.kernel_clocks().is_empty() {
            names.push(("cl_khr_kernel_clock", version(1, 0, 0)));
        }
        if self.has_buffer_addresses() {
            names.push(("cl_ext_buffer_device_address", version(1, 0, 2)));
        }
        if self.has_images() {
            names.push(("cl_khr_mipmap_image", version(1, 0, 0)));
            names.push(("cl_khr_mipmap_image_writes", version(1, 0, 0)));
            names.push(("cl_khr_srgb_image_writes", version(1, 0, 0)));
            names.push(("cl_khr_image2d_from_buffer", version(1, 0, 0)));
            names.push(("cl_ext_image_requirements_info", version(0, 5, 0)));
            names.push(("cl_ext_image_from_buffer", version(1, 0, 0)));
            // Every device of Vulkan reads the formats that these need.
            names.push(("cl_ext_image_unorm_int_2_101010", version(1, 0, 0)));
            names.push(("cl_ext_image_unsigned_10x6_12x4_14x2", version(1, 0, 0)));
            names.push(("cl_ext_image_raw10_raw12", version(1, 0, 0)));
        }
        if gl::has_gl() {
            names.push(("cl_khr_gl_sharing", version(1, 0, 0)));
            names.push(("cl_khr_gl_event", version(1, 0, 0)));
            if self.has_images() && gl::has_egl() {
                names.push(("cl_khr_egl_image", version(1, 0, 0)));
            }
        }
        let external = self.external_memory();
        if !external.is_empty() {
            names.push(("cl_khr_external_memory", version(1, 0, 1)));
        }
        let by_kind = [
            (CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR, "cl_khr_external_memory_opaque_fd"),
            (CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, "cl_khr_external_memory_dma_buf"),
        ];
        let by_kind = by_kind.into_iter().filter(|(kind, _)| external.contains(kind));
        names.extend(by_kind.map(|(_, name)| (name, version(1, 0, 0))));
        let (imported, exported) = (self.imported_semaphores(), self.exported_semaphores());
        if !imported.is_empty() || !exported.is_empty() {
            names.push(("cl_khr_external_semaphore", version(1, 0, 1)));
        }
        let by_kind = [
            (CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, "cl_khr_external_semaphore_opaque_fd"),
            (CL_SEMAPHORE_HANDLE_SYNC_FD_KHR, "cl_khr_external_semaphore_sync_fd"),
        ];
        let by_kind = by_kind.into_iter().filter(|(kind, _)| imported.contains(kind) && exported.contains(kind));
        names.extend(by_kind.map(|(_, name)| (name, version(1, 0, 0))));
        if self.may_share_memory() {
            names.push(("cl_intel_unified_shared_memory", version(1, 2, 0)));
            names.push(("cl_khr_unified_svm", UNIFIED_SVM_VERSION));
        }
        if self.can_be_partitioned() || self.is_part() {
            names.push(("cl_ext_device_fission", version(1, 0, 0)));
            names.push(("cl_intel_device_partition_by_names", version(1, 0, 0)));
        }
        if self.has_matrices() {
            names.push(("cl_khr_cooperative_matrix", MATRIX_VERSION));
        }
        if self.description().has_nvidia_attributes() {
            names.push(("cl_nv_device_attribute_query", version(1, 0, 0)));
        }
        if self.has_host_buffers() {
            names.push(("cl_intel_mem_force_host_memory", version(1, 0, 0)));
        }
        if self.description().hardware.pci.is_some() {
            names.push(("cl_khr_pci_bus_info", version(1, 0, 0)));
        }
        names
    }

    /// The optional features of OpenCL C 3.0 and later (`CL_DEVICE_OPENCL_C_FEATURES`), by the names of their macros.
    pub(super) fn c_features(&self) -> Vec<(&'static str, u32)> {
        let features = self.features().iter().filter(|feature| feature.available);
        let features = features.filter(|feature| feature.name.starts_with("__opencl_c_"));
        features.map(|feature| (feature.name, version(3, 0, 0))).collect()
    }

    /// The scopes of the clocks that kernels can read (`CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR`).
    pub(super) fn kernel_clocks(&self) -> Vec<cl_bitfield> {
        let clocks = [
            ("__opencl_c_kernel_clock_scope_device", CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR),
            ("__opencl_c_kernel_clock_scope_work_group", CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR),
            ("__opencl_c_kernel_clock_scope_sub_group", CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR),
        ];
        clocks.into_iter().filter(|(feature, _)| self.has(feature)).map(|(_, clock)| clock).collect()
    }

    /// The atomic operations on floating types of a width (`CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT` and so on).
    pub(super) fn float_atomics(&self, bits: u32) -> cl_bitfield {
        let mut all = 0;
        for (space, shift) in [("global", 0), ("local", 16)] {
            for (operation, bit) in [("load_store", 0), ("add", 1), ("min_max", 2)] {
                let has = self.has(&format!("__opencl_c_ext_fp{bits}_{space}_atomic_{operation}"));
                // Loads and stores of the wider types are those of OpenCL C 2.0, which take what additions do.
                let is_core = bits > 16 && operation == "load_store";
                let has_core = is_core && self.has(&format!("__opencl_c_ext_fp{bits}_{space}_atomic_add"));
                all |= u64::from(has || has_core) << (shift + bit);
            }
        }
        all
    }

    /// Whether dot products of packed and unpacked vectors can be used.
    pub(super) fn has_dot_products(&self) -> bool {
        self.has("__opencl_c_integer_dot_product_input_4x8bit")
            && self.has("__opencl_c_integer_dot_product_input_4x8bit_packed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in this file, which are all that a device may have.
    fn all_names() -> Vec<(&'static str, u32)> {
        let (source, _) = include_str!("extensions.rs").split_once("#[cfg(test)]").unwrap();
        let mut names: Vec<_> = source.split('"').filter(|text| text.starts_with("cl_")).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().map(|name| (name, 0)).collect()
    }

    fn text(extensions: &[(&str, u32)]) -> String {
        extensions.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_names_of_all_extensions_fit_two_kibibytes() {
        let all = all_names();
        assert!(all.len() > 70 && text(&all).len() >= MOST_BYTES, "{}", text(&all).len());
        let listed_names = listed(all.clone());
        assert!(text(&listed_names).len() < MOST_BYTES, "{}", text(&listed_names).len());
        assert!(NOT_LISTED.iter().all(|name| all.contains(&(*name, 0))));
        let few = all[..20].to_vec();
        assert_eq!(listed(few.clone()), few);
    }

    #[test]
    fn no_more_is_left_out_than_must_be() {
        let name = |length: usize| -> &'static str { "x".repeat(length - 1).leak() };
        let rare = [("cl_khr_create_command_queue", 0), ("cl_ext_migrate_memobject", 0)];
        let fits = vec![rare[0], rare[1], (name(MOST_BYTES - 28 - 25), 0)];
        assert_eq!(listed(fits.clone()), fits);
        let does_not = vec![rare[0], rare[1], (name(MOST_BYTES - 28 - 24), 0)];
        assert_eq!(listed(does_not.clone()), does_not[1..]);
    }
}
