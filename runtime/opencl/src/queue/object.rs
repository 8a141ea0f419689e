//! Queue objects.

use super::engine::Engine;
use super::inbox::{Action, Command, Inbox, Place, Started};
use super::on_device::OnDevice;
use super::sharing::{Finished, Shared, Starter};
use super::worker;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::event::{Event, Owner};
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown};
use crate::settings::is_set;
use clforge_runtime as runtime;
use clforge_runtime::exit;
use opencl_sys::*;
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

/// A `cl_command_queue`.
pub struct Queue {
    context: Ref<Context>,
    device: Ref<Device>,
    properties: cl_command_queue_properties,
    /// As they were given, with the zero at their end; empty where none were.
    property_list: Vec<cl_queue_properties>,
    /// Of a queue on the device, which has no commands of the host.
    on_device: Option<OnDevice>,
    shared: Arc<Shared>,
}

/// A command that is to be enqueued.
pub struct Enqueue {
    /// `CL_EVENT_COMMAND_TYPE`.
    pub command: cl_command_type,
    /// The events that it waits for.
    pub waits: Vec<Ref<Event>>,
    /// Its place among the others of an out-of-order queue.
    pub place: Place,
    /// Which threads may start it.
    pub starter: Starter,
}

impl Kind for Queue {
    const INVALID: cl_int = CL_INVALID_COMMAND_QUEUE;
}

impl Owner for Object<Queue> {
    fn handle(&self) -> usize {
        Object::handle(self)
    }

    fn is_profiled(&self) -> bool {
        self.properties & CL_QUEUE_PROFILING_ENABLE != 0
    }

    fn watch(&self, is_fulfilled: &dyn Fn() -> bool) {
        self.shared.watch(is_fulfilled);
    }

    fn poll(&self) {
        self.shared.poll();
    }

    fn attend(&self) {
        self.shared.attend();
    }

    fn blockers(&self, event: &Object<Event>) -> Vec<Ref<Event>> {
        self.shared.blockers(event)
    }
}

/// The queues of a command that consists of commands of several ones.
struct Several(Vec<Ref<Queue>>);

impl Owner for Several {
    fn handle(&self) -> usize {
        0
    }

    fn is_profiled(&self) -> bool {
        self.0.iter().all(|queue| queue.is_profiled())
    }

    fn watch(&self, is_fulfilled: &dyn Fn() -> bool) {
        if let Some((first, others)) = self.0.split_first() {
            others.iter().for_each(|queue| queue.attend());
            first.watch(is_fulfilled);
        }
    }

    fn poll(&self) {
        self.0.iter().for_each(|queue| queue.poll());
    }

    fn attend(&self) {
        self.0.iter().for_each(|queue| queue.attend());
    }

    fn blockers(&self, event: &Object<Event>) -> Vec<Ref<Event>> {
        self.0.iter().flat_map(|queue| queue.blockers(event)).collect()
    }
}

