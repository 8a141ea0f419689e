//! Kernel objects (section 5.9) and their arguments.

use crate::addressed::Known;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::handle::{Kind, Object, Ref};
use crate::image::ImageShape;
use crate::info::{Info, Value, unknown};
use crate::memory::Memory;
use crate::number;
use crate::program::Program;
use crate::sampler::Sampler;
use crate::shared::{SharedMemory, SharedRange};
use clforge_compiler::interface::{self, ArgumentBinding, ArgumentInfo, Element, KernelInterface, ValueLayout};
use clforge_runtime::{self as runtime, Launch};
use opencl_sys::*;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The bytes of an argument by value. Programs set those of each launch, which are numbers and short vectors most often: these need
/// no allocation.
pub type Bytes = SmallVec<[u8; 24]>;

/// A `cl_kernel`.
pub struct Kernel {
    program: Ref<Program>,
    /// The kernel on each device that the program was built for.
    kernels: Vec<(Ref<Device>, runtime::Kernel)>,
    /// What its parameters take.
    parameters: Arc<[Parameter]>,
    arguments: Mutex<Vec<Option<Stored>>>,
    /// Shared virtual memory that it uses by pointers that are no arguments (`CL_KERNEL_EXEC_INFO_SVM_PTRS`).
    indirect: Mutex<Vec<Weak<SharedMemory>>>,
    /// The kinds of unified shared memory of which it may reach all (`CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL` and so on).
    reached: Mutex<Vec<cl_unified_shared_memory_type_intel>>,
    /// The same of device addresses (`CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT`).
    addresses: Mutex<Vec<u64>>,
}

/// An argument as a kernel keeps it: without a reference to objects, which are destroyed when the client and commands have
/// released them (section 5.9.2).
#[derive(Clone)]
enum Stored {
    Buffer(Weak<Object<Memory>>),
    /// From a byte on.
    Shared(Weak<SharedMemory>, usize),
    Image(Weak<Object<Memory>>),
    Sampler(Weak<Object<Sampler>>),
    Value(Argument),
}

/// The value of an argument.
#[derive(Clone)]
pub enum Argument {
    /// A buffer, or null.
    Buffer(Option<Ref<Memory>>),
    /// Shared virtual memory.
    Shared(SharedRange),
    /// A device address.
    Address(u64),
    /// An image.
    Image(Ref<Memory>),
    /// A sampler.
    Sampler(Ref<Sampler>),
    /// Plain data.
    Data(Bytes),
    /// Bytes of local memory.
    Local(u64),
}

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A `global` or `constant` pointer.
    Pointer,
    /// A pipe.
    Pipe,
    /// A `local` pointer.
    Local,
    /// An image.
    Image {
        /// Whether the kernel writes it.
        is_written: bool,
    },
    /// A sampler.
    Sampler,
    /// A queue on the device.
    Queue,
    /// A value of so many bytes.
    Data(u32),
    /// Anything: the kernel does not use it.
    Unused,
}

impl Parameter {
    fn of(interface: &KernelInterface, index: u32) -> Parameter {
        use ArgumentBinding as B;
        let Some(argument) = interface.argument(index) else { return Parameter::Unused };
        let qualifiers = argument.info.as_ref().map_or(0, |info| info.type_qualifiers);
        if qualifiers & CL_KERNEL_ARG_TYPE_PIPE != 0 {
            return Parameter::Pipe;
        }
        if is_queue(argument) {
            return Parameter::Queue;
        }
        match argument.binding {
            B::StorageBuffer(_) | B::UniformBuffer(_) | B::PointerPushConstant { .. } | B::PointerUniform { .. } => {
                Parameter::Pointer
            }
            B::PodStorageBuffer { size, .. } | B::PodUniform { size, .. } | B::PodPushConstant { size, .. } => {
                Parameter::Data(size)
            }
            B::Workgroup { .. } => Parameter::Local,
            B::SampledImage(_) | B::UniformTexelBuffer(_) => Parameter::Image { is_written: false },
            B::StorageImage(_) | B::StorageTexelBuffer(_) => Parameter::Image { is_written: true },
            B::Sampler(_) => Parameter::Sampler,
        }
    }
}

