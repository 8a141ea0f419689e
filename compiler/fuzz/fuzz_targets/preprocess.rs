//! The preprocessor.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| clforge_fuzz::print(data, clforge_compiler::Stage::Preprocessed));
