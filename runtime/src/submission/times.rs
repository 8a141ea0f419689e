//! When commands were queued, submitted, started and completed.

use crate::narrow::to_u32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The times of a command, all on the host's clock and in ascending order.
///
/// The device's times are measured by the device, so their differences are exact. Their position on the host's clock is
/// accurate to the time between submission and completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventTimes {
    /// When the command was put into its queue.
    pub queued: Instant,
    /// When it was submitted to the device; `None` if it has not been yet.
    pub submitted: Option<Instant>,
    /// When the device started to execute it. `None` until it is complete, for queues without profiling, and for devices
    /// without timestamps; likewise for `ended`.
    pub started: Option<Instant>,
    /// When the device had completed it.
    pub ended: Option<Instant>,
}

impl EventTimes {
    /// How long the device executed it, if both times are known.
    pub fn device(&self) -> Option<Duration> {
        Some(self.ended?.duration_since(self.started?))
    }
}

/// Times of commands, each in a slot that is freed when no event and no batch refers to it. Slots are reused, so that
/// queueing a command allocates nothing.
#[derive(Default)]
pub(super) struct Slots {
    table: Mutex<SlotTable>,
}

/// What [`Slots::lock`] protects, for several changes at once.
#[derive(Default)]
pub(super) struct SlotTable {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

struct Slot {
    /// Number of events, batches and sessions that refer to it.
    references: u32,
    times: EventTimes,
}

impl Slots {
    pub fn lock(&self) -> MutexGuard<'_, SlotTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A slot with one reference, for a command that is queued now.
    pub fn take(&self) -> u32 {
        let times = EventTimes { queued: Instant::now(), submitted: None, started: None, ended: None };
        let slot = Slot { references: 1, times };
        let mut table = self.lock();
        match table.free.pop() {
            Some(index) => {
                if let Some(place) = table.slots.get_mut(index as usize) {
                    *place = slot;
                }
                index
            }
            None => {
                table.slots.push(slot);
                // Freeing a slot must not allocate either.
                let room = table.slots.capacity();
                let free = table.free.len();
                table.free.reserve(room.saturating_sub(free));
                to_u32(table.slots.len() - 1)
            }
        }
    }

    /// Adds a reference.
    pub fn retain(&self, index: u32) {
        if let Some(slot) = self.lock().slots.get_mut(index as usize) {
            slot.references += 1;
        }
    }

    /// Removes a reference.
    pub fn release(&self, index: u32) {
        self.lock().release(index);
    }

    /// The times of a slot.
    pub fn get(&self, index: u32) -> Option<EventTimes> {
        Some(self.lock().slots.get(index as usize)?.times)
    }
}

impl SlotTable {
    /// Removes a reference.
    pub fn release(&mut self, index: u32) {
        let Some(slot) = self.slots.get_mut(index as usize) else { return };
        slot.references = slot.references.saturating_sub(1);
        if slot.references == 0 {
            self.free.push(index);
        }
    }

    /// The times of a slot, to be changed.
    pub fn times(&mut self, index: u32) -> Option<&mut EventTimes> {
        Some(&mut self.slots.get_mut(index as usize)?.times)
    }
}

/// Converts the device's timestamps to times of the host's clock.
///
/// A batch does not start before it is submitted, nor end after the host has seen it complete. So each batch bounds the offset
/// between the two clocks, and the estimate follows the clocks as they drift.
pub(super) struct Clock {
    origin: Instant,
    /// Nanoseconds per tick.
    period: f64,
    /// Valid bits of a timestamp.
    bits: u32,
    /// The first timestamp, and the distance of the last one from it, in ticks.
    first: Option<u64>,
    last: i64,
    /// Nanoseconds from `origin` to the first tick.
    offset: i64,
}

impl Clock {
    pub fn new(period: f32, bits: u32) -> Clock {
        Clock { origin: Instant::now(), period: period.into(), bits, first: None, last: 0, offset: 0 }
    }

    /// Nanoseconds of the device's clock since the first timestamp. Timestamps wrap.
    #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates, after centuries")]
    fn nanoseconds(&mut self, ticks: u64) -> i64 {
        let first = *self.first.get_or_insert(ticks);
        let distance = ticks.wrapping_sub(first).wrapping_sub(self.last.cast_unsigned());
        let unused = 64 - self.bits.clamp(1, 64);
        let distance = (distance << unused).cast_signed() >> unused;
        self.last = self.last.wrapping_add(distance);
        (self.last as f64 * self.period) as i64
    }

    /// Adjusts the offset to a batch: its times on the host, and its first and last timestamp.
    pub fn bound(&mut self, submitted: Instant, seen: Instant, start: u64, end: u64) {
        let unknown = self.first.is_none();
        let since =
            |time: Instant| i64::try_from(time.saturating_duration_since(self.origin).as_nanos()).unwrap_or(i64::MAX);
        let (submitted, seen) = (since(submitted), since(seen));
        let low = submitted.saturating_sub(self.nanoseconds(start));
        let high = seen.saturating_sub(self.nanoseconds(end)).max(low);
        self.offset = if unknown { low } else { self.offset.clamp(low, high) };
    }

    /// The host's time of a timestamp.
    pub fn host(&mut self, ticks: u64) -> Instant {
        let nanoseconds = self.nanoseconds(ticks).saturating_add(self.offset).max(0);
        self.origin + Duration::from_nanos(nanoseconds.unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_wrap_and_stay_between_submission_and_completion() {
        let mut clock = Clock::new(10.0, 36);
        let ms = |n| clock.origin + Duration::from_millis(n);
        let (submitted, seen) = (ms(5), ms(9));
        // 100 us before the counter of 36 bits wraps, to 100 us after.
        let (start, end) = ((1u64 << 36) - 10_000, 10_000);
        clock.bound(submitted, seen, start, end);
        let (started, ended) = (clock.host(start), clock.host(end));
        assert_eq!(ended - started, Duration::from_micros(200));
        assert!(submitted <= started && ended <= seen);
        // The device's clock is found to be ahead: the next batch begins when it is submitted, not before.
        let (submitted, seen) = (seen + Duration::from_millis(20), seen + Duration::from_millis(21));
        clock.bound(submitted, seen, 20_000, 30_000);
        assert!(submitted <= clock.host(20_000) && clock.host(30_000) <= seen);
    }

    #[test]
    fn slots_are_reused_without_references() {
        let slots = Slots::default();
        let (a, b) = (slots.take(), slots.take());
        slots.retain(a);
        slots.release(a);
        slots.release(b);
        assert_eq!(slots.take(), b);
        slots.release(a);
        assert_eq!(slots.take(), a);
    }
}
