//! Gates: conditions of the host that batches wait for before they are submitted.
//!
//! The waiting is done on the host: submitted batches would block every stream that shares a queue of Vulkan with theirs.

use crate::error::Result;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Something that holds batches back until its gates are open.
pub(crate) trait Holder: Send + Sync {
    /// Submits the batches whose gates are open.
    ///
    /// # Errors
    /// [`crate::Error::DeviceLost`], [`crate::Error::OutOfMemory`].
    fn release_held(&self) -> Result<()>;
}

/// A condition that the host fulfils once.
#[derive(Default)]
pub(crate) struct Gate {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    is_open: bool,
    /// What holds batches back for this gate, in the order of registration. It lives until the gate is open.
    holders: Vec<Arc<dyn Holder>>,
}

impl Gate {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the condition is fulfilled.
    pub fn is_open(&self) -> bool {
        self.lock().is_open
    }

    /// Registers a holder, to be released when the gate opens; `false` if the gate is open already.
    pub fn register(&self, holder: Arc<dyn Holder>) -> bool {
        let mut inner = self.lock();
        let is_holder = |known: &Arc<dyn Holder>| std::ptr::addr_eq(Arc::as_ptr(known), Arc::as_ptr(&holder));
        if !inner.is_open && !inner.holders.iter().any(is_holder) {
            inner.holders.push(holder);
        }
        !inner.is_open
    }

    /// Opens the gate and releases its holders.
    ///
    /// # Errors
    /// As for [`Holder::release_held`].
    pub fn open(&self) -> Result<()> {
        let holders = {
            let mut inner = self.lock();
            inner.is_open = true;
            std::mem::take(&mut inner.holders)
        };
        // All of them, even if one fails: nothing else releases the rest.
        let results: Vec<Result<()>> = holders.iter().map(|holder| holder.release_held()).collect();
        results.into_iter().collect()
    }
}
