//! Timeline semaphores that order the commands of queues and a program's own.

use super::Queue;
use crate::error::Result;
use crate::submission::Event;
use ash::vk;

impl Queue {
    /// Lets all later commands of this queue wait until a timeline semaphore of the program has a value, and see what was written
    /// before it had. The value may be signalled later. Functions that wait for these commands wait for it, too: it must be
    /// signalled by work that was submitted, or by another thread.
    ///
    /// # Errors
    /// [`crate::Error::DeviceLost`], [`crate::Error::OutOfMemory`].
    ///
    /// # Safety
    /// It is a timeline semaphore of the device ([`crate::Device::as_raw`]), which lives until the next command of the queue is
    /// complete.
    pub unsafe fn wait_for_semaphore(&self, semaphore: vk::Semaphore, value: u64) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.stream.depend_on_semaphore(semaphore, value) }
    }
}

impl Event {
    /// A timeline semaphore and the value that it has once the command is complete, for submissions of the program to wait for.
    /// They see what the command has written. Submits the command. The semaphore lives as long as the device; the program must
    /// not signal it.
    ///
    /// # Errors
    /// As for [`Queue::flush`].
    pub fn semaphore(&self) -> Result<(vk::Semaphore, u64)> {
        self.stream().flush_to(self.value())?;
        Ok((self.stream().semaphore(), self.value()))
    }
}
