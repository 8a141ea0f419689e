//! Types of generated programs: how they are spelled, declared and laid out.

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// Signed or unsigned integer of 1, 2, 4 or 8 bytes.
    Int {
        /// Size.
        bytes: u32,
        /// Whether negative values exist.
        signed: bool,
    },
    /// `float`.
    Float,
    /// `double`.
    Double,
}

/// `uint`, the type of checksums.
pub const UINT: Scalar = Scalar::Int { bytes: 4, signed: false };
/// `int`.
pub const INT: Scalar = Scalar::Int { bytes: 4, signed: true };

impl Scalar {
    /// The type's name.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Int { bytes: 1, signed: true } => "char",
            Scalar::Int { bytes: 1, signed: false } => "uchar",
            Scalar::Int { bytes: 2, signed: true } => "short",
            Scalar::Int { bytes: 2, signed: false } => "ushort",
            Scalar::Int { bytes: 4, signed: true } => "int",
            Scalar::Int { bytes: 4, signed: false } => "uint",
            Scalar::Int { signed: true, .. } => "long",
            Scalar::Int { signed: false, .. } => "ulong",
            Scalar::Float => "float",
            Scalar::Double => "double",
        }
    }

    /// Size in bytes.
    pub fn bytes(self) -> u32 {
        match self {
            Scalar::Int { bytes, .. } => bytes,
            Scalar::Float => 4,
            Scalar::Double => 8,
        }
    }

    /// Whether it is an integer type.
    pub fn is_int(self) -> bool {
        matches!(self, Scalar::Int { .. })
    }

    /// Whether it is a signed integer type.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::Int { signed: true, .. })
    }

    /// The integer of the same size with or without sign.
    pub fn int(self, signed: bool) -> Scalar {
        Scalar::Int { bytes: self.bytes(), signed }
    }
}

/// An address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Space {
    Private,
    Local,
    Global,
    Constant,
    /// `GENERIC`, a macro: the generic address space where there is one, else global addresses made from integers.
    Generic,
}

impl Space {
    /// The qualifier, with a space behind it unless empty.
    pub fn qualifier(self) -> &'static str {
        match self {
            Space::Private => "",
            Space::Local => "__local ",
            Space::Global => "__global ",
            Space::Constant => "__constant ",
            Space::Generic => "GENERIC ",
        }
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A number.
    Scalar(Scalar),
    /// 2, 3, 4, 8 or 16 numbers.
    Vector(Scalar, u32),
    /// A structure or union: position in [`Records`].
    Record(usize),
    /// An array.
    Array(Box<Type>, u32),
    /// A pointer.
    Pointer {
        /// Where it points to.
        space: Space,
        /// Whether what it points to is `const`.
        readonly: bool,
        /// What it points to.
        to: Box<Type>,
    },
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Without `struct` or `union`.
    pub name: String,
    /// Whether the members share their place.
    pub union: bool,
    /// Whether members follow each other without padding.
    pub packed: bool,
    /// Names and types.
    pub members: Vec<(String, Type)>,
}

/// The records of a program.
#[derive(Clone, Debug, Default)]
pub struct Records(pub Vec<Record>);

impl Records {
    /// A type as a cast spells it.
    pub fn name(&self, ty: &Type) -> String {
        self.declare(ty, "").trim_end().to_string()
    }

    /// A declaration without its semicolon.
    pub fn declare(&self, ty: &Type, name: &str) -> String {
        match ty {
            Type::Scalar(scalar) => format!("{} {name}", scalar.name()),
            Type::Vector(scalar, width) => format!("{}{width} {name}", scalar.name()),
            Type::Record(index) => {
                let record = &self.0[*index];
                format!("{} {} {name}", if record.union { "union" } else { "struct" }, record.name)
            }
            Type::Array(element, count) => self.declare(element, &format!("{name}[{count}]")),
            Type::Pointer { space, readonly, to } if matches!(**to, Type::Pointer { .. }) => {
                let readonly = if *readonly && *space != Space::Constant { "const " } else { "" };
                self.declare(to, &format!("{}{readonly}*{name}", space.qualifier()))
            }
            Type::Pointer { space, readonly, to } => {
                let inner = if matches!(**to, Type::Array(..)) { format!("(*{name})") } else { format!("*{name}") };
                let readonly = if *readonly && *space != Space::Constant { "const " } else { "" };
                format!("{}{readonly}{}", space.qualifier(), self.declare(to, &inner))
            }
        }
    }

