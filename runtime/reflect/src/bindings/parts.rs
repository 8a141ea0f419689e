//! The members of structures, and their types.

use super::names::Names;

/// Bytes that the host writes.
pub struct Block {
    pub name: &'static str,
    pub members: Vec<Member>,
    /// Bytes, without what the end of a structure is padded by.
    pub size: u32,
}

/// A member of a structure: an array where the count is given.
pub struct Member {
    pub name: String,
    pub offset: u32,
    pub of: Type,
    pub count: Option<u32>,
}

/// What a member, or each element of it, is.
#[derive(Clone)]
pub enum Type {
    Scalar(Scalar),
    Record(RecordType),
}

/// A type that C and Rust have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Scalar {
    pub c: &'static str,
    pub rust: &'static str,
    pub size: u32,
}

/// A structure that is declared.
#[derive(Clone)]
pub struct RecordType {
    /// Among the declarations of its kernel.
    pub name: String,
    pub size: u32,
    /// The one that C and Rust give it: that of its largest scalar.
    pub align: u32,
}

impl Type {
    pub fn size(&self) -> u32 {
        match self {
            Type::Scalar(scalar) => scalar.size,
            Type::Record(record) => record.size,
        }
    }

    pub fn align(&self) -> u32 {
        match self {
            Type::Scalar(scalar) => scalar.size,
            Type::Record(record) => record.align,
        }
    }
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Type {
        Type::Scalar(scalar)
    }
}

pub const BYTE: Scalar = Scalar { c: "uint8_t", rust: "u8", size: 1 };
pub const WORD: Scalar = Scalar { c: "uint32_t", rust: "u32", size: 4 };
pub const ADDRESS: Scalar = Scalar { c: "uint64_t", rust: "u64", size: 8 };

/// The scalar of a type of OpenCL C or of a vector of it.
pub fn scalar(type_name: &str) -> Option<Scalar> {
    Some(match type_name.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "char" => Scalar { c: "int8_t", rust: "i8", size: 1 },
        "uchar" => BYTE,
        "short" => Scalar { c: "int16_t", rust: "i16", size: 2 },
        "ushort" | "half" => Scalar { c: "uint16_t", rust: "u16", size: 2 },
        "int" => Scalar { c: "int32_t", rust: "i32", size: 4 },
        "uint" => WORD,
        "long" => Scalar { c: "int64_t", rust: "i64", size: 8 },
        "ulong" => ADDRESS,
        "float" => Scalar { c: "float", rust: "f32", size: 4 },
        "double" => Scalar { c: "double", rust: "f64", size: 8 },
        _ => return None,
    })
}

/// Members that are being collected.
#[derive(Default)]
pub struct Parts {
    members: Vec<Member>,
    names: Names,
}

impl Parts {
    /// Adds a member of a type, or of bytes where the type is unknown or C would place it elsewhere.
    pub fn add(&mut self, name: &str, offset: u32, size: u32, of: Option<Type>) {
        let fits = |of: &Type| size > 0 && offset.is_multiple_of(of.align()) && size.is_multiple_of(of.size());
        let of = of.filter(fits).unwrap_or(BYTE.into());
        let count = Some(size / of.size()).filter(|count| *count != 1);
        self.members.push(Member { name: self.names.unique(name), offset, of, count });
    }

    /// The members in order, with names for the bytes between them and for those up to the size, if one is given; and where they
    /// end.
    pub fn in_order(mut self, size: Option<u32>) -> Result<(Vec<Member>, u32), String> {
        self.members.sort_by_key(|member| member.offset);
        let (mut end, mut members) = (0, Vec::new());
        for member in self.members {
            let gap = member
                .offset
                .checked_sub(end)
                .ok_or_else(|| format!("'{}' overlaps what is before it", member.name))?;
            members.extend(reserved(&mut self.names, end, gap));
            let bytes = member.of.size().saturating_mul(member.count.unwrap_or(1));
            end = member.offset.checked_add(bytes).ok_or("an offset is too large")?;
            members.push(member);
        }
        let tail = size.map_or(Some(0), |size| size.checked_sub(end)).ok_or("the members exceed their structure")?;
        members.extend(reserved(&mut self.names, end, tail));
        Ok((members, end + tail))
    }

    /// The block of these members, unless there are none.
    pub fn block(self, name: &'static str) -> Result<Option<Block>, String> {
        let (members, end) = self.in_order(None)?;
        // Vulkan takes push constants by words.
        let size = end.checked_next_multiple_of(4).ok_or("an offset is too large")?;
        Ok(Some(Block { name, members, size }).filter(|block| !block.members.is_empty()))
    }
}

/// A member for bytes that nothing uses.
fn reserved(names: &mut Names, offset: u32, bytes: u32) -> Option<Member> {
    let name = || names.unique(&format!("reserved_{offset}"));
    (bytes > 0).then(name).map(|name| Member { name, offset, of: BYTE.into(), count: Some(bytes) })
}
