//! `clforge._clforge`: the part of the Python module that is written in Rust. `clforge/__init__.py` is what programs import.
//!
//! Whatever waits (compilers, devices) runs without Python's interpreter lock. The host gets copies of a device's memory.
#![deny(missing_docs, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod arguments;
mod buffer;
mod compile;
mod device;
mod diagnostics;
mod errors;
#[cfg(not(feature = "abi3-py39"))]
mod export;
mod image;
mod interface;
mod program;
mod queue;
mod texels;

use pyo3::pymodule;

/// The native part of the module clforge.
#[pymodule]
mod _clforge {
    #[pymodule_export]
    use crate::arguments::Local;
    #[pymodule_export]
    use crate::buffer::Buffer;
    #[pymodule_export]
    use crate::compile::{Module, compile};
    #[pymodule_export]
    use crate::device::{Device, devices};
    #[pymodule_export]
    use crate::diagnostics::{Diagnostic, Note};
    #[pymodule_export]
    use crate::errors::{CompileError, DeviceError, Error, OutOfRangeError, SanitizerError};
    #[cfg(not(feature = "abi3-py39"))]
    #[pymodule_export]
    use crate::export::HostView;
    #[pymodule_export]
    use crate::image::{Image, Sampler};
    #[pymodule_export]
    use crate::program::{Kernel, Program};
    #[pymodule_export]
    use crate::queue::{Download, Event, Queue};

    /// The compiler's version and a digest of its sources.
    #[pymodule_export]
    const BUILD: &str = clforge_compiler::BUILD;
    /// The names of the targets.
    #[pymodule_export]
    const TARGETS: [&str; 11] = crate::compile::TARGETS;
}
