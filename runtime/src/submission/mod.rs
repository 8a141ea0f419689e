//! Recording and submitting commands, and waiting for them.
//!
//! Commands are recorded into batches; a batch is one submission. Each stream has a timeline semaphore that counts its
//! batches, which is all that events, waiting and dependencies between streams need. Batches and everything in them
//! (command buffers, descriptor sets, staging memory, timestamps) are reused when the device has executed them.

mod arena;
mod batch;
mod descriptors;
mod event;
mod gate;
mod session;
mod stream;
mod times;

pub(crate) use batch::{Batch, Recording, Replayable, Use, Watch};
pub(crate) use descriptors::{KINDS, KindCounts};
pub use event::Event;
pub(crate) use gate::Gate;
pub(crate) use session::{Command, Session};
pub use stream::EventStatus;
pub(crate) use stream::{CommandStream, Stage};
pub use times::EventTimes;
