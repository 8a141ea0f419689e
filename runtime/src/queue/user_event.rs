//! Events that the host completes.

use crate::device::Device;
use crate::error::Result;
use crate::submission::Gate;
use crate::vulkan::RawDevice;
use std::sync::Arc;

/// An event that the host completes, for commands to wait for: see [`crate::Queue::wait_for_user`]. Dropping it completes it.
pub struct UserEvent {
    pub(super) gate: Arc<Gate>,
    pub(super) device: Arc<RawDevice>,
}

impl UserEvent {
    /// An event that is not complete.
    pub fn new(device: &Device) -> UserEvent {
        UserEvent { gate: Arc::default(), device: device.shared.raw.clone() }
    }

    /// Whether it is complete.
    pub fn is_complete(&self) -> bool {
        self.gate.is_open()
    }

    /// Completes the event: commands that wait for it may be executed. Completing it again has no effect.
    ///
    /// # Errors
    /// [`crate::Error::DeviceLost`], [`crate::Error::OutOfMemory`]: commands could not be submitted; their events report this
    /// too.
    pub fn complete(&self) -> Result<()> {
        self.gate.open()
    }
}

impl Drop for UserEvent {
    fn drop(&mut self) {
        let _ = self.complete();
    }
}
