//! Keeps the clock of NVIDIA's devices up while a process leaves them idle ([`Device::keep_clock`]).
//!
//! A process that uses Vulkan alone gets a fraction of the clock within three seconds in which the device has little to do,
//! also between short kernels (H200, 580.159: 345 of 1980 MHz; a kernel of 54 us takes 301 us then), and keeps it for a while
//! under load. With a context of CUDA in the process the clock stays: NVIDIA's OpenCL has one. Submissions of small
//! kernels, one a millisecond, do not keep it up, nor does `cuInit` alone. So this makes a context that nothing uses.

use super::Device;
use crate::cuda::Cuda;
use crate::vulkan::Quirk;
use std::ffi::c_uint;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// `CU_CTX_SCHED_BLOCKING_SYNC`.
const BLOCKING_SYNC: c_uint = 4;

/// UUIDs of the devices for which a context was to be made, and whether they have one.
static KEPT: Mutex<Vec<([u8; 16], bool)>> = Mutex::new(Vec::new());

impl Device {
    /// Keeps the clock of the device from falling while this process leaves it idle, until the process ends. Returns whether it
    /// does: for NVIDIA's devices with NVIDIA's driver, where CUDA's library is installed.
    ///
    /// The first call makes a context of CUDA. That takes 0.3 s, some 530 MiB of the device's memory, as NVIDIA's OpenCL does, and
    /// energy: a H200 takes 121 W instead of 78 W while nothing is executed. The end of the process takes 0.1 s more.
    pub fn keep_clock(&self) -> bool {
        if !self.info().has_quirk(Quirk::FallingClock) {
            return false;
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