impl Kind for Kernel {
    const INVALID: cl_int = CL_INVALID_KERNEL;
}

impl From<Argument> for Stored {
    fn from(argument: Argument) -> Stored {
        match argument {
            Argument::Buffer(Some(memory)) => Stored::Buffer(Arc::downgrade(&memory)),
            Argument::Shared(range) => Stored::Shared(Arc::downgrade(&range.memory), range.offset),
            Argument::Image(image) => Stored::Image(Arc::downgrade(&image)),
            Argument::Sampler(sampler) => Stored::Sampler(Arc::downgrade(&sampler)),
            value => Stored::Value(value),
        }
    }
}

impl Stored {
    /// The value for a launch, with references.
    fn alive(&self, index: usize) -> Result<Argument> {
        let alive = match self {
            Stored::Buffer(memory) => memory.upgrade().map(|memory| Argument::Buffer(Some(memory))),
            Stored::Shared(memory, offset) => {
                memory.upgrade().map(|memory| Argument::Shared(SharedRange { memory, offset: *offset, size: 0 }))
            }
            Stored::Image(image) => image.upgrade().map(Argument::Image),
            Stored::Sampler(sampler) => sampler.upgrade().map(Argument::Sampler),
            Stored::Value(value) => Some(value.clone()),
        };
        alive.ok_or_else(|| Error::new(CL_INVALID_KERNEL_ARGS, format!("the object of argument {index} was released")))
    }
}

