//! Open devices: memory, queues and caches that everything made from a device shares.
//!
//! A `Device` is a handle of what all its objects share: the memory pool, the streams (the first one is its own, which
//! functions that wait for the device use), samplers, the cache, and the copier. It waits for all streams, gives the
//! host access to memory in place, and adapts compiler options to the driver (`Device::tuned`).

mod arithmetic;
mod borrow;
mod clock;
mod nvidia;
mod open;
mod warm_up;

pub use borrow::ExternalDevice;
pub use nvidia::NvidiaAttributes;

use crate::background;
use crate::cache::{Cache, PersistentPipelineCache};
use crate::copier::{self, Copier};
use crate::error::{Error, Result};
use crate::fork;
use crate::internal_kernel::InternalKernel;
use crate::memory::{MemoryPool, RawBuffer};
use crate::submission::CommandStream;
use crate::vulkan::{DeviceInfo, Quirk, RawDevice, RawSampler, SharedQueue};
use arithmetic::Arithmetic;
use ash::vk;
use clforge_compiler::Options;
use clforge_compiler::options::{AddressBits, Addressing};
use clforge_compiler::tuning::Tuning;
use clforge_compiler::workarounds::Workarounds;
use gpu_allocator::MemoryLocation;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLockWriteGuard, Weak};
use std::time::Duration;

/// An open Vulkan device. Cloning is cheap; all clones are the same device.
#[derive(Clone)]
pub struct Device {
    pub(crate) shared: Arc<DeviceShared>,
}

/// Fields are dropped in order: everything that lives on the device before the device.
pub(crate) struct DeviceShared {
    /// The kernel that copies, where it is faster than the device's own command; made at the first copy.
    copier: OnceLock<Option<Copier>>,
    /// Whether a thread compiles it, or has.
    copier_begun: AtomicBool,
    /// The kernel that does nothing (`warm_up.rs`), and how many streams were warmed up with it.
    nothing: OnceLock<Option<InternalKernel>>,
    warmed_up: AtomicUsize,
    /// Staging buffers that no stream has yet (`buffer/staging.rs`), and how many a thread makes or has made.
    pub spare_stages: Mutex<Vec<RawBuffer>>,
    pub stages_begun: AtomicUsize,
    /// The stream of [`Device::queue`], which synchronous functions use.
    pub default_stream: Arc<CommandStream>,
    streams: Mutex<Vec<Weak<CommandStream>>>,
    shared_queues: Vec<Arc<SharedQueue>>,
    /// Index of the shared queue that the next stream gets.
    next_queue: AtomicUsize,
    cache: Mutex<Cache>,
    /// See [`Device::set_background_compilation`].
    compiles_in_background: AtomicBool,
    /// See [`Device::set_compile_limit`].
    compile_limit: Mutex<Option<Duration>>,
    pub memory: Arc<MemoryPool>,
    /// By their `CLK_` bits.
    pub samplers: Mutex<HashMap<[u32; 4], RawSampler>>,
    pub physical: vk::PhysicalDevice,
    pub raw: Arc<RawDevice>,
    pub info: DeviceInfo,
    /// What its operations on floats are worth; found out when it is first needed.
    arithmetic: Arithmetic,
}

/// The factor by which loops are unrolled on a driver that limits their iterations: a million iterations instead of 65,535, where
/// the body is small.
const LIMITED_UNROLL_FACTOR: u32 = 16;
/// How often the host waits for an idle device before it lets the device copy instead.
const HOST_ACCESS_TRIES: u32 = 8;

impl Device {
    /// Sets the cache of programs that are created from now on. A device from [`crate::Instance::open`] has none at first.
    pub fn set_cache(&self, cache: Cache) {
        *self.shared.cache.lock().unwrap_or_else(PoisonError::into_inner) = cache;
    }

