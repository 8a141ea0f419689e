//! Errors of the runtime as Python's exceptions.

use crate::diagnostics;
use clforge_runtime::Diagnostics;
use clforge_runtime::Error as E;
use pyo3::exceptions::{PyKeyError, PyMemoryError, PyRuntimeError, PyTimeoutError, PyTypeError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(clforge, Error, PyRuntimeError, "What failed in the compiler, the runtime or the device.");
pyo3::create_exception!(
    clforge,
    CompileError,
    Error,
    "A source has errors. Its text shows them with the source's lines; `diagnostics` has them as data."
);
pyo3::create_exception!(clforge, DeviceError, Error, "There is no device, or it failed.");
pyo3::create_exception!(
    clforge,
    SanitizerError,
    Error,
    "A kernel of a program with sanitizers has made a mistake. Its text shows where."
);
pyo3::create_exception!(
    clforge,
    OutOfRangeError,
    SanitizerError,
    "A kernel of a program with bounds checks has accessed what is outside of its memory."
);

/// The exception for diagnostics that have an error among them.
pub fn of_diagnostics(py: Python<'_>, found: &Diagnostics) -> PyErr {
    let text = format!("the program does not compile\n{}", found.render(false).trim_end());
    let error = CompileError::new_err(text);
    let list = match diagnostics::list(py, found) {
        Ok(list) => list,
        Err(error) => return error,
    };
    match error.value(py).setattr("diagnostics", list) {
        Ok(()) => error,
        Err(error) => error,
    }
}

/// The exception for an error of the runtime.
pub fn of_runtime(py: Python<'_>, error: E) -> PyErr {
    let text = error.to_string();
    match error {
        E::Compile(errors) => of_diagnostics(py, &errors.0),
        E::ArgumentCount { .. } | E::ArgumentKind { .. } | E::ArgumentSize { .. } => PyTypeError::new_err(text),
        E::NoSuchKernel { .. } => PyKeyError::new_err(text),
        E::OutOfMemory { .. } | E::Allocation { .. } => PyMemoryError::new_err(text),
        E::Timeout(_) | E::LaunchTimeout { .. } | E::CompileTimeout { .. } => PyTimeoutError::new_err(text),
        E::BoundsCheck(report) => match report.places.iter().any(|place| place.site.check.sanitizer() == "address") {
            true => OutOfRangeError::new_err(text),
            false => SanitizerError::new_err(text),
        },
        E::NoLoader { .. } | E::NoDevice { .. } | E::NoSuchDevice { .. } | E::DeviceLost { .. } | E::Vulkan { .. } => {
            DeviceError::new_err(text)
        }
        E::BuildOptions(_)
        | E::Limit { .. }
        | E::Launch(_)
        | E::BufferRange { .. }
        | E::Transfer(_)
        | E::SubGroupSize { .. }
        | E::Interface(_)
        | E::UnusableModule(_)
        | E::InvalidModule(_) => PyValueError::new_err(text),
        _ => Error::new_err(text),
    }
}

/// The exception for a name that is none of those there are.
pub fn unknown(what: &str, given: &str, names: &[&str]) -> PyErr {
    PyValueError::new_err(format!("there is no {what} '{given}'; there are: {}", names.join(", ")))
}

/// Does something that may take long without the interpreter's lock, and turns its error into an exception.
pub fn detached<T: Send>(py: Python<'_>, act: impl FnOnce() -> clforge_runtime::Result<T> + Send) -> PyResult<T> {
    py.detach(act).map_err(|error| of_runtime(py, error))
}
