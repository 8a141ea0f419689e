//! The features of OpenCL C that a device supports. There is a small kernel for each feature; the Vulkan features that
//! the compiled kernel needs are compared with those of the device. So the answer agrees with what `Program` accepts.

use super::capabilities;
use super::scan::Scan;
use crate::vulkan::DeviceInfo;
use clforge_compiler::options::{ClStd, OpenClVersion, VulkanVersion};
use clforge_compiler::{Options, Source, Target};

/// A feature of OpenCL C on a device.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct OpenClFeature {
    /// Its macro, its extension, or the type that it provides.
    pub name: &'static str,
    /// Whether kernels can use it.
    pub available: bool,
    /// The Vulkan features that it needs and the device lacks.
    pub lacks: Vec<String>,
}

/// Name, and a kernel that uses it.
const SAMPLES: [(&str, &str); 44] = [
    ("pointers", "kernel void k(global int *a) { a[0] = 1; }"),
    ("char", "kernel void k(global char *a) { a[0] = a[1] * a[2]; }"),
    ("short", "kernel void k(global short *a) { a[0] = a[1] * a[2]; }"),
    ("half (storage)", "kernel void k(global half *a, float b) { vstore_half(b + vload_half(1, a), 0, a); }"),
    ("__opencl_c_int64", "kernel void k(global long *a) { a[0] = a[1] * a[2]; }"),
    ("__opencl_c_fp64", "kernel void k(global double *a) { a[0] = a[1] * a[2]; }"),
    (
        "cl_khr_fp16",
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global half *a) { a[0] = a[1] * a[2]; }",
    ),
    (
        "__opencl_c_images",
        "kernel void k(read_only image2d_t a, sampler_t s, write_only image2d_t b) \
         { write_imagef(b, (int2)(0), read_imagef(a, s, (float2)(0.5f))); }",
    ),
    (
        "__opencl_c_3d_image_writes",
        "kernel void k(write_only image3d_t a) { write_imagef(a, (int4)(0), (float4)(1)); }",
    ),
    (
        "__opencl_c_read_write_images",
        "kernel void k(read_write image2d_t a) { write_imagef(a, (int2)(0), read_imagef(a, (int2)(1))); }",
    ),
    (
        "cl_khr_depth_images",
        "kernel void k(read_only image2d_depth_t a, sampler_t s, global float *b) \
         { b[0] = read_imagef(a, s, (int2)(0)); }",
    ),
    (
        "__opencl_c_generic_address_space",
        "kernel void k(global int *a, local int *b, int c) { int *p = c ? (int *)a : (int *)b; *p = c; a[1] = b[1]; }",
    ),
    ("__opencl_c_program_scope_global_variables", "global int g;\nkernel void k(global int *a) { a[0] = g++; }"),
    (
        "__opencl_c_device_enqueue",
        "kernel void k(global int *a) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ a[0] = 1; }); }",
    ),
    ("cl_khr_global_int32_base_atomics", "kernel void k(volatile global int *a) { atomic_add(a, 1); }"),
    ("cl_khr_local_int32_base_atomics", "kernel void k(volatile local int *a) { atomic_add(a, 1); }"),
    ("cl_khr_int64_base_atomics", "kernel void k(volatile global long *a) { atom_add(a, 1); }"),
    ("cl_khr_int64_extended_atomics", "kernel void k(volatile global long *a) { atom_max(a, 1); }"),
    (
        "__opencl_c_atomic_order_acq_rel",
        "kernel void k(volatile global atomic_int *a) \
         { atomic_fetch_add_explicit(a, 1, memory_order_acq_rel, memory_scope_work_group); }",
    ),
    ("__opencl_c_atomic_order_seq_cst", "kernel void k(volatile global atomic_int *a) { atomic_fetch_add(a, 1); }"),
    (
        "__opencl_c_atomic_scope_device",
        "kernel void k(volatile global atomic_int *a) \
         { atomic_fetch_add_explicit(a, 1, memory_order_acq_rel, memory_scope_device); }",
    ),
    (
        "__opencl_c_atomic_scope_all_devices",
        "kernel void k(volatile global atomic_int *a) \
         { atomic_fetch_add_explicit(a, 1, memory_order_acq_rel, memory_scope_all_devices); }",
    ),
    (
        "__opencl_c_work_group_collective_functions",
        "kernel void k(global int *a) { a[0] = work_group_reduce_add(a[1]); }",
    ),
    ("__opencl_c_subgroups", "kernel void k(global int *a) { a[0] = sub_group_reduce_add(a[1]); }"),
    ("cl_khr_subgroup_extended_types", "kernel void k(global char *a) { a[0] = sub_group_broadcast(a[1], 0); }"),
    ("cl_khr_subgroup_non_uniform_vote", "kernel void k(global int *a) { a[0] = sub_group_non_uniform_all(a[1]); }"),
    ("cl_khr_subgroup_ballot", "kernel void k(global uint4 *a, int b) { a[0] = sub_group_ballot(b); }"),
    (
        "cl_khr_subgroup_non_uniform_arithmetic",
        "kernel void k(global int *a) { a[0] = sub_group_non_uniform_reduce_add(a[1]); }",
    ),
    ("cl_khr_subgroup_shuffle", "kernel void k(global int *a) { a[0] = sub_group_shuffle(a[1], 1); }"),
    ("cl_khr_subgroup_shuffle_relative", "kernel void k(global int *a) { a[0] = sub_group_shuffle_up(a[1], 1); }"),
    (
        "cl_khr_subgroup_clustered_reduce",
        "kernel void k(global int *a) { a[0] = sub_group_clustered_reduce_add(a[1], 4); }",
    ),
    ("cl_khr_subgroup_rotate", "kernel void k(global int *a) { a[0] = sub_group_rotate(a[1], 1); }"),
    ("cl_khr_extended_bit_ops", "kernel void k(global uint *a) { a[0] = bit_reverse(a[1]); }"),
    (
        "__opencl_c_integer_dot_product_input_4x8bit",
        "kernel void k(global uint *a, uchar4 b, uchar4 c) { a[0] = dot(b, c); }",
    ),
    (
        "__opencl_c_integer_dot_product_input_4x8bit_packed",
        "kernel void k(global uint *a, uint b) { a[0] = dot_4x8packed_uu_uint(b, b); }",
    ),
    ("__opencl_c_kernel_clock_scope_device", "kernel void k(global uint2 *a) { a[0] = clock_read_hilo_device(); }"),
    (
        "__opencl_c_kernel_clock_scope_work_group",
        "kernel void k(global uint2 *a) { a[0] = clock_read_hilo_work_group(); }",
    ),
    (
        "__opencl_c_kernel_clock_scope_sub_group",
        "kernel void k(global uint2 *a) { a[0] = clock_read_hilo_sub_group(); }",
    ),
    (
        "cl_khr_async_work_group_copy_fence",
        "kernel void k(global int *a, local int *b) \
         { event_t e = async_work_group_copy(b, a, 4, 0); async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE); \
           wait_group_events(1, &e); a[4] = b[0]; }",
    ),
    ("__opencl_c_pipes", "kernel void k(read_only pipe int p, global int *a) { read_pipe(p, a); }"),
    (
        "__opencl_c_ext_image_unorm_int_2_101010",
        "kernel void k(read_only image2d_t a, global int *b) \
         { b[0] = get_image_channel_data_type(a) == CLK_UNORM_INT_2_101010_EXT; }",
    ),
    (
        "__opencl_c_ext_image_unsigned_10x6_12x4_14x2",
        "kernel void k(read_only image2d_t a, global int *b) \
         { b[0] = get_image_channel_data_type(a) == CLK_UNSIGNED_INT10X6_EXT; }",
    ),
    (
        "__opencl_c_ext_image_raw10_raw12",
        "kernel void k(read_only image2d_t a, global int *b) \
         { b[0] = get_image_channel_data_type(a) == CLK_UNSIGNED_INT_RAW10_EXT; }",
    ),
    ("printf", "kernel void k() { printf(\"%d\\n\", 1); }"),
];

