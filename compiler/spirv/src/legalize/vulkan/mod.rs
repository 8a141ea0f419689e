//! Legalisation for Vulkan: what the IR has and Vulkan's SPIR-V lacks.

pub mod builtins;
pub mod images;
pub mod launch;
pub mod memory;
pub mod printf;
mod printf_strings;
mod sub_group;
pub mod wide_vectors;
mod work_group;