impl Queue {
    /// A queue of a device.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE`, `CL_INVALID_VALUE` for unknown properties, `CL_INVALID_QUEUE_PROPERTIES` for those that no device
    /// has, `CL_OUT_OF_RESOURCES`, `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(
        context: &Ref<Context>,
        device: &Ref<Device>,
        properties: cl_command_queue_properties,
        property_list: Vec<cl_queue_properties>,
    ) -> Result<Ref<Queue>> {
        Queue::check(context, device, properties)?;
        let on_device = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
        ensure(properties & on_device == 0, CL_INVALID_QUEUE_PROPERTIES, "a queue on the device is made otherwise")?;
        let opened = device.open()?;
        if is_set("CLFORGE_KEEP_CLOCK") && !opened.keep_clock() {
            tracing::debug!("CLFORGE_KEEP_CLOCK=1: there is no means to keep the clock of this device up");
        }
        let queue = match properties & CL_QUEUE_PROFILING_ENABLE {
            0 => runtime::Queue::new(&opened)?,
            _ => runtime::Queue::with_profiling(&opened)?,
        };
        let inbox = Arc::new(Inbox::default());
        let in_order = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0;
        let engine = Engine::new(&inbox, queue, in_order);
        let shared = Arc::new(Shared::new(inbox, Some(engine), opened.polling()));
        let of_thread = shared.clone();
        let thread = runtime::exit::spawn("clforge queue", move || worker::run(&of_thread, &opened));
        thread.map_err(|error| Error::new(CL_OUT_OF_HOST_MEMORY, error.to_string()))?;
        let (context, device) = (context.clone(), device.clone());
        let queue = Object::new(Queue { context, device, properties, property_list, on_device: None, shared });
        queue.context.add_queue(Arc::downgrade(&queue) as _);
        Ok(queue)
    }

    /// Checks what all queues are made of.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE`, `CL_INVALID_VALUE` for unknown properties.
    pub(super) fn check(
        context: &Context,
        device: &Ref<Device>,
        properties: cl_command_queue_properties,
    ) -> Result<()> {
        ensure(context.has(device), CL_INVALID_DEVICE, "the context does not have this device")?;
        let on_host = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
        let on_device = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
        ensure(properties & !(on_host | on_device) == 0, CL_INVALID_VALUE, "unknown properties of a queue")
    }

    /// A queue that executes nothing.
    pub(super) fn without_thread(
        context: &Ref<Context>,
        device: &Ref<Device>,
        (properties, property_list): (cl_command_queue_properties, Vec<cl_queue_properties>),
        on_device: Option<OnDevice>,
    ) -> Ref<Queue> {
        let (context, device) = (context.clone(), device.clone());
        let shared = Arc::new(Shared::new(Arc::default(), None, Duration::ZERO));
        Object::new(Queue { context, device, properties, property_list, on_device, shared })
    }

    /// A queue on a device. The default one is created once; later calls return it.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE`, `CL_INVALID_VALUE` for unknown properties.
    pub fn on_device(
        context: &Ref<Context>,
        device: &Ref<Device>,
        properties: cl_command_queue_properties,
        property_list: Vec<cl_queue_properties>,
        on_device: OnDevice,
    ) -> Result<Ref<Queue>> {
        Queue::check(context, device, properties)?;
        if on_device.is_default
            && let Some(queue) = Queue::default_on(context, device)
        {
            return Ok(queue);
        }
        let queue = Queue::without_thread(context, device, (properties, property_list), Some(on_device));
        // Another thread may have made one meanwhile.
        let default = if on_device.is_default { queue.default_unless_given() } else { None };
        Ok(default.unwrap_or(queue))
    }

    /// The default queue on a device, if there is one.
    pub fn default_on(context: &Context, device: &Object<Device>) -> Option<Ref<Queue>> {
        context.default_queue(device)?.downcast().ok()
    }

    /// The queues of a context that commands of the host are enqueued to.
    pub fn all_of(context: &Context) -> Vec<Ref<Queue>> {
        context.queues().into_iter().filter_map(|queue| queue.downcast().ok()).collect()
    }

    /// A queue that executes nothing: what is enqueued there waits for [`Object::<Queue>::submit`].
    pub fn recorder(&self) -> Ref<Queue> {
        Queue::without_thread(&self.context, &self.device, (self.properties, Vec::new()), None)
    }

    /// Whether kernels enqueue to it, and not the host.
    pub fn is_on_device(&self) -> bool {
        self.on_device.is_some()
    }

    /// Removes what was enqueued on a recorder.
    pub fn discard(&self) {
        drop(self.shared.inbox.take());
    }

    /// Lets the commands so far complete without those that come later (`clFlush`). They start as soon as they can anyway.
    pub fn flush(&self) {
        self.shared.flush();
    }

    /// Whether it executes commands in the order in which they were enqueued.
    pub fn is_in_order(&self) -> bool {
        self.properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0
    }

    /// Its context.
    pub fn context(&self) -> &Ref<Context> {
        &self.context
    }

    /// Its device.
    pub fn device(&self) -> &Ref<Device> {
        &self.device
    }
}

impl Enqueue {
    /// A command with no place of its own.
    pub fn new(command: cl_command_type, waits: Vec<Ref<Event>>) -> Enqueue {
        Enqueue { command, waits, place: Place::Anywhere, starter: Starter::Queue }
    }

    /// The same command, which other threads than the queue's may start.
    pub fn by(self, starter: Starter) -> Enqueue {
        Enqueue { starter, ..self }
    }

    /// Checks the wait list, for commands that change something before they are enqueued.
    ///
    /// # Errors
    /// `CL_INVALID_CONTEXT` for an event of another context.
    pub fn check(&self, queue: &Queue) -> Result<()> {
        let same = self.waits.iter().all(|event| event.context().handle() == queue.context.handle());
        ensure(same, CL_INVALID_CONTEXT, "the queue and an event belong to different contexts")
    }

