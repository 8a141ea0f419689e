//! Buffers of bytes on a device.

use crate::device::Device;
use crate::errors::detached;
use clforge_runtime as runtime;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Bytes on a device.
#[pyclass(frozen, module = "clforge._clforge")]
pub struct Buffer {
    /// The buffer.
    pub inner: runtime::Buffer,
}

#[pymethods]
impl Buffer {
    /// A buffer of `size` zero bytes.
    #[staticmethod]
    fn zeros(py: Python<'_>, device: &Device, size: u64) -> PyResult<Buffer> {
        Ok(Buffer { inner: detached(py, || runtime::Buffer::zeroed(&device.inner, size))? })
    }

    /// A buffer of `size` bytes with whatever the memory holds.
    #[staticmethod]
    fn empty(py: Python<'_>, device: &Device, size: u64) -> PyResult<Buffer> {
        Ok(Buffer { inner: detached(py, || runtime::Buffer::new(&device.inner, size))? })
    }

    /// A buffer with a copy of bytes.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, device: &Device, bytes: &Bound<'_, PyBytes>) -> PyResult<Buffer> {
        let bytes = bytes.as_bytes();
        Ok(Buffer { inner: detached(py, || runtime::Buffer::from_bytes(&device.inner, bytes))? })
    }

    /// Its size in bytes.
    #[getter]
    fn size(&self) -> u64 {
        self.inner.size()
    }

    /// A part of it that shares its memory.
    fn slice(&self, py: Python<'_>, offset: u64, size: u64) -> PyResult<Buffer> {
        Ok(Buffer { inner: detached(py, || self.inner.slice(offset, size))? })
    }

    /// Waits for the device, then writes bytes.
    fn write(&self, py: Python<'_>, offset: u64, bytes: &Bound<'_, PyBytes>) -> PyResult<()> {
        let bytes = bytes.as_bytes();
        detached(py, || self.inner.write(offset, bytes))
    }

    /// Waits for the device, then reads bytes.
    fn read<'py>(&self, py: Python<'py>, offset: u64, size: u64) -> PyResult<Bound<'py, PyBytes>> {
        // Before memory is allocated for them.
        detached(py, || self.inner.slice(offset, size))?;
        let count = usize::try_from(size).map_err(|_| PyOverflowError::new_err("more bytes than memory can have"))?;
        PyBytes::new_with(py, count, |bytes| detached(py, || self.inner.read(offset, bytes)))
    }
}
