//! SPIR-V modules before they are passed to the driver: their requirements, and their adaptation to the device.
//!
//! - `scan` collects facts that are not in the reflection.
//! - `capabilities` compares what a module declares with the features of the device, so that an error names the
//!   feature.
//! - `adapt` removes what the driver cannot take.
//! - `resources` lists what kernels use, for modules whose reflection is not trusted.
//! - `declarations` has the types and blocks of the code, and where functions read them.
//! - `one_kernel` leaves the code and the variables of local memory that one kernel needs. Its pipelines are made of
//!   that.
//! - `requirements` describes what a module declares to need, `first_uses` finds the instructions that need it.
//! - `opencl_c` finds the features of OpenCL C that a device has.

mod adapt;
mod capabilities;
mod declarations;
mod first_uses;
mod one_kernel;
mod opencl_c;
mod requirements;
mod resources;
mod scan;
#[cfg(test)]
mod words;

pub(crate) use adapt::adapt;
pub(crate) use capabilities::check;
pub(crate) use declarations::Variable;
pub use first_uses::{FirstUse, SourcePlace};
pub(crate) use one_kernel::one_kernel;
pub use opencl_c::OpenClFeature;
pub use requirements::{Requirement, Requirements, requirements};
pub(crate) use resources::{Load, Resources};
pub(crate) use scan::{EntryPoint, Scan, private_bytes};
