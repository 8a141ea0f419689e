//! The lower bound of the cost of a launch: a command buffer that is recorded, submitted and polled with Vulkan alone.

use crate::device::Device;
use crate::error::{Error, Result};
use crate::program::{Arg, Kernel, Scratch, encode};
use crate::queue::Queue;
use crate::vulkan::{CommandPool, SharedQueue, Timeline};
use ash::vk;
use std::sync::Arc;

/// A command buffer with dispatches, each with a barrier, on a queue of Vulkan. It shows what of a launch is the driver's and the
/// device's, as a yardstick for what this crate adds.
pub struct BareLaunches {
    count: u32,
    commands: vk::CommandBuffer,
    pipeline: vk::Pipeline,
    push: Vec<u8>,
    timeline: Timeline,
    value: u64,
    queue: Arc<SharedQueue>,
    _pool: CommandPool,
    kernel: Kernel,
    device: Device,
}

impl BareLaunches {
    /// Records `count` launches of one work-group of a kernel, which was launched in this queue before. Each waits for what the one
    /// before has written. Arguments may be buffers, which are to outlive the result, and plain values. What else the runtime
    /// passes to kernels is zero: sizes and offsets of the ND-range, addresses of program-scope objects and of what `printf` writes.
    ///
    /// # Errors
    /// [`Error::Launch`] for a kernel with descriptor sets, [`Error::OutOfMemory`], [`Error::Vulkan`], and those of arguments.
    pub fn new(queue: &Queue, kernel: &Kernel, args: &[Arg<'_>], count: u32) -> Result<BareLaunches> {
        let (device, shared) = (&queue.device, &kernel.shared);
        let raw = &device.shared.raw;
        let pipeline = pipeline(kernel).ok_or_else(|| Error::Launch("the kernel cannot be launched alone".into()))?;
        let encoded =
            |scratch: &mut Scratch| encode(shared, args, &mut scratch.encoded).map(|()| scratch.encoded.push.clone());
        let push = shared.with_scratch(encoded)?;
        let queue = queue.stream.shared_queue().clone();
        let info = vk::CommandPoolCreateInfo::default()
            .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER)
            .queue_family_index(queue.family);
        // SAFETY: the family exists.
        let pool = unsafe { CommandPool::new(raw, &info) }?;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool.raw)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        // SAFETY: the pool is this device's.
        let made = unsafe { raw.allocate_command_buffers(&info) }.map_err(raw.error("vkAllocateCommandBuffers"))?;
        let commands = made.first().copied().ok_or_else(|| Error::Internal("there is no command buffer".into()))?;
        let timeline = Timeline::new(raw)?;
        let launches = BareLaunches {
            count,
            commands,
            pipeline,
            push,
            value: timeline.start,
            timeline,
            queue,
            _pool: pool,
            kernel: kernel.clone(),
            device: device.clone(),
        };
        launches.record()?;
        Ok(launches)
    }

    /// Records the launches again.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn record(&self) -> Result<()> {
        let (raw, commands) = (&self.device.shared.raw, self.commands);
        let (from, to) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::COMPUTE_SHADER);
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::SHADER_WRITE)
            .dst_access_mask(vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE)];
        let to_host = [vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ)];
        let flags = vk::DependencyFlags::empty();
        // SAFETY: the command buffer is not pending, since every run waits for it, and its pool is used here alone. The kernel
        // reads no descriptors, and the push constants fill the range of its layout.
        unsafe {
            raw.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default())
                .map_err(raw.error("vkBeginCommandBuffer"))?;
            raw.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, self.pipeline);
            if !self.push.is_empty() {
                let layout = self.kernel.shared.layout.raw.raw;
                raw.cmd_push_constants(commands, layout, vk::ShaderStageFlags::COMPUTE, 0, &self.push);
            }
            for launch in 0..self.count {
                if launch > 0 {
                    raw.cmd_pipeline_barrier(commands, from, to, flags, &barrier, &[], &[]);
                }
                raw.cmd_dispatch(commands, 1, 1, 1);
            }
            let (from, to) = (vk::PipelineStageFlags::ALL_COMMANDS, vk::PipelineStageFlags::HOST);
            raw.cmd_pipeline_barrier(commands, from, to, flags, &to_host, &[], &[]);
            raw.end_command_buffer(commands).map_err(raw.error("vkEndCommandBuffer"))
        }
    }

    /// Submits the command buffer and polls until it is complete.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn run(&mut self) -> Result<()> {
        let raw = &self.device.shared.raw;
        self.value += 1;
        let (commands, signals, values) = ([self.commands], [self.timeline.raw], [self.value]);
        let mut timeline = vk::TimelineSemaphoreSubmitInfo::default().signal_semaphore_values(&values);
        let submit =
            [vk::SubmitInfo::default().command_buffers(&commands).signal_semaphores(&signals).push_next(&mut timeline)];
        {
            let queue = self.queue.lock();
            // SAFETY: the command buffer is executable and not pending: the last run waited for it.
            unsafe { raw.queue_submit(*queue, &submit, vk::Fence::null()) }.map_err(raw.error("vkQueueSubmit"))?;
        }
        while self.timeline.reached()? < self.value {
            std::hint::spin_loop();
        }
        Ok(())
    }
}

/// The pipeline of a kernel without descriptor sets.
fn pipeline(kernel: &Kernel) -> Option<vk::Pipeline> {
    let shared = &kernel.shared;
    if shared.layout.sets.is_empty() { shared.pipelines.launched() } else { None }
}

impl Drop for BareLaunches {
    fn drop(&mut self) {
        // Every run was waited for, unless it failed.
        if self.device.shared.raw.is_lost() {
            return;
        }
        let _ = self.timeline.end.set(self.value);
    }
}
