//! The passes: IR to IR, one function in one file each; `pipeline.rs` orders them.

pub mod common;
pub mod vulkan;
