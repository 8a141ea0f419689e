//! One submission: its command buffer and everything its commands need while the device works.

use super::arena::Arena;
use super::descriptors::Descriptors;
use super::user_event::Gate;
use crate::device::{CommandPool, Lane, QueryPool, RawDevice, Timeline};
use crate::memory::MemoryPool;
use crate::{Error, Result};
use ash::vk;
use std::sync::Arc;
use std::time::Instant;

/// Commands in a batch, at most: enough that submitting costs little for each of them.
pub(super) const COMMANDS: usize = 128;

/// A command buffer that is being recorded.
pub(crate) struct Recording<'q> {
    pub device: &'q ash::Device,
    pub commands: vk::CommandBuffer,
}

/// What a command does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Nothing.
    Nothing,
    /// Kernels run.
    Kernel,
    /// Copies and fills.
    Transfer,
}

impl Use {
    fn stages(self) -> vk::PipelineStageFlags {
        match self {
            Use::Nothing => vk::PipelineStageFlags::ALL_COMMANDS,
            Use::Kernel => vk::PipelineStageFlags::COMPUTE_SHADER,
            Use::Transfer => vk::PipelineStageFlags::TRANSFER,
        }
    }

    fn writes(self) -> vk::AccessFlags {
        match self {
            Use::Nothing => vk::AccessFlags::empty(),
            Use::Kernel => vk::AccessFlags::SHADER_WRITE,
            Use::Transfer => vk::AccessFlags::TRANSFER_WRITE,
        }
    }

    fn accesses(self) -> vk::AccessFlags {
        match self {
            Use::Nothing => vk::AccessFlags::empty(),
            Use::Kernel => vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE | vk::AccessFlags::UNIFORM_READ,
            Use::Transfer => vk::AccessFlags::TRANSFER_READ | vk::AccessFlags::TRANSFER_WRITE,
        }
    }
}

/// One command's part in a batch.
pub(super) struct Mark {
    pub slot: u32,
    /// Timestamps.
    pub start: Option<u32>,
    pub end: Option<u32>,
}

/// See the module.
pub(crate) struct Batch {
    pub commands: vk::CommandBuffer,
    pool: CommandPool,
    queries: Option<QueryPool>,
    used_queries: u32,
    pub(super) marks: Vec<Mark>,
    /// The last command recorded.
    pub last: Option<Use>,
    pub arena: Arena,
    pub descriptors: Descriptors,
    /// What the host must do first.
    pub gates: Vec<Arc<Gate>>,
    /// Semaphores of other queues, and the values they must reach first.
    pub waits: Vec<(Arc<Timeline>, u64)>,
    /// What the queue's semaphore will be when the batch is done.
    pub value: u64,
    /// See [`RawDevice::begin_work`].
    pub ticket: u64,
    pub submitted: Option<Instant>,
    pub device: Arc<RawDevice>,
}

impl Batch {
    pub fn new(device: &Arc<RawDevice>, memory: &Arc<MemoryPool>, lane: &Lane, profiling: bool) -> Result<Batch> {
        let info = vk::CommandPoolCreateInfo::default()
            .flags(vk::CommandPoolCreateFlags::TRANSIENT)
            .queue_family_index(lane.family);
        // SAFETY: the family exists.
        let pool = unsafe { CommandPool::new(device, &info) }?;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool.raw)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: the pool is this device's.
        let made = unsafe { device.allocate_command_buffers(&info) };
        let made = made.map_err(device.error("vkAllocateCommandBuffers"))?;
        let commands =
            made.first().copied().ok_or_else(|| Error::Internal("the driver made no command buffer".into()))?;
        let queries = if profiling && lane.timestamp_bits > 0 {
            let count = 2 * COMMANDS as u32;
            let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(count);
            // SAFETY: timestamp queries need nothing else.
            Some(unsafe { QueryPool::new(device, &info) }?)
        } else {
            None
        };
        Ok(Batch {
            commands,
            pool,
            queries,
            used_queries: 0,
            marks: Vec::with_capacity(COMMANDS),
            last: None,
            arena: Arena::new(memory),
            descriptors: Descriptors::default(),
            gates: Vec::new(),
            waits: Vec::new(),
            value: 0,
            ticket: 0,
            submitted: None,
            device: device.clone(),
        })
    }

    /// Starts recording, on a batch that is new or [`Batch::reset`].
    pub fn begin(&mut self) -> Result<()> {
        let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the command buffer is in its initial state, and nobody else uses its pool.
        unsafe {
            self.device
                .begin_command_buffer(self.commands, &begin)
                .map_err(self.device.error("vkBeginCommandBuffer"))?;
            if let Some(queries) = &self.queries {
                self.device.cmd_reset_query_pool(self.commands, queries.raw, 0, 2 * COMMANDS as u32);
            }
        }
        Ok(())
    }

    /// Whether nothing holds the batch back.
    pub fn may_start(&self) -> bool {
        self.gates.iter().all(|gate| gate.is_open())
    }

    /// Lets the next command see what the commands before it have written.
    pub fn barrier(&mut self, next: Use) {
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        let (from, writes) = match self.last {
            // What earlier batches wrote, which also come before on Vulkan's queue.
            None => (all, vk::AccessFlags::MEMORY_WRITE),
            Some(last) => (last.stages(), last.writes()),
        };
        let barrier = [vk::MemoryBarrier::default().src_access_mask(writes).dst_access_mask(next.accesses())];
        // A marker must not hide the command before it from the command after it.
        if next == Use::Nothing {
            return;
        }
        let flags = vk::DependencyFlags::empty();
        // SAFETY: the command buffer is being recorded; the stages exist on every compute queue.
        unsafe { self.device.cmd_pipeline_barrier(self.commands, from, next.stages(), flags, &barrier, &[], &[]) };
        self.last = Some(next);
    }

    /// Records a timestamp: the moment at which all commands so far are done. Returns its query.
    pub fn stamp(&mut self) -> Option<u32> {
        let queries = self.queries.as_ref()?;
        let query = self.used_queries;
        if query >= 2 * COMMANDS as u32 {
            return None;
        }
        self.used_queries += 1;
        let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
        // SAFETY: the query was reset at the start of this command buffer and is written once.
        unsafe { self.device.cmd_write_timestamp(self.commands, stage, queries.raw, query) };
        Some(query)
    }

    /// Ends recording; the host will see what the commands write.
    pub fn end(&self) -> Result<()> {
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ)];
        let (from, to) = (vk::PipelineStageFlags::ALL_COMMANDS, vk::PipelineStageFlags::HOST);
        // SAFETY: the command buffer is being recorded.
        unsafe {
            self.device.cmd_pipeline_barrier(self.commands, from, to, vk::DependencyFlags::empty(), &barrier, &[], &[]);
            self.device.end_command_buffer(self.commands).map_err(self.device.error("vkEndCommandBuffer"))
        }
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

    /// Makes the batch as good as new; it is not in use any more.
    pub fn reset(&mut self) -> Result<()> {
        self.arena.reset();
        self.descriptors.reset(&self.device);
        self.marks.clear();
        self.gates.clear();
        self.waits.clear();
        (self.last, self.submitted, self.used_queries) = (None, None, 0);
        // SAFETY: the command buffer is not pending.
        let reset = unsafe { self.device.reset_command_pool(self.pool.raw, vk::CommandPoolResetFlags::empty()) };
        reset.map_err(self.device.error("vkResetCommandPool"))
    }
}
