//! Python's objects as arguments of kernels.

use crate::buffer::Buffer;
use crate::image::{Image, Sampler};
use clforge_runtime::Arg;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Memory of a `local` pointer: so many bytes for each work-group.
#[pyclass(frozen, module = "clforge")]
pub struct Local {
    /// The number of bytes.
    #[pyo3(get)]
    size: u64,
}

#[pymethods]
impl Local {
    #[new]
    fn new(size: u64) -> PyResult<Local> {
        if size == 0 {
            return Err(PyValueError::new_err("local memory has at least one byte"));
        }
        Ok(Local { size })
    }

    fn __repr__(&self) -> String {
        format!("Local({})", self.size)
    }
}

/// An argument while its object is kept.
pub enum Held<'py> {
    /// A buffer.
    Buffer(Bound<'py, Buffer>),
    /// An image.
    Image(Bound<'py, Image>),
    /// A sampler.
    Sampler(Bound<'py, Sampler>),
    /// Plain data in its memory layout.
    Bytes(Bound<'py, PyBytes>),
    /// Bytes of local memory.
    Local(u64),
    /// A null pointer.
    Null,
}

impl<'py> Held<'py> {
    /// What an object is.
    pub fn new(object: &Bound<'py, PyAny>) -> PyResult<Held<'py>> {
        if let Ok(buffer) = object.cast::<Buffer>() {
            return Ok(Held::Buffer(buffer.clone()));
        }
        if let Ok(image) = object.cast::<Image>() {
            return Ok(Held::Image(image.clone()));
        }
        if let Ok(sampler) = object.cast::<Sampler>() {
            return Ok(Held::Sampler(sampler.clone()));
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Held::Bytes(bytes.clone()));
        }
        if let Ok(local) = object.cast::<Local>() {
            return Ok(Held::Local(local.get().size));
        }
        if object.is_none() {
            return Ok(Held::Null);
        }
        let text = format!("a kernel takes no argument of type '{}'", object.get_type().name()?);
        Err(PyTypeError::new_err(text))
    }

    /// The same for the runtime.
    pub fn arg(&self) -> Arg<'_> {
        match self {
            Held::Buffer(buffer) => Arg::Buffer(&buffer.get().inner),
            Held::Image(image) => Arg::Image(&image.get().inner),
            Held::Sampler(sampler) => Arg::Sampler(sampler.get().inner),
            Held::Bytes(bytes) => Arg::Pod(bytes.as_bytes()),
            Held::Local(size) => Arg::Local(*size),
            Held::Null => Arg::Null,
        }
    }
}
