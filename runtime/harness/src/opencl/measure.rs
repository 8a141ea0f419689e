//! Launches that are timed and repeated, and transfers, through an OpenCL driver.

use super::{ClProgram, Context, Held, KernelObject, Memory, Runner, call, release_event};
use crate::HostArg;
use cl3::{command_queue, event, kernel, memory};
use clforge_runtime::Launch;
use std::ffi::CString;
use std::ptr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A kernel with its arguments, to be launched any number of times.
pub struct ClLaunch {
    args: Vec<HostArg>,
    held: Vec<Held>,
    object: KernelObject,
    range: Launch,
    program: Arc<ClProgram>,
}

/// A buffer on the device.
pub struct ClBuffer {
    memory: Memory,
    size: usize,
    runner: Arc<Context>,
}

impl ClProgram {
    /// Prepares launches of a kernel.
    ///
    /// # Errors
    /// The OpenCL function that failed, and its error.
    pub fn prepare(self: &Arc<Self>, kernel: &str, range: &Launch, args: Vec<HostArg>) -> Result<ClLaunch, String> {
        if !(1..=3).contains(&range.dims) {
            return Err(format!("an ND-range has 1, 2 or 3 dimensions, not {}", range.dims));
        }
        let name = CString::new(kernel).map_err(|_| "the kernel's name has a zero byte")?;
        let object = self.kernel(&name)?;
        let held = args.iter().enumerate().map(|(index, arg)| self.set_arg(&object, index as u32, arg));
        let held = held.collect::<Result<_, _>>()?;
        Ok(ClLaunch { args, held, object, range: *range, program: self.clone() })
    }
}

impl ClProgram {
    /// Makes a kernel, launches one work-item of it with the buffer as its argument, waits, and releases the kernel.
    ///
    /// # Errors
    /// The OpenCL function that failed, and its error.
    pub fn launch_once(&self, kernel: &str, buffer: &ClBuffer) -> Result<(), String> {
        let name = CString::new(kernel).map_err(|_| "the kernel's name has a zero byte")?;
        let object = self.kernel(&name)?;
        let (handle, queue, one) = (&raw const buffer.memory.0, self.runner.queue, [1usize; 3]);
        // SAFETY: the value is a handle of its size; the driver checks that the kernel takes one.
        let set = unsafe { kernel::set_kernel_arg(object.0, 0, size_of_val(&buffer.memory.0), handle.cast()) };
        call("clSetKernelArg", set)?;
        let (one, none) = (one.as_ptr(), ptr::null());
        // SAFETY: the array of sizes lives until the call returns; the argument is set.
        let enqueued =
            unsafe { command_queue::enqueue_nd_range_kernel(queue, object.0, 1, none, one, one, 0, ptr::null()) };
        release_event(call("clEnqueueNDRangeKernel", enqueued)?);
        call("clFinish", command_queue::finish(queue))
    }
}

impl ClLaunch {
    fn enqueue_event(&self) -> Result<cl3::types::cl_event, String> {
        let global = self.range.global.map(|size| size as usize);
        let offset = self.range.offset.map(|size| size as usize);
        let local = self.range.local.map(|local| local.map(|size| size as usize));
        let local = local.as_ref().map_or(ptr::null(), |local| local.as_ptr());
        let (queue, dims) = (self.program.runner.queue, self.range.dims);
        let (offset, global) = (offset.as_ptr(), global.as_ptr());
        // SAFETY: the arrays have three entries and live until the call returns; arguments are set and held.
        let enqueued = unsafe {
            command_queue::enqueue_nd_range_kernel(queue, self.object.0, dims, offset, global, local, 0, ptr::null())
        };
        call("clEnqueueNDRangeKernel", enqueued)
    }

    /// Launches the kernel without waiting for it.
    ///
    /// # Errors
    /// The OpenCL function that failed, and its error.
    pub fn enqueue(&self) -> Result<(), String> {
        self.enqueue_event().map(release_event)
    }

    /// Launches the kernel so many times, keeps the event of each launch until all are enqueued, and waits for all.
    ///
    /// # Errors
    /// As for [`ClLaunch::enqueue`].
    pub fn enqueue_with_events(&self, count: usize) -> Result<(), String> {
        let events: Vec<_> = (0..count).map(|_| self.enqueue_event()).collect();
        let finished = call("clFinish", command_queue::finish(self.program.runner.queue));
        let mut failure = Ok(());
        for launched in events {
            match launched {
                Ok(launched) => release_event(launched),
                Err(error) => failure = Err(error),
            }
        }
        failure.and(finished)
    }

    /// Launches the kernel and waits for it. Returns the time on the device, where the queue records it, and on the host.
    ///
    /// # Errors
    /// As for [`ClLaunch::enqueue`].
    pub fn time(&self) -> Result<(Option<Duration>, Duration), String> {
        let start = Instant::now();
        let launched = self.enqueue_event()?;
        let waited = call("clWaitForEvents", event::wait_for_events(&[launched]));
        let host = start.elapsed();
        let time = |parameter| Some(u64::from(event::get_event_profiling_info(launched, parameter).ok()?));
        let (started, ended) = (time(event::CL_PROFILING_COMMAND_START), time(event::CL_PROFILING_COMMAND_END));
        release_event(launched);
        waited?;
        Ok((started.zip(ended).map(|(started, ended)| Duration::from_nanos(ended.saturating_sub(started))), host))
    }