/// The operations of `cl_ext_float_atomics`, in the same form.
const FLOAT_ATOMICS: [(&str, &str); 14] = [
    (
        "__opencl_c_ext_fp16_global_atomic_load_store",
        "kernel void k(volatile global atomic_half *a) { atomic_store_explicit(a, atomic_load_explicit(a, memory_order_relaxed, memory_scope_work_group), memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp16_global_atomic_add",
        "kernel void k(volatile global atomic_half *a) { atomic_fetch_add_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); atomic_fetch_sub_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp16_global_atomic_min_max",
        "kernel void k(volatile global atomic_half *a) { atomic_fetch_min_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); atomic_fetch_max_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp16_local_atomic_load_store",
        "kernel void k(volatile local atomic_half *a) { atomic_store_explicit(a, atomic_load_explicit(a, memory_order_relaxed, memory_scope_work_group), memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp16_local_atomic_add",
        "kernel void k(volatile local atomic_half *a) { atomic_fetch_add_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); atomic_fetch_sub_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp16_local_atomic_min_max",
        "kernel void k(volatile local atomic_half *a) { atomic_fetch_min_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); atomic_fetch_max_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp32_global_atomic_add",
        "kernel void k(volatile global atomic_float *a) { atomic_fetch_add_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); atomic_fetch_sub_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp32_global_atomic_min_max",
        "kernel void k(volatile global atomic_float *a) { atomic_fetch_min_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); atomic_fetch_max_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp32_local_atomic_add",
        "kernel void k(volatile local atomic_float *a) { atomic_fetch_add_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); atomic_fetch_sub_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp32_local_atomic_min_max",
        "kernel void k(volatile local atomic_float *a) { atomic_fetch_min_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); atomic_fetch_max_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp64_global_atomic_add",
        "kernel void k(volatile global atomic_double *a) { atomic_fetch_add_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); atomic_fetch_sub_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp64_global_atomic_min_max",
        "kernel void k(volatile global atomic_double *a) { atomic_fetch_min_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); atomic_fetch_max_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp64_local_atomic_add",
        "kernel void k(volatile local atomic_double *a) { atomic_fetch_add_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); atomic_fetch_sub_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); }",
    ),
    (
        "__opencl_c_ext_fp64_local_atomic_min_max",
        "kernel void k(volatile local atomic_double *a) { atomic_fetch_min_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); atomic_fetch_max_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); }",
    ),
];