    /// The cache of programs: see [`Device::set_cache`].
    pub fn cache(&self) -> Cache {
        self.shared.cache.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The driver's cache of the pipelines of a module, as the driver gets it.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn pipeline_cache(&self, code: &[u32]) -> Result<PersistentPipelineCache> {
        PersistentPipelineCache::new(&self.shared.raw, self.shared.physical, self.cache(), code)
    }

    /// Where it is remembered which pipelines the launches of programs have needed: nowhere if nothing would be compiled before
    /// it is launched.
    pub(crate) fn history_cache(&self) -> Cache {
        if self.background_compilation() { self.cache() } else { Cache::off() }
    }

    /// Sets how long a thread that waits for the device polls its progress before it sleeps. Sleeping and waking take tens
    /// of microseconds, which is more than a short launch; polling keeps a core of the processor busy.
    ///
    /// The default is 500 microseconds for GPUs, and 0 (sleep at once) for drivers that execute on the processor, whose
    /// cores polling would take away, and on machines with one core.
    pub fn set_polling(&self, limit: Duration) {
        self.shared.raw.set_polling(limit);
    }

    /// Sets whether commands of a queue may be executed at the same time if neither accesses what the other one writes, which is so
    /// at first. Results do not depend on it. In queues with profiling commands never overlap.
    pub fn set_overlap(&self, overlaps: bool) {
        self.shared.raw.set_overlap(overlaps);
    }

    /// How long a thread polls before it sleeps: see [`Device::set_polling`].
    pub fn polling(&self) -> Duration {
        self.shared.raw.polling()
    }

    /// Sets whether threads in the background compile kernels that have not been launched yet. When a kernel is launched with
    /// a local size for the first time, the device's other kernels are compiled for that size; when it was launched with
    /// another one before, it is compiled for other sizes too. A kernel that requires a size is compiled when it is created. Where the
    /// device has a [`Cache`], the pipelines that launches of a program have needed are made when the next run loads it.
    /// Launches that come before a kernel is compiled wait for it. The exit of the process waits for the kernels that are
    /// being compiled, not for the others.
    ///
    /// The default is `true` for GPUs, and `false` for drivers that execute on the processor, whose cores it would take away.
    pub fn set_background_compilation(&self, wanted: bool) {
        self.shared.compiles_in_background.store(wanted, Ordering::Relaxed);
    }

    /// Whether kernels are compiled in the background: see [`Device::set_background_compilation`].
    pub fn background_compilation(&self) -> bool {
        self.shared.compiles_in_background.load(Ordering::Relaxed)
    }

    /// Sets how long a launch waits for the driver to compile its kernel; then it fails with [`Error::CompileTimeout`]. By default
    /// it waits for ever, or as long as [`crate::Launch::timeout`] says.
    pub fn set_compile_limit(&self, limit: Option<Duration>) {
        *self.shared.compile_limit.lock().unwrap_or_else(PoisonError::into_inner) = limit;
    }

