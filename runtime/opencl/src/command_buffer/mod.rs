//! Command buffers (`cl_khr_command_buffer`): commands that are recorded once and enqueued together any number of times.
//!
//! Successive launches, copies and fills of buffers are one command buffer of the runtime's, which is recorded when they are
//! enqueued for the first time, and again after a launch was changed.
//!
//! Any other recorded command is a call of the function of `commands` that enqueues it. The function is called once on a queue
//! that executes nothing, which checks the command, and again each time the command buffer is enqueued. That queue is the
//! recorder, which has no thread. When the buffer is enqueued, all commands go from the recorder's inbox to the queue's at once.
//! A command buffer for several queues, of several devices too (`cl_khr_command_buffer_multi_device`), has a recorder for each;
//! commands wait for those of other queues as for any event.
//! A copy for other queues has the same commands, which are checked again (`remap.rs`).
//! What is checked and what is executed cannot differ, and no command knows of command buffers.

mod dispatch;
mod remap;

pub use dispatch::{Change, Dispatch, DispatchProperties, NewRange};

use crate::commands::{CheckedLaunch, Transfer};
use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::event::Event;
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown};
use crate::number;
use crate::queue::{Action, Enqueue, Queue, Started, Starter};
use clforge_runtime as runtime;
use opencl_sys::*;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Enqueues a command on a queue, after events.
pub type Replay = Arc<dyn Fn(&Ref<Queue>, Vec<Ref<Event>>) -> Result<Ref<Event>> + Send + Sync>;

/// A `cl_command_buffer_khr`.
pub struct CommandBuffer {
    /// At least one.
    queues: Vec<Ref<Queue>>,
    /// Commands are enqueued here, and go together to the queues that are to execute them.
    recorders: Vec<Ref<Queue>>,
    /// As they were given, with the zero at their end; empty where none were.
    property_list: Vec<cl_command_buffer_properties_khr>,
    usage: Usage,
    recording: Mutex<Recording>,
}

/// What a command buffer was made for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// Whether its launches may be changed (`CL_COMMAND_BUFFER_MUTABLE_KHR`).
    pub is_mutable: bool,
    /// Whether no launch will have more work-groups (`CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR`).
    pub keeps_work_groups: bool,
    /// Whether no command may wait for the host (`CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR`).
    pub is_ordered_by_devices: bool,
}

#[derive(Default)]
struct Recording {
    commands: Vec<Command>,
    /// The commands as they are enqueued, once it is finalized.
    steps: Vec<Step>,
    is_finalized: bool,
}

#[derive(Clone)]
struct Command {
    /// The number of its queue.
    queue: usize,
    /// The commands that it waits for.
    waits: Vec<usize>,
    order: Order,
    what: What,
}

/// What a recorded command does.
#[derive(Clone)]
pub enum What {
    /// It launches a kernel.
    Launch(Ref<Dispatch>),
    /// It copies or fills bytes of buffers, and can be recorded.
    Transfer(Arc<Transfer>),
    /// Anything else.
    Other(Replay),
}

/// Commands of a queue that are enqueued as one.
struct Step {
    queue: usize,
    /// The steps that it waits for.
    waits: Vec<usize>,
    /// Whether it waits for all before it on its queue.
    after_all: bool,
    /// Whether those behind it on its queue wait for it.
    holds_back: bool,
    action: StepAction,
}

enum StepAction {
    Replay(Replay),
    /// A launch that the host waits for.
    Single(Ref<Dispatch>),
    /// Successive commands of the device, and barriers between and behind them.
    Group(Group),
}

/// Commands that are recorded once, and executed in order as far as they have memory in common.
struct Group {
    commands: Vec<DeviceCommand>,
    /// What they execute, since a launch was changed.
    current: Option<Arc<Recorded>>,
}

/// A command that can be recorded.
enum DeviceCommand {
    Launch(Ref<Dispatch>),
    Transfer(Arc<Transfer>),
}

/// Commands as they are at a time: one that was enqueued does not see later changes.
struct Recorded {
    /// They keep their arguments alive.
    parts: Vec<Part>,
    commands: Mutex<Option<Arc<runtime::CommandBuffer>>>,
}

