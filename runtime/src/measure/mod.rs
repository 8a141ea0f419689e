//! What measurements of this crate need of its inside, for the project's own benchmarks: not a part of the interface.

mod bare;
mod pipelines;

pub use crate::vulkan::statistics::{capture_statistics, only_compile};
pub use bare::BareLaunches;
pub use pipelines::{compile_kernel, compile_kernels};
