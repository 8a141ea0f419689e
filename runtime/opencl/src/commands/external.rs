//! Commands that hand external memory over, and back (`cl_khr_external_memory`).

use super::check_context;
use crate::error::{Result, ensure};
use crate::event::Event;
use crate::handle::Ref;
use crate::memory::Memory;
use crate::queue::{Enqueue, Queue, Started};
use opencl_sys::*;

/// Hands memory objects over to the driver (`clEnqueueAcquireExternalMemObjectsKHR`): their contents are then what another
/// interface has written. Or gives them back: their contents are in the external memory then.
///
/// # Errors
/// `CL_INVALID_MEM_OBJECT` for one that is not of external memory, `CL_INVALID_COMMAND_QUEUE` for a queue of another context or
/// of a device that does not use the memory.
pub fn hand_over(
    queue: &Ref<Queue>,
    objects: &[Ref<Memory>],
    command: cl_command_type,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    for object in objects {
        let external = object.external()?;
        check_context(queue, object).map_err(|error| error.with_code(CL_INVALID_COMMAND_QUEUE))?;
        let uses = external.is_for(queue.device());
        ensure(uses, CL_INVALID_COMMAND_QUEUE, "a queue of a device that does not use the external memory")?;
    }
    let (device, objects) = (queue.device().clone(), objects.to_vec());
    let action = move |_: &clforge_runtime::Queue| {
        objects.iter().try_for_each(|object| match command {
            CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR => object.renew_on(&device),
            _ => object.bring_to(&device),
        })?;
        Ok(Started::Nothing)
    };
    Enqueue::new(command, waits).on(queue, Box::new(action))
}
