//! IR to SPIR-V, through rspirv. Besides this module, `legalize_actions` names instructions of SPIR-V, and `interface`,
//! `validate` and `disassemble` read modules.

mod common;
mod opencl;
mod vulkan;

pub use common::LineTable;
pub use opencl::emit as emit_opencl;
pub use vulkan::emit as emit_vulkan;
