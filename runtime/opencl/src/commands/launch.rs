//! Launches of kernels (section 5.10).

use crate::addressed::Known;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::event::Event;
use crate::handle::{Object, Ref};
use crate::image::ImageShape;
use crate::kernel::{Argument, Kernel};
use crate::memory::{Contents, Memory};
use crate::queue::{Enqueue, Queue, Started, Starter, marker};
use crate::shared::{SharedMemory, SharedRange};
use crate::srgb::Linear;
use clforge_compiler::interface::{ArgumentBinding, KernelInterface};
use clforge_runtime::{self as runtime, Arg, Launch};
use opencl_sys::*;
use std::sync::Arc;

/// An ND-range as the client gives it; entries past its number of dimensions are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// `work_dim`.
    pub dims: u32,
    /// Global offset.
    pub offset: [usize; 3],
    /// Global size.
    pub global: [usize; 3],
    /// Local size; `None` leaves it to the driver.
    pub local: Option<[usize; 3]>,
}

impl Range {
    /// The runtime's form, checked against a kernel and a device.
    ///
    /// # Errors
    /// `CL_INVALID_WORK_DIMENSION`, `CL_INVALID_GLOBAL_WORK_SIZE`, `CL_INVALID_GLOBAL_OFFSET`, `CL_INVALID_WORK_ITEM_SIZE`,
    /// `CL_INVALID_WORK_GROUP_SIZE`.
    fn checked(&self, kernel: &runtime::Kernel, device: &Object<Device>, is_uniform: bool) -> Result<Launch> {
        let dims = self.dims as usize;
        ensure((1..=3).contains(&dims), CL_INVALID_WORK_DIMENSION, "an ND-range has 1 to 3 dimensions")?;
        let first = |sizes: [usize; 3]| sizes.map(|size| size as u64);
        let (global, offset) = (first(self.global), first(self.offset));
        let fits = global.iter().zip(offset).take(dims).all(|(size, offset)| size.checked_add(offset).is_some());
        ensure(fits, CL_INVALID_GLOBAL_OFFSET, "the global offset leads to ids of more than 64 bits")?;
        let whole = Launch::new(&global[..dims]);
        ensure(kernel.allows(&whole), CL_INVALID_GLOBAL_WORK_SIZE, "a program from a binary has ids of 32 bits")?;
        let whole = whole.offset(&offset[..dims]);
        ensure(kernel.allows(&whole), CL_INVALID_GLOBAL_OFFSET, "a program from a binary has ids of 32 bits")?;
        let required = kernel.interface().required_work_group_size.map(|size| size.map(u64::from));
        let local = self.local.map(first).map(|local| std::array::from_fn(|d| if d < dims { local[d] } else { 1 }));
        if let (Some(local), Some(required)) = (local, required) {
            ensure(local == required, CL_INVALID_WORK_GROUP_SIZE, "the kernel requires another local size")?;
        }
        if let Some(local) = local {
            check_local(local, device)?;
        }
        if let Some(local) = local.or(required) {
            let divides = local.iter().zip(global).take(dims).all(|(local, global)| global.is_multiple_of(*local));
            ensure(
                divides || !is_uniform,
                CL_INVALID_WORK_GROUP_SIZE,
                "the local size does not divide the global size",
            )?;
        }
        let groups = |(global, local): (u64, u64)| global.div_ceil(local) <= u32::MAX.into();
        let fits = local.is_none_or(|local| global.into_iter().zip(local).take(dims).all(groups));
        ensure(fits, CL_INVALID_GLOBAL_WORK_SIZE, "more than 2^32 work-groups in a dimension")?;
        Ok(match local {
            Some(local) => whole.local(&local[..dims]),
            None => whole,
        })
    }
}

fn check_local(local: [u64; 3], device: &Object<Device>) -> Result<()> {
    let limits = &device.description().limits;
    ensure(!local.contains(&0), CL_INVALID_WORK_GROUP_SIZE, "a local size of zero")?;
    let fits = local.iter().zip(limits.max_work_group_size).all(|(size, most)| *size <= most.into());
    ensure(fits, CL_INVALID_WORK_ITEM_SIZE, "a local size above the device's limit of its dimension")?;
    let items = local.iter().try_fold(1u64, |items, size| items.checked_mul(*size));
    let fits = items.is_some_and(|items| items <= limits.max_work_group_invocations.into());
    ensure(fits, CL_INVALID_WORK_GROUP_SIZE, "more work-items in a work-group than the device allows")
}