impl Kernel {
    /// The kernel of a name (`clCreateKernel`).
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE`, `CL_INVALID_KERNEL_NAME`, `CL_INVALID_KERNEL_DEFINITION` if it differs between devices,
    /// `CL_OUT_OF_RESOURCES`.
    pub fn new(program: &Ref<Program>, name: &str) -> Result<Ref<Kernel>> {
        let mut kernels: Vec<(Ref<Device>, runtime::Kernel)> = Vec::new();
        for (device, executable) in program.executables()? {
            let kernel = executable.kernel(name)?;
            let first = kernels.first().map(|(_, first)| first.interface().argument_count());
            let same = first.is_none_or(|count| count == kernel.interface().argument_count());
            ensure(same, CL_INVALID_KERNEL_DEFINITION, "the kernel differs between devices")?;
            kernels.push((device, kernel));
        }
        let interface = kernels.first().map(|(_, kernel)| kernel.interface());
        let parameters = interface.map_or_else(Arc::default, |interface| {
            (0..interface.argument_count()).map(|index| Parameter::of(interface, index)).collect::<Arc<[_]>>()
        });
        program.count_kernel(true);
        let (program, arguments) = (program.clone(), vec![None; parameters.len()].into());
        let (indirect, reached, addresses) = (Mutex::default(), Mutex::default(), Mutex::default());
        Ok(Object::new(Kernel { program, kernels, parameters, arguments, indirect, reached, addresses }))
    }

    /// A copy with its own arguments, which begin as those of this one (`clCloneKernel`).
    pub fn copy(&self) -> Ref<Kernel> {
        self.program.count_kernel(true);
        let (arguments, indirect) = (Mutex::new(self.lock().clone()), Mutex::new(self.lock_indirect().clone()));
        let (program, kernels, addresses) = (self.program.clone(), self.kernels.clone(), self.lock_addresses().clone());
        let (parameters, reached) = (self.parameters.clone(), Mutex::new(self.lock_reached().clone()));
        Object::new(Kernel { program, kernels, parameters, arguments, indirect, reached, addresses: addresses.into() })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Stored>>> {
        self.arguments.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_indirect(&self) -> MutexGuard<'_, Vec<Weak<SharedMemory>>> {
        self.indirect.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the shared virtual memory that commands keep alive apart from arguments.
    pub fn set_indirect(&self, memory: &[SharedRange]) {
        *self.lock_indirect() = memory.iter().map(|range| Arc::downgrade(&range.memory)).collect();
    }

    /// That memory, as far as it was not freed.
    pub fn indirect(&self) -> Vec<Arc<SharedMemory>> {
        self.lock_indirect().iter().filter_map(Weak::upgrade).collect()
    }

    /// All unified shared memory of the kinds of which it may reach all.
    pub fn reached(&self) -> Vec<Arc<SharedMemory>> {
        let shared = self.program.context().shared();
        self.lock_reached().iter().flat_map(|kind| shared.of_kind(*kind)).collect()
    }

    fn lock_reached(&self) -> MutexGuard<'_, Vec<cl_unified_shared_memory_type_intel>> {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets whether it may reach all unified shared memory of a kind.
    pub fn set_reached(&self, kind: cl_unified_shared_memory_type_intel, is_reached: bool) {
        let mut reached = self.lock_reached();
        reached.retain(|known| *known != kind);
        reached.extend(is_reached.then_some(kind));
    }

    fn lock_addresses(&self) -> MutexGuard<'_, Vec<u64>> {
        self.addresses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the device addresses of memory that commands keep alive apart from arguments.
    pub fn set_addresses(&self, addresses: Vec<u64>) {
        *self.lock_addresses() = addresses;
    }

    /// The buffers at those addresses, and at those of arguments.
    pub fn addressed(&self, arguments: &[Argument]) -> Vec<Known> {
        let of_argument =
            |argument: &Argument| if let Argument::Address(address) = argument { Some(*address) } else { None };
        let addresses = self.lock_addresses().clone().into_iter().chain(arguments.iter().filter_map(of_argument));
        addresses.filter_map(|address| self.program.context().addressed().find(address)).collect()
    }

    /// Its program.
    pub fn program(&self) -> &Ref<Program> {
        &self.program
    }

    /// The kernel on a device.
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE` if the program was not built for it.
    pub fn on(&self, device: &Object<Device>) -> Result<&runtime::Kernel> {
        let found = self.kernels.iter().find(|(known, _)| known.handle() == device.handle());
        let missing = || Error::new(CL_INVALID_PROGRAM_EXECUTABLE, "the program was not built for this device");
        found.map(|(_, kernel)| kernel).ok_or_else(missing)
    }

    fn interface(&self) -> Result<&KernelInterface> {
        let first = self.kernels.first().map(|(_, kernel)| kernel.interface());
        first.ok_or_else(|| Error::internal("a kernel has no device"))
    }

    /// What a parameter takes.
    ///
    /// # Errors
    /// `CL_INVALID_ARG_INDEX`.
    pub fn parameter(&self, index: u32) -> Result<Parameter> {
        let found = self.parameters.get(index as usize).copied();
        found.ok_or_else(|| Error::new(CL_INVALID_ARG_INDEX, "the kernel has fewer parameters"))
    }

