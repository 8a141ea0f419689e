//! Semaphores (`cl_khr_semaphore`): dependencies between commands, of which either may be enqueued first.
//!
//! They are implemented on the host: a semaphore holds the event of the command that signals it, and a command that waits
//! for the semaphore waits for that event, as for an event of its wait list. Those that other interfaces share are Vulkan's
//! (`shared_semaphore.rs`).

use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::event::{Event, sleep_unless_held};
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown};
use crate::queue::{Enqueue, Queue, Started, Starter, is_thread_of_queue};
use crate::shared_semaphore::{Shared, Wait};
use clforge_runtime as runtime;
use opencl_sys::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A `cl_semaphore_khr`, of type `CL_SEMAPHORE_TYPE_BINARY_KHR`.
pub struct Semaphore {
    context: Ref<Context>,
    devices: Vec<Ref<Device>>,
    /// As they were given, with the zero at their end.
    property_list: Vec<cl_semaphore_properties_khr>,
    state: Mutex<State>,
    /// That of Vulkan, if other interfaces share it.
    shared: Option<Shared>,
}

/// Makes the semaphore of a device that other interfaces share.
pub type MakeShared = Box<dyn FnOnce(&Device) -> Result<Shared>>;

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
    /// `CL_INVALID_PROPERTY` if the context has several devices and none is named, `CL_INVALID_DEVICE`; those of `make_shared`.
    pub fn new(
        context: &Ref<Context>,
        device: Option<Ref<Device>>,
        property_list: Vec<cl_semaphore_properties_khr>,
        make_shared: Option<MakeShared>,
    ) -> Result<Ref<Semaphore>> {
        let devices = match device {
            Some(device) => vec![device],
            None => context.devices().to_vec(),
        };
        ensure(devices.len() == 1, CL_INVALID_PROPERTY, "a context with several devices, and none was named")?;
        ensure(devices.iter().all(|device| context.has(device)), CL_INVALID_DEVICE, "a device of another context")?;
        let shared = match (make_shared, devices.first()) {
            (Some(make), Some(device)) => Some(make(device)?),
            _ => None,
        };
        let state = Mutex::new(State::Unsignaled);
        Ok(Object::new(Semaphore { context: context.clone(), devices, property_list, state, shared }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The kind of handles that it can be exported as.
    fn exportable(&self) -> Option<cl_external_semaphore_handle_type_khr> {
        self.shared.as_ref().and_then(Shared::exportable)
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

    /// What can be exported as a kind of handles (`clGetSemaphoreHandleForTypeKHR`).
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE` for a device that it is not for, `CL_INVALID_VALUE` for a kind that it was not created for.
    pub fn to_export(&self, device: &Object<Device>, kind: cl_external_semaphore_handle_type_khr) -> Result<&Shared> {
        let is_for = self.devices.iter().any(|known| known.handle() == device.handle());
        ensure(is_for, CL_INVALID_DEVICE, "the semaphore is not for this device")?;
        let shared = self.shared.as_ref().filter(|shared| shared.exportable() == Some(kind));
        shared.ok_or_else(|| Error::value(format!("the semaphore has no handle of type {kind:#x}")))
    }

    /// That of Vulkan, if other interfaces share it.
    pub fn shared(&self) -> Option<&Shared> {
        self.shared.as_ref()
    }

    /// `CL_SEMAPHORE_PAYLOAD_KHR`: 1 when the signal is complete.
    fn payload(&self) -> cl_semaphore_payload_khr {
        if let Some(shared) = &self.shared {
            return shared.is_signaled().into();
        }
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
    semaphores.iter().filter_map(|semaphore| semaphore.shared()).try_for_each(Shared::check_wait)?;
    // Nothing fails from here on.
    let (mut started, mut rests) = (Vec::new(), Vec::new());
    for semaphore in semaphores {
        match &semaphore.shared {
            Some(shared) => started.push(shared.wait()),
            None => command.waits.push(semaphore.awaited()),
        }
    }
    for (signal, rest) in started.into_iter().map(Wait::start) {
        command.waits.extend(signal);
        rests.push(rest);
    }
    let action = move |queue: &runtime::Queue| {
        if rests.is_empty() {
            return Ok(Started::Nothing);
        }
        rests.into_iter().try_for_each(|rest| rest(queue))?;
        Ok(Started::OnDevice(queue.marker()?))
    };
    let event = command.on(queue, Box::new(action))?;
    semaphores.iter().filter_map(|semaphore| semaphore.shared.as_ref()).for_each(|shared| shared.is_awaited_by(&event));
    Ok(event)
}

/// Enqueues a command that signals semaphores when it ends (`clEnqueueSignalSemaphoresKHR`).
///
/// # Errors
/// As for [`wait`].
pub fn signal(queue: &Ref<Queue>, semaphores: &[Ref<Semaphore>], waits: Vec<Ref<Event>>) -> Result<Ref<Event>> {
    let mut command = command(queue, semaphores, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, waits)?;
    let shared: Vec<_> = semaphores.iter().filter(|semaphore| semaphore.shared.is_some()).cloned().collect();
    let is_shared = !shared.is_empty();
    let of = |semaphore: &Ref<Semaphore>| semaphore.shared.as_ref().and_then(Shared::last_wait);
    command.waits.extend(shared.iter().filter_map(of));
    let mut signals =
        shared.iter().filter_map(|semaphore| Some(semaphore.shared()?.signal())).collect::<Vec<_>>().into_iter();
    let action = move |queue: &runtime::Queue| {
        signals.try_fold(Started::Nothing, |_, signal| Ok(Started::OnDevice(signal(queue)?)))
    };
    if is_shared {
        command = command.by(Starter::Anyone);
    }
    let event = command.on(queue, Box::new(action))?;
    for semaphore in semaphores {
        match &semaphore.shared {
            Some(shared) => shared.is_signaled_by(&event),
            None => semaphore.signaled_by(&event)?,
        }
    }
    // Other interfaces may wait for it when the call returns. The thread of a queue would wait for itself.
    if is_shared && !is_thread_of_queue() {
        sleep_unless_held(&event);
    }
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
            // A name of properties, which have 64 bits.
            name if u64::from(name) == CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR => {
                Value::list(self.exportable().as_slice())
            }
            CL_SEMAPHORE_EXPORTABLE_KHR => Value::flag(self.exportable().is_some()),
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
