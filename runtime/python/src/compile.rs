//! Sources to modules, without a device.

use crate::texels::Texels;
use crate::{diagnostics, errors, interface};
use clforge_compiler::interface::ModuleInterface;
use clforge_compiler::options::{Addressing, Translatable};
use clforge_compiler::{Source, Target};
use clforge_runtime::{Options, build_options};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// A compiled SPIR-V module.
#[pyclass(frozen, module = "clforge")]
pub struct Module {
    words: Vec<u32>,
    /// The name of the environment that it is for.
    #[pyo3(get)]
    target: String,
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

/// The name of the target for translation to WGSL and other languages.
const WEB_GPU: &str = "webgpu";

/// The names of the targets.
pub const TARGETS: [&str; 11] = {
    let (mut names, mut count) = ([WEB_GPU; 11], 0);
    while count < Target::NAMES.len() {
        names[count] = Target::NAMES[count];
        count += 1;
    }
    names
};

/// Reads build options.
pub fn options(py: Python<'_>, text: &str) -> PyResult<Options> {
    build_options(text).map_err(|error| errors::of_runtime(py, error.into()))
}

/// What a module is made for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Environment {
    target: String,
    /// How buffers are addressed.
    addressing: Option<String>,
    /// For WebGPU: the work-group size of kernels that require none.
    work_group_size: Option<[u32; 3]>,
    /// For WebGPU: the bytes of each `local` argument.
    local_bytes: Option<u32>,
}

impl Environment {
    /// Options for the environment.
    fn apply(&self, options: Options) -> PyResult<Options> {
        let mut options = if self.target == WEB_GPU {
            let mut translatable = Translatable::new(self.work_group_size.unwrap_or([64, 1, 1]));
            translatable.local_bytes = self.local_bytes.unwrap_or(translatable.local_bytes);
            options.for_web_gpu(translatable)
        } else {
            let unknown = || errors::unknown("target", &self.target, &TARGETS);
            options.with_target(Target::parse(&self.target).ok_or_else(unknown)?)
        };
        if let Some(name) = &self.addressing {
            let unknown = || errors::unknown("addressing", name, &Addressing::NAMES);
            options.device.addressing = Addressing::parse(name).ok_or_else(unknown)?;
        }
        Ok(options)
    }

    /// The name of the target, without an alias.
    fn name(&self, options: &Options) -> String {
        if self.target == WEB_GPU { WEB_GPU.into() } else { options.target.to_string() }
    }
}

/// Compiles OpenCL C.
#[pyfunction]
pub fn compile(
    py: Python<'_>,
    source: &str,
    build_options: &str,
    name: &str,
    environment: Environment,
) -> PyResult<Module> {
    let options = environment.apply(options(py, build_options)?)?;
    let code = Source { name, text: source.as_bytes() };
    let compiled = py.detach(|| clforge_compiler::compile(code, &options));
    let compiled = compiled.map_err(|found| errors::of_diagnostics(py, &found))?;
    let (interface, texels) = described(py, code, &options, &compiled.spirv)?;
    Ok(Module {
        words: compiled.spirv,
        target: environment.name(&options),
        diagnostics: diagnostics::list(py, &compiled.warnings)?,
        dependencies: compiled.dependencies,
        interface: interface::module(py, &interface, &texels)?.unbind(),
    })
}

/// What a module consists of. A module for OpenCL does not say what its structures are made of, so that one for Vulkan is asked:
/// there, a program of Vulkan's kind has no interface where it cannot be compiled.
fn described(
    py: Python<'_>,
    code: Source<'_>,
    options: &Options,
    words: &[u32],
) -> PyResult<(ModuleInterface, Texels)> {
    let read = |words: &[u32]| {
        let interface = ModuleInterface::from_spirv(words).map_err(|error| errors::of_runtime(py, error.into()))?;
        Ok((interface, Texels::new(words)))
    };
    if options.target.is_vulkan() {
        return read(words);
    }
    let options = options.clone().with_target(Options::default().target);
    match py.detach(|| clforge_compiler::compile(code, &options)) {
        Ok(compiled) => read(&compiled.spirv),
        Err(_) => Ok(Default::default()),
    }
}
