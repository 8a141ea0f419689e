//! Records of what kernels enqueue, as `device_enqueue.cl` of the compiler's library writes them.

use crate::error::{Error, Result};
use crate::narrow::to_usize;

/// Bytes of a record before the sizes of its local arguments.
const HEADER: usize = 112;
/// Numbers of kernels that are none.
const MARKER: u32 = u32::MAX;
const CAPTURE: u32 = u32::MAX - 1;

/// What was enqueued.
pub(crate) struct Record {
    pub command: Command,
    /// Address of its event, 0 without one.
    pub event: u64,
    /// Byte in the memory of the event whose command has enqueued this one; 0 for the launch itself.
    pub parent: u64,
    /// Addresses of the events that it waits for.
    pub waits: Vec<u64>,
}

/// What a record asks for.
pub(crate) enum Command {
    /// A block, by the number of its kernel in the module.
    Kernel {
        number: usize,
        range: NdRange,
        local_sizes: Vec<u64>,
        block: Vec<u8>,
    },
    Marker,
    /// The times of [`Record::waits`], a single event, are to be written to an address.
    Capture {
        to: u64,
    },
}

impl Record {
    /// The records in these bytes, one behind the other.
    ///
    /// # Errors
    /// [`Error::Launch`] for what is none: the kernel has written to memory that is not its own.
    pub fn read_all(mut bytes: &[u8]) -> Result<Vec<Record>> {
        let mut records = Vec::new();
        while !bytes.is_empty() {
            let length = word(bytes, 0)? as usize;
            let (record, rest) = bytes.split_at_checked(length).filter(|_| length >= HEADER).ok_or_else(damaged)?;
            records.push(Record::read(record)?);
            bytes = rest;
        }
        Ok(records)
    }

    fn read(bytes: &[u8]) -> Result<Record> {
        let number = word(bytes, 4)?;
        let [waits, block, locals] = [12, 16, 20].map(|at| word(bytes, at));
        let (waits, block, locals) = (waits? as usize, block? as usize, locals? as usize);
        let event = long(bytes, 24)?;
        if number == CAPTURE {
            let command = Command::Capture { to: long(bytes, 40)? };
            return Ok(Record { command, event: 0, parent: 0, waits: vec![event] });
        }
        let block_at = HEADER + 8 * locals;
        let waits_at = block_at.saturating_add(block.next_multiple_of(8));
        let longs = |at: usize, count: usize| -> Result<Vec<u64>> {
            (0..count).map(|index| long(bytes, at.saturating_add(8 * index))).collect()
        };
        let waits = longs(waits_at, waits)?;
        let command = match number {
            MARKER => Command::Marker,
            number => Command::Kernel {
                number: number as usize,
                range: NdRange::read(bytes)?,
                local_sizes: longs(HEADER, locals)?,
                block: bytes.get(block_at..).and_then(|rest| rest.get(..block)).ok_or_else(damaged)?.to_vec(),
            },
        };
        Ok(Record { command, event, parent: word(bytes, 36)?.into(), waits })
    }
}

/// The ND-range of a record.
pub(crate) struct NdRange {
    pub dims: usize,
    pub offset: [u64; 3],
    pub global: [u64; 3],
    /// `None` leaves the choice to the runtime.
    pub local: Option<[u64; 3]>,
}

impl NdRange {
    fn read(bytes: &[u8]) -> Result<NdRange> {
        let three =
            |at: usize| -> Result<[u64; 3]> { Ok([long(bytes, at)?, long(bytes, at + 8)?, long(bytes, at + 16)?]) };
        let local = three(88)?;
        Ok(NdRange {
            dims: to_usize(word(bytes, 32)?.min(3).into()),
            offset: three(40)?,
            global: three(64)?,
            // Sizes that are not given are zeros, all of them, as the kernel has checked.
            local: (!local.contains(&0)).then_some(local),
        })
    }
}

/// A word of the memory.
pub(super) fn word(bytes: &[u8], at: usize) -> Result<u32> {
    let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk()).ok_or_else(damaged)?;
    Ok(u32::from_le_bytes(*bytes))
}

/// Two words of the memory.
pub(super) fn long(bytes: &[u8], at: usize) -> Result<u64> {
    let bytes = bytes.get(at..).and_then(|rest| rest.first_chunk()).ok_or_else(damaged)?;
    Ok(u64::from_le_bytes(*bytes))
}

fn damaged() -> Error {
    Error::Launch("the memory of the device's queues holds no records: a kernel has written to it".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_records_are_errors() {
        assert!(Record::read_all(&[]).unwrap().is_empty());
        let mut marker = vec![0; HEADER];
        marker[..4].copy_from_slice(&(HEADER as u32).to_le_bytes());
        marker[4..8].copy_from_slice(&MARKER.to_le_bytes());
        assert!(matches!(Record::read_all(&marker).unwrap()[..], [Record { command: Command::Marker, .. }]));
        for (at, value) in [(0, 8u32), (0, 200), (12, 1), (12, u32::MAX)] {
            let mut damaged = marker.clone();
            damaged[at..at + 4].copy_from_slice(&value.to_le_bytes());
            assert!(matches!(Record::read_all(&damaged), Err(Error::Launch(_))), "{at}: {value}");
        }
        let mut kernel = marker;
        kernel[4..8].copy_from_slice(&[0; 4]);
        kernel[16..20].copy_from_slice(&16u32.to_le_bytes());
        assert!(matches!(Record::read_all(&kernel), Err(Error::Launch(_))), "a block that is not there");
    }
}