    /// How long a launch waits for the driver: see [`Device::set_compile_limit`].
    pub fn compile_limit(&self) -> Option<Duration> {
        *self.shared.compile_limit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Name, limits, features and known defects.
    pub fn info(&self) -> &DeviceInfo {
        &self.shared.info
    }

    /// `options` adapted to this device and its driver: what is known of the device is added to [`Options::device`],
    /// and [`Options::codegen`] is adapted to its quirks. Of [`DeviceInfo::workarounds`] and [`DeviceInfo::tuning`]
    /// those stay that `options` has; if it has all of [`Workarounds::PORTABLE`] or [`Tuning::PORTABLE`], so do those
    /// that are not portable.
    pub fn tuned(&self, options: &Options) -> Options {
        let info = self.info();
        let (fused, found) = self.arithmetic(options);
        let mut tuned = options.clone();
        let (device, codegen) = (&mut tuned.device, &mut tuned.codegen);
        for feature in &info.features {
            device.float_atomics.enable(feature);
        }
        device.emulated |= info.emulated_types();
        // Device addresses have no bounds, and do not fit into pointers of 32 bits.
        let wants_descriptors = codegen.robust_buffer_access || options.language.address_bits == AddressBits::Bits32;
        if info.addressing() == Addressing::Logical || wants_descriptors {
            device.addressing = Addressing::Logical;
        }
        device.vulkan_memory_model &= info.has_feature("vulkanMemoryModel");
        device.opencl = device.opencl.min(info.opencl_version());
        device.fused_multiply_add = device.fused_multiply_add | fused;
        device.arithmetic = arithmetic::of_both(device.arithmetic, found);
        if device.matrices.is_empty() {
            device.matrices.clone_from(&info.matrices);
        }
        let [least, most] = info.limits.subgroup_size_range;
        device.sub_group_size = device.sub_group_size.or((least == most).then_some(least));
        device.least_sub_group_size = device.least_sub_group_size.max(least);
        device.linear_sub_groups |= info.has_quirk(Quirk::LinearSubGroups);
        if info.has_quirk(Quirk::LoopLimit) {
            codegen.unroll_factor = codegen.unroll_factor.max(LIMITED_UNROLL_FACTOR);
        }
        codegen.workarounds &= info.workarounds;
        if options.codegen.workarounds.contains(Workarounds::PORTABLE) {
            // Also those that a module for all drivers cannot have.
            codegen.workarounds |= info.workarounds - Workarounds::PORTABLE;
        }
        codegen.tuning &= info.tuning;
        if options.codegen.tuning.contains(Tuning::PORTABLE) {
            codegen.tuning |= info.tuning - Tuning::PORTABLE;
        }
        tuned
    }

    /// As [`Device::tuned`], for a program that is compiled again for a launch whose arguments overlap, or whose loops make many
    /// iterations: see [`clforge_compiler::CodegenOptions::distinct_arguments`] and
    /// [`clforge_compiler::CodegenOptions::few_iterations`]. Reports of sanitizers are those of the program as it is.
    #[must_use]
    pub fn tuned_for_launches(&self, options: &Options) -> Options {
        let tuned = self.tuned(options);
        let codegen = &tuned.codegen;
        // Programs with pointers of 32 bits are not compiled again.
        let may_differ = tuned.language.address_bits == AddressBits::Bits64 && codegen.sanitizers().is_empty();
        let gains = may_differ
            && codegen.tuning.contains(Tuning::NVIDIA_NON_WRITABLE)
            && tuned.device.addressing == Addressing::Physical64
            && !codegen.opt_disable;
        let has_limit = codegen.unroll_factor > 1;
        tuned.with_distinct_arguments(gains).with_few_iterations(may_differ && has_limit)
    }

    /// All messages of the validation layer so far, of all devices of the same [`crate::Instance`].
    pub fn validation_messages(&self) -> Vec<String> {
        self.shared.raw.instance.log.messages()
    }

    /// Waits for all work of all queues.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn finish(&self) -> Result<()> {
        if self.shared.raw.is_idle() {
            return Ok(());
        }
        let streams = self.shared.streams.lock().unwrap_or_else(PoisonError::into_inner);
        for stream in streams.iter().filter_map(Weak::upgrade) {
            stream.finish()?;
        }
        Ok(())
    }

    /// Gives the device up while it is at work, as after [`Error::LaunchTimeout`]: Vulkan cannot end a kernel. From now on
    /// functions that would wait for the device fail with [`Error::DeviceLost`], and dropping what was made from it does not
    /// wait. The device and all its memory stay as they are until the process ends; another device can be opened, also of the
    /// same hardware, which then still executes the kernel.
    pub fn abandon(&self) {
        self.shared.raw.abandon();
        // Kept for ever: memory, the queue of synchronous functions, and the device itself.
        std::mem::forget(self.shared.clone());
    }

    /// Bytes of device memory in use: buffers, images, and memory of work that is under way. The blocks that are
    /// requested of the driver are larger.
    pub fn memory_in_use(&self) -> u64 {
        self.shared.memory.used()
    }

