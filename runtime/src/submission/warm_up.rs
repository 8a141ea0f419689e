//! The first batches of a stream, which are made, and may be executed, before it has commands.

use super::batch::Batch;
use super::hazards::{Footprint, Use};
use super::state::State;
use super::stream::CommandStream;
use crate::error::Result;

/// Batches that are made before the first command: a client that does not wait has few more at a time.
const FIRST_BATCHES: usize = 4;

impl CommandStream {
    /// Makes the batches of the first commands, and begins to record one, so that these commands do not wait for the memory of
    /// command buffers. NVIDIA's driver (580.159.04) takes 0.3 to 0.8 ms for the first batch and 20 us for each other one.
    ///
    /// # Errors
    /// [`crate::Error::OutOfMemory`].
    pub fn prepare_first(&self) -> Result<()> {
        let mut state = self.lock();
        self.prepare(&mut state)?;
        for _ in 1..FIRST_BATCHES {
            let batch = self.new_batch()?;
            state.free.push(batch);
        }
        Ok(())
    }

    /// Executes what `record` records in each of the first batches, unless the stream has, or had, commands. It does not wait for
    /// the device.
    ///
    /// # Errors
    /// [`crate::Error::DeviceLost`], [`crate::Error::OutOfMemory`].
    pub fn warm_up(&self, record: impl Fn(&mut Batch) -> Result<()>) -> Result<()> {
        let mut state = self.lock();
        if state.open.is_some() || !state.held.is_empty() || state.submitted != self.first_value() {
            return Ok(());
        }
        let prepared = state.prepared.take();
        let is_begun = prepared.is_some();
        let batches: Vec<Batch> = prepared.into_iter().chain(std::mem::take(&mut state.free)).collect();
        for (at, mut batch) in batches.into_iter().enumerate() {
            // Where that fails the batch is dropped: the next command makes another one.
            record_alone(&mut batch, is_begun && at == 0, &record)?;
            self.execute(&mut state, batch)?;
        }
        Ok(())
    }

    fn execute(&self, state: &mut State, mut batch: Batch) -> Result<()> {
        (batch.value, batch.ticket) = (state.submitted + 1, self.device().begin_work());
        state.submitted = batch.value;
        match self.submit_batch(&mut batch) {
            Ok(()) => {
                state.pending.push_back(batch);
                Ok(())
            }
            Err(error) => {
                self.fail(state, batch, &error);
                Err(error)
            }
        }
    }
}

/// Records a command into a batch, between timestamps where it has these.
fn record_alone(batch: &mut Batch, is_begun: bool, record: impl Fn(&mut Batch) -> Result<()>) -> Result<()> {
    if !is_begun {
        batch.begin()?;
    }
    batch.begin_command(Use::Kernel, &Footprint::default());
    batch.stamp();
    record(batch)?;
    batch.stamp();
    batch.end()
}
