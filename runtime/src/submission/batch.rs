//! One submission: its command buffer and everything that its commands need while the device executes them.

use super::arena::Arena;
use super::descriptors::Descriptors;
use super::gate::Gate;
use super::hazards::{Footprint, Pending, Use};
use crate::error::{Error, Result};
use crate::memory::MemoryPool;
#[cfg(unix)]
use crate::vulkan::SharedSemaphore;
use crate::vulkan::{CommandPool, QueryPool, RawDevice, SharedQueue, Timeline};
use ash::vk;
use std::sync::Arc;
use std::time::Instant;

/// Most commands in a batch: enough that the cost of a submission is small for each of them.
pub(super) const COMMANDS: usize = TIMESTAMPS as usize / 2;
/// Timestamps of a batch: before and after each command.
const TIMESTAMPS: u32 = 256;

/// Bytes of push constants that a batch has room for at first: as many as most devices have at most.
const PUSH_CONSTANTS: usize = 256;

/// A command buffer that is being recorded.
pub(crate) struct Recording<'q> {
    pub device: &'q ash::Device,
    pub commands: vk::CommandBuffer,
}

/// The part of one command in a batch.
pub(super) struct Mark {
    /// Where the times of the command are recorded.
    pub slot: u32,
    /// Queries of its timestamps.
    pub start: Option<u32>,
    pub end: Option<u32>,
}

/// What the command buffer of a launch depends on, if nothing else is recorded in it: two launches of which this is the same
/// have the same command buffer. Launches with descriptor sets have none.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Replayable {
    /// The number of the pipeline ([`crate::vulkan::PipelineHandle`]); 0 for nothing.
    pub pipeline: u64,
    /// Work-groups of the one dispatch.
    pub groups: [u32; 3],
    pub push_constants: Vec<u8>,
}

/// Something that kernels may have noted while the device executed them.
pub(crate) trait Watch: Send + Sync {
    /// The kernel of which the driver has ended a loop since this was asked last.
    fn ended_loop(&self) -> Option<Arc<str>>;
}

/// What a command buffer has been told for its next dispatch, which it need not be told again.
#[derive(Default)]
struct Bound {
    pipeline: vk::Pipeline,
    /// The layout of the last dispatch, and its push constants.
    layout: vk::PipelineLayout,
    push_constants: Vec<u8>,
}

/// A command buffer, and what its commands use. The batches of a stream are executed in order.
pub(crate) struct Batch {
    /// Pipelines are bound by [`Batch::dispatch`] alone.
    pub commands: vk::CommandBuffer,
    /// Owns the command buffer.
    _pool: Arc<CommandPool>,
    queries: Option<QueryPool>,
    used_queries: u32,
    pub(super) marks: Vec<Mark>,
    /// Whether commands that do not depend on each other may overlap.
    may_overlap: bool,
    /// What was recorded since the last barrier.
    pending: Pending,
    bound: Bound,
    /// The launch that alone is recorded, if it can be submitted again as it is.
    pub recorded: Replayable,
    pub arena: Arena,
    pub descriptors: Descriptors,
    /// To be looked at when the batch is complete.
    pub watches: Vec<Arc<dyn Watch>>,
    /// Conditions of the host that must be fulfilled first.
    pub gates: Vec<Arc<Gate>>,
    /// Semaphores of other streams, and the values that they must reach first.
    pub waits: Vec<(Arc<Timeline>, u64)>,
    /// Semaphores of other interfaces that must be signalled first.
    #[cfg(unix)]
    pub shared_waits: Vec<Arc<SharedSemaphore>>,
    /// Semaphores of other interfaces that the batch signals.
    #[cfg(unix)]
    pub shared_signals: Vec<Arc<SharedSemaphore>>,
    /// Value of the stream's semaphore when the batch is complete.
    pub value: u64,
    /// See [`RawDevice::begin_work`].
    pub ticket: u64,
    /// When the batch was submitted.
    pub submitted: Option<Instant>,
    pub device: Arc<RawDevice>,
}

