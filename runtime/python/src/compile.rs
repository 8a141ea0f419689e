//! Sources to modules, without a device.

use crate::{diagnostics, errors, interface};
use clforge_compiler::interface::ModuleInterface;
use clforge_compiler::{Source, Target};
use clforge_runtime::{Options, build_options};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A compiled SPIR-V module.
#[pyclass(frozen, module = "clforge")]
pub struct Module {
    words: Vec<u32>,
    target: Target,
    /// Warnings.
    #[pyo3(get)]
    diagnostics: Vec<Py<diagnostics::Diagnostic>>,
    /// The files that were included.
    #[pyo3(get)]
    dependencies: Vec<String>,
    interface: Py<PyDict>,
}

#[pymethods]
impl Module {
    /// The module's SPIR-V, in little-endian words.
    #[getter]
    fn spirv<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &interface::bytes(&self.words))
    }

    /// The name of the environment that it is for.
    #[getter]
    fn target(&self) -> String {
        self.target.to_string()
    }

    /// Kernels, arguments and layouts.
    #[getter]
    fn interface(&self, py: Python<'_>) -> Py<PyDict> {
        self.interface.clone_ref(py)
    }

    /// The module in SPIR-V's assembly language.
    fn disassemble(&self, py: Python<'_>) -> String {
        py.detach(|| clforge_compiler::disassemble::disassemble(&self.words))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.spirv(py)
    }

    fn __len__(&self) -> usize {
        self.words.len() * 4
    }

    fn __repr__(&self) -> String {
        format!("<Module for {}, {} bytes>", self.target, self.words.len() * 4)
    }
}

/// Reads build options, with a target where one is given.
pub fn options(py: Python<'_>, text: &str, target: Option<&str>) -> PyResult<Options> {
    let mut options = build_options(text).map_err(|error| errors::of_runtime(py, error.into()))?;
    if let Some(name) = target {
        let names = || format!("there is no target '{name}'; there are: {}", Target::NAMES.join(", "));
        options.target = Target::parse(name).ok_or_else(|| PyValueError::new_err(names()))?;
    }
    Ok(options)
}

/// Compiles OpenCL C.
#[pyfunction]
#[pyo3(signature = (source, target, build_options, name))]
pub fn compile(py: Python<'_>, source: &str, target: &str, build_options: &str, name: &str) -> PyResult<Module> {
    let options = options(py, build_options, Some(target))?;
    let code = Source { name, text: source.as_bytes() };
    let compiled = py.detach(|| clforge_compiler::compile(code, &options));
    let compiled = compiled.map_err(|found| errors::of_diagnostics(py, &found))?;
    let interface = described(py, code, &options, &compiled.spirv)?;
    Ok(Module {
        words: compiled.spirv,
        target: options.target,
        diagnostics: diagnostics::list(py, &compiled.warnings)?,
        dependencies: compiled.dependencies,
        interface: interface::module(py, &interface)?.unbind(),
    })
}

/// What a module consists of. A module for OpenCL does not say what its structures are made of, so that one for Vulkan is asked:
/// there, a program of Vulkan's kind has no interface where it cannot be compiled.
fn described(py: Python<'_>, code: Source<'_>, options: &Options, words: &[u32]) -> PyResult<ModuleInterface> {
    let read = |words: &[u32]| ModuleInterface::from_spirv(words).map_err(|error| errors::of_runtime(py, error.into()));
    if options.target.is_vulkan() {
        return read(words);
    }
    let options = options.clone().with_target(Options::default().target);
    match py.detach(|| clforge_compiler::compile(code, &options)) {
        Ok(compiled) => read(&compiled.spirv),
        Err(_) => Ok(ModuleInterface::default()),
    }
}
