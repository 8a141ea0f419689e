//! Runs OpenCL C kernels, compiled by `clforge_compiler`, on any Vulkan device.
//!
//! ```no_run
//! use clforge_runtime::{Arg, Buffer, Device, DeviceSelector, Launch, Program};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let device = Device::open(&DeviceSelector::Best)?;
//! let source = "kernel void twice(global float *a, float by) { a[get_global_id(0)] *= by; }";
//! let program = Program::from_source(&device, source, &Default::default())?;
//! let buffer = Buffer::from_bytes(&device, &1.5f32.to_le_bytes().repeat(100))?;
//! program.kernel("twice")?.launch(&Launch::new(&[100]), &[Arg::Buffer(&buffer), Arg::pod(&2.0f32)])?;
//! # Ok(())
//! # }
//! ```
//!
//! Every call waits until the device has done its work, so nothing is in use when it is dropped; handles own what they
//! need and may be dropped in any order. A [`Device`] can be shared between threads; its work is done one at a time.
#![warn(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod device;
mod error;
pub mod harness;
mod image;
mod includes;
mod kernel;
mod launch;
mod memory;
#[cfg(feature = "opencl")]
mod opencl;
mod printf;
mod program;

pub use device::{Device, DeviceInfo, DeviceKind, DeviceSelector, Instance, InstanceOptions, Limits, Quirk};
pub use error::{CompileErrors, Error, Result};
pub use image::{Addressing, ChannelOrder, ChannelType, Image, ImageDescription, ImageFormat, ImageKind, Sampler};
pub use includes::FileIncludes;
pub use kernel::{Arg, Kernel};
pub use launch::{Launch, Timings};
pub use memory::Buffer;
pub use printf::Printed;
pub use program::Program;
