//! Commands on shared virtual memory (section 5.6).

use super::map::check_map_flags;
use super::settle;
use crate::client::ClientMemory;
use crate::device::Sharing;
use crate::error::{Result, ensure};
use crate::event::Event;
use crate::handle::Ref;
use crate::queue::{Enqueue, Queue, Started, marker};
use crate::shared::SharedRange;
use clforge_runtime as runtime;
use opencl_sys::*;

/// One end of a copy.
enum End {
    Shared(SharedRange),
    Host(ClientMemory),
}

impl End {
    fn new(queue: &Queue, memory: ClientMemory) -> Result<End> {
        let shared = queue.context().shared().range(memory.address(), memory.size())?;
        Ok(shared.map_or(End::Host(memory), End::Shared))
    }
}

/// The range of shared memory that begins at an address; none where the device uses all of the host's memory, and another
/// part of it is there.
fn range_or_host(queue: &Queue, address: usize, size: usize) -> Result<Option<SharedRange>> {
    let found = queue.context().shared().range(address, size)?;
    let is_there = found.is_some() || queue.device().sharing() == Sharing::AllMemory;
    ensure(is_there, CL_INVALID_VALUE, "no shared memory is there")?;
    Ok(found)
}

/// Maps a range of shared memory for the host (`clEnqueueSVMMap`).
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_CONTEXT`.
pub fn map_shared(
    queue: &Ref<Queue>,
    flags: cl_map_flags,
    address: usize,
    size: usize,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    ensure(size > 0, CL_INVALID_VALUE, "a mapping of no bytes")?;
    check_map_flags(flags)?;
    let command = Enqueue::new(CL_COMMAND_SVM_MAP, waits);
    let Some(range) = range_or_host(queue, address, size)? else { return command.on(queue, marker()) };
    let is_read = flags & CL_MAP_WRITE_INVALIDATE_REGION == 0 && !range.memory.is_in_place();
    let mapped = range.clone();
    let action = move |queue: &runtime::Queue| {
        if is_read {
            queue.read(&range.buffer()?, 0, range.host().bytes_mut())?;
        }
        Ok(Started::Complete)
    };
    let event = command.on(queue, Box::new(action))?;
    mapped.map(flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) != 0);
    Ok(event)
}

/// Ends the mapping of the range that begins at an address (`clEnqueueSVMUnmap`).
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_CONTEXT`.
pub fn unmap_shared(queue: &Ref<Queue>, address: usize, waits: Vec<Ref<Event>>) -> Result<Ref<Event>> {
    let command = Enqueue::new(CL_COMMAND_SVM_UNMAP, waits);
    let Some(range) = range_or_host(queue, address, 0)? else { return command.on(queue, marker()) };
    command.check(queue)?;
    let mapped = range.unmap().filter(|mapped| mapped.is_written && !range.memory.is_in_place());
    let Some(mapped) = mapped else { return command.on(queue, marker()) };
    let range = SharedRange { size: mapped.size, ..range };
    let action =
        move |queue: &runtime::Queue| Ok(Started::OnDevice(queue.write(&range.buffer()?, 0, range.host().bytes())?));
    command.on(queue, Box::new(action))
}

