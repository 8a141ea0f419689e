//! A stream of commands: its batches, and the semaphore that counts them.

use super::batch::{Batch, Replayable, Watch, batch_pool};
use super::gate::{Gate, Holder};
use super::state::{Failure, Stage, State};
use super::times::{Clock, Slots};
use crate::error::{Error, Result};
use crate::memory::{MemoryPool, RawBuffer};
#[cfg(unix)]
use crate::vulkan::SharedSemaphore;
use crate::vulkan::{CommandPool, RawDevice, SharedQueue, Timeline};
use ash::vk;
use gpu_allocator::MemoryLocation;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// Most batches that are submitted and not complete. Beyond it the host waits for the device, so that memory stays bounded.
const MAX_PENDING: usize = 8;
/// Batches that the next commands may open, for [`CommandStream::has_room`].
const OPENED: usize = 3;
/// Most staging buffers that are kept between transfers.
const MAX_STAGES: usize = 16;
/// With how many batches the device has enough to do, so that a launch is recorded behind others rather than submitted again: each
/// submission takes an H200 10 us, and one more launch in a batch 2 us.
const REPLAYED: usize = 2;
/// How long it has enough to do with one.
const SPACING: Duration = Duration::from_micros(30);

/// The state of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventStatus {
    /// In its queue, not yet submitted to the device.
    Queued,
    /// Submitted to the device.
    Submitted,
    /// Complete.
    Complete,
}

/// What a [`crate::Queue`], its clones and its events share.
pub(crate) struct CommandStream {
    state: Mutex<State>,
    /// Shared by commands that are recorded as a whole; held alone by one that is recorded in parts, which nothing may come
    /// between.
    whole: RwLock<()>,
    slots: Slots,
    /// Of the command buffers of all batches. It is used while the state is locked.
    pool: Arc<CommandPool>,
    /// Its value is that of the last batch that is complete.
    timeline: Arc<Timeline>,
    /// Vulkan's queue, which other streams may use too.
    queue: Arc<SharedQueue>,
    profiling: bool,
    memory: Arc<MemoryPool>,
    device: Arc<RawDevice>,
}

