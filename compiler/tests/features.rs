//! Feature and extension macros (6.2.1, 6.2.2): each is predefined exactly when a program that needs the feature compiles,
//! for every kind of target and version of the language.

use clforge_compiler::options::{ClStd, OpenClVersion, VulkanVersion};
use clforge_compiler::{Options, Source, Target, compile};

/// What the programs call `KERNEL`.
const KERNEL: &str = "kernel void k(global int *o, global long *ol, global uint *u, global float *f, global double *d, \
                      local int *l, int n)";

/// Every macro with a program that needs what it stands for.
#[rustfmt::skip]
const PROGRAMS: &[(&str, &str)] = &[
    ("__opencl_c_3d_image_writes", r"kernel void k(write_only image3d_t i) { write_imagef(i, (int4)(0), (float4)(1)); }"),
    ("__opencl_c_atomic_order_acq_rel", r"KERNEL { o[0] = atomic_fetch_add_explicit((volatile global atomic_int *)o, 1, memory_order_acq_rel, memory_scope_work_group); }"),
    ("__opencl_c_atomic_order_seq_cst", r"KERNEL { o[0] = atomic_fetch_add_explicit((volatile global atomic_int *)o, 1, memory_order_seq_cst, memory_scope_device); }"),
    ("__opencl_c_atomic_scope_device", r"KERNEL { o[0] = atomic_fetch_add_explicit((volatile global atomic_int *)o, 1, memory_order_relaxed, memory_scope_device); }"),
    ("__opencl_c_atomic_scope_all_devices", r"KERNEL { o[0] = atomic_fetch_add_explicit((volatile global atomic_int *)o, 1, memory_order_relaxed, memory_scope_all_devices); }"),
    ("__opencl_c_device_enqueue", r"KERNEL { queue_t q = get_default_queue(); enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[0] = 1; }); }"),
    ("__opencl_c_generic_address_space", r"KERNEL { int x = 1; int *p = o; if (n) p = &x; o[1] = *p; }"),
    ("__opencl_c_fp64", r"KERNEL { d[0] = d[1] * 2.0; }"),
    ("__opencl_c_images", r"kernel void k(read_only image2d_t i, write_only image2d_t j) { write_imagef(j, (int2)(0), read_imagef(i, (int2)(0))); }"),
    ("__opencl_c_int64", r"KERNEL { ol[0] = ol[1] * 3; }"),
    ("__opencl_c_pipes", r"kernel void k(read_only pipe int p, global int *o) { int x; read_pipe(p, &x); o[0] = x; }"),
    ("__opencl_c_program_scope_global_variables", r"global int g = 1; KERNEL { o[0] = g++; }"),
    ("__opencl_c_read_write_images", r"kernel void k(read_write image2d_t i) { write_imagef(i, (int2)(0), read_imagef(i, (int2)(1))); }"),
    ("__opencl_c_subgroups", r"KERNEL { o[0] = sub_group_reduce_add(n) + get_sub_group_size(); sub_group_barrier(CLK_LOCAL_MEM_FENCE); }"),
    ("__opencl_c_work_group_collective_functions", r"KERNEL { o[0] = work_group_reduce_add(n) + work_group_all(n) + work_group_broadcast(n, 0) + work_group_scan_inclusive_max(n); f[0] = work_group_reduce_min(f[1]); }"),
    ("__opencl_c_integer_dot_product_input_4x8bit", r"KERNEL { o[0] = dot((char4)(n), (char4)(2)) + dot_acc_sat((uchar4)(n), (uchar4)(2), 3u); }"),
    ("__opencl_c_integer_dot_product_input_4x8bit_packed", r"KERNEL { o[0] = dot_4x8packed_ss_int(n, n); }"),
    ("__opencl_c_kernel_clock_scope_device", r"KERNEL { ol[0] = clock_read_device(); u[0] = clock_read_hilo_device().x; }"),
    ("__opencl_c_kernel_clock_scope_work_group", r"KERNEL { ol[0] = clock_read_work_group(); }"),
    ("__opencl_c_kernel_clock_scope_sub_group", r"KERNEL { ol[0] = clock_read_sub_group(); }"),
    ("__opencl_c_ext_fp16_global_atomic_add", r"kernel void k(volatile global atomic_half *a, global half *o) { o[0] = atomic_fetch_add_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_sub_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp16_global_atomic_load_store", r"kernel void k(volatile global atomic_half *a, global half *o) { atomic_store_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); o[0] = atomic_load_explicit(a, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp16_global_atomic_min_max", r"kernel void k(volatile global atomic_half *a, global half *o) { o[0] = atomic_fetch_min_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_max_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp16_local_atomic_add", r"kernel void k(volatile local atomic_half *a, global half *o) { o[0] = atomic_fetch_add_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_sub_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp16_local_atomic_load_store", r"kernel void k(volatile local atomic_half *a, global half *o) { atomic_store_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); o[0] = atomic_load_explicit(a, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp16_local_atomic_min_max", r"kernel void k(volatile local atomic_half *a, global half *o) { o[0] = atomic_fetch_min_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_max_explicit(a, 1.0h, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp32_global_atomic_add", r"kernel void k(volatile global atomic_float *a, global float *o) { o[0] = atomic_fetch_add_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_sub_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp32_global_atomic_min_max", r"kernel void k(volatile global atomic_float *a, global float *o) { o[0] = atomic_fetch_min_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_max_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp32_local_atomic_add", r"kernel void k(volatile local atomic_float *a, global float *o) { o[0] = atomic_fetch_add_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_sub_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp32_local_atomic_min_max", r"kernel void k(volatile local atomic_float *a, global float *o) { o[0] = atomic_fetch_min_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_max_explicit(a, 1.0f, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp64_global_atomic_add", r"kernel void k(volatile global atomic_double *a, global double *o) { o[0] = atomic_fetch_add_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_sub_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp64_global_atomic_min_max", r"kernel void k(volatile global atomic_double *a, global double *o) { o[0] = atomic_fetch_min_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_max_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp64_local_atomic_add", r"kernel void k(volatile local atomic_double *a, global double *o) { o[0] = atomic_fetch_add_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_sub_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_fp64_local_atomic_min_max", r"kernel void k(volatile local atomic_double *a, global double *o) { o[0] = atomic_fetch_min_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group) + atomic_fetch_max_explicit(a, 1.0, memory_order_relaxed, memory_scope_work_group); }"),
    ("__opencl_c_ext_image_raw10_raw12", r"kernel void k(read_only image2d_t i, global int *o) { int t = get_image_channel_data_type(i); o[0] = t == CLK_UNSIGNED_INT_RAW10_EXT || t == CLK_UNSIGNED_INT_RAW12_EXT; }"),
    ("cl_ext_image_raw10_raw12", r"kernel void k(read_only image2d_t i, global int *o) { int t = get_image_channel_data_type(i); o[0] = t == CLK_UNSIGNED_INT_RAW10_EXT || t == CLK_UNSIGNED_INT_RAW12_EXT; }"),
    ("__opencl_c_ext_image_unorm_int_2_101010", r"kernel void k(read_only image2d_t i, global int *o) { int t = get_image_channel_data_type(i); o[0] = t == CLK_UNORM_INT_2_101010_EXT; }"),
    ("cl_ext_image_unorm_int_2_101010", r"kernel void k(read_only image2d_t i, global int *o) { int t = get_image_channel_data_type(i); o[0] = t == CLK_UNORM_INT_2_101010_EXT; }"),
    ("__opencl_c_ext_image_unsigned_10x6_12x4_14x2", r"kernel void k(read_only image2d_t i, global int *o) { int t = get_image_channel_data_type(i); o[0] = t == CLK_UNSIGNED_INT10X6_EXT || t == CLK_UNSIGNED_INT12X4_EXT || t == CLK_UNSIGNED_INT14X2_EXT || t == CLK_UNORM_INT10X6_EXT || t == CLK_UNORM_INT12X4_EXT || t == CLK_UNORM_INT14X2_EXT; }"),
    ("cl_ext_image_unsigned_10x6_12x4_14x2", r"kernel void k(read_only image2d_t i, global int *o) { int t = get_image_channel_data_type(i); o[0] = t == CLK_UNSIGNED_INT10X6_EXT || t == CLK_UNSIGNED_INT12X4_EXT || t == CLK_UNSIGNED_INT14X2_EXT || t == CLK_UNORM_INT10X6_EXT || t == CLK_UNORM_INT12X4_EXT || t == CLK_UNORM_INT14X2_EXT; }"),
    ("cl_arm_integer_dot_product_accumulate_int16", r"KERNEL { o[0] = arm_dot_acc((short2)(n), (short2)(2), n); u[0] = arm_dot_acc((ushort2)(n), (ushort2)(2), 3u); }"),
    ("cl_arm_integer_dot_product_accumulate_int8", r"KERNEL { o[0] = arm_dot_acc((char4)(n), (char4)(2), n); u[0] = arm_dot_acc((uchar4)(n), (uchar4)(2), 3u); }"),
    ("cl_arm_integer_dot_product_accumulate_saturate_int8", r"KERNEL { o[0] = arm_dot_acc_sat((char4)(n), (char4)(2), n); u[0] = arm_dot_acc_sat((uchar4)(n), (uchar4)(2), 3u); }"),
    ("cl_arm_integer_dot_product_int8", r"KERNEL { o[0] = arm_dot((char4)(n), (char4)(2)); u[0] = arm_dot((uchar4)(n), (uchar4)(2)); }"),
    ("cl_ext_float_atomics", r"kernel void k(volatile global atomic_float *a, global float *o) { o[0] = atomic_fetch_add_explicit(a, 1.0f, memory_order_relaxed, memory_scope_device); }"),
    ("cl_khr_byte_addressable_store", r"kernel void k(global char *c) { c[0] = 1; }"),
    ("cl_khr_fp16", r"kernel void k(global half *h) { h[0] = h[1] * 2.0h + sqrt(h[2]); }"),
    ("cl_khr_fp64", r"KERNEL { d[0] = sqrt(d[1]) * 2.0; }"),
    ("cl_khr_global_int32_base_atomics", r"KERNEL { o[0] = atom_add(o, 1) + atom_cmpxchg(o, 1, 2); }"),
    ("cl_khr_global_int32_extended_atomics", r"KERNEL { o[0] = atom_min(o, 1) + atom_xor(o, 2); }"),
    ("cl_khr_local_int32_base_atomics", r"KERNEL { o[0] = atom_add(l, 1) + atom_cmpxchg(l, 1, 2); }"),
    ("cl_khr_local_int32_extended_atomics", r"KERNEL { o[0] = atom_min(l, 1) + atom_xor(l, 2); }"),
    ("cl_khr_int64_base_atomics", r"KERNEL { ol[0] = atom_add(ol, 1L) + atom_cmpxchg(ol, 1L, 2L); }"),
    ("cl_khr_int64_extended_atomics", r"KERNEL { ol[0] = atom_min(ol, 1L) + atom_xor(ol, 2L); }"),
    ("cl_khr_3d_image_writes", r"kernel void k(write_only image3d_t i) { write_imagef(i, (int4)(0), (float4)(1)); }"),
    ("cl_khr_cooperative_matrix", r"kernel void k(global const float *f, global float *g) { float __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 8, 8, CLK_COOPERATIVE_MATRIX_ACCUMULATOR))) m = coop_mat_load(f, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8); coop_mat_store(g, m + m, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8); }"),
    ("cl_khr_depth_images", r"kernel void k(read_only image2d_depth_t i, sampler_t s, global float *f) { f[0] = read_imagef(i, s, (float2)(0)); }"),
    ("cl_khr_async_work_group_copy_fence", r"KERNEL { async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE); }"),
    ("cl_khr_extended_async_copies", r"KERNEL { event_t e = async_work_group_copy_2D2D(l, 0, o, 0, 4, 4, 4, 4, 4, 0); wait_group_events(1, &e); }"),
    ("cl_khr_extended_bit_ops", r"KERNEL { o[0] = bitfield_insert(n, 1, 2, 3) + bit_reverse(n) + bitfield_extract_signed(n, 1, 2); }"),
    ("cl_khr_integer_dot_product", r"KERNEL { o[0] = dot((char4)(n), (char4)(2)) + dot_4x8packed_us_int(n, n); }"),
    ("cl_khr_kernel_clock", r"KERNEL { ol[0] = clock_read_device(); }"),
    ("cl_khr_initialize_memory", r"KERNEL { o[0] = 1; }"),
    ("cl_khr_srgb_image_writes", r"kernel void k(write_only image2d_t i) { write_imagef(i, (int2)(0), (float4)(1)); }"),
    ("cl_khr_mipmap_image", r"kernel void k(read_only image2d_t i, sampler_t s, global float4 *f) { f[0] = read_imagef(i, s, (float2)(0), 1.0f); f[1].x = get_image_num_mip_levels(i); }"),
    ("cl_khr_mipmap_image_writes", r"kernel void k(write_only image2d_t i) { write_imagef(i, (int2)(0), 1, (float4)(1)); }"),
    ("cl_khr_subgroups", r"KERNEL { o[0] = sub_group_reduce_add(n) + sub_group_all(n) + get_sub_group_local_id(); }"),
    ("cl_khr_subgroup_ballot", r"KERNEL { o[0] = sub_group_ballot(n).x + sub_group_non_uniform_broadcast(n, 1u) + sub_group_ballot_bit_count(sub_group_ballot(n)); }"),
    ("cl_khr_subgroup_clustered_reduce", r"KERNEL { o[0] = sub_group_clustered_reduce_add(n, 4u); }"),
    ("cl_khr_subgroup_extended_types", r"kernel void k(global short4 *s, global char *c) { s[0] = sub_group_broadcast(s[1], 0u); c[0] = sub_group_reduce_add(c[1]); }"),
    ("cl_khr_subgroup_non_uniform_arithmetic", r"KERNEL { o[0] = sub_group_non_uniform_reduce_add(n) + sub_group_non_uniform_scan_inclusive_mul(n) + sub_group_non_uniform_reduce_logical_and(n); }"),
    ("cl_khr_subgroup_non_uniform_vote", r"KERNEL { o[0] = sub_group_elect() + sub_group_non_uniform_all(n) + sub_group_non_uniform_all_equal(n); }"),
    ("cl_khr_subgroup_rotate", r"KERNEL { o[0] = sub_group_rotate(n, 1) + sub_group_clustered_rotate(n, 1, 4u); }"),
    ("cl_khr_subgroup_shuffle", r"KERNEL { o[0] = sub_group_shuffle(n, 1u) + sub_group_shuffle_xor(n, 1u); }"),
    ("cl_khr_subgroup_shuffle_relative", r"KERNEL { o[0] = sub_group_shuffle_up(n, 1u) + sub_group_shuffle_down(n, 1u); }"),
    ("cl_intel_bfloat16_conversions", r"KERNEL { o[0] = intel_convert_bfloat16_as_ushort(f[0]); f[1] = intel_convert_as_bfloat162_float2((ushort2)(n)).y; }"),
    ("cl_intel_split_work_group_barrier", r"KERNEL { l[n] = n; intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE); intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE); o[0] = l[0]; }"),
    ("cl_khr_work_group_uniform_arithmetic", r"KERNEL { o[0] = work_group_reduce_mul(n) + work_group_scan_inclusive_and(n) + work_group_reduce_logical_xor(n); }"),
    ("cl_khr_device_enqueue_local_arg_types", r"kernel void k(global int *o) { enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^(local int *p) { p[0] = 1; }, 4u); }"),
    ("cl_khr_gl_msaa_sharing", r"kernel void k(read_only image2d_msaa_t i, global float4 *f) { f[0] = read_imagef(i, (int2)(0), 1); }"),
];