    /// The contents of every buffer and image argument, as after [`ClProgram::run`].
    ///
    /// # Errors
    /// As for [`ClLaunch::enqueue`].
    pub fn results(&self) -> Result<Vec<Vec<u8>>, String> {
        self.args.iter().zip(&self.held).map(|(arg, held)| self.program.read(arg, held)).collect()
    }
}

impl Runner {
    /// A buffer of `size` bytes, which is not 0.
    ///
    /// # Errors
    /// The OpenCL function that failed, and its error.
    pub fn allocate(&self, size: usize) -> Result<ClBuffer, String> {
        // SAFETY: no host pointer with these flags.
        let made =
            unsafe { memory::create_buffer(self.shared.context, memory::CL_MEM_READ_WRITE, size, ptr::null_mut()) };
        Ok(ClBuffer { memory: Memory(call("clCreateBuffer", made)?), size, runner: self.shared.clone() })
    }

    /// Submits all commands so far.
    ///
    /// # Errors
    /// As for [`Runner::allocate`].
    pub fn flush(&self) -> Result<(), String> {
        call("clFlush", command_queue::flush(self.shared.queue))
    }

    /// Waits for all commands so far.
    ///
    /// # Errors
    /// As for [`Runner::allocate`].
    pub fn finish(&self) -> Result<(), String> {
        call("clFinish", command_queue::finish(self.shared.queue))
    }
}

impl ClBuffer {
    fn check(&self, size: usize) -> Result<(), String> {
        if size > 0 && size <= self.size { Ok(()) } else { Err(format!("{size} bytes are not in the buffer")) }
    }

    /// Overwrites the first bytes, and waits.
    ///
    /// # Errors
    /// As for [`Runner::allocate`].
    pub fn write(&self, bytes: &[u8]) -> Result<(), String> {
        self.check(bytes.len())?;
        let (queue, yes, from) = (self.runner.queue, cl3::types::CL_TRUE, bytes.as_ptr().cast_mut().cast());
        // SAFETY: a blocking write of `bytes`, which the buffer has room for.
        let written = unsafe {
            command_queue::enqueue_write_buffer(queue, self.memory.0, yes, 0, bytes.len(), from, 0, ptr::null())
        };
        call("clEnqueueWriteBuffer", written).map(release_event)
    }

    /// Reads the first bytes, and waits.
    ///
    /// # Errors
    /// As for [`Runner::allocate`].
    pub fn read(&self, bytes: &mut [u8]) -> Result<(), String> {
        self.check(bytes.len())?;
        let (queue, yes, to) = (self.runner.queue, cl3::types::CL_TRUE, bytes.as_mut_ptr().cast());
        // SAFETY: a blocking read of as many bytes, which the buffer has.
        let read = unsafe {
            command_queue::enqueue_read_buffer(queue, self.memory.0, yes, 0, bytes.len(), to, 0, ptr::null())
        };
        call("clEnqueueReadBuffer", read).map(release_event)
    }

    /// Maps the first bytes for reading, loads one byte of each page, unmaps them and waits. Returns the sum of what was loaded.
    ///
    /// # Errors
    /// As for [`Runner::allocate`].
    pub fn map_and_unmap(&self, size: usize) -> Result<u64, String> {
        self.check(size)?;
        let (queue, yes) = (self.runner.queue, cl3::types::CL_TRUE);
        let mut mapped = ptr::null_mut();
        // SAFETY: a blocking map of a range that the buffer has.
        let event = unsafe {
            command_queue::enqueue_map_buffer(
                queue,
                self.memory.0,
                yes,
                memory::CL_MAP_READ,
                0,
                size,
                &mut mapped,
                0,
                ptr::null(),
            )
        };
        call("clEnqueueMapBuffer", event).map(release_event)?;
        // SAFETY: the driver has mapped `size` bytes there, which nothing writes before they are unmapped.
        let bytes = unsafe { std::slice::from_raw_parts(mapped.cast::<u8>(), size) };
        let sum = bytes.iter().step_by(4096).map(|byte| u64::from(*byte)).sum();
        // SAFETY: the pointer is that of the map above.
        let unmapped = unsafe { command_queue::enqueue_unmap_mem_object(queue, self.memory.0, mapped, 0, ptr::null()) };
        call("clEnqueueUnmapMemObject", unmapped).map(release_event)?;
        call("clFinish", command_queue::finish(queue)).map(|()| sum)
    }

    /// Queues a copy of the first bytes to another buffer of the same device.
    ///
    /// # Errors
    /// As for [`Runner::allocate`].
    pub fn copy_to(&self, target: &ClBuffer, size: usize) -> Result<(), String> {
        self.check(size).and_then(|()| target.check(size))?;
        let (from, to) = (self.memory.0, target.memory.0);
        // SAFETY: both buffers have the range.
        let copied =
            unsafe { command_queue::enqueue_copy_buffer(self.runner.queue, from, to, 0, 0, size, 0, ptr::null()) };
        call("clEnqueueCopyBuffer", copied).map(release_event)
    }

    /// Queues a fill of the first bytes with zeros.
    ///
    /// # Errors
    /// As for [`Runner::allocate`].
    pub fn fill(&self, size: usize) -> Result<(), String> {
        self.check(size)?;
        let (zero, queue) = (0u32, self.runner.queue);
        let pattern = (&raw const zero).cast();
        // SAFETY: the pattern has four bytes, which are copied; the buffer has the range.
        let filled =
            unsafe { command_queue::enqueue_fill_buffer(queue, self.memory.0, pattern, 4, 0, size, 0, ptr::null()) };
        call("clEnqueueFillBuffer", filled).map(release_event)
    }
}
