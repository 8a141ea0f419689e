//! Built-in functions of floating types on a device, against references: the greatest errors found, beside the limits
//! of the specification (OpenCL C 7.4), and edge cases (7.5).
//!
//! * [`real`]: functions with an error limit: an estimate in `f64` with a bound, and MPFR where the estimate does not
//!   decide.
//! * [`exact`]: functions whose results are prescribed to the bit.
//! * [`rows`]: the table of all functions: how they are called, their limits, and where they are interesting.
//! * [`points`]: the arguments that are tried.
//! * [`error`]: distances in ulp.
//! * [`measure`]: runs a row on a device and judges.
//! * [`vectors`]: the same for geometric functions.
//! * [`report`]: tables, on the terminal and in `docs/accuracy.md`.

pub mod error;
pub mod exact;
pub mod measure;
pub mod points;
pub mod real;
pub mod report;
pub mod rows;
pub mod vectors;
