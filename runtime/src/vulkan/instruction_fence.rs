//! Makes the code of new pipelines visible to the queues that execute it.

use super::raw_device::{InstructionFence, RawDevice};
use crate::error::{Error, Result};
use ash::vk;
use std::sync::{Mutex, PoisonError};

/// Nanoseconds after which a thread that waits looks whether the device was abandoned.
const LOOK_AGAIN: u64 = 100_000_000;

impl InstructionFence {
    /// One that submits to a queue.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::DeviceLost`], [`Error::Vulkan`].
    ///
    /// # Safety
    /// The queue is one of the device, of this family, and nothing else uses it.
    pub unsafe fn new(device: &RawDevice, family: u32, queue: vk::Queue) -> Result<InstructionFence> {
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(family);
        // SAFETY: the family exists, as the caller ensures.
        let pool = unsafe { device.create_command_pool(&info, None) }.map_err(device.error("vkCreateCommandPool"))?;
        // SAFETY: the device has the fence, and its pool, until it is destroyed.
        let made = unsafe { record(device, pool) };
        let (commands, fence) = made.inspect_err(|_| {
            // SAFETY: nothing was submitted.
            unsafe { device.destroy_command_pool(pool, None) };
        })?;
        Ok(InstructionFence { queue: Mutex::new(queue), commands, pool, fence })
    }

    /// Makes the code of all pipelines that were created visible to what is submitted from now on. Waits for the GPU to turn to the
    /// queue, which it does within milliseconds while kernels are executed, or until the device is lost or abandoned.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`], [`Error::Vulkan`].
    pub fn execute(&self, device: &RawDevice) -> Result<()> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let commands = [self.commands];
        let submit = [vk::SubmitInfo::default().command_buffers(&commands)];
        if device.is_lost() {
            return Err(Error::DeviceLost { call: "an earlier call" });
        }
        // SAFETY: the command buffer is executable and, like the fence, not in use: whoever submitted it has waited for it with
        // the queue locked, unless the device counts as lost.
        unsafe { device.queue_submit(*queue, &submit, self.fence) }.map_err(device.error("vkQueueSubmit"))?;
        self.wait(device).inspect_err(|_| {
            // What was submitted may be pending, so that it cannot be submitted again.
            device.set_lost();
        })
    }

    fn wait(&self, device: &RawDevice) -> Result<()> {
        let fences = [self.fence];
        loop {
            // SAFETY: the fence is this device's.
            match unsafe { device.wait_for_fences(&fences, true, LOOK_AGAIN) } {
                Ok(()) => break,
                Err(vk::Result::TIMEOUT) if device.is_lost() => {
                    return Err(Error::DeviceLost { call: "an earlier call" });
                }
                Err(vk::Result::TIMEOUT) => {}
                Err(result) => return Err(device.error("vkWaitForFences")(result)),
            }
        }
        // SAFETY: the fence is signalled, and no submission uses it.
        unsafe { device.reset_fences(&fences) }.map_err(device.error("vkResetFences"))
    }
}

/// Records the commands, and makes the fence.
///
/// # Safety
/// The pool is the device's, and nothing else uses it.
unsafe fn record(device: &RawDevice, pool: vk::CommandPool) -> Result<(vk::CommandBuffer, vk::Fence)> {
    let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
    let all = vk::PipelineStageFlags::ALL_COMMANDS;
    let (writes, reads) = (vk::AccessFlags::MEMORY_WRITE, vk::AccessFlags::MEMORY_READ);
    let barrier = [vk::MemoryBarrier::default().src_access_mask(writes).dst_access_mask(reads | writes)];
    // SAFETY: the pool is as the caller says, and the stages exist on every queue.
    unsafe {
        let made = device.allocate_command_buffers(&info).map_err(device.error("vkAllocateCommandBuffers"))?;
        let commands =
            made.first().copied().ok_or_else(|| Error::Internal("the driver made no command buffer".into()))?;
        let begin = vk::CommandBufferBeginInfo::default();
        device.begin_command_buffer(commands, &begin).map_err(device.error("vkBeginCommandBuffer"))?;
        device.cmd_pipeline_barrier(commands, all, all, vk::DependencyFlags::empty(), &barrier, &[], &[]);
        device.end_command_buffer(commands).map_err(device.error("vkEndCommandBuffer"))?;
        let fence = device.create_fence(&vk::FenceCreateInfo::default(), None);
        Ok((commands, fence.map_err(device.error("vkCreateFence"))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::serial;
    use crate::vulkan::intercept::{failed, plan};
    use crate::{Device, DeviceSelector};

    #[test]
    fn it_is_executed_any_number_of_times_and_not_after_an_error() {
        let _serial = serial();
        let device = Device::open(&DeviceSelector::Best).unwrap();
        let (raw, family) = (&device.shared.raw, device.shared.default_stream.shared_queue().family);
        // SAFETY: every device has a first queue.
        let queue = unsafe { raw.get_device_queue(family, 0) };
        // SAFETY: nothing is launched.
        let fence = unsafe { InstructionFence::new(raw, family, queue) }.unwrap();
        fence.execute(raw).unwrap();
        fence.execute(raw).unwrap();
        // After an error of the wait the command buffer may be pending: it is not submitted again.
        for call in ["vkWaitForFences", "vkResetFences"] {
            let device = Device::open(&DeviceSelector::Best).unwrap();
            let raw = &device.shared.raw;
            // SAFETY: as above.
            let queue = unsafe { raw.get_device_queue(family, 0) };
            // SAFETY: as above.
            let fence = unsafe { InstructionFence::new(raw, family, queue) }.unwrap();
            plan(Some(call), 0, vk::Result::ERROR_OUT_OF_HOST_MEMORY);
            assert!(matches!(fence.execute(raw), Err(Error::OutOfMemory { .. })));
            assert_eq!(failed(), Some(call));
            assert!(matches!(fence.execute(raw), Err(Error::DeviceLost { .. })));
            // SAFETY: the device is idle then.
            unsafe { raw.device_wait_idle() }.unwrap();
            // SAFETY: what was submitted is complete.
            unsafe { fence.destroy(raw) };
        }
        // SAFETY: what was submitted is complete.
        unsafe { fence.destroy(raw) };
    }
}
