//! The memory of device queues. A launch that enqueues has one to itself; a program keeps them for later launches, because events
//! may live longer than the launch that made them.

use super::record::{Record, long, word};
use super::times::TimeWriter;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::Result;
use crate::memory::RawBuffer;
use crate::narrow::{to_u32, to_usize};
use crate::queue::Queue;
use gpu_allocator::MemoryLocation;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

/// How many events there can be at a time: what a launch and all that it enqueues have not released.
pub const MOST_EVENTS: u32 = 16_384;
/// Bytes of all records of the kernels that run at a time.
pub const MEMORY_BYTES: u32 = 8 << 20;
/// Bytes of an event.
const EVENT_SIZE: usize = 32;
const EVENT: u64 = EVENT_SIZE as u64;
/// Bytes of the header, and where the parts behind it begin: the numbers of free events, events, and records.
const HEADER: u64 = 64;
const STACK_AT: u64 = HEADER;
const EVENTS_AT: u64 = STACK_AT + 4 * MOST_EVENTS as u64;
const RECORDS_AT: u64 = EVENTS_AT + EVENT * MOST_EVENTS as u64;

/// All memories of a program.
#[derive(Default)]
pub(crate) struct QueueMemories {
    all: Mutex<Vec<Arc<QueueMemory>>>,
    times: OnceLock<TimeWriter>,
}

/// One of them.
pub(crate) struct QueueMemory {
    raw: Arc<RawBuffer>,
    /// Locked by the launch that uses it: the number of free events, once it was used.
    free: Mutex<Option<u32>>,
}

/// A memory during a launch.
pub(crate) struct Held<'m> {
    buffer: Buffer,
    free: MutexGuard<'m, Option<u32>>,
}

/// An event's state.
#[derive(Clone, Copy)]
pub(crate) struct EventState {
    pub references: i32,
    pub status: i32,
    /// Nanoseconds of the command, without and with what it enqueued.
    pub times: [u64; 2],
}

impl QueueMemories {
    /// A memory that no launch uses.
    ///
    /// # Errors
    /// [`crate::Error::Allocation`], [`crate::Error::Vulkan`].
    pub fn take(&self, device: &Device) -> Result<Arc<QueueMemory>> {
        let mut memories = self.all();
        let is_idle = |memory: &Arc<QueueMemory>| !matches!(memory.free.try_lock(), Err(TryLockError::WouldBlock));
        // Nobody else has it, and nobody gets it before the list is unlocked.
        if let Some(idle) = memories.iter().find(|memory| Arc::strong_count(memory) == 1 && is_idle(memory)) {
            return Ok(idle.clone());
        }
        let raw = device.raw_buffer(RECORDS_AT + u64::from(MEMORY_BYTES), MemoryLocation::GpuOnly)?;
        let memory = Arc::new(QueueMemory { raw: Arc::new(raw), free: Mutex::default() });
        memories.push(memory.clone());
        Ok(memory)
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<QueueMemory>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The memory that an event is in, and its place there.
    fn place(&self, device: &Device, event: u64) -> Option<(Buffer, u64)> {
        self.all().iter().find_map(|memory| {
            let buffer = Buffer::of_raw(device, &memory.raw);
            let at = event.checked_sub(buffer.device_address()?)?;
            let is_event = (EVENTS_AT..RECORDS_AT).contains(&at) && (at - EVENTS_AT).is_multiple_of(EVENT);
            is_event.then_some((buffer, at))
        })
    }

    /// The state of an event; `None` for what is none.
    ///
    /// # Errors
    /// Those of [`Queue::read`].
    pub(crate) fn event(&self, queue: &Queue, event: u64) -> Result<Option<EventState>> {
        let Some((buffer, at)) = self.place(queue.device(), event) else { return Ok(None) };
        let mut bytes = [0; EVENT_SIZE];
        queue.read(&buffer, at, &mut bytes)?;
        Ok(Some(EventState::of(&bytes)))
    }

    /// Ends the command of an event.
    ///
    /// # Errors
    /// Those of [`Queue::write`].
    pub(crate) fn end(&self, queue: &Queue, event: u64, status: i32, times: [u64; 2]) -> Result<()> {
        let Some((buffer, at)) = self.place(queue.device(), event) else { return Ok(()) };
        let times = times.map(u64::to_le_bytes).concat();
        queue.write(&buffer, at + 8, &times)?;
        queue.write(&buffer, at + 4, &status.to_le_bytes()).map(drop)
    }
}

impl QueueMemories {
    /// Stores the times of an event at an address.
    ///
    /// # Errors
    /// [`crate::Error::MissingFeature`], [`crate::Error::OutOfMemory`], [`crate::Error::Vulkan`].
    pub fn write_times(&self, queue: &Queue, to: u64, times: [u64; 2]) -> Result<()> {
        if let Some(writer) = self.times.get() {
            return writer.write(queue, to, times);
        }
        let made = TimeWriter::new(queue.device())?;
        self.times.get_or_init(|| made).write(queue, to, times)
    }
}

impl EventState {
    fn of(bytes: &[u8]) -> EventState {
        let word = |at| word(bytes, at).unwrap_or(0).cast_signed();
        let long = |at| long(bytes, at).unwrap_or(0);
        EventState { references: word(0), status: word(4), times: [long(8), long(16)] }
    }
}

impl QueueMemory {
    /// The memory for a launch of a queue, without records.
    ///
    /// # Errors
    /// Those of [`Queue::write`].
    pub fn hold(&self, queue: &Queue, has_default: bool) -> Result<Held<'_>> {
        let buffer = Buffer::of_raw(queue.device(), &self.raw);
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if free.is_none() {
            // The first events are taken first.
            let numbers: Vec<u8> = (0..MOST_EVENTS).rev().flat_map(u32::to_le_bytes).collect();
            queue.write(&buffer, STACK_AT, &numbers)?;
        }
        let count = *free.get_or_insert(MOST_EVENTS);
        let limits = &queue.device().info().limits;
        let sub_group = limits.subgroup_size;
        let offsets = [STACK_AT, EVENTS_AT, RECORDS_AT].map(to_u32_offset);
        let words = [
            0,
            u32::MAX,
            MEMORY_BYTES,
            count,
            limits.max_work_group_invocations,
            sub_group,
            sub_group,
            0,
            offsets[0],
            offsets[1],
            offsets[2],
            limits.max_work_group_size[0],
            limits.max_work_group_size[1],
            limits.max_work_group_size[2],
            u32::from(has_default),
        ];
        queue.write(&buffer, 0, &words.map(u32::to_le_bytes).concat())?;
        Ok(Held { buffer, free })
    }
}

