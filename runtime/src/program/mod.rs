//! Programs and their kernels: modules on a device, layouts of arguments, pipelines.

mod arguments;
mod consistency;
mod encoded;
mod kernel;
mod launch_rules;
mod layout;
mod loaded;
mod loop_watch;
mod object;
mod pipeline;
mod pipeline_cache;
mod pipelines;
mod plan;
mod speculation;
mod validated;
mod wide;

pub use arguments::Arg;
pub(crate) use arguments::encode;
pub(crate) use encoded::{Encoded, Resource};
pub use kernel::Kernel;
pub(crate) use kernel::{KernelShared, Scratch};
pub use object::Program;
pub(crate) use pipelines::PipelineKey;
