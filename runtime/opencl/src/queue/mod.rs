//! Command queues (section 5.1). The thread that enqueues a command only puts it into the queue's inbox; a thread of the queue
//! records it on the device when the events that it waits for allow, and notices its end.

mod inbox;
mod object;
mod worker;

pub use inbox::{Place, Started};
pub use object::{Enqueue, Queue, marker};
