//! Buffers: memory that kernels use, transfers by queues, and the host's access that waits for the device.

mod host_access;
mod mapping;
mod object;
mod staging;
mod transfer;
mod uncached;

pub use mapping::Mapping;
pub use object::Buffer;
pub(crate) use staging::{LEAST as LEAST_STAGED, chunk_size};
pub(crate) use transfer::STAGED;
pub use transfer::{Download, RectCopy};
