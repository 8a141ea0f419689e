//! OpenCL C in, SPIR-V out.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod diag;
pub mod interface;
pub mod options;
pub mod source;
