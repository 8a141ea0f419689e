//! What pipes are made of: rings of packets in the memory of a device, which `pipes.cl` of the compiler's library describes.

use crate::device::Device;
use crate::error::Result;
use clforge_runtime as runtime;

/// Counters of packets, and what reservations that fail subtract in the meantime, have 32 bits.
const MOST_PACKETS: u32 = 1 << 30;
/// Bytes before the first packet.
const HEADER: u64 = 128;

/// What a pipe holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipeShape {
    /// Bytes of a packet.
    pub packet_size: u32,
    /// Packets that fit.
    pub max_packets: u32,
}

impl PipeShape {
    /// Whether a pipe can be so.
    pub fn is_valid(self) -> bool {
        (1..=Device::MAX_PACKET_SIZE).contains(&self.packet_size) && (1..=MOST_PACKETS).contains(&self.max_packets)
    }

    /// Bytes in the device's memory.
    pub fn bytes(self) -> u64 {
        HEADER + u64::from(self.packet_size) * u64::from(self.max_packets)
    }

    /// An empty pipe.
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
    pub fn make(self, device: &runtime::Device) -> Result<runtime::Buffer> {
        let buffer = runtime::Buffer::new(device, self.bytes())?;
        let header = [self.max_packets, self.packet_size, 0, 0, self.max_packets, 0];
        buffer.initialize(bytemuck::cast_slice(&header))?;
        Ok(buffer)
    }
}
