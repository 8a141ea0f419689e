//! Programs (section 5.8): sources, builds for the devices of a context, linking, and binaries.

mod build;
mod headers;
mod il;
mod link;
mod object;
mod task;

pub use build::BuildInfo;
pub use headers::Headers;
pub use link::link;
pub use object::Program;
pub use task::{Finished, run};
