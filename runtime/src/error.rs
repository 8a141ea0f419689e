//! Everything that can go wrong while a program is run.

use ash::vk;
use clforge_compiler::Diagnostics;
use clforge_compiler::interface::InterfaceError;
use std::fmt;

/// Result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation failed. Positions of kernel arguments count from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Error {
    /// There is no Vulkan loader (`libvulkan.so.1`, `vulkan-1.dll`).
    #[error("no Vulkan loader on this machine ({reason}); install one (Debian: libvulkan1) and a Vulkan driver")]
    NoLoader { reason: String },
    /// The loader finds no driver, or no driver has a usable device.
    #[error("no Vulkan device on this machine: {reason}")]
    NoDevice { reason: String },
    /// No device has the number or name that was asked for.
    #[error("there is no device '{selector}'; available: {}", available.join(", "))]
    NoSuchDevice { selector: String, available: Vec<String> },
    /// The device stopped working: a driver's fault, or a kernel that ran too long or into memory that is not there.
    /// What was made from the [`crate::Device`] is of no more use; another one can be opened. Every function that uses the
    /// device may fail like this.
    #[error("the device was lost in {call}")]
    DeviceLost { call: &'static str },
    /// The driver has no memory left, of its device or of this host. Every function that uses the device may fail like this.
    #[error("{call} failed: out of {} memory", if *host { "host" } else { "device" })]
    OutOfMemory { call: &'static str, host: bool },
    /// Work did not end in the time that it was given. It goes on.
    #[error("the device has not finished after {0:?}")]
    Timeout(std::time::Duration),
    /// A copy or fill that makes no sense.
    #[error("invalid transfer: {0}")]
    Transfer(String),
    /// A Vulkan function failed.
    #[error("{call} failed: {result}")]
    Vulkan { call: &'static str, result: vk::Result },
    /// Device memory could not be had.
    #[error("could not allocate {bytes} bytes of device memory: {reason}")]
    Memory { bytes: u64, reason: String },
    /// The module needs a Vulkan feature that the device lacks.
    #[error("the module needs {needed_by}, but device '{device}' lacks the Vulkan feature {feature}")]
    MissingFeature { feature: String, needed_by: String, device: String },
    /// The module's interface cannot be read.
    #[error(transparent)]
    Module(#[from] InterfaceError),
    /// The module is not for Vulkan, or contradicts itself.
    #[error("cannot run this module: {0}")]
    WrongModule(String),
    /// The source has errors.
    #[error("the program does not compile")]
    Compile(CompileErrors),
    /// The program has no kernel of that name.
    #[error("there is no kernel '{name}'; the program has: {}", available.join(", "))]
    NoSuchKernel { name: String, available: Vec<String> },
    /// Wrong number of arguments.
    #[error("kernel '{kernel}' takes {expected} argument{}, but {given} {} given", plural(*expected), were(*given))]
    ArgumentCount { kernel: String, expected: u32, given: u32 },
    /// An argument of the wrong kind, a buffer for a scalar for example.
    #[error("argument {index}{} of kernel '{kernel}' is {expected}, but {given} was given", quoted(name))]
    ArgumentKind { kernel: String, index: u32, name: String, expected: String, given: String },
    /// Plain data of the wrong size.
    #[error("argument {index}{} of kernel '{kernel}' has {expected} bytes, but {given} were given", quoted(name))]
    ArgumentSize { kernel: String, index: u32, name: String, expected: u64, given: u64 },
    /// More than the device allows.
    #[error("{what}: {requested}, but the device's limit is {limit}")]
    Limit { what: String, limit: u64, requested: u64 },
    /// A sub-group size, asked for by a kernel's attribute or a launch, that the device does not have.
    #[error("kernel '{kernel}' needs sub-groups of {requested} work-items, but the device has {}", sizes(*least, *most))]
    SubGroupSize { kernel: String, requested: u32, least: u32, most: u32 },
    /// A launch that makes no sense.
    #[error("invalid launch: {0}")]
    Launch(String),
    /// An access outside of a buffer.
    #[error("{size} bytes at offset {offset} are outside of a buffer of {buffer} bytes")]
    OutOfBounds { offset: u64, size: u64, buffer: u64 },
    /// Accesses outside of the memory that a kernel was given, in a program that checks them
    /// (`Options::bounds_check`). The launch is complete; they read zeros and wrote nothing.
    #[error("{0}")]
    OutOfRange(Box<crate::LaunchReport>),
    /// Something that works in OpenCL but not here, or not on this device.
    #[error("{0} not supported yet")]
    Unsupported(String),
    /// A bug of ours.
    #[error("internal error: {0}; this is a bug in clforge, not in your program")]
    Internal(String),
}

/// The diagnostics of a program that does not compile.
pub struct CompileErrors(pub Box<Diagnostics>);

impl fmt::Debug for CompileErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.list.iter().map(|diagnostic| &diagnostic.message)).finish()
    }
}

impl Error {
    /// For `map_err` after a Vulkan call.
    pub(crate) fn vulkan(call: &'static str) -> impl Fn(vk::Result) -> Error {
        move |result| match result {
            vk::Result::ERROR_DEVICE_LOST => Error::DeviceLost { call },
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => Error::OutOfMemory { call, host: false },
            vk::Result::ERROR_OUT_OF_HOST_MEMORY => Error::OutOfMemory { call, host: true },
            result => Error::Vulkan { call, result },
        }
    }
}

fn plural(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn sizes(least: u32, most: u32) -> String {
    if least == most { format!("sub-groups of {least}") } else { format!("those of {least} to {most} (powers of two)") }
}

fn were(count: u32) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

fn quoted(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" '{name}'") }
}