impl DeviceInfo {
    /// The version of OpenCL that the device can have: 3.1, since what it requires of sub-groups is emulated where it lacks.
    pub fn opencl_version(&self) -> OpenClVersion {
        OpenClVersion::V3_1
    }

    /// The features of OpenCL C that depend on the device, each with the Vulkan features that are missing for it.
    pub fn opencl_features(&self) -> Vec<OpenClFeature> {
        SAMPLES.iter().chain(&FLOAT_ATOMICS).map(|(name, source)| feature(self, name, source)).collect()
    }
}

fn feature(device: &DeviceInfo, name: &'static str, source: &str) -> OpenClFeature {
    let target = Target::Vulkan(VulkanVersion::V1_2);
    let native = Options::for_target(target).with_cl_std(ClStd::CL3_0);
    let emulating = native.clone().with(|options| {
        options.device.emulated = device.emulated_types();
        options.device.addressing = device.addressing();
        options.device.vulkan_memory_model = device.has_feature("vulkanMemoryModel");
    });
    let compile = |options: &Options| {
        let compiled = clforge_compiler::compile(Source { name: "sample.cl", text: source.as_bytes() }, options);
        compiled.ok().and_then(|compiled| Scan::new(&compiled.spirv).ok())
    };
    // What cannot be emulated lacks the features that it takes without. A sample that does not compile at all is
    // supported on no device.
    let scan = compile(&emulating).or_else(|| compile(&native));
    let lacks = scan.map(|scan| capabilities::missing(&scan, device));
    match lacks {
        Some(lacks) => OpenClFeature { name, available: lacks.is_empty(), lacks },
        None => OpenClFeature { name, available: false, lacks: Vec::new() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacks(features: &[&'static str], name: &str) -> Vec<String> {
        let device = DeviceInfo { features: features.to_vec(), ..DeviceInfo::default() };
        let feature = device.opencl_features().into_iter().find(|feature| feature.name == name);
        feature.expect("a feature of that name").lacks
    }

    /// The version takes functions that are available whatever the device has of sub-groups.
    #[test]
    fn opencl_3_1_takes_what_its_functions_need() {
        let needed = [
            "__opencl_c_subgroups",
            "cl_khr_extended_bit_ops",
            "__opencl_c_integer_dot_product_input_4x8bit",
            "__opencl_c_integer_dot_product_input_4x8bit_packed",
            "cl_khr_subgroup_extended_types",
            "cl_khr_subgroup_rotate",
            "cl_khr_subgroup_shuffle",
            "cl_khr_subgroup_shuffle_relative",
        ];
        let types = ["shaderInt8", "storageBuffer8BitAccess", "shaderInt16", "storageBuffer16BitAccess", "shaderInt64"];
        let all = ["bufferDeviceAddress", "vulkanMemoryModel"].into_iter();
        // Vulkan's features for what OpenCL 3.1 makes mandatory of sub-groups.
        let of_sub_groups = [
            "subgroup basic operations",
            "subgroup vote operations",
            "subgroup arithmetic operations",
            "subgroup ballot operations",
            "subgroup shuffle operations",
            "subgroup shuffle relative operations",
            "shaderSubgroupExtendedTypes",
        ];
        let all: Vec<&str> = all.chain(types).chain(of_sub_groups).collect();
        for missing in std::iter::once(None).chain(of_sub_groups.map(Some)) {
            let features: Vec<&str> = all.iter().copied().filter(|feature| Some(*feature) != missing).collect();
            let device = DeviceInfo { features, ..DeviceInfo::default() };
            let lacking = device.opencl_features().into_iter().filter(|feature| needed.contains(&feature.name));
            let lacking: Vec<_> = lacking.filter(|feature| !feature.available).collect();
            // Sub-groups that lack an operation or a type are emulated.
            assert_eq!(device.opencl_version(), OpenClVersion::V3_1, "without {missing:?}");
            assert!(lacking.is_empty(), "{missing:?}: {lacking:?}");
        }
    }

    #[test]
    fn missing_vulkan_features_are_named() {
        let basic = ["bufferDeviceAddress", "vulkanMemoryModel", "vulkanMemoryModelDeviceScope", "shaderInt64"];
        assert_eq!(lacks(&basic, "pointers"), [""; 0]);
        // Types that a device lacks are emulated.
        assert_eq!(lacks(&basic[..3], "__opencl_c_fp64"), [""; 0]);
        assert_eq!(lacks(&basic[..3], "char"), [""; 0]);
        // So are buffer addresses.
        assert_eq!(lacks(&basic[1..], "pointers"), [""; 0]);
        assert_eq!(lacks(&basic, "cl_khr_fp16"), [""; 0]);
        // Atomics of 64 bits are not.
        assert!(lacks(&basic[..3], "cl_khr_int64_base_atomics").contains(&"shaderInt64".to_string()));
        // Operations of sub-groups are.
        assert_eq!(lacks(&basic, "__opencl_c_subgroups"), [""; 0]);
    }
}
