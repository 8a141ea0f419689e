//! Source to SPIR-V for Vulkan.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| clforge_fuzz::compile(data, clforge_fuzz::VULKAN));
