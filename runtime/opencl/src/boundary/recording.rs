//! Commands that are recorded to command buffers (`cl_khr_command_buffer`).

use super::arguments::{check_sharing, list, memory, object, optional, pointer, put, triple};
use super::images::placed;
use super::{buffers, launches, mutable};
use crate::command_buffer::{CommandBuffer, Dispatch, Order, Replay, What};
use crate::commands::{self, Transfer};
use crate::error::{Error, Result, ensure};
use crate::handle::Ref;
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::queue::{Enqueue, Queue, marker};
use opencl_sys::*;
use std::ffi::c_void;
use std::sync::Arc;

/// The parameters that all functions which record have: the first three and the last four.
#[derive(Clone, Copy)]
pub(super) struct Record {
    pub buffer: cl_command_buffer_khr,
    pub queue: cl_command_queue,
    pub properties: *const cl_command_properties_khr,
    pub count: cl_uint,
    pub waits: *const cl_sync_point_khr,
    pub sync_point: *mut cl_sync_point_khr,
    pub mutable_handle: *mut cl_mutable_command_khr,
}

/// The command buffer that a command is recorded to, and the number of its queue there.
struct Target {
    buffer: Ref<CommandBuffer>,
    number: usize,
}

impl Target {
    fn queue(&self) -> &Ref<Queue> {
        self.buffer.queue(self.number)
    }
}

impl Record {
    /// The command buffer and the queue, with what is the same for all commands checked.
    fn buffer(&self) -> Result<Target> {
        let buffer = object::<CommandBuffer>(self.buffer)?;
        let queue = optional::<Queue>(self.queue)?;
        let number = buffer.number_of(queue.as_ref())?;
        Ok(Target { buffer, number })
    }

    /// The same for a command that has no properties and cannot be changed.
    ///
    /// # Safety
    /// `properties` is null or leads to a list that ends with a zero.
    unsafe fn target(&self) -> Result<Target> {
        let target = self.buffer()?;
        // SAFETY: the caller's promise.
        let has = !self.properties.is_null() && unsafe { self.properties.read_unaligned() } != 0;
        ensure(!has, CL_INVALID_VALUE, "an unknown property of a command")?;
        ensure(self.mutable_handle.is_null(), CL_INVALID_VALUE, "only launches can be changed later")?;
        Ok(target)
    }

    /// Records a command.
    ///
    /// # Safety
    /// As for the functions of the API.
    unsafe fn command(self, target: &Target, order: Order, replay: Replay) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.put(target, order, What::Other(replay)) }
    }

    /// Records a copy or a fill.
    ///
    /// # Safety
    /// As for the functions of the API.
    unsafe fn transfer(self, target: &Target, transfer: Arc<Transfer>) -> Result<()> {
        let what = match transfer.is_recordable(target.buffer.context())? {
            true => What::Transfer(transfer),
            false => What::Other(Arc::new(move |queue, waits| transfer.enqueue(queue, waits))),
        };
        // SAFETY: the caller's promise.
        unsafe { self.put(target, Order::Any, what) }
    }

    /// The same for a command that may be a launch.
    ///
    /// # Safety
    /// As for the functions of the API.
    unsafe fn put(self, target: &Target, order: Order, what: What) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe {
            let waits = list(self.count as usize, self.waits);
            let waits = waits.map_err(|error: Error| error.with_code(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR))?;
            put(self.sync_point, target.buffer.record(target.number, &waits, order, what)?);
        }
        Ok(())
    }
}

/// `clCommandBarrierWithWaitListKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn barrier(record: Record) -> Result<()> {
    let replay: Replay = Arc::new(|queue, waits| Enqueue::new(CL_COMMAND_BARRIER, waits).on(queue, marker()));
    // SAFETY: the caller keeps the specification's rules.
    unsafe { record.command(&record.target()?, Order::Barrier, replay) }
}

/// `clCommandCopyBufferKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn copy_buffer(
    source: cl_mem,
    target: cl_mem,
    from: usize,
    to: usize,
    size: usize,
    record: Record,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    let buffer = unsafe { record.target() }?;
    let (source, target) = (object::<Memory>(source)?, object::<Memory>(target)?);
    let transfer = Transfer::copy(buffer.queue(), [&source, &target], [from, to], size)?;
    // SAFETY: as above.
    unsafe { record.transfer(&buffer, transfer) }
}

/// `clCommandCopyBufferRectKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn copy_rect(
    source: cl_mem,
    target: cl_mem,
    from: *const usize,
    to: *const usize,
    region: *const usize,
    from_row_pitch: usize,
    from_slice_pitch: usize,
    to_row_pitch: usize,
    to_slice_pitch: usize,
    record: Record,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    let buffer = unsafe { record.target() }?;
    let (source, target) = (object::<Memory>(source)?, object::<Memory>(target)?);
    let pitches = [[from_row_pitch, from_slice_pitch], [to_row_pitch, to_slice_pitch]];
    // SAFETY: as above.
    let (region, places) = unsafe { buffers::boxes(region, [from, to], pitches) }?;
    let replay: Replay =
        Arc::new(move |queue, waits| commands::copy_rect(queue, [&source, &target], region, places, waits));
    // SAFETY: as above.
    unsafe { record.command(&buffer, Order::Any, replay) }
}

