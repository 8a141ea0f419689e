//! Programs and kernels.

use crate::arguments::Held;
use crate::compile::options;
use crate::device::Device;
use crate::errors::{detached, of_runtime};
use crate::interface;
use crate::queue::{Event, Queue, duration};
use crate::texels::Texels;
use clforge_runtime as runtime;
use clforge_runtime::options::Sanitizers;
use clforge_runtime::{Arg, Launch, Printed};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A module on a device.
#[pyclass(frozen, module = "clforge._clforge")]
pub struct Program {
    inner: runtime::Program,
}

#[pymethods]
impl Program {
    /// Compiles OpenCL C for a device, with a list of sanitizers beside those of the build options.
    #[staticmethod]
    fn from_source(
        py: Python<'_>,
        device: &Device,
        source: &str,
        build_options: &str,
        name: &str,
        sanitizers: &str,
    ) -> PyResult<Program> {
        let mut options = options(py, build_options)?;
        if !sanitizers.is_empty() {
            let list =
                Sanitizers::parse(sanitizers).map_err(|reason| PyValueError::new_err(format!("sanitize: {reason}")))?;
            options.codegen.set_sanitizers(options.codegen.sanitizers() | list);
        }
        let made = detached(py, || runtime::Program::from_named_source(&device.inner, name, source, &options));
        Program::new(py, made?)
    }

    /// Loads SPIR-V, which is validated.
    #[staticmethod]
    fn from_spirv(py: Python<'_>, device: &Device, bytes: &Bound<'_, PyBytes>) -> PyResult<Program> {
        let bytes = bytes.as_bytes();
        Program::new(py, detached(py, || runtime::Program::from_bytes(&device.inner, bytes))?)
    }

    /// The module for this device.
    fn spirv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.words(py)?))
    }

    /// The compiler's warnings as text.
    #[getter]
    fn build_log(&self) -> &str {
        self.inner.build_log()
    }

    /// Kernels, arguments and layouts.
    fn interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let words = interface::words(&self.words(py)?);
        interface::module(py, self.inner.interface(), &Texels::new(&words))
    }

    /// The kernel of a name.
    fn kernel(&self, py: Python<'_>, name: &str) -> PyResult<Kernel> {
        Ok(Kernel { inner: detached(py, || self.inner.kernel(name))? })
    }
}

impl Program {
    fn new(py: Python<'_>, inner: runtime::Program) -> PyResult<Program> {
        inner.on_print(print).map_err(|error| of_runtime(py, error))?;
        Ok(Program { inner })
    }

    /// The module as bytes, which may be compiled now.
    fn words(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        detached(py, || self.inner.to_bytes())
    }
}

/// Passes what a kernel has printed to `sys.stdout`, which notebooks and tests replace. The launch that printed waits for it
/// without the interpreter's lock.
fn print(printed: Printed<'_>) {
    Python::attach(|py| {
        let (stream, text) = match printed {
            Printed::Message(_) => ("stdout", printed.to_string()),
            _ => ("stderr", format!("warning: {printed}\n")),
        };
        let write = || py.import("sys")?.getattr(stream)?.call_method1("write", (text,));
        if let Err(error) = write() {
            error.write_unraisable(py, None);
        }
    });
}

/// A kernel of a program.
#[pyclass(frozen, module = "clforge._clforge")]
pub struct Kernel {
    inner: runtime::Kernel,
}

#[pymethods]
impl Kernel {
    /// Puts a launch into a queue.
    #[expect(clippy::too_many_arguments, reason = "the function is called by clforge/_program.py only")]
    fn launch(
        &self,
        py: Python<'_>,
        queue: &Queue,
        global_size: Vec<u64>,
        local_size: Option<Vec<u64>>,
        offset: Option<Vec<u64>>,
        timeout: Option<f64>,
        arguments: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<Event> {
        let mut launch = Launch::new(&global_size);
        if let Some(size) = local_size {
            launch = launch.local(&size);
        }
        if let Some(offset) = offset {
            launch = launch.offset(&offset);
        }
        if let Some(seconds) = timeout {
            launch = launch.timeout(duration(seconds)?);
        }
        let held = arguments.iter().map(Held::new).collect::<PyResult<Vec<_>>>()?;
        let args: Vec<Arg<'_>> = held.iter().map(Held::arg).collect();
        let event = detached(py, || queue.inner.launch(&self.inner, &launch, &args))?;
        Ok(Event { inner: event, limit: timeout })
    }
}
