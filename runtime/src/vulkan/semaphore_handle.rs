//! The kinds of file descriptors of semaphores (VK_KHR_external_semaphore_fd).

use ash::vk;

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

    /// Vulkan's name of it.
    pub(crate) fn vulkan(self) -> vk::ExternalSemaphoreHandleTypeFlags {
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
