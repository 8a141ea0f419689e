//! Devices.

use crate::errors::detached;
use clforge_runtime as runtime;
use clforge_runtime::{DeviceInfo, DeviceKind, DeviceSelector, Instance, InstanceOptions};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An open Vulkan device.
#[pyclass(frozen, subclass, module = "clforge._clforge")]
pub struct Device {
    /// The device.
    pub inner: runtime::Device,
}

#[pymethods]
impl Device {
    #[new]
    #[pyo3(signature = (selector=None))]
    fn new(py: Python<'_>, selector: Option<&Bound<'_, PyAny>>) -> PyResult<Device> {
        let selector = read_selector(selector)?;
        Ok(Device { inner: detached(py, || runtime::Device::open(&selector))? })
    }

    /// Name, kind, limits and features.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        describe(py, self.inner.info())
    }

    /// Bytes of device memory that buffers and work under way have.
    #[getter]
    fn memory_in_use(&self) -> u64 {
        self.inner.memory_in_use()
    }

    /// Keeps the clock of an NVIDIA device from falling until the process ends; without it the clock falls ten seconds after the
    /// last work. Returns whether it does. It takes energy.
    fn keep_clock(&self) -> bool {
        self.inner.keep_clock()
    }

    /// Waits for all work of the device.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.inner.finish())
    }
}

/// All devices of this machine, as dictionaries.
#[pyfunction]
pub fn devices(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let found = detached(py, || {
        let devices = Instance::new(InstanceOptions::from_env())?.devices()?;
        let best = Instance::select(&devices, &DeviceSelector::Best)?;
        Ok((devices, best))
    });
    let (devices, best) = found?;
    let describe = |(index, info)| {
        let dict = describe(py, info)?;
        dict.set_item("is_default", index == best)?;
        Ok(dict)
    };
    devices.iter().enumerate().map(describe).collect()
}

fn read_selector(selector: Option<&Bound<'_, PyAny>>) -> PyResult<DeviceSelector> {
    let Some(given) = selector else { return Ok(DeviceSelector::Best) };
    if let Ok(index) = given.extract::<usize>() {
        return Ok(DeviceSelector::Index(index));
    }
    let Ok(name) = given.extract::<String>() else {
        return Err(PyTypeError::new_err("a device is selected by a number or by a part of its name"));
    };
    Ok(name.parse().unwrap_or_default())
}

fn describe<'py>(py: Python<'py>, info: &DeviceInfo) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("index", info.index)?;
    dict.set_item("name", &info.name)?;
    dict.set_item("kind", kind(info.kind))?;
    dict.set_item("api_version", &info.api_version)?;
    dict.set_item("driver", &info.driver)?;
    dict.set_item("memory", info.memory)?;
    dict.set_item("features", &info.features)?;
    dict.set_item("unusable", &info.unusable)?;
    let limits = &info.limits;
    dict.set_item("max_work_group_size", limits.max_work_group_size)?;
    dict.set_item("max_work_group_invocations", limits.max_work_group_invocations)?;
    dict.set_item("max_local_memory", limits.max_shared_memory)?;
    dict.set_item("max_allocation", limits.max_allocation)?;
    dict.set_item("sub_group_size", limits.subgroup_size)?;
    dict.set_item("warnings", info.warnings().collect::<Vec<_>>())?;
    Ok(dict)
}

fn kind(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::DiscreteGpu => "discrete_gpu",
        DeviceKind::IntegratedGpu => "integrated_gpu",
        DeviceKind::VirtualGpu => "virtual_gpu",
        DeviceKind::Cpu => "cpu",
        DeviceKind::Other => "other",
    }
}