impl Batch {
    /// An empty batch for a queue of Vulkan, with timestamps if `profiling`. Its command buffer is of `pool` ([`batch_pool`]), of
    /// which one batch at a time may be used. The command buffer is not freed before the pool is destroyed.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(
        device: &Arc<RawDevice>,
        memory: &Arc<MemoryPool>,
        pool: &Arc<CommandPool>,
        queue: &SharedQueue,
        profiling: bool,
    ) -> Result<Batch> {
        let commands = command_buffer(device, pool, vk::CommandBufferLevel::PRIMARY)?;
        let queries = if profiling && queue.timestamp_bits > 0 {
            let count = TIMESTAMPS;
            let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(count);
            // SAFETY: timestamp queries need nothing else.
            let queries = unsafe { QueryPool::new(device, &info) }?;
            if device.resets_queries {
                // SAFETY: the pool is new, and has as many queries; the feature is enabled.
                unsafe { device.reset_query_pool(queries.raw, 0, count) };
            }
            Some(queries)
        } else {
            None
        };
        let marks = Vec::with_capacity(COMMANDS);
        Ok(Batch { queries, marks, ..Batch::of(device, memory, pool.clone(), commands) })
    }

    /// An empty batch whose commands other batches execute ([`Batch::execute`]), any number of times. It is recording.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn secondary(device: &Arc<RawDevice>, memory: &Arc<MemoryPool>, queue: &SharedQueue) -> Result<Batch> {
        let pool = command_pool(device, queue, vk::CommandPoolCreateFlags::empty())?;
        let commands = command_buffer(device, &pool, vk::CommandBufferLevel::SECONDARY)?;
        let batch = Batch { may_overlap: device.overlaps(), ..Batch::of(device, memory, pool, commands) };
        let inheritance = vk::CommandBufferInheritanceInfo::default();
        let begin = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::SIMULTANEOUS_USE)
            .inheritance_info(&inheritance);
        // SAFETY: the command buffer is new, and its pool is used by this batch alone.
        unsafe { device.begin_command_buffer(commands, &begin) }.map_err(device.error("vkBeginCommandBuffer"))?;
        Ok(batch)
    }

    fn of(
        device: &Arc<RawDevice>,
        memory: &Arc<MemoryPool>,
        pool: Arc<CommandPool>,
        commands: vk::CommandBuffer,
    ) -> Batch {
        Batch {
            commands,
            _pool: pool,
            queries: None,
            used_queries: 0,
            marks: Vec::new(),
            may_overlap: false,
            pending: Pending::default(),
            bound: Bound { push_constants: Vec::with_capacity(PUSH_CONSTANTS), ..Bound::default() },
            recorded: Replayable::default(),
            arena: Arena::new(memory),
            descriptors: Descriptors::default(),
            watches: Vec::new(),
            gates: Vec::new(),
            waits: Vec::new(),
            #[cfg(unix)]
            shared_waits: Vec::new(),
            #[cfg(unix)]
            shared_signals: Vec::new(),
            value: 0,
            ticket: 0,
            submitted: None,
            device: device.clone(),
        }
    }

    /// Starts recording, with the barrier behind which commands see what earlier batches have written: a batch begins before its first
    /// command is known, while the device executes others. The batch is new, or was [`Batch::reset`].
    pub fn begin(&mut self) -> Result<()> {
        self.may_overlap = self.queries.is_none() && self.device.overlaps();
        let begin = vk::CommandBufferBeginInfo::default();
        // This resets a command buffer that was recorded before. Where the pool was reset, NVIDIA's driver (580.159.04) takes 2.5 us
        // more to begin: it gets the memory of the commands anew.
        // SAFETY: the command buffer is not pending, and its pool, of which no other batch is used meanwhile, lets it be reset.
        unsafe {
            self.device
                .begin_command_buffer(self.commands, &begin)
                .map_err(self.device.error("vkBeginCommandBuffer"))?;
            if let Some(queries) = &self.queries
                && !self.device.resets_queries
            {
                self.device.cmd_reset_query_pool(self.commands, queries.raw, 0, TIMESTAMPS);
            }
        }
        // Submission order is part of the first synchronisation scope.
        let (all, writes) = (vk::PipelineStageFlags::ALL_COMMANDS, vk::AccessFlags::MEMORY_WRITE);
        self.barrier((all, writes), (Use::Both.stages(), Use::Both.accesses()));
        Ok(())
    }

    /// Records a barrier.
    fn barrier(
        &self,
        (from, writes): (vk::PipelineStageFlags, vk::AccessFlags),
        (to, accesses): (vk::PipelineStageFlags, vk::AccessFlags),
    ) {
        let barrier = [vk::MemoryBarrier::default().src_access_mask(writes).dst_access_mask(accesses)];
        let flags = vk::DependencyFlags::empty();
        // SAFETY: the command buffer is being recorded; the stages exist on every compute queue.
        unsafe { self.device.cmd_pipeline_barrier(self.commands, from, to, flags, &barrier, &[], &[]) };
    }

    /// Whether all its gates are open.
    pub fn may_start(&self) -> bool {
        self.gates.iter().all(|gate| gate.is_open())
    }

    /// Begins a command: unless it may overlap those before it, it waits for them, and sees what they have written.
    ///
    /// Commands overlap where it is known that no memory depends on their order (see [`super::hazards`]), except in queues with
    /// profiling, whose events tell the times of single commands.
    pub fn begin_command(&mut self, next: Use, footprint: &Footprint) {
        // Markers access nothing.
        if next == Use::Nothing {
            return;
        }
        if !self.pending.is_empty() && (!self.may_overlap || self.pending.conflicts(footprint)) {
            let before = self
                .pending
                .uses()
                .fold(Default::default(), |(stages, writes), used| (stages | used.stages(), writes | used.writes()));
            // What overlaps may be of both kinds.
            let next = if self.may_overlap { Use::Both } else { next };
            self.barrier(before, (next.stages(), next.accesses()));
            self.pending.clear();
        }
        self.pending.add(next, footprint);
    }

    /// Records a dispatch with its pipeline and push constants. What the command buffer has already of them is left out: a kernel
    /// that is launched again and again is bound once in each batch.
    ///
    /// # Safety
    /// Pipeline and layout are alive and belong together, the push constants fill the layout's range, the descriptor sets that the
    /// pipeline uses are bound, and the numbers of work-groups are within the device's limits.
    pub unsafe fn dispatch(
        &mut self,
        pipeline: vk::Pipeline,
        layout: vk::PipelineLayout,
        push_constants: &[u8],
        [x, y, z]: [u32; 3],
    ) {
        let (device, commands, bound) = (&self.device, self.commands, &mut self.bound);
        // SAFETY: the command buffer is being recorded; the rest is the caller's. Equal handles are the same objects: what is
        // dropped after the batch was opened is destroyed when the batch is complete (see `RawDevice::begin_work`).
        unsafe {
            if pipeline != bound.pipeline {
                device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline);
                bound.pipeline = pipeline;
            }
            // Vulkan keeps the constants for another layout whose range is equal, too; but launches that repeat are of one kernel.
            if layout != bound.layout || push_constants != bound.push_constants {
                if !push_constants.is_empty() {
                    device.cmd_push_constants(commands, layout, vk::ShaderStageFlags::COMPUTE, 0, push_constants);
                }
                bound.layout = layout;
                bound.push_constants.clear();
                bound.push_constants.extend_from_slice(push_constants);
            }
            device.cmd_dispatch(commands, x, y, z);
        }
    }

    /// Records the execution of a secondary command buffer.
    ///
    /// # Safety
    /// It has been recorded to the end, it may be executed while it is pending, and what it refers to is alive.
    pub unsafe fn execute(&mut self, secondary: vk::CommandBuffer) {
        // SAFETY: this command buffer is being recorded; the rest is the caller's.
        unsafe { self.device.cmd_execute_commands(self.commands, &[secondary]) };
        // What is bound is undefined from now on.
        (self.bound.pipeline, self.bound.layout) = (vk::Pipeline::null(), vk::PipelineLayout::null());
    }

    /// Ends the recording of a secondary command buffer.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn end_secondary(&self) -> Result<()> {
        // SAFETY: the command buffer is being recorded.
        unsafe { self.device.end_command_buffer(self.commands) }.map_err(self.device.error("vkEndCommandBuffer"))
    }

    /// Adds what is to be looked at when the batch is complete.
    pub fn watch(&mut self, watch: Option<&Arc<dyn Watch>>) {
        if let Some(watch) = watch.filter(|watch| !self.watches.iter().any(|known| Arc::ptr_eq(known, watch))) {
            self.watches.push(watch.clone());
        }
    }

    /// Records a timestamp: the time at which all commands so far are complete. Returns its query.
    pub fn stamp(&mut self) -> Option<u32> {
        let queries = self.queries.as_ref()?;
        let query = self.used_queries;
        if query >= TIMESTAMPS {
            return None;
        }
        self.used_queries += 1;
        let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
        // SAFETY: the query was reset by the host or at the start of this command buffer, and is written once.
        unsafe { self.device.cmd_write_timestamp(self.commands, stage, queries.raw, query) };
        Some(query)
    }

    /// Ends recording. When the batch is complete, the host sees what its commands have written.
    pub fn end(&self) -> Result<()> {
        let written = (vk::PipelineStageFlags::ALL_COMMANDS, vk::AccessFlags::MEMORY_WRITE);
        self.barrier(written, (vk::PipelineStageFlags::HOST, vk::AccessFlags::HOST_READ));
        // SAFETY: the command buffer is being recorded.
        unsafe { self.device.end_command_buffer(self.commands) }.map_err(self.device.error("vkEndCommandBuffer"))
    }

    /// The timestamps of a batch that is complete. `ticks` is overwritten.
    pub fn read_stamps(&self, ticks: &mut Vec<u64>) {
        ticks.clear();
        let Some(queries) = &self.queries else { return };
        ticks.resize(self.used_queries as usize, 0);
        if ticks.is_empty() {
            return;
        }
        // SAFETY: these queries were written by commands that are complete.
        let read = unsafe { self.device.get_query_pool_results(queries.raw, 0, ticks, vk::QueryResultFlags::TYPE_64) };
        if read.is_err() {
            ticks.clear();
        }
    }

    /// Drops what the batch, which is complete, refers to.
    pub fn release(&mut self) {
        // A launch that is submitted again as it was recorded has no use for the memory.
        self.arena.reset(self.recorded.pipeline == 0);
        self.marks.clear();
        self.watches.clear();
        self.gates.clear();
        self.waits.clear();
        #[cfg(unix)]
        {
            self.shared_waits.clear();
            self.shared_signals.clear();
        }
    }

    /// Semaphores to wait for, with their values, of which those of other interfaces have none.
    pub(super) fn awaited_semaphores(&self) -> (Vec<vk::Semaphore>, Vec<u64>) {
        let (mut semaphores, mut values): (Vec<_>, Vec<_>) =
            self.waits.iter().map(|(timeline, value)| (timeline.raw, *value)).unzip();
        #[cfg(unix)]
        {
            semaphores.extend(self.shared_waits.iter().map(|semaphore| semaphore.raw()));
            values.resize(semaphores.len(), 0);
        }
        (semaphores, values)
    }

    /// Semaphores to signal besides the stream's own, which most batches do not have: they have no values.
    #[cfg(unix)]
    pub(super) fn signalled_semaphores(&self) -> Vec<vk::Semaphore> {
        self.shared_signals.iter().map(|semaphore| semaphore.raw()).collect()
    }

    /// Other systems share none.
    #[cfg(not(unix))]
    pub(super) fn signalled_semaphores(&self) -> Vec<vk::Semaphore> {
        Vec::new()
    }

    /// Prepares the batch, which is complete and was released, to be submitted again as it was recorded, for a command whose
    /// times are recorded in `slot`.
    pub(super) fn rewind(&mut self, slot: u32) {
        self.reset_queries();
        self.submitted = None;
        let query = |index: u32| (index < self.used_queries).then_some(index);
        self.marks.push(Mark { slot, start: query(0), end: query(1) });
    }

    fn reset_queries(&self) {
        if let Some(queries) = &self.queries
            && self.device.resets_queries
            && self.used_queries > 0
        {
            // SAFETY: the commands that wrote these queries are complete, or were never submitted; the feature is enabled.
            unsafe { self.device.reset_query_pool(queries.raw, 0, self.used_queries) };
        }
    }

    /// Prepares the batch, which is complete and was released, for its next use.
    pub fn reset(&mut self) {
        self.descriptors.reset(&self.device);
        self.reset_queries();
        self.pending.clear();
        (self.submitted, self.used_queries) = (None, 0);
        self.recorded.pipeline = 0;
        (self.bound.pipeline, self.bound.layout) = (vk::Pipeline::null(), vk::PipelineLayout::null());
    }
}

