//! SPIR-V modules before the driver sees them: what they need of a device, and how they are adapted to it.

mod adapt;
mod capabilities;
mod declarations;
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
pub(crate) use one_kernel::one_kernel;
pub use opencl_c::OpenClFeature;
pub use requirements::{Requirement, Requirements, requirements};
pub(crate) use resources::{Load, Resources};
pub(crate) use scan::{EntryPoint, Scan, private_bytes};
