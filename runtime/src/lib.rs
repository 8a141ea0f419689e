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
//! The functions of [`Kernel`], [`Buffer`] and [`Image`] wait until the device has completed their work. Those of a [`Queue`]
//! do not: the device executes launches and transfers in order, and [`Event`]s report their state.
//!
//! Handles own what they need. They may be dropped in any order and at any time: memory is freed when all work that began
//! before is complete. Every type can be shared between threads.
//!
//! # Safety
//!
//! Whatever is passed to safe functions, this crate uses Vulkan as its specification demands: arguments have the kind and size
//! that a kernel's interface states, sizes are within the limits of the device, and nothing is destroyed while it is in use.
//! Modules of other compilers are validated, and what they say about themselves is compared with their code, before a driver
//! sees them ([`Program::from_spirv`]).
//!
//! What a kernel does with its pointers is the kernel's own responsibility, as with every API for GPUs: an index past
//! the end of a buffer, or an [`Arg::Address`] of nothing, reads or writes other memory of the device. On a device
//! whose driver executes kernels on the processor, this can be any memory of the process. Programs compiled with
//! `CodegenOptions::bounds_check` check each access instead, and report those that are out of range. A kernel that
//! never ends, or deadlocks, blocks its queue or loses the device; [`Launch::timeout`] limits the time that the host
//! waits for it, and [`Device::abandon`] lets the process go on.
//!
//! In a process that was forked after a device was opened, that device counts as lost.
#![deny(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod background;
mod bounds;
mod buffer;
pub mod cache;
mod copier;
mod cuda;
mod device;
mod device_enqueue;
mod error;
pub mod exit;
#[cfg(test)]
mod faults;
pub mod fork;
mod host_copy;
mod image;
mod internal_kernel;
mod launch;
#[cfg(feature = "measure")]
#[doc(hidden)]
pub mod measure;
mod memory;
mod module;
mod narrow;
mod printf;
mod program;
mod queue;
mod report;
mod shadows;
mod submission;
mod suppressions;
mod vulkan;

pub use clforge_compiler::argument_info::{AccessQualifier, AddressQualifier, TypeQualifiers};
pub use clforge_compiler::{
    CodegenOptions, CompiledUnit, DeviceFacts, Diagnostics, FileIncludes, LanguageOptions, Options, Source, Unit,
    build_options, diag, driver_flags, interface, options, read_file, read_stream, tuning, warnings, workarounds,
};

/// The Vulkan bindings whose handles the functions take that share a device, buffers or images with other code.
pub use ash;
pub use buffer::{Buffer, Download, Mapping, RectCopy};
pub use cache::Cache;
pub use device::{Device, ExternalDevice, NvidiaAttributes};
pub use device_enqueue::{MOST_DEVICE_EVENTS, MOST_DEVICE_QUEUE_BYTES};
pub use error::{CompileErrors, Error, Result, VulkanResult};
pub use image::{
    Addressing, ChannelOrder, ChannelType, Image, ImageDescription, ImageFormat, ImageKind, ImageRegion, ImageSupport,
    PitchedTexels, SampledLevels, Sampler,
};
pub use launch::{CommandBuffer, CommandRecorder, Launch, Timings};
pub use memory::HostMemory;
#[cfg(unix)]
pub use memory::MemoryHandle;
pub use module::{FirstUse, OpenClFeature, Requirement, Requirements, SourcePlace, requirements};
pub use printf::Printed;
pub use program::{Arg, Kernel, Program};
pub use queue::{Queue, UserEvent};
pub use report::{AccessTarget, ArgumentRange, LaunchReport, OutOfRangeAccess, PlaceReport};
pub use submission::{Event, EventStatus, EventTimes};
pub use vulkan::{
    DeviceInfo, DeviceKind, DeviceNeeds, DeviceSelector, Hardware, ImageLimits, Instance, InstanceOptions, Limits,
    PciAddress, Quirk,
};
#[cfg(unix)]
pub use vulkan::{SemaphoreHandle, SharedSemaphore};

/// The programs of the README are tested as this crate's documentation.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// So are those of the book's chapter about this library.
#[cfg(doctest)]
#[doc = include_str!("../../docs/book/src/rust.md")]
struct Book;

#[cfg(test)]
mod tests {
    /// A raw pointer in a handle would silently make it unusable from other threads.
    #[test]
    fn handles_can_be_shared_between_threads() {
        fn check<T: Send + Sync>() {}
        check::<crate::Device>();
        check::<crate::Buffer>();
        check::<crate::Image>();
        check::<crate::Program>();
        check::<crate::Kernel>();
        check::<crate::Queue>();
        check::<crate::Event>();
        check::<crate::CommandBuffer>();
        check::<crate::CommandRecorder>();
        check::<crate::UserEvent>();
        check::<crate::HostMemory>();
        check::<crate::Download>();
        check::<crate::Mapping>();
        check::<crate::Error>();
    }
}