/// Copies bytes between shared memory and shared or other memory of the host (`clEnqueueSVMMemcpy`,
/// `clEnqueueMemcpyINTEL`).
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_CONTEXT`, `CL_MEM_COPY_OVERLAP`.
pub fn copy_shared(
    queue: &Ref<Queue>,
    target: ClientMemory,
    source: ClientMemory,
    command: cl_command_type,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    let (to, from, size) = (target.address(), source.address(), source.size());
    let apart = to >= from.saturating_add(size) || from >= to.saturating_add(size);
    ensure(apart, CL_MEM_COPY_OVERLAP, "source and target overlap")?;
    let (target, source) = (End::new(queue, target)?, End::new(queue, source)?);
    let action = move |queue: &runtime::Queue| {
        Ok(match (target, source) {
            (End::Shared(to), End::Shared(from)) => {
                Started::OnDevice(queue.copy(&from.buffer()?, 0, &to.buffer()?, 0, size as u64)?)
            }
            (End::Shared(to), End::Host(from)) => Started::OnDevice(queue.write(&to.buffer()?, 0, from.bytes())?),
            (End::Host(mut to), End::Shared(from)) => {
                queue.read(&from.buffer()?, 0, to.bytes_mut())?;
                Started::Complete
            }
            (End::Host(mut to), End::Host(from)) => {
                settle(queue)?;
                to.bytes_mut().copy_from_slice(from.bytes());
                Started::Complete
            }
        })
    };
    Enqueue::new(command, waits).on(queue, Box::new(action))
}

/// Fills shared memory with a pattern (`clEnqueueSVMMemFill`, `clEnqueueMemFillINTEL`).
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_CONTEXT`.
pub fn fill_shared(
    queue: &Ref<Queue>,
    mut target: ClientMemory,
    pattern: Vec<u8>,
    command: cl_command_type,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    let (length, size) = (super::buffer::check_pattern(&pattern)?, target.size());
    let whole = target.address().is_multiple_of(length) && size.is_multiple_of(length);
    ensure(whole, CL_INVALID_VALUE, "address and size are multiples of the pattern's size")?;
    let range = range_or_host(queue, target.address(), size)?;
    let action = move |queue: &runtime::Queue| match range {
        Some(range) => Ok(Started::OnDevice(queue.fill(&range.buffer()?, 0, size as u64, &pattern)?)),
        None => {
            settle(queue)?;
            target.bytes_mut().chunks_exact_mut(length).for_each(|part| part.copy_from_slice(&pattern));
            Ok(Started::Complete)
        }
    };
    Enqueue::new(command, waits).on(queue, Box::new(action))
}

/// Frees shared memory when the commands before are complete (`clEnqueueSVMFree`), by a function of the client's if it gives
/// one.
///
/// # Errors
/// `CL_INVALID_CONTEXT`.
pub fn free_shared(
    queue: &Ref<Queue>,
    addresses: Vec<usize>,
    by: Option<Box<dyn FnOnce() + Send>>,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    let context = queue.context().clone();
    let action = move |queue: &runtime::Queue| {
        settle(queue)?;
        match by {
            Some(by) => by(),
            None => addresses.into_iter().for_each(|address| context.shared().remove(address)),
        }
        Ok(Started::Complete)
    };
    Enqueue::new(CL_COMMAND_SVM_FREE, waits).on(queue, Box::new(action))
}

/// Brings shared memory to the queue's device (`clEnqueueSVMMigrateMem`), where it always is. A size of 0 stands for the whole
/// allocation.
///
/// # Errors
/// `CL_INVALID_VALUE`, `CL_INVALID_CONTEXT`.
pub fn migrate_shared(
    queue: &Ref<Queue>,
    ranges: &[(usize, usize)],
    flags: cl_mem_migration_flags,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    super::buffer::check_migration(flags)?;
    ranges.iter().try_for_each(|(address, size)| range_or_host(queue, *address, *size).map(drop))?;
    hint(queue, CL_COMMAND_SVM_MIGRATE_MEM, waits)
}

/// A command that changes nothing.
///
/// # Errors
/// `CL_INVALID_CONTEXT`.
pub fn hint(queue: &Ref<Queue>, command: cl_command_type, waits: Vec<Ref<Event>>) -> Result<Ref<Event>> {
    Enqueue::new(command, waits).on(queue, marker())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::platform::platform;
    use crate::shared::SharedMemory;

    /// Where host and device have the same bytes nothing else shows it.
    #[test]
    fn a_region_stays_mapped_where_its_unmapping_fails() {
        let device = platform().unwrap().devices(CL_DEVICE_TYPE_ALL).unwrap().remove(0);
        if !device.has_shared_memory() {
            eprintln!("skipped: the device has no shared virtual memory");
            return;
        }
        let [context, other] = [(), ()].map(|()| Context::new(vec![device.clone()], Vec::new()).unwrap());
        let queue = Queue::new(&context, &device, 0, Vec::new()).unwrap();
        let memory = SharedMemory::new(&device.open().unwrap(), 64, 128).unwrap();
        let address = context.shared().add(memory).unwrap();
        let mapped = map_shared(&queue, CL_MAP_WRITE, address, 32, Vec::new()).unwrap();
        assert_eq!(mapped.wait(), CL_COMPLETE);
        let foreign = Event::new(&other, None, CL_COMMAND_USER);
        let failed = unmap_shared(&queue, address, vec![foreign]);
        assert_eq!(failed.err().map(|error| error.code), Some(CL_INVALID_CONTEXT));
        let region = || context.shared().find(address).unwrap().unmap();
        assert!(region().is_some_and(|region| region.is_written && region.size == 32));
        assert!(region().is_none());
    }
}
