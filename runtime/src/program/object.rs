//! Programs.

use super::kept_includes::KeptIncludes;
use super::kernel::{Kernel, KernelShared};
use super::loaded::LoadedModule;
use super::speculation;
use super::variants::{Code, Origin, Variants};
use crate::cache::{self, Module};
use crate::device::Device;
use crate::error::{CompileErrors, Error, Result};
use crate::printf::Printed;
use crate::report::LaunchReport;
use clforge_compiler::interface::ModuleInterface;
use clforge_compiler::options::AddressBits;
use clforge_compiler::{CompiledUnit, Diagnostics, Options, Source, Unit};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A module on a device. Cloning is cheap; kernels keep what they need of it.
#[derive(Clone)]
pub struct Program {
    module: Arc<LoadedModule>,
    /// What the compiler has warned of.
    log: Arc<str>,
    /// The kernels that were requested so far.
    kernels: Arc<Mutex<HashMap<String, Arc<KernelShared>>>>,
}

impl Program {
    /// Compiles OpenCL C for `options.target`, which must be a Vulkan version, or takes the module from
    /// [`Device::cache`]. For sources with `#include`, `options.language.includes` must find the files:
    /// [`crate::FileIncludes`] searches the file system.
    ///
    /// # Errors
    /// [`Error::Compile`], and those of [`Program::from_module`].
    pub fn from_source(device: &Device, source: &str, options: &Options) -> Result<Program> {
        Program::from_named_source(device, "<source>", source, options)
    }

    /// As [`Program::from_source`], with the name of the source that diagnostics show and `__FILE__` is. `#include "…"` looks
    /// beside a file of that name.
    ///
    /// # Errors
    /// As for [`Program::from_source`].
    pub fn from_named_source(device: &Device, name: &str, source: &str, options: &Options) -> Result<Program> {
        check_target(options)?;
        let includes = Arc::new(KeptIncludes::new(options.language.includes.clone()));
        let options = options.clone().with_includes(includes);
        let code = Source { name, text: source.as_bytes() };
        let module = cache::compile(&device.cache(), code, &device.tuned_for_launches(&options));
        Program::from_compiled_source(device, &module.map_err(compile_error)?, code, &options)
    }

    /// Loads a module that was compiled of a source ([`cache::compile`]), with what [`Device::tuned_for_launches`] makes of `options`,
    /// and keeps the source for launches that need another module, as [`Program::from_source`] does. Included files should not have
    /// changed until then.
    ///
    /// # Errors
    /// Those of [`Program::from_module`].
    pub fn from_compiled_source(
        device: &Device,
        module: &Module,
        source: Source<'_>,
        options: &Options,
    ) -> Result<Program> {
        Program::compiled(device, module, &device.tuned_for_launches(options), || Origin {
            code: Code::Source { name: source.name.into(), text: source.text.into() },
            options: options.clone(),
        })
    }

    /// Compiles a translation unit for [`Program::link`]: see [`clforge_compiler::compile_unit`].
    ///
    /// # Errors
    /// [`Error::Compile`], and [`Error::UnusableModule`] for a target that is no Vulkan version.
    pub fn compile_unit(device: &Device, name: &str, source: &str, options: &Options) -> Result<CompiledUnit> {
        check_target(options)?;
        let source = Source { name, text: source.as_bytes() };
        clforge_compiler::compile_unit(source, &device.tuned(options)).map_err(compile_error)
    }

    /// Reads a SPIR-V module for OpenCL as a translation unit for [`Program::link`], together with others or alone: what
    /// `clCreateProgramWithIL` is given and `clCompileProgram`, `clLinkProgram` and `clBuildProgram` build. Specialisation
    /// constants get other values before ([`clforge_compiler::specialize`]). See [`clforge_compiler::spirv_unit`].
    ///
    /// # Errors
    /// [`Error::Compile`], and [`Error::UnusableModule`] for a target that is no Vulkan version.
    pub fn spirv_unit(device: &Device, words: &[u32], options: &Options) -> Result<Unit> {
        check_target(options)?;
        clforge_compiler::spirv_unit(words, &device.tuned(options)).map_err(compile_error)
    }

