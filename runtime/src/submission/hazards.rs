//! Which commands of a batch may be executed at the same time: those that have no memory in common, or only read what they have
//! in common.

use ash::vk;
use clforge_compiler::interface::Access;

/// Most ranges since the last barrier. Each command is compared with all of them.
const MOST_RANGES: usize = 128;
/// Kernels access bytes through the units of 16 bytes that contain them: see [`crate::Buffer::new`].
const UNIT: u64 = 16;

/// How a command accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Not at all.
    Nothing,
    /// From kernels.
    Kernel,
    /// By copies and fills.
    Transfer,
    /// From kernels, and by copies and fills.
    Both,
}

impl Use {
    pub(super) fn stages(self) -> vk::PipelineStageFlags {
        match self {
            Use::Nothing => vk::PipelineStageFlags::ALL_COMMANDS,
            Use::Kernel => vk::PipelineStageFlags::COMPUTE_SHADER,
            Use::Transfer => vk::PipelineStageFlags::TRANSFER,
            Use::Both => Use::Kernel.stages() | Use::Transfer.stages(),
        }
    }

    pub(super) fn writes(self) -> vk::AccessFlags {
        match self {
            Use::Nothing => vk::AccessFlags::empty(),
            Use::Kernel => vk::AccessFlags::SHADER_WRITE,
            Use::Transfer => vk::AccessFlags::TRANSFER_WRITE,
            Use::Both => Use::Kernel.writes() | Use::Transfer.writes(),
        }
    }

    pub(super) fn accesses(self) -> vk::AccessFlags {
        match self {
            Use::Nothing => vk::AccessFlags::empty(),
            Use::Kernel => vk::AccessFlags::SHADER_READ | vk::AccessFlags::SHADER_WRITE | vk::AccessFlags::UNIFORM_READ,
            Use::Transfer => vk::AccessFlags::TRANSFER_READ | vk::AccessFlags::TRANSFER_WRITE,
            Use::Both => Use::Kernel.accesses() | Use::Transfer.accesses(),
        }
    }
}

/// Bytes that a command accesses.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Range {
    start: u64,
    end: u64,
    writes: bool,
}

impl Range {
    fn conflicts(&self, other: &Range) -> bool {
        (self.writes || other.writes) && self.start < other.end && other.start < self.end
    }
}

/// The memory that a command accesses, as device addresses.
#[derive(Default)]
pub(crate) struct Footprint {
    is_unknown: bool,
    ranges: Vec<Range>,
}

/// The bytes from the first to behind the last that a kernel may access with `size` bytes at an address.
pub(crate) fn accessed(address: u64, size: u64) -> [u64; 2] {
    [address & !(UNIT - 1), address.saturating_add(size).saturating_add(UNIT - 1) & !(UNIT - 1)]
}

impl Footprint {
    /// Of a command that may access anything.
    pub const UNKNOWN: Footprint = Footprint { is_unknown: true, ranges: Vec::new() };

    /// Of a command that accesses nothing so far.
    pub fn clear(&mut self) {
        self.is_unknown = false;
        self.ranges.clear();
    }

    /// From now on the command may access anything.
    pub fn set_unknown(&mut self) {
        self.is_unknown = true;
    }

    /// Adds what another command accesses. Of many ranges only that there are many is kept: the command may access anything.
    pub fn merge(&mut self, other: &Footprint) {
        self.is_unknown |= other.is_unknown;
        for range in &other.ranges {
            if !self.ranges.contains(range) {
                self.ranges.push(*range);
            }
        }
        if self.ranges.len() > MOST_RANGES / 2 {
            self.is_unknown = true;
        }
        if self.is_unknown {
            self.ranges.clear();
        }
    }

    /// Adds `size` bytes at an address; `None` where the device has no addresses.
    pub fn add(&mut self, address: Option<u64>, size: u64, access: Access) {
        match address {
            _ if access.is_none() => {}
            None => self.is_unknown = true,
            Some(address) => {
                let [start, end] = accessed(address, size);
                self.ranges.push(Range { start, end, writes: access.writes });
            }
        }
    }
}

/// What the commands since the last barrier of a batch have accessed.
#[derive(Default)]
pub(super) struct Pending {
    is_unknown: bool,
    ranges: Vec<Range>,
    /// Each way in which they have accessed it.
    pub uses: [bool; 2],
}

