//! Programs: a module checked against its device, its shader code and its program-scope data.

mod adapt;
mod capabilities;
mod pipelines;
mod scan;

pub(crate) use pipelines::Pipelines;
pub(crate) use scan::{EntryPoint, Scan};

use crate::bounds::Checker;
use crate::device::ShaderModule;
use crate::error::CompileErrors;
use crate::kernel::KernelShared;
use crate::printf::{Printed, Printer};
use crate::{Buffer, Device, DeviceInfo, Error, Kernel, LaunchReport, Result};
use ash::vk;
use clforge_compiler::interface::{ModuleInterface, ProgramData};
use clforge_compiler::{Options, Source};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A module on a device. Cloning is cheap; kernels keep what they need of it.
#[derive(Clone)]
pub struct Program {
    pub(crate) shared: Arc<ProgramShared>,
    kernels: Arc<Mutex<HashMap<String, Arc<KernelShared>>>>,
}

pub(crate) struct ProgramShared {
    pub module: ShaderModule,
    pub pipelines: Pipelines,
    /// One buffer for each of the interface's `program_data`.
    pub data: Vec<Buffer>,
    /// Of programs whose kernels print.
    pub printer: Option<Printer>,
    /// Of programs that check their accesses.
    pub checker: Option<Checker>,
    pub interface: ModuleInterface,
    pub scan: Scan,
    pub device: Device,
}

impl Program {
    /// Takes a Vulkan module with `NonSemantic.ClspvReflection`, ours or another compiler's.
    ///
    /// The module must be valid SPIR-V: what the reflection says is checked, but drivers do not check code.
    ///
    /// # Errors
    /// [`Error::Module`], [`Error::WrongModule`], [`Error::MissingFeature`], [`Error::Limit`], [`Error::Vulkan`].
    pub fn from_spirv(device: &Device, words: &[u32]) -> Result<Program> {
        let scan = Scan::new(words)?;
        // First, so that a module for OpenCL is told from one that merely lacks its reflection.
        capabilities::check(&scan, device.info())?;
        let interface = ModuleInterface::from_spirv(words)?;
        // The driver may not survive what does not fit; `local` arguments are checked with each launch.
        for (name, entry) in &scan.entry_points {
            let (requested, limit) =
                (scan.local_bytes(entry, &interface), device.info().limits.max_shared_memory.into());
            if requested > limit {
                let what = format!("bytes of local memory of kernel '{name}'");
                return Err(Error::Limit { what, limit, requested });
            }
        }
        let code = adapt::adapt(words, &scan, device.info())?;
        let info = vk::ShaderModuleCreateInfo::default().code(&code);
        // SAFETY: that the code is valid is the caller's part, documented above; its capabilities are enabled.
        let module = unsafe { ShaderModule::new(&device.shared.raw, &info) }?;
        let pipelines = Pipelines::new(device, &code)?;
        let data = interface.program_data.iter().map(|data| upload(device, data)).collect::<Result<_>>()?;
        let printer = Printer::new(device, &interface)?;
        let (checker, device) = (Checker::new(device, &interface)?, device.clone());
        let shared = ProgramShared { module, pipelines, data, printer, checker, interface, scan, device };
        Ok(Program { shared: Arc::new(shared), kernels: Arc::default() })
    }

    /// Compiles OpenCL C for `options.target`, which must be a Vulkan version, or takes what [`Device::cache`] has. For
    /// sources with `#include`, `options.includes` must find the files: [`crate::FileIncludes`] does on disk.
    ///
    /// # Errors
    /// [`Error::Compile`], and those of [`Program::from_spirv`].
    pub fn from_source(device: &Device, source: &str, options: &Options) -> Result<Program> {
        if !options.target.is_vulkan() {
            return Err(Error::WrongModule(format!("the target {} cannot be run on Vulkan", options.target)));
        }
        let source = Source { name: "<source>", text: source.as_bytes() };
        match crate::cache::compile(&device.cache(), source, &device.tuned(options)) {
            Ok(module) => Program::from_spirv(device, &module.spirv),
            Err(diagnostics) => Err(Error::Compile(CompileErrors(Box::new(diagnostics)))),
        }
    }

