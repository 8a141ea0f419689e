//! What a module looks for while it runs (`CodegenOptions::sanitizers`), checked accesses among it: what the host puts
//! into a buffer before a launch, and what it finds there.
//!
//! The buffer's address is a push constant. All its words are little-endian:
//!
//! | bytes | |
//! |---|---|
//! | 0 to 4 | how many mistakes were found |
//! | 4 to 8 | how many sites there is room for |
//! | 8 to 12 | [`Bounds::first_site`] |
//! | from [`REACHED`] on | address and number of further ranges, which the kernel reaches by pointers that are no arguments (8 and 4 bytes): disjoint, in the order of their addresses, 16 bytes each |
//! | from [`RANGES`] on | addresses of the first byte and of the end of each range (8 bytes each): kernel arguments in order, the program's data, the buffer of `printf` |
//! | from [`Bounds::shadow`] on, in modules that look for races | address and bytes of a slot of the shadow of local memory (8 and 4 bytes), the number of slots (4); for each range what [`shadow_bias`] says (8) |
//! | from [`Bounds::first_site`] on | [`SITE_BYTES`] for each site: how many of its accesses were out of range, 12 bytes of nothing, and records of up to [`FAULTS`] of them, [`FAULT_BYTES`] each |
//!
//! A record has what was accessed and the end of what may be (8 bytes each), the global id (3 words), and [`checksum`] of these
//! words; the end is 0 in device memory. The first [`FAULTS`] mistakes of a site have its records. Where kernels record at
//! their ends, each work-item has one record of a site, of what it found there first, and its id chooses the place: the last
//! one remains of several, and no atomic operation is needed whose result drivers wait for. The checksum shows where two
//! were written at the same time. What is
//! accessed in device memory is an address, in an object of local or private memory the offset in it (of an object that is not
//! known, in the module's words); of an image the coordinate's lanes are three words, and 0. The end is [`NO_END`] where
//! several ranges may be accessed. What other checks record is described at [`Check`].
//!
//! *Shadows* are for races. Each [`GRANULE`] bytes of memory have three numbers of 64 bits in one: the last write, the last read,
//! and the last read of another work-item than that one's. Each is an *access*, or 0. Its bits are, from the lowest on, what bytes
//! of the granule it is of (4), whether it is atomic (1), a digest of what it wrote (10, 0 of reads and atomics), the site (12),
//! the number of barriers before it (11), the local linear id, or [`COPYING_ITEM`] (12), and the linear id of the work-group (14). Of local memory
//! a work-group uses the slot of its number modulo the number of slots, and the access has its number divided by that.
//!
//! The host sets all that the kernel writes to 0. An argument that is no pointer has an empty range. In the module this is
//! described by the instructions 1 (push constant's offset, number of ranges, whether there are shadows) and 2 (file, line,
//! column, bytes, kind, argument, name, memory, text of the line, first marked byte of it, end of those, check: an
//! [`AccessSite`]) of the set [`SET`].

/// Name of the instruction set.
pub const SET: &str = "NonSemantic.ClforgeBounds.5";
/// Number of the instruction that describes the buffer.
pub const BUFFER: u32 = 1;
/// Number of the instruction that describes a site.
pub const SITE: u32 = 2;
/// The argument of a site whose pointer is of none, or of one that is not known.
pub const NO_ARGUMENT: u32 = u32::MAX;

/// Records of a site: a power of two.
pub const FAULTS: u32 = 256;
/// What the words of a work-item's global id are multiplied by, whose sum's highest bits choose a record. The first is the
/// golden ratio of 2^32: of consecutive ids few have the same record.
pub const RECORD_FACTORS: [u32; 3] = [0x9E37_79B9, 0x85EB_CA6B, 0xC2B2_AE35];
/// What [`checksum`] begins with, so that a record of zeros is none.
pub const CHECKSUM: u32 = 0x5BD1_E995;
/// What each word is multiplied with before the next one is added.
pub const CHECKSUM_FACTOR: u32 = 0x0100_0193;
/// Bytes of a record.
pub const FAULT_BYTES: u32 = 32;
/// Byte offset of the first record in what belongs to a site.
pub const FIRST_FAULT: u32 = 16;
/// Bytes of a site.
pub const SITE_BYTES: u32 = FIRST_FAULT + FAULTS * FAULT_BYTES;
/// Byte offset of the number of sites.
pub const SITE_COUNT: u32 = 4;
/// Byte offset of the place of the first site.
pub const SITE_PLACE: u32 = 8;
/// Byte offset of the place of further ranges.
pub const REACHED: u32 = 16;
/// The most further ranges.
pub const MOST_REACHED: u32 = (1 << 16) - 1;
/// Byte offset of the ranges.
pub const RANGES: u32 = 32;
/// The end of what may be accessed, where that is not one range.
pub const NO_END: u64 = u64::MAX;

