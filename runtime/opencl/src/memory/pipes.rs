//! Pipes (section 5.4): rings of packets in the memory of a device, which `pipes.cl` of the compiler's library describes.

use super::copies::Copies;
use super::flags::Flags;
use super::object::{Contents, Memory};
use crate::context::Context;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::handle::{Object, Ref};
use crate::info::{Info, Value, unknown};
use clforge_runtime as runtime;
use opencl_sys::*;

/// The counters of a ring run to twice as many packets.
const MOST_PACKETS: u32 = 1 << 30;
/// Bytes before the first packet.
const HEADER: u64 = 128;

/// What a pipe holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipeShape {
    packet_size: u32,
    max_packets: u32,
}

impl PipeShape {
    /// Bytes in the device's memory.
    fn bytes(self) -> u64 {
        HEADER + u64::from(self.packet_size) * u64::from(self.max_packets)
    }

    /// An empty pipe.
    fn make(self, device: &runtime::Device) -> Result<runtime::Buffer> {
        let buffer = runtime::Buffer::new(device, self.bytes())?;
        let header = [self.max_packets, self.packet_size, 0, 0];
        buffer.write(0, bytemuck::cast_slice(&header))?;
        Ok(buffer)
    }
}

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
        let fits = (1..=Device::MAX_PACKET_SIZE).contains(&packet_size) && (1..=MOST_PACKETS).contains(&max_packets);
        ensure(fits, CL_INVALID_PIPE_SIZE, "a pipe without packets, or one that is too large")?;
        let has_room = shape.bytes() <= device.max_allocation();
        ensure(has_room, CL_MEM_OBJECT_ALLOCATION_FAILURE, "more than the device can have in an allocation")?;
        let copies = Copies::new(Box::new(move |device| shape.make(device)));
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
