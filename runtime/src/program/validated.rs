//! Modules of other compilers: validated, and their reflection compared with their code.

use super::object::{Program, compile_error};
use super::variants::{Code, Origin};
use crate::cache;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::module::{self, Scan};
use clforge_compiler::interface::ModuleInterface;
use clforge_compiler::options::VulkanVersion;
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::{Options, Target};

impl Program {
    /// Loads a module with `NonSemantic.ClspvReflection`, of this compiler or another one, or a module for OpenCL, which is
    /// translated first ([`clforge_compiler::translate_spirv`]).
    ///
    /// The module is validated with `spirv-val`, which must be installed, and its reflection is compared with its code. So a
    /// driver gets only what the specification of Vulkan allows. What kernels do with their pointers cannot be checked here:
    /// see the crate's section on safety. For modules of this compiler there is [`Program::from_module`]; modules that are known
    /// to be valid can be loaded by [`Program::from_spirv_unchecked`]. Modules for OpenCL that need others are linked:
    /// [`Program::spirv_unit`].
    ///
    /// # Errors
    /// [`Error::Compile`] for a module for OpenCL, [`Error::InvalidModule`], [`Error::ValidatorUnavailable`] if `spirv-val` cannot be run
    /// or the module's control flow is nested too deeply for it, and those of [`Program::from_spirv_unchecked`].
    pub fn from_spirv(device: &Device, words: &[u32]) -> Result<Program> {
        if clforge_compiler::is_for_opencl(words) {
            let options = Options::default();
            let tuned = device.tuned_for_launches(&options);
            let module = cache::translate(&device.cache(), words, &tuned).map_err(compile_error)?;
            return Program::compiled(device, &module, &tuned, || Origin { code: Code::Spirv(words.into()), options });
        }
        // First what has a better message than the validator's.
        module::check(&Scan::new(words)?, device.info())?;
        ModuleInterface::from_spirv(words)?;
        validate(words, environment(words)).map_err(|error| match error {
            ValidateError::Invalid(message) => Error::InvalidModule(message.trim().into()),
            ValidateError::Unavailable(reason) => Error::ValidatorUnavailable(reason.trim().into()),
            ValidateError::TooOld(capability) => {
                Error::ValidatorUnavailable(format!("it does not know the capability {capability}"))
            }
        })?;
        // SAFETY: `spirv-val` accepts the module; that its reflection describes its code is checked when it is loaded.
        unsafe { Program::from_spirv_unchecked(device, words) }
    }
}

/// The oldest Vulkan environment that takes the module's version of SPIR-V.
fn environment(words: &[u32]) -> Target {
    const SPIRV_1_3: u32 = 0x0001_0300;
    const SPIRV_1_6: u32 = 0x0001_0600;
    Target::Vulkan(match words.get(1) {
        Some(version) if *version >= SPIRV_1_6 => VulkanVersion::V1_3,
        Some(version) if *version <= SPIRV_1_3 => VulkanVersion::V1_1,
        _ => VulkanVersion::V1_2,
    })
}