    /// Sets an argument, which suits [`Kernel::parameter`] in kind.
    ///
    /// # Errors
    /// `CL_INVALID_ARG_INDEX`, `CL_INVALID_ARG_SIZE`, `CL_INVALID_ARG_VALUE`, `CL_INVALID_MEM_OBJECT`,
    /// `CL_MAX_SIZE_RESTRICTION_EXCEEDED`, `CL_INVALID_CONTEXT`.
    pub fn set(&self, index: u32, argument: Argument) -> Result<()> {
        if let Argument::Buffer(Some(memory)) | Argument::Image(memory) = &argument {
            let same = memory.context().handle() == self.program.context().handle();
            ensure(same, CL_INVALID_CONTEXT, "the kernel and a memory object belong to different contexts")?;
        }
        match (self.parameter(index)?, &argument) {
            (Parameter::Data(size), Argument::Data(bytes)) => {
                ensure(bytes.len() == size as usize, CL_INVALID_ARG_SIZE, "a value of another size")?;
            }
            (Parameter::Queue, Argument::Data(_)) => {}
            (Parameter::Local, Argument::Local(size)) => {
                let most = |(device, _): &(Ref<Device>, _)| device.description().limits.max_shared_memory.into();
                let fits = self.kernels.iter().all(|kernel| *size <= most(kernel));
                ensure(fits, CL_MAX_SIZE_RESTRICTION_EXCEEDED, "more local memory than the device has")?;
            }
            (Parameter::Pointer, Argument::Buffer(memory)) => {
                let is_buffer = memory.as_ref().is_none_or(|memory| memory.is_buffer());
                ensure(is_buffer, CL_INVALID_MEM_OBJECT, "an image or a pipe for a pointer")?;
                let is_immutable = memory.as_ref().is_some_and(|memory| memory.flags().has(CL_MEM_IMMUTABLE_EXT));
                let is_read = !is_immutable || self.only_reads(index)?;
                ensure(is_read, CL_INVALID_ARG_VALUE, "an immutable buffer for a pointer that is not to constants")?;
            }
            (Parameter::Pipe, Argument::Buffer(memory)) => {
                let is_pipe = memory.as_ref().is_some_and(|memory| memory.is_pipe());
                ensure(is_pipe, CL_INVALID_MEM_OBJECT, "something else for a pipe")?;
            }
            (Parameter::Pointer, Argument::Shared(_) | Argument::Address(_)) => {}
            (Parameter::Image { is_written }, Argument::Image(image)) => {
                let shape = image.shape();
                ensure(shape.is_some(), CL_INVALID_MEM_OBJECT, "a buffer for an image")?;
                let is_depth = shape.is_some_and(ImageShape::is_depth);
                let suits = self.takes_depths(index)?.is_none_or(|takes_depths| takes_depths == is_depth);
                ensure(suits, CL_INVALID_ARG_VALUE, "an image of depths, or a parameter for one, and another one")?;
                let wrong = if is_written { CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT } else { CL_MEM_WRITE_ONLY };
                ensure(!image.flags().has(wrong), CL_INVALID_ARG_VALUE, "the image's flags forbid the access")?;
            }
            (Parameter::Sampler, Argument::Sampler(_)) | (Parameter::Unused, _) => {}
            _ => return Err(Error::new(CL_INVALID_ARG_VALUE, "an argument of another kind")),
        }
        if let Some(place) = self.lock().get_mut(index as usize) {
            *place = Some(argument.into());
        }
        Ok(())
    }

    /// Whether an image has to be one of depths, as far as the program tells.
    fn takes_depths(&self, index: u32) -> Result<Option<bool>> {
        let info = self.interface()?.argument(index).and_then(|argument| argument.info.as_ref());
        let name = info.map(|info| info.type_name.as_str()).filter(|name| name.starts_with("image"));
        Ok(name.map(|name| name.contains("depth")))
    }

    /// Whether a pointer is to constants, as far as the program tells.
    fn only_reads(&self, index: u32) -> Result<bool> {
        let info = self.interface()?.argument(index).and_then(|argument| argument.info.as_ref());
        Ok(info.is_none_or(|info| info.type_qualifiers & CL_KERNEL_ARG_TYPE_CONST != 0))
    }

    /// The arguments of a launch.
    ///
    /// # Errors
    /// `CL_INVALID_KERNEL_ARGS` while one is not set.
    pub fn arguments(&self) -> Result<Vec<Argument>> {
        let stored = self.lock();
        let mut arguments = Vec::with_capacity(stored.len());
        for (index, argument) in stored.iter().enumerate() {
            match argument {
                Some(argument) => arguments.push(argument.alive(index)?),
                None if self.parameter(number::count(index))? == Parameter::Unused => {
                    arguments.push(Argument::Buffer(None))
                }
                None => return Err(Error::new(CL_INVALID_KERNEL_ARGS, format!("argument {index} is not set"))),
            }
        }
        Ok(arguments)
    }

