//! Legalisation for Vulkan: what the IR has and Vulkan's SPIR-V lacks.

pub mod builtins;
pub mod images;
pub mod kernel_abi;
pub mod memory;
pub mod printf;
mod printf_strings;
pub mod split_vectors;
mod sub_group;
mod work_group;
