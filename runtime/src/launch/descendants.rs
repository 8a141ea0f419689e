//! What a launch enqueues, launched in rounds: each has all that waits for nothing any more, and ends before the next.

mod family;

use super::nd_range::Launch;
use crate::device_enqueue::{Command, EventState, Held, NdRange, QueueMemories, Record};
use crate::error::{Error, Result};
use crate::image::Sampler;
use crate::narrow::to_usize;
use crate::program::{Arg, KernelShared};
use crate::queue::Queue;
use crate::submission::Event;
use family::Family;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST`.
const FAILED_WAIT: i32 = -14;
/// `CL_OUT_OF_RESOURCES`.
const OUT_OF_RESOURCES: i32 = -5;

/// Starts a kernel, which knows its queues' memory by an address.
type Start<'l> = &'l dyn Fn(&Arc<KernelShared>, &Launch, &[Arg<'_>], u64) -> Result<Event>;

/// Starts and ends kernels.
pub(super) struct Launcher<'l> {
    pub start: Start<'l>,
    /// Waits for a kernel as long as the family may still take.
    pub wait: &'l dyn Fn(&Event) -> Result<()>,
}

/// Launches what a kernel has enqueued, and what that enqueues, until nothing is left. The kernel's own launch has ended.
///
/// # Errors
/// Those of launches; [`Error::Launch`] where something waits for an event that nothing completes, and for damaged memory.
/// A command that cannot be launched ends with an error, and the first such error is that of the family.
pub(super) fn run(
    queue: &Queue,
    (root, arguments): (&Arc<KernelShared>, &[Arg<'_>]),
    (memories, memory): (&QueueMemories, &mut Held<'_>),
    launcher: &Launcher<'_>,
) -> Result<()> {
    let address = memory.address().ok_or_else(|| Error::Internal("device queues without addresses".into()))?;
    let mut descendants = Descendants {
        queue,
        root,
        arguments,
        address,
        memories,
        launcher,
        pending: Vec::new(),
        family: Family::default(),
        refused: None,
    };
    let ended = descendants.rounds(memory);
    // What is left after an error is forgotten.
    memory.free_events(queue, &HashSet::new())?;
    ended.and(descendants.refused.map_or(Ok(()), Err))
}

struct Descendants<'a> {
    queue: &'a Queue,
    root: &'a Arc<KernelShared>,
    /// Of its launch.
    arguments: &'a [Arg<'a>],
    address: u64,
    memories: &'a QueueMemories,
    launcher: &'a Launcher<'a>,
    pending: Vec<Record>,
    family: Family,
    /// Why the first command was not launched that could not be.
    refused: Option<Error>,
}

/// A kernel of a round.
struct Running {
    event: Event,
    /// The event of its record, and that of the command that has enqueued it.
    ids: (u64, u64),
}

/// What has begun in a round.
#[derive(Default)]
struct Round {
    is_any: bool,
    running: Vec<Running>,
    /// Events of kernels that are complete as soon as they have ended, since they enqueue nothing.
    leaves: HashSet<u64>,
}

impl Descendants<'_> {
    fn rounds(&mut self, memory: &mut Held<'_>) -> Result<()> {
        let mut ended = Vec::new();
        loop {
            for mut record in memory.take_records(self.queue)? {
                if record.parent != 0 {
                    record.parent += self.address;
                }
                if !matches!(record.command, Command::Capture { .. }) {
                    self.family.add(record.event, record.parent);
                }
                self.pending.push(record);
            }
            // Only now is known what they have enqueued.
            for (ids, time) in ended {
                self.family.end((self.queue, self.memories), ids, time)?;
            }
            if self.pending.is_empty() {
                return match self.family.has_unfinished() {
                    false => Ok(()),
                    true => Err(Error::Internal("a command has ended and is not complete".into())),
                };
            }
            if memory.is_short_of_events() {
                let needed = self.needed_events();
                memory.free_events(self.queue, &needed)?;
                self.family.forget_others(&needed);
            }
            let round = self.round()?;
            if !round.is_any {
                return Err(Error::Launch(format!(
                    "{} of the commands that kernel '{}' has enqueued on the device wait for events that nothing completes",
                    self.pending.len(),
                    self.root.interface().name
                )));
            }
            ended = round.ended;
        }
    }

    /// Launches what is ready, and what that makes ready, and waits for it.
    fn round(&mut self) -> Result<Ended> {
        let states = self.states()?;
        let mut round = Round::default();
        let began = Instant::now();
        let started = self.start_ready(&states, &mut round);
        // Also after an error: nothing of the family runs when its launch has ended.
        let flushed = self.queue.flush();
        let waited = round.running.iter().map(|one| (self.launcher.wait)(&one.event)).fold(Ok(()), Result::and);
        started.and(flushed).and(waited)?;
        let elapsed = began.elapsed();
        let time = |event: &Event| event.times().ok().and_then(|times| times.device()).unwrap_or(elapsed);
        let ended = round.running.iter().map(|one| (one.ids, time(&one.event))).collect();
        Ok(Ended { is_any: round.is_any, ended })
    }

    /// Starts what waits for nothing but kernels of this round that enqueue nothing: those are executed in order. Events are
    /// complete for kernels only behind the round, with their times: so what can ask for times waits for the next round, and so
    /// does what waits for an event whose times are to be stored.
    fn start_ready(&mut self, states: &HashMap<u64, EventState>, round: &mut Round) -> Result<()> {
        let pending = std::mem::take(&mut self.pending);
        let captures = pending.iter().filter(|record| matches!(record.command, Command::Capture { .. }));
        let captured: HashSet<u64> = captures.flat_map(|record| record.waits.iter().copied()).collect();
        for record in pending {
            let state = |event: &u64| self.family.state(*event).or_else(|| states.get(event).copied());
            let may_follow = match record.command {
                Command::Kernel { number, .. } => !self.root.block(number)?.interface().enqueues,
                Command::Marker | Command::Capture { .. } => false,
            };
            let waits: Vec<EventState> = record
                .waits
                .iter()
                .filter(|event| !(may_follow && round.leaves.contains(event) && !captured.contains(event)))
                .filter_map(state)
                .collect();
            // What is no event was one once, or is the program's mistake.
            if waits.iter().any(|state| state.status > 0) {
                self.pending.push(record);
                continue;
            }
            round.is_any = true;
            self.start_one(&record, &waits, round)?;
        }
        Ok(())
    }

    /// Starts what a record asks for, given the states of the events that it has waited for.
    fn start_one(&mut self, record: &Record, waits: &[EventState], round: &mut Round) -> Result<()> {
        let failed = waits.iter().any(|state| state.status < 0);
        let (memory, ids) = ((self.queue, self.memories), (record.event, record.parent));
        match &record.command {
            Command::Capture { to } => {
                let times = waits.first().map_or([0; 2], |state| state.times);
                self.memories.write_times(self.queue, *to, times)?;
            }
            _ if failed => self.family.complete(memory, ids, FAILED_WAIT, [0; 2])?,
            Command::Marker => self.family.complete(memory, ids, 0, [1; 2])?,
            Command::Kernel { number, range, local_sizes, block } => {
                let kernel = self.root.block(*number)?;
                let locals = local_sizes.iter().map(|size| Arg::Local((*size).max(1)));
                let mut args = vec![Arg::Pod(block)];
                for captured in &kernel.interface().captured {
                    args.push(handle(self.arguments, block, captured.offset)?);
                }
                args.extend(locals);
                let known_by = [record.event, record.parent].into_iter().find(|event| *event != 0);
                // Before the kernel does: what its descendants take is counted from here.
                let began = Instant::now();
                let started = (self.launcher.start)(&kernel, &launch(range), &args, known_by.unwrap_or(self.address));
                match started {
                    Ok(event) => {
                        self.family.begin(record.event, record.parent, began);
                        round.running.push(Running { event, ids });
                        if record.event != 0 && !kernel.interface().enqueues {
                            round.leaves.insert(record.event);
                        }
                    }
                    Err(error) if is_of_one_launch(&error) => {
                        self.refused.get_or_insert(error);
                        self.family.complete(memory, ids, OUT_OF_RESOURCES, [0; 2])?;
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// The states of the events that something waits for and that others have made: user events, and those of other launches.
    fn states(&self) -> Result<HashMap<u64, EventState>> {
        let mut states = HashMap::new();
        for event in self.pending.iter().flat_map(|record| &record.waits) {
            if self.family.state(*event).is_none()
                && !states.contains_key(event)
                && let Some(state) = self.memories.event(self.queue, *event)?
            {
                states.insert(*event, state);
            }
        }
        Ok(states)
    }

    /// The events of what is not complete, and those that something waits for.
    fn needed_events(&self) -> HashSet<u64> {
        let pending = self.pending.iter().flat_map(|record| record.waits.iter().copied().chain([record.event]));
        pending.chain(self.family.unfinished()).collect()
    }
}

/// The image or sampler that a block has captured: a byte of its object has its number. See
/// [`clforge_compiler::interface::CapturedHandle`].
///
/// # Errors
/// [`Error::Launch`] where no argument has that number: a kernel has written to the memory of queues.
fn handle<'a>(arguments: &[Arg<'a>], block: &[u8], offset: u32) -> Result<Arg<'a>> {
    let number =
        block.get(offset as usize..).and_then(|rest| rest.first_chunk()).map(|bytes| u64::from_le_bytes(*bytes));
    let found = number.and_then(|number| match (number >> 32, number & u64::from(u32::MAX)) {
        (0, index) => arguments.get(to_usize(index)).copied(),
        (1, bits) => Some(Arg::Sampler(Sampler::from_bits(u32::try_from(bits).ok()?))),
        _ => None,
    });
    found.filter(|found| matches!(found, Arg::Image(_) | Arg::Sampler(_))).ok_or_else(|| {
        Error::Launch("a kernel has enqueued a block with an image or a sampler that it does not have".into())
    })
}

/// The result of a round.
struct Ended {
    is_any: bool,
    /// The kernels, and what they took.
    ended: Vec<((u64, u64), Duration)>,
}

/// Whether an error says that one launch is impossible, and nothing of the device.
fn is_of_one_launch(error: &Error) -> bool {
    matches!(error, Error::Launch(_) | Error::Limit { .. } | Error::SubGroupSize { .. } | Error::Unsupported(_))
}

fn launch(range: &NdRange) -> Launch {
    let NdRange { dims, offset, global, local } = range;
    let launch = Launch::new(&global[..*dims]).offset(&offset[..*dims]);
    match local {
        Some(local) => launch.local(&local[..*dims]),
        None => launch,
    }
}