    /// Hands what kernels print to `output`, after each launch. Without this it goes to standard output, and a warning to
    /// standard error when the buffer was too small. `output` must not launch kernels of the same program.
    ///
    /// # Errors
    /// [`Error::Internal`] when an earlier `output` has panicked.
    pub fn on_print(&self, output: impl FnMut(Printed<'_>) + Send + 'static) -> Result<()> {
        self.shared.printer.as_ref().map_or(Ok(()), |printer| printer.set_output(Box::new(output)))
    }

    /// Hands what kernels did out of range to `output`, after each launch that did, instead of failing the launch with
    /// [`Error::OutOfRange`]. For programs compiled with `Options::bounds_check`; others check nothing. `output` must not
    /// launch kernels of the same program.
    ///
    /// # Errors
    /// [`Error::Internal`] when an earlier `output` has panicked.
    pub fn on_out_of_range(&self, output: impl FnMut(&LaunchReport) + Send + 'static) -> Result<()> {
        self.shared.checker.as_ref().map_or(Ok(()), |checker| checker.set_output(Box::new(output)))
    }

    /// What the module says of itself.
    pub fn interface(&self) -> &ModuleInterface {
        &self.shared.interface
    }

    /// Names of the kernels.
    pub fn kernel_names(&self) -> Vec<String> {
        self.shared.interface.kernels.iter().map(|kernel| kernel.name.clone()).collect()
    }

    /// A kernel. Asking again returns the same one, with all its compiled pipelines.
    ///
    /// # Errors
    /// [`Error::NoSuchKernel`], [`Error::Limit`] when its arguments do not fit the device, [`Error::Unsupported`],
    /// [`Error::WrongModule`], [`Error::Vulkan`].
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let mut kernels = self.kernels.lock().map_err(|_| Error::Internal("kernel lock poisoned".into()))?;
        if let Some(shared) = kernels.get(name) {
            return Ok(Kernel { shared: shared.clone() });
        }
        let index = self.shared.interface.kernels.iter().position(|kernel| kernel.name == name);
        let index = index.ok_or_else(|| Error::NoSuchKernel { name: name.into(), available: self.kernel_names() })?;
        let shared = Arc::new(KernelShared::new(&self.shared, index)?);
        kernels.insert(name.into(), shared.clone());
        Ok(Kernel { shared })
    }
}

/// The Vulkan features that a module needs and a device lacks; `None` for what is no module.
pub(crate) fn missing_features(words: &[u32], info: &DeviceInfo) -> Option<Vec<String>> {
    Some(capabilities::missing(&Scan::new(words).ok()?, info))
}

/// Puts program-scope data on the device, with the addresses it contains filled in.
fn upload(device: &Device, data: &ProgramData) -> Result<Buffer> {
    let buffer = Buffer::new(device, data.data.len() as u64)?;
    let mut bytes = data.data.clone();
    if !data.relocations.is_empty() {
        let base = buffer.device_address().ok_or_else(|| Error::MissingFeature {
            feature: "bufferDeviceAddress".into(),
            needed_by: "addresses of program-scope variables".into(),
            device: device.info().name.clone(),
        })?;
        for (at, target) in &data.relocations {
            let place = bytes.get_mut(*at as usize..).and_then(|rest| rest.first_chunk_mut::<8>());
            let place =
                place.ok_or_else(|| Error::WrongModule(format!("it has a relocation at {at}, past its data")))?;
            *place = base.wrapping_add(u64::from(*target)).to_le_bytes();
        }
    }
    buffer.write(0, &bytes)?;
    Ok(buffer)
}
