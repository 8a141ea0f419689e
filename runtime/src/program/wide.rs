//! Programs with global ids of 64 bits, which are compiled when a launch first needs them.
//!
//! Most ND-ranges end below 2^32 in each dimension, and arithmetic on ids of 32 bits is cheaper. So programs are
//! compiled for 32-bit ids and keep their source or module; the first launch beyond that range compiles it again with
//! [`clforge_compiler::CodegenOptions::wide_ids`].

use super::kernel::KernelShared;
use super::loaded::LoadedModule;
use super::object::compile_error;
use crate::cache::{self, Module};
use crate::device::Device;
use crate::error::{Error, Result};
use clforge_compiler::interface::{ModuleInterface, ProgramData, PushConstantKind};
use clforge_compiler::{Options, Source, Unit};
use std::sync::{Arc, Mutex, PoisonError};

/// What a program was compiled of.
pub(crate) struct Origin {
    pub code: Code,
    /// As they were given.
    pub options: Options,
}

pub(crate) enum Code {
    Source {
        name: Box<str>,
        text: Box<str>,
    },
    /// Translation units in bytes, which take less memory.
    Units(Vec<Vec<u8>>),
    /// A module for OpenCL.
    Spirv(Box<[u32]>),
}

/// The module with ids of 64 bits, of one whose ids have less.
#[derive(Default)]
pub(crate) struct WideIds {
    /// `None` where it is not known.
    origin: Option<Origin>,
    made: Mutex<Option<Arc<LoadedModule>>>,
}

/// Whether the code of a module is right for ids of more than 32 bits.
pub(super) fn has_wide_ids(interface: &ModuleInterface) -> bool {
    use PushConstantKind as Kind;
    let counts = |kind| matches!(kind, Kind::RegionOffset | Kind::GlobalOffset | Kind::GlobalSize);
    let mut constants = interface.push_constants.iter().filter(|constant| counts(constant.kind));
    interface.global_offset_spec_ids.is_none() && constants.all(|constant| constant.is_wide())
}

impl Origin {
    fn compile_wide(&self, device: &Device) -> Result<Module> {
        let options = device.tuned(&self.options.clone().with_wide_ids(true));
        let cache = device.cache();
        let compiled = match &self.code {
            Code::Source { name, text } => cache::compile(&cache, Source { name, text: text.as_bytes() }, &options),
            Code::Units(units) => {
                let read = |bytes: &Vec<u8>| Unit::from_bytes(bytes).map_err(|error| Error::Internal(error.into()));
                let units = units.iter().map(read).collect::<Result<Vec<_>>>()?;
                cache::link(&cache, &units.iter().collect::<Vec<_>>(), &options)
            }
            Code::Spirv(words) => cache::translate(&cache, words, &options),
        };
        compiled.map_err(compile_error)
    }
}

impl WideIds {
    pub fn of(origin: Origin) -> WideIds {
        WideIds { origin: Some(origin), made: Mutex::default() }
    }
}

impl LoadedModule {
    /// The same program with ids of 64 bits. Its program-scope variables and the receivers of its messages are the same.
    fn wide(&self) -> Result<Arc<LoadedModule>> {
        let mut made = self.wide_ids.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = &*made {
            return Ok(module.clone());
        }
        let origin = self.wide_ids.origin.as_ref();
        let origin = origin.ok_or_else(|| Error::Internal("a program does not know what it was made of".into()))?;
        let compiled = origin.compile_wide(&self.device)?;
        // SAFETY: the module comes from our compiler, which makes valid modules with the reflection of their code.
        let mut module = unsafe { LoadedModule::new(&self.device, compiled.spirv()) }?;
        module.share(self)?;
        let module = Arc::new(module);
        *made = Some(module.clone());
        Ok(module)
    }

    /// Makes the program-scope variables and receivers of another module of the same program its own.
    fn share(&mut self, other: &LoadedModule) -> Result<()> {
        let (own, others) = (&self.interface.program_data, &other.interface.program_data);
        let same = |(a, b): (&ProgramData, &ProgramData)| {
            (&a.data, &a.relocations, a.writable) == (&b.data, &b.relocations, b.writable)
        };
        if own.len() == others.len() && own.iter().zip(others).all(same) {
            self.data.clone_from(&other.data);
        } else if own.iter().chain(others).any(|data| data.writable) {
            let text = "its program-scope variables are not the same with global ids of 64 bits";
            return Err(Error::Launch(text.into()));
        }
        if let (Some(printer), Some(other)) = (&mut self.printer, &other.printer) {
            printer.share_output(other);
        }
        if let (Some(checker), Some(other)) = (&mut self.checker, &other.checker) {
            checker.share_output(other);
        }
        Ok(())
    }

    /// Whether its kernels can have ids of 64 bits, if need be compiled again.
    pub fn allows_wide_ids(&self) -> bool {
        has_wide_ids(&self.interface) || self.wide_ids.origin.is_some()
    }
}

impl KernelShared {
    /// The kernel with ids of 64 bits, for a launch that needs them: itself if it has them (`None`).
    ///
    /// # Errors
    /// Those of compilation and of loading; [`Error::Internal`] for a module that cannot be compiled again.
    pub fn wide(&self) -> Result<Option<Arc<KernelShared>>> {
        if self.rules.has_wide_ids {
            return Ok(None);
        }
        if let Some(kernel) = self.wide.get() {
            return Ok(Some(kernel.clone()));
        }
        let module = self.module.wide()?;
        let index = module.interface.kernels.iter().position(|kernel| kernel.name == self.interface().name);
        let index = index.ok_or_else(|| Error::Internal("a kernel is missing in its own program".into()))?;
        let kernel = Arc::new(KernelShared::new(&module, index)?);
        Ok(Some(self.wide.get_or_init(|| kernel).clone()))
    }
}
