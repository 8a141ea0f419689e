//! Checked accesses (`Options::bounds_check`): what the host puts into a buffer before a launch, and what it finds there.
//!
//! The buffer's address is a push constant. All its words are little-endian:
//!
//! | bytes | |
//! |---|---|
//! | 0 to 4 | how many accesses were out of range; the host sets it to 0 |
//! | 16 to [`RANGES`] | the first [`FAULTS`] of them, [`FAULT_BYTES`] each: number of the site, 0, address (8 bytes), global id (3 words), 0 |
//! | from [`RANGES`] on | addresses of the first byte and of the end of each range (8 bytes each): kernel arguments in order, the program's data, the buffer of `printf` |
//!
//! An argument that is no pointer has an empty range. In the module this is described by the instructions 1 (push constant's
//! offset, number of ranges) and 2 (file, line, column, bytes, kind, argument, name: an [`AccessSite`]) of the set [`SET`].

/// Name of the instruction set.
pub const SET: &str = "NonSemantic.ClforgeBounds.1";
/// Number of the instruction that describes the buffer.
pub const BUFFER: u32 = 1;
/// Number of the instruction that describes a site.
pub const SITE: u32 = 2;
/// The argument of a site whose pointer is of none, or of one that is not known.
pub const NO_ARGUMENT: u32 = u32::MAX;

/// Accesses that are recorded.
pub const FAULTS: u32 = 64;
/// Bytes of a record.
pub const FAULT_BYTES: u32 = 32;
/// Byte offset of the first record.
pub const FIRST_FAULT: u32 = 16;
/// Byte offset of the ranges.
pub const RANGES: u32 = FIRST_FAULT + FAULTS * FAULT_BYTES;

/// What a module says of its checked accesses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Byte offset of the buffer's address in the push constants.
    pub offset: u32,
    /// Number of ranges in the buffer: the most arguments of a kernel, and two.
    pub ranges: u32,
    /// The accesses, by number.
    pub sites: Vec<AccessSite>,
}

impl Bounds {
    /// Bytes of the buffer.
    pub fn buffer_size(&self) -> u64 {
        u64::from(RANGES) + u64::from(self.ranges) * 16
    }
}

/// A place in the source that reads or writes memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessSite {
    /// Name of the source file.
    pub file: String,
    /// Line and column, from 1; 0 where they are not known.
    pub line: u32,
    /// See `line`.
    pub column: u32,
    /// Bytes that are accessed.
    pub bytes: u32,
    /// How.
    pub kind: AccessKind,
    /// The argument that the pointer comes from, where that is always the same one.
    pub argument: Option<u32>,
    /// The program-scope variable that the pointer comes from, or nothing.
    pub variable: String,
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AccessKind {
    #[default]
    Read,
    Write,
    Atomic,
}

impl AccessKind {
    /// The number in the module.
    pub fn number(self) -> u32 {
        match self {
            AccessKind::Read => 0,
            AccessKind::Write => 1,
            AccessKind::Atomic => 2,
        }
    }

    /// See [`AccessKind::number`].
    pub fn from_number(number: u32) -> AccessKind {
        match number {
            1 => AccessKind::Write,
            2 => AccessKind::Atomic,
            _ => AccessKind::Read,
        }
    }
}
