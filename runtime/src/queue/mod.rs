//! Queues: commands in order, executed asynchronously.

mod semaphores;
#[cfg(unix)]
mod shared_semaphore;
mod user_event;

pub use user_event::UserEvent;

use crate::device::Device;
use crate::error::{Error, Result};
use crate::submission::{CommandStream, Event, Recording, Session, Use};
use crate::vulkan::DeviceKind;
use std::sync::Arc;

/// Commands that a device executes one after another, while the host continues. Cloning is cheap; all clones are the
/// same queue.
///
/// Each command sees all that the commands before it have written. Commands of different queues are not ordered unless
/// one waits for an [`Event`] of the other ([`Queue::wait_for`]).
///
/// Commands are collected and submitted in batches. [`Queue::flush`] submits those collected so far; so does everything that
/// waits for an event, for the queue or for data. Dropping the last handle of a queue waits for its commands.
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
    pub(crate) stream: Arc<CommandStream>,
}

impl Queue {
    /// A queue whose events do not record when the device started and completed them.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Vulkan`].
    pub fn new(device: &Device) -> Result<Queue> {
        Queue::of(device, false)
    }

    /// A queue whose events record all times, if the device has timestamps. This costs a little for each command.
    ///
    /// # Errors
    /// As for [`Queue::new`].
    pub fn with_profiling(device: &Device) -> Result<Queue> {
        Queue::of(device, true)
    }

    fn of(device: &Device, profiling: bool) -> Result<Queue> {
        let stream = device.create_stream(profiling)?;
        // Where the driver executes commands on the processor, command buffers are memory of the process.
        if device.info().kind != DeviceKind::Cpu {
            stream.prepare_first()?;
            device.warm_up(&stream);
        }
        Ok(Queue { device: device.clone(), stream })
    }

    /// Whether a few more commands can be recorded without a wait for the device, which is made where it has very many.
    pub fn has_room(&self) -> bool {
        self.stream.has_room()
    }

    /// The device it belongs to.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Lets all later commands of this queue wait until `event`, of any queue of the same device, is complete.
    ///
    /// # Errors
    /// [`Error::Launch`] for an event of another device, [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn wait_for(&self, event: &Event) -> Result<()> {
        let other = event.stream();
        if !Arc::ptr_eq(self.stream.device(), other.device()) {
            return Err(Error::Launch("the event belongs to another device".into()));
        }
        if Arc::ptr_eq(&self.stream, other) {
            return Ok(());
        }
        // The event's batch must be submitted before the batches that wait for it: both queues may share one of Vulkan's,
        // which executes submissions in order.
        other.flush_to(event.value())?;
        let gates = other.gates(event.value());
        if !gates.is_empty() {
            self.stream.hold(&gates)?;
        }
        self.stream.depend_on(other, event.value())
    }

    /// Lets all later commands of this queue wait until the host completes `event`. Functions that wait for these commands wait
    /// for the event too: those of [`crate::Buffer`] and [`crate::Image`], and launches of kernels that print or check their
    /// accesses. The event must be completed by another thread, or by this one before it calls them.
    ///
    /// # Errors
    /// As for [`Queue::wait_for`].
    pub fn wait_for_user(&self, event: &UserEvent) -> Result<()> {
        if !Arc::ptr_eq(self.stream.device(), &event.device) {
            return Err(Error::Launch("the event belongs to another device".into()));
        }
        self.stream.hold(std::slice::from_ref(&event.gate))
    }

    /// Whether an event is of a command of this queue.
    pub fn owns(&self, event: &Event) -> bool {
        Arc::ptr_eq(&self.stream, event.stream())
    }

    /// An event that is complete when all commands so far are.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn marker(&self) -> Result<Event> {
        let mut session = Session::start(&self.stream, Use::Nothing);
        session.batch()?;
        session.finish()
    }

    /// Submits all commands so far, without waiting for them.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`]: the commands are lost.
    pub fn flush(&self) -> Result<()> {
        self.stream.flush_to(u64::MAX)
    }

    /// Waits until all commands so far are complete.
    ///
    /// # Errors
    /// As for [`Queue::flush`].
    pub fn finish(&self) -> Result<()> {
        self.stream.finish()
    }

    /// Records transfers by Vulkan functions.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub(crate) fn record(&self, record: impl FnOnce(&Recording<'_>)) -> Result<Event> {
        let mut session = Session::start(&self.stream, Use::Transfer);
        let commands = session.batch()?.commands;
        record(&Recording { device: self.stream.device(), commands });
        session.finish()
    }
}

impl Device {
    /// The device's own queue, with profiling. Functions that wait for the device use it.
    pub fn queue(&self) -> Queue {
        Queue { device: self.clone(), stream: self.shared.default_stream.clone() }
    }
}
