//! Queues, events and downloads.

use crate::buffer::Buffer;
use crate::device::Device;
use crate::errors::detached;
use crate::image::Image;
use clforge_runtime as runtime;
use clforge_runtime::EventStatus;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Commands that a device executes one after another while the program continues.
#[pyclass(frozen, module = "clforge._clforge")]
pub struct Queue {
    /// The queue.
    pub inner: runtime::Queue,
}

#[pymethods]
impl Queue {
    #[new]
    #[pyo3(signature = (device, profiling=false))]
    fn new(py: Python<'_>, device: &Device, profiling: bool) -> PyResult<Queue> {
        let make = || match profiling {
            true => runtime::Queue::with_profiling(&device.inner),
            false => runtime::Queue::new(&device.inner),
        };
        Ok(Queue { inner: detached(py, make)? })
    }

    /// Overwrites bytes of a buffer.
    fn write(&self, py: Python<'_>, buffer: &Buffer, offset: u64, bytes: &Bound<'_, PyBytes>) -> PyResult<Event> {
        let bytes = bytes.as_bytes();
        Ok(Event::new(detached(py, || self.inner.write(&buffer.inner, offset, bytes))?))
    }

    /// Starts to read bytes of a buffer.
    fn read(&self, py: Python<'_>, buffer: &Buffer, offset: u64, size: u64) -> PyResult<Download> {
        let download = detached(py, || self.inner.read_async(&buffer.inner, offset, size))?;
        Ok(Download { event: download.event().clone(), inner: Mutex::new(Some(download)) })
    }

    /// Copies bytes from buffer to buffer.
    fn copy(&self, py: Python<'_>, source: &Buffer, target: &Buffer, size: u64) -> PyResult<Event> {
        Ok(Event::new(detached(py, || self.inner.copy(&source.inner, 0, &target.inner, 0, size))?))
    }

    /// Fills a buffer with repetitions of a pattern.
    fn fill(&self, py: Python<'_>, buffer: &Buffer, pattern: &Bound<'_, PyBytes>) -> PyResult<Event> {
        let (pattern, size) = (pattern.as_bytes(), buffer.inner.size());
        Ok(Event::new(detached(py, || self.inner.fill(&buffer.inner, 0, size, pattern))?))
    }

    /// Overwrites all texels of an image.
    fn write_image(&self, py: Python<'_>, image: &Image, bytes: &Bound<'_, PyBytes>) -> PyResult<Event> {
        let (bytes, (region, _)) = (bytes.as_bytes(), image.whole());
        Ok(Event::new(detached(py, || self.inner.write_image(&image.inner, &region, bytes))?))
    }

    /// Starts to read all texels of an image.
    fn read_image(&self, py: Python<'_>, image: &Image) -> PyResult<Download> {
        let (region, size) = image.whole();
        let download = detached(py, || {
            let between = runtime::Buffer::new(self.inner.device(), size)?;
            self.inner.copy_image_to_buffer(&image.inner, &region, &between, 0)?;
            self.inner.read_async(&between, 0, size)
        })?;
        Ok(Download { event: download.event().clone(), inner: Mutex::new(Some(download)) })
    }

    /// Copies all texels of an image to one of the same size and format.
    fn copy_image(&self, py: Python<'_>, source: &Image, target: &Image) -> PyResult<Event> {
        let (region, _) = source.whole();
        Ok(Event::new(detached(py, || self.inner.copy_image(&source.inner, &region, &target.inner, [0; 3]))?))
    }

    /// Lets all later commands wait for an event of any queue of the same device.
    fn wait_for(&self, py: Python<'_>, event: &Event) -> PyResult<()> {
        detached(py, || self.inner.wait_for(&event.inner))
    }

    /// An event that is complete when all commands so far are.
    fn marker(&self, py: Python<'_>) -> PyResult<Event> {
        Ok(Event::new(detached(py, || self.inner.marker())?))
    }

    /// Submits all commands so far without waiting for them.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.inner.flush())
    }

    /// Waits for all commands so far.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.inner.finish())
    }
}

/// The state of one command.
#[pyclass(frozen, subclass, module = "clforge._clforge")]
pub struct Event {
    /// The event.
    pub inner: runtime::Event,
    /// How many seconds a wait without a time of its own may take.
    pub limit: Option<f64>,
}

impl Event {
    /// An event whose command may take any time.
    pub fn new(inner: runtime::Event) -> Event {
        Event { inner, limit: None }
    }
}

#[pymethods]
impl Event {
    /// Waits until the command is complete, or at most so many seconds; without a number as many as its launch said.
    #[pyo3(signature = (timeout=None))]
    fn wait(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<()> {
        wait(py, &self.inner, timeout.or(self.limit))
    }

    /// Whether the command is complete.
    fn done(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(detached(py, || self.inner.status())? == EventStatus::Complete)
    }

    /// Seconds that the device executed the command, where its queue records them.
    #[getter]
    fn device_time(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        Ok(detached(py, || self.inner.times())?.device().map(|time| time.as_secs_f64()))
    }
}

/// Data that is being copied to the host.
#[pyclass(frozen, module = "clforge._clforge")]
pub struct Download {
    event: runtime::Event,
    inner: Mutex<Option<runtime::Download>>,
}

#[pymethods]
impl Download {
    /// The copy.
    #[getter]
    fn event(&self) -> Event {
        Event::new(self.event.clone())
    }

    /// Waits for the data and returns them; they can be taken once.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let taken = self.inner.lock().unwrap_or_else(PoisonError::into_inner).take();
        let taken = taken.ok_or_else(|| PyRuntimeError::new_err("the data were taken already"))?;
        let bytes = detached(py, || taken.wait())?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// A time in seconds.
pub fn duration(seconds: f64) -> PyResult<Duration> {
    let text = || format!("a time of {seconds} seconds");
    Duration::try_from_secs_f64(seconds).map_err(|_| PyValueError::new_err(text()))
}

/// How long a wait goes on before signals are looked at, such as the one of Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(100);

/// Waits for an event, and lets handlers of signals run meanwhile.
fn wait(py: Python<'_>, event: &runtime::Event, timeout: Option<f64>) -> PyResult<()> {
    let mut left = timeout.map(duration).transpose()?;
    loop {
        let step = left.map_or(SIGNALS, |left| left.min(SIGNALS));
        match py.detach(|| event.wait_timeout(step)) {
            Ok(()) => return Ok(()),
            Err(runtime::Error::Timeout(_)) => {}
            Err(error) => return Err(crate::errors::of_runtime(py, error)),
        }
        py.check_signals()?;
        left = left.map(|left| left.saturating_sub(step));
        if left.is_some_and(|left| left.is_zero()) {
            let limit = Duration::from_secs_f64(timeout.unwrap_or_default());
            return Err(crate::errors::of_runtime(py, runtime::Error::Timeout(limit)));
        }
    }
}
