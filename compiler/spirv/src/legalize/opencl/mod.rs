//! Passes for the OpenCL target.

pub mod builtins;
pub mod generic;
