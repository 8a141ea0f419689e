//! Copies and fills of buffers by the device (sections 5.2.3 and 5.2.4): checked once, and enqueued or recorded.

use super::buffer::{check_pattern, root};
use super::check_buffer;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Result, ensure};
use crate::event::Event;
use crate::handle::Ref;
use crate::memory::Memory;
use crate::queue::{Enqueue, Queue, Started, Starter};
use clforge_runtime as runtime;
use opencl_sys::*;
use std::sync::Arc;

/// A copy or a fill whose parameters were checked.
pub struct Transfer {
    /// The device that they were checked for.
    device: Ref<Device>,
    what: What,
}

enum What {
    Copy { source: Ref<Memory>, from: u64, target: Ref<Memory>, to: u64, size: u64 },
    Fill { buffer: Ref<Memory>, offset: u64, size: u64, pattern: Vec<u8> },
}

impl Transfer {
    /// A copy of bytes from buffer to buffer on a queue's device.
    ///
    /// # Errors
    /// `CL_INVALID_MEM_OBJECT`, `CL_INVALID_CONTEXT`, `CL_INVALID_VALUE`, `CL_INVALID_OPERATION`, `CL_MEM_COPY_OVERLAP`.
    pub fn copy(
        queue: &Queue,
        [source, target]: [&Ref<Memory>; 2],
        [from, to]: [usize; 2],
        size: usize,
    ) -> Result<Arc<Transfer>> {
        check_buffer(queue, source)?;
        check_buffer(queue, target)?;
        target.flags().commands_write()?;
        source.check_range(from, size)?;
        target.check_range(to, size)?;
        let ((first, start), (second, end)) = (root(source), root(target));
        let (start, end) = (start + from, end + to);
        let overlap = first == second && start < end + size && end < start + size;
        ensure(!overlap, CL_MEM_COPY_OVERLAP, "source and target overlap")?;
        let (source, target) = (source.clone(), target.clone());
        let what = What::Copy { source, from: from as u64, target, to: to as u64, size: size as u64 };
        Ok(Arc::new(Transfer { device: queue.device().clone(), what }))
    }

    /// A fill of bytes of a buffer with a pattern.
    ///
    /// # Errors
    /// As for [`Transfer::copy`].
    pub fn fill(
        queue: &Queue,
        buffer: &Ref<Memory>,
        pattern: Vec<u8>,
        offset: usize,
        size: usize,
    ) -> Result<Arc<Transfer>> {
        check_buffer(queue, buffer)?;
        buffer.flags().commands_write()?;
        buffer.check_range(offset, size)?;
        let length = check_pattern(&pattern)?;
        let whole = offset.is_multiple_of(length) && size.is_multiple_of(length);
        ensure(whole, CL_INVALID_VALUE, "offset and size are multiples of the pattern's size")?;
        let what = What::Fill { buffer: buffer.clone(), offset: offset as u64, size: size as u64, pattern };
        Ok(Arc::new(Transfer { device: queue.device().clone(), what }))
    }

    /// Enqueues it, for another device too.
    ///
    /// # Errors
    /// Those of events, and of buffers that the other device cannot use.
    pub fn enqueue(self: &Arc<Self>, queue: &Ref<Queue>, waits: Vec<Ref<Event>>) -> Result<Ref<Event>> {
        let command = match &self.what {
            What::Copy { .. } => CL_COMMAND_COPY_BUFFER,
            What::Fill { .. } => CL_COMMAND_FILL_BUFFER,
        };
        let (transfer, device) = (self.clone(), queue.device().clone());
        if device.handle() != self.device.handle() {
            self.buffers().into_iter().flatten().try_for_each(|buffer| check_buffer(queue, buffer))?;
        }
        let action = move |queue: &runtime::Queue| Ok(Started::OnDevice(transfer.start_on(&device, queue)?));
        Enqueue::new(command, waits).by(Starter::Anyone).on(queue, Box::new(action))
    }

    /// The buffers that it reads and writes.
    fn buffers(&self) -> [Option<&Ref<Memory>>; 2] {
        match &self.what {
            What::Copy { source, target, .. } => [Some(source), Some(target)],
            What::Fill { buffer, .. } => [Some(buffer), None],
        }
    }

    /// Starts it on a queue of its device.
    ///
    /// # Errors
    /// Those of the device.
    pub fn start(&self, queue: &runtime::Queue) -> Result<runtime::Event> {
        self.start_on(&self.device, queue)
    }

    fn start_on(&self, device: &Ref<Device>, queue: &runtime::Queue) -> Result<runtime::Event> {
        Ok(match &self.what {
            What::Copy { source, from, target, to, size } => {
                let _turns = Memory::turns_with([source, target], device);
                let (source, target) = (source.read_on(device, queue)?, target.write_on(device, queue)?);
                queue.copy(&source, *from, &target, *to, *size)?
            }
            What::Fill { buffer, offset, size, pattern } => {
                let _turns = Memory::turns_with([buffer], device);
                queue.fill(&buffer.write_on(device, queue)?, *offset, *size, pattern)?
            }
        })
    }

    /// Whether it can be recorded once for all its executions, and is as fast then: memory objects stay where they are in a
    /// context of one device.
    ///
    /// # Errors
    /// Those of opening the device.
    pub fn is_recordable(&self, context: &Context) -> Result<bool> {
        let may = match &self.what {
            What::Copy { size, .. } => self.device.open()?.copies_by_command(*size),
            What::Fill { offset, size, pattern, .. } => {
                pattern.len() <= 4 && offset.is_multiple_of(4) && size.is_multiple_of(4)
            }
        };
        Ok(may && context.devices().len() == 1)
    }

    /// Whether there are images over its buffers, between which and these its execution copies: see `memory/views.rs`.
    pub fn has_views(&self) -> bool {
        match &self.what {
            What::Copy { source, target, .. } => source.has_views() || target.has_views(),
            What::Fill { buffer, .. } => buffer.has_views(),
        }
    }

    /// Records it into a command buffer of the runtime's.
    ///
    /// # Errors
    /// Those of its execution.
    pub fn record(&self, recorder: &mut runtime::CommandRecorder) -> Result<()> {
        match &self.what {
            What::Copy { source, from, target, to, size } => {
                let (source, target) = (source.buffer_on(&self.device)?, target.buffer_on(&self.device)?);
                recorder.copy(&source, *from, &target, *to, *size)?;
            }
            What::Fill { buffer, offset, size, pattern } => {
                recorder.fill(&buffer.buffer_on(&self.device)?, *offset, *size, pattern)?;
            }
        }
        Ok(())
    }
}
