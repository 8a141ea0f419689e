//! One launch from host data to host data, for tests: the same call for Vulkan and (feature `opencl`) OpenCL.

pub use crate::Launch as NdRange;
use crate::{Arg, Buffer, Device, Error, Image, ImageDescription, Program, Sampler};

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
    /// An image and its texels before the launch, rows and slices without gaps.
    Image(ImageDescription, Vec<u8>),
    /// A sampler.
    Sampler(Sampler),
}

/// The device's side of an argument.
enum Memory {
    None,
    Buffer(Buffer),
    Image(Image),
}

/// Launches a kernel once and returns the contents of every buffer and image argument afterwards, in argument order, with an
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
            HostArg::Buffer(bytes) => Memory::Buffer(Buffer::from_bytes(device, bytes)?),
            HostArg::Image(description, bytes) => Memory::Image(Image::from_bytes(device, *description, bytes)?),
            _ => Memory::None,
        });
    }
    let values: Vec<Arg<'_>> = args
        .iter()
        .zip(&buffers)
        .map(|(arg, buffer)| match (arg, buffer) {
            (_, Memory::Buffer(buffer)) => Arg::Buffer(buffer),
            (_, Memory::Image(image)) => Arg::Image(image),
            (HostArg::Pod(bytes), Memory::None) => Arg::Pod(bytes),
            (HostArg::Local(bytes), Memory::None) => Arg::Local(*bytes as u64),
            (HostArg::Sampler(sampler), Memory::None) => Arg::Sampler(*sampler),
            (HostArg::Null | HostArg::Buffer(_) | HostArg::Image(..), Memory::None) => Arg::Null,
        })
        .collect();
    kernel.launch(range, &values)?;
    let contents = buffers.iter().map(|memory| match memory {
        Memory::Buffer(buffer) => buffer.to_vec(),
        Memory::Image(image) => image.to_vec(),
        Memory::None => Ok(Vec::new()),
    });
    contents.collect()
}

#[cfg(feature = "opencl")]
pub mod opencl {
    //! The same launch through an installed OpenCL driver.
    pub use crate::opencl::llvm::{compile_with_clang, transform};
    pub use crate::opencl::{ClProgram, Runner};
}
