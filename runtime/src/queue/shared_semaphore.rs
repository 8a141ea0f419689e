//! Semaphores that are shared by file descriptors, and the commands of queues that signal them and wait for them.

use super::Queue;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::submission::{Event, Session, Use};
use crate::vulkan::{SemaphoreHandle, SharedSemaphore};
use ash::vk;
use std::os::fd::OwnedFd;
use std::sync::Arc;

impl SharedSemaphore {
    /// A semaphore that is not signalled, and can be exported.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the device cannot, [`Error::OutOfMemory`].
    pub fn exportable(device: &Device, handle: SemaphoreHandle) -> Result<SharedSemaphore> {
        if !device.info().has_feature(handle.export_feature()) {
            return Err(lacking(handle));
        }
        let mut export = vk::ExportSemaphoreCreateInfo::default().handle_types(handle.vulkan());
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut export);
        // SAFETY: the device exports such handles.
        unsafe { SharedSemaphore::create(&device.shared.raw, handle, info) }
    }

    /// The semaphore of a file descriptor. `None` is a sync file that is signalled.
    ///
    /// # Errors
    /// As for [`SharedSemaphore::exportable`], and [`Error::Vulkan`] for a descriptor of something else; it is closed then.
    ///
    /// # Safety
    /// The descriptor is one of a semaphore of this kind, and of this driver and device if it is opaque.
    pub unsafe fn from_descriptor(
        device: &Device,
        handle: SemaphoreHandle,
        descriptor: Option<OwnedFd>,
    ) -> Result<SharedSemaphore> {
        if !device.info().has_feature(handle.import_feature()) {
            return Err(lacking(handle));
        }
        // SAFETY: the device imports such handles.
        let semaphore =
            unsafe { SharedSemaphore::create(&device.shared.raw, handle, vk::SemaphoreCreateInfo::default()) }?;
        // SAFETY: the caller's promise; nothing uses the semaphore yet.
        unsafe { semaphore.import(descriptor) }?;
        Ok(semaphore)
    }
}

impl Queue {
    /// Lets all later commands of this queue wait until a semaphore is signalled, and leaves it not signalled.
    ///
    /// # Errors
    /// [`Error::Launch`] for one of another device, [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn wait_for_shared(&self, semaphore: &Arc<SharedSemaphore>) -> Result<()> {
        self.check_semaphore(semaphore)?;
        self.stream.depend_on_shared(semaphore)
    }

    /// Signals a semaphore when all commands so far are complete. They are submitted; the event is complete when the semaphore is
    /// signalled.
    ///
    /// # Errors
    /// As for [`Queue::wait_for_shared`].
    pub fn signal_shared(&self, semaphore: &Arc<SharedSemaphore>) -> Result<Event> {
        self.check_semaphore(semaphore)?;
        let mut session = Session::start(&self.stream, Use::Nothing);
        session.batch()?.shared_signals.push(semaphore.clone());
        session.submit()
    }

    fn check_semaphore(&self, semaphore: &SharedSemaphore) -> Result<()> {
        match semaphore.is_of(self.stream.device()) {
            true => Ok(()),
            false => Err(Error::Launch("the semaphore belongs to another device".into())),
        }
    }
}

fn lacking(handle: SemaphoreHandle) -> Error {
    Error::Unsupported(format!("semaphores by file descriptors ({handle:?}) on this device are"))
}
