//! The memory of device queues (OpenCL C 6.15.19), to which kernels that run append what they enqueue, and what is in it.
//! `launch/descendants.rs` launches that.

mod memory;
mod record;
mod times;

pub(crate) use memory::{EventState, Held, QueueMemories};
pub use memory::{MEMORY_BYTES as MOST_DEVICE_QUEUE_BYTES, MOST_EVENTS as MOST_DEVICE_EVENTS};
pub(crate) use record::{Command, NdRange, Record};
