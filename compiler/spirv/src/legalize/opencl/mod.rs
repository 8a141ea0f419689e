//! Passes for the OpenCL target.

mod builtins;
mod generic;

pub use builtins::Builtins;
pub use generic::{GenericPointers, GenericSignatures, has_generic_pointers};
