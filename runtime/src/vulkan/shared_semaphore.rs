//! Binary semaphores that other devices, processes and interfaces reach by a file descriptor (VK_KHR_external_semaphore_fd).

use super::raw_device::RawDevice;
use super::semaphore_handle::SemaphoreHandle;
use crate::error::Result;
use ash::vk;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::sync::Arc;

/// A binary semaphore that is shared by a file descriptor. As in Vulkan, a wait for it must come after the submission of the signal
/// that it waits for, and a signal after the wait for the signal before.
pub struct SharedSemaphore {
    raw: vk::Semaphore,
    handle: SemaphoreHandle,
    functions: ash::khr::external_semaphore_fd::Device,
    device: Arc<RawDevice>,
}

impl SharedSemaphore {
    /// A semaphore that is not signalled.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    ///
    /// # Safety
    /// The device has the extension, and exports or imports such handles as `info` says.
    pub(crate) unsafe fn create(
        device: &Arc<RawDevice>,
        handle: SemaphoreHandle,
        info: vk::SemaphoreCreateInfo<'_>,
    ) -> Result<SharedSemaphore> {
        // SAFETY: the caller's promise.
        let raw = unsafe { device.create_semaphore(&info, None) }.map_err(device.error("vkCreateSemaphore"))?;
        let functions = ash::khr::external_semaphore_fd::Device::new(&device.instance.raw, device);
        Ok(SharedSemaphore { raw, handle, functions, device: device.clone() })
    }

    /// Gives the semaphore the state of a file descriptor: for good if it is opaque, until the next wait if it is a sync file.
    ///
    /// # Errors
    /// [`crate::Error::Vulkan`] for a descriptor of something else, which is closed.
    ///
    /// # Safety
    /// As for [`SharedSemaphore::from_descriptor`]; the semaphore was imported so before, and no command uses it.
    pub unsafe fn import(&self, descriptor: Option<OwnedFd>) -> Result<()> {
        let flags = match self.handle {
            SemaphoreHandle::OpaqueFd => vk::SemaphoreImportFlags::empty(),
            SemaphoreHandle::SyncFd => vk::SemaphoreImportFlags::TEMPORARY,
        };
        let info = vk::ImportSemaphoreFdInfoKHR::default()
            .semaphore(self.raw)
            .flags(flags)
            .handle_type(self.handle.vulkan())
            .fd(descriptor.as_ref().map_or(-1, AsRawFd::as_raw_fd));
        // SAFETY: the caller's promise.
        unsafe { self.functions.import_semaphore_fd(&info) }.map_err(self.device.error("vkImportSemaphoreFdKHR"))?;
        // It was imported: the driver owns the descriptor.
        _ = descriptor.map(OwnedFd::into_raw_fd);
        Ok(())
    }

    /// A file descriptor of the semaphore. Of a sync file it takes the signal, as a wait does, and is `None` if that is complete
    /// and the driver has no descriptor for it.
    ///
    /// # Errors
    /// [`crate::Error::Vulkan`].
    ///
    /// # Safety
    /// The semaphore is from [`SharedSemaphore::exportable`]. If it is a sync file, a signal was submitted that nothing has waited
    /// for.
    pub unsafe fn export(&self) -> Result<Option<OwnedFd>> {
        let info = vk::SemaphoreGetFdInfoKHR::default().semaphore(self.raw).handle_type(self.handle.vulkan());
        // SAFETY: the caller's promise.
        let descriptor = unsafe { self.functions.get_semaphore_fd(&info) };
        let descriptor = descriptor.map_err(self.device.error("vkGetSemaphoreFdKHR"))?;
        // SAFETY: the descriptor is new, and the caller's.
        Ok((descriptor >= 0).then(|| unsafe { OwnedFd::from_raw_fd(descriptor) }))
    }

    /// Whether it is of a device.
    pub(crate) fn is_of(&self, device: &Arc<RawDevice>) -> bool {
        Arc::ptr_eq(device, &self.device)
    }

    /// Vulkan's handle.
    pub(crate) fn raw(&self) -> vk::Semaphore {
        self.raw
    }
}

impl Drop for SharedSemaphore {
    fn drop(&mut self) {
        let raw = self.raw;
        // SAFETY: the handle was created from this device and is destroyed once, when nothing uses it.
        self.device.discard(move |device| unsafe { device.destroy_semaphore(raw, None) });
    }
}
