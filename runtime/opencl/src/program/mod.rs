//! Programs (section 5.8): sources, builds for the devices of a context, and binaries.

mod build;
mod headers;
mod object;

pub use build::BuildInfo;
pub use headers::Headers;
pub use object::{Program, link};
