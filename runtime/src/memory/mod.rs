//! Memory: the device's allocator, buffer objects with memory, and memory of the host that a device uses in place.
//!
//! - Buffers over the host's own memory (`host.rs`, `import.rs`) own an allocation that is aligned for every device, or
//!   a copy of it where VK_EXT_external_memory_host is missing.
//! - Where the device can map memory at a given address (`place.rs`), host and kernels can have the host's memory at
//!   one address.
//! - Other processes, devices and interfaces reach buffers by file descriptors (`share.rs`).
//! - If the host can map all of a GPU's own memory (resizable BAR, `pool.rs`), buffers of up to 256 MiB are in the
//!   memory type that it can map. The processor then writes up to 64 KiB and reads up to 8 KiB across the bus (1 KiB
//!   where it has no streaming loads), in less time than a submission takes.
//! - Buffers of 8 MiB or more are dedicated allocations (`raw_buffer.rs`). 1 GiB of those is visible to the host, since
//!   each mapping takes longer with all that is mapped already.
//! - When a buffer in the device's own memory is dropped, the next one of its size class gets its object and its memory
//!   (`kept.rs`). Up to an eighth of the heap is kept as dedicated allocations, and as much in shared blocks; what has
//!   not been used for five seconds is released when another such buffer is dropped.

mod host;
mod huge_pages;
mod import;
mod importer;
mod kept;
mod place;
mod placer;
mod pool;
mod raw_buffer;
#[cfg(unix)]
mod share;
#[cfg(unix)]
mod sharer;

pub use host::HostMemory;
pub(crate) use pool::{MemoryPool, Ways};
pub(crate) use raw_buffer::RawBuffer;
#[cfg(unix)]
pub use sharer::MemoryHandle;
