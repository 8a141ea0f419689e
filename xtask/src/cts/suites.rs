//! The suites of OpenCL 3.0 and earlier.

use std::path::{Path, PathBuf};

/// A suite: a program of the conformance tests.
pub struct Suite {
    /// Its name in results.
    pub name: &'static str,
    /// Where the program is, below the folder of the build.
    path: &'static str,
    /// What it is given besides the names of tests.
    pub arguments: &'static [&'static str],
}

const fn suite(name: &'static str, path: &'static str) -> Suite {
    Suite { name, path, arguments: &[] }
}

const fn with(name: &'static str, path: &'static str, arguments: &'static [&'static str]) -> Suite {
    Suite { name, path, arguments }
}

/// In the order of importance.
pub const SUITES: &[Suite] = &[
    suite("basic", "basic/test_basic"),
    suite("api", "api/test_api"),
    suite("events", "events/test_events"),
    suite("profiling", "profiling/test_profiling"),
    suite("printf", "printf/test_printf"),
    suite("buffers", "buffers/test_buffers"),
    suite("compiler", "compiler/test_compiler"),
    suite("computeinfo", "computeinfo/test_computeinfo"),
    suite("vectors", "vectors/test_vectors"),
    suite("allocations", "allocations/test_allocations"),
    suite("mem_host_flags", "mem_host_flags/test_mem_host_flags"),
    suite("thread_dimensions", "thread_dimensions/test_thread_dimensions"),
    suite("multiple_device_context", "multiple_device_context/test_multiples"),
    suite("device_partition", "device_partition/test_device_partition"),
    suite("commonfns", "commonfns/test_commonfns"),
    suite("geometrics", "geometrics/test_geometrics"),
    suite("relationals", "relationals/test_relationals"),
    suite("select", "select/test_select"),
    suite("integer_ops", "integer_ops/test_integer_ops"),
    suite("half", "half/test_half"),
    suite("atomics", "atomics/test_atomics"),
    suite("c11_atomics", "c11_atomics/test_c11_atomics"),
    suite("workgroups", "workgroups/test_workgroups"),
    suite("subgroups", "subgroups/test_subgroups"),
    suite("generic_address_space", "generic_address_space/test_generic_address_space"),
    suite("non_uniform_work_group", "non_uniform_work_group/test_non_uniform_work_group"),
    suite("svm", "SVM/test_svm"),
    suite("pipes", "pipes/test_pipes"),
    suite("device_execution", "device_execution/test_device_execution"),
    suite("images_info", "images/clGetInfo/test_cl_get_info"),
    suite("images_methods", "images/kernel_image_methods/test_kernel_image_methods"),
    suite("images_read_write", "images/clReadWriteImage/test_cl_read_write_images"),
    suite("images_copy", "images/clCopyImage/test_cl_copy_images"),
    suite("images_fill", "images/clFillImage/test_cl_fill_images"),
    suite("images_samplerless", "images/samplerlessReads/test_samplerless_reads"),
    with("images_nearest", "images/kernel_read_write/test_image_streams", &["CL_FILTER_NEAREST"]),
    with("images_linear", "images/kernel_read_write/test_image_streams", &["CL_FILTER_LINEAR"]),
    suite("contractions", "contractions/test_contractions"),
    suite("conversions", "conversions/test_conversions"),
    with("math_brute_force", "math_brute_force/test_bruteforce", &["-1"]),
    suite("device_timer", "device_timer/test_device_timer"),
    suite("spirv_new", "spirv_new/test_spirv_new"),
    suite("semaphore", "extensions/cl_khr_semaphore/test_cl_khr_semaphore"),
    suite("command_buffer", "extensions/cl_khr_command_buffer/test_cl_khr_command_buffer"),
];

impl Suite {
    /// Its program, if it was built.
    pub fn program(&self, build: &Path) -> Option<PathBuf> {
        let file = format!("{}{}", self.path, std::env::consts::EXE_SUFFIX);
        let found = [build.join("test_conformance").join(&file), build.join(&file)];
        found.into_iter().find(|path| path.is_file()).and_then(|path| path.canonicalize().ok())
    }
}
