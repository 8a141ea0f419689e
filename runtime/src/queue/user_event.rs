//! Events that the host completes.
//!
//! Commands that wait for one are held back on the host: were they given to the device, they would block all queues that share
//! one of Vulkan's with theirs.

use super::shared::QueueShared;
use crate::device::RawDevice;
use crate::{Device, Result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An event that the host completes, for commands to wait for: see [`super::Queue::wait_for_user`]. Dropping it completes it.
pub struct UserEvent {
    pub(super) gate: Arc<Gate>,
    pub(super) device: Arc<RawDevice>,
}

/// What batches wait for before they are given to the device.
#[derive(Default)]
pub(crate) struct Gate {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    is_open: bool,
    /// Queues that hold batches back, in the order in which they began to. They live until the gate is open.
    queues: Vec<Arc<QueueShared>>,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_open(&self) -> bool {
        self.lock().is_open
    }

    /// Remembers a queue; `false` when the gate is open already.
    pub fn register(&self, queue: &Arc<QueueShared>) -> bool {
        let mut inner = self.lock();
        if !inner.is_open && !inner.queues.iter().any(|known| Arc::ptr_eq(known, queue)) {
            inner.queues.push(queue.clone());
        }
        !inner.is_open
    }

    fn open(&self) -> Result<()> {
        let queues = {
            let mut inner = self.lock();
            inner.is_open = true;
            std::mem::take(&mut inner.queues)
        };
        // All of them, whatever happens to one: nobody does it later.
        let results: Vec<Result<()>> = queues.iter().map(|queue| queue.release_held()).collect();
        results.into_iter().collect()
    }
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

    /// Lets the commands go that wait for it. Doing so again changes nothing.
    ///
    /// # Errors
    /// [`crate::Error::DeviceLost`], [`crate::Error::OutOfMemory`]: commands are lost, and their events say so too.
    pub fn complete(&self) -> Result<()> {
        self.gate.open()
    }
}

impl Drop for UserEvent {
    fn drop(&mut self) {
        let _ = self.complete();
    }
}
