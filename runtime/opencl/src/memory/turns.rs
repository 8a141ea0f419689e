//! In a context of several devices: whose turn it is to use a memory object.
//!
//! A command that writes is recorded some time after the copy on its device has become the current one. If another device took
//! the contents between the two, what the command writes would be in a copy that is not the current one any more, and lost.
//! A command therefore has a turn with each object from before it asks for the copy until it is recorded. The next device waits
//! for all work that is recorded (`copies.rs`), so that a turn does not last until that has been executed. Commands of one device
//! have turns at the same time. Who waits for an event, or for a function of the client's, has none.
//! Commands that only read a buffer need none: what else comes into the copy meanwhile is what is there already.
//!
//! A command takes all its turns at once, in one order for all threads. During these it takes further ones only with the same
//! objects, or one that ends before anything else is waited for.

use crate::device::Device;
use crate::handle::Object;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The turns with an object.
#[derive(Default)]
pub struct Turns {
    state: Mutex<State>,
    /// Is notified when a device has no turn any more for which others wait.
    ended: Condvar,
}

#[derive(Default)]
struct State {
    /// The handle of the device that has turns, and how many.
    device: usize,
    count: usize,
    /// How many threads wait.
    waiting: usize,
}

/// A turn of a device, as long as this value is there.
#[must_use]
pub struct Turn<'t>(&'t Turns);

impl Turns {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A turn of a device, after those of others. The thread may have one.
    pub fn take(&self, device: &Object<Device>) -> Turn<'_> {
        self.take_by(device.handle(), false)
    }

    /// A turn of the device of a handle; of a thread that may have one unless it is its first.
    pub(super) fn take_by(&self, device: usize, is_first: bool) -> Turn<'_> {
        let mut state = self.lock();
        // While others wait the device that has turns takes no more.
        let all = is_first && state.waiting > 0;
        let must_wait = |state: &State| state.count > 0 && (all || state.device != device);
        if must_wait(&state) {
            state.waiting += 1;
            let waited = self.ended.wait_while(state, |state| must_wait(state));
            state = waited.unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        (state.device, state.count) = (device, state.count + 1);
        Turn(self)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.count -= 1;
        if state.count == 0 && state.waiting > 0 {
            self.0.ended.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    #[test]
    fn devices_take_turns() {
        let (turns, counts) = (Turns::default(), [0; 2].map(AtomicUsize::new));
        let (turns, counts) = (&turns, &counts);
        thread::scope(|scope| {
            for thread in 0..4usize {
                scope.spawn(move || {
                    let device = thread % 2;
                    for _ in 0..500 {
                        let _first = turns.take_by(device, true);
                        counts[device].fetch_add(1, Ordering::SeqCst);
                        let _further = turns.take_by(device, false);
                        thread::yield_now();
                        assert_eq!(counts[1 - device].load(Ordering::SeqCst), 0);
                        counts[device].fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(turns.lock().count == 0 && turns.lock().waiting == 0);
    }

    #[test]
    fn a_device_that_has_turns_lets_others_have_theirs() {
        let (turns, order) = (Turns::default(), Mutex::new(Vec::new()));
        let (turns, order) = (&turns, &order);
        let waiting = |count: usize| {
            while turns.lock().waiting < count {
                thread::sleep(Duration::from_millis(1));
            }
        };
        thread::scope(|scope| {
            let first = turns.take_by(0, true);
            scope.spawn(move || {
                let _turn = turns.take_by(1, true);
                order.lock().unwrap().push("other");
            });
            waiting(1);
            drop(turns.take_by(0, false));
            scope.spawn(move || {
                let _turn = turns.take_by(0, true);
                order.lock().unwrap().push("same");
            });
            waiting(2);
            order.lock().unwrap().push("first");
            drop(first);
        });
        let order = order.lock().unwrap();
        assert!(order.len() == 3 && order[0] == "first", "{order:?}");
    }
}