    /// Links translation units, or takes the module from [`Device::cache`]: see [`clforge_compiler::link`].
    ///
    /// # Errors
    /// [`Error::Compile`], and those of [`Program::from_module`].
    pub fn link(device: &Device, units: &[&Unit], options: &Options) -> Result<Program> {
        check_target(options)?;
        let units_bits = units.first().map(|unit| unit.address_bits());
        let options = &options.clone().with(|options| {
            options.language.address_bits = units_bits.unwrap_or(options.language.address_bits);
        });
        let tuned = device.tuned_for_launches(options);
        let module = cache::link(&device.cache(), units, &tuned).map_err(compile_error)?;
        Program::compiled(device, &module, &tuned, || Origin {
            code: Code::Units(units.iter().map(|unit| unit.to_bytes()).collect()),
            options: options.clone(),
        })
    }

    /// Loads a module that this compiler has made for Vulkan.
    ///
    /// # Errors
    /// [`Error::UnusableModule`], [`Error::MissingFeature`], [`Error::Limit`], [`Error::Allocation`], [`Error::Vulkan`].
    pub fn from_module(device: &Device, module: &Module) -> Result<Program> {
        match module.for_most_launches() {
            Some(other) => {
                let variants = Variants::of_module(module.spirv().to_vec());
                Program::load(device, &other.spirv, String::new(), variants, other.has_distinct_arguments)
            }
            None => Program::load(device, module.spirv(), log_of(module), Variants::default(), false),
        }
    }

    /// Loads a module that was compiled now with `tuned`, and keeps what it was compiled of for launches that need wider ids, or
    /// have arguments that overlap.
    pub(super) fn compiled(
        device: &Device,
        module: &Module,
        tuned: &Options,
        origin: impl FnOnce() -> Origin,
    ) -> Result<Program> {
        let origin = origin();
        // Ids of 64 bits do not fit into a 'size_t' of 32.
        let variants = match origin.options.language.address_bits {
            AddressBits::Bits32 => Variants::default(),
            AddressBits::Bits64 => Variants::of(origin),
        };
        let is_for_distinct_arguments = tuned.codegen.distinct_arguments;
        Program::load(device, module.spirv(), log_of(module), variants, is_for_distinct_arguments)
    }

    fn load(
        device: &Device,
        words: &[u32],
        log: String,
        variants: Variants,
        is_for_distinct_arguments: bool,
    ) -> Result<Program> {
        // SAFETY: the module comes from our compiler, which makes valid modules with the reflection of their code. One for
        // OpenCL is rejected.
        let loaded = unsafe { LoadedModule::new(device, words) }?;
        let loaded = Arc::new(LoadedModule { variants, is_for_distinct_arguments, ..loaded });
        Ok(Program::of(loaded, log.into()))
    }

    /// Loads a module with `NonSemantic.ClspvReflection`, of this compiler or another one, without validating it.
    ///
    /// # Safety
    /// The module is valid SPIR-V for Vulkan, and its reflection describes its code: every descriptor, push constant and
    /// specialisation constant that a kernel uses, with the type that it has. Drivers do not check this.
    ///
    /// # Errors
    /// [`Error::Interface`], [`Error::UnusableModule`], [`Error::MissingFeature`], [`Error::Limit`], [`Error::Allocation`],
    /// [`Error::Vulkan`].
    pub unsafe fn from_spirv_unchecked(device: &Device, words: &[u32]) -> Result<Program> {
        // SAFETY: the conditions are the same.
        let module = unsafe { LoadedModule::new(device, words) }?;
        Ok(Program::of(Arc::new(module), Arc::from("")))
    }

    fn of(module: Arc<LoadedModule>, log: Arc<str>) -> Program {
        let program = Program { module, log, kernels: Arc::default() };
        program.compile_as_before();
        program
    }

    /// Makes the pipelines that launches of the program have needed in earlier runs. The driver has them in its cache, so that most
    /// are made before this returns, and not in the first launches, whose times applications measure.
    fn compile_as_before(&self) {
        let launched = self.module.history.launched();
        let wanted = launched.into_iter().filter_map(|launched| {
            // An error is that of the program when it asks for the kernel.
            Some((self.kernel(&launched.kernel).ok()?.shared, launched.key))
        });
        speculation::compile_for_launches(wanted.collect());
    }

