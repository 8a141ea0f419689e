//! The buffer protocol for arrays, which Python's stable interface has from 3.11 on.

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::os::raw::c_int;

/// A base of classes whose method `_host_view` makes a `memoryview` of a copy: `memoryview(object)` is that view.
#[pyclass(subclass, frozen, module = "clforge._clforge")]
pub struct HostView;

#[pymethods]
impl HostView {
    #[new]
    #[pyo3(signature = (*_arguments, **_keywords))]
    fn new(_arguments: &Bound<'_, PyAny>, _keywords: Option<&Bound<'_, PyAny>>) -> HostView {
        HostView
    }

    /// # Safety
    /// As Python calls it: `view` points to a structure to be filled.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("there is no view to fill"));
        }
        let copy = slf.call_method0("_host_view")?;
        // SAFETY: `view` is what Python gave us for this purpose. The copy's own class fills it, and the view keeps the copy and
        // is released by that class.
        match unsafe { ffi::PyObject_GetBuffer(copy.as_ptr(), view, flags) } {
            0 => Ok(()),
            _ => Err(PyErr::fetch(slf.py())),
        }
    }
}
