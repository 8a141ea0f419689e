//! Layouts of values in memory, for hosts that fill and read them by the names of members.

/// Most members of a record that is described.
pub const MAX_MEMBERS: usize = 4096;
/// Most records inside each other that are described.
pub const MAX_DEPTH: u32 = 32;
/// Most lengths of an array that is described.
pub const MAX_LENGTHS: usize = 32;

/// A value: an element, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueLayout {
    /// What it is made of.
    pub element: Element,
    /// Bytes of an element, as `sizeof` gives them.
    pub size: u32,
    /// The lengths of an array, the outermost first; none where the value is one element.
    pub lengths: Vec<u32>,
}

/// See [`ValueLayout::element`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A built-in type by its name (6.3.1, 6.3.2): `int`, `float4`, `bool`, `atomic_int`; `void*` for all pointers.
    BuiltIn(String),
    /// An index in the module's records.
    Record(u32),
}

/// A struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLayout {
    /// As messages spell it: `struct particle`, or a typedef's name.
    pub name: String,
    /// Whether the members share their memory.
    pub is_union: bool,
    /// In bytes.
    pub size: u32,
    /// In the order of the source.
    pub members: Vec<MemberLayout>,
}

/// A member of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberLayout {
    /// Empty for an anonymous struct or union.
    pub name: String,
    /// In bytes from the beginning of the record.
    pub offset: u32,
    /// Its type.
    pub value: ValueLayout,
}

impl ValueLayout {
    /// Number of elements, or `None` where it has more than 32 bits.
    pub fn count(&self) -> Option<u32> {
        self.lengths.iter().try_fold(1_u32, |count, length| count.checked_mul(*length))
    }

    /// Bytes of the whole value, or `None` where they have more than 32 bits.
    pub fn bytes(&self) -> Option<u32> {
        self.count()?.checked_mul(self.size)
    }
}