enum Part {
    Launch(Arc<CheckedLaunch>),
    Transfer(Arc<Transfer>),
}

impl Part {
    fn has_views(&self) -> bool {
        match self {
            Part::Launch(launch) => launch.has_views() || !launch.is_plain(),
            Part::Transfer(transfer) => transfer.has_views(),
        }
    }
}

impl DeviceCommand {
    /// The launch, if it is one.
    fn dispatch(&self) -> Option<&Ref<Dispatch>> {
        if let DeviceCommand::Launch(dispatch) = self { Some(dispatch) } else { None }
    }

    /// # Errors
    /// `CL_INVALID_OPERATION` if an argument is not set.
    fn current(&self) -> Result<Part> {
        Ok(match self {
            DeviceCommand::Launch(dispatch) => Part::Launch(dispatch.launch().ok_or_else(dispatch::lacks_arguments)?),
            DeviceCommand::Transfer(transfer) => Part::Transfer(transfer.clone()),
        })
    }
}

impl Group {
    /// # Errors
    /// `CL_INVALID_OPERATION` if an argument is not set.
    fn current(&mut self) -> Result<Arc<Recorded>> {
        if let Some(current) = &self.current {
            return Ok(current.clone());
        }
        let parts = self.commands.iter().map(DeviceCommand::current).collect::<Result<_>>()?;
        let recorded = Arc::new(Recorded { parts, commands: Mutex::default() });
        self.current = Some(recorded.clone());
        Ok(recorded)
    }
}

impl Recorded {
    fn lock(&self) -> MutexGuard<'_, Option<Arc<runtime::CommandBuffer>>> {
        self.commands.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The runtime's command buffer, which is recorded now if it has not been.
    fn on(&self, device: &runtime::Device) -> Result<Arc<runtime::CommandBuffer>> {
        let mut commands = self.lock();
        if let Some(commands) = &*commands {
            return Ok(commands.clone());
        }
        let mut recorder = runtime::CommandRecorder::new(device)?;
        self.parts.iter().try_for_each(|part| match part {
            Part::Launch(launch) => launch.record(&mut recorder),
            Part::Transfer(transfer) => transfer.record(&mut recorder),
        })?;
        let recorded = Arc::new(recorder.finish()?);
        *commands = Some(recorded.clone());
        Ok(recorded)
    }

    /// Executes them.
    fn action(self: &Arc<Self>) -> Action {
        let recorded = self.clone();
        Box::new(move |queue| {
            if recorded.parts.iter().any(Part::has_views) {
                return recorded.start(queue);
            }
            Ok(Started::OnDevice(queue.execute(&*recorded.on(queue.device())?)?))
        })
    }

    /// Executes them one by one, with copies between images over buffers and these.
    fn start(&self, queue: &runtime::Queue) -> Result<Started> {
        for part in &self.parts {
            match part {
                Part::Launch(launch) => drop(launch.start(queue)?),
                Part::Transfer(transfer) => drop(transfer.start(queue)?),
            }
        }
        Ok(Started::OnDevice(queue.marker()?))
    }

    /// Recording may take long, since it compiles.
    fn starter(&self) -> Starter {
        if self.lock().is_some() { Starter::Anyone } else { Starter::Queue }
    }
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
    /// A command buffer for queues of one context.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for none, `CL_INVALID_CONTEXT`, `CL_INVALID_COMMAND_QUEUE` for queues on devices, and
    /// `CL_INCOMPATIBLE_COMMAND_QUEUE_KHR`.
    pub fn new(
        queues: Vec<Ref<Queue>>,
        property_list: Vec<cl_command_buffer_properties_khr>,
        usage: Usage,
    ) -> Result<Ref<CommandBuffer>> {
        let first = queues.first().ok_or_else(|| Error::value("a command buffer without queues"))?;
        let same = queues.iter().all(|queue| queue.context().handle() == first.context().handle());
        ensure(same, CL_INVALID_CONTEXT, "queues of different contexts")?;
        let are_of_host = queues.iter().all(|queue| !queue.is_on_device());
        ensure(are_of_host, CL_INVALID_COMMAND_QUEUE, "a command buffer for a queue on the device")?;
        // The host orders commands of different queues (`CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR`).
        let can = !usage.is_ordered_by_devices || queues.len() == 1;
        ensure(can, CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, "queues that the devices do not order by themselves")?;
        let (recorders, recording) = (queues.iter().map(|queue| queue.recorder()).collect(), Mutex::default());
        Ok(Object::new(CommandBuffer { queues, recorders, property_list, usage, recording }))
    }

