//! End-to-end material: OpenCL C programs with host references, and the runner of the cases below `cases/`.
//!
//! * [`programs`]: larger programs, each with a reference computed on the host; the demo and the tests run them.
//! * [`job`]: what to run, and how the outcome is judged.
//! * [`backend`]: executes compiled code on Vulkan (our runtime) and OpenCL (PoCL).
//! * `accuracy` (a feature, since it needs MPFR): errors of floating functions beside the specification's limits.
//! * [`recorded`]: results of an OpenCL driver in a file.
//! * [`device_results`]: what `device_test` and `device_bench` share.
//! * [`hidden`]: features that the runtime is told a device lacks.
//! * [`embedded`]: the sources inside the executable, for `cargo xtask device-test`.
//! * [`oracle`]: exact models of built-in functions, compared with what devices compute.
//! * [`case`]: the small end-to-end cases, one `.cl` file with its launch and its expectation in its head.
#![forbid(unsafe_code)]

#[cfg(feature = "accuracy")]
pub mod accuracy;
pub mod backend;
pub mod case;
pub mod data;
pub mod device_results;
pub mod embedded;
#[cfg(feature = "opencl")]
pub mod fuzz;
pub mod hidden;
pub mod job;
pub mod oracle;
pub mod programs;
pub mod recorded;
