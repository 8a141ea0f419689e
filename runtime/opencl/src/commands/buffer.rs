//! Transfers between buffers and the host (section 5.2.2), and migration (section 5.5.4).

use super::{check_buffer, check_context};
use crate::client::ClientMemory;
use crate::error::{Result, ensure};
use crate::event::Event;
use crate::handle::Ref;
use crate::memory::{Contents, Memory, reached_at};
use crate::queue::{Enqueue, Queue, Started, Starter};
use opencl_sys::*;

/// Bytes of the client's that are copied in microseconds.
const SHORT: usize = 64 << 10;

/// Reads bytes of a buffer into the client's memory (`clEnqueueReadBuffer`). The caller waits for the command if `is_blocking`.
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_MEM_OBJECT`, `CL_INVALID_CONTEXT`, `CL_INVALID_OPERATION`.
pub fn read_buffer(
    queue: &Ref<Queue>,
    buffer: &Ref<Memory>,
    offset: usize,
    mut host: ClientMemory,
    waits: Vec<Ref<Event>>,
    is_blocking: bool,
) -> Result<Ref<Event>> {
    check_buffer(queue, buffer)?;
    buffer.check_range(offset, host.size())?;
    buffer.flags().host_reads()?;
    let reached = reached_at(queue.device(), &host);
    let starter = if is_blocking || reached.is_some() { Starter::Anyone } else { Starter::Queue };
    let (buffer, device) = (buffer.clone(), queue.device().clone());
    let action = move |queue: &clforge_runtime::Queue| {
        let source = buffer.read_on(&device, queue)?;
        if let Some((pinned, start)) = &reached {
            let event = queue.copy(&source, offset as u64, pinned, *start as u64, host.size() as u64)?;
            return Ok(Started::OnDevice(event));
        }
        queue.read(&source, offset as u64, host.bytes_mut())?;
        Ok(Started::Complete)
    };
    Enqueue::new(CL_COMMAND_READ_BUFFER, waits).by(starter).on(queue, Box::new(action))
}

/// Writes the client's bytes to a buffer (`clEnqueueWriteBuffer`). The caller waits for the command if `is_blocking`.
///
/// # Errors
/// As for [`read_buffer`].
pub fn write_buffer(
    queue: &Ref<Queue>,
    buffer: &Ref<Memory>,
    offset: usize,
    host: ClientMemory,
    waits: Vec<Ref<Event>>,
    is_blocking: bool,
) -> Result<Ref<Event>> {
    check_buffer(queue, buffer)?;
    buffer.check_range(offset, host.size())?;
    buffer.flags().host_writes()?;
    let (reached, size) = (reached_at(queue.device(), &host), host.size());
    let is_short = size < SHORT || reached.is_some();
    let (buffer, device) = (buffer.clone(), queue.device().clone());
    let action = move |queue: &clforge_runtime::Queue| {
        let _turns = Memory::turns_with([&buffer], &device);
        let target = buffer.write_on(&device, queue)?;
        Ok(Started::OnDevice(match &reached {
            Some((pinned, start)) => queue.copy(pinned, *start as u64, &target, offset as u64, size as u64)?,
            None => queue.write(&target, offset as u64, host.bytes())?,
        }))
    };
    let starter = if is_blocking || is_short { Starter::Anyone } else { Starter::Queue };
    Enqueue::new(CL_COMMAND_WRITE_BUFFER, waits).by(starter).on(queue, Box::new(action))
}

/// The whole buffer that an object is (a part of), and its first byte there.
pub(super) fn root(memory: &Ref<Memory>) -> (usize, usize) {
    match memory.contents() {
        Contents::Part(parent, origin) => (parent.handle(), *origin),
        _ => (memory.handle(), 0),
    }
}

/// The length of a pattern.
///
/// # Errors
/// `CL_INVALID_VALUE` for one that the specification does not allow.
pub(super) fn check_pattern(pattern: &[u8]) -> Result<usize> {
    let length = pattern.len();
    let known = length.is_power_of_two() && length <= 128;
    ensure(known, CL_INVALID_VALUE, "a pattern has 1, 2, 4, … or 128 bytes")?;
    Ok(length)
}

/// Checks the flags of a migration.
///
/// # Errors
/// `CL_INVALID_VALUE`.
pub fn check_migration(flags: cl_mem_migration_flags) -> Result<()> {
    let known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    ensure(flags & !known == 0, CL_INVALID_VALUE, "unknown flags of migration")
}

/// Brings memory objects to the queue's device (`clEnqueueMigrateMemObjects`); to the host there is nothing to bring.
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_CONTEXT`.
pub fn migrate(
    queue: &Ref<Queue>,
    command: cl_command_type,
    objects: Vec<Ref<Memory>>,
    flags: cl_mem_migration_flags,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    ensure(!objects.is_empty(), CL_INVALID_VALUE, "no memory objects to migrate")?;
    check_migration(flags)?;
    objects.iter().try_for_each(|object| check_context(queue, object))?;
    let device = queue.device().clone();
    let action = move |_: &clforge_runtime::Queue| {
        let mut objects = objects.iter().filter(|_| flags & CL_MIGRATE_MEM_OBJECT_HOST == 0);
        objects.try_for_each(|object| object.bring_to(&device))?;
        Ok(Started::Complete)
    };
    Enqueue::new(command, waits).on(queue, Box::new(action))
}
