//! The passes: IR to IR, one function in one file each; `pipeline.rs` orders them.

pub mod vulkan;
