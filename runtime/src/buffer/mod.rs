//! Buffers: memory that kernels use, transfers by queues, and the host's access that waits for the device.
//!
//! Functions of buffers and images that wait use the memory in place if the host sees it. Recording a command takes a
//! lock in shared mode, access in place takes it exclusively, so no work starts during the access; while other threads
//! keep the device busy, the data is copied instead. Large transfers go through staging buffers in chunks
//! (`staging.rs`), those of images by whole rows or slices.

#[cfg(unix)]
mod descriptor;
mod host_access;
mod mapping;
mod object;
mod program;
mod staging;
mod transfer;
mod uncached;

pub use mapping::Mapping;
pub use object::Buffer;
pub(crate) use staging::{LEAST as LEAST_STAGED, chunk_size};
pub use transfer::{Download, RectCopy};
pub(crate) use transfer::{STAGED, check_overlap, record_copy, record_fill, word_at};
