//! Command buffers: launches, copies and fills that are recorded once and executed any number of times.

use super::enqueue::{self, Call};
use super::nd_range::Launch;
use crate::buffer::{Buffer, check_overlap, record_copy, record_fill, word_at};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::image::{Image, Storage};
use crate::program::{Arg, Kernel, KernelShared};
use crate::queue::Queue;
use crate::submission::{Batch, Event, Footprint, Record, Session, Use};
use std::sync::Arc;
use std::time::Instant;

/// Records launches, copies and fills into a [`CommandBuffer`].
pub struct CommandRecorder {
    device: Device,
    target: Target,
    contents: Contents,
}

/// Launches, copies and fills in the order in which they were recorded, with the arguments that they were given.
/// [`Queue::execute`] executes all of them as one command, which costs the host about as much as one launch, and as often as
/// desired: what is checked, compiled and recorded for a launch was done once. Each of them sees what those before it have
/// written; those that have no memory in common may overlap.
///
/// ```
/// # use clforge_runtime::{Arg, Buffer, CommandRecorder, Device, DeviceSelector, Launch, Program, Queue};
/// # let device = Device::open(&DeviceSelector::Best)?;
/// let source = "kernel void step(global uint *a, uint by) { a[get_global_id(0)] = a[get_global_id(0)] * 3 + by; }";
/// let step = Program::from_source(&device, source, &Default::default())?.kernel("step")?;
/// let (buffer, queue) = (Buffer::from_slice(&device, &[1u32; 64])?, Queue::new(&device)?);
/// let mut recorder = CommandRecorder::new(&device)?;
/// for by in 0..10u32 {
///     recorder.launch(&step, &Launch::new(&[64]), &[Arg::Buffer(&buffer), Arg::pod(&by)])?;
/// }
/// let commands = recorder.finish()?;
/// for _ in 0..100 {
///     queue.execute(&commands)?;
/// }
/// queue.finish()?;
/// let rounds = (0..1000u32).fold(1u32, |a, round| a.wrapping_mul(3).wrapping_add(round % 10));
/// assert_eq!(buffer.to_vec_of::<u32>()?, [rounds; 64]);
/// # Ok::<(), clforge_runtime::Error>(())
/// ```
pub struct CommandBuffer {
    device: Device,
    target: Target,
    contents: Contents,
}

/// A secondary command buffer, and what its commands access.
struct Target {
    batch: Batch,
    footprint: Footprint,
    /// What is recorded now.
    used: Use,
}

/// What the commands use, which lives as long as they may be executed.
#[derive(Default)]
struct Contents {
    kernels: Vec<Arc<KernelShared>>,
    buffers: Vec<Buffer>,
    images: Vec<Image>,
    launches: u64,
}

impl Record for Target {
    fn batch_for(&mut self, footprint: &Footprint) -> Result<&mut Batch> {
        self.batch.begin_command(self.used, footprint);
        self.footprint.merge(footprint);
        Ok(&mut self.batch)
    }
}

impl Contents {
    fn keep(&mut self, kernel: &Arc<KernelShared>, args: &[Arg<'_>]) {
        self.launches += 1;
        if !self.kernels.iter().any(|kept| Arc::ptr_eq(kept, kernel)) {
            self.kernels.push(kernel.clone());
        }
        for arg in args {
            match arg {
                Arg::Buffer(buffer) | Arg::BufferAt(buffer, _) => self.keep_buffer(buffer),
                Arg::Image(image) if !self.images.iter().any(|kept| Arc::ptr_eq(&kept.storage, &image.storage)) => {
                    if let Storage::Buffer(_, buffer) = &*image.storage {
                        self.keep_buffer(buffer);
                    }
                    self.images.push((*image).clone());
                }
                Arg::Image(_) | Arg::Address(_) | Arg::Pod(_) | Arg::Local(_) | Arg::Null | Arg::Sampler(_) => {}
            }
        }
    }

    fn keep_buffer(&mut self, buffer: &Buffer) {
        if !self.buffers.iter().any(|kept| Arc::ptr_eq(&kept.raw, &buffer.raw)) {
            self.buffers.push(buffer.clone());
        }
    }
}

impl Kernel {
    /// Whether launches of it can be recorded into a [`CommandBuffer`]: not those of kernels that print, check their accesses or
    /// enqueue kernels, whose launches the host waits for.
    pub fn is_recordable(&self) -> bool {
        !enqueue::is_waited_for(&self.shared)
    }
}

impl CommandRecorder {
    /// A recorder without commands.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::Vulkan`].
    pub fn new(device: &Device) -> Result<CommandRecorder> {
        let batch = device.shared.default_stream.secondary_batch()?;
        let target = Target { batch, footprint: Footprint::default(), used: Use::Kernel };
        Ok(CommandRecorder { device: device.clone(), target, contents: Contents::default() })
    }

