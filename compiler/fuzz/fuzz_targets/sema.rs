//! The front end: source to typed program.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| clforge_fuzz::front_end(data));
