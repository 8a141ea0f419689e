//! Pipes (section 5.4).

use super::copies::Copies;
use super::flags::Flags;
use super::object::{Contents, Memory};
use super::rings::PipeShape;
use crate::context::Context;
use crate::error::{Error, Result, ensure};
use crate::handle::{Object, Ref};
use crate::info::{Info, Value, unknown};
use opencl_sys::*;

impl Memory {
    /// A pipe (`clCreatePipe`).
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION`, `CL_INVALID_VALUE`, `CL_INVALID_PIPE_SIZE`, `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
    pub fn pipe(
        context: &Ref<Context>,
        flags: cl_mem_flags,
        packet_size: u32,
        max_packets: u32,
    ) -> Result<Ref<Memory>> {
        let mut devices = context.devices().iter().filter(|device| device.has_pipes());
        let device = devices.next().ok_or_else(|| Error::lacking("pipes"))?;
        let known = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
        ensure(flags & !known == 0, CL_INVALID_VALUE, "flags that pipes do not have")?;
        let shape = PipeShape { packet_size, max_packets };
        ensure(shape.is_valid(), CL_INVALID_PIPE_SIZE, "a pipe without packets, or one that is too large")?;
        let has_room = shape.bytes() <= device.max_allocation();
        ensure(has_room, CL_MEM_OBJECT_ALLOCATION_FAILURE, "more than the device can have in an allocation")?;
        let copies = Copies::new(Box::new(move |device| shape.make(&device.open()?)));
        // At once: a failure belongs to this call.
        copies.on(device).map_err(|error| error.with_code(CL_MEM_OBJECT_ALLOCATION_FAILURE))?;
        let flags = Flags::new(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, false)?;
        let size = packet_size as usize * max_packets as usize;
        Ok(Memory::new(context, flags, size, None, Contents::Pipe(shape, copies), Vec::new()))
    }
}

/// The queries of a pipe (`clGetPipeInfo`).
pub struct PipeInfo(pub Ref<Memory>);

impl Info for PipeInfo {
    fn info(&self, name: cl_uint) -> Result<Value> {
        let memory: &Object<Memory> = &self.0;
        let Contents::Pipe(shape, _) = memory.contents() else {
            return Err(Error::new(CL_INVALID_MEM_OBJECT, "not a pipe"));
        };
        Ok(match name {
            CL_PIPE_PACKET_SIZE => Value::of(shape.packet_size),
            CL_PIPE_MAX_PACKETS => Value::of(shape.max_packets),
            // None can be given.
            CL_PIPE_PROPERTIES => Value::default(),
            _ => return Err(unknown(name)),
        })
    }
}