    /// Whether all arguments are set that the kernel uses.
    ///
    /// # Errors
    /// Those of [`Kernel::parameter`].
    pub fn has_all_arguments(&self) -> Result<bool> {
        let missing: Vec<u32> =
            (0u32..).zip(self.lock().iter()).filter(|(_, set)| set.is_none()).map(|(i, _)| i).collect();
        for index in missing {
            if self.parameter(index)? != Parameter::Unused {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Bytes of local memory of a work-group, with those of arguments that are set.
    pub fn local_memory(&self, kernel: &runtime::Kernel) -> u64 {
        let arguments = self.lock();
        let sizes = arguments.iter().filter_map(|argument| match argument {
            Some(Stored::Value(Argument::Local(size))) => Some(*size),
            _ => None,
        });
        kernel.local_memory() + sizes.sum::<u64>()
    }

    /// Whether an argument is an image that is declared `read_write`, where the program tells.
    pub fn reads_and_writes(&self, index: u32) -> bool {
        let argument = self.interface().ok().and_then(|interface| interface.argument(index));
        let info = argument.and_then(|argument| argument.info.as_ref());
        info.is_some_and(|info| info.access_qualifier == CL_KERNEL_ARG_ACCESS_READ_WRITE)
    }

    /// `clGetKernelArgInfo`.
    ///
    /// # Errors
    /// `CL_INVALID_ARG_INDEX`, `CL_KERNEL_ARG_INFO_NOT_AVAILABLE`, `CL_INVALID_VALUE`.
    pub fn argument_info(&self, index: u32, name: cl_uint) -> Result<Value> {
        self.parameter(index)?;
        let info = self.interface()?.argument(index).and_then(|argument| argument.info.as_ref());
        let none = || Error::new(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "the program does not tell");
        let info: &ArgumentInfo = info.ok_or_else(none)?;
        Ok(match name {
            CL_KERNEL_ARG_ADDRESS_QUALIFIER => Value::of(info.address_qualifier),
            CL_KERNEL_ARG_ACCESS_QUALIFIER => Value::of(info.access_qualifier),
            CL_KERNEL_ARG_TYPE_NAME => Value::text(&info.type_name),
            CL_KERNEL_ARG_TYPE_QUALIFIER => Value::of(u64::from(info.type_qualifiers)),
            CL_KERNEL_ARG_NAME => Value::text(&info.name),
            _ => return Err(unknown(name)),
        })
    }

    /// The device of a query: the one given, or the only one.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE`.
    fn queried(&self, device: Option<&Object<Device>>) -> Result<(&Ref<Device>, &runtime::Kernel)> {
        let found = match device {
            None if self.kernels.len() == 1 => self.kernels.first(),
            None => None,
            Some(device) => self.kernels.iter().find(|(known, _)| known.handle() == device.handle()),
        };
        let (device, kernel) = found.ok_or_else(|| Error::new(CL_INVALID_DEVICE, "the kernel has no such device"))?;
        Ok((device, kernel))
    }

    /// `clGetKernelWorkGroupInfo`.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE`, `CL_INVALID_VALUE`.
    pub fn work_group_info(&self, device: Option<&Object<Device>>, name: cl_uint) -> Result<Value> {
        let (device, kernel) = self.queried(device)?;
        let limits = &device.description().limits;
        let required = kernel.interface().required_work_group_size;
        Ok(match name {
            CL_KERNEL_WORK_GROUP_SIZE => Value::of(limits.max_work_group_invocations as usize),
            CL_KERNEL_COMPILE_WORK_GROUP_SIZE => Value::list(&required.unwrap_or_default().map(|size| size as usize)),
            CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => Value::of(limits.preferred_multiple as usize),
            CL_KERNEL_LOCAL_MEM_SIZE => Value::of(self.local_memory(kernel)),
            // Vulkan does not tell.
            CL_KERNEL_PRIVATE_MEM_SIZE | CL_KERNEL_SPILL_MEM_SIZE_INTEL => Value::of(0u64),
            CL_KERNEL_GLOBAL_WORK_SIZE => return Err(Error::value("only custom devices have a global work size")),
            _ => return Err(unknown(name)),
        })
    }

    /// `clGetKernelSubGroupInfo`. `input` are the words that the query is asked with, `dims` the dimensions of a local size.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE`, `CL_INVALID_OPERATION` for a device without sub-groups, `CL_INVALID_VALUE`.
    pub fn sub_group_info(
        &self,
        device: Option<&Object<Device>>,
        name: cl_uint,
        input: &[usize],
        dims: usize,
    ) -> Result<Value> {
        let (device, kernel) = self.queried(device)?;
        ensure(device.has("__opencl_c_subgroups"), CL_INVALID_OPERATION, "the device has no sub-groups")?;
        let limits = &device.description().limits;
        let required = kernel.required_sub_group_size();
        let size = required.unwrap_or(limits.subgroup_size).max(1) as usize;
        let most = limits.max_work_group_invocations as usize / size;
        let items: usize = input.iter().product();
        let given = || ensure((1..=3).contains(&input.len()), CL_INVALID_VALUE, "a local size is needed");
        Ok(match name {
            CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE => given().map(|()| Value::of(size))?,
            CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE => given().map(|()| Value::of(items.div_ceil(size)))?,
            CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT => {
                let count = *input.first().ok_or_else(|| Error::value("a number of sub-groups is needed"))?;
                let local = if count > most { [0; 3] } else { [count * size, 1, 1] };
                Value::list(&local[..dims])
            }
            CL_KERNEL_MAX_NUM_SUB_GROUPS => Value::of(most),
            CL_KERNEL_COMPILE_NUM_SUB_GROUPS => Value::of(0usize),
            CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL => Value::of(required.unwrap_or(0) as usize),
            _ => return Err(unknown(name)),
        })
    }

    /// The local size that a launch without one gets (`clGetKernelSuggestedLocalWorkSizeKHR`).
    ///
    /// # Errors
    /// `CL_INVALID_PROGRAM_EXECUTABLE`, `CL_INVALID_WORK_GROUP_SIZE`.
    pub fn suggested_local_size(&self, device: &Object<Device>, launch: &Launch) -> Result<[u64; 3]> {
        Ok(self.on(device)?.local_size(launch)?)
    }
}

/// Whether an argument is a queue on the device. Its type may have another name in the source, and a type of that name may be
/// another one where programs have no queues: the layout says so then.
fn is_queue(argument: &interface::Argument) -> bool {
    let name = match &argument.layout {
        Some(ValueLayout { element: Element::BuiltIn(name), lengths, .. }) if lengths.is_empty() => Some(name),
        Some(_) => None,
        None => argument.info.as_ref().map(|info| &info.type_name),
    };
    name.is_some_and(|name| name == "queue_t")
}

impl Drop for Kernel {
    fn drop(&mut self) {
        self.program.count_kernel(false);
    }
}

impl Info for Object<Kernel> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        let interface = self.interface()?;
        Ok(match name {
            CL_KERNEL_FUNCTION_NAME => Value::text(&interface.name),
            CL_KERNEL_NUM_ARGS => Value::of(interface.argument_count()),
            CL_KERNEL_REFERENCE_COUNT => Value::of(self.references()),
            CL_KERNEL_CONTEXT => Value::handle(Some(&**self.program.context())),
            CL_KERNEL_PROGRAM => Value::handle(Some(&*self.program)),
            CL_KERNEL_ATTRIBUTES => Value::text(&interface.attributes),
            _ => return Err(unknown(name)),
        })
    }
}
