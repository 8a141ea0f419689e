//! Passes for the OpenCL target.

pub mod generic;
