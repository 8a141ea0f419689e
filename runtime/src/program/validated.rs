//! Modules of other compilers: validated, and their reflection compared with their code.

use super::object::Program;
use super::plan::Plan;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::module::{self, Resources, Scan, Variable};
use crate::vulkan::Limits;
use ash::vk;
use clforge_compiler::Target;
use clforge_compiler::interface::{ArgumentBinding, KernelInterface, ModuleInterface};
use clforge_compiler::options::VulkanVersion;
use clforge_compiler::validate::{ValidateError, validate};

/// Size in bytes of the values that specialisation constants get.
const SPEC_CONSTANT_SIZE: u64 = 4;

impl Program {
    /// Loads a module with `NonSemantic.ClspvReflection`, of this compiler or another one.
    ///
    /// The module is validated with `spirv-val`, which must be installed, and the descriptors, push constants and specialisation
    /// constants that its kernels use are compared with its reflection. So a driver gets only what the specification of Vulkan
    /// allows. What kernels do with their pointers cannot be checked here: see the crate's section on safety. For modules of
    /// this compiler there is [`Program::from_module`]; modules that are known to be valid can be loaded by
    /// [`Program::from_spirv_unchecked`].
    ///
    /// # Errors
    /// [`Error::InvalidModule`], [`Error::NotValidated`] if `spirv-val` cannot be run or the module's control flow is nested too
    /// deeply for it, and those of [`Program::from_spirv_unchecked`].
    pub fn from_spirv(device: &Device, words: &[u32]) -> Result<Program> {
        let scan = Scan::new(words)?;
        // First what has a better message than the validator's.
        module::check(&scan, device.info())?;
        let interface = ModuleInterface::from_spirv(words)?;
        validate(words, environment(words)).map_err(|error| match error {
            ValidateError::Invalid(message) => Error::InvalidModule(message.trim().into()),
            ValidateError::Unavailable(reason) => Error::NotValidated(reason.trim().into()),
        })?;
        check_reflection(words, &scan, &interface, &device.info().limits)?;
        // SAFETY: `spirv-val` accepts the module, and its reflection describes its code.
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

/// Checks that the reflection of a valid module describes what the code of its kernels uses.
///
/// # Errors
/// [`Error::WrongModule`], [`Error::Limit`].
fn check_reflection(words: &[u32], scan: &Scan, interface: &ModuleInterface, limits: &Limits) -> Result<()> {
    let resources = Resources::new(words)?;
    for kernel in &interface.kernels {
        // A kernel without an entry point is reported when it is requested.
        let Some(entry) = scan.entry_points.get(&kernel.name) else { continue };
        let plan = Plan::new(interface, kernel)?;
        for variable in resources.used_by(entry.function, &entry.interface) {
            check_variable(&kernel.name, &plan, limits.max_push_constants, variable)?;
        }
        for id in spec_ids(interface, kernel) {
            if resources.spec_constants.get(&id).is_some_and(|size| *size != SPEC_CONSTANT_SIZE) {
                let text = format!("its specialisation constant {id}, which its reflection uses, has not 32 bits");
                return Err(Error::WrongModule(text));
            }
        }
    }
    Ok(())
}

/// `limit` is the device's, in bytes of push constants.
fn check_variable(kernel: &str, plan: &Plan, limit: u32, variable: Variable) -> Result<()> {
    match variable {
        // Layouts have room for the whole block: see `Layout::new`.
        Variable::PushConstants(requested) if requested > limit.into() => {
            let what = format!("bytes of push constants of kernel '{kernel}'");
            Err(Error::Limit { what, limit: limit.into(), requested })
        }
        Variable::PushConstants(_) => Ok(()),
        Variable::Descriptor(at, kind, count) => {
            let described = plan.slots.get(&at).copied();
            if described.is_some() && described == kind && count <= plan.count(&at) {
                return Ok(());
            }
            let name =
                |kind: Option<vk::DescriptorType>| kind.map_or("no descriptor".into(), |kind| format!("{kind:?}"));
            Err(Error::WrongModule(format!(
                "kernel '{kernel}' uses {count} x {} at set {}, binding {}, but the reflection describes {}",
                kind.map_or("an unsupported descriptor".into(), |kind| name(Some(kind))),
                at.set,
                at.binding,
                name(described)
            )))
        }
    }
}

/// The specialisation constants that the runtime sets for a kernel.
fn spec_ids(interface: &ModuleInterface, kernel: &KernelInterface) -> Vec<u32> {
    let mut ids: Vec<u32> = interface.work_group_size_spec_ids.into_iter().flatten().collect();
    ids.extend(interface.global_offset_spec_ids.into_iter().flatten());
    ids.extend(interface.work_dim_spec_id);
    ids.extend(interface.subgroup_max_size_spec_id);
    ids.extend(kernel.arguments.iter().filter_map(|argument| match argument.binding {
        ArgumentBinding::Workgroup { spec_id, .. } => Some(spec_id),
        _ => None,
    }));
    ids
}
