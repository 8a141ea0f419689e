//! The logical device: its lifetime, its loss, and deferred destruction.

use super::clock::Clock;
use super::garbage::Garbage;
use super::instance::InstanceShared;
use super::mapping::with_checked_mapping;
use super::shared_queue::SharedQueue;
use crate::error::Error;
use crate::fork;
use ash::vk;
use std::any::Any;
use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

/// How many dropped pipelines are kept, whose code has some KiB each.
const MAX_RETIRED: usize = 64;

/// A submission to a queue that executes nothing else. On NVIDIA's queues without graphics (580.159.04) the code of a new pipeline
/// is fetched in part from what its memory held before, if another kernel was executed shortly before: the new kernel gets wrong
/// results or hangs the GPU, until the GPU has turned to another queue.
pub(crate) struct InstructionFence {
    /// What Vulkan lets one thread use at a time.
    pub(super) queue: Mutex<vk::Queue>,
    pub(super) commands: vk::CommandBuffer,
    pub(super) pool: vk::CommandPool,
    pub(super) fence: vk::Fence,
}

impl InstructionFence {
    /// Destroys what it is made of.
    ///
    /// # Safety
    /// The device is idle or lost, and the fence is not used again.
    pub unsafe fn destroy(&self, device: &ash::Device) {
        // SAFETY: the caller's condition; both were created from this device.
        unsafe {
            device.destroy_fence(self.fence, None);
            device.destroy_command_pool(self.pool, None);
        }
    }
}

/// A device that a program created, and destroys when nothing uses it any more.
pub(crate) struct Borrowed {
    /// The queues that the program lends.
    pub queues: Vec<Arc<SharedQueue>>,
    /// What the program wants to be dropped after the last use of the device.
    pub _guard: Box<dyn Any + Send + Sync>,
}

/// A logical device; destroyed when the last object made from it is gone, unless it is borrowed.
pub(crate) struct RawDevice {
    raw: ash::Device,
    garbage: Garbage,
    /// Timeline semaphores that no queue uses, with their values where these are known: see [`super::Timeline`].
    idle_timelines: Mutex<Vec<(vk::Semaphore, Option<u64>)>>,
    lost: AtomicBool,
    abandoned: AtomicBool,
    /// See [`fork::is_after`].
    opened: u32,
    /// Shared while commands are recorded; exclusive while the host uses memory in place.
    recording: RwLock<()>,
    /// Nanoseconds: see [`crate::Device::set_polling`].
    polling: AtomicU64,
    /// See [`crate::Device::set_overlap`].
    overlaps: AtomicBool,
    /// Whether the host resets queries (the feature `hostQueryReset`).
    pub resets_queries: bool,
    /// What keeps a device alive that a program created and destroys.
    pub borrowed: Option<Borrowed>,
    /// To be executed when a pipeline was created, where the driver needs it.
    pub instruction_fence: Option<InstructionFence>,
    /// The last pipelines that were dropped, where there is an instruction fence: see [`RawDevice::retire_pipeline`].
    retired_pipelines: Mutex<VecDeque<vk::Pipeline>>,
    /// Keeps the clock of the device up, where the driver lets it fall.
    pub clock: Option<Clock>,
    pub instance: Arc<InstanceShared>,
}

impl RawDevice {
    /// Takes ownership of `raw`, which was created from `instance`. `resets_queries`: whether `hostQueryReset` is enabled.
    pub fn new(raw: ash::Device, instance: Arc<InstanceShared>, resets_queries: bool) -> RawDevice {
        RawDevice {
            raw: with_checked_mapping(&raw),
            garbage: Garbage::default(),
            idle_timelines: Mutex::default(),
            lost: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
            opened: fork::device_opened(),
            recording: RwLock::default(),
            polling: AtomicU64::new(0),
            overlaps: AtomicBool::new(true),
            resets_queries,
            borrowed: None,
            instruction_fence: None,
            retired_pipelines: Mutex::default(),
            clock: None,
            instance,
        }
    }

