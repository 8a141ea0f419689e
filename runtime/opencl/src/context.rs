//! Contexts (section 4.4).

use crate::addressed::Addressed;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::gl::{Binding, Reference, Sharing};
use crate::handle::{Kind, Object, Ref};
use crate::info::{Info, Value, unknown};
use crate::number;
use crate::shared::Allocations;
use opencl_sys::*;
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A function of the client's that is called once.
pub type Callback = Box<dyn FnOnce() + Send>;

/// `CL_CONTEXT_MEMORY_INITIALIZE_KHR`, in the type of the names of properties.
pub const INITIALIZE: cl_context_properties = 0x2030;

/// A `cl_context`.
pub struct Context {
    devices: Vec<Ref<Device>>,
    /// As they were given, with the zero at their end; empty where none were.
    properties: Vec<cl_context_properties>,
    destructors: Mutex<Vec<Callback>>,
    shared: Allocations,
    addressed: Addressed,
    /// The default queues on devices, by the handles of these. The client holds them.
    default_queues: Mutex<HashMap<usize, Weak<dyn Any + Send + Sync>>>,
    /// The queues of the host: see `Queue::all_of`.
    queues: Mutex<Vec<Weak<dyn Any + Send + Sync>>>,
    /// The context of OpenGL whose objects it shares.
    gl: Option<Arc<Sharing>>,
    /// The displays of EGL whose images it shares otherwise.
    displays: Mutex<Vec<Arc<Sharing>>>,
}

impl Kind for Context {
    const INVALID: cl_int = CL_INVALID_CONTEXT;
}

impl Context {
    /// A context of these devices, each named once or several times.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for no device, `CL_DEVICE_NOT_AVAILABLE`; those of [`Reference`] for a context of OpenGL.
    pub fn new(devices: Vec<Ref<Device>>, properties: Vec<cl_context_properties>) -> Result<Ref<Context>> {
        devices.iter().try_for_each(|device| device.open().map(drop))?;
        let different = Device::once_each(devices);
        if different.is_empty() {
            return Err(Error::value("a context needs a device"));
        }
        let gl = Reference::of(&properties)?.map(Reference::share).transpose()?.map(Arc::new);
        let (destructors, shared, addressed) = (Mutex::default(), Allocations::default(), Addressed::default());
        let (default_queues, queues) = (Mutex::default(), Mutex::default());
        let (devices, displays) = (different, Mutex::default());
        Ok(Object::new(Context {
            devices,
            properties,
            destructors,
            shared,
            addressed,
            default_queues,
            queues,
            gl,
            displays,
        }))
    }

    /// Its devices.
    pub fn devices(&self) -> &[Ref<Device>] {
        &self.devices
    }

    /// Which memory of kernels begins as zeros (`CL_CONTEXT_MEMORY_INITIALIZE_KHR`).
    pub fn zeroed_memory(&self) -> cl_context_memory_initialize_khr {
        let mut pairs = self.properties.as_chunks::<2>().0.iter();
        let found = pairs.find(|[name, _]| *name == INITIALIZE);
        found.map_or(0, |[_, value]| value.cast_unsigned() as u64)
    }

    /// The context of OpenGL whose objects it shares.
    ///
    /// # Errors
    /// `CL_INVALID_CONTEXT` if it was made without one.
    pub fn gl(&self) -> Result<&Arc<Sharing>> {
        let none = || Error::new(CL_INVALID_CONTEXT, "a context that was made without one of OpenGL");
        self.gl.as_ref().ok_or_else(none)
    }

    /// The display of EGL whose images it is to share.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if there is no such display.
    pub fn display(&self, display: usize) -> Result<Arc<Sharing>> {
        let mut displays = self.displays.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = self.gl.iter().chain(&*displays).find(|known| known.is_on(display)) {
            return Ok(known.clone());
        }
        let made = Sharing::new(Binding::Egl, display, 0).map_err(|error| error.with_code(CL_INVALID_VALUE));
        let made = Arc::new(made?);
        displays.push(made.clone());
        Ok(made)
    }

    /// Its shared virtual memory.
    pub fn shared(&self) -> &Allocations {
        &self.shared
    }

    /// Its buffers whose addresses the client knows.
    pub fn addressed(&self) -> &Addressed {
        &self.addressed
    }

    /// Registers a queue, and forgets those that are gone.
    pub fn add_queue(&self, queue: Weak<dyn Any + Send + Sync>) {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|queue| queue.strong_count() > 0);
        queues.push(queue);
    }

    /// The queues that were registered.
    pub fn queues(&self) -> Vec<Arc<dyn Any + Send + Sync>> {
        let queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.iter().filter_map(Weak::upgrade).collect()
    }

    /// The default queue on a device, if there is one: see `Queue::default_on`.
    pub fn default_queue(&self, device: &Object<Device>) -> Option<Arc<dyn Any + Send + Sync>> {
        let queues = self.default_queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.get(&device.handle())?.upgrade()
    }

    /// Makes a queue on a device the default one.
    pub fn set_default_queue(&self, device: &Object<Device>, queue: &Arc<dyn Any + Send + Sync>) {
        let mut queues = self.default_queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.insert(device.handle(), Arc::downgrade(queue));
    }

    /// Makes a queue on a device the default one unless there is one already, which is returned.
    pub fn default_queue_unless_given(
        &self,
        device: &Object<Device>,
        queue: &Arc<dyn Any + Send + Sync>,
    ) -> Option<Arc<dyn Any + Send + Sync>> {
        let mut queues = self.default_queues.lock().unwrap_or_else(PoisonError::into_inner);
        let given = queues.get(&device.handle()).and_then(Weak::upgrade);
        if given.is_none() {
            queues.insert(device.handle(), Arc::downgrade(queue));
        }
        given
    }

    /// Whether it has a device.
    pub fn has(&self, device: &Object<Device>) -> bool {
        self.devices.iter().any(|known| known.handle() == device.handle())
    }

    /// `given`, each of them once, or all devices of the context where none are given.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE` for one of another context.
    pub fn devices_or_all(&self, given: Vec<Ref<Device>>) -> Result<Vec<Ref<Device>>> {
        if given.is_empty() {
            return Ok(self.devices.clone());
        }
        match given.iter().all(|device| self.has(device)) {
            true => Ok(Device::once_each(given)),
            false => Err(Error::new(CL_INVALID_DEVICE, "a device that the context does not have")),
        }
    }

    /// Registers a function that is called when the context is destroyed, the last one first.
    pub fn on_destruction(&self, callback: Callback) {
        self.destructors.lock().unwrap_or_else(PoisonError::into_inner).push(callback);
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let destructors = std::mem::take(self.destructors.get_mut().unwrap_or_else(PoisonError::into_inner));
        destructors.into_iter().rev().for_each(|callback| callback());
    }
}

impl Info for Object<Context> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        Ok(match name {
            CL_CONTEXT_REFERENCE_COUNT => Value::of(self.references()),
            CL_CONTEXT_NUM_DEVICES => Value::of(number::count(self.devices.len())),
            CL_CONTEXT_DEVICES => Value::handles(&self.devices),
            CL_CONTEXT_PROPERTIES => Value::list(&self.properties),
            _ => return Err(unknown(name)),
        })
    }
}
