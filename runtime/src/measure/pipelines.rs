//! Compiles all pipelines of a program, for measurements.

use crate::error::Result;
use crate::program::{Kernel, PipelineKey, Program};
use crate::vulkan::statistics;

/// Compiles a pipeline of each kernel of a program, one after the other, as first launches of one dimension do whose
/// work-groups have `local` work-items, or as many as the kernel requires. `local` arguments have one element.
///
/// # Errors
/// As for [`Program::kernel`], and [`crate::Error::Vulkan`].
pub fn compile_kernels(program: &Program, local: u32) -> Result<()> {
    let kernels = program.kernel_names().iter().map(|name| program.kernel(name)).collect::<Result<Vec<_>>>()?;
    for kernel in kernels {
        kernel.shared.pipeline(&key(&kernel, local))?;
    }
    Ok(())
}

/// Compiles a pipeline of one kernel, as [`compile_kernels`] does, and returns what the driver tells of it: names and
/// numbers, after [`super::capture_statistics`].
///
/// # Errors
/// As for [`compile_kernels`].
pub fn compile_kernel(kernel: &Kernel, local: u32) -> Result<Vec<(String, f64)>> {
    let pipeline = kernel.shared.compile(&key(kernel, local))?;
    statistics::read(&kernel.shared.module.device.shared.raw, pipeline.handle.raw)
}

fn key(kernel: &Kernel, local: u32) -> PipelineKey {
    let local_size = kernel.interface().required_work_group_size.unwrap_or([local, 1, 1]);
    let mut key = PipelineKey { local_size, ..PipelineKey::default() };
    kernel.shared.set_range(&mut key, 1, [0; 3]);
    key
}
