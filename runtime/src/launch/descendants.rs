//! What a launch enqueues, launched in rounds: each has all that waits for nothing any more, and ends before the next.

use super::nd_range::Launch;
use crate::device_enqueue::{Command, EventState, Held, NdRange, QueueMemories, Record};
use crate::error::{Error, Result};
use crate::program::{Arg, KernelShared};
use crate::queue::Queue;
use crate::submission::Event;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST`.
const FAILED_WAIT: i32 = -14;

/// Starts a kernel, whose queues have their memory at an address.
pub(super) type Start<'s> = &'s dyn Fn(&Arc<KernelShared>, &Launch, &[Arg<'_>], u64) -> Result<Event>;

/// Launches what a kernel has enqueued, and what that enqueues, until nothing is left. The kernel's own launch has ended.
///
/// # Errors
/// Those of launches; [`Error::Launch`] where something waits for an event that nothing completes, and for damaged memory.
pub(super) fn run(
    queue: &Queue,
    root: &Arc<KernelShared>,
    (memories, memory): (&QueueMemories, &mut Held<'_>),
    start: Start<'_>,
) -> Result<()> {
    let address = memory.address().ok_or_else(|| Error::Internal("device queues without addresses".into()))?;
    let mut family = Descendants { queue, root, address, memories, start, pending: Vec::new() };
    let ended = family.rounds(memory);
    // What is left after an error is forgotten.
    memory.free_events(queue, &HashSet::new())?;
    ended
}

struct Descendants<'a> {
    queue: &'a Queue,
    root: &'a Arc<KernelShared>,
    address: u64,
    memories: &'a QueueMemories,
    start: Start<'a>,
    pending: Vec<Record>,
}

/// A kernel that runs.
struct Running {
    event: Event,
    /// The event of its record.
    own: u64,
}

impl Descendants<'_> {
    fn rounds(&mut self, memory: &mut Held<'_>) -> Result<()> {
        loop {
            self.pending.extend(memory.take_records(self.queue)?);
            if self.pending.is_empty() {
                return Ok(());
            }
            if memory.is_short_of_events() {
                memory.free_events(self.queue, &self.needed_events())?;
            }
            if !self.round()? {
                return Err(Error::Launch(format!(
                    "{} of the commands that kernel '{}' has enqueued on the device wait for events that nothing completes",
                    self.pending.len(),
                    self.root.interface().name
                )));
            }
        }
    }

    /// Launches what is ready, and waits for it. Whether there was any.
    fn round(&mut self) -> Result<bool> {
        let states = self.states()?;
        let (mut running, mut is_any) = (Vec::new(), false);
        let began = Instant::now();
        let mut started = Ok(());
        for record in std::mem::take(&mut self.pending) {
            let waits = record.waits.iter().filter_map(|event| states.get(event));
            // What is no event was one once, or is the program's mistake.
            if waits.clone().any(|state| state.status > 0) {
                self.pending.push(record);
                continue;
            }
            is_any = true;
            let waits: Vec<EventState> = waits.copied().collect();
            started = self.start_one(&record, &waits, &mut running);
            if started.is_err() {
                break;
            }
        }
        // Also after an error: nothing of the family runs when its launch has ended.
        let flushed = self.queue.flush();
        let ended = running.iter().map(|running| running.event.wait()).fold(Ok(()), Result::and);
        started.and(flushed).and(ended)?;
        let elapsed = began.elapsed();
        for Running { event, own } in running.iter().filter(|running| running.own != 0) {
            let time = event.times().ok().and_then(|times| times.device()).unwrap_or(elapsed);
            self.memories.end(self.queue, *own, 0, [nanoseconds(time); 2])?;
        }
        Ok(is_any)
    }

    /// Starts what a record asks for, given the states of the events that it has waited for.
    fn start_one(&self, record: &Record, waits: &[EventState], running: &mut Vec<Running>) -> Result<()> {
        let failed = waits.iter().any(|state| state.status < 0);
        match &record.command {
            Command::Capture { to } => {
                let times = waits.first().map_or([0; 2], |state| state.times);
                self.memories.write_times(self.queue, *to, times)?;
            }
            _ if failed => self.memories.end(self.queue, record.event, FAILED_WAIT, [0; 2])?,
            Command::Marker => self.memories.end(self.queue, record.event, 0, [1; 2])?,
            Command::Kernel { number, range, local_sizes, block } => {
                let kernel = self.root.block(*number)?;
                let locals = local_sizes.iter().map(|size| Arg::Local((*size).max(1)));
                let args: Vec<Arg<'_>> = std::iter::once(Arg::Pod(block)).chain(locals).collect();
                let event = (self.start)(&kernel, &launch(range), &args, self.address)?;
                running.push(Running { event, own: record.event });
            }
        }
        Ok(())
    }

    /// The states of all events that something waits for.
    fn states(&self) -> Result<HashMap<u64, EventState>> {
        let mut states = HashMap::new();
        for event in self.pending.iter().flat_map(|record| &record.waits) {
            if !states.contains_key(event)
                && let Some(state) = self.memories.event(self.queue, *event)?
            {
                states.insert(*event, state);
            }
        }
        Ok(states)
    }

    /// The events of what has not run yet, and those that it waits for.
    fn needed_events(&self) -> HashSet<u64> {
        self.pending.iter().flat_map(|record| record.waits.iter().copied().chain([record.event])).collect()
    }
}

fn launch(range: &NdRange) -> Launch {
    let NdRange { dims, offset, global, local } = range;
    let launch = Launch::new(&global[..*dims]).offset(&offset[..*dims]);
    match local {
        Some(local) => launch.local(&local[..*dims]),
        None => launch,
    }
}

/// Never 0, which is the time of what has not run.
fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1)
}