/// `clCommandFillBufferKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn fill_buffer(
    target: cl_mem,
    pattern: *const c_void,
    pattern_size: usize,
    offset: usize,
    size: usize,
    record: Record,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    let buffer = unsafe { record.target() }?;
    let target = object::<Memory>(target)?;
    // SAFETY: as above.
    let pattern = unsafe { buffers::pattern(pattern, pattern_size) }?;
    let transfer = Transfer::fill(buffer.queue(), &target, pattern, offset, size)?;
    // SAFETY: as above.
    unsafe { record.transfer(&buffer, transfer) }
}

/// `clCommandFillImageKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn fill_image(
    image: cl_mem,
    color: *const c_void,
    origin: *const usize,
    region: *const usize,
    record: Record,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    let buffer = unsafe { record.target() }?;
    let image = object::<Memory>(image)?;
    ensure(!color.is_null(), CL_INVALID_VALUE, "no colour")?;
    // SAFETY: as above.
    unsafe {
        let color = super::images::color_of(&image, color);
        let (image, origin) = placed(image, origin)?;
        let region = [origin, triple(region)?];
        let replay: Replay = Arc::new(move |queue, waits| commands::fill_image(queue, &image, color, region, waits));
        record.command(&buffer, Order::Any, replay)
    }
}

/// `clCommandCopyImageKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn copy_image(
    source: cl_mem,
    target: cl_mem,
    from: *const usize,
    to: *const usize,
    region: *const usize,
    record: Record,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    let buffer = unsafe { record.target() }?;
    let (source, target) = (object::<Memory>(source)?, object::<Memory>(target)?);
    // SAFETY: as above.
    unsafe {
        let ((source, from), (target, to)) = (placed(source, from)?, placed(target, to)?);
        let places = [from, to, triple(region)?];
        let replay: Replay =
            Arc::new(move |queue, waits| commands::copy_image(queue, [&source, &target], places, waits));
        record.command(&buffer, Order::Any, replay)
    }
}

/// `clCommandCopyImageToBufferKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn copy_image_to_buffer(
    image: cl_mem,
    target: cl_mem,
    origin: *const usize,
    region: *const usize,
    offset: usize,
    record: Record,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    let buffer = unsafe { record.target() }?;
    let (image, target) = (object::<Memory>(image)?, object::<Memory>(target)?);
    // SAFETY: as above.
    unsafe {
        let (image, origin) = placed(image, origin)?;
        let region = [origin, triple(region)?];
        let replay: Replay =
            Arc::new(move |queue, waits| commands::copy_image_to_buffer(queue, &image, &target, region, offset, waits));
        record.command(&buffer, Order::Any, replay)
    }
}

/// `clCommandCopyBufferToImageKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn copy_buffer_to_image(
    source: cl_mem,
    image: cl_mem,
    offset: usize,
    origin: *const usize,
    region: *const usize,
    record: Record,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    let buffer = unsafe { record.target() }?;
    let (source, image) = (object::<Memory>(source)?, object::<Memory>(image)?);
    // SAFETY: as above.
    unsafe {
        let (image, origin) = placed(image, origin)?;
        let region = [origin, triple(region)?];
        let replay: Replay =
            Arc::new(move |queue, waits| commands::copy_buffer_to_image(queue, &source, &image, offset, region, waits));
        record.command(&buffer, Order::Any, replay)
    }
}

/// `clCommandNDRangeKernelKHR`: the kernel with the arguments that it has now. They may be missing where they can be set later.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn nd_range(
    kernel: cl_kernel,
    dims: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
    record: Record,
) -> Result<()> {
    let (target, kernel) = (record.buffer()?, object::<Kernel>(kernel)?);
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let (properties, keeps_work_groups) = mutable::properties(record.properties)?;
        let is_known = !local.is_null() || !(keeps_work_groups || target.buffer.usage().keeps_work_groups);
        ensure(is_known, CL_INVALID_VALUE, "no local size for a launch that is to keep its number of work-groups")?;
        let range = launches::range(dims, offset, global, local)?;
        let dispatch = Dispatch::new(target.buffer.handle(), target.queue(), &kernel, range, properties)?;
        record.put(&target, Order::Any, What::Launch(dispatch.clone()))?;
        put(record.mutable_handle, pointer(&dispatch));
    }
    Ok(())
}

/// `clCommandSVMMemcpyKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn copy_shared(
    target: *mut c_void,
    source: *const c_void,
    size: usize,
    record: Record,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules: both have so many bytes.
    unsafe {
        let buffer = record.target()?;
        check_sharing(buffer.queue().device())?;
        let (target, source) = (memory(target, size)?, memory(source, size)?);
        let replay: Replay = Arc::new(move |queue, waits| {
            commands::copy_shared(queue, target.clone(), source.clone(), CL_COMMAND_SVM_MEMCPY, waits)
        });
        record.command(&buffer, Order::Any, replay)
    }
}

/// `clCommandSVMMemFillKHR`.
///
/// # Safety
/// As for the function of the API.
pub(super) unsafe fn fill_shared(
    pointer: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
    record: Record,
) -> Result<()> {
    // SAFETY: the caller keeps the specification's rules.
    unsafe {
        let buffer = record.target()?;
        check_sharing(buffer.queue().device())?;
        ensure(!pointer.is_null(), CL_INVALID_VALUE, "no shared memory")?;
        let (target, pattern) = (memory(pointer, size)?, buffers::pattern(pattern, pattern_size)?);
        let replay: Replay = Arc::new(move |queue, waits| {
            commands::fill_shared(queue, target.clone(), pattern.clone(), CL_COMMAND_SVM_MEMFILL, waits)
        });
        record.command(&buffer, Order::Any, replay)
    }
}
