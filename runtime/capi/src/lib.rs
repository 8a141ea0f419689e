//! The compiler for programs in C and C++: `include/clforge.h` declares what this library exports.
//!
//! `types.rs` has what C sees; `result.rs` makes results of what the compiler returns; `boundary.rs` has the functions. `pointers.rs`
//! reads what C gives.
#![deny(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod boundary;
mod pointers;
mod result;
mod types;

pub use boundary::*;
pub use result::CompilerResult;
pub use types::{API_VERSION, Diagnostic, Severity, Status};
