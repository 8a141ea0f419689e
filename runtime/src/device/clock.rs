//! Keeps the clock of NVIDIA's devices up ([`Device::set_clock_boost`], [`Device::keep_clock`]).
//!
//! `vulkan/clock.rs` asks the driver's kernel module for it. Where that is not reachable, as on Windows, [`Device::keep_clock`]
//! makes a context of CUDA that nothing uses: such a context, which NVIDIA's OpenCL has too, asks for the same. Submissions of
//! small kernels, one a millisecond, do not keep the clock up, nor does `cuInit` alone.

use super::Device;
use crate::cuda::Cuda;
use crate::vulkan::{Clock, Quirk};
use std::ffi::c_uint;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// `CU_CTX_SCHED_BLOCKING_SYNC`.
const BLOCKING_SYNC: c_uint = 4;

/// UUIDs of the devices for which a context was to be made, and whether they have one.
static KEPT: Mutex<Vec<([u8; 16], bool)>> = Mutex::new(Vec::new());

impl Device {
    /// Sets whether what this process executes keeps the clock of the device up, and for ten seconds after that. It is so at
    /// first for NVIDIA's devices with NVIDIA's driver on Linux: without it their clock falls to a fifth within three seconds in
    /// which the device has little to do (H200, 580.159), also between short kernels, and stays there for a while under
    /// load. While the clock is up a H200 that executes nothing takes 121 W instead of 78 W.
    pub fn set_clock_boost(&self, wanted: bool) {
        if let Some(clock) = &self.shared.raw.clock {
            clock.set_wanted(wanted);
        }
    }

    /// Keeps the clock of the device from falling while this process leaves it idle, until the process ends, whatever
    /// [`Device::set_clock_boost`] says. Returns whether it does: for NVIDIA's devices with NVIDIA's driver.
    ///
    /// The first call takes 3 ms on Linux. Where the kernel module is not reachable, it makes a context of CUDA if that library is
    /// installed: this takes 0.3 s and some 530 MiB of the device's memory, and the end of the process takes 0.1 s more.
    pub fn keep_clock(&self) -> bool {
        if !self.info().has_quirk(Quirk::FallingClock) {
            return false;
        }
        if self.shared.raw.clock.as_ref().is_some_and(Clock::keep) {
            return true;
        }
        let uuid = self.info().hardware.device_uuid;
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, is_kept)) = kept.iter().find(|(device, _)| *device == uuid) {
            return *is_kept;
        }
        // Another thread, because the context becomes current in the thread that makes it. It is waited for, because the exit of
        // a process hangs in CUDA's library while one of its threads makes a context (580.159.04).
        let made = thread::scope(|scope| {
            let maker = thread::Builder::new().name("clforge clock".into()).spawn_scoped(scope, || make_context(uuid));
            maker.ok()?.join().ok()?
        });
        let is_kept = made.is_some();
        kept.push((uuid, is_kept));
        is_kept
    }
}

/// Makes a context on the device with a UUID. It and the library are kept until the process ends.
fn make_context(uuid: [u8; 16]) -> Option<()> {
    let cuda = Cuda::load()?;
    // The context becomes current in this thread only, which ends.
    cuda.make_context(cuda.device(uuid)?, BLOCKING_SYNC)
}