/// Checks the size of sub-groups that a kernel requires.
///
/// # Errors
/// `CL_INVALID_WORK_GROUP_SIZE`.
fn check_sub_groups(kernel: &runtime::Kernel, device: &Device) -> Result<()> {
    let Some(size) = kernel.required_sub_group_size() else { return Ok(()) };
    let has = device.sub_group_sizes().any(|known| known == size);
    ensure(has, CL_INVALID_WORK_GROUP_SIZE, "the kernel requires sub-groups of a size that the device does not have")
}

/// Checks that kernels do not both read and write images whose texels are not rounded before the kernel's end.
///
/// # Errors
/// `CL_IMAGE_FORMAT_NOT_SUPPORTED`.
fn check_images(kernel: &Kernel, arguments: &[Argument], device: &Object<Device>) -> Result<()> {
    for (index, argument) in (0..).zip(arguments) {
        if let Argument::Image(image) = argument
            && let Some(shape) = image.shape()
            && (shape.is_srgb() || shape.is_packed())
            && kernel.reads_and_writes(index)
        {
            let format = shape.description();
            let can = !shape.is_packed() && device.open()?.image_support(format.kind, format.format).storage;
            ensure(
                can,
                CL_IMAGE_FORMAT_NOT_SUPPORTED,
                "a read_write image of a format that kernels cannot both read and write",
            )?;
        }
    }
    Ok(())
}

/// What an argument is on a device.
enum Resolved<'a> {
    Buffer(runtime::Buffer),
    Shared(&'a SharedRange),
    Image(runtime::Image),
    Sampler(runtime::Sampler),
    Other(&'a Argument),
}

fn image_on(image: &Ref<Memory>, device: &Object<Device>) -> Result<runtime::Image> {
    if let Some(texels) = image.texels_on(device)? {
        return Ok(texels);
    }
    match image.contents() {
        Contents::View(_, _, view) => view.on(device),
        // Made anew for each launch: the buffer may have moved.
        Contents::BufferImage(shape, buffer) => {
            let buffer = buffer.buffer_on(device)?;
            Ok(runtime::Image::over_buffer(&device.open()?, shape.description(), &buffer)?)
        }
        _ => Err(Error::internal("something else was set for an image")),
    }
}

fn resolve<'a>(argument: &'a Argument, device: &Object<Device>) -> Result<Resolved<'a>> {
    Ok(match argument {
        Argument::Buffer(Some(memory)) => Resolved::Buffer(memory.argument_on(device)?),
        Argument::Shared(range) => Resolved::Shared(range),
        Argument::Image(image) => Resolved::Image(image_on(image, device)?),
        Argument::Sampler(sampler) => Resolved::Sampler(sampler.value()?),
        other => Resolved::Other(other),
    })
}

impl Resolved<'_> {
    fn arg(&self) -> Arg<'_> {
        match self {
            Resolved::Buffer(buffer) => Arg::Buffer(buffer),
            Resolved::Shared(range) => {
                let (buffer, offset) = range.place();
                Arg::BufferAt(buffer, offset)
            }
            Resolved::Image(image) => Arg::Image(image),
            Resolved::Sampler(sampler) => Arg::Sampler(*sampler),
            Resolved::Other(Argument::Data(bytes)) => Arg::Pod(bytes),
            // Of size zero, too, the parameter is an object of Vulkan, with one byte.
            Resolved::Other(Argument::Local(size)) => Arg::Local((*size).max(1)),
            Resolved::Other(Argument::Address(address)) => Arg::Address(*address),
            Resolved::Other(_) => Arg::Null,
        }
    }
}

/// A launch whose parameters were checked, with the arguments that its kernel has.
pub struct CheckedLaunch {
    device: Ref<Device>,
    kernel: runtime::Kernel,
    launch: Launch,
    arguments: Vec<Argument>,
    /// Memory that the kernel reaches by other pointers than its arguments.
    shared: Vec<Arc<SharedMemory>>,
    addressed: Vec<Known>,
    /// See [`runtime::Kernel::launches_at_once`].
    starts_at_once: bool,
    /// Whether there is nothing to execute.
    is_empty: bool,
}

