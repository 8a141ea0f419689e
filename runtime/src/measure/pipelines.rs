//! Compiles all pipelines of a program, for measurements.

use crate::error::Result;
use crate::program::{PipelineKey, Program};

/// Compiles a pipeline of each kernel of a program, one after the other, as first launches of one dimension do whose
/// work-groups have `local` work-items, or as many as the kernel requires. `local` arguments have one element.
///
/// # Errors
/// As for [`Program::kernel`], and [`crate::Error::Vulkan`].
pub fn compile_kernels(program: &Program, local: u32) -> Result<()> {
    let kernels = program.kernel_names().iter().map(|name| program.kernel(name)).collect::<Result<Vec<_>>>()?;
    for kernel in kernels {
        let local_size = kernel.interface().required_work_group_size.unwrap_or([local, 1, 1]);
        let mut key = PipelineKey { local_size, ..PipelineKey::default() };
        kernel.shared.set_range(&mut key, 1, [0; 3]);
        kernel.shared.pipeline(&key)?;
    }
    Ok(())
}
