//! Recorded launches, which may be changed between executions (`cl_khr_command_buffer_mutable_dispatch`).

use crate::commands::{self, CheckedLaunch, Range};
use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::event::Event;
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown};
use crate::kernel::Kernel;
use crate::queue::Queue;
use opencl_sys::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a launch that was recorded is asked to allow, and what is said of it (`properties` of `clCommandNDRangeKernelKHR`).
#[derive(Clone, Debug, Default)]
pub struct DispatchProperties {
    /// As they were given, with the zero at their end; empty where none were.
    pub list: Vec<cl_command_properties_khr>,
    /// What may be changed (`CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR`).
    pub updatable: cl_mutable_dispatch_fields_khr,
}

/// A launch of a command buffer: a `cl_mutable_command_khr`. The command buffer keeps it; the client has no reference.
pub struct Dispatch {
    /// The handle of its command buffer.
    buffer: usize,
    queue: Ref<Queue>,
    /// The kernel that it was recorded with.
    kernel: Ref<Kernel>,
    properties: DispatchProperties,
    is_recordable: bool,
    setting: Mutex<Setting>,
}

/// What a launch executes.
#[derive(Clone)]
struct Setting {
    /// A copy of the kernel, with arguments of its own.
    kernel: Ref<Kernel>,
    range: Range,
    /// The launch of these; `None` while an argument is not set.
    launch: Option<Arc<CheckedLaunch>>,
}

/// A change of a launch that was checked.
pub struct Change {
    dispatch: Ref<Dispatch>,
    setting: Setting,
}

impl Kind for Dispatch {
    const INVALID: cl_int = CL_INVALID_MUTABLE_COMMAND_KHR;
}

impl Setting {
    /// # Errors
    /// Those of [`CheckedLaunch::new`]; arguments that are not set are none where `may_lack_arguments`.
    fn new(queue: &Ref<Queue>, kernel: Ref<Kernel>, range: Range, may_lack_arguments: bool) -> Result<Setting> {
        let launch = match CheckedLaunch::new(queue, &kernel, &range) {
            Ok(launch) => Some(Arc::new(launch)),
            Err(error)
                if may_lack_arguments && error.code == CL_INVALID_KERNEL_ARGS && !kernel.has_all_arguments()? =>
            {
                None
            }
            Err(error) => return Err(error),
        };
        Ok(Setting { kernel, range, launch })
    }

    /// Whether the local size divides the global size; the driver's own choice does.
    fn is_uniform(&self) -> bool {
        let sizes = |local: [usize; 3]| local.into_iter().zip(self.range.global).take(self.range.dims as usize);
        self.range.local.is_none_or(|local| sizes(local).all(|(local, global)| global.is_multiple_of(local.max(1))))
    }
}

impl Dispatch {
    /// A launch of a kernel with the arguments that it has now, for the command buffer of a handle.
    ///
    /// # Errors
    /// Those of [`CheckedLaunch::new`]. Arguments may be missing that can be changed later.
    pub fn new(
        buffer: usize,
        queue: &Ref<Queue>,
        kernel: &Ref<Kernel>,
        range: Range,
        properties: DispatchProperties,
    ) -> Result<Ref<Dispatch>> {
        Ok(Object::new(Dispatch::of(buffer, queue, kernel, kernel.copy(), range, properties)?))
    }

    /// The same, with the arguments of a copy of the kernel.
    fn of(
        buffer: usize,
        queue: &Ref<Queue>,
        kernel: &Ref<Kernel>,
        copy: Ref<Kernel>,
        range: Range,
        properties: DispatchProperties,
    ) -> Result<Dispatch> {
        let may_lack_arguments = properties.updatable & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR != 0;
        let setting = Mutex::new(Setting::new(queue, copy, range, may_lack_arguments)?);
        let is_recordable = is_recordable(queue, kernel, queue.context())?;
        let (queue, kernel) = (queue.clone(), kernel.clone());
        Ok(Dispatch { buffer, queue, kernel, properties, is_recordable, setting })
    }

    /// A launch with what this one executes now, for another command buffer and its queue.
    ///
    /// # Errors
    /// Those of [`Dispatch::new`].
    pub fn copy_for(&self, buffer: usize, queue: &Ref<Queue>) -> Result<Ref<Dispatch>> {
        let (setting, properties) = (self.lock().clone(), self.properties.clone());
        let copy = Dispatch::of(buffer, queue, &self.kernel, setting.kernel.copy(), setting.range, properties)?;
        Ok(Object::new(copy))
    }

    fn lock(&self) -> MutexGuard<'_, Setting> {
        self.setting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it can be executed as part of a command buffer of the runtime's.
    pub fn is_recordable(&self) -> bool {
        self.is_recordable
    }

