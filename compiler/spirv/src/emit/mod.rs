//! IR to SPIR-V, through rspirv. Only this module and `validate` know SPIR-V.

mod common;
mod opencl;
mod vulkan;

pub use common::LineTable;
pub use opencl::emit as emit_opencl;
pub use vulkan::emit as emit_vulkan;
