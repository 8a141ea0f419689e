//! Keeps the clock of NVIDIA's devices up while a process uses them, and for some seconds after that.
//!
//! The driver (580.159) lets the clock of a device fall (H200: from 1980 to 345 MHz) within three seconds in which a process
//! that uses Vulkan alone leaves it mostly idle, and short kernels do not raise it again. A context of CUDA asks the kernel
//! module to keep it up, as long as it exists. So does a thread here, but for seconds at a time, and only while work is submitted.

use super::hardware::PciAddress;
#[cfg(target_os = "linux")]
use super::nvidia::KernelModule;
use crate::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often the thread looks whether work was submitted. The clock does not fall in the first three seconds, so that short
/// processes request nothing.
const PERIOD: Duration = Duration::from_millis(1500);
/// Seconds for which the clock is kept up: a process that does not end does not keep it up longer after its last work.
const SECONDS: u32 = 10;
/// After how long it is requested again. A request takes the kernel module some 2 ms.
const RENEWAL: Duration = Duration::from_secs(5);

/// Keeps the clock of one device up.
pub(crate) struct Clock {
    shared: Arc<Shared>,
}

struct Shared {
    address: PciAddress,
    /// Work has begun since the thread looked last. It stays set while nobody keeps the clock up.
    has_worked: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    has_thread: bool,
    ends: bool,
    /// See [`crate::Device::set_clock_boost`].
    is_wanted: bool,
    /// The clock is kept up until the process ends.
    is_kept: bool,
}

impl Clock {
    /// For the device at an address.
    pub fn new(address: PciAddress) -> Clock {
        let state = State { has_thread: false, ends: false, is_wanted: true, is_kept: false };
        let (has_worked, state, changed) = (AtomicBool::new(false), Mutex::new(state), Condvar::new());
        Clock { shared: Arc::new(Shared { address, has_worked, state, changed }) }
    }

    /// Work begins.
    pub fn note_work(&self) {
        if !self.shared.has_worked.load(Ordering::Relaxed) {
            self.shared.wake();
        }
    }

    /// Keeps the clock up until the process ends. Returns whether it does.
    #[cfg(target_os = "linux")]
    pub fn keep(&self) -> bool {
        let mut state = self.shared.lock();
        if !state.is_kept
            && let Some(module) = KernelModule::open(self.shared.address)
            && module.boost(u32::MAX).is_some()
        {
            // The request lives as long as the connection.
            std::mem::forget(module);
            state.is_kept = true;
        }
        state.is_kept
    }

    /// There is no such request on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn keep(&self) -> bool {
        false
    }

    /// Whether work keeps the clock up.
    pub fn set_wanted(&self, wanted: bool) {
        self.shared.lock().is_wanted = wanted;
        self.shared.changed.notify_all();
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.shared.lock().ends = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the thread that work begins. The first call starts it.
    fn wake(self: &Arc<Self>) {
        let mut state = self.lock();
        self.has_worked.store(true, Ordering::Relaxed);
        self.changed.notify_all();
        if !std::mem::replace(&mut state.has_thread, true) {
            let shared = self.clone();
            // Without the thread the clock falls.
            let _ = exit::spawn("clforge clock", move || shared.run());
        }
    }

    /// Waits until the thread is to end, but not longer than a period. Returns whether it goes on.
    fn wait(&self) -> bool {
        let ended = self.changed.wait_timeout_while(self.lock(), PERIOD, |state| !state.ends);
        !ended.unwrap_or_else(PoisonError::into_inner).0.ends
    }

    /// Waits until work begins. Returns whether the thread goes on.
    fn wait_for_work(&self) -> bool {
        let due = |state: &State| state.ends || state.is_wanted && self.has_worked.load(Ordering::Relaxed);
        let waited = self.changed.wait_while(self.lock(), |state| !due(state));
        !waited.unwrap_or_else(PoisonError::into_inner).ends
    }

    /// What the thread does. If the module refuses, the flag stays set, so that nobody looks for the thread any more.
    #[cfg(target_os = "linux")]
    fn run(&self) {
        if !self.wait() {
            return;
        }
        let Some(module) = KernelModule::open(self.address) else {
            return tracing::debug!("the clock of the device cannot be kept up");
        };
        let mut requested: Option<Instant> = None;
        while self.wait_for_work() {
            if requested.is_none_or(|at| at.elapsed() >= RENEWAL) {
                if module.boost(SECONDS).is_none() {
                    return tracing::debug!("the kernel module does not keep the clock of the device up");
                }
                requested = Some(Instant::now());
            }
            self.has_worked.store(false, Ordering::Relaxed);
            if !self.wait() {
                return;
            }
        }
    }

    /// There is no such request on this system.
    #[cfg(not(target_os = "linux"))]
    fn run(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOWHERE: PciAddress = PciAddress { domain: 0xffff, bus: 0xff, device: 0x1f, function: 7 };

    /// A refusal ends the thread, and later work does not start another one.
    #[test]
    fn a_module_that_refuses_is_asked_once() {
        let clock = Clock::new(NOWHERE);
        clock.note_work();
        let start = Instant::now();
        while Arc::strong_count(&clock.shared) > 1 {
            assert!(start.elapsed() < Duration::from_secs(60), "the thread does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
        clock.note_work();
        assert_eq!(Arc::strong_count(&clock.shared), 1);
        assert!(!clock.keep());
    }

    #[test]
    fn the_thread_ends_with_the_device() {
        let clock = Clock::new(NOWHERE);
        clock.note_work();
        let shared = Arc::downgrade(&clock.shared);
        drop(clock);
        let start = Instant::now();
        while shared.strong_count() > 0 {
            assert!(start.elapsed() < PERIOD, "the thread does not end");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