impl Pending {
    /// Whether there is no command that accesses memory.
    pub fn is_empty(&self) -> bool {
        self.uses == [false; 2]
    }

    /// Whether a command must wait for those since the last barrier.
    pub fn conflicts(&self, next: &Footprint) -> bool {
        let room = MOST_RANGES.saturating_sub(self.ranges.len());
        self.is_unknown
            || next.is_unknown
            || next.ranges.len() > room
            || next.ranges.iter().any(|range| self.ranges.iter().any(|other| range.conflicts(other)))
    }

    /// Adds a command.
    pub fn add(&mut self, used: Use, footprint: &Footprint) {
        match used {
            Use::Nothing => return,
            Use::Kernel => self.uses[0] = true,
            Use::Transfer => self.uses[1] = true,
            Use::Both => self.uses = [true; 2],
        }
        self.is_unknown |= footprint.is_unknown;
        for range in &footprint.ranges {
            if self.ranges.len() < MOST_RANGES && !self.ranges.contains(range) {
                self.ranges.push(*range);
            }
        }
    }

    /// Forgets all commands, after a barrier.
    pub fn clear(&mut self) {
        (self.is_unknown, self.uses) = (false, [false; 2]);
        self.ranges.clear();
    }

    /// The ways in which the commands have accessed memory.
    pub fn uses(&self) -> impl Iterator<Item = Use> {
        let [kernel, transfer] = self.uses;
        let kernel = kernel.then_some(Use::Kernel);
        kernel.into_iter().chain(transfer.then_some(Use::Transfer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footprint(ranges: &[(u64, u64, Access)]) -> Footprint {
        let mut footprint = Footprint::default();
        ranges.iter().for_each(|(start, size, access)| footprint.add(Some(*start), *size, *access));
        footprint
    }

    #[test]
    fn only_writes_to_common_memory_conflict() {
        let (reads, writes) = (Access::READS, Access::WRITES);
        let mut pending = Pending::default();
        pending.add(Use::Kernel, &footprint(&[(0x1000, 64, reads), (0x2000, 64, writes)]));
        let conflicts = |ranges: &[_]| pending.conflicts(&footprint(ranges));
        assert!(!conflicts(&[(0x1000, 64, reads)]), "both read");
        assert!(conflicts(&[(0x1000, 64, writes)]), "a write after a read");
        assert!(conflicts(&[(0x3000, 8, writes), (0x2020, 4, reads)]), "a read after a write");
        assert!(conflicts(&[(0x2000, 64, writes)]), "a write after a write");
        assert!(!conflicts(&[(0x2040, 64, writes), (0xfc0, 64, writes)]), "neighbours");
        assert!(conflicts(&[(0x2044, 4, reads), (0x203f, 1, reads)]));
        assert!(!conflicts(&[]));
    }

    #[test]
    fn bytes_of_one_unit_conflict() {
        let mut pending = Pending::default();
        pending.add(Use::Kernel, &footprint(&[(0x1000, 4, Access::WRITES)]));
        assert!(pending.conflicts(&footprint(&[(0x1008, 4, Access::WRITES)])));
        assert!(!pending.conflicts(&footprint(&[(0x1010, 4, Access::WRITES)])));
    }

    #[test]
    fn unknown_memory_conflicts_with_all() {
        let mut pending = Pending::default();
        assert!(pending.conflicts(&Footprint::UNKNOWN));
        pending.add(Use::Transfer, &Footprint::UNKNOWN);
        assert!(pending.conflicts(&footprint(&[(0, 4, Access::READS)])));
        assert_eq!(pending.uses().collect::<Vec<_>>(), [Use::Transfer]);
        pending.clear();
        assert!(!pending.conflicts(&footprint(&[(0, 4, Access::READS)])));
        let mut no_address = Footprint::default();
        no_address.add(None, 4, Access::READS);
        assert!(pending.conflicts(&no_address));
    }

    #[test]
    fn too_many_ranges_conflict() {
        let mut pending = Pending::default();
        let mut count = 0;
        while !pending.conflicts(&footprint(&[(count * 64, 64, Access::WRITES)])) {
            pending.add(Use::Kernel, &footprint(&[(count * 64, 64, Access::WRITES), (1 << 40, 4, Access::READS)]));
            count += 1;
        }
        assert_eq!(count as usize, MOST_RANGES - 1, "what all read is one range");
    }
}