    /// The definition of a record.
    pub fn define(&self, record: &Record) -> String {
        let members: Vec<String> =
            record.members.iter().map(|(name, ty)| format!("  {};\n", self.declare(ty, name))).collect();
        let kind = if record.union { "union" } else { "struct" };
        let packed = if record.packed { " __attribute__((packed))" } else { "" };
        format!("{kind} {} {{\n{}}}{packed};\n", record.name, members.concat())
    }

    /// Size and alignment in bytes.
    pub fn layout(&self, ty: &Type) -> (u32, u32) {
        match ty {
            Type::Scalar(scalar) => (scalar.bytes(), scalar.bytes()),
            Type::Vector(scalar, width) => {
                let size = scalar.bytes() * width.next_power_of_two();
                (size, size)
            }
            Type::Array(element, count) => {
                let (size, align) = self.layout(element);
                (size * count, align)
            }
            Type::Pointer { .. } => (8, 8),
            Type::Record(index) => {
                let record = &self.0[*index];
                let (mut end, mut most) = (0u32, 1);
                for (_, member) in &record.members {
                    let (size, align) = self.layout(member);
                    let align = if record.packed { 1 } else { align };
                    most = most.max(align);
                    end = if record.union { end.max(size) } else { end.next_multiple_of(align) + size };
                }
                (end.next_multiple_of(most), most)
            }
        }
    }

    /// Bytes that hold values; less than the size where there is padding.
    fn used(&self, ty: &Type) -> u32 {
        match ty {
            Type::Scalar(scalar) => scalar.bytes(),
            Type::Vector(scalar, width) => scalar.bytes() * width,
            Type::Array(element, count) => self.used(element) * count,
            Type::Pointer { .. } => 8,
            Type::Record(index) => {
                let record = &self.0[*index];
                let sizes = record.members.iter().map(|(_, member)| self.used(member));
                if record.union { sizes.max().unwrap_or(0) } else { sizes.sum() }
            }
        }
    }

    /// Whether every byte has a defined value that every run and compiler agrees on: integers without padding.
    pub fn is_plain(&self, ty: &Type) -> bool {
        let ints = match ty {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => scalar.is_int(),
            Type::Array(element, _) => self.is_plain(element),
            Type::Pointer { .. } => false,
            Type::Record(index) => self.0[*index].members.iter().all(|(_, member)| self.is_plain(member)),
        };
        ints && self.used(ty) == self.layout(ty).0
    }

    /// Whether there is a pointer in it: such a value must not outlive what it points to.
    pub fn has_pointer(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(_) | Type::Vector(..) => false,
            Type::Array(element, _) => self.has_pointer(element),
            Type::Pointer { .. } => true,
            Type::Record(index) => self.0[*index].members.iter().any(|(_, member)| self.has_pointer(member)),
        }
    }

    /// Whether a value of type `want` can be found inside one of type `ty`.
    pub fn reaches(&self, ty: &Type, want: &Type, addressable: bool) -> bool {
        if ty == want {
            return true;
        }
        match ty {
            Type::Scalar(_) => false,
            Type::Vector(scalar, width) if !addressable => match want {
                Type::Scalar(wanted) => wanted == scalar,
                Type::Vector(wanted, n) => wanted == scalar && n <= width,
                _ => false,
            },
            Type::Vector(..) => false,
            // Members of packed records are not aligned: nothing may point to them.
            Type::Record(index) if addressable && self.0[*index].packed => false,
            Type::Record(index) => {
                self.0[*index].members.iter().any(|(_, member)| self.reaches(member, want, addressable))
            }
            Type::Array(element, _) => self.reaches(element, want, addressable),
            Type::Pointer { to, .. } => self.reaches(to, want, addressable),
        }
    }
}
