//! Launches on a Vulkan device.

use super::host_arg::HostArg;
use clforge_runtime::Buffer;
use clforge_runtime::Device;
use clforge_runtime::Error;
use clforge_runtime::Image;
use clforge_runtime::Launch;
use clforge_runtime::{Arg, Program};

/// The memory of an argument on the device.
enum Memory {
    None,
    Buffer(Buffer),
    Image(Image),
}

/// Launches a kernel once and returns the contents of every buffer and image argument afterwards, in argument order, with an
/// empty vector in the place of every other argument.
///
/// # Errors
/// As for [`clforge_runtime::Kernel::launch`].
pub fn run_vulkan(
    device: &Device,
    program: &Program,
    kernel: &str,
    range: &Launch,
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