impl CheckedLaunch {
    /// A launch on a queue's device, of a kernel with the arguments that it has now.
    ///
    /// # Errors
    /// `CL_INVALID_CONTEXT`, `CL_INVALID_PROGRAM_EXECUTABLE`, `CL_INVALID_KERNEL_ARGS`, `CL_OUT_OF_RESOURCES`,
    /// `CL_IMAGE_FORMAT_NOT_SUPPORTED`, and those of ranges.
    pub fn new(queue: &Ref<Queue>, kernel: &Ref<Kernel>, range: &Range) -> Result<CheckedLaunch> {
        let same = queue.context().handle() == kernel.program().context().handle();
        ensure(same, CL_INVALID_CONTEXT, "the queue and the kernel belong to different contexts")?;
        let device = queue.device().clone();
        let on_device = kernel.on(&device)?.clone();
        let launch = range.checked(&on_device, &device, kernel.program().build_for(&device)?.is_uniform())?;
        let has_default_queue = Queue::default_on(queue.context(), &device).is_some();
        let launch = Launch { has_default_queue, ..launch };
        check_sub_groups(&on_device, &device)?;
        let arguments = kernel.arguments()?;
        check_images(kernel, &arguments, &device)?;
        let (mut shared, addressed) = (kernel.indirect(), kernel.addressed(&arguments));
        let most = u64::from(device.description().limits.max_shared_memory);
        ensure(kernel.local_memory(&on_device) <= most, CL_OUT_OF_RESOURCES, "more local memory than the device has")?;
        let starts_at_once = on_device.launches_at_once(&launch);
        if !starts_at_once {
            // For kernels that check their accesses. The client keeps unified memory until the kernel has ended, and there may be
            // thousands of allocations.
            shared.extend(kernel.reached());
        }
        let is_empty = range.global[..range.dims as usize].contains(&0);
        Ok(CheckedLaunch { device, kernel: on_device, launch, arguments, shared, addressed, starts_at_once, is_empty })
    }

