//! Errors: the codes of the specification, with the reason for the log.

use opencl_sys::*;
use std::borrow::Cow;

/// Result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// An error code of OpenCL, with the reason for whoever reads the log (`CLFORGE_LOG`).
#[derive(Clone, Debug)]
pub struct Error {
    /// The code that the function returns: `CL_INVALID_VALUE` and so on.
    pub code: cl_int,
    /// What is wrong.
    pub reason: Cow<'static, str>,
}

impl Error {
    /// An error with a code of `cl.h`.
    pub fn new(code: cl_int, reason: impl Into<Cow<'static, str>>) -> Error {
        Error { code, reason: reason.into() }
    }

    /// `CL_INVALID_VALUE`.
    pub fn value(reason: impl Into<Cow<'static, str>>) -> Error {
        Error::new(CL_INVALID_VALUE, reason)
    }

    /// `CL_INVALID_OPERATION`, for what this driver does not have.
    pub fn lacking(what: &'static str) -> Error {
        Error::new(CL_INVALID_OPERATION, format!("{what}: not supported"))
    }

    /// A defect of this crate. The specification has no code for it.
    pub fn internal(reason: impl std::fmt::Display) -> Error {
        let reason = format!("internal error: {reason}; this is a bug in clforge, not in your program");
        Error::new(CL_OUT_OF_RESOURCES, reason)
    }

    /// The same error with another code, where a function has one of its own.
    #[must_use]
    pub fn with_code(self, code: cl_int) -> Error {
        Error { code, ..self }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.reason)
    }
}

/// `Ok` if the condition holds, otherwise an error with this code.
///
/// # Errors
/// That error.
pub fn ensure(condition: bool, code: cl_int, reason: &'static str) -> Result<()> {
    if condition { Ok(()) } else { Err(Error::new(code, reason)) }
}

impl From<clforge_runtime::Error> for Error {
    fn from(error: clforge_runtime::Error) -> Error {
        use clforge_runtime::Error as E;
        let code = match &error {
            E::NoLoader { .. } | E::NoDevice { .. } | E::NoSuchDevice { .. } => CL_DEVICE_NOT_AVAILABLE,
            E::OutOfMemory { host: true, .. } => CL_OUT_OF_HOST_MEMORY,
            E::Allocation { .. } => CL_MEM_OBJECT_ALLOCATION_FAILURE,
            E::Transfer(_) | E::BufferRange { .. } => CL_INVALID_VALUE,
            E::MissingFeature { .. } | E::Compile(_) => CL_BUILD_PROGRAM_FAILURE,
            E::Interface(_) | E::UnusableModule(_) | E::InvalidModule(_) => CL_INVALID_BINARY,
            E::NoSuchKernel { .. } => CL_INVALID_KERNEL_NAME,
            E::ArgumentCount { .. } => CL_INVALID_KERNEL_ARGS,
            E::ArgumentKind { .. } => CL_INVALID_ARG_VALUE,
            E::ArgumentSize { .. } => CL_INVALID_ARG_SIZE,
            E::SubGroupSize { .. } | E::Launch(_) => CL_INVALID_WORK_GROUP_SIZE,
            E::Unsupported(_) => CL_INVALID_OPERATION,
            // The device, its limits, and defects of the runtime.
            _ => CL_OUT_OF_RESOURCES,
        };
        Error::new(code, error.to_string())
    }
}