/// A pool for the command buffers of the batches of one stream.
///
/// They share one because the first command buffer of each pool that begins makes NVIDIA's driver (580.159.04) allocate memory for
/// commands: 0.3 to 0.8 ms on an H200, and up to 2.3 ms in programs that have much memory. Further ones of the pool begin in 2 us.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(super) fn batch_pool(device: &Arc<RawDevice>, queue: &SharedQueue) -> Result<Arc<CommandPool>> {
    let flags = vk::CommandPoolCreateFlags::TRANSIENT | vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER;
    command_pool(device, queue, flags)
}

fn command_pool(
    device: &Arc<RawDevice>,
    queue: &SharedQueue,
    flags: vk::CommandPoolCreateFlags,
) -> Result<Arc<CommandPool>> {
    let info = vk::CommandPoolCreateInfo::default().flags(flags).queue_family_index(queue.family);
    // SAFETY: the family exists.
    Ok(Arc::new(unsafe { CommandPool::new(device, &info) }?))
}

/// A command buffer of a pool, which nothing else uses meanwhile.
fn command_buffer(
    device: &Arc<RawDevice>,
    pool: &CommandPool,
    level: vk::CommandBufferLevel,
) -> Result<vk::CommandBuffer> {
    let info = vk::CommandBufferAllocateInfo::default().command_pool(pool.raw).level(level).command_buffer_count(1);
    // SAFETY: the pool is this device's.
    let made = unsafe { device.allocate_command_buffers(&info) };
    let made = made.map_err(device.error("vkAllocateCommandBuffers"))?;
    made.first().copied().ok_or_else(|| Error::Internal("the driver made no command buffer".into()))
}