    /// Loads a module from the bytes of a file, as [`Program::to_bytes`] makes them; SPIR-V of the other byte order too. It is
    /// validated as by [`Program::from_spirv`].
    ///
    /// # Errors
    /// As for [`Program::from_spirv`], with [`Error::UnusableModule`] for bytes that are no words.
    pub fn from_bytes(device: &Device, bytes: &[u8]) -> Result<Program> {
        let (chunks, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            let text = format!("its {} bytes are not a multiple of 4", bytes.len());
            return Err(Error::UnusableModule(text));
        }
        let swapped = chunks.first().is_some_and(|first| u32::from_be_bytes(*first) == spirv::MAGIC_NUMBER);
        let word = |chunk: &[u8; 4]| if swapped { u32::from_be_bytes(*chunk) } else { u32::from_le_bytes(*chunk) };
        Program::from_spirv(device, &chunks.iter().map(word).collect::<Vec<u32>>())
    }

    /// The module as the bytes of a file, in little-endian words, for [`Program::from_bytes`]. It was compiled for this device, and
    /// for all launches: a program may have another module for launches whose arguments do not overlap.
    ///
    /// # Errors
    /// Those of [`Program::from_source`], for a module that is compiled now.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        Ok(self.module.for_all_launches()?.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// The same module as a binary for [`Module::from_binary`], with a digest and the compiler's build; and the one for other launches,
    /// if there is one.
    ///
    /// # Errors
    /// As for [`Program::to_bytes`].
    pub fn to_binary(&self) -> Result<Vec<u8>> {
        Ok(cache::to_binary(&self.module.for_all_launches()?, self.module.for_most_launches().as_ref()))
    }

    /// The compiler's warnings, as people see them; empty without any, and for a program that was not compiled now.
    pub fn build_log(&self) -> &str {
        &self.log
    }

    /// Sets the function that receives what kernels print, after each launch. By default messages are written to standard
    /// output, and a warning to standard error if messages were lost. `output` must not launch kernels of the same program.
    ///
    /// # Errors
    /// [`Error::Internal`] if an earlier `output` has panicked.
    pub fn on_print(&self, output: impl FnMut(Printed<'_>) + Send + 'static) -> Result<()> {
        self.module.printer.as_ref().map_or(Ok(()), |printer| printer.set_output(Box::new(output)))
    }

    /// Sets the function that receives reports of accesses that were out of range, after each launch that had any. By
    /// default such launches fail with [`Error::BoundsCheck`]. Only programs compiled with
    /// `CodegenOptions::bounds_check` check their accesses. `output` must not launch kernels of the same program.
    ///
    /// # Errors
    /// [`Error::Internal`] if an earlier `output` has panicked.
    pub fn on_out_of_range(&self, output: impl FnMut(&LaunchReport) + Send + 'static) -> Result<()> {
        self.module.checker.as_ref().map_or(Ok(()), |checker| checker.set_output(Box::new(output)))
    }

    /// Kernels, arguments, and everything else that the module's reflection describes.
    pub fn interface(&self) -> &ModuleInterface {
        &self.module.interface
    }

    /// Names of the kernels, without those of blocks, which only kernels launch.
    pub fn kernel_names(&self) -> Vec<String> {
        let kernels = self.module.interface.kernels.iter().filter(|kernel| !kernel.is_block);
        kernels.map(|kernel| kernel.name.clone()).collect()
    }

    /// The kernel of that name. All calls return the same kernel, which keeps its compiled pipelines.
    ///
    /// # Errors
    /// [`Error::NoSuchKernel`], [`Error::Limit`] if its arguments exceed a limit of the device, [`Error::Unsupported`],
    /// [`Error::UnusableModule`], [`Error::Vulkan`].
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let mut kernels = self.kernels.lock().map_err(|_| Error::Internal("kernel lock poisoned".into()))?;
        if let Some(shared) = kernels.get(name) {
            return Ok(Kernel { shared: shared.clone() });
        }
        let index = self.module.interface.kernels.iter().position(|kernel| kernel.name == name && !kernel.is_block);
        let index = index.ok_or_else(|| Error::NoSuchKernel { name: name.into(), available: self.kernel_names() })?;
        let shared = Arc::new(KernelShared::new(&self.module, index)?);
        speculation::register(&shared);
        kernels.insert(name.into(), shared.clone());
        Ok(Kernel { shared })
    }
}

fn log_of(module: &Module) -> String {
    module.warnings().map(|warnings| warnings.render(false)).unwrap_or_default()
}

fn check_target(options: &Options) -> Result<()> {
    if options.target.is_vulkan() {
        return Ok(());
    }
    Err(Error::UnusableModule(format!("the target {} cannot be run on Vulkan", options.target)))
}

pub(super) fn compile_error(diagnostics: Diagnostics) -> Error {
    Error::Compile(CompileErrors(Box::new(diagnostics)))
}
