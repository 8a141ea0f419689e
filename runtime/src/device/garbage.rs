//! When things may be destroyed: not while work that was begun before they were dropped is under way.
//!
//! Kernels reach memory through addresses, so nobody can tell what a piece of work uses. But nothing that begins after
//! the last handle is gone can use it: what is dropped waits for all work that had begun by then.

use super::RawDevice;
use std::sync::{Mutex, MutexGuard, PoisonError};

type Destroy = Box<dyn FnOnce(&ash::Device) + Send>;

/// Work that is under way, and what waits for it.
#[derive(Default)]
pub(crate) struct Tracker {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// The last ticket given out.
    last: u64,
    /// Tickets of work that is being recorded or executed.
    active: Vec<u64>,
    /// What was dropped, with the last ticket of that time.
    garbage: Vec<(u64, Destroy)>,
}

impl Tracker {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RawDevice {
    /// A ticket for work that is about to be recorded.
    pub fn begin_work(&self) -> u64 {
        let mut inner = self.tracker.lock();
        inner.last += 1;
        let ticket = inner.last;
        inner.active.push(ticket);
        ticket
    }

    /// The work is done, or will never be: what waited for it alone is destroyed.
    pub fn end_work(&self, ticket: u64) {
        let mut inner = self.tracker.lock();
        inner.active.retain(|active| *active != ticket);
        if inner.garbage.is_empty() {
            return;
        }
        let oldest = inner.active.iter().copied().min().unwrap_or(u64::MAX);
        let garbage: Vec<_> = inner.garbage.extract_if(.., |(last, _)| *last < oldest).collect();
        drop(inner);
        for (_, destroy) in garbage {
            destroy(self);
        }
    }

    /// Whether no work is under way.
    pub fn is_idle(&self) -> bool {
        self.tracker.lock().active.is_empty()
    }

    /// Calls `destroy` as soon as no work that has begun can use what it destroys.
    pub fn discard(&self, destroy: impl FnOnce(&ash::Device) + Send + 'static) {
        let mut inner = self.tracker.lock();
        if inner.active.is_empty() {
            drop(inner);
            destroy(self);
        } else {
            let last = inner.last;
            inner.garbage.push((last, Box::new(destroy)));
        }
    }

    /// Destroys everything that waits, whether or not work is under way. For the device's own end.
    pub(super) fn destroy_garbage(&self) {
        let garbage = std::mem::take(&mut self.tracker.lock().garbage);
        for (_, destroy) in garbage {
            destroy(self);
        }
    }
}