/// What a line of the source says whose races are intended.
pub const BENIGN_RACE: &str = "clforge: benign-race";

/// How the name of a function ends, in [`AccessSite::variable`]: its result is meant.
pub const FUNCTION_SUFFIX: &str = "()";

/// Bytes of memory that have an entry in a shadow.
pub const GRANULE: u32 = 4;
/// Bytes of such an entry.
pub const SHADOW_BYTES: u32 = 24;
/// The site of an access whose number has no room in it.
pub const MANY_SITES: u32 = (1 << 12) - 1;
/// The bits of an access's site, local linear id and work-group: their first, and how many.
pub const ACCESS_SITE: (u32, u32) = (15, 12);
/// See [`ACCESS_SITE`].
pub const ACCESS_ITEM: (u32, u32) = (38, 12);
/// The local linear id of accesses that an asynchronous copy makes: no driver has work-groups of so many work-items.
pub const COPYING_ITEM: u64 = (1 << ACCESS_ITEM.1) - 1;
/// See [`ACCESS_SITE`].
pub const ACCESS_GROUP: (u32, u32) = (50, 14);

/// The last word of a record, from the others in order.
pub fn checksum(words: &[u32]) -> u32 {
    words.iter().fold(CHECKSUM, |sum, word| sum.wrapping_mul(CHECKSUM_FACTOR) ^ word)
}

/// What is added to [`SHADOW_BYTES`] times the number of a granule in all memory to get the address of its entry.
pub fn shadow_bias(first_byte: u64, shadow: u64) -> u64 {
    shadow.wrapping_sub((first_byte / u64::from(GRANULE)).wrapping_mul(SHADOW_BYTES.into()))
}

/// What a module says of its checked accesses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Byte offset of the buffer's address in the push constants.
    pub offset: u32,
    /// Number of ranges in the buffer: the most arguments of a kernel, and two.
    pub ranges: u32,
    /// Whether the buffer has the places of shadows.
    pub has_shadows: bool,
    /// The accesses, by number.
    pub sites: Vec<AccessSite>,
}

impl Bounds {
    /// Whether accesses are checked for being in range, which is not so with other sanitizers alone.
    pub fn keeps_accesses_in_range(&self) -> bool {
        self.sites.iter().any(|site| site.check == Check::Bounds)
    }

    /// Byte offset of the places of shadows.
    pub fn shadow(&self) -> u64 {
        u64::from(RANGES) + u64::from(self.ranges) * 16
    }

    /// Byte offset of what belongs to the first site.
    pub fn first_site(&self) -> u64 {
        self.shadow() + if self.has_shadows { 16 + u64::from(self.ranges) * 8 } else { 0 }
    }

    /// Bytes of the buffer.
    pub fn buffer_size(&self) -> u64 {
        self.first_site() + self.sites.len() as u64 * u64::from(SITE_BYTES)
    }
}

/// A place in the source where something is checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessSite {
    /// Name of the source file.
    pub file: String,
    /// Line and column, from 1; 0 where they are not known.
    pub line: u32,
    /// See `line`.
    pub column: u32,
    /// Bytes that are accessed; 0 of images.
    pub bytes: u32,
    /// How.
    pub kind: AccessKind,
    /// The argument that the pointer comes from, where that is always the same one.
    pub argument: Option<u32>,
    /// The variable that the pointer comes from, or nothing.
    pub variable: String,
    /// What is accessed.
    pub memory: Memory,
    /// The line, or the part of a long line around the place. Empty where the source is not known.
    pub text: String,
    /// The bytes of `text` that are the access.
    pub marked: (u32, u32),
    /// What is wrong there.
    pub check: Check,
}

/// A mistake that a module looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Check {
    /// An access out of range.
    #[default]
    Bounds,
    /// An access at an address that is not a multiple of the alignment of what is accessed: recorded are the address or
    /// offset, or only its lowest bits, and the alignment.
    Alignment,
    /// An integer division by zero: recorded is the dividend.
    DivisionByZero,
    /// The division of the least integer by -1.
    DivisionOverflow,
    /// The conversion of a floating value that the integer type does not have: recorded are its bits, in as many bytes as the
    /// site has.
    Conversion,
    /// Two accesses to local memory, one of them a write, that nothing orders: recorded are the earlier access, as shadows
    /// have it, and the offset.
    LocalRace,
    /// The same in global memory, with the address.
    GlobalRace,
    /// A barrier that not all work-items of a work-group reach together: recorded are how many are at a barrier then, how many
    /// there are (4 bytes each), and a sum of the sites and iterations of the barriers where they are.
    Barrier,
    /// A value that depends on memory that nothing wrote.
    Uninitialized,
    /// As [`Check::LocalRace`] or [`Check::GlobalRace`], in a line that says [`BENIGN_RACE`]: nothing is reported.
    BenignRace,
    /// An infinity or NaN that an operation makes of finite numbers. The site's `variable` names the operation. Recorded are the
    /// bits of an operand, in as many bytes as the site has, and 0 for NaN, 1 for an infinity, 2 for a negative one.
    NotFinite,
    /// An operation on signed integers, which `variable` names, whose result the type does not have: recorded are the operands.
    SignedOverflow,
    /// A shift by the width of its left operand or more: recorded are the count and the width.
    ShiftCount,
    /// An index that is not below the length of an array inside of an object: recorded are both.
    ArrayIndex,
    /// A barrier that not all work-items of a sub-group reach together: recorded are how many are there, and how many there are.
    SubGroupBarrier,
    /// An access to local or private memory through a pointer that is computed from null.
    NullPointer,
    /// An argument of a built-in function that must be the same for all work-items of a work-group, by its number from 1 in
    /// the site's `variable`: recorded are the work-item's and that of the group's first one.
    GroupArgument,
    /// The same of a sub-group.
    SubGroupArgument,
}

