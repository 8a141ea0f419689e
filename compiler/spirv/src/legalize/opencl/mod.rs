//! Passes for the OpenCL target.

mod generic;

pub use generic::{GenericPointers, GenericSignatures, has_generic_pointers};