    /// Whether a call has reported that the device is lost, or this process is a child of the one that opened it.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed) || self.is_of_parent()
    }

    /// The error of what needs a device that is lost.
    pub fn loss(&self) -> Error {
        Error::DeviceLost { call: if self.is_of_parent() { "fork" } else { "an earlier call" } }
    }

    /// Whether the process was forked after the device was opened: the driver has no threads here.
    fn is_of_parent(&self) -> bool {
        fork::is_after(self.opened)
    }

    /// From now on the device counts as lost.
    pub fn set_lost(&self) {
        self.lost.store(true, Ordering::Relaxed);
    }

    /// From now on nothing waits for the device, and what it may use is never destroyed.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
        self.set_lost();
    }

    /// Whether nothing may wait for the device.
    pub fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed) || self.is_of_parent()
    }

    /// How long whoever waits polls before it sleeps.
    pub fn polling(&self) -> Duration {
        Duration::from_nanos(self.polling.load(Ordering::Relaxed))
    }

    /// Sets how long whoever waits polls before it sleeps.
    pub fn set_polling(&self, limit: Duration) {
        let nanoseconds = u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
        self.polling.store(nanoseconds, Ordering::Relaxed);
    }

    /// Whether commands that do not depend on each other may overlap.
    pub fn overlaps(&self) -> bool {
        self.overlaps.load(Ordering::Relaxed)
    }

    /// Sets whether commands that do not depend on each other may overlap.
    pub fn set_overlap(&self, overlaps: bool) {
        self.overlaps.store(overlaps, Ordering::Relaxed);
    }

    /// For `map_err` after a Vulkan call: remembers that the device is lost.
    pub fn error(&self, call: &'static str) -> impl Fn(vk::Result) -> Error + '_ {
        move |result| {
            if result == vk::Result::ERROR_DEVICE_LOST {
                self.set_lost();
            }
            Error::vulkan(call)(result)
        }
    }

    /// To be held while a command is recorded, from the check of what it uses on.
    pub fn recording(&self) -> RwLockReadGuard<'_, ()> {
        self.recording.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// While it is held no command is recorded. If the device is idle then, it stays idle.
    pub fn exclude_recording(&self) -> RwLockWriteGuard<'_, ()> {
        self.recording.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// A ticket for work that is about to be recorded: nothing dropped from now on is destroyed before [`RawDevice::end_work`].
    pub fn begin_work(&self) -> u64 {
        if let Some(clock) = &self.clock {
            clock.note_work();
        }
        self.garbage.begin_work()
    }

    /// The work is complete, or will never be executed.
    pub fn end_work(&self, ticket: u64) {
        self.garbage.end_work(&self.raw, ticket);
    }

    /// Whether no work is under way.
    pub fn is_idle(&self) -> bool {
        self.garbage.is_idle()
    }

    /// Calls `destroy` as soon as no work that has begun can use what it destroys.
    pub fn discard(&self, destroy: impl FnOnce(&ash::Device) + Send + 'static) {
        self.garbage.discard(&self.raw, destroy);
    }

    /// Destroys a pipeline as soon as no work that has begun can use it. With an instruction fence a number of later ones must have
    /// been dropped before: after one fence in some 100,000 a new pipeline was executed as the destroyed one whose memory it got
    /// (580.159.04). By then many fences have been executed.
    pub fn retire_pipeline(&self, pipeline: vk::Pipeline) {
        let destroyed = if self.instruction_fence.is_some() {
            let mut retired = self.retired_pipelines.lock().unwrap_or_else(PoisonError::into_inner);
            retired.push_back(pipeline);
            if retired.len() > MAX_RETIRED { retired.pop_front() } else { None }
        } else {
            Some(pipeline)
        };
        if let Some(pipeline) = destroyed {
            // SAFETY: it was created from this device and was dropped, and nothing that was submitted uses it.
            self.discard(move |device| unsafe { device.destroy_pipeline(pipeline, None) });
        }
    }

    /// A timeline semaphore that no queue uses, and its value.
    pub(super) fn take_timeline(&self) -> Option<(vk::Semaphore, u64)> {
        let mut idle = self.idle_timelines.lock().unwrap_or_else(PoisonError::into_inner);
        let index = idle.iter().position(|(_, value)| value.is_some())?;
        let (raw, value) = idle.swap_remove(index);
        value.map(|value| (raw, value))
    }

    /// Keeps a timeline semaphore; without a value it is not used again.
    pub(super) fn keep_timeline(&self, raw: vk::Semaphore, value: Option<u64>) {
        self.idle_timelines.lock().unwrap_or_else(PoisonError::into_inner).push((raw, value));
    }
}

impl Deref for RawDevice {
    type Target = ash::Device;

    fn deref(&self) -> &ash::Device {
        &self.raw
    }
}

impl Drop for RawDevice {
    fn drop(&mut self) {
        if self.is_of_parent() {
            // The driver would wait for its threads to end, as it would when the instance is destroyed, by us or by the program that
            // lends the device.
            std::mem::forget(self.instance.clone());
            // Its thread may have held the lock when the process was forked.
            std::mem::forget(self.clock.take());
            return std::mem::forget(self.borrowed.take());
        }
        let timelines = std::mem::take(&mut *self.idle_timelines.lock().unwrap_or_else(PoisonError::into_inner));
        let retired = std::mem::take(&mut *self.retired_pipelines.lock().unwrap_or_else(PoisonError::into_inner));
        // SAFETY: everything made from the device holds an Arc of this struct, so nothing of it is left. An error of the
        // wait (device lost) changes nothing: the device is destroyed in any case.
        unsafe {
            match &self.borrowed {
                None => {
                    let _ = self.raw.device_wait_idle();
                }
                // The program may use other queues meanwhile.
                Some(borrowed) => {
                    for queue in &borrowed.queues {
                        let _ = self.raw.queue_wait_idle(*queue.lock());
                    }
                }
            }
            self.garbage.destroy_all(&self.raw);
            if let Some(fence) = &self.instruction_fence {
                fence.destroy(&self.raw);
            }
            for pipeline in retired {
                self.raw.destroy_pipeline(pipeline, None);
            }
            for (semaphore, _) in timelines {
                self.raw.destroy_semaphore(semaphore, None);
            }
            if self.borrowed.is_none() {
                self.raw.destroy_device(None);
            }
        }
    }
}
