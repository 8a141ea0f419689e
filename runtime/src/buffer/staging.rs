//! Large transfers between pageable memory of the host and a device, through several staging buffers: while the device copies
//! one, threads of the host fill or empty others.
//!
//! Each thread has staging buffers of its own and takes every n-th chunk, so that threads meet only where they record.

use crate::background;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::host_copy;
use crate::memory::RawBuffer;
use crate::queue::Queue;
use crate::submission::{Command, Event, Recording, Stage, Use};
use crate::vulkan::DeviceKind;
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::sync::atomic::Ordering;
use std::sync::{LazyLock, MutexGuard, PoisonError};

/// Size of a staging buffer, and of the largest chunk.
const CHUNK: usize = 2 << 20;
/// Size of the smallest chunk.
const LEAST_CHUNK: usize = 256 << 10;
/// Least bytes of a transfer that several threads share: to start them takes longer than to copy less (1 MiB: 92 µs by one
/// thread, 295 µs by four, on a machine with an NVIDIA H100).
pub(crate) const LEAST: usize = 4 << 20;
/// Most threads: more do not copy faster than a bus transfers.
const MOST_THREADS: usize = 4;
/// Staging buffers of a thread: one for the device and one for the host.
const BUFFERS: usize = 2;

/// A part of a transfer: its place on the device, and its bytes on the host.
type Chunk<P, B> = (P, B);

impl Queue {
    /// Writes bytes, at least one, to a buffer by a command of this queue. The ranges were checked.
    pub(super) fn write_staged(
        &self,
        command: &Command<'_>,
        target: &RawBuffer,
        at: u64,
        bytes: &[u8],
    ) -> Result<Event> {
        let size = chunk_size(bytes.len());
        let chunks = bytes.chunks(size).enumerate().map(|(index, bytes)| (at + (index * size) as u64, bytes));
        self.write_chunks(command, chunks.collect(), |recording, stage, at, size| {
            let region = vk::BufferCopy { src_offset: 0, dst_offset: at, size };
            // SAFETY: both buffers hold the range and have the transfer usages; they are different buffers.
            unsafe { recording.device.cmd_copy_buffer(recording.commands, stage.raw, target.raw, &[region]) };
        })
    }

    /// Reads bytes of a buffer, at least one, and waits for them. The ranges were checked.
    pub(super) fn read_staged(&self, source: &RawBuffer, at: u64, bytes: &mut [u8]) -> Result<()> {
        let size = chunk_size(bytes.len());
        let chunks = bytes.chunks_mut(size).enumerate().map(|(index, bytes)| (at + (index * size) as u64, bytes));
        self.read_chunks(chunks.collect(), |recording, stage, at, size| {
            let region = vk::BufferCopy { src_offset: at, dst_offset: 0, size };
            // SAFETY: as in `write_staged`.
            unsafe { recording.device.cmd_copy_buffer(recording.commands, source.raw, stage.raw, &[region]) };
        })
    }