    /// What it was made for.
    pub fn usage(&self) -> Usage {
        self.usage
    }

    fn lock(&self) -> MutexGuard<'_, Recording> {
        self.recording.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its context.
    pub fn context(&self) -> &Ref<Context> {
        self.queues[0].context()
    }

    /// The queue of a number that it was made for.
    pub fn queue(&self, number: usize) -> &Ref<Queue> {
        &self.queues[number]
    }

    /// The number of a queue that a command is recorded for; of the only one if none is given.
    ///
    /// # Errors
    /// `CL_INVALID_COMMAND_QUEUE`, `CL_INVALID_CONTEXT`.
    pub fn number_of(&self, queue: Option<&Ref<Queue>>) -> Result<usize> {
        let Some(queue) = queue else {
            ensure(self.queues.len() == 1, CL_INVALID_COMMAND_QUEUE, "no queue, of several")?;
            return Ok(0);
        };
        let same = queue.context().handle() == self.context().handle();
        ensure(same, CL_INVALID_CONTEXT, "the queue belongs to another context")?;
        let found = self.queues.iter().position(|known| known.handle() == queue.handle());
        found.ok_or_else(|| Error::new(CL_INVALID_COMMAND_QUEUE, "the command buffer is for other queues"))
    }

    /// Records a command for the queue of a number, which waits for sync-points. Returns its own sync-point.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` when it has been finalized, `CL_INVALID_SYNC_POINT_WAIT_LIST_KHR`, and those of the command.
    pub fn record(
        &self,
        queue: usize,
        sync_points: &[cl_sync_point_khr],
        order: Order,
        what: What,
    ) -> Result<cl_sync_point_khr> {
        let mut recording = self.lock();
        ensure(!recording.is_finalized, CL_INVALID_OPERATION, "the command buffer has been finalized")?;
        let count = recording.commands.len();
        let index = |point: &cl_sync_point_khr| (*point as usize).checked_sub(1).filter(|index| *index < count);
        let waits: Option<Vec<usize>> = sync_points.iter().map(index).collect();
        let unknown = || Error::new(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "not a sync-point of this command buffer");
        let waits = waits.ok_or_else(unknown)?;
        if let What::Other(replay) = &what {
            let recorder = &self.recorders[queue];
            let checked = replay(recorder, Vec::new());
            recorder.discard();
            checked?;
        }
        recording.commands.push(Command { queue, waits, order, what });
        Ok(number::count(count).saturating_add(1))
    }

    /// Ends the recording (`clFinalizeCommandBufferKHR`).
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` for the second time.
    pub fn finalize(&self) -> Result<()> {
        let mut recording = self.lock();
        let was_finalized = std::mem::replace(&mut recording.is_finalized, true);
        ensure(!was_finalized, CL_INVALID_OPERATION, "the command buffer was finalized before")?;
        recording.steps = steps(&recording.commands);
        Ok(())
    }

    /// Changes launches (`clUpdateMutableCommandsKHR`): all of them, or none if `check` has an error. Commands that were enqueued
    /// before execute what they would have.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` before it is finalized or for one that was not made to be changed, and those of `check`.
    pub fn update(&self, check: impl FnOnce() -> Result<Vec<Change>>) -> Result<()> {
        let mut recording = self.lock();
        ensure(recording.is_finalized, CL_INVALID_OPERATION, "the command buffer has not been finalized")?;
        ensure(self.usage.is_mutable, CL_INVALID_OPERATION, "the command buffer was not made to be changed")?;
        let changed: HashSet<usize> = check()?.into_iter().map(Change::make).collect();
        for step in &mut recording.steps {
            if let StepAction::Group(Group { commands, current }) = &mut step.action
                && commands
                    .iter()
                    .filter_map(DeviceCommand::dispatch)
                    .any(|dispatch| changed.contains(&dispatch.handle()))
            {
                *current = None;
            }
        }
        Ok(())
    }