impl CommandStream {
    /// A stream on one of Vulkan's queues. `period`: nanoseconds per tick of the device's timestamps.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn new(
        device: &Arc<RawDevice>,
        memory: &Arc<MemoryPool>,
        queue: &Arc<SharedQueue>,
        profiling: bool,
        period: f32,
    ) -> Result<Arc<CommandStream>> {
        let timeline = Arc::new(Timeline::new(device)?);
        let state = State {
            open: None,
            held: VecDeque::with_capacity(MAX_PENDING + 1),
            pending: VecDeque::with_capacity(MAX_PENDING + 1),
            prepared: None,
            free: Vec::with_capacity(MAX_PENDING + 1),
            submitted: timeline.start,
            completed: timeline.start,
            failed: Vec::new(),
            clock: Clock::new(period, queue.timestamp_bits),
            ticks: Vec::new(),
            stages: Vec::new(),
        };
        Ok(Arc::new(CommandStream {
            state: Mutex::new(state),
            whole: RwLock::default(),
            slots: Slots::default(),
            pool: batch_pool(device, queue)?,
            timeline,
            queue: queue.clone(),
            profiling,
            memory: memory.clone(),
            device: device.clone(),
        }))
    }

    /// The device.
    pub fn device(&self) -> &Arc<RawDevice> {
        &self.device
    }

    /// Whether events record all times.
    pub fn is_profiling(&self) -> bool {
        self.profiling
    }

    /// Vulkan's queue.
    #[cfg(any(test, feature = "measure"))]
    pub(crate) fn shared_queue(&self) -> &Arc<SharedQueue> {
        &self.queue
    }

    /// A batch for commands that batches of streams on the same device execute.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn secondary_batch(&self) -> Result<Batch> {
        Batch::secondary(&self.device, &self.memory, &self.queue)
    }

    /// The value of the semaphore before the first batch.
    pub(super) fn first_value(&self) -> u64 {
        self.timeline.start
    }

    pub(super) fn slots(&self) -> &Slots {
        &self.slots
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// To be held while a command is recorded as a whole.
    pub(super) fn share(&self) -> RwLockReadGuard<'_, ()> {
        self.whole.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// While it is held nobody else records a command.
    pub(super) fn exclude_others(&self) -> RwLockWriteGuard<'_, ()> {
        self.whole.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The batch to record into.
    pub(super) fn open<'s>(&self, state: &'s mut State) -> Result<&'s mut Batch> {
        if state.open.is_none() {
            self.poll(state)?;
            while let Some(oldest) = state.pending.front()
                && state.pending.len() >= MAX_PENDING
            {
                self.timeline.wait(oldest.value, None)?;
                self.poll(state)?;
            }
            self.prepare(state)?;
            let prepared = state.prepared.take();
            let mut batch = prepared.ok_or_else(|| Error::Internal("a queue has no batch".into()))?;
            batch.value = state.submitted + 1;
            batch.ticket = self.device.begin_work();
            state.open = Some(batch);
        }
        state.open.as_mut().ok_or_else(|| Error::Internal("a queue has no batch".into()))
    }

    /// Begins to record a batch for the next command, unless there is one.
    pub(super) fn prepare(&self, state: &mut State) -> Result<()> {
        self.prepare_free(state)?;
        if state.prepared.is_none() {
            let batch = self.new_batch()?;
            begin(state, batch)?;
        }
        Ok(())
    }

    pub(super) fn new_batch(&self) -> Result<Batch> {
        Batch::new(&self.device, &self.memory, &self.pool, &self.queue, self.profiling)
    }

    /// The same if a complete batch can be reused.
    fn prepare_free(&self, state: &mut State) -> Result<()> {
        if state.prepared.is_none()
            && let Some(mut batch) = state.take_free()
        {
            batch.reset();
            begin(state, batch)?;
        }
        Ok(())
    }

    /// Whether a few more commands can be recorded without a wait for the device.
    pub fn has_room(&self) -> bool {
        let mut state = self.lock();
        // What is wrong the next command says.
        let _ = self.poll(&mut state);
        state.pending.len() + OPENED <= MAX_PENDING
    }

    /// `count` staging buffers of `size` bytes, for the caller alone: new ones unless there are `spare` ones.
    ///
    /// # Errors
    /// [`Error::Allocation`], [`Error::OutOfMemory`].
    pub fn take_stages(&self, count: usize, size: u64, spare: impl Fn() -> Option<RawBuffer>) -> Result<Vec<Stage>> {
        let mut stages = {
            let kept = &mut self.lock().stages;
            let first = kept.len().saturating_sub(count);
            kept.split_off(first)
        };
        stages.retain(|stage| stage.buffer.size >= size);
        while stages.len() < count {
            let buffer = match spare() {
                Some(buffer) => buffer,
                None => RawBuffer::new(&self.memory, size, MemoryLocation::GpuToCpu)?,
            };
            stages.push(Stage { buffer, busy: self.timeline.start });
        }
        Ok(stages)
    }

    /// Keeps staging buffers for the next transfer.
    pub fn keep_stages(&self, mut stages: Vec<Stage>) {
        let kept = &mut self.lock().stages;
        stages.truncate(MAX_STAGES.saturating_sub(kept.len()));
        kept.append(&mut stages);
    }

    /// Whether commands wait for the host at present.
    pub(super) fn is_held(&self) -> bool {
        let state = self.lock();
        !state.held.is_empty() || state.open.as_ref().is_some_and(|open| !open.may_start())
    }

    /// The value of the semaphore before the first command, and the times of a command that the host has executed by itself,
    /// just now.
    pub(super) fn executed_by_host(&self) -> (u64, u32) {
        let (slot, now) = (self.slots.take(), Instant::now());
        let times = self.profiling.then_some(now);
        if let Some(slot) = self.slots.lock().times(slot) {
            (slot.submitted, slot.started, slot.ended) = (Some(now), times, times);
        }
        (self.timeline.start, slot)
    }

    /// Ends the open batch, if there is one. It is submitted as soon as its gates and those of earlier batches are open.
    pub(super) fn submit(&self, state: &mut State) -> Result<()> {
        if let Some(batch) = state.open.take() {
            state.submitted = batch.value;
            state.held.push_back(batch);
        }
        self.release(state)?;
        // While the device works: what the next command would otherwise do first. Of a failure that command learns.
        let _ = self.prepare_free(state);
        Ok(())
    }

    /// Submits a complete batch again in which only `launch` is recorded, for a command whose times are recorded in `slot`.
    /// Returns its value. `None` if there is none, or if the device has batches enough: then more commands are likely to follow at
    /// once, and a batch of several takes less time than a submission of each.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub(super) fn replay(
        &self,
        state: &mut State,
        launch: &Replayable,
        watch: Option<&Arc<dyn Watch>>,
        slot: u32,
    ) -> Result<Option<u64>> {
        if state.open.is_some() || !state.held.is_empty() {
            return Ok(None);
        }
        self.poll(state)?;
        let Some(at) = state.free.iter().position(|batch| batch.recorded == *launch) else { return Ok(None) };
        let is_recent = |last: &Batch| last.submitted.is_some_and(|submitted| submitted.elapsed() < SPACING);
        if state.pending.len() >= REPLAYED || state.pending.back().is_some_and(is_recent) {
            // It is recorded anew, most often alone in its batch, which is the one to keep then.
            state.free[at].recorded.pipeline = 0;
            return Ok(None);
        }
        let mut batch = state.free.swap_remove(at);
        (batch.value, batch.ticket) = (state.submitted + 1, self.device.begin_work());
        self.slots.retain(slot);
        batch.rewind(slot);
        batch.watch(watch);
        state.submitted = batch.value;
        if let Err(error) = self.submit_batch(&mut batch) {
            self.fail(state, batch, &error);
            return Err(error);
        }
        let value = batch.value;
        state.pending.push_back(batch);
        Ok(Some(value))
    }

    /// Submits batches in order, up to the first whose gates are not all open. Returns the first failure; who waits for a later batch
    /// waits for its submission.
    fn release(&self, state: &mut State) -> Result<()> {
        let mut outcome = Ok(());
        while state.held.front().is_some_and(Batch::may_start)
            && let Some(mut batch) = state.held.pop_front()
        {
            let submitted = batch.end().and_then(|()| self.submit_batch(&mut batch));
            match submitted {
                Ok(()) => state.pending.push_back(batch),
                Err(error) => {
                    self.fail(state, batch, &error);
                    outcome = outcome.and(Err(error));
                }
            }
        }
        outcome
    }

    /// The gates that batches up to `value` wait for.
    pub fn gates(&self, value: u64) -> Vec<Arc<Gate>> {
        let state = self.lock();
        let held = state.held.iter().take_while(|batch| batch.value <= value);
        held.flat_map(|batch| batch.gates.iter().cloned()).collect()
    }

    /// Holds later commands back until these gates are open.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn hold(self: &Arc<Self>, gates: &[Arc<Gate>]) -> Result<()> {
        let _shared = self.share();
        let mut state = self.lock();
        self.split(&mut state)?;
        for gate in gates {
            if gate.register(self.clone()) {
                self.open(&mut state)?.gates.push(gate.clone());
            }
        }
        Ok(())
    }

    /// Ends the open batch, so that dependencies of later commands do not delay it.
    fn split(&self, state: &mut State) -> Result<()> {
        if state.open.as_ref().is_some_and(|open| !open.marks.is_empty()) {
            self.submit(state)?;
        }
        Ok(())
    }

    pub(super) fn submit_batch(&self, batch: &mut Batch) -> Result<()> {
        let commands = [batch.commands];
        let (semaphores, values) = batch.awaited_semaphores();
        let stages = vec![vk::PipelineStageFlags::ALL_COMMANDS; semaphores.len()];
        // Most batches wait for none and signal the stream's alone: nothing is allocated for them.
        let (own, own_value) = ([self.timeline.raw], [batch.value]);
        let (mut signals, mut signal_values) = (batch.signalled_semaphores(), Vec::new());
        if !signals.is_empty() {
            signals.push(self.timeline.raw);
            signal_values.resize(signals.len() - 1, 0);
            signal_values.push(batch.value);
        }
        let (signals, signal_values): (&[_], &[_]) =
            if signals.is_empty() { (&own, &own_value) } else { (&signals, &signal_values) };
        let mut timeline = vk::TimelineSemaphoreSubmitInfo::default()
            .wait_semaphore_values(&values)
            .signal_semaphore_values(signal_values);
        let submit = [vk::SubmitInfo::default()
            .wait_semaphores(&semaphores)
            .wait_dst_stage_mask(&stages)
            .command_buffers(&commands)
            .signal_semaphores(signals)
            .push_next(&mut timeline)];
        let now = Instant::now();
        batch.submitted = Some(now);
        {
            let mut slots = self.slots.lock();
            for mark in &batch.marks {
                if let Some(times) = slots.times(mark.slot) {
                    times.submitted = times.submitted.or(Some(now));
                }
            }
        }
        let queue = self.queue.lock();
        // SAFETY: the command buffer is executable and not pending. What it refers to is alive: the batch's ticket defers its
        // destruction, and the pipeline of one that is submitted again is the launch's. The semaphore's values rise from batch
        // to batch; the queue is locked.
        unsafe { self.device.queue_submit(*queue, &submit, vk::Fence::null()) }
            .map_err(self.device.error("vkQueueSubmit"))
    }

    /// Ends a batch that could not be submitted, and keeps it for reuse. Its value is signalled by the host, so that nothing waits for it for ever.
    pub(super) fn fail(&self, state: &mut State, mut batch: Batch, error: &Error) {
        let host = matches!(error, Error::OutOfMemory { host: true, .. });
        state.add_failure(batch.value, Failure::Memory { host });
        let earlier = state.pending.back().map(|last| last.value);
        let reached = earlier.map_or(Ok(()), |value| self.timeline.wait(value, None)).and_then(|()| self.poll(state));
        let info = vk::SemaphoreSignalInfo::default().semaphore(self.timeline.raw).value(batch.value);
        // SAFETY: all earlier values are reached, later ones are not submitted.
        if reached.is_ok() && unsafe { self.device.signal_semaphore(&info) }.is_ok() {
            state.completed = batch.value;
        } else {
            // Waiting for this batch or a later one would never end.
            self.device.set_lost();
        }
        {
            let mut slots = self.slots.lock();
            batch.marks.drain(..).for_each(|mark| slots.release(mark.slot));
        }
        self.device.end_work(batch.ticket);
        batch.recorded.pipeline = 0;
        batch.release();
        state.free.push(batch);
    }

    /// Retires the batches that the device has completed.
    ///
    /// # Errors
    /// [`Error::DeviceLost`].
    pub(super) fn poll(&self, state: &mut State) -> Result<()> {
        if state.pending.is_empty() {
            return Ok(());
        }
        if self.device.is_lost() {
            if !self.device.is_abandoned() {
                self.wait_idle();
                self.retire(state, u64::MAX);
            }
            return Err(self.device.loss());
        }
        self.retire(state, self.timeline.reached()?);
        Ok(())
    }

    /// Retires all pending batches up to a value.
    fn retire(&self, state: &mut State, value: u64) {
        while state.pending.front().is_some_and(|batch| batch.value <= value) {
            if let Some(batch) = state.pending.pop_front() {
                self.retire_batch(state, batch);
            }
        }
    }

    /// Records the times of a batch and keeps it for reuse.
    fn retire_batch(&self, state: &mut State, mut batch: Batch) {
        batch.read_stamps(&mut state.ticks);
        let (clock, ticks) = (&mut state.clock, &state.ticks);
        if let (Some(submitted), Some(first), Some(last)) = (batch.submitted, ticks.first(), ticks.last()) {
            clock.bound(submitted, Instant::now(), *first, *last);
        }
        let mut time = |query: Option<u32>| ticks.get(query? as usize).map(|ticks| clock.host(*ticks));
        {
            let mut slots = self.slots.lock();
            for mark in batch.marks.drain(..) {
                if let Some(times) = slots.times(mark.slot) {
                    times.started = times.started.or(time(mark.start));
                    times.ended = time(mark.end);
                }
                slots.release(mark.slot);
            }
        }
        for kernel in batch.watches.iter().filter_map(|watch| watch.ended_loop()) {
            state.add_failure(batch.value, Failure::LoopEnded { kernel });
        }
        state.completed = batch.value;
        self.device.end_work(batch.ticket);
        batch.release();
        state.free.push(batch);
    }

    /// Submits the open batch if its value is at most `value`.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`]: the commands are lost.
    pub fn flush_to(&self, value: u64) -> Result<()> {
        let mut state = self.lock();
        match &state.open {
            Some(open) if open.value <= value => self.submit(&mut state),
            _ => Ok(()),
        }
    }

    /// Waits for a batch, which is submitted first if it has not been yet.
    ///
    /// # Errors
    /// [`Error::Timeout`], and the failure of the batch.
    pub fn wait(&self, value: u64, limit: Option<Duration>) -> Result<()> {
        self.flush_to(value)?;
        {
            let state = self.lock();
            if value <= state.completed {
                return state.outcome(value);
            }
        }
        self.timeline.wait(value, limit)?;
        let mut state = self.lock();
        self.poll(&mut state)?;
        state.outcome(value)
    }

    /// Waits for all commands so far.
    ///
    /// # Errors
    /// As for [`CommandStream::wait`].
    pub fn finish(&self) -> Result<()> {
        self.flush_to(u64::MAX)?;
        let value = self.lock().submitted;
        match self.wait(value, None) {
            // It is complete, and its events say how.
            Err(Error::LoopEnded { .. }) => Ok(()),
            waited => waited,
        }
    }

    /// Whether a batch has ended. This locks nothing: a thread that asks again and again does not keep others from recording.
    pub fn has_ended(&self, value: u64) -> bool {
        // What has failed has ended, too.
        self.device.is_lost() || self.timeline.reached().map_or(true, |reached| value <= reached)
    }

    /// The state of a batch.
    ///
    /// # Errors
    /// The failure of the batch.
    pub fn status(&self, value: u64) -> Result<EventStatus> {
        let mut state = self.lock();
        self.poll(&mut state)?;
        if value <= state.completed {
            state.outcome(value)?;
            return Ok(EventStatus::Complete);
        }
        let held = state.held.front().is_some_and(|held| held.value <= value);
        Ok(if value <= state.submitted && !held { EventStatus::Submitted } else { EventStatus::Queued })
    }

    /// Lets later commands wait for a batch of another stream, which has been submitted.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    pub fn depend_on(&self, other: &CommandStream, value: u64) -> Result<()> {
        let mut state = self.lock();
        self.split(&mut state)?;
        self.open(&mut state)?.waits.push((other.timeline.clone(), value));
        Ok(())
    }

    /// Lets later commands wait until a program's semaphore has a value.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    ///
    /// # Safety
    /// It is a timeline semaphore of the device, and lives until those commands are complete.
    pub unsafe fn depend_on_semaphore(&self, semaphore: vk::Semaphore, value: u64) -> Result<()> {
        let timeline = Arc::new(Timeline::of_program(&self.device, semaphore));
        let mut state = self.lock();
        self.split(&mut state)?;
        self.open(&mut state)?.waits.push((timeline, value));
        Ok(())
    }

    /// Lets later commands wait until a semaphore of another interface is signalled.
    ///
    /// # Errors
    /// [`Error::DeviceLost`], [`Error::OutOfMemory`].
    #[cfg(unix)]
    pub fn depend_on_shared(&self, semaphore: &Arc<SharedSemaphore>) -> Result<()> {
        let mut state = self.lock();
        self.split(&mut state)?;
        self.open(&mut state)?.shared_waits.push(semaphore.clone());
        Ok(())
    }

    /// The semaphore that has the value of each batch when it is complete.
    pub fn semaphore(&self) -> vk::Semaphore {
        self.timeline.raw
    }

    /// Waits for Vulkan's queue, where the semaphore may never be signalled. If the device is lost this returns at once, and
    /// nothing is in use any more.
    fn wait_idle(&self) {
        let queue = self.queue.lock();
        // SAFETY: the queue is locked.
        let _ = unsafe { self.device.queue_wait_idle(*queue) };
    }
}

/// Begins to record a batch for the next command. One that cannot begin is kept for a later one.
fn begin(state: &mut State, mut batch: Batch) -> Result<()> {
    let begun = batch.begin();
    match begun {
        Ok(()) => state.prepared = Some(batch),
        Err(_) => state.free.push(batch),
    }
    begun
}

impl Holder for CommandStream {
    fn release_held(&self) -> Result<()> {
        self.release(&mut self.lock())
    }
}

impl Drop for CommandStream {
    fn drop(&mut self) {
        let mut state = self.lock();
        if self.device.is_abandoned() {
            // The device may still use them.
            std::mem::forget(std::mem::take(&mut state.pending));
            return;
        }
        // An error cannot be reported here; a batch that could not be submitted is not in use.
        let _ = self.submit(&mut state);
        match self.timeline.wait(state.submitted, None) {
            Ok(()) => _ = self.timeline.end.set(state.submitted),
            Err(_) => self.wait_idle(),
        }
        self.retire(&mut state, u64::MAX);
    }
}
