//! Copies of command buffers for other queues (`clRemapCommandBufferKHR`).

use super::{Command, CommandBuffer, Dispatch, What};
use crate::error::{Error, Result, ensure};
use crate::handle::Ref;
use crate::number;
use crate::queue::Queue;
use opencl_sys::*;
use std::collections::HashMap;

impl CommandBuffer {
    /// A copy for other queues, in the same state, and its copies of launches.
    ///
    /// If `is_automatic`, the driver chooses the queue of each command. Otherwise each queue stands for the one at its place.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` for another number of queues or launches of another command buffer, those of [`CommandBuffer::new`], and
    /// those of the commands.
    pub fn remapped(
        &self,
        queues: Vec<Ref<Queue>>,
        is_automatic: bool,
        launches: &[Ref<Dispatch>],
    ) -> Result<(Ref<CommandBuffer>, Vec<Ref<Dispatch>>)> {
        let fits = is_automatic || queues.len() == self.queues.len();
        ensure(fits, CL_INVALID_VALUE, "another number of queues")?;
        let same = queues.iter().all(|queue| queue.context().handle() == self.context().handle());
        ensure(same, CL_INVALID_CONTEXT, "queues of another context")?;
        let copy = CommandBuffer::new(queues, self.property_list.clone(), self.usage)?;
        let recording = self.lock();
        let mut copies = HashMap::new();
        for command in &recording.commands {
            let choices = if is_automatic { self.choices(command.queue, &copy) } else { vec![command.queue] };
            let what = first_success(choices, |queue| record_again(&copy, command, queue))?;
            if let (What::Launch(launch), What::Launch(again)) = (&command.what, what) {
                copies.insert(launch.handle(), again);
            }
        }
        if recording.is_finalized {
            copy.finalize()?;
        }
        let copies = launches.iter().map(|launch| copies.get(&launch.handle()).cloned()).collect::<Option<_>>();
        let foreign = || Error::value("not a command of this command buffer");
        Ok((copy, copies.ok_or_else(foreign)?))
    }

    /// The numbers of another command buffer's queues for the commands of a queue, the best first. Those of the same device are
    /// preferred, and commands of one queue stay together, since the host orders those of different queues.
    fn choices(&self, number: usize, other: &CommandBuffer) -> Vec<usize> {
        let of = |queue: &Ref<Queue>| queue.device().handle();
        let device = of(&self.queues[number]);
        let (mut same, others): (Vec<_>, Vec<_>) =
            (0..other.queues.len()).partition(|choice| of(&other.queues[*choice]) == device);
        // Each of several queues of a device gets its own one, as far as there are as many.
        let earlier = self.queues.iter().take(number).filter(|queue| of(queue) == device).count();
        let first = earlier.checked_rem(same.len()).unwrap_or_default();
        same.rotate_left(first);
        same.extend(others);
        same
    }
}

/// Records another command buffer's command for a queue of a number.
///
/// # Errors
/// Those of the command.
fn record_again(copy: &Ref<CommandBuffer>, command: &Command, queue: usize) -> Result<What> {
    let points: Vec<_> = command.waits.iter().map(|index| number::count(*index).saturating_add(1)).collect();
    let what = match &command.what {
        What::Launch(launch) => What::Launch(launch.copy_for(copy.handle(), copy.queue(queue))?),
        other => other.clone(),
    };
    copy.record(queue, &points, command.order, what.clone())?;
    Ok(what)
}

/// What one of the choices makes, or the error of the first.
fn first_success<T>(choices: Vec<usize>, make: impl Fn(usize) -> Result<T>) -> Result<T> {
    let mut first = None;
    for choice in choices {
        match make(choice) {
            Ok(made) => return Ok(made),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(|| Error::internal("a command buffer without queues")))
}