    /// What it executes; `None` while an argument is not set.
    pub fn launch(&self) -> Option<Arc<CheckedLaunch>> {
        self.lock().launch.clone()
    }

    /// Enqueues it by itself.
    ///
    /// # Errors
    /// Those of launches.
    pub fn enqueue(&self, queue: &Ref<Queue>, waits: Vec<Ref<Event>>) -> Result<Ref<Event>> {
        let (kernel, range) = {
            let setting = self.lock();
            (setting.kernel.clone(), setting.range)
        };
        commands::launch(queue, &kernel, &range, CL_COMMAND_NDRANGE_KERNEL, waits)
    }
}

/// Whether the host does not wait for launches of a kernel, and memory objects stay where they are, in a context of one device.
fn is_recordable(queue: &Queue, kernel: &Kernel, context: &Context) -> Result<bool> {
    Ok(context.devices().len() == 1 && kernel.on(queue.device())?.is_recordable())
}

/// What an element of `clUpdateMutableCommandsKHR` gives; `None` stands for what stays as it was.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewRange {
    /// `work_dim`; zero leaves it as it was.
    pub dims: u32,
    /// Global offset.
    pub offset: Option<[usize; 3]>,
    /// Global size.
    pub global: Option<[usize; 3]>,
    /// Local size.
    pub local: Option<[usize; 3]>,
}

impl Change {
    /// The dimensions of a launch, as which the sizes of a change are read.
    pub fn dims(dispatch: &Dispatch) -> u32 {
        dispatch.lock().range.dims
    }

    /// Checks a change of a launch of the command buffer of a handle, after those in `pending`. `set` sets arguments of the kernel
    /// that it is given.
    ///
    /// # Errors
    /// `CL_INVALID_MUTABLE_COMMAND_KHR` for a launch of another command buffer, `CL_INVALID_OPERATION` for what cannot be changed,
    /// and those of launches and of `set`.
    pub fn new(
        dispatch: Ref<Dispatch>,
        buffer: usize,
        pending: &[Change],
        fields: cl_mutable_dispatch_fields_khr,
        range: NewRange,
        set: impl FnOnce(&Ref<Kernel>) -> Result<()>,
    ) -> Result<Change> {
        ensure(dispatch.buffer == buffer, CL_INVALID_MUTABLE_COMMAND_KHR, "a launch of another command buffer")?;
        ensure(fields & !dispatch.properties.updatable == 0, CL_INVALID_OPERATION, "a change that was not announced")?;
        let earlier = pending.iter().rev().find(|change| change.dispatch.handle() == dispatch.handle());
        let before = earlier.map_or_else(|| dispatch.lock().clone(), |change| change.setting.clone());
        let same = range.dims == 0 || range.dims == before.range.dims;
        ensure(same, CL_INVALID_OPERATION, "another number of dimensions")?;
        let kernel = before.kernel.copy();
        set(&kernel)?;
        let old = before.range;
        let changed = Range {
            dims: old.dims,
            offset: range.offset.unwrap_or(old.offset),
            global: range.global.unwrap_or(old.global),
            local: range.local.or(old.local),
        };
        let may_lack_arguments = dispatch.properties.updatable & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR != 0;
        let setting = Setting::new(&dispatch.queue, kernel, changed, may_lack_arguments)?;
        let same = setting.is_uniform() == before.is_uniform();
        ensure(same, CL_INVALID_OPERATION, "work-groups that were of one size are of several, or the other way round")?;
        Ok(Change { dispatch, setting })
    }

    /// Makes the change, and returns the handle of its launch.
    pub fn make(self) -> usize {
        *self.dispatch.lock() = self.setting;
        self.dispatch.handle()
    }
}

impl Info for Object<Dispatch> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        let range = self.lock().range;
        let dims = range.dims as usize;
        Ok(match name {
            CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR => Value::handle(Some(&*self.queue)),
            CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR => Value::of(self.buffer),
            CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR => Value::of(CL_COMMAND_NDRANGE_KERNEL),
            CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR => Value::list(&self.properties.list),
            CL_MUTABLE_DISPATCH_KERNEL_KHR => Value::handle(Some(&*self.kernel)),
            CL_MUTABLE_DISPATCH_DIMENSIONS_KHR => Value::of(range.dims),
            CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR => Value::list(&range.offset[..dims]),
            CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR => Value::list(&range.global[..dims]),
            CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR => Value::list(&range.local.unwrap_or([0; 3])[..dims]),
            _ => return Err(unknown(name)),
        })
    }
}

/// The error of a command buffer with a launch whose arguments are not set.
pub fn lacks_arguments() -> Error {
    Error::new(CL_INVALID_OPERATION, "an argument of a recorded launch is not set")
}
