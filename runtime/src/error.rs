//! Everything that can fail while a program is loaded and run.

use crate::report::LaunchReport;
use ash::vk;
use clforge_compiler::Diagnostics;
use clforge_compiler::interface::InterfaceError;
use clforge_compiler::options::OptionError;
use std::fmt;

/// Result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// What to install where there is no Vulkan driver, for messages.
pub(crate) const DRIVERS: &str = "Debian: mesa-vulkan-drivers, or the driver of the GPU's vendor";

/// Why an operation failed. Indices of kernel arguments count from 0.
///
/// [`Error::DeviceLost`] and [`Error::OutOfMemory`] can come from every function that uses the device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no Vulkan loader (`libvulkan.so.1`, `vulkan-1.dll`).
    #[error("no Vulkan loader on this machine ({reason}); install it (Debian: libvulkan1) and a driver ({})", DRIVERS)]
    NoLoader {
        /// Why it could not be loaded.
        reason: String,
    },
    /// The loader finds no driver, or no driver has a usable device.
    #[error("no Vulkan device on this machine: {reason}")]
    NoDevice {
        /// What is missing.
        reason: String,
    },
    /// No device has the requested index or name.
    #[error("there is no device '{selector}'; available: {}", available.join(", "))]
    NoSuchDevice {
        /// The index or name that was requested.
        selector: String,
        /// Index and name of every device.
        available: Vec<String>,
    },
    /// The device stopped working: a fault of the driver, a kernel that ran too long, or an access to memory that does not
    /// exist. Objects made from the [`crate::Device`] are of no further use; another device can be opened. In a process that was
    /// forked after the device was opened this is the error too, and the call is `fork`.
    #[error("the device was lost in {call}")]
    DeviceLost {
        /// The Vulkan function that reported it.
        call: &'static str,
    },
    /// The driver has no memory left.
    #[error("{call} failed: out of {} memory", if *host { "host" } else { "device" })]
    OutOfMemory {
        /// The Vulkan function that failed.
        call: &'static str,
        /// Whether the memory of the host is exhausted; otherwise that of the device.
        host: bool,
    },
    /// Work did not complete within the given time. It continues.
    #[error("the device has not finished after {0:?}")]
    Timeout(std::time::Duration),
    /// A launch has not ended within the time that it was given: see [`crate::Launch::timeout`]. It continues, and everything
    /// that waits for the device waits for it, unless the device is given up: see [`crate::Device::abandon`].
    #[error("kernel '{kernel}' has not ended after {limit:?}")]
    LaunchTimeout {
        /// Name of the kernel.
        kernel: String,
        /// The time that it was given.
        limit: std::time::Duration,
    },
    /// The driver has not made a pipeline of a kernel within the time that it was given: see [`crate::Launch::timeout`] and
    /// [`crate::Device::set_compile_limit`]. It cannot be stopped: a thread stays with it, which keeps a processor busy if it never
    /// ends, and the memory of the kernel's program. Other kernels can be launched.
    #[error("the driver has not compiled kernel '{kernel}' after {limit:?}")]
    CompileTimeout {
        /// Name of the kernel.
        kernel: String,
        /// The time that it was given.
        limit: std::time::Duration,
    },
    /// The driver has ended a loop of a kernel that goes on ([`crate::Quirk::LoopLimit`]): what it has computed is wrong. All commands
    /// that were submitted together with it count as failed.
    #[error(
        "the driver has ended a loop of kernel '{kernel}' after 65535 iterations, so that its results are wrong: a loop that does \
         not end, waits for another work-item, or is longer than this driver allows"
    )]
    LoopEnded {
        /// Name of the kernel.
        kernel: String,
    },
    /// A copy, fill or mapping that is not allowed.
    #[error("invalid transfer: {0}")]
    Transfer(String),
    /// A Vulkan function failed.
    #[error("{call} failed: {result}")]
    Vulkan {
        /// The function.
        call: &'static str,
        /// What it returned.
        result: VulkanResult,
    },
    /// The driver does not make a pipeline of a kernel with much private memory. NVIDIA's (580.159) has 16 KiB for a work-item,
    /// and an error that does not say so.
    #[error(
        "vkCreateComputePipelines failed: {result}; kernel '{kernel}' has {bytes} bytes of private memory for each \
         work-item, and some drivers have room for less than 16 KiB"
    )]
    PrivateMemory {
        /// Name of the kernel.
        kernel: String,
        /// Bytes of its private variables, and of those of the functions that it calls.
        bytes: u64,
        /// What `vkCreateComputePipelines` returned.
        result: VulkanResult,
    },
    /// Memory for a buffer or an image could not be allocated.
    #[error("could not allocate {bytes} bytes of device memory: {reason}")]
    Allocation {
        /// Size of the allocation.
        bytes: u64,
        /// The allocator's message.
        reason: String,
    },
    /// The module needs a Vulkan feature that the device lacks.
    #[error("the module needs {needed_by}, but device '{device}' lacks the Vulkan feature {feature}")]
    MissingFeature {
        /// Name of the feature, or of several of which one suffices.
        feature: String,
        /// What of the module needs it.
        needed_by: String,
        /// Name of the device.
        device: String,
    },
    /// The module's interface cannot be read.
    #[error(transparent)]
    Interface(#[from] InterfaceError),
    /// The module is not for Vulkan, or contradicts itself.
    #[error("cannot run this module: {0}")]
    UnusableModule(String),
    /// `spirv-val` rejects the module, with its message: see [`crate::Program::from_spirv`].
    #[error("the module is not valid: {0}")]
    InvalidModule(String),
    /// The module could not be validated, for the reason that is given: `spirv-val` is not installed, for example. See
    /// [`crate::Program::from_spirv`].
    #[error("the module could not be validated: {0}")]
    ValidatorUnavailable(String),
    /// Build options that cannot be read: see [`crate::Options::parse`] and [`crate::build_options`].
    #[error(transparent)]
    BuildOptions(#[from] OptionError),
    /// The source has errors, which are shown.
    #[error("the program does not compile\n{0}")]
    Compile(#[source] CompileErrors),
    /// The program has no kernel of that name.
    #[error("there is no kernel '{name}'; the program has: {}", available.join(", "))]
    NoSuchKernel {
        /// The requested name.
        name: String,
        /// The names of the program's kernels.
        available: Vec<String>,
    },
    /// Wrong number of arguments.
    #[error("kernel '{kernel}' takes {expected} argument{}, but {given} {} given", plural(*expected), were(*given))]
    ArgumentCount {
        /// Name of the kernel.
        kernel: String,
        /// Number of its parameters.
        expected: u32,
        /// Number of arguments given.
        given: u32,
    },
    /// An argument of the wrong kind, a buffer for a scalar for example.
    #[error("argument {index}{} of kernel '{kernel}' is {expected}, but {given} was given", quoted(name))]
    ArgumentKind {
        /// Name of the kernel.
        kernel: String,
        /// Index of the argument.
        index: u32,
        /// Name of the parameter; empty where the module does not say.
        name: String,
        /// What the parameter takes.
        expected: String,
        /// What was given.
        given: String,
    },
    /// Plain data of the wrong size.
    #[error("argument {index}{} of kernel '{kernel}' has {expected} bytes, but {given} were given", quoted(name))]
    ArgumentSize {
        /// Name of the kernel.
        kernel: String,
        /// Index of the argument.
        index: u32,
        /// Name of the parameter; empty where the module does not say.
        name: String,
        /// Size of the parameter in bytes.
        expected: u64,
        /// Number of bytes given.
        given: u64,
    },
    /// More than the device allows.
    #[error("{what}: {requested}, but the device's limit is {limit}")]
    Limit {
        /// The quantity, with its unit.
        what: String,
        /// The most that the device allows.
        limit: u64,
        /// What was requested.
        requested: u64,
    },
    /// A sub-group size, requested by a kernel's attribute or a launch, that the device does not have.
    #[error("kernel '{kernel}' needs sub-groups of {requested} work-items, but the device has {}", sizes(*least, *most))]
    SubGroupSize {
        /// Name of the kernel.
        kernel: String,
        /// The requested size in work-items.
        requested: u32,
        /// Smallest size that the device has.
        least: u32,
        /// Largest size that the device has.
        most: u32,
    },
    /// A launch with contradictory or unsupported parameters.
    #[error("invalid launch: {0}")]
    Launch(String),
    /// A range outside of a buffer.
    #[error("{size} bytes at offset {offset} are outside of a buffer of {buffer} bytes")]
    BufferRange {
        /// First byte of the range.
        offset: u64,
        /// Length of the range in bytes.
        size: u64,
        /// Size of the buffer in bytes.
        buffer: u64,
    },
    /// Accesses outside of the memory that a kernel was given, in a program compiled with
    /// `CodegenOptions::bounds_check`. The launch is complete; these accesses read zeros and wrote nothing.
    #[error("{0}")]
    BoundsCheck(Box<LaunchReport>),
    /// Something that OpenCL has, but this crate or this device lacks.
    #[error("{0} not supported yet")]
    Unsupported(String),
    /// A defect of this crate.
    #[error("internal error: {0}; this is a bug in clforge, not in your program")]
    Internal(String),
}

/// What a Vulkan function returned: a `VkResult`, whose meaning is its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VulkanResult(i32);

impl VulkanResult {
    pub(crate) fn new(result: vk::Result) -> VulkanResult {
        VulkanResult(result.as_raw())
    }

    /// The number, as Vulkan's header has it.
    pub fn code(self) -> i32 {
        self.0
    }
}

impl fmt::Display for VulkanResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        vk::Result::from_raw(self.0).fmt(f)
    }
}

/// The diagnostics of a program that does not compile.
pub struct CompileErrors(pub Box<Diagnostics>);

/// The diagnostics as people see them.
impl fmt::Display for CompileErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.render(false).trim_end())
    }
}

impl std::error::Error for CompileErrors {}

/// The same on lines of their own: it is what a `main` that returns an error prints.
impl fmt::Debug for CompileErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}\n")
    }
}

impl Error {
    /// For `map_err` after a Vulkan call.
    pub(crate) fn vulkan(call: &'static str) -> impl Fn(vk::Result) -> Error {
        move |result| match result {
            vk::Result::ERROR_DEVICE_LOST => Error::DeviceLost { call },
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => Error::OutOfMemory { call, host: false },
            vk::Result::ERROR_OUT_OF_HOST_MEMORY => Error::OutOfMemory { call, host: true },
            result => Error::Vulkan { call, result: VulkanResult::new(result) },
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
