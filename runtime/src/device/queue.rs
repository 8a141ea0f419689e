//! The one queue: records commands, submits them and waits for them.

use super::RawDevice;
use super::owned::{CommandPool, Fence, QueryPool};
use crate::memory::Staging;
use crate::{Error, Result};
use ash::vk;
use std::sync::Arc;

/// A compute queue with what every submission needs, made once.
pub(crate) struct Queue {
    pub staging: Staging,
    raw: vk::Queue,
    commands: vk::CommandBuffer,
    _pool: CommandPool,
    fence: Fence,
    timestamps: Option<Timestamps>,
    device: Arc<RawDevice>,
}

struct Timestamps {
    pool: QueryPool,
    mask: u64,
}

/// A command buffer that is being recorded.
pub(crate) struct Recording<'q> {
    pub device: &'q ash::Device,
    pub commands: vk::CommandBuffer,
    timestamps: Option<vk::QueryPool>,
}

impl Recording<'_> {
    /// Forgets earlier timestamps and takes the first.
    pub fn start_timer(&self) {
        let Some(pool) = self.timestamps else { return };
        // SAFETY: the pool has two queries and the queue's family has timestamps; the command buffer is recording.
        unsafe {
            self.device.cmd_reset_query_pool(self.commands, pool, 0, 2);
            self.device.cmd_write_timestamp(self.commands, vk::PipelineStageFlags::TOP_OF_PIPE, pool, 0);
        }
    }

    /// Takes the second timestamp.
    pub fn stop_timer(&self) {
        let Some(pool) = self.timestamps else { return };
        // SAFETY: as in `start_timer`, which reset the query.
        unsafe { self.device.cmd_write_timestamp(self.commands, vk::PipelineStageFlags::BOTTOM_OF_PIPE, pool, 1) }
    }
}

impl Queue {
    /// Takes the first queue of a family that the device was created with.
    pub fn new(device: &Arc<RawDevice>, family: u32, timestamp_bits: u32) -> Result<Queue> {
        // SAFETY: the family was named at device creation with one queue.
        let raw = unsafe { device.get_device_queue(family, 0) };
        let info = vk::CommandPoolCreateInfo::default()
            .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER)
            .queue_family_index(family);
        // SAFETY: the family exists.
        let pool = unsafe { CommandPool::new(device, &info) }?;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool.raw)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: the pool is this device's.
        let commands = unsafe { device.allocate_command_buffers(&info) }
            .map_err(Error::vulkan("vkAllocateCommandBuffers"))?
            .first()
            .copied()
            .ok_or_else(|| Error::Internal("the driver made no command buffer".into()))?;
        // SAFETY: default flags.
        let fence = unsafe { Fence::new(device, &vk::FenceCreateInfo::default()) }?;
        let timestamps = if timestamp_bits == 0 {
            None
        } else {
            let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(2);
            // SAFETY: two timestamp queries.
            let pool = unsafe { QueryPool::new(device, &info) }?;
            Some(Timestamps { pool, mask: u64::MAX >> 64u32.saturating_sub(timestamp_bits) })
        };
        let staging = Staging::default();
        Ok(Queue { staging, raw, commands, _pool: pool, fence, timestamps, device: device.clone() })
    }

    /// Records, submits and waits. All earlier writes, of host and device, are visible to the commands, and theirs to
    /// the host and to later commands.
    pub fn run(&mut self, record: impl FnOnce(&Recording<'_>)) -> Result<()> {
        let device = &self.device;
        let commands = self.commands;
        let recording =
            Recording { device, commands, timestamps: self.timestamps.as_ref().map(|timestamps| timestamps.pool.raw) };
        let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        let before = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)];
        let after = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ)];
        let no_flags = vk::DependencyFlags::empty();
        // SAFETY: the previous submission is complete (this function waits), so the command buffer is not pending;
        // `&mut self` makes this the only user of pool and queue.
        unsafe {
            device.begin_command_buffer(commands, &begin).map_err(Error::vulkan("vkBeginCommandBuffer"))?;
            device.cmd_pipeline_barrier(commands, all, all, no_flags, &before, &[], &[]);
            record(&recording);
            device.cmd_pipeline_barrier(commands, all, vk::PipelineStageFlags::HOST, no_flags, &after, &[], &[]);
            device.end_command_buffer(commands).map_err(Error::vulkan("vkEndCommandBuffer"))?;
        }
        let buffers = [commands];
        let submit = [vk::SubmitInfo::default().command_buffers(&buffers)];
        // SAFETY: the command buffer is executable, the fence unsignalled and unused.
        unsafe { device.queue_submit(self.raw, &submit, self.fence.raw) }.map_err(Error::vulkan("vkQueueSubmit"))?;
        // SAFETY: the fence was submitted above.
        let waited = unsafe { device.wait_for_fences(&[self.fence.raw], true, u64::MAX) };
        if waited.is_err() {
            // Nothing may be in use when the caller drops things after the error.
            // SAFETY: the queue is externally synchronised by `&mut self`.
            let _ = unsafe { device.device_wait_idle() };
        }
        // SAFETY: the fence is not in use any more.
        let reset = unsafe { device.reset_fences(&[self.fence.raw]) };
        waited.map_err(Error::vulkan("vkWaitForFences"))?;
        reset.map_err(Error::vulkan("vkResetFences"))
    }

    /// Device ticks between the two timestamps of completed work, or `None` without timestamps.
    pub fn elapsed_ticks(&self) -> Result<Option<u64>> {
        let Some(timestamps) = &self.timestamps else { return Ok(None) };
        let mut ticks = [0u64; 2];
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
        // SAFETY: both queries were written by work that is complete.
        unsafe { self.device.get_query_pool_results(timestamps.pool.raw, 0, &mut ticks, flags) }
            .map_err(Error::vulkan("vkGetQueryPoolResults"))?;
        let [start, end] = ticks;
        Ok(Some(end.wrapping_sub(start) & timestamps.mask))
    }
}
