//! Functions of the client that are executed as a command (section 5.10, `clEnqueueNativeKernel`).

use super::{check_buffer, settle};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::event::Event;
use crate::handle::{Object, Ref};
use crate::memory::{Contents, Memory};
use crate::queue::{Enqueue, Queue, Started};
use clforge_runtime::{self as runtime, HostMemory};
use opencl_sys::*;

/// A function of the client's, which gets the addresses of buffers.
pub type NativeFunction = Box<dyn FnOnce(&[usize]) + Send>;

/// A whole buffer while the function uses it.
struct Copy {
    buffer: Ref<Memory>,
    bytes: HostMemory,
}

/// Calls a function with the addresses of copies of these buffers, which the buffers become afterwards.
///
/// # Errors
/// `CL_INVALID_CONTEXT`, `CL_INVALID_MEM_OBJECT`.
pub fn native(
    queue: &Ref<Queue>,
    buffers: Vec<Ref<Memory>>,
    function: NativeFunction,
    waits: Vec<Ref<Event>>,
) -> Result<Ref<Event>> {
    buffers.iter().try_for_each(|buffer| check_buffer(queue, buffer))?;
    let device = queue.device().clone();
    let action = move |queue: &runtime::Queue| {
        // What the function may see otherwise, too, is as it was after the commands before.
        settle(queue)?;
        let mut copies = Vec::new();
        let addresses = buffers.iter().map(|buffer| address(buffer, &device, queue, &mut copies));
        let addresses = addresses.collect::<Result<Vec<_>>>()?;
        function(&addresses);
        // What the function did not get another queue may have written meanwhile.
        for buffer in &buffers {
            let (root, origin) = whole(buffer);
            let copy = copies.iter().find(|copy| copy.buffer.handle() == root.handle());
            let bytes = copy.and_then(|copy| copy.bytes.get(origin..origin + buffer.size()));
            let bytes = bytes.ok_or_else(|| Error::internal("a buffer without a copy"))?;
            let _turns = Memory::turns_with([buffer], &device);
            queue.write(&buffer.write_on(&device, queue)?, 0, bytes)?;
        }
        Ok(Started::OnDevice(queue.marker()?))
    };
    Enqueue::new(CL_COMMAND_NATIVE_KERNEL, waits).on(queue, Box::new(action))
}

/// The buffer that another one is, or is a part of, and its first byte there.
fn whole(buffer: &Ref<Memory>) -> (&Ref<Memory>, usize) {
    match buffer.contents() {
        Contents::Part(parent, origin) => (parent, *origin),
        _ => (buffer, 0),
    }
}

/// The address of a buffer's copy. Parts of one buffer have one copy together.
fn address(
    buffer: &Ref<Memory>,
    device: &Object<Device>,
    queue: &runtime::Queue,
    copies: &mut Vec<Copy>,
) -> Result<usize> {
    let (root, origin) = whole(buffer);
    if let Some(copy) = copies.iter_mut().find(|copy| copy.buffer.handle() == root.handle()) {
        return Ok(copy.bytes.as_mut_ptr().expose_provenance() + origin);
    }
    let mut bytes = HostMemory::zeroed(root.size())?;
    queue.read(&root.read_on(device, queue)?, 0, &mut bytes)?;
    let first = bytes.as_mut_ptr().expose_provenance();
    copies.push(Copy { buffer: root.clone(), bytes });
    Ok(first + origin)
}