    /// Calls `act` with the arguments as the runtime takes them, but for those that other images stand for, and the memory that the
    /// kernel reaches otherwise.
    fn with_arguments<T>(
        &self,
        linear: &[(u32, Arc<Linear>)],
        act: impl FnOnce(&[Arg<'_>], &[(u64, u64)]) -> runtime::Result<T>,
    ) -> Result<T> {
        let resolved = self.arguments.iter().map(|argument| resolve(argument, &self.device));
        let mut resolved = resolved.collect::<Result<Vec<_>>>()?;
        for (index, linear) in linear {
            if let Some(place) = resolved.get_mut(*index as usize) {
                *place = Resolved::Image(linear.argument());
            }
        }
        let args: Vec<Arg<'_>> = resolved.iter().map(Resolved::arg).collect();
        let shared = self.shared.iter().map(|memory| memory.range());
        let reached: Vec<(u64, u64)> = shared.chain(self.addressed.iter().map(|(range, _)| *range)).collect();
        Ok(act(&args, &reached)?)
    }

    /// Launches it on a queue.
    ///
    /// # Errors
    /// Those of the device.
    pub fn start(&self, queue: &runtime::Queue) -> Result<runtime::Event> {
        if self.is_empty {
            return Ok(queue.marker()?);
        }
        let objects = self.memories().map(|(_, memory, _)| memory);
        let _turns = Memory::turns_with(objects, &self.device);
        let (has_views, is_plain) = (self.has_views(), self.is_plain());
        let written = if has_views { self.bring_up(queue)? } else { Vec::new() };
        let linear = if is_plain { Vec::new() } else { self.linear(queue)? };
        let launched = self
            .with_arguments(&linear, |args, reached| queue.launch_reaching(&self.kernel, &self.launch, args, reached));
        // What the kernel reaches by other pointers is not freed before it is recorded.
        let mut last = launched?;
        for (at, (_, one)) in linear.iter().enumerate() {
            if linear[..at].iter().any(|(_, earlier)| Arc::ptr_eq(earlier, one)) {
                continue;
            }
            last = one.bring_back(self.device.converters()?, queue)?;
        }
        for image in written {
            last = image.write_back(&self.device, queue)?.unwrap_or(last);
        }
        Ok(last)
    }

    /// The memory objects among the arguments, with their positions.
    fn memories(&self) -> impl Iterator<Item = (u32, &Ref<Memory>, bool)> {
        (0..).zip(&self.arguments).filter_map(|(index, argument)| match argument {
            Argument::Buffer(Some(memory)) => Some((index, memory, false)),
            Argument::Image(image) => Some((index, image, true)),
            _ => None,
        })
    }

    /// The images among the arguments that the kernel writes, and the device cannot let it: colours of sRGB.
    fn written_colours(&self) -> impl Iterator<Item = (u32, &Ref<Memory>)> {
        let images = (0..).zip(&self.arguments).filter_map(|(index, argument)| match argument {
            Argument::Image(image) if image.shape().is_some_and(ImageShape::is_srgb) => Some((index, image)),
            _ => None,
        });
        images.filter(|(index, _)| writes_image(self.kernel.interface(), *index))
    }

    /// Whether no other images have to stand for arguments.
    pub fn is_plain(&self) -> bool {
        self.written_colours().next().is_none()
    }

    /// Records what makes the images that stand for arguments, with the positions of these.
    fn linear(&self, queue: &runtime::Queue) -> Result<Vec<(u32, Arc<Linear>)>> {
        let mut made: Vec<(usize, Arc<Linear>)> = Vec::new();
        let linear = |(index, memory): (u32, &Ref<Memory>)| {
            // What the kernel writes by one of several arguments belongs to the same image.
            let handle = memory.handle();
            if let Some((_, known)) = made.iter().find(|(known, _)| *known == handle) {
                return Ok(Some((index, known.clone())));
            }
            let image = image_on(memory, &self.device)?;
            let support = self.device.open()?.image_support(image.description().kind, image.description().format);
            if support.storage {
                return Ok(None);
            }
            let linear = Arc::new(Linear::new(self.device.converters()?, queue, image)?);
            made.push((handle, linear.clone()));
            Ok(Some((index, linear)))
        };
        self.written_colours().map(linear).filter_map(Result::transpose).collect()
    }

    /// Whether there are images over buffers among the arguments, or over these buffers: see `memory/views.rs`.
    pub fn has_views(&self) -> bool {
        self.memories().any(|(_, memory, _)| memory.has_views())
    }

    /// Records what gives the kernel the current contents of images over buffers, and of their buffers; remembers what it writes.
    /// Returns the images that it writes.
    fn bring_up(&self, queue: &runtime::Queue) -> Result<Vec<&Ref<Memory>>> {
        for (_, memory, is_image) in self.memories() {
            memory.bring_up(&self.device, queue, is_image)?;
        }
        let (interface, mut written) = (self.kernel.interface(), Vec::new());
        for (index, memory, is_image) in self.memories() {
            if is_image && writes_image(interface, index) {
                written.push(memory);
            } else if !is_image && writes_buffer(interface, index) {
                memory.note_written();
            }
        }
        written.iter().for_each(|image| image.note_written());
        written.iter().try_for_each(|image| image.note_texels_written())?;
        Ok(written)
    }

    /// Records it into a command buffer of the runtime's.
    ///
    /// # Errors
    /// Those of its execution.
    pub fn record(&self, recorder: &mut runtime::CommandRecorder) -> Result<()> {
        if self.is_empty {
            return Ok(());
        }
        self.with_arguments(&[], |args, _| recorder.launch(&self.kernel, &self.launch, args))
    }
}

/// Whether a kernel may write an image that is an argument.
fn writes_image(interface: &KernelInterface, index: u32) -> bool {
    let binding = interface.argument(index).map(|argument| argument.binding);
    matches!(binding, Some(ArgumentBinding::StorageImage(_) | ArgumentBinding::StorageTexelBuffer(_)))
}

/// Whether a kernel may write the memory of an argument, as far as the module tells.
fn writes_buffer(interface: &KernelInterface, index: u32) -> bool {
    let accesses = interface.accesses.as_ref();
    accesses.is_none_or(|accesses| accesses.of_argument(index).writes || accesses.other.writes)
}

/// Launches a kernel (`clEnqueueNDRangeKernel`, `clEnqueueTask`), with the arguments that it has now.
///
/// # Errors
/// Those of [`CheckedLaunch::new`].
pub fn launch(
    queue: &Ref<Queue>,
    kernel: &Ref<Kernel>,
    range: &Range,
    command: cl_command_type,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    let launch = CheckedLaunch::new(queue, kernel, range)?;
    let starter = if launch.starts_at_once && launch.is_plain() { Starter::Anyone } else { Starter::Queue };
    let enqueue = Enqueue::new(command, waits).by(starter);
    if launch.is_empty {
        return enqueue.on(queue, marker());
    }
    enqueue.on(queue, Box::new(move |queue: &runtime::Queue| Ok(Started::OnDevice(launch.start(queue)?))))
}
