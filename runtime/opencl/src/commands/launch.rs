//! Launches of kernels (section 5.10).

use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::event::Event;
use crate::handle::{Object, Ref};
use crate::kernel::{Argument, Kernel};
use crate::memory::{Contents, Memory};
use crate::queue::{Enqueue, Queue, Started, Starter, marker};
use crate::shared::SharedRange;
use clforge_runtime::{self as runtime, Arg, Launch};
use opencl_sys::*;

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

/// What an argument is on a device.
enum Resolved {
    Buffer(runtime::Buffer),
    Shared(SharedRange),
    Image(runtime::Image),
    Sampler(runtime::Sampler),
    Other(Argument),
}

fn image_on(image: &Ref<Memory>, device: &Object<Device>) -> Result<runtime::Image> {
    match image.contents() {
        Contents::Image(_, copies) => copies.on(device),
        // Made anew for each launch: the buffer may have moved.
        Contents::BufferImage(shape, buffer) => {
            let buffer = buffer.buffer_on(device)?;
            Ok(runtime::Image::over_buffer(&device.open()?, shape.description(), &buffer)?)
        }
        Contents::Buffer(_) | Contents::Part(..) | Contents::Pipe(..) => {
            Err(Error::internal("something else was set for an image"))
        }
    }
}

fn resolve(argument: Argument, device: &Object<Device>) -> Result<Resolved> {
    Ok(match argument {
        Argument::Buffer(Some(memory)) => Resolved::Buffer(memory.argument_on(device)?),
        Argument::Shared(range) => Resolved::Shared(range),
        Argument::Image(image) => Resolved::Image(image_on(&image, device)?),
        Argument::Sampler(sampler) => Resolved::Sampler(sampler.value()?),
        other => Resolved::Other(other),
    })
}

impl Resolved {
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

/// Launches a kernel (`clEnqueueNDRangeKernel`, `clEnqueueTask`), with the arguments that it has now.
///
/// # Errors
/// `CL_INVALID_CONTEXT`, `CL_INVALID_PROGRAM_EXECUTABLE`, `CL_INVALID_KERNEL_ARGS`, `CL_OUT_OF_RESOURCES`, and those of ranges.
pub fn launch(
    queue: &Ref<Queue>,
    kernel: &Ref<Kernel>,
    range: &Range,
    command: cl_command_type,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    let same = queue.context().handle() == kernel.program().context().handle();
    ensure(same, CL_INVALID_CONTEXT, "the queue and the kernel belong to different contexts")?;
    let device = queue.device().clone();
    let on_device = kernel.on(&device)?.clone();
    let launch = range.checked(&on_device, &device, kernel.program().build_for(&device)?.is_uniform())?;
    let has_default_queue = Queue::default_on(queue.context(), &device).is_some();
    let launch = Launch { has_default_queue, ..launch };
    let arguments = kernel.arguments()?;
    let mut indirect = (kernel.indirect(), kernel.addressed(&arguments));
    let most = u64::from(device.description().limits.max_shared_memory);
    ensure(kernel.local_memory(&on_device) <= most, CL_OUT_OF_RESOURCES, "more local memory than the device has")?;
    let starter = if on_device.launches_at_once() { Starter::Anyone } else { Starter::Queue };
    if !on_device.launches_at_once() {
        // For kernels that check their accesses. The client keeps unified memory until the kernel has ended, and there may be
        // thousands of allocations.
        indirect.0.extend(kernel.reached());
    }
    let enqueue = Enqueue::new(command, waits).by(starter);
    if range.global[..range.dims as usize].contains(&0) {
        return enqueue.on(queue, marker());
    }
    let action = move |queue: &runtime::Queue| {
        let resolved = arguments.into_iter().map(|argument| resolve(argument, &device));
        let resolved = resolved.collect::<Result<Vec<_>>>()?;
        let args: Vec<Arg<'_>> = resolved.iter().map(Resolved::arg).collect();
        let shared = indirect.0.iter().map(|memory| memory.range());
        let reached: Vec<(u64, u64)> = shared.chain(indirect.1.iter().map(|(range, _)| *range)).collect();
        let started = queue.launch_reaching(&on_device, &launch, &args, &reached)?;
        // What the kernel reaches by other pointers is not freed before it is recorded.
        drop(indirect);
        Ok(Started::OnDevice(started))
    };
    enqueue.on(queue, Box::new(action))
}
