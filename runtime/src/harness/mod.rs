//! One launch from host data to host data, for tests: the same call for Vulkan and, with the feature `opencl`, for an OpenCL
//! driver.

mod bare;
mod host_arg;
#[cfg(feature = "opencl")]
pub mod opencl;
mod pipelines;
mod vulkan;

pub use crate::launch::Launch as NdRange;
pub use bare::BareLaunches;
pub use host_arg::HostArg;
pub use pipelines::compile_kernels;
pub use vulkan::run_vulkan;
