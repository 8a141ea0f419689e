//! Images and samplers.

use crate::device::Device;
use crate::errors::{detached, unknown};
use clforge_runtime as runtime;
use clforge_runtime::{Addressing, ImageDescription, ImageFormat, ImageKind, ImageRegion};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Texels on a device.
#[pyclass(frozen, module = "clforge._clforge")]
pub struct Image {
    /// The image.
    pub inner: runtime::Image,
}

#[pymethods]
impl Image {
    /// An image of zeros. `size` is width, height or layers, depth or layers, with 1 for what the kind does not have; `format`
    /// is a name such as `rgba8ui`.
    #[staticmethod]
    fn zeros(py: Python<'_>, device: &Device, kind: &str, size: [u32; 3], format: &str) -> PyResult<Image> {
        let description = description(kind, size, format)?;
        Ok(Image { inner: detached(py, || runtime::Image::zeroed(&device.inner, description))? })
    }

    /// An image with these texels, without gaps.
    #[staticmethod]
    fn from_bytes(
        py: Python<'_>,
        device: &Device,
        kind: &str,
        size: [u32; 3],
        format: &str,
        bytes: &Bound<'_, PyBytes>,
    ) -> PyResult<Image> {
        let (description, bytes) = (description(kind, size, format)?, bytes.as_bytes());
        Ok(Image { inner: detached(py, || runtime::Image::from_bytes(&device.inner, description, bytes))? })
    }

    /// Waits for the device, then overwrites all texels.
    fn write(&self, py: Python<'_>, bytes: &Bound<'_, PyBytes>) -> PyResult<()> {
        let bytes = bytes.as_bytes();
        detached(py, || self.inner.write(bytes))
    }

    /// Waits for the device, then reads all texels.
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &detached(py, || self.inner.to_vec())?))
    }
}

impl Image {
    /// All of its texels, and their number of bytes.
    pub fn whole(&self) -> (ImageRegion, u64) {
        let description = self.inner.description();
        // The image was made, so that its size fits.
        (ImageRegion { origin: [0; 3], size: description.size }, description.bytes().unwrap_or(u64::MAX))
    }
}

fn description(kind: &str, size: [u32; 3], format: &str) -> PyResult<ImageDescription> {
    let kind = match kind {
        "1d" => ImageKind::D1,
        "1d_array" => ImageKind::D1Array,
        "1d_buffer" => ImageKind::Buffer,
        "2d" => ImageKind::D2,
        "2d_array" => ImageKind::D2Array,
        "3d" => ImageKind::D3,
        _ => return Err(PyValueError::new_err(format!("there is no kind of image '{kind}'"))),
    };
    let unknown = || PyValueError::new_err(format!("there is no image format '{format}'"));
    Ok(ImageDescription { kind, size, format: ImageFormat::parse(format).ok_or_else(unknown)? })
}

/// How kernels read an image: the argument for a `sampler_t`.
///
/// `filter` is `nearest` or `linear`, `addressing` what is read outside of the image: `clamp_to_edge` (the nearest texel),
/// `clamp` (the border, which is black), `repeat`, `mirrored_repeat` or `none` (undefined). With `normalized`, coordinates are
/// from 0 to 1, else in texels; images repeat with the first only.
#[pyclass(frozen, eq, hash, module = "clforge")]
#[derive(PartialEq, Eq, Hash)]
pub struct Sampler {
    /// The sampler.
    pub inner: runtime::Sampler,
}

/// The names of addressing modes.
const ADDRESSINGS: [(&str, Addressing); 5] = [
    ("none", Addressing::None),
    ("clamp_to_edge", Addressing::ClampToEdge),
    ("clamp", Addressing::Clamp),
    ("repeat", Addressing::Repeat),
    ("mirrored_repeat", Addressing::MirroredRepeat),
];

#[pymethods]
impl Sampler {
    #[new]
    #[pyo3(signature = (filter="nearest", addressing="clamp_to_edge", *, normalized=false))]
    fn new(filter: &str, addressing: &str, normalized: bool) -> PyResult<Sampler> {
        let linear = match filter {
            "nearest" => false,
            "linear" => true,
            _ => return Err(unknown("filter", filter, &["nearest", "linear"])),
        };
        let Some((_, mode)) = ADDRESSINGS.iter().find(|(name, _)| *name == addressing) else {
            return Err(unknown("addressing", addressing, &ADDRESSINGS.map(|(name, _)| name)));
        };
        if matches!(mode, Addressing::Repeat | Addressing::MirroredRepeat) && !normalized {
            return Err(PyValueError::new_err("a sampler that repeats has normalized coordinates"));
        }
        Ok(Sampler { inner: runtime::Sampler { addressing: *mode, linear, normalized, ..Default::default() } })
    }

    /// `nearest` or `linear`.
    #[getter]
    fn filter(&self) -> &'static str {
        if self.inner.linear { "linear" } else { "nearest" }
    }

    /// What is read outside of the image.
    #[getter]
    fn addressing(&self) -> &'static str {
        ADDRESSINGS.iter().find(|(_, mode)| *mode == self.inner.addressing).map_or("none", |(name, _)| name)
    }

    /// Whether coordinates are from 0 to 1 instead of in texels.
    #[getter]
    fn normalized(&self) -> bool {
        self.inner.normalized
    }

    fn __repr__(&self) -> String {
        let normalized = if self.inner.normalized { "True" } else { "False" };
        format!("Sampler('{}', '{}', normalized={normalized})", self.filter(), self.addressing())
    }
}
