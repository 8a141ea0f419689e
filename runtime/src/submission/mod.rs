//! Recording and submitting commands, and waiting for them.
//!
//! Commands are recorded into batches; a batch is one submission. Each stream has a timeline semaphore that counts its
//! batches; events, waiting and dependencies between streams need nothing else. Batches and everything in them (command
//! buffers, descriptor sets, staging memory, timestamps) are reused when the device has executed them.
//!
//! A batch has up to 128 commands. Its recording begins as soon as the one before is submitted. When the device has at most
//! one batch and a launch without descriptor sets is identical to an earlier one, the command buffer of that one is submitted
//! again. Commands of a batch may overlap if no memory depends on their order: which memory a launch accesses is known
//! from its arguments and from what the compiler has noted of the kernel (`hazards.rs`). A barrier precedes all others.
//!
//! Command buffers of programs are secondary command buffers, which are recorded once (`Batch::secondary`) and which batches
//! execute as one command.
//!
//! Batches that wait for an event of the host are held back on the host (`gate.rs`), and so are those that wait for
//! them. A queue that waits for another one submits that one's commands first, so queues that share one of Vulkan's
//! cannot deadlock. A thread that waits polls the semaphore for a while before it sleeps (`Device::set_polling`), since
//! waking a thread takes longer than most launches.

mod arena;
mod batch;
mod descriptors;
mod event;
mod gate;
mod hazards;
mod session;
mod state;
mod stream;
mod times;
mod warm_up;

pub(crate) use batch::{Batch, Recording, Replayable, Watch};
pub(crate) use descriptors::{KINDS, KindCounts};
pub use event::Event;
pub(crate) use gate::Gate;
pub(crate) use hazards::{Footprint, Use, accessed};
pub(crate) use session::{Command, Record, Session};
pub(crate) use state::Stage;
pub(crate) use stream::CommandStream;
pub use stream::EventStatus;
pub use times::EventTimes;
