//! Source to SPIR-V for OpenCL.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| clforge_fuzz::compile(data, clforge_fuzz::OPENCL));
