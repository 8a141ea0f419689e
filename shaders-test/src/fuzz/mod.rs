//! Random programs, run by an OpenCL driver from source and by both of our targets; differences are reduced and kept.
//!
//! * `types`, [`tree`]: what a generated program is made of.
//! * [`generate`]: makes one from a seed.
//! * [`check`]: runs one; this happens in child processes, since drivers crash.
//! * [`arbiter`]: distinguishes the driver's errors from ours.
//! * [`worker`]: those processes, with a limit on their time.
//! * [`reduce`]: makes a failing program small.

pub mod arbiter;
pub mod check;
pub mod generate;
pub mod reduce;
pub mod tree;
pub mod types;
pub mod worker;
