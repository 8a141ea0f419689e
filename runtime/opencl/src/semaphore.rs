//! Semaphores (`cl_khr_semaphore`): dependencies between commands, of which either may be enqueued first.
//!
//! It is implemented on the host: a semaphore holds the event of the command that signals it, and a command that waits
//! for the semaphore waits for that event, as for an event of its wait list.

use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::event::Event;
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown};
use crate::queue::{Enqueue, Queue, marker};
use opencl_sys::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A `cl_semaphore_khr`, of type `CL_SEMAPHORE_TYPE_BINARY_KHR`.
pub struct Semaphore {
    context: Ref<Context>,
    devices: Vec<Ref<Device>>,
    /// As they were given, with the zero at their end.
    property_list: Vec<cl_semaphore_properties_khr>,
    state: Mutex<State>,
}

/// What a wait for a semaphore finds.
enum State {
    /// Nothing: the last signal was waited for.
    Unsignaled,
    /// A command that signals it, and is complete or not.
    Signaled(Ref<Event>),
    /// A wait that was enqueued before its signal: a user event that the signal completes.
    Awaited(Ref<Event>),
}

impl Kind for Semaphore {
    const INVALID: cl_int = CL_INVALID_SEMAPHORE_KHR;
}

impl Semaphore {
    /// A semaphore that is not signaled, for one device of a context, or for the only one.
    ///
    /// # Errors
    /// `CL_INVALID_PROPERTY` if the context has several devices and none is named, `CL_INVALID_DEVICE`.
    pub fn new(
        context: &Ref<Context>,
        device: Option<Ref<Device>>,
        property_list: Vec<cl_semaphore_properties_khr>,
    ) -> Result<Ref<Semaphore>> {
        let devices = match device {
            Some(device) => vec![device],
            None => context.devices().to_vec(),
        };
        ensure(devices.len() == 1, CL_INVALID_PROPERTY, "a context with several devices, and none was named")?;
        ensure(devices.iter().all(|device| context.has(device)), CL_INVALID_DEVICE, "a device of another context")?;
        let state = Mutex::new(State::Unsignaled);
        Ok(Object::new(Semaphore { context: context.clone(), devices, property_list, state }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The event that the next wait waits for. A second wait before the signal, which the specification leaves undefined,
    /// shares that of the first.
    fn awaited(&self) -> Ref<Event> {
        let mut state = self.lock();
        let event = match std::mem::replace(&mut *state, State::Unsignaled) {
            State::Signaled(event) => return event,
            State::Awaited(event) => event,
            State::Unsignaled => Event::new(&self.context, None, CL_COMMAND_USER),
        };
        *state = State::Awaited(event.clone());
        event
    }

    /// A command that signals it has been enqueued.
    fn signaled_by(&self, event: &Ref<Event>) -> Result<()> {
        let mut state = self.lock();
        let State::Awaited(awaited) = std::mem::replace(&mut *state, State::Unsignaled) else {
            *state = State::Signaled(event.clone());
            return Ok(());
        };
        drop(state);
        event.on_status(CL_COMPLETE, Box::new(move |status| _ = awaited.set_user_status(status)))
    }

    /// `CL_SEMAPHORE_PAYLOAD_KHR`: 1 when the signal is complete.
    fn payload(&self) -> cl_semaphore_payload_khr {
        match &*self.lock() {
            State::Signaled(event) => (event.status() == CL_COMPLETE).into(),
            State::Unsignaled | State::Awaited(_) => 0,
        }
    }
}

/// A command that waits for semaphores or signals them, with what can be wrong checked.
fn command(
    queue: &Ref<Queue>,
    semaphores: &[Ref<Semaphore>],
    command: cl_command_type,
    waits: Vec<Ref<Event>>,
) -> Result<Enqueue> {
    ensure(!semaphores.is_empty(), CL_INVALID_VALUE, "no semaphores")?;
    for semaphore in semaphores {
        let same = semaphore.context.handle() == queue.context().handle();
        ensure(same, CL_INVALID_CONTEXT, "the queue and a semaphore belong to different contexts")?;
        let has = semaphore.devices.iter().any(|device| device.handle() == queue.device().handle());
        ensure(has, CL_INVALID_COMMAND_QUEUE, "a semaphore is not for the queue's device")?;
    }
    let command = Enqueue::new(command, waits);
    command.check(queue)?;
    let failed = command.waits.iter().any(|event| event.status() < CL_COMPLETE);
    ensure(!failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "an event of the wait list has failed")?;
    Ok(command)
}

/// Enqueues a command that ends when all semaphores are signaled, and leaves them not signaled
/// (`clEnqueueWaitSemaphoresKHR`).
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_CONTEXT`, `CL_INVALID_COMMAND_QUEUE`, `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST`.
pub fn wait(queue: &Ref<Queue>, semaphores: &[Ref<Semaphore>], waits: Vec<Ref<Event>>) -> Result<Ref<Event>> {
    let mut command = command(queue, semaphores, CL_COMMAND_SEMAPHORE_WAIT_KHR, waits)?;
    command.waits.extend(semaphores.iter().map(|semaphore| semaphore.awaited()));
    command.on(queue, marker())
}

/// Enqueues a command that signals semaphores when it ends (`clEnqueueSignalSemaphoresKHR`).
///
/// # Errors
/// As for [`wait`].
pub fn signal(queue: &Ref<Queue>, semaphores: &[Ref<Semaphore>], waits: Vec<Ref<Event>>) -> Result<Ref<Event>> {
    let event = command(queue, semaphores, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, waits)?.on(queue, marker())?;
    semaphores.iter().try_for_each(|semaphore| semaphore.signaled_by(&event))?;
    Ok(event)
}

impl Info for Object<Semaphore> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        Ok(match name {
            CL_SEMAPHORE_CONTEXT_KHR => Value::handle(Some(&*self.context)),
            CL_SEMAPHORE_REFERENCE_COUNT_KHR => Value::of(self.references()),
            CL_SEMAPHORE_PROPERTIES_KHR => Value::list(&self.property_list),
            CL_SEMAPHORE_TYPE_KHR => Value::of(CL_SEMAPHORE_TYPE_BINARY_KHR),
            CL_SEMAPHORE_PAYLOAD_KHR => Value::of(self.payload()),
            CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR => Value::handles(&self.devices),
            _ => return Err(unknown(name)),
        })
    }
}

/// Checks the value of `CL_SEMAPHORE_TYPE_KHR`.
///
/// # Errors
/// `CL_INVALID_PROPERTY` for one that is unknown.
pub fn check_type(value: cl_semaphore_properties_khr) -> Result<()> {
    let known = value == cl_semaphore_properties_khr::from(CL_SEMAPHORE_TYPE_BINARY_KHR);
    if known { Ok(()) } else { Err(Error::new(CL_INVALID_PROPERTY, format!("semaphore type {value:#x}"))) }
}
