//! Queues: commands in order, executed asynchronously.
//!
//! Commands are recorded into batches; a batch is one submission. Each queue has a timeline semaphore that counts its
//! batches, which is all that events, waiting and dependencies between queues need. Batches and everything in them
//! (command buffers, descriptor sets, staging memory, timestamps) are used again when the device is done with them.

mod arena;
mod batch;
mod descriptors;
mod event;
mod session;
mod shared;
mod times;
mod transfer;
mod user_event;

pub use event::{Event, EventStatus};
pub use times::EventTimes;
pub use transfer::{Download, RectCopy};
pub use user_event::UserEvent;

pub(crate) use batch::{Batch, Recording, Use};
pub(crate) use descriptors::{KINDS, KindCounts};
pub(crate) use session::Session;
pub(crate) use shared::QueueShared;

use crate::kernel::Kernel;
use crate::launch::{self, Launch};
use crate::{Arg, Device, Error, Result};
use std::sync::Arc;

/// Commands that a device executes one after another, while the host goes on. Cloning is cheap; all clones are the
/// same queue.
///
/// Each command sees all that the commands before it have written. Commands of different queues are not ordered unless
/// one waits for an [`Event`] of the other ([`Queue::wait_for`]).
///
/// Commands are collected and given to the device some at a time. [`Queue::flush`] hands over what there is; whatever
/// waits (for an event, for the queue, for data) does so too. Dropping the last handle of a queue waits for its work.
///
/// ```
/// # use clforge_runtime::{Arg, Buffer, Device, DeviceSelector, Launch, Program, Queue};
/// # let device = Device::open(&DeviceSelector::Best)?;
/// let source = "kernel void add(global uint *a, uint by) { a[get_global_id(0)] += by; }";
/// let add = Program::from_source(&device, source, &Default::default())?.kernel("add")?;
/// let (buffer, queue) = (Buffer::new(&device, 400)?, Queue::with_profiling(&device)?);
/// queue.fill(&buffer, 0, 400, &5u32.to_le_bytes())?;
/// let steps: Vec<_> = (0..1000u32)
///     .map(|step| queue.launch(&add, &Launch::new(&[100]), &[Arg::Buffer(&buffer), Arg::pod(&step)]))
///     .collect::<Result<_, _>>()?;
/// let download = queue.read_async(&buffer, 0, 4)?;
/// // The host may do something else here.
/// assert_eq!(download.wait()?, (5u32 + 1000 * 999 / 2).to_le_bytes());
/// let times = steps[0].times()?;
/// assert!(times.started.is_none_or(|started| times.queued <= started));
/// # Ok::<(), clforge_runtime::Error>(())
/// ```
#[derive(Clone)]
pub struct Queue {
    pub(crate) device: Device,
    pub(crate) shared: Arc<QueueShared>,
}

impl Queue {
    /// A queue whose events do not tell when the device began and ended.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Vulkan`].
    pub fn new(device: &Device) -> Result<Queue> {
        device.create_queue(false)
    }

    /// A queue whose events tell all times, where the device has timestamps. This costs a little for each command.
    ///
    /// # Errors
    /// As for [`Queue::new`].
    pub fn with_profiling(device: &Device) -> Result<Queue> {
        device.create_queue(true)
    }

    /// The device it belongs to.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Launches a kernel. Arguments by value are taken as they are now; buffers and images are the device's and must not
    /// be mapped. See [`Kernel::launch`] for the rules of sizes.
    ///
    /// A kernel that prints is waited for, and what it printed is handed on: see [`crate::Program::on_print`]. So is one
    /// that checks its accesses: see [`crate::Program::on_out_of_range`].
    ///
    /// The second launch of a kernel with the same local size and sizes of `local` arguments allocates nothing.
    ///
    /// # Errors
    /// As for [`Kernel::launch`]; what is wrong with the launch is told before anything is queued.
    pub fn launch(&self, kernel: &Kernel, range: &Launch, args: &[Arg<'_>]) -> Result<Event> {
        Ok(launch::enqueue(self, &kernel.shared, range, args)?.event)
    }

    /// Lets all later commands of this queue wait until `event`, of whatever queue of the same device, is complete.
    ///
    /// # Errors
    /// [`Error::Launch`] for an event of another device, [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn wait_for(&self, event: &Event) -> Result<()> {
        let other = event.queue();
        if !Arc::ptr_eq(self.shared.device(), other.device()) {
            return Err(Error::Launch("the event belongs to another device".into()));
        }
        if Arc::ptr_eq(&self.shared, other) {
            return Ok(());
        }
        // What is waited for must be submitted first: both queues may share one of Vulkan's.
        other.flush_to(event.value())?;
        let gates = other.gates(event.value());
        if !gates.is_empty() {
            self.shared.hold(&gates)?;
        }
        self.shared.depend_on(other, event.value())
    }

    /// Lets all later commands of this queue wait until the host completes `event`. What waits for these commands then waits
    /// for that too: functions of [`crate::Buffer`] and [`crate::Image`], and launches of kernels that print or check their
    /// accesses. Another thread must complete the event, or this one before it calls them.
    ///
    /// # Errors
    /// As for [`Queue::wait_for`].
    pub fn wait_for_user(&self, event: &UserEvent) -> Result<()> {
        if !Arc::ptr_eq(self.shared.device(), &event.device) {
            return Err(Error::Launch("the event belongs to another device".into()));
        }
        self.shared.hold(std::slice::from_ref(&event.gate))
    }

    /// An event that is complete when all commands so far are.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn marker(&self) -> Result<Event> {
        let mut session = Session::start(&self.shared, Use::Nothing);
        session.batch()?;
        session.finish()
    }

    /// Gives all commands so far to the device, without waiting for them.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`]: the commands are lost.
    pub fn flush(&self) -> Result<()> {
        self.shared.flush_to(u64::MAX)
    }

    /// Waits until all commands so far are complete.
    ///
    /// # Errors
    /// As for [`Queue::flush`].
    pub fn finish(&self) -> Result<()> {
        self.shared.finish()
    }
}