    /// Enqueues its commands on its own queues or on as many other ones of the same devices (`clEnqueueCommandBufferKHR`).
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` before it is finalized and while an argument is not set, `CL_INVALID_VALUE` for another number of
    /// queues, `CL_INVALID_CONTEXT`, `CL_INVALID_DEVICE`, and those of the commands.
    pub fn enqueue(&self, queues: Option<Vec<Ref<Queue>>>, waits: Vec<Ref<Event>>) -> Result<Ref<Event>> {
        let mut recording = self.lock();
        ensure(recording.is_finalized, CL_INVALID_OPERATION, "the command buffer has not been finalized")?;
        let queues = queues.as_deref().unwrap_or(&self.queues);
        ensure(queues.len() == self.queues.len(), CL_INVALID_VALUE, "another number of queues")?;
        let mut end = Enqueue::new(CL_COMMAND_COMMAND_BUFFER_KHR, waits);
        for (queue, own) in queues.iter().zip(&self.queues) {
            ensure(
                !queue.is_on_device(),
                CL_INVALID_COMMAND_QUEUE,
                "the host does not enqueue to a queue on the device",
            )?;
            let same = queue.context().handle() == self.context().handle();
            ensure(same, CL_INVALID_CONTEXT, "the queue belongs to another context")?;
            let same = queue.device().handle() == own.device().handle();
            ensure(same, CL_INVALID_DEVICE, "the queue is of another device")?;
            end.check(queue)?;
        }
        if let ([queue], [Step { action: StepAction::Group(group), .. }]) = (queues, &mut recording.steps[..]) {
            let recorded = group.current()?;
            return end.by(recorded.starter()).on(queue, recorded.action());
        }
        if !recording.has_all_arguments() {
            return Err(dispatch::lacks_arguments());
        }
        // A queue that is given more than once gets its commands in the order in which they were recorded.
        let first_of = |queue: &Ref<Queue>| queues.iter().position(|other| other.handle() == queue.handle());
        let recorder = |queue| self.recorders.get(first_of(queue)?).cloned();
        let recorders: Vec<Ref<Queue>> = queues.iter().filter_map(recorder).collect();
        match recording.replay(&recorders, queues, &end.waits) {
            Ok(events) => {
                let first = events.first().cloned();
                end.waits.extend(events);
                Ok(Object::<Queue>::submit(queues, &recorders, end, first))
            }
            Err(error) => {
                self.recorders.iter().for_each(|recorder| recorder.discard());
                Err(error)
            }
        }
    }
}

/// A command as it is executed.
enum Form {
    /// Together with those before and after it.
    Grouped(DeviceCommand),
    Alone(StepAction),
}

impl From<What> for Form {
    fn from(what: What) -> Form {
        match what {
            What::Launch(dispatch) if dispatch.is_recordable() => Form::Grouped(DeviceCommand::Launch(dispatch)),
            What::Launch(dispatch) => Form::Alone(StepAction::Single(dispatch)),
            What::Transfer(transfer) => Form::Grouped(DeviceCommand::Transfer(transfer)),
            What::Other(replay) => Form::Alone(StepAction::Replay(replay)),
        }
    }
}

/// Groups commands: successive ones of a queue that can be recorded are one step.
fn steps(commands: &[Command]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut step_of: Vec<usize> = Vec::with_capacity(commands.len());
    for Command { queue, waits, order, what } in commands.iter().cloned() {
        let is_barrier = order == Order::Barrier;
        let after_all = is_barrier && waits.is_empty();
        let waits = waits.into_iter().filter_map(|command| step_of.get(command).copied());
        let open = steps.len().saturating_sub(1);
        let step = match (steps.last_mut(), Form::from(what)) {
            (
                Some(Step { queue: of, waits: all, after_all: after, holds_back, action: StepAction::Group(group) }),
                form,
            ) if *of == queue && (is_barrier || matches!(form, Form::Grouped(_))) => {
                all.extend(waits.filter(|step| *step < open));
                *after |= after_all;
                *holds_back |= is_barrier;
                if let Form::Grouped(command) = form {
                    group.commands.push(command);
                }
                open
            }
            (_, form) => {
                let action = match form {
                    Form::Alone(action) => action,
                    Form::Grouped(command) => StepAction::Group(Group { commands: vec![command], current: None }),
                };
                steps.push(Step { queue, waits: waits.collect(), after_all, holds_back: is_barrier, action });
                steps.len() - 1
            }
        };
        step_of.push(step);
    }
    steps
}

impl Recording {
    /// Whether all arguments of its launches are set.
    fn has_all_arguments(&self) -> bool {
        self.steps.iter().all(|step| match &step.action {
            StepAction::Replay(_) => true,
            StepAction::Single(dispatch) => dispatch.launch().is_some(),
            StepAction::Group(group) => {
                group.commands.iter().filter_map(DeviceCommand::dispatch).all(|dispatch| dispatch.launch().is_some())
            }
        })
    }

    /// Enqueues the steps on the recorders of their queues, each after `waits` and those that it depends on. Where they go to an
    /// in-order queue, that keeps their order.
    fn replay(
        &mut self,
        recorders: &[Ref<Queue>],
        queues: &[Ref<Queue>],
        waits: &[Ref<Event>],
    ) -> Result<Vec<Ref<Event>>> {
        let mut events: Vec<Ref<Event>> = Vec::with_capacity(self.steps.len());
        // The queues of the events, and the last barrier of each queue.
        let mut queue_of: Vec<usize> = Vec::with_capacity(self.steps.len());
        let mut barriers = vec![None; queues.len()];
        for step in &mut self.steps {
            let (queue, recorder) = (step.queue, &recorders[step.queue]);
            let is_in_order = queues[queue].is_in_order();
            let mut after = waits.to_vec();
            let waited = step.waits.iter().filter(|index| !is_in_order || queue_of[**index] != queue);
            after.extend(waited.map(|index| events[*index].clone()));
            if !is_in_order {
                after.extend(barriers[queue].clone());
                let mut before = events.iter().zip(&queue_of).filter(|(_, of)| **of == queue).map(|(event, _)| event);
                match step.after_all {
                    true => after.extend(before.cloned()),
                    false if recorder.is_in_order() => after.extend(before.next_back().cloned()),
                    false => {}
                }
            }
            let event = match &mut step.action {
                StepAction::Replay(replay) => replay(recorder, after)?,
                StepAction::Single(dispatch) => dispatch.enqueue(recorder, after)?,
                StepAction::Group(group) => {
                    Enqueue::new(CL_COMMAND_NDRANGE_KERNEL, after).on(recorder, group.current()?.action())?
                }
            };
            if step.holds_back {
                barriers[queue] = Some(event.clone());
            }
            events.push(event);
            queue_of.push(queue);
        }
        Ok(events)
    }
}

impl Info for Object<CommandBuffer> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        Ok(match name {
            CL_COMMAND_BUFFER_QUEUES_KHR => Value::handles(&self.queues),
            CL_COMMAND_BUFFER_NUM_QUEUES_KHR => Value::of(number::count(self.queues.len())),
            CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR => Value::of(self.references()),
            CL_COMMAND_BUFFER_STATE_KHR => Value::of(match &*self.lock() {
                recording if !recording.is_finalized => CL_COMMAND_BUFFER_STATE_RECORDING_KHR,
                recording if !recording.has_all_arguments() => CL_COMMAND_BUFFER_STATE_FINALIZED_KHR,
                _ => CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR,
            }),
            CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR => Value::list(&self.property_list),
            CL_COMMAND_BUFFER_CONTEXT_KHR => Value::handle(Some(&**self.context())),
            _ => return Err(unknown(name)),
        })
    }
}
