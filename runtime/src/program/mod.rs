//! Programs and their kernels: modules on a device, layouts of arguments, pipelines.
//!
//! A program compares the reflection with the code (`consistency`: ranges, overlaps, descriptors, specialisation
//! constants, and what kernels read and nobody describes), lays out arguments once (`plan`, `layout`), encodes them
//! (`arguments`), and compiles a pipeline for each local size and sizes of `local` arguments (`pipelines`). The local
//! size is usually known at the first launch, and compiling may take seconds, so other kernels are compiled in the
//! background (`speculation`, `Device::set_background_compilation`), and so are, while a program is loaded, the pipelines
//! that its launches needed in an earlier run (`history`).

mod arguments;
mod consistency;
mod distinct;
mod encoded;
mod history;
mod kept_includes;
mod kernel;
mod launch_rules;
mod layout;
mod loaded;
mod loop_watch;
mod object;
mod pipeline;
mod pipelines;
mod plan;
mod speculation;
mod validated;
mod variants;

pub use arguments::Arg;
pub(crate) use arguments::{encode, overlap};
pub(crate) use encoded::{Encoded, Resource};
pub use kernel::Kernel;
pub(crate) use kernel::{KernelShared, Scratch};
pub use object::Program;
#[cfg(feature = "measure")]
pub(crate) use pipelines::PipelineKey;