fn to_u32_offset(offset: u64) -> u32 {
    to_u32(to_usize(offset))
}

impl Held<'_> {
    /// The address of the memory.
    pub fn address(&self) -> Option<u64> {
        self.buffer.device_address()
    }

    /// The records that kernels have written since the last time. No kernel that enqueues is running.
    ///
    /// # Errors
    /// [`crate::Error::Launch`] for damaged memory, and those of [`Queue::read`].
    pub(crate) fn take_records(&mut self, queue: &Queue) -> Result<Vec<Record>> {
        let mut header = [0; 16];
        queue.read(&self.buffer, 0, &mut header)?;
        let word = |at| word(&header, at).unwrap_or(0);
        let (reserved, first_without_room) = (word(0), word(4));
        *self.free = Some(word(12).min(MOST_EVENTS));
        if reserved == 0 {
            return Ok(Vec::new());
        }
        let mut bytes = vec![0; reserved.min(first_without_room).min(MEMORY_BYTES) as usize];
        queue.read(&self.buffer, RECORDS_AT, &mut bytes)?;
        queue.write(&self.buffer, 0, &[0, u32::MAX].map(u32::to_le_bytes).concat())?;
        Record::read_all(&bytes)
    }

    /// Whether so many events are in use that those that are not should be looked for.
    pub(crate) fn is_short_of_events(&self) -> bool {
        self.free.is_some_and(|free| free < MOST_EVENTS / 2)
    }

    /// Frees the events that no program refers to, without those at these addresses. No kernel that enqueues is running.
    ///
    /// # Errors
    /// Those of [`Queue::read`].
    pub(crate) fn free_events(&mut self, queue: &Queue, needed: &HashSet<u64>) -> Result<()> {
        if *self.free == Some(MOST_EVENTS) {
            return Ok(());
        }
        let address = self.address().unwrap_or_default() + EVENTS_AT;
        let mut events = vec![0; EVENT_SIZE * MOST_EVENTS as usize];
        queue.read(&self.buffer, EVENTS_AT, &mut events)?;
        // Those that were free are so still: nothing was taken since they were counted.
        let free = self.free.unwrap_or(0);
        let mut stack = vec![0; free as usize * 4];
        queue.read(&self.buffer, STACK_AT, &mut stack)?;
        let stack: HashSet<u32> = stack.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let is_free = |number: &u32| {
            let state = EventState::of(&events[*number as usize * EVENT_SIZE..]);
            stack.contains(number) || state.references <= 0 && !needed.contains(&(address + u64::from(*number) * EVENT))
        };
        let numbers: Vec<u32> = (0..MOST_EVENTS).rev().filter(is_free).collect();
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        queue.write(&self.buffer, STACK_AT, &bytes)?;
        let count = to_u32(numbers.len());
        queue.write(&self.buffer, 12, &count.to_le_bytes())?;
        *self.free = Some(count);
        Ok(())
    }
}
