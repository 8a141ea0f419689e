//! Qualifiers of kernel arguments, with the numbers of `cl.h` that modules store them as.

/// The address space of a kernel argument.
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

/// The access qualifier of an image or pipe argument.
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

impl AddressQualifier {
    /// The qualifier with a number of `cl.h`.
    pub fn from_cl(number: u32) -> Option<AddressQualifier> {
        use AddressQualifier as Q;
        [Q::Global, Q::Local, Q::Constant, Q::Private].into_iter().find(|qualifier| *qualifier as u32 == number)
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
    /// The qualifier with a number of `cl.h`.
    pub fn from_cl(number: u32) -> Option<AccessQualifier> {
        use AccessQualifier as Q;
        [Q::ReadOnly, Q::WriteOnly, Q::ReadWrite, Q::None].into_iter().find(|qualifier| *qualifier as u32 == number)
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