    /// A number that no other device has that exists at the same time.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.shared).addr()
    }

    /// Whether both are the same device.
    pub(crate) fn is(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Whether copies of so many bytes within the device are as fast by a recorded command ([`crate::CommandRecorder::copy`]) as by
    /// [`crate::Queue::copy`]: some devices copy large ranges faster by a kernel.
    pub fn copies_by_command(&self, size: u64) -> bool {
        size < copier::LEAST || !Copier::is_wanted(&self.shared.info)
    }

    /// The kernel that copies, on devices that copy faster by one, once it is compiled: the first call lets another thread begin,
    /// so that no copy waits for the driver's compiler.
    pub(crate) fn copier(&self) -> Option<&Copier> {
        let shared = &self.shared;
        if let Some(made) = shared.copier.get() {
            return made.as_ref();
        }
        if Copier::is_wanted(&shared.info) && !shared.copier_begun.swap(true, Ordering::Relaxed) {
            let device = self.clone();
            background::spawn(move || {
                let shared = &device.shared;
                shared
                    .copier
                    .get_or_init(|| Copier::new(&shared.raw, &shared.info, |code| device.pipeline_cache(code)).ok());
            });
        }
        None
    }

    /// A stream of commands, on the next of Vulkan's queues.
    pub(crate) fn create_stream(&self, profiling: bool) -> Result<Arc<CommandStream>> {
        let shared = &self.shared;
        let index = shared.next_queue.fetch_add(1, Ordering::Relaxed) % shared.shared_queues.len().max(1);
        let queue = shared.shared_queues.get(index);
        let queue = queue.ok_or_else(|| Error::Internal("a device has no queue".into()))?;
        let period = shared.info.limits.timestamp_period;
        let stream = CommandStream::new(&shared.raw, &shared.memory, queue, profiling, period)?;
        let mut streams = shared.streams.lock().unwrap_or_else(PoisonError::into_inner);
        streams.retain(|stream| stream.strong_count() > 0);
        streams.push(Arc::downgrade(&stream));
        Ok(stream)
    }

    /// Waits until the device is idle. While the result is held it stays idle, and the host may use its memory in place; there
    /// is none where other threads keep it at work.
    ///
    /// # Errors
    /// As for [`Device::finish`].
    pub(crate) fn host_access(&self) -> Result<Option<RwLockWriteGuard<'_, ()>>> {
        for _ in 0..HOST_ACCESS_TRIES {
            self.finish()?;
            if let Some(access) = self.host_access_now() {
                return Ok(Some(access));
            }
        }
        Ok(None)
    }

    /// As [`Device::host_access`], without waiting for the device.
    pub(crate) fn host_access_now(&self) -> Option<RwLockWriteGuard<'_, ()>> {
        if fork::is_cut_off() {
            // A command reports that the device is lost.
            return None;
        }
        let access = self.shared.raw.exclude_recording();
        // Not to be waited for with the lock: what it waits for may be an event that a thread completes after it has recorded
        // something else.
        self.shared.raw.is_idle().then_some(access)
    }

    /// A buffer of `size` bytes, a multiple of 16, with memory.
    ///
    /// # Errors
    /// [`Error::Limit`], [`Error::Allocation`], [`Error::OutOfMemory`], [`Error::DeviceLost`].
    pub(crate) fn raw_buffer(&self, size: u64, location: MemoryLocation) -> Result<RawBuffer> {
        let limit = self.shared.info.limits.max_allocation;
        if size > limit {
            return Err(Error::Limit { what: "buffer size in bytes".into(), limit, requested: size });
        }
        match RawBuffer::new(&self.shared.memory, size, location) {
            // Buffers that were dropped keep their memory while work is under way.
            Err(Error::Allocation { .. } | Error::OutOfMemory { .. }) if !self.shared.raw.is_idle() => {
                self.finish()?;
                RawBuffer::new(&self.shared.memory, size, location)
            }
            made => made,
        }
    }
}