    /// Records a launch. Arguments by value are copied; buffers and images must not be mapped now, nor when the launch is executed.
    /// A limit of time ([`Launch::timeout`]) holds for the compilation of the kernel.
    ///
    /// # Errors
    /// As for [`Kernel::launch`], and [`Error::Launch`] for a kernel that is not [`Kernel::is_recordable`]. Nothing is recorded
    /// then.
    pub fn launch(&mut self, kernel: &Kernel, range: &Launch, args: &[Arg<'_>]) -> Result<()> {
        enqueue::check_device(&kernel.shared, &self.device.shared.raw)?;
        let variant = enqueue::variant(&kernel.shared, range, args)?;
        let kernel = variant.as_ref().unwrap_or(&kernel.shared);
        if enqueue::is_waited_for(kernel) {
            let name = &kernel.interface().name;
            return Err(Error::Launch(format!(
                "kernel '{name}' prints, checks its accesses or enqueues kernels: the host waits for its launches, so that they \
                 cannot be recorded"
            )));
        }
        let call = Call { launch: range, reached: &[], start: Instant::now(), queue_memory: None, is_empty: false };
        let device = self.device.clone();
        let _recording = device.shared.raw.recording();
        self.target.used = Use::Kernel;
        kernel.with_scratch(|scratch| enqueue::enqueue_with(&mut self.target, scratch, kernel, call, args))?;
        self.contents.keep(kernel, args);
        Ok(())
    }

    /// Records a copy of bytes from buffer to buffer. The ranges must not overlap.
    ///
    /// # Errors
    /// As for [`Queue::copy`]. Nothing is recorded then.
    pub fn copy(&mut self, source: &Buffer, from: u64, target: &Buffer, to: u64, size: u64) -> Result<()> {
        let queue = self.device.queue();
        queue.check(source, from, size)?;
        queue.check(target, to, size)?;
        check_overlap((source, from), (target, to), size)?;
        if size == 0 {
            return Ok(());
        }
        let raw = &self.device.shared.raw;
        let _recording = raw.recording();
        self.target.used = Use::Transfer;
        let (first, second) = ((&*source.raw, source.offset + from), (&*target.raw, target.offset + to));
        record_copy(&mut self.target, raw, first, second, size)?;
        self.contents.keep_buffer(source);
        self.contents.keep_buffer(target);
        Ok(())
    }

    /// Records a fill of bytes of a buffer with repetitions of a pattern of 1, 2 or 4 bytes. Offset and size are multiples of 4,
    /// also where the buffer is a part of another one.
    ///
    /// # Errors
    /// [`Error::Transfer`] for another pattern or range, and those of [`Queue::fill`]. Nothing is recorded then.
    pub fn fill(&mut self, buffer: &Buffer, offset: u64, size: u64, pattern: &[u8]) -> Result<()> {
        self.device.queue().check(buffer, offset, size)?;
        let at = buffer.offset + offset;
        let word = word_at(pattern, at, size).ok_or_else(|| {
            Error::Transfer(format!(
                "a recorded fill of {size} bytes from {at} on with a pattern of {} bytes",
                pattern.len()
            ))
        })?;
        let raw = &self.device.shared.raw;
        let _recording = raw.recording();
        self.target.used = Use::Transfer;
        record_fill(&mut self.target, raw, buffer, (at, size), word)?;
        self.contents.keep_buffer(buffer);
        Ok(())
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn finish(self) -> Result<CommandBuffer> {
        let CommandRecorder { device, target, contents } = self;
        target.batch.end_secondary()?;
        Ok(CommandBuffer { device, target, contents })
    }
}

impl CommandBuffer {
    /// The device it belongs to.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// How many launches were recorded.
    pub fn launches(&self) -> u64 {
        self.contents.launches
    }
}

impl Queue {
    /// Executes all commands of a command buffer, as one command. The command buffer may be executed again before that is complete,
    /// also on another queue; executions on different queues are not ordered. It may be dropped at any time.
    ///
    /// # Errors
    /// [`Error::Launch`] for a command buffer of another device, [`Error::Transfer`] if one of its buffers is mapped,
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn execute(&self, commands: &CommandBuffer) -> Result<Event> {
        if !Arc::ptr_eq(self.stream.device(), &commands.device.shared.raw) {
            return Err(Error::Launch("the queue and the command buffer belong to different devices".into()));
        }
        let mut session = Session::start(&self.stream, Use::Both);
        commands.contents.buffers.iter().try_for_each(Buffer::check_unmapped)?;
        let CommandBuffer { target, .. } = commands;
        let batch = session.batch_for(&target.footprint)?;
        target.batch.watches.iter().for_each(|watch| batch.watch(Some(watch)));
        // SAFETY: it is recorded to the end, for simultaneous use. The kernels, buffers and images that it refers to live as long as
        // it, and what is dropped from now on is destroyed when the batch is complete.
        unsafe { batch.execute(target.batch.commands) };
        session.finish()
    }
}
