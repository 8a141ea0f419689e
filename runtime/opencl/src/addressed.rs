//! Buffers whose device addresses the client knows (`cl_ext_buffer_device_address`). A launch that gets an address keeps
//! the buffer there alive until it is recorded, as it does with buffers that are arguments.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// What keeps a buffer alive.
pub type Kept = Arc<dyn Any + Send + Sync>;

/// A buffer that an address is in: the addresses of its first byte and behind its last byte, and what keeps it alive.
pub type Known = ((u64, u64), Kept);

/// The first address behind a buffer, and what keeps it alive.
type Entry = (u64, Weak<dyn Any + Send + Sync>);

/// The buffers of a context, by their first addresses.
#[derive(Default)]
pub struct Addressed(Mutex<std::collections::BTreeMap<u64, Entry>>);

impl Addressed {
    fn lock(&self) -> MutexGuard<'_, std::collections::BTreeMap<u64, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a buffer of so many bytes, and forgets those that are gone.
    pub fn add(&self, address: u64, size: u64, buffer: Weak<dyn Any + Send + Sync>) {
        let mut buffers = self.lock();
        buffers.retain(|_, (_, buffer)| buffer.strong_count() > 0);
        buffers.insert(address, (address.saturating_add(size), buffer));
    }

    /// The buffer at an address; none where it points nowhere, which is no error until a kernel follows it.
    pub fn find(&self, address: u64) -> Option<Known> {
        let buffers = self.lock();
        let (first, (end, buffer)) = buffers.range(..=address).next_back()?;
        let kept = (address < *end).then(|| buffer.upgrade()).flatten()?;
        Some(((*first, *end), kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buffer_that_an_address_is_in() {
        let (addressed, first, second) = (Addressed::default(), Arc::new(1u8), Arc::new(2u8));
        let weak = |buffer: &Arc<u8>| -> Weak<dyn Any + Send + Sync> { Arc::downgrade(buffer) as _ };
        addressed.add(64, 16, weak(&first));
        addressed.add(128, 1, weak(&second));
        let number = |address| addressed.find(address).and_then(|(_, kept)| kept.downcast_ref::<u8>().copied());
        assert_eq!([64, 79, 128].map(number), [Some(1), Some(1), Some(2)]);
        assert_eq!(addressed.find(70).map(|(range, _)| range), Some((64, 80)));
        assert_eq!([0, 63, 80, 127, 129, u64::MAX].map(number), [None; 6]);
        drop(first);
        assert_eq!([64, 128].map(number), [None, Some(2)]);
    }
}
