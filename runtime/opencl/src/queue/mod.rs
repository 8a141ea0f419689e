//! Command queues (section 5.1). The thread that enqueues a command only puts it into the queue's inbox. The thread of
//! the queue records it on the device when the events of its wait list allow, and detects its completion.
//!
//! The thread that enqueues only checks the parameters. The worker (`worker.rs`) records a command on the runtime's
//! queue when the events that it waits for are complete, or recorded on the same device, and never waits for one
//! command while it could start or end another: a kernel behind a user event of the same thread waits for nobody. A
//! marker that waits for no other queue ends with the command before it and is nothing on the device. Commands that the
//! worker finds together are one submission, up to where the client has flushed the queue (`clFlush`), so that those
//! before complete without those behind. Reads, kernels that print and kernels with bounds checks are executed by the
//! worker itself, which waits for them.

mod inbox;
mod object;
mod worker;

pub use inbox::{Place, Started};
pub use object::{Enqueue, Queue, marker};