    /// Writes chunks, at least one, by a command of this queue. `record` records the copy of a number of bytes from a staging
    /// buffer to a chunk's place.
    pub(crate) fn write_chunks<P: Send>(
        &self,
        command: &Command<'_>,
        chunks: Vec<Chunk<P, &[u8]>>,
        record: impl Fn(&Recording<'_>, &RawBuffer, P, u64) + Sync,
    ) -> Result<Event> {
        let size = largest(chunks.iter().map(|(_, bytes)| bytes.len()));
        let last = self.with_stages(chunks, size, threads(), |stages, chunks| {
            let mut last = None;
            for (index, (place, bytes)) in chunks.into_iter().enumerate() {
                let stage = stages.get_mut(index % BUFFERS).ok_or_else(missing)?;
                self.stream.wait(stage.busy, None)?;
                let memory = stage.buffer.mapped().ok_or_else(missing)?;
                // SAFETY: a chunk is not longer than the staging buffer, which is this thread's; the device has done with it.
                unsafe { host_copy::copy(bytes.as_ptr(), memory, bytes.len()) };
                let copy = |recording: &Recording<'_>| record(recording, &stage.buffer, place, bytes.len() as u64);
                let event = self.copy_part(command, copy)?;
                stage.busy = event.value();
                last = Some(event);
            }
            Ok(last)
        })?;
        last.ok_or_else(missing)
    }

    /// Reads chunks, at least one, and waits for them. `record` records the copy of a number of bytes from a chunk's place to
    /// a staging buffer.
    pub(crate) fn read_chunks<P: Send>(
        &self,
        chunks: Vec<Chunk<P, &mut [u8]>>,
        record: impl Fn(&Recording<'_>, &RawBuffer, P, u64) + Sync,
    ) -> Result<()> {
        let command = Command::new(&self.stream);
        let size = largest(chunks.iter().map(|(_, bytes)| bytes.len()));
        let whole: usize = chunks.iter().map(|(_, bytes)| bytes.len()).sum();
        let threads = if whole < LEAST { 1 } else { threads() };
        let read = self.with_stages(chunks, size, threads, |stages, chunks| {
            let mut under_way: Option<(usize, &mut [u8])> = None;
            for (index, (place, bytes)) in chunks.into_iter().enumerate() {
                let stage = stages.get_mut(index % BUFFERS).ok_or_else(missing)?;
                self.stream.wait(stage.busy, None)?;
                let copy = |recording: &Recording<'_>| record(recording, &stage.buffer, place, bytes.len() as u64);
                stage.busy = self.copy_part(&command, copy)?.value();
                if let Some((index, bytes)) = under_way.replace((index, bytes)) {
                    self.receive(stages, index, bytes)?;
                }
            }
            under_way.map_or(Ok(()), |(index, bytes)| self.receive(stages, index, bytes))?;
            Ok(None)
        });
        read.map(drop)
    }

    /// Waits for a chunk and copies it from its staging buffer.
    fn receive(&self, stages: &[Stage], index: usize, bytes: &mut [u8]) -> Result<()> {
        let stage = stages.get(index % BUFFERS).ok_or_else(missing)?;
        self.stream.wait(stage.busy, None)?;
        let memory = stage.buffer.mapped().ok_or_else(missing)?;
        // SAFETY: a chunk is not longer than the staging buffer, which is this thread's; the copy to it is complete.
        unsafe { host_copy::copy(memory, bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    /// Records and submits one part of a command.
    fn copy_part(&self, command: &Command<'_>, record: impl FnOnce(&Recording<'_>)) -> Result<Event> {
        let mut session = command.part(Use::Transfer);
        let commands = session.batch()?.commands;
        record(&Recording { device: self.stream.device(), commands });
        session.submit()
    }

    /// Calls `work` on several threads, each with its staging buffers, of at least `size` bytes, and its share of the chunks.
    /// Returns the last event.
    fn with_stages<C: Send>(
        &self,
        chunks: Vec<C>,
        size: usize,
        threads: usize,
        work: impl Fn(&mut [Stage], Vec<C>) -> Result<Option<Event>> + Sync,
    ) -> Result<Option<Event>> {
        let count = threads.min(chunks.len()).max(1);
        let buffers = if chunks.len() == 1 { 1 } else { count * BUFFERS };
        let mut stages = self.stream.take_stages(buffers, size as u64, || self.device.take_spare_stage(size))?;
        let mut shares: Vec<Vec<C>> = (0..count).map(|_| Vec::new()).collect();
        for (index, chunk) in chunks.into_iter().enumerate() {
            if let Some(share) = shares.get_mut(index % count) {
                share.push(chunk);
            }
        }
        let mut parts = stages.chunks_mut(BUFFERS).zip(shares);
        let own = parts.next();
        let results = std::thread::scope(|scope| {
            let work = &work;
            let others: Vec<_> = parts.map(|(stages, share)| scope.spawn(move || work(stages, share))).collect();
            let own = own.map_or(Ok(None), |(stages, share)| work(stages, share));
            let joined = others.into_iter().map(|thread| {
                thread.join().unwrap_or_else(|_| Err(Error::Internal("a thread of a transfer has panicked".into())))
            });
            std::iter::once(own).chain(joined).collect::<Vec<_>>()
        });
        let events = results.into_iter().collect::<Result<Vec<_>>>()?;
        self.stream.keep_stages(stages);
        Ok(events.into_iter().flatten().max_by_key(Event::value))
    }
}

impl Device {
    /// Lets another thread make staging buffers, once, for transfers of all of a buffer of `size` bytes, which the program has
    /// created: they are memory that the device reads across the bus, for which NVIDIA's driver takes 0.7 ms each (H200, 580.159.04:
    /// the first write of 6 MiB took 6.5 ms and the second one 0.7).
    pub(super) fn prepare_stages(&self, size: u64) {
        let shared = &self.shared;
        if size < LEAST_CHUNK as u64 || shared.info.kind != DeviceKind::DiscreteGpu {
            return;
        }
        let wanted = if size < LEAST as u64 { BUFFERS } else { threads() * BUFFERS };
        let begun = shared.stages_begun.fetch_max(wanted, Ordering::Relaxed);
        if begun >= wanted {
            return;
        }
        let device = self.clone();
        background::spawn(move || {
            for _ in begun..wanted {
                match device.raw_buffer(CHUNK as u64, MemoryLocation::GpuToCpu) {
                    Ok(buffer) => device.spare_stages().push(buffer),
                    // A transfer tries again, and says so.
                    Err(_) => return,
                }
            }
        });
    }

    /// One of these, if it has so many bytes.
    fn take_spare_stage(&self, size: usize) -> Option<RawBuffer> {
        if size > CHUNK { None } else { self.spare_stages().pop() }
    }

    fn spare_stages(&self) -> MutexGuard<'_, Vec<RawBuffer>> {
        self.shared.spare_stages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// As many threads as the host can spare, found out once: on Linux that reads files of the process' control group.
fn threads() -> usize {
    static THREADS: LazyLock<usize> = LazyLock::new(|| {
        std::thread::available_parallelism().map_or(1, |cores| (cores.get() / 2).clamp(1, MOST_THREADS))
    });
    *THREADS
}

/// The size of staging buffers for chunks of these sizes: all have the same, unless one row of an image takes more.
fn largest(sizes: impl Iterator<Item = usize>) -> usize {
    sizes.max().unwrap_or(0).max(CHUNK).next_multiple_of(16)
}

/// Chunks of smaller transfers are smaller, so that every thread gets some.
pub(crate) fn chunk_size(bytes: usize) -> usize {
    (bytes / (MOST_THREADS * BUFFERS)).next_multiple_of(4096).clamp(LEAST_CHUNK, CHUNK)
}

fn missing() -> Error {
    Error::Internal("a transfer has no staging buffer".into())
}
