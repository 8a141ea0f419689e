//! One launch from host data to host data, for tests: the same call for Vulkan and, with the feature `opencl`, for an OpenCL
//! driver.
#![deny(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod host_arg;
#[cfg(feature = "opencl")]
pub mod opencl;
mod vulkan;

pub use clforge_runtime::Launch as NdRange;
pub use host_arg::HostArg;
pub use vulkan::run_vulkan;
