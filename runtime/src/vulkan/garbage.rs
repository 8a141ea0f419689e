//! Deferred destruction: objects that are dropped while work is under way are destroyed when that work is complete.
//!
//! Kernels reach memory through addresses, so it is not known which objects a submission uses. But work that begins
//! after the last handle of an object was dropped cannot use it. So destruction waits for all work that had begun by
//! then.

use std::sync::{Mutex, MutexGuard, PoisonError};

type Destroy = Box<dyn FnOnce(&ash::Device) + Send>;

/// Work that is under way, and the objects whose destruction waits for it.
#[derive(Default)]
pub(super) struct Garbage {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// The last ticket that was issued.
    last: u64,
    /// Tickets of work that is being recorded or executed.
    active: Vec<u64>,
    /// Destructors, each with the last ticket at the time of the drop.
    waiting: Vec<(u64, Destroy)>,
}

impl Garbage {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A ticket for work that is about to be recorded.
    pub fn begin_work(&self) -> u64 {
        let mut inner = self.lock();
        inner.last += 1;
        let ticket = inner.last;
        inner.active.push(ticket);
        ticket
    }

    /// The work is complete, or will never be executed: destroys what waited for it alone.
    pub fn end_work(&self, device: &ash::Device, ticket: u64) {
        let mut inner = self.lock();
        inner.active.retain(|active| *active != ticket);
        if inner.waiting.is_empty() {
            return;
        }
        let oldest = inner.active.iter().copied().min().unwrap_or(u64::MAX);
        let ready: Vec<_> = inner.waiting.extract_if(.., |(last, _)| *last < oldest).collect();
        // A destructor may free memory, which takes other locks.
        drop(inner);
        for (_, destroy) in ready {
            destroy(device);
        }
    }

    /// Whether no work is under way.
    pub fn is_idle(&self) -> bool {
        self.lock().active.is_empty()
    }

    /// Calls `destroy` as soon as no work that has begun can use what it destroys.
    pub fn discard(&self, device: &ash::Device, destroy: impl FnOnce(&ash::Device) + Send + 'static) {
        let mut inner = self.lock();
        if inner.active.is_empty() {
            drop(inner);
            destroy(device);
        } else {
            let last = inner.last;
            inner.waiting.push((last, Box::new(destroy)));
        }
    }

    /// Destroys everything that waits, whether or not work is under way: the device itself is about to be destroyed.
    pub fn destroy_all(&self, device: &ash::Device) {
        let waiting = std::mem::take(&mut self.lock().waiting);
        for (_, destroy) in waiting {
            destroy(device);
        }
    }
}
