//! The memory that kernels read and write.

/// Whether memory is read, and whether it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Access {
    /// It may be read.
    pub reads: bool,
    /// It may be written.
    pub writes: bool,
}

impl Access {
    /// It is read.
    pub const READS: Access = Access { reads: true, writes: false };
    /// It is written.
    pub const WRITES: Access = Access { reads: false, writes: true };

    /// Both accesses.
    #[must_use]
    pub fn and(self, other: Access) -> Access {
        Access { reads: self.reads || other.reads, writes: self.writes || other.writes }
    }

    /// Whether there is none.
    pub fn is_none(self) -> bool {
        self == Access::default()
    }

    /// The access as a number: 1 for reads and 2 for writes.
    pub fn bits(self) -> u32 {
        u32::from(self.reads) | u32::from(self.writes) << 1
    }

    /// The access of a number.
    pub fn from_bits(bits: u32) -> Access {
        Access { reads: bits & 1 != 0, writes: bits & 2 != 0 }
    }
}

/// The buffers that a kernel accesses through pointers, in its own code and in the functions that it calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accesses {
    /// The memory of its arguments, by their positions in ascending order. An argument that is not here is not accessed.
    pub arguments: Vec<(u32, Access)>,
    /// All other memory: program-scope variables, and what pointers in memory point to.
    pub other: Access,
}

impl Accesses {
    /// Adds an access of an argument's memory.
    pub fn add(&mut self, ordinal: u32, access: Access) {
        match self.arguments.binary_search_by_key(&ordinal, |(ordinal, _)| *ordinal) {
            Ok(at) => self.arguments[at].1 = self.arguments[at].1.and(access),
            Err(at) => self.arguments.insert(at, (ordinal, access)),
        }
    }

    /// Adds all accesses of another function.
    pub fn join(&mut self, other: &Accesses) {
        other.arguments.iter().for_each(|(ordinal, access)| self.add(*ordinal, *access));
        self.other = self.other.and(other.other);
    }

    /// How the memory of an argument is accessed.
    pub fn of_argument(&self, ordinal: u32) -> Access {
        let found = self.arguments.binary_search_by_key(&ordinal, |(ordinal, _)| *ordinal);
        found.map_or(Access::default(), |at| self.arguments[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_joined_by_argument() {
        let mut all = Accesses::default();
        all.add(3, Access::READS);
        all.add(1, Access::WRITES);
        all.join(&Accesses { arguments: vec![(2, Access::READS), (3, Access::WRITES)], other: Access::READS });
        let both = Access { reads: true, writes: true };
        assert_eq!(all.arguments, [(1, Access::WRITES), (2, Access::READS), (3, both)]);
        assert_eq!((all.other, all.of_argument(3)), (Access::READS, both));
        assert!(all.of_argument(0).is_none());
        for bits in 0..4 {
            assert_eq!(Access::from_bits(bits).bits(), bits);
        }
    }
}
