//! One launch from host data to host data, for tests: the same call for Vulkan and (feature `opencl`) OpenCL.

pub use crate::Launch as NdRange;
use crate::{Arg, Buffer, Device, Error, Program};

/// An argument that lives on the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostArg {
    /// Contents of a buffer before the launch.
    Buffer(Vec<u8>),
    /// A scalar, vector or structure by value, as it lies in memory (a `float3` has 16 bytes).
    Pod(Vec<u8>),
    /// Bytes of `local` memory.
    Local(usize),
    /// A null pointer.
    Null,
}

/// Launches a kernel once and returns the contents of every buffer argument afterwards, in argument order, with an
/// empty vector in the place of every other argument.
///
/// # Errors
/// As for [`crate::Kernel::launch`].
pub fn run_vulkan(
    device: &Device,
    program: &Program,
    kernel: &str,
    range: &NdRange,
    args: &[HostArg],
) -> Result<Vec<Vec<u8>>, Error> {
    let kernel = program.kernel(kernel)?;
    let mut buffers = Vec::with_capacity(args.len());
    for arg in args {
        buffers.push(match arg {
            HostArg::Buffer(bytes) => Some(Buffer::from_bytes(device, bytes)?),
            _ => None,
        });
    }
    let values: Vec<Arg<'_>> = args
        .iter()
        .zip(&buffers)
        .map(|(arg, buffer)| match (arg, buffer) {
            (_, Some(buffer)) => Arg::Buffer(buffer),
            (HostArg::Pod(bytes), None) => Arg::Pod(bytes),
            (HostArg::Local(bytes), None) => Arg::Local(*bytes as u64),
            (HostArg::Null | HostArg::Buffer(_), None) => Arg::Null,
        })
        .collect();
    kernel.launch(range, &values)?;
    buffers.iter().map(|buffer| buffer.as_ref().map_or(Ok(Vec::new()), Buffer::to_vec)).collect()
}

#[cfg(feature = "opencl")]
pub mod opencl {
    //! The same launch through an installed OpenCL driver.
    pub use crate::opencl::{ClProgram, Runner};
}
