//! Modules for OpenCL through the whole compiler, changed instruction by instruction.
#![no_main]

use clforge_fuzz::{mutate_module, translate};

libfuzzer_sys::fuzz_target!(|data: &[u8]| translate(data));

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate_module(data, size, max_size, seed)
});