impl Check {
    const ALL: [Check; 18] = [
        Check::Bounds,
        Check::Alignment,
        Check::DivisionByZero,
        Check::DivisionOverflow,
        Check::Conversion,
        Check::LocalRace,
        Check::GlobalRace,
        Check::Barrier,
        Check::Uninitialized,
        Check::BenignRace,
        Check::NotFinite,
        Check::SignedOverflow,
        Check::ShiftCount,
        Check::ArrayIndex,
        Check::SubGroupBarrier,
        Check::NullPointer,
        Check::GroupArgument,
        Check::SubGroupArgument,
    ];

    /// The number in the module.
    pub fn number(self) -> u32 {
        self as u32
    }

    /// See [`Check::number`]; `None` for a number that no check has.
    pub fn from_number(number: u32) -> Option<Check> {
        Check::ALL.get(number as usize).copied()
    }

    /// A name for programs that read reports.
    pub fn name(self) -> &'static str {
        match self {
            Check::Bounds => "out-of-range",
            Check::Alignment => "misaligned",
            Check::DivisionByZero => "division-by-zero",
            Check::DivisionOverflow => "division-overflow",
            Check::Conversion => "conversion-range",
            Check::LocalRace => "local-race",
            Check::GlobalRace => "global-race",
            Check::Barrier => "divergent-barrier",
            Check::Uninitialized => "uninitialized",
            Check::BenignRace => "benign-race",
            Check::NotFinite => "not-finite",
            Check::SignedOverflow => "signed-overflow",
            Check::ShiftCount => "shift-count",
            Check::ArrayIndex => "array-index",
            Check::SubGroupBarrier => "divergent-sub-group-barrier",
            Check::NullPointer => "null-pointer",
            Check::GroupArgument => "non-uniform-argument",
            Check::SubGroupArgument => "non-uniform-sub-group-argument",
        }
    }

    /// The name of the sanitizer that looks for it.
    pub fn sanitizer(self) -> &'static str {
        match self {
            Check::Bounds | Check::Alignment | Check::NullPointer => "address",
            Check::DivisionByZero | Check::DivisionOverflow | Check::Conversion | Check::ArrayIndex => "undefined",
            Check::LocalRace | Check::GlobalRace | Check::BenignRace => "race",
            Check::Barrier | Check::SubGroupBarrier | Check::GroupArgument | Check::SubGroupArgument => "sync",
            Check::Uninitialized => "memory",
            Check::NotFinite => "float",
            Check::SignedOverflow => "overflow",
            Check::ShiftCount => "shift",
        }
    }
}

/// The memory that a site accesses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// Global or constant, or through a generic pointer.
    #[default]
    Device,
    /// Of the work-group.
    Local,
    /// Of the work-item.
    Private,
    /// Texels.
    Image,
}

impl Memory {
    /// The number in the module.
    pub fn number(self) -> u32 {
        match self {
            Memory::Device => 0,
            Memory::Local => 1,
            Memory::Private => 2,
            Memory::Image => 3,
        }
    }

    /// See [`Memory::number`].
    pub fn from_number(number: u32) -> Memory {
        match number {
            1 => Memory::Local,
            2 => Memory::Private,
            3 => Memory::Image,
            _ => Memory::Device,
        }
    }
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AccessKind {
    #[default]
    Read,
    Write,
    Atomic,
    /// By an asynchronous copy, which no work-item makes alone.
    AsyncCopy,
}

impl AccessKind {
    /// The number in the module.
    pub fn number(self) -> u32 {
        match self {
            AccessKind::Read => 0,
            AccessKind::Write => 1,
            AccessKind::Atomic => 2,
            AccessKind::AsyncCopy => 3,
        }
    }

    /// See [`AccessKind::number`].
    pub fn from_number(number: u32) -> AccessKind {
        match number {
            1 => AccessKind::Write,
            2 => AccessKind::Atomic,
            3 => AccessKind::AsyncCopy,
            _ => AccessKind::Read,
        }
    }
}
