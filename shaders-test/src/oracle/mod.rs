//! Independent models of what built-in functions must return, and the means to run them on a device.
//!
//! * [`engine`]: a source text on a device, through the Vulkan or the OpenCL target.
//! * [`number`]: the bits of every scalar type as exact numbers, and exact rounding back to bits.
//! * [`conversions`]: `convert_…` with every mode, against [`number`].
//! * [`special_constants`]: floating-point operations with zeros, infinities, NaN, … as constants, against the host.

pub mod conversions;
pub mod engine;
pub mod number;
pub mod special_constants;
