//! Binary semaphores that other devices, processes and interfaces reach by a file descriptor (VK_KHR_external_semaphore_fd).

use super::Queue;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::submission::{Event, Session, Use};
use crate::vulkan::RawDevice;
use ash::vk;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::sync::Arc;

/// What a file descriptor of a semaphore is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SemaphoreHandle {
    /// A semaphore of Vulkan's, for the same driver and device (`VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT`). All that
    /// have it share one state.
    OpaqueFd,
    /// A sync file of Linux, a copy of a signal that is pending or complete (`VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT`).
    SyncFd,
}

impl SemaphoreHandle {
    /// All kinds.
    pub const ALL: [SemaphoreHandle; 2] = [SemaphoreHandle::OpaqueFd, SemaphoreHandle::SyncFd];

    fn vulkan(self) -> vk::ExternalSemaphoreHandleTypeFlags {
        match self {
            SemaphoreHandle::OpaqueFd => vk::ExternalSemaphoreHandleTypeFlags::OPAQUE_FD,
            SemaphoreHandle::SyncFd => vk::ExternalSemaphoreHandleTypeFlags::SYNC_FD,
        }
    }

    /// The feature of a device that imports such handles.
    pub fn import_feature(self) -> &'static str {
        match self {
            SemaphoreHandle::OpaqueFd => "import of opaque semaphores",
            SemaphoreHandle::SyncFd => "import of sync files",
        }
    }

    /// The feature of a device that exports such handles.
    pub fn export_feature(self) -> &'static str {
        match self {
            SemaphoreHandle::OpaqueFd => "export of opaque semaphores",
            SemaphoreHandle::SyncFd => "export of sync files",
        }
    }

    /// The features that a device with the extension has.
    pub(crate) fn features(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Vec<&'static str> {
        let mut names = Vec::new();
        for handle in SemaphoreHandle::ALL {
            let info = vk::PhysicalDeviceExternalSemaphoreInfo::default().handle_type(handle.vulkan());
            let mut found = vk::ExternalSemaphoreProperties::default();
            // SAFETY: the physical device belongs to the instance; the function is part of Vulkan 1.1.
            unsafe { instance.get_physical_device_external_semaphore_properties(physical, &info, &mut found) };
            let features = found.external_semaphore_features;
            if features.contains(vk::ExternalSemaphoreFeatureFlags::IMPORTABLE) {
                names.push(handle.import_feature());
            }
            if features.contains(vk::ExternalSemaphoreFeatureFlags::EXPORTABLE) {
                names.push(handle.export_feature());
            }
        }
        names
    }
}

/// A binary semaphore that is shared by a file descriptor. As in Vulkan, a wait for it must come after the submission of the signal
/// that it waits for, and a signal after the wait for the signal before.
pub struct SharedSemaphore {
    raw: vk::Semaphore,
    handle: SemaphoreHandle,
    functions: ash::khr::external_semaphore_fd::Device,
    device: Arc<RawDevice>,
}

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
        SharedSemaphore::create(device, handle, vk::SemaphoreCreateInfo::default().push_next(&mut export))
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
        let semaphore = SharedSemaphore::create(device, handle, vk::SemaphoreCreateInfo::default())?;
        // SAFETY: the caller's promise; nothing uses the semaphore yet.
        unsafe { semaphore.import(descriptor) }?;
        Ok(semaphore)
    }

    fn create(device: &Device, handle: SemaphoreHandle, info: vk::SemaphoreCreateInfo<'_>) -> Result<SharedSemaphore> {
        let raw_device = &device.shared.raw;
        // SAFETY: the device exports such handles, if they are to be exported.
        let raw = unsafe { raw_device.create_semaphore(&info, None) }.map_err(raw_device.error("vkCreateSemaphore"))?;
        let functions = ash::khr::external_semaphore_fd::Device::new(&raw_device.instance.raw, raw_device);
        Ok(SharedSemaphore { raw, handle, functions, device: raw_device.clone() })
    }

    /// Gives the semaphore the state of a file descriptor: for good if it is opaque, until the next wait if it is a sync file.
    ///
    /// # Errors
    /// [`Error::Vulkan`] for a descriptor of something else, which is closed.
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
    /// [`Error::Vulkan`].
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
        match Arc::ptr_eq(self.stream.device(), &semaphore.device) {
            true => Ok(()),
            false => Err(Error::Launch("the semaphore belongs to another device".into())),
        }
    }
}

fn lacking(handle: SemaphoreHandle) -> Error {
    Error::Unsupported(format!("semaphores by file descriptors ({handle:?}) on this device are"))
}