    /// Enqueues it. Everything that can be found out now has been checked.
    ///
    /// # Errors
    /// Those of [`Enqueue::check`].
    pub fn on(self, queue: &Ref<Queue>, action: Action) -> Result<Ref<Event>> {
        self.check(queue)?;
        let Enqueue { command, waits, place, starter } = self;
        let event = Event::new(&queue.context, Some(queue.clone()), command);
        queue.shared.enqueue(Command { event: event.clone(), waits, place, action, is_flushed: false }, starter);
        Ok(event)
    }
}

impl Object<Queue> {
    /// Makes a queue on the device the default one.
    pub fn make_default(self: &Arc<Self>) {
        let queue: Arc<dyn Any + Send + Sync> = self.clone();
        self.context.set_default_queue(&self.device, &queue);
    }

    /// Makes a queue on the device the default one, or returns that which there is.
    fn default_unless_given(self: &Arc<Self>) -> Option<Ref<Queue>> {
        let queue: Arc<dyn Any + Send + Sync> = self.clone();
        self.context.default_queue_unless_given(&self.device, &queue)?.downcast().ok()
    }

    /// Enqueues what was enqueued on recorders of the same devices as those of as many queues, and behind it, on the first queue, a
    /// command that begins with `first`, one of those, and ends when all that it waits for have ended.
    pub fn submit(
        queues: &[Ref<Queue>],
        recorders: &[Ref<Queue>],
        end: Enqueue,
        first: Option<Ref<Event>>,
    ) -> Ref<Event> {
        let Enqueue { command, waits, place, .. } = end;
        let owner: Arc<dyn Owner> = match queues {
            [queue] => queue.clone(),
            _ => Arc::new(Several(queues.to_vec())),
        };
        let context = &queues[0].context;
        let event = Event::new(context, Some(owner), command);
        if let Some(first) = first {
            event.begins_with(first);
        }
        let mut end = Some(Command { event: event.clone(), waits, place, action: marker(), is_flushed: false });
        let parts = queues.iter().zip(recorders).map(|(queue, recorder)| {
            let mut commands = recorder.shared.inbox.take().commands;
            commands.extend(end.take());
            (&*queue.shared.inbox, commands)
        });
        // They wait for each other: where commands of another thread came between them, those and these could wait for each other
        // on two queues that execute in order.
        Inbox::put_into_all(parts.collect());
        event
    }

    /// Waits for all commands so far (`clFinish`).
    ///
    /// # Errors
    /// `CL_OUT_OF_RESOURCES` if the execution of a command has failed since the last call. That another one was not executed since
    /// what it waits for has failed is no error of this function.
    pub fn finish(self: &Arc<Self>) -> Result<()> {
        let finished = exit::with_threads(|| self.shared.finish());
        let mut has_failed = false;
        if !matches!(finished, Finished::Yes) {
            let all = Enqueue { place: Place::AfterAll, ..Enqueue::new(CL_COMMAND_MARKER, Vec::new()) };
            let all = all.by(Starter::Anyone).on(self, marker())?;
            let polls = matches!(finished, Finished::No);
            has_failed = (if polls { all.wait() } else { all.sleep() }) != CL_COMPLETE;
        }
        has_failed |= self.shared.take_failed();
        ensure(!has_failed, CL_OUT_OF_RESOURCES, "a command has failed since the queue was finished last")
    }
}

/// The action of markers and barriers.
pub fn marker() -> Action {
    Box::new(|_| Ok(Started::Nothing))
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.shared.inbox.close();
    }
}

impl Info for Object<Queue> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        Ok(match name {
            CL_QUEUE_CONTEXT => Value::handle(Some(&*self.context)),
            CL_QUEUE_DEVICE => Value::handle(Some(&*self.device)),
            CL_QUEUE_REFERENCE_COUNT => Value::of(self.references()),
            CL_QUEUE_PROPERTIES => Value::of(self.properties),
            CL_QUEUE_PROPERTIES_ARRAY => Value::list(&self.property_list),
            CL_QUEUE_DEVICE_DEFAULT => Value::handle(Queue::default_on(&self.context, &self.device).as_deref()),
            CL_QUEUE_SIZE => match self.on_device {
                Some(on_device) => Value::of(on_device.size),
                None => return Err(Error::new(CL_INVALID_COMMAND_QUEUE, "not a queue on the device")),
            },
            _ => return Err(unknown(name)),
        })
    }
}
