//! Command buffers (`cl_khr_command_buffer`): commands that are recorded once and enqueued together any number of times.
//!
//! It is implemented on the host: a recorded command is a call of the function of `commands` that enqueues it. The
//! function is called once on a queue that executes nothing, which checks the command, and again each time the command
//! buffer is enqueued.
//!
//! That queue is the recorder, which has no thread. When the buffer is enqueued, all commands go from the recorder's
//! inbox to the queue's at once. What is checked and what is executed cannot differ, and no command knows of command
//! buffers.

use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::event::Event;
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown};
use crate::number;
use crate::queue::{Enqueue, Queue};
use opencl_sys::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Enqueues a command on a queue, after events.
pub type Replay = Box<dyn Fn(&Ref<Queue>, Vec<Ref<Event>>) -> Result<Ref<Event>> + Send>;

/// A `cl_command_buffer_khr`.
pub struct CommandBuffer {
    queue: Ref<Queue>,
    /// Commands are enqueued here, and go together to the queue that is to execute them.
    recorder: Ref<Queue>,
    /// As they were given, with the zero at their end; empty where none were.
    property_list: Vec<cl_command_buffer_properties_khr>,
    recording: Mutex<Recording>,
}

#[derive(Default)]
struct Recording {
    commands: Vec<Command>,
    is_finalized: bool,
}

struct Command {
    /// The commands that it waits for.
    waits: Vec<usize>,
    order: Order,
    replay: Replay,
}

/// What a command does to the order of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Nothing.
    Any,
    /// Commands recorded after it start when it is complete; without a wait list it waits for all those before it.
    Barrier,
}

impl Kind for CommandBuffer {
    const INVALID: cl_int = CL_INVALID_COMMAND_BUFFER_KHR;
}

impl CommandBuffer {
    /// A command buffer for a queue.
    pub fn new(queue: &Ref<Queue>, property_list: Vec<cl_command_buffer_properties_khr>) -> Ref<CommandBuffer> {
        let (queue, recorder, recording) = (queue.clone(), queue.recorder(), Mutex::default());
        Object::new(CommandBuffer { queue, recorder, property_list, recording })
    }

    fn lock(&self) -> MutexGuard<'_, Recording> {
        self.recording.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its context.
    pub fn context(&self) -> &Ref<Context> {
        self.queue.context()
    }

    /// The device of its queue.
    pub fn device(&self) -> &Ref<Device> {
        self.queue.device()
    }

    /// Records a command that waits for sync-points. Returns its own sync-point.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` when it has been finalized, `CL_INVALID_SYNC_POINT_WAIT_LIST_KHR`, and those of the command.
    pub fn record(&self, sync_points: &[cl_sync_point_khr], order: Order, replay: Replay) -> Result<cl_sync_point_khr> {
        let mut recording = self.lock();
        ensure(!recording.is_finalized, CL_INVALID_OPERATION, "the command buffer has been finalized")?;
        let count = recording.commands.len();
        let index = |point: &cl_sync_point_khr| (*point as usize).checked_sub(1).filter(|index| *index < count);
        let waits: Option<Vec<usize>> = sync_points.iter().map(index).collect();
        let unknown = || Error::new(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "not a sync-point of this command buffer");
        let waits = waits.ok_or_else(unknown)?;
        let checked = replay(&self.recorder, Vec::new());
        self.recorder.discard();
        checked?;
        recording.commands.push(Command { waits, order, replay });
        Ok(number::count(count).saturating_add(1))
    }

    /// Ends the recording (`clFinalizeCommandBufferKHR`).
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` for the second time.
    pub fn finalize(&self) -> Result<()> {
        let was_finalized = std::mem::replace(&mut self.lock().is_finalized, true);
        ensure(!was_finalized, CL_INVALID_OPERATION, "the command buffer was finalized before")
    }

    /// Enqueues its commands on its own queue or on another one of the same device (`clEnqueueCommandBufferKHR`).
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` before it is finalized, `CL_INVALID_CONTEXT`, `CL_INVALID_DEVICE`, and those of the commands.
    pub fn enqueue(&self, queue: Option<Ref<Queue>>, waits: Vec<Ref<Event>>) -> Result<Ref<Event>> {
        let recording = self.lock();
        ensure(recording.is_finalized, CL_INVALID_OPERATION, "the command buffer has not been finalized")?;
        let queue = queue.unwrap_or_else(|| self.queue.clone());
        let same = queue.context().handle() == self.context().handle();
        ensure(same, CL_INVALID_CONTEXT, "the queue belongs to another context")?;
        let same = queue.device().handle() == self.queue.device().handle();
        ensure(same, CL_INVALID_DEVICE, "the queue is of another device")?;
        let mut end = Enqueue::new(CL_COMMAND_COMMAND_BUFFER_KHR, waits);
        end.check(&queue)?;
        match recording.replay(&self.recorder, queue.is_in_order(), &end.waits) {
            Ok(events) => {
                let first = events.first().cloned();
                end.waits.extend(events);
                Ok(queue.submit(&self.recorder, end, first))
            }
            Err(error) => {
                self.recorder.discard();
                Err(error)
            }
        }
    }
}

impl Recording {
    /// Enqueues the commands on the recorder, each after `waits` and those that it depends on. Where they go to an in-order
    /// queue, that keeps their order.
    fn replay(&self, recorder: &Ref<Queue>, is_in_order: bool, waits: &[Ref<Event>]) -> Result<Vec<Ref<Event>>> {
        let mut events: Vec<Ref<Event>> = Vec::with_capacity(self.commands.len());
        let mut barrier = None;
        for command in &self.commands {
            let mut after = waits.to_vec();
            if !is_in_order {
                after.extend(command.waits.iter().map(|index| events[*index].clone()));
                after.extend(barrier.clone());
                match command.order {
                    Order::Barrier if command.waits.is_empty() => after.extend(events.iter().cloned()),
                    _ if recorder.is_in_order() => after.extend(events.last().cloned()),
                    _ => {}
                }
            }
            let event = (command.replay)(recorder, after)?;
            if command.order == Order::Barrier {
                barrier = Some(event.clone());
            }
            events.push(event);
        }
        Ok(events)
    }
}

impl Info for Object<CommandBuffer> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        Ok(match name {
            CL_COMMAND_BUFFER_QUEUES_KHR => Value::handles([&self.queue]),
            CL_COMMAND_BUFFER_NUM_QUEUES_KHR => Value::of(1u32),
            CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR => Value::of(self.references()),
            CL_COMMAND_BUFFER_STATE_KHR => Value::of(match self.lock().is_finalized {
                true => CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR,
                false => CL_COMMAND_BUFFER_STATE_RECORDING_KHR,
            }),
            CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR => Value::list(&self.property_list),
            CL_COMMAND_BUFFER_CONTEXT_KHR => Value::handle(Some(&**self.context())),
            _ => return Err(unknown(name)),
        })
    }
}
