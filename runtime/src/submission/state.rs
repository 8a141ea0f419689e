//! The batches of a stream: those that are recorded, executed, and kept.

use super::batch::Batch;
use super::times::Clock;
use crate::error::{Error, Result};
use crate::memory::RawBuffer;
use std::collections::VecDeque;
use std::sync::Arc;

/// Most complete batches that are kept because each has one launch only, for the next launch that is the same.
const MAX_KEPT: usize = 16;
/// Failed batches that are remembered.
const MAX_FAILED: usize = 64;

/// A staging buffer.
pub(crate) struct Stage {
    pub buffer: RawBuffer,
    /// The device uses it until the stream's semaphore has this value.
    pub busy: u64,
}

/// Why a batch has failed.
#[derive(Clone)]
pub(super) enum Failure {
    /// It could not be submitted; whether the host's memory was exhausted.
    Memory { host: bool },
    /// The driver has ended a loop of a kernel.
    LoopEnded { kernel: Arc<str> },
}

pub(super) struct State {
    /// The batch that commands are recorded into.
    pub open: Option<Batch>,
    /// Recorded batches, in order, the first of which waits for a gate.
    pub held: VecDeque<Batch>,
    /// Submitted batches, in order.
    pub pending: VecDeque<Batch>,
    /// A batch whose recording has begun, for the next command: see [`CommandStream::submit`].
    pub prepared: Option<Batch>,
    /// Batches that are complete, for reuse once they are reset.
    pub free: Vec<Batch>,
    /// Value of the last batch that was submitted, is held, or failed.
    pub submitted: u64,
    /// Value of the last batch that is complete.
    pub completed: u64,
    /// Values of batches that have failed, and why.
    pub failed: Vec<(u64, Failure)>,
    pub clock: Clock,
    /// Timestamps of the batch that is being retired.
    pub ticks: Vec<u64>,
    /// Staging buffers that no transfer uses at the moment.
    pub stages: Vec<Stage>,
}

impl State {
    /// A complete batch to record anew: of those of several commands the one that was complete last, whose memory is in use, or the
    /// one that was submitted first if many of one launch are kept.
    pub fn take_free(&mut self) -> Option<Batch> {
        let oldest = || {
            let all = self.free.iter().enumerate().min_by_key(|(_, batch)| batch.value);
            all.filter(|_| self.free.len() >= MAX_KEPT).map(|(at, _)| at)
        };
        let at = self.free.iter().rposition(|batch| batch.recorded.pipeline == 0).or_else(oldest)?;
        Some(self.free.swap_remove(at))
    }

    pub fn add_failure(&mut self, value: u64, failure: Failure) {
        if self.failed.len() >= MAX_FAILED {
            self.failed.remove(0);
        }
        self.failed.push((value, failure));
    }

    /// Whether a complete batch has failed.
    pub fn outcome(&self, value: u64) -> Result<()> {
        match self.failed.iter().find(|(failed, _)| *failed == value) {
            Some((_, Failure::Memory { host })) => Err(Error::OutOfMemory { call: "vkQueueSubmit", host: *host }),
            Some((_, Failure::LoopEnded { kernel })) => Err(Error::LoopEnded { kernel: kernel.to_string() }),
            None => Ok(()),
        }
    }
}