fn options(target: Target, cl_std: ClStd) -> Options {
    Options::for_target(target).with_cl_std(cl_std)
}

fn compiles(text: &str, options: &Options) -> Result<(), String> {
    let source = Source { name: "test.cl", text: text.as_bytes() };
    compile(source, options).map(|_| ()).map_err(|errors| errors.to_string())
}

fn is_predefined(name: &str, options: &Options) -> bool {
    // Feature macros must have the value 1.
    compiles(&format!("#if !defined({name}) || {name} != 1\n#error no\n#endif\nkernel void k() {{}}\n"), options)
        .is_ok()
}

const TARGETS: [Target; 5] = [
    Target::Vulkan(VulkanVersion::V1_1),
    Target::Vulkan(VulkanVersion::V1_3),
    Target::OpenCl(OpenClVersion::V1_2),
    Target::OpenCl(OpenClVersion::V3_0),
    Target::OpenCl(OpenClVersion::V3_1),
];

#[test]
fn macros_are_predefined_exactly_when_supported() {
    let mut faults = String::new();
    for target in TARGETS {
        for cl_std in [ClStd::CL1_2, ClStd::CL2_0, ClStd::CL3_0, ClStd::CL3_1] {
            let options = options(target, cl_std);
            for (name, program) in PROGRAMS {
                let predefined = is_predefined(name, &options);
                // Those of extensions do not wait for 3.0.
                let is_feature = name.starts_with("__opencl_c_") && !name.starts_with("__opencl_c_ext_");
                if is_feature && cl_std < ClStd::CL3_0 {
                    // Before 3.0 they say nothing; we leave them undefined.
                    if predefined {
                        faults += &format!("{target} {cl_std}: {name} is predefined before OpenCL C 3.0\n");
                    }
                    continue;
                }
                match (predefined, compiles(&program.replace("KERNEL", KERNEL), &options)) {
                    (true, Err(errors)) => {
                        faults += &format!("{target} {cl_std}: {name} is predefined, but\n{errors}\n")
                    }
                    (false, Ok(())) => {
                        faults += &format!("{target} {cl_std}: {name} is supported and not predefined\n")
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

/// No macro of a feature or an extension without a program that shows it to be true.
#[test]
fn every_macro_has_a_program() {
    let rows = include_str!("../syntax/src/preprocess/predefined.rs").lines();
    let names = rows.filter_map(|line| line.trim().strip_prefix("row(\"")?.split('"').next());
    let features =
        |name: &&str| ["__opencl_c_", "cl_khr_", "cl_ext_", "cl_arm_"].iter().any(|start| name.starts_with(start));
    let features: Vec<&str> = names.filter(features).collect();
    assert!(features.len() > 60, "{features:?}");
    for name in features {
        assert!(PROGRAMS.iter().any(|(tested, _)| *tested == name), "{name}");
    }
}

#[test]
fn features_that_imply_others() {
    let implied = [
        ("__opencl_c_3d_image_writes", "__opencl_c_images"),
        ("__opencl_c_device_enqueue", "__opencl_c_generic_address_space"),
        ("__opencl_c_device_enqueue", "__opencl_c_program_scope_global_variables"),
        ("__opencl_c_pipes", "__opencl_c_generic_address_space"),
        ("__opencl_c_read_write_images", "__opencl_c_images"),
        ("cl_khr_mipmap_image_writes", "cl_khr_mipmap_image"),
    ];
    for target in TARGETS {
        let options = options(target, ClStd::CL3_0);
        for (feature, other) in implied {
            assert!(!is_predefined(feature, &options) || is_predefined(other, &options), "{target}: {feature}");
        }
    }
}

#[test]
fn extensions_can_be_enabled() {
    for target in TARGETS {
        let options = options(target, ClStd::CL3_0).with(|o| o.language.warnings_are_errors = true);
        for (name, _) in PROGRAMS.iter().filter(|(name, _)| name.starts_with("cl_khr_")) {
            for behaviour in ["enable", "require", "disable"] {
                let text = format!("#pragma OPENCL EXTENSION {name} : {behaviour}\nkernel void k() {{}}\n");
                let quiet = compiles(&text, &options).is_ok();
                assert_eq!(
                    quiet,
                    is_predefined(name, &options) || behaviour == "disable",
                    "{target}: {name} : {behaviour}"
                );
            }
        }
    }
}

/// OpenCL C 6.10: the version of the device, which is above 200 where the device is newer than OpenCL 2.0.
#[test]
fn the_version_of_the_device_does_not_depend_on_the_language() {
    for target in TARGETS {
        for cl_std in std::iter::once(None).chain(ClStd::ALL.map(Some)) {
            let device = match target {
                Target::OpenCl(OpenClVersion::V1_2) => 120,
                Target::OpenCl(OpenClVersion::V3_0) => 300,
                _ => 310,
            };
            let expected = cl_std.map_or(device, |cl_std| cl_std.version_number().max(device));
            let text = format!("#if __OPENCL_VERSION__ != {expected}\n#error version\n#endif\nkernel void k() {{}}\n");
            let options = options(target, ClStd::CL1_2).with_cl_std(cl_std);
            assert_eq!(compiles(&text, &options), Ok(()), "{target} {cl_std:?}");
        }
    }
}

#[test]
fn versions() {
    for (cl_std, number) in ClStd::ALL.into_iter().zip([100, 110, 120, 200, 300, 310]) {
        for target in TARGETS {
            let text = format!(
                "#if __OPENCL_C_VERSION__ != {number} || __OPENCL_VERSION__ < {number}\n#error version\n#endif\n\
                 #if CL_VERSION_1_0 != 100 || CL_VERSION_1_1 != 110 || CL_VERSION_1_2 != 120\n#error\n#endif\n\
                 #if CL_VERSION_2_0 != 200 || CL_VERSION_3_0 != 300 || CL_VERSION_3_1 != 310\n#error\n#endif\nkernel void k() {{}}\n"
            );
            assert_eq!(compiles(&text, &options(target, cl_std)), Ok(()), "{target} {cl_std}");
        }
    }
}

/// Devices without the sub-groups that OpenCL 3.1 requires are devices of 3.0.
#[test]
fn vulkan_devices_may_be_of_an_earlier_version() {
    let target = Target::Vulkan(VulkanVersion::V1_2);
    for (version, number) in [(OpenClVersion::V3_0, 300), (OpenClVersion::V3_1, 310)] {
        let text = format!("#if __OPENCL_VERSION__ != {number}\n#error version\n#endif\nkernel void k() {{}}\n");
        let options = options(target, ClStd::CL3_0).with(|options| options.device.opencl = version);
        assert_eq!(compiles(&text, &options), Ok(()), "{number}");
    }
}
