//! Arguments on the host.

use clforge_runtime::{ImageDescription, Sampler};

/// An argument with its contents on the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostArg {
    /// Contents of a buffer before the launch.
    Buffer(Vec<u8>),
    /// A scalar, vector or structure in its memory layout (a `float3` has 16 bytes).
    Pod(Vec<u8>),
    /// The size in bytes of the memory of a `local` pointer.
    Local(usize),
    /// A null pointer.
    Null,
    /// An image and its texels before the launch, rows and slices without gaps.
    Image(ImageDescription, Vec<u8>),
    /// A sampler.
    Sampler(Sampler),
}
