//! Legalisation for Vulkan: what the IR has and Vulkan's SPIR-V lacks.

mod builtins;
mod images;
mod kernel_abi;
mod memory;
mod printf;
mod printf_records;
mod printf_strings;
mod split_vectors;
mod sub_group;
mod work_group;

pub use builtins::{Builtins, Library, legalize_actions};
pub use images::Images;
pub use kernel_abi::KernelAbi;
pub use memory::Memory;
pub use printf::{PrintfFormats, has_unknown_strings, prints};
pub use split_vectors::SplitVectors;
