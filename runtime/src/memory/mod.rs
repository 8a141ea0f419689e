//! Memory: the device's allocator, buffer objects with memory, and memory of the host that a device uses in place.

mod host;
mod import;
mod importer;
mod kept;
mod pool;
mod raw_buffer;

pub use host::HostMemory;
pub(crate) use pool::MemoryPool;
pub(crate) use raw_buffer::RawBuffer;
