//! Command queues (section 5.1). The thread that enqueues a command checks its parameters and puts it into the queue's
//! inbox. The thread of the queue (`worker.rs`) records it on the runtime's queue when the events that it waits for are
//! complete, or recorded on the same device, and detects its completion. Except for the commands below, it does not wait for
//! one command while it could start or end another: a thread that enqueues a kernel behind its own user event is not blocked.
//!
//! A thread of the client that enqueues a short command for a GPU records it itself, if everything before it is recorded. A
//! thread that waits for a command also completes it (`sharing.rs`), so that no thread is woken between the client and the
//! device. The thread of the queue completes commands that have functions of the client to call (`clSetEventCallback`).
//!
//! A marker that waits for no other queue ends with the command before it and is nothing on the device. Commands that
//! are recorded while the device has enough to do are one submission, up to where the client has flushed the queue
//! (`clFlush`), so that those before complete without those behind. Reads, kernels that print and kernels with bounds
//! checks wait for their end where they are started: in the thread of the queue, or in that of a blocking call.

mod engine;
mod inbox;
mod object;
mod on_device;
mod sharing;
mod worker;

pub use inbox::{Action, Place, Started};
pub use object::{Enqueue, Queue, marker};
pub use on_device::OnDevice;
pub use sharing::Starter;
pub use worker::is_current as is_thread_of_queue;
