//! What `clGetKernelArgInfo` returns for a kernel's argument, with the values of `cl.h` that modules store.

use crate::image;
use bitflags::bitflags;

/// The address space of a kernel argument (`CL_KERNEL_ARG_ADDRESS_QUALIFIER`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressQualifier {
    /// `CL_KERNEL_ARG_ADDRESS_GLOBAL`.
    Global = 0x119B,
    /// `CL_KERNEL_ARG_ADDRESS_LOCAL`.
    Local = 0x119C,
    /// `CL_KERNEL_ARG_ADDRESS_CONSTANT`.
    Constant = 0x119D,
    /// `CL_KERNEL_ARG_ADDRESS_PRIVATE`.
    Private = 0x119E,
}

/// The access qualifier of an image or pipe argument (`CL_KERNEL_ARG_ACCESS_QUALIFIER`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessQualifier {
    /// `CL_KERNEL_ARG_ACCESS_READ_ONLY`.
    ReadOnly = 0x11A0,
    /// `CL_KERNEL_ARG_ACCESS_WRITE_ONLY`.
    WriteOnly = 0x11A1,
    /// `CL_KERNEL_ARG_ACCESS_READ_WRITE`.
    ReadWrite = 0x11A2,
    /// `CL_KERNEL_ARG_ACCESS_NONE`: the argument is no image and no pipe.
    None = 0x11A3,
}

bitflags! {
    /// The qualifiers of an argument's type (`CL_KERNEL_ARG_TYPE_QUALIFIER`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct TypeQualifiers: u32 {
        /// `CL_KERNEL_ARG_TYPE_CONST`.
        const CONST = 1 << 0;
        /// `CL_KERNEL_ARG_TYPE_RESTRICT`.
        const RESTRICT = 1 << 1;
        /// `CL_KERNEL_ARG_TYPE_VOLATILE`.
        const VOLATILE = 1 << 2;
        /// `CL_KERNEL_ARG_TYPE_PIPE`.
        const PIPE = 1 << 3;
    }
}

impl AddressQualifier {
    /// The number of `cl.h`.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// The qualifier with a number of `cl.h`.
    pub fn from_cl(number: u32) -> Option<AddressQualifier> {
        use AddressQualifier as Q;
        [Q::Global, Q::Local, Q::Constant, Q::Private].into_iter().find(|qualifier| qualifier.number() == number)
    }

    /// The keyword of OpenCL C.
    pub fn name(self) -> &'static str {
        match self {
            AddressQualifier::Global => "global",
            AddressQualifier::Local => "local",
            AddressQualifier::Constant => "constant",
            AddressQualifier::Private => "private",
        }
    }
}

impl AccessQualifier {
    /// The number of `cl.h`.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// The qualifier with a number of `cl.h`.
    pub fn from_cl(number: u32) -> Option<AccessQualifier> {
        use AccessQualifier as Q;
        [Q::ReadOnly, Q::WriteOnly, Q::ReadWrite, Q::None].into_iter().find(|qualifier| qualifier.number() == number)
    }

    /// The keyword of OpenCL C, or `none`.
    pub fn name(self) -> &'static str {
        match self {
            AccessQualifier::ReadOnly => "read_only",
            AccessQualifier::WriteOnly => "write_only",
            AccessQualifier::ReadWrite => "read_write",
            AccessQualifier::None => "none",
        }
    }
}

impl From<image::AccessQualifier> for AccessQualifier {
    fn from(access: image::AccessQualifier) -> AccessQualifier {
        match access {
            image::AccessQualifier::ReadOnly => AccessQualifier::ReadOnly,
            image::AccessQualifier::WriteOnly => AccessQualifier::WriteOnly,
            image::AccessQualifier::ReadWrite => AccessQualifier::ReadWrite,
        }
    }
}

impl TypeQualifiers {
    /// The keyword of OpenCL C of each qualifier, in the order of their bits.
    pub const KEYWORDS: [(TypeQualifiers, &str); 4] = [
        (TypeQualifiers::CONST, "const"),
        (TypeQualifiers::RESTRICT, "restrict"),
        (TypeQualifiers::VOLATILE, "volatile"),
        (TypeQualifiers::PIPE, "pipe"),
    ];
}
