//! Runs OpenCL C kernels, compiled by `clforge_compiler`, on any Vulkan device.
//!
//! ```
//! use clforge_runtime::{Arg, Buffer, Device, DeviceSelector, Launch, Program};
//!
//! let source = "kernel void twice(global float *a, float by) { a[get_global_id(0)] *= by; }";
//! let device = Device::open(&DeviceSelector::Best)?;
//! let program = Program::from_source(&device, source, &Default::default())?;
//! let buffer = Buffer::from_slice(&device, &[1.5f32; 100])?;
//! program.kernel("twice")?.launch(&Launch::new(&[100]), &[Arg::Buffer(&buffer), Arg::pod(&2.0f32)])?;
//! assert_eq!(buffer.to_vec_of::<f32>()?, [3.0; 100]);
//! # Ok::<(), clforge_runtime::Error>(())
//! ```
//!
//! The functions of [`Kernel`], [`Buffer`] and [`Image`] wait until the device has done its work. A [`Queue`] does not: it
//! takes launches and transfers, the device executes them in order, and [`Event`]s tell how far it is.
//!
//! Handles own what they need and may be dropped in any order and at any time: memory stays until the work that began
//! before is done. Everything can be shared between threads.
#![warn(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod bounds;
pub mod cache;
mod device;
mod error;
#[cfg(test)]
mod faults;
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
mod queue;

pub use bounds::{LaunchReport, OutOfRange};
pub use cache::Cache;
pub use device::{
    Device, DeviceInfo, DeviceKind, DeviceSelector, Instance, InstanceOptions, Limits, OpenClFeature, Quirk,
};
pub use error::{CompileErrors, Error, Result};
pub use image::{Addressing, ChannelOrder, ChannelType, Image, ImageDescription, ImageFormat, ImageKind, Sampler};
pub use includes::FileIncludes;
pub use kernel::{Arg, Kernel};
pub use launch::{Launch, Timings};
pub use memory::{Buffer, HostMemory, Mapping};
pub use printf::Printed;
pub use program::Program;
pub use queue::{Download, Event, EventStatus, EventTimes, Queue, RectCopy, UserEvent};
